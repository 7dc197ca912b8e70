#include "hw/half.h"

#include <stdbool.h>

#define HALF_INFINITY  UINT32_C(0x7c00)
#define HALF_MAX       UINT32_C(0x7bff)
#define HALF_QUIET_NAN UINT32_C(0x7e00)
#define FLOAT_INFINITY UINT32_C(0x7f800000)
#define FLOAT_65536    UINT32_C(0x47800000)

/* A magnitude cut to the binary16 below it, and what was cut off in units of 2^-32 of its last bit.
 */
typedef struct {
    uint32_t half;
    uint32_t rest;
} Truncated;

static Truncated truncate_magnitude(uint32_t bits)
{
    const uint32_t exponent = bits >> 23;
    const uint32_t hidden = exponent > 0 ? UINT32_C(1) << 23 : 0;
    const uint64_t significand = (bits & 0x7fffff) | hidden;

    if (bits >= FLOAT_65536) {
        return (Truncated){HALF_MAX, UINT32_MAX};
    }
    if (exponent >= 113) {
        return (Truncated){(bits - (UINT32_C(112) << 23)) >> 13, bits << 19};
    }
    /* One unit of a subnormal half is 2^-24: shift is how far below it the last bit lies. Far
     * below, all that matters is that something is left. */
    const uint32_t shift = 126 - exponent;

    if (shift >= 32) {
        return (Truncated){0, bits > 0 ? 1 : 0};
    }
    return (Truncated){(uint32_t)(significand >> shift), (uint32_t)(significand << (32 - shift))};
}

static bool rounds_away(Truncated cut, bool negative, TsimHalfRounding rounding)
{
    const uint32_t halfway = UINT32_C(1) << 31;

    switch (rounding) {
    case TSIM_HALF_DOWN:
        return cut.rest != 0 && negative;
    case TSIM_HALF_UP:
        return cut.rest != 0 && !negative;
    case TSIM_HALF_NEAREST:
        break;
    }
    return cut.rest > halfway || (cut.rest == halfway && (cut.half & 1) != 0);
}

uint16_t tsim_half_from_float(float value, TsimHalfRounding rounding)
{
    const uint32_t bits = tsim_float_to_bits(value);
    const uint32_t magnitude = bits & 0x7fffffff;
    const uint32_t sign = bits >> 16 & 0x8000;

    if (magnitude > FLOAT_INFINITY) {
        return (uint16_t)(sign | HALF_QUIET_NAN | (magnitude >> 13 & 0x3ff));
    }
    if (magnitude == FLOAT_INFINITY) {
        return (uint16_t)(sign | HALF_INFINITY);
    }
    /* Adding one to the pattern is the next magnitude, infinity after the largest. */
    const Truncated cut = truncate_magnitude(magnitude);

    return (uint16_t)(sign | (cut.half + (rounds_away(cut, sign != 0, rounding) ? 1 : 0)));
}
