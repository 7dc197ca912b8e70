#include "model/group.h"

#include "model/command.h"
#include "model/cu.h"
#include "model/geometry.h"
#include "model/launcher.h"
#include "model/offchip.h"
#include "model/setup.h"
#include "model/tessellator.h"
#include "model/trace.h"

static uint32_t waves_of(const TsimMachine *machine, uint32_t threads)
{
    return (uint32_t)tsim_ceil_div(threads, machine->wave_size);
}

/* The stage whose waves are admitted with the group. */
static TsimStage first_stage(const TsimMachine *machine)
{
    return machine->gpu->merged_ls_hs ? TSIM_STAGE_HS : TSIM_STAGE_VS;
}

uint32_t tsim_group_new(TsimMachine *machine, uint32_t work, uint32_t se, uint64_t first_patch,
                        uint32_t patches)
{
    const TsimDraw *draw = tsim_draw(machine, work);
    const TsimDrawPlan *plan = &machine->work[work].plan;
    const uint32_t group_index = tsim_pool_take(&machine->group_pool);
    const uint32_t in = draw->input_control_points;
    const uint32_t out = draw->output_control_points;
    const gboolean merged = machine->gpu->merged_ls_hs;
    const uint32_t hs_threads = patches * (merged ? MAX(in, out) : out);

    machine->groups[group_index] = (TsimGroup){
        .first_patch = first_patch,
        .work = work,
        .patches = (uint16_t)patches,
        .se = (uint16_t)se,
        .vs_waves = (uint16_t)(merged ? 0 : waves_of(machine, patches * in)),
        .hs_waves = (uint16_t)waves_of(machine, hs_threads),
        .barrier_waves = TSIM_NONE,
        .ring_bytes = patches * plan->ring_bytes_per_patch + plan->ring_header_bytes,
        .offchip_buffer = TSIM_NONE,
    };
    machine->work[work].outstanding++;
    return group_index;
}

void tsim_group_demand(const TsimMachine *machine, uint32_t group_index, TsimDemand *ret_demand)
{
    const TsimGroup *group = &machine->groups[group_index];
    const TsimStage stage = first_stage(machine);
    const TsimProgram *program = &machine->work[group->work].programs[stage];

    *ret_demand = (TsimDemand){
        .waves = stage == TSIM_STAGE_VS ? group->vs_waves : group->hs_waves,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .lds_granules = machine->work[group->work].lds_granules,
        .lds_limit = machine->tess_lds_limit,
        .barrier = group->vs_waves > 1 || group->hs_waves > 1,
        .stage = stage,
    };
}

/* E9: what the factors of all patches add up to, exactly. */
static TsimFactorMean factor_mean(const TsimMachine *machine, const TsimGroup *group)
{
    const TsimDraw *draw = tsim_draw(machine, group->work);
    const TsimWorkState *work = &machine->work[group->work];
    TsimFactorMean mean = {0};

    if (work->same_factors) {
        tsim_factor_mean_add(&mean, &work->same_mean, group->patches);
        return mean;
    }
    for (uint32_t i = 0; i < group->patches; i++) {
        TsimTessFactors factors;
        tsim_factor_source_get(draw->factors, group->first_patch + i, &factors);
        const TsimFactorMean patch = tsim_draw_factor_mean(draw, &factors);
        tsim_factor_mean_add(&mean, &patch, 1);
    }
    return mean;
}

/* T8, T9: on-chip or off-chip for the whole group. The factors are known from the start, so the
 * choice can be made before the HS runs; it takes effect when the HS ends. */
static void decide(TsimMachine *machine, TsimGroup *group)
{
    TsimWorkState *work = &machine->work[group->work];
    const TsimFactorMean mean = factor_mean(machine, group);

    tsim_factor_mean_add(&work->factor_mean, &mean, 1);
    group->offchip = tsim_draw_plan_is_offchip(&work->plan, &mean);
}

/* Hands the threads of a stage out to its reserved waves. */
static void assign_threads(TsimMachine *machine, uint32_t group, uint32_t waves, uint32_t threads)
{
    uint32_t first = 0;

    for (uint32_t group_index = waves; group_index != TSIM_NONE;
         group_index = machine->waves[group_index].next) {
        TsimWave *wave = &machine->waves[group_index];
        wave->owner = group;
        wave->first_thread = first;
        wave->threads = (uint16_t)MIN(machine->wave_size, threads - first);
        first += wave->threads;
    }
}

void tsim_group_admitted(TsimMachine *machine, uint32_t group_index, uint32_t cu,
                         uint32_t lds_first, uint32_t waves)
{
    TsimGroup *group = &machine->groups[group_index];
    const TsimDraw *draw = tsim_draw(machine, group->work);
    TsimCu *state = &machine->cus[cu];
    const uint32_t in = draw->input_control_points;
    const uint32_t out = draw->output_control_points;

    group->admitted_at = tsim_now(machine);
    group->cu = (uint16_t)cu;
    group->lds_first = (uint16_t)lds_first;
    group->holds_lds = TRUE;
    group->holds_barrier = group->vs_waves > 1 || group->hs_waves > 1;
    state->threadgroups++;
    machine->peak_threadgroups_per_cu = MAX(machine->peak_threadgroups_per_cu, state->threadgroups);
    machine->events++;
    tsim_offchip_take(machine, group);
    tsim_fifo_push(&machine->tessellators[group->se].order, group_index);
    decide(machine, group);
    TSIM_TRACE(machine, group_admitted, group_index);
    if (machine->gpu->merged_ls_hs) {
        group->waves_left = group->hs_waves;
        assign_threads(machine, group_index, waves, group->patches * MAX(in, out));
    } else {
        group->waves_left = group->vs_waves;
        assign_threads(machine, group_index, waves, group->patches * in);
    }
}

void tsim_group_hs_reserved(TsimMachine *machine, uint32_t group_index, uint32_t waves)
{
    TsimGroup *group = &machine->groups[group_index];
    const TsimDraw *draw = tsim_draw(machine, group->work);

    group->waves_left = group->hs_waves;
    assign_threads(machine, group_index, waves, group->patches * draw->output_control_points);
}

void tsim_group_vs_wave_ended(TsimMachine *machine, uint32_t group_index)
{
    TsimGroup *group = &machine->groups[group_index];

    if (--group->waves_left == 0) {
        tsim_launcher_hs_ready(machine, group_index);
    }
}

static void release_lds(TsimMachine *machine, TsimGroup *group)
{
    if (group->holds_lds) {
        group->holds_lds = FALSE;
        machine->cus[group->cu].threadgroups--;
        tsim_cu_release_lds(machine, group->cu, group->lds_first,
                            machine->work[group->work].lds_granules, TSIM_LDS_OWNER_TESS);
    }
}

/* Off-chip: the LDS goes when the first DsWaveThreshold DS waves, or all if they are fewer, have
 * ended (T9). */
static gboolean lds_is_done(const TsimMachine *machine, const TsimGroup *group)
{
    const uint32_t threshold = machine->work[group->work].plan.ds_wave_threshold;

    if (!group->offchip) {
        return FALSE; /* held to the end (T6) */
    }
    return group->ds_local_ended >= threshold && (threshold == 0 || group->ds_made >= threshold);
}

static void end_if_done(TsimMachine *machine, uint32_t group_index)
{
    TsimGroup *group = &machine->groups[group_index];

    if (!group->read || group->ds_ended < group->ds_made) {
        return;
    }
    tsim_histogram_add(&machine->group_lives, tsim_now(machine) - group->admitted_at);
    release_lds(machine, group);
    tsim_offchip_release_buffer(machine, group);
    TSIM_TRACE(machine, group_ended, group_index);
    tsim_pool_give(&machine->group_pool, group_index);
    tsim_command_work_done(machine, group->work, 1);
}

void tsim_group_hs_wave_ended(TsimMachine *machine, uint32_t group_index)
{
    TsimGroup *group = &machine->groups[group_index];
    TsimTotals *totals = &machine->work[group->work].totals;

    if (--group->waves_left > 0) {
        return;
    }
    if (group->holds_barrier) {
        group->holds_barrier = FALSE;
        tsim_cu_release_barrier(machine, group->cu);
    }
    totals->threadgroups++;
    totals->tf_ring_bytes += group->ring_bytes;
    if (group->offchip) {
        totals->threadgroups_offchip++;
        if (lds_is_done(machine, group)) {
            release_lds(machine, group);
        }
    } else {
        totals->threadgroups_onchip++;
        tsim_offchip_release_buffer(machine, group);
    }
    tsim_post(machine, tsim_now(machine) + machine->gpu->hs_to_tess_latency, TSIM_EVENT_TESS_SEES,
              machine->launchers[group->se].unit, group_index);
}

void tsim_group_read(TsimMachine *machine, uint32_t group_index)
{
    TsimGroup *group = &machine->groups[group_index];

    group->read = TRUE;
    tsim_offchip_release_ring(machine, group);
    end_if_done(machine, group_index);
}

void tsim_group_ds_wave_ended(TsimMachine *machine, uint32_t record)
{
    const TsimDsRecord *ds = &machine->ds_records[record];
    TsimGroup *group = &machine->groups[ds->group];

    group->ds_ended++;
    if (ds->local) {
        group->ds_local_ended++;
        if (lds_is_done(machine, group)) {
            release_lds(machine, group);
        }
    }
    end_if_done(machine, ds->group);
    if (ds->gs_waves_left > 0) {
        tsim_geometry_begin(machine, record);
    } else {
        tsim_setup_ds_done(machine, record);
    }
}
