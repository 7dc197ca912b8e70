/* The residency filter by hand (S7): legal slopes and offsets, the three pairs that cannot fit, the
 * offset rule, kernel leak. Golden lookups stand in test-feedback-cases.c. */
#include "base/error.h"
#include "hw/residency-filter.h"

#include <string.h>

static TsimResidencyFilter make_filter(double slope, double offset)
{
    return (TsimResidencyFilter){
        .u = {slope, offset},
        .v = {slope, offset},
        .address = {TSIM_ADDRESS_CLAMP, TSIM_ADDRESS_CLAMP, TSIM_ADDRESS_CLAMP},
    };
}

static void test_check(void)
{
    TsimResidencyFilter filter = make_filter(2.5, 0.0078125);
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_residency_filter_check(&filter, NULL));
    filter.v.slope = 6.0;
    g_assert_false(tsim_residency_filter_check(&filter, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, "slope_v 6"));
    g_clear_error(&error);
    filter = make_filter(4.0, 0.1);
    g_assert_false(tsim_residency_filter_check(&filter, &error));
    g_assert_nonnull(strstr(error->message, "offset_u 0.1"));
    filter.lookup = TSIM_RESIDENCY_BILINEAR; /* has no ramp */
    g_assert_true(tsim_residency_filter_check(&filter, NULL));
    filter.address[1] = TSIM_ADDRESS_BORDER;
    g_assert_false(tsim_residency_filter_check(&filter, NULL));
}

/* Of the 48 pairs exactly (2.5, 1/4), (2.5, 1/8) and (3, 1/4) do not fit, and warn. */
static void test_pairs_that_do_not_fit(void)
{
    uint32_t unfit = 0;

    for (size_t s = 0; s < TSIM_RESIDENCY_SLOPES; s++) {
        for (size_t o = 0; o < TSIM_RESIDENCY_OFFSETS; o++) {
            const TsimResidencyRamp ramp = {tsim_residency_slopes[s], tsim_residency_offsets[o]};
            const TsimResidencyRampReport report = tsim_residency_ramp_report(ramp, 128, 0, 1, 0);
            const gboolean expected = (s == 0 && o < 2) || (s == 1 && o == 0);
            g_autoptr(GString) out = g_string_new(NULL);

            tsim_residency_ramp_warn(ramp, &report, "U", out);
            g_assert_cmpint(report.fits, ==, !expected);
            g_assert_cmpint(strstr(out->str, "does not end") != NULL, ==, expected);
            unfit += expected ? 1 : 0;
        }
    }
    g_assert_cmpuint(unfit, ==, 3);
    g_assert_cmpfloat(tsim_residency_slope_used((TsimResidencyRamp){2.5, 0.25}), ==, 4.0);
    g_assert_cmpfloat(tsim_residency_slope_used((TsimResidencyRamp){8.0, 0.25}), ==, 8.0);
}

static void test_offset_rule(void)
{
    gboolean exact;

    /* The example of the system's own text: 5 against 0 gives 1/64. */
    g_assert_cmpfloat(tsim_residency_offset_rule(5, &exact), ==, 1.0 / 64.0);
    g_assert_true(exact);
    g_assert_cmpfloat(tsim_residency_offset_rule(1, &exact), ==, 1.0 / 4.0);
    g_assert_true(exact);
    g_assert_cmpfloat(tsim_residency_offset_rule(6, &exact), ==, 1.0 / 128.0);
    g_assert_true(exact);
    g_assert_cmpfloat(tsim_residency_offset_rule(7, &exact), ==, 1.0 / 128.0);
    g_assert_false(exact);
}

/* Regions of 128, mip 0 beside mip 5, offset by the rule: the kernel of mip 4 is 16/256 = 1/16 of a
 * map texel, the ramp ends 1/64 from the boundary: it leaks by 3/64. With regions of 32 = 2^5 half
 * a texel of mip 0 is the 1/64 of the rule. */
static void test_kernel_leak(void)
{
    const TsimResidencyRamp ramp = {64.0, 1.0 / 64.0};
    const TsimResidencyRamp wide = {64.0, 1.0 / 16.0};
    TsimResidencyRampReport report = tsim_residency_ramp_report(ramp, 128, 0, 5, 0.0);
    g_autoptr(GString) out = g_string_new(NULL);

    g_assert_true(report.rule_met);
    g_assert_cmpuint(report.leak_mip, ==, 4);
    g_assert_cmpfloat(report.leak_map_texels, ==, 3.0 / 64.0);
    g_assert_cmpfloat(report.strict_offset, ==, 1.0 / 16.0);
    tsim_residency_ramp_warn(ramp, &report, "V", out);
    g_assert_nonnull(strstr(out->str, "V: kernel leak: mip 4"));

    report = tsim_residency_ramp_report(wide, 128, 0, 5, 0.0);
    g_assert_cmpfloat(report.leak_map_texels, <=, 0.0);
    report = tsim_residency_ramp_report(wide, 128, 0, 5, 0.125); /* half of the line is added */
    g_assert_cmpfloat(report.leak_map_texels, ==, 1.0 / 16.0);
    g_assert_cmpfloat(report.strict_offset, ==, 1.0 / 8.0);

    report = tsim_residency_ramp_report((TsimResidencyRamp){4.0, 1.0 / 128.0}, 128, 0, 5, 0.0);
    g_assert_false(report.rule_met);
}

/* A volume: U and V use the U pair, W the V pair. */
static void test_volume(void)
{
    const uint8_t bytes[8] = {0, 0, 0, 0, 32, 32, 32, 32}; /* coarser towards +W */
    const TsimResidencyMap map = {3, {2, 2, 2}, bytes};
    TsimResidencyFilter filter = make_filter(4.0, 0.25);
    const double uvw[3] = {0.25, 0.25, (1.0 - 0.375) / 2.0}; /* 3/8 before the boundary */

    /* 4 * (1 - 4 * (3/8 - 1/4)) = 2 with the V pair; with the U pair below it would be 0. */
    filter.u = (TsimResidencyRamp){64.0, 0.0078125};
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, uvw), ==, 2.0);
}

static void test_lookups(void)
{
    const uint8_t bytes[2] = {0, 40};
    const TsimResidencyMap map = {1, {2, 1, 1}, bytes};
    TsimResidencyFilter filter = make_filter(64.0, 0.0078125);
    const double boundary[3] = {0.5, 0, 0};
    const double centre[3] = {0.25, 0, 0};

    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, boundary), ==, 5.0);
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, centre), ==, 0.0);
    filter.lookup = TSIM_RESIDENCY_BILINEAR; /* lets mip 2.5 through where mip 5 is needed */
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, boundary), ==, 2.5);
    filter.lookup = TSIM_RESIDENCY_MIN;
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, boundary), ==, 0.0);
    filter.lookup = TSIM_RESIDENCY_MAX;
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, boundary), ==, 5.0);
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, centre), ==, 0.0);
    filter.lookup = TSIM_RESIDENCY_POINT;
    g_assert_cmpfloat(tsim_residency_lookup(&filter, &map, boundary), ==, 5.0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/residency-filter/check", test_check);
    g_test_add_func("/residency-filter/pairs-that-do-not-fit", test_pairs_that_do_not_fit);
    g_test_add_func("/residency-filter/offset-rule", test_offset_rule);
    g_test_add_func("/residency-filter/kernel-leak", test_kernel_leak);
    g_test_add_func("/residency-filter/volume", test_volume);
    g_test_add_func("/residency-filter/lookups", test_lookups);
    return g_test_run();
}
