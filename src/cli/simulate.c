#include "cli/simulate.h"

#include "cli/output.h"

TsimRun *tsim_simulate(const char *path, const TsimOptions *options, char *const *sets,
                       TsimExit *ret_exit)
{
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    g_autoptr(GError) error = NULL;
    const TsimLoadOptions load = tsim_options_load(options, sets);
    g_autoptr(TsimScenarioFile) file = tsim_scenario_file_load(path, &load, warnings, &error);

    tsim_output_warnings(warnings);
    if (file != NULL && (options->cost_image != NULL || options->hit_image != NULL)) {
        tsim_scenario_file_keep_ray_images(file);
    }
    TsimRun *run = file != NULL ? tsim_run(file, &error) : NULL;
    if (run == NULL) {
        *ret_exit = tsim_output_error(error);
    }
    return run;
}
