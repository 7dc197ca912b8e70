#include "io/sweep-rank.h"

#include "io/flat-line.h"
#include "io/point-line.h"
#include "stats/interval.h"

#include <math.h>
#include <string.h>

double tsim_sweep_value(const char *line, const char *metric)
{
    TsimFlatMember member;

    return line != NULL && tsim_flat_line_find(line, metric, &member) && !member.is_text
               ? g_ascii_strtod(member.value, NULL)
               : (double)NAN;
}

const char *tsim_sweep_rank_metric(const TsimSweepPlan *plan)
{
    return strcmp(plan->metrics[0], TSIM_ALL_METRICS) == 0 ? tsim_sweep_metrics[0]
                                                           : plan->metrics[0];
}

static gint compare_ranks(gconstpointer a, gconstpointer b)
{
    const TsimSweepRank *rank_a = a, *rank_b = b;

    if (rank_a->mean < rank_b->mean || rank_a->mean > rank_b->mean) {
        return rank_a->mean < rank_b->mean ? -1 : 1;
    }
    return rank_a->point < rank_b->point ? -1 : rank_a->point > rank_b->point;
}

static void read_point(TsimSweepRanks *ranks, uint64_t point)
{
    const guint replications = ranks->plan->replications;
    const char *metric = tsim_sweep_rank_metric(ranks->plan);
    const gsize first = point * replications;
    guint done = 0;

    for (guint i = 0; i < replications; i++) {
        const char *line = ranks->lines[first + i];
        const double value = tsim_sweep_value(line, metric);
        ranks->values[first + i] = value;
        ranks->missing += line == NULL;
        ranks->failed += line != NULL && isnan(value);
        done += isnan(value) ? 0 : 1;
    }
    if (done == replications) {
        const TsimSweepRank rank = {point, tsim_interval(&ranks->values[first], replications).mean,
                                    first};
        g_array_append_val(ranks->ranks, rank);
    }
}

TsimSweepRanks tsim_sweep_ranks_of(const TsimSweepPlan *plan, char *const *lines)
{
    TsimSweepRanks ranks = {.plan = plan,
                            .lines = lines,
                            .values = g_new(double, plan->points * plan->replications),
                            .ranks = g_array_new(FALSE, FALSE, sizeof(TsimSweepRank))};

    for (uint64_t point = 0; point < plan->points; point++) {
        read_point(&ranks, point);
    }
    g_array_sort(ranks.ranks, compare_ranks);
    return ranks;
}

void tsim_sweep_ranks_clear(TsimSweepRanks *ranks)
{
    g_free(ranks->values);
    g_array_unref(ranks->ranks);
    *ranks = (TsimSweepRanks){0};
}

const TsimSweepRank *tsim_sweep_ranks_best(const TsimSweepRanks *ranks)
{
    return ranks->ranks->len > 0 ? &g_array_index(ranks->ranks, TsimSweepRank, 0) : NULL;
}

char **tsim_sweep_ranks_sets(const TsimSweepRanks *ranks, uint64_t point)
{
    const char *line = ranks->lines[point * ranks->plan->replications];
    g_autoptr(GStrvBuilder) sets = g_strv_builder_new();
    TsimFlatMember member;

    for (guint axis = 0; axis < ranks->plan->axes_n; axis++) {
        for (char **key = ranks->plan->axes[axis].keys; *key != NULL; key++) {
            g_autofree char *name = g_strconcat("set.", *key, NULL);
            if (tsim_flat_line_find(line, name, &member)) {
                g_autofree char *value = tsim_flat_member_text(&member);
                g_autofree char *set = g_strconcat(*key, "=", value, NULL);
                g_strv_builder_add(sets, set);
            }
        }
    }
    return g_strv_builder_end(sets);
}
