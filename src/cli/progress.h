/* Long work: how far it is, on a terminal; and a way to stop it with Ctrl-C. */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    const char *what; /* "sweep" */
    gboolean shown;   /* standard error is a terminal that can take a line back */
    gint64 begin_us, printed_us;
} TsimProgress;

TsimProgress tsim_progress_begin(const char *what);

/* user is the TsimProgress. */
void tsim_progress_step(void *user, uint64_t done, uint64_t total);

void tsim_progress_end(const TsimProgress *progress);

/* From now on, the first Ctrl-C (or SIGTERM) sets the number, and the second one kills. */
const gint *tsim_progress_stop_flag(void);
