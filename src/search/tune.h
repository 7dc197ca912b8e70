/* The search for the best settings: far fewer runs than the grid.
 *
 * A coarse screen over all axes, then local searches from its best points: one axis after the other
 * is scanned as a whole until none gets better, then pairs of neighbours. Losers are raced out: a
 * candidate stops once it can no longer come within 2 % of the best, be it in the middle of a run.
 * A candidate's score is the weighted mean, over files and replications, of its figure by that of
 * the driver's defaults: below 1 is better. Batches are fixed before they run, so threads do not
 * change the answer.
 */
#pragma once

#include "io/axis.h"
#include "io/scenario-text.h"
#include "stats/interval.h"
#include "stats/result.h"

typedef enum {
    TSIM_GOAL_ELAPSED,   /* time */
    TSIM_GOAL_LDS,       /* LDS held, bytes times cycles */
    TSIM_GOAL_BANDWIDTH, /* bytes moved to and from DRAM */
    TSIM_GOAL_OCCUPANCY, /* resident waves: the more, the better */
    TSIM_GOAL_P99_GROUP, /* life of a threadgroup that 99 of 100 do not exceed */
} TsimGoal;

extern const char *const tsim_goal_names[];
extern const char *const tsim_goal_words[];

/* The figure of a run that a goal looks at; lower is better. */
double tsim_goal_figure(TsimGoal goal, const TsimResult *result);

/* A point within this of the best belongs to the flat region. */
#define TSIM_TUNE_FLAT 0.01

typedef struct {
    guint files_n;
    TsimScenarioText *const *files;
    const double *weights; /* of each file */
    guint axes_n;
    const TsimAxis *axes;
    uint64_t grid;               /* points of the axes (tsim_axes_check) */
    const char *const *defaults; /* "KEY=VALUE": what the driver would do; NULL-terminated */
    TsimGoal goal;
    guint replications; /* seeds of each file, at least 1 */
    uint64_t runs_max;  /* candidates that may be run; 0: a tenth of the grid */
    guint threads;
    gint *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *user;
} TsimTuneTask;

typedef struct {
    guint low, high;  /* levels around the best, all within TSIM_TUNE_FLAT of it */
    gboolean is_open; /* it may go on: what lies beyond was not tried */
    gboolean is_idle; /* no level makes any difference; the range is the whole axis */
} TsimFlatRange;

typedef struct {
    guint axes_n;
    guint *levels;                 /* the best; unused when the defaults are */
    gboolean is_default;           /* nothing beats the driver's defaults */
    double score;                  /* of the best */
    TsimFlatRange *flat;           /* one an axis */
    TsimInterval *ratios;          /* one a file: best by default, paired over the replications */
    TsimResult **defaults, **best; /* one a file: the run with the scenario's own seed */
    gboolean is_random;            /* another seed gives another figure; of single runs only */
    /* The mode, on-chip or off-chip, that was not tried because no axis has it: NULL: there is
     * none; one run a file with the defaults, and how much better (above 1) than the best these
     * are. */
    const char *other_mode;
    TsimResult **other;
    double other_gain;
    guint files_n;
    uint64_t candidates, grid; /* run, and in the grid */
} TsimTuned;

/* NULL and error when the defaults cannot be run, or the search was stopped. */
TsimTuned *tsim_tune_search(const TsimTuneTask *task, GError **error);
void tsim_tuned_free(TsimTuned *tuned); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimTuned, tsim_tuned_free)

/* The best settings as "KEY=VALUE"s, NULL-terminated; the caller frees them. */
char **tsim_tuned_sets(const TsimTuned *tuned, const TsimTuneTask *task);

/* The most patches a threadgroup that every draw of the file can have; 0 when it has no draw. */
guint tsim_tune_patches_max(const TsimScenarioText *text, GError **error);
