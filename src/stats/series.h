/* Step functions of time: exact integrals, updated on change only, and a coarse history of fixed
 * size.
 *
 * Knows nothing about GPUs. Times are cycles and may only grow. No allocation.
 */
#pragma once

#include "stats/result.h"

/* Adds value * (to - from) to the buckets; their width doubles whenever time outgrows them. */
void tsim_series_add(TsimSeries *series, uint64_t from, uint64_t to, uint64_t value);

/* A value that changes at known times. */
typedef struct {
    uint64_t value;
    uint64_t since;    /* cycle of the last change */
    uint64_t integral; /* sum of value * cycles up to since */
    uint64_t peak;
} TsimMeter;

/* The value was what it was until now and is `value` from now on. series may be NULL. */
static inline void tsim_meter_set(TsimMeter *meter, TsimSeries *series, uint64_t now,
                                  uint64_t value)
{
    meter->integral += meter->value * (now - meter->since);
    if (series != NULL && meter->value != 0) {
        tsim_series_add(series, meter->since, now, meter->value);
    }
    meter->since = now;
    meter->value = value;
    if (value > meter->peak) {
        meter->peak = value;
    }
}

static inline void tsim_meter_add(TsimMeter *meter, TsimSeries *series, uint64_t now,
                                  int64_t change)
{
    tsim_meter_set(meter, series, now, meter->value + (uint64_t)change);
}

/* Mean value over [from, to) of a series that was recorded up to cycle end; what changed inside a
 * bucket is taken as evenly spread over it. 0 when the span is empty. */
double tsim_series_mean(const TsimSeries *series, uint64_t end, double from, double to);
