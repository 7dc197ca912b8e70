/* What a driver works out before a draw: threadgroup size, LDS layout, waves, thresholds; and what
 * can never fit the GPU, refused with the resource, the amount asked and the amount there is.
 *
 * Pure arithmetic on a GPU and a draw (T1-T4, T8-T11, T14); the simulator and `tesssim limits` use
 * the same plan.
 */
#pragma once

#include "workload/workload.h"

typedef struct {
    int mode;       /* TsimTessMode that runs: off-chip on GPUs without on-chip mode (T14) */
    int patch_rule; /* TsimPatchRule that chose; TSIM_PATCH_RULE_EXPLICIT when a number was given */
    uint32_t patches_per_group;   /* PatchesPerThreadgroup */
    const char *patch_limiter;    /* what stopped the rule from taking more; static */
    TsimPatchLayout layout;       /* LDS, as the rule's driver lays it out */
    uint32_t vs_waves, hs_waves;  /* of a full group; merged waves are HS waves, VS then 0 */
    uint32_t lds_bytes;           /* of a full group, as asked */
    uint32_t lds_allocated_bytes; /* after the granule; partial groups get the same (the register is
                                     set once) */
    uint32_t ring_bytes_per_patch;    /* tess-factor ring; see ring_header_bytes (E14) */
    uint32_t ring_header_bytes;       /* control dword: 4 when off-chip is compiled in, on GPUs with
                                         on-chip mode */
    uint32_t offchip_bytes_per_patch; /* what an off-chip group writes for each patch */
    double tf_threshold;              /* as decided, given or auto */
    int64_t tf_threshold_fx16; /* the same in 16.16, nearest (E9); -1 where nothing is on-chip */
    TsimTfCompare tf_compare;
    uint32_t ds_wave_threshold;
    uint32_t patch_read_instructions;  /* E16: slots that a DS thread reads */
    uint32_t patch_write_instructions; /* E16: slots that an HS thread writes */
} TsimDrawPlan;

/* Fails (TSIM_ERROR_LIMIT) when not even one patch, or the number asked for, fits the GPU.
 * warnings (may be NULL) receives g_strdup'ed lines. */
gboolean tsim_draw_plan(const TsimGpu *gpu, const TsimDraw *draw, TsimDrawPlan *ret_plan,
                        GPtrArray *warnings, GError **error);

/* T8: whether a threadgroup whose factors average that much goes off-chip. */
gboolean tsim_draw_plan_is_offchip(const TsimDrawPlan *plan, const TsimFactorMean *mean);

/* Fails (TSIM_ERROR_LIMIT) when a threadgroup of the dispatch can never be resident. */
gboolean tsim_dispatch_fits(const TsimGpu *gpu, const TsimDispatch *dispatch, GError **error);

/* LDS that a full pixel wave holds for its interpolants: 48 bytes a primitive and vec4 (T12). */
uint32_t tsim_pixel_lds_bytes(const TsimPixelWork *work, uint32_t wave_size);

/* How the draw's points are reused on that GPU: NULL when none is shaded twice. The arena's. */
TsimVertexReuse *tsim_draw_vertex_reuse_new(const TsimGpu *gpu, const TsimDraw *draw,
                                            TsimArena *arena);

/* LDS of a CU that LS-HS groups leave free, so that later stages of any draw can go on (D3). */
uint32_t tsim_scenario_lds_kept_free_bytes(const TsimGpu *gpu, const TsimScenario *scenario);
