/* A sweep: a plan, what has been run of it, and where that is kept.
 *
 * Run r of point p has the number p * replications + r; replication 0 has the scenario's own seed,
 * the others seeds of their own, the same for every point (common random numbers). Lines depend on
 * the plan alone: threads, shards, order and interruptions leave no trace.
 */
#pragma once

#include "io/sweep-plan.h"
#include "search/store.h"

typedef struct TsimSweepRun TsimSweepRun;

/* Takes plan. Reads the scenario and checks what the plan varies; NULL and error otherwise. folder:
 * that keeps the sweep, and a scenario that came from standard input; may be NULL. */
TsimSweepRun *tsim_sweep_run_new(TsimSweepPlan *plan, const char *folder,
                                 const char *const *search_paths, GError **error);
void tsim_sweep_run_free(TsimSweepRun *run); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimSweepRun, tsim_sweep_run_free)

const TsimSweepPlan *tsim_sweep_run_plan(const TsimSweepRun *run);
const TsimRunLines *tsim_sweep_run_lines(const TsimSweepRun *run);

/* What a folder keeps, to read. Where the sweep has become another one since, or its scenario
 * cannot be loaded, a warning (char * for the caller to free) says so, and results are as they were
 * kept: there is nothing to run then. NULL and error when the folder keeps no sweep. */
TsimSweepRun *tsim_sweep_run_look(const char *folder, const char *const *search_paths,
                                  GPtrArray *warnings, GError **error);

typedef enum {
    TSIM_KEEP_NEW,    /* refuse a folder that has a sweep */
    TSIM_KEEP_RESUME, /* go on with the sweep that the folder has, or begin */
} TsimKeep;

/* Keeps results in a folder from now on, and takes over what it has. FALSE and error
 * (TSIM_ERROR_INPUT, with the differences) when it has another sweep. name: of this process among
 * those that share the folder. warnings receives char * lines. */
gboolean tsim_sweep_run_keep(TsimSweepRun *run, const char *folder, TsimKeep keep, const char *name,
                             GPtrArray *warnings, GError **error);

typedef struct {
    guint threads;       /* 0: one a processor */
    guint shard, shards; /* points p with p mod shards = shard; shards 0: all */
    gint *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL; one call a time */
    void *user;
} TsimSweepWork;

/* Runs what is missing. TRUE also when it was stopped. Writes the results file once every run of
 * the plan is there, whoever made it. */
gboolean tsim_sweep_run_work(TsimSweepRun *run, const TsimSweepWork *work, GError **error);

/* Missing runs of a shard. */
uint64_t tsim_sweep_run_missing(const TsimSweepRun *run, guint shard, guint shards);

/* One HTML page (io/sweep-html.h) of what has been run. The scenario is run once more, a run a
 * replication, with none of the axes: for what is gained. */
gboolean tsim_sweep_run_write_page(const TsimSweepRun *run, const char *path, GError **error);
