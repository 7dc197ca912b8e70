/* Lines of a sweep as one table: columns in the order in which lines name them first.
 *
 * Lines are those of io/point-line.h, each with its line end; NULLs, of runs that are missing, are
 * left out.
 */
#pragma once

#include "io/flat-line.h"

#include <stdint.h>

typedef struct {
    char *const *lines;
    uint64_t lines_n;
    GPtrArray *columns;    /* char *, names */
    GHashTable *positions; /* name: GUINT_TO_POINTER(column) */
} TsimLineTable;

/* Borrows lines. */
TsimLineTable tsim_line_table_new(char *const *lines, uint64_t lines_n);
void tsim_line_table_clear(TsimLineTable *table);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimLineTable, tsim_line_table_clear)

/* The column of a member; guess: where it probably is, the column behind that of the last one. */
guint tsim_line_table_column(const TsimLineTable *table, const TsimFlatMember *member, guint guess);

char *tsim_line_table_csv(const TsimLineTable *table);

/* A list of rows, each a list of values; the first one has the names. null: no value. */
char *tsim_line_table_json(const TsimLineTable *table);

/* Writes a new database with one table "runs". FALSE and error, also when tesssim was built without
 * SQLite. */
gboolean tsim_line_table_sqlite(const TsimLineTable *table, const char *path, GError **error);
