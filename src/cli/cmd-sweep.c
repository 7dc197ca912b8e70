/* tesssim sweep: many runs of one scenario, here or on a cluster.
 *
 *     sweep FILE --vary ...          all of it, in this process
 *     sweep plan FILE --vary ...     what it would run, as a plan file
 *     sweep run DIR|PLAN             goes on with a folder, or runs a plan
 *     sweep status DIR               what is done
 *     sweep collect DIR              what came out, as text, CSV, NDJSON or a database
 *     sweep submit DIR|FILE          hands the missing shards of a folder to a cluster
 */
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/slurm.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* ---- Which sweep ---- */

static TsimSweep *sweep_of_file(const char *path, const TsimOptions *options, GError **error)
{
    const TsimSweepArguments *arguments = &options->sweep;
    const TsimLoadOptions load = tsim_options_load(options, options->sets);
    const TsimSweepDesign design = {.vary = (const char *const *)options->vary,
                                    .sampling = arguments->sampling,
                                    .metrics = arguments->metrics,
                                    .points = (uint64_t)arguments->points,
                                    .replications = options->replications};

    return tsim_sweep_new(path, &load, &design, error);
}

/* Tells this process from others that work on the same folder. */
static char *name_of_part(const TsimSweepArguments *arguments)
{
    return arguments->has_shard
               ? g_strdup_printf("shard-%u-of-%u", arguments->shard, arguments->shards)
               : g_strdup("all");
}

static gboolean keep(TsimSweep *sweep, const TsimSweepArguments *arguments, gboolean resume,
                     GError **error)
{
    g_autofree char *name = name_of_part(arguments);
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();

    if (arguments->out == NULL) {
        return TRUE;
    }
    const gboolean ok = tsim_sweep_keep(sweep, arguments->out, resume, name, warnings, error);
    tsim_output_warnings(warnings);
    return ok;
}

static TsimSweep *open_sweep(const char *path, const TsimOptions *options, GError **error)
{
    g_autofree char *name = name_of_part(&options->sweep);
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    const TsimLoadOptions load = tsim_options_load(options, NULL);
    TsimSweep *sweep = tsim_sweep_open(path, &load, name, warnings, error);

    tsim_output_warnings(warnings);
    return sweep;
}

static TsimSweep *look_at_sweep(const char *path, const TsimOptions *options, GError **error)
{
    g_autoptr(GPtrArray) warnings = tsim_output_new_warnings();
    const TsimLoadOptions load = tsim_options_load(options, NULL);
    TsimSweep *sweep = tsim_sweep_look(path, &load, warnings, error);

    tsim_output_warnings(warnings);
    return sweep;
}

/* ---- What came out ---- */

static TsimExit print_results(const TsimSweep *sweep, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;

    if (options->report != NULL && !tsim_sweep_write_report(sweep, options->report, &error)) {
        return tsim_output_error(error);
    }
    if (options->sweep.sqlite != NULL &&
        !tsim_sweep_write_sqlite(sweep, options->sweep.sqlite, &error)) {
        return tsim_output_error(error);
    }
    if (options->sweep.sqlite != NULL) {
        return TSIM_EXIT_DONE;
    }
    g_autofree char *text = tsim_sweep_format(sweep, options->format, &options->style);
    return tsim_output_result(text);
}

static void say_what_is_missing(const TsimSweep *sweep, const char *folder)
{
    const uint64_t done = tsim_sweep_done(sweep);

    (void)fprintf(stderr, "tesssim: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " runs are done",
                  done, tsim_sweep_runs(sweep));
    if (folder != NULL) {
        (void)fprintf(stderr, " and kept in %s; \"tesssim sweep run %s\" goes on", folder, folder);
    }
    (void)fputc('\n', stderr);
}

/* Failed runs are findings, unless there is nothing else. */
static TsimExit report_failures(const TsimSweep *sweep)
{
    const uint64_t failed = tsim_sweep_failed(sweep);

    if (failed > 0) {
        (void)fprintf(stderr,
                      "warning: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                      " runs failed; their lines have the reason\n",
                      failed, tsim_sweep_runs(sweep));
    }
    return failed > 0 && failed == tsim_sweep_runs(sweep) ? TSIM_EXIT_FAILED : TSIM_EXIT_DONE;
}

/* ---- Running ---- */

/* Before hours are spent. */
static TsimExit check_report(const TsimSweep *sweep, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;

    if (options->report == NULL) {
        return TSIM_EXIT_DONE;
    }
    if (options->sweep.has_shard) {
        (void)fputs("tesssim: a shard has no report of its own; \"tesssim sweep collect DIR "
                    "--report\" makes one of all\n",
                    stderr);
        return TSIM_EXIT_USAGE;
    }
    return tsim_sweep_check_report(sweep, options->report, &error) ? TSIM_EXIT_DONE
                                                                   : tsim_output_error(error);
}

static TsimExit run_all(TsimSweep *sweep, const char *folder, const TsimOptions *options)
{
    const TsimSweepArguments *arguments = &options->sweep;
    TsimProgressLine progress;
    const TsimSweepOptions work = {.threads = options->threads,
                                   .shard = arguments->shard,
                                   .shards = arguments->has_shard ? arguments->shards : 0,
                                   .stop = tsim_progress_stop_flag(),
                                   .progress = tsim_progress_step,
                                   .user = &progress};

    tsim_progress_begin(&progress, "sweep");
    g_autoptr(GError) error = NULL;
    const gboolean ok = tsim_sweep_run(sweep, &work, &error);

    tsim_progress_end(&progress);
    if (!ok) {
        return tsim_output_error(error);
    }
    if (g_atomic_int_get(work.stop) != 0) {
        say_what_is_missing(sweep, folder);
        return TSIM_EXIT_FAILED;
    }
    if (arguments->has_shard && folder != NULL) {
        return TSIM_EXIT_DONE; /* what came out is for collect to say */
    }
    const TsimExit failures = report_failures(sweep);
    const TsimExit printed = print_results(sweep, options);
    return MAX(failures, printed);
}

static TsimExit run_sweep(TsimSweep *sweep, const char *folder, const TsimOptions *options)
{
    const TsimExit checked = check_report(sweep, options);

    return checked == TSIM_EXIT_DONE ? run_all(sweep, folder, options) : checked;
}

static TsimExit sweep_file(const char *path, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = sweep_of_file(path, options, &error);

    if (sweep == NULL || !keep(sweep, &options->sweep, options->sweep.resume, &error)) {
        return tsim_output_error(error);
    }
    return run_sweep(sweep, options->sweep.out, options);
}

static TsimExit plan(const char *path, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = sweep_of_file(path, options, &error);

    if (sweep == NULL) {
        return tsim_output_error(error);
    }
    g_autofree char *text = tsim_sweep_plan(sweep);
    return tsim_output_result(text);
}

static TsimExit run(const char *path, const TsimOptions *options)
{
    const gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = open_sweep(path, options, &error);

    if (sweep == NULL ||
        (!is_folder && !keep(sweep, &options->sweep, options->sweep.resume, &error))) {
        return tsim_output_error(error);
    }
    return run_sweep(sweep, is_folder ? path : options->sweep.out, options);
}

/* ---- Looking ---- */

static TsimExit status(const char *path, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = look_at_sweep(path, options, &error);

    if (sweep == NULL) {
        return tsim_output_error(error);
    }
    g_autofree char *text = g_strdup_printf("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                            " runs done, %" G_GUINT64_FORMAT " of them failed\n",
                                            path, tsim_sweep_done(sweep), tsim_sweep_runs(sweep),
                                            tsim_sweep_failed(sweep));
    return tsim_output_result(text);
}

static TsimExit collect(const char *path, const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = look_at_sweep(path, options, &error);

    if (sweep == NULL) {
        return tsim_output_error(error);
    }
    const gboolean whole = tsim_sweep_done(sweep) == tsim_sweep_runs(sweep);
    if (!whole) {
        say_what_is_missing(sweep, path);
    }
    const TsimExit printed = print_results(sweep, options);
    return whole ? printed : MAX(printed, TSIM_EXIT_FAILED);
}

/* ---- Elsewhere ---- */

static TsimExit submit(const char *path, const TsimOptions *options)
{
    const gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    const char *folder = is_folder ? path : options->sweep.out;
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimSweep) sweep = NULL;

    if (options->sweep.engine != NULL && strcmp(options->sweep.engine, "slurm") != 0) {
        (void)fprintf(stderr, "tesssim: --engine takes slurm, not \"%s\"\n", options->sweep.engine);
        return TSIM_EXIT_USAGE;
    }
    if (folder == NULL) {
        (void)fputs("tesssim: a sweep that is submitted needs a folder: --out DIR\n", stderr);
        return TSIM_EXIT_USAGE;
    }
    sweep = is_folder ? open_sweep(path, options, &error) : sweep_of_file(path, options, &error);
    if (sweep == NULL || (!is_folder && !keep(sweep, &options->sweep, TRUE, &error))) {
        return tsim_output_error(error);
    }
    return tsim_slurm_submit(sweep, folder, options);
}

typedef TsimExit Action(const char *path, const TsimOptions *options);

/* A kept sweep finds its files where they were when it was begun, from wherever it goes on. Where
 * that folder is gone, it is the current one as for any other command. */
static TsimExit act_in_its_folder(Action *action, const char *path, const TsimOptions *options)
{
    g_autofree char *folder = tsim_sweep_folder(path);
    g_autofree char *here = g_get_current_dir();

    if (folder == NULL || strcmp(folder, here) == 0 || g_chdir(folder) != 0) {
        return action(path, options);
    }
    TsimOptions moved = *options;
    g_autofree char *kept = g_canonicalize_filename(path, here);
    g_autofree char *report =
        options->report != NULL ? g_canonicalize_filename(options->report, here) : NULL;
    g_autofree char *sqlite =
        options->sweep.sqlite != NULL ? g_canonicalize_filename(options->sweep.sqlite, here) : NULL;
    moved.report = report;
    moved.sweep.sqlite = sqlite;
    return action(kept, &moved);
}

/* What a sweep can be asked to do. */
enum {
    ON_FILE = 1,
    ON_PLAN = 2,
    ON_RUN = 4,
    ON_STATUS = 8,
    ON_COLLECT = 16,
    ON_SUBMIT = 32,
};

static const struct {
    const char *word;
    unsigned bit;
    Action *run;
} actions[] = {
    {"plan", ON_PLAN, plan},          {"run", ON_RUN, run},          {"status", ON_STATUS, status},
    {"collect", ON_COLLECT, collect}, {"submit", ON_SUBMIT, submit},
};

/* An option that would do nothing is a mistake. */
static gboolean check_idle(const TsimOptions *options, const char *word, unsigned action)
{
    const TsimSweepArguments *sweep = &options->sweep;
    const struct {
        const char *option;
        gboolean given;
        unsigned actions;
    } rows[] = {
        {"--vary", *options->vary != NULL, ON_FILE | ON_PLAN | ON_SUBMIT},
        {"--report", options->report != NULL, ON_FILE | ON_RUN | ON_COLLECT},
        {"--sqlite", sweep->sqlite != NULL, ON_FILE | ON_RUN | ON_COLLECT},
        {"--out", sweep->out != NULL, ON_FILE | ON_RUN | ON_SUBMIT},
        {"--resume", sweep->resume, ON_FILE | ON_RUN},
        {"--shard", sweep->has_shard, ON_FILE | ON_RUN},
        {"--shards", sweep->shards > 0 && !sweep->has_shard, ON_SUBMIT},
        {"--engine", sweep->engine != NULL, ON_SUBMIT},
        {"--dry-run", sweep->dry_run, ON_SUBMIT},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (rows[i].given && (rows[i].actions & action) == 0) {
            (void)fprintf(stderr, "tesssim: sweep%s%s has no use for %s\n",
                          *word != '\0' ? " " : "", word, rows[i].option);
            return FALSE;
        }
    }
    if (action == ON_FILE && sweep->resume && sweep->out == NULL) {
        (void)fputs("tesssim: --resume needs the folder of the sweep: --out DIR\n", stderr);
        return FALSE;
    }
    return TRUE;
}

TsimExit tsim_cmd_sweep(const TsimOptions *options)
{
    char *const *operands = options->operands;

    if (operands[1] == NULL) {
        return check_idle(options, "", ON_FILE) ? sweep_file(operands[0], options)
                                                : TSIM_EXIT_USAGE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
        if (strcmp(actions[i].word, operands[0]) == 0) {
            return check_idle(options, operands[0], actions[i].bit)
                       ? act_in_its_folder(actions[i].run, operands[1], options)
                       : TSIM_EXIT_USAGE;
        }
    }
    (void)fprintf(stderr,
                  "tesssim: sweep takes plan, run, status, collect or submit before a file, not "
                  "\"%s\"\n",
                  operands[0]);
    return TSIM_EXIT_USAGE;
}
