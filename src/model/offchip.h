/* The finite memory of the tessellation path: off-chip buffers and the tess-factor ring (T7, T15,
 * D1, E14, 3d).
 *
 * Layout of a buffer, attribute-major as public drivers store it: for each output slot the control
 * points of all patches, 16 bytes each; then each patch-constant slot of all patches. The buffer of
 * index i begins at i * offchip_buffer_bytes.
 */
#pragma once

#include "model/machine.h"

void tsim_offchip_init(TsimMachine *machine);

/* TSIM_STALL_RING, TSIM_STALL_OFFCHIP_BUFFER, or -1 when the group's share of both is free. */
int tsim_offchip_check(const TsimMachine *machine, const TsimGroup *group);

/* Takes ring space and, if off-chip is compiled in, the free buffer of the lowest index: the
 * buffers in use stay close together, and so in the L2. */
void tsim_offchip_take(TsimMachine *machine, TsimGroup *group);

void tsim_offchip_release_ring(TsimMachine *machine, TsimGroup *group);
void tsim_offchip_release_buffer(TsimMachine *machine, TsimGroup *group);

/* `instructions` patch-data loads of a DS wave; the cycle at which the last is back. */
uint64_t tsim_offchip_read(TsimMachine *machine, const TsimWave *wave, uint32_t instructions);

/* `instructions` slot stores of an HS wave; the cycle at which the last is acknowledged. */
uint64_t tsim_offchip_write(TsimMachine *machine, const TsimWave *wave, uint32_t instructions);
