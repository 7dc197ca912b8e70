/* On-chip geometry shader behind the DS (T12): the DS wave's LDS block is the ring from which GS
 * waves of the same CU, one thread a primitive, read; it is reserved with the DS wave (D3) and
 * freed with the last GS wave.
 */
#pragma once

#include "model/machine.h"

/* GS waves behind a DS wave of so many primitives; 0 in draws without GS. */
uint32_t tsim_geometry_waves(const TsimMachine *machine, uint32_t work, uint32_t primitives);

/* The DS wave has ended: its GS waves queue up in the home SE. */
void tsim_geometry_begin(TsimMachine *machine, uint32_t record_index);

void tsim_geometry_demand(const TsimMachine *machine, uint32_t record_index,
                          TsimDemand *ret_demand);

/* The next GS wave of the record has its room; TRUE when it is the last. */
gboolean tsim_geometry_launch(TsimMachine *machine, uint32_t record_index, uint32_t wave);

void tsim_geometry_wave_ended(TsimMachine *machine, uint32_t record_index);
