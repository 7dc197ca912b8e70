/* Waves that trace rays: real traversals, one texture-unit instruction a round (R1, R9, R10).
 *
 * Rays are made when their wave begins. Everything a wave needs is taken before the run.
 */
#pragma once

#include "model/machine.h"

/* Program and sizes of a work item; streams counts the address streams given out so far. */
void tsim_ray_init_work(TsimMachine *machine, uint32_t work_index, uint32_t *streams);

/* Room for all waves that can be resident, once every work item is known. */
void tsim_ray_init(TsimMachine *machine);

void tsim_ray_clear(TsimMachine *machine);

/* Makes a reserved wave that one of its work item. Other work is left alone. */
void tsim_ray_name_wave(TsimMachine *machine, uint32_t wave, uint64_t number);

/* The wave's next round: fetches nodes, tests them. Returns the cycle at which the results are
 * back. */
uint64_t tsim_ray_round(TsimMachine *machine, uint32_t wave_index);

/* Cycles of vector ALU work behind the round in hand. */
uint32_t tsim_ray_round_valu(const TsimMachine *machine, uint32_t wave_index);

/* Bytes that lanes moved to and from their stacks in the round in hand. */
uint32_t tsim_ray_round_stack_bytes(const TsimMachine *machine, uint32_t wave_index);

/* Whether some lane has nodes left. */
gboolean tsim_ray_has_more(const TsimMachine *machine, uint32_t wave_index);

/* Sums up a finished run; the images go over to the result. */
void tsim_ray_result(TsimMachine *machine, TsimRayResult *result);
