#include "model/command.h"

#include "model/compute.h"
#include "model/feedback.h"
#include "model/pixel.h"
#include "model/vgt.h"

#define EVENT_UNIT 0 /* before all shader engines */

void tsim_command_init(TsimMachine *machine)
{
    const TsimScenario *scenario = machine->scenario;
    uint32_t n = 0;

    machine->commands = TSIM_ARENA_NEW(machine->arena, TsimCommandQueue, scenario->queues_n);
    machine->command_items = TSIM_ARENA_NEW(machine->arena, uint32_t, scenario->work_n);
    for (uint32_t queue = 0; queue < scenario->queues_n; queue++) {
        machine->commands[queue].first = n;
        for (uint32_t work = 0; work < scenario->work_n; work++) {
            if (scenario->work[work].queue == queue) {
                machine->command_items[n++] = work;
            }
        }
        machine->commands[queue].n = n - machine->commands[queue].first;
        tsim_post(machine, 0, TSIM_EVENT_COMMAND_START, EVENT_UNIT, queue);
    }
}

static void end_work(TsimMachine *machine, uint32_t work)
{
    const uint32_t queue = machine->scenario->work[work].queue;

    machine->work[work].ended = TRUE;
    machine->work[work].end_cycle = tsim_now(machine);
    machine->last_cycle = tsim_now(machine);
    machine->commands[queue].outstanding--;
    tsim_command_start(machine, queue);
}

static void end_work_if_done(TsimMachine *machine, uint32_t work)
{
    const TsimWorkState *state = &machine->work[work];

    if (state->all_issued && state->outstanding == 0 && !tsim_pixel_flush(machine, work) &&
        !tsim_feedback_next_frame(machine, work)) {
        end_work(machine, work);
    }
}

void tsim_command_work_done(TsimMachine *machine, uint32_t work, uint32_t parts)
{
    machine->work[work].outstanding -= parts;
    end_work_if_done(machine, work);
}

uint64_t tsim_command_size(const TsimMachine *machine, uint32_t work)
{
    const TsimWork *item = &machine->scenario->work[work];

    switch ((TsimWorkType)item->type) {
    case TSIM_WORK_DRAW:
        return item->draw.patches;
    case TSIM_WORK_DISPATCH:
        return item->dispatch.threadgroups;
    case TSIM_WORK_SAMPLE_FEEDBACK:
        return machine->work[work].trace->waves_n;
    case TSIM_WORK_RAYS:
        return tsim_ray_work_waves(&item->rays);
    case TSIM_WORK_BARRIER:
        break;
    }
    return 0;
}

static void deal_work(TsimMachine *machine, uint32_t work)
{
    const TsimWork *item = &machine->scenario->work[work];

    switch ((TsimWorkType)item->type) {
    case TSIM_WORK_DRAW:
        tsim_vgt_draw(machine, work);
        break;
    case TSIM_WORK_DISPATCH:
        tsim_compute_deal(machine, work, item->dispatch.threadgroups);
        break;
    case TSIM_WORK_SAMPLE_FEEDBACK:
        tsim_feedback_begin(machine, work);
        break;
    case TSIM_WORK_RAYS:
        tsim_compute_deal(machine, work, tsim_ray_work_waves(&item->rays));
        break;
    case TSIM_WORK_BARRIER:
        break;
    }
}

/* An item without patches, threadgroups or waves is done as it begins. */
static void begin_work(TsimMachine *machine, uint32_t work)
{
    TsimWorkState *state = &machine->work[work];
    const uint64_t size = tsim_command_size(machine, work);

    state->begun = TRUE;
    state->begin_cycle = tsim_now(machine);
    state->all_issued = size == 0;
    if (size == 0) {
        state->ended = TRUE;
        state->end_cycle = state->begin_cycle;
        return;
    }
    machine->commands[machine->scenario->work[work].queue].outstanding++;
    deal_work(machine, work);
}

void tsim_command_start(TsimMachine *machine, uint32_t queue)
{
    TsimCommandQueue *commands = &machine->commands[queue];

    while (commands->next < commands->n) {
        const uint32_t work = machine->command_items[commands->first + commands->next];
        if (machine->scenario->work[work].type == TSIM_WORK_BARRIER) {
            if (commands->outstanding > 0) {
                return;
            }
            commands->next++;
        } else {
            commands->next++;
            begin_work(machine, work);
        }
    }
}
