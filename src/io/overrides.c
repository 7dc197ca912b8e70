#include "io/overrides.h"

#include "io/scenario-keys.h"
#include "io/suggest.h"
#include "workload/workload.h"

#include <string.h>

typedef struct {
    TsimJsonSource *source;
    const char *label;
    const char *value; /* as written */
} Change;

static void complain(const Change *change, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void complain(const Change *change, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    tsim_problems_add(tsim_json_source_problems(change->source), TSIM_ERROR_USAGE, change->label,
                      change->label, text);
}

/* A fresh tree of the value; each place that it goes to needs its own. */
static json_object *parse_value(const char *text)
{
    json_object *value = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("", text, strlen(text), &problems);
    if (source != NULL && problems.reported == 0) {
        value = json_object_get(tsim_json_root(source).value);
    } else {
        value = json_object_new_string(text);
    }
    tsim_json_source_free(source);
    tsim_problems_clear(&problems);
    return value;
}

/* ---- Along a path ---- */

static void set_path(const Change *change, const TsimJsonNode *node, char *const *steps);

static void set_below(const Change *change, TsimJsonNode *member, char *const *steps)
{
    if (member->value == NULL) {
        tsim_json_override_member(member->parent, member->key, json_object_new_object(),
                                  change->label);
        (void)tsim_json_member(member->parent, member->key, member);
    }
    set_path(change, member, steps);
}

static void set_in_array(const Change *change, const TsimJsonNode *array, char *const *steps)
{
    const size_t length = json_object_array_length(array->value);
    guint64 index;

    if (!g_ascii_string_to_unsigned(steps[0], 10, 0, G_MAXUINT32, &index, NULL) ||
        index >= length) {
        complain(change, "got \"%s\" in the key, expected a number below %zu", steps[0], length);
        return;
    }
    if (steps[1] == NULL) {
        tsim_json_override_item(array, (size_t)index, parse_value(change->value), change->label);
        return;
    }
    const TsimJsonNode item = tsim_json_item(array, (size_t)index);
    set_path(change, &item, steps + 1);
}

static void set_path(const Change *change, const TsimJsonNode *node, char *const *steps)
{
    TsimJsonNode member;

    if (tsim_json_is(node, json_type_array)) {
        set_in_array(change, node, steps);
    } else if (!tsim_json_is(node, json_type_object)) {
        complain(change, "got \"%s\" in the key below something that is neither object nor array",
                 steps[0]);
    } else if (steps[1] == NULL) {
        tsim_json_override_member(node, steps[0], parse_value(change->value), change->label);
    } else {
        (void)tsim_json_member(node, steps[0], &member);
        set_below(change, &member, steps + 1);
    }
}

/* ---- Of work items ---- */

static void drop(const TsimJsonNode *object, const char *key)
{
    TsimJsonNode member;

    if (tsim_json_member(object, key, &member) && tsim_json_override_label(&member) == NULL) {
        json_object_object_del(object->value, key);
    }
}

static int word_of(const TsimJsonNode *object, const char *key, const char *const *words)
{
    TsimJsonNode member;

    return tsim_json_member(object, key, &member) && tsim_json_is(&member, json_type_string)
               ? tsim_word_index(words, json_object_get_string(member.value))
               : -1;
}

/* What the file says of the mode that has just been replaced must not contradict the new one. */
static void follow_mode(const TsimJsonNode *item, const TsimJsonNode *settings)
{
    static const char *const stages[] = {"hs", "ds"};
    const int mode = word_of(settings, "mode", tsim_tess_mode_names);
    const int flag = word_of(settings, "pipeline_flag", tsim_pipeline_flag_names);
    TsimJsonNode stage;

    if (mode >= 0 && flag >= 0 &&
        !tsim_pipeline_flag_agrees((TsimPipelineFlag)flag, (TsimTessMode)mode)) {
        drop(settings, "pipeline_flag");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(stages); i++) {
        if (tsim_json_member(item, stages[i], &stage)) {
            drop(&stage, TSIM_KEY_COMPILED_OFFCHIP);
        }
    }
}

static void set_in_item(const Change *change, const TsimJsonNode *item, char *const *steps)
{
    static const char *const mode_path[] = {TSIM_KEY_TESSELLATION, "mode", NULL};
    TsimJsonNode settings;

    set_path(change, item, steps);
    if (g_strv_equal((const char *const *)steps, mode_path) &&
        tsim_json_member(item, TSIM_KEY_TESSELLATION, &settings)) {
        follow_mode(item, &settings);
    }
}

static void set_in_all(const Change *change, const TsimJsonNode *work, TsimWorkType type,
                       char *const *steps)
{
    const char *name = tsim_work_type_names[type];
    guint found = 0;

    for (size_t i = 0; i < json_object_array_length(work->value); i++) {
        const TsimJsonNode item = tsim_json_item(work, i);
        if (word_of(&item, TSIM_KEY_TYPE, tsim_work_type_names) == (int)type) {
            set_in_item(change, &item, steps);
            found++;
        }
    }
    if (found == 0) {
        complain(change, "the scenario has no work of type \"%s\"", name);
    }
}

/* ---- Choice of the place ---- */

static gboolean is_key(const char *word, const TsimField *fields, const char *const *others)
{
    return tsim_field_find(fields, word) != NULL || tsim_word_index(others, word) >= 0;
}

static gboolean is_setting(const char *word)
{
    return tsim_field_find(tsim_tess_fields, word) != NULL ||
           tsim_field_find(tsim_tess_auto_fields, word) != NULL;
}

static void add_keys(GPtrArray *keys, const TsimField *fields, const char *const *others)
{
    for (; fields->name != NULL; fields++) {
        g_ptr_array_add(keys, g_strdup(fields->name));
    }
    for (; *others != NULL; others++) {
        g_ptr_array_add(keys, g_strdup(*others));
    }
}

static void complain_unknown(const Change *change, const char *key)
{
    static const char *const none[] = {NULL};
    g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);

    add_keys(keys, tsim_scenario_fields, tsim_scenario_keys);
    add_keys(keys, tsim_draw_fields, tsim_draw_keys);
    add_keys(keys, tsim_tess_fields, none);
    add_keys(keys, tsim_tess_auto_fields, none);
    g_ptr_array_add(keys, NULL);
    complain(
        change,
        "got an unknown key \"%s\"; did you mean \"%s\"? Other work is reached by paths "
        "such as work.0.patches, draw.ds.vgprs, dispatch.threads, sample_feedback.scene.width, "
        "gpu.clock_mhz",
        key, tsim_suggest(key, (const char *const *)keys->pdata));
}

/* A GPU that the file names becomes an object that extends it, so that fields can be set. */
static void open_gpu(const TsimJsonNode *root)
{
    TsimJsonNode gpu;

    if (tsim_json_member(root, TSIM_KEY_GPU, &gpu) && tsim_json_is(&gpu, json_type_string)) {
        json_object *object = json_object_new_object();
        (void)json_object_object_add(object, "extends", json_object_get(gpu.value));
        (void)json_object_object_add(root->value, TSIM_KEY_GPU, object);
    }
}

static void set_from_root(const Change *change, const TsimJsonNode *root, const TsimJsonNode *work,
                          char *const *steps)
{
    guint64 index;

    if (strcmp(steps[0], TSIM_KEY_GPU) == 0 && steps[1] != NULL) {
        open_gpu(root);
    }
    if (strcmp(steps[0], TSIM_KEY_WORK) == 0 && steps[1] != NULL && steps[2] != NULL &&
        g_ascii_string_to_unsigned(steps[1], 10, 0, G_MAXUINT32, &index, NULL) &&
        index < json_object_array_length(work->value)) {
        const TsimJsonNode item = tsim_json_item(work, (size_t)index);
        set_in_item(change, &item, steps + 2);
        return;
    }
    set_path(change, root, steps);
}

static void set_in_settings(const Change *change, const TsimJsonNode *work, char *const *steps)
{
    g_autoptr(GStrvBuilder) path = g_strv_builder_new();

    g_strv_builder_add(path, TSIM_KEY_TESSELLATION);
    for (; *steps != NULL; steps++) {
        g_strv_builder_add(path, *steps);
    }
    g_auto(GStrv) below_draw = g_strv_builder_end(path);
    set_in_all(change, work, TSIM_WORK_DRAW, below_draw);
}

static void set_key(const Change *change, const TsimJsonNode *root, const TsimJsonNode *work,
                    char **steps)
{
    if (is_key(steps[0], tsim_scenario_fields, tsim_scenario_keys)) {
        set_from_root(change, root, work, steps);
    } else if (strcmp(steps[0], "draw") == 0 && steps[1] != NULL) {
        set_in_all(change, work, TSIM_WORK_DRAW, steps + 1);
    } else if (strcmp(steps[0], "dispatch") == 0 && steps[1] != NULL) {
        set_in_all(change, work, TSIM_WORK_DISPATCH, steps + 1);
    } else if (strcmp(steps[0], "rays") == 0 && steps[1] != NULL) {
        set_in_all(change, work, TSIM_WORK_RAYS, steps + 1);
    } else if (strcmp(steps[0], "sample_feedback") == 0 && steps[1] != NULL) {
        set_in_all(change, work, TSIM_WORK_SAMPLE_FEEDBACK, steps + 1);
    } else if (is_setting(steps[0])) {
        set_in_settings(change, work, steps);
    } else if (is_key(steps[0], tsim_draw_fields, tsim_draw_keys)) {
        set_in_all(change, work, TSIM_WORK_DRAW, steps);
    } else {
        complain_unknown(change, steps[0]);
    }
}

void tsim_override_apply(TsimJsonSource *source, const char *label, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    const TsimJsonNode root = tsim_json_root(source);
    TsimJsonNode work;

    if (!g_utf8_validate(assignment, -1, NULL)) {
        g_autofree char *shown = g_utf8_make_valid(label, -1);
        complain(&(Change){source, shown, NULL}, "expected text in UTF-8");
        return;
    }
    if (equals == NULL || equals == assignment) {
        complain(&(Change){source, label, NULL}, "expected KEY=VALUE");
        return;
    }
    /* A tree of the wrong shape is the decoder's to complain about. */
    if (!tsim_json_is(&root, json_type_object) || !tsim_json_member(&root, TSIM_KEY_WORK, &work) ||
        !tsim_json_is(&work, json_type_array)) {
        return;
    }
    const Change change = {source, label, equals + 1};
    g_autofree char *key = g_strndup(assignment, (size_t)(equals - assignment));
    g_auto(GStrv) steps = g_strsplit(key, ".", -1);
    set_key(&change, &root, &work, steps);
}

void tsim_override_gpu(TsimJsonSource *source, const char *label, const char *gpu)
{
    const TsimJsonNode root = tsim_json_root(source);

    if (tsim_json_is(&root, json_type_object)) {
        tsim_json_override_member(&root, TSIM_KEY_GPU, json_object_new_string(gpu), label);
    }
}
