/* stats/timeline.h: buckets, extremes, windows, thinning and the spool, against numbers worked out
 * by hand. */
#include "base/error.h"
#include "stats/timeline.h"

static const uint32_t first_cu[] = {0, 1};

static const TsimTimelineMachine machine = {
    .ses = 2,
    .cus = 2,
    .simds_per_cu = 4,
    .waves_per_simd = 10,
    .lds_bytes_per_cu = 65536,
    .lds_granule = 256,
    .first_cu = first_cu,
};

static TsimTimeline *make(TsimTimelineDetail detail, uint64_t from, uint64_t to, const char *units)
{
    const TsimTimelineOptions options = {detail, from, to, units, g_get_tmp_dir()};
    g_autoptr(GError) error = NULL;
    TsimTimeline *timeline = tsim_timeline_new(&machine, &options, &error);

    g_assert_no_error(error);
    return timeline;
}

/* Work is read off at every boundary up to now, as the model does; there is none. */
static void move_to(TsimTimeline *timeline, uint64_t now)
{
    while (timeline->next_work <= now) {
        tsim_timeline_close_bucket(timeline);
    }
}

static void set(TsimTimeline *timeline, uint32_t track, uint64_t now, uint32_t value)
{
    move_to(timeline, now);
    tsim_timeline_set(timeline, track, now, value);
}

static void finish(TsimTimeline *timeline, uint64_t end)
{
    move_to(timeline, end);
    g_assert_true(tsim_timeline_finish(timeline, end, NULL));
}

static void assert_bucket(const TsimTimeline *timeline, uint32_t track, uint32_t index,
                          uint64_t sum, uint32_t min, uint32_t max)
{
    const TsimBucket *bucket = &tsim_timeline_buckets(timeline, track)[index];

    g_assert_cmpuint(bucket->sum, ==, sum);
    g_assert_cmpuint(bucket->min, ==, min);
    g_assert_cmpuint(bucket->max, ==, max);
}

/* 64 cycles a bucket at first. 3 from cycle 10 to 100: 54 * 3 and 36 * 3. */
static void test_buckets(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);
    const uint32_t track = tsim_timeline_track(timeline, TSIM_METRIC_WAVES + 2, 1);

    set(timeline, track, 10, 3);
    set(timeline, track, 100, 0);
    finish(timeline, 200);
    g_assert_cmpuint(timeline->buckets_n, ==, 4);
    assert_bucket(timeline, track, 0, 162, 0, 3);
    assert_bucket(timeline, track, 1, 108, 0, 3);
    assert_bucket(timeline, track, 2, 0, 0, 0);
    g_assert_cmpuint(tsim_timeline_integral(timeline, track), ==, 270);
    g_assert_cmpuint(tsim_timeline_bucket_cycle(timeline, 4), ==, 200);
}

/* A value that is gone within the cycle never was: 9 between 5 and 7 at cycle 20. */
static void test_values_within_a_cycle(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);

    set(timeline, 0, 0, 5);
    set(timeline, 0, 20, 9);
    set(timeline, 0, 20, 7);
    finish(timeline, 64);
    assert_bucket(timeline, 0, 0, 20 * 5 + 44 * 7, 5, 7);
}

/* CU 1 holds more for tessellation (70 * 256 to 60 * 256 byte cycles), CU 0 more in all. */
static void test_fullest_cu(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);
    const uint32_t tess = TSIM_METRIC_LDS + TSIM_LDS_OWNER_TESS;
    const uint32_t compute = TSIM_METRIC_LDS + TSIM_LDS_OWNER_CS;

    set(timeline, tsim_timeline_track(timeline, compute, 0), 0, 4096);
    set(timeline, tsim_timeline_track(timeline, tess, 0), 40, 256);
    set(timeline, tsim_timeline_track(timeline, tess, 1), 30, 256);
    finish(timeline, 100);
    g_assert_cmpuint(tsim_timeline_fullest_cu(timeline), ==, 1);
}

/* Without tessellation any LDS counts; what is not recorded does not. */
static void test_fullest_cu_of_others(void)
{
    const uint32_t compute = TSIM_METRIC_LDS + TSIM_LDS_OWNER_CS;
    g_autoptr(TsimTimeline) all = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);
    g_autoptr(TsimTimeline) one = make(TSIM_DETAIL_BUCKETS, 0, 0, "cu1");

    set(all, tsim_timeline_track(all, compute, 1), 0, 256);
    finish(all, 100);
    finish(one, 100);
    g_assert_cmpuint(tsim_timeline_fullest_cu(all), ==, 1);
    g_assert_cmpuint(tsim_timeline_fullest_cu(one), ==, 1);
}

/* 1024 buckets hold 65,536 cycles; one more and they are twice as wide. */
static void test_widening(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);

    set(timeline, 0, 0, 1);
    set(timeline, 0, 64, 2);
    set(timeline, 0, 65536, 4);
    finish(timeline, 65536 + 128);
    g_assert_cmpuint(timeline->bucket_shift, ==, 7);
    g_assert_cmpuint(timeline->buckets_n, ==, 513);
    assert_bucket(timeline, 0, 0, 64 * 1 + 64 * 2, 1, 2);
    assert_bucket(timeline, 0, 511, 128 * 2, 2, 2);
    assert_bucket(timeline, 0, 512, 128 * 4, 4, 4);
    g_assert_cmpuint(tsim_timeline_integral(timeline, 0), ==, 64 + 2 * (65536 - 64) + 512);
}

static void test_window(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 100, 150, NULL);

    set(timeline, 0, 90, 2);
    set(timeline, 0, 110, 3);
    set(timeline, 0, 170, 50);
    finish(timeline, 400);
    g_assert_cmpuint(timeline->buckets_n, ==, 1);
    assert_bucket(timeline, 0, 0, 10 * 2 + 40 * 3, 2, 3);
}

/* Work is what was done between two looks; what was booked beyond the end is the last one's. */
static void test_work(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);
    const uint32_t track = tsim_timeline_track(timeline, TSIM_METRIC_DRAM_READ, 0);
    const uint64_t done[] = {0, 40, 100};

    for (size_t i = 0; i < G_N_ELEMENTS(done); i++) {
        g_assert_cmpuint(timeline->next_work, ==, 64 * i);
        tsim_timeline_work(timeline, track, done[i]);
        tsim_timeline_close_bucket(timeline);
    }
    tsim_timeline_work(timeline, track, 130);
    g_assert_true(tsim_timeline_finish(timeline, 128, NULL));
    g_assert_cmpuint(timeline->buckets_n, ==, 2);
    g_assert_cmpuint(tsim_timeline_buckets(timeline, track)[0].sum, ==, 40);
    g_assert_cmpuint(tsim_timeline_buckets(timeline, track)[1].sum, ==, 90);
}

static void test_units(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, "gpu,se1");
    const TsimTimelineOptions wrong[] = {
        {.units = "cu2"},  {.units = "se1-0"}, {.units = "cu"},
        {.units = "cu0,"}, {.units = "cu0x"},  {.from = 5, .to = 5},
    };

    g_assert_true(timeline->gpu_on);
    g_assert_true(timeline->se_on[1] && timeline->cu_on[1]);
    g_assert_false(timeline->se_on[0] || timeline->cu_on[0]);
    set(timeline, 0, 0, 3); /* waves.vs of CU 0 */
    set(timeline, 1, 0, 4);
    finish(timeline, 10);
    g_assert_cmpuint(tsim_timeline_integral(timeline, 0), ==, 0);
    g_assert_cmpuint(tsim_timeline_integral(timeline, 1), ==, 40);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(tsim_timeline_new(&machine, &wrong[i], &error));
        g_assert_error(error, TSIM_ERROR, TSIM_ERROR_USAGE);
    }
}

/* A queue of TD is its CU's, one of a launcher its engine's. */
static void test_metrics(void)
{
    static const struct {
        uint32_t metric;
        TsimUnit unit;
        gboolean is_work;
    } cases[] = {
        {TSIM_METRIC_LDS + TSIM_LDS_OWNERS - 1, TSIM_UNIT_CU, FALSE},
        {TSIM_METRIC_TD_RAYS, TSIM_UNIT_CU, FALSE},
        {TSIM_METRIC_QUEUE, TSIM_UNIT_SE, FALSE},
        {TSIM_METRIC_OFFCHIP_BUFFERS, TSIM_UNIT_GPU, FALSE},
        {TSIM_METRIC_BUSY + TSIM_RESOURCE_TEXTURE, TSIM_UNIT_CU, TRUE},
        {TSIM_METRIC_DRAM_READ, TSIM_UNIT_GPU, TRUE},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(tsim_metric_unit(cases[i].metric), ==, cases[i].unit);
        g_assert_cmpint(tsim_metric_is_work(cases[i].metric), ==, cases[i].is_work);
    }
}

/* One block more than fit: from then on those that even cycles see. Blocks of one cycle, at 0, 1,
 * 2 ...: every second one stays, and the one that came last if it is even. */
static void test_blocks_are_thinned(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);

    for (uint64_t i = 0; i <= TSIM_TIMELINE_BLOCKS; i++) {
        const TsimLdsSpan span = {.begin = i, .end = i + 1, .size = 1};
        tsim_timeline_block(timeline, &span);
    }
    g_assert_cmpuint(timeline->lds_quantum, ==, 2);
    g_assert_cmpuint(timeline->blocks_n, ==, TSIM_TIMELINE_BLOCKS / 2 + 1);
    for (uint32_t i = 0; i < timeline->blocks_n; i++) {
        g_assert_cmpuint(timeline->blocks[i].begin, ==, 2 * i);
        g_assert_cmpuint(timeline->blocks[i].end, ==, 2 * i + 2);
    }
}

static void test_groups_are_thinned(void)
{
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_BUCKETS, 0, 0, NULL);

    for (uint32_t i = 0; i < 2 * TSIM_TIMELINE_GROUPS + 1; i++) {
        const TsimGroupSpan span = {.begin = i, .end = i + 1, .serial = i};
        tsim_timeline_group(timeline, &span);
    }
    g_assert_cmpuint(timeline->group_stride, ==, 4);
    g_assert_cmpuint(timeline->groups_n, ==, TSIM_TIMELINE_GROUPS / 2 + 1);
    g_assert_cmpuint(timeline->groups[3].serial, ==, 12);
}

/* ---- Replay ---- */

typedef struct {
    GString *text;
    uint32_t waves;
} Heard;

static void hear_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    Heard *heard = user;

    g_string_append_printf(heard->text, "%u:%u.%d=%.0f ", (guint)cycle, track, (int)signal, value);
}

static void hear_wave(void *user, const TsimWaveSpan *span)
{
    Heard *heard = user;

    g_assert_cmpuint(span->end, ==, span->begin + 5);
    heard->waves++;
}

static void test_replay(void)
{
    static const TsimTimelineVisitor visitor = {hear_level, hear_wave, NULL, NULL};
    static const TsimTimelineVisitor waves_only = {NULL, hear_wave, NULL, NULL};
    g_autoptr(TsimTimeline) timeline = make(TSIM_DETAIL_FULL, 10, 90, NULL);
    const TsimWaveSpan inside = {.begin = 20, .end = 25}, before = {.begin = 4, .end = 9};
    g_autoptr(GString) text = g_string_new(NULL);
    Heard heard = {text, 0};

    set(timeline, 0, 5, 2);
    set(timeline, 1, 30, 7);
    set(timeline, 1, 30, 8); /* replaces the 7 */
    set(timeline, 0, 40, 0);
    set(timeline, 0, 40, 2); /* no change after all */
    tsim_timeline_wave(timeline, &inside);
    tsim_timeline_wave(timeline, &before);
    set(timeline, 1, 95, 1);
    finish(timeline, 200);
    g_assert_true(tsim_timeline_replay(timeline, &visitor, &heard, NULL));
    g_assert_cmpstr(text->str, ==, "10:0.0=2 30:1.0=8 90:0.0=0 90:1.0=0 ");
    g_assert_cmpuint(heard.waves, ==, 1);
    /* Again, without the levels. */
    g_assert_true(tsim_timeline_replay(timeline, &waves_only, &heard, NULL));
    g_assert_cmpstr(text->str, ==, "10:0.0=2 30:1.0=8 90:0.0=0 90:1.0=0 ");
    g_assert_cmpuint(heard.waves, ==, 2);
}

/* More cells than all blocks of the spool hold; they come back in order. */
static void test_spool(void)
{
    const uint32_t n = TSIM_SPOOL_BLOCK_CELLS * (TSIM_SPOOL_BLOCKS + 3) + 7;
    TsimSpool *spool = tsim_spool_new(g_get_tmp_dir(), NULL);
    TsimCell cells[100];
    uint32_t got, seen = 0;

    for (uint32_t i = 0; i < n; i++) {
        tsim_spool_put(spool, (TsimCell){i, i ^ 5, ~i});
    }
    g_assert_true(tsim_spool_finish(spool, NULL));
    for (int pass = 0; pass < 2; pass++) {
        tsim_spool_rewind(spool);
        for (seen = 0; tsim_spool_read(spool, cells, 100, &got, NULL) && got > 0; seen += got) {
            for (uint32_t i = 0; i < got; i++) {
                g_assert_cmpuint(cells[i].cycle, ==, seen + i);
                g_assert_cmpuint(cells[i].value, ==, ~(seen + i));
            }
        }
        g_assert_cmpuint(seen, ==, n);
    }
    tsim_spool_free(spool);
}

static void test_spool_folder(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_spool_new("/nowhere/at/all", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/timeline/buckets", test_buckets);
    g_test_add_func("/timeline/values-within-a-cycle", test_values_within_a_cycle);
    g_test_add_func("/timeline/fullest-cu", test_fullest_cu);
    g_test_add_func("/timeline/fullest-cu-of-others", test_fullest_cu_of_others);
    g_test_add_func("/timeline/widening", test_widening);
    g_test_add_func("/timeline/window", test_window);
    g_test_add_func("/timeline/work", test_work);
    g_test_add_func("/timeline/units", test_units);
    g_test_add_func("/timeline/metrics", test_metrics);
    g_test_add_func("/timeline/blocks-are-thinned", test_blocks_are_thinned);
    g_test_add_func("/timeline/groups-are-thinned", test_groups_are_thinned);
    g_test_add_func("/timeline/replay", test_replay);
    g_test_add_func("/spool/order", test_spool);
    g_test_add_func("/spool/folder", test_spool_folder);
    return g_test_run();
}
