/* tesssim limits: what fits and what stops the next one, without a run. */
#include "cli/output.h"

static char *limits_of_file(const char *path, const TsimOptions *options, GPtrArray *warnings,
                            GError **error)
{
    const TsimLoadOptions load = tsim_options_load(options, options->sets);
    g_autoptr(TsimScenarioFile) file = tsim_scenario_file_load(path, &load, warnings, error);

    /* Loading warned of all that there is to warn of. */
    return file != NULL ? tsim_limits(file, options->format, NULL, error) : NULL;
}

static char *limits_of_query(const TsimOptions *options, GPtrArray *warnings, GError **error)
{
    const TsimLoadOptions load = tsim_options_load(options, NULL);
    TsimLimitsOptions query = options->query;

    query.gpu = options->gpu;
    query.stage = options->query_stage != NULL ? options->query_stage : "cs";
    query.sweep = options->query_sweep;
    return tsim_limits_of_stage(&query, &load, options->format, warnings, error);
}

TsimExit tsim_cmd_limits(const TsimOptions *options)
{
    const char *path = options->operands[0];
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    g_autoptr(GError) error = NULL;
    g_autofree char *text = path != NULL ? limits_of_file(path, options, warnings, &error)
                                         : limits_of_query(options, warnings, &error);

    tsim_output_warnings(warnings);
    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}
