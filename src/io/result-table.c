#include "io/result-table.h"

#include "io/encode.h"
#include "io/result-fields.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
    GArray *rows;
    GString *path;
    GArray *groups; /* of OpenGroup, the outermost first */
} Table;

typedef struct {
    TsimResultGroup type;
    gsize path_length; /* of the path to it */
    guint items;
} OpenGroup;

static void clear_row(void *user)
{
    TsimResultRow *row = user;

    g_free(row->name);
    g_free(row->text);
    g_free(row->unit);
    g_free(row->blurb);
}

static OpenGroup *innermost(const Table *table)
{
    return &g_array_index(table->groups, OpenGroup, table->groups->len - 1);
}

/* Appends the step from the innermost group to its next member. */
static void step_into(Table *table, const char *key)
{
    OpenGroup *group = innermost(table);

    if (table->path->len > 0) {
        g_string_append_c(table->path, '.');
    }
    if (key != NULL) {
        g_string_append(table->path, key);
    } else if (group->type == TSIM_GROUP_LIST) {
        g_string_append_printf(table->path, "%u", group->items++);
    }
}

static void step_out(Table *table)
{
    g_string_truncate(table->path, innermost(table)->path_length);
}

static void open_group(void *user, TsimResultGroup type, const TsimResultField *field)
{
    Table *table = user;

    step_into(table, field->key);
    const OpenGroup group = {type, table->path->len, 0};
    g_array_append_val(table->groups, group);
}

static void close_group(void *user)
{
    Table *table = user;

    g_array_set_size(table->groups, table->groups->len - 1);
    step_out(table);
}

/* Takes text. */
static void add(Table *table, const TsimResultField *field, char *text, gboolean is_number,
                double number)
{
    if (innermost(table)->type == TSIM_GROUP_SCALARS) {
        g_free(text);
        return;
    }
    step_into(table, field->key);
    const TsimResultRow row = {
        .name = g_strdup(table->path->str),
        .text = text,
        .is_number = is_number,
        .number = number,
        .unit = g_strdup(field->unit),
        .blurb = g_strdup(field->blurb),
    };
    g_array_append_val(table->rows, row);
    step_out(table);
}

static void add_count(void *user, const TsimResultField *field, uint64_t value)
{
    add(user, field, g_strdup_printf("%" PRIu64, value), TRUE, (double)value);
}

static void add_real(void *user, const TsimResultField *field, double value)
{
    json_object *number = tsim_encode_real(value);

    add(user, field, g_strdup(json_object_to_json_string(number)), TRUE, value);
    json_object_put(number);
}

static void add_flag(void *user, const TsimResultField *field, gboolean value)
{
    add(user, field, g_strdup(value ? "true" : "false"), FALSE, 0.0);
}

static void add_word(void *user, const TsimResultField *field, const char *value)
{
    add(user, field, g_strdup(value), FALSE, 0.0);
}

GArray *tsim_result_rows(const TsimResult *result)
{
    static const TsimResultVisitor visitor = {open_group, close_group, add_count, add_real,
                                              add_flag,   add_word,    TRUE};
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(OpenGroup));
    g_autoptr(GString) path = g_string_new(NULL);
    Table table = {g_array_new(FALSE, FALSE, sizeof(TsimResultRow)), path, groups};

    const OpenGroup outside = {TSIM_GROUP_OBJECT, 0, 0};

    g_array_set_clear_func(table.rows, clear_row);
    g_array_append_val(groups, outside);
    tsim_result_visit(result, &visitor, &table);
    return table.rows;
}

const TsimResultRow *tsim_result_row_next(const GArray *rows, const char *name, guint *at)
{
    for (guint i = 0; i < rows->len; i++) {
        const guint index = (*at + i) % rows->len;
        const TsimResultRow *row = &g_array_index(rows, TsimResultRow, index);
        if (strcmp(row->name, name) == 0) {
            *at = index + 1;
            return row;
        }
    }
    return NULL;
}

const TsimResultRow *tsim_result_row(const GArray *rows, const char *name)
{
    guint at = 0;

    return tsim_result_row_next(rows, name, &at);
}

gboolean tsim_result_row_ratio(const TsimResultRow *a, const TsimResultRow *b, double *ret_ratio)
{
    if (!a->is_number || a->number <= 0.0) {
        return FALSE;
    }
    *ret_ratio = b->number / a->number;
    return TRUE;
}
