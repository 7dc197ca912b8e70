#include "csv.h"

#include "base/field.h"

#include <stdlib.h>
#include <string.h>

static void free_fields(gpointer fields)
{
    g_strfreev(fields);
}

static char **split_line(const char *line)
{
    GPtrArray *fields = g_ptr_array_new();
    GString *field = g_string_new(NULL);
    gboolean quoted = FALSE;

    for (const char *c = line; *c != '\0'; c++) {
        if (*c == '"') {
            quoted = !quoted;
        } else if (*c == ',' && !quoted) {
            g_ptr_array_add(fields, g_strdup(field->str));
            g_string_truncate(field, 0);
        } else {
            g_string_append_c(field, *c);
        }
    }
    g_ptr_array_add(fields, g_string_free(field, FALSE));
    g_ptr_array_add(fields, NULL);
    return (char **)g_ptr_array_free(fields, FALSE);
}

Csv *csv_read(const char *name)
{
    char *path = g_build_filename(g_getenv("TSIM_GOLDEN_DIR"), name, NULL);
    Csv *csv = g_new0(Csv, 1);
    GError *error = NULL;
    char *text = NULL;

    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);

    char **lines = g_strsplit(g_strchomp(text), "\n", -1);

    csv->columns = split_line(lines[0]);
    csv->rows = g_ptr_array_new_with_free_func(free_fields);
    for (char **line = lines + 1; *line != NULL; line++) {
        char **fields = split_line(*line);

        g_assert_cmpuint(g_strv_length(fields), ==, g_strv_length(csv->columns));
        g_ptr_array_add(csv->rows, fields);
    }
    g_strfreev(lines);
    g_free(text);
    g_free(path);
    return csv;
}

void csv_free(Csv *csv)
{
    g_strfreev(csv->columns);
    g_ptr_array_free(csv->rows, TRUE);
    g_free(csv);
}

const char *csv_text(const Csv *csv, guint row, const char *column)
{
    char **fields = g_ptr_array_index(csv->rows, row);

    for (guint i = 0; csv->columns[i] != NULL; i++) {
        if (strcmp(csv->columns[i], column) == 0) {
            return fields[i];
        }
    }
    g_error("no column %s", column);
}

uint64_t csv_uint(const Csv *csv, guint row, const char *column)
{
    return g_ascii_strtoull(csv_text(csv, row, column), NULL, 10);
}

float csv_float(const Csv *csv, guint row, const char *column)
{
    return strtof(csv_text(csv, row, column), NULL);
}

guint csv_word(const Csv *csv, guint row, const char *column, const char *const *words)
{
    const int index = tsim_word_index(words, csv_text(csv, row, column));

    g_assert_cmpint(index, >=, 0);
    return (guint)index;
}
