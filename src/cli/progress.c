#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Short work stays silent. */
#define FIRST_US G_GINT64_CONSTANT(2000000)
#define EVERY_US G_GINT64_CONSTANT(250000)

void tsim_progress_begin(TsimProgressLine *line, const char *what)
{
    *line = (TsimProgressLine){
        .what = what,
        .began_us = g_get_monotonic_time(),
        .on = isatty(STDERR_FILENO) != 0 && g_strcmp0(g_getenv("TERM"), "dumb") != 0,
    };
}

static void print_time_left(double seconds)
{
    const guint whole = (guint)(seconds + 0.5);

    if (whole < 60) {
        (void)fprintf(stderr, ", %u s left", whole);
    } else {
        (void)fprintf(stderr, ", %u min %02u s left", whole / 60, whole % 60);
    }
}

void tsim_progress_show(double share, void *user)
{
    TsimProgressLine *line = user;
    const gint64 now_us = g_get_monotonic_time();
    const gint64 passed_us = now_us - line->began_us;

    if (!line->on || passed_us < FIRST_US || now_us - line->shown_us < EVERY_US) {
        return;
    }
    line->shown_us = now_us;
    line->visible = TRUE;
    (void)fprintf(stderr, "\r\033[K%s: %.0f %%", line->what, 100.0 * share);
    if (share > 0.01) {
        print_time_left((double)passed_us / G_USEC_PER_SEC * (1.0 - share) / share);
    }
    (void)fflush(stderr);
}

void tsim_progress_step(void *line, uint64_t done, uint64_t total)
{
    tsim_progress_show(total > 0 ? (double)done / (double)total : 1.0, line);
}

void tsim_progress_end(TsimProgressLine *line)
{
    if (line->visible) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
}

static gint stop_flag;

static void on_signal(int number)
{
    g_atomic_int_set(&stop_flag, 1);
    (void)signal(number, SIG_DFL);
}

/* Only what a handler may do. */
static void on_last_signal(int number)
{
    static const char text[] = "\ntesssim: interrupted; nothing is left half written\n";

    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void tsim_progress_end_on_signal(void)
{
    (void)signal(SIGINT, on_last_signal);
    (void)signal(SIGTERM, on_last_signal);
}

gint *tsim_progress_stop_flag(void)
{
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
    return &stop_flag;
}
