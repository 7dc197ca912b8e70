/* What one feedback-writing sample operation touches: LOD, mips, taps, texels of the map (S4, S9).
 *
 * Coordinates are normalised (u = 1 is one texture width; an array's slice is the third number, not
 * normalised). Derivatives are per pixel, of the normalised coordinates. Arithmetic is double, with
 * the fixed-point steps of the hardware: coordinates rounded to 8 fraction bits, half to even; LOD
 * truncated to 8 fraction bits. Texels of zero weight are not touched, nor are border texels.
 *
 * Not-a-number input has a result, it is no error: a NaN or infinite coordinate acts as 0 where the
 * address mode cannot place it (a slice of NaN is slice 0); a NaN or infinite gradient, level or
 * bias follows the min/max rules of Direct3D, so that it ends at the sampler's max_lod, and
 * anisotropy is off.
 *
 * A TsimFeedbackSetup is made once an instruction and is immutable; tsim_feedback_sample is then a
 * pure function that cannot fail and does not allocate. Restrictions (S6) are errors of the set-up.
 *
 * Sources: reference facts, section 2; the functional specification of Direct3D 11.3, 7.18.
 */
#pragma once

#include "hw/feedback-descriptor.h"

#include <glib.h>
#include <stdint.h>

typedef enum {
    TSIM_FILTER_POINT,
    TSIM_FILTER_LINEAR,
} TsimFilter;

typedef enum {
    TSIM_ADDRESS_WRAP,
    TSIM_ADDRESS_MIRROR,
    TSIM_ADDRESS_CLAMP,
    TSIM_ADDRESS_MIRROR_ONCE,
    TSIM_ADDRESS_BORDER,
} TsimAddressMode;

#define TSIM_SAMPLER_MAX_ANISO 16u

typedef struct {
    TsimFilter min, mag, mip;
    gboolean anisotropic; /* then min, mag and mip are linear whatever they say */
    uint32_t max_aniso;   /* 1..16 */
    TsimAddressMode address[3];
    double mip_bias;
    double min_lod, max_lod;
    gboolean unnormalised; /* refused (S6) */
} TsimSampler;

typedef enum {
    TSIM_SAMPLE_IMPLICIT, /* derivatives of the quad */
    TSIM_SAMPLE_BIAS,     /* the same, with a bias */
    TSIM_SAMPLE_GRAD,     /* derivatives given */
    TSIM_SAMPLE_LEVEL,    /* LOD given (S9) */
} TsimSampleKind;

typedef struct {
    TsimSampleKind kind;
    gboolean gather;         /* refused (S6) */
    int32_t texel_offset[3]; /* refused unless 0 (S6) */
} TsimSampleInstruction;

/* Where the texel selection is done. */
typedef enum {
    TSIM_FOOTPRINT_FEEDBACK, /* on the grid of the map: what silicon does */
    TSIM_FOOTPRINT_TEXTURE,  /* on the grid of the mip that is read, then texel to region */
} TsimFootprint;

typedef struct {
    TsimFeedbackDescriptor descriptor;
    TsimSampler sampler;
    TsimSampleInstruction instruction;
    TsimFootprint footprint;
    uint32_t axes;
    uint32_t mip_size[TSIM_TEXTURE_MAX_MIPS][3]; /* of the texture, an axis */
    uint32_t map_size[TSIM_TEXTURE_MAX_MIPS][3]; /* of the map, an axis */
} TsimFeedbackSetup;

typedef struct {
    double uvw[3];
    double ddx[3], ddy[3]; /* not used by LEVEL */
    double lod;            /* the bias of BIAS, the level of LEVEL */
    double lod_clamp;      /* most detailed LOD allowed; 0 = no clamp */
} TsimSampleLane;

/* A texel of the map; layer is the slice of an array or the W texel of a volume. */
typedef struct {
    uint16_t x, y, layer, level;
} TsimFeedbackTexel;

#define TSIM_FEEDBACK_MAX_TEXELS (TSIM_SAMPLER_MAX_ANISO * 2 * 4)

typedef struct {
    double lod;         /* after all clamps, in the mips of the texture */
    uint32_t samples;   /* taps along the line of anisotropy */
    uint32_t mip_count; /* mips read, 1 or 2 */
    uint32_t mips[2];
    uint8_t value;        /* byte for every texel */
    uint32_t texel_count; /* distinct texels, in the order in which they were met */
    TsimFeedbackTexel texels[TSIM_FEEDBACK_MAX_TEXELS];
} TsimFeedbackWrites;

extern const char *const tsim_filter_names[];
extern const char *const tsim_address_mode_names[];
extern const char *const tsim_sample_kind_names[];
extern const char *const tsim_footprint_names[];

/* Checks sampler and instruction against the descriptor (S6, ranges) and fills *ret_setup. */
gboolean tsim_feedback_setup_init(TsimFeedbackSetup *ret_setup,
                                  const TsimFeedbackDescriptor *descriptor,
                                  const TsimSampler *sampler,
                                  const TsimSampleInstruction *instruction, TsimFootprint footprint,
                                  GError **error);

void tsim_feedback_sample(const TsimFeedbackSetup *setup, const TsimSampleLane *lane,
                          TsimFeedbackWrites *ret_writes);

/* Sorts by level, layer, y, x. */
static inline uint64_t tsim_feedback_texel_key(TsimFeedbackTexel texel)
{
    return (uint64_t)texel.level << 48 | (uint64_t)texel.layer << 32 | (uint64_t)texel.y << 16 |
           texel.x;
}

/* Brings a coordinate into the range in which it is scaled to texels; NaN gives 0. */
double tsim_address_reduce(TsimAddressMode mode, double coordinate);

#define TSIM_ADDRESS_NO_TEXEL (-1)

typedef struct {
    int32_t texel;     /* 0..n-1, or TSIM_ADDRESS_NO_TEXEL for a border texel */
    double coordinate; /* the sample, in the copy of the texture where the texel was found */
} TsimAddressed;

/* What an address mode makes of texel index of n, and of the reduced coordinate of the sample: both
 * go through the same shifts and reflections, so that they stay neighbours. The index must come
 * from the reduced coordinate, give or take one texel. */
TsimAddressed tsim_address(TsimAddressMode mode, int32_t index, int32_t n, double coordinate);
