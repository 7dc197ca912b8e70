#include "io/line-table.h"

#include "io/result-csv.h"

#include <json-c/json.h>
#include <string.h>

TsimLineTable tsim_line_table_new(char *const *lines, uint64_t lines_n)
{
    TsimLineTable table = {lines, lines_n, g_ptr_array_new_with_free_func(g_free),
                           g_hash_table_new(g_str_hash, g_str_equal)};
    g_autoptr(GString) name = g_string_new(NULL);
    TsimFlatMember member;

    for (uint64_t i = 0; i < lines_n; i++) {
        TsimFlatCursor cursor = tsim_flat_line_of(lines[i]);
        for (guint at = 0; tsim_flat_line_next(&cursor, &member); at++) {
            /* Lines of one sweep mostly have the same columns at the same places. */
            if (at < table.columns->len && tsim_flat_member_is(&member, table.columns->pdata[at])) {
                continue;
            }
            g_string_truncate(name, 0);
            g_string_append_len(name, member.key, (gssize)member.key_length);
            if (!g_hash_table_contains(table.positions, name->str)) {
                char *column = g_strdup(name->str);
                (void)g_hash_table_insert(table.positions, column,
                                          GUINT_TO_POINTER(table.columns->len));
                g_ptr_array_add(table.columns, column);
            }
        }
    }
    return table;
}

void tsim_line_table_clear(TsimLineTable *table)
{
    g_hash_table_unref(table->positions);
    g_ptr_array_unref(table->columns);
    *table = (TsimLineTable){0};
}

guint tsim_line_table_column(const TsimLineTable *table, const TsimFlatMember *member, guint guess)
{
    if (guess < table->columns->len && tsim_flat_member_is(member, table->columns->pdata[guess])) {
        return guess;
    }
    g_autofree char *name = g_strndup(member->key, member->key_length);
    return GPOINTER_TO_UINT(g_hash_table_lookup(table->positions, name));
}

/* ---- CSV ---- */

static gboolean is_null(const TsimFlatMember *member)
{
    return !member->is_text && *member->value == 'n';
}

static void add_row(const TsimLineTable *table, const char *line, char **cells, GString *text)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;

    for (guint at = 0; tsim_flat_line_next(&cursor, &member); at++) {
        at = tsim_line_table_column(table, &member, at);
        cells[at] = is_null(&member) ? NULL : tsim_flat_member_text(&member);
    }
    for (guint i = 0; i < table->columns->len; i++) {
        tsim_csv_cell(text, cells[i] != NULL ? cells[i] : "");
        g_clear_pointer(&cells[i], g_free);
    }
    tsim_csv_end_line(text);
}

char *tsim_line_table_csv(const TsimLineTable *table)
{
    g_autofree char **cells = g_new0(char *, table->columns->len);
    GString *text = g_string_new(NULL);

    if (table->columns->len == 0) {
        return g_string_free(text, FALSE);
    }
    for (guint i = 0; i < table->columns->len; i++) {
        tsim_csv_cell(text, table->columns->pdata[i]);
    }
    tsim_csv_end_line(text);
    for (uint64_t i = 0; i < table->lines_n; i++) {
        if (table->lines[i] != NULL) {
            add_row(table, table->lines[i], cells, text);
        }
    }
    return g_string_free(text, FALSE);
}

/* ---- JSON ---- */

/* Values are copied as they are written: a line is JSON already. */
static void add_json_row(const TsimLineTable *table, const char *line, TsimFlatMember *cells,
                         GString *text)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;

    memset(cells, 0, table->columns->len * sizeof *cells);
    for (guint at = 0; tsim_flat_line_next(&cursor, &member); at++) {
        at = tsim_line_table_column(table, &member, at);
        cells[at] = member;
    }
    for (guint i = 0; i < table->columns->len; i++) {
        const char *quote = cells[i].is_text ? "\"" : "";
        g_string_append_printf(text, "%s%s", i > 0 ? "," : ",\n[", quote);
        if (cells[i].value == NULL) {
            g_string_append(text, "null");
        } else {
            g_string_append_len(text, cells[i].value, (gssize)cells[i].value_length);
        }
        g_string_append(text, quote);
    }
    g_string_append_c(text, ']');
}

char *tsim_line_table_json(const TsimLineTable *table)
{
    g_autofree TsimFlatMember *cells = g_new0(TsimFlatMember, table->columns->len);
    GString *text = g_string_new("[");
    json_object *names = json_object_new_array();

    for (guint i = 0; i < table->columns->len; i++) {
        (void)json_object_array_add(names, json_object_new_string(table->columns->pdata[i]));
    }
    g_string_append(text, json_object_to_json_string_ext(names, JSON_C_TO_STRING_PLAIN));
    json_object_put(names);
    for (uint64_t i = 0; i < table->lines_n; i++) {
        if (table->lines[i] != NULL) {
            add_json_row(table, table->lines[i], cells, text);
        }
    }
    g_string_append_c(text, ']');
    return g_string_free(text, FALSE);
}
