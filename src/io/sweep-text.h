/* A sweep for people: the best points, what each setting does, what failed.
 *
 * Points are ranked by the first metric of the plan, lower is better: the mean of its runs. With
 * replications, ratios to the best point are paired and have confidence intervals.
 */
#pragma once

#include "io/page.h"
#include "io/sweep-plan.h"

/* lines: one a run, in order; NULL: missing. */
void tsim_sweep_text(TsimPage *page, const TsimSweepPlan *plan, char *const *lines);

/* A number of a run's line; NaN when the line is missing, failed, or has no such number. */
double tsim_sweep_value(const char *line, const char *metric);
