/* The facade: loads through io/, runs a machine, hands the result to the writers. */
#include "tesssim.h"

#include "base/error.h"
#include "base/file-sink.h"
#include "io/compare-csv.h"
#include "io/compare-json.h"
#include "io/compare-text.h"
#include "io/feedback-cases.h"
#include "io/feedback-files.h"
#include "io/file-check.h"
#include "io/gpu-json.h"
#include "io/html.h"
#include "io/limits-report.h"
#include "io/list.h"
#include "io/plot.h"
#include "io/ray-cases.h"
#include "io/ray-explain.h"
#include "io/ray-image.h"
#include "io/ray-query.h"
#include "io/report-html.h"
#include "io/report-images.h"
#include "io/report-text.h"
#include "io/result-csv.h"
#include "io/result-json.h"
#include "io/result-schema.h"
#include "io/scenario-json.h"
#include "io/scenario-text.h"
#include "io/schema.h"
#include "io/timeline-file.h"
#include "model/feedback.h"
#include "model/run.h"
#include "model/trace.h"
#include "search/replicate.h"
#include "search/trial.h"

#include <math.h>
#include <string.h>

struct TsimScenarioFile {
    TsimScenario *scenario;
};

struct TsimRun {
    TsimResult *result;
    TsimTimeline *timeline;   /* NULL: not recorded */
    TsimFeedbackTrace *trace; /* of the first sample_feedback work; NULL: none, not recorded */
    double *cycles;           /* with other seeds, the own first; NULL: not run */
    uint32_t cycles_n;
};

const char *tsim_version(void)
{
    return TSIM_VERSION;
}

TsimFailure tsim_failure(const GError *error)
{
    if (error->domain != TSIM_ERROR || error->code == TSIM_ERROR_STUCK ||
        error->code == TSIM_ERROR_OUTPUT) {
        return TSIM_FAILURE_RUN;
    }
    return error->code == TSIM_ERROR_USAGE ? TSIM_FAILURE_USAGE : TSIM_FAILURE_INPUT;
}

/* ---- Loading ---- */

static const char *const *search_paths(const TsimLoadOptions *options)
{
    return options != NULL ? options->search_paths : NULL;
}

TsimScenarioFile *tsim_scenario_file_load(const char *path, const TsimLoadOptions *options,
                                          GPtrArray *warnings, GError **error)
{
    const char *const *sets = options != NULL ? options->sets : NULL;
    const char *gpu = options != NULL ? options->gpu : NULL;
    TsimScenario *scenario =
        tsim_scenario_json_load(path, sets, gpu, search_paths(options), warnings, error);

    if (scenario == NULL) {
        return NULL;
    }
    TsimScenarioFile *file = g_new0(TsimScenarioFile, 1);
    file->scenario = scenario;
    return file;
}

void tsim_scenario_file_free(TsimScenarioFile *file)
{
    if (file == NULL) {
        return;
    }
    tsim_scenario_free(file->scenario);
    g_free(file);
}

gboolean tsim_file_check(const char *path, const TsimLoadOptions *options, GPtrArray *warnings,
                         const char **ret_kind, GError **error)
{
    const char *kind;
    const gboolean ok = tsim_file_check_path(path, search_paths(options), warnings, &kind, error);

    if (ret_kind != NULL) {
        *ret_kind = kind;
    }
    return ok;
}

void tsim_scenario_file_keep_ray_images(TsimScenarioFile *file)
{
    file->scenario->keeps_ray_images = TRUE;
}

/* ---- Running ---- */

TsimRun *tsim_run(const TsimScenarioFile *file, GError **error)
{
    static const TsimRunOptions plain = {0};

    return tsim_run_recorded(file, &plain, error);
}

static TsimTimeline *new_timeline(const TsimMachine *machine, const TsimRunOptions *options,
                                  GError **error)
{
    g_autofree uint32_t *first_cu = g_new(uint32_t, machine->ses);
    const TsimTimelineMachine shape = tsim_trace_machine(machine, first_cu);
    const TsimTimelineOptions timeline = {
        .detail = options->record == TSIM_RECORD_FULL ? TSIM_DETAIL_FULL : TSIM_DETAIL_BUCKETS,
        .from = options->from_cycle,
        .to = options->to_cycle,
        .units = options->units,
        .spool_folder = options->spool_folder != NULL ? options->spool_folder : ".",
    };

    return tsim_timeline_new(&shape, &timeline, error);
}

TsimRun *tsim_run_recorded(const TsimScenarioFile *file, const TsimRunOptions *options,
                           GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(file->scenario, warnings, error);
    g_autoptr(TsimTimeline) timeline = NULL;

    if (machine == NULL) {
        return NULL;
    }
    if (options->record != TSIM_RECORD_NOTHING) {
        timeline = new_timeline(machine, options, error);
        if (timeline == NULL) {
            return NULL;
        }
    }
    tsim_machine_watch(machine, timeline, options->progress, options->user);
    TsimResult *result = tsim_trial_finish(machine, warnings, error);
    if (result == NULL) {
        return NULL;
    }
    TsimRun *run = g_new0(TsimRun, 1);
    run->result = result;
    if (timeline != NULL) {
        TsimFeedbackTrace *trace = tsim_feedback_first_trace(machine);
        run->timeline = g_steal_pointer(&timeline);
        run->trace = trace != NULL ? tsim_feedback_trace_ref(trace) : NULL;
    }
    return run;
}

gboolean tsim_run_replicate(TsimRun *run, const char *path, const TsimLoadOptions *load,
                            const TsimReplicationOptions *options, GError **error)
{
    const TsimReplicate replicate = {options->n, options->threads, options->stop, options->progress,
                                     options->user};
    g_autoptr(TsimScenarioText) text =
        tsim_scenario_text_read(path, load != NULL ? load->sets : NULL,
                                load != NULL ? load->gpu : NULL, search_paths(load), error);
    double *cycles = text != NULL ? tsim_replicate(text, &replicate, error) : NULL;

    if (cycles == NULL) {
        return FALSE;
    }
    g_free(run->cycles);
    run->cycles = cycles;
    run->cycles_n = options->n;
    return TRUE;
}

/* Cells that a wave leaves in the spool: its span, and about nine changes of levels (its launch and
 * end, its place in a queue, its stage's stalls). */
#define CELLS_A_WAVE 13

/* Patches that are looked at; the rest is taken to be like them. */
#define SURVEY_PATCHES 65536

static uint64_t waves_of(const TsimGpu *gpu, const TsimWork *item)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    TsimDrawPlan plan;
    TsimSurvey survey;

    if (item->type == TSIM_WORK_DISPATCH) {
        return item->dispatch.threadgroups * tsim_ceil_div(item->dispatch.threads, gpu->wave_size);
    }
    if (item->type != TSIM_WORK_DRAW || item->draw.patches == 0 ||
        !tsim_draw_plan(gpu, &item->draw, &plan, warnings, NULL)) {
        return 0;
    }
    tsim_survey(gpu, &item->draw, &plan, SURVEY_PATCHES, &survey);
    const double scale = (double)item->draw.patches / (double)survey.patches;
    double waves =
        (double)survey.ds_waves + (double)survey.threadgroups * (plan.vs_waves + plan.hs_waves);
    if (item->draw.has_ps) {
        waves += (double)survey.primitives * item->draw.ps.pixels_per_primitive / gpu->wave_size;
    }
    return (uint64_t)(waves * scale);
}

uint64_t tsim_record_estimate(const TsimScenarioFile *file)
{
    const TsimScenario *scenario = file->scenario;
    uint64_t waves = 0;

    for (uint32_t i = 0; i < scenario->work_n; i++) {
        waves += waves_of(scenario->gpu, &scenario->work[i]);
    }
    return waves * CELLS_A_WAVE * sizeof(TsimCell);
}

void tsim_run_free(TsimRun *run)
{
    if (run == NULL) {
        return;
    }
    g_free(run->cycles);
    tsim_result_free(run->result);
    tsim_timeline_free(run->timeline);
    tsim_feedback_trace_unref(run->trace);
    g_free(run);
}

/* ---- Sampler feedback ---- */

char *tsim_feedback_cases(const char *path, gboolean verbose, gboolean *ret_passed, GError **error)
{
    g_autoptr(TsimCaseReport) report = tsim_feedback_cases_run(path, error);

    if (report == NULL) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    tsim_case_report_format(report, verbose, text);
    *ret_passed = tsim_case_report_strict_failures(report) == 0;
    return g_string_free(text, FALSE);
}

char *tsim_feedback_dump(const TsimScenarioFile *file, const TsimFeedbackDumpOptions *options,
                         GError **error)
{
    const TsimFeedbackWork *work = tsim_scenario_feedback(file->scenario);

    if (work == NULL) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "the scenario has no work of type \"sample_feedback\"");
        return NULL;
    }
    const TsimFeedbackFiles files = {options->paths, options->residency, options->level,
                                     options->zoom};
    g_autoptr(TsimFeedbackTrace) trace =
        tsim_feedback_trace_new(work, file->scenario->seed, file->scenario->gpu->wave_size, error);
    if (trace == NULL || !tsim_feedback_files_write(trace, &files, error)) {
        return NULL;
    }
    GString *json = tsim_feedback_dump_json(tsim_feedback_trace_map(trace));
    g_string_append_c(json, '\n');
    return g_string_free(json, FALSE);
}

uint64_t tsim_run_elapsed_cycles(const TsimRun *run)
{
    return run->result->elapsed_cycles;
}

uint64_t tsim_run_events(const TsimRun *run)
{
    return run->result->events;
}

/* ---- Writing ---- */

static TsimPage new_page(const TsimStyle *style)
{
    static const TsimStyle plain = {0};
    TsimPage page;

    style = style != NULL ? style : &plain;
    tsim_page_init(&page, style->columns, style->color, style->utf8);
    return page;
}

/* The text inside of a page. */
static const TsimStyle report_style = {.columns = 100, .utf8 = TRUE};

char *tsim_run_format(const TsimRun *run, TsimFormat format, const TsimStyle *style)
{
    switch (format) {
    case TSIM_FORMAT_JSON:
        return tsim_json_print(tsim_result_json(run->result));
    case TSIM_FORMAT_CSV:
        return tsim_result_csv(run->result);
    case TSIM_FORMAT_TEXT:
        break;
    }
    TsimPage page = new_page(style);
    tsim_report_text(&page, run->result);
    return tsim_page_finish(&page);
}

static TsimComparison compare(const TsimRun *a, const char *label_a, const TsimRun *b,
                              const char *label_b)
{
    const TsimPairs pairs = {{a->cycles, b->cycles}, MIN(a->cycles_n, b->cycles_n)};

    return pairs.n > 1 ? tsim_compare_seeds(a->result, b->result, label_a, label_b, &pairs)
                       : tsim_compare(a->result, b->result, label_a, label_b);
}

char *tsim_compare_format(const TsimRun *a, const char *label_a, const TsimRun *b,
                          const char *label_b, TsimFormat format, const TsimStyle *style)
{
    g_auto(TsimComparison) comparison = compare(a, label_a, b, label_b);

    switch (format) {
    case TSIM_FORMAT_JSON:
        return tsim_json_print(tsim_compare_json(&comparison));
    case TSIM_FORMAT_CSV:
        return tsim_compare_csv(&comparison);
    case TSIM_FORMAT_TEXT:
        break;
    }
    TsimPage page = new_page(style);
    tsim_compare_text(&page, &comparison);
    return tsim_page_finish(&page);
}

gboolean tsim_timeline_check(const char *path, GError **error)
{
    return tsim_timeline_file_check(path, error) && tsim_file_sink_check(path, error);
}

gboolean tsim_run_write_timeline(const TsimRun *run, const char *path, GError **error)
{
    return tsim_timeline_file_write(run->timeline, path, error);
}

gboolean tsim_report_check(const char *path, GError **error)
{
    return tsim_html_check(path, error) && tsim_file_sink_check(path, error);
}

gboolean tsim_run_write_report(const TsimRun *run, const char *path, GError **error)
{
    g_autofree char *text = tsim_run_format(run, TSIM_FORMAT_TEXT, &report_style);
    g_autoptr(GPtrArray) images = tsim_report_images_new();
    const TsimReport report = {
        .sides = {{run->result, run->timeline, "", text}},
        .sides_n = 1,
        .images = images,
    };

    return tsim_report_images_add(images, NULL, run->result, run->trace, error) &&
           tsim_report_html_write(&report, path, error);
}

gboolean tsim_compare_write_report(const TsimRun *a, const char *label_a, const TsimRun *b,
                                   const char *label_b, const char *path, GError **error)
{
    g_auto(TsimComparison) comparison = compare(a, label_a, b, label_b);
    g_autofree char *text_a = tsim_run_format(a, TSIM_FORMAT_TEXT, &report_style);
    g_autofree char *text_b = tsim_run_format(b, TSIM_FORMAT_TEXT, &report_style);
    g_autoptr(GPtrArray) images = tsim_report_images_new();
    const TsimReport report = {
        .sides = {{a->result, a->timeline, label_a, text_a},
                  {b->result, b->timeline, label_b, text_b}},
        .sides_n = 2,
        .comparison = &comparison,
        .images = images,
    };

    return tsim_report_images_add(images, tsim_side_names[0], a->result, a->trace, error) &&
           tsim_report_images_add(images, tsim_side_names[1], b->result, b->trace, error) &&
           tsim_report_html_write(&report, path, error);
}

gboolean tsim_plot_check(const char *path, GError **error)
{
    return tsim_plot_file_check(path, error) && tsim_file_sink_check(path, error);
}

gboolean tsim_run_write_plot(const TsimRun *run, const char *path, GError **error)
{
    const TsimPlotSide side = {run->result, run->timeline, NULL};

    return tsim_plot_file_write(&side, 1, path, error);
}

gboolean tsim_compare_write_plot(const TsimRun *a, const char *label_a, const TsimRun *b,
                                 const char *label_b, const char *path, GError **error)
{
    g_autofree char *name_a = g_strdup_printf("%s: %s", tsim_side_names[0], label_a);
    g_autofree char *name_b = g_strdup_printf("%s: %s", tsim_side_names[1], label_b);
    const TsimPlotSide sides[] = {{a->result, a->timeline, name_a},
                                  {b->result, b->timeline, name_b}};

    return tsim_plot_file_write(sides, G_N_ELEMENTS(sides), path, error);
}

char *tsim_list(const char *topic, const TsimLoadOptions *options, TsimFormat format,
                const TsimStyle *style, GError **error)
{
    g_auto(TsimList) list = {0};

    if (!tsim_list_make(&list, topic, search_paths(options), error)) {
        return NULL;
    }
    switch (format) {
    case TSIM_FORMAT_JSON:
        return tsim_json_print(tsim_list_json(&list));
    case TSIM_FORMAT_CSV:
        return tsim_list_csv(&list);
    case TSIM_FORMAT_TEXT:
        break;
    }
    TsimPage page = new_page(style);
    tsim_list_text(&page, &list);
    return tsim_page_finish(&page);
}

char *tsim_schema(const char *name, GError **error)
{
    static const struct {
        const char *name;
        json_object *(*make)(void);
    } schemas[] = {
        {"scenario", tsim_scenario_schema},
        {"gpu", tsim_gpu_schema},
        {"result", tsim_result_schema},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(schemas); i++) {
        if (strcmp(schemas[i].name, name) == 0) {
            return tsim_json_print(schemas[i].make());
        }
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "there is no schema \"%s\", only scenario, gpu and result", name);
    return NULL;
}

gboolean tsim_ray_image_check(const char *path, GError **error)
{
    return tsim_file_sink_check(path, error);
}

gboolean tsim_run_write_ray_image(const TsimRun *run, TsimRayImage image, const char *path,
                                  GError **error)
{
    const TsimRayImages *images = &run->result->rays.images;

    if (images->width == 0) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                            "the scenario traces no rays through the pixels of an image");
        return FALSE;
    }
    g_autoptr(TsimImage) drawn =
        image == TSIM_RAY_IMAGE_COST ? tsim_ray_image_cost(images) : tsim_ray_image_hit(images);
    return tsim_image_write(drawn, path, error);
}

/* ---- Single rays ---- */

char *tsim_ray_check(const char *path, const char *const *sets, gboolean verbose,
                     gboolean *ret_passed, GError **error)
{
    TsimRayOptions options;

    if (!tsim_ray_query_settings(sets, &options, NULL, error)) {
        return NULL;
    }
    g_autoptr(TsimRayCases) cases = tsim_ray_cases_run(path, &options, error);
    if (cases == NULL) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    tsim_ray_cases_format(cases, verbose, text);
    *ret_passed = tsim_ray_cases_passed(cases);
    return g_string_free(text, FALSE);
}

static gboolean ray_of_query(const TsimRayQuery *query, TsimRay *ray, GError **error)
{
    float origin[3], direction[3];
    float extent = INFINITY;

    if (!tsim_ray_query_vector("--origin", query->origin, origin, error) ||
        !tsim_ray_query_vector("--direction", query->direction, direction, error) ||
        (query->extent != NULL &&
         !tsim_ray_query_number("--extent", query->extent, &extent, error))) {
        return FALSE;
    }
    *ray = tsim_ray_new(origin, direction, extent);
    return TRUE;
}

char *tsim_ray_trace(const TsimRayQuery *query, GError **error)
{
    const gboolean has_ray = query->origin != NULL && query->direction != NULL;
    TsimRayOptions options;
    TsimBvhOptions build;
    TsimRay ray = {0};

    if ((has_ray && !ray_of_query(query, &ray, error)) ||
        !tsim_ray_query_settings(query->sets, &options, &build, error)) {
        return NULL;
    }
    g_autoptr(TsimBvh) bvh = tsim_ray_query_load(query->path, &build, error);
    if (bvh == NULL ||
        (query->write_bvh != NULL && !tsim_bvh_write(bvh, query->write_bvh, error))) {
        return NULL;
    }
    GString *text = g_string_new(NULL);
    tsim_ray_explain_bvh(bvh, text);
    if (has_ray) {
        const TsimTraversalScene scene = tsim_traversal_scene(bvh, &options, query->any_hit);
        tsim_ray_explain(&scene, &ray, text);
    }
    return g_string_free(text, FALSE);
}

/* ---- Static answers ---- */

/* Takes the report. */
static char *write_limits(TsimLimitsReport *report, TsimFormat format, GPtrArray *warnings)
{
    char *text = NULL;

    switch (format) {
    case TSIM_FORMAT_TEXT:
        text = tsim_limits_report_text(report);
        break;
    case TSIM_FORMAT_JSON:
        text = tsim_limits_report_json(report);
        break;
    case TSIM_FORMAT_CSV:
        text = tsim_limits_report_csv(report);
        break;
    }
    if (warnings != NULL) {
        g_ptr_array_extend_and_steal(warnings, g_steal_pointer(&report->warnings));
    }
    tsim_limits_report_free(report);
    return text;
}

char *tsim_limits(const TsimScenarioFile *file, TsimFormat format, GPtrArray *warnings,
                  GError **error)
{
    TsimLimitsReport *report = tsim_limits_report_new(file->scenario, error);

    return report != NULL ? write_limits(report, format, warnings) : NULL;
}

char *tsim_limits_of_stage(const TsimLimitsOptions *options, const TsimLoadOptions *load,
                           TsimFormat format, GPtrArray *warnings, GError **error)
{
    const TsimLimitsQuery query = {.stage = options->stage,
                                   .vgprs = options->vgprs,
                                   .sgprs = options->sgprs,
                                   .lds_bytes = options->lds_bytes,
                                   .threads = options->threads,
                                   .wave_size = options->wave_size,
                                   .wgp = options->wgp,
                                   .sweep = options->sweep};
    g_autoptr(TsimGpu) gpu =
        tsim_gpu_json_load(options->gpu, load != NULL ? load->search_paths : NULL, error);
    TsimLimitsReport *report = NULL;

    if (gpu != NULL) {
        report = tsim_limits_report_new_query(gpu, &query, error);
    }
    return report != NULL ? write_limits(report, format, warnings) : NULL;
}
