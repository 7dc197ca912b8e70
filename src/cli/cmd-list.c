/* tesssim list: what there is to choose from. */
#include "cli/output.h"

TsimExit tsim_cmd_list(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    const TsimLoadOptions load = tsim_options_load(options, NULL);
    g_autofree char *text =
        tsim_list(options->operands[0], &load, options->format, &options->style, &error);

    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}
