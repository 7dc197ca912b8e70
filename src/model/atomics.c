#include "model/atomics.h"

void tsim_atomics_init(TsimAtomics *atomics, TsimArena *arena, const TsimGpu *gpu)
{
    const TsimRate rate = gpu->l2_bytes_per_clk;

    /* A channel moves a line a cycle. */
    *atomics = (TsimAtomics){
        .channels_n = MAX(rate.num / rate.den / TSIM_LINE_BYTES, 1),
        .line_clks = gpu->l2_atomic_line_clks,
        .latency = gpu->l2_atomic_latency,
    };
    atomics->channel_free = TSIM_ARENA_NEW(arena, uint64_t, atomics->channels_n);
}

uint64_t tsim_atomics_issue(TsimAtomics *atomics, uint64_t line, uint64_t *line_free, uint64_t now)
{
    uint64_t *channel_free = &atomics->channel_free[line % atomics->channels_n];
    const uint64_t taken = MAX(now, *channel_free);
    const uint64_t begin = MAX(taken, *line_free);

    *channel_free = taken + 1;
    *line_free = begin + atomics->line_clks;
    atomics->requests++;
    atomics->conflicts += begin > taken ? 1 : 0;
    atomics->conflict_cycles += begin - taken;
    return begin + atomics->latency;
}
