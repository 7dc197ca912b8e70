/* tesssim run: one scenario, one report. */
#include "cli/files.h"
#include "cli/output.h"
#include "cli/simulate.h"

TsimExit tsim_cmd_run(const TsimOptions *options)
{
    TsimExit exit_code = tsim_files_check(options);

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
    g_autofree char *text = tsim_run_format(run, options->format, &options->style);
    return tsim_output_result(text);
}
