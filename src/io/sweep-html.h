/* A sweep as one HTML page that opens anywhere: what was swept and what is best as plain HTML, the
 * results compressed inside, and the script that draws them (src/io/report/sweep.js).
 */
#pragma once

#include "io/sweep-plan.h"

/* Runs that a page can hold; far more would be slow to open. */
#define TSIM_SWEEP_HTML_RUNS_MAX 200000

typedef struct {
    const TsimSweepPlan *plan;
    const char *scenario, *description, *gpu; /* description may be NULL */
    uint64_t seed;                            /* of the scenario */
    char *const *lines;                       /* one a run, in order; NULL: missing */
    char *const *own;       /* one a replication: the scenario with none of the axes */
    const uint32_t *levels; /* of point p on axis a: [p * axes_n + a] */
} TsimSweepPage;

gboolean tsim_sweep_html_write(const TsimSweepPage *page, const char *path, GError **error);
