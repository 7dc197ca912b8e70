/* The VGT: cuts draws into threadgroups and deals them to the shader engines (T1, E7).
 *
 * The j-th patch arrives j / patches_per_clk after the draw's turn began, kept exact from group to
 * group and draw to draw. Groups go to one shader engine until a primitive group is full, then to
 * the next.
 */
#pragma once

#include "model/machine.h"

void tsim_vgt_init(TsimMachine *machine);

/* A draw may begin: it is cut when those before it have been. */
void tsim_vgt_draw(TsimMachine *machine, uint32_t work);

/* The launcher of a shader engine has taken a group from its queue. */
void tsim_vgt_queue_has_room(TsimMachine *machine, uint32_t se);

/* Event handlers: the last patch of a group has arrived; the held group goes on. */
void tsim_vgt_group_arrives(TsimMachine *machine);
void tsim_vgt_resume(TsimMachine *machine);
