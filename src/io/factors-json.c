#include "io/factors-json.h"

#include "base/file.h"
#include "io/decode.h"
#include "io/factor-csv.h"
#include "io/scenario-keys.h"

#include <float.h>

static const char *kind_key(int kind)
{
    return tsim_factor_fields[kind][0].name;
}

/* ---- Factors given one by one ---- */

/* A source of listed factors; takes them. Without any patch every source will do. */
static TsimFactorSource *source_of_list(TsimTessFactors *factors, uint64_t count, TsimDomain domain)
{
    TsimFactorParams params;

    if (count > 0) {
        return tsim_factor_source_new_list(factors, count);
    }
    g_free(factors);
    tsim_factor_params_init(&params, TSIM_FACTORS_UNIFORM);
    return tsim_factor_source_new(&params, domain, 0, 0, NULL);
}

static gboolean decode_numbers(const TsimJsonNode *patch, const char *key, uint32_t count,
                               float *ret_values)
{
    TsimJsonNode list;
    gboolean ok = TRUE;

    if (!tsim_json_member(patch, key, &list)) {
        return count == 0 ||
               tsim_json_error(&list, "missing, expected a list of length %u, as the domain has",
                               count);
    }
    if (!tsim_json_is(&list, json_type_array) ||
        json_object_array_length(list.value) != (size_t)count) {
        return tsim_json_wrong(&list, "a list of length %u, as the domain has", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        const TsimJsonNode item = tsim_json_item(&list, i);
        double value = 0;
        ok &= tsim_decode_real(&item, -(double)FLT_MAX, (double)FLT_MAX, &value);
        ret_values[i] = (float)value;
    }
    return ok;
}

static gboolean decode_patch(const TsimJsonNode *node, TsimDomain domain, TsimTessFactors *factors)
{
    static const TsimDecodePart no_fields[] = {TSIM_DECODE_END};
    static const char *const keys[] = {"edge", "inside", NULL};

    return tsim_decode_object(node, no_fields, keys) &&
           decode_numbers(node, keys[0], tsim_tessellation_edge_factors(domain), factors->edge) &
               decode_numbers(node, keys[1], tsim_tessellation_inside_factors(domain),
                              factors->inside);
}

static TsimFactorSource *decode_list(const TsimJsonNode *node, TsimDomain domain,
                                     int64_t *ret_patches)
{
    gboolean ok = TRUE;

    if (!tsim_decode_is(node, json_type_array,
                        "a list of patches such as {\"edge\": [4, 4, 4], "
                        "\"inside\": [4]}")) {
        return NULL;
    }
    const size_t count = json_object_array_length(node->value);
    TsimTessFactors *factors = g_new0(TsimTessFactors, MAX(count, 1));
    for (size_t i = 0; i < count; i++) {
        const TsimJsonNode item = tsim_json_item(node, i);
        ok &= decode_patch(&item, domain, &factors[i]);
    }
    if (!ok) {
        g_free(factors);
        return NULL;
    }
    *ret_patches = (int64_t)count;
    return source_of_list(factors, count, domain);
}

static TsimFactorSource *decode_csv(const TsimJsonNode *node, TsimDomain domain,
                                    int64_t *ret_patches)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    gsize bytes;
    uint64_t count;

    if (!tsim_decode_is(node, json_type_string, "the path of a CSV file")) {
        return NULL;
    }
    g_autofree char *path = tsim_json_resolve_path(node, json_object_get_string(node->value));
    if (!tsim_file_read(path, "list of factors", &text, &bytes, &error)) {
        tsim_json_report(node, error);
        return NULL;
    }
    TsimTessFactors *factors = tsim_factor_csv_parse(
        path, text, bytes, domain, tsim_json_source_problems(node->source), &count);
    if (factors == NULL) {
        return NULL;
    }
    *ret_patches = (int64_t)count;
    return source_of_list(factors, count, domain);
}

/* ---- Factors worked out ---- */

static gboolean decode_camera(const TsimJsonNode *node, TsimCamera *camera)
{
    const TsimDecodePart parts[] = {{tsim_camera_fields, camera, FALSE}, TSIM_DECODE_END};
    TsimJsonNode member;

    if (!tsim_json_member(node, TSIM_KEY_CAMERA, &member)) {
        return tsim_json_error(&member, "missing, expected an object with the position of the "
                                        "camera");
    }
    return tsim_decode_object(&member, parts, NULL);
}

/* Files are named relative to the scenario. */
static void resolve_files(const TsimJsonNode *node, int kind, TsimFactorParams *params)
{
    const TsimField *field = &tsim_factor_fields[kind][0];
    TsimJsonNode member;

    if (field->type == TSIM_FIELD_STRING && tsim_json_member(node, field->name, &member)) {
        char **path = (char **)(void *)((char *)params + field->offset);
        char *resolved = tsim_json_resolve_path(&member, *path);
        g_free(*path);
        *path = resolved;
    }
}

static TsimFactorSource *decode_kind(const TsimJsonNode *node, int kind, TsimDomain domain,
                                     uint64_t seed, uint32_t draw)
{
    static const char *const camera_key[] = {TSIM_KEY_CAMERA, NULL};
    const gboolean has_camera = tsim_factor_kind_has_camera((TsimFactorKind)kind);
    g_autoptr(GError) error = NULL;
    TsimFactorSource *source = NULL;
    TsimFactorParams params;

    tsim_factor_params_init(&params, (TsimFactorKind)kind);
    const TsimDecodePart parts[] = {{tsim_factor_fields[kind], &params, FALSE}, TSIM_DECODE_END};
    gboolean ok = tsim_decode_object(node, parts, has_camera ? camera_key : NULL);
    ok &= !has_camera || decode_camera(node, &params.camera);
    if (ok) {
        resolve_files(node, kind, &params);
        source = tsim_factor_source_new(&params, domain, seed, draw, &error);
    }
    if (error != NULL) {
        tsim_json_report(node, error);
    }
    tsim_factor_params_clear(&params);
    return source;
}

/* ---- Choice ---- */

/* The only kind that the object names: a TsimFactorKind, or LIST_KIND, CSV_KIND; -1, reported, when
 * there is none or more than one. */
enum {
    LIST_KIND = TSIM_FACTORS_KINDS,
    CSV_KIND,
    ALL_KINDS,
};

static int find_kind(const TsimJsonNode *node)
{
    g_autoptr(GString) keys = g_string_new(NULL);
    TsimJsonNode member;
    int found = -1;
    int n = 0;

    for (int kind = 0; kind < ALL_KINDS; kind++) {
        const char *key = kind == LIST_KIND  ? TSIM_KEY_LIST
                          : kind == CSV_KIND ? TSIM_KEY_CSV
                                             : kind_key(kind);
        g_string_append_printf(keys, "%s\"%s\"", kind == 0 ? "" : ", ", key);
        if (tsim_json_member(node, key, &member)) {
            found = kind;
            n++;
        }
    }
    if (n != 1) {
        (void)tsim_json_wrong(node, "exactly one of the keys %s", keys->str);
        return -1;
    }
    return found;
}

TsimFactorSource *tsim_factors_json_decode(const TsimJsonNode *node, TsimDomain domain,
                                           uint64_t seed, uint32_t draw, int64_t *ret_patches)
{
    static const TsimDecodePart no_fields[] = {TSIM_DECODE_END};
    static const char *const list_key[] = {TSIM_KEY_LIST, NULL};
    static const char *const csv_key[] = {TSIM_KEY_CSV, NULL};
    TsimFactorSource *source;
    TsimJsonNode member;

    *ret_patches = -1;
    if (!tsim_decode_is(node, json_type_object, "an object such as {\"uniform\": 16}")) {
        return NULL;
    }
    const int kind = find_kind(node);
    if (kind < 0) {
        return NULL;
    }
    if (kind == LIST_KIND) {
        (void)tsim_json_member(node, TSIM_KEY_LIST, &member);
        return tsim_decode_object(node, no_fields, list_key)
                   ? decode_list(&member, domain, ret_patches)
                   : NULL;
    }
    if (kind == CSV_KIND) {
        (void)tsim_json_member(node, TSIM_KEY_CSV, &member);
        return tsim_decode_object(node, no_fields, csv_key)
                   ? decode_csv(&member, domain, ret_patches)
                   : NULL;
    }
    source = decode_kind(node, kind, domain, seed, draw);
    if (source != NULL && tsim_factor_source_patches(source) > 0) {
        *ret_patches = (int64_t)tsim_factor_source_patches(source);
    }
    return source;
}
