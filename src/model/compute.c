#include "model/compute.h"

#include "model/command.h"
#include "model/cu.h"
#include "model/feedback.h"
#include "model/launcher.h"
#include "model/ray.h"

/* Threadgroups are dealt one by one to the shader engines in turn; the next dispatch goes on where
 * this one stops. Only the share of each engine is kept, so that memory does not grow with the
 * threadgroups. */
void tsim_compute_deal(TsimMachine *machine, uint32_t work, uint64_t threadgroups)
{
    const uint32_t ses = machine->ses;

    TSIM_ASSERT(ses > 0);
    machine->work[work].threadgroups += threadgroups;
    machine->work[work].all_issued = FALSE;
    for (uint32_t i = 0; i < ses; i++) {
        const uint32_t se = (machine->compute_next_se + i) % ses;
        const uint64_t share = threadgroups / ses + (i < threadgroups % ses ? 1 : 0);
        if (share > 0) {
            TsimLauncher *launcher = &machine->launchers[se];
            launcher->dispatches[launcher->dispatches_n++] = (TsimDispatchShare){work, share};
            tsim_launcher_wake(machine, se);
        }
    }
    machine->compute_next_se = (uint32_t)((machine->compute_next_se + threadgroups) % ses);
}

gboolean tsim_compute_demand(const TsimMachine *machine, uint32_t se, TsimDemand *ret_demand,
                             uint32_t *ret_work)
{
    const TsimLauncher *launcher = &machine->launchers[se];

    if (launcher->dispatches_n == 0) {
        return FALSE;
    }
    const uint32_t work = launcher->dispatches[0].work;
    const TsimWorkState *state = &machine->work[work];
    const TsimProgram *program = &state->programs[TSIM_STAGE_CS];
    *ret_work = work;
    *ret_demand = (TsimDemand){
        .waves = state->group_waves,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .lds_granules = state->lds_granules,
        .lds_limit = machine->cus[0].lds.granules,
        .barrier = state->group_waves > 1,
        .stage = TSIM_STAGE_CS,
    };
    return TRUE;
}

static void take_from_share(TsimLauncher *launcher)
{
    if (--launcher->dispatches[0].threadgroups > 0) {
        return;
    }
    launcher->dispatches_n--;
    for (uint32_t i = 0; i < launcher->dispatches_n; i++) {
        launcher->dispatches[i] = launcher->dispatches[i + 1];
    }
}

void tsim_compute_admitted(TsimMachine *machine, uint32_t work, uint32_t cu, uint32_t lds_first,
                           uint32_t waves)
{
    TsimWorkState *state = &machine->work[work];
    const uint32_t group_index = tsim_pool_take(&machine->compute_pool);
    uint32_t left = state->group_threads;

    machine->compute_groups[group_index] = (TsimComputeGroup){
        .work = work,
        .waves_left = (uint16_t)state->group_waves,
        .waves_n = (uint16_t)state->group_waves,
        .cu = (uint16_t)cu,
        .lds_first = (uint16_t)lds_first,
        .barrier_waves = TSIM_NONE,
    };
    for (uint32_t wave = waves; wave != TSIM_NONE; wave = machine->waves[wave].next) {
        machine->waves[wave].owner = group_index;
        machine->waves[wave].threads = (uint16_t)MIN(state->wave_lanes, left);
        left -= machine->waves[wave].threads;
        tsim_feedback_name_wave(machine, &machine->waves[wave]);
        tsim_ray_name_wave(machine, wave, state->issued);
    }
    machine->events++;
    state->outstanding++;
    state->totals.compute_threadgroups++;
    state->issued++;
    state->all_issued = state->issued == state->threadgroups;
    take_from_share(&machine->launchers[machine->cus[cu].se]);
}

void tsim_compute_wave_ended(TsimMachine *machine, uint32_t group_index)
{
    TsimComputeGroup *group = &machine->compute_groups[group_index];
    const TsimWorkState *state = &machine->work[group->work];

    if (--group->waves_left > 0) {
        return;
    }
    if (state->lds_granules > 0) {
        tsim_cu_release_lds(machine, group->cu, group->lds_first, state->lds_granules,
                            TSIM_LDS_OWNER_CS);
    }
    if (state->group_waves > 1) {
        tsim_cu_release_barrier(machine, group->cu);
    }
    tsim_pool_give(&machine->compute_pool, group_index);
    tsim_command_work_done(machine, group->work, 1);
}
