/* tesssim check: are these files scenarios or GPUs, and is everything in them right? */
#include "cli/output.h"

/* Appends a line to report when the file is right; complains otherwise. */
static TsimExit check(const char *path, const TsimLoadOptions *load, GString *report)
{
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    g_autoptr(GError) error = NULL;
    const char *kind;
    const gboolean ok = tsim_file_check(path, load, warnings, &kind, &error);

    tsim_output_warnings(warnings);
    if (!ok) {
        return tsim_output_error(error);
    }
    g_string_append_printf(report, "%s: %s ok\n", path, kind);
    return TSIM_EXIT_DONE;
}

TsimExit tsim_cmd_check(const TsimOptions *options)
{
    g_autoptr(GString) report = g_string_new(NULL);
    const TsimLoadOptions load = tsim_options_load(options, NULL);
    TsimExit worst = TSIM_EXIT_DONE;

    for (char **path = options->operands; *path != NULL; path++) {
        const TsimExit exit_code = check(*path, &load, report);
        worst = MAX(worst, exit_code);
    }
    const TsimExit written = tsim_output_result(report->str);
    return MAX(worst, written);
}
