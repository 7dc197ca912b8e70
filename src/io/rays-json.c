#include "io/rays-json.h"

#include "io/scenario-keys.h"

#include <float.h>

/* ---- Scene ---- */

/* The kind whose own key the object has; -1, reported, when there is none or more than one. */
static int find_kind(const TsimJsonNode *node)
{
    TsimJsonNode member;
    int found = -1;

    for (int kind = 0; kind < TSIM_RAY_SCENE_KINDS; kind++) {
        if (tsim_json_member(node, tsim_ray_scene_fields[kind][0].name, &member)) {
            if (found >= 0) {
                (void)tsim_json_wrong(node, "one of \"mesh\", \"procedural\" and \"bvh\", not two");
                return -1;
            }
            found = kind;
        }
    }
    if (found < 0) {
        (void)tsim_json_wrong(node, "an object such as {\"mesh\": \"bunny.obj\"}, "
                                    "{\"procedural\": \"sphere\"} or {\"bvh\": \"bunny.bvh\"}");
    }
    return found;
}

static gboolean decode_bvh_options(const TsimJsonNode *owner, TsimRayScene *scene)
{
    const TsimDecodePart parts[] = {{tsim_bvh_option_fields, &scene->bvh, FALSE}, TSIM_DECODE_END};
    TsimJsonNode node;

    if (!tsim_json_member(owner, TSIM_KEY_BVH, &node)) {
        return TRUE;
    }
    return scene->kind == TSIM_RAY_SCENE_BVH
               ? tsim_json_error(&node, "an encoded BVH has its options in the file")
               : tsim_decode_object(&node, parts, NULL);
}

static gboolean decode_scene(const TsimJsonNode *owner, const TsimJsonNode *node,
                             TsimRayScene *scene)
{
    const TsimField *fields;
    TsimJsonNode member;
    int kind;

    if (!tsim_decode_is(node, json_type_object, "an object such as {\"mesh\": \"bunny.obj\"}") ||
        (kind = find_kind(node)) < 0) {
        return FALSE;
    }
    fields = tsim_ray_scene_fields[kind];
    const TsimDecodePart parts[] = {{fields, scene, FALSE}, TSIM_DECODE_END};
    tsim_ray_scene_init(scene, (TsimRaySceneKind)kind);
    gboolean ok = tsim_decode_object(node, parts, NULL);
    ok &= decode_bvh_options(owner, scene);
    if (ok && scene->path != NULL && tsim_json_member(node, fields[0].name, &member)) {
        char *resolved = tsim_json_resolve_path(&member, scene->path);
        g_free(scene->path);
        scene->path = resolved;
    }
    return ok;
}

static void load_scene(const TsimJsonNode *owner, TsimRayWork *work)
{
    g_autoptr(GError) error = NULL;
    TsimRayScene scene = {0};
    uint32_t degenerate = 0;
    TsimJsonNode node;

    if (!tsim_json_member(owner, TSIM_KEY_SCENE, &node)) {
        (void)tsim_json_error(&node, "missing, expected an object such as {\"mesh\": "
                                     "\"bunny.obj\"}, or a mix in place of rays and scene");
        return;
    }
    if (decode_scene(owner, &node, &scene)) {
        work->bvh = tsim_ray_scene_build(&scene, &degenerate, &error);
        if (work->bvh == NULL) {
            tsim_json_report(&node, error);
        } else if (degenerate > 0) {
            tsim_json_warning(&node, "%u triangles have no area: no ray hits them", degenerate);
        }
    }
    tsim_ray_scene_clear(&scene);
}

/* ---- Rays ---- */

static gboolean decode_vector(const TsimJsonNode *owner, const char *key, float vector[3])
{
    TsimJsonNode list;
    gboolean ok = TRUE;

    if (!tsim_json_member(owner, key, &list)) {
        return TRUE;
    }
    if (!tsim_json_is(&list, json_type_array) || json_object_array_length(list.value) != 3) {
        return tsim_json_wrong(&list, "a list of 3 numbers");
    }
    for (size_t i = 0; i < 3; i++) {
        const TsimJsonNode item = tsim_json_item(&list, i);
        double value = 0;
        ok &= tsim_decode_real(&item, -(double)FLT_MAX, (double)FLT_MAX, &value);
        vector[i] = (float)value;
    }
    return ok;
}

/* What is not given is as in a camera that sees all of the scene. */
static gboolean decode_camera(const TsimJsonNode *owner, TsimRaysCamera *camera)
{
    const TsimDecodePart parts[] = {{tsim_rays_camera_fields, camera, FALSE}, TSIM_DECODE_END};
    TsimJsonNode node;

    if (!tsim_json_member(owner, TSIM_KEY_CAMERA, &node)) {
        return TRUE;
    }
    return tsim_decode_object(&node, parts, tsim_ray_camera_keys) &&
           decode_vector(&node, tsim_ray_camera_keys[0], camera->position) &
               decode_vector(&node, tsim_ray_camera_keys[1], camera->look_at) &
               decode_vector(&node, tsim_ray_camera_keys[2], camera->up);
}

static gboolean decode_list(const TsimJsonNode *owner, TsimRays *rays)
{
    g_autoptr(GError) error = NULL;
    TsimJsonNode node;

    const gboolean is_given = tsim_json_member(owner, TSIM_KEY_FILE, &node);
    if (rays->kind != TSIM_RAYS_LIST) {
        return !is_given || tsim_json_error(&node, "only rays of kind \"list\" have a file");
    }
    if (!is_given) {
        return tsim_json_error(&node, "missing, expected the path of a file of rays");
    }
    if (!tsim_decode_is(&node, json_type_string, "the path of a file of rays")) {
        return FALSE;
    }
    g_autofree char *path = tsim_json_resolve_path(&node, json_object_get_string(node.value));
    rays->list = tsim_rays_read(path, &rays->list_count, &error);
    if (rays->list == NULL) {
        tsim_json_report(&node, error);
    }
    return rays->list != NULL;
}

static gboolean decode_light(const TsimJsonNode *owner, TsimRays *rays)
{
    TsimJsonNode node;

    if (rays->kind == TSIM_RAYS_SHADOW && !tsim_json_member(owner, TSIM_KEY_LIGHT, &node)) {
        return tsim_json_error(&node, "missing, expected the position of the light");
    }
    return decode_vector(owner, TSIM_KEY_LIGHT, rays->light);
}

static void decode_rays(const TsimJsonNode *owner, TsimRayWork *work)
{
    const TsimDecodePart parts[] = {{tsim_rays_fields, &work->rays, FALSE}, TSIM_DECODE_END};
    g_autoptr(GError) error = NULL;
    TsimJsonNode node;

    if (work->bvh != NULL) {
        work->rays.camera = tsim_rays_fit_camera(&work->bvh->measure.bounds);
    }
    if (!tsim_json_member(owner, TSIM_KEY_RAYS, &node)) {
        return;
    }
    if (tsim_decode_object(&node, parts, tsim_ray_generator_keys) &&
        decode_camera(&node, &work->rays.camera) & decode_light(&node, &work->rays) &
            decode_list(&node, &work->rays) &&
        work->bvh != NULL && !tsim_rays_check(&work->rays, &error)) {
        tsim_json_report(&node, error);
    }
}

/* ---- The item ---- */

static void decode_part(const TsimJsonNode *owner, const char *key, const TsimField *fields,
                        void *object)
{
    const TsimDecodePart parts[] = {{fields, object, FALSE}, TSIM_DECODE_END};
    TsimJsonNode node;

    if (tsim_json_member(owner, key, &node)) {
        (void)tsim_decode_object(&node, parts, NULL);
    }
}

static void decode_mix(const TsimJsonNode *owner, TsimRayWork *work)
{
    static const char *const others[] = {TSIM_KEY_SCENE, TSIM_KEY_RAYS, TSIM_KEY_BVH};
    const TsimRayMix *mix = &work->mix;
    TsimJsonNode node;

    work->is_mix = TRUE;
    decode_part(owner, TSIM_KEY_MIX, tsim_ray_mix_fields, &work->mix);
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        if (tsim_json_member(owner, others[i], &node)) {
            (void)tsim_json_error(&node, "a mix has no rays, scene and BVH of its own");
        }
    }
    (void)tsim_json_member(owner, TSIM_KEY_MIX, &node);
    if (mix->wave_lanes != 32 && mix->wave_lanes != 64) {
        (void)tsim_json_wrong(&node, "wave_lanes of 32 or 64");
    } else if (mix->nodes_max < mix->nodes_min) {
        (void)tsim_json_wrong(&node, "nodes_max of at least nodes_min");
    }
}

void tsim_rays_json_decode(const TsimJsonNode *node, const TsimGpu *gpu, uint64_t seed,
                           uint32_t number, TsimRayWork *work)
{
    const TsimDecodePart parts[] = {{tsim_ray_work_fields, work, FALSE}, TSIM_DECODE_END};
    const guint before = tsim_json_source_problems(node->source)->reported;
    g_autoptr(GError) error = NULL;
    TsimJsonNode member;

    tsim_ray_work_init(work);
    work->rays.seed = seed;
    (void)tsim_decode_object(node, parts, tsim_rays_keys);
    decode_part(node, TSIM_KEY_PROGRAM, tsim_ray_program_fields, &work->program);
    decode_part(node, TSIM_KEY_UNIT, tsim_ray_option_fields, &work->options);
    if (tsim_json_member(node, TSIM_KEY_MIX, &member)) {
        decode_mix(node, work);
    } else {
        load_scene(node, work);
        decode_rays(node, work);
    }
    if (work->name == NULL) {
        work->name = g_strdup_printf("rays_%u", number);
    }
    if (gpu != NULL && tsim_json_source_problems(node->source)->reported == before &&
        !tsim_ray_work_fits(gpu, work, &error)) {
        tsim_json_report(node, error);
    }
}
