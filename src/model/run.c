#include "model/run.h"

#include "model/command.h"
#include "model/launcher.h"
#include "model/setup.h"
#include "model/tessellator.h"
#include "model/vgt.h"
#include "model/wave.h"

static void handle(TsimMachine *machine, const TsimEvent *event)
{
    switch ((TsimEventType)event->type) {
    case TSIM_EVENT_COMMAND_START:
        tsim_command_start(machine, event->arg);
        break;
    case TSIM_EVENT_VGT_GROUP:
        tsim_vgt_group_arrives(machine);
        break;
    case TSIM_EVENT_VGT_RESUME:
        tsim_vgt_resume(machine);
        break;
    case TSIM_EVENT_LAUNCH:
        tsim_launcher_arbitrate(machine, event->arg);
        break;
    case TSIM_EVENT_STARVATION:
        tsim_launcher_check_starvation(machine, event->arg);
        break;
    case TSIM_EVENT_WAVE_START:
        tsim_wave_start(machine, event->arg);
        break;
    case TSIM_EVENT_ALU_DONE:
        tsim_wave_alu_done(machine, event->arg);
        break;
    case TSIM_EVENT_STEP_DONE:
        tsim_wave_step_done(machine, event->arg);
        break;
    case TSIM_EVENT_WAVE_END:
        tsim_wave_end(machine, event->arg);
        break;
    case TSIM_EVENT_TESS_SEES:
        tsim_tessellator_sees(machine, event->arg);
        break;
    case TSIM_EVENT_DS_WAVE_MADE:
        tsim_tessellator_wave_made(machine, event->arg);
        break;
    case TSIM_EVENT_TESS_RESUME:
        tsim_tessellator_resume(machine, event->arg);
        break;
    case TSIM_EVENT_GROUP_READ:
        tsim_tessellator_group_read(machine, event->arg);
        break;
    case TSIM_EVENT_SETUP_DONE:
        tsim_setup_done(machine, event->arg);
        break;
    case TSIM_EVENTS:
        break;
    }
}

gboolean tsim_machine_run_until(TsimMachine *machine, uint64_t cycle)
{
    TsimEvent event;

    while (tsim_queue_pop(machine->queue, &event)) {
        handle(machine, &event);
        if (event.cycle >= cycle) {
            return FALSE;
        }
    }
    return TRUE;
}

gboolean tsim_machine_run(TsimMachine *machine, GError **error)
{
    (void)tsim_machine_run_until(machine, UINT64_MAX);
    const gboolean ended = tsim_machine_check_end(machine, error);
    tsim_launcher_settle(machine); /* only now: a diagnosis names what the heads wait for */
    return ended;
}
