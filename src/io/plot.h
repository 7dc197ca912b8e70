/* Waves and LDS over time as a picture for a paper: .svg, .png or .pdf by extension. Two runs stand
 * one below the other on the same axes.
 *
 * Built only where Cairo is there; elsewhere both fail with TSIM_ERROR_USAGE. Files appear whole or
 * not at all.
 */
#pragma once

#include "stats/result.h"
#include "stats/timeline.h"

gboolean tsim_plot_file_check(const char *path, GError **error);

typedef struct {
    const TsimResult *result;
    const TsimTimeline *timeline;
    const char *label; /* stands above its panels; NULL: nothing does */
} TsimPlotSide;

gboolean tsim_plot_file_write(const TsimPlotSide *sides, uint32_t sides_n, const char *path,
                              GError **error);
