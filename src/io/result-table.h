/* A result laid flat: one row a value, named by its path ("totals.patches", "draws.0.mode").
 *
 * CSV, comparisons and the list of metrics read it. Lists of numbers (time series) and of words are
 * left out.
 */
#pragma once

#include "stats/result.h"

typedef struct {
    char *name;
    char *text; /* the value, as JSON would write it but without quotes */
    gboolean is_number;
    double number;
    char *unit, *blurb;
} TsimResultRow;

GArray *tsim_result_rows(const TsimResult *result); /* of TsimResultRow; g_array_unref frees all */

/* The row of that name, or NULL. */
const TsimResultRow *tsim_result_row(const GArray *rows, const char *name);

/* The same, looked for from *at on and around; *at is then behind it. Tables of two runs are walked
 * side by side so, without a search for each row. */
const TsimResultRow *tsim_result_row_next(const GArray *rows, const char *name, guint *at);

/* FALSE when b / a has no meaning. */
gboolean tsim_result_row_ratio(const TsimResultRow *a, const TsimResultRow *b, double *ret_ratio);
