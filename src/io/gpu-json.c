#include "io/gpu-json.h"

#include "io/data-files.h"
#include "io/decode.h"
#include "io/encode.h"

#include <string.h>

#define EXTENDS "extends"

/* Keys of a GPU object that are not fields. */
static const char *const other_keys[] = {EXTENDS, "$schema", NULL};

/* The files that are being read, the innermost first: one that comes again closes a circle. */
typedef struct OpenFile OpenFile;
struct OpenFile {
    const OpenFile *outer;
    const char *path;
};

typedef struct {
    TsimGpu *gpu;
    const char *const *roots;
    const OpenFile *file;  /* that the node is the whole of; NULL: none */
    TsimGpuFieldId wanted; /* field whose place is looked for; TSIM_GPU_FIELDS: none */
    char *place;           /* where it was given last; NULL: it has its default */
    gboolean strict;
    guint reported_before; /* errors that are not about this GPU */
} Reading;

static void clear_reading(Reading *reading)
{
    tsim_gpu_free(reading->gpu);
    g_free(reading->place);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reading, clear_reading)

/* ---- One field ---- */

typedef struct {
    char *source;
    int kind;
} Origin;

/* The kinds that a file can state: all but "unstated", which comes first. */
#define STATED_KINDS (tsim_field_kind_names + 1)

static const TsimField origin_fields[] = {
    {"source", TSIM_FIELD_STRING, offsetof(Origin, source), "", 0, 0, 0, NULL, TRUE,
     "Where the value comes from"},
    {"kind", TSIM_FIELD_ENUM, offsetof(Origin, kind), "", 0, 0, 0, STATED_KINDS, TRUE,
     "How well the value is known"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

/* Decodes a bare value, or one that stands in an object with its source and kind. */
static gboolean decode_with_origin(const TsimJsonNode *node, const TsimField *field, TsimGpu *gpu,
                                   Origin *origin)
{
    static const char *const value_key[] = {"value", NULL};
    const TsimDecodePart parts[] = {{origin_fields, origin, FALSE}, TSIM_DECODE_END};
    TsimJsonNode value;

    if (!tsim_json_is(node, json_type_object)) {
        origin->kind = TSIM_KIND_UNSTATED;
        return tsim_decode_value(node, field, gpu);
    }
    const gboolean ok = tsim_decode_object(node, parts, value_key);
    origin->kind++;
    if (!tsim_json_member(node, value_key[0], &value)) {
        g_autofree char *expected = tsim_field_expected(field);
        return tsim_json_error(&value, "missing, expected %s", expected);
    }
    return tsim_decode_value(&value, field, gpu) && ok;
}

static gboolean is_number(const TsimField *field)
{
    return field->type != TSIM_FIELD_STRING && field->type != TSIM_FIELD_BOOL &&
           field->type != TSIM_FIELD_ENUM;
}

static void decode_field(Reading *reading, const TsimJsonNode *node, const TsimField *field)
{
    const size_t id = (size_t)(field - tsim_gpu_fields);
    TsimGpu *gpu = reading->gpu;
    Origin origin = {0};

    if (decode_with_origin(node, field, gpu, &origin) && reading->strict && is_number(field) &&
        origin.kind == TSIM_KIND_UNSTATED) {
        (void)tsim_json_wrong(node, "{\"value\": ..., \"source\": \"...\", \"kind\": "
                                    "\"documented\", \"measured\" or \"estimated\"}");
    }
    gpu->kinds[id] = (uint8_t)origin.kind;
    g_free(gpu->sources[id]);
    gpu->sources[id] = origin.source;
    if (id == (size_t)reading->wanted) {
        g_free(reading->place);
        reading->place = tsim_json_place(node);
    }
}

/* ---- A file, and those that it extends ---- */

static void decode_layer(Reading *reading, const TsimJsonNode *node, const OpenFile *open);

static gboolean is_path(const char *name)
{
    return strchr(name, G_DIR_SEPARATOR) != NULL || g_str_has_suffix(name, ".json");
}

/* What a name that no file has could have been. */
static char *expected_names(const char *const *roots)
{
    g_auto(GStrv) names = tsim_data_names(roots, TSIM_DATA_CONFIGS);
    g_autofree char *all = g_strjoinv(", ", names);

    return g_strdup_printf("the path of a GPU file, or one of these names: %s",
                           *all == '\0' ? "(there is no configs folder: run in a checkout, install "
                                          "tesssim, or set TESSSIM_DATA)"
                                        : all);
}

/* The file of the GPU that the string node names; NULL, reported, when there is none. */
static char *find_file(const TsimJsonNode *node, const char *const *roots)
{
    const char *name = json_object_get_string(node->value);

    if (is_path(name)) {
        return tsim_json_resolve_path(node, name);
    }
    if (g_strcmp0(node->key, EXTENDS) == 0) {
        g_autofree char *file = g_strconcat(name, ".json", NULL);
        g_autofree char *beside = tsim_json_resolve_path(node, file);
        if (g_file_test(beside, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&beside);
        }
    }
    char *path = tsim_data_find(roots, TSIM_DATA_CONFIGS, name);
    if (path == NULL) {
        g_autofree char *expected = expected_names(roots);
        (void)tsim_json_wrong(node, "%s", expected);
    }
    return path;
}

static gboolean is_open(const OpenFile *open, const char *path)
{
    for (; open != NULL; open = open->outer) {
        if (strcmp(open->path, path) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Reads the file that the string node names into reading. */
static void decode_named(Reading *reading, const TsimJsonNode *node, const OpenFile *open)
{
    g_autofree char *path = find_file(node, reading->roots);

    if (path == NULL) {
        return;
    }
    g_autofree char *canonical = g_canonicalize_filename(path, NULL);
    const OpenFile file = {open, canonical};
    if (is_open(open, canonical)) {
        (void)tsim_json_wrong(node, "a GPU that does not extend this one in turn");
        return;
    }
    g_autoptr(TsimJsonSource) source =
        tsim_json_source_read(path, tsim_json_source_problems(node->source));
    if (source != NULL) {
        const TsimJsonNode root = tsim_json_root(source);
        decode_layer(reading, &root, &file);
    }
}

static void decode_member(Reading *reading, const TsimJsonNode *node, const char *key)
{
    static const TsimDecodePart parts[] = {{tsim_gpu_fields, NULL, FALSE}, TSIM_DECODE_END};
    const TsimField *field = tsim_field_find(tsim_gpu_fields, key);
    TsimJsonNode member;

    if (field != NULL) {
        (void)tsim_json_member(node, key, &member);
        decode_field(reading, &member, field);
    } else if (tsim_word_index(other_keys, key) < 0) {
        tsim_decode_unknown_key(node, key, parts, other_keys);
    }
}

static void decode_layer(Reading *reading, const TsimJsonNode *node, const OpenFile *open)
{
    TsimJsonNode base;

    if (!tsim_decode_is(node, json_type_object, "an object with the fields of a GPU")) {
        return;
    }
    if (tsim_json_member(node, EXTENDS, &base) &&
        tsim_decode_is(&base, json_type_string, "the name or path of a GPU file")) {
        decode_named(reading, &base, open);
    }
    struct json_object_iterator at = json_object_iter_begin(node->value);
    const struct json_object_iterator end = json_object_iter_end(node->value);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        decode_member(reading, node, json_object_iter_peek_name(&at));
    }
}

/* ---- A GPU ---- */

static Reading start(const TsimProblems *problems, const char *const *roots, gboolean strict,
                     const OpenFile *file)
{
    return (Reading){
        .gpu = tsim_gpu_new(),
        .roots = roots,
        .strict = strict,
        .reported_before = problems->reported,
        .file = file,
        .wanted = TSIM_GPU_FIELDS,
    };
}

static void decode(Reading *reading, const TsimJsonNode *node)
{
    if (tsim_json_is(node, json_type_string)) {
        decode_named(reading, node, reading->file);
    } else {
        decode_layer(reading, node, reading->file);
    }
}

/* Where a field was given, or else the whole. Places are costly and seldom needed: so it is all
 * read once more. */
static char *find_place(const Reading *reading, const TsimJsonNode *node, TsimGpuFieldId id)
{
    g_auto(Reading) again = start(tsim_json_source_problems(node->source), reading->roots,
                                  reading->strict, reading->file);

    again.wanted = id;
    decode(&again, node);
    return again.place != NULL ? g_steal_pointer(&again.place) : tsim_json_place(node);
}

static void validate(const Reading *reading, const TsimJsonNode *node)
{
    g_autoptr(GError) error = NULL;
    TsimGpuFieldId id;

    if (tsim_gpu_validate(reading->gpu, &id, &error)) {
        return;
    }
    const TsimField *field = &tsim_gpu_fields[id];
    json_object *value = tsim_encode_value(field, reading->gpu);
    g_autofree char *text = g_strdup_printf("got %s, %s %s", json_object_to_json_string(value),
                                            field->name, error->message);
    g_autofree char *place = find_place(reading, node, id);
    tsim_problems_add(tsim_json_source_problems(node->source), TSIM_ERROR_INPUT, place, place,
                      text);
    json_object_put(value);
}

/* What has been read, once it is complete; NULL when anything was wrong. */
static TsimGpu *finish(Reading *reading, const TsimJsonNode *node, const char *name)
{
    const TsimProblems *problems = tsim_json_source_problems(node->source);

    if (problems->reported == reading->reported_before) {
        validate(reading, node);
    }
    if (problems->reported != reading->reported_before) {
        return NULL;
    }
    if (reading->gpu->name == NULL) {
        reading->gpu->name = g_strdup(name);
    }
    return g_steal_pointer(&reading->gpu);
}

/* "xbox_one" for "configs/xbox_one.json". */
static char *short_name(const char *path)
{
    char *name = g_path_get_basename(path);

    if (g_str_has_suffix(name, ".json")) {
        name[strlen(name) - strlen(".json")] = '\0';
    }
    return name;
}

TsimGpu *tsim_gpu_json_decode(const TsimJsonNode *node, const char *const *roots)
{
    g_auto(Reading) reading = start(tsim_json_source_problems(node->source), roots, FALSE, NULL);
    g_autofree char *name = tsim_json_is(node, json_type_string)
                                ? short_name(json_object_get_string(node->value))
                                : g_strdup("custom");

    decode(&reading, node);
    return finish(&reading, node, name);
}

TsimGpu *tsim_gpu_json_decode_file(TsimJsonSource *source, const char *const *roots,
                                   gboolean strict)
{
    const char *path = tsim_json_source_name(source);
    const TsimJsonNode root = tsim_json_root(source);
    g_autofree char *canonical = g_canonicalize_filename(path, NULL);
    g_autofree char *name = short_name(path);
    const OpenFile file = {NULL, canonical};
    g_auto(Reading) reading = start(tsim_json_source_problems(source), roots, strict, &file);

    decode_layer(&reading, &root, &file);
    return finish(&reading, &root, name);
}

static TsimGpu *load_file(const char *path, const char *const *roots, TsimProblems *problems)
{
    g_autoptr(TsimJsonSource) source = tsim_json_source_read(path, problems);

    return source != NULL ? tsim_gpu_json_decode_file(source, roots, FALSE) : NULL;
}

TsimGpu *tsim_gpu_json_load(const char *name, const char *const *search_paths, GError **error)
{
    g_auto(GStrv) list = tsim_data_roots(NULL, search_paths);
    const char *const *roots = (const char *const *)list;
    g_autofree char *path =
        is_path(name) ? g_strdup(name) : tsim_data_find(roots, TSIM_DATA_CONFIGS, name);
    g_autoptr(TsimGpu) gpu = NULL;
    TsimProblems problems;

    if (path == NULL) {
        g_autofree char *expected = expected_names(roots);
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s: no such GPU, expected %s", name,
                    expected);
        return NULL;
    }
    tsim_problems_init(&problems, NULL);
    gpu = load_file(path, roots, &problems);
    return tsim_problems_finish(&problems, error) ? g_steal_pointer(&gpu) : NULL;
}
