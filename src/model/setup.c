#include "model/setup.h"

#include "model/command.h"
#include "model/launcher.h"
#include "model/pixel.h"

void tsim_setup_init(TsimMachine *machine)
{
    const TsimGpu *gpu = machine->gpu;
    const uint32_t records = gpu->ds_queue_depth + 1 + gpu->export_waves_per_se;

    machine->setups = TSIM_ARENA_NEW(machine->arena, TsimSetup, machine->ses);
    for (uint32_t se = 0; se < machine->ses; se++) {
        tsim_fifo_init(&machine->setups[se].order, machine->arena, records);
        tsim_server_init(&machine->setups[se].server, gpu->prims_per_clk);
        tsim_server_init(&machine->setups[se].export_server, gpu->export_lanes_per_clk);
    }
}

void tsim_setup_expect(TsimMachine *machine, uint32_t se, uint32_t record)
{
    tsim_fifo_push(&machine->setups[se].order, record);
}

/* The first wave's primitives have passed: its export space returns, its pixels begin. */
static void pass_first(TsimMachine *machine, uint32_t se)
{
    const uint32_t record_index = tsim_fifo_pop(&machine->setups[se].order);
    const TsimDsRecord record = machine->ds_records[record_index];

    machine->launchers[se].exports_in_use--;
    tsim_pool_give(&machine->ds_pool, record_index);
    tsim_launcher_wake_for(machine, se, TSIM_STALL_EXPORT);
    tsim_pixel_primitives(machine, se, record.work, record.primitives);
    tsim_command_work_done(machine, record.work, 1);
}

/* Primitives that nothing can hold up pass at once when they take no time. */
static void run(TsimMachine *machine, uint32_t se)
{
    TsimSetup *setup = &machine->setups[se];

    while (!setup->busy && setup->order.n > 0) {
        const TsimDsRecord *record = &machine->ds_records[tsim_fifo_first(&setup->order)];
        if (!record->ended) {
            return;
        }
        if (!tsim_pixel_has_room(machine, se, record->work)) {
            setup->ps_blocked = TRUE;
            return;
        }
        /* From when the wave ended, not from now: the server may have been free within this cycle.
         */
        const uint64_t from = setup->ps_blocked ? tsim_now(machine) : record->ended_at;
        const uint64_t done = tsim_server_book(&setup->server, from, record->primitives);
        setup->ps_blocked = FALSE;
        if (done > tsim_now(machine)) {
            setup->busy = TRUE;
            tsim_post(machine, done, TSIM_EVENT_SETUP_DONE, machine->launchers[se].unit, se);
        } else {
            pass_first(machine, se);
        }
    }
}

void tsim_setup_ds_done(TsimMachine *machine, uint32_t record_index)
{
    TsimDsRecord *record = &machine->ds_records[record_index];

    record->ended = TRUE;
    record->ended_at = tsim_now(machine);
    run(machine, record->se);
}

void tsim_setup_ps_queue_has_room(TsimMachine *machine, uint32_t se)
{
    run(machine, se);
}

void tsim_setup_done(TsimMachine *machine, uint32_t se)
{
    machine->setups[se].busy = FALSE;
    pass_first(machine, se);
    run(machine, se);
}
