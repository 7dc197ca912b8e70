/* The vector registers of image_bvh_intersect_ray and image_bvh64_intersect_ray (R2).
 *
 *   bvh     pointer | extent | origin xyz | direction xyz | inverse direction xyz       11 VGPRs
 *   bvh64   pointer, low then high, the rest one further                                12
 *   A16     the last six as binary16: dx,dy | dz,ix | iy,iz, low half first              8 (bvh64
 * 9)
 *
 * Encoding for A16 rounds to nearest. Source: ray-intersection facts, section 2.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_RAY_MAX_OPERANDS 12
#define TSIM_RAY_RESULTS      4

typedef struct {
    float origin[3];
    float direction[3];
    float inverse_direction[3];
    float extent; /* largest t, in lengths of the direction */
} TsimRay;

typedef struct {
    gboolean pointer64;
    gboolean a16;
} TsimRayOperandFormat;

/* The ray with the reciprocals that a shader would compute: the nearest binary32, or an infinity
 * with the sign of the zero. */
TsimRay tsim_ray_new(const float origin[3], const float direction[3], float extent);

unsigned tsim_ray_operand_count(TsimRayOperandFormat format);

/* Both use the first tsim_ray_operand_count(format) registers. */
void tsim_ray_operands_encode(TsimRayOperandFormat format, uint64_t pointer, const TsimRay *ray,
                              uint32_t registers[TSIM_RAY_MAX_OPERANDS]);
void tsim_ray_operands_decode(TsimRayOperandFormat format,
                              const uint32_t registers[TSIM_RAY_MAX_OPERANDS], uint64_t *pointer,
                              TsimRay *ray);
