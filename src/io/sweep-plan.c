#include "io/sweep-plan.h"

#include "io/decode.h"
#include "io/encode.h"
#include "io/json-text.h"
#include "io/result-json.h"

#include <string.h>

#define KEY_SET       "set"
#define KEY_VARY      "vary"
#define KEY_METRICS   "metrics"
#define KEY_MADE_WITH "made_with"

#define SAMPLED_POINTS 100
#define POINTS_MAX     10000000

const char *const tsim_sampling_names[] = {"grid", "random", "sobol", "latin", NULL};

const char *const tsim_sweep_metrics[] = {
    "elapsed_cycles",
    "elapsed_us",
    "events",
    "totals.patches",
    "totals.threadgroups",
    "totals.threadgroups_onchip",
    "totals.threadgroups_offchip",
    "totals.ds_waves",
    "totals.ds_waves_onchip",
    "totals.ds_waves_offchip",
    "totals.offchip_bytes_written",
    "totals.offchip_bytes_read",
    "draws.0.patches_per_threadgroup",
    "draws.0.tf_threshold",
    "draws.0.ds_wave_threshold",
    "occupancy.mean_waves_per_cu",
    "lds.mean_fraction",
    "lds.peak_bytes_per_cu",
    "memory.dram_bytes_read",
    "memory.dram_bytes_written",
    "bound.share_of_elapsed",
    "bottleneck.resource",
    "bottleneck.utilisation",
    NULL,
};

#define PLAN_FIELD(type, member) TSIM_FIELD_##type, offsetof(TsimSweepPlan, member)

static const TsimField plan_fields[] = {
    {"folder", PLAN_FIELD(STRING, folder), "", 0, 0, 0, NULL, FALSE,
     "Where relative paths begin; the current folder when absent"},
    {"file", PLAN_FIELD(STRING, file), "", 0, 0, 0, NULL, TRUE, "The scenario"},
    {"gpu", PLAN_FIELD(STRING, gpu), "", 0, 0, 0, NULL, FALSE,
     "GPU in place of the scenario's own"},
    {"sampling", PLAN_FIELD(ENUM, sampling), "", 0, 0, TSIM_SAMPLING_GRID, tsim_sampling_names,
     FALSE, "How points are chosen"},
    {"points", PLAN_FIELD(U64, points), "", 0, POINTS_MAX, 0, NULL, FALSE, "Points of the design"},
    {"seed", PLAN_FIELD(U64, seed), "", 0, 9007199254740992.0, 1, NULL, FALSE,
     "Seed of the choice of points"},
    {"replications", PLAN_FIELD(U32, replications), "", 1, 10000, 1, NULL, FALSE,
     "Runs of a point, each with another seed"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

static const char *const plan_keys[] = {"$schema",   KEY_SET,       KEY_VARY,
                                        KEY_METRICS, KEY_MADE_WITH, NULL};

/* ---- The struct ---- */

TsimSweepPlan *tsim_sweep_plan_new(void)
{
    TsimSweepPlan *plan = g_new0(TsimSweepPlan, 1);
    g_autoptr(GStrvBuilder) metrics = g_strv_builder_new();

    tsim_fields_init(plan_fields, plan);
    plan->sets = g_new0(char *, 1);
    plan->vary = g_new0(char *, 1);
    for (const char *const *metric = tsim_sweep_metrics; *metric != NULL; metric++) {
        g_strv_builder_add(metrics, *metric);
    }
    plan->metrics = g_strv_builder_end(metrics);
    return plan;
}

void tsim_sweep_plan_free(TsimSweepPlan *plan)
{
    if (plan == NULL) {
        return;
    }
    for (guint i = 0; i < plan->axes_n; i++) {
        tsim_axis_clear(&plan->axes[i]);
    }
    g_free(plan->axes);
    g_free(plan->folder);
    g_free(plan->file);
    g_free(plan->gpu);
    g_strfreev(plan->sets);
    g_strfreev(plan->vary);
    g_strfreev(plan->metrics);
    json_object_put(plan->made_with);
    g_free(plan);
}

static gboolean refuse(GError **error, const char *text)
{
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE, text);
    return FALSE;
}

static gboolean count_grid(TsimSweepPlan *plan, GError **error)
{
    uint64_t points;

    if (!tsim_axes_check(plan->axes, plan->axes_n, plan->replications, &points, error)) {
        return FALSE;
    }
    if (points > POINTS_MAX) {
        return refuse(error, "more than ten million runs");
    }
    if (plan->sampling == TSIM_SAMPLING_GRID) {
        if (plan->points != 0 && plan->points != points) {
            return refuse(error, "a grid has the points that --vary gives it; --points is for "
                                 "the other ways to --sample");
        }
        plan->points = points;
    } else if (plan->points == 0) {
        plan->points = SAMPLED_POINTS;
    }
    return plan->points <= POINTS_MAX / plan->replications ||
           refuse(error, "more than ten million runs");
}

gboolean tsim_sweep_plan_finish(TsimSweepPlan *plan, GError **error)
{
    plan->axes = g_new0(TsimAxis, g_strv_length(plan->vary));
    for (char **vary = plan->vary; *vary != NULL; vary++) {
        if (!tsim_axis_parse(&plan->axes[plan->axes_n], *vary, error)) {
            return FALSE;
        }
        plan->axes_n++;
    }
    return count_grid(plan, error);
}

/* ---- From JSON ---- */

static void decode_list(const TsimJsonNode *root, const char *key, char ***list)
{
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    TsimJsonNode node;

    if (!tsim_json_member(root, key, &node) ||
        !tsim_decode_is(&node, json_type_array, "a list of strings")) {
        return;
    }
    for (size_t i = 0; i < json_object_array_length(node.value); i++) {
        const TsimJsonNode item = tsim_json_item(&node, i);
        if (tsim_decode_is(&item, json_type_string, "a string")) {
            g_strv_builder_add(words, json_object_get_string(item.value));
        }
    }
    g_strfreev(*list);
    *list = g_strv_builder_end(words);
}

static void decode_plan(TsimJsonSource *source, TsimSweepPlan *plan)
{
    const TsimDecodePart parts[] = {{plan_fields, plan, FALSE}, TSIM_DECODE_END};
    const TsimJsonNode root = tsim_json_root(source);
    TsimJsonNode made_with;

    if (!tsim_decode_object(&root, parts, plan_keys)) {
        return;
    }
    decode_list(&root, KEY_SET, &plan->sets);
    decode_list(&root, KEY_VARY, &plan->vary);
    decode_list(&root, KEY_METRICS, &plan->metrics);
    if (tsim_json_member(&root, KEY_MADE_WITH, &made_with)) {
        plan->made_with = json_object_get(made_with.value);
    }
}

TsimSweepPlan *tsim_sweep_plan_read(const char *path, GError **error)
{
    g_autoptr(TsimSweepPlan) plan = tsim_sweep_plan_new();
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_read(path, &problems);
    if (source != NULL) {
        decode_plan(source, plan);
    }
    tsim_json_source_free(source);
    if (!tsim_problems_finish(&problems, error) || !tsim_sweep_plan_finish(plan, error)) {
        return NULL;
    }
    return g_steal_pointer(&plan);
}

/* ---- To JSON ---- */

static json_object *encode_list(char *const *list)
{
    json_object *array = json_object_new_array();

    for (; *list != NULL; list++) {
        (void)json_object_array_add(array, json_object_new_string(*list));
    }
    return array;
}

static json_object *encode_plan(const TsimSweepPlan *plan)
{
    json_object *object = json_object_new_object();

    for (const TsimField *field = plan_fields; field->name != NULL; field++) {
        json_object *value = tsim_encode_value(field, plan);
        if (value != NULL) {
            (void)json_object_object_add(object, field->name, value);
        }
    }
    (void)json_object_object_add(object, KEY_SET, encode_list(plan->sets));
    (void)json_object_object_add(object, KEY_VARY, encode_list(plan->vary));
    (void)json_object_object_add(object, KEY_METRICS, encode_list(plan->metrics));
    if (plan->made_with != NULL) {
        (void)json_object_object_add(object, KEY_MADE_WITH, json_object_get(plan->made_with));
    }
    return object;
}

char *tsim_sweep_plan_text(const TsimSweepPlan *plan)
{
    return tsim_json_print(encode_plan(plan));
}

/* ---- Inputs ---- */

/* Other values of these keys bring other files in. */
static gboolean names_files(const char *key)
{
    static const char *const words[] = {"gpu",  "extends", "tess_factors", "csv", "height_map",
                                        "mesh", NULL};
    const char *dot = strrchr(key, '.');

    return tsim_word_index(words, dot != NULL ? dot + 1 : key) >= 0;
}

static void note_axis(const TsimScenarioText *text, const TsimAxis *axis, json_object *inputs)
{
    for (guint key = 0; key < axis->keys_n; key++) {
        for (guint level = 0; names_files(axis->keys[key]) && level < axis->levels; level++) {
            g_autofree char *set = tsim_axis_set(axis, key, level);
            const char *const more[] = {set, NULL};
            tsim_scenario_text_inputs(text, more, inputs);
        }
    }
}

void tsim_sweep_plan_note_inputs(TsimSweepPlan *plan, const TsimScenarioText *text)
{
    json_object *inputs = json_object_new_object();

    tsim_scenario_text_inputs(text, NULL, inputs);
    for (guint i = 0; i < plan->axes_n; i++) {
        note_axis(text, &plan->axes[i], inputs);
    }
    json_object_put(plan->made_with);
    plan->made_with = json_object_new_object();
    (void)json_object_object_add(plan->made_with, "tesssim_version",
                                 json_object_new_string(TSIM_VERSION));
    (void)json_object_object_add(plan->made_with, "schema_version",
                                 json_object_new_int(TSIM_SWEEP_SCHEMA_VERSION));
    (void)json_object_object_add(plan->made_with, "inputs", inputs);
}

/* ---- Differences ---- */

typedef struct {
    GString *lines;
    GString *pointer;
} Difference;

static const char *value_text(json_object *value)
{
    return json_object_to_json_string_ext(value,
                                          JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

static void add_line(Difference *difference, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void add_line(Difference *difference, const char *format, ...)
{
    va_list arguments;

    g_string_append_printf(difference->lines, "%s%s: ", difference->lines->len > 0 ? "\n" : "",
                           difference->pointer->str);
    va_start(arguments, format);
    g_string_append_vprintf(difference->lines, format, arguments);
    va_end(arguments);
}

static void compare_values(Difference *difference, json_object *old, json_object *new);

static void compare_members(Difference *difference, json_object *old, json_object *new,
                            const char *key)
{
    const gsize length = difference->pointer->len;
    json_object *was, *is;
    const gboolean had = json_object_object_get_ex(old, key, &was) != 0;
    const gboolean has = json_object_object_get_ex(new, key, &is) != 0;

    tsim_json_pointer_append(difference->pointer, key);
    if (!had) {
        add_line(difference, "was not there, is %s", value_text(is));
    } else if (!has) {
        add_line(difference, "was %s, is not there", value_text(was));
    } else {
        compare_values(difference, was, is);
    }
    g_string_truncate(difference->pointer, length);
}

static void compare_objects(Difference *difference, json_object *old, json_object *new)
{
    struct json_object_iterator at = json_object_iter_begin(old);
    struct json_object_iterator end = json_object_iter_end(old);

    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        compare_members(difference, old, new, json_object_iter_peek_name(&at));
    }
    at = json_object_iter_begin(new);
    end = json_object_iter_end(new);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        if (!json_object_object_get_ex(old, json_object_iter_peek_name(&at), NULL)) {
            compare_members(difference, old, new, json_object_iter_peek_name(&at));
        }
    }
}

static void compare_lists(Difference *difference, json_object *old, json_object *new)
{
    for (size_t i = 0; i < json_object_array_length(old); i++) {
        const gsize length = difference->pointer->len;
        g_string_append_printf(difference->pointer, "/%zu", i);
        compare_values(difference, json_object_array_get_idx(old, i),
                       json_object_array_get_idx(new, i));
        g_string_truncate(difference->pointer, length);
    }
}

static void compare_values(Difference *difference, json_object *old, json_object *new)
{
    const json_type type = json_object_get_type(old);

    if (json_object_equal(old, new)) {
        return;
    }
    if (type == json_type_object && json_object_is_type(new, type)) {
        compare_objects(difference, old, new);
    } else if (type == json_type_array && json_object_is_type(new, type) &&
               json_object_array_length(old) == json_object_array_length(new)) {
        compare_lists(difference, old, new);
    } else {
        add_line(difference, "was %s, is %s", value_text(old), value_text(new));
    }
}

/* What is run, not where it lies; as it reads back from a file, where 853.0 and 853 are one. */
static json_object *read_back(const TsimSweepPlan *plan)
{
    json_object *made = encode_plan(plan);

    json_object_object_del(made, "folder");
    json_object_object_del(made, "file");
    json_object *read = json_tokener_parse(value_text(made));

    json_object_put(made);
    return read;
}

char *tsim_sweep_plan_difference(const TsimSweepPlan *old, const TsimSweepPlan *new)
{
    g_autoptr(GString) pointer = g_string_new(NULL);
    Difference difference = {g_string_new(NULL), pointer};
    json_object *was = read_back(old);
    json_object *is = read_back(new);

    compare_values(&difference, was, is);
    json_object_put(was);
    json_object_put(is);
    return g_string_free(difference.lines, difference.lines->len == 0);
}
