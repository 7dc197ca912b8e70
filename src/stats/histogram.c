#include "stats/histogram.h"

#define STEP_BITS 4 /* of TSIM_HISTOGRAM_STEPS */

static uint32_t bucket_of(uint64_t value)
{
    if (value < TSIM_HISTOGRAM_STEPS) {
        return (uint32_t)value;
    }
    const uint32_t shift = (uint32_t)(63 - __builtin_clzll(value)) - STEP_BITS;
    return (shift + 1) * TSIM_HISTOGRAM_STEPS +
           (uint32_t)((value >> shift) & (TSIM_HISTOGRAM_STEPS - 1));
}

/* The greatest value that falls into a bucket. */
static uint64_t end_of(uint32_t bucket)
{
    if (bucket < TSIM_HISTOGRAM_STEPS) {
        return bucket;
    }
    const uint32_t shift = bucket / TSIM_HISTOGRAM_STEPS - 1;
    const uint64_t steps = TSIM_HISTOGRAM_STEPS + bucket % TSIM_HISTOGRAM_STEPS;
    return (steps << shift) + ((UINT64_C(1) << shift) - 1);
}

void tsim_histogram_add(TsimHistogram *histogram, uint64_t value)
{
    histogram->n++;
    histogram->counts[bucket_of(value)]++;
}

uint64_t tsim_histogram_quantile(const TsimHistogram *histogram, double share)
{
    uint64_t seen = 0;

    for (uint32_t bucket = 0; bucket < TSIM_HISTOGRAM_BUCKETS; bucket++) {
        seen += histogram->counts[bucket];
        if (seen > 0 && (double)seen >= share * (double)histogram->n) {
            return end_of(bucket);
        }
    }
    return 0;
}
