#include "workload/survey.h"

#include "base/rate.h"

void tsim_survey_bin(uint32_t bin, uint32_t *ret_least, uint32_t *ret_most)
{
    *ret_most = bin == 0 ? 0 : 1U << (bin - 1);
    *ret_least = bin <= 1 ? bin : *ret_most / 2 + 1;
}

static uint32_t wave_bin(uint64_t waves)
{
    for (uint32_t bin = 0; bin < TSIM_SURVEY_BINS - 1; bin++) {
        uint32_t least, most;

        tsim_survey_bin(bin, &least, &most);
        if (waves <= most) {
            return bin;
        }
    }
    return TSIM_SURVEY_BINS - 1;
}

typedef struct {
    TsimTessCounts counts;
    uint32_t factor_sum_fx16;
} PatchWork;

static void patch_work(const TsimDraw *draw, uint64_t patch, PatchWork *work)
{
    const TsimDomain domain = (TsimDomain)draw->domain;
    const TsimPartitioning partitioning = (TsimPartitioning)draw->partitioning;
    const float max_factor = (float)draw->max_tess_factor;
    TsimTessFactors factors;

    tsim_factor_source_get(draw->factors, patch, &factors);
    work->factor_sum_fx16 =
        tsim_tessellation_factor_sum_fx16(domain, partitioning, max_factor, &factors);
    factors = tsim_tessellation_limit(&factors, max_factor);
    work->counts =
        tsim_tessellation_count(domain, partitioning, (TsimTopology)draw->topology, &factors);
}

/* The threadgroup being filled. */
typedef struct {
    uint64_t patches, points;
    uint64_t factor_sum_fx16;
} Group;

static void close_group(const TsimGpu *gpu, const TsimDrawPlan *plan, uint32_t factors,
                        const Group *group, TsimSurvey *survey)
{
    const uint64_t waves = tsim_ceil_div(group->points, gpu->wave_size);
    /* Average >= threshold without a division (E9). */
    const gboolean above =
        group->factor_sum_fx16 >= (uint64_t)plan->tf_threshold_fx16 * group->patches * factors;

    survey->threadgroups++;
    survey->ds_waves += waves;
    survey->groups_by_ds_waves[wave_bin(waves)]++;
    survey->threadgroups_culled += group->points == 0 ? 1 : 0;
    survey->threadgroups_offchip += plan->mode == TSIM_MODE_OFFCHIP && above ? 1 : 0;
}

static void add_patch(const PatchWork *work, uint32_t factors, Group *group, TsimSurvey *survey)
{
    const uint32_t level = work->factor_sum_fx16 / factors >> 16;

    group->patches++;
    group->points += work->counts.points;
    group->factor_sum_fx16 += work->factor_sum_fx16;
    survey->patches++;
    survey->culled_patches += work->counts.culled ? 1 : 0;
    survey->points += work->counts.points;
    survey->primitives += work->counts.primitives;
    survey->patches_by_factor[MIN(level, TSIM_TESS_LEVEL_MAX)]++;
}

void tsim_survey(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                 uint64_t patches_max, TsimSurvey *ret_survey)
{
    const TsimDomain domain = (TsimDomain)draw->domain;
    const uint32_t factors =
        tsim_tessellation_edge_factors(domain) + tsim_tessellation_inside_factors(domain);
    const uint64_t patches = MIN(draw->patches, patches_max);
    const gboolean same = tsim_factor_source_is_uniform(draw->factors);
    Group group = {0};
    PatchWork work = {0};

    *ret_survey = (TsimSurvey){0};
    for (uint64_t patch = 0; patch < patches; patch++) {
        if (patch == 0 || !same) {
            patch_work(draw, patch, &work);
        }
        add_patch(&work, factors, &group, ret_survey);
        if (group.patches == plan->patches_per_group || patch + 1 == patches) {
            close_group(gpu, plan, factors, &group, ret_survey);
            group = (Group){0};
        }
    }
    ret_survey->culled_vs_threads = ret_survey->culled_patches * draw->input_control_points;
    ret_survey->culled_hs_threads = ret_survey->culled_patches * draw->output_control_points;
    ret_survey->culled_lds_bytes =
        ret_survey->culled_patches * tsim_patch_layout_patch_bytes(&plan->layout);
}
