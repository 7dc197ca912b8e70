#include "model/vgt.h"

#include "model/command.h"
#include "model/group.h"
#include "model/launcher.h"

#define EVENT_UNIT 0 /* before all shader engines */

void tsim_vgt_init(TsimMachine *machine)
{
    machine->vgt.work = TSIM_NONE;
    machine->vgt.held = TSIM_NONE;
    tsim_fifo_init(&machine->vgt.draws, machine->arena, machine->scenario->work_n);
}

static uint32_t next_group_patches(const TsimMachine *machine)
{
    const uint32_t work = machine->vgt.work;
    const uint64_t left = tsim_draw(machine, work)->patches - machine->work[work].issued;

    return (uint32_t)MIN(left, machine->work[work].plan.patches_per_group);
}

/* The group after the last one is under way: its last patch arrives at an exact time, rounded up.
 */
static void expect_group(TsimMachine *machine)
{
    const TsimRate rate = machine->gpu->patches_per_clk;
    const uint64_t ticks = (uint64_t)next_group_patches(machine) * rate.den;

    machine->vgt.ticks += ticks;
    machine->vgt.busy_ticks += ticks;
    tsim_post(machine, tsim_ceil_div(machine->vgt.ticks, rate.num), TSIM_EVENT_VGT_GROUP,
              EVENT_UNIT, 0);
}

static void begin_draw(TsimMachine *machine)
{
    TsimVgt *vgt = &machine->vgt;

    vgt->work = tsim_fifo_pop(&vgt->draws);
    vgt->turn_patches = 0;
    machine->work[vgt->work].begin_cycle =
        tsim_ceil_div(vgt->ticks, machine->gpu->patches_per_clk.num);
    expect_group(machine);
}

void tsim_vgt_draw(TsimMachine *machine, uint32_t work)
{
    TsimVgt *vgt = &machine->vgt;

    tsim_fifo_push(&vgt->draws, work);
    if (vgt->work == TSIM_NONE) {
        /* It was idle; from one draw to the next its clock goes on without rounding. */
        vgt->ticks = MAX(vgt->ticks, tsim_now(machine) * machine->gpu->patches_per_clk.num);
        begin_draw(machine);
    }
}

static uint32_t next_se(const TsimMachine *machine, uint32_t se)
{
    return se + 1 < machine->ses ? se + 1 : 0;
}

/* Whose turn it is changes when a whole primitive group has been dealt, and with each draw. */
static void take_turn(TsimMachine *machine, uint32_t patches)
{
    TsimVgt *vgt = &machine->vgt;
    const uint32_t per_group = machine->work[vgt->work].plan.patches_per_group;

    vgt->turn_patches += patches;
    if (vgt->turn_patches >= tsim_round_up(machine->gpu->primgroup_min, per_group) ||
        machine->work[vgt->work].all_issued) {
        vgt->turn_patches = 0;
        vgt->se = next_se(machine, vgt->se);
    }
}

/* Puts the group into its launcher's queue and goes on with the next one. */
static void deal(TsimMachine *machine, uint32_t group)
{
    TsimVgt *vgt = &machine->vgt;
    const uint32_t work = vgt->work;

    tsim_launcher_group_arrived(machine, vgt->se, group);
    take_turn(machine, machine->groups[group].patches);
    if (!machine->work[work].all_issued) {
        expect_group(machine);
        return;
    }
    vgt->work = TSIM_NONE;
    if (vgt->draws.n > 0) {
        begin_draw(machine);
    }
}

void tsim_vgt_group_arrives(TsimMachine *machine)
{
    TsimVgt *vgt = &machine->vgt;
    TsimWorkState *work = &machine->work[vgt->work];
    const uint32_t patches = next_group_patches(machine);
    const uint32_t group = tsim_group_new(machine, vgt->work, vgt->se, work->issued, patches);

    work->issued += patches;
    work->all_issued = work->issued == tsim_draw(machine, vgt->work)->patches;
    if (tsim_launcher_has_room_for_group(machine, vgt->se)) {
        deal(machine, group);
    } else {
        vgt->held = group; /* and the VGT stops */
    }
}

void tsim_vgt_queue_has_room(TsimMachine *machine, uint32_t se)
{
    const TsimVgt *vgt = &machine->vgt;

    if (vgt->held != TSIM_NONE && vgt->se == se && !vgt->resuming) {
        /* Queues are filled in DELIVER only: the place is taken in the next cycle. */
        machine->vgt.resuming = TRUE;
        tsim_post(machine, tsim_now(machine) + 1, TSIM_EVENT_VGT_RESUME, EVENT_UNIT, 0);
    }
}

void tsim_vgt_resume(TsimMachine *machine)
{
    TsimVgt *vgt = &machine->vgt;
    const uint32_t group = vgt->held;
    const TsimRate rate = machine->gpu->patches_per_clk;
    const uint64_t waited = tsim_now(machine) - tsim_ceil_div(vgt->ticks, rate.num);

    vgt->held = TSIM_NONE;
    vgt->resuming = FALSE;
    vgt->ticks += waited * rate.num; /* whole cycles: the fraction stays exact */
    deal(machine, group);
}
