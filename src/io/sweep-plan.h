/* What a sweep runs: a scenario, axes, how points are chosen; and its JSON form, which a user can
 * write and which lies beside the results (plan.json).
 *
 *     { "file": "scenarios/high_tf.json", "set": ["seed=7"], "vary": ["tf_threshold=1:32:x2"],
 *       "sampling": "grid", "replications": 1, "metrics": ["elapsed_cycles"] }
 *
 * Kept plans say as well what they were made with: version and "inputs" (io/scenario-text.h). A
 * sweep goes on only when nothing of that has changed; where its files lie does not matter.
 */
#pragma once

#include "io/axis.h"
#include "io/scenario-text.h"

#define TSIM_SWEEP_SCHEMA_VERSION 1

typedef enum {
    TSIM_SAMPLING_GRID,   /* every combination; the last axis changes fastest */
    TSIM_SAMPLING_RANDOM, /* independent points */
    TSIM_SAMPLING_SOBOL,  /* a low-discrepancy sequence */
    TSIM_SAMPLING_LATIN,  /* each axis is cut evenly, each part used once */
} TsimSampling;

extern const char *const tsim_sampling_names[];

typedef struct {
    char *folder; /* that relative paths begin in, of a kept plan; NULL: the current one */
    char *file;
    char *gpu; /* NULL: the scenario's own */
    char **sets;
    char **vary; /* as written, one an axis */
    guint axes_n;
    TsimAxis *axes;
    int sampling;          /* TsimSampling */
    uint64_t points;       /* of the design; 0 in a new plan: the size of the grid, or 100 */
    uint64_t seed;         /* of the design, not of the scenario */
    uint32_t replications; /* runs a point, each with a seed of its own */
    char **metrics;        /* columns of the results; NULL-terminated */
    json_object *made_with;
} TsimSweepPlan;

/* The columns that results have unless told otherwise; NULL-terminated. */
extern const char *const tsim_sweep_metrics[];

TsimSweepPlan *tsim_sweep_plan_new(void); /* defaults, no axes */
void tsim_sweep_plan_free(TsimSweepPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimSweepPlan, tsim_sweep_plan_free)

/* Parses plan->vary and works the number of points out. FALSE and error (TSIM_ERROR_USAGE). */
gboolean tsim_sweep_plan_finish(TsimSweepPlan *plan, GError **error);

/* A plan file, finished. */
TsimSweepPlan *tsim_sweep_plan_read(const char *path, GError **error);

/* Fills in made_with from the scenario that the plan names, as it is now. */
void tsim_sweep_plan_note_inputs(TsimSweepPlan *plan, const TsimScenarioText *text);

char *tsim_sweep_plan_text(const TsimSweepPlan *plan); /* JSON; the caller frees it */

/* One line a difference ("/inputs/gpus/xbox_one/clock_mhz: was 853, is 900"); NULL when the plans
 * are the same. The caller frees it. */
char *tsim_sweep_plan_difference(const TsimSweepPlan *old, const TsimSweepPlan *new);
