/* Random streams: xoshiro256** behind the distributions of GSL, which no caller has to include.
 *
 * A stream is plain data: 32 bytes on the caller's stack or in its struct, no allocation, nothing
 * to free. It is named by (seed, stream, index), and streams of different names are independent.
 * There are two ways to use one:
 *
 *   a process in time   TsimRng arrivals = tsim_rng_at(seed, tsim_hash_string("arrivals"), 0);
 *                       kept, and drawn from again and again
 *   an entity           TsimRng rng = tsim_rng_at(seed, stream, patch);
 *                       made when the patch is looked at, so that its value does not depend on the
 *                       order in which patches are visited
 *
 * Not thread safe; one stream, one owner. Nothing can fail: parameters out of range are programmer
 * errors (asserted). Equal names give equal bits with every compiler and optimisation level.
 *
 * Sources: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021); seeding by
 * SplitMix64 (base/hash.h) as they advise.
 */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state[4];
} TsimRng;

TsimRng tsim_rng_at(uint64_t seed, uint64_t stream, uint64_t index);

uint64_t tsim_rng_bits(TsimRng *rng);                  /* 64 random bits */
uint64_t tsim_rng_below(TsimRng *rng, uint64_t limit); /* 0 .. limit - 1, unbiased; limit > 0 */
double tsim_rng_uniform(TsimRng *rng);                 /* [0, 1), 53 bits */

/* mean and deviation are those of the result, for the lognormal and gamma distribution too.
 * mean > 0 except for the normal; deviation > 0. */
double tsim_rng_normal(TsimRng *rng, double mean, double deviation);
double tsim_rng_lognormal(TsimRng *rng, double mean, double deviation);
double tsim_rng_gamma(TsimRng *rng, double mean, double deviation);
double tsim_rng_exponential(TsimRng *rng, double mean); /* deviation = mean */

/* On [0, 1], 0 < mean < 1 and deviation^2 < mean * (1 - mean). */
double tsim_rng_beta(TsimRng *rng, double mean, double deviation);

uint64_t tsim_rng_poisson(TsimRng *rng, double mean); /* 0 < mean < 1e9; variance = mean */
