/* Bytes of feedback maps (S2, S3): a MinMip texel is a LOD in unsigned 5.3 fixed point, 0xFF means
 * "never sampled"; a MipRegionUsed texel is 0xFF when it was sampled, else 0.
 *
 * LODs are truncated to 8 fraction bits before they are truncated to 3, as the sampler does. Pure
 * functions, no errors. Source: reference facts, sections 1 and 2.
 */
#pragma once

#include <math.h>
#include <stdint.h>

#define TSIM_FEEDBACK_LOD_NONE UINT8_C(0xFF) /* clear value of a MinMip map; also "no level" */
#define TSIM_FEEDBACK_USED     UINT8_C(0xFF) /* MipRegionUsed flag, encoded and decoded alike */

/* LOD in 1/256, rounded down; negative and NaN give 0, the top is 31 + 255/256. */
static inline uint32_t tsim_feedback_lod_fixed8(double lod)
{
    const double fixed8 = lod > 0.0 ? fmin(lod * 256.0, 32.0 * 256.0 - 1.0) : 0.0;

    return (uint32_t)fixed8;
}

static inline uint8_t tsim_feedback_lod_to_byte(double lod)
{
    return (uint8_t)(tsim_feedback_lod_fixed8(lod) >> 5);
}

static inline double tsim_feedback_byte_to_lod(uint8_t byte)
{
    return byte / 8.0;
}

/* Resolve between a MinMip map and plain mip levels; levels of 32 and more mean "none". */
static inline uint8_t tsim_feedback_encode_level(uint32_t level)
{
    return level < 32 ? (uint8_t)(level << 3) : TSIM_FEEDBACK_LOD_NONE;
}

static inline uint8_t tsim_feedback_decode_level(uint8_t byte)
{
    return byte == TSIM_FEEDBACK_LOD_NONE ? byte : byte >> 3;
}
