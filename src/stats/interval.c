#include "stats/interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

double tsim_interval_half_width(gsize n)
{
    return n < 2 ? 0.0
                 : gsl_cdf_tdist_Pinv(0.5 + TSIM_INTERVAL_LEVEL / 2.0, (double)(n - 1)) /
                       sqrt((double)n);
}

TsimInterval tsim_interval(const double *values, gsize n)
{
    TsimInterval interval = {.n = n};

    if (n == 0) {
        return interval;
    }
    interval.mean = gsl_stats_mean(values, 1, n);
    double half_width = 0.0;
    if (n > 1) {
        const double spread = gsl_stats_sd_m(values, 1, n, interval.mean);
        half_width = spread * tsim_interval_half_width(n);
    }
    interval.low = interval.mean - half_width;
    interval.high = interval.mean + half_width;
    return interval;
}

TsimInterval tsim_interval_difference(const double *a, const double *b, gsize n)
{
    g_autofree double *differences = g_new(double, n);

    for (gsize i = 0; i < n; i++) {
        differences[i] = b[i] - a[i];
    }
    return tsim_interval(differences, n);
}

TsimInterval tsim_interval_ratio(const double *a, const double *b, gsize n)
{
    g_autofree double *logarithms = g_new(double, n);

    for (gsize i = 0; i < n; i++) {
        logarithms[i] = log(b[i] / a[i]);
    }
    TsimInterval interval = tsim_interval(logarithms, n);
    interval.mean = exp(interval.mean);
    interval.low = exp(interval.low);
    interval.high = exp(interval.high);
    return interval;
}

gboolean tsim_interval_excludes(const TsimInterval *interval, double value)
{
    return interval->low > value || interval->high < value;
}
