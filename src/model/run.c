#include "model/run.h"

#include "model/command.h"
#include "model/launcher.h"
#include "model/setup.h"
#include "model/tessellator.h"
#include "model/trace.h"
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

/* ---- Onlookers ---- */

/* Cycles between two reports of progress: often enough for a clock to be looked at. */
#define PROGRESS_CYCLES 16384

void tsim_machine_watch(TsimMachine *machine, TsimTimeline *timeline, TsimProgress progress,
                        void *user)
{
    if (timeline != NULL) {
        tsim_trace_init(machine, timeline);
        machine->look_at = timeline->next_work;
    }
    if (progress != NULL) {
        machine->progress = progress;
        machine->progress_user = user;
        machine->progress_at = PROGRESS_CYCLES;
        machine->look_at = MIN(machine->look_at, machine->progress_at);
    }
}

/* Work items count alike: what a patch costs is not known before. */
static double share_done(const TsimMachine *machine)
{
    double done = 0.0, items = 0.0;

    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        const TsimWorkState *state = &machine->work[i];
        const uint64_t size = tsim_command_size(machine, i);
        const double part = machine->scenario->work[i].type == TSIM_WORK_DRAW
                                ? (double)state->totals.patches
                                : (double)state->issued;
        items += size > 0 ? 1.0 : 0.0;
        done += size > 0 ? part / (double)size : 0.0;
    }
    return done / MAX(items, 1.0);
}

/* Before the events of cycle now: onlookers see the machine as it was at the end of the last. */
static void look(TsimMachine *machine, uint64_t now)
{
    const uint64_t work_at =
        machine->trace != NULL ? tsim_trace_read_work(machine, now) : TSIM_NO_CYCLE;

    if (now >= machine->progress_at) {
        machine->progress(share_done(machine), machine->progress_user);
        machine->progress_at = now + PROGRESS_CYCLES;
    }
    machine->look_at = MIN(work_at, machine->progress_at);
}

gboolean tsim_machine_run_until(TsimMachine *machine, uint64_t cycle)
{
    TsimEvent event;

    while (tsim_queue_pop(machine->queue, &event)) {
        if (G_UNLIKELY(event.cycle >= machine->look_at)) {
            look(machine, event.cycle);
        }
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
    return ended && (machine->trace == NULL || tsim_trace_finish(machine, error));
}
