#include "base/field.h"

#include "base/error.h"
#include "base/rate.h"

#include <string.h>

static void init_field(const TsimField *field, void *member)
{
    switch (field->type) {
    case TSIM_FIELD_BOOL:
        *(gboolean *)member = field->initial > 0.0;
        break;
    case TSIM_FIELD_U32:
        *(uint32_t *)member = (uint32_t)field->initial;
        break;
    case TSIM_FIELD_U64:
        *(uint64_t *)member = (uint64_t)field->initial;
        break;
    case TSIM_FIELD_REAL:
        *(double *)member = field->initial;
        break;
    case TSIM_FIELD_RATE:
        *(TsimRate *)member = tsim_rate_from_double(field->initial);
        break;
    case TSIM_FIELD_ENUM:
        *(int *)member = (int)field->initial;
        break;
    case TSIM_FIELD_STRING:
        *(char **)member = NULL;
        break;
    case TSIM_FIELD_COUNTS:
        *(TsimCounts *)member = (TsimCounts){.n = 1, .values = {(uint32_t)field->initial}};
        break;
    case TSIM_FIELD_VEC3:
        for (int axis = 0; axis < 3; axis++) {
            ((double *)member)[axis] = field->initial;
        }
        break;
    }
}

void tsim_fields_init(const TsimField *fields, void *object)
{
    for (const TsimField *field = fields; field->name != NULL; field++) {
        init_field(field, (char *)object + field->offset);
    }
}

const TsimField *tsim_field_find(const TsimField *fields, const char *name)
{
    for (const TsimField *field = fields; field->name != NULL; field++) {
        if (strcmp(field->name, name) == 0) {
            return field;
        }
    }
    return NULL;
}

int tsim_word_index(const char *const *names, const char *word)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0) {
            return i;
        }
    }
    return -1;
}
