/* Occupancy: how much of one kind of work a SIMD, a CU or a WGP can hold, and what stops the next
 * one.
 *
 * Exact integer arithmetic over a TsimGpu, as compilers and drivers do it (facts, section 10); no
 * state, no time. A "unit" is a CU, or a WGP on GPUs that place threadgroups in WGPs.
 */
#pragma once

#include "hw/gpu.h"

/* Every bound that can limit residency, in the order in which ties are reported. */
typedef enum {
    TSIM_LIMIT_WAVE_SLOTS,
    TSIM_LIMIT_VGPRS,
    TSIM_LIMIT_SGPRS,
    TSIM_LIMIT_LDS,
    TSIM_LIMIT_BARRIERS,
    TSIM_LIMITS,
} TsimLimit;

extern const char *const tsim_limit_names[]; /* "wave_slots", "vgprs", "sgprs", "lds", "barriers" */

/* Registers after the granule, as taken from the SIMD's file, for one wave of wave_size threads.
 * SGPR counts are those that compilers report, with VCC and the like included. */
uint32_t tsim_limits_vgprs_allocated(const TsimGpu *gpu, uint32_t vgprs, uint32_t wave_size);
uint32_t tsim_limits_sgprs_allocated(const TsimGpu *gpu, uint32_t sgprs);
uint32_t tsim_limits_lds_allocated(const TsimGpu *gpu, uint32_t bytes);

/* Waves of that shape that one SIMD can hold. */
uint32_t tsim_limits_waves_per_simd(const TsimGpu *gpu, uint32_t vgprs, uint32_t sgprs,
                                    uint32_t wave_size);

/* What one threadgroup takes. */
typedef struct {
    uint32_t vgprs, sgprs; /* of a wave, as compilers report; sgprs 0: not told, no bound */
    uint32_t wave_size;
    uint32_t waves; /* of the group, at least 1 */
    uint32_t lds_bytes;
    uint32_t lds_kept_free_bytes; /* LDS of a unit that such groups leave to others (D3) */
} TsimGroupDemand;

typedef struct {
    uint32_t groups[TSIM_LIMITS]; /* groups a unit that each bound alone would allow; UINT32_MAX: no
                                     bound */
    uint32_t groups_per_unit;     /* the least of them */
    TsimLimit limiter;            /* the first bound that is as low */
    uint32_t waves_per_simd_by_registers;
    uint32_t waves_per_unit; /* groups_per_unit * waves of a group */
    uint32_t waves_per_simd; /* of the fullest SIMD when they are spread evenly */
} TsimResidency;

void tsim_limits_residency(const TsimGpu *gpu, const TsimGroupDemand *demand,
                           TsimResidency *ret_residency);

/* The next step down: the most that a group may take so that one more fits a unit. A member is
 * UINT32_MAX where what the group takes now will do. FALSE when nothing that it could save helps:
 * wave slots or barriers are used up. */
typedef struct {
    uint32_t vgprs, sgprs, lds_bytes;
} TsimNextStep;

gboolean tsim_limits_next_step(const TsimGpu *gpu, const TsimGroupDemand *demand,
                               TsimNextStep *ret_step);
