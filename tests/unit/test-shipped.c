/* The files of configs/ and scenarios/ as a user gets them: they load without a complaint, every
 * number of a GPU has its source, and each says what it is. */
#include "io/data-files.h"
#include "io/gpu-json.h"
#include "io/scenario-json.h"

static void check_gpu(const char *path, const char *const *roots)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimGpu) gpu = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_read(path, &problems);
    gpu = source != NULL ? tsim_gpu_json_decode_file(source, roots, TRUE) : NULL;
    tsim_json_source_free(source);
    (void)tsim_problems_finish(&problems, &error);
    g_assert_no_error(error);
    g_assert_nonnull(gpu->description);
}

static void test_gpus(void)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_auto(GStrv) names = tsim_data_names(roots, TSIM_DATA_CONFIGS);

    g_assert_cmpuint(g_strv_length(names), >=, 8);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = tsim_data_find(roots, TSIM_DATA_CONFIGS, *name);
        check_gpu(path, roots);
    }
}

/* A mesh of another package may be missing on this machine. */
static gboolean is_about_mesh(const GError *error)
{
    return error != NULL && g_strrstr(error->message, "the mesh cannot be read") != NULL;
}

static void test_scenarios(void)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_auto(GStrv) names = tsim_data_names(roots, TSIM_DATA_SCENARIOS);

    g_assert_cmpuint(g_strv_length(names), >=, 10);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = tsim_data_find(roots, TSIM_DATA_SCENARIOS, *name);
        g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
        g_autoptr(GError) error = NULL;
        g_autoptr(TsimScenario) scenario =
            tsim_scenario_json_load(path, NULL, NULL, roots, warnings, &error);
        if (is_about_mesh(error)) {
            g_test_message("%s", error->message);
            continue;
        }
        g_assert_no_error(error);
        g_assert_cmpstr(scenario->name, ==, *name);
        g_assert_nonnull(scenario->description);
        for (guint i = 0; i < warnings->len; i++) {
            g_test_message("%s", (const char *)warnings->pdata[i]);
        }
        g_assert_cmpuint(warnings->len, ==, 0);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shipped/gpus", test_gpus);
    g_test_add_func("/shipped/scenarios", test_scenarios);
    return g_test_run();
}
