/* Atomics at the L2 (model section 7): every channel takes a request a cycle, and a line that is
 * being changed keeps the next request to it waiting.
 *
 * A line is 64 bytes; lines go round the channels. Those that wait for their line do not hold up
 * the channel.
 */
#pragma once

#include "base/arena.h"
#include "hw/gpu.h"

typedef struct {
    uint32_t channels_n;
    uint64_t *channel_free; /* cycle from which each takes the next request */
    uint32_t line_clks, latency;
    uint64_t requests;
    uint64_t conflicts;       /* requests that found their line in use */
    uint64_t conflict_cycles; /* and how long they waited */
} TsimAtomics;

void tsim_atomics_init(TsimAtomics *atomics, TsimArena *arena, const TsimGpu *gpu);

/* One request that reaches the L2 at cycle now. *line_free is when its line is free, kept by the
 * caller. Returns the cycle at which it is acknowledged. */
uint64_t tsim_atomics_issue(TsimAtomics *atomics, uint64_t line, uint64_t *line_free, uint64_t now);
