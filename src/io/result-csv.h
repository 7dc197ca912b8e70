/* A result as CSV: a header and one row, a column a value, named as in JSON ("totals.patches").
 *
 * Runs of one scenario have the same columns, so rows of many runs make one table.
 */
#pragma once

#include "stats/result.h"

char *tsim_result_csv(const TsimResult *result); /* the caller frees it */

/* A cell, quoted where it must be (RFC 4180), and the end of a line of at least one cell. */
void tsim_csv_cell(GString *table, const char *text);
void tsim_csv_end_line(GString *table);
