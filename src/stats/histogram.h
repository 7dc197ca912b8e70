/* How long things took, in memory of fixed size: logarithmic buckets, sixteen to a doubling.
 *
 * Quantiles are right to one part in sixteen, and exact below 16. No allocation.
 */
#pragma once

#include <stdint.h>

#define TSIM_HISTOGRAM_STEPS   16
#define TSIM_HISTOGRAM_BUCKETS (61 * TSIM_HISTOGRAM_STEPS)

typedef struct {
    uint64_t n;
    uint64_t counts[TSIM_HISTOGRAM_BUCKETS];
} TsimHistogram;

void tsim_histogram_add(TsimHistogram *histogram, uint64_t value);

/* The least bucket end that has share (0..1) of the values at or below it; 0 when there is none. */
uint64_t tsim_histogram_quantile(const TsimHistogram *histogram, double share);
