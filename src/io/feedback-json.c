#include "io/feedback-json.h"

#include "hw/stage.h"
#include "io/scenario-keys.h"
#include "io/shader-json.h"
#include "workload/mesh.h"

/* An object of the work item that may be missing; the node is then its place. */
static gboolean decode_part(const TsimJsonNode *item, const char *key, const TsimDecodePart *parts,
                            TsimJsonNode *ret_node)
{
    return !tsim_json_member(item, key, ret_node) || tsim_decode_object(ret_node, parts, NULL);
}

/* ---- Surface ---- */

static TsimSceneSurface *read_mesh(const TsimJsonNode *scene, TsimFeedbackWork *work)
{
    g_autoptr(GError) error = NULL;
    TsimJsonNode node;

    (void)tsim_json_member(scene, "mesh", &node);
    char *path = tsim_json_resolve_path(&node, work->mesh);
    g_free(work->mesh);
    work->mesh = path;
    g_autoptr(TsimMesh) mesh = tsim_mesh_read(path, &error);
    if (mesh == NULL) {
        (void)tsim_json_error(&node, "the mesh cannot be read: %s", error->message);
        return NULL;
    }
    return tsim_scene_surface_mesh(mesh->positions, mesh->vertex_count, mesh->indices,
                                   mesh->triangle_count, work->side, work->repeats);
}

static void decode_scene(const TsimJsonNode *item, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_scene_fields, &work->scene, FALSE},
                                    {tsim_feedback_surface_fields, work, FALSE},
                                    TSIM_DECODE_END};
    TsimJsonNode node;

    if (decode_part(item, TSIM_KEY_SCENE, parts, &node)) {
        work->surface = work->mesh != NULL ? read_mesh(&node, work)
                                           : tsim_scene_surface_plane(work->side, work->repeats);
    }
}

/* ---- Shader ---- */

/* "ps" or "cs", one of them. */
static void decode_shader(const TsimJsonNode *item, TsimFeedbackWork *work)
{
    TsimJsonNode ps, cs;
    const gboolean has_ps = tsim_json_member(item, tsim_stage_names[TSIM_STAGE_PS], &ps);
    const gboolean has_cs = tsim_json_member(item, tsim_stage_names[TSIM_STAGE_CS], &cs);

    if (has_ps == has_cs) {
        (void)tsim_json_error(has_ps ? &cs : &ps,
                              "%s, expected a shader as \"ps\" or \"cs\", one of them",
                              has_ps ? "got both" : "missing");
        return;
    }
    work->stage = has_ps ? TSIM_STAGE_PS : TSIM_STAGE_CS;
    (void)tsim_shader_json_decode(has_ps ? &ps : &cs, work->stage, &work->shader,
                                  (TsimDecodePart)TSIM_DECODE_END);
}

/* ---- Sampling ---- */

typedef gboolean (*Check)(const TsimFeedbackWork *work, GError **error);

/* Decodes an object, and checks it when all before it was right. */
static gboolean decode_checked(const TsimJsonNode *item, const char *key,
                               const TsimDecodePart *parts, gboolean before, Check check,
                               const TsimFeedbackWork *work)
{
    g_autoptr(GError) error = NULL;
    TsimJsonNode node;

    if (!decode_part(item, key, parts, &node) || !before) {
        return FALSE;
    }
    if (!check(work, &error)) {
        tsim_json_report(&node, error);
        return FALSE;
    }
    return TRUE;
}

static gboolean decode_texture(const TsimJsonNode *item, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_texture_fields, &work->sampling, FALSE},
                                    TSIM_DECODE_END};

    return decode_checked(item, TSIM_KEY_TEXTURE, parts, TRUE, tsim_feedback_work_check_texture,
                          work);
}

static gboolean decode_sampler(const TsimJsonNode *item, gboolean before, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_sampler_fields, &work->sampling, FALSE},
                                    TSIM_DECODE_END};

    return decode_checked(item, TSIM_KEY_SAMPLER, parts, before, tsim_feedback_work_check_sampler,
                          work);
}

static gboolean decode_feedback(const TsimJsonNode *item, gboolean before, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_instruction_fields, work, FALSE},
                                    {tsim_feedback_map_fields, &work->sampling, FALSE},
                                    {tsim_feedback_write_fields, &work->scene, FALSE},
                                    TSIM_DECODE_END};

    return decode_checked(item, TSIM_KEY_FEEDBACK, parts, before, tsim_feedback_work_check_feedback,
                          work);
}

static void decode_residency(const TsimJsonNode *item, gboolean before, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_residency_fields, &work->sampling, FALSE},
                                    TSIM_DECODE_END};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    TsimJsonNode node;

    if (!decode_part(item, TSIM_KEY_RESIDENCY, parts, &node) || !before || !work->has_residency) {
        return;
    }
    if (!tsim_feedback_work_check_residency(work, warnings, &error)) {
        tsim_json_report(&node, error);
    }
    for (guint i = 0; i < warnings->len; i++) {
        tsim_json_warning(&node, "%s", (const char *)warnings->pdata[i]);
    }
}

void tsim_feedback_json_decode(const TsimJsonNode *node, uint32_t number, TsimFeedbackWork *work)
{
    const TsimDecodePart parts[] = {{tsim_feedback_work_fields, work, FALSE}, TSIM_DECODE_END};
    TsimJsonNode residency;

    tsim_feedback_work_init(work);
    (void)tsim_decode_object(node, parts, tsim_feedback_keys);
    if (work->name == NULL) {
        work->name = g_strdup_printf("sample_feedback_%u", number);
    }
    work->has_residency = tsim_json_member(node, TSIM_KEY_RESIDENCY, &residency);
    decode_shader(node, work);
    decode_scene(node, work);
    gboolean ok = decode_texture(node, work);
    ok = decode_sampler(node, ok, work);
    ok = decode_feedback(node, ok, work);
    decode_residency(node, ok, work);
}
