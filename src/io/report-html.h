/* A report as one HTML page that opens anywhere: the summary as plain HTML, the recording
 * compressed inside, and the script that draws it (src/io/report). Needs no network.
 */
#pragma once

#include "io/compare.h"
#include "stats/timeline.h"

typedef struct {
    const TsimResult *result;
    TsimTimeline *timeline;
    const char *label; /* what was set for it */
    const char *text;  /* the report for terminals */
} TsimReportSide;

typedef struct {
    TsimReportSide sides[TSIM_COMPARE_SIDES];
    uint32_t sides_n;                 /* 1, or 2 with a comparison */
    const TsimComparison *comparison; /* NULL: of one run */
    const GPtrArray *images;          /* see io/report-images.h */
} TsimReport;

gboolean tsim_report_html_write(const TsimReport *report, const char *path, GError **error);
