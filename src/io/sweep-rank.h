/* The points of a sweep in order of merit.
 *
 * A point counts by the first metric of the plan, lower is better: the mean of its runs. Points of
 * which a run is missing or has failed have no rank.
 */
#pragma once

#include "io/sweep-plan.h"

typedef struct {
    uint64_t point;
    double mean;
    gsize first; /* its runs in lines and values */
} TsimSweepRank;

typedef struct {
    const TsimSweepPlan *plan; /* borrowed */
    char *const *lines;        /* borrowed: one a run, in order; NULL: missing */
    double *values;            /* the first metric of each run; NaN: none */
    GArray *ranks;             /* of TsimSweepRank, best first */
    uint64_t missing, failed;  /* runs */
} TsimSweepRanks;

/* The metric that ranks. */
const char *tsim_sweep_rank_metric(const TsimSweepPlan *plan);

TsimSweepRanks tsim_sweep_ranks_of(const TsimSweepPlan *plan, char *const *lines);
void tsim_sweep_ranks_clear(TsimSweepRanks *ranks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimSweepRanks, tsim_sweep_ranks_clear)

/* NULL when no point has a rank. */
const TsimSweepRank *tsim_sweep_ranks_best(const TsimSweepRanks *ranks);

/* What varies, as the line of the point says: "tf_threshold=8" and so on, NULL-terminated; the
 * caller frees it. */
char **tsim_sweep_ranks_sets(const TsimSweepRanks *ranks, uint64_t point);

/* A number of a run's line; NaN when the line is missing, failed, or has no such number. */
double tsim_sweep_value(const char *line, const char *metric);
