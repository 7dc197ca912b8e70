#include "engine/rng.h"

#include "base/error.h"
#include "base/hash.h"

#include <gsl/gsl_randist.h>
#include <limits.h>
#include <math.h>

_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "GSL draws unsigned long");

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t tsim_rng_bits(TsimRng *rng)
{
    uint64_t *s = rng->state;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double tsim_rng_uniform(TsimRng *rng)
{
    return (double)(tsim_rng_bits(rng) >> 11) * 0x1p-53;
}

static unsigned long gsl_bits(void *state)
{
    return tsim_rng_bits(state);
}

static double gsl_uniform(void *state)
{
    return tsim_rng_uniform(state);
}

/* GSL may not seed a stream: it cannot know its name. */
static const gsl_rng_type xoshiro256 = {
    .name = "xoshiro256**",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(TsimRng),
    .set = NULL,
    .get = gsl_bits,
    .get_double = gsl_uniform,
};

/* A gsl_rng is two pointers, so one is made for each draw instead of being kept and owned. */
static gsl_rng as_gsl(TsimRng *rng)
{
    return (gsl_rng){.type = &xoshiro256, .state = rng};
}

/* SplitMix64 steps its state by the constant that tsim_mix64 adds, so the k-th output of a
 * SplitMix64 stream is tsim_mix64(key + k * constant). Four different outputs of a bijection cannot
 * all be zero, the one state that xoshiro must not have. */
TsimRng tsim_rng_at(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t key = tsim_hash3(seed, stream, index);

    return (TsimRng){{tsim_mix64(key), tsim_mix64(key + step), tsim_mix64(key + 2 * step),
                      tsim_mix64(key + 3 * step)}};
}

uint64_t tsim_rng_below(TsimRng *rng, uint64_t limit)
{
    TSIM_ASSERT_HOT(limit > 0);
    const gsl_rng view = as_gsl(rng);

    return gsl_rng_uniform_int(&view, limit);
}

double tsim_rng_normal(TsimRng *rng, double mean, double deviation)
{
    TSIM_ASSERT_HOT(deviation > 0.0);
    const gsl_rng view = as_gsl(rng);

    return mean + gsl_ran_gaussian_ziggurat(&view, deviation);
}

double tsim_rng_lognormal(TsimRng *rng, double mean, double deviation)
{
    TSIM_ASSERT_HOT(mean > 0.0 && deviation > 0.0);
    const gsl_rng view = as_gsl(rng);
    const double relative = deviation / mean;
    const double log_variance = log1p(relative * relative);

    return gsl_ran_lognormal(&view, log(mean) - 0.5 * log_variance, sqrt(log_variance));
}

double tsim_rng_gamma(TsimRng *rng, double mean, double deviation)
{
    TSIM_ASSERT_HOT(mean > 0.0 && deviation > 0.0);
    const gsl_rng view = as_gsl(rng);
    const double shape = (mean / deviation) * (mean / deviation);

    return gsl_ran_gamma(&view, shape, mean / shape);
}

double tsim_rng_exponential(TsimRng *rng, double mean)
{
    TSIM_ASSERT_HOT(mean > 0.0);
    const gsl_rng view = as_gsl(rng);

    return gsl_ran_exponential(&view, mean);
}

double tsim_rng_beta(TsimRng *rng, double mean, double deviation)
{
    TSIM_ASSERT_HOT(mean > 0.0 && mean < 1.0);
    const gsl_rng view = as_gsl(rng);
    const double total = mean * (1.0 - mean) / (deviation * deviation) - 1.0;

    TSIM_ASSERT_HOT(total > 0.0);
    return gsl_ran_beta(&view, mean * total, (1.0 - mean) * total);
}

uint64_t tsim_rng_poisson(TsimRng *rng, double mean)
{
    TSIM_ASSERT_HOT(mean > 0.0 && mean < 1e9);
    const gsl_rng view = as_gsl(rng);

    return gsl_ran_poisson(&view, mean);
}
