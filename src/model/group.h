/* The life of an LS-HS threadgroup: arrival, admission, LS, HS, decision, DS, end (T1-T9, E7-E14).
 */
#pragma once

#include "model/machine.h"

/* The VGT has put the group's last patch in place. Returns its index. */
uint32_t tsim_group_new(TsimMachine *machine, uint32_t work, uint32_t se, uint64_t first_patch,
                        uint32_t patches);

/* What admission asks of a CU (LDS, its first waves, a barrier slot). */
void tsim_group_demand(const TsimMachine *machine, uint32_t group_index, TsimDemand *ret_demand);

/* The launcher has reserved LDS and waves on cu: the group takes ring and buffer and its place in
 * the tessellator's order; the waves get their threads. */
void tsim_group_admitted(TsimMachine *machine, uint32_t group_index, uint32_t cu,
                         uint32_t lds_first, uint32_t waves);

/* The HS waves of a group that waited for slots have been reserved. */
void tsim_group_hs_reserved(TsimMachine *machine, uint32_t group_index, uint32_t waves);

void tsim_group_vs_wave_ended(TsimMachine *machine, uint32_t group_index);
void tsim_group_hs_wave_ended(TsimMachine *machine, uint32_t group_index);

/* The tessellator has read all patches of the group. */
void tsim_group_read(TsimMachine *machine, uint32_t group_index);

/* A DS wave (by its record) has ended. */
void tsim_group_ds_wave_ended(TsimMachine *machine, uint32_t record);
