/* A positive rational number of things per clock, exact: 0.33 read from a file is 33/100.
 *
 * Integer arithmetic only, so that a run gives the same bits with every compiler.
 */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdint.h>

typedef struct {
    uint32_t num;
    uint32_t den;
} TsimRate;

/* Decimals that a rate keeps; more are rounded away by tsim_rate_from_double. */
#define TSIM_RATE_DECIMALS_SCALE 10000

static inline uint64_t tsim_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* value must be in (0, 4e5); it is rounded to four decimals, at least 1/10000. */
static inline TsimRate tsim_rate_from_double(double value)
{
    const uint64_t scaled = (uint64_t)llround(value * TSIM_RATE_DECIMALS_SCALE);
    const uint64_t num = MAX(scaled, 1);
    const uint64_t common = tsim_gcd(num, TSIM_RATE_DECIMALS_SCALE);

    return (TsimRate){(uint32_t)(num / common), (uint32_t)(TSIM_RATE_DECIMALS_SCALE / common)};
}

static inline double tsim_rate_to_double(TsimRate rate)
{
    return (double)rate.num / (double)rate.den;
}

static inline uint64_t tsim_ceil_div(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Smallest multiple of granule that is not below value. */
static inline uint64_t tsim_round_up(uint64_t value, uint64_t granule)
{
    return tsim_ceil_div(value, granule) * granule;
}
