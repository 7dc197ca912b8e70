/* Where a sweep keeps its results, so that nothing is lost when it is killed:
 *
 *     FOLDER/plan.json          what is run (io/sweep-plan.h)
 *     FOLDER/stdin.json         the scenario, when it came from standard input
 *     FOLDER/parts/             .ndjson files: lines in the order in which runs ended, one file a
 * process FOLDER/results.ndjson     all lines in order, once there are all; parts then go
 *
 * A line is written by one write(2) to a file that no other process writes, so a kill can tear only
 * the last line of a file, and a node of a cluster cannot tear another's. Files that appear as a
 * whole are written by base/file-sink.h. Runs may be there twice: lines are the same bytes.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_STORE_PLAN    "plan.json"
#define TSIM_STORE_STDIN   "stdin.json"
#define TSIM_STORE_RESULTS "results.ndjson"

/* One line a run, each with its line end; NULL: not done. */
typedef struct {
    uint64_t n;
    char **lines;
    uint64_t done;
} TsimRunLines;

TsimRunLines *tsim_run_lines_new(uint64_t n);
void tsim_run_lines_free(TsimRunLines *lines); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimRunLines, tsim_run_lines_free)

/* Takes line, which is dropped when the run is done already. */
void tsim_run_lines_put(TsimRunLines *lines, uint64_t run, char *line);

typedef struct TsimStore TsimStore;

/* A folder, made when it is missing. name tells this process from others that write here. */
TsimStore *tsim_store_open(const char *folder, const char *name, GError **error);
void tsim_store_free(TsimStore *store); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimStore, tsim_store_free)

char *tsim_store_path(const TsimStore *store, const char *file); /* the caller frees it */

/* Reads what is there. Lines that are torn are left out, with a warning (char * for the caller to
 * free) each file. replications: runs a point. */
gboolean tsim_store_load(const TsimStore *store, guint replications, TsimRunLines *lines,
                         GPtrArray *warnings, GError **error);

/* Adds a line, which has its line end; it is in the file when this returns. */
gboolean tsim_store_append(TsimStore *store, const char *line, GError **error);

/* Writes results.ndjson and removes the parts; all runs must be done. */
gboolean tsim_store_finish(TsimStore *store, const TsimRunLines *lines, GError **error);

/* Writes a file as a whole, or not at all. */
gboolean tsim_store_write_file(const char *path, const char *text, gsize length, GError **error);
