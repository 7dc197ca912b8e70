/* tesssim run: one scenario, one report. */
#include "cli/files.h"
#include "cli/output.h"
#include "cli/simulate.h"

/* path NULL: not wanted. */
static gboolean write_image(const TsimRun *run, TsimRayImage image, const char *path,
                            GError **error)
{
    return path == NULL || tsim_run_write_ray_image(run, image, path, error);
}

TsimExit tsim_cmd_run(const TsimOptions *options)
{
    TsimExit exit_code = tsim_files_check(options);
    g_autoptr(GError) error = NULL;

    if (exit_code != TSIM_EXIT_DONE) {
        return exit_code;
    }
    g_autoptr(TsimRun) run =
        tsim_simulate(options->operands[0], options, options->sets, &exit_code);

    if (run == NULL) {
        return exit_code;
    }
    exit_code = tsim_files_write(options, run);
    if (exit_code != TSIM_EXIT_DONE) {
        return exit_code;
    }
    if (!write_image(run, TSIM_RAY_IMAGE_COST, options->cost_image, &error) ||
        !write_image(run, TSIM_RAY_IMAGE_HIT, options->hit_image, &error)) {
        return tsim_output_error(error);
    }
    g_autofree char *text = tsim_run_format(run, options->format, &options->style);
    return tsim_output_result(text);
}
