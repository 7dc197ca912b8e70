/* tesssim explain: what holds a scenario back. */
#include "cli/output.h"
#include "cli/progress.h"

TsimExit tsim_cmd_explain(const TsimOptions *options)
{
    const TsimLoadOptions load = tsim_options_load(options, options->sets);
    TsimProgressLine progress;
    const TsimWhatIfOptions explain = {.replications = options->replications,
                                       .threads = options->threads,
                                       .stop = tsim_progress_stop_flag(),
                                       .progress = tsim_progress_step,
                                       .user = &progress};

    tsim_progress_begin(&progress, "explain");
    g_autoptr(GError) error = NULL;
    g_autofree char *text = tsim_explain(options->operands[0], &load, &explain, options->format,
                                         &options->style, &error);

    tsim_progress_end(&progress);
    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}
