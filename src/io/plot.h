/* Waves and LDS over time as a picture for a paper: .svg, .png or .pdf by extension.
 *
 * Built only where Cairo is there; elsewhere both fail with TSIM_ERROR_USAGE. Files appear whole or
 * not at all.
 */
#pragma once

#include "stats/result.h"
#include "stats/timeline.h"

gboolean tsim_plot_file_check(const char *path, GError **error);

gboolean tsim_plot_file_write(const TsimResult *result, const TsimTimeline *timeline,
                              const char *path, GError **error);
