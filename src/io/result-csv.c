#include "io/result-csv.h"

#include "io/result-table.h"

#include <string.h>

void tsim_csv_cell(GString *table, const char *text)
{
    const gboolean quoted = strpbrk(text, ",\"\r\n") != NULL;

    if (quoted) {
        g_string_append_c(table, '"');
    }
    for (; *text != '\0'; text++) {
        g_string_append(table, *text == '"' ? "\"" : "");
        g_string_append_c(table, *text);
    }
    g_string_append(table, quoted ? "\"," : ",");
}

void tsim_csv_end_line(GString *table)
{
    table->str[table->len - 1] = '\n';
}

char *tsim_result_csv(const TsimResult *result)
{
    g_autoptr(GArray) rows = tsim_result_rows(result);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < rows->len; i++) {
        tsim_csv_cell(text, g_array_index(rows, TsimResultRow, i).name);
    }
    tsim_csv_end_line(text);
    for (guint i = 0; i < rows->len; i++) {
        tsim_csv_cell(text, g_array_index(rows, TsimResultRow, i).text);
    }
    tsim_csv_end_line(text);
    return g_string_free(text, FALSE);
}
