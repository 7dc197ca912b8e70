/* Shapes of the 64 KB tiles of tiled textures, by size of texel. Texels of a mip; the shape is the
 * same in every mip. Source: functional specification of Direct3D 11.3, 5.9.
 */
#pragma once

#include "hw/feedback-descriptor.h"

#define TSIM_TEXTURE_TILE_BYTES 65536u

typedef enum {
    TSIM_TEXEL_8BPP,
    TSIM_TEXEL_16BPP,
    TSIM_TEXEL_32BPP,
    TSIM_TEXEL_64BPP,
    TSIM_TEXEL_128BPP,
    TSIM_TEXEL_BC1, /* and BC4: 8 bytes a block of 4x4 */
    TSIM_TEXEL_BC7, /* and BC2, BC3, BC5, BC6H: 16 bytes a block of 4x4 */
} TsimTexelFormat;

extern const char *const tsim_texel_format_names[]; /* 8bpp .. 128bpp, bc1, bc7 */

/* Tile of a 2D texture or array. */
TsimExtent tsim_texture_tile_extent(TsimTexelFormat format);
