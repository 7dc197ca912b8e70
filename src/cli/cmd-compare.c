/* tesssim compare: one scenario with two sets of settings, side by side. */
#include "cli/files.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/simulate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A pipe can be read once only; what it held becomes a standard input that can be rewound. */
static gboolean make_stdin_rewindable(void)
{
    char block[BUFSIZ];
    size_t got;
    FILE *spool = tmpfile();

    if (spool == NULL) {
        return FALSE;
    }
    while ((got = fread(block, 1, sizeof block, stdin)) > 0) {
        if (fwrite(block, 1, got, spool) != got) {
            break;
        }
    }
    const gboolean ok = !ferror(stdin) && fflush(spool) == 0 && !ferror(spool) &&
                        dup2(fileno(spool), STDIN_FILENO) >= 0;
    (void)fclose(spool);
    return ok;
}

static void rewind_stdin(const char *path)
{
    if (strcmp(path, "-") == 0) {
        rewind(stdin);
    }
}

/* With other seeds, too, when that is wanted. */
static gboolean replicate(TsimRun *run, const TsimOptions *options, char *const *sets,
                          TsimExit *ret_exit)
{
    const TsimLoadOptions load = tsim_options_load(options, sets);
    TsimProgressLine line;
    const TsimReplicationOptions replication = {.n = options->replications,
                                                .threads = options->threads,
                                                .stop = tsim_progress_stop_flag(),
                                                .progress = tsim_progress_step,
                                                .user = &line};
    g_autoptr(GError) error = NULL;

    tsim_progress_begin(&line, "compare");
    const gboolean ok = tsim_run_replicate(run, options->operands[0], &load, &replication, &error);
    tsim_progress_end(&line);
    if (!ok) {
        *ret_exit = tsim_output_error(error);
    }
    return ok;
}

/* A run of one side: its settings come after those of both. */
static TsimRun *simulate_side(const TsimOptions *options, char *const *side, TsimExit *ret_exit)
{
    const char *path = options->operands[0];
    g_autoptr(GPtrArray) sets = g_ptr_array_new();

    for (char *const *set = options->sets; *set != NULL; set++) {
        g_ptr_array_add(sets, *set);
    }
    for (; *side != NULL; side++) {
        g_ptr_array_add(sets, *side);
    }
    g_ptr_array_add(sets, NULL);
    rewind_stdin(path);
    g_autoptr(TsimRun) run = tsim_simulate(path, options, (char *const *)sets->pdata, ret_exit);
    rewind_stdin(path);
    if (run == NULL || (options->replications > 1 &&
                        !replicate(run, options, (char *const *)sets->pdata, ret_exit))) {
        return NULL;
    }
    return g_steal_pointer(&run);
}

/* "mode=onchip tf_threshold=4": what a side changes. */
static char *label_of(char **side)
{
    return *side != NULL ? g_strjoinv(" ", side) : g_strdup("as the file says");
}

static TsimExit compare(const TsimOptions *options, char **side_a, char **side_b)
{
    g_autofree char *label_a = label_of(side_a);
    g_autofree char *label_b = label_of(side_b);
    g_autoptr(GError) error = NULL;
    TsimExit exit_code;
    g_autoptr(TsimRun) a = simulate_side(options, side_a, &exit_code);
    g_autoptr(TsimRun) b = a != NULL ? simulate_side(options, side_b, &exit_code) : NULL;

    if (b == NULL) {
        return exit_code;
    }
    for (char *const *plot = options->plots; *plot != NULL; plot++) {
        if (!tsim_compare_write_plot(a, label_a, b, label_b, *plot, &error)) {
            return tsim_output_error(error);
        }
    }
    if (options->report != NULL &&
        !tsim_compare_write_report(a, label_a, b, label_b, options->report, &error)) {
        return tsim_output_error(error);
    }
    g_autofree char *text =
        tsim_compare_format(a, label_a, b, label_b, options->format, &options->style);
    return tsim_output_result(text);
}

TsimExit tsim_cmd_compare(const TsimOptions *options)
{
    char onchip[] = "mode=onchip", offchip[] = "mode=offchip";
    char *default_a[] = {onchip, NULL};
    char *default_b[] = {offchip, NULL};
    const TsimExit checked = tsim_files_check(options);
    const gboolean given = *options->sides[0] != NULL || *options->sides[1] != NULL;

    if (checked != TSIM_EXIT_DONE) {
        return checked;
    }
    if (strcmp(options->operands[0], "-") == 0 && !make_stdin_rewindable()) {
        (void)fprintf(stderr, "tesssim: standard input cannot be kept: %s\n", g_strerror(errno));
        return TSIM_EXIT_FAILED;
    }
    return given ? compare(options, options->sides[0], options->sides[1])
                 : compare(options, default_a, default_b);
}
