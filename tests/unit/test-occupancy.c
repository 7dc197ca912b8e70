/* workload/occupancy.h and workload/survey.h: what a draw's stages and factors amount to, without a
 * run. Expected numbers are worked by hand. */
#include "golden-gpus.h"
#include "workload/occupancy.h"
#include "workload/survey.h"

static TsimDraw triangles(void)
{
    return (TsimDraw){
        .patches = 5,
        .domain = TSIM_DOMAIN_TRI,
        .partitioning = TSIM_PARTITIONING_INTEGER,
        .topology = TSIM_TOPOLOGY_TRIANGLE_CW,
        .max_tess_factor = 64,
        .input_control_points = 3,
        .output_control_points = 3,
        .vs_output_vec4 = 2,
        .hs_output_vec4 = 2,
        .vs = {.vgprs = 8, .sgprs = 16},
        .hs = {.vgprs = 12, .sgprs = 16},
        .ds = {.vgprs = 64, .sgprs = 24},
        .tessellation = {.mode = TSIM_MODE_OFFCHIP,
                         .patch_rule = TSIM_PATCH_RULE_XBOX_ONE,
                         .tf_threshold = 3.0,
                         .ds_wave_threshold = 4},
    };
}

static uint32_t rows_of(const TsimGpu *gpu, const TsimDraw *draw, TsimOccupancy rows[])
{
    TsimWork work = {.type = TSIM_WORK_DRAW, .draw = *draw};
    const TsimScenario scenario = {.work_n = 1, .work = &work};
    TsimDrawPlan plan;
    GError *error = NULL;

    tsim_draw_plan(gpu, draw, &plan, NULL, &error);
    g_assert_no_error(error);
    return tsim_occupancy_draw(gpu, draw, &plan, tsim_scenario_lds_kept_free_bytes(gpu, &scenario),
                               rows);
}

/* 73 patches are 219 threads, 4 waves and 16384 bytes: 4 groups by LDS, 10 by slots. A DS wave of
 * 64 registers runs 4 times a SIMD. */
static void test_draw(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles();
    TsimOccupancy rows[TSIM_STAGES];

    g_assert_cmpuint(rows_of(gpu, &draw, rows), ==, 3);
    g_assert_cmpint((int)rows[0].stage, ==, TSIM_STAGE_VS);
    g_assert_cmpuint(rows[0].threads, ==, 219);
    g_assert_cmpuint(rows[0].residency.groups[TSIM_LIMIT_WAVE_SLOTS], ==, 10);
    g_assert_cmpuint(rows[0].residency.groups_per_unit, ==, 4);
    g_assert_cmpint((int)rows[1].residency.limiter, ==, TSIM_LIMIT_LDS);
    g_assert_true(rows[1].can_step);
    g_assert_cmpuint(rows[1].next.lds_bytes, ==, 12800); /* 65536 / 5 */
    g_assert_cmpint((int)rows[2].stage, ==, TSIM_STAGE_DS);
    g_assert_cmpuint(rows[2].residency.groups_per_unit, ==, 16);
    g_assert_cmpuint(tsim_occupancy_tess_groups(rows, 3), ==, 4);
}

/* T12, D3: with pixels behind the draw, 4096 bytes stay free for them: 61440 / 16384 = 3 groups. A
 * PS wave of 64 pixels, 10 a primitive, holds 7 primitives of 2 interpolants: 7 * 2 * 48 = 672. */
static void test_pixels(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles();
    TsimOccupancy rows[TSIM_STAGES];

    draw.has_ps = TRUE;
    draw.ps = (TsimPixelWork){
        .shader = {.vgprs = 24, .sgprs = 16}, .pixels_per_primitive = 10, .interpolants = 2};
    g_assert_cmpuint(rows_of(gpu, &draw, rows), ==, 4);
    g_assert_cmpuint(tsim_occupancy_tess_groups(rows, 4), ==, 3);
    g_assert_cmpint((int)rows[3].stage, ==, TSIM_STAGE_PS);
    g_assert_cmpuint(rows[3].demand.lds_bytes, ==, 672);
    g_assert_cmpuint(rows[3].residency.groups_per_unit, ==, 40);

    /* One pixel a primitive still takes a quad: 16 primitives of 32 interpolants are 24576 bytes,
     * more than the reserve, and 40960 bytes hold 2 groups. */
    draw.ps.pixels_per_primitive = 1;
    draw.ps.interpolants = 32;
    g_assert_cmpuint(rows_of(gpu, &draw, rows), ==, 4);
    g_assert_cmpuint(rows[3].demand.lds_bytes, ==, 24576);
    g_assert_cmpuint(tsim_occupancy_tess_groups(rows, 4), ==, 2);
}

/* T14: one row of merged waves, with the registers of the larger shader. */
static void test_merged(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx1030");
    TsimDraw draw = triangles();
    TsimOccupancy rows[TSIM_STAGES];

    draw.vs.vgprs = 40;
    draw.output_control_points = 10;
    draw.tessellation.patches_per_threadgroup = 20;
    g_assert_cmpuint(rows_of(gpu, &draw, rows), ==, 2);
    g_assert_cmpint((int)rows[0].stage, ==, TSIM_STAGE_HS);
    g_assert_cmpuint(rows[0].threads, ==, 200);
    g_assert_cmpuint(rows[0].demand.waves, ==, 4);
    g_assert_cmpuint(rows[0].demand.vgprs, ==, 40);
}

/* 300 threads of wave64 are 5 waves; 40 slots hold 8 groups, 16384 bytes of LDS let 4 in. */
static void test_dispatch(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    const TsimDispatch dispatch = {
        .threads = 300, .lds_bytes = 16384, .cs = {.vgprs = 16, .sgprs = 16}};
    TsimOccupancy row;

    tsim_occupancy_dispatch(gpu, &dispatch, &row);
    g_assert_cmpuint(row.demand.waves, ==, 5);
    g_assert_cmpuint(row.residency.groups[TSIM_LIMIT_WAVE_SLOTS], ==, 8);
    g_assert_cmpuint(row.residency.groups_per_unit, ==, 4);
    g_assert_cmpuint(row.residency.waves_per_unit, ==, 20);
}

/* Five patches in groups of two. Integer triangles of factor n: 1 -> 3 points, 4 -> 19, 16 -> 217.
 *   group 0: 16, 4     236 points, 4 waves, mean 10 -> off-chip
 *   group 1: culled, 4  19 points, 1 wave,  mean 2  -> on-chip (a culled patch counts 0, E9)
 *   group 2: culled      0 points, 0 waves, mean 0  -> on-chip */
static void test_survey(void)
{
    static const float levels[] = {16, 4, 0, 4, 0};
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimTessFactors *factors = g_new0(TsimTessFactors, G_N_ELEMENTS(levels));
    TsimDraw draw = triangles();
    TsimDrawPlan plan;
    TsimSurvey survey;

    for (gsize i = 0; i < G_N_ELEMENTS(levels); i++) {
        factors[i] = (TsimTessFactors){{levels[i], levels[i], levels[i], 0}, {levels[i], 0}};
    }
    draw.factors = tsim_factor_source_new_list(factors, G_N_ELEMENTS(levels));
    draw.tessellation.patches_per_threadgroup = 2;
    g_assert_true(tsim_draw_plan(gpu, &draw, &plan, NULL, NULL));

    tsim_survey(gpu, &draw, &plan, UINT64_MAX, &survey);
    g_assert_cmpuint(survey.patches, ==, 5);
    g_assert_cmpuint(survey.culled_patches, ==, 2);
    g_assert_cmpuint(survey.threadgroups, ==, 3);
    g_assert_cmpuint(survey.threadgroups_offchip, ==, 1);
    g_assert_cmpuint(survey.threadgroups_culled, ==, 1);
    g_assert_cmpuint(survey.points, ==, 255);
    g_assert_cmpuint(survey.ds_threads, ==, 255);
    g_assert_cmpuint(survey.ds_waves, ==, 5);
    g_assert_cmpuint(survey.patches_by_factor[0], ==, 2);
    g_assert_cmpuint(survey.patches_by_factor[4], ==, 2);
    g_assert_cmpuint(survey.patches_by_factor[16], ==, 1);
    g_assert_cmpuint(survey.groups_by_ds_waves[0], ==, 1);
    g_assert_cmpuint(survey.groups_by_ds_waves[1], ==, 1);
    g_assert_cmpuint(survey.groups_by_ds_waves[3], ==, 1); /* 3 or 4 waves */
    g_assert_cmpuint(survey.culled_vs_threads, ==, 6);
    g_assert_cmpuint(survey.culled_hs_threads, ==, 6);
    g_assert_cmpuint(survey.culled_lds_bytes, ==, 448); /* 2 * 224 */

    g_assert_cmpuint(tsim_survey_patches_in_bin(&survey, 0), ==, 2);
    g_assert_cmpuint(tsim_survey_patches_in_bin(&survey, 3), ==, 2); /* 3 or 4 */
    g_assert_cmpuint(tsim_survey_patches_in_bin(&survey, 5), ==, 1); /* 9 to 16 */

    tsim_survey(gpu, &draw, &plan, 2, &survey);
    g_assert_cmpuint(survey.threadgroups, ==, 1);

    /* A FIFO of 14 shades 389 for factor 16 and 23 for factor 4 (facts, section 8): 412 threads are
     * 7 waves, 23 are 1. */
    draw.vertex_reuse = TSIM_VERTEX_REUSE_FIFO;
    tsim_survey(gpu, &draw, &plan, UINT64_MAX, &survey);
    g_assert_cmpuint(survey.points, ==, 255);
    g_assert_cmpuint(survey.ds_threads, ==, 435);
    g_assert_cmpuint(survey.groups_by_ds_waves[4], ==, 1); /* 5 to 8 */
    g_assert_cmpuint(survey.groups_by_ds_waves[1], ==, 1);
    tsim_factor_source_free(draw.factors);
}

static void test_wave_bins(void)
{
    static const uint32_t expected[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}};

    for (uint32_t bin = 0; bin < G_N_ELEMENTS(expected); bin++) {
        uint32_t least, most;

        tsim_survey_bin(bin, &least, &most);
        g_assert_cmpuint(least, ==, expected[bin][0]);
        g_assert_cmpuint(most, ==, expected[bin][1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/occupancy/draw", test_draw);
    g_test_add_func("/occupancy/pixels", test_pixels);
    g_test_add_func("/occupancy/merged", test_merged);
    g_test_add_func("/occupancy/dispatch", test_dispatch);
    g_test_add_func("/survey/factors", test_survey);
    g_test_add_func("/survey/wave-bins", test_wave_bins);
    return g_test_run();
}
