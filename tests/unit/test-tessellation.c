/* workload/tessellation.h: every golden row of the Direct3D 11 tessellator's counts (T5) and of the
 * 256-thread levels (T10), and what the tables do not hold: factor sums (E9), limits, bytes (E14).
 */
#include "csv.h"
#include "workload/tessellation.h"

#include <math.h>

static TsimDomain csv_domain(const Csv *csv, guint row)
{
    return csv_word(csv, row, "domain", tsim_domain_names);
}

static TsimPartitioning csv_partitioning(const Csv *csv, guint row)
{
    return csv_word(csv, row, "partitioning", tsim_partitioning_names);
}

static gboolean csv_pre_round(const Csv *csv, guint row)
{
    return g_str_equal(csv_text(csv, row, "pre_round"), "pow2");
}

static TsimTessFactors csv_factors(const Csv *csv, guint row)
{
    return (TsimTessFactors){
        {csv_float(csv, row, "edge0"), csv_float(csv, row, "edge1"), csv_float(csv, row, "edge2"),
         csv_float(csv, row, "edge3")},
        {csv_float(csv, row, "inside0"), csv_float(csv, row, "inside1")},
    };
}

static TsimTessFactors uniform(float factor)
{
    return (TsimTessFactors){{factor, factor, factor, factor}, {factor, factor}};
}

static void test_golden_counts(void)
{
    Csv *csv = csv_read("tessellator_counts.csv");

    g_assert_cmpuint(csv->rows->len, ==, 10520);
    for (guint row = 0; row < csv->rows->len; row++) {
        const TsimDomain domain = csv_domain(csv, row);
        const TsimTopology topology = csv_word(csv, row, "topology", tsim_topology_names);
        const TsimTessFactors raw = csv_factors(csv, row);
        const TsimTessFactors rounded = tsim_tessellation_pre_round(domain, &raw);
        const TsimTessCounts counts =
            tsim_tessellation_count(domain, csv_partitioning(csv, row), topology,
                                    csv_pre_round(csv, row) ? &rounded : &raw);

        g_assert_cmpuint((guint)counts.culled, ==, csv_uint(csv, row, "culled"));
        g_assert_cmpuint(counts.points, ==, csv_uint(csv, row, "points"));
        g_assert_cmpuint(counts.primitives, ==, csv_uint(csv, row, "primitives"));
        g_assert_cmpuint(counts.indices, ==, csv_uint(csv, row, "indices"));
        g_assert_cmpuint(counts.edge_segments[0], ==, csv_uint(csv, row, "seg_e0"));
        g_assert_cmpuint(counts.edge_segments[1], ==, csv_uint(csv, row, "seg_e1"));
        g_assert_cmpuint(counts.edge_segments[2], ==, csv_uint(csv, row, "seg_e2"));
        g_assert_cmpuint(counts.edge_segments[3], ==, csv_uint(csv, row, "seg_e3"));
        g_assert_cmpuint(counts.inside_segments[0], ==, csv_uint(csv, row, "seg_i0"));
        g_assert_cmpuint(counts.inside_segments[1], ==, csv_uint(csv, row, "seg_i1"));
    }
    csv_free(csv);
}

/* The table writes the level of a tri or quad as "18", of isolines as "16x15". */
static char *level_text(TsimDomain domain, const TsimTessCounts *counts)
{
    return domain == TSIM_DOMAIN_ISOLINE
               ? g_strdup_printf("%ux%u", counts->edge_segments[0], counts->edge_segments[1])
               : g_strdup_printf("%u", counts->edge_segments[0]);
}

static TsimTessCounts count_row_at(const Csv *csv, guint row, float factor)
{
    const TsimTessFactors raw = uniform(factor);
    const TsimTessFactors rounded = tsim_tessellation_pre_round(csv_domain(csv, row), &raw);

    return tsim_tessellation_count(csv_domain(csv, row), csv_partitioning(csv, row),
                                   TSIM_TOPOLOGY_POINT, csv_pre_round(csv, row) ? &rounded : &raw);
}

static void check_level(const Csv *csv, guint row, const TsimTessCounts *counts,
                        const char *level_column, const char *points_column,
                        const char *threads_column)
{
    const uint64_t patches = csv_uint(csv, row, "patches_per_tg");
    char *level = level_text(csv_domain(csv, row), counts);

    g_assert_cmpstr(level, ==, csv_text(csv, row, level_column));
    g_assert_cmpuint(counts->points, ==, csv_uint(csv, row, points_column));
    g_assert_cmpuint(counts->points * patches, ==, csv_uint(csv, row, threads_column));
    g_free(level);
}

static void test_golden_levels(void)
{
    Csv *csv = csv_read("tf_for_256_ds.csv");

    g_assert_cmpuint(csv->rows->len, ==, 960);
    for (guint row = 0; row < csv->rows->len; row++) {
        const float factor = csv_float(csv, row, "min_factor");
        const uint32_t patches = (uint32_t)csv_uint(csv, row, "patches_per_tg");
        const TsimTessCounts counts = count_row_at(csv, row, factor);

        check_level(csv, row, &counts, "min_level", "points_per_patch", "ds_threads");
        g_assert_cmpuint((counts.points * patches + 63) / 64, ==, csv_uint(csv, row, "ds_waves64"));
        if (*csv_text(csv, row, "prev_level") != '\0') {
            const TsimTessCounts below = count_row_at(csv, row, nextafterf(factor, 0.0F));

            check_level(csv, row, &below, "prev_level", "prev_points_per_patch", "prev_ds_threads");
        }
        /* "16x15" reads as 16: the lines of a uniform isoline patch are its level. */
        g_assert_cmpuint(tsim_tessellation_auto_threshold(
                             csv_domain(csv, row), csv_partitioning(csv, row),
                             csv_pre_round(csv, row), patches, TSIM_THRESHOLD_AT_LEAST_256),
                         ==, csv_uint(csv, row, "min_level"));
    }
    csv_free(csv);
}

/* T10. Points of a uniform quad: (n + 1)^2; of a tri: 3 (n + 1)^2 / 4, rounded up. */
static void test_nearest_level(void)
{
    static const struct {
        TsimDomain domain;
        TsimPartitioning partitioning;
        uint32_t patches;
        uint32_t level;
    } cases[] = {
        /* 16^2 = 256 */
        {TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_INTEGER, 1, 15},
        /* 15^2 = 225 is 31 away, 17^2 = 289 is 33 away */
        {TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_FRACTIONAL_EVEN, 1, 14},
        /* 17: 243 is 13 away, 18: 271 is 15 away */
        {TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 1, 17},
        /* 128 points each: 12 has 127, 13 has 147 */
        {TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 2, 12},
        /* 255 patches of the smallest kind are far above 256 */
        {TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 255, 1},
        {TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_FRACTIONAL_EVEN, 255, 2},
        /* isoline n (n + 1): 15 has 240, 16 has 272, both 16 away, the higher wins */
        {TSIM_DOMAIN_ISOLINE, TSIM_PARTITIONING_INTEGER, 1, 16},
        /* odd details: 15 x 16 = 240, 16 lines of 17 segments = 288 */
        {TSIM_DOMAIN_ISOLINE, TSIM_PARTITIONING_FRACTIONAL_ODD, 1, 15},
    };

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpuint(tsim_tessellation_auto_threshold(cases[i].domain, cases[i].partitioning,
                                                          FALSE, cases[i].patches,
                                                          TSIM_THRESHOLD_NEAREST_256),
                         ==, cases[i].level);
    }
    /* Only 1, 2, 4 ... remain: 8 has 81 points, 16 has 289. */
    g_assert_cmpuint(tsim_tessellation_auto_threshold(TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_POW2,
                                                      TRUE, 1, TSIM_THRESHOLD_NEAREST_256),
                     ==, 16);
}

/* E9, under the rules of its defaults. */
static uint64_t factor_sum(TsimDomain domain, TsimPartitioning partitioning, float max_tess_factor,
                           const TsimTessFactors *factors)
{
    const TsimFactorMean mean =
        tsim_tessellation_factor_mean(domain, partitioning, max_tess_factor,
                                      TSIM_AVERAGE_ALL_FACTORS, TSIM_CULLED_COUNT_ZERO, factors);

    return mean.sum_fx16;
}

static void test_factor_sum(void)
{
    const TsimTessFactors mixed = {{0.5F, 2.5F, 100.0F, 7.0F}, {NAN, 3.0F}};
    const TsimTessFactors culled = {{1.0F, NAN, 1.0F, 1.0F}, {1.0F, 1.0F}};
    const TsimTessFactors halves = {{0x1.00008p+0F, 0x1.00018p+0F, 1.0F, 0.0F}, {1.0F, 0.0F}};
    const uint32_t one = 65536;

    /* 1 + 2.5 + 64, inside NaN is the bottom, 1; the 4th edge is not of this domain */
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 64.0F, &mixed), ==,
                     68 * one + one / 2);
    /* 2 + 2.5 + 64 + 7 + 2 + 3 */
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_FRACTIONAL_EVEN, 64.0F, &mixed),
                     ==, 80 * one + one / 2);
    /* 1 + 2.5 + 63 + 1; then limited to 16 */
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_FRACTIONAL_ODD, 64.0F, &mixed),
                     ==, 67 * one + one / 2);
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_FRACTIONAL_ODD, 16.0F, &mixed),
                     ==, 20 * one + one / 2);
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_INTEGER, 64.0F, &culled), ==,
                     0);
    /* 1 + half a unit goes down to even, 1 + one and a half unit goes up to 2 units */
    g_assert_cmpuint(factor_sum(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 64.0F, &halves), ==,
                     4 * one + 2);
}

/* Isoline density is integer partitioning whatever the detail is: [1, 64], not [2, 64] or [1, 63].
 */
static void test_factor_sum_density(void)
{
    const TsimTessFactors low = {{1.0F, 1.0F}, {0.0F}};
    const TsimTessFactors high = {{64.0F, 64.0F}, {0.0F}};

    g_assert_cmpuint(
        factor_sum(TSIM_DOMAIN_ISOLINE, TSIM_PARTITIONING_FRACTIONAL_EVEN, 64.0F, &low), ==,
        3 * 65536);
    g_assert_cmpuint(
        factor_sum(TSIM_DOMAIN_ISOLINE, TSIM_PARTITIONING_FRACTIONAL_ODD, 64.0F, &high), ==,
        127 * 65536);
}

/* The rules that public documents leave open: what is summed, and over how many factors. */
static void test_average_rules(void)
{
    const TsimTessFactors tri = {{2.0F, 4.0F, 9.0F}, {33.0F}};
    const TsimTessFactors culled = {{0.0F, 4.0F, 9.0F}, {33.0F}};
    static const struct {
        TsimAverageRule average;
        uint64_t sum, factors; /* of `tri`, by hand */
    } rows[] = {
        {TSIM_AVERAGE_ALL_FACTORS, 48, 4},
        {TSIM_AVERAGE_EDGES_ONLY, 15, 3},
        {TSIM_AVERAGE_MAX_FACTOR, 33, 1},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TsimFactorMean got =
            tsim_tessellation_factor_mean(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 64.0F,
                                          rows[i].average, TSIM_CULLED_IGNORED, &tri);
        const TsimFactorMean zero =
            tsim_tessellation_factor_mean(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 64.0F,
                                          rows[i].average, TSIM_CULLED_COUNT_ZERO, &culled);
        const TsimFactorMean none =
            tsim_tessellation_factor_mean(TSIM_DOMAIN_TRI, TSIM_PARTITIONING_INTEGER, 64.0F,
                                          rows[i].average, TSIM_CULLED_IGNORED, &culled);
        g_assert_cmpuint(got.sum_fx16, ==, rows[i].sum << 16);
        g_assert_cmpuint(got.factors, ==, rows[i].factors);
        g_assert_cmpuint(zero.sum_fx16, ==, 0);
        g_assert_cmpuint(zero.factors, ==, rows[i].factors);
        g_assert_cmpuint(none.sum_fx16, ==, 0);
        g_assert_cmpuint(none.factors, ==, 0);
    }
}

/* T8 at the point where it flips: 13 over 4 factors is 3.25 exactly, 212992 in 16.16. */
static void test_reaches(void)
{
    const TsimFactorMean mean = {13 << 16, 4};
    const TsimFactorMean none = {0, 0};
    const int64_t threshold = 212992;

    g_assert_true(tsim_factor_mean_reaches(&mean, TSIM_TF_AT_LEAST, threshold));
    g_assert_false(tsim_factor_mean_reaches(&mean, TSIM_TF_ABOVE, threshold));
    g_assert_true(tsim_factor_mean_reaches(&mean, TSIM_TF_ABOVE, threshold - 1));
    g_assert_false(tsim_factor_mean_reaches(&mean, TSIM_TF_AT_LEAST, threshold + 1));
    /* No factors average 0. */
    g_assert_false(tsim_factor_mean_reaches(&none, TSIM_TF_AT_LEAST, 1));
    g_assert_true(tsim_factor_mean_reaches(&none, TSIM_TF_AT_LEAST, 0));
    g_assert_false(tsim_factor_mean_reaches(&none, TSIM_TF_ABOVE, 0));
}

static void test_limit(void)
{
    const TsimTessFactors factors = {{-1.0F, NAN, INFINITY, 8.5F}, {8.0F, 64.0F}};
    const TsimTessFactors limited = tsim_tessellation_limit(&factors, 8.0F);

    g_assert_cmpfloat(limited.edge[0], ==, -1.0F);
    g_assert_true(isnan(limited.edge[1]));
    g_assert_cmpfloat(limited.edge[2], ==, 8.0F);
    g_assert_cmpfloat(limited.edge[3], ==, 8.0F);
    g_assert_cmpfloat(limited.inside[0], ==, 8.0F);
    g_assert_cmpfloat(limited.inside[1], ==, 8.0F);
}

/* E14 */
static void test_ring_bytes(void)
{
    g_assert_cmpuint(tsim_tessellation_ring_bytes(TSIM_DOMAIN_TRI), ==, 16);
    g_assert_cmpuint(tsim_tessellation_ring_bytes(TSIM_DOMAIN_QUAD), ==, 24);
    g_assert_cmpuint(tsim_tessellation_ring_bytes(TSIM_DOMAIN_ISOLINE), ==, 8);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tessellation/golden-counts", test_golden_counts);
    g_test_add_func("/tessellation/golden-levels", test_golden_levels);
    g_test_add_func("/tessellation/nearest-level", test_nearest_level);
    g_test_add_func("/tessellation/factor-sum", test_factor_sum);
    g_test_add_func("/tessellation/factor-sum-density", test_factor_sum_density);
    g_test_add_func("/tessellation/average-rules", test_average_rules);
    g_test_add_func("/tessellation/reaches", test_reaches);
    g_test_add_func("/tessellation/limit", test_limit);
    g_test_add_func("/tessellation/ring-bytes", test_ring_bytes);
    return g_test_run();
}
