/* Pixel work behind set-up: primitives become PS waves that hold LDS for interpolants (T12, D3).
 *
 * A draw's primitives cover pixels_per_primitive pixels each; every wave_size pixels are a PS wave,
 * the rest at the end of the draw one more. A full PS queue stops set-up.
 */
#pragma once

#include "model/machine.h"

void tsim_pixel_init(TsimMachine *machine);

gboolean tsim_pixel_has_room(const TsimMachine *machine, uint32_t se, uint32_t work);
void tsim_pixel_primitives(TsimMachine *machine, uint32_t se, uint32_t work, uint32_t primitives);

/* Waves of a work item that are ready for launch in a shader engine. */
void tsim_pixel_push(TsimMachine *machine, uint32_t se, uint32_t work, uint32_t waves);

/* The last primitive of a draw has passed: TRUE when pixels are left over, which now make a last
 * wave. */
gboolean tsim_pixel_flush(TsimMachine *machine, uint32_t work);

/* What the head of the PS queue asks of a CU; FALSE when there is none. */
gboolean tsim_pixel_demand(const TsimMachine *machine, uint32_t se, TsimDemand *ret_demand);

/* Takes one wave from the queue and returns its work item. Set-up wants to know of the room, once
 * the wave has its own (tsim_setup_ps_queue_has_room). */
uint32_t tsim_pixel_take(TsimMachine *machine, uint32_t se);

void tsim_pixel_wave_ended(TsimMachine *machine, const TsimWave *wave);
