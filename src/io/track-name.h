/* What tracks of a timeline are called in files: "cu3", "waves.ds", "busy.valu".
 *
 * Strings are the caller's.
 */
#pragma once

#include "stats/timeline.h"

typedef struct {
    uint32_t metric, unit;
} TsimTrackPlace;

TsimTrackPlace tsim_track_place(const TsimTimeline *timeline, uint32_t track);

char *tsim_metric_name(uint32_t metric);
char *tsim_unit_name(TsimUnit unit, uint32_t number); /* "gpu", "se0", "cu3" */

/* Behind the metric: "" for exact levels and work, ".mean", ".min", ".max" for buckets of levels.
 */
const char *tsim_signal_suffix(uint32_t metric, TsimSignal signal);
