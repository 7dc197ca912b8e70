/* What held a run back, in one sentence that says what to do about it.
 *
 * Looked for in this order: DS waves that may run on one CU only; a resource that is nearly always
 * busy; one instance of a resource that is, while the others idle; the launch queue furthest down
 * the pipeline that waits, for those in front of it wait in turn; latency.
 */
#pragma once

#include "stats/result.h"

typedef struct {
    const char *resource; /* static: a key of stats/result.h, or "none", "latency" */
    double utilisation;   /* share of the run that it was busy, or waited for */
    char *text;
} TsimBottleneck;

TsimBottleneck tsim_bottleneck_find(const TsimResult *result);
void tsim_bottleneck_clear(TsimBottleneck *bottleneck);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimBottleneck, tsim_bottleneck_clear)

/* "the 32.2 DS waves in flight on average would fit in 2.0 of the 12 CUs", a CU being full at the
 * most waves that one held; the caller frees it. */
char *tsim_bottleneck_ds_spread(const TsimResult *result);

/* "DS" for TSIM_STAGE_DS; static. */
const char *tsim_stage_title(int stage);
