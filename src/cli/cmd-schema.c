/* tesssim schema: what editors and validators need to know about the JSON that goes in and out. */
#include "cli/output.h"

TsimExit tsim_cmd_schema(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = tsim_schema(options->operands[0], &error);

    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}
