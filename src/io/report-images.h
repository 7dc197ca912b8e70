/* The pictures of a report: what rays cost and see, feedback and residency maps.
 *
 * The caller owns the list. Errors: TSIM_ERROR_IO when libpng cannot.
 */
#pragma once

#include "stats/result.h"
#include "workload/feedback-trace.h"

typedef struct {
    char *title; /* what is seen and what its colours mean */
    char *alt;   /* the same for those who do not see it */
    GString *png;
} TsimReportImage;

GPtrArray *tsim_report_images_new(void); /* of TsimReportImage; frees them */

/* Appends the pictures of a run. run: its name among several, NULL: the only one. trace: of its
 * first sample_feedback work, NULL: none. */
gboolean tsim_report_images_add(GPtrArray *images, const char *run, const TsimResult *result,
                                const TsimFeedbackTrace *trace, GError **error);
