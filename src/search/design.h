/* Which values a sweep tries: points of a design over axes of levels.
 *
 * Every point is a pure function of (sampling, levels, points, seed), so that shards and threads
 * agree without talking. Sobol points come from gsl_qrng_sobol, shifted by the seed.
 */
#pragma once

#include "io/sweep-plan.h"

typedef struct TsimDesign TsimDesign;

/* NULL and error (TSIM_ERROR_USAGE) when a Sobol design has more axes than GSL offers. */
TsimDesign *tsim_design_new(const TsimSweepPlan *plan, GError **error);
void tsim_design_free(TsimDesign *design); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimDesign, tsim_design_free)

/* The level of an axis at a point; points 0 .. plan->points - 1. */
guint tsim_design_level(const TsimDesign *design, uint64_t point, guint axis);
