/* Long work: how far it has come, on standard error when that is a terminal; and a way to stop it
 * with Ctrl-C. */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    const char *what;          /* "sweep" */
    gint64 began_us, shown_us; /* monotonic time */
    gboolean on;               /* standard error is a terminal that can take a line back */
    gboolean visible;
} TsimProgressLine;

void tsim_progress_begin(TsimProgressLine *line, const char *what);

/* Callbacks; `line` is a TsimProgressLine. Short work stays silent. */
void tsim_progress_show(double share, void *user);
void tsim_progress_step(void *line, uint64_t done, uint64_t total);

void tsim_progress_end(TsimProgressLine *line); /* wipes the line */

/* From now on, Ctrl-C (or SIGTERM) ends the program with a word. */
void tsim_progress_end_on_signal(void);

/* From now on, the first Ctrl-C (or SIGTERM) sets the number, and the second one kills. */
gint *tsim_progress_stop_flag(void);
