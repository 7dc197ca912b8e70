/* The waves of a SIMD are few (at most 20), so a sorted array beats a heap: a newcomer nearly
 * always has the latest finish and is appended.
 */
#include "model/simd.h"

#include "base/error.h"
#include "base/rate.h"

#include <string.h>

void tsim_simd_spec_init(TsimSimdSpec *spec, uint32_t max_waves)
{
    TSIM_ASSERT(max_waves <= TSIM_SIMD_MAX_WAVES);
    spec->scale = 1;
    for (uint64_t k = 2; k <= max_waves; k++) {
        spec->scale = spec->scale / tsim_gcd(spec->scale, k) * k;
    }
    spec->share[0] = 0;
    for (uint64_t k = 1; k <= max_waves; k++) {
        spec->share[k] = spec->scale / k;
    }
}

void tsim_simd_init(TsimSimd *simd)
{
    *simd = (TsimSimd){.active = 0};
}

static void advance(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t now)
{
    const uint64_t passed = now - simd->updated_at;

    simd->virtual_now += passed * spec->share[simd->active];
    simd->busy_cycles += simd->active > 0 ? passed : 0;
    simd->updated_at = now;
}

void tsim_simd_enter(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t now, uint32_t wave,
                     uint64_t demand)
{
    TSIM_ASSERT_HOT(simd->active < TSIM_SIMD_MAX_WAVES);
    advance(simd, spec, now);
    if (simd->active == 0) {
        simd->virtual_now = 0; /* keeps the numbers small in runs of any length */
    }

    const TsimAluEntry entry = {simd->virtual_now + demand * spec->scale, wave};
    uint32_t at = simd->active++;
    for (; at > 0 && simd->entries[at - 1].finish > entry.finish; at--) {
        simd->entries[at] = simd->entries[at - 1];
    }
    simd->entries[at] = entry;
}

gboolean tsim_simd_leave(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t now, uint32_t *ret_wave)
{
    advance(simd, spec, now);
    if (simd->active == 0 || simd->entries[0].finish > simd->virtual_now) {
        return FALSE;
    }
    *ret_wave = simd->entries[0].wave;
    simd->active--;
    memmove(simd->entries, simd->entries + 1, simd->active * sizeof simd->entries[0]);
    return TRUE;
}

uint64_t tsim_simd_next_leave(const TsimSimd *simd, const TsimSimdSpec *spec)
{
    if (simd->active == 0) {
        return UINT64_MAX;
    }
    const uint64_t left = simd->entries[0].finish > simd->virtual_now
                              ? simd->entries[0].finish - simd->virtual_now
                              : 0;
    return simd->updated_at + tsim_ceil_div(left, spec->share[simd->active]);
}

gboolean tsim_simd_needs_wakeup(TsimSimd *simd, const TsimSimdSpec *spec, uint64_t *ret_cycle)
{
    const uint64_t next = tsim_simd_next_leave(simd, spec);

    if (next == UINT64_MAX || (simd->events_n > 0 && simd->events_at[simd->events_n - 1] <= next)) {
        return FALSE;
    }
    /* Each wake-up in flight belongs to another active wave: the first to leave when it was posted.
     */
    TSIM_ASSERT(simd->events_n <= TSIM_SIMD_MAX_WAVES);
    simd->events_at[simd->events_n++] = next;
    *ret_cycle = next;
    return TRUE;
}

void tsim_simd_woken(TsimSimd *simd)
{
    simd->events_n--;
}
