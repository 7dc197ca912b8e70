/* A sweep for people: the best points, what each setting does, what failed.
 *
 * With replications, ratios to the best point are paired and have confidence intervals.
 */
#pragma once

#include "io/page.h"
#include "io/sweep-plan.h"

/* lines: one a run, in order; NULL: missing. */
void tsim_sweep_text(TsimPage *page, const TsimSweepPlan *plan, char *const *lines);
