#include "io/encode.h"

#include "base/error.h"
#include "base/rate.h"

const char *tsim_encode_real_text(double value, char *text)
{
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};

    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        (void)g_ascii_formatd(text, G_ASCII_DTOSTR_BUF_SIZE, formats[i], value);
        const double back = g_ascii_strtod(text, NULL);
        if (!(back < value) && !(back > value)) {
            break;
        }
    }
    return text;
}

json_object *tsim_encode_real(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    return json_object_new_double_s(value, tsim_encode_real_text(value, text));
}

static json_object *encode_counts(const TsimCounts *counts)
{
    if (counts->n == 1) {
        return json_object_new_uint64(counts->values[0]);
    }
    json_object *list = json_object_new_array_ext((int)counts->n);
    for (uint32_t i = 0; i < counts->n; i++) {
        (void)json_object_array_add(list, json_object_new_uint64(counts->values[i]));
    }
    return list;
}

static json_object *encode_vec3(const double vector[3])
{
    json_object *list = json_object_new_array_ext(3);

    for (int i = 0; i < 3; i++) {
        (void)json_object_array_add(list, tsim_encode_real(vector[i]));
    }
    return list;
}

static json_object *encode_member(const TsimField *field, const void *member)
{
    const char *text;

    switch (field->type) {
    case TSIM_FIELD_BOOL:
        return json_object_new_boolean(*(const gboolean *)member);
    case TSIM_FIELD_U32:
        return json_object_new_uint64(*(const uint32_t *)member);
    case TSIM_FIELD_U64:
        return json_object_new_uint64(*(const uint64_t *)member);
    case TSIM_FIELD_REAL:
        return tsim_encode_real(*(const double *)member);
    case TSIM_FIELD_RATE:
        return tsim_encode_real(tsim_rate_to_double(*(const TsimRate *)member));
    case TSIM_FIELD_ENUM:
        return json_object_new_string(field->names[*(const int *)member]);
    case TSIM_FIELD_STRING:
        text = *(char *const *)member;
        return text == NULL ? NULL : json_object_new_string(text);
    case TSIM_FIELD_COUNTS:
        return encode_counts(member);
    case TSIM_FIELD_VEC3:
        return encode_vec3(member);
    }
    TSIM_ASSERT(FALSE);
}

json_object *tsim_encode_value(const TsimField *field, const void *object)
{
    return encode_member(field, (const char *)object + field->offset);
}

static gboolean has_default(const TsimField *field)
{
    if (field->required || field->type == TSIM_FIELD_STRING) {
        return FALSE;
    }
    return field->type == TSIM_FIELD_BOOL || field->type == TSIM_FIELD_ENUM ||
           (field->initial >= field->min && field->initial <= field->max);
}

json_object *tsim_encode_default(const TsimField *field)
{
    union {
        uint64_t whole;
        double real;
        TsimRate rate;
        TsimCounts counts;
        double vector[3];
    } member;
    TsimField table[] = {*field, {0}};

    if (!has_default(field)) {
        return NULL;
    }
    table[0].offset = 0;
    tsim_fields_init(table, &member);
    return encode_member(field, &member);
}

void tsim_put_real(TsimFileSink *sink, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (value >= 0.0 && value < 1e15 && !((double)(uint64_t)value < value)) {
        tsim_put_count(sink, (uint64_t)value);
        return;
    }
    tsim_puts(sink, tsim_encode_real_text(value, text));
}
