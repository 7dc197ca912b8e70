#include "io/file-check.h"

#include "io/data-files.h"
#include "io/gpu-json.h"
#include "io/scenario-json.h"
#include "io/scenario-keys.h"

#include <string.h>

static gboolean has_member(const TsimJsonNode *object, const char *key)
{
    TsimJsonNode member;

    return tsim_json_member(object, key, &member);
}

/* Scenarios and GPUs share their first keys, name and description. */
static gboolean is_gpu(const TsimJsonNode *root)
{
    if (!tsim_json_is(root, json_type_object) || has_member(root, TSIM_KEY_WORK) ||
        has_member(root, TSIM_KEY_GPU)) {
        return FALSE;
    }
    for (int i = TSIM_GPU_FIELD_generation; i < TSIM_GPU_FIELDS; i++) {
        if (has_member(root, tsim_gpu_fields[i].name)) {
            return TRUE;
        }
    }
    return has_member(root, "extends");
}

static char *find_file(const char *path, const char *const *search_paths)
{
    g_auto(GStrv) roots = tsim_data_roots(NULL, search_paths);
    const char *const *places = (const char *const *)roots;
    char *found = NULL;

    if (strcmp(path, "-") != 0 && !g_file_test(path, G_FILE_TEST_EXISTS)) {
        found = tsim_data_find(places, TSIM_DATA_SCENARIOS, path);
        found = found != NULL ? found : tsim_data_find(places, TSIM_DATA_CONFIGS, path);
    }
    return found != NULL ? found : g_strdup(path);
}

static const char *check_source(TsimJsonSource *source, const char *const *roots)
{
    const TsimJsonNode root = tsim_json_root(source);

    if (is_gpu(&root)) {
        tsim_gpu_free(tsim_gpu_json_decode_file(source, roots, TRUE));
        return "GPU";
    }
    tsim_scenario_free(tsim_scenario_json_decode(source, roots, NULL));
    return "scenario";
}

gboolean tsim_file_check_path(const char *path, const char *const *search_paths,
                              GPtrArray *warnings, const char **ret_kind, GError **error)
{
    g_autofree char *found = find_file(path, search_paths);
    g_auto(GStrv) roots = tsim_data_roots(found, search_paths);
    TsimProblems problems;

    *ret_kind = "file";
    tsim_problems_init(&problems, warnings);
    TsimJsonSource *source = tsim_json_source_read(found, &problems);
    if (source != NULL) {
        *ret_kind = check_source(source, (const char *const *)roots);
    }
    tsim_json_source_free(source);
    return tsim_problems_finish(&problems, error);
}
