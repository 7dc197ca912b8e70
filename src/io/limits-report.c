#include "io/limits-report.h"

#include "base/error.h"

#include <string.h>

/* Enough to see how factors are spread, soon enough for a prompt. */
#define SURVEY_PATCHES_MAX 1000000

#define COMPUTE_THREADS_MAX 1024
#define SWEEP_STEPS_MAX     100000

/* ---- A scenario ---- */

static uint64_t open_cus(const TsimGpu *gpu, uint32_t se)
{
    return tsim_gpu_cus_in_se(gpu, se) -
           (uint64_t)gpu->shader_arrays_per_se * gpu->late_alloc_cus_closed;
}

static void count_tess_groups(const TsimGpu *gpu, TsimLimitsItem *item)
{
    const TsimDrawPlan *plan = &item->plan;
    const uint64_t ring_bytes =
        plan->ring_header_bytes + (uint64_t)plan->patches_per_group * plan->ring_bytes_per_patch;
    const uint64_t ring_groups = gpu->tf_ring_bytes_per_se / ring_bytes;

    item->tess_groups_per_cu = tsim_occupancy_tess_groups(item->rows, item->rows_n);
    item->tess_groups_limit = "cus";
    for (uint32_t se = 0; se < gpu->shader_engines; se++) {
        const uint64_t groups = open_cus(gpu, se) * item->tess_groups_per_cu;

        item->tess_groups += MIN(groups, ring_groups);
        if (ring_groups < groups) {
            item->tess_groups_limit = "tf_ring";
        }
    }
    if (plan->mode == TSIM_MODE_OFFCHIP && gpu->offchip_buffers < item->tess_groups) {
        item->tess_groups = gpu->offchip_buffers;
        item->tess_groups_limit = "offchip_buffers";
    }
}

static gboolean fill_draw(const TsimLimitsReport *report, const TsimDraw *draw,
                          TsimLimitsItem *item, GError **error)
{
    const TsimGpu *gpu = report->gpu;

    if (!tsim_draw_plan(gpu, draw, &item->plan, report->warnings, error)) {
        return FALSE;
    }
    item->rows_n =
        tsim_occupancy_draw(gpu, draw, &item->plan, report->lds_kept_free_bytes, item->rows);
    count_tess_groups(gpu, item);
    tsim_survey(gpu, draw, &item->plan, SURVEY_PATCHES_MAX, &item->survey);
    return TRUE;
}

static gboolean fill_item(const TsimLimitsReport *report, const TsimWork *work,
                          TsimLimitsItem *item, GError **error)
{
    const char *name = work->type == TSIM_WORK_DRAW ? work->draw.name : work->dispatch.name;

    item->work = work;
    item->name = g_strdup(name != NULL ? name : tsim_work_type_names[work->type]);
    if (work->type == TSIM_WORK_DRAW) {
        return fill_draw(report, &work->draw, item, error);
    }
    item->rows_n = 1;
    tsim_occupancy_dispatch(report->gpu, &work->dispatch, &item->rows[0]);
    return tsim_dispatch_fits(report->gpu, &work->dispatch, error);
}

/* One line for each work item that does not fit. */
static void add_problem(GString *problems, const char *name, GError **problem)
{
    if (*problem != NULL) {
        g_string_append_printf(problems, "%s%s: %s", problems->len > 0 ? "\n" : "", name,
                               (*problem)->message);
        g_clear_error(problem);
    }
}

static TsimLimitsReport *report_new(const TsimGpu *gpu, uint32_t items_max)
{
    TsimLimitsReport *report = g_new0(TsimLimitsReport, 1);

    report->gpu = tsim_gpu_copy(gpu);
    report->items = g_new0(TsimLimitsItem, items_max);
    report->warnings = g_ptr_array_new_with_free_func(g_free);
    return report;
}

TsimLimitsReport *tsim_limits_report_new(const TsimScenario *scenario, GError **error)
{
    g_autoptr(TsimLimitsReport) report = report_new(scenario->gpu, MAX(scenario->work_n, 1));
    g_autoptr(GString) problems = g_string_new(NULL);

    report->scenario = scenario;
    report->lds_kept_free_bytes = tsim_scenario_lds_kept_free_bytes(report->gpu, scenario);
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        const TsimWork *work = &scenario->work[i];

        if (work->type == TSIM_WORK_DRAW || work->type == TSIM_WORK_DISPATCH) {
            TsimLimitsItem *item = &report->items[report->items_n++];
            GError *problem = NULL;

            fill_item(report, work, item, &problem);
            add_problem(problems, item->name, &problem);
        }
    }
    if (problems->len > 0) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_LIMIT, problems->str);
        return NULL;
    }
    return g_steal_pointer(&report);
}

void tsim_limits_report_free(TsimLimitsReport *report)
{
    if (report == NULL) {
        return;
    }
    for (uint32_t i = 0; i < report->items_n; i++) {
        g_free(report->items[i].name);
    }
    g_clear_pointer(&report->warnings, g_ptr_array_unref);
    tsim_gpu_free(report->gpu);
    g_free(report->items);
    g_free(report->steps);
    g_free(report);
}

/* ---- A query ---- */

G_GNUC_PRINTF(2, 3) static gboolean usage_error(GError **error, const char *format, ...)
{
    va_list arguments;
    g_autofree char *message = NULL;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE, message);
    return FALSE;
}

static gboolean check_amount(const char *option, uint32_t amount, const char *unit, uint32_t limit,
                             const char *limit_of, GError **error)
{
    return amount <= limit || usage_error(error, "--%s %u: the limit is %u %s, %s", option, amount,
                                          limit, unit, limit_of);
}

static uint32_t threads_max(const TsimGpu *gpu, TsimStage stage)
{
    switch (stage) {
    case TSIM_STAGE_VS:
    case TSIM_STAGE_HS:
        return gpu->hs_max_threads;
    case TSIM_STAGE_CS:
        return COMPUTE_THREADS_MAX;
    case TSIM_STAGE_DS:
    case TSIM_STAGE_GS:
    case TSIM_STAGE_PS:
    case TSIM_STAGES:
        break;
    }
    return gpu->wave_size; /* these run wave by wave */
}

static gboolean is_ls_hs(TsimStage stage)
{
    return stage == TSIM_STAGE_VS || stage == TSIM_STAGE_HS;
}

static gboolean check_row(const TsimGpu *gpu, const TsimOccupancy *row, GError **error)
{
    const uint32_t lds_max = is_ls_hs(row->stage) ? tsim_patch_lds_addressable_bytes(gpu)
                                                  : gpu->lds_max_compute_threadgroup;
    g_autofree char *of_stage = g_strdup_printf("for a threadgroup of stage %s on %s",
                                                tsim_stage_names[row->stage], gpu->name);
    g_autofree char *of_gpu = g_strdup_printf("on %s", gpu->name);

    return check_amount("vgprs", row->demand.vgprs, "a thread", gpu->vgprs_max_per_thread, of_gpu,
                        error) &&
           check_amount("sgprs", row->demand.sgprs, "a wave", gpu->sgprs_max_per_wave, of_gpu,
                        error) &&
           check_amount("threads", row->threads, "threads", threads_max(gpu, row->stage), of_stage,
                        error) &&
           check_amount("lds", row->demand.lds_bytes, "bytes", lds_max, of_stage, error);
}

static void complete_row(const TsimGpu *gpu, TsimOccupancy *row)
{
    row->demand.waves = (uint32_t)tsim_ceil_div(row->threads, row->demand.wave_size);
    tsim_occupancy_complete(gpu, row);
}

/* Applies what a query says about the GPU itself. */
static gboolean apply_shape(TsimGpu *gpu, const TsimLimitsQuery *query, GError **error)
{
    g_autoptr(GError) problem = NULL;
    TsimGpuFieldId field;

    if (query->wave_size != 0 && query->wave_size != 64 &&
        !(query->wave_size == 32 && gpu->has_wave32)) {
        return usage_error(error, "--wave-size %u: %s has waves of %s", query->wave_size, gpu->name,
                           gpu->has_wave32 ? "32 and 64" : "64 only");
    }
    gpu->wave_size = query->wave_size != 0 ? query->wave_size : gpu->wave_size;
    gpu->wgp_mode = gpu->wgp_mode || query->wgp;
    if (!tsim_gpu_validate(gpu, &field, &problem)) {
        return usage_error(error, "--wgp: %s of %s %s", tsim_gpu_fields[field].name, gpu->name,
                           problem->message);
    }
    return TRUE;
}

/* ---- A sweep of a query ---- */

static const char *const sweep_names[] = {"lds", "vgprs", "sgprs", "threads", NULL};

static uint32_t *sweep_member(TsimOccupancy *row, const char *name)
{
    switch (tsim_word_index(sweep_names, name)) {
    case 0:
        return &row->demand.lds_bytes;
    case 1:
        return &row->demand.vgprs;
    case 2:
        return &row->demand.sgprs;
    default:
        return &row->threads;
    }
}

typedef struct {
    int name; /* index of sweep_names */
    uint64_t low, high, step;
} Sweep;

/* "lds=0:65536:512" */
static gboolean parse_sweep(const char *text, Sweep *ret_sweep, GError **error)
{
    g_auto(GStrv) sides = g_strsplit(text, "=", 2);
    g_auto(GStrv) numbers =
        g_strsplit(sides[0] != NULL && sides[1] != NULL ? sides[1] : "", ":", -1);
    const int name = sides[0] != NULL ? tsim_word_index(sweep_names, sides[0]) : -1;
    uint64_t low_high_step[3] = {0, 0, 0};

    if (name < 0 || g_strv_length(numbers) != 3) {
        return usage_error(error,
                           "--sweep %s: expected NAME=LO:HI:STEP, NAME one of lds, vgprs, "
                           "sgprs, threads",
                           text);
    }
    for (int i = 0; i < 3; i++) {
        if (!g_ascii_string_to_unsigned(numbers[i], 10, 0, UINT32_MAX, &low_high_step[i], NULL)) {
            return usage_error(error, "--sweep %s: '%s' is not a whole number", text, numbers[i]);
        }
    }
    const uint64_t low = low_high_step[0], high = low_high_step[1], step = low_high_step[2];
    if (step == 0 || low > high || (high - low) / step >= SWEEP_STEPS_MAX) {
        return usage_error(error, "--sweep %s: expected LO <= HI, STEP > 0 and at most %d steps",
                           text, SWEEP_STEPS_MAX);
    }
    *ret_sweep = (Sweep){name, low, high, step};
    return TRUE;
}

static gboolean sweep(TsimLimitsReport *report, const TsimOccupancy *base, const char *text,
                      GError **error)
{
    Sweep range = {0};

    if (!parse_sweep(text, &range, error)) {
        return FALSE;
    }
    TSIM_ASSERT(range.step > 0);
    report->sweep_of = sweep_names[range.name];
    report->steps = g_new0(TsimLimitsStep, (range.high - range.low) / range.step + 1);
    for (uint64_t value = range.low; value <= range.high; value += range.step) {
        TsimLimitsStep *step = &report->steps[report->steps_n++];

        step->value = (uint32_t)value;
        step->row = *base;
        *sweep_member(&step->row, report->sweep_of) = step->value;
        if (step->row.threads == 0) {
            return usage_error(error, "--sweep %s: a threadgroup has at least 1 thread", text);
        }
        if (!check_row(report->gpu, &step->row, error)) {
            return FALSE;
        }
        complete_row(report->gpu, &step->row);
    }
    return TRUE;
}

TsimLimitsReport *tsim_limits_report_new_query(const TsimGpu *gpu, const TsimLimitsQuery *query,
                                               GError **error)
{
    g_autoptr(TsimLimitsReport) report = report_new(gpu, 1);
    TsimLimitsItem *item = &report->items[0];
    TsimOccupancy *row = &item->rows[0];
    const int stage = tsim_word_index(tsim_stage_names, query->stage);

    if (stage < 0) {
        usage_error(error, "--stage %s: expected vs, hs, ds, gs, ps or cs", query->stage);
        return NULL;
    }
    if (!apply_shape(report->gpu, query, error)) {
        return NULL;
    }
    item->name = g_strdup(query->stage);
    report->items_n = item->rows_n = 1;
    row->stage = (TsimStage)stage;
    row->threads = query->threads > 0 ? query->threads : report->gpu->wave_size;
    row->demand = (TsimGroupDemand){.vgprs = query->vgprs,
                                    .sgprs = query->sgprs,
                                    .wave_size = report->gpu->wave_size,
                                    .lds_bytes = query->lds_bytes};
    if (!check_row(report->gpu, row, error)) {
        return NULL;
    }
    complete_row(report->gpu, row);
    if (is_ls_hs(row->stage) && query->lds_bytes > gpu->lds_max_hs_threadgroup) {
        g_ptr_array_add(report->warnings,
                        g_strdup_printf("%u bytes of LDS: drivers keep LS-HS groups of %s to %u",
                                        query->lds_bytes, gpu->name, gpu->lds_max_hs_threadgroup));
    }
    if (query->sweep != NULL && !sweep(report, row, query->sweep, error)) {
        return NULL;
    }
    return g_steal_pointer(&report);
}
