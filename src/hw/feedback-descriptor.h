/* Image descriptors of the texture unit, as far as sampler feedback needs them (S1, S5, S6, S8).
 *
 * A bound-resource descriptor is the descriptor of the paired texture with three more fields: the
 * kind of map, and its size as power-of-two fractions of the texture, one for U and one that V and
 * W share. The residency map of a tiled texture is described the same way (kind MinMip).
 *
 * Sizes are texels, regions are texels of mip 0. A map level has max(1, size >> fraction) texels an
 * axis, rounded down as on silicon. Bit positions of the new fields are not public: these are plain
 * structs. Everything is checked when it is made; a descriptor that exists is legal.
 *
 * Errors: TSIM_ERROR_INPUT, the message names the field, the value and what is allowed.
 * Sources: reference facts on sampler feedback, section 1.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_TEXTURE_MAX_MIPS    15
#define TSIM_TEXTURE_MAX_SIZE    16384u
#define TSIM_TEXTURE_MAX_DEPTH   2048u
#define TSIM_FEEDBACK_MIN_REGION 4u

typedef enum {
    TSIM_TEXTURE_1D,
    TSIM_TEXTURE_2D,
    TSIM_TEXTURE_2D_ARRAY,
    TSIM_TEXTURE_3D,
} TsimTextureType;

/* Axes that the type does not have are 1; slices is 1 but for arrays. */
typedef struct {
    TsimTextureType type;
    uint32_t width, height, depth;
    uint32_t slices;
    uint32_t mips;
    uint32_t samples; /* of MSAA; anything but 1 is refused (S6) */
} TsimTexture;

typedef struct {
    uint32_t width, height, depth;
} TsimExtent;

typedef enum {
    TSIM_FEEDBACK_MINMIP,          /* 5.3 LOD a region, atomic MIN, one level */
    TSIM_FEEDBACK_MIP_REGION_USED, /* flag a region and mip, atomic OR, levels as the texture */
} TsimFeedbackKind;

typedef struct {
    TsimTexture texture;
    TsimFeedbackKind kind;
    uint32_t fraction_u_log2;
    uint32_t fraction_vw_log2;
    uint32_t levels; /* of the map */
} TsimFeedbackDescriptor;

extern const char *const tsim_texture_type_names[];  /* 1d, 2d, 2d_array, 3d */
extern const char *const tsim_feedback_kind_names[]; /* minmip, mip_region_used */

/* Sizes, mips and slices in range and in agreement with the type; no MSAA. */
gboolean tsim_texture_check(const TsimTexture *texture, GError **error);

/* Size of a mip of the texture; the mip need not exist. */
TsimExtent tsim_texture_mip_extent(const TsimTexture *texture, uint32_t mip);

/* Number of axes that are filtered: 1, 2 or 3 (an array's slice is not one of them). */
uint32_t tsim_texture_axes(const TsimTexture *texture);

/* Region legality: a power of two per axis, at least 4, at most half of mip 0. Height counts for V
 * and, in volumes, for W as well; it is ignored for 1D textures. */
gboolean tsim_feedback_region_check(const TsimTexture *texture, uint32_t region_width,
                                    uint32_t region_height, GError **error);

/* Fills *ret_descriptor; FALSE and *error when texture or region is not legal. */
gboolean tsim_feedback_descriptor_init(TsimFeedbackDescriptor *ret_descriptor,
                                       const TsimTexture *texture, TsimFeedbackKind kind,
                                       uint32_t region_width, uint32_t region_height,
                                       GError **error);

/* Size of a level of the map. */
TsimExtent tsim_feedback_level_extent(const TsimFeedbackDescriptor *descriptor, uint32_t level);

/* Slices of an array, texels along W of a volume's level, else 1. */
uint32_t tsim_feedback_level_layers(const TsimFeedbackDescriptor *descriptor, uint32_t level);
