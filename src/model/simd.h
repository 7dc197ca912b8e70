/* Vector-ALU issue of one SIMD: k waves in ALU segments each progress at 1/k a cycle (model E3).
 *
 * Exact integers: a virtual clock counts the progress of each wave in units of 1/scale cycle, scale
 * being a common multiple of 1..max waves. A wave leaves at the end of the cycle in which its
 * demand is met.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_SIMD_MAX_WAVES 20

typedef struct {
    uint64_t finish; /* virtual time at which the demand is met */
    uint32_t wave;
} TsimAluEntry;

typedef struct {
    uint64_t scale;                          /* lcm(1..waves_per_simd) */
    uint64_t share[TSIM_SIMD_MAX_WAVES + 1]; /* scale / k */
} TsimSimdSpec;

typedef struct {
    uint64_t virtual_now;
    uint64_t updated_at;  /* cycle of virtual_now */
    uint64_t busy_cycles; /* with at least one wave in an ALU segment, up to updated_at */
    uint32_t active;
    uint32_t events_n;
    TsimAluEntry entries[TSIM_SIMD_MAX_WAVES]; /* by finish, then arrival */
    uint64_t events_at[TSIM_SIMD_MAX_WAVES +
                       1]; /* cycles of the wake-ups in flight, the earliest last */
} TsimSimd;

void tsim_simd_spec_init(TsimSimdSpec *spec, uint32_t max_waves);
void tsim_simd_init(TsimSimd *simd);

/* A wave enters an ALU segment of `demand` cycles (>= 1) at cycle now. */
void tsim_simd_enter(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t now, uint32_t wave,
                     uint64_t demand);

/* Takes out the first wave whose demand is met by cycle now; FALSE when there is none. */
gboolean tsim_simd_leave(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t now,
                         uint32_t *ret_wave);

/* Cycle at which the next wave will leave if nobody enters before; UINT64_MAX when none is there.
 */
uint64_t tsim_simd_next_leave(const TsimSimd *simd, const TsimSimdSpec *spec);

/* Wake-ups. A newcomer only ever delays the others, so a wake-up that came too early is simply
 * repeated: TRUE when one must be posted for *ret_cycle, because none in flight is as early as the
 * next leave. */
gboolean tsim_simd_needs_wakeup(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t *ret_cycle);

/* The earliest wake-up has come. */
void tsim_simd_woken(TsimSimd *simd);
