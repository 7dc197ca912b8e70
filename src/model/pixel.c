#include "model/pixel.h"

#include "model/command.h"
#include "model/cu.h"
#include "model/launcher.h"

void tsim_pixel_init(TsimMachine *machine)
{
    /* Each batch but the one that set-up had in hand holds at least one of the waves that fit the
     * queue. */
    const uint32_t capacity = machine->gpu->ps_queue_depth + 2 + machine->scenario->work_n;

    for (uint32_t se = 0; se < machine->ses; se++) {
        machine->launchers[se].ps_batches =
            TSIM_ARENA_NEW(machine->arena, TsimPixelBatch, capacity);
        machine->launchers[se].ps_capacity = capacity;
    }
}

gboolean tsim_pixel_has_room(const TsimMachine *machine, uint32_t se, uint32_t work)
{
    return !tsim_draw(machine, work)->has_ps ||
           machine->launchers[se].ps_waves < machine->gpu->ps_queue_depth;
}

void tsim_pixel_push(TsimMachine *machine, uint32_t se, uint32_t work, uint32_t waves)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const uint32_t at = (launcher->ps_first + launcher->ps_n) % launcher->ps_capacity;

    TSIM_ASSERT(launcher->ps_n < launcher->ps_capacity);
    launcher->ps_batches[at] = (TsimPixelBatch){work, waves};
    launcher->ps_n++;
    launcher->ps_waves += waves;
    machine->work[work].outstanding += waves;
    tsim_launcher_wake(machine, se);
}

void tsim_pixel_primitives(TsimMachine *machine, uint32_t se, uint32_t work, uint32_t primitives)
{
    const TsimDraw *draw = tsim_draw(machine, work);
    TsimWorkState *state = &machine->work[work];
    const uint64_t wave_pixels = (uint64_t)machine->wave_size * TSIM_RATE_DECIMALS_SCALE;

    if (!draw->has_ps) {
        return;
    }
    state->pixels_fx += state->pixels_per_primitive_fx * primitives;
    state->last_ps_se = se;
    const uint32_t waves = (uint32_t)(state->pixels_fx / wave_pixels);
    state->pixels_fx %= wave_pixels;
    if (waves > 0) {
        tsim_pixel_push(machine, se, work, waves);
    }
}

gboolean tsim_pixel_flush(TsimMachine *machine, uint32_t work)
{
    TsimWorkState *state = &machine->work[work];

    if (state->pixels_fx == 0) {
        return FALSE;
    }
    state->pixels_fx = 0;
    tsim_pixel_push(machine, state->last_ps_se, work, 1);
    return TRUE;
}

gboolean tsim_pixel_demand(const TsimMachine *machine, uint32_t se, TsimDemand *ret_demand)
{
    const TsimLauncher *launcher = &machine->launchers[se];

    if (launcher->ps_n == 0) {
        return FALSE;
    }
    const TsimPixelBatch *batch = &launcher->ps_batches[launcher->ps_first];
    const TsimProgram *program = &machine->work[batch->work].programs[TSIM_STAGE_PS];
    *ret_demand = (TsimDemand){
        .waves = 1,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .lds_granules = machine->work[batch->work].ps_lds_granules,
        .lds_limit = machine->cus[0].lds.granules,
        .stage = TSIM_STAGE_PS,
    };
    return TRUE;
}

uint32_t tsim_pixel_take(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimPixelBatch *batch = &launcher->ps_batches[launcher->ps_first];
    const uint32_t work = batch->work;

    launcher->ps_waves--;
    if (--batch->waves == 0) {
        launcher->ps_first = (launcher->ps_first + 1) % launcher->ps_capacity;
        launcher->ps_n--;
    }
    return work;
}

void tsim_pixel_wave_ended(TsimMachine *machine, const TsimWave *wave)
{
    const uint32_t granules = machine->work[wave->work].ps_lds_granules;

    if (granules > 0) {
        tsim_cu_release_lds(machine, wave->cu, wave->lds_first, granules, TSIM_LDS_OWNER_PS);
    }
    tsim_command_work_done(machine, wave->work, 1);
}
