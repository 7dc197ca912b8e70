#include "hw/texture-tile.h"

const char *const tsim_texel_format_names[] = {"8bpp",   "16bpp", "32bpp", "64bpp",
                                               "128bpp", "bc1",   "bc7",   NULL};

static const TsimExtent extents[] = {
    [TSIM_TEXEL_8BPP] = {256, 256, 1},  [TSIM_TEXEL_16BPP] = {256, 128, 1},
    [TSIM_TEXEL_32BPP] = {128, 128, 1}, [TSIM_TEXEL_64BPP] = {128, 64, 1},
    [TSIM_TEXEL_128BPP] = {64, 64, 1},  [TSIM_TEXEL_BC1] = {512, 256, 1},
    [TSIM_TEXEL_BC7] = {256, 256, 1},
};

TsimExtent tsim_texture_tile_extent(TsimTexelFormat format)
{
    return extents[format];
}
