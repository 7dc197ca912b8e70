/* Room in a CU: LDS blocks, wave slots, registers, barriers; reserved all or nothing (rule 5, E4,
 * D4). */
#pragma once

#include "model/machine.h"

#define TSIM_CU_FITS (-1)

/* TSIM_CU_FITS, or the TsimStall that stands in the way, the one that is met last when there are
 * several. ret_lds_first: where the LDS block would go. Changes nothing. */
int tsim_cu_check(const TsimMachine *machine, uint32_t cu, const TsimDemand *demand,
                  uint32_t *ret_lds_first);

/* Takes what tsim_cu_check has found to fit. The waves come back as a list through TsimWave.next,
 * each with its SIMD chosen and stage, cu and work filled in; the LDS block is not the waves' but
 * the caller's. */
uint32_t tsim_cu_reserve(TsimMachine *machine, uint32_t cu, const TsimDemand *demand,
                         uint32_t lds_first, uint32_t work);

/* Slot and registers of a wave that has ended. Wakes the launchers that may want them. */
void tsim_cu_release_wave(TsimMachine *machine, uint32_t wave);

void tsim_cu_release_lds(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                         TsimLdsOwner owner);
void tsim_cu_release_barrier(TsimMachine *machine, uint32_t cu);

/* A wave begins or ends its life in the CU, for occupancy. */
void tsim_cu_count_wave(TsimMachine *machine, uint32_t cu, TsimStage stage, int change);

TsimLdsOwner tsim_cu_lds_owner(TsimStage stage);
