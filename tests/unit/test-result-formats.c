/* io/result-json.h, result-csv.h, result-schema.h, compare-json.h, compare-csv.h, list.h: what
 * scripts read. Expected values are worked by hand from tests/unit/sample-result.c. */
#include "base/error.h"
#include "golden-text.h"
#include "io/compare-csv.h"
#include "io/compare-json.h"
#include "io/list.h"
#include "io/result-csv.h"
#include "io/result-json.h"
#include "io/result-schema.h"
#include "sample-result.h"

#include <locale.h>
#include <string.h>

/* The member at a path of keys and indices, "draws.0.mode"; fails when there is none. */
static json_object *at(json_object *object, const char *path)
{
    g_auto(GStrv) steps = g_strsplit(path, ".", -1);

    for (char **step = steps; *step != NULL; step++) {
        object = json_object_is_type(object, json_type_array)
                     ? json_object_array_get_idx(object, (size_t)g_ascii_strtoull(*step, NULL, 10))
                     : json_object_object_get(object, *step);
        if (object == NULL) {
            g_error("no member %s", path);
        }
    }
    return object;
}

static const char *text_at(json_object *object, const char *path)
{
    return json_object_get_string(at(object, path));
}

/* ---- JSON ---- */

/* "Names that scripts may rely on", less those of units that are not built yet. */
static const char *const promised[] = {"schema_version",
                                       "tesssim_version",
                                       "scenario",
                                       "gpu",
                                       "seed",
                                       "elapsed_cycles",
                                       "elapsed_us",
                                       "events",
                                       "totals.patches",
                                       "totals.culled_patches",
                                       "totals.threadgroups",
                                       "totals.threadgroups_onchip",
                                       "totals.threadgroups_offchip",
                                       "totals.vs_waves",
                                       "totals.hs_waves",
                                       "totals.ds_waves",
                                       "totals.ds_waves_onchip",
                                       "totals.ds_waves_offchip",
                                       "totals.gs_waves",
                                       "totals.ps_waves",
                                       "totals.cs_waves",
                                       "totals.ds_threads",
                                       "totals.primitives",
                                       "totals.offchip_bytes_written",
                                       "totals.offchip_bytes_read",
                                       "draws.0.name",
                                       "draws.0.totals.patches",
                                       "draws.0.mode",
                                       "draws.0.patch_rule",
                                       "draws.0.patches_per_threadgroup",
                                       "draws.0.patch_limiter",
                                       "draws.0.tf_threshold",
                                       "draws.0.ds_wave_threshold",
                                       "draws.0.lds_bytes_per_threadgroup",
                                       "draws.0.lds_allocated_bytes_per_threadgroup",
                                       "draws.0.vs_waves_per_threadgroup",
                                       "draws.0.hs_waves_per_threadgroup",
                                       "draws.0.begin_cycle",
                                       "draws.0.end_cycle",
                                       "rates.patches_per_us",
                                       "rates.ds_threads_per_us",
                                       "rates.primitives_per_us",
                                       "occupancy.mean_waves_per_cu",
                                       "occupancy.peak_waves_per_cu",
                                       "occupancy.by_stage.vs",
                                       "occupancy.by_stage.cs",
                                       "lds.mean_fraction",
                                       "lds.peak_bytes_per_cu",
                                       "lds.fragmentation_refusals",
                                       "lds.by_owner.tess",
                                       "stalls.vs.lds",
                                       "stalls.ds.home_cu",
                                       "bottleneck.resource",
                                       "bottleneck.utilisation",
                                       "bottleneck.text",
                                       NULL};

static void test_json_keys(void)
{
    g_autoptr(TsimResult) result = sample_result();
    json_object *object = tsim_result_json(result);

    for (const char *const *path = promised; *path != NULL; path++) {
        (void)at(object, *path);
    }
    json_object_put(object);
}

static void test_json_values(void)
{
    static const char *const expected[][2] = {
        {"elapsed_us", "1000"},
        {"totals.ds_waves", "5000"},
        {"rates.patches_per_us", "2"},
        {"rates.primitives_per_us", "500"},
        {"occupancy.mean_waves_per_cu", "9.75"}, /* 39e6 wave cycles / 4 CUs / 1e6 cycles */
        {"occupancy.by_stage.hs", "0.25"},
        {"occupancy.busiest_cu_mean_waves", "18"},
        {"lds.mean_fraction", "0.375"},
        {"lds.by_owner.cs", "0.125"},
        {"stalls.ds.home_cu", "1800000"},
        {"resources.valu.utilisation", "0.2"},
        {"resources.tessellator.bound_cycles", "240000"},
        {"bound.resource", "tessellator"},
        {"bound.share_of_elapsed", "0.24"},
        {"bottleneck.utilisation", "0.9"},
        {"dispatches.0.totals.compute_threadgroups", "300"},
        {"series.bucket_cycles", "16384"},
        {"series.ds_waves.40", "32"},
        {"series.lds_bytes.0", "131072"},
        {"estimated_fields.1", "l2_latency"},
    };
    g_autoptr(TsimResult) result = sample_result();
    json_object *object = tsim_result_json(result);

    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(text_at(object, expected[i][0]), ==, expected[i][1]);
    }
    /* 1,000,000 cycles are 61 whole buckets and a part; a dispatch has no settings. */
    g_assert_cmpuint(json_object_array_length(at(object, "series.ds_waves")), ==, 62);
    g_assert_null(json_object_object_get(at(object, "dispatches.0"), "mode"));
    json_object_put(object);
}

static void test_json_golden(void)
{
    g_autoptr(TsimResult) result = sample_result_offchip();
    g_autofree char *text = tsim_json_print(tsim_result_json(result));

    golden_check("report.json", text);
}

/* Scripts read the point whatever the language of the user. */
static void test_locale(void)
{
    g_autoptr(TsimResult) result = sample_result();
    g_autofree char *before = tsim_json_print(tsim_result_json(result));

    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        g_test_skip("the locale de_DE.UTF-8 is not installed");
        return;
    }
    g_autofree char *after = tsim_json_print(tsim_result_json(result));
    g_autofree char *csv = tsim_result_csv(result);
    (void)setlocale(LC_ALL, "C");
    g_assert_cmpstr(after, ==, before);
    g_assert_nonnull(strstr(csv, ",9.75,"));
}

/* ---- CSV ---- */

static void test_csv_cells(void)
{
    g_autoptr(GString) table = g_string_new(NULL);

    tsim_csv_cell(table, "");
    tsim_csv_cell(table, "plain");
    tsim_csv_cell(table, "a,b");
    tsim_csv_cell(table, "say \"x\"");
    tsim_csv_cell(table, "two\nlines");
    tsim_csv_end_line(table);
    g_assert_cmpstr(table->str, ==, ",plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n");
}

static void test_csv(void)
{
    g_autoptr(TsimResult) result = sample_result();

    g_free(result->description);
    result->description = g_strdup("plain");
    g_autofree char *text = tsim_result_csv(result);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 3);
    g_assert_cmpstr(lines[2], ==, "");
    g_auto(GStrv) columns = g_strsplit(lines[0], ",", -1);
    g_assert_cmpstr(columns[0], ==, "schema_version");
    g_assert_true(g_strv_contains((const char *const *)columns, "draws.0.mode"));
    g_assert_true(g_strv_contains((const char *const *)columns, "stalls.ds.home_cu"));
    g_assert_false(g_strv_contains((const char *const *)columns, "series.ds_waves"));
    /* Up to the totals no cell holds a comma. */
    g_auto(GStrv) cells = g_strsplit(lines[1], ",", -1);
    for (guint i = 0; columns[i] != NULL && i < 20; i++) {
        if (strcmp(columns[i], "totals.patches") == 0) {
            g_assert_cmpstr(cells[i], ==, "2000");
            return;
        }
    }
    g_assert_not_reached();
}

/* ---- Comparison ---- */

static void test_compare_formats(void)
{
    g_autoptr(TsimResult) a = sample_result();
    g_autoptr(TsimResult) b = sample_result_offchip();
    g_auto(TsimComparison) comparison = tsim_compare(a, b, "mode=onchip", "mode=offchip");
    json_object *object = tsim_compare_json(&comparison);
    g_autofree char *csv = tsim_compare_csv(&comparison);

    g_assert_cmpstr(text_at(object, "winner"), ==, "b");
    g_assert_cmpstr(text_at(object, "speedup"), ==, "4");
    g_assert_cmpstr(text_at(object, "a.label"), ==, "mode=onchip");
    g_assert_cmpstr(text_at(object, "b.elapsed_cycles"), ==, "250000");
    g_assert_cmpstr(
        json_object_get_string(json_object_object_get(at(object, "ratios"), "elapsed_cycles")), ==,
        "0.25");
    g_assert_true(g_str_has_prefix(csv, "metric,a,b,ratio\n"));
    g_assert_nonnull(strstr(csv, "\nelapsed_cycles,1000000,250000,0.25\n"));
    /* Nothing divides by zero. */
    g_assert_nonnull(strstr(csv, "\ntotals.threadgroups_offchip,0,125,\n"));
    json_object_put(object);
}

/* ---- Schema and list ---- */

/* Every key that the schema requires is there, at the top and one level down. */
static void test_schema(void)
{
    g_autoptr(TsimResult) result = sample_result();
    json_object *object = tsim_result_json(result);
    json_object *schema = tsim_result_schema();
    json_object *required = at(schema, "required");

    g_assert_cmpuint(json_object_array_length(required), ==,
                     (gsize)json_object_object_length(object));
    for (size_t i = 0; i < json_object_array_length(required); i++) {
        (void)at(object, json_object_get_string(json_object_array_get_idx(required, i)));
    }
    g_assert_cmpstr(text_at(schema, "properties.totals.properties.patches.type"), ==, "integer");
    g_assert_cmpstr(text_at(schema, "properties.draws.items.properties.mode.type"), ==, "string");
    g_assert_cmpstr(text_at(schema, "properties.series.properties.ds_waves.items.type"), ==,
                    "number");
    g_assert_cmpstr(text_at(schema, "properties.dispatches.items.required.0"), ==, "name");
    json_object_put(schema);
    json_object_put(object);
}

static void test_list(void)
{
    g_auto(TsimList) metrics = {0};
    g_auto(TsimList) nothing = {0};
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_list_make(&metrics, "metrics", NULL, &error));
    g_assert_no_error(error);
    g_autofree char *csv = tsim_list_csv(&metrics);
    g_assert_true(g_str_has_prefix(csv, "name,unit,description\nschema_version,,"));
    g_assert_nonnull(strstr(csv, "\nelapsed_cycles,cycles,Length of the run\n"));
    g_assert_false(tsim_list_make(&nothing, "metric", NULL, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_USAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/json/keys", test_json_keys);
    g_test_add_func("/json/values", test_json_values);
    g_test_add_func("/json/golden", test_json_golden);
    g_test_add_func("/json/locale", test_locale);
    g_test_add_func("/csv/cells", test_csv_cells);
    g_test_add_func("/csv/table", test_csv);
    g_test_add_func("/compare/formats", test_compare_formats);
    g_test_add_func("/schema/result", test_schema);
    g_test_add_func("/list/metrics", test_list);
    return g_test_run();
}
