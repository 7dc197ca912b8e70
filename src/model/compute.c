#include "model/compute.h"

#include "model/command.h"
#include "model/cu.h"
#include "model/launcher.h"

static const TsimDispatch *dispatch_of(const TsimMachine *machine, uint32_t work)
{
    return &machine->scenario->work[work].dispatch;
}

void tsim_compute_begin(TsimMachine *machine, uint32_t work)
{
    machine->dispatches[machine->dispatches_n++] = work;
    for (uint32_t se = 0; se < machine->ses; se++) {
        tsim_launcher_wake(machine, se);
    }
}

gboolean tsim_compute_demand(const TsimMachine *machine, uint32_t se, TsimDemand *ret_demand,
                             uint32_t *ret_work)
{
    if (machine->dispatches_n == 0) {
        return FALSE;
    }
    const uint32_t work = machine->dispatches[0];
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
        .since = MAX(state->begin_cycle, machine->launchers[se].queues[TSIM_STAGE_CS].head_since),
    };
    return TRUE;
}

static void remove_first_dispatch(TsimMachine *machine)
{
    machine->dispatches_n--;
    for (uint32_t i = 0; i < machine->dispatches_n; i++) {
        machine->dispatches[i] = machine->dispatches[i + 1];
    }
}

void tsim_compute_admitted(TsimMachine *machine, uint32_t work, uint32_t cu, uint32_t lds_first,
                           uint32_t waves)
{
    TsimWorkState *state = &machine->work[work];
    const uint32_t index = tsim_pool_take(&machine->compute_pool);
    uint32_t left = dispatch_of(machine, work)->threads;

    machine->compute_groups[index] = (TsimComputeGroup){
        .work = work,
        .waves_left = (uint16_t)state->group_waves,
        .waves_n = (uint16_t)state->group_waves,
        .cu = (uint16_t)cu,
        .lds_first = (uint16_t)lds_first,
        .barrier_waves = TSIM_NONE,
    };
    for (uint32_t wave = waves; wave != TSIM_NONE; wave = machine->waves[wave].next) {
        machine->waves[wave].owner = index;
        machine->waves[wave].threads = (uint16_t)MIN(machine->wave_size, left);
        left -= machine->waves[wave].threads;
    }
    machine->events++;
    state->outstanding++;
    state->totals.threadgroups++;
    state->issued++;
    state->all_issued = state->issued == dispatch_of(machine, work)->threadgroups;
    if (state->all_issued) {
        remove_first_dispatch(machine);
    }
}

void tsim_compute_wave_ended(TsimMachine *machine, uint32_t index)
{
    TsimComputeGroup *group = &machine->compute_groups[index];
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
    tsim_pool_give(&machine->compute_pool, index);
    tsim_command_work_done(machine, group->work, 1);
}
