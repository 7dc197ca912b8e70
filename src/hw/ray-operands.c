#include "hw/ray-operands.h"

#include "hw/half.h"

TsimRay tsim_ray_new(const float origin[3], const float direction[3], float extent)
{
    TsimRay ray = {.extent = extent};

    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = origin[axis];
        ray.direction[axis] = direction[axis];
        ray.inverse_direction[axis] = 1.0f / direction[axis];
    }
    return ray;
}

unsigned tsim_ray_operand_count(TsimRayOperandFormat format)
{
    return (format.a16 ? 8u : 11u) + (format.pointer64 ? 1u : 0u);
}

static uint32_t pack_halves(float low, float high)
{
    return tsim_half_from_float(low, TSIM_HALF_NEAREST) |
           (uint32_t)tsim_half_from_float(high, TSIM_HALF_NEAREST) << 16;
}

void tsim_ray_operands_encode(TsimRayOperandFormat format, uint64_t pointer, const TsimRay *ray,
                              uint32_t registers[TSIM_RAY_MAX_OPERANDS])
{
    const float *direction = ray->direction;
    const float *inverse = ray->inverse_direction;
    uint32_t *next = registers;

    *next++ = (uint32_t)pointer;
    if (format.pointer64) {
        *next++ = (uint32_t)(pointer >> 32);
    }
    *next++ = tsim_float_to_bits(ray->extent);
    for (int axis = 0; axis < 3; axis++) {
        *next++ = tsim_float_to_bits(ray->origin[axis]);
    }
    if (format.a16) {
        *next++ = pack_halves(direction[0], direction[1]);
        *next++ = pack_halves(direction[2], inverse[0]);
        *next++ = pack_halves(inverse[1], inverse[2]);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        next[axis] = tsim_float_to_bits(direction[axis]);
        next[axis + 3] = tsim_float_to_bits(inverse[axis]);
    }
}

void tsim_ray_operands_decode(TsimRayOperandFormat format,
                              const uint32_t registers[TSIM_RAY_MAX_OPERANDS], uint64_t *pointer,
                              TsimRay *ray)
{
    const uint32_t *next = registers;
    float vectors[6];

    *pointer = *next++;
    if (format.pointer64) {
        *pointer |= (uint64_t)*next++ << 32;
    }
    ray->extent = tsim_float_from_bits(*next++);
    for (int axis = 0; axis < 3; axis++) {
        ray->origin[axis] = tsim_float_from_bits(*next++);
    }
    for (int i = 0; i < 6; i++) {
        vectors[i] = format.a16 ? tsim_half_to_float((uint16_t)(next[i / 2] >> 16 * (i % 2)))
                                : tsim_float_from_bits(next[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        ray->direction[axis] = vectors[axis];
        ray->inverse_direction[axis] = vectors[axis + 3];
    }
}
