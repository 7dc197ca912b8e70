#include "stats/series.h"

/* Pairs of buckets become one: the history keeps its size whatever the length of the run. */
static void widen(TsimSeries *series)
{
    for (size_t i = 0; i < TSIM_SERIES_BUCKETS / 2; i++) {
        series->sums[i] = series->sums[2 * i] + series->sums[2 * i + 1];
    }
    for (uint32_t i = TSIM_SERIES_BUCKETS / 2; i < TSIM_SERIES_BUCKETS; i++) {
        series->sums[i] = 0;
    }
    series->bucket_shift++;
}

void tsim_series_add(TsimSeries *series, uint64_t from, uint64_t to, uint64_t value)
{
    if (from >= to) {
        return;
    }
    while ((to - 1) >> series->bucket_shift >= TSIM_SERIES_BUCKETS) {
        widen(series);
    }
    for (uint64_t at = from; at < to;) {
        const uint64_t bucket = at >> series->bucket_shift;
        const uint64_t end = MIN(to, (bucket + 1) << series->bucket_shift);
        series->sums[bucket] += value * (end - at);
        at = end;
    }
}

double tsim_series_mean(const TsimSeries *series, uint64_t end, double from, double to)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < TSIM_SERIES_BUCKETS && from < to; i++) {
        const uint64_t first = (uint64_t)i << series->bucket_shift;
        const uint64_t last = MIN(end, (uint64_t)(i + 1) << series->bucket_shift);
        if (first >= end) {
            break;
        }
        const double overlap = MIN(to, (double)last) - MAX(from, (double)first);
        if (overlap > 0.0) {
            sum += (double)series->sums[i] * (overlap / (double)(last - first));
        }
    }
    return from < to ? sum / (to - from) : 0.0;
}
