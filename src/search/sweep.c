#include "search/sweep.h"

#include "base/error.h"
#include "io/point-line.h"
#include "io/sweep-html.h"
#include "search/design.h"
#include "search/trial.h"
#include "search/workers.h"

#include <pthread.h>
#include <string.h>

/* The scenario with none of the axes. */
#define NO_POINT UINT64_MAX

#define SEED_SET "seed="

struct TsimSweepRun {
    TsimSweepPlan *plan;
    TsimScenarioText *text; /* NULL: only looked at, and not what it was */
    TsimDesign *design;
    char *scenario_name;
    uint64_t seed; /* of the scenario */
    TsimRunLines *lines;
    TsimStore *store; /* NULL: nothing is kept */
};

/* ---- One run ---- */

static void add_point_sets(const TsimSweepRun *run, uint64_t point, GPtrArray *sets)
{
    for (guint axis = 0; axis < run->plan->axes_n; axis++) {
        const TsimAxis *values = &run->plan->axes[axis];
        const guint level = tsim_design_level(run->design, point, axis);
        for (guint key = 0; key < values->keys_n; key++) {
            g_ptr_array_add(sets, tsim_axis_set(values, key, level));
        }
    }
}

/* The sets of a run beyond those of the plan, NULL-terminated. */
static GPtrArray *sets_of(const TsimSweepRun *run, uint64_t point, uint64_t replication)
{
    GPtrArray *sets = g_ptr_array_new_with_free_func(g_free);

    if (point != NO_POINT) {
        add_point_sets(run, point, sets);
    }
    if (replication > 0) {
        g_ptr_array_add(sets, g_strdup_printf(SEED_SET "%" G_GUINT64_FORMAT,
                                              tsim_trial_seed(run->seed, replication)));
    }
    g_ptr_array_add(sets, NULL);
    return sets;
}

/* All settings that the line shows: the seed has a place of its own. */
static GPtrArray *shown_sets(const TsimSweepRun *run, const GPtrArray *sets, gboolean seeded)
{
    GPtrArray *shown = g_ptr_array_new();

    for (char **set = run->plan->sets; *set != NULL; set++) {
        g_ptr_array_add(shown, *set);
    }
    for (guint i = 0; i + (seeded ? 2 : 1) < sets->len; i++) {
        g_ptr_array_add(shown, sets->pdata[i]);
    }
    g_ptr_array_add(shown, NULL);
    return shown;
}

/* Of a run that failed before it could say so itself. */
static uint64_t seed_of(const TsimSweepRun *run, const GPtrArray *sets)
{
    uint64_t seed = run->seed;

    for (guint i = 0; i + 1 < sets->len; i++) {
        const char *set = sets->pdata[i];
        if (g_str_has_prefix(set, SEED_SET)) {
            (void)g_ascii_string_to_unsigned(set + strlen(SEED_SET), 10, 0, G_MAXUINT64, &seed,
                                             NULL);
        }
    }
    return seed;
}

static char *make_line(const TsimSweepRun *run, uint64_t point, uint64_t replication)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) sets = sets_of(run, point, replication);
    g_autoptr(GPtrArray) shown = shown_sets(run, sets, replication > 0);
    g_autoptr(TsimResult) result =
        tsim_trial_run_text(run->text, (const char *const *)sets->pdata, 0, &error);
    const TsimPointId id = {point, replication, result != NULL ? result->seed : seed_of(run, sets),
                            run->scenario_name, (const char *const *)shown->pdata};

    return tsim_point_line(run->plan, &id, result, error);
}

/* ---- Beginning ---- */

/* An axis of which neither end can be loaded is a mistake, not a finding. */
static gboolean check_axis(const TsimScenarioText *text, const TsimAxis *axis, GError **error)
{
    const guint ends[] = {0, axis->levels - 1};
    g_autoptr(GError) first = NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);
        for (guint key = 0; key < axis->keys_n; key++) {
            g_ptr_array_add(sets, tsim_axis_set(axis, key, ends[i]));
        }
        g_ptr_array_add(sets, NULL);
        g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(
            text, (const char *const *)sets->pdata, NULL, first == NULL ? &first : NULL);
        if (scenario != NULL) {
            return TRUE;
        }
    }
    g_propagate_error(error, g_steal_pointer(&first));
    return FALSE;
}

static gboolean check(TsimSweepRun *run, GError **error)
{
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(run->text, NULL, NULL, error);

    if (scenario == NULL || !tsim_point_line_check_metrics(run->plan->metrics, error)) {
        return FALSE;
    }
    run->scenario_name = g_strdup(scenario->name);
    run->seed = scenario->seed;
    for (guint i = 0; i < run->plan->axes_n; i++) {
        if (!check_axis(run->text, &run->plan->axes[i], error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean is_stdin(const TsimSweepPlan *plan)
{
    return strcmp(plan->file, "-") == 0;
}

static TsimScenarioText *read_scenario(const TsimSweepPlan *plan, const char *folder,
                                       const char *const *search_paths, GError **error)
{
    const char *const *sets = (const char *const *)plan->sets;

    if (folder == NULL || !is_stdin(plan)) {
        return tsim_scenario_text_read(plan->file, sets, plan->gpu, search_paths, error);
    }
    g_autofree char *kept = g_build_filename(folder, TSIM_STORE_STDIN, NULL);
    return tsim_scenario_text_read_kept(kept, sets, plan->gpu, search_paths, error);
}

TsimSweepRun *tsim_sweep_run_new(TsimSweepPlan *plan, const char *folder,
                                 const char *const *search_paths, GError **error)
{
    g_autoptr(TsimSweepRun) run = g_new0(TsimSweepRun, 1);

    run->plan = plan;
    run->text = read_scenario(plan, folder, search_paths, error);
    run->design = run->text != NULL ? tsim_design_new(plan, error) : NULL;
    if (run->design == NULL || !check(run, error)) {
        return NULL;
    }
    tsim_scenario_text_keep_gpu(run->text);
    run->lines = tsim_run_lines_new(plan->points * plan->replications);
    tsim_sweep_plan_note_inputs(run->plan, run->text);
    return g_steal_pointer(&run);
}

void tsim_sweep_run_free(TsimSweepRun *run)
{
    if (run == NULL) {
        return;
    }
    tsim_sweep_plan_free(run->plan);
    tsim_scenario_text_free(run->text);
    tsim_design_free(run->design);
    g_free(run->scenario_name);
    tsim_run_lines_free(run->lines);
    tsim_store_free(run->store);
    g_free(run);
}

const TsimSweepPlan *tsim_sweep_run_plan(const TsimSweepRun *run)
{
    return run->plan;
}

const TsimRunLines *tsim_sweep_run_lines(const TsimSweepRun *run)
{
    return run->lines;
}

/* ---- Keeping ---- */

static gboolean check_same(const TsimSweepRun *run, const char *path, GError **error)
{
    g_autoptr(TsimSweepPlan) kept = tsim_sweep_plan_read(path, error);

    if (kept == NULL) {
        return FALSE;
    }
    g_autofree char *difference = tsim_sweep_plan_difference(kept, run->plan);
    if (difference != NULL) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: cannot go on, the sweep is another one now:\n%s", path, difference);
        return FALSE;
    }
    return TRUE;
}

/* Why it cannot be taken for the sweep that was kept; NULL: it can. */
static char *what_changed(const TsimSweepRun *run, const TsimSweepPlan *kept, const char *failure)
{
    g_autofree char *difference =
        run != NULL ? tsim_sweep_plan_difference(kept, run->plan) : g_strdup(failure);

    return difference != NULL
               ? g_strconcat("the sweep is another one now; results are as they were kept:\n",
                             difference, NULL)
               : NULL;
}

/* A sweep of which nothing is known but what its plan says. */
static TsimSweepRun *bare_run(TsimSweepPlan *plan, GError **error)
{
    g_autoptr(TsimSweepRun) run = g_new0(TsimSweepRun, 1);

    run->plan = plan;
    run->design = tsim_design_new(plan, error);
    run->lines = tsim_run_lines_new(plan->points * plan->replications);
    return run->design != NULL ? g_steal_pointer(&run) : NULL;
}

/* Takes kept. */
static TsimSweepRun *same_or_bare(TsimSweepPlan *kept, TsimSweepRun *now, const char *failure,
                                  GPtrArray *warnings, GError **error)
{
    char *change = what_changed(now, kept, failure);

    if (change == NULL) {
        tsim_sweep_plan_free(kept);
        return now;
    }
    g_ptr_array_add(warnings, change);
    tsim_sweep_run_free(now);
    return bare_run(kept, error);
}

TsimSweepRun *tsim_sweep_run_look(const char *folder, const char *const *search_paths,
                                  GPtrArray *warnings, GError **error)
{
    g_autofree char *path = g_build_filename(folder, TSIM_STORE_PLAN, NULL);
    g_autoptr(TsimSweepPlan) kept = tsim_sweep_plan_read(path, error);
    g_autoptr(GError) failure = NULL;

    if (kept == NULL) {
        return NULL;
    }
    TsimSweepRun *now =
        tsim_sweep_run_new(tsim_sweep_plan_read(path, NULL), folder, search_paths, &failure);
    g_autoptr(TsimSweepRun) run = same_or_bare(
        g_steal_pointer(&kept), now, failure != NULL ? failure->message : NULL, warnings, error);
    if (run == NULL) {
        return NULL;
    }
    run->store = tsim_store_open(folder, "", error);
    return run->store != NULL &&
                   tsim_store_load(run->store, run->plan->replications, run->lines, warnings, error)
               ? g_steal_pointer(&run)
               : NULL;
}

/* The scenario first: a folder with a plan has everything that it needs. */
static gboolean keep_plan(TsimSweepRun *run, const char *path, GError **error)
{
    g_autofree char *scenario = tsim_store_path(run->store, TSIM_STORE_STDIN);

    g_free(run->plan->folder);
    run->plan->folder = g_get_current_dir();
    g_autofree char *text = tsim_sweep_plan_text(run->plan);
    return (!is_stdin(run->plan) ||
            tsim_store_write_file(scenario, run->text->text->str, run->text->text->len, error)) &&
           tsim_store_write_file(path, text, strlen(text), error);
}

gboolean tsim_sweep_run_keep(TsimSweepRun *run, const char *folder, TsimKeep keep, const char *name,
                             GPtrArray *warnings, GError **error)
{
    run->store = tsim_store_open(folder, name, error);
    if (run->store == NULL) {
        return FALSE;
    }
    g_autofree char *path = tsim_store_path(run->store, TSIM_STORE_PLAN);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        return keep_plan(run, path, error);
    }
    if (keep == TSIM_KEEP_NEW) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "%s has a sweep already; --resume goes on with it", folder);
        return FALSE;
    }
    return check_same(run, path, error) &&
           tsim_store_load(run->store, run->plan->replications, run->lines, warnings, error);
}

/* ---- Running ---- */

typedef struct {
    TsimSweepRun *run;
    const TsimSweepWork *work;
    GArray *missing; /* of uint64_t, run numbers */
    pthread_mutex_t lock;
    uint64_t done;
    gint stop; /* a line cannot be written, or the caller wants it */
    GError *error;
} Working;

static gboolean is_of_shard(const TsimSweepRun *run, uint64_t number, guint shard, guint shards)
{
    return shards == 0 || number / run->plan->replications % shards == shard;
}

static void take_line(Working *working, uint64_t number, char *line)
{
    TsimSweepRun *run = working->run;

    if (run->store != NULL && working->error == NULL &&
        !tsim_store_append(run->store, line, &working->error)) {
        g_atomic_int_set(&working->stop, 1);
    }
    tsim_run_lines_put(run->lines, number, line);
    working->done++;
    if (working->work->progress != NULL) {
        working->work->progress(working->work->user, working->done, working->missing->len);
    }
}

static void run_one(void *user, uint64_t index)
{
    Working *working = user;
    const uint64_t number = g_array_index(working->missing, uint64_t, index);
    const uint32_t replications = working->run->plan->replications;

    if (working->work->stop != NULL && g_atomic_int_get(working->work->stop) != 0) {
        g_atomic_int_set(&working->stop, 1);
        return;
    }
    char *line = make_line(working->run, number / replications, number % replications);
    (void)pthread_mutex_lock(&working->lock);
    take_line(working, number, line);
    (void)pthread_mutex_unlock(&working->lock);
}

static GArray *missing_runs(const TsimSweepRun *run, guint shard, guint shards)
{
    GArray *missing = g_array_new(FALSE, FALSE, sizeof(uint64_t));

    for (uint64_t number = 0; number < run->lines->n; number++) {
        if (run->lines->lines[number] == NULL && is_of_shard(run, number, shard, shards)) {
            g_array_append_val(missing, number);
        }
    }
    return missing;
}

/* Other shards may have ended meanwhile. */
static gboolean finish(TsimSweepRun *run, GError **error)
{
    if (run->store == NULL) {
        return TRUE;
    }
    if (run->lines->done < run->lines->n &&
        !tsim_store_load(run->store, run->plan->replications, run->lines, NULL, error)) {
        return FALSE;
    }
    return run->lines->done < run->lines->n || tsim_store_finish(run->store, run->lines, error);
}

gboolean tsim_sweep_run_work(TsimSweepRun *run, const TsimSweepWork *work, GError **error)
{
    g_autoptr(GArray) missing = missing_runs(run, work->shard, work->shards);
    Working working = {.run = run, .work = work, .missing = missing};

    TSIM_ASSERT(run->text != NULL);
    (void)pthread_mutex_init(&working.lock, NULL);
    tsim_workers_run(work->threads, missing->len, run_one, &working, &working.stop);
    (void)pthread_mutex_destroy(&working.lock);
    if (working.error != NULL) {
        g_propagate_error(error, working.error);
        return FALSE;
    }
    return finish(run, error);
}

uint64_t tsim_sweep_run_missing(const TsimSweepRun *run, guint shard, guint shards)
{
    g_autoptr(GArray) missing = missing_runs(run, shard, shards);

    return missing->len;
}

/* ---- The page ---- */

/* One line a replication. */
static char **own_lines(const TsimSweepRun *run)
{
    char **lines = g_new0(char *, run->plan->replications + 1);

    for (uint32_t i = 0; i < run->plan->replications; i++) {
        lines[i] = make_line(run, NO_POINT, i);
    }
    return lines;
}

static uint32_t *all_levels(const TsimSweepRun *run)
{
    const guint axes = run->plan->axes_n;
    uint32_t *levels = g_new(uint32_t, run->plan->points * axes);

    for (uint64_t i = 0; i < run->plan->points * axes; i++) {
        levels[i] = tsim_design_level(run->design, i / axes, (guint)(i % axes));
    }
    return levels;
}

gboolean tsim_sweep_run_write_page(const TsimSweepRun *run, const char *path, GError **error)
{
    if (run->text == NULL) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                            "a page runs the scenario once more, and it is not what it was");
        return FALSE;
    }
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(run->text, NULL, NULL, error);
    if (scenario == NULL) {
        return FALSE;
    }
    g_auto(GStrv) own = own_lines(run);
    g_autofree uint32_t *levels = all_levels(run);
    const TsimSweepPage page = {run->plan,
                                run->scenario_name,
                                scenario->description,
                                scenario->gpu_name,
                                run->seed,
                                run->lines->lines,
                                own,
                                levels};

    return tsim_sweep_html_write(&page, path, error);
}
