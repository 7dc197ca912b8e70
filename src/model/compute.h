/* Compute dispatches and rays: threadgroups with LDS, barriers and all their waves resident at once
 * (T12, E15).
 *
 * Threadgroups are dealt to the shader engines in strict rotation; each launcher takes its own,
 * oldest dispatch first, as it finds room.
 */
#pragma once

#include "model/machine.h"

/* Deals that many threadgroups more of a work item to the shader engines. */
void tsim_compute_deal(TsimMachine *machine, uint32_t work, uint64_t threadgroups);

/* The next threadgroup that a launcher could admit; FALSE when there is none. */
gboolean tsim_compute_demand(const TsimMachine *machine, uint32_t se, TsimDemand *ret_demand,
                             uint32_t *ret_work);
void tsim_compute_admitted(TsimMachine *machine, uint32_t work, uint32_t cu, uint32_t lds_first,
                           uint32_t waves);
void tsim_compute_wave_ended(TsimMachine *machine, uint32_t group_index);
