#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define STEP_US 200000

TsimProgress tsim_progress_begin(const char *what)
{
    const gboolean shown = isatty(STDERR_FILENO) != 0 && g_strcmp0(g_getenv("TERM"), "dumb") != 0;

    return (TsimProgress){what, shown, g_get_monotonic_time(), 0};
}

void tsim_progress_step(void *user, uint64_t done, uint64_t total)
{
    TsimProgress *progress = user;
    const gint64 now_us = g_get_monotonic_time();

    if (!progress->shown || now_us - progress->printed_us < STEP_US || done == 0) {
        return;
    }
    progress->printed_us = now_us;
    const double spent_s = (double)(now_us - progress->begin_us) / 1e6;
    const double left_s = spent_s * (double)(total - done) / (double)done;
    (void)fprintf(
        stderr, "\r\033[K%s: %.0f %%, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ", %.0f s left",
        progress->what, 100.0 * (double)done / (double)total, done, total, left_s);
}

void tsim_progress_end(const TsimProgress *progress)
{
    if (progress->shown) {
        (void)fputs("\r\033[K", stderr);
    }
}

static gint stop_flag;

static void on_signal(int number)
{
    g_atomic_int_set(&stop_flag, 1);
    (void)signal(number, SIG_DFL);
}

const gint *tsim_progress_stop_flag(void)
{
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    return &stop_flag;
}
