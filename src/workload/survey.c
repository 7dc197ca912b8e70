#include "workload/survey.h"

#include "base/rate.h"

void tsim_survey_bin(uint32_t bin, uint32_t *ret_least, uint32_t *ret_most)
{
    *ret_most = bin == 0 ? 0 : 1U << (bin - 1);
    *ret_least = bin <= 1 ? bin : *ret_most / 2 + 1;
}

uint64_t tsim_survey_patches_in_bin(const TsimSurvey *survey, uint32_t bin)
{
    uint64_t patches = 0;
    uint32_t least, most;

    tsim_survey_bin(bin, &least, &most);
    for (uint32_t level = least; level <= most; level++) {
        patches += survey->patches_by_factor[level];
    }
    return patches;
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
    uint32_t ds_threads;
    TsimFactorMean mean;
} PatchWork;

static void patch_work(const TsimDraw *draw, TsimVertexReuse *reuse, uint64_t patch,
                       PatchWork *work)
{
    TsimTessFactors factors;

    tsim_factor_source_get(draw->factors, patch, &factors);
    work->mean = tsim_draw_factor_mean(draw, &factors);
    work->counts = tsim_draw_patch_counts(draw, &factors);
    work->ds_threads = tsim_vertex_reuse_ds_threads(reuse, (TsimDomain)draw->domain,
                                                    (TsimTopology)draw->topology, &work->counts);
}

/* The threadgroup being filled. */
typedef struct {
    uint64_t patches, ds_threads;
    TsimFactorMean mean;
} Group;

static void close_group(const TsimGpu *gpu, const TsimDrawPlan *plan, const Group *group,
                        TsimSurvey *survey)
{
    const uint64_t waves = tsim_ceil_div(group->ds_threads, gpu->wave_size);

    survey->threadgroups++;
    survey->ds_waves += waves;
    survey->groups_by_ds_waves[wave_bin(waves)]++;
    survey->threadgroups_culled += group->ds_threads == 0 ? 1 : 0;
    survey->threadgroups_offchip += tsim_draw_plan_is_offchip(plan, &group->mean) ? 1 : 0;
}

static void add_patch(const PatchWork *work, Group *group, TsimSurvey *survey)
{
    const uint64_t level = work->mean.sum_fx16 / MAX(work->mean.factors, 1) >> 16;

    group->patches++;
    group->ds_threads += work->ds_threads;
    tsim_factor_mean_add(&group->mean, &work->mean, 1);
    survey->patches++;
    survey->culled_patches += work->counts.culled ? 1 : 0;
    survey->points += work->counts.points;
    survey->ds_threads += work->ds_threads;
    survey->primitives += work->counts.primitives;
    survey->patches_by_factor[MIN(level, TSIM_TESS_LEVEL_MAX)]++;
}

void tsim_survey(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                 uint64_t patches_max, TsimSurvey *ret_survey)
{
    const uint64_t patches = MIN(draw->patches, patches_max);
    const gboolean same = tsim_factor_source_is_uniform(draw->factors);
    TsimArena *arena = tsim_arena_new();
    TsimVertexReuse *reuse = tsim_draw_vertex_reuse_new(gpu, draw, arena);
    Group group = {0};
    PatchWork work = {0};

    *ret_survey = (TsimSurvey){0};
    for (uint64_t patch = 0; patch < patches; patch++) {
        if (patch == 0 || !same) {
            patch_work(draw, reuse, patch, &work);
        }
        add_patch(&work, &group, ret_survey);
        if (group.patches == plan->patches_per_group || patch + 1 == patches) {
            close_group(gpu, plan, &group, ret_survey);
            group = (Group){0};
        }
    }
    tsim_arena_free(arena);
    ret_survey->culled_vs_threads = ret_survey->culled_patches * draw->input_control_points;
    ret_survey->culled_hs_threads = ret_survey->culled_patches * draw->output_control_points;
    ret_survey->culled_lds_bytes =
        ret_survey->culled_patches * tsim_patch_layout_patch_bytes(&plan->layout);
}
