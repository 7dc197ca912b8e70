/* workload/plan.h: what a driver works out before a draw. Expected numbers are worked by hand. */
#include "base/error.h"
#include "golden-gpus.h"
#include "workload/plan.h"

#include <string.h>

/* The hull shader of issue 2: triangles, 2 slots in and out, on a GCN2 chip. */
static TsimDraw triangles(TsimTessMode mode)
{
    return (TsimDraw){
        .patches = 4096,
        .domain = TSIM_DOMAIN_TRI,
        .partitioning = TSIM_PARTITIONING_INTEGER,
        .max_tess_factor = 64,
        .input_control_points = 3,
        .output_control_points = 3,
        .vs_output_vec4 = 2,
        .hs_output_vec4 = 2,
        .vs = {.vgprs = 8, .sgprs = 16},
        .hs = {.vgprs = 12, .sgprs = 16},
        .ds = {.vgprs = 64, .sgprs = 24},
        .tessellation = {.mode = (int)mode,
                         .patch_rule = TSIM_PATCH_RULE_XBOX_ONE,
                         .tf_threshold = -1.0,
                         .tf_rule = TSIM_THRESHOLD_NEAREST_256,
                         .ds_wave_threshold = 4},
    };
}

static TsimDrawPlan plan(const TsimGpu *gpu, const TsimDraw *draw, GPtrArray *warnings)
{
    TsimDrawPlan plan;
    GError *error = NULL;

    tsim_draw_plan(gpu, draw, &plan, warnings, &error);
    g_assert_no_error(error);
    return plan;
}

/* T3, T4, T10: 224 bytes a patch; 4 groups of 73 are all 292 patches that 64 KB can hold. 73 * 3 =
 * 219 threads, 4 waves. A patch at factor 1 has 3 points, 219 threads a group; at factor 2 it has
 * 7, 511 threads: 1 is nearer to 256, 2 the first that reaches it. */
static void test_auto(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles(TSIM_MODE_OFFCHIP);
    TsimDrawPlan got = plan(gpu, &draw, NULL);

    g_assert_cmpint(got.mode, ==, TSIM_MODE_OFFCHIP);
    g_assert_cmpint(got.patch_rule, ==, TSIM_PATCH_RULE_XBOX_ONE);
    g_assert_cmpuint(got.patches_per_group, ==, 73);
    g_assert_cmpstr(got.patch_limiter, ==, "cu_lds");
    g_assert_cmpuint(got.vs_waves, ==, 4);
    g_assert_cmpuint(got.hs_waves, ==, 4);
    g_assert_cmpuint(got.lds_bytes, ==, 16352);
    g_assert_cmpuint(got.lds_allocated_bytes, ==, 16384);
    g_assert_cmpfloat(got.tf_threshold, ==, 1.0);
    g_assert_cmpint(got.tf_threshold_fx16, ==, 65536);
    g_assert_cmpuint(got.ds_wave_threshold, ==, 4);
    draw.tessellation.tf_rule = TSIM_THRESHOLD_AT_LEAST_256;
    g_assert_cmpfloat(plan(gpu, &draw, NULL).tf_threshold, ==, 2.0);
}

/* T6, T7, E14, E16: off-chip takes the same LDS, and adds the control dword and the stores. */
static void test_memory(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles(TSIM_MODE_OFFCHIP);
    TsimDrawPlan got;

    draw.hs_patch_constant_vec4 = 3;
    got = plan(gpu, &draw, NULL);
    g_assert_cmpuint(got.layout.input_bytes, ==, 96);    /* 3 * 16 * 2 */
    g_assert_cmpuint(got.layout.output_bytes, ==, 96);   /* 3 * 16 * 2 */
    g_assert_cmpuint(got.layout.constant_bytes, ==, 80); /* 16 * (3 + 2) */
    g_assert_cmpuint(got.offchip_bytes_per_patch, ==, 176);
    g_assert_cmpuint(got.ring_bytes_per_patch, ==, 16);
    g_assert_cmpuint(got.ring_header_bytes, ==, 4);
    g_assert_cmpuint(got.patch_read_instructions, ==, 9);  /* 3 * 2 + 3 */
    g_assert_cmpuint(got.patch_write_instructions, ==, 7); /* 2 + 3 + 2 */

    draw.tessellation.mode = TSIM_MODE_ONCHIP;
    g_assert_cmpuint(plan(gpu, &draw, NULL).lds_bytes, ==, got.lds_bytes);
    g_assert_cmpuint(plan(gpu, &draw, NULL).ring_header_bytes, ==, 0);

    /* An isoline has one slot of factors, and two factors in the ring. */
    draw.domain = TSIM_DOMAIN_ISOLINE;
    got = plan(gpu, &draw, NULL);
    g_assert_cmpuint(got.layout.constant_bytes, ==, 64);
    g_assert_cmpuint(got.ring_bytes_per_patch, ==, 8);
    g_assert_cmpuint(got.patch_write_instructions, ==, 6);
}

/* A number is taken as it is; golden case C002's layout: 40 * 224 = 8960 bytes. */
static void test_given(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles(TSIM_MODE_ONCHIP);
    TsimDrawPlan got;

    draw.tessellation.patches_per_threadgroup = 40;
    draw.tessellation.tf_threshold = 4.5;
    draw.tessellation.ds_wave_threshold = 15;
    got = plan(gpu, &draw, NULL);
    g_assert_cmpint(got.patch_rule, ==, TSIM_PATCH_RULE_EXPLICIT);
    g_assert_cmpuint(got.patches_per_group, ==, 40);
    g_assert_cmpstr(got.patch_limiter, ==, "explicit");
    g_assert_cmpuint(got.vs_waves, ==, 2);
    g_assert_cmpuint(got.lds_allocated_bytes, ==, 9216);
    g_assert_cmpint(got.tf_threshold_fx16, ==, 294912); /* 4.5 * 65536 */
    g_assert_cmpuint(got.ds_wave_threshold, ==, 15);
}

/* T14: merged waves of max(3, 10) threads a patch, always off-chip, thresholds ignored aloud. */
static void test_rdna(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx1030");
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    TsimDraw draw = triangles(TSIM_MODE_ONCHIP);
    TsimDrawPlan got;

    gpu->wave_size = 32;
    gpu->tf_ring_header_bytes = 0;
    draw.output_control_points = 10;
    draw.tessellation.patches_per_threadgroup = 25;
    draw.tessellation.thresholds_given = TRUE;
    draw.tessellation.tf_threshold = 8.0;
    got = plan(gpu, &draw, warnings);
    g_assert_cmpint(got.mode, ==, TSIM_MODE_OFFCHIP);
    g_assert_cmpuint(got.vs_waves, ==, 0);
    g_assert_cmpuint(got.hs_waves, ==, 8); /* 250 / 32 */
    g_assert_cmpuint(got.ring_header_bytes, ==, 0);
    g_assert_cmpint(got.tf_threshold_fx16, ==, -1); /* nothing is on-chip */
    g_assert_cmpuint(got.ds_wave_threshold, ==, 0);
    g_assert_cmpuint(warnings->len, ==, 2);
}

/* Distributed tessellation forces off-chip on chips that have on-chip mode (facts 1.6). */
static void test_distributed(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx8");
    const TsimDraw draw = triangles(TSIM_MODE_ONCHIP);
    const TsimDrawPlan got = plan(gpu, &draw, NULL);

    g_assert_cmpint(got.mode, ==, TSIM_MODE_OFFCHIP);
    g_assert_cmpuint(got.ds_wave_threshold, ==, 0);
    g_assert_cmpuint(got.ring_header_bytes, ==, 4);
}

/* RADV took 64 KB on GCN2: (64 / 16) * 4 = 16 patches of 16 * 16 * 12 + 2 * 16 = 3104 bytes are
 * more than the 32 KB that other drivers keep to, which warns, and more than 64 KB is refused. */
static void test_over_32k(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    TsimDraw draw = triangles(TSIM_MODE_OFFCHIP);
    TsimDrawPlan got;

    draw.input_control_points = draw.output_control_points = 16;
    draw.vs_output_vec4 = draw.hs_output_vec4 = 6;
    draw.tessellation.patch_rule = TSIM_PATCH_RULE_RADV_22;
    got = plan(gpu, &draw, warnings);
    g_assert_cmpuint(got.patches_per_group, ==, 16);
    g_assert_cmpuint(got.lds_bytes, ==, 49664);
    g_assert_cmpuint(warnings->len, ==, 1);
    g_assert_nonnull(strstr(g_ptr_array_index(warnings, 0), "49664"));
    g_assert_nonnull(strstr(g_ptr_array_index(warnings, 0), "32768"));

    draw.vs_output_vec4 = 12; /* 16 * (3072 + 1568) */
    draw.tessellation.patches_per_threadgroup = 16;
    g_assert_false(tsim_draw_plan(gpu, &draw, &got, NULL, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "74240"));
    g_assert_nonnull(strstr(error->message, "65536"));
}

static void assert_refused(const TsimGpu *gpu, const TsimDraw *draw, const char *asked,
                           const char *limit, const char *resource)
{
    g_autoptr(GError) error = NULL;
    TsimDrawPlan plan;

    g_assert_false(tsim_draw_plan(gpu, draw, &plan, NULL, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT);
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, asked));
    g_assert_nonnull(strstr(error->message, limit));
    g_assert_nonnull(strstr(error->message, resource));
}

/* Every message has the amount asked, the amount there is, and of what. */
static void test_refused(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles(TSIM_MODE_OFFCHIP);

    draw.tessellation.patches_per_threadgroup = 256;
    assert_refused(gpu, &draw, "256", "255", "NUM_PATCHES");
    draw.tessellation.patches_per_threadgroup = 86;
    assert_refused(gpu, &draw, "258", "256", "hull shader threads");
    draw.tessellation.patches_per_threadgroup = 85;
    gpu->tf_ring_bytes_per_se = 1024; /* 4 + 85 * 16 */
    assert_refused(gpu, &draw, "1364", "1024", "tess-factor ring");
    gpu->tf_ring_bytes_per_se = 16384;
    gpu->offchip_buffer_bytes = 8192; /* 85 * 128 */
    assert_refused(gpu, &draw, "10880", "8192", "off-chip buffer");
    draw.tessellation.mode = TSIM_MODE_ONCHIP;
    plan(gpu, &draw, NULL);
    draw.has_ps = TRUE; /* 85 patches allocate 19456 bytes */
    gpu->lds_bytes_per_cu = 20480;
    gpu->ps_lds_reserve = 4096;
    assert_refused(gpu, &draw, "23552", "20480", "LDS"); /* 19456 + 4096 */
}

static void test_refused_gangs(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDraw draw = triangles(TSIM_MODE_ONCHIP);

    draw.tessellation.patches_per_threadgroup = 85; /* 255 threads, 4 waves */
    gpu->waves_per_simd = 1;
    gpu->simds_per_cu = 3;
    assert_refused(gpu, &draw, "4 waves at once", "limit is 3", "vs");
    gpu->waves_per_simd = 10;
    gpu->simds_per_cu = 1;
    draw.hs.vgprs = 128; /* 2 waves a SIMD */
    assert_refused(gpu, &draw, "4 waves at once", "limit is 2", "hs");
    draw.ds.vgprs = 257;
    assert_refused(gpu, &draw, "257 VGPRs", "256", "ds");
    draw.ds.vgprs = 64;
    draw.ds.sgprs = 105;
    assert_refused(gpu, &draw, "105 SGPRs", "104", "ds");
}

static void test_dispatch(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimDispatch dispatch = {.threadgroups = 1, .threads = 1024, .cs = {.vgprs = 64, .sgprs = 16}};
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_dispatch_fits(gpu, &dispatch, NULL)); /* 16 waves, 4 a SIMD */
    dispatch.lds_bytes = 65536;
    g_assert_true(tsim_dispatch_fits(gpu, &dispatch, NULL));
    dispatch.cs.vgprs = 65; /* 68: 3 a SIMD */
    g_assert_false(tsim_dispatch_fits(gpu, &dispatch, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "16 waves at once"));
    g_assert_nonnull(strstr(error->message, "limit is 12"));
    g_clear_error(&error);
    dispatch.cs.vgprs = 64;
    dispatch.lds_bytes = 65537;
    g_assert_false(tsim_dispatch_fits(gpu, &dispatch, &error));
    g_assert_nonnull(strstr(error->message, "65537"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plan/auto", test_auto);
    g_test_add_func("/plan/memory", test_memory);
    g_test_add_func("/plan/given", test_given);
    g_test_add_func("/plan/rdna", test_rdna);
    g_test_add_func("/plan/distributed", test_distributed);
    g_test_add_func("/plan/over-32k", test_over_32k);
    g_test_add_func("/plan/refused", test_refused);
    g_test_add_func("/plan/refused-gangs", test_refused_gangs);
    g_test_add_func("/plan/dispatch", test_dispatch);
    return g_test_run();
}
