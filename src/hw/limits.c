#include "hw/limits.h"

#include "base/error.h"

const char *const tsim_limit_names[] = {"wave_slots", "vgprs", "sgprs", "lds", "barriers", NULL};

#define NO_BOUND UINT32_MAX

uint32_t tsim_limits_vgprs_allocated(const TsimGpu *gpu, uint32_t vgprs, uint32_t wave_size)
{
    const uint32_t native = wave_size == 64 && gpu->wave64_doubles_vgprs ? 2 : 1;

    TSIM_ASSERT(wave_size == 64 || (wave_size == 32 && gpu->has_wave32));
    /* A wave that uses no register still takes one granule. */
    return (uint32_t)tsim_round_up((uint64_t)MAX(vgprs, 1) * native, gpu->vgpr_granule);
}

uint32_t tsim_limits_sgprs_allocated(const TsimGpu *gpu, uint32_t sgprs)
{
    return (uint32_t)tsim_round_up(MAX(sgprs, 1), gpu->sgpr_granule);
}

uint32_t tsim_limits_lds_allocated(const TsimGpu *gpu, uint32_t bytes)
{
    return (uint32_t)tsim_round_up(bytes, gpu->lds_granule);
}

/* Waves a SIMD that each of its own bounds alone would allow; the other entries have no bound. */
static void waves_by_limit(const TsimGpu *gpu, uint32_t vgprs, uint32_t sgprs, uint32_t wave_size,
                           uint32_t ret_waves[TSIM_LIMITS])
{
    for (int i = 0; i < TSIM_LIMITS; i++) {
        ret_waves[i] = NO_BOUND;
    }
    ret_waves[TSIM_LIMIT_WAVE_SLOTS] = gpu->waves_per_simd;
    ret_waves[TSIM_LIMIT_VGPRS] =
        gpu->vgprs_per_simd / tsim_limits_vgprs_allocated(gpu, vgprs, wave_size);
    if (gpu->sgprs_per_simd > 0) {
        ret_waves[TSIM_LIMIT_SGPRS] = gpu->sgprs_per_simd / tsim_limits_sgprs_allocated(gpu, sgprs);
    }
}

static TsimLimit least(const uint32_t bounds[TSIM_LIMITS])
{
    TsimLimit limiter = 0;

    for (int i = 1; i < TSIM_LIMITS; i++) {
        if (bounds[i] < bounds[limiter]) {
            limiter = (TsimLimit)i;
        }
    }
    return limiter;
}

uint32_t tsim_limits_waves_per_simd(const TsimGpu *gpu, uint32_t vgprs, uint32_t sgprs,
                                    uint32_t wave_size)
{
    uint32_t waves[TSIM_LIMITS];

    waves_by_limit(gpu, vgprs, sgprs, wave_size, waves);
    return waves[least(waves)];
}

void tsim_limits_residency(const TsimGpu *gpu, uint32_t vgprs, uint32_t sgprs, uint32_t wave_size,
                           uint32_t waves, uint32_t lds_bytes, TsimResidency *ret_residency)
{
    const uint32_t simds = tsim_gpu_simds_per_unit(gpu);
    uint32_t simd_waves[TSIM_LIMITS];
    uint32_t *groups = ret_residency->groups;

    TSIM_ASSERT(waves >= 1);
    waves_by_limit(gpu, vgprs, sgprs, wave_size, simd_waves);
    for (int i = 0; i < TSIM_LIMITS; i++) {
        groups[i] = simd_waves[i] == NO_BOUND ? NO_BOUND : simd_waves[i] * simds / waves;
    }
    if (lds_bytes > 0) {
        groups[TSIM_LIMIT_LDS] =
            tsim_gpu_lds_bytes_per_unit(gpu) / tsim_limits_lds_allocated(gpu, lds_bytes);
    }
    if (waves > 1) {
        groups[TSIM_LIMIT_BARRIERS] = tsim_gpu_barriers_per_unit(gpu);
    }
    ret_residency->limiter = least(groups);
    ret_residency->groups_per_unit = groups[ret_residency->limiter];
    ret_residency->waves_per_simd_by_registers = simd_waves[least(simd_waves)];
    ret_residency->waves_per_unit = ret_residency->groups_per_unit * waves;
    ret_residency->waves_per_simd = (uint32_t)tsim_ceil_div(ret_residency->waves_per_unit, simds);
}
