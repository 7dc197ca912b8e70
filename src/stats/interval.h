/* Confidence intervals of repeated runs: Student's t at 95 % (GSL).
 *
 * Comparisons are paired: run i of both sides has the same random numbers, so that what they share
 * cancels out. Ratios are compared by their logarithms and come out as geometric means.
 */
#pragma once

#include <glib.h>

#define TSIM_INTERVAL_LEVEL 0.95

typedef struct {
    gsize n;
    double mean;
    double low, high; /* of the mean; equal to it when n < 2: one run says nothing of its spread */
} TsimInterval;

TsimInterval tsim_interval(const double *values, gsize n);

/* Half the width of such an interval, in standard deviations of its n values; 0 when n < 2. */
double tsim_interval_half_width(gsize n);

/* Of b[i] - a[i]. */
TsimInterval tsim_interval_difference(const double *a, const double *b, gsize n);

/* Of b[i] / a[i]; all above 0. */
TsimInterval tsim_interval_ratio(const double *a, const double *b, gsize n);

/* Whether the interval leaves value out: the difference or ratio is more than chance. Runs without
 * any spread (n = 1, or all alike) are taken at their word. */
gboolean tsim_interval_excludes(const TsimInterval *interval, double value);
