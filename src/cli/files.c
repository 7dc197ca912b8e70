#include "cli/files.h"

#include "cli/output.h"

#include <stdio.h>

typedef gboolean (*Check)(const char *path, GError **error);
typedef gboolean (*Write)(const TsimRun *run, const char *path, GError **error);

static gboolean check_all(char *const *paths, Check check, GError **error)
{
    for (; *paths != NULL; paths++) {
        if (!check(*paths, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean write_all(const TsimRun *run, char *const *paths, Write write, GError **error)
{
    for (; *paths != NULL; paths++) {
        if (!write(run, *paths, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* Each output file once, however its name is written; NULL: not wanted. */
static gboolean add_once(GHashTable *seen, const char *path)
{
    if (path == NULL || g_hash_table_add(seen, g_canonicalize_filename(path, NULL))) {
        return TRUE;
    }
    (void)fprintf(stderr, "tesssim: %s would be written twice\n", path);
    return FALSE;
}

static gboolean check_names(const TsimOptions *options)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    gboolean ok = add_once(seen, options->report) && add_once(seen, options->cost_image) &&
                  add_once(seen, options->hit_image);

    for (char *const *path = options->timelines; ok && *path != NULL; path++) {
        ok = add_once(seen, *path);
    }
    for (char *const *path = options->plots; ok && *path != NULL; path++) {
        ok = add_once(seen, *path);
    }
    return ok;
}

TsimExit tsim_files_check(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;

    if (!check_names(options)) {
        return TSIM_EXIT_USAGE;
    }

    if (!check_all(options->timelines, tsim_timeline_check, &error) ||
        !check_all(options->plots, tsim_plot_check, &error) ||
        (options->report != NULL && !tsim_report_check(options->report, &error)) ||
        (options->cost_image != NULL && !tsim_ray_image_check(options->cost_image, &error)) ||
        (options->hit_image != NULL && !tsim_ray_image_check(options->hit_image, &error))) {
        return tsim_output_error(error);
    }
    return TSIM_EXIT_DONE;
}

TsimExit tsim_files_write(const TsimOptions *options, const TsimRun *run)
{
    g_autoptr(GError) error = NULL;

    if (!write_all(run, options->timelines, tsim_run_write_timeline, &error) ||
        !write_all(run, options->plots, tsim_run_write_plot, &error) ||
        (options->report != NULL && !tsim_run_write_report(run, options->report, &error))) {
        return tsim_output_error(error);
    }
    return TSIM_EXIT_DONE;
}
