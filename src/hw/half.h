/* binary16 and the bit patterns of binary32 (IEEE 754), without help from the compiler, so that
 * every machine gives the same bits.
 *
 *     15   14..10    9..0
 *   +----+--------+--------+
 *   | s  | e      | f      |   e = 0: f * 2^-24, e = 31: infinity (f = 0) or NaN,
 *   +----+--------+--------+   otherwise (1024 + f) * 2^(e - 25)
 *
 * Widening is exact. Narrowing rounds as asked; UP and DOWN never cross the value, so that a box
 * rounded with DOWN for its minimum and UP for its maximum contains what it contained before. A NaN
 * stays one (quiet, with the upper bits of its payload).
 */
#pragma once

#include <stdint.h>
#include <string.h>

typedef enum {
    TSIM_HALF_NEAREST, /* ties to even; 65520 and above become infinity */
    TSIM_HALF_DOWN,    /* towards minus infinity */
    TSIM_HALF_UP,      /* towards plus infinity */
} TsimHalfRounding;

static inline uint32_t tsim_float_to_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float tsim_float_from_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float tsim_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
    /* A subnormal is read as the fraction of a number in [2^-14, 2^-13), less 2^-14. */
    const float subnormal = tsim_float_from_bits(magnitude + (UINT32_C(113) << 23)) - 0x1p-14f;
    const uint32_t normal = magnitude + (UINT32_C(112) << 23);
    const uint32_t special = magnitude | UINT32_C(0x7f800000);
    const uint32_t bits = (half & 0x7c00) == 0        ? tsim_float_to_bits(subnormal)
                          : (half & 0x7c00) == 0x7c00 ? special
                                                      : normal;

    return tsim_float_from_bits(sign | bits);
}

uint16_t tsim_half_from_float(float value, TsimHalfRounding rounding);
