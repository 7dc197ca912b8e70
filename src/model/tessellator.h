/* The tessellator of a shader engine: reads groups in admission order and makes DS waves (T5,
 * E10-E12).
 *
 * Its clock is exact across patches and groups. A DS wave is finished when its last thread is
 * made, rounded up to a cycle; when the DS queue is full the tessellator holds one more wave and
 * stops.
 */
#pragma once

#include "model/machine.h"

void tsim_tessellator_init(TsimMachine *machine);

/* The launcher has taken a wave from the DS queue. */
void tsim_tessellator_queue_has_room(TsimMachine *machine, uint32_t se);

/* Event handlers. */
void tsim_tessellator_sees(TsimMachine *machine, uint32_t group_index);
void tsim_tessellator_wave_made(TsimMachine *machine, uint32_t se);
void tsim_tessellator_resume(TsimMachine *machine, uint32_t se);
void tsim_tessellator_group_read(TsimMachine *machine, uint32_t se);
