/* tesssim feedback: the sampler feedback hardware without a clock: maps and cases. */
#include "cli/output.h"

#include <stdio.h>

static TsimExit run_cases(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    gboolean passed;
    g_autofree char *text = tsim_feedback_cases(options->cases, options->verbose, &passed, &error);

    if (text == NULL) {
        return tsim_output_error(error);
    }
    const TsimExit written = tsim_output_result(text);
    return passed ? written : TSIM_EXIT_FAILED;
}

/* The map goes to standard output when it goes to no file. */
static TsimExit dump(const TsimOptions *options)
{
    const TsimLoadOptions load = tsim_options_load(options, options->sets);
    const TsimFeedbackDumpOptions what = {
        .paths = (const char *const *)options->dumps,
        .residency = options->dumps_residency,
        .level = options->dump_level,
        .zoom = options->dump_zoom,
    };
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimScenarioFile) file =
        tsim_scenario_file_load(options->operands[0], &load, warnings, &error);

    tsim_output_warnings(warnings);
    g_autofree char *json = file != NULL ? tsim_feedback_dump(file, &what, &error) : NULL;
    if (json == NULL) {
        return tsim_output_error(error);
    }
    return *options->dumps != NULL ? TSIM_EXIT_DONE : tsim_output_result(json);
}

TsimExit tsim_cmd_feedback(const TsimOptions *options)
{
    if ((options->cases != NULL) == (options->operands[0] != NULL)) {
        (void)fputs("tesssim: feedback takes a scenario or --cases FILE, one of them\n", stderr);
        return TSIM_EXIT_USAGE;
    }
    return options->cases != NULL ? run_cases(options) : dump(options);
}
