/* Timelines as files, by extension: .pftrace (Perfetto), .json (Perfetto, Chrome), .vcd (GTKWave,
 * with a .gtkw beside it), .csv.
 *
 * One cycle is one nanosecond in formats that know nothing but time. Files appear whole or not at
 * all. Errors: TSIM_ERROR_USAGE for an extension that is none of these, TSIM_ERROR_OUTPUT.
 */
#pragma once

#include "stats/timeline.h"

gboolean tsim_timeline_file_check(const char *path, GError **error); /* the extension */
gboolean tsim_timeline_file_write(TsimTimeline *timeline, const char *path, GError **error);

/* The formats. */
gboolean tsim_timeline_write_csv(TsimTimeline *timeline, const char *path, GError **error);
gboolean tsim_timeline_write_vcd(TsimTimeline *timeline, const char *path, GError **error);
gboolean tsim_timeline_write_json(TsimTimeline *timeline, const char *path, GError **error);
gboolean tsim_timeline_write_pftrace(TsimTimeline *timeline, const char *path, GError **error);
