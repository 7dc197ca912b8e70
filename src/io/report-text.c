#include "io/report-text.h"

#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/wait.h"
#include "stats/figures.h"
#include "stats/series.h"
#include "workload/survey.h"

#include <string.h>

/* Column at which everything but the titles begins. */
#define BODY 15

/* Draws that get a paragraph each; a scenario can have hundreds. */
#define DRAWS_SHOWN 6

/* ---- Paragraphs ---- */

/* A title in the left column; the cursor is then at the body. */
static void title(TsimPage *page, const char *text)
{
    tsim_page_line(page);
    tsim_page_left(page, TSIM_INK_STRONG, BODY, text);
}

static void label(TsimPage *page, const char *text)
{
    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, BODY - 2, text);
}

static void body(TsimPage *page, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void body(TsimPage *page, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    tsim_page_wrap(page, TSIM_INK_PLAIN, BODY, text);
}

/* ---- Head ---- */

static void print_head(TsimPage *page, const TsimResult *result)
{
    g_autofree char *scenario = tsim_page_clean(result->scenario != NULL ? result->scenario : "");
    g_autofree char *name = g_strdup_printf("%s on %s", scenario, result->gpu);
    g_autofree char *origin =
        g_strdup_printf("tesssim %s, seed %" G_GUINT64_FORMAT, TSIM_VERSION, result->seed);
    const guint width = tsim_page_width(name);
    const gboolean fits = width + tsim_page_width(origin) < page->columns;

    if (fits) {
        tsim_page_print(page, TSIM_INK_STRONG, name);
    } else {
        tsim_page_wrap(page, TSIM_INK_STRONG, 0, name);
    }
    tsim_page_right(page, TSIM_INK_FAINT, page->columns - (fits ? width : 0), origin);
    tsim_page_line(page);
    tsim_page_rule(page);
    if (result->description != NULL) {
        g_autofree char *description = tsim_page_clean(result->description);
        tsim_page_wrap(page, TSIM_INK_PLAIN, 0, description);
    }
    g_autofree char *clock = tsim_text_fixed(result->clock_mhz, 0);
    g_autofree char *lds = tsim_text_bytes(result->lds_bytes_per_cu);
    g_autofree char *machine = g_strdup_printf(
        "%u shader engines, %u CUs at %s MHz; %u SIMDs, %u waves and %s of LDS a CU",
        result->shader_engines, result->cus, clock, result->simds_per_cu, result->waves_per_cu,
        lds);
    tsim_page_wrap(page, TSIM_INK_FAINT, 0, machine);
}

static void print_time(TsimPage *page, const TsimResult *result)
{
    const TsimResource resource = tsim_result_bottleneck(result);
    const uint64_t bound = tsim_result_bound_cycles(result, resource);
    g_autofree char *cycles = tsim_text_count(result->elapsed_cycles);
    g_autofree char *us = tsim_text_us(page, tsim_result_elapsed_us(result));

    title(page, "Elapsed");
    tsim_page_printf(page, TSIM_INK_STRONG, "%s cycles", cycles);
    tsim_page_printf(page, TSIM_INK_PLAIN, " = %s", us);
    tsim_page_line(page);
    if (bound == 0) {
        return;
    }
    g_autofree char *bound_text = tsim_text_count(bound);
    g_autofree char *times = tsim_text_fixed((double)result->elapsed_cycles / (double)bound, 2);
    label(page, "");
    body(page, "%s %s the bound over all resources: %s cycles for %s", times, tsim_page_times(page),
         bound_text, tsim_resource_words[resource]);
}

static void print_bottleneck(TsimPage *page, const TsimResult *result)
{
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(result);

    title(page, "Bottleneck");
    tsim_page_wrap(page, TSIM_INK_ALERT, BODY, bottleneck.text);
}

/* ---- What was done ---- */

static char *per_second(const TsimResult *result, uint64_t count)
{
    return tsim_text_rate(1e6 * tsim_result_per_us(result, count));
}

static void print_rates(TsimPage *page, const TsimResult *result)
{
    const TsimTotals *totals = &result->totals;
    g_autofree char *patches = per_second(result, totals->patches);
    g_autofree char *threads = per_second(result, totals->ds_threads);
    g_autofree char *primitives = per_second(result, totals->primitives);

    title(page, "Rates");
    body(page, "%s patches/s   %s DS threads/s   %s primitives/s", patches, threads, primitives);
}

static void print_groups(TsimPage *page, const TsimTotals *totals)
{
    g_autofree char *groups =
        tsim_text_things(totals->threadgroups, "LS-HS threadgroup", "LS-HS threadgroups");
    g_autofree char *onchip = tsim_text_count(totals->threadgroups_onchip);
    g_autofree char *offchip = tsim_text_count(totals->threadgroups_offchip);
    g_autofree char *onchip_waves = tsim_text_count(totals->ds_waves_onchip);
    g_autofree char *offchip_waves = tsim_text_count(totals->ds_waves_offchip);

    label(page, "groups");
    body(page, "%s: %s on-chip, %s off-chip", groups, onchip, offchip);
    label(page, "DS waves");
    body(page, "%s on-chip, %s off-chip", onchip_waves, offchip_waves);
}

static void print_work(TsimPage *page, const TsimResult *result)
{
    const TsimTotals *totals = &result->totals;
    g_autofree char *patches = tsim_text_things(totals->patches, "patch", "patches");
    g_autofree char *culled = tsim_text_count(totals->culled_patches);
    g_autofree char *threads = tsim_text_things(totals->ds_threads, "DS thread", "DS threads");
    g_autofree char *primitives = tsim_text_things(totals->primitives, "primitive", "primitives");

    title(page, "Work");
    body(page, "%s (%s culled), %s, %s", patches, culled, threads, primitives);
    if (totals->threadgroups > 0) {
        print_groups(page, totals);
    }
    if (totals->compute_threadgroups > 0) {
        g_autofree char *compute =
            tsim_text_things(totals->compute_threadgroups, "threadgroup", "threadgroups");
        label(page, "compute");
        body(page, "%s", compute);
    }
}

/* ---- Settings ---- */

static void print_threadgroup(TsimPage *page, const TsimDrawResult *draw)
{
    g_autofree char *patches = tsim_text_things(draw->patches_per_threadgroup, "patch", "patches");
    g_autofree char *lds = tsim_text_count(draw->lds_bytes_per_threadgroup);
    g_autofree char *allocated = tsim_text_count(draw->lds_allocated_bytes_per_threadgroup);

    label(page, "threadgroup");
    if (draw->patches_auto) {
        body(page, "%s, by rule %s, limited by %s", patches, draw->patch_rule, draw->patch_limiter);
    } else {
        body(page, "%s, as given", patches);
    }
    label(page, "");
    body(page, "%s B of LDS (%s allocated), %u VS and %u HS waves", lds, allocated,
         draw->vs_waves_per_threadgroup, draw->hs_waves_per_threadgroup);
}

static void print_mode(TsimPage *page, const TsimResult *result, const TsimDrawResult *draw)
{
    g_autofree char *threshold = tsim_text_fixed(draw->tf_threshold, 3);

    label(page, "mode");
    if (!result->has_onchip) {
        body(page, "off-chip, the only one of this GPU");
        return;
    }
    if (!tsim_draw_result_is_offchip(draw)) {
        body(page, "on-chip: every DS wave runs on the CU of its patches");
        return;
    }
    body(page, "off-chip from an average factor of %s (TfThreshold, %s%s)", threshold,
         draw->tf_threshold_auto ? "by rule " : "as given",
         draw->tf_threshold_auto ? draw->tf_rule : "");
    label(page, "");
    body(page, "the first %u DS waves of a threadgroup stay on-chip (DsWaveThreshold)",
         draw->ds_wave_threshold);
}

#define BIN_COLUMNS  8
#define PART_COLUMNS 22

/* One line a bin that has any. */
static void print_bins(TsimPage *page, const char *name, const uint64_t *values, uint32_t n,
                       const char *zero, const char *thing, const char *things)
{
    const guint used = BODY + BIN_COLUMNS + PART_COLUMNS + 2;
    uint64_t all = 0;

    for (uint32_t bin = 0; bin < n; bin++) {
        all += values[bin];
    }
    for (uint32_t bin = 0; bin < n; bin++) {
        if (values[bin] == 0) {
            continue;
        }
        uint32_t least, most;
        tsim_survey_bin(bin, &least, &most);
        g_autofree char *range = bin == 0 ? g_strdup(zero) : tsim_text_range(least, most);
        g_autofree char *part = tsim_text_things(values[bin], thing, things);
        const double share = (double)values[bin] / (double)all;
        label(page, name);
        tsim_page_left(page, TSIM_INK_PLAIN, BIN_COLUMNS, range);
        tsim_page_right(page, TSIM_INK_PLAIN, PART_COLUMNS, part);
        tsim_page_spaces(page, 2);
        tsim_page_bar(page, page->columns - used, share, share);
        tsim_page_line(page);
        name = "";
    }
}

static void print_culled(TsimPage *page, const TsimDrawResult *draw)
{
    const TsimSpread *spread = &draw->spread;
    g_autofree char *patches =
        tsim_text_things(draw->totals.culled_patches, "culled patch", "culled patches");
    g_autofree char *vs = tsim_text_count(spread->culled_vs_threads);
    g_autofree char *hs = tsim_text_count(spread->culled_hs_threads);
    g_autofree char *lds = tsim_text_bytes((double)spread->culled_lds_bytes);
    g_autofree char *groups =
        tsim_text_things(spread->culled_threadgroups, "threadgroup", "threadgroups");

    label(page, "culled");
    body(page, "%s still cost %s VS and %s HS threads and %s of LDS; %s without DS work", patches,
         vs, hs, lds, groups);
}

static void print_spread(TsimPage *page, const TsimDrawResult *draw)
{
    print_bins(page, "tess factors", draw->spread.patches_by_factor, TSIM_RESULT_FACTOR_BINS,
               "culled", "patch", "patches");
    print_bins(page, "DS waves", draw->spread.groups_by_ds_waves, TSIM_RESULT_WAVE_BINS, "0",
               "threadgroup", "threadgroups");
    if (draw->totals.culled_patches > 0) {
        print_culled(page, draw);
    }
}

static void print_sampling(TsimPage *page, const TsimDrawResult *work)
{
    g_autofree char *name = tsim_page_clean(work->name != NULL ? work->name : "");
    g_autofree char *begin = tsim_text_count(work->begin_cycle);
    g_autofree char *end = tsim_text_count(work->end_cycle);

    title(page, "Sampling");
    body(page, "%s: cycles %s to %s", name, begin, end);
}

/* Or rays, which are a dispatch of waves. */
static void print_dispatch(TsimPage *page, const TsimDrawResult *dispatch)
{
    g_autofree char *name = tsim_page_clean(dispatch->name != NULL ? dispatch->name : "");
    g_autofree char *groups =
        tsim_text_things(dispatch->totals.compute_threadgroups, "threadgroup", "threadgroups");
    g_autofree char *begin = tsim_text_count(dispatch->begin_cycle);
    g_autofree char *end = tsim_text_count(dispatch->end_cycle);

    title(page, "Dispatch");
    body(page, "%s: %s, cycles %s to %s", name, groups, begin, end);
}

static void print_draw(TsimPage *page, const TsimResult *result, const TsimDrawResult *draw)
{
    g_autofree char *name = tsim_page_clean(draw->name != NULL ? draw->name : "");
    g_autofree char *patches = tsim_text_count(draw->totals.patches);
    g_autofree char *things = g_strdup_printf("%s %s %s", patches, draw->domain,
                                              draw->totals.patches == 1 ? "patch" : "patches");
    g_autofree char *factor = tsim_text_fixed(draw->mean_tess_factor, 2);
    g_autofree char *begin = tsim_text_count(draw->begin_cycle);
    g_autofree char *end = tsim_text_count(draw->end_cycle);

    title(page, "Draw");
    body(page, "%s: %s, %s, mean tess factor %s, cycles %s to %s", name, things, draw->partitioning,
         factor, begin, end);
    print_mode(page, result, draw);
    print_threadgroup(page, draw);
    print_spread(page, draw);
}

static void print_draws(TsimPage *page, const TsimResult *result)
{
    for (uint32_t i = 0; i < MIN(result->draws_n, DRAWS_SHOWN); i++) {
        const TsimDrawResult *draw = &result->draws[i];
        if (draw->is_draw) {
            print_draw(page, result, draw);
        } else if (strcmp(draw->type, "sample_feedback") == 0) {
            print_sampling(page, draw);
        } else {
            print_dispatch(page, draw);
        }
    }
    if (result->draws_n > DRAWS_SHOWN) {
        tsim_page_spaces(page, BODY);
        body(page, "and %u more (--format json has them all)", result->draws_n - DRAWS_SHOWN);
    }
}

/* ---- Waves and LDS over time ---- */

/* Means of the sum of n series, one a column. */
typedef struct {
    guint n;
    double values[TSIM_PAGE_COLUMNS_MAX];
} History;

static History history_of(const TsimResult *result, const TsimSeries *series, guint series_n,
                          guint columns)
{
    History history = {.n = columns};
    const double step = (double)result->elapsed_cycles / columns;

    for (guint column = 0; column < columns; column++) {
        for (guint i = 0; i < series_n; i++) {
            history.values[column] += tsim_series_mean(&series[i], result->elapsed_cycles,
                                                       column * step, (column + 1) * step);
        }
    }
    return history;
}

static double highest(const History *history)
{
    double value = 0.0;

    for (guint i = 0; i < history->n; i++) {
        value = MAX(value, history->values[i]);
    }
    return value;
}

/* The time axis below a history. */
static void print_axis(TsimPage *page, const TsimResult *result, guint indent)
{
    g_autofree char *end = tsim_text_us(page, tsim_result_elapsed_us(result));

    tsim_page_spaces(page, indent);
    tsim_page_print(page, TSIM_INK_FAINT, "0");
    tsim_page_right(page, TSIM_INK_FAINT, page->columns - indent - 1, end);
    tsim_page_line(page);
}

#define COUNT_COLUMNS 12
#define MEAN_COLUMNS  8
#define WAVES_HISTORY (BODY + COUNT_COLUMNS + MEAN_COLUMNS + 2) /* where it begins */

static void print_wave_row(TsimPage *page, const char *name, const char *launched, double mean,
                           const History *history, double full)
{
    g_autofree char *mean_text = tsim_text_fixed(mean, 2);

    label(page, name);
    tsim_page_right(page, TSIM_INK_PLAIN, COUNT_COLUMNS, launched);
    tsim_page_right(page, TSIM_INK_PLAIN, MEAN_COLUMNS, mean_text);
    tsim_page_spaces(page, 2);
    tsim_page_sparkline(page, history->values, history->n, full);
    tsim_page_line(page);
}

static void print_waves(TsimPage *page, const TsimResult *result)
{
    const guint columns = page->columns - WAVES_HISTORY;
    const History all = history_of(result, result->waves, TSIM_STAGES, columns);
    const double full = highest(&all);
    g_autofree char *full_text = tsim_text_fixed(tsim_ratio(full, result->cus), 1);

    title(page, "Waves");
    tsim_page_right(page, TSIM_INK_FAINT, COUNT_COLUMNS, "launched");
    tsim_page_right(page, TSIM_INK_FAINT, MEAN_COLUMNS, "a CU");
    tsim_page_printf(page, TSIM_INK_FAINT, "  resident, at most %s a CU", full_text);
    tsim_page_line(page);
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        const History history = history_of(result, &result->waves[stage], 1, columns);
        g_autofree char *launched = tsim_text_count(result->totals.waves[stage]);
        if (result->totals.waves[stage] > 0) {
            print_wave_row(page, tsim_stage_title(stage), launched,
                           tsim_result_waves_per_cu(result, result->wave_cycles[stage]), &history,
                           full);
        }
    }
    print_wave_row(page, "all", "",
                   tsim_result_waves_per_cu(result, tsim_result_wave_cycles(result)), &all, full);
    print_axis(page, result, WAVES_HISTORY);
}

/* One character a CU, so that an idle one is seen. */
static void print_engine(TsimPage *page, const TsimResult *result, uint32_t se)
{
    const uint32_t first = result->engine_first_cu[se];
    const uint32_t n = MIN(result->engine_first_cu[se + 1] - first, TSIM_PAGE_COLUMNS_MIN - BODY);
    double values[TSIM_PAGE_COLUMNS_MIN];
    g_autofree char *name = g_strdup_printf("engine %u", se);

    for (uint32_t i = 0; i < n; i++) {
        values[i] = (double)result->cu_wave_cycles[first + i];
    }
    label(page, name);
    tsim_page_sparkline(page, values, n, (double)result->cu_wave_cycles_max);
    if (se == 0) {
        tsim_page_print(page, TSIM_INK_FAINT, "  waves of each CU, the busiest being full");
    }
    tsim_page_line(page);
}

static void print_balance(TsimPage *page, const TsimResult *result)
{
    g_autofree char *busiest =
        tsim_text_fixed(tsim_result_waves_of_cu(result, result->cu_wave_cycles_max), 1);
    g_autofree char *idlest =
        tsim_text_fixed(tsim_result_waves_of_cu(result, result->cu_wave_cycles_min), 1);

    label(page, "balance");
    body(page, "peak %u of %u in a CU; the busiest CU holds %s on average, the idlest %s",
         result->peak_waves_per_cu, result->waves_per_cu, busiest, idlest);
    for (uint32_t se = 0; result->cu_wave_cycles != NULL && se < result->shader_engines; se++) {
        print_engine(page, result, se);
    }
}

static void print_lds_owners(TsimPage *page, const TsimResult *result)
{
    g_autoptr(GString) owners = g_string_new(NULL);

    for (int owner = 0; owner < TSIM_LDS_OWNERS; owner++) {
        if (result->lds_byte_cycles[owner] > 0) {
            g_autofree char *share =
                tsim_text_percent(tsim_result_lds_share(result, result->lds_byte_cycles[owner]));
            g_string_append_printf(owners, "%s%s %s", owners->len > 0 ? "   " : "",
                                   tsim_lds_owner_names[owner], share);
        }
    }
    if (owners->len > 0) {
        label(page, "by owner");
        body(page, "%s", owners->str);
    }
}

static void print_fragmentation(TsimPage *page, const TsimResult *result)
{
    label(page, "fragments");
    if (result->fragmentation_refusals == 0) {
        body(page, "no request was refused while the bytes were free");
        return;
    }
    g_autofree char *refusals = tsim_text_count(result->fragmentation_refusals);
    g_autofree char *bytes = tsim_text_bytes(result->peak_fragmented_free_bytes);
    g_autofree char *run = tsim_text_bytes(result->largest_run_at_refusal_bytes);
    body(page,
         "%s requests refused while the bytes were free: at worst %s, in pieces of at most %s",
         refusals, bytes, run);
}

static void print_lds(TsimPage *page, const TsimResult *result)
{
    const History history = history_of(result, &result->lds, 1, page->columns - BODY);
    const double share = tsim_result_lds_share(result, tsim_result_lds_byte_cycles(result));
    g_autofree char *percent = tsim_text_percent(share);
    g_autofree char *mean = tsim_text_bytes(share * result->lds_bytes_per_cu);
    g_autofree char *peak = tsim_text_bytes(result->peak_lds_bytes_per_cu);
    g_autofree char *all = tsim_text_bytes(result->lds_bytes_per_cu);

    title(page, "LDS");
    body(page, "mean %s (%s a CU), peak %s of %s in a CU", percent, mean, peak, all);
    label(page, "of all LDS");
    tsim_page_sparkline(page, history.values, history.n,
                        (double)result->cus * result->lds_bytes_per_cu);
    tsim_page_line(page);
    print_lds_owners(page, result);
    print_fragmentation(page, result);
}

/* ---- What waited ---- */

#define SHARE_COLUMNS 8

static int compare_waits(const void *a, const void *b)
{
    const TsimWait *wait_a = a, *wait_b = b;

    return (wait_a->share < wait_b->share) - (wait_a->share > wait_b->share);
}

static GArray *sorted_waits(const TsimResult *result)
{
    GArray *waits = g_array_new(FALSE, FALSE, sizeof(TsimWait));

    for (int i = 0; i < TSIM_WAITS; i++) {
        const TsimWait wait = tsim_wait(result, i);
        if (wait.share >= TSIM_WAIT_LEAST_SHARE) {
            g_array_append_val(waits, wait);
        }
    }
    g_array_sort(waits, compare_waits);
    return waits;
}

static void print_stalls(TsimPage *page, const TsimResult *result)
{
    g_autoptr(GArray) waits = sorted_waits(result);

    title(page, "Stalls");
    tsim_page_print(page, TSIM_INK_FAINT,
                    waits->len > 0 ? "share of the run that the head of a launch queue waited"
                                   : "no launch queue ever waited");
    tsim_page_line(page);
    for (guint i = 0; i < waits->len; i++) {
        const TsimWait *wait = &g_array_index(waits, TsimWait, i);
        g_autofree char *share = tsim_text_percent(wait->share);
        tsim_page_spaces(page, 2);
        tsim_page_left(page, TSIM_INK_PLAIN, 4, wait->who);
        tsim_page_left(page, TSIM_INK_PLAIN, BODY, wait->why);
        tsim_page_right(page, TSIM_INK_PLAIN, SHARE_COLUMNS, share);
        tsim_page_spaces(page, 2);
        tsim_page_wrap(page, TSIM_INK_FAINT, 2 + 4 + BODY + SHARE_COLUMNS + 2, wait->words);
    }
}

/* ---- What worked ---- */

static void print_resource(TsimPage *page, const TsimResult *result, TsimResource resource)
{
    g_autofree char *bound = tsim_text_count(tsim_result_bound_cycles(result, resource));
    const double mean = tsim_result_utilisation(result, resource);
    const double busiest = tsim_result_busiest(result, resource);
    g_autofree char *mean_text = tsim_text_percent(mean);
    g_autofree char *busiest_text = tsim_text_percent(busiest);
    const gboolean binds = resource == tsim_result_bottleneck(result);
    const guint used = BODY + COUNT_COLUMNS + 2 * SHARE_COLUMNS + 3;

    label(page, tsim_resource_names[resource]);
    tsim_page_right(page, binds ? TSIM_INK_STRONG : TSIM_INK_PLAIN, COUNT_COLUMNS, bound);
    tsim_page_right(page, TSIM_INK_PLAIN, SHARE_COLUMNS, mean_text);
    tsim_page_right(page, TSIM_INK_FAINT, SHARE_COLUMNS + 1, busiest_text);
    tsim_page_spaces(page, 2);
    tsim_page_bar(page, page->columns - used, mean, busiest);
    tsim_page_line(page);
}

static void print_resources(TsimPage *page, const TsimResult *result)
{
    title(page, "Resources");
    tsim_page_right(page, TSIM_INK_FAINT, COUNT_COLUMNS, "bound");
    tsim_page_right(page, TSIM_INK_FAINT, SHARE_COLUMNS, "busy");
    tsim_page_right(page, TSIM_INK_FAINT, SHARE_COLUMNS + 1, "busiest");
    tsim_page_print(page, TSIM_INK_FAINT,
                    page->utf8 ? "  █ busy, ░ busiest instance" : "  # busy, - busiest instance");
    tsim_page_line(page);
    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        if (result->resources[i].busy_cycles > 0) {
            print_resource(page, result, (TsimResource)i);
        }
    }
}

static char *hit_rate(uint64_t hits, uint64_t lines)
{
    return lines > 0 ? tsim_text_percent((double)hits / (double)lines) : g_strdup("none");
}

static void print_memory(TsimPage *page, const TsimResult *result)
{
    const TsimTotals *totals = &result->totals;
    g_autofree char *written = tsim_text_bytes((double)totals->offchip_bytes_written);
    g_autofree char *read = tsim_text_bytes((double)totals->offchip_bytes_read);
    g_autofree char *ring = tsim_text_bytes((double)totals->tf_ring_bytes);
    g_autofree char *l1 = hit_rate(result->l1_hits, result->l1_lines);
    g_autofree char *l2 = hit_rate(result->l2_hits, result->l2_lines);
    g_autofree char *dram_read = tsim_text_bytes((double)result->dram_bytes_read);
    g_autofree char *dram_written = tsim_text_bytes((double)result->dram_bytes_written);

    title(page, "Memory");
    body(page, "L1 hits %s, L2 hits %s; DRAM %s read, %s written", l1, l2, dram_read, dram_written);
    if (totals->tf_ring_bytes > 0) {
        label(page, "tess factors");
        body(page, "%s through the ring", ring);
    }
    if (totals->offchip_bytes_written > 0) {
        label(page, "off-chip");
        body(page, "%s written, %s read, at most %u buffers in use at once", written, read,
             result->offchip_buffers_peak);
    }
}

/* ---- Rays ---- */

/* One column for each number of lanes, 1 to 32. */
static void print_live_lanes(TsimPage *page, const TsimResult *result)
{
    const uint64_t *counts = result->rays.live_lanes + 1;
    double values[TSIM_RAY_HALF_LANES];
    double full = 0.0;

    for (int i = 0; i < TSIM_RAY_HALF_LANES; i++) {
        values[i] = (double)counts[i];
        full = MAX(full, values[i]);
    }
    g_autofree char *mean = tsim_text_fixed(tsim_result_ray_live_lanes(result), 1);
    label(page, "live lanes");
    tsim_page_printf(page, TSIM_INK_PLAIN, "mean %s of 32, by number 1 ", mean);
    tsim_page_sparkline(page, values, TSIM_RAY_HALF_LANES, full);
    tsim_page_print(page, TSIM_INK_PLAIN, " 32");
    tsim_page_line(page);
}

static void print_node_lines(TsimPage *page, const TsimRayResult *rays)
{
    const double lines = (double)rays->node_lines;
    g_autofree char *l1 = tsim_text_percent(tsim_ratio((double)rays->node_l1_hits, lines));
    g_autofree char *array = tsim_text_percent(tsim_ratio((double)rays->node_array_l1_hits, lines));
    g_autofree char *l2 = tsim_text_percent(tsim_ratio((double)rays->node_l2_hits, lines));
    g_autofree char *count = tsim_text_count(rays->node_lines);

    label(page, "node lines");
    body(page, "%s, found in the CU's cache %s, the array's %s, the L2 %s", count, l1, array, l2);
}

static void print_traversal(TsimPage *page, const TsimResult *result)
{
    const TsimRayResult *rays = &result->rays;
    const double waiting =
        tsim_ratio((double)rays->waiting_cycles, (double)result->elapsed_cycles * rays->tds);
    g_autofree char *nodes = tsim_text_fixed(tsim_ray_histogram_mean(&rays->nodes_per_ray), 1);
    g_autofree char *depth = tsim_text_fixed(tsim_ray_histogram_mean(&rays->stack_depth), 1);
    g_autofree char *latency = tsim_text_fixed(tsim_ray_histogram_mean(&rays->latency), 0);
    g_autofree char *waves = tsim_text_fixed(waiting, 1);

    label(page, "traversal");
    body(page,
         "%s nodes a ray (at most %" G_GUINT64_FORMAT "), %s stack entries (%" G_GUINT64_FORMAT ")",
         nodes, rays->nodes_per_ray.max, depth, rays->stack_depth.max);
    label(page, "latency");
    body(page, "%s cycles an instruction (at most %" G_GUINT64_FORMAT "); %s waves wait at a TD",
         latency, rays->latency.max, waves);
}

static void print_rays(TsimPage *page, const TsimResult *result)
{
    const TsimRayResult *rays = &result->rays;
    const uint64_t box_tests = rays->box_nodes * TSIM_RAY_BOXES_A_NODE;
    g_autofree char *count = tsim_text_count(rays->rays);
    g_autofree char *hits = tsim_text_count(rays->hits);
    g_autofree char *rate = per_second(result, rays->rays);
    g_autofree char *boxes = tsim_text_rate(tsim_result_ray_tests_per_second(result, box_tests));
    g_autofree char *triangles =
        tsim_text_rate(tsim_result_ray_tests_per_second(result, rays->triangle_tests));
    g_autofree char *utilisation = tsim_text_percent(tsim_result_td_utilisation(result));
    g_autofree char *bytes = tsim_text_bytes((double)rays->bvh_bytes);
    g_autofree char *cost = tsim_text_fixed(rays->bvh_sah_cost, 1);

    title(page, "Rays");
    body(page, "%s rays, %s hits, %s rays/s", count, hits, rate);
    label(page, "TD");
    body(page, "%s box tests/s and %s triangle tests/s while busy; tests %s of its clocks", boxes,
         triangles, utilisation);
    print_live_lanes(page, result);
    print_traversal(page, result);
    print_node_lines(page, rays);
    if (rays->bvh_bytes > 0) {
        label(page, "BVH");
        body(page, "%s, %u box nodes deep, SAH cost %s", bytes, rays->bvh_depth, cost);
    }
}

/* ---- Sampler feedback ---- */

static void print_feedback_cost(TsimPage *page, const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;
    g_autofree char *conflicts = tsim_text_count(feedback->conflicts);
    g_autofree char *waited = tsim_text_count(feedback->conflict_cycles);
    g_autofree char *rate = tsim_text_rate(tsim_result_feedback_atomics_per_second(result));
    g_autofree char *share = tsim_text_percent(tsim_result_feedback_l2_share(result));

    label(page, "atomics");
    body(page, "%s atomics/s, %s of the lines asked of L2; %s conflicts, %s cycles of waiting",
         rate, share, conflicts, waited);
    if (feedback->plain_cycles > 0) {
        g_autofree char *plain = tsim_text_count(feedback->plain_cycles);
        g_autofree char *overhead = tsim_text_percent(tsim_result_feedback_overhead(result));
        label(page, "overhead");
        body(page, "%s over plain sampling, which takes %s cycles", overhead, plain);
    }
}

static void print_samples(TsimPage *page, const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;
    g_autofree char *read = tsim_text_count(feedback->read_samples);
    g_autofree char *written = tsim_text_count(feedback->write_samples);
    g_autofree char *lookups = tsim_text_count(feedback->lookups);
    g_autofree char *rate = tsim_text_rate(tsim_result_feedback_achieved_per_second(result));
    g_autofree char *busy = tsim_text_percent(tsim_result_feedback_td_utilisation(result));

    label(page, "samples");
    body(page,
         "%s of the texture, %s for feedback, %s of the residency map; %s samples/s, texture "
         "units %s busy",
         read, written, lookups, rate, busy);
}

static void print_feedback(TsimPage *page, const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;
    g_autofree char *operations = tsim_text_count(feedback->operations);
    g_autofree char *texels = tsim_text_count(feedback->texel_writes);
    g_autofree char *merged = tsim_text_count(feedback->merged_writes);
    g_autofree char *requests = tsim_text_count(feedback->atomic_requests);
    g_autofree char *ratio = tsim_text_fixed(tsim_result_feedback_merge_ratio(result), 2);

    title(page, "Feedback");
    body(page, "%s operations: %s texel writes, merged %s to 1 into %s, in %s requests", operations,
         texels, ratio, merged, requests);
    print_samples(page, result);
    print_feedback_cost(page, result);
}

/* ---- Streaming ---- */

#define FRAME_COLUMNS  7
#define STREAM_COLUMNS 13

/* Frames that get a row; between them, rows are left out evenly. */
#define FRAMES_SHOWN 16

static void print_frame(TsimPage *page, const TsimFeedbackFrame *frame, uint32_t number)
{
    g_autofree char *index = g_strdup_printf("%u", number);
    g_autofree char *resident = tsim_text_bytes((double)frame->resident_bytes);
    g_autofree char *wanted = tsim_text_bytes((double)frame->wanted_bytes);
    g_autofree char *over = tsim_text_fixed(frame->over_request_ratio, 2);
    g_autofree char *missing = tsim_text_fixed(frame->mean_missing_lod, 3);
    g_autofree char *leaks =
        tsim_text_percent(tsim_ratio((double)frame->leak_pixels, (double)frame->pixels));

    tsim_page_right(page, TSIM_INK_PLAIN, FRAME_COLUMNS, index);
    tsim_page_right(page, TSIM_INK_PLAIN, STREAM_COLUMNS, resident);
    tsim_page_right(page, TSIM_INK_PLAIN, STREAM_COLUMNS, wanted);
    tsim_page_right(page, TSIM_INK_PLAIN, STREAM_COLUMNS, over);
    tsim_page_right(page, TSIM_INK_PLAIN, STREAM_COLUMNS, missing);
    tsim_page_right(page, TSIM_INK_PLAIN, STREAM_COLUMNS, leaks);
    tsim_page_print(page, TSIM_INK_GOOD, frame->sharp ? "  sharp" : "");
    tsim_page_line(page);
}

static void print_streaming(TsimPage *page, const TsimResult *result)
{
    static const char *const heads[] = {"resident", "wanted", "over-request", "missing LOD",
                                        "leaks"};
    const TsimFeedbackResult *feedback = &result->feedback;
    const uint32_t step = (feedback->frames_n + FRAMES_SHOWN - 1) / FRAMES_SHOWN;

    title(page, "Streaming");
    if (feedback->became_sharp) {
        g_autofree char *frames = tsim_text_things(feedback->frames_until_sharp, "frame", "frames");
        body(page, "sharp after %s", frames);
    } else {
        g_autofree char *frames = tsim_text_things(feedback->frames_n, "frame", "frames");
        body(page, "not sharp within %s", frames);
    }
    tsim_page_right(page, TSIM_INK_FAINT, FRAME_COLUMNS, "frame");
    for (size_t i = 0; i < G_N_ELEMENTS(heads); i++) {
        tsim_page_right(page, TSIM_INK_FAINT, STREAM_COLUMNS, heads[i]);
    }
    tsim_page_line(page);
    for (uint32_t i = 0; i < feedback->frames_n; i += step) {
        print_frame(page, &feedback->frames[i], i);
    }
}

/* ---- Asides ---- */

static void print_notes(TsimPage *page, const TsimResult *result)
{
    for (guint i = 0; i < result->warnings->len; i++) {
        g_autofree char *text = tsim_page_clean(g_ptr_array_index(result->warnings, i));
        title(page, "Warning");
        tsim_page_wrap(page, TSIM_INK_ALERT, BODY, text);
    }
    if (result->estimated_fields_n > 0) {
        g_autofree char *fields = g_strjoinv(", ", result->estimated_fields);
        title(page, "Estimates");
        g_autofree char *text = g_strdup_printf(
            "these numbers of the GPU file are estimates, neither documented nor measured: %s",
            fields);
        tsim_page_wrap(page, TSIM_INK_FAINT, BODY, text);
    }
}

void tsim_report_text(TsimPage *page, const TsimResult *result)
{
    print_head(page, result);
    print_time(page, result);
    print_bottleneck(page, result);
    if (tsim_result_has_draws(result)) {
        print_rates(page, result);
        print_work(page, result);
    }
    print_draws(page, result);
    if (result->rays.traced) {
        print_rays(page, result);
    }
    if (result->feedback.sampled) {
        print_feedback(page, result);
    }
    if (result->feedback.frames_n > 0) {
        print_streaming(page, result);
    }
    if (result->elapsed_cycles > 0) {
        print_waves(page, result);
        print_balance(page, result);
        if (result->peak_lds_bytes_per_cu > 0) {
            print_lds(page, result);
        }
        print_stalls(page, result);
        print_resources(page, result);
        print_memory(page, result);
    }
    print_notes(page, result);
}
