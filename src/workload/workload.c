#include "workload/workload.h"

const char *const tsim_tess_mode_names[] = {"onchip", "offchip", NULL};
const char *const tsim_pipeline_flag_names[] = {
    "NONE", "GS_ONCHIP_TS_ONCHIP", "GS_ONCHIP_TS_OFFCHIP", "GS_OFFCHIP_TS_OFFCHIP", NULL};
const char *const tsim_work_type_names[] = {"draw", "dispatch", "barrier", "sample_feedback",
                                            "rays", NULL};

/* Far above any real load, low enough that every sum over a run stays exact in 64 bits. */
#define COUNT_MAX 1e12

/* Direct3D 11: 32 vec4 slots between two stages, 32 control points in a patch. */
#define VEC4_MAX           32
#define CONTROL_POINTS_MAX 32

/* clang-format off */
#define ROW(type, owner, key, member, unit, min, max, initial, words, required, blurb) \
    {key, TSIM_FIELD_##type, offsetof(owner, member), unit, min, max, initial, words, required, blurb},
#define END {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},

const TsimField tsim_scenario_fields[] = {
    ROW(STRING, TsimScenario, "name", name, "", 0, 0, 0, NULL, FALSE, "Name of the scenario; that of the file when absent")
    ROW(STRING, TsimScenario, "description", description, "", 0, 0, 0, NULL, FALSE, "What it shows, in one line")
    ROW(U64, TsimScenario, "seed", seed, "", 0, 0x1p53, 1, NULL, FALSE, "Seed of all random draws")
    END
};

const TsimField tsim_draw_fields[] = {
    ROW(STRING, TsimDraw, "name", name, "", 0, 0, 0, NULL, FALSE, "Name in reports; its place in the list when absent")
    ROW(U64, TsimDraw, "patches", patches, "patches", 0, COUNT_MAX, 0, NULL, FALSE, "Patches of the draw; may be left out when a list, file or mesh gives them")
    ROW(ENUM, TsimDraw, "domain", domain, "", 0, 0, TSIM_DOMAIN_TRI, tsim_domain_names, FALSE, "Domain of the tessellator")
    ROW(ENUM, TsimDraw, "partitioning", partitioning, "", 0, 0, TSIM_PARTITIONING_FRACTIONAL_ODD, tsim_partitioning_names, FALSE, "How factors become segments")
    ROW(ENUM, TsimDraw, "topology", topology, "", 0, 0, TSIM_TOPOLOGY_TRIANGLE_CW, tsim_topology_names, FALSE, "What the tessellator makes; line on isolines when absent")
    ROW(REAL, TsimDraw, "max_tess_factor", max_tess_factor, "", 1, TSIM_TESS_LEVEL_MAX, TSIM_TESS_LEVEL_MAX, NULL, FALSE, "maxtessfactor of the hull shader: no factor goes above it")
    ROW(U32, TsimDraw, "input_control_points", input_control_points, "", 1, CONTROL_POINTS_MAX, 3, NULL, FALSE, "Control points of a patch that the hull shader reads")
    ROW(U32, TsimDraw, "output_control_points", output_control_points, "", 1, CONTROL_POINTS_MAX, 3, NULL, FALSE, "Control points of a patch that the hull shader writes")
    ROW(ENUM, TsimDraw, "vertex_reuse", vertex_reuse, "", 0, 0, TSIM_VERTEX_REUSE_UNIQUE, tsim_vertex_reuse_names, FALSE, "Domain points that are shaded again: none, or those that a window of recent ones has forgotten")
    ROW(U32, TsimDraw, "vertex_reuse_depth", vertex_reuse_depth, "points", 0, TSIM_VERTEX_REUSE_DEPTH_MAX, 0, NULL, FALSE, "Domain points in that window; 0: as many as the GPU's vertex_reuse_depth")
    END
};

const TsimField tsim_tess_fields[] = {
    ROW(ENUM, TsimTessSettings, "mode", mode, "", 0, 0, TSIM_MODE_ONCHIP, tsim_tess_mode_names, FALSE, "Whether off-chip tessellation is compiled in (T6, T7)")
    ROW(ENUM, TsimTessSettings, "patch_rule", patch_rule, "", 0, 0, TSIM_PATCH_RULE_XBOX_ONE, tsim_patch_rule_names, FALSE, "How auto chooses patches_per_threadgroup (T10)")
    ROW(ENUM, TsimTessSettings, "tf_rule", tf_rule, "", 0, 0, TSIM_THRESHOLD_NEAREST_256, tsim_threshold_rule_names, FALSE, "How auto chooses tf_threshold (T10)")
    ROW(ENUM, TsimTessSettings, "average_rule", average_rule, "", 0, 0, TSIM_AVERAGE_ALL_FACTORS, tsim_average_rule_names, FALSE, "Factors of a patch that the average of its threadgroup is over (T8)")
    ROW(ENUM, TsimTessSettings, "culled_patches", culled_patches, "", 0, 0, TSIM_CULLED_COUNT_ZERO, tsim_culled_rule_names, FALSE, "What culled patches do to that average")
    ROW(ENUM, TsimTessSettings, "tf_compare", tf_compare, "", 0, 0, TSIM_TF_AT_LEAST, tsim_tf_compare_names, FALSE, "Whether an average of exactly tf_threshold goes off-chip: at_least, or not: above")
    ROW(U32, TsimTessSettings, "ds_wave_threshold", ds_wave_threshold, "waves", 0, 15, 4, NULL, FALSE, "DsWaveThreshold: DS waves of an off-chip group that stay on its CU (T9)")
    ROW(ENUM, TsimTessSettings, "pipeline_flag", pipeline_flag, "", 0, 0, TSIM_PIPELINE_FLAG_NONE, tsim_pipeline_flag_names, FALSE, "Pipeline flag; must agree with mode (T7)")
    END
};

const TsimField tsim_tess_auto_fields[] = {
    ROW(U32, TsimTessSettings, "patches_per_threadgroup", patches_per_threadgroup, "patches", 1, TSIM_PATCHES_PER_THREADGROUP_MAX, 0, NULL, FALSE, "PatchesPerThreadgroup; auto: by patch_rule (T10)")
    ROW(REAL, TsimTessSettings, "tf_threshold", tf_threshold, "", 0, 65536, -1, NULL, FALSE, "TfThreshold: groups whose average factor reaches it go off-chip; auto: by tf_rule (T8, T10)")
    END
};

const TsimField tsim_vs_fields[] = {
    ROW(U32, TsimDraw, "output_vec4", vs_output_vec4, "", 0, VEC4_MAX, 1, NULL, TRUE, "16-byte slots of a vertex that the hull shader reads")
    END
};

const TsimField tsim_hs_fields[] = {
    ROW(U32, TsimDraw, "output_vec4", hs_output_vec4, "", 0, VEC4_MAX, 1, NULL, TRUE, "16-byte slots of an output control point that the domain shader reads")
    ROW(U32, TsimDraw, "patch_constant_vec4", hs_patch_constant_vec4, "", 0, VEC4_MAX, 0, NULL, FALSE, "16-byte slots of a patch, without the tess factors")
    ROW(BOOL, TsimDraw, "reads_outputs", hs_reads_outputs, "", 0, 1, 1, NULL, FALSE, "Whether it reads its outputs back; some patch rules then keep them in LDS")
    END
};

const TsimField tsim_pixel_fields[] = {
    ROW(REAL, TsimPixelWork, "pixels_per_primitive", pixels_per_primitive, "pixels", 0, 1e6, 4, NULL, FALSE, "Pixels that a primitive covers, on average")
    ROW(U32, TsimPixelWork, "interpolants", interpolants, "", 0, VEC4_MAX, 2, NULL, FALSE, "vec4 interpolants; each takes 48 bytes of LDS a primitive (T12)")
    END
};

const TsimField tsim_geometry_fields[] = {
    ROW(U32, TsimGeometryWork, "lds_bytes", lds_bytes, "bytes", 0, 65536, 4096, NULL, FALSE, "LDS for the primitives of one DS wave (T12)")
    ROW(REAL, TsimGeometryWork, "primitives_per_primitive", primitives_per_primitive, "", 0, 1024, 1, NULL, FALSE, "Primitives out for one primitive in")
    END
};

const TsimField tsim_dispatch_fields[] = {
    ROW(STRING, TsimDispatch, "name", name, "", 0, 0, 0, NULL, FALSE, "Name in reports; its place in the list when absent")
    ROW(U64, TsimDispatch, "threadgroups", threadgroups, "threadgroups", 0, COUNT_MAX, 0, NULL, TRUE, "Threadgroups of the dispatch")
    ROW(U32, TsimDispatch, "threads", threads, "threads", 1, 1024, 64, NULL, FALSE, "Threads of a threadgroup")
    ROW(U32, TsimDispatch, "lds_bytes", lds_bytes, "bytes", 0, 131072, 0, NULL, FALSE, "LDS of a threadgroup")
    END
};
/* clang-format on */

gboolean tsim_pipeline_flag_agrees(TsimPipelineFlag flag, TsimTessMode mode)
{
    switch (flag) {
    case TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_ONCHIP:
        return mode == TSIM_MODE_ONCHIP;
    case TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_OFFCHIP:
    case TSIM_PIPELINE_FLAG_GS_OFFCHIP_TS_OFFCHIP:
        return mode == TSIM_MODE_OFFCHIP;
    case TSIM_PIPELINE_FLAG_NONE:
    default:
        return TRUE;
    }
}

TsimTessCounts tsim_draw_patch_counts(const TsimDraw *draw, const TsimTessFactors *factors)
{
    const TsimTessFactors limited = tsim_tessellation_limit(factors, (float)draw->max_tess_factor);

    return tsim_tessellation_count((TsimDomain)draw->domain, (TsimPartitioning)draw->partitioning,
                                   (TsimTopology)draw->topology, &limited);
}

TsimFactorMean tsim_draw_factor_mean(const TsimDraw *draw, const TsimTessFactors *factors)
{
    const TsimTessSettings *settings = &draw->tessellation;

    return tsim_tessellation_factor_mean(
        (TsimDomain)draw->domain, (TsimPartitioning)draw->partitioning,
        (float)draw->max_tess_factor, (TsimAverageRule)settings->average_rule,
        (TsimCulledRule)settings->culled_patches, factors);
}

TsimScenario *tsim_scenario_new(void)
{
    TsimScenario *scenario = g_new0(TsimScenario, 1);

    tsim_fields_init(tsim_scenario_fields, scenario);
    return scenario;
}

static void clear_draw(TsimDraw *draw)
{
    g_free(draw->name);
    tsim_factor_source_free(draw->factors);
    tsim_shader_clear(&draw->vs);
    tsim_shader_clear(&draw->hs);
    tsim_shader_clear(&draw->ds);
    tsim_shader_clear(&draw->gs.shader);
    tsim_shader_clear(&draw->ps.shader);
}

static void clear_dispatch(TsimDispatch *dispatch)
{
    g_free(dispatch->name);
    tsim_shader_clear(&dispatch->cs);
}

void tsim_scenario_free(TsimScenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        clear_draw(&scenario->work[i].draw);
        clear_dispatch(&scenario->work[i].dispatch);
        tsim_ray_work_clear(&scenario->work[i].rays);
        tsim_feedback_work_clear(&scenario->work[i].feedback);
    }
    for (uint32_t i = 0; i < scenario->queues_n; i++) {
        g_free(scenario->queues[i]);
    }
    g_free(scenario->work);
    g_free(scenario->queues);
    g_free(scenario->name);
    g_free(scenario->description);
    g_free(scenario->gpu_name);
    tsim_gpu_free(scenario->gpu);
    g_free(scenario);
}

const TsimFeedbackWork *tsim_scenario_feedback(const TsimScenario *scenario)
{
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        if (scenario->work[i].type == TSIM_WORK_SAMPLE_FEEDBACK) {
            return &scenario->work[i].feedback;
        }
    }
    return NULL;
}
