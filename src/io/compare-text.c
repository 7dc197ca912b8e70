#include "io/compare-text.h"

#include "io/bottleneck.h"
#include "io/paste.h"
#include "io/wait.h"
#include "stats/figures.h"

#include <math.h>

#define NAME_COLUMNS  30
#define VALUE_COLUMNS 16
#define RATIO_COLUMNS 10

/* Resources that are busy for less are left out. */
#define LEAST_SHARE 0.001

/* Draws whose settings are shown. */
#define DRAWS_SHOWN 3

typedef char *Format(double value);

static char *as_count(double value)
{
    return tsim_text_count((uint64_t)value);
}

static char *as_real(double value)
{
    return tsim_text_fixed(value, 2);
}

/* ---- Rows ---- */

static void print_words(TsimPage *page, const char *name, const char *a, const char *b)
{
    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, NAME_COLUMNS - 2, name);
    tsim_page_right(page, TSIM_INK_PLAIN, VALUE_COLUMNS, a);
    tsim_page_right(page, TSIM_INK_PLAIN, VALUE_COLUMNS, b);
}

static void print_numbers(TsimPage *page, const char *name, double a, double b, Format *format)
{
    g_autofree char *a_text = format(a);
    g_autofree char *b_text = format(b);

    print_words(page, name, a_text, b_text);
    if (a > 0.0) {
        g_autofree char *ratio = tsim_text_fixed(b / a, 2);
        tsim_page_right(page, TSIM_INK_FAINT, RATIO_COLUMNS, ratio);
    }
    tsim_page_line(page);
}

/* The same, but not when both sides have none. */
static void print_some(TsimPage *page, const char *name, double a, double b, Format *format)
{
    if (a > 0.0 || b > 0.0) {
        print_numbers(page, name, a, b, format);
    }
}

static void print_title(TsimPage *page, const char *text)
{
    tsim_page_line(page);
    tsim_page_print(page, TSIM_INK_STRONG, text);
    tsim_page_line(page);
}

/* ---- Verdict ---- */

static void print_head(TsimPage *page, const TsimComparison *comparison)
{
    const TsimResult *a = comparison->sides[0];
    g_autofree char *scenario = tsim_page_clean(a->scenario != NULL ? a->scenario : "");
    g_autofree char *name = g_strdup_printf("%s on %s, side by side", scenario, a->gpu);

    tsim_page_wrap(page, TSIM_INK_STRONG, 0, name);
    tsim_page_rule(page);
    for (int side = 0; side < TSIM_COMPARE_SIDES; side++) {
        g_autofree char *text = tsim_page_clean(comparison->labels[side]);
        tsim_page_printf(page, TSIM_INK_STRONG, "%s  ", tsim_side_names[side]);
        tsim_page_wrap(page, TSIM_INK_PLAIN, 3, text);
    }
}

static void print_verdict(TsimPage *page, const TsimComparison *comparison)
{
    g_autofree char *speedup = tsim_text_fixed(comparison->speedup, 2);

    tsim_page_line(page);
    if (comparison->winner < 0) {
        tsim_page_printf(page, TSIM_INK_ALERT, "%s ", tsim_page_arrow(page));
        tsim_page_wrap(page, TSIM_INK_ALERT, 2,
                       comparison->may_be_chance
                           ? "No win: the difference is within what chance does."
                           : "A and B take the same time, within 1%.");
    } else {
        g_autofree char *label = tsim_page_clean(comparison->labels[comparison->winner]);
        g_autofree char *text =
            g_strdup_printf("%s wins, %s: %s %s as fast.", tsim_side_names[comparison->winner],
                            label, speedup, tsim_page_times(page));
        tsim_page_printf(page, TSIM_INK_GOOD, "%s ", tsim_page_arrow(page));
        tsim_page_wrap(page, TSIM_INK_GOOD, 2, text);
    }
    for (guint i = 0; i < comparison->reasons->len; i++) {
        tsim_page_print(page, TSIM_INK_FAINT, "  - ");
        tsim_page_wrap(page, TSIM_INK_PLAIN, 4, g_ptr_array_index(comparison->reasons, i));
    }
}

/* ---- Numbers ---- */

static void print_header(TsimPage *page)
{
    tsim_page_line(page);
    tsim_page_spaces(page, NAME_COLUMNS);
    tsim_page_right(page, TSIM_INK_STRONG, VALUE_COLUMNS, "A");
    tsim_page_right(page, TSIM_INK_STRONG, VALUE_COLUMNS, "B");
    tsim_page_right(page, TSIM_INK_FAINT, RATIO_COLUMNS, "B / A");
    tsim_page_line(page);
}

static void print_speed(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    g_autofree char *a_us = tsim_text_us(page, tsim_result_elapsed_us(a));
    g_autofree char *b_us = tsim_text_us(page, tsim_result_elapsed_us(b));

    print_numbers(page, "elapsed cycles", (double)a->elapsed_cycles, (double)b->elapsed_cycles,
                  as_count);
    print_words(page, "elapsed time", a_us, b_us);
    tsim_page_line(page);
    print_some(page, "patches/s", 1e6 * tsim_result_per_us(a, a->totals.patches),
               1e6 * tsim_result_per_us(b, b->totals.patches), tsim_text_rate);
    print_some(page, "DS threads/s", 1e6 * tsim_result_per_us(a, a->totals.ds_threads),
               1e6 * tsim_result_per_us(b, b->totals.ds_threads), tsim_text_rate);
    print_some(page, "primitives/s", 1e6 * tsim_result_per_us(a, a->totals.primitives),
               1e6 * tsim_result_per_us(b, b->totals.primitives), tsim_text_rate);
}

static char *as_signed_count(double value)
{
    g_autofree char *count = as_count(fabs(value) + 0.5);

    return g_strconcat(value < 0.0 ? "-" : "", count, NULL);
}

static char *as_ratio(double value)
{
    return tsim_text_fixed(value, 3);
}

static void print_interval(TsimPage *page, const char *name, const TsimInterval *interval,
                           Format *format)
{
    g_autofree char *mean = format(interval->mean);
    g_autofree char *low = format(interval->low);
    g_autofree char *high = format(interval->high);

    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, NAME_COLUMNS - 2, name);
    tsim_page_right(page, TSIM_INK_PLAIN, VALUE_COLUMNS, mean);
    tsim_page_printf(page, TSIM_INK_FAINT, "   95%% of %s to %s", low, high);
    tsim_page_line(page);
}

/* The same seeds on both sides: what they share cancels out. */
static void print_seeds(TsimPage *page, const TsimComparison *comparison)
{
    const TsimPairedIntervals *paired = &comparison->paired;
    g_autofree char *title = g_strdup_printf("Elapsed cycles over %u seeds", comparison->seeds);

    if (comparison->seeds < 2) {
        return;
    }
    print_title(page, title);
    print_interval(page, "mean of A", &paired->means[0], as_signed_count);
    print_interval(page, "mean of B", &paired->means[1], as_signed_count);
    print_interval(page, "B - A, paired", &paired->difference, as_signed_count);
    print_interval(page, "B / A, paired", &paired->ratio, as_ratio);
}

static void print_draw(TsimPage *page, const TsimDrawResult *a, const TsimDrawResult *b)
{
    g_autofree char *name = tsim_page_clean(a->name != NULL ? a->name : "");
    g_autofree char *heading = g_strdup_printf("Settings of %s", name);

    print_title(page, heading);
    print_words(page, "mode", a->mode, b->mode);
    tsim_page_line(page);
    print_numbers(page, "patches a threadgroup", a->patches_per_threadgroup,
                  b->patches_per_threadgroup, as_count);
    print_numbers(page, "TfThreshold", a->tf_threshold, b->tf_threshold, as_real);
    print_numbers(page, "DsWaveThreshold", a->ds_wave_threshold, b->ds_wave_threshold, as_count);
}

static void print_draws(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    for (uint32_t i = 0; i < MIN(MIN(a->draws_n, b->draws_n), DRAWS_SHOWN); i++) {
        if (a->draws[i].is_draw && b->draws[i].is_draw) {
            print_draw(page, &a->draws[i], &b->draws[i]);
        }
    }
}

static void print_work(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    const TsimTotals *of_a = &a->totals, *of_b = &b->totals;

    print_title(page, "Work");
    print_numbers(page, "threadgroups", (double)of_a->threadgroups, (double)of_b->threadgroups,
                  as_count);
    print_some(page, "threadgroups on-chip", (double)of_a->threadgroups_onchip,
               (double)of_b->threadgroups_onchip, as_count);
    print_some(page, "threadgroups off-chip", (double)of_a->threadgroups_offchip,
               (double)of_b->threadgroups_offchip, as_count);
    print_some(page, "DS waves on-chip", (double)of_a->ds_waves_onchip,
               (double)of_b->ds_waves_onchip, as_count);
    print_some(page, "DS waves off-chip", (double)of_a->ds_waves_offchip,
               (double)of_b->ds_waves_offchip, as_count);
    print_some(page, "off-chip bytes written", (double)of_a->offchip_bytes_written,
               (double)of_b->offchip_bytes_written, tsim_text_bytes);
    print_some(page, "off-chip bytes read", (double)of_a->offchip_bytes_read,
               (double)of_b->offchip_bytes_read, tsim_text_bytes);
    print_some(page, "DRAM bytes", (double)a->dram_bytes_read + (double)a->dram_bytes_written,
               (double)b->dram_bytes_read + (double)b->dram_bytes_written, tsim_text_bytes);
}

static void print_occupancy(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    print_title(page, "Waves and LDS");
    print_numbers(page, "waves a CU, mean", tsim_result_waves_per_cu(a, tsim_result_wave_cycles(a)),
                  tsim_result_waves_per_cu(b, tsim_result_wave_cycles(b)), as_real);
    print_numbers(page, "waves of the busiest CU",
                  tsim_result_waves_of_cu(a, a->cu_wave_cycles_max),
                  tsim_result_waves_of_cu(b, b->cu_wave_cycles_max), as_real);
    print_numbers(page, "waves of the idlest CU", tsim_result_waves_of_cu(a, a->cu_wave_cycles_min),
                  tsim_result_waves_of_cu(b, b->cu_wave_cycles_min), as_real);
    print_some(page, "LDS in use, mean", tsim_result_lds_share(a, tsim_result_lds_byte_cycles(a)),
               tsim_result_lds_share(b, tsim_result_lds_byte_cycles(b)), tsim_text_percent);
    print_some(page, "LDS of a CU, peak", a->peak_lds_bytes_per_cu, b->peak_lds_bytes_per_cu,
               tsim_text_bytes);
    print_some(page, "refused by fragmentation", (double)a->fragmentation_refusals,
               (double)b->fragmentation_refusals, as_count);
}

typedef struct {
    char *name;
    double a, b;
} StallRow;

static int compare_stalls(const void *left, const void *right)
{
    const StallRow *row_l = left, *row_r = right;
    const double share_l = MAX(row_l->a, row_l->b), share_r = MAX(row_r->a, row_r->b);

    return (share_l < share_r) - (share_l > share_r);
}

static void clear_stall(void *user)
{
    StallRow *row = user;

    g_free(row->name);
}

static GArray *stall_rows(const TsimResult *a, const TsimResult *b)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(StallRow));

    g_array_set_clear_func(rows, clear_stall);
    for (int i = 0; i < TSIM_WAITS; i++) {
        const TsimWait wait = tsim_wait(a, i);
        StallRow row = {NULL, wait.share, tsim_wait(b, i).share};
        if (MAX(row.a, row.b) >= TSIM_WAIT_LEAST_SHARE) {
            row.name = g_strdup_printf("%s: %s", wait.who, wait.why);
            g_array_append_val(rows, row);
        }
    }
    g_array_sort(rows, compare_stalls);
    return rows;
}

static void print_stalls(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    g_autoptr(GArray) rows = stall_rows(a, b);

    if (rows->len > 0) {
        print_title(page, "Stalls, share of the run");
    }
    for (guint i = 0; i < rows->len; i++) {
        const StallRow *row = &g_array_index(rows, StallRow, i);
        print_numbers(page, row->name, row->a, row->b, tsim_text_percent);
    }
}

/* Its share says more than the mean where the instances are not alike. */
static void print_busiest(TsimPage *page, const TsimResult *a, const TsimResult *b,
                          TsimResource resource)
{
    g_autofree char *name = g_strconcat(tsim_resource_names[resource], ", busiest", NULL);

    if (a->resources[resource].instances > 1 || b->resources[resource].instances > 1) {
        print_numbers(page, name, tsim_result_busiest(a, resource),
                      tsim_result_busiest(b, resource), tsim_text_percent);
    }
}

static void print_resources(TsimPage *page, const TsimResult *a, const TsimResult *b)
{
    print_title(page, "Resources, busy share of the run");
    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const double share_a = tsim_result_utilisation(a, (TsimResource)i);
        const double share_b = tsim_result_utilisation(b, (TsimResource)i);
        if (MAX(share_a, share_b) >= LEAST_SHARE) {
            print_numbers(page, tsim_resource_names[i], share_a, share_b, tsim_text_percent);
            print_busiest(page, a, b, (TsimResource)i);
        }
    }
    print_numbers(page, "bound over all, of elapsed", tsim_result_bound_share(a),
                  tsim_result_bound_share(b), tsim_text_percent);
}

static void print_bottlenecks(TsimPage *page, const TsimComparison *comparison)
{
    print_title(page, "Bottlenecks");
    for (int side = 0; side < TSIM_COMPARE_SIDES; side++) {
        g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(comparison->sides[side]);
        tsim_page_printf(page, TSIM_INK_STRONG, "  %s ", tsim_side_names[side]);
        tsim_page_wrap(page, TSIM_INK_PLAIN, 4, bottleneck.text);
    }
}

/* Settings that the title can be given, where the GPU has any. */
static void print_paste(TsimPage *page, const TsimComparison *comparison)
{
    const TsimResult *side = comparison->sides[comparison->pasted];

    for (uint32_t i = 0; side->has_onchip && i < MIN(side->draws_n, DRAWS_SHOWN); i++) {
        const TsimDrawResult *draw = &side->draws[i];
        if (!draw->is_draw) {
            continue;
        }
        const TsimPasteBlock block = tsim_paste_block_of_result(draw);
        g_autofree char *name = tsim_page_clean(draw->name != NULL ? draw->name : "");
        g_autofree char *heading =
            g_strdup_printf("To paste for %s, as in %s", name, tsim_side_names[comparison->pasted]);
        g_autofree char *lines = tsim_paste_block(&block);
        print_title(page, heading);
        tsim_page_print(page, TSIM_INK_PLAIN, lines);
    }
}

void tsim_compare_text(TsimPage *page, const TsimComparison *comparison)
{
    const TsimResult *a = comparison->sides[0], *b = comparison->sides[1];

    print_head(page, comparison);
    print_verdict(page, comparison);
    print_header(page);
    print_speed(page, a, b);
    print_seeds(page, comparison);
    print_draws(page, a, b);
    print_work(page, a, b);
    print_occupancy(page, a, b);
    print_stalls(page, a, b);
    print_resources(page, a, b);
    print_bottlenecks(page, comparison);
    print_paste(page, comparison);
}
