/* The texture unit of a CU (TA and TD): one first-in first-out list for image samples, ray
 * intersection and feedback sampling (R10, model section 6).
 *
 * An instruction occupies the unit for its clocks, in order of arrival, while its lines are
 * fetched. Samples are complete when both are done. The results of the other classes come out in
 * order within their class: what the unit does with the data takes the same clocks again behind the
 * fetch, and follows the instruction before. A stage that works at a rate of its own (the atomics
 * of feedback) is the caller's, who passes the cycle at which it is done as fetched_at.
 */
#pragma once

#include "model/machine.h"

typedef struct {
    TsimTextureClass class;
    uint32_t clks;       /* of the unit, see tsim_texture_unit_clks; 0: for samples */
    uint32_t samples;    /* lanes to filter, at sample_lanes_per_clk; may come with clks */
    uint32_t latency;    /* cycles behind all that */
    uint64_t fetched_at; /* when its data are there; 0: it needs none */
} TsimTextureInstruction;

void tsim_texture_unit_init(TsimMachine *machine);

/* The unit that serves a SIMD (a WGP has two, one for each of its CUs). */
static inline TsimTextureUnit *tsim_texture_unit_of(const TsimMachine *machine, uint32_t simd)
{
    return &machine->texture_units[simd / machine->gpu->simds_per_cu];
}

/* Clocks of an instruction half of 32 lanes: its operands and its lanes overlap, and lanes that TA
 * drops are free (R9). */
static inline uint32_t tsim_texture_unit_clks(uint32_t operand_clks, uint32_t live_lanes)
{
    return MAX(operand_clks, live_lanes);
}

/* Takes the instruction in now; returns the cycle at which its results are back. */
uint64_t tsim_texture_unit_issue(TsimMachine *machine, uint32_t simd,
                                 const TsimTextureInstruction *instruction);
