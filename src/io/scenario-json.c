#include "io/scenario-json.h"

#include "io/factors-json.h"
#include "io/feedback-json.h"
#include "io/gpu-json.h"
#include "io/rays-json.h"
#include "io/scenario-keys.h"
#include "io/scenario-text.h"
#include "io/shader-json.h"
#include "workload/plan.h"

#include <string.h>

#define DEFAULT_QUEUE "graphics"

typedef struct {
    TsimScenario *scenario; /* its gpu is NULL when the GPU is wrong */
    const char *const *roots;
    GPtrArray *queues; /* char *, in order of first use */
} Reading;

/* ---- Tessellation settings ---- */

/* T7, T11: the pipeline flag and the compile switches of the shaders say what the mode says. */
static void check_flag(const TsimJsonNode *node, const TsimTessSettings *settings)
{
    TsimJsonNode member;

    if (tsim_json_member(node, "pipeline_flag", &member) &&
        !tsim_pipeline_flag_agrees((TsimPipelineFlag)settings->pipeline_flag,
                                   (TsimTessMode)settings->mode)) {
        (void)tsim_json_wrong(&member, "a flag that agrees with the mode \"%s\"",
                              tsim_tess_mode_names[settings->mode]);
    }
}

/* T11. A mode that came from the command line is being tried out: the file's thresholds then wait
 * for the other one. A GPU without on-chip mode is the plan's to warn of (T14). */
static void check_threshold(const TsimJsonNode *node, const TsimGpu *gpu, const char *key,
                            TsimTessSettings *settings)
{
    TsimJsonNode member, mode;

    if (!tsim_json_member(node, key, &member) ||
        (tsim_json_is(&member, json_type_string) &&
         strcmp(json_object_get_string(member.value), "auto") == 0)) {
        return;
    }
    settings->thresholds_given = TRUE;
    const gboolean is_trial =
        tsim_json_member(node, "mode", &mode) && tsim_json_override_label(&mode) != NULL;
    const gboolean is_possible = gpu == NULL || gpu->has_onchip;
    if (settings->mode == TSIM_MODE_ONCHIP && is_possible && !is_trial) {
        tsim_json_warning(&member, "%s has no effect in mode \"onchip\"", key);
    }
}

static void check_rule(const TsimJsonNode *node, TsimTessSettings *settings)
{
    TsimJsonNode member;

    if (settings->patches_per_threadgroup > 0) {
        settings->patch_rule = TSIM_PATCH_RULE_EXPLICIT;
    } else if (settings->patch_rule == TSIM_PATCH_RULE_EXPLICIT) {
        (void)tsim_json_member(node, "patch_rule", &member);
        (void)tsim_json_wrong(&member, "another rule, or patches_per_threadgroup as a number");
    }
}

static void decode_settings(const TsimJsonNode *draw, const TsimGpu *gpu,
                            TsimTessSettings *settings)
{
    const TsimDecodePart parts[] = {{tsim_tess_fields, settings, FALSE},
                                    {tsim_tess_auto_fields, settings, TRUE},
                                    TSIM_DECODE_END};
    TsimJsonNode node;

    tsim_fields_init(tsim_tess_fields, settings);
    tsim_fields_init(tsim_tess_auto_fields, settings);
    if (gpu != NULL && !gpu->has_onchip) {
        settings->mode = TSIM_MODE_OFFCHIP; /* the default is a mode that the GPU has (T6, T14) */
    }
    if (tsim_json_member(draw, TSIM_KEY_TESSELLATION, &node) &&
        tsim_decode_object(&node, parts, NULL)) {
        check_flag(&node, settings);
        check_threshold(&node, gpu, "tf_threshold", settings);
        check_threshold(&node, gpu, "ds_wave_threshold", settings);
        check_rule(&node, settings);
    }
}

/* ---- Stages ---- */

/* A stage that every draw (dispatch) has. */
static void decode_stage(const TsimJsonNode *owner, TsimStage stage, TsimShader *shader,
                         TsimDecodePart extra)
{
    TsimJsonNode node;

    if (tsim_json_member(owner, tsim_stage_names[stage], &node)) {
        (void)tsim_shader_json_decode(&node, stage, shader, extra);
    } else {
        (void)tsim_json_error(&node, "missing, expected an object with the registers and the "
                                     "program of a shader");
    }
}

static gboolean decode_optional_stage(const TsimJsonNode *owner, TsimStage stage,
                                      TsimShader *shader, TsimDecodePart extra)
{
    TsimJsonNode node;

    if (!tsim_json_member(owner, tsim_stage_names[stage], &node)) {
        return FALSE;
    }
    (void)tsim_shader_json_decode(&node, stage, shader, extra);
    return TRUE;
}

static void decode_stages(const TsimJsonNode *node, TsimDraw *draw)
{
    tsim_fields_init(tsim_vs_fields, draw);
    tsim_fields_init(tsim_hs_fields, draw);
    tsim_fields_init(tsim_geometry_fields, &draw->gs);
    tsim_fields_init(tsim_pixel_fields, &draw->ps);
    decode_stage(node, TSIM_STAGE_VS, &draw->vs, (TsimDecodePart){tsim_vs_fields, draw, FALSE});
    decode_stage(node, TSIM_STAGE_HS, &draw->hs, (TsimDecodePart){tsim_hs_fields, draw, FALSE});
    decode_stage(node, TSIM_STAGE_DS, &draw->ds, (TsimDecodePart)TSIM_DECODE_END);
    draw->has_gs = decode_optional_stage(node, TSIM_STAGE_GS, &draw->gs.shader,
                                         (TsimDecodePart){tsim_geometry_fields, &draw->gs, FALSE});
    draw->has_ps = decode_optional_stage(node, TSIM_STAGE_PS, &draw->ps.shader,
                                         (TsimDecodePart){tsim_pixel_fields, &draw->ps, FALSE});
}

/* How a stage says that it was compiled; reports what does not agree with the mode (T11), which
 * both hull and domain shader must. */
static int decode_compiled(const TsimJsonNode *draw, TsimStage stage, int mode)
{
    TsimJsonNode node, member;

    if (!tsim_json_member(draw, tsim_stage_names[stage], &node) ||
        !tsim_json_member(&node, TSIM_KEY_COMPILED_OFFCHIP, &member) ||
        !tsim_decode_is(&member, json_type_boolean, "true or false")) {
        return TSIM_COMPILED_AS_MODE;
    }
    const gboolean is_offchip = json_object_get_boolean(member.value) != 0;
    if (is_offchip != (mode == TSIM_MODE_OFFCHIP)) {
        (void)tsim_json_wrong(&member,
                              "%s: hull and domain shader must both be compiled for the "
                              "mode \"%s\"",
                              is_offchip ? "false" : "true", tsim_tess_mode_names[mode]);
    }
    return is_offchip ? TSIM_COMPILED_OFFCHIP : TSIM_COMPILED_ONCHIP;
}

/* ---- Draws ---- */

/* Isolines have no triangles to make; the other domains can be drawn in any way. */
static void decode_topology(const TsimJsonNode *node, TsimDraw *draw)
{
    TsimJsonNode member;

    if (draw->domain != TSIM_DOMAIN_ISOLINE) {
        return;
    }
    if (!tsim_json_member(node, "topology", &member)) {
        draw->topology = TSIM_TOPOLOGY_LINE;
    } else if (draw->topology > TSIM_TOPOLOGY_LINE) {
        (void)tsim_json_wrong(&member, "\"line\" or \"point\" for the domain \"isoline\"");
    }
}

/* A factor that the hull shader can write, but that no patch will have. */
static void check_uniform(const TsimJsonNode *node, const TsimDraw *draw)
{
    TsimTessFactors factors;

    if (!tsim_factor_source_is_uniform(draw->factors)) {
        return;
    }
    tsim_factor_source_get(draw->factors, 0, &factors);
    if ((double)factors.edge[0] > draw->max_tess_factor) {
        tsim_json_warning(node, "the factor is above max_tess_factor, which every patch will have");
    }
}

/* The patches of a draw, and of the list, file or mesh behind its factors, are the same. */
static void check_patches(const TsimJsonNode *node, TsimDraw *draw, int64_t defined)
{
    TsimJsonNode member;

    const gboolean is_given = tsim_json_member(node, "patches", &member);
    if (!is_given && defined < 0) {
        (void)tsim_json_error(&member, "missing, expected the number of patches, as tess_factors "
                                       "has no number of its own");
    } else if (is_given && defined >= 0 && draw->patches != (uint64_t)defined) {
        (void)tsim_json_wrong(&member,
                              "%" G_GINT64_FORMAT ", as tess_factors has (patches may be "
                              "left out)",
                              defined);
    } else if (!is_given) {
        draw->patches = (uint64_t)defined;
    }
}

static void decode_factors(const TsimJsonNode *node, uint64_t seed, uint32_t number, TsimDraw *draw)
{
    TsimJsonNode member;
    int64_t defined;

    if (!tsim_json_member(node, TSIM_KEY_TESS_FACTORS, &member)) {
        (void)tsim_json_error(&member, "missing, expected an object such as {\"uniform\": 16}");
        return;
    }
    draw->factors =
        tsim_factors_json_decode(&member, (TsimDomain)draw->domain, seed, number, &defined);
    if (draw->factors != NULL) {
        check_patches(node, draw, defined);
        check_uniform(&member, draw);
    }
}

/* What can never fit the GPU is refused here, where there is a place to name. */
static void check_plan(const TsimJsonNode *node, const TsimGpu *gpu, const TsimDraw *draw)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    TsimDrawPlan plan;

    if (!tsim_draw_plan(gpu, draw, &plan, warnings, &error)) {
        tsim_json_report(node, error);
    }
    for (guint i = 0; i < warnings->len; i++) {
        tsim_json_warning(node, "%s", (const char *)warnings->pdata[i]);
    }
}

static void decode_draw(const TsimJsonNode *node, const TsimScenario *scenario, uint32_t number,
                        TsimDraw *draw)
{
    const TsimDecodePart parts[] = {{tsim_draw_fields, draw, FALSE}, TSIM_DECODE_END};
    const guint before = tsim_json_source_problems(node->source)->reported;

    tsim_fields_init(tsim_draw_fields, draw);
    const gboolean ok = tsim_decode_object(node, parts, tsim_draw_keys);
    decode_settings(node, scenario->gpu, &draw->tessellation);
    decode_stages(node, draw);
    draw->hs_compiled = decode_compiled(node, TSIM_STAGE_HS, draw->tessellation.mode);
    draw->ds_compiled = decode_compiled(node, TSIM_STAGE_DS, draw->tessellation.mode);
    if (ok) {
        decode_topology(node, draw);
        decode_factors(node, scenario->seed, number, draw);
    }
    if (draw->name == NULL) {
        draw->name = g_strdup_printf("draw_%u", number);
    }
    if (scenario->gpu != NULL && tsim_json_source_problems(node->source)->reported == before) {
        check_plan(node, scenario->gpu, draw);
    }
}

/* ---- Dispatches ---- */

static void decode_dispatch(const TsimJsonNode *node, const TsimScenario *scenario, uint32_t number,
                            TsimDispatch *dispatch)
{
    const TsimDecodePart parts[] = {{tsim_dispatch_fields, dispatch, FALSE}, TSIM_DECODE_END};
    const guint before = tsim_json_source_problems(node->source)->reported;
    g_autoptr(GError) error = NULL;

    tsim_fields_init(tsim_dispatch_fields, dispatch);
    (void)tsim_decode_object(node, parts, tsim_dispatch_keys);
    decode_stage(node, TSIM_STAGE_CS, &dispatch->cs, (TsimDecodePart)TSIM_DECODE_END);
    if (dispatch->name == NULL) {
        dispatch->name = g_strdup_printf("dispatch_%u", number);
    }
    if (scenario->gpu != NULL && tsim_json_source_problems(node->source)->reported == before &&
        !tsim_dispatch_fits(scenario->gpu, dispatch, &error)) {
        tsim_json_report(node, error);
    }
}

/* ---- Work ---- */

static uint32_t decode_queue(Reading *reading, const TsimJsonNode *node)
{
    const char *name = DEFAULT_QUEUE;
    TsimJsonNode member;
    guint index;

    if (tsim_json_member(node, TSIM_KEY_QUEUE, &member)) {
        name = tsim_json_is(&member, json_type_string) ? json_object_get_string(member.value) : "";
        if (*name == '\0') {
            (void)tsim_json_wrong(&member, "the name of a queue, such as \"graphics\"");
        }
    }
    if (!g_ptr_array_find_with_equal_func(reading->queues, name, g_str_equal, &index)) {
        index = reading->queues->len;
        g_ptr_array_add(reading->queues, g_strdup(name));
    }
    return index;
}

static void decode_work(Reading *reading, const TsimJsonNode *node, uint32_t number, TsimWork *work)
{
    const TsimField type = {
        "type", TSIM_FIELD_ENUM, offsetof(TsimWork, type), "", 0, 0, 0, tsim_work_type_names,
        TRUE,   "Kind of work"};
    TsimJsonNode member;

    if (!tsim_decode_is(node, json_type_object, "an object such as {\"type\": \"draw\", ...}")) {
        return;
    }
    if (!tsim_json_member(node, type.name, &member)) {
        g_autofree char *expected = tsim_field_expected(&type);
        (void)tsim_json_error(&member, "missing, expected %s", expected);
        return;
    }
    if (!tsim_decode_value(&member, &type, work)) {
        return;
    }
    work->queue = decode_queue(reading, node);
    switch ((TsimWorkType)work->type) {
    case TSIM_WORK_DRAW:
        decode_draw(node, reading->scenario, number, &work->draw);
        break;
    case TSIM_WORK_DISPATCH:
        decode_dispatch(node, reading->scenario, number, &work->dispatch);
        break;
    case TSIM_WORK_BARRIER:
        (void)tsim_decode_object(node, &(TsimDecodePart)TSIM_DECODE_END, tsim_barrier_keys);
        break;
    case TSIM_WORK_RAYS:
        tsim_rays_json_decode(node, reading->scenario->gpu, reading->scenario->seed, number,
                              &work->rays);
        break;
    case TSIM_WORK_SAMPLE_FEEDBACK:
        tsim_feedback_json_decode(node, number, &work->feedback);
        break;
    }
}

static void decode_work_list(Reading *reading, const TsimJsonNode *root)
{
    TsimScenario *scenario = reading->scenario;
    TsimJsonNode list;

    if (!tsim_json_member(root, TSIM_KEY_WORK, &list)) {
        (void)tsim_json_error(&list,
                              "missing, expected a list of draws, dispatches, barriers and rays");
        return;
    }
    if (!tsim_decode_is(&list, json_type_array, "a list of draws, dispatches, barriers and rays")) {
        return;
    }
    scenario->work_n = (uint32_t)json_object_array_length(list.value);
    scenario->work = g_new0(TsimWork, scenario->work_n);
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        const TsimJsonNode item = tsim_json_item(&list, i);
        decode_work(reading, &item, i, &scenario->work[i]);
    }
}

/* ---- Scenario ---- */

/* The user's word for the GPU: its name or path, or that of the one which it extends. */
static const char *name_of_gpu(const TsimJsonNode *gpu)
{
    static const char *const keys[] = {"name", "extends"};
    TsimJsonNode member;

    if (tsim_json_is(gpu, json_type_string)) {
        return json_object_get_string(gpu->value);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (tsim_json_member(gpu, keys[i], &member) && tsim_json_is(&member, json_type_string)) {
            return json_object_get_string(member.value);
        }
    }
    return "custom";
}

static void decode_gpu(Reading *reading, const TsimJsonNode *root, const TsimGpu *known)
{
    TsimScenario *scenario = reading->scenario;
    TsimJsonNode gpu;

    if (!tsim_json_member(root, TSIM_KEY_GPU, &gpu)) {
        (void)tsim_json_error(&gpu, "missing, expected the name or path of a GPU, or an object");
        return;
    }
    scenario->gpu =
        known != NULL ? tsim_gpu_copy(known) : tsim_gpu_json_decode(&gpu, reading->roots);
    scenario->gpu_name = g_strdup(name_of_gpu(&gpu));
}

/* "high_tf" for "scenarios/high_tf.json". */
static char *name_of_file(const TsimJsonSource *source)
{
    char *name = g_path_get_basename(tsim_json_source_name(source));
    char *suffix = g_str_has_suffix(name, ".json") ? strrchr(name, '.') : NULL;

    if (suffix != NULL) {
        *suffix = '\0';
    }
    return name;
}

TsimScenario *tsim_scenario_json_decode(TsimJsonSource *source, const char *const *roots,
                                        const TsimGpu *known)
{
    const TsimProblems *problems = tsim_json_source_problems(source);
    const guint before = problems->reported;
    const TsimJsonNode root = tsim_json_root(source);
    g_autoptr(TsimScenario) scenario = tsim_scenario_new();
    const TsimDecodePart parts[] = {{tsim_scenario_fields, scenario, FALSE}, TSIM_DECODE_END};
    Reading reading = {scenario, roots, g_ptr_array_new()};

    if (tsim_decode_is(&root, json_type_object, "an object with \"gpu\" and \"work\"")) {
        (void)tsim_decode_object(&root, parts, tsim_scenario_keys);
        decode_gpu(&reading, &root, known);
        decode_work_list(&reading, &root);
    }
    if (scenario->name == NULL) {
        scenario->name = name_of_file(source);
    }
    scenario->queues_n = reading.queues->len;
    scenario->queues = (char **)g_ptr_array_free(reading.queues, FALSE);
    return problems->reported == before ? g_steal_pointer(&scenario) : NULL;
}

TsimScenario *tsim_scenario_json_load(const char *path, const char *const *sets, const char *gpu,
                                      const char *const *search_paths, GPtrArray *warnings,
                                      GError **error)
{
    g_autoptr(TsimScenarioText) text =
        tsim_scenario_text_read(path, sets, gpu, search_paths, error);

    return text != NULL ? tsim_scenario_text_load(text, NULL, warnings, error) : NULL;
}
