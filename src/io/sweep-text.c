#include "io/sweep-text.h"

#include "io/encode.h"
#include "io/flat-line.h"
#include "io/sweep-rank.h"
#include "stats/interval.h"

#include <math.h>
#include <string.h>

#define BEST_SHOWN   10
#define LEVELS_SHOWN 24
#define BAR_COLUMNS  30

/* ---- Writing ---- */

/* What varies, as the line says: "tf_threshold=8 mode=onchip". */
static char *label_of(const TsimSweepRanks *ranks, uint64_t point)
{
    g_auto(GStrv) sets = tsim_sweep_ranks_sets(ranks, point);
    g_autofree char *label = g_strjoinv(" ", sets);

    return tsim_page_clean(label);
}

static char *number_text(double value)
{
    return value >= 1e4 ? tsim_text_count((uint64_t)llround(value)) : tsim_text_fixed(value, 4);
}

static void print_ratio(TsimPage *page, const TsimSweepRanks *ranks, const TsimSweepRank *rank)
{
    const TsimSweepRank *best = tsim_sweep_ranks_best(ranks);
    const guint n = ranks->plan->replications;

    if (!(best->mean > 0.0)) {
        return;
    }
    const TsimInterval ratio =
        tsim_interval_ratio(&ranks->values[best->first], &ranks->values[rank->first], n);
    tsim_page_printf(page, TSIM_INK_FAINT, "  %.3f%s", ratio.mean, tsim_page_times(page));
    if (n > 1 && rank != best) {
        tsim_page_printf(page, TSIM_INK_FAINT, " (%.3f to %.3f%s)", ratio.low, ratio.high,
                         tsim_interval_excludes(&ratio, 1.0) ? "" : ", no difference");
    }
}

static void print_best(TsimPage *page, const TsimSweepRanks *ranks)
{
    const guint n = MIN(ranks->ranks->len, BEST_SHOWN);

    tsim_page_printf(page, TSIM_INK_STRONG, "Best by %s%s", tsim_sweep_rank_metric(ranks->plan),
                     ranks->plan->replications > 1 ? ", mean of the runs" : "");
    tsim_page_line(page);
    for (guint i = 0; i < n; i++) {
        const TsimSweepRank *rank = &g_array_index(ranks->ranks, TsimSweepRank, i);
        g_autofree char *value = number_text(rank->mean);
        g_autofree char *label = label_of(ranks, rank->point);
        tsim_page_right(page, i == 0 ? TSIM_INK_GOOD : TSIM_INK_PLAIN, 14, value);
        print_ratio(page, ranks, rank);
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

/* ---- Axes ---- */

/* What the points with one level of an axis reach. */
typedef struct {
    guint level;
    double best; /* HUGE_VAL: no point has it */
} Level;

static gint compare_levels(gconstpointer a, gconstpointer b)
{
    const Level *level_a = a, *level_b = b;

    if (level_a->best < level_b->best || level_a->best > level_b->best) {
        return level_a->best < level_b->best ? -1 : 1;
    }
    return level_a->level < level_b->level ? -1 : level_a->level > level_b->level;
}

/* The lines of runs say which level they had. */
static void note_point(const TsimSweepRanks *ranks, const TsimSweepRank *rank, const char *key,
                       GHashTable *by_value)
{
    TsimFlatMember member;

    if (tsim_flat_line_find(ranks->lines[rank->first], key, &member)) {
        g_autofree char *text = tsim_flat_member_text(&member);
        Level *level = g_hash_table_lookup(by_value, text);
        if (level != NULL) {
            level->best = MIN(level->best, rank->mean);
        }
    }
}

/* Those that points have, in their order. */
static GArray *levels_of(const TsimSweepRanks *ranks, const TsimAxis *axis)
{
    g_autofree char *key = g_strconcat("set.", axis->keys[0], NULL);
    g_autofree Level *all = g_new(Level, axis->levels);
    g_autoptr(GHashTable) by_value = g_hash_table_new(g_str_hash, g_str_equal);
    GArray *levels = g_array_new(FALSE, FALSE, sizeof(Level));

    for (guint i = axis->levels; i-- > 0;) { /* of equal values the first counts */
        all[i] = (Level){i, HUGE_VAL};
        (void)g_hash_table_insert(by_value, axis->values[0][i], &all[i]);
    }
    for (guint i = 0; i < ranks->ranks->len; i++) {
        note_point(ranks, &g_array_index(ranks->ranks, TsimSweepRank, i), key, by_value);
    }
    for (guint i = 0; i < axis->levels; i++) {
        if (all[i].best < HUGE_VAL) {
            g_array_append_val(levels, all[i]);
        }
    }
    return levels;
}

/* "and 70 others, up to 12,345". */
static void print_others(TsimPage *page, const GArray *levels)
{
    const Level *worst = &g_array_index(levels, Level, levels->len - 1);
    g_autofree char *text = number_text(worst->best);
    const guint others = levels->len - BEST_SHOWN;

    tsim_page_printf(page, TSIM_INK_FAINT, "  and %u %s, up to %s", others,
                     others == 1 ? "other" : "others", text);
    tsim_page_line(page);
}

static void print_axis(TsimPage *page, const TsimSweepRanks *ranks, const TsimAxis *axis)
{
    g_autoptr(GArray) levels = levels_of(ranks, axis);
    const gboolean all = levels->len <= LEVELS_SHOWN;

    if (!all) {
        g_array_sort(levels, compare_levels);
    }
    tsim_page_line(page);
    tsim_page_printf(page, TSIM_INK_STRONG, "Best for each %s%s", axis->keys[0],
                     all ? "" : ", the best of them");
    tsim_page_line(page);
    for (guint i = 0; i < (all ? levels->len : BEST_SHOWN); i++) {
        const Level *level = &g_array_index(levels, Level, i);
        print_level(page, axis, level->level, level->best, tsim_sweep_ranks_best(ranks)->mean);
    }
    if (!all) {
        print_others(page, levels);
    }
}

static void print_title(TsimPage *page, const TsimSweepRanks *ranks)
{
    const TsimSweepPlan *plan = ranks->plan;
    g_autofree char *points = tsim_text_count(plan->points);
    g_autofree char *file = tsim_page_clean(plan->file);

    tsim_page_printf(page, TSIM_INK_STRONG, "%s: %s %s", file, points,
                     plan->points == 1 ? "point" : "points");
    tsim_page_printf(page, TSIM_INK_FAINT, " (%s", tsim_sampling_names[plan->sampling]);
    if (plan->replications > 1) {
        tsim_page_printf(page, TSIM_INK_FAINT, ", %u runs each", plan->replications);
    }
    tsim_page_print(page, TSIM_INK_FAINT, ")");
    if (ranks->failed > 0) {
        tsim_page_printf(page, TSIM_INK_ALERT, ", %" G_GUINT64_FORMAT " runs failed",
                         ranks->failed);
    }
    if (ranks->missing > 0) {
        tsim_page_printf(page, TSIM_INK_ALERT, ", %" G_GUINT64_FORMAT " runs missing",
                         ranks->missing);
    }
    tsim_page_line(page);
}

void tsim_sweep_text(TsimPage *page, const TsimSweepPlan *plan, char *const *lines)
{
    g_auto(TsimSweepRanks) ranks = tsim_sweep_ranks_of(plan, lines);

    print_title(page, &ranks);
    if (ranks.ranks->len == 0) {
        return;
    }
    tsim_page_line(page);
    print_best(page, &ranks);
    for (guint axis = 0; axis < plan->axes_n; axis++) {
        print_axis(page, &ranks, &plan->axes[axis]);
    }
}
