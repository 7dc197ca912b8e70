#include "io/sweep-text.h"

#include "io/encode.h"
#include "io/flat-line.h"
#include "stats/interval.h"

#include <math.h>
#include <string.h>

#define BEST_SHOWN   10
#define LEVELS_SHOWN 24
#define BAR_COLUMNS  30

typedef struct {
    uint64_t point;
    double mean; /* of the runs that are there */
    gsize first; /* its runs in `values` */
} Rank;

typedef struct {
    const TsimSweepPlan *plan;
    char *const *lines;
    double *values; /* of each run */
    GArray *ranks;  /* of Rank, points of which every run is done, best first */
    uint64_t missing, failed;
} Summary;

/* ---- Reading ---- */

/* The value of a member as written; FALSE when the line has none. */
static gboolean find_member(const char *line, const char *key, TsimFlatMember *ret_member)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);

    while (tsim_flat_line_next(&cursor, ret_member)) {
        if (tsim_flat_member_is(ret_member, key)) {
            return TRUE;
        }
    }
    return FALSE;
}

double tsim_sweep_value(const char *line, const char *metric)
{
    TsimFlatMember member;

    return line != NULL && find_member(line, metric, &member) && !member.is_text
               ? g_ascii_strtod(member.value, NULL)
               : (double)NAN;
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const Rank *rank_a = a, *rank_b = b;

    if (rank_a->mean < rank_b->mean || rank_a->mean > rank_b->mean) {
        return rank_a->mean < rank_b->mean ? -1 : 1;
    }
    return rank_a->point < rank_b->point ? -1 : rank_a->point > rank_b->point;
}

static void read_point(Summary *summary, uint64_t point)
{
    const guint replications = summary->plan->replications;
    const gsize first = point * replications;
    guint done = 0;

    for (guint i = 0; i < replications; i++) {
        const char *line = summary->lines[first + i];
        summary->values[first + i] = tsim_sweep_value(line, summary->plan->metrics[0]);
        summary->missing += line == NULL;
        summary->failed += line != NULL && isnan(summary->values[first + i]);
        done += isnan(summary->values[first + i]) ? 0 : 1;
    }
    if (done == replications) {
        const Rank rank = {point, tsim_interval(&summary->values[first], replications).mean, first};
        g_array_append_val(summary->ranks, rank);
    }
}

/* ---- Writing ---- */

/* What varies, as the line says: "tf_threshold=8 mode=onchip". */
static char *label_of(const Summary *summary, uint64_t point)
{
    const char *line = summary->lines[point * summary->plan->replications];
    GString *label = g_string_new(NULL);
    TsimFlatMember member;

    for (guint axis = 0; axis < summary->plan->axes_n; axis++) {
        for (char **key = summary->plan->axes[axis].keys; *key != NULL; key++) {
            g_autofree char *name = g_strconcat("set.", *key, NULL);
            if (find_member(line, name, &member)) {
                g_autofree char *value = tsim_flat_member_text(&member);
                g_string_append_printf(label, "%s%s=%s", label->len > 0 ? " " : "", *key, value);
            }
        }
    }
    g_autofree char *shown = g_string_free(label, FALSE);
    return tsim_page_clean(shown);
}

static char *number_text(double value)
{
    return value >= 1e4 ? tsim_text_count((uint64_t)llround(value)) : tsim_text_fixed(value, 4);
}

static void print_ratio(TsimPage *page, const Summary *summary, const Rank *rank)
{
    const Rank *best = &g_array_index(summary->ranks, Rank, 0);
    const guint n = summary->plan->replications;

    if (!(best->mean > 0.0)) {
        return;
    }
    const TsimInterval ratio =
        tsim_interval_ratio(&summary->values[best->first], &summary->values[rank->first], n);
    tsim_page_printf(page, TSIM_INK_FAINT, "  %.3f%s", ratio.mean, tsim_page_times(page));
    if (n > 1 && rank != best) {
        tsim_page_printf(page, TSIM_INK_FAINT, " (%.3f to %.3f%s)", ratio.low, ratio.high,
                         tsim_interval_excludes(&ratio, 1.0) ? "" : ", no difference");
    }
}

static void print_best(TsimPage *page, const Summary *summary)
{
    const guint n = MIN(summary->ranks->len, BEST_SHOWN);

    tsim_page_printf(page, TSIM_INK_STRONG, "Best by %s%s", summary->plan->metrics[0],
                     summary->plan->replications > 1 ? ", mean of the runs" : "");
    tsim_page_line(page);
    for (guint i = 0; i < n; i++) {
        const Rank *rank = &g_array_index(summary->ranks, Rank, i);
        g_autofree char *value = number_text(rank->mean);
        g_autofree char *label = label_of(summary, rank->point);
        tsim_page_right(page, i == 0 ? TSIM_INK_GOOD : TSIM_INK_PLAIN, 14, value);
        print_ratio(page, summary, rank);
        tsim_page_printf(page, TSIM_INK_PLAIN, "  %s", label);
        tsim_page_line(page);
    }
}

/* The best that any point with this level reaches, and the best of all, as a bar. */
static void print_level(TsimPage *page, const TsimAxis *axis, guint level, double value,
                        double best)
{
    g_autofree char *raw = tsim_axis_label(axis, level);
    g_autofree char *label = tsim_page_clean(raw);
    g_autofree char *text = number_text(value);

    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, 34, label);
    tsim_page_right(page, TSIM_INK_PLAIN, 14, text);
    tsim_page_spaces(page, 2);
    tsim_page_bar(page, BAR_COLUMNS, value > 0.0 ? best / value : 0.0, 0.0);
    tsim_page_line(page);
}

/* Which level of an axis a run had: its line says so. */
static guint level_of(const TsimAxis *axis, const char *line)
{
    g_autofree char *name = g_strconcat("set.", axis->keys[0], NULL);
    TsimFlatMember member;

    if (find_member(line, name, &member)) {
        g_autofree char *text = tsim_flat_member_text(&member);
        for (guint level = 0; level < axis->levels; level++) {
            if (strcmp(axis->values[0][level], text) == 0) {
                return level;
            }
        }
    }
    return axis->levels;
}

static void print_axis(TsimPage *page, const Summary *summary, const TsimAxis *axis)
{
    g_autofree double *best = g_new(double, axis->levels + 1);

    for (guint level = 0; level <= axis->levels; level++) {
        best[level] = HUGE_VAL;
    }
    for (guint i = 0; i < summary->ranks->len; i++) {
        const Rank *rank = &g_array_index(summary->ranks, Rank, i);
        const guint level = level_of(axis, summary->lines[rank->first]);
        best[level] = MIN(best[level], rank->mean);
    }
    tsim_page_line(page);
    tsim_page_printf(page, TSIM_INK_STRONG, "Best for each %s", axis->keys[0]);
    tsim_page_line(page);
    for (guint level = 0; level < axis->levels; level++) {
        if (best[level] < HUGE_VAL) {
            print_level(page, axis, level, best[level],
                        g_array_index(summary->ranks, Rank, 0).mean);
        }
    }
}

static void print_title(TsimPage *page, const Summary *summary)
{
    const TsimSweepPlan *plan = summary->plan;
    g_autofree char *points = tsim_text_count(plan->points);
    g_autofree char *file = tsim_page_clean(plan->file);

    tsim_page_printf(page, TSIM_INK_STRONG, "%s: %s %s", file, points,
                     plan->points == 1 ? "point" : "points");
    tsim_page_printf(page, TSIM_INK_FAINT, " (%s", tsim_sampling_names[plan->sampling]);
    if (plan->replications > 1) {
        tsim_page_printf(page, TSIM_INK_FAINT, ", %u runs each", plan->replications);
    }
    tsim_page_print(page, TSIM_INK_FAINT, ")");
    if (summary->failed > 0) {
        tsim_page_printf(page, TSIM_INK_ALERT, ", %" G_GUINT64_FORMAT " runs failed",
                         summary->failed);
    }
    if (summary->missing > 0) {
        tsim_page_printf(page, TSIM_INK_ALERT, ", %" G_GUINT64_FORMAT " runs missing",
                         summary->missing);
    }
    tsim_page_line(page);
}

void tsim_sweep_text(TsimPage *page, const TsimSweepPlan *plan, char *const *lines)
{
    g_autofree double *values = g_new(double, plan->points * plan->replications);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(Rank));
    Summary summary = {.plan = plan, .lines = lines, .values = values, .ranks = ranks};

    for (uint64_t point = 0; point < plan->points; point++) {
        read_point(&summary, point);
    }
    g_array_sort(ranks, compare_ranks);
    print_title(page, &summary);
    if (ranks->len == 0) {
        return;
    }
    tsim_page_line(page);
    print_best(page, &summary);
    for (guint axis = 0; axis < plan->axes_n; axis++) {
        if (plan->axes[axis].levels <= LEVELS_SHOWN) {
            print_axis(page, &summary, &plan->axes[axis]);
        }
    }
}
