/* Golden CSV tables for tests: a header line, then rows; commas, optional double quotes, no line
 * breaks inside a field. A file or column that is missing ends the test program.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    char **columns;  /* names, NULL-terminated */
    GPtrArray *rows; /* of char **, one string a column */
} Csv;

/* name is relative to $TSIM_GOLDEN_DIR. */
Csv *csv_read(const char *name);
void csv_free(Csv *csv);

const char *csv_text(const Csv *csv, guint row, const char *column);

/* An empty field gives 0. */
uint64_t csv_uint(const Csv *csv, guint row, const char *column);
float csv_float(const Csv *csv, guint row, const char *column);

/* Index of the field in a NULL-terminated list of words; a word outside it ends the program. */
guint csv_word(const Csv *csv, guint row, const char *column, const char *const *words);
