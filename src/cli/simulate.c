#include "cli/simulate.h"

#include "cli/output.h"
#include "cli/progress.h"

#include <stdio.h>

/* From this size on a recording is worth a word before it is made. */
#define LARGE_BYTES (256u << 20)

/* The spool lies where the user wants files anyway. */
static char *spool_folder(const TsimOptions *options)
{
    const char *file = options->report;

    file = *options->plots != NULL ? *options->plots : file;
    file = *options->timelines != NULL ? *options->timelines : file;
    return file != NULL ? g_path_get_dirname(file) : NULL;
}

static void warn_of_size(const TsimScenarioFile *file, const char *folder)
{
    const uint64_t bytes = tsim_record_estimate(file);

    if (bytes >= LARGE_BYTES) {
        (void)fprintf(stderr,
                      "tesssim: every change of this run takes about %.1f GB in %s while it is "
                      "written (--timeline-window and --timeline-units record less)\n",
                      (double)bytes / 1e9, folder);
    }
}

static TsimRun *run_file(const TsimScenarioFile *file, const TsimOptions *options, GError **error)
{
    g_autofree char *folder = spool_folder(options);
    TsimProgressLine line;
    TsimRunOptions run_options = options->run;

    if (run_options.record == TSIM_RECORD_FULL) {
        warn_of_size(file, folder);
    }
    tsim_progress_begin(&line, "tesssim");
    run_options.spool_folder = folder;
    run_options.progress = line.on ? tsim_progress_show : NULL;
    run_options.user = &line;
    TsimRun *run = tsim_run_recorded(file, &run_options, error);
    tsim_progress_end(&line);
    return run;
}

TsimRun *tsim_simulate(const char *path, const TsimOptions *options, char *const *sets,
                       TsimExit *ret_exit)
{
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    g_autoptr(GError) error = NULL;
    const TsimLoadOptions load = tsim_options_load(options, sets);

    tsim_progress_end_on_signal();
    g_autoptr(TsimScenarioFile) file = tsim_scenario_file_load(path, &load, warnings, &error);

    tsim_output_warnings(warnings);
    if (file != NULL &&
        (options->cost_image != NULL || options->hit_image != NULL || options->report != NULL)) {
        tsim_scenario_file_keep_ray_images(file);
    }
    TsimRun *run = file != NULL ? run_file(file, options, &error) : NULL;
    if (run == NULL) {
        *ret_exit = tsim_output_error(error);
    }
    return run;
}
