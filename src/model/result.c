/* Sums a finished run up into the plain result. */
#include "base/error.h"
#include "model/feedback.h"
#include "model/machine.h"
#include "model/ray.h"
#include "workload/survey.h"

#include <string.h>

#define FX16 65536.0

static void add_totals(TsimTotals *sum, const TsimTotals *part)
{
    sum->patches += part->patches;
    sum->culled_patches += part->culled_patches;
    sum->threadgroups += part->threadgroups;
    sum->threadgroups_onchip += part->threadgroups_onchip;
    sum->threadgroups_offchip += part->threadgroups_offchip;
    sum->compute_threadgroups += part->compute_threadgroups;
    for (int stage = 0; stage < TSIM_RESULT_STAGES; stage++) {
        sum->waves[stage] += part->waves[stage];
    }
    sum->ds_waves_onchip += part->ds_waves_onchip;
    sum->ds_waves_offchip += part->ds_waves_offchip;
    sum->domain_points += part->domain_points;
    sum->ds_threads += part->ds_threads;
    sum->primitives += part->primitives;
    sum->offchip_bytes_written += part->offchip_bytes_written;
    sum->offchip_bytes_read += part->offchip_bytes_read;
    sum->tf_ring_bytes += part->tf_ring_bytes;
}

static void describe_spread(TsimSpread *spread, const TsimGpu *gpu, const TsimDraw *draw,
                            const TsimDrawPlan *plan)
{
    TsimSurvey survey;

    G_STATIC_ASSERT(TSIM_RESULT_FACTOR_BINS == TSIM_SURVEY_FACTOR_BINS);
    G_STATIC_ASSERT(sizeof spread->groups_by_ds_waves == sizeof survey.groups_by_ds_waves);
    tsim_survey(gpu, draw, plan, draw->patches, &survey);
    for (uint32_t bin = 0; bin < TSIM_SURVEY_FACTOR_BINS; bin++) {
        spread->patches_by_factor[bin] = tsim_survey_patches_in_bin(&survey, bin);
    }
    memcpy(spread->groups_by_ds_waves, survey.groups_by_ds_waves, sizeof survey.groups_by_ds_waves);
    spread->culled_vs_threads = survey.culled_vs_threads;
    spread->culled_hs_threads = survey.culled_hs_threads;
    spread->culled_lds_bytes = survey.culled_lds_bytes;
    spread->culled_threadgroups = survey.threadgroups_culled;
}

static void describe_draw(TsimDrawResult *result, const TsimDraw *draw, const TsimWorkState *state)
{
    const TsimDrawPlan *plan = &state->plan;

    result->is_draw = TRUE;
    result->name = g_strdup(draw->name);
    result->mode = tsim_tess_mode_names[plan->mode];
    result->patch_rule = tsim_patch_rule_names[plan->patch_rule];
    result->patch_limiter = plan->patch_limiter;
    result->domain = tsim_domain_names[draw->domain];
    result->partitioning = tsim_partitioning_names[draw->partitioning];
    result->tf_rule = tsim_threshold_rule_names[draw->tessellation.tf_rule];
    result->vertex_reuse = tsim_vertex_reuse_names[draw->vertex_reuse];
    result->average_rule = tsim_average_rule_names[draw->tessellation.average_rule];
    result->culled_patches = tsim_culled_rule_names[draw->tessellation.culled_patches];
    result->tf_compare = tsim_tf_compare_names[draw->tessellation.tf_compare];
    result->pipeline_flag = tsim_pipeline_flag_names[draw->tessellation.pipeline_flag];
    result->patches_auto = draw->tessellation.patches_per_threadgroup == 0;
    result->tf_threshold_auto = draw->tessellation.tf_threshold < 0.0;
    result->patches_per_threadgroup = plan->patches_per_group;
    result->ds_wave_threshold = plan->ds_wave_threshold;
    result->tf_threshold = plan->tf_threshold;
    result->lds_bytes_per_threadgroup = plan->lds_bytes;
    result->lds_allocated_bytes_per_threadgroup = plan->lds_allocated_bytes;
    result->vs_waves_per_threadgroup = plan->vs_waves;
    result->hs_waves_per_threadgroup = plan->hs_waves;
    if (state->factor_mean.factors > 0) {
        result->mean_tess_factor =
            (double)state->factor_mean.sum_fx16 / ((double)state->factor_mean.factors * FX16);
    }
}

static void describe_work(const TsimMachine *machine, TsimResult *result)
{
    const TsimScenario *scenario = machine->scenario;

    result->draws = g_new0(TsimDrawResult, scenario->work_n);
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        const TsimWork *item = &scenario->work[i];
        const TsimWorkState *state = &machine->work[i];
        if (item->type == TSIM_WORK_BARRIER) {
            continue;
        }
        TsimDrawResult *draw = &result->draws[result->draws_n++];
        if (item->type == TSIM_WORK_DRAW) {
            describe_draw(draw, &item->draw, state);
            describe_spread(&draw->spread, machine->gpu, &item->draw, &state->plan);
        } else {
            draw->name = g_strdup(item->type == TSIM_WORK_DISPATCH ? item->dispatch.name
                                  : item->type == TSIM_WORK_RAYS   ? item->rays.name
                                                                   : item->feedback.name);
        }
        draw->type = tsim_work_type_names[item->type];
        draw->totals = state->totals;
        draw->begin_cycle = state->begin_cycle;
        draw->end_cycle = state->end_cycle;
        add_totals(&result->totals, &state->totals);
    }
}

static void describe_gpu(const TsimMachine *machine, TsimResult *result)
{
    const TsimGpu *gpu = machine->gpu;
    GPtrArray *estimated = g_ptr_array_new();

    result->gpu = g_strdup(machine->scenario->gpu_name);
    result->gpu_description = g_strdup(gpu->description);
    result->clock_mhz = gpu->clock_mhz;
    result->cus = machine->cus_n;
    result->shader_engines = machine->ses;
    result->simds_per_cu = machine->simds_per_cu;
    result->waves_per_cu = machine->simds_per_cu * gpu->waves_per_simd;
    result->lds_bytes_per_cu = tsim_gpu_lds_bytes_per_unit(gpu);
    result->has_onchip = gpu->has_onchip;
    for (int i = 0; i < TSIM_GPU_FIELDS; i++) {
        if (gpu->kinds[i] == TSIM_KIND_ESTIMATED) {
            g_ptr_array_add(estimated, g_strdup(tsim_gpu_fields[i].name));
        }
    }
    result->estimated_fields_n = estimated->len;
    g_ptr_array_add(estimated, NULL);
    result->estimated_fields = (char **)g_ptr_array_free(estimated, FALSE);
}

/* A meter's integral up to the end of the run. */
static uint64_t integral(const TsimMachine *machine, const TsimMeter *meter)
{
    return meter->integral + meter->value * (machine->last_cycle - meter->since);
}

static void describe_occupancy(const TsimMachine *machine, TsimResult *result)
{
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        result->wave_cycles[stage] = integral(machine, &machine->stage_meters[stage]);
        result->waves[stage] = machine->stage_series[stage];
    }
    result->cu_wave_cycles = g_new(uint64_t, machine->cus_n);
    result->engine_first_cu = g_new(uint32_t, machine->ses + 1);
    for (uint32_t se = 0; se < machine->ses; se++) {
        result->engine_first_cu[se] = machine->launchers[se].first_cu;
    }
    result->engine_first_cu[machine->ses] = machine->cus_n;
    for (uint32_t cu = 0; cu < machine->cus_n; cu++) {
        const TsimCu *state = &machine->cus[cu];
        const uint64_t wave_cycles = integral(machine, &state->wave_meter);
        result->cu_wave_cycles[cu] = wave_cycles;
        result->cu_wave_cycles_max = MAX(result->cu_wave_cycles_max, wave_cycles);
        result->cu_wave_cycles_min =
            cu == 0 ? wave_cycles : MIN(result->cu_wave_cycles_min, wave_cycles);
        result->peak_waves_per_cu =
            MAX(result->peak_waves_per_cu, (uint32_t)state->wave_meter.peak);
        result->peak_lds_bytes_per_cu =
            MAX(result->peak_lds_bytes_per_cu, (uint32_t)state->lds_meter.peak);
    }
    result->peak_threadgroups_per_cu = machine->peak_threadgroups_per_cu;
    result->p50_threadgroup_cycles = tsim_histogram_quantile(&machine->group_lives, 0.50);
    result->p99_threadgroup_cycles = tsim_histogram_quantile(&machine->group_lives, 0.99);
}

static void describe_lds(const TsimMachine *machine, TsimResult *result)
{
    for (int owner = 0; owner < TSIM_LDS_OWNERS; owner++) {
        result->lds_byte_cycles[owner] = integral(machine, &machine->owner_meters[owner]);
    }
    result->lds = machine->lds_series;
    result->fragmentation_refusals = machine->fragmentation_refusals;
    result->peak_fragmented_free_bytes = machine->fragmented_free_granules * machine->lds_granule;
    result->largest_run_at_refusal_bytes = machine->fragmented_run_granules * machine->lds_granule;
}

static void add_use(TsimResult *result, TsimResource resource, uint64_t busy_cycles)
{
    TsimResourceUse *use = &result->resources[resource];

    use->instances++;
    use->busy_cycles += busy_cycles;
    use->max_busy_cycles = MAX(use->max_busy_cycles, busy_cycles);
}

static void describe_engines(const TsimMachine *machine, TsimResult *result)
{
    const TsimRate waves = machine->gpu->waves_per_clk;
    const TsimVgt *vgt = &machine->vgt;

    add_use(result, TSIM_RESOURCE_VGT,
            tsim_ceil_div(vgt->busy_ticks, machine->gpu->patches_per_clk.num));
    for (uint32_t se = 0; se < machine->ses; se++) {
        const TsimTessellator *tess = &machine->tessellators[se];
        const TsimSetup *setup = &machine->setups[se];
        add_use(result, TSIM_RESOURCE_LAUNCHER,
                tsim_ceil_div(machine->launchers[se].launched * waves.den, waves.num));
        add_use(result, TSIM_RESOURCE_TESSELLATOR, tsim_ceil_div(tess->busy_ticks, tess->scale));
        add_use(result, TSIM_RESOURCE_SETUP, tsim_server_busy_cycles(&setup->server));
        add_use(result, TSIM_RESOURCE_EXPORT_PATH, tsim_server_busy_cycles(&setup->export_server));
        result->tess_blocked_cycles += tess->blocked_cycles;
    }
}

static void describe_resources(const TsimMachine *machine, TsimResult *result)
{
    const TsimMemory *memory = &machine->memory;

    describe_engines(machine, result);
    for (uint32_t i = 0; i < machine->cus_n * machine->simds_per_cu; i++) {
        add_use(result, TSIM_RESOURCE_VALU, machine->simds[i].busy_cycles);
    }
    for (uint32_t cu = 0; cu < machine->cus_n; cu++) {
        const TsimCu *state = &machine->cus[cu];
        add_use(result, TSIM_RESOURCE_LDS_PIPE, tsim_server_busy_cycles(&state->lds_server));
        add_use(result, TSIM_RESOURCE_L1, tsim_server_busy_cycles(&memory->l1[cu].server));
    }
    for (uint32_t i = 0; i < machine->texture_units_n; i++) {
        add_use(result, TSIM_RESOURCE_TEXTURE,
                tsim_server_busy_cycles(&machine->texture_units[i].server));
    }
    add_use(result, TSIM_RESOURCE_L2, tsim_server_busy_cycles(&memory->l2_server));
    add_use(result, TSIM_RESOURCE_DRAM, tsim_server_busy_cycles(&memory->dram_server));
    result->l1_lines = memory->l1_lines;
    result->l1_hits = memory->l1_hits;
    result->l2_lines = memory->l2_lines;
    result->l2_hits = memory->l2_hits;
    result->dram_bytes_read = memory->dram_lines_read * TSIM_LINE_BYTES;
    result->dram_bytes_written = memory->dram_lines_written * TSIM_LINE_BYTES;
    result->offchip_buffers_peak = machine->offchip_peak;
}

TsimResult *tsim_machine_result(TsimMachine *machine)
{
    TsimResult *result = tsim_result_new();

    result->scenario = g_strdup(machine->scenario->name);
    result->description = g_strdup(machine->scenario->description);
    result->seed = machine->scenario->seed;
    result->elapsed_cycles = machine->last_cycle;
    result->events = machine->events;
    describe_gpu(machine, result);
    describe_work(machine, result);
    describe_occupancy(machine, result);
    describe_lds(machine, result);
    memcpy(result->stall_cycles, machine->stalls, sizeof result->stall_cycles);
    describe_resources(machine, result);
    tsim_ray_result(machine, &result->rays);
    tsim_feedback_result(machine, &result->feedback);
    return result;
}

/* ---- The end of a run ---- */

static void describe_waiting(const TsimMachine *machine, GString *text)
{
    for (uint32_t se = 0; se < machine->ses; se++) {
        for (int stage = 0; stage < TSIM_STAGES; stage++) {
            const int stall = machine->launchers[se].queues[stage].stall;
            if (stall != TSIM_NOT_STALLED) {
                g_string_append_printf(text,
                                       "\n  shader engine %u: the first %s work waits since cycle "
                                       "%" G_GUINT64_FORMAT ": %s",
                                       se, tsim_stage_names[stage],
                                       machine->launchers[se].queues[stage].stall_since,
                                       tsim_stall_words[stall]);
            }
        }
    }
}

static void describe_holding(const TsimMachine *machine, GString *text)
{
    uint64_t ring = 0;

    for (uint32_t se = 0; se < machine->ses; se++) {
        ring += machine->gpu->tf_ring_bytes_per_se - machine->ring_free_bytes[se];
    }
    g_string_append_printf(
        text,
        "\n  held: %u waves, %u LS-HS threadgroups, %u compute threadgroups, %u off-chip buffers, "
        "%" G_GUINT64_FORMAT " bytes of tess-factor ring, %" G_GUINT64_FORMAT " bytes of LDS",
        machine->wave_pool.n - machine->wave_pool.free_n,
        machine->group_pool.n - machine->group_pool.free_n,
        machine->compute_pool.n - machine->compute_pool.free_n, machine->offchip_in_use, ring,
        machine->lds_meter.value);
}

static gboolean all_work_ended(const TsimMachine *machine)
{
    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        if (machine->scenario->work[i].type != TSIM_WORK_BARRIER && !machine->work[i].ended) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean all_returned(const TsimMachine *machine)
{
    gboolean returned = machine->wave_pool.free_n == machine->wave_pool.n &&
                        machine->group_pool.free_n == machine->group_pool.n &&
                        machine->ds_pool.free_n == machine->ds_pool.n &&
                        machine->compute_pool.free_n == machine->compute_pool.n &&
                        machine->offchip_in_use == 0 && machine->lds_meter.value == 0;

    for (uint32_t se = 0; se < machine->ses; se++) {
        returned = returned && machine->ring_free_bytes[se] == machine->gpu->tf_ring_bytes_per_se &&
                   machine->launchers[se].exports_in_use == 0;
    }
    return returned;
}

gboolean tsim_machine_check_end(const TsimMachine *machine, GError **error)
{
    if (all_work_ended(machine)) {
        TSIM_ASSERT(all_returned(machine));
        return TRUE;
    }
    g_autoptr(GString) text = g_string_new(NULL);
    describe_waiting(machine, text);
    describe_holding(machine, text);
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_STUCK,
                "the run cannot make progress after cycle %" G_GUINT64_FORMAT ":%s",
                tsim_now(machine), text->str);
    return FALSE;
}
