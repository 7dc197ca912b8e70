/* io/gpu-json.h, io/data-files.h, io/factor-csv.h, io/encode.h: files in a scratch folder. JSON in
 * this file has single quotes for double ones. */
#include "base/error.h"
#include "io/data-files.h"
#include "io/encode.h"
#include "io/factor-csv.h"
#include "io/gpu-json.h"
#include "io/scenario-json.h"

#include <glib/gstdio.h>
#include <math.h>

/* Writes a file below the current folder, which is the scratch folder of the test. */
static void put(const char *path, const char *quoted)
{
    g_autofree char *text = g_strdelimit(g_strdup(quoted), "'", '"');
    g_autofree char *folder = g_path_get_dirname(path);

    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void assert_refused(const char *name, const char *quoted_expected)
{
    g_autofree char *expected = g_strdelimit(g_strdup(quoted_expected), "'", '"');
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimGpu) gpu = tsim_gpu_json_load(name, NULL, &error);

    g_assert_null(gpu);
    g_assert_cmpstr(error->message, ==, expected);
}

static void test_values(void)
{
    g_autoptr(GError) error = NULL;

    put("configs/one.json",
        "{ // comments are fine\n"
        " '$schema': 'x', 'name': 'One', 'wgp_mode': true, 'cus_per_array': [4, 6],\n"
        " 'lds_placement': {'value': 'best_fit', 'source': 'a book', 'kind': 'documented'},\n"
        " 'clock_mhz': {'value': 853.5, 'source': 'a page', 'kind': 'measured'},\n"
        " 'prims_per_clk': 0.33}");
    g_autoptr(TsimGpu) gpu = tsim_gpu_json_load("one", NULL, &error);

    g_assert_no_error(error);
    g_assert_cmpstr(gpu->name, ==, "One");
    g_assert_true(gpu->wgp_mode);
    g_assert_cmpuint(gpu->cus_per_array.n, ==, 2);
    g_assert_cmpuint(gpu->cus_per_array.values[1], ==, 6);
    g_assert_cmpint(gpu->lds_placement, ==, TSIM_LDS_BEST_FIT);
    g_assert_cmpstr(gpu->sources[TSIM_GPU_FIELD_lds_placement], ==, "a book");
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_lds_placement], ==, TSIM_KIND_DOCUMENTED);
    g_assert_cmpfloat(gpu->clock_mhz, ==, 853.5);
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_clock_mhz], ==, TSIM_KIND_MEASURED);
    g_assert_cmpuint(gpu->prims_per_clk.num, ==, 33);
    g_assert_cmpuint(gpu->prims_per_clk.den, ==, 100);
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_prims_per_clk], ==, TSIM_KIND_UNSTATED);
    g_assert_null(gpu->sources[TSIM_GPU_FIELD_prims_per_clk]);
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_l2_bytes], ==, TSIM_KIND_UNSTATED);
}

/* The nearest file that gives a field wins, and its source with it. */
static void test_extends(void)
{
    g_autoptr(GError) error = NULL;

    put("configs/base.json",
        "{'name': 'Base', 'clock_mhz': {'value': 800, 'source': 'a', 'kind': 'documented'},\n"
        " 'l2_ways': {'value': 8, 'source': 'b', 'kind': 'estimated'}}");
    put("configs/middle.json", "{'extends': 'base', 'clock_mhz': 900}");
    put("mine/gpu.json", "{'extends': '../configs/middle.json', 'name': 'Mine', 'l1_ways': 2}");
    g_autoptr(TsimGpu) gpu = tsim_gpu_json_load("mine/gpu.json", NULL, &error);

    g_assert_no_error(error);
    g_assert_cmpstr(gpu->name, ==, "Mine");
    g_assert_cmpfloat(gpu->clock_mhz, ==, 900);
    g_assert_null(gpu->sources[TSIM_GPU_FIELD_clock_mhz]);
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_clock_mhz], ==, TSIM_KIND_UNSTATED);
    g_assert_cmpuint(gpu->l2_ways, ==, 8);
    g_assert_cmpint(gpu->kinds[TSIM_GPU_FIELD_l2_ways], ==, TSIM_KIND_ESTIMATED);
    g_assert_cmpuint(gpu->l1_ways, ==, 2);

    /* A name is that of a file beside this one, wherever that lies, then of one in configs. */
    put("far/near.json", "{'l2_ways': 2}");
    put("far/gpu.json", "{'extends': 'near'}");
    g_autoptr(TsimGpu) beside = tsim_gpu_json_load("far/gpu.json", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(beside->l2_ways, ==, 2);
}

static void test_circles(void)
{
    put("configs/a.json", "{'extends': 'b'}");
    put("configs/b.json", "{\n 'extends': 'a'}");
    put("configs/self.json", "{'extends': './self.json'}");
    assert_refused("a", "configs/b.json:2:13: /extends: got 'a', expected a GPU that does not "
                        "extend this one in turn");
    assert_refused("configs/self.json", "configs/self.json:1:13: /extends: got './self.json', "
                                        "expected a GPU that does not extend this one in turn");
}

static void test_wrong(void)
{
    put("configs/known.json", "{}");
    put("bad.json", "{'clock_mhz': '853',\n"
                    " 'l2_ways': {'value': 0, 'source': 'a', 'kind': 'documented'},\n"
                    " 'l1_ways': {'value': 4, 'source': 'a', 'kind': 'guessed'},\n"
                    " 'lds_latency': {'value': 4, 'sauce': 'a', 'kind': 'measured'},\n"
                    " 'l2_latency': {'source': 'a', 'kind': 'measured'},\n"
                    " 'cus_per_array': [],\n"
                    " 'cu_policy': 'any', 'wgp_mode': 1,\n"
                    " 'lds_byte_per_cu': 3}");
    assert_refused(
        "bad.json",
        "bad.json:1:15: /clock_mhz: got '853', expected a number from 1 to 10000 (MHz)\n"
        "bad.json:2:23: /l2_ways/value: got 0, expected a whole number from 1 to 64\n"
        "bad.json:3:49: /l1_ways/kind: got 'guessed', expected 'documented', 'measured' or "
        "'estimated'\n"
        "bad.json:4:30: /lds_latency/sauce: got an unknown key 'sauce'; did you mean 'source'?\n"
        "bad.json:4:17: /lds_latency/source: missing, expected a string\n"
        "bad.json:5:16: /l2_latency/value: missing, expected a whole number from 0 to 100000 "
        "(cycles)\n"
        "bad.json:6:19: /cus_per_array: got [], expected a whole number, or a list of up to 32 of "
        "them, from 1 to 32\n"
        "bad.json:7:15: /cu_policy: got 'any', expected 'round_robin', 'fewest_waves' or 'first'\n"
        "bad.json:7:34: /wgp_mode: got 1, expected true or false\n"
        "bad.json:8:2: /lds_byte_per_cu: got an unknown key 'lds_byte_per_cu'; did you mean "
        "'lds_bytes_per_cu'?");
    put("bad.json", "[]");
    assert_refused("bad.json",
                   "bad.json:1:1: /: got [], expected an object with the fields of a GPU");
    put("bad.json", "{'extends': 3}");
    assert_refused("bad.json",
                   "bad.json:1:13: /extends: got 3, expected the name or path of a GPU file");
    put("bad.json", "{'extends': 'knwon'}");
    assert_refused("bad.json", "bad.json:1:13: /extends: got 'knwon', expected the path of a GPU "
                               "file, or one of these names: known");
    put("bad.json", "{'extends': 'no/such.json'}");
    assert_refused("bad.json", "no/such.json: cannot be read: No such file or directory");
    assert_refused("knwon", "knwon: no such GPU, expected the path of a GPU file, or one of these "
                            "names: known");
}

/* Rules between fields complain at the field, wherever it was given. */
static void test_rules(void)
{
    put("configs/base.json", "{'clock_mhz': 1,\n 'wave_size': 48}");
    put("mine.json", "{'extends': 'base', 'l1_ways': 2}");
    assert_refused("mine.json",
                   "configs/base.json:2:15: /wave_size: got 48, wave_size must be 64 or 32");
    put("mine.json", "{'lds_bytes_per_cu': 1000}");
    assert_refused("mine.json", "mine.json:1:1: /: got 512, lds_granule must divide "
                                "lds_bytes_per_cu into at most 512 granules");
}

/* Every number of a shipped file has a source; this is what makes sure. */
static void test_strict(void)
{
    g_autoptr(GError) error = NULL;
    TsimProblems problems;

    put("a.json", "{'name': 'x', 'wgp_mode': true, 'cu_policy': 'first', 'clock_mhz': 853,\n"
                  " 'l1_ways': {'value': 4, 'source': 'a', 'kind': 'measured'}}");
    tsim_problems_init(&problems, NULL);
    g_autoptr(TsimJsonSource) source = tsim_json_source_read("a.json", &problems);
    g_assert_null(tsim_gpu_json_decode_file(source, (const char *const[]){NULL}, TRUE));
    g_assert_false(tsim_problems_finish(&problems, &error));
    g_assert_cmpstr(error->message, ==,
                    "a.json:1:68: /clock_mhz: got 853, expected {\"value\": ..., \"source\": "
                    "\"...\", \"kind\": \"documented\", \"measured\" or \"estimated\"}");
}

/* What is decoded can be written and read back: every field, through JSON text. */
static void test_round_trip(void)
{
    g_autoptr(GError) error = NULL;
    json_object *object = json_object_new_object();

    put("configs/odd.json", "{'name': 'Odd', 'clock_mhz': 853.125, 'prims_per_clk': 0.3333, "
                            "'cus_per_array': [4, 6], 'cu_policy': 'first', 'wave_size': 32, "
                            "'has_wave32': true, 'launch_priority': 'cs,ps,gs,ds,hs,vs'}");
    g_autoptr(TsimGpu) gpu = tsim_gpu_json_load("odd", NULL, &error);
    g_assert_no_error(error);
    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        json_object *value = tsim_encode_value(field, gpu);
        if (value != NULL) {
            (void)json_object_object_add(object, field->name, value);
        }
    }
    put("configs/again.json", json_object_to_json_string(object));
    g_autoptr(TsimGpu) again = tsim_gpu_json_load("again", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(json_object_object_length(object), >, 60);
    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        json_object *a = tsim_encode_value(field, gpu);
        json_object *b = tsim_encode_value(field, again);
        g_assert_cmpstr(json_object_to_json_string(a), ==, json_object_to_json_string(b));
        json_object_put(a);
        json_object_put(b);
    }
    g_assert_cmpuint(again->prims_per_clk.num, ==, 3333);
    json_object_put(object);
}

static void test_real_text(void)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    g_assert_cmpstr(tsim_encode_real_text(0.1, text), ==, "0.1");
    g_assert_cmpstr(tsim_encode_real_text(853, text), ==, "853");
    g_assert_cmpstr(tsim_encode_real_text(0x1p53, text), ==, "9007199254740992");
    g_assert_cmpstr(tsim_encode_real_text(1.0 / 3.0, text), ==, "0.3333333333333333");
}

/* ---- Scenarios beside their GPUs ---- */

static void test_search(void)
{
    static const char scenario[] = "{'gpu': 'near', 'work': []}";
    g_autoptr(GError) error = NULL;

    /* A name is found below the current folder, beside the scenario's folder, then where told. */
    put("tree/configs/near.json", "{'clock_mhz': 1}");
    put("tree/scenarios/s.json", scenario);
    g_autoptr(TsimScenario) beside =
        tsim_scenario_json_load("tree/scenarios/s.json", NULL, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(beside->gpu->clock_mhz, ==, 1);
    g_assert_cmpstr(beside->gpu_name, ==, "near");
    g_assert_cmpstr(beside->name, ==, "s");

    put("configs/near.json", "{'clock_mhz': 2}");
    g_autoptr(TsimScenario) below =
        tsim_scenario_json_load("tree/scenarios/s.json", NULL, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(below->gpu->clock_mhz, ==, 2);

    put("data/scenarios/far.json", "{'gpu': 'far', 'work': []}");
    put("data/configs/far.json", "{'clock_mhz': 3}");
    g_autoptr(TsimScenario) far = tsim_scenario_json_load(
        "far", NULL, NULL, (const char *const[]){"data", NULL}, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(far->gpu->clock_mhz, ==, 3);

    /* A path in a scenario is relative to it; one from the command line is not. */
    put("tree/scenarios/p.json", "{'gpu': '../gpu.json', 'work': []}");
    put("tree/gpu.json", "{'clock_mhz': 4}");
    put("gpu.json", "{'clock_mhz': 5}");
    g_autoptr(TsimScenario) path =
        tsim_scenario_json_load("tree/scenarios/p.json", NULL, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(path->gpu->clock_mhz, ==, 4);
    g_autoptr(TsimScenario) option = tsim_scenario_json_load(
        "tree/scenarios/p.json", (const char *const[]){"gpu.l1_ways=2", NULL}, "./gpu.json", NULL,
        NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(option->gpu->clock_mhz, ==, 5);
    g_assert_cmpuint(option->gpu->l1_ways, ==, 2);
    g_assert_cmpstr(option->gpu_name, ==, "./gpu.json");

    g_assert_null(
        tsim_scenario_json_load("tree/scenarios/p.json", NULL, "nera", NULL, NULL, &error));
    g_assert_cmpint(error->code, ==, TSIM_ERROR_USAGE);
    g_assert_cmpstr(error->message, ==,
                    "--gpu nera: /gpu: got \"nera\", expected the path of a GPU file, or one of "
                    "these names: near");
}

static void test_missing_scenario(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_scenario_json_load("nowhere", NULL, NULL, NULL, NULL, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
    g_assert_cmpstr(error->message, ==,
                    "nowhere: no such file or scenario (tesssim list scenarios)");
}

static void test_names(void)
{
    put("configs/b.json", "{}");
    put("configs/a.json", "{}");
    put("configs/readme.txt", "");
    put("data/configs/a.json", "{}");
    put("data/configs/c.json", "{}");
    g_auto(GStrv) roots = tsim_data_roots(NULL, (const char *const[]){"data", NULL});
    g_auto(GStrv) names = tsim_data_names((const char *const *)roots, TSIM_DATA_CONFIGS);
    g_autofree char *all = g_strjoinv(" ", names);
    g_assert_cmpstr(all, ==, "a b c");
}

/* ---- Factors in CSV files ---- */

static TsimTessFactors *parse_csv(const char *text, TsimDomain domain, TsimProblems *problems,
                                  uint64_t *ret_count)
{
    g_autofree char *copy = g_strdup(text);

    return tsim_factor_csv_parse("f.csv", copy, strlen(copy), domain, problems, ret_count);
}

static void test_csv(void)
{
    TsimProblems problems;
    uint64_t count;

    tsim_problems_init(&problems, NULL);
    g_autofree TsimTessFactors *factors =
        parse_csv("\xef\xbb\xbf inside0 ,edge2,edge1,edge0\r\n4,3,2,1\r\nnan,inf,-inf,1e3\r\n\r\n",
                  TSIM_DOMAIN_TRI, &problems, &count);
    g_assert_true(tsim_problems_finish(&problems, NULL));
    g_assert_cmpuint(count, ==, 2);
    g_assert_cmpfloat(factors[0].edge[0], ==, 1);
    g_assert_cmpfloat(factors[0].edge[1], ==, 2);
    g_assert_cmpfloat(factors[0].edge[2], ==, 3);
    g_assert_cmpfloat(factors[0].inside[0], ==, 4);
    g_assert_cmpfloat(factors[1].edge[0], ==, 1000);
    g_assert_true(isinf(factors[1].edge[1]) && factors[1].edge[1] < 0);
    g_assert_true(isinf(factors[1].edge[2]));
    g_assert_true(isnan(factors[1].inside[0]));

    tsim_problems_init(&problems, NULL);
    g_autofree TsimTessFactors *none =
        parse_csv("edge0,edge1\n", TSIM_DOMAIN_ISOLINE, &problems, &count);
    g_assert_nonnull(none);
    g_assert_cmpuint(count, ==, 0);
    g_assert_true(tsim_problems_finish(&problems, NULL));
}

static void test_wrong_csv(void)
{
#define TRI ", expected the columns edge0,edge1,edge2,inside0, each once"
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "f.csv:1:1: got nothing" TRI},
        {"edge0,edge1,edge2\n", "f.csv:1:1: got 'edge0,edge1,edge2'" TRI},
        {"edge0,edge1,edge1,inside0\n", "f.csv:1:13: got 'edge1'" TRI},
        {"edge0,edge1,edge2,edge3,inside0\n", "f.csv:1:19: got 'edge3'" TRI},
        {"4,4,4,4\n", "f.csv:1:1: got '4'" TRI},
        {"edge0,edge1,edge2,inside0\n1,2,x,4\n1,,3,4\n1,2,3\n1,2,3,4,5\n1,2,1e39,3\n",
         "f.csv:2:5: got 'x', expected a decimal number within 3.4e38, nan or inf\n"
         "f.csv:3:3: got nothing, expected a decimal number within 3.4e38, nan or inf\n"
         "f.csv:4:6: got '1,2,3', expected as many values as there are columns\n"
         "f.csv:5:9: got '1,2,3,4,5', expected as many values as there are columns\n"
         "f.csv:6:5: got '1e39', expected a decimal number within 3.4e38, nan or inf"},
        {"edge0,edge1,edge2,inside0\n1e400,2,3,4\n1,-1e400,3,4\n1,2,0x10,4\n",
         "f.csv:2:1: got '1e400', expected a decimal number within 3.4e38, nan or inf\n"
         "f.csv:3:3: got '-1e400', expected a decimal number within 3.4e38, nan or inf\n"
         "f.csv:4:5: got '0x10', expected a decimal number within 3.4e38, nan or inf"},
        {"edge0,edge1,edge2,inside0\n1,2,\xff,4\n",
         "f.csv:2:5: got '\xef\xbf\xbd', expected a decimal number within 3.4e38, nan or inf"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *expected = g_strdelimit(g_strdup(cases[i].expected), "'", '"');
        g_autoptr(GError) error = NULL;
        TsimProblems problems;
        uint64_t count;
        tsim_problems_init(&problems, NULL);
        g_assert_null(parse_csv(cases[i].text, TSIM_DOMAIN_TRI, &problems, &count));
        g_assert_false(tsim_problems_finish(&problems, &error));
        g_assert_cmpstr(error->message, ==, expected);
    }
#undef TRI
}

/* A CSV file of a scenario lies beside it, and says how many patches there are. */
static void test_csv_of_scenario(void)
{
    g_autoptr(GError) error = NULL;

    put("s/f.csv", "edge0,edge1\n4,8\n1,1\n");
    put("s/s.json", "{'gpu': {}, 'work': [{'type': 'draw', 'domain': 'isoline', 'tess_factors': "
                    "{'csv': 'f.csv'}, 'vs': {'output_vec4': 1}, 'hs': {'output_vec4': 1}, "
                    "'ds': {}}]}");
    g_autoptr(TsimScenario) scenario =
        tsim_scenario_json_load("s/s.json", NULL, NULL, NULL, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(scenario->work[0].draw.patches, ==, 2);
}

/* Each test has a folder of its own, which is removed with all that lies in it. */
static void remove_all(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        remove_all(below);
    }
    g_assert_cmpint(g_remove(path), ==, 0);
}

static void in_scratch_folder(gconstpointer test)
{
    g_autofree char *folder = g_dir_make_tmp("tesssim-XXXXXX", NULL);
    g_autofree char *before = g_get_current_dir();

    g_assert_cmpint(g_chdir(folder), ==, 0);
    ((GTestFunc)(guintptr)test)();
    g_assert_cmpint(g_chdir(before), ==, 0);
    remove_all(folder);
}

static void add(const char *path, GTestFunc test)
{
    g_test_add_data_func(path, (gconstpointer)(guintptr)test, in_scratch_folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add("/gpu/values", test_values);
    add("/gpu/extends", test_extends);
    add("/gpu/circles", test_circles);
    add("/gpu/wrong", test_wrong);
    add("/gpu/rules", test_rules);
    add("/gpu/strict", test_strict);
    add("/gpu/round-trip", test_round_trip);
    add("/encode/real-text", test_real_text);
    add("/data-files/search", test_search);
    add("/data-files/missing-scenario", test_missing_scenario);
    add("/data-files/names", test_names);
    add("/factor-csv/read", test_csv);
    add("/factor-csv/wrong", test_wrong_csv);
    add("/factor-csv/of-scenario", test_csv_of_scenario);
    return g_test_run();
}
