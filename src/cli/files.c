#include "cli/files.h"

#include "cli/output.h"

#include <stdio.h>

typedef gboolean (*Check)(const char *path, GError **error);
typedef gboolean (*Write)(const TsimRun *run, const char *path, GError **error);

static gboolean check_all(char *const *paths, Check check, GError **error)
{
    for (; *paths != NULL; paths++) {
        if (!check(*paths, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean write_all(const TsimRun *run, char *const *paths, Write write, GError **error)
{
    for (; *paths != NULL; paths++) {
        if (!write(run, *paths, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

TsimExit tsim_files_check(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;

    if (!check_all(options->timelines, tsim_timeline_check, &error) ||
        !check_all(options->plots, tsim_plot_check, &error) ||
        (options->report != NULL && !tsim_report_check(options->report, &error))) {
        return tsim_output_error(error);
    }
    return TSIM_EXIT_DONE;
}

TsimExit tsim_files_write(const TsimOptions *options, const TsimRun *run)
{
    g_autoptr(GError) error = NULL;

    if (!write_all(run, options->timelines, tsim_run_write_timeline, &error) ||
        !write_all(run, options->plots, tsim_run_write_plot, &error) ||
        (options->report != NULL && !tsim_run_write_report(run, options->report, &error))) {
        return tsim_output_error(error);
    }
    return TSIM_EXIT_DONE;
}
