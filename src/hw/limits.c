#include "hw/limits.h"

#include "base/error.h"

const char *const tsim_limit_names[] = {"wave_slots", "vgprs", "sgprs", "lds", "barriers", NULL};

#define NO_BOUND UINT32_MAX

/* Registers of the SIMD that one register of a wave takes. */
static uint32_t native_vgprs(const TsimGpu *gpu, uint32_t wave_size)
{
    return wave_size == 64 && gpu->wave64_doubles_vgprs ? 2 : 1;
}

uint32_t tsim_limits_vgprs_allocated(const TsimGpu *gpu, uint32_t vgprs, uint32_t wave_size)
{
    const uint32_t native = native_vgprs(gpu, wave_size);

    TSIM_ASSERT(wave_size == 64 || wave_size == 32);
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
    if (gpu->sgprs_per_simd > 0 && sgprs > 0) { /* 0: not told */
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

static uint32_t usable_lds_bytes(const TsimGpu *gpu, const TsimGroupDemand *demand)
{
    const uint32_t all = tsim_gpu_lds_bytes_per_unit(gpu);

    return all - MIN(all, demand->lds_kept_free_bytes);
}

void tsim_limits_residency(const TsimGpu *gpu, const TsimGroupDemand *demand,
                           TsimResidency *ret_residency)
{
    const uint32_t simds = tsim_gpu_simds_per_unit(gpu);
    uint32_t simd_waves[TSIM_LIMITS];
    uint32_t *groups = ret_residency->groups;

    TSIM_ASSERT(demand->waves >= 1);
    waves_by_limit(gpu, demand->vgprs, demand->sgprs, demand->wave_size, simd_waves);
    for (int i = 0; i < TSIM_LIMITS; i++) {
        groups[i] = simd_waves[i] == NO_BOUND ? NO_BOUND : simd_waves[i] * simds / demand->waves;
    }
    if (demand->lds_bytes > 0) {
        groups[TSIM_LIMIT_LDS] =
            usable_lds_bytes(gpu, demand) / tsim_limits_lds_allocated(gpu, demand->lds_bytes);
    }
    if (demand->waves > 1) {
        groups[TSIM_LIMIT_BARRIERS] = tsim_gpu_barriers_per_unit(gpu);
    }
    ret_residency->limiter = least(groups);
    ret_residency->groups_per_unit = groups[ret_residency->limiter];
    ret_residency->waves_per_simd_by_registers = simd_waves[least(simd_waves)];
    ret_residency->waves_per_unit = ret_residency->groups_per_unit * demand->waves;
    ret_residency->waves_per_simd = (uint32_t)tsim_ceil_div(ret_residency->waves_per_unit, simds);
}

/* The most of a store of `all`, taken in granules, that each of n can have. */
static uint32_t share(uint32_t all, uint32_t n, uint32_t granule)
{
    return all / n / granule * granule;
}

gboolean tsim_limits_next_step(const TsimGpu *gpu, const TsimGroupDemand *demand,
                               TsimNextStep *ret_step)
{
    const uint32_t native = native_vgprs(gpu, demand->wave_size);
    TsimResidency now;
    uint32_t groups, waves_per_simd;

    tsim_limits_residency(gpu, demand, &now);
    groups = now.groups_per_unit + 1;
    waves_per_simd =
        (uint32_t)tsim_ceil_div((uint64_t)groups * demand->waves, tsim_gpu_simds_per_unit(gpu));
    *ret_step = (TsimNextStep){NO_BOUND, NO_BOUND, NO_BOUND};
    if (now.groups[TSIM_LIMIT_WAVE_SLOTS] < groups || now.groups[TSIM_LIMIT_BARRIERS] < groups) {
        return FALSE;
    }
    if (now.groups[TSIM_LIMIT_VGPRS] < groups) {
        ret_step->vgprs = share(gpu->vgprs_per_simd, waves_per_simd, gpu->vgpr_granule) / native;
    }
    if (now.groups[TSIM_LIMIT_SGPRS] < groups) {
        ret_step->sgprs = share(gpu->sgprs_per_simd, waves_per_simd, gpu->sgpr_granule);
    }
    if (now.groups[TSIM_LIMIT_LDS] < groups) {
        ret_step->lds_bytes = share(usable_lds_bytes(gpu, demand), groups, gpu->lds_granule);
    }
    return ret_step->vgprs > 0 && ret_step->sgprs > 0 && ret_step->lds_bytes > 0;
}
