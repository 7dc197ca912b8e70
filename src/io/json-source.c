#include "io/json-source.h"

#include "base/file.h"
#include "io/json-text.h"
#include "io/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a wrong value that a message shows. */
#define EXCERPT_BYTES 60

typedef struct {
    char *pointer;
    char *label;
} Override;

struct TsimJsonSource {
    char *name;
    char *folder; /* that relative paths start from */
    char *text;   /* as read, for columns */
    char *plain;  /* the same without comments */
    json_object *root;
    GArray *overrides; /* of Override, the latest last */
    TsimJsonMemo memo; /* of plain, and of text, which has the same offsets */
    TsimProblems *problems;
};

static void clear_override(void *override)
{
    g_free(((Override *) override)->pointer);
    g_free(((Override *) override)->label);
}

/* ---- Reading ---- */

static void complain_at(TsimJsonSource *source, size_t offset, const char *pointer,
                        const char *text)
{
    const TsimJsonPosition position = tsim_json_text_position(source->text, offset, &source->memo);
    g_autofree char *place = g_strdup_printf("%s:%zu:%zu: %s", source->name, position.line,
                                             position.column, *pointer == '\0' ? "/" : pointer);

    tsim_problems_add(source->problems, TSIM_ERROR_INPUT, place, place, text);
}

static void complain_callback(void *user, size_t offset, const char *pointer, const char *text)
{
    complain_at(user, offset, pointer, text);
}

static gboolean check_encoding(TsimJsonSource *source, size_t length)
{
    const char *end;

    if (g_utf8_validate_len(source->text, length, &end)) {
        return TRUE;
    }
    g_autofree char *text =
        g_strdup_printf("got byte 0x%02x, expected text in UTF-8", (guint)(guchar)*end);
    complain_at(source, (size_t)(end - source->text), "", text);
    return FALSE;
}

static gboolean check_text(TsimJsonSource *source, size_t length)
{
    size_t offset;

    if (!check_encoding(source, length)) {
        return FALSE;
    }
    if (!tsim_json_text_blank_comments(source->plain, &offset)) {
        complain_at(source, offset, "", "got a comment without end, expected \"*/\" to close it");
        return FALSE;
    }
    return tsim_json_text_check(source->plain, complain_callback, source);
}

/* The check lets nothing through that json-c refuses; should it ever, this says so. */
static gboolean build_tree(TsimJsonSource *source)
{
    json_tokener *tokener = json_tokener_new_ex(TSIM_JSON_DEPTH_MAX + 2);

    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    source->root = json_tokener_parse_ex(tokener, source->plain, (int)(strlen(source->plain) + 1));
    const enum json_tokener_error status = json_tokener_get_error(tokener);
    if (status != json_tokener_success) {
        complain_at(source, json_tokener_get_parse_end(tokener), "",
                    json_tokener_error_desc(status));
    }
    json_tokener_free(tokener);
    return status == json_tokener_success;
}

TsimJsonSource *tsim_json_source_parse(const char *name, const char *text, size_t length,
                                       TsimProblems *problems)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    g_autoptr(TsimJsonSource) source = g_new0(TsimJsonSource, 1);

    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    source->name = g_strdup(name);
    source->folder = g_path_get_dirname(name);
    source->text = g_strndup(text, length);
    source->plain = g_strdup(source->text);
    source->overrides = g_array_new(FALSE, FALSE, sizeof(Override));
    g_array_set_clear_func(source->overrides, clear_override);
    source->problems = problems;
    if (!check_text(source, length) || !build_tree(source)) {
        return NULL;
    }
    return g_steal_pointer(&source);
}

void tsim_json_source_free(TsimJsonSource *source)
{
    if (source == NULL) {
        return;
    }
    json_object_put(source->root);
    g_array_unref(source->overrides);
    g_free(source->name);
    g_free(source->folder);
    g_free(source->text);
    g_free(source->plain);
    g_free(source);
}

static GString *read_file(const char *path, TsimProblems *problems)
{
    const gboolean is_stdin = strcmp(path, "-") == 0;
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    GString *text = NULL;
    int failure = errno;

    if (stream != NULL) {
        text = tsim_stream_read(stream, TSIM_JSON_BYTES_MAX);
        failure = ferror(stream) ? errno : 0;
        if (!is_stdin) {
            (void)fclose(stream);
        }
    }
    if (stream == NULL || failure != 0) {
        g_autofree char *why = g_strdup_printf("cannot be read: %s", g_strerror(failure));
        tsim_problems_add(problems, TSIM_ERROR_IO, path, path, why);
        if (text != NULL) {
            g_string_free(text, TRUE);
        }
        return NULL;
    }
    return text;
}

/* What a file is called in messages. */
static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

GString *tsim_json_source_read_text(const char *path, TsimProblems *problems)
{
    g_autoptr(GString) text = read_file(path, problems);

    if (text != NULL && text->len > TSIM_JSON_BYTES_MAX) {
        tsim_problems_add(problems, TSIM_ERROR_INPUT, name_of(path), name_of(path),
                          "got more than 16 MiB, expected a smaller file (long lists of factors "
                          "can stand in a CSV file)");
        return NULL;
    }
    return g_steal_pointer(&text);
}

TsimJsonSource *tsim_json_source_read(const char *path, TsimProblems *problems)
{
    g_autoptr(GString) text = tsim_json_source_read_text(path, problems);

    return text != NULL ? tsim_json_source_parse(name_of(path), text->str, text->len, problems)
                        : NULL;
}

const char *tsim_json_source_name(const TsimJsonSource *source)
{
    return source->name;
}

TsimProblems *tsim_json_source_problems(const TsimJsonSource *source)
{
    return source->problems;
}

/* ---- Walking ---- */

TsimJsonNode tsim_json_root(TsimJsonSource *source)
{
    return (TsimJsonNode){.source = source, .value = source->root};
}

TsimJsonNode tsim_json_missing(const TsimJsonNode *object, const char *key)
{
    return (TsimJsonNode){.source = object->source, .parent = object, .key = key};
}

gboolean tsim_json_member(const TsimJsonNode *object, const char *key, TsimJsonNode *ret_member)
{
    *ret_member = tsim_json_missing(object, key);
    return json_object_object_get_ex(object->value, key, &ret_member->value) != 0;
}

TsimJsonNode tsim_json_item(const TsimJsonNode *array, size_t index)
{
    return (TsimJsonNode){
        .source = array->source,
        .value = json_object_array_get_idx(array->value, index),
        .parent = array,
        .index = index,
    };
}

gboolean tsim_json_is(const TsimJsonNode *node, json_type type)
{
    return json_object_is_type(node->value, type) != 0;
}

static void append_steps(GString *pointer, const TsimJsonNode *node)
{
    if (node->parent == NULL) {
        return;
    }
    append_steps(pointer, node->parent);
    if (node->key != NULL) {
        tsim_json_pointer_append(pointer, node->key);
    } else {
        g_string_append_printf(pointer, "/%zu", node->index);
    }
}

static char *pointer_of(const TsimJsonNode *node)
{
    GString *pointer = g_string_new(NULL);

    append_steps(pointer, node);
    return g_string_free(pointer, FALSE);
}

/* ---- Overrides ---- */

static void remember_override(const TsimJsonNode *node, const char *label)
{
    const Override override = {pointer_of(node), g_strdup(label)};

    g_array_append_val(node->source->overrides, override);
}

void tsim_json_override_member(const TsimJsonNode *parent, const char *key, json_object *value,
                               const char *label)
{
    const TsimJsonNode member = tsim_json_missing(parent, key);

    (void)json_object_object_add(parent->value, key, value);
    remember_override(&member, label);
}

void tsim_json_override_item(const TsimJsonNode *parent, size_t index, json_object *value,
                             const char *label)
{
    (void)json_object_array_put_idx(parent->value, index, value);
    const TsimJsonNode item = tsim_json_item(parent, index);
    remember_override(&item, label);
}

static gboolean is_at_or_below(const char *pointer, const char *ancestor)
{
    const size_t length = strlen(ancestor);

    return strncmp(pointer, ancestor, length) == 0 &&
           (pointer[length] == '\0' || pointer[length] == '/');
}

static const char *find_label(const TsimJsonSource *source, const char *pointer)
{
    for (guint i = source->overrides->len; i-- > 0;) {
        const Override *override = &g_array_index(source->overrides, Override, i);
        if (is_at_or_below(pointer, override->pointer)) {
            return override->label;
        }
    }
    return NULL;
}

const char *tsim_json_override_label(const TsimJsonNode *node)
{
    g_autofree char *pointer = pointer_of(node);

    return find_label(node->source, pointer);
}

char *tsim_json_resolve_path(const TsimJsonNode *node, const char *path)
{
    if (g_path_is_absolute(path) || tsim_json_override_label(node) != NULL ||
        strcmp(node->source->folder, ".") == 0) {
        return g_strdup(path);
    }
    return g_build_filename(node->source->folder, path, NULL);
}

/* ---- Complaining ---- */

static char *place_of(const TsimJsonNode *node, gboolean at_key, const char **ret_label)
{
    TsimJsonSource *source = node->source;
    g_autofree char *pointer = pointer_of(node);
    const char *shown = *pointer == '\0' ? "/" : pointer;

    *ret_label = find_label(source, pointer);
    if (*ret_label != NULL) {
        return g_strdup_printf("%s: %s", *ret_label, shown);
    }
    const size_t offset = tsim_json_text_find(source->plain, pointer, at_key, &source->memo);
    const TsimJsonPosition position = tsim_json_text_position(source->text, offset, &source->memo);
    return g_strdup_printf("%s:%zu:%zu: %s", source->name, position.line, position.column, shown);
}

char *tsim_json_place(const TsimJsonNode *node)
{
    const char *label;

    return place_of(node, FALSE, &label);
}

/* An override may be wrong in several draws; one complaint says enough. */
static void report(const TsimJsonNode *node, gboolean at_key, TsimErrorCode code, const char *text)
{
    TsimProblems *problems = node->source->problems;
    const char *label = NULL;

    /* What is only counted needs no place, which takes a search of the text. */
    g_autofree char *place =
        tsim_problems_are_full(problems) ? pointer_of(node) : place_of(node, at_key, &label);
    if (label != NULL) {
        tsim_problems_add(problems, TSIM_ERROR_USAGE, label, place, text);
    } else {
        tsim_problems_add(problems, code, place, place, text);
    }
}

/* The value as JSON, cut where it gets long. */
static char *excerpt(json_object *value)
{
    const char *text = json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
                                                                 JSON_C_TO_STRING_NOSLASHESCAPE);

    if (strlen(text) <= EXCERPT_BYTES) {
        return g_strdup(text);
    }
    const char *end = g_utf8_find_prev_char(text, text + EXCERPT_BYTES + 1);
    return g_strdup_printf("%.*s...", (int)(end - text), text);
}

gboolean tsim_json_wrong(const TsimJsonNode *node, const char *format, ...)
{
    g_autofree char *got = excerpt(node->value);
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *expected = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *text = g_strdup_printf("got %s, expected %s", got, expected);
    report(node, FALSE, TSIM_ERROR_INPUT, text);
    return FALSE;
}

gboolean tsim_json_error(const TsimJsonNode *node, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    report(node, FALSE, TSIM_ERROR_INPUT, text);
    return FALSE;
}

void tsim_json_report(const TsimJsonNode *node, const GError *error)
{
    report(node, FALSE, (TsimErrorCode)error->code, error->message);
}

void tsim_json_unknown_key(const TsimJsonNode *object, const char *key,
                           const char *const *candidates)
{
    const TsimJsonNode member = tsim_json_missing(object, key);
    const char *nearest =
        tsim_problems_are_full(object->source->problems) ? "" : tsim_suggest(key, candidates);
    g_autofree char *text =
        g_strdup_printf("got an unknown key \"%s\"; did you mean \"%s\"?", key, nearest);

    report(&member, TRUE, TSIM_ERROR_INPUT, text);
}

void tsim_json_warning(const TsimJsonNode *node, const char *format, ...)
{
    g_autofree char *place = tsim_json_place(node);
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    tsim_problems_warn(node->source->problems, place, text);
}
