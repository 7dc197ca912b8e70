/* The maps of a traced work item as files, by suffix: .png and .ppm in false colour with a legend,
 * .pgm with the raw bytes in grey, .json with everything. */
#pragma once

#include "io/feedback-dump.h"
#include "workload/feedback-trace.h"

typedef struct {
    const char *const *paths; /* NULL-terminated; NULL: none */
    gboolean residency;       /* the residency map, false colour alone */
    uint32_t level;
    uint32_t zoom; /* 0: chosen */
} TsimFeedbackFiles;

/* Errors: TSIM_ERROR_USAGE for what cannot be asked for, TSIM_ERROR_IO. */
gboolean tsim_feedback_files_write(const TsimFeedbackTrace *trace, const TsimFeedbackFiles *files,
                                   GError **error);
