#include "model/geometry.h"

#include "model/cu.h"
#include "model/launcher.h"
#include "model/setup.h"

uint32_t tsim_geometry_waves(const TsimMachine *machine, uint32_t work, uint32_t primitives)
{
    return tsim_draw(machine, work)->has_gs
               ? (uint32_t)tsim_ceil_div(primitives, machine->wave_size)
               : 0;
}

void tsim_geometry_begin(TsimMachine *machine, uint32_t record_index)
{
    const TsimDsRecord *record = &machine->ds_records[record_index];

    tsim_fifo_push(&machine->launchers[record->se].queues[TSIM_STAGE_GS].fifo, record_index);
    tsim_launcher_wake(machine, record->se);
}

/* One wave after the other: nothing needs them all at once. */
void tsim_geometry_demand(const TsimMachine *machine, uint32_t record_index, TsimDemand *ret_demand)
{
    const TsimDsRecord *record = &machine->ds_records[record_index];
    const TsimProgram *program = &machine->work[record->work].programs[TSIM_STAGE_GS];

    *ret_demand = (TsimDemand){
        .waves = 1,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .stage = TSIM_STAGE_GS,
    };
}

gboolean tsim_geometry_launch(TsimMachine *machine, uint32_t record_index, uint32_t wave)
{
    TsimDsRecord *record = &machine->ds_records[record_index];
    const uint32_t first = record->gs_waves_launched++ * machine->wave_size;

    machine->waves[wave].owner = record_index;
    machine->waves[wave].threads = (uint16_t)MIN(machine->wave_size, record->primitives - first);
    return first + machine->wave_size >= record->primitives;
}

void tsim_geometry_wave_ended(TsimMachine *machine, uint32_t record_index)
{
    TsimDsRecord *record = &machine->ds_records[record_index];
    const TsimDraw *draw = tsim_draw(machine, record->work);

    if (--record->gs_waves_left > 0) {
        return;
    }
    if (machine->work[record->work].gs_lds_granules > 0) {
        tsim_cu_release_lds(machine, record->cu, record->gs_lds_first,
                            machine->work[record->work].gs_lds_granules, TSIM_LDS_OWNER_GS);
    }
    record->primitives =
        (uint32_t)llround((double)record->primitives * draw->gs.primitives_per_primitive);
    tsim_setup_ds_done(machine, record_index);
}
