/* Primitive set-up of a shader engine, and the export space in front of it (D2, E13).
 *
 * DS waves of the home SE pass in the order in which the tessellator made them, prims_per_clk,
 * after the wave (and its GS waves) ended. Export space is held from the launch of the DS wave
 * until its primitives have passed.
 */
#pragma once

#include "model/machine.h"

void tsim_setup_init(TsimMachine *machine);

/* The tessellator has made a DS wave: its primitives will come in this order. */
void tsim_setup_expect(TsimMachine *machine, uint32_t se, uint32_t record);

/* All shader work on the wave's primitives is done. */
void tsim_setup_ds_done(TsimMachine *machine, uint32_t record_index);

/* PS waves have left their queue. */
void tsim_setup_ps_queue_has_room(TsimMachine *machine, uint32_t se);

/* Event handler. */
void tsim_setup_done(TsimMachine *machine, uint32_t se);
