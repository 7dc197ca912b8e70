/* The wave launcher of a shader engine (SPI): launch rate, priorities, admission, stall reasons
 * (E4-E6, D2-D5).
 *
 * Launchers are woken by what is released and what arrives, and once more when launch credit
 * returns; they never poll.
 */
#pragma once

#include "model/machine.h"

void tsim_launcher_init(TsimMachine *machine);

/* Something changed for the launcher: it decides in this cycle's ARBITRATE. */
void tsim_launcher_wake(TsimMachine *machine, uint32_t se);

/* What stalled heads wait for has been released: wakes the launcher if one of its heads stalls for
 * that reason. */
void tsim_launcher_wake_for(TsimMachine *machine, uint32_t se, TsimStall stall);

/* Room has appeared in a CU: the same for its shader engine, and for those whose off-chip DS waves
 * look for room anywhere. */
void tsim_launcher_wake_for_cu(TsimMachine *machine, uint32_t cu);

/* Work arrives. */
gboolean tsim_launcher_has_room_for_group(const TsimMachine *machine, uint32_t se);
void tsim_launcher_group_arrived(TsimMachine *machine, uint32_t se, uint32_t group);
void tsim_launcher_hs_ready(TsimMachine *machine, uint32_t group);
gboolean tsim_launcher_has_room_for_ds(const TsimMachine *machine, uint32_t se);
void tsim_launcher_ds_made(TsimMachine *machine, uint32_t se, uint32_t record);

/* Event handlers. */
void tsim_launcher_arbitrate(TsimMachine *machine, uint32_t se);
void tsim_launcher_check_starvation(TsimMachine *machine, uint32_t se);

/* Adds the time that heads have waited up to now to the stall table, at the end of a run. */
void tsim_launcher_settle(TsimMachine *machine);
