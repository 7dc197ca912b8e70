/* io/scenario-json.h and what it stands on: scenarios decode as written, and every kind of damage
 * is reported at its place (interface.md, "Scenario" and "Bad input"). JSON in this file has single
 * quotes for double ones. */
#include "base/error.h"
#include "io/overrides.h"
#include "io/scenario-json.h"

#include <math.h>
#include <string.h>

static const char *const no_roots[] = {NULL};

/* What one load gave. */
typedef struct {
    TsimScenario *scenario;
    char *complaints; /* NULL when there are none */
    int code;
    GPtrArray *warnings;
} Loaded;

static void clear_loaded(Loaded *loaded)
{
    tsim_scenario_free(loaded->scenario);
    g_free(loaded->complaints);
    g_ptr_array_unref(loaded->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Loaded, clear_loaded)

/* sets: "KEY=VALUE" separated by blanks; NULL: none. */
static Loaded load(const char *quoted, const char *sets)
{
    g_autofree char *text = g_strdelimit(g_strdup(quoted), "'", '"');
    g_autofree char *assignments = g_strdelimit(g_strdup(sets != NULL ? sets : ""), "'", '"');
    g_auto(GStrv) list = g_strsplit(assignments, " ", -1);
    g_autoptr(GError) error = NULL;
    Loaded loaded = {.warnings = g_ptr_array_new_with_free_func(g_free)};
    TsimProblems problems;

    tsim_problems_init(&problems, loaded.warnings);
    TsimJsonSource *source = tsim_json_source_parse("s.json", text, strlen(text), &problems);
    for (char **set = list; source != NULL && *set != NULL; set++) {
        g_autofree char *label = g_strdup_printf("--set %s", *set);
        tsim_override_apply(source, label, *set);
    }
    if (source != NULL) {
        loaded.scenario = tsim_scenario_json_decode(source, no_roots, NULL);
    }
    tsim_json_source_free(source);
    if (!tsim_problems_finish(&problems, &error)) {
        loaded.complaints = g_strdup(error->message);
        loaded.code = error->code;
    }
    return loaded;
}

static void assert_complaints(const char *text, const char *sets, const char *quoted_expected)
{
    g_autofree char *expected = g_strdup(quoted_expected);
    g_auto(Loaded) loaded = load(text, sets);

    if (expected != NULL) {
        g_strdelimit(expected, "'", '"');
    }
    g_assert_cmpstr(loaded.complaints, ==, expected);
}

#define STAGES "'vs': {'output_vec4': 2}, 'hs': {'output_vec4': 2}, 'ds': {'vgprs': 20, 'valu': 65}"

/* One draw on the second line, with `members` at column 24. */
#define DRAW(members)                                                                              \
    "{'gpu': {}, 'work': [\n"                                                                      \
    "  { 'type': 'draw',    " members ",\n" STAGES "}]}"

#define FACTORS "'tess_factors': {'uniform': 8}"

/* ---- What is read ---- */

static void test_headline(void)
{
    static const char text[] =
        "{ '$schema': 'x', 'name': 'high_tf', 'description': 'words', 'gpu': {'clock_mhz': 853},\n"
        "  'seed': 7, 'work': [\n"
        "    { 'type': 'draw', 'queue': 'graphics', 'patches': 4096, 'domain': 'quad',\n"
        "      'partitioning': 'integer', 'topology': 'triangle_ccw', 'max_tess_factor': 32,\n"
        "      'input_control_points': 16, 'output_control_points': 4,\n"
        "      'tess_factors': { 'uniform': 32 }, // a comment\n"
        "      'tessellation': { 'mode': 'offchip', 'patches_per_threadgroup': 'auto',\n"
        "        'tf_threshold': 'auto', 'tf_rule': 'at_least_256', 'ds_wave_threshold': 3,\n"
        "        'patch_rule': 'max_per_group', 'pipeline_flag': 'GS_OFFCHIP_TS_OFFCHIP' },\n"
        "      'vs': { 'vgprs': 24, 'sgprs': 40, 'output_vec4': 2,\n"
        "              'program': [ {'mem': 2, 'bytes': 8}, {'valu': 30} ] },\n"
        "      'hs': { 'output_vec4': 3, 'patch_constant_vec4': 1, 'compiled_offchip': true },\n"
        "      'ds': { 'vgprs': 20, 'sgprs': 32 },\n"
        "      'ps': { 'vgprs': 4, 'pixels_per_primitive': 1.5, 'interpolants': 5, 'valu': 18 },\n"
        "      'gs': { 'lds_bytes': 2048, 'primitives_per_primitive': 0.5 } },\n"
        "    { 'type': 'dispatch', 'queue': 'async', 'name': 'blur', 'threadgroups': 500,\n"
        "      'threads': 256, 'lds_bytes': 16384, 'cs': {'valu': 3} },\n"
        "    { 'type': 'barrier', 'queue': 'graphics' } ] }";
    g_auto(Loaded) loaded = load(text, NULL);
    const TsimScenario *scenario = loaded.scenario;

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(loaded.warnings->len, ==, 0);
    g_assert_cmpstr(scenario->name, ==, "high_tf");
    g_assert_cmpstr(scenario->description, ==, "words");
    g_assert_cmpuint(scenario->seed, ==, 7);
    g_assert_cmpfloat(scenario->gpu->clock_mhz, ==, 853);
    g_assert_cmpuint(scenario->queues_n, ==, 2);
    g_assert_cmpstr(scenario->queues[0], ==, "graphics");
    g_assert_cmpstr(scenario->queues[1], ==, "async");
    g_assert_cmpuint(scenario->work_n, ==, 3);

    const TsimDraw *draw = &scenario->work[0].draw;
    const TsimTessSettings *settings = &draw->tessellation;
    g_assert_cmpint(scenario->work[0].type, ==, TSIM_WORK_DRAW);
    g_assert_cmpstr(draw->name, ==, "draw_0");
    g_assert_cmpuint(draw->patches, ==, 4096);
    g_assert_cmpint(draw->domain, ==, TSIM_DOMAIN_QUAD);
    g_assert_cmpint(draw->partitioning, ==, TSIM_PARTITIONING_INTEGER);
    g_assert_cmpint(draw->topology, ==, TSIM_TOPOLOGY_TRIANGLE_CCW);
    g_assert_cmpfloat(draw->max_tess_factor, ==, 32);
    g_assert_cmpuint(draw->input_control_points, ==, 16);
    g_assert_cmpuint(draw->output_control_points, ==, 4);
    g_assert_cmpint(settings->mode, ==, TSIM_MODE_OFFCHIP);
    g_assert_cmpuint(settings->patches_per_threadgroup, ==, 0);
    g_assert_cmpfloat(settings->tf_threshold, <, 0);
    g_assert_cmpint(settings->tf_rule, ==, TSIM_THRESHOLD_AT_LEAST_256);
    g_assert_cmpuint(settings->ds_wave_threshold, ==, 3);
    g_assert_cmpint(settings->patch_rule, ==, TSIM_PATCH_RULE_MAX_PER_GROUP);
    g_assert_cmpint(settings->pipeline_flag, ==, TSIM_PIPELINE_FLAG_GS_OFFCHIP_TS_OFFCHIP);
    g_assert_true(settings->thresholds_given);
    g_assert_cmpuint(draw->vs.vgprs, ==, 24);
    g_assert_cmpuint(draw->vs.sgprs, ==, 40);
    g_assert_cmpuint(draw->vs_output_vec4, ==, 2);
    g_assert_cmpuint(draw->hs_output_vec4, ==, 3);
    g_assert_cmpuint(draw->hs_patch_constant_vec4, ==, 1);
    g_assert_cmpint(draw->hs_compiled, ==, TSIM_COMPILED_OFFCHIP);
    g_assert_cmpint(draw->ds_compiled, ==, TSIM_COMPILED_AS_MODE);
    g_assert_true(draw->has_ps && draw->has_gs);
    g_assert_cmpfloat(draw->ps.pixels_per_primitive, ==, 1.5);
    g_assert_cmpuint(draw->ps.interpolants, ==, 5);
    g_assert_cmpuint(draw->gs.lds_bytes, ==, 2048);
    g_assert_cmpfloat(draw->gs.primitives_per_primitive, ==, 0.5);

    const TsimDispatch *dispatch = &scenario->work[1].dispatch;
    g_assert_cmpint(scenario->work[1].type, ==, TSIM_WORK_DISPATCH);
    g_assert_cmpuint(scenario->work[1].queue, ==, 1);
    g_assert_cmpstr(dispatch->name, ==, "blur");
    g_assert_cmpuint(dispatch->threadgroups, ==, 500);
    g_assert_cmpuint(dispatch->threads, ==, 256);
    g_assert_cmpuint(dispatch->lds_bytes, ==, 16384);
    g_assert_cmpint(scenario->work[2].type, ==, TSIM_WORK_BARRIER);
    g_assert_cmpuint(scenario->work[2].queue, ==, 0);
}

static void test_defaults(void)
{
    g_auto(Loaded) loaded = load(DRAW("'patches': 0, 'domain': 'isoline', " FACTORS), NULL);
    const TsimDraw *draw = &loaded.scenario->work[0].draw;

    /* Zero patches are legal. */
    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(loaded.warnings->len, ==, 0);
    g_assert_cmpstr(loaded.scenario->name, ==, "s");
    g_assert_cmpstr(loaded.scenario->gpu_name, ==, "custom");
    g_assert_cmpuint(loaded.scenario->seed, ==, 1);
    g_assert_cmpuint(draw->patches, ==, 0);
    g_assert_cmpint(draw->partitioning, ==, TSIM_PARTITIONING_FRACTIONAL_ODD);
    g_assert_cmpint(draw->topology, ==, TSIM_TOPOLOGY_LINE);
    g_assert_cmpint(draw->tessellation.mode, ==, TSIM_MODE_ONCHIP);
    g_assert_cmpuint(draw->tessellation.ds_wave_threshold, ==, 4);
    g_assert_cmpint(draw->tessellation.patch_rule, ==, TSIM_PATCH_RULE_XBOX_ONE);
    g_assert_false(draw->tessellation.thresholds_given);
    g_assert_false(draw->has_ps || draw->has_gs);
    g_assert_cmpstr(loaded.scenario->queues[0], ==, "graphics");
}

static void test_numbers(void)
{
    g_auto(Loaded) loaded =
        load(DRAW("'patches': 1e6, 'tessellation': {'mode': 'offchip', 'tf_threshold': 100.5, "
                  "'patches_per_threadgroup': 12.0}, " FACTORS),
             NULL);
    const TsimDraw *draw = &loaded.scenario->work[0].draw;

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(draw->patches, ==, 1000000);
    g_assert_cmpfloat(draw->tessellation.tf_threshold, ==, 100.5);
    g_assert_cmpuint(draw->tessellation.patches_per_threadgroup, ==, 12);
    g_assert_cmpint(draw->tessellation.patch_rule, ==, TSIM_PATCH_RULE_EXPLICIT);
}

/* T14: without a word about it, a GPU without on-chip mode runs off-chip and nobody is warned. */
static void test_mode_of_gpu(void)
{
    g_auto(Loaded) loaded = load("{'gpu': {'has_onchip': false}, 'work': [{'type': 'draw', "
                                 "'patches': 1, 'tessellation': {'pipeline_flag': "
                                 "'GS_ONCHIP_TS_OFFCHIP'}, " FACTORS ", " STAGES "}]}",
                                 NULL);

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(loaded.warnings->len, ==, 0);
    g_assert_cmpint(loaded.scenario->work[0].draw.tessellation.mode, ==, TSIM_MODE_OFFCHIP);
}

/* ---- Programs ---- */

static char *program_text(const TsimShader *shader)
{
    GString *text = g_string_new(NULL);

    for (uint32_t i = 0; i < shader->segments_n; i++) {
        const TsimSegment *segment = &shader->segments[i];
        g_string_append_printf(text, "%s%s %u", i == 0 ? "" : ", ", tsim_op_names[segment->op],
                               segment->count);
        if (segment->bytes > 0) {
            g_string_append_printf(text, " x%u", segment->bytes);
        }
        if (segment->footprint_bytes > 0) {
            g_string_append_printf(text, " of %" G_GUINT64_FORMAT, segment->footprint_bytes);
        }
        g_string_append(text, segment->uniform ? " uniform" : "");
        g_string_append(text, segment->store ? " store" : "");
    }
    return g_string_free(text, FALSE);
}

static void assert_programs(const char *hs, const char *ds, const char *expected_hs,
                            const char *expected_ds)
{
    g_autofree char *text =
        g_strdup_printf("{'gpu': {}, 'work': [{'type': 'draw', 'patches': 1, " FACTORS ", "
                        "'vs': {'output_vec4': 2}, 'hs': {'output_vec4': 2, %s}, 'ds': {%s}}]}",
                        hs, ds);
    g_auto(Loaded) loaded = load(text, NULL);
    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_autofree char *hs_text = program_text(&loaded.scenario->work[0].draw.hs);
    g_autofree char *ds_text = program_text(&loaded.scenario->work[0].draw.ds);

    g_assert_cmpstr(hs_text, ==, expected_hs);
    g_assert_cmpstr(ds_text, ==, expected_ds);
}

static void test_programs(void)
{
    /* A list runs as written; a count of 0 is nothing. */
    assert_programs("'program': [{'valu': 3}, {'patch_write': 5}, {'barrier': 1}]",
                    "'program': [{'export': 1}, {'patch_read': 6}, {'valu': 0}, {'wait': 9}]",
                    "valu 3, patch_write 5, barrier 1", "export 1, patch_read 6, wait 9");
    /* Counts run in the documented order, in a program and in the stage itself. */
    assert_programs("'program': {'patch_write': 1, 'barrier': 2, 'wait': 3, 'trans': 4, 'valu': 5, "
                    "'sample': 7, 'lds': 8, 'mem': 9, 'salu': 10}",
                    "'export': 2, 'valu': 65, 'patch_read': 6",
                    "salu 10, mem 9 x16, lds 8 x4, sample 7 x4, valu 5, trans 4, wait 3, "
                    "barrier 2, patch_write 1",
                    "patch_read 6, valu 65, export 2");
    /* Fields of segments. */
    assert_programs("'program': [{'mem': 1, 'bytes': 4, 'uniform': true, 'footprint_bytes': 4096}, "
                    "{'mem': 2, 'store': true}]",
                    "'program': [{'sample': 1, 'bytes': 8, 'footprint_bytes': 1e6}, "
                    "{'lds': 3, 'bytes': 16}]",
                    "mem 1 x4 of 4096 uniform, mem 2 x16 store, patch_write 0",
                    "patch_read 0, sample 1 x8 of 1000000, lds 3 x16");
}

/* E16: a program that names no patch access gets one, at the end of the HS and the start of the DS;
 * an explicit 0 means none. */
static void test_patch_access(void)
{
    g_assert_cmpint(TSIM_COUNT_BY_SLOTS, ==, 0);
    assert_programs("'valu': 3", "'valu': 4", "valu 3, patch_write 0", "patch_read 0, valu 4");
    assert_programs("'program': []", "'program': [{'valu': 4}]", "patch_write 0",
                    "patch_read 0, valu 4");
    assert_programs("'program': [{'patch_write': 0}, {'valu': 1}]",
                    "'program': {'patch_read': 0, 'valu': 4}", "valu 1", "valu 4");
}

static void test_wrong_programs(void)
{
#define DS(members)                                                                                \
    "{'gpu': {}, 'work': [{'type': 'draw', 'patches': 1, " FACTORS ", 'vs': {'output_vec4': 1},\n" \
    "'hs': {'output_vec4': 1},\n"                                                                  \
    "'ds': {" members "}}]}"
#define AT    "s.json:3:"
#define KINDS "patch_read, salu, mem, lds, sample, valu, trans, wait, export"
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {DS("'valu': -1"),
         AT "16: /work/0/ds/valu: got -1, expected a whole number from 0 to 10000000"},
        {DS("'valu': 1.5"),
         AT "16: /work/0/ds/valu: got 1.5, expected a whole number from 0 to 10000000"},
        {DS("'valu': 1, 'program': []"),
         AT "16: /work/0/ds/valu: got a count beside a program, expected one or the other"},
        {DS("'program': 3"), AT "19: /work/0/ds/program: got 3, expected a list of segments, or an "
                                "object of counts"},
        {DS("'program': [3]"),
         AT "20: /work/0/ds/program/0: got 3, expected a segment such as {'valu': 30}"},
        {DS("'program': [{}]"),
         AT "20: /work/0/ds/program/0: got {}, expected an object with a kind of instruction and a "
            "count, such as {'valu': 30}; kinds in stage ds are " KINDS},
        {DS("'program': [{'load': 3}]"),
         AT "20: /work/0/ds/program/0: got {'load':3}, expected an object with a kind of "
            "instruction and a count, such as {'valu': 30}; kinds in stage ds are " KINDS},
        {DS("'program': [{'valu': 1, 'mem': 2}]"),
         AT "20: /work/0/ds/program/0: got {'valu':1,'mem':2}, expected one kind of instruction in "
            "a segment, not both 'mem' and 'valu'"},
        {DS("'program': [{'valu': 1, 'byte': 2}]"),
         AT "32: /work/0/ds/program/0/byte: got an unknown key 'byte'; did you mean 'bytes'?"},
        {DS("'program': [{'valu': 1, 'bytes': 2}]"),
         AT "41: /work/0/ds/program/0/bytes: got 'bytes' in a segment of kind 'valu', which has no "
            "such field"},
        {DS("'program': [{'mem': 1, 'bytes': 0}]"),
         AT "40: /work/0/ds/program/0/bytes: got 0, expected a whole number from 1 to 1024 "
            "(bytes)"},
        {DS("'program': {'vlau': 1}"),
         AT "20: /work/0/ds/program/vlau: got an unknown key 'vlau'; did you mean 'valu'?"},
        {DS("'patch_write': 1"), AT "23: /work/0/ds/patch_write: got 'patch_write' in a program of "
                                    "stage ds, expected it in hs only"},
        {DS("'program': [{'barrier': 1}]"),
         AT "32: /work/0/ds/program/0/barrier: got 'barrier' in a program of stage ds, expected it "
            "in vs, hs and cs only"},
        {DS("'vgprs': 0"), AT "17: /work/0/ds/vgprs: got 0, expected a whole number from 1 to 512"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_complaints(cases[i].text, NULL, cases[i].expected);
    }
#undef DS
#undef KINDS
#undef AT
}

/* ---- Damage ---- */

static void test_top_level(void)
{
    assert_complaints("[]", NULL,
                      "s.json:1:1: /: got [], expected an object with 'gpu' and 'work'");
    assert_complaints("{}", NULL,
                      "s.json:1:1: /gpu: missing, expected the name or path of a GPU, or an "
                      "object\n"
                      "s.json:1:1: /work: missing, expected a list of draws, dispatches, "
                      "barriers and rays");
    assert_complaints("{'gpu': 7,\n 'work': {}}", NULL,
                      "s.json:1:9: /gpu: got 7, expected an object with the fields of a GPU\n"
                      "s.json:2:10: /work: got {}, expected a list of draws, dispatches, "
                      "barriers and rays");
    assert_complaints("{'gpu': {}, 'work': [], 'sede': 1, 'name': 3, 'seed': -1}", NULL,
                      "s.json:1:25: /sede: got an unknown key 'sede'; did you mean 'seed'?\n"
                      "s.json:1:44: /name: got 3, expected a string\n"
                      "s.json:1:55: /seed: got -1, expected a whole number from 0 to "
                      "9007199254740992");
    assert_complaints("{'gpu': {}, 'work': [1, {}, {'type': 'drew'}, {'type': 'barrier', 'x': 1}]}",
                      NULL,
                      "s.json:1:22: /work/0: got 1, expected an object such as {'type': 'draw', "
                      "...}\n"
                      "s.json:1:25: /work/1/type: missing, expected 'draw', 'dispatch', "
                      "'barrier', 'sample_feedback' or 'rays'\n"
                      "s.json:1:38: /work/2/type: got 'drew', expected 'draw', 'dispatch', "
                      "'barrier', 'sample_feedback' or 'rays'\n"
                      "s.json:1:67: /work/3/x: got an unknown key 'x'; did you mean 'type'?");
    /* A wrong text is decoded as far as it makes sense: all is reported in one go. */
    assert_complaints(
        "{'gpu': {}, 'work': [],\n 'seed': 99999999999999999999, 'name': 1, 'name': 2}", NULL,
        "s.json:2:10: /seed: got 99999999999999999999, expected a number that fits "
        "64 bits\n"
        "s.json:2:43: /name: got the key 'name' again, expected every key once\n"
        "s.json:2:40: /name: got 2, expected a string");
}

static void test_draw(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        /* Wrong types. */
        {DRAW("'patches': '5', " FACTORS),
         "s.json:2:35: /work/0/patches: got '5', expected a whole number from 0 to 1000000000000 "
         "(patches)"},
        {DRAW("'patches': null, " FACTORS),
         "s.json:2:35: /work/0/patches: got null, expected a whole number from 0 to 1000000000000 "
         "(patches)"},
        {DRAW("'patches': 1, 'domain': 0, " FACTORS),
         "s.json:2:48: /work/0/domain: got 0, expected 'isoline', 'tri' or 'quad'"},
        {DRAW("'patches': 1, 'domain': 'Tri', " FACTORS),
         "s.json:2:48: /work/0/domain: got 'Tri', expected 'isoline', 'tri' or 'quad'"},
        {DRAW("'patches': 1, 'queue': 3, " FACTORS),
         "s.json:2:47: /work/0/queue: got 3, expected the name of a queue, such as 'graphics'"},
        {DRAW("'patches': 1, 'queue': '', " FACTORS),
         "s.json:2:47: /work/0/queue: got '', expected the name of a queue, such as 'graphics'"},
        /* Ranges: nothing is clamped. */
        {DRAW("'patches': -1, " FACTORS),
         "s.json:2:35: /work/0/patches: got -1, expected a whole number from 0 to 1000000000000 "
         "(patches)"},
        {DRAW("'patches': 1, 'input_control_points': 33, " FACTORS),
         "s.json:2:62: /work/0/input_control_points: got 33, expected a whole number from 1 to 32"},
        {DRAW("'patches': 1, 'max_tess_factor': 64.5, " FACTORS),
         "s.json:2:57: /work/0/max_tess_factor: got 64.5, expected a number from 1 to 64"},
        /* Patches. */
        {DRAW(FACTORS), "s.json:2:3: /work/0/patches: missing, expected the number of patches, as "
                        "tess_factors has no number of its own"},
        {DRAW("'patches': 1"), "s.json:2:3: /work/0/tess_factors: missing, expected an object such "
                               "as {'uniform': 16}"},
        {DRAW("'patches': 1, 'domain': 'isoline', 'topology': 'triangle_cw', " FACTORS),
         "s.json:2:71: /work/0/topology: got 'triangle_cw', expected 'line' or 'point' for the "
         "domain 'isoline'"},
        /* Unknown keys. */
        {DRAW("'patchs': 1, 'patches': 1, " FACTORS),
         "s.json:2:24: /work/0/patchs: got an unknown key 'patchs'; did you mean 'patches'?"},
        {DRAW("'patches': 1, 'tessellation': {'mdoe': 'onchip'}, " FACTORS),
         "s.json:2:55: /work/0/tessellation/mdoe: got an unknown key 'mdoe'; did you mean 'mode'?"},
        /* Settings. */
        {DRAW("'patches': 1, 'tessellation': 'onchip', " FACTORS),
         "s.json:2:54: /work/0/tessellation: got 'onchip', expected an object"},
        {DRAW("'patches': 1, 'tessellation': {'ds_wave_threshold': 16}, " FACTORS),
         "s.json:2:76: /work/0/tessellation/ds_wave_threshold: got 16, expected a whole number "
         "from 0 to 15 (waves)"},
        {DRAW("'patches': 1, 'tessellation': {'patches_per_threadgroup': 0}, " FACTORS),
         "s.json:2:82: /work/0/tessellation/patches_per_threadgroup: got 0, expected 'auto' or a "
         "whole number from 1 to 255 (patches)"},
        {DRAW("'patches': 1, 'tessellation': {'tf_threshold': 'aut'}, " FACTORS),
         "s.json:2:71: /work/0/tessellation/tf_threshold: got 'aut', expected 'auto' or a number "
         "from 0 to 65536"},
        {DRAW("'patches': 1, 'tessellation': {'patch_rule': 'explicit'}, " FACTORS),
         "s.json:2:69: /work/0/tessellation/patch_rule: got 'explicit', expected another rule, or "
         "patches_per_threadgroup as a number"},
        /* T7: the flag agrees with the mode, also with that by default. */
        {DRAW("'patches': 1, 'tessellation': {'pipeline_flag': 'GS_ONCHIP_TS_OFFCHIP'}, " FACTORS),
         "s.json:2:72: /work/0/tessellation/pipeline_flag: got 'GS_ONCHIP_TS_OFFCHIP', expected a "
         "flag that agrees with the mode 'onchip'"},
        {DRAW("'patches': 1, 'tessellation': {'mode': 'offchip', 'pipeline_flag': "
              "'GS_ONCHIP_TS_ONCHIP'}, " FACTORS),
         "s.json:2:91: /work/0/tessellation/pipeline_flag: got 'GS_ONCHIP_TS_ONCHIP', expected a "
         "flag that agrees with the mode 'offchip'"},
        /* What can never fit (tests/unit/test-plan.c has the amounts). */
        {DRAW("'patches': 1, 'tessellation': {'patches_per_threadgroup': 255}, " FACTORS),
         "s.json:2:3: /work/0: a threadgroup of 255 patches needs 765 hull shader threads, the "
         "limit is 256"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_complaints(cases[i].text, NULL, cases[i].expected);
    }
}

static void test_stages(void)
{
    assert_complaints("{'gpu': {}, 'work': [{'type': 'draw', 'patches': 1, " FACTORS ", 'vs': {},\n"
                      "'hs': {'output_vec4': -1, 'patch_constant_vec4': 33}}]}",
                      NULL,
                      "s.json:1:91: /work/0/vs/output_vec4: missing, expected a whole number from "
                      "0 to 32\n"
                      "s.json:2:23: /work/0/hs/output_vec4: got -1, expected a whole number from 0 "
                      "to 32\n"
                      "s.json:2:50: /work/0/hs/patch_constant_vec4: got 33, expected a whole "
                      "number from 0 to 32\n"
                      "s.json:1:22: /work/0/ds: missing, expected an object with the registers and "
                      "the program of a shader");
    assert_complaints("{'gpu': {}, 'work': [\n{'type': 'dispatch', 'threads': 0, 'cs': 1}]}", NULL,
                      "s.json:2:33: /work/0/threads: got 0, expected a whole number from 1 to 1024 "
                      "(threads)\n"
                      "s.json:2:1: /work/0/threadgroups: missing, expected a whole number from 0 "
                      "to 1000000000000 (threadgroups)\n"
                      "s.json:2:42: /work/0/cs: got 1, expected an object with the registers and "
                      "the program of a shader");
    /* 65,537 bytes in a 64 KB CU. */
    assert_complaints("{'gpu': {}, 'work': [\n{'type': 'dispatch', 'threadgroups': 1, 'cs': {}, "
                      "'lds_bytes': 65537}]}",
                      NULL,
                      "s.json:2:1: /work/0: a threadgroup needs 65537 bytes of LDS, the limit is "
                      "65536");
}

/* T11: hull and domain shader are compiled alike, and as the mode says. */
static void test_compiled(void)
{
#define COMPILED(mode, hs, ds)                                                                     \
    "{'gpu': {}, 'work': [{'type': 'draw', 'patches': 1, " FACTORS                                 \
    ", 'tessellation': {'mode': '" mode "'}, 'vs': {'output_vec4': 1},\n"                          \
    "'hs': {'output_vec4': 1, 'compiled_offchip': " hs "},\n"                                      \
    "'ds': {'compiled_offchip': " ds "}}]}"

    assert_complaints(COMPILED("offchip", "true", "true"), NULL, NULL);
    assert_complaints(COMPILED("onchip", "false", "false"), NULL, NULL);
    assert_complaints(COMPILED("offchip", "true", "false"), NULL,
                      "s.json:3:28: /work/0/ds/compiled_offchip: got false, expected true: hull "
                      "and domain shader must both be compiled for the mode 'offchip'");
    assert_complaints(COMPILED("onchip", "true", "true"), NULL,
                      "s.json:2:46: /work/0/hs/compiled_offchip: got true, expected false: hull "
                      "and domain shader must both be compiled for the mode 'onchip'\n"
                      "s.json:3:28: /work/0/ds/compiled_offchip: got true, expected false: hull "
                      "and domain shader must both be compiled for the mode 'onchip'");
    assert_complaints(COMPILED("onchip", "0", "false"), NULL,
                      "s.json:2:46: /work/0/hs/compiled_offchip: got 0, expected true or false");
#undef COMPILED
}

static void assert_warnings(const char *text, const char *sets, const char *expected)
{
    g_auto(Loaded) loaded = load(text, sets);

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_ptr_array_add(loaded.warnings, NULL);
    g_autofree char *lines = g_strjoinv("\n", (char **)loaded.warnings->pdata);
    g_assert_cmpstr(lines, ==, expected);
}

static void test_warnings(void)
{
#define THRESHOLDS(mode)                                                                           \
    DRAW("'patches': 1, 'tessellation': {'mode': '" mode "', 'tf_threshold': 8, "                  \
         "'ds_wave_threshold': 2}, " FACTORS)

    /* T11: thresholds are for off-chip, unless the mode is being tried out. */
    assert_warnings(THRESHOLDS("offchip"), NULL, "");
    assert_warnings(THRESHOLDS("onchip"), NULL,
                    "s.json:2:89: /work/0/tessellation/tf_threshold: tf_threshold has no effect "
                    "in mode \"onchip\"\n"
                    "s.json:2:113: /work/0/tessellation/ds_wave_threshold: ds_wave_threshold has "
                    "no effect in mode \"onchip\"");
    assert_warnings(THRESHOLDS("offchip"), "mode=onchip", "");
    /* T14: a GPU without on-chip mode has no use for them in either mode. */
    assert_warnings(THRESHOLDS("offchip"), "gpu.has_onchip=false gpu.name=X",
                    "s.json:2:3: /work/0: tf_threshold and ds_wave_threshold mean nothing on X: it "
                    "has no on-chip tessellation, every domain shader wave is off-chip");
    /* max_tess_factor limits it. */
    assert_warnings(DRAW("'patches': 1, 'max_tess_factor': 7, " FACTORS), NULL,
                    "s.json:2:76: /work/0/tess_factors: the factor is above max_tess_factor, which "
                    "every patch will have");
#undef THRESHOLDS
}

/* ---- Factors ---- */

static void test_factor_list(void)
{
    g_auto(Loaded) loaded = load(DRAW("'tess_factors': {'list': [\n"
                                      "{'edge': [1, 2.5, 3], 'inside': [4]},\n"
                                      "{'edge': [0, -1, 1e9], 'inside': [8]}]}"),
                                 NULL);
    TsimTessFactors factors;

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(loaded.scenario->work[0].draw.patches, ==, 2);
    tsim_factor_source_get(loaded.scenario->work[0].draw.factors, 0, &factors);
    g_assert_cmpfloat(factors.edge[1], ==, 2.5);
    g_assert_cmpfloat(factors.inside[0], ==, 4);
    tsim_factor_source_get(loaded.scenario->work[0].draw.factors, 1, &factors);
    g_assert_cmpfloat(factors.edge[2], ==, 1e9F);

    g_auto(Loaded) empty = load(DRAW("'tess_factors': {'list': []}"), NULL);
    g_assert_cmpstr(empty.complaints, ==, NULL);
    g_assert_cmpuint(empty.scenario->work[0].draw.patches, ==, 0);
}

static void test_wrong_factors(void)
{
#define ONE_OF                                                                                     \
    "exactly one of the keys 'uniform', 'distribution', 'height_map', 'fractal', 'mesh', 'list', " \
    "'csv'"
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {DRAW("'tess_factors': 8"),
         "s.json:2:40: /work/0/tess_factors: got 8, expected an object such as {'uniform': 16}"},
        {DRAW("'tess_factors': {}"), "s.json:2:40: /work/0/tess_factors: got {}, expected " ONE_OF},
        {DRAW("'tess_factors': {'uniform': 1, 'csv': 'x'}"),
         "s.json:2:40: /work/0/tess_factors: got {'uniform':1,'csv':'x'}, expected " ONE_OF},
        {DRAW("'tess_factors': {'uniform': -1}, 'patches': 1"),
         "s.json:2:52: /work/0/tess_factors/uniform: got -1, expected a number from 0 to 1000000"},
        {DRAW("'tess_factors': {'uniform': 1, 'mean': 1}, 'patches': 1"),
         "s.json:2:55: /work/0/tess_factors/mean: got an unknown key 'mean'; did you mean "
         "'uniform'?"},
        {DRAW("'tess_factors': {'distribution': 'gauss'}, 'patches': 1"),
         "s.json:2:57: /work/0/tess_factors/distribution: got 'gauss', expected 'normal', "
         "'lognormal', 'gamma', 'exponential', 'beta' or 'two_point'"},
        {DRAW("'tess_factors': {'fractal': 0.5}"),
         "s.json:2:40: /work/0/tess_factors/camera: missing, expected an object with the position "
         "of "
         "the camera"},
        {DRAW("'tess_factors': {'fractal': 0.5, 'camera': {'position': [0, 1]}}"),
         "s.json:2:80: /work/0/tess_factors/camera/position: got [0,1], expected a list of 3 "
         "numbers from -1000000000 to 1000000000"},
        /* Lists of the wrong length, and patches that contradict. */
        {DRAW("'tess_factors': {'list': [{'edge': [1, 2], 'inside': [4]}, {'edge': [1, 2, 3]}]}"),
         "s.json:2:59: /work/0/tess_factors/list/0/edge: got [1,2], expected a list of length 3, "
         "as the domain has\n"
         "s.json:2:83: /work/0/tess_factors/list/1/inside: missing, expected a list of length 1, "
         "as the domain has"},
        {DRAW("'tess_factors': {'list': [{'edge': ['nan', 2, 3], 'inside': [4]}]}"),
         "s.json:2:60: /work/0/tess_factors/list/0/edge/0: got 'nan', expected a number from "
         "-3.4028234663852886e+38 to 3.4028234663852886e+38"},
        {DRAW("'patches': 5, 'tess_factors': {'list': [{'edge': [1, 2, 3], 'inside': [4]}]}"),
         "s.json:2:35: /work/0/patches: got 5, expected 1, as tess_factors has (patches may be "
         "left out)"},
        {DRAW("'tess_factors': {'csv': 'no/such.csv'}"),
         "s.json:2:48: /work/0/tess_factors/csv: no/such.csv: the list of factors cannot be read: "
         "No such file or directory"},
        {DRAW("'tess_factors': {'mesh': 'no/such.obj', 'camera': {'position': [0, 0, 3]}}"),
         "s.json:2:40: /work/0/tess_factors: no/such.obj: the mesh cannot be read: No such "
         "file or directory"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_complaints(cases[i].text, NULL, cases[i].expected);
    }
}

/* ---- Overrides ---- */

#define TWO_DRAWS                                                                                  \
    "{'gpu': {}, 'work': [{'type': 'draw', 'patches': 1, " FACTORS ", " STAGES "},\n"              \
    "{'type': 'draw', 'patches': 2, 'tessellation': {'mode': 'offchip', 'pipeline_flag': "         \
    "'GS_ONCHIP_TS_OFFCHIP'}, " FACTORS ", 'vs': {'output_vec4': 2}, 'hs': {'output_vec4': 2, "    \
    "'compiled_offchip': true}, 'ds': {'compiled_offchip': true}},\n"                              \
    "{'type': 'dispatch', 'threadgroups': 1, 'cs': {}}]}"

static void test_sets(void)
{
    g_auto(Loaded) loaded =
        load(TWO_DRAWS, "seed=5 gpu.clock_mhz=1000 work.1.patches=9 draw.ds.vgprs=64 "
                        "tess_factors.uniform=16 dispatch.threads=128 ds_wave_threshold=7 "
                        "patches_per_threadgroup=3 work.2.cs.valu=4 vs.program=[{'valu':1}] "
                        "work.0.name=007 description={");
    const TsimScenario *scenario = loaded.scenario;
    TsimTessFactors factors;

    g_assert_cmpstr(loaded.complaints, ==, NULL);
    g_assert_cmpuint(scenario->seed, ==, 5);
    g_assert_cmpfloat(scenario->gpu->clock_mhz, ==, 1000);
    g_assert_cmpuint(scenario->work[0].draw.patches, ==, 1);
    g_assert_cmpuint(scenario->work[1].draw.patches, ==, 9);
    for (int i = 0; i < 2; i++) {
        const TsimDraw *draw = &scenario->work[i].draw;
        g_assert_cmpuint(draw->ds.vgprs, ==, 64);
        g_assert_cmpuint(draw->tessellation.ds_wave_threshold, ==, 7);
        g_assert_cmpuint(draw->tessellation.patches_per_threadgroup, ==, 3);
        g_assert_cmpuint(draw->vs.segments_n, ==, 1);
        tsim_factor_source_get(draw->factors, 0, &factors);
        g_assert_cmpfloat(factors.edge[0], ==, 16);
    }
    g_assert_cmpuint(scenario->work[2].dispatch.threads, ==, 128);
    g_assert_cmpuint(scenario->work[2].dispatch.cs.segments[0].count, ==, 4);
    /* What is not JSON is a string. */
    g_assert_cmpstr(scenario->work[0].draw.name, ==, "007");
    g_assert_cmpstr(scenario->description, ==, "{");
}

/* A mode that is set takes the file's flag and compile switches with it. */
static void test_set_mode(void)
{
    g_auto(Loaded) onchip = load(TWO_DRAWS, "mode=onchip");
    g_auto(Loaded) offchip = load(TWO_DRAWS, "mode=offchip");
    g_auto(Loaded) one = load(TWO_DRAWS, "work.1.tessellation.mode=onchip");

    g_assert_cmpstr(onchip.complaints, ==, NULL);
    g_assert_cmpstr(offchip.complaints, ==, NULL);
    g_assert_cmpstr(one.complaints, ==, NULL);
    const TsimDraw *draw = &onchip.scenario->work[1].draw;
    g_assert_cmpint(draw->tessellation.mode, ==, TSIM_MODE_ONCHIP);
    g_assert_cmpint(draw->tessellation.pipeline_flag, ==, TSIM_PIPELINE_FLAG_NONE);
    g_assert_cmpint(draw->hs_compiled, ==, TSIM_COMPILED_AS_MODE);
    draw = &offchip.scenario->work[1].draw;
    g_assert_cmpint(draw->tessellation.pipeline_flag, ==, TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_OFFCHIP);
    g_assert_cmpint(one.scenario->work[1].draw.tessellation.mode, ==, TSIM_MODE_ONCHIP);
    /* A flag that was set as well is not dropped. */
    assert_complaints(TWO_DRAWS, "pipeline_flag=GS_ONCHIP_TS_OFFCHIP mode=onchip",
                      "--set pipeline_flag=GS_ONCHIP_TS_OFFCHIP: /work/0/tessellation/"
                      "pipeline_flag: got 'GS_ONCHIP_TS_OFFCHIP', expected a flag that agrees with "
                      "the mode 'onchip'");
}

static void test_wrong_sets(void)
{
#define PATHS                                                                                      \
    " Other work is reached by paths such as work.0.patches, draw.ds.vgprs, dispatch.threads, "    \
    "sample_feedback.scene.width, gpu.clock_mhz"
    static const struct {
        const char *sets, *expected;
    } cases[] = {
        {"seed", "--set seed: expected KEY=VALUE"},
        {"=5", "--set =5: expected KEY=VALUE"},
        {"name=\xff", "--set name=\xef\xbf\xbd: expected text in UTF-8"},
        {"ptches=5", "--set ptches=5: got an unknown key 'ptches'; did you mean 'patches'?" PATHS},
        {"dispatch=5",
         "--set dispatch=5: got an unknown key 'dispatch'; did you mean 'patches'?" PATHS},
        {"mode.x=5", "--set mode.x=5: got 'x' in the key below something that is neither object "
                     "nor array"},
        /* Checked as in a file; one complaint, not one a draw. */
        {"mode=onchp", "--set mode=onchp: /work/0/tessellation/mode: got 'onchp', expected "
                       "'onchip' or 'offchip'"},
        {"ds_wave_threshold=16",
         "--set ds_wave_threshold=16: /work/0/tessellation/ds_wave_threshold: got 16, expected a "
         "whole number from 0 to 15 (waves)"},
        {"seed=99999999999999999999", "--set seed=99999999999999999999: /seed: got "
                                      "'99999999999999999999', expected a whole number from 0 to "
                                      "9007199254740992"},
        {"tf_threshold=NaN", "--set tf_threshold=NaN: /work/0/tessellation/tf_threshold: got "
                             "'NaN', expected 'auto' or a number from 0 to 65536"},
        {"draw.dss.vgprs=3",
         "--set draw.dss.vgprs=3: /work/0/dss: got an unknown key 'dss'; did you mean 'ds'?"},
        {"gpu.clok_mhz=3",
         "--set gpu.clok_mhz=3: /gpu/clok_mhz: got an unknown key 'clok_mhz'; did you mean "
         "'clock_mhz'?"},
        {"work.3.patches=3",
         "--set work.3.patches=3: got '3' in the key, expected a number below 3"},
        {"work.x=3", "--set work.x=3: got 'x' in the key, expected a number below 3"},
        {"seed.x=3", "--set seed.x=3: /seed: got {'x':3}, expected a whole number from 0 to "
                     "9007199254740992"},
        {"work.0.patches.x=3", "--set work.0.patches.x=3: got 'x' in the key below something that "
                               "is neither object nor array"},
        {"seed=1 seed=x", "--set seed=x: /seed: got 'x', expected a whole number from 0 to "
                          "9007199254740992"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_complaints(TWO_DRAWS, cases[i].sets, cases[i].expected);
    }
    assert_complaints("{'gpu': {}, 'work': []}", "mode=onchip",
                      "--set mode=onchip: the scenario has no work of type 'draw'");
    g_auto(Loaded) loaded = load(TWO_DRAWS, "seed=x");
    g_assert_cmpint(loaded.code, ==, TSIM_ERROR_USAGE);
}

/* A tree of any wrong shape is left to the decoder. */
static void test_sets_on_damage(void)
{
    static const char *const texts[] = {"3", "[]", "{}", "{'work': 3}", "{'gpu': 3, 'work': [3]}"};

    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(Loaded) loaded =
            load(texts[i], "seed=1 mode=onchip gpu.clock_mhz=3 work.0.x=1 gpu=x work=3 patches=1");
        g_assert_nonnull(loaded.complaints);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scenario/headline", test_headline);
    g_test_add_func("/scenario/defaults", test_defaults);
    g_test_add_func("/scenario/numbers", test_numbers);
    g_test_add_func("/scenario/T14-mode-of-gpu", test_mode_of_gpu);
    g_test_add_func("/scenario/programs", test_programs);
    g_test_add_func("/scenario/E16-patch-access", test_patch_access);
    g_test_add_func("/scenario/wrong-programs", test_wrong_programs);
    g_test_add_func("/scenario/top-level", test_top_level);
    g_test_add_func("/scenario/draw", test_draw);
    g_test_add_func("/scenario/stages", test_stages);
    g_test_add_func("/scenario/T11-compiled", test_compiled);
    g_test_add_func("/scenario/T11-warnings", test_warnings);
    g_test_add_func("/scenario/factor-list", test_factor_list);
    g_test_add_func("/scenario/wrong-factors", test_wrong_factors);
    g_test_add_func("/scenario/sets", test_sets);
    g_test_add_func("/scenario/set-mode", test_set_mode);
    g_test_add_func("/scenario/wrong-sets", test_wrong_sets);
    g_test_add_func("/scenario/sets-on-damage", test_sets_on_damage);
    return g_test_run();
}
