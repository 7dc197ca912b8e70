/* What the tess factors of a draw amount to, counted without a run: how many points, how the
 * factors and the DS waves of threadgroups are spread, and what culled patches still cost (T5, T8,
 * E9).
 *
 * O(patches surveyed).
 */
#pragma once

#include "workload/plan.h"

/* Bins, here of DS waves a threadgroup: 0, 1, 2, 3-4, 5-8, 9-16 ... */
#define TSIM_SURVEY_BINS 18

typedef struct {
    uint64_t patches; /* surveyed */
    uint64_t culled_patches;
    uint64_t threadgroups, threadgroups_offchip,
        threadgroups_culled;                           /* the last: without DS work */
    uint64_t points, ds_threads, primitives, ds_waves; /* points: distinct ones of a patch */
    /* Patches by the mean of their factors as the threadgroup averages them, rounded down to 1..64;
     * 0: culled. */
    uint64_t patches_by_factor[TSIM_TESS_LEVEL_MAX + 1];
    uint64_t groups_by_ds_waves[TSIM_SURVEY_BINS];
    /* Vertex and hull shader threads, and LDS bytes asked, spent on patches that give nothing. */
    uint64_t culled_vs_threads, culled_hs_threads, culled_lds_bytes;
} TsimSurvey;

/* At most patches_max patches, from the first on, and the threadgroups that they fill. */
void tsim_survey(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                 uint64_t patches_max, TsimSurvey *ret_survey);

/* The least and the greatest number of a bin. */
void tsim_survey_bin(uint32_t bin, uint32_t *ret_least, uint32_t *ret_most);

/* Patches whose factors are in a bin of that kind, the last of which ends at 64. */
#define TSIM_SURVEY_FACTOR_BINS 8
uint64_t tsim_survey_patches_in_bin(const TsimSurvey *survey, uint32_t bin);
