/* io/schema.h: a validator that knows nothing of tesssim accepts every shipped file and refuses
 * what the readers refuse. Skipped where python3-jsonschema is not installed. JSON in this file has
 * single quotes for double ones. */
#include "io/json-text.h"
#include "io/schema.h"

#include <glib/gstdio.h>
#include <string.h>

/* Prints "valid" or "invalid" for each instance; fails when the schema itself is wrong. */
static const char validator[] =
    "import json, sys\n"
    "try:\n"
    "    import jsonschema\n"
    "except ImportError:\n"
    "    sys.exit(77)\n"
    "schema = json.load(open(sys.argv[1]))\n"
    "jsonschema.Draft7Validator.check_schema(schema)\n"
    "check = jsonschema.Draft7Validator(schema)\n"
    "for path in sys.argv[2:]:\n"
    "    print('valid' if check.is_valid(json.load(open(path))) else 'invalid')\n";

typedef struct {
    char *folder;
    char *schema;     /* path */
    GPtrArray *files; /* paths of the instances */
    GPtrArray *names; /* what they are called in failures */
    GArray *valid;    /* of gboolean: what the verdict should be */
} Bench;

static void open_bench(Bench *bench, json_object *schema)
{
    bench->folder = g_dir_make_tmp("tesssim-XXXXXX", NULL);
    bench->schema = g_build_filename(bench->folder, "schema", NULL);
    bench->files = g_ptr_array_new_with_free_func(g_free);
    bench->names = g_ptr_array_new_with_free_func(g_free);
    bench->valid = g_array_new(FALSE, FALSE, sizeof(gboolean));
    g_assert_true(g_file_set_contents(bench->schema, json_object_to_json_string(schema), -1, NULL));
    json_object_put(schema);
}

static void close_bench(Bench *bench)
{
    for (guint i = 0; i < bench->files->len; i++) {
        g_assert_cmpint(g_remove(bench->files->pdata[i]), ==, 0);
    }
    g_assert_cmpint(g_remove(bench->schema), ==, 0);
    g_assert_cmpint(g_remove(bench->folder), ==, 0);
    g_ptr_array_unref(bench->files);
    g_ptr_array_unref(bench->names);
    g_array_unref(bench->valid);
    g_free(bench->schema);
    g_free(bench->folder);
}

/* Validators take no comments. */
static void add_text(Bench *bench, gboolean valid, const char *name, const char *text)
{
    g_autofree char *plain = g_strdup(text);
    g_autofree char *file = g_strdup_printf("%u", bench->files->len);
    char *path = g_build_filename(bench->folder, file, NULL);
    size_t offset;

    g_assert_true(tsim_json_text_blank_comments(plain, &offset));
    g_assert_true(g_file_set_contents(path, plain, -1, NULL));
    g_ptr_array_add(bench->files, path);
    g_ptr_array_add(bench->names, g_strdup(name));
    g_array_append_val(bench->valid, valid);
}

static void add_folder(Bench *bench, const char *folder)
{
    g_autofree char *path = g_build_filename(g_getenv("TSIM_SOURCE_DIR"), folder, NULL);
    g_autoptr(GDir) files = g_dir_open(path, 0, NULL);
    const char *name;

    g_assert_nonnull(files);
    while ((name = g_dir_read_name(files)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_autofree char *text = NULL;
        if (g_str_has_suffix(name, ".json")) {
            g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
            add_text(bench, TRUE, file, text);
        }
    }
}

/* What the validator says of each file; NULL, with the test skipped, when there is none. */
static char **validate(const Bench *bench)
{
    g_autoptr(GPtrArray) command = g_ptr_array_new();
    g_autofree char *output = NULL;
    int status = 0;

    g_ptr_array_add(command, (gpointer)(guintptr) "/usr/bin/python3");
    g_ptr_array_add(command, (gpointer)(guintptr) "-c");
    g_ptr_array_add(command, (gpointer)(guintptr)validator);
    g_ptr_array_add(command, bench->schema);
    for (guint i = 0; i < bench->files->len; i++) {
        g_ptr_array_add(command, bench->files->pdata[i]);
    }
    g_ptr_array_add(command, NULL);
    if (!g_spawn_sync(NULL, (char **)command->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output,
                      NULL, &status, NULL) ||
        status == 77 << 8) {
        g_test_skip("python3-jsonschema is not installed");
        return NULL;
    }
    g_assert_cmpint(status, ==, 0);
    return g_strsplit(output, "\n", -1);
}

static void assert_verdicts(Bench *bench)
{
    g_auto(GStrv) verdicts = validate(bench);

    for (guint i = 0; verdicts != NULL && i < bench->files->len; i++) {
        const char *expected = g_array_index(bench->valid, gboolean, i) ? "valid" : "invalid";
        if (g_strcmp0(verdicts[i], expected) != 0) {
            g_test_message("%s", (const char *)bench->names->pdata[i]);
        }
        g_assert_cmpstr(verdicts[i], ==, expected);
    }
    close_bench(bench);
}

static void add_quoted(Bench *bench, gboolean valid, const char *quoted)
{
    g_autofree char *text = g_strdelimit(g_strdup(quoted), "'", '"');

    add_text(bench, valid, quoted, text);
}

#define DRAW(more)                                                                                 \
    "{'gpu': 'x', 'work': [{'type': 'draw', 'patches': 1, 'vs': {'output_vec4': 1}, 'hs': "        \
    "{'output_vec4': 1}, 'ds': {'valu': 3}, " more "}]}"

static const char *const sound_scenarios[] = {
    "{'gpu': {'extends': 'x', 'clock_mhz': 3}, 'work': [], '$schema': 'y'}",
    DRAW("'tess_factors': {'list': [{'edge': [1, 2, 3], 'inside': [4]}]}"),
    DRAW("'tess_factors': {'csv': 'f'}, 'tessellation': {'tf_threshold': 'auto'}"),
    DRAW("'tess_factors': {'fractal': 0.5, 'camera': {'position': [0, 1, 2]}}"),
    DRAW("'tess_factors': {'uniform': 3}, 'ps': {'program': [{'sample': 1, 'bytes': 8}]}"),
    DRAW("'tess_factors': {'uniform': 3}, 'ps': {'program': {'sample': 1}}"),
};

static const char *const wrong_scenarios[] = {
    "[]",
    "{'gpu': 'x'}",
    "{'gpu': 'x', 'work': [], 'sede': 1}",
    "{'gpu': 'x', 'work': [], 'seed': -1}",
    "{'gpu': 'x', 'work': [], 'seed': 0.5}",
    "{'gpu': {'clok_mhz': 3}, 'work': []}",
    "{'gpu': 'x', 'work': [{'type': 'drew'}]}",
    "{'gpu': 'x', 'work': [{'type': 'barrier', 'patches': 1}]}",
    DRAW("'name': 'no factors'"),
    DRAW("'tess_factors': {}"),
    DRAW("'tess_factors': {'uniform': 1, 'csv': 'x'}"),
    DRAW("'tess_factors': {'uniform': -1}"),
    DRAW("'tess_factors': {'fractal': 0.5}"),
    DRAW("'tess_factors': {'uniform': 3}, 'tessellation': {'ds_wave_threshold': 16}"),
    DRAW("'tess_factors': {'uniform': 3}, 'tessellation': {'tf_threshold': 'aut'}"),
    DRAW("'tess_factors': {'uniform': 3}, 'tessellation': {'mode': 'on'}"),
    DRAW("'tess_factors': {'uniform': 3}, 'ps': {'patch_read': 3}"),
    DRAW("'tess_factors': {'uniform': 3}, 'ps': {'program': [{'valu': 1, 'mem': 1}]}"),
    DRAW("'tess_factors': {'uniform': 3}, 'ps': {'program': [{'bytes': 1}]}"),
};

static const char *const wrong_gpus[] = {
    "3",
    "{'clock_mhz': 0}",
    "{'clock_mhz': {'value': 3}}",
    "{'clock_mhz': {'value': 3, 'source': 'a', 'kind': 'unstated'}}",
    "{'cus_per_array': []}",
    "{'cu_policy': 'any'}",
    "{'extends': 3}",
};

static void test_scenarios(void)
{
    Bench bench;

    open_bench(&bench, tsim_scenario_schema());
    add_folder(&bench, "scenarios");
    add_folder(&bench, "tests/reference/scenarios");
    g_assert_cmpuint(bench.files->len, >=, 10);
    for (size_t i = 0; i < G_N_ELEMENTS(sound_scenarios); i++) {
        add_quoted(&bench, TRUE, sound_scenarios[i]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(wrong_scenarios); i++) {
        add_quoted(&bench, FALSE, wrong_scenarios[i]);
    }
    assert_verdicts(&bench);
}

static void test_gpus(void)
{
    Bench bench;

    open_bench(&bench, tsim_gpu_schema());
    add_folder(&bench, "configs");
    g_assert_cmpuint(bench.files->len, >=, 8);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong_gpus); i++) {
        add_quoted(&bench, FALSE, wrong_gpus[i]);
    }
    assert_verdicts(&bench);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/schema/scenarios", test_scenarios);
    g_test_add_func("/schema/gpus", test_gpus);
    return g_test_run();
}
