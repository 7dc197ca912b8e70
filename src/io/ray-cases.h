/* Runs a file of ray-intersection cases (golden/ray_cases.json, format "ray-cases" version 1)
 * through the whole unit: operand registers, encoded nodes, descriptor, result registers.
 *
 * Where a case gives bit patterns, they are the inputs. Box cases run with growths 0, 6 and 255 and
 * with every node and operand format that holds their numbers exactly. A case that is not strict
 * and comes out differently is "open": allowed, but worth a look.
 *
 * Errors: TSIM_ERROR_IO, TSIM_ERROR_INPUT with file, list and case.
 */
#pragma once

#include "hw/ray-intersect.h"

#include <glib.h>

typedef enum {
    TSIM_RAY_CASES_BOX,
    TSIM_RAY_CASES_TRIANGLE,
    TSIM_RAY_CASES_BOX_SORT,
    TSIM_RAY_CASES_TRIANGLE_NODE,
    TSIM_RAY_CASES_SHARED_EDGE,
    TSIM_RAY_CASES_LISTS,
} TsimRayCasesList;

extern const char *const tsim_ray_cases_list_names[TSIM_RAY_CASES_LISTS];

typedef struct {
    unsigned passed;
    unsigned failed; /* strict cases that differ */
    unsigned open;   /* others that differ */
} TsimRayCasesCount;

typedef struct {
    TsimRayCasesList list;
    gboolean strict;
    char *id;
    char *expected;
    char *found;
} TsimRayCasesDifference;

typedef struct {
    TsimRayCasesCount counts[TSIM_RAY_CASES_LISTS];
    GPtrArray *differences; /* TsimRayCasesDifference, in file order; owned */
} TsimRayCases;

TsimRayCases *tsim_ray_cases_run(const char *path, const TsimRayOptions *options, GError **error);
void tsim_ray_cases_free(TsimRayCases *cases); /* NULL is fine */

gboolean tsim_ray_cases_passed(const TsimRayCases *cases);

/* One line a list; with `verbose` one more for each difference, with both values. */
void tsim_ray_cases_format(const TsimRayCases *cases, gboolean verbose, GString *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimRayCases, tsim_ray_cases_free)
