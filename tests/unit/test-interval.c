#include "stats/histogram.h"
#include "stats/interval.h"

#include <math.h>

/* 1, 2, 3: mean 2, deviation 1; t of two degrees of freedom at 97.5 % is 4.302653 in every table,
 * so the half width is 4.302653 / sqrt(3). */
static void test_by_hand(void)
{
    static const double values[] = {1.0, 2.0, 3.0};
    const TsimInterval interval = tsim_interval(values, 3);

    g_assert_cmpfloat_with_epsilon(interval.mean, 2.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(interval.high - interval.mean, 4.302653 / sqrt(3.0), 1e-5);
    g_assert_cmpfloat_with_epsilon(interval.mean - interval.low, 4.302653 / sqrt(3.0), 1e-5);
    g_assert_false(tsim_interval_excludes(&interval, 1.0));
    g_assert_true(tsim_interval_excludes(&interval, 5.0));
}

/* Pairs share their noise: the difference has none. */
static void test_pairs(void)
{
    static const double a[] = {10.0, 50.0, 90.0, 20.0};
    static const double b[] = {11.0, 51.0, 91.0, 21.0};
    static const double c[] = {20.0, 100.0, 180.0, 40.0};
    const TsimInterval alone = tsim_interval(a, 4);
    const TsimInterval difference = tsim_interval_difference(a, b, 4);
    const TsimInterval ratio = tsim_interval_ratio(a, c, 4);

    g_assert_false(tsim_interval_excludes(&alone, 43.5));
    g_assert_cmpfloat_with_epsilon(difference.low, 1.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(difference.high, 1.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(ratio.low, 2.0, 1e-12);
    g_assert_true(tsim_interval_excludes(&ratio, 1.0));
}

/* One run is taken at its word; a ratio that goes either way is no win. */
static void test_wins(void)
{
    static const double a[] = {100.0, 100.0, 100.0}, b[] = {90.0, 120.0, 93.0};
    const TsimInterval one = tsim_interval_ratio(a, b, 1);
    const TsimInterval three = tsim_interval_ratio(a, b, 3);

    g_assert_true(tsim_interval_excludes(&one, 1.0));
    g_assert_false(tsim_interval_excludes(&three, 1.0));
}

static void test_histogram(void)
{
    TsimHistogram histogram = {0};

    g_assert_cmpuint(tsim_histogram_quantile(&histogram, 0.5), ==, 0);
    for (uint64_t value = 1; value <= 10; value++) {
        tsim_histogram_add(&histogram, value);
    }
    g_assert_cmpuint(tsim_histogram_quantile(&histogram, 0.5), ==, 5);
    g_assert_cmpuint(tsim_histogram_quantile(&histogram, 1.0), ==, 10);
}

/* Never below the value, and at most a sixteenth above it. */
static void test_histogram_error(void)
{
    for (int i = 0; i < 1000; i++) {
        TsimHistogram histogram = {0};
        const uint64_t value = ((uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int()) >>
                               g_test_rand_int_range(0, 63);
        tsim_histogram_add(&histogram, value);
        const uint64_t got = tsim_histogram_quantile(&histogram, 0.99);
        g_assert_cmpuint(got, >=, value);
        g_assert_cmpuint(got - value, <=, value / 16);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/interval/by-hand", test_by_hand);
    g_test_add_func("/interval/pairs", test_pairs);
    g_test_add_func("/interval/wins", test_wins);
    g_test_add_func("/histogram/quantiles", test_histogram);
    g_test_add_func("/histogram/error", test_histogram_error);
    return g_test_run();
}
