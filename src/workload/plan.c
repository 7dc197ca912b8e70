#include "workload/plan.h"

#include "base/error.h"
#include "hw/limits.h"

#include <math.h>

#define INTERPOLANT_BYTES 48 /* three vertices of a vec4 */
#define QUAD_PIXELS       4.0

/* ---- What can never fit ---- */

/* As in "a threadgroup of 85 patches" needs 40000 "bytes of LDS". */
static gboolean fits(const char *who, const char *what, uint64_t asked, uint64_t limit,
                     GError **error)
{
    if (asked <= limit) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                "%s needs %" G_GUINT64_FORMAT " %s, the limit is %" G_GUINT64_FORMAT, who, asked,
                what, limit);
    return FALSE;
}

/* All waves of a group at once in one CU, as far as registers and slots go. */
static gboolean gang_fits(const TsimGpu *gpu, const char *stage, uint32_t vgprs, uint32_t sgprs,
                          uint32_t waves, GError **error)
{
    g_autofree char *who = g_strdup_printf("a threadgroup's %s", stage);
    g_autofree char *what = NULL;
    const uint32_t per_simd = tsim_limits_waves_per_simd(gpu, vgprs, sgprs, gpu->wave_size);

    what = g_strdup_printf("waves at once in one %s (%u VGPRs and %u SGPRs each: %u a SIMD)",
                           gpu->wgp_mode ? "WGP" : "CU", vgprs, sgprs, per_simd);
    return fits(who, what, waves, (uint64_t)per_simd * tsim_gpu_simds_per_unit(gpu), error);
}

static gboolean shader_fits(const TsimGpu *gpu, const char *stage, const TsimShader *shader,
                            GError **error)
{
    g_autofree char *who = g_strdup_printf("the %s", stage);

    return fits(who, "VGPRs a thread", shader->vgprs, gpu->vgprs_max_per_thread, error) &&
           fits(who, "SGPRs a wave", shader->sgprs, gpu->sgprs_max_per_wave, error) &&
           gang_fits(gpu, stage, shader->vgprs, shader->sgprs, 1, error);
}

static gboolean shaders_fit(const TsimGpu *gpu, const TsimDraw *draw, GError **error)
{
    return shader_fits(gpu, "vs", &draw->vs, error) && shader_fits(gpu, "hs", &draw->hs, error) &&
           shader_fits(gpu, "ds", &draw->ds, error) &&
           (!draw->has_gs || shader_fits(gpu, "gs", &draw->gs.shader, error)) &&
           (!draw->has_ps || shader_fits(gpu, "ps", &draw->ps.shader, error));
}

uint32_t tsim_pixel_lds_bytes(const TsimPixelWork *work, uint32_t wave_size)
{
    /* A primitive fills at least one quad. */
    const double pixels = MAX(work->pixels_per_primitive, QUAD_PIXELS);
    const double primitives = ceil(wave_size / pixels);

    return INTERPOLANT_BYTES * work->interpolants * (uint32_t)primitives;
}

/* Enough for one wave of the draw's later stages, and what the GPU file asks for beyond that. */
static uint32_t lds_kept_free_bytes(const TsimGpu *gpu, const TsimDraw *draw)
{
    uint32_t bytes = draw->has_ps || draw->has_gs ? gpu->ps_lds_reserve : 0;

    if (draw->has_ps) {
        bytes = MAX(bytes, tsim_pixel_lds_bytes(&draw->ps, gpu->wave_size));
    }
    if (draw->has_gs) {
        bytes = MAX(bytes, draw->gs.lds_bytes);
    }
    return tsim_limits_lds_allocated(gpu, bytes);
}

uint32_t tsim_scenario_lds_kept_free_bytes(const TsimGpu *gpu, const TsimScenario *scenario)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < scenario->work_n; i++) {
        if (scenario->work[i].type == TSIM_WORK_DRAW) {
            bytes = MAX(bytes, lds_kept_free_bytes(gpu, &scenario->work[i].draw));
        }
    }
    return bytes;
}

/* The register widths come first: past them the other amounts mean nothing. */
static gboolean size_fits(const TsimGpu *gpu, const TsimDraw *draw, uint32_t patches,
                          GError **error)
{
    const uint32_t points = MAX(draw->input_control_points, draw->output_control_points);
    const char *threads =
        points == draw->output_control_points ? "hull shader threads" : "vertex shader threads";
    g_autofree char *who = g_strdup_printf("a threadgroup of %u patches", patches);

    return fits("patches_per_threadgroup", "patches in the NUM_PATCHES field", patches,
                gpu->patches_max, error) &&
           fits(who, threads, (uint64_t)patches * points, gpu->hs_max_threads, error);
}

static gboolean group_fits(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                           GError **error)
{
    const uint32_t patches = plan->patches_per_group;
    const gboolean offchip = plan->mode == TSIM_MODE_OFFCHIP;
    const TsimShader *vs = &draw->vs, *hs = &draw->hs;
    const gboolean merged = gpu->merged_ls_hs;
    g_autofree char *who = g_strdup_printf("a threadgroup of %u patches", patches);

    return fits(who, "bytes of LDS", plan->lds_bytes, tsim_patch_lds_addressable_bytes(gpu),
                error) &&
           fits(who, "bytes of LDS, with what a wave of later stages needs",
                (uint64_t)plan->lds_allocated_bytes + lds_kept_free_bytes(gpu, draw),
                tsim_gpu_lds_bytes_per_unit(gpu), error) &&
           fits(who, "bytes of the tess-factor ring of a shader engine",
                plan->ring_header_bytes + (uint64_t)patches * plan->ring_bytes_per_patch,
                gpu->tf_ring_bytes_per_se, error) &&
           fits(who, "bytes of an off-chip buffer",
                offchip ? (uint64_t)patches * plan->offchip_bytes_per_patch : 0,
                gpu->offchip_buffer_bytes, error) &&
           gang_fits(gpu, "vs", vs->vgprs, vs->sgprs, plan->vs_waves, error) &&
           gang_fits(gpu, "hs", merged ? MAX(vs->vgprs, hs->vgprs) : hs->vgprs,
                     merged ? MAX(vs->sgprs, hs->sgprs) : hs->sgprs, plan->hs_waves, error);
}

gboolean tsim_dispatch_fits(const TsimGpu *gpu, const TsimDispatch *dispatch, GError **error)
{
    const char *who = "a threadgroup";
    const TsimShader *cs = &dispatch->cs;
    const uint32_t lds_bytes = tsim_limits_lds_allocated(gpu, dispatch->lds_bytes);
    const uint32_t waves = (uint32_t)tsim_ceil_div(dispatch->threads, gpu->wave_size);

    return shader_fits(gpu, "cs", cs, error) &&
           fits(who, "bytes of LDS", dispatch->lds_bytes, gpu->lds_max_compute_threadgroup,
                error) &&
           fits(who, "bytes of LDS of a CU", lds_bytes, tsim_gpu_lds_bytes_per_unit(gpu), error) &&
           gang_fits(gpu, "cs", cs->vgprs, cs->sgprs, waves, error);
}

/* ---- The plan ---- */

G_GNUC_PRINTF(2, 3) static void warn(GPtrArray *warnings, const char *format, ...)
{
    va_list arguments;

    if (warnings == NULL) {
        return;
    }
    va_start(arguments, format);
    g_ptr_array_add(warnings, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

/* Distributed tessellation sends a patch's points to any engine, so none may need the CU's LDS. */
static gboolean can_run_onchip(const TsimGpu *gpu)
{
    return gpu->has_onchip && !gpu->distributed_tessellation;
}

static TsimPatchShape patch_shape(const TsimGpu *gpu, const TsimDraw *draw, gboolean offchip)
{
    const uint32_t factor_vec4 = draw->domain == TSIM_DOMAIN_ISOLINE ? 1 : 2;
    const TsimDomain domain = (TsimDomain)draw->domain;

    return (TsimPatchShape){
        .input_control_points = draw->input_control_points,
        .output_control_points = draw->output_control_points,
        .input_vec4 = draw->vs_output_vec4,
        .output_vec4 = draw->hs_output_vec4,
        .patch_constant_vec4 = draw->hs_patch_constant_vec4 + factor_vec4,
        .factor_vec4 = factor_vec4,
        .factors =
            tsim_tessellation_edge_factors(domain) + tsim_tessellation_inside_factors(domain),
        .wave_size = gpu->wave_size,
        .vs_vgprs = draw->vs.vgprs,
        .vs_sgprs = draw->vs.sgprs,
        .hs_vgprs = draw->hs.vgprs,
        .hs_sgprs = draw->hs.sgprs,
        .offchip = offchip,
        .hs_reads_outputs = draw->hs_reads_outputs || !offchip,
    };
}

static gboolean plan_patches(const TsimGpu *gpu, const TsimDraw *draw, const TsimPatchShape *shape,
                             TsimDrawPlan *plan, GError **error)
{
    const TsimTessSettings *settings = &draw->tessellation;
    const uint32_t given = settings->patches_per_threadgroup;
    TsimPatchRule rule = (TsimPatchRule)settings->patch_rule;
    TsimPatchChoice choice;

    /* A number given with a rule is laid out as that rule's driver does. */
    tsim_patch_rule_layout(rule, shape, &plan->layout);
    if (given > 0) {
        if (!size_fits(gpu, draw, given, error)) {
            return FALSE;
        }
        rule = TSIM_PATCH_RULE_EXPLICIT;
        tsim_patch_rule_explicit(gpu, shape, &plan->layout, given, &choice);
    } else if (rule == TSIM_PATCH_RULE_EXPLICIT) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                            "patch_rule explicit needs a number in patches_per_threadgroup");
        return FALSE;
    } else if (!tsim_patch_rule_choose(rule, gpu, shape, &plan->layout, &choice, error)) {
        return FALSE;
    }
    plan->patch_rule = (int)rule;
    plan->patches_per_group = choice.patches;
    plan->patch_limiter = choice.limiter;
    plan->vs_waves = choice.vs_waves;
    plan->hs_waves = choice.hs_waves;
    plan->lds_bytes = choice.lds_bytes;
    plan->lds_allocated_bytes = choice.lds_allocated_bytes;
    /* A driver's own constants may be above what this GPU has. */
    return size_fits(gpu, draw, choice.patches, error);
}

static void plan_thresholds(const TsimGpu *gpu, const TsimDraw *draw, TsimDrawPlan *plan,
                            GPtrArray *warnings)
{
    const TsimTessSettings *settings = &draw->tessellation;

    if (!can_run_onchip(gpu)) {
        if (settings->thresholds_given) {
            warn(warnings,
                 "tf_threshold and ds_wave_threshold mean nothing on %s: it has no "
                 "on-chip tessellation, every domain shader wave is off-chip",
                 gpu->name);
        }
        plan->tf_threshold = 0.0;
        plan->tf_threshold_fx16 = -1; /* below every average, whatever the rules */
        plan->ds_wave_threshold = 0;
    } else {
        plan->tf_threshold = settings->tf_threshold;
        plan->ds_wave_threshold = settings->ds_wave_threshold;
        if (settings->tf_threshold < 0.0) {
            plan->tf_threshold = tsim_tessellation_auto_threshold(
                (TsimDomain)draw->domain, (TsimPartitioning)draw->partitioning, FALSE,
                plan->patches_per_group, (TsimThresholdRule)settings->tf_rule);
        }
        plan->tf_threshold_fx16 = llround(plan->tf_threshold * 65536.0);
    }
    plan->tf_compare = (TsimTfCompare)settings->tf_compare;
}

gboolean tsim_draw_plan_is_offchip(const TsimDrawPlan *plan, const TsimFactorMean *mean)
{
    return plan->mode == TSIM_MODE_OFFCHIP &&
           tsim_factor_mean_reaches(mean, plan->tf_compare, plan->tf_threshold_fx16);
}

TsimVertexReuse *tsim_draw_vertex_reuse_new(const TsimGpu *gpu, const TsimDraw *draw,
                                            TsimArena *arena)
{
    const uint32_t depth =
        draw->vertex_reuse_depth > 0 ? draw->vertex_reuse_depth : gpu->vertex_reuse_depth;

    return draw->vertex_reuse == TSIM_VERTEX_REUSE_UNIQUE
               ? NULL
               : tsim_vertex_reuse_new(arena, (TsimVertexReuseKind)draw->vertex_reuse, depth);
}

static void plan_memory(const TsimGpu *gpu, const TsimDraw *draw, const TsimPatchShape *shape,
                        TsimDrawPlan *plan)
{
    plan->ring_bytes_per_patch = tsim_tessellation_ring_bytes((TsimDomain)draw->domain);
    plan->ring_header_bytes = shape->offchip ? gpu->tf_ring_header_bytes : 0;
    plan->offchip_bytes_per_patch = tsim_patch_offchip_bytes(shape);
    plan->patch_read_instructions =
        draw->output_control_points * draw->hs_output_vec4 + draw->hs_patch_constant_vec4;
    plan->patch_write_instructions = draw->hs_output_vec4 + shape->patch_constant_vec4;
}

gboolean tsim_draw_plan(const TsimGpu *gpu, const TsimDraw *draw, TsimDrawPlan *ret_plan,
                        GPtrArray *warnings, GError **error)
{
    const gboolean onchip = draw->tessellation.mode == TSIM_MODE_ONCHIP && can_run_onchip(gpu);
    const TsimPatchShape shape = patch_shape(gpu, draw, !onchip);

    *ret_plan = (TsimDrawPlan){.mode = onchip ? TSIM_MODE_ONCHIP : TSIM_MODE_OFFCHIP};
    if (draw->tessellation.mode == TSIM_MODE_ONCHIP && !onchip) {
        warn(warnings, "%s has no on-chip tessellation: the draw runs off-chip", gpu->name);
    }
    if (!shaders_fit(gpu, draw, error) || !plan_patches(gpu, draw, &shape, ret_plan, error)) {
        return FALSE;
    }
    plan_thresholds(gpu, draw, ret_plan, warnings);
    plan_memory(gpu, draw, &shape, ret_plan);
    if (ret_plan->lds_bytes > gpu->lds_max_hs_threadgroup) {
        warn(warnings,
             "a threadgroup of %u patches takes %u bytes of LDS: drivers keep LS-HS groups of %s "
             "to %u",
             ret_plan->patches_per_group, ret_plan->lds_bytes, gpu->name,
             gpu->lds_max_hs_threadgroup);
    }
    return group_fits(gpu, draw, ret_plan, error);
}
