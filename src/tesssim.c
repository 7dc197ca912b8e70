/* The facade: loads through io/, runs a machine, hands the result to the writers. */
#include "tesssim.h"

#include "base/error.h"
#include "io/compare-csv.h"
#include "io/compare-json.h"
#include "io/compare-text.h"
#include "io/feedback-cases.h"
#include "io/feedback-files.h"
#include "io/file-check.h"
#include "io/gpu-json.h"
#include "io/limits-report.h"
#include "io/list.h"
#include "io/ray-cases.h"
#include "io/ray-explain.h"
#include "io/ray-image.h"
#include "io/ray-query.h"
#include "io/report-text.h"
#include "io/result-csv.h"
#include "io/result-json.h"
#include "io/result-schema.h"
#include "io/scenario-json.h"
#include "io/schema.h"
#include "model/run.h"

#include <math.h>
#include <string.h>

struct TsimScenarioFile {
    TsimScenario *scenario;
};

struct TsimRun {
    TsimResult *result;
};

const char *tsim_version(void)
{
    return TSIM_VERSION;
}

TsimFailure tsim_failure(const GError *error)
{
    if (error->domain != TSIM_ERROR || error->code == TSIM_ERROR_STUCK) {
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

/* What sampler feedback costs is found by a second run without it. */
static gboolean add_plain_run(const TsimMachine *machine, TsimResult *result, GError **error)
{
    if (result->feedback.operations == 0) {
        return TRUE;
    }
    g_autoptr(TsimMachine) plain = tsim_machine_plain_new(machine);
    if (!tsim_machine_run(plain, error)) {
        return FALSE;
    }
    result->feedback.plain_cycles = plain->last_cycle;
    return TRUE;
}

TsimRun *tsim_run(const TsimScenarioFile *file, GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(file->scenario, warnings, error);

    if (machine == NULL || !tsim_machine_run(machine, error)) {
        return NULL;
    }
    g_autoptr(TsimResult) result = tsim_machine_result(machine);
    if (!add_plain_run(machine, result, error)) {
        return NULL;
    }
    TsimRun *run = g_new0(TsimRun, 1);
    run->result = g_steal_pointer(&result);
    g_ptr_array_extend_and_steal(run->result->warnings, g_steal_pointer(&warnings));
    return run;
}

void tsim_run_free(TsimRun *run)
{
    if (run == NULL) {
        return;
    }
    tsim_result_free(run->result);
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

char *tsim_compare_format(const TsimRun *a, const char *label_a, const TsimRun *b,
                          const char *label_b, TsimFormat format, const TsimStyle *style)
{
    g_auto(TsimComparison) comparison = tsim_compare(a->result, b->result, label_a, label_b);

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
