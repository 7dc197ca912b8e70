/* The facade of everything that runs a scenario many times: sweeps, the search for settings,
 * what-if studies. */
#include "base/error.h"
#include "io/line-table.h"
#include "io/page.h"
#include "io/point-line.h"
#include "io/sweep-html.h"
#include "io/sweep-text.h"
#include "search/explain.h"
#include "search/sweep.h"
#include "search/tune-report.h"
#include "tesssim.h"

static const char *const *search_paths(const TsimLoadOptions *options)
{
    return options != NULL ? options->search_paths : NULL;
}

static TsimPage new_page(const TsimStyle *style)
{
    TsimPage page;

    tsim_page_init(&page, style != NULL ? style->columns : 0, style != NULL && style->color,
                   style != NULL && style->utf8);
    return page;
}

/* ---- Sweeps ---- */

struct TsimSweep {
    TsimSweepRun *run;
};

/* Takes run, which may be NULL. */
static TsimSweep *sweep_of(TsimSweepRun *run)
{
    if (run == NULL) {
        return NULL;
    }
    TsimSweep *sweep = g_new0(TsimSweep, 1);
    sweep->run = run;
    return sweep;
}

static TsimSweep *new_sweep(TsimSweepPlan *plan, const char *folder, const TsimLoadOptions *load,
                            GError **error)
{
    return sweep_of(tsim_sweep_run_new(plan, folder, search_paths(load), error));
}

static void set_list(char ***list, const char *const *words)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();

    for (; words != NULL && *words != NULL; words++) {
        g_strv_builder_add(builder, *words);
    }
    g_strfreev(*list);
    *list = g_strv_builder_end(builder);
}

static gboolean set_design(TsimSweepPlan *plan, const TsimSweepDesign *design, GError **error)
{
    set_list(&plan->vary, design->vary);
    plan->sampling = design->sampling != NULL
                         ? tsim_word_index(tsim_sampling_names, design->sampling)
                         : TSIM_SAMPLING_GRID;
    if (plan->sampling < 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "there is no sampling \"%s\", only grid, random, sobol and latin",
                    design->sampling);
        return FALSE;
    }
    if (design->metrics != NULL) {
        g_strfreev(plan->metrics);
        plan->metrics = g_strsplit(*design->metrics != '\0' ? design->metrics : ",", ",", -1);
    }
    plan->points = design->points;
    plan->seed = design->design_seed > 0 ? design->design_seed : plan->seed;
    plan->replications = MAX(design->replications, 1);
    return tsim_sweep_plan_finish(plan, error);
}

TsimSweep *tsim_sweep_new(const char *path, const TsimLoadOptions *load,
                          const TsimSweepDesign *design, GError **error)
{
    g_autoptr(TsimSweepPlan) plan = tsim_sweep_plan_new();

    plan->file = g_strdup(path);
    plan->gpu = g_strdup(load != NULL ? load->gpu : NULL);
    set_list(&plan->sets, load != NULL ? load->sets : NULL);
    return set_design(plan, design, error) ? new_sweep(g_steal_pointer(&plan), NULL, load, error)
                                           : NULL;
}

char *tsim_sweep_folder(const char *path)
{
    g_autofree char *file = g_build_filename(path, TSIM_STORE_PLAN, NULL);
    g_autoptr(TsimSweepPlan) plan = tsim_sweep_plan_read(file, NULL);

    return plan != NULL ? g_steal_pointer(&plan->folder) : NULL;
}

TsimSweep *tsim_sweep_open(const char *path, const TsimLoadOptions *load, const char *name,
                           GPtrArray *warnings, GError **error)
{
    const gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autofree char *file =
        is_folder ? g_build_filename(path, TSIM_STORE_PLAN, NULL) : g_strdup(path);
    TsimSweepPlan *plan = tsim_sweep_plan_read(file, error);
    g_autoptr(TsimSweep) sweep =
        plan != NULL ? new_sweep(plan, is_folder ? path : NULL, load, error) : NULL;

    if (sweep == NULL ||
        (is_folder && !tsim_sweep_keep(sweep, path, TRUE, name, warnings, error))) {
        return NULL;
    }
    return g_steal_pointer(&sweep);
}

TsimSweep *tsim_sweep_look(const char *path, const TsimLoadOptions *load, GPtrArray *warnings,
                           GError **error)
{
    return g_file_test(path, G_FILE_TEST_IS_DIR)
               ? sweep_of(tsim_sweep_run_look(path, search_paths(load), warnings, error))
               : tsim_sweep_open(path, load, "", warnings, error);
}

void tsim_sweep_free(TsimSweep *sweep)
{
    if (sweep == NULL) {
        return;
    }
    tsim_sweep_run_free(sweep->run);
    g_free(sweep);
}

gboolean tsim_sweep_keep(TsimSweep *sweep, const char *folder, gboolean resume, const char *name,
                         GPtrArray *warnings, GError **error)
{
    return tsim_sweep_run_keep(sweep->run, folder, resume ? TSIM_KEEP_RESUME : TSIM_KEEP_NEW, name,
                               warnings, error);
}

gboolean tsim_sweep_run(TsimSweep *sweep, const TsimSweepOptions *options, GError **error)
{
    const TsimSweepWork work = {options->threads, options->shard,    options->shards,
                                options->stop,    options->progress, options->user};

    return tsim_sweep_run_work(sweep->run, &work, error);
}

uint64_t tsim_sweep_runs(const TsimSweep *sweep)
{
    return tsim_sweep_run_lines(sweep->run)->n;
}

uint64_t tsim_sweep_done(const TsimSweep *sweep)
{
    return tsim_sweep_run_lines(sweep->run)->done;
}

uint64_t tsim_sweep_failed(const TsimSweep *sweep)
{
    const TsimRunLines *lines = tsim_sweep_run_lines(sweep->run);
    uint64_t failed = 0;

    for (uint64_t i = 0; i < lines->n; i++) {
        failed += lines->lines[i] != NULL && tsim_point_line_is_failed(lines->lines[i]);
    }
    return failed;
}

uint64_t tsim_sweep_missing(const TsimSweep *sweep, guint shard, guint shards)
{
    return tsim_sweep_run_missing(sweep->run, shard, shards);
}

char *tsim_sweep_plan(const TsimSweep *sweep)
{
    return tsim_sweep_plan_text(tsim_sweep_run_plan(sweep->run));
}

static TsimLineTable table_of(const TsimSweep *sweep)
{
    const TsimRunLines *lines = tsim_sweep_run_lines(sweep->run);

    return tsim_line_table_new(lines->lines, lines->n);
}

static char *join_lines(const TsimRunLines *lines)
{
    GString *text = g_string_new(NULL);

    for (uint64_t i = 0; i < lines->n; i++) {
        g_string_append(text, lines->lines[i] != NULL ? lines->lines[i] : "");
    }
    return g_string_free(text, FALSE);
}

char *tsim_sweep_format(const TsimSweep *sweep, TsimFormat format, const TsimStyle *style)
{
    const TsimRunLines *lines = tsim_sweep_run_lines(sweep->run);

    if (format == TSIM_FORMAT_CSV) {
        g_auto(TsimLineTable) table = table_of(sweep);
        return tsim_line_table_csv(&table);
    }
    if (format == TSIM_FORMAT_JSON) {
        return join_lines(lines);
    }
    TsimPage page = new_page(style);
    tsim_sweep_text(&page, tsim_sweep_run_plan(sweep->run), lines->lines);
    return tsim_page_finish(&page);
}

gboolean tsim_sweep_write_sqlite(const TsimSweep *sweep, const char *path, GError **error)
{
    g_auto(TsimLineTable) table = table_of(sweep);

    return tsim_line_table_sqlite(&table, path, error);
}

gboolean tsim_sweep_check_report(const TsimSweep *sweep, const char *path, GError **error)
{
    if (tsim_sweep_runs(sweep) > TSIM_SWEEP_HTML_RUNS_MAX) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "a page holds %d runs at most and this sweep has %" G_GUINT64_FORMAT
                    "; --sqlite holds any number",
                    TSIM_SWEEP_HTML_RUNS_MAX, tsim_sweep_runs(sweep));
        return FALSE;
    }
    return tsim_report_check(path, error);
}

gboolean tsim_sweep_write_report(const TsimSweep *sweep, const char *path, GError **error)
{
    return tsim_sweep_check_report(sweep, path, error) &&
           tsim_sweep_run_write_page(sweep->run, path, error);
}

/* ---- The best settings ---- */

typedef struct {
    TsimTuneTask task;
    TsimScenarioText **files;
    double *weights;
    GArray *axes; /* of TsimAxis */
} Tuning;

static void clear_tuning(Tuning *tuning)
{
    for (guint i = 0; i < tuning->task.files_n; i++) {
        tsim_scenario_text_free(tuning->files[i]);
    }
    g_free(tuning->files);
    g_free(tuning->weights);
    g_array_unref(tuning->axes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Tuning, clear_tuning)

static void clear_axis(void *axis)
{
    tsim_axis_clear(axis);
}

static gboolean add_axis(Tuning *tuning, const char *text, GError **error)
{
    TsimAxis axis;

    if (!tsim_axis_parse(&axis, text, error)) {
        return FALSE;
    }
    g_array_append_val(tuning->axes, axis);
    return TRUE;
}

/* T3, T8, T9: all that a pipeline state can say. */
static gboolean add_default_axes(Tuning *tuning, GError **error)
{
    guint patches_max = G_MAXUINT;

    for (guint i = 0; i < tuning->task.files_n; i++) {
        g_autoptr(GError) failure = NULL;
        const guint most = tsim_tune_patches_max(tuning->files[i], &failure);
        if (failure != NULL) {
            g_propagate_error(error, g_steal_pointer(&failure));
            return FALSE;
        }
        if (most == 0) {
            g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: there is no draw to tune",
                        tuning->files[i]->path);
            return FALSE;
        }
        patches_max = MIN(patches_max, most);
    }
    g_autofree char *patches = g_strdup_printf("patches_per_threadgroup=1:%u", patches_max);
    return add_axis(tuning, patches, error) &&
           add_axis(tuning, "tf_threshold=1,2,4,8,12,16,32,64", error) &&
           add_axis(tuning, "ds_wave_threshold=0:15", error);
}

static gboolean add_axes(Tuning *tuning, const char *const *vary, GError **error)
{
    gboolean ok = TRUE;

    if (vary == NULL || *vary == NULL) {
        ok = add_default_axes(tuning, error);
    }
    for (; ok && vary != NULL && *vary != NULL; vary++) {
        ok = add_axis(tuning, *vary, error);
    }
    tuning->task.axes = (const TsimAxis *)(const void *)tuning->axes->data;
    tuning->task.axes_n = tuning->axes->len;
    return ok && tsim_axes_check(tuning->task.axes, tuning->task.axes_n, tuning->task.replications,
                                 &tuning->task.grid, error);
}

static gboolean add_files(Tuning *tuning, const TsimTuneFile *files, guint files_n,
                          const TsimLoadOptions *load, GError **error)
{
    tuning->files = g_new0(TsimScenarioText *, files_n);
    tuning->weights = g_new0(double, files_n);
    for (guint i = 0; i < files_n; i++) {
        tuning->weights[i] = files[i].weight;
        tuning->files[i] =
            tsim_scenario_text_read(files[i].path, load != NULL ? load->sets : NULL,
                                    load != NULL ? load->gpu : NULL, search_paths(load), error);
        if (tuning->files[i] == NULL) {
            return FALSE;
        }
        tsim_scenario_text_keep_gpu(tuning->files[i]);
        tuning->task.files_n++;
    }
    tuning->task.files = tuning->files;
    tuning->task.weights = tuning->weights;
    return TRUE;
}

static gboolean set_goal(TsimTuneTask *task, const char *goal, GError **error)
{
    const int index = goal != NULL ? tsim_word_index(tsim_goal_names, goal) : TSIM_GOAL_ELAPSED;

    if (index < 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "there is no goal \"%s\", only elapsed, lds, bandwidth, occupancy and "
                    "p99-group",
                    goal);
        return FALSE;
    }
    task->goal = (TsimGoal)index;
    return TRUE;
}

/* Each file by itself, for what it gives up; an empty list on failure. */
static GPtrArray *tune_alone(const TsimTuneTask *task, GError **error)
{
    GPtrArray *alone = g_ptr_array_new_with_free_func((GDestroyNotify)tsim_tuned_free);

    for (guint i = 0; i < task->files_n; i++) {
        TsimTuneTask one = *task;
        one.files_n = 1;
        one.files = &task->files[i];
        one.weights = &task->weights[i];
        TsimTuned *tuned = tsim_tune_search(&one, error);
        if (tuned == NULL) {
            g_ptr_array_set_size(alone, 0);
            return alone;
        }
        g_ptr_array_add(alone, tuned);
    }
    return alone;
}

static char *format_tuned(const TsimTuneReport *report, TsimFormat format, const TsimStyle *style)
{
    if (format == TSIM_FORMAT_TEXT) {
        TsimPage page = new_page(style);
        tsim_tune_text(&page, report);
        return tsim_page_finish(&page);
    }
    g_autofree char *line = tsim_tune_line(report);
    if (format == TSIM_FORMAT_JSON) {
        return g_steal_pointer(&line);
    }
    g_auto(TsimLineTable) table = tsim_line_table_new(&line, 1);
    return tsim_line_table_csv(&table);
}

static char *tune(const TsimTuneTask *task, TsimFormat format, const TsimStyle *style,
                  GError **error)
{
    g_autoptr(TsimTuned) tuned = tsim_tune_search(task, error);
    g_autoptr(GPtrArray) alone =
        tuned != NULL && task->files_n > 1 ? tune_alone(task, error) : NULL;

    if (tuned == NULL) {
        return NULL;
    }
    if (alone != NULL && alone->len == 0) {
        g_auto(GStrv) sets = tsim_tuned_sets(tuned, task);
        g_autofree char *joined = g_strjoinv(" --set ", sets);
        g_prefix_error(error, "the best for all files is --set %s; of each file alone: ", joined);
        return NULL;
    }
    const TsimTuneReport report = {task, tuned,
                                   alone != NULL ? (TsimTuned *const *)alone->pdata : NULL};
    return format_tuned(&report, format, style);
}

char *tsim_tune(const TsimTuneFile *files, guint files_n, const TsimLoadOptions *load,
                const TsimTuneOptions *options, TsimFormat format, const TsimStyle *style,
                GError **error)
{
    static const char *const defaults[] = {"patches_per_threadgroup=auto", "tf_threshold=auto",
                                           "ds_wave_threshold=4", NULL};
    static const char *const none[] = {NULL};
    const gboolean is_other = options->vary != NULL && *options->vary != NULL;
    g_auto(Tuning) tuning = {.task = {.defaults = is_other ? none : defaults,
                                      .replications = MAX(options->replications, 1),
                                      .runs_max = options->tries,
                                      .threads = options->threads,
                                      .stop = options->stop,
                                      .progress = options->progress,
                                      .user = options->user},
                             .axes = g_array_new(FALSE, FALSE, sizeof(TsimAxis))};

    g_array_set_clear_func(tuning.axes, clear_axis);
    return set_goal(&tuning.task, options->goal, error) &&
                   add_files(&tuning, files, files_n, load, error) &&
                   add_axes(&tuning, options->vary, error)
               ? tune(&tuning.task, format, style, error)
               : NULL;
}

/* ---- What holds it back ---- */

static char *format_explanation(const TsimExplanation *explanation, TsimFormat format,
                                const TsimStyle *style)
{
    if (format == TSIM_FORMAT_TEXT) {
        TsimPage page = new_page(style);
        tsim_explain_text(&page, explanation);
        return tsim_page_finish(&page);
    }
    g_auto(GStrv) lines = tsim_explain_lines(explanation);
    if (format == TSIM_FORMAT_JSON) {
        return g_strjoinv("", lines);
    }
    g_auto(TsimLineTable) table = tsim_line_table_new(lines, g_strv_length(lines));
    return tsim_line_table_csv(&table);
}

char *tsim_explain(const char *path, const TsimLoadOptions *load, const TsimWhatIfOptions *options,
                   TsimFormat format, const TsimStyle *style, GError **error)
{
    const TsimExplainOptions explain = {MAX(options->replications, 1), options->threads,
                                        options->stop, options->progress, options->user};
    g_autoptr(TsimScenarioText) text =
        tsim_scenario_text_read(path, load != NULL ? load->sets : NULL,
                                load != NULL ? load->gpu : NULL, search_paths(load), error);
    g_autoptr(TsimExplanation) explanation =
        text != NULL ? tsim_explain_run(text, &explain, error) : NULL;

    return explanation != NULL ? format_explanation(explanation, format, style) : NULL;
}
