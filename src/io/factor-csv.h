/* Tess factors from a CSV file: a header, then one row a patch.
 *
 *     edge0,edge1,edge2,inside0
 *     4,4,8,5.5
 *
 * Columns: edge0.., inside0.. as the domain has them, in any order. Values are numbers; nan and inf
 * too, as captures have them.
 */
#pragma once

#include "io/problems.h"
#include "workload/tessellation.h"

/* text: the file's, with a zero behind it; it is cut up. The factors and their count (0 is fine),
 * g_malloc'ed; NULL when anything is wrong, with "FILE:LINE:COL: got X, expected Y" in problems. */
TsimTessFactors *tsim_factor_csv_parse(const char *path, char *text, size_t bytes,
                                       TsimDomain domain, TsimProblems *problems,
                                       uint64_t *ret_count);
