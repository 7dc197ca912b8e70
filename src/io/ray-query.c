#include "io/ray-query.h"

#include "io/decode.h"

#include <string.h>

/* A word that is no number and no truth value is a string. */
static json_object *value_of(const char *text)
{
    json_object *value = json_tokener_parse(text);

    return value != NULL ? value : json_object_new_string(text);
}

static char *json_of(const char *const *sets)
{
    json_object *object = json_object_new_object();

    for (; sets != NULL && *sets != NULL; sets++) {
        const char *equals = strchr(*sets, '=');
        g_autofree char *key = g_strndup(*sets, (size_t)(equals - *sets));
        (void)json_object_object_add(object, key, value_of(equals + 1));
    }
    char *text = g_strdup(json_object_to_json_string(object));
    json_object_put(object);
    return text;
}

gboolean tsim_ray_query_settings(const char *const *sets, TsimRayOptions *options,
                                 TsimBvhOptions *bvh, GError **error)
{
    const TsimDecodePart parts[] = {
        {tsim_ray_option_fields, options, FALSE},
        {bvh != NULL ? tsim_bvh_option_fields : NULL, bvh, FALSE},
        TSIM_DECODE_END,
    };
    g_autofree char *text = json_of(sets);
    g_autoptr(GError) problem = NULL;
    TsimProblems problems;

    tsim_fields_init(tsim_ray_option_fields, options);
    if (bvh != NULL) {
        tsim_fields_init(tsim_bvh_option_fields, bvh);
    }
    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("--set", text, strlen(text), &problems);
    const TsimJsonNode root = tsim_json_root(source);
    (void)tsim_decode_object(&root, parts, NULL);
    tsim_json_source_free(source);
    if (tsim_problems_finish(&problems, &problem)) {
        return TRUE;
    }
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE, problem->message);
    return FALSE;
}

gboolean tsim_ray_query_number(const char *name, const char *text, float *number, GError **error)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);

    if (end == text || *end != '\0') {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s takes a number, not \"%s\"", name,
                    text);
        return FALSE;
    }
    *number = (float)value;
    return TRUE;
}

gboolean tsim_ray_query_vector(const char *name, const char *text, float vector[3], GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    if (g_strv_length(parts) != 3) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s takes X,Y,Z, not \"%s\"", name, text);
        return FALSE;
    }
    return tsim_ray_query_number(name, parts[0], &vector[0], error) &&
           tsim_ray_query_number(name, parts[1], &vector[1], error) &&
           tsim_ray_query_number(name, parts[2], &vector[2], error);
}

TsimBvh *tsim_ray_query_load(const char *path, const TsimBvhOptions *bvh, GError **error)
{
    static const char *const mesh_suffixes[] = {".obj", ".ply", ".stl"};
    TsimRayScene scene;
    TsimRaySceneKind kind = TSIM_RAY_SCENE_BVH;

    for (size_t i = 0; i < G_N_ELEMENTS(mesh_suffixes); i++) {
        if (g_str_has_suffix(path, mesh_suffixes[i])) {
            kind = TSIM_RAY_SCENE_MESH;
        }
    }
    tsim_ray_scene_init(&scene, kind);
    scene.path = g_strdup(path);
    scene.bvh = *bvh;
    TsimBvh *loaded = tsim_ray_scene_build(&scene, NULL, error);
    tsim_ray_scene_clear(&scene);
    return loaded;
}
