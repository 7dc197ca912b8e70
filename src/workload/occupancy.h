/* How much of each stage of a piece of work a CU can hold at once, without a run.
 *
 * The arithmetic is hw/limits.h, which the simulator's reservations agree with; a WGP counts as a
 * CU on GPUs that place threadgroups in WGPs.
 */
#pragma once

#include "hw/limits.h"
#include "hw/stage.h"
#include "workload/plan.h"

/* One kind of threadgroup. Stages without threadgroups count as groups of one wave. */
typedef struct {
    TsimStage stage;
    TsimGroupDemand demand;
    uint32_t threads; /* of a group */
    TsimResidency residency;
    gboolean can_step; /* next is set: something that the group could save lets one more in */
    TsimNextStep next;
} TsimOccupancy;

/* The last two members are worked out from the others. */
void tsim_occupancy_complete(const TsimGpu *gpu, TsimOccupancy *occupancy);

/* Stages of the draw in pipeline order; merged LS-HS waves are one row, of HS waves. DS waves hold
 * no LDS of their own: theirs is the group's. kept_free_bytes: LDS of a CU that LS-HS groups leave
 * to others. Returns the number of rows, at most TSIM_STAGES. */
uint32_t tsim_occupancy_draw(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                             uint32_t kept_free_bytes, TsimOccupancy ret_rows[]);

void tsim_occupancy_dispatch(const TsimGpu *gpu, const TsimDispatch *dispatch,
                             TsimOccupancy *ret_row);

/* LS-HS threadgroups that a CU holds, whichever of their stages they are in: the least over the
 * rows of VS and HS. */
uint32_t tsim_occupancy_tess_groups(const TsimOccupancy rows[], uint32_t rows_n);
