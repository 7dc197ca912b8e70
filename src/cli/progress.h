/* How far a long run has come, on standard error when that is a terminal. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 began_us, shown_us; /* monotonic time */
    gboolean on;
    gboolean visible;
} TsimProgressLine;

void tsim_progress_begin(TsimProgressLine *line);
void tsim_progress_show(double share, void *line); /* of TsimRunOptions */
void tsim_progress_end(TsimProgressLine *line);    /* wipes the line */
