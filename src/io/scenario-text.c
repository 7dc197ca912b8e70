#include "io/scenario-text.h"

#include "base/error.h"
#include "io/data-files.h"
#include "io/encode.h"
#include "io/overrides.h"
#include "io/scenario-json.h"
#include "io/scenario-keys.h"
#include "io/suggest.h"

#include <string.h>

/* A word, not a path. */
static gboolean is_name(const char *path)
{
    return *path != '\0' && *path != '-' && strpbrk(path, "./") == NULL;
}

static void complain(const char *name, const char *const *roots, GError **error)
{
    g_auto(GStrv) names = tsim_data_names(roots, TSIM_DATA_SCENARIOS);
    const char *nearest = tsim_suggest(name, (const char *const *)names);

    g_set_error(error, TSIM_ERROR, TSIM_ERROR_IO,
                "%s: no such file or scenario%s%s%s (tesssim list scenarios)", name,
                nearest != NULL ? "; did you mean \"" : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "\"?" : "");
}

/* The path as it is, or the scenario of that name when there is no such file; NULL and error when
 * nothing goes by the name. */
static char *find_scenario(const char *path, const char *const *search_paths, GError **error)
{
    g_auto(GStrv) roots = tsim_data_roots(NULL, search_paths);
    const char *const *places = (const char *const *)roots;

    if (strcmp(path, "-") == 0 || g_file_test(path, G_FILE_TEST_EXISTS)) {
        return g_strdup(path);
    }
    char *found = tsim_data_find(places, TSIM_DATA_SCENARIOS, path);
    if (found == NULL && is_name(path)) {
        complain(path, places, error);
        return NULL;
    }
    return found != NULL ? found : g_strdup(path);
}

static char **copy_list(const char *const *list)
{
    GPtrArray *copy = g_ptr_array_new();

    for (; list != NULL && *list != NULL; list++) {
        g_ptr_array_add(copy, g_strdup(*list));
    }
    g_ptr_array_add(copy, NULL);
    return (char **)g_ptr_array_free(copy, FALSE);
}

/* Takes path, which the text goes by; it comes from file. */
static TsimScenarioText *read_text(char *path, const char *file, const char *const *sets,
                                   const char *gpu, const char *const *search_paths, GError **error)
{
    g_autoptr(TsimScenarioText) text = g_new0(TsimScenarioText, 1);
    TsimProblems problems;

    text->path = path;
    text->sets = copy_list(sets);
    text->gpu = g_strdup(gpu);
    text->search_paths = copy_list(search_paths);
    tsim_problems_init(&problems, NULL);
    text->text = tsim_json_source_read_text(file, &problems);
    return tsim_problems_finish(&problems, error) ? g_steal_pointer(&text) : NULL;
}

TsimScenarioText *tsim_scenario_text_read(const char *path, const char *const *sets,
                                          const char *gpu, const char *const *search_paths,
                                          GError **error)
{
    char *found = find_scenario(path, search_paths, error);

    return found != NULL ? read_text(found, found, sets, gpu, search_paths, error) : NULL;
}

TsimScenarioText *tsim_scenario_text_read_kept(const char *file, const char *const *sets,
                                               const char *gpu, const char *const *search_paths,
                                               GError **error)
{
    return read_text(g_strdup("-"), file, sets, gpu, search_paths, error);
}

void tsim_scenario_text_free(TsimScenarioText *text)
{
    if (text == NULL) {
        return;
    }
    g_free(text->path);
    if (text->text != NULL) {
        g_string_free(text->text, TRUE);
    }
    g_strfreev(text->sets);
    g_free(text->gpu);
    tsim_gpu_free(text->known);
    g_strfreev(text->search_paths);
    g_free(text);
}

static void apply_sets(TsimJsonSource *source, const char *const *sets)
{
    for (; sets != NULL && *sets != NULL; sets++) {
        g_autofree char *label = g_strdup_printf("--set %s", *sets);
        tsim_override_apply(source, label, *sets);
    }
}

/* The tree with all overrides; NULL when it is not JSON. */
static TsimJsonSource *open_source(const TsimScenarioText *text, const char *const *more,
                                   TsimProblems *problems)
{
    const char *name = strcmp(text->path, "-") == 0 ? "<stdin>" : text->path;
    TsimJsonSource *source =
        tsim_json_source_parse(name, text->text->str, text->text->len, problems);

    if (source != NULL && text->gpu != NULL) {
        g_autofree char *label = g_strdup_printf("--gpu %s", text->gpu);
        tsim_override_gpu(source, label, text->gpu);
    }
    if (source != NULL) {
        apply_sets(source, (const char *const *)text->sets);
        apply_sets(source, more);
    }
    return source;
}

/* "gpu=..." or "gpu.clock_mhz=..." */
static gboolean changes_gpu(const char *const *sets)
{
    const gsize length = strlen(TSIM_KEY_GPU);

    for (; sets != NULL && *sets != NULL; sets++) {
        if (strncmp(*sets, TSIM_KEY_GPU, length) == 0 && strchr("=.", (*sets)[length]) != NULL) {
            return TRUE;
        }
    }
    return FALSE;
}

static TsimScenario *decode(const TsimScenarioText *text, TsimJsonSource *source,
                            const char *const *more)
{
    const TsimGpu *known = changes_gpu(more) ? NULL : text->known;
    g_auto(GStrv) roots = tsim_data_roots(text->path, (const char *const *)text->search_paths);

    return tsim_scenario_json_decode(source, (const char *const *)roots, known);
}

void tsim_scenario_text_keep_gpu(TsimScenarioText *text)
{
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(text, NULL, NULL, NULL);

    if (scenario != NULL) {
        text->known = g_steal_pointer(&scenario->gpu);
    }
}

TsimScenario *tsim_scenario_text_load(const TsimScenarioText *text, const char *const *more,
                                      GPtrArray *warnings, GError **error)
{
    TsimScenario *scenario = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, warnings);
    TsimJsonSource *source = open_source(text, more, &problems);
    if (source != NULL) {
        scenario = decode(text, source, more);
    }
    tsim_json_source_free(source);
    if (!tsim_problems_finish(&problems, error)) {
        tsim_scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

/* ---- What a load depends on ---- */

static json_object *member_object(json_object *object, const char *key)
{
    json_object *member;

    if (!json_object_object_get_ex(object, key, &member)) {
        member = json_object_new_object();
        (void)json_object_object_add(object, key, member);
    }
    return member;
}

static void add_gpu(const TsimScenario *scenario, json_object *gpus)
{
    json_object *fields = json_object_new_object();

    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        (void)json_object_object_add(fields, field->name, tsim_encode_value(field, scenario->gpu));
    }
    (void)json_object_object_add(gpus, scenario->gpu_name, fields);
}

static void add_file(const TsimJsonNode *node, json_object *files)
{
    g_autofree char *path = tsim_json_resolve_path(node, json_object_get_string(node->value));
    g_autofree char *bytes = NULL;
    gsize length;

    if (g_file_get_contents(path, &bytes, &length, NULL)) {
        g_autofree char *sum =
            g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, length);
        (void)json_object_object_add(files, path, json_object_new_string(sum));
    }
}

/* The files that the factors of an item of work name. */
static void add_factor_files(const TsimJsonNode *item, json_object *files)
{
    static const char *const keys[] = {TSIM_KEY_CSV, "height_map", "mesh"};
    TsimJsonNode factors, member;

    if (!tsim_json_is(item, json_type_object) ||
        !tsim_json_member(item, TSIM_KEY_TESS_FACTORS, &factors) ||
        !tsim_json_is(&factors, json_type_object)) {
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (tsim_json_member(&factors, keys[i], &member) &&
            tsim_json_is(&member, json_type_string)) {
            add_file(&member, files);
        }
    }
}

static void add_files(TsimJsonSource *source, json_object *files)
{
    const TsimJsonNode root = tsim_json_root(source);
    TsimJsonNode work;

    if (!tsim_json_member(&root, TSIM_KEY_WORK, &work)) {
        return;
    }
    for (size_t i = 0; i < json_object_array_length(work.value); i++) {
        const TsimJsonNode item = tsim_json_item(&work, i);
        add_factor_files(&item, files);
    }
}

void tsim_scenario_text_inputs(const TsimScenarioText *text, const char *const *more,
                               json_object *inputs)
{
    TsimProblems problems;
    json_object *tree;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = open_source(text, more, &problems);
    g_autoptr(TsimScenario) scenario = source != NULL ? decode(text, source, more) : NULL;
    if (scenario != NULL) {
        add_gpu(scenario, member_object(inputs, "gpus"));
        add_files(source, member_object(inputs, "files"));
        if (!json_object_object_get_ex(inputs, "scenario", &tree)) {
            (void)json_object_object_add(inputs, "scenario",
                                         json_object_get(tsim_json_root(source).value));
        }
    }
    tsim_json_source_free(source);
    tsim_problems_clear(&problems);
}
