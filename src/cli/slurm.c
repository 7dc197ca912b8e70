#include "cli/slurm.h"

#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define JOB_FILE    "slurm-job"
#define SCRIPT_FILE "slurm.sh"
#define LOG_FOLDER  "slurm-logs"
#define SHARDS      8 /* unless told otherwise */

/* ---- The script ---- */

/* "0-2,5": shards that have runs missing; "" when nothing is missing. */
static char *missing_shards(const TsimSweep *sweep, guint shards)
{
    GString *list = g_string_new(NULL);

    for (guint first = 0, last; first < shards; first = last + 1) {
        last = first;
        if (tsim_sweep_missing(sweep, first, shards) == 0) {
            continue;
        }
        while (last + 1 < shards && tsim_sweep_missing(sweep, last + 1, shards) > 0) {
            last++;
        }
        g_string_append_printf(list, list->len > 0 ? ",%u" : "%u", first);
        if (last > first) {
            g_string_append_printf(list, "-%u", last);
        }
    }
    return g_string_free(list, FALSE);
}

/* A path as a directive has it: % begins a pattern there. */
static char *directive_path(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "%", -1);

    return g_strjoinv("%%", parts);
}

static char *make_script(const char *folder, const char *array, guint shards)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *quoted = g_shell_quote(program != NULL ? program : "tesssim");
    g_autofree char *where = g_canonicalize_filename(folder, NULL);
    g_autofree char *quoted_where = g_shell_quote(where);
    g_autofree char *logs = directive_path(where);

    return g_strdup_printf("#!/bin/sh\n"
                           "#SBATCH --job-name=tesssim\n"
                           "#SBATCH --array=%s\n"
                           "#SBATCH --requeue\n"
                           "#SBATCH --output=\"%s/" LOG_FOLDER "/%%A_%%a.log\"\n"
                           "exec %s sweep run %s --shard \"$SLURM_ARRAY_TASK_ID/%u\" "
                           "-j \"${SLURM_CPUS_PER_TASK:-1}\"\n",
                           array, logs, quoted, quoted_where, shards);
}

/* ---- Slurm's commands ---- */

/* What the command prints; NULL, with the complaint on standard error, when it fails. */
static char *call(const char *command)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *output = NULL;
    g_autofree char *complaint = NULL;
    int status;

    if (!g_spawn_command_line_sync(command, &output, &complaint, &status, &error)) {
        (void)fprintf(stderr, "tesssim: %s\n", error->message);
        return NULL;
    }
    if (!g_spawn_check_exit_status(status, NULL)) {
        (void)fprintf(stderr, "tesssim: %s: %s", command, complaint);
        return NULL;
    }
    return g_strchomp(g_steal_pointer(&output));
}

/* A job that Slurm has forgotten is over, too. */
static gboolean is_in_queue(const char *job)
{
    g_autofree char *command = g_strdup_printf("squeue --noheader --jobs %s", job);
    g_autofree char *output = NULL;
    g_autofree char *complaint = NULL;
    int status;

    return g_spawn_command_line_sync(command, &output, &complaint, &status, NULL) &&
           g_spawn_check_exit_status(status, NULL) && *g_strstrip(output) != '\0';
}

/* The most tasks of an array; 0 where Slurm does not say: sbatch then has the word. */
static guint array_max(void)
{
    static const char name[] = "MaxArraySize";
    g_autofree char *output = NULL;
    g_autofree char *complaint = NULL;
    int status;

    if (!g_spawn_command_line_sync("scontrol show config", &output, &complaint, &status, NULL) ||
        !g_spawn_check_exit_status(status, NULL)) {
        return 0;
    }
    const char *line = strstr(output, name);
    const char *equals = line != NULL ? strchr(line, '=') : NULL;
    return equals != NULL ? (guint)g_ascii_strtoull(equals + 1, NULL, 10) : 0;
}

/* ---- Submitting ---- */

static gboolean check_shards(guint shards)
{
    const guint most = array_max();

    if (most == 0 || shards <= most) {
        return TRUE;
    }
    (void)fprintf(
        stderr,
        "tesssim: --shards %u is more than this cluster takes, %u (MaxArraySize); a shard "
        "may have many points\n",
        shards, most);
    return FALSE;
}

static TsimExit write_file(const char *path, const char *text)
{
    g_autoptr(GError) error = NULL;

    return g_file_set_contents(path, text, -1, &error) ? TSIM_EXIT_DONE : tsim_output_error(error);
}

static TsimExit hand_over(const char *folder, const char *script, const char *array)
{
    g_autofree char *path = g_build_filename(folder, SCRIPT_FILE, NULL);
    g_autofree char *job_path = g_build_filename(folder, JOB_FILE, NULL);
    g_autofree char *logs = g_build_filename(folder, LOG_FOLDER, NULL);
    g_autofree char *quoted = g_shell_quote(path);
    g_autofree char *command = g_strconcat("sbatch --parsable ", quoted, NULL);

    if (g_mkdir_with_parents(logs, 0777) != 0) {
        (void)fprintf(stderr, "tesssim: %s: cannot be made: %s\n", logs, g_strerror(errno));
        return TSIM_EXIT_FAILED;
    }
    if (write_file(path, script) != TSIM_EXIT_DONE) {
        return TSIM_EXIT_FAILED;
    }
    g_autofree char *job = call(command);
    if (job != NULL) {
        job[strcspn(job, ";")] = '\0'; /* the name of a cluster may follow */
    }
    if (job == NULL || write_file(job_path, job) != TSIM_EXIT_DONE) {
        return TSIM_EXIT_FAILED;
    }
    g_autofree char *text = g_strdup_printf("job %s: shards %s\n", job, array);
    return tsim_output_result(text);
}

TsimExit tsim_slurm_submit(const TsimSweep *sweep, const char *folder, const TsimOptions *options)
{
    const uint64_t wanted = options->sweep.shards > 0 ? options->sweep.shards : SHARDS;
    const guint shards = (guint)MIN(wanted, tsim_sweep_runs(sweep)); /* none without a run */
    g_autofree char *array = missing_shards(sweep, shards);
    g_autofree char *script = make_script(folder, array, shards);
    g_autofree char *job_path = g_build_filename(folder, JOB_FILE, NULL);
    g_autofree char *job = NULL;

    if (*array == '\0') {
        return tsim_output_result("nothing is missing\n");
    }
    if (options->sweep.dry_run) {
        return tsim_output_result(script);
    }
    if (g_file_get_contents(job_path, &job, NULL, NULL) && is_in_queue(job)) {
        (void)fprintf(stderr, "tesssim: job %s of %s is still in the queue (scancel %s ends it)\n",
                      job, folder, job);
        return TSIM_EXIT_FAILED;
    }
    return check_shards(shards) ? hand_over(folder, script, array) : TSIM_EXIT_FAILED;
}
