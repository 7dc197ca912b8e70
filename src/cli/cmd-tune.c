/* tesssim tune: which settings are best, and by how much. */
#include "cli/output.h"
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

/* "a.json=0.3": takes the weight off the operand. FALSE when it is no weight. */
static gboolean parse_file(char *operand, TsimTuneFile *ret_file)
{
    char *equals = strrchr(operand, '=');
    char *end = NULL;

    *ret_file = (TsimTuneFile){operand, 1.0};
    if (equals == NULL || g_file_test(operand, G_FILE_TEST_EXISTS)) {
        return TRUE;
    }
    ret_file->weight = g_ascii_strtod(equals + 1, &end);
    *equals = '\0';
    return end != equals + 1 && *end == '\0' && ret_file->weight > 0.0;
}

TsimExit tsim_cmd_tune(const TsimOptions *options)
{
    const guint n = g_strv_length(options->operands);
    g_autofree TsimTuneFile *files = g_new0(TsimTuneFile, n);
    const TsimLoadOptions load = tsim_options_load(options, options->sets);
    TsimProgressLine progress;
    const TsimTuneOptions tune = {.goal = options->goal,
                                  .vary = (const char *const *)options->vary,
                                  .replications = options->replications,
                                  .tries = options->tries,
                                  .threads = options->threads,
                                  .stop = tsim_progress_stop_flag(),
                                  .progress = tsim_progress_step,
                                  .user = &progress};

    tsim_progress_begin(&progress, "tune");
    g_autoptr(GError) error = NULL;

    for (guint i = 0; i < n; i++) {
        if (!parse_file(options->operands[i], &files[i])) {
            (void)fprintf(stderr, "tesssim: a weight is a number above 0, as in a.json=0.3\n");
            return TSIM_EXIT_USAGE;
        }
    }
    g_autofree char *text =
        tsim_tune(files, n, &load, &tune, options->format, &options->style, &error);
    tsim_progress_end(&progress);
    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}
