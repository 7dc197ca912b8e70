#include "io/decode.h"

#include "base/error.h"
#include "base/rate.h"
#include "io/encode.h"

#include <math.h>
#include <string.h>

/* ---- Words for what is allowed ---- */

static char *expected_words(const char *const *names)
{
    GString *text = g_string_new(NULL);

    for (int i = 0; names[i] != NULL; i++) {
        const char *separator = i == 0 ? "" : names[i + 1] == NULL ? " or " : ", ";
        g_string_append_printf(text, "%s\"%s\"", separator, names[i]);
    }
    return g_string_free(text, FALSE);
}

static char *expected_range(const char *what, double min, double max, const char *unit)
{
    char texts[2][G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *with_unit = *unit == '\0' ? g_strdup("") : g_strdup_printf(" (%s)", unit);

    return g_strdup_printf("%s from %s to %s%s", what, tsim_encode_real_text(min, texts[0]),
                           tsim_encode_real_text(max, texts[1]), with_unit);
}

char *tsim_field_expected(const TsimField *field)
{
    switch (field->type) {
    case TSIM_FIELD_BOOL:
        return g_strdup("true or false");
    case TSIM_FIELD_U32:
    case TSIM_FIELD_U64:
        return expected_range("a whole number", field->min, field->max, field->unit);
    case TSIM_FIELD_REAL:
    case TSIM_FIELD_RATE:
        return expected_range("a number", field->min, field->max, field->unit);
    case TSIM_FIELD_ENUM:
        return expected_words(field->names);
    case TSIM_FIELD_STRING:
        return g_strdup("a string");
    case TSIM_FIELD_COUNTS:
        return expected_range("a whole number, or a list of up to 32 of them,", field->min,
                              field->max, field->unit);
    case TSIM_FIELD_VEC3:
        return expected_range("a list of 3 numbers", field->min, field->max, field->unit);
    }
    TSIM_ASSERT(FALSE);
}

/* ---- Numbers ---- */

/* Writes nothing when the value is not a number in the range. */
static gboolean get_real(const TsimJsonNode *node, double min, double max, double *ret_value)
{
    if (!tsim_json_is(node, json_type_int) && !tsim_json_is(node, json_type_double)) {
        return FALSE;
    }
    const double value = json_object_get_double(node->value);
    if (!(value >= min && value <= max)) {
        return FALSE;
    }
    *ret_value = value;
    return TRUE;
}

/* 4096.0 and 1e6 are whole numbers too, as in JSON Schema. */
static gboolean get_whole(const TsimJsonNode *node, double min, double max, uint64_t *ret_value)
{
    double value;

    if (!get_real(node, MAX(min, 0.0), max, &value)) {
        return FALSE;
    }
    if (tsim_json_is(node, json_type_int)) {
        *ret_value = json_object_get_uint64(node->value);
        return TRUE;
    }
    if (floor(value) < value) {
        return FALSE;
    }
    *ret_value = (uint64_t)value;
    return TRUE;
}

gboolean tsim_decode_is(const TsimJsonNode *node, json_type type, const char *expected)
{
    return tsim_json_is(node, type) || tsim_json_wrong(node, "%s", expected);
}

gboolean tsim_decode_real(const TsimJsonNode *node, double min, double max, double *ret_value)
{
    if (get_real(node, min, max, ret_value)) {
        return TRUE;
    }
    g_autofree char *expected = expected_range("a number", min, max, "");
    return tsim_json_wrong(node, "%s", expected);
}

gboolean tsim_decode_u32(const TsimJsonNode *node, uint32_t min, uint32_t max, uint32_t *ret_value)
{
    uint64_t value;

    if (!get_whole(node, min, max, &value)) {
        return tsim_json_wrong(node, "a whole number from %u to %u", min, max);
    }
    *ret_value = (uint32_t)value;
    return TRUE;
}

/* ---- Fields ---- */

static gboolean get_counts(const TsimJsonNode *node, const TsimField *field, TsimCounts *counts)
{
    const gboolean is_list = tsim_json_is(node, json_type_array);
    const size_t n = is_list ? json_object_array_length(node->value) : 1;
    TsimCounts read = {.n = (uint32_t)n};

    if (n < 1 || n > TSIM_COUNTS_MAX) {
        return FALSE;
    }
    for (size_t i = 0; i < n; i++) {
        const TsimJsonNode item = is_list ? tsim_json_item(node, i) : *node;
        uint64_t value;
        if (!get_whole(&item, field->min, field->max, &value)) {
            return FALSE;
        }
        read.values[i] = (uint32_t)value;
    }
    *counts = read;
    return TRUE;
}

static gboolean get_vec3(const TsimJsonNode *node, const TsimField *field, double member[3])
{
    double read[3];

    if (!tsim_json_is(node, json_type_array) || json_object_array_length(node->value) != 3) {
        return FALSE;
    }
    for (size_t i = 0; i < 3; i++) {
        const TsimJsonNode item = tsim_json_item(node, i);
        if (!get_real(&item, field->min, field->max, &read[i])) {
            return FALSE;
        }
    }
    memcpy(member, read, sizeof read);
    return TRUE;
}

static gboolean get_u32(const TsimJsonNode *node, const TsimField *field, uint32_t *member)
{
    uint64_t value;

    if (!get_whole(node, field->min, field->max, &value)) {
        return FALSE;
    }
    *member = (uint32_t)value;
    return TRUE;
}

static gboolean get_rate(const TsimJsonNode *node, const TsimField *field, TsimRate *member)
{
    double value;

    if (!get_real(node, field->min, field->max, &value)) {
        return FALSE;
    }
    *member = tsim_rate_from_double(value);
    return TRUE;
}

static gboolean get_bool(const TsimJsonNode *node, gboolean *member)
{
    if (!tsim_json_is(node, json_type_boolean)) {
        return FALSE;
    }
    *member = json_object_get_boolean(node->value) != 0;
    return TRUE;
}

static gboolean get_word(const TsimJsonNode *node, const char *const *names, int *member)
{
    if (!tsim_json_is(node, json_type_string)) {
        return FALSE;
    }
    const int index = tsim_word_index(names, json_object_get_string(node->value));
    if (index < 0) {
        return FALSE;
    }
    *member = index;
    return TRUE;
}

static gboolean get_text(const TsimJsonNode *node, char **member)
{
    if (!tsim_json_is(node, json_type_string)) {
        return FALSE;
    }
    g_free(*member);
    *member = g_strdup(json_object_get_string(node->value));
    return TRUE;
}

/* The member keeps its value when the JSON value is wrong. */
static gboolean get_field(const TsimJsonNode *node, const TsimField *field, void *member)
{
    switch (field->type) {
    case TSIM_FIELD_BOOL:
        return get_bool(node, member);
    case TSIM_FIELD_U32:
        return get_u32(node, field, member);
    case TSIM_FIELD_U64:
        return get_whole(node, field->min, field->max, member);
    case TSIM_FIELD_REAL:
        return get_real(node, field->min, field->max, member);
    case TSIM_FIELD_RATE:
        return get_rate(node, field, member);
    case TSIM_FIELD_ENUM:
        return get_word(node, field->names, member);
    case TSIM_FIELD_STRING:
        return get_text(node, member);
    case TSIM_FIELD_COUNTS:
        return get_counts(node, field, member);
    case TSIM_FIELD_VEC3:
        return get_vec3(node, field, member);
    }
    TSIM_ASSERT(FALSE);
}

static gboolean is_auto(const TsimJsonNode *node)
{
    return tsim_json_is(node, json_type_string) &&
           strcmp(json_object_get_string(node->value), "auto") == 0;
}

static gboolean decode_value(const TsimJsonNode *node, const TsimField *field, gboolean or_auto,
                             void *object)
{
    if ((or_auto && is_auto(node)) || get_field(node, field, (char *)object + field->offset)) {
        return TRUE;
    }
    g_autofree char *expected = tsim_field_expected(field);
    return tsim_json_wrong(node, "%s%s", or_auto ? "\"auto\" or " : "", expected);
}

gboolean tsim_decode_value(const TsimJsonNode *node, const TsimField *field, void *object)
{
    return decode_value(node, field, FALSE, object);
}

/* ---- Objects ---- */

static guint count_keys(const TsimDecodePart *parts, const char *const *others)
{
    guint n = 0;

    for (; parts->fields != NULL; parts++) {
        for (const TsimField *field = parts->fields; field->name != NULL; field++) {
            n++;
        }
    }
    while (others != NULL && others[0] != NULL) {
        others++;
        n++;
    }
    return n;
}

void tsim_decode_unknown_key(const TsimJsonNode *node, const char *key, const TsimDecodePart *parts,
                             const char *const *others)
{
    g_autofree const char **keys = g_new0(const char *, count_keys(parts, others) + 1);
    guint n = 0;

    for (; parts->fields != NULL; parts++) {
        for (const TsimField *field = parts->fields; field->name != NULL; field++) {
            keys[n++] = field->name;
        }
    }
    for (; others != NULL && *others != NULL; others++) {
        keys[n++] = *others;
    }
    tsim_json_unknown_key(node, key, keys);
}

static gboolean decode_member(const TsimJsonNode *node, const char *key,
                              const TsimDecodePart *parts, const char *const *others)
{
    TsimJsonNode member;

    if (others != NULL && tsim_word_index(others, key) >= 0) {
        return TRUE;
    }
    for (const TsimDecodePart *part = parts; part->fields != NULL; part++) {
        const TsimField *field = tsim_field_find(part->fields, key);
        if (field != NULL) {
            (void)tsim_json_member(node, key, &member);
            return decode_value(&member, field, part->or_auto, part->object);
        }
    }
    tsim_decode_unknown_key(node, key, parts, others);
    return FALSE;
}

static gboolean check_required(const TsimJsonNode *node, const TsimField *field)
{
    TsimJsonNode member;

    if (!field->required || tsim_json_member(node, field->name, &member)) {
        return TRUE;
    }
    g_autofree char *expected = tsim_field_expected(field);
    return tsim_json_error(&member, "missing, expected %s", expected);
}

gboolean tsim_decode_object(const TsimJsonNode *node, const TsimDecodePart *parts,
                            const char *const *others)
{
    gboolean ok = TRUE;

    if (!tsim_decode_is(node, json_type_object, "an object")) {
        return FALSE;
    }
    struct json_object_iterator at = json_object_iter_begin(node->value);
    const struct json_object_iterator end = json_object_iter_end(node->value);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        ok &= decode_member(node, json_object_iter_peek_name(&at), parts, others);
    }
    for (const TsimDecodePart *part = parts; part->fields != NULL; part++) {
        for (const TsimField *field = part->fields; field->name != NULL; field++) {
            ok &= check_required(node, field);
        }
    }
    return ok;
}
