/* io/limits-report.h: the words, the formats and the refusals of `tesssim limits`. */
#include "base/error.h"
#include "golden-gpus.h"
#include "io/limits-report.h"

#include <json-c/json.h>
#include <string.h>

static TsimLimitsReport *query(const TsimGpu *gpu, const TsimLimitsQuery *given)
{
    GError *error = NULL;
    TsimLimitsReport *report = tsim_limits_report_new_query(gpu, given, &error);

    g_assert_no_error(error);
    return report;
}

/* Facts, section 10: 9216 bytes, 3 waves, 32 VGPRs: 7 groups by LDS, 65536 / 8 = 8192 for an
 * eighth.
 */
static const TsimLimitsQuery sample = {
    .stage = "hs", .vgprs = 32, .sgprs = 48, .lds_bytes = 9216, .threads = 192};

static void test_text(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    g_autoptr(TsimLimitsReport) report = query(gpu, &sample);
    g_autofree char *text = tsim_limits_report_text(report);

    g_assert_nonnull(strstr(text, "at 8192 bytes of LDS one more group fits"));
    g_assert_nonnull(strstr(text,
                            "  hs             13     10     13      7        16       7           "
                            "6  lds\n"));
}

static int64_t number(json_object *object, const char *key)
{
    json_object *value;

    g_assert_true(json_object_object_get_ex(object, key, &value));
    return json_object_get_int64(value);
}

static json_object *member(json_object *object, const char *key)
{
    json_object *value;

    g_assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static void test_json(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    g_autoptr(TsimLimitsReport) report = query(gpu, &sample);
    g_autofree char *text = tsim_limits_report_json(report);
    json_object *root = json_tokener_parse(text);
    json_object *item = json_object_array_get_idx(member(root, "work"), 0);
    json_object *stage = json_object_array_get_idx(member(item, "stages"), 0);

    g_assert_cmpint(number(stage, "groups_per_cu"), ==, 7);
    g_assert_cmpint(number(stage, "waves_per_simd"), ==, 6);
    g_assert_cmpint(number(member(stage, "groups_by_limit"), "vgprs"), ==, 10);
    g_assert_cmpint(number(member(stage, "one_more_group_at"), "lds_bytes"), ==, 8192);
    g_assert_null(member(member(stage, "one_more_group_at"), "vgprs"));
    json_object_put(root);
}

/* 65536 / 512 + 1 points. Three waves a group: 13 groups by slots, so LDS begins to bind above
 * 65536 / 13 -> 4608 bytes after the granule, and 65536 bytes leave one group. */
static void test_sweep(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimLimitsQuery swept = sample;
    g_autoptr(TsimLimitsReport) report = NULL;
    g_autofree char *csv = NULL;
    g_auto(GStrv) lines = NULL;

    swept.vgprs = 24;
    swept.sweep = "lds=0:65536:512";
    report = query(gpu, &swept);
    g_assert_cmpuint(report->steps_n, ==, 129);
    g_assert_cmpint((int)report->steps[9].row.residency.limiter, ==, TSIM_LIMIT_WAVE_SLOTS);
    g_assert_cmpuint(report->steps[9].row.residency.groups_per_unit, ==, 13); /* 4608 bytes */
    g_assert_cmpint((int)report->steps[10].row.residency.limiter, ==, TSIM_LIMIT_LDS);
    g_assert_cmpuint(report->steps[10].row.residency.groups_per_unit, ==, 12); /* 5120 bytes */
    g_assert_cmpuint(report->steps[128].row.residency.groups_per_unit, ==, 1);
    csv = tsim_limits_report_csv(report);
    lines = g_strsplit(csv, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 131); /* header, points, the end */
    g_assert_true(g_str_has_prefix(
        lines[11], "\"hs\",hs,192,3,64,24,24,48,48,5120,5120,13,13,13,12,16,12,36,9,lds,4608,,"));
}

typedef struct {
    const char *gpu;
    TsimLimitsQuery query;
    const char *words[3]; /* all in the message */
} Refusal;

static const Refusal refusals[] = {
    {"gfx7", {.stage = "hs", .threads = 257}, {"257", "256", "threads"}},
    {"gfx7", {.stage = "cs", .threads = 1025}, {"1025", "1024", "threads"}},
    {"gfx7", {.stage = "ds", .threads = 65}, {"65", "64", "ds"}},
    {"gfx7", {.stage = "hs", .lds_bytes = 65537}, {"65537", "65536", "lds"}},
    {"gfx6", {.stage = "cs", .lds_bytes = 40000}, {"40000", "32768", "lds"}},
    {"gfx7", {.stage = "cs", .vgprs = 257}, {"257", "256", "vgprs"}},
    {"gfx7", {.stage = "cs", .sgprs = 105}, {"105", "104", "sgprs"}},
    {"gfx7", {.stage = "cs", .wave_size = 32}, {"32", "64 only", "gfx7"}},
    {"gfx1030", {.stage = "cs", .wave_size = 48}, {"48", "32 and 64", "gfx1030"}},
    {"gfx7", {.stage = "tcs"}, {"tcs", "hs", "cs"}},
    {"gfx7", {.stage = "cs", .sweep = "lds=0:10"}, {"lds=0:10", "LO:HI:STEP", "sgprs"}},
    {"gfx7", {.stage = "cs", .sweep = "lds=0:10:0"}, {"STEP > 0", "LO <= HI", "sweep"}},
    {"gfx7", {.stage = "cs", .sweep = "lds=0:10:x"}, {"'x'", "whole", "sweep"}},
    {"gfx7", {.stage = "cs", .sweep = "lds=0:65538:2"}, {"65538", "65536", "lds"}},
};

static void test_refusals(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(refusals); i++) {
        g_autoptr(TsimGpu) gpu = golden_gpu_new(refusals[i].gpu);
        g_autoptr(GError) error = NULL;

        g_assert_null(tsim_limits_report_new_query(gpu, &refusals[i].query, &error));
        g_assert_error(error, TSIM_ERROR, TSIM_ERROR_USAGE);
        g_test_message("%s", error->message);
        for (gsize word = 0; word < G_N_ELEMENTS(refusals[i].words); word++) {
            g_assert_nonnull(strstr(error->message, refusals[i].words[word]));
        }
    }
}

/* Drivers keep LS-HS groups to 32 KB on GCN; the hardware does not. */
static void test_warning(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    const TsimLimitsQuery large = {.stage = "hs", .lds_bytes = 40000, .threads = 64};
    g_autoptr(TsimLimitsReport) report = query(gpu, &large);

    g_assert_cmpuint(report->warnings->len, ==, 1);
    g_assert_cmpuint(report->items[0].rows[0].residency.groups_per_unit, ==, 1);
}

/* ---- A scenario ---- */

static TsimScenario *scenario_new(void)
{
    TsimScenario *scenario = tsim_scenario_new();
    TsimFactorParams params;
    TsimDraw *draw;

    scenario->name = g_strdup("sample");
    scenario->gpu = golden_gpu_new("gfx7");
    scenario->work_n = 2;
    scenario->work = g_new0(TsimWork, 2);
    draw = &scenario->work[0].draw;
    tsim_factor_params_init(&params, TSIM_FACTORS_UNIFORM);
    params.uniform = 4;
    *draw = (TsimDraw){
        .name = g_strdup("first"),
        .patches = 1000,
        .domain = TSIM_DOMAIN_TRI,
        .partitioning = TSIM_PARTITIONING_INTEGER,
        .topology = TSIM_TOPOLOGY_TRIANGLE_CW,
        .max_tess_factor = 64,
        .input_control_points = 3,
        .output_control_points = 3,
        .vs_output_vec4 = 2,
        .hs_output_vec4 = 2,
        .vs = {.vgprs = 8, .sgprs = 16},
        .hs = {.vgprs = 12, .sgprs = 16},
        .ds = {.vgprs = 64, .sgprs = 24},
        .tessellation = {.mode = TSIM_MODE_OFFCHIP,
                         .patches_per_threadgroup = 40,
                         .tf_threshold = 4.0,
                         .ds_wave_threshold = 4},
        .factors = tsim_factor_source_new(&params, TSIM_DOMAIN_TRI, 1, 0, NULL),
    };
    tsim_factor_params_clear(&params);
    scenario->work[1].type = TSIM_WORK_DISPATCH;
    scenario->work[1].dispatch =
        (TsimDispatch){.threads = 64, .threadgroups = 1, .cs = {.vgprs = 16, .sgprs = 16}};
    return scenario;
}

/* 40 patches: 8960 bytes, 9216 allocated, 7 groups a CU, 84 in 12 CUs. The ring takes 4 + 40 * 16 =
 * 644 bytes a group, 25 groups an engine of 16384 bytes: 50, which is less. */
static void test_scenario(void)
{
    g_autoptr(TsimScenario) scenario = scenario_new();
    g_autoptr(TsimLimitsReport) report = NULL;
    g_autofree char *text = NULL;
    const TsimLimitsItem *item;
    GError *error = NULL;

    report = tsim_limits_report_new(scenario, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(report->items_n, ==, 2);
    item = &report->items[0];
    g_assert_cmpuint(item->tess_groups_per_cu, ==, 7);
    g_assert_cmpuint(item->tess_groups, ==, 50);
    g_assert_cmpstr(item->tess_groups_limit, ==, "tf_ring");
    text = tsim_limits_report_text(report);
    g_assert_nonnull(strstr(text, "tessellation.PatchesPerThreadgroup = 40;\n"
                                  "tessellation.TessellationFactorThreshold = 4.0f;\n"
                                  "tessellation.DsWaveThreshold = 4;\n"
                                  "// pipeline flag: D3D12XBOX_PIPELINE_STATE_FLAG_"
                                  "GS_ONCHIP_TS_OFFCHIP\n"));
}

/* All work that does not fit is named at once. */
static void test_scenario_refused(void)
{
    g_autoptr(TsimScenario) scenario = scenario_new();
    g_autoptr(GError) error = NULL;

    scenario->work[0].draw.tessellation.patches_per_threadgroup = 86;
    scenario->work[1].dispatch.lds_bytes = 65537;
    g_assert_null(tsim_limits_report_new(scenario, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "first: a threadgroup of 86 patches needs 258"));
    g_assert_nonnull(strstr(error->message, "\ndispatch: a threadgroup needs 65537 bytes of LDS"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/limits-report/text", test_text);
    g_test_add_func("/limits-report/json", test_json);
    g_test_add_func("/limits-report/sweep", test_sweep);
    g_test_add_func("/limits-report/refusals", test_refusals);
    g_test_add_func("/limits-report/warning", test_warning);
    g_test_add_func("/limits-report/scenario", test_scenario);
    g_test_add_func("/limits-report/scenario-refused", test_scenario_refused);
    return g_test_run();
}
