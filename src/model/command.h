/* Command queues: draws and dispatches begin in order and overlap; a barrier waits for all before
 * it (E15). */
#pragma once

#include "model/machine.h"

void tsim_command_init(TsimMachine *machine);

/* Event handler: begins what the queue may begin. */
void tsim_command_start(TsimMachine *machine, uint32_t queue);

/* So many outstanding parts of a work item (groups, DS waves, PS waves) are done. */
void tsim_command_work_done(TsimMachine *machine, uint32_t work, uint32_t parts);

/* Patches, threadgroups or waves of a work item. */
uint64_t tsim_command_size(const TsimMachine *machine, uint32_t work);
