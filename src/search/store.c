#include "search/store.h"

#include "base/error.h"
#include "base/file-sink.h"
#include "io/point-line.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTS  "parts"
#define SUFFIX ".ndjson"

struct TsimStore {
    char *folder;
    char *parts;
    char *name;
    int part; /* file of this process; -1: not open */
    char *part_path;
};

static gboolean fail(GError **error, const char *what, const char *path)
{
    const int failure = errno;

    g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: cannot be %s: %s", path, what,
                g_strerror(failure));
    return FALSE;
}

/* ---- Lines ---- */

TsimRunLines *tsim_run_lines_new(uint64_t n)
{
    TsimRunLines *lines = g_new0(TsimRunLines, 1);

    lines->n = n;
    lines->lines = g_new0(char *, n);
    return lines;
}

void tsim_run_lines_free(TsimRunLines *lines)
{
    if (lines == NULL) {
        return;
    }
    for (uint64_t i = 0; i < lines->n; i++) {
        g_free(lines->lines[i]);
    }
    g_free(lines->lines);
    g_free(lines);
}

void tsim_run_lines_put(TsimRunLines *lines, uint64_t run, char *line)
{
    if (lines->lines[run] != NULL) {
        g_free(line);
        return;
    }
    lines->lines[run] = line;
    lines->done++;
}

/* ---- The folder ---- */

TsimStore *tsim_store_open(const char *folder, const char *name, GError **error)
{
    g_autoptr(TsimStore) store = g_new0(TsimStore, 1);

    store->folder = g_strdup(folder);
    store->parts = g_build_filename(folder, PARTS, NULL);
    store->name = g_strdup(name);
    store->part = -1;
    if (g_mkdir_with_parents(folder, 0777) != 0) {
        (void)fail(error, "made", folder);
        return NULL;
    }
    return g_steal_pointer(&store);
}

void tsim_store_free(TsimStore *store)
{
    if (store == NULL) {
        return;
    }
    if (store->part >= 0) {
        (void)close(store->part);
    }
    g_free(store->folder);
    g_free(store->parts);
    g_free(store->name);
    g_free(store->part_path);
    g_free(store);
}

char *tsim_store_path(const TsimStore *store, const char *file)
{
    return g_build_filename(store->folder, file, NULL);
}

/* ---- Writing ---- */

static gboolean write_all(int file, const char *text, gsize length)
{
    while (length > 0) {
        const ssize_t written = write(file, text, length);
        if (written < 0 && errno != EINTR) {
            return FALSE;
        }
        text += MAX(written, 0);
        length -= (gsize)MAX(written, 0);
    }
    return TRUE;
}

/* A new file: a torn line of an earlier process stays the last of its own. */
static gboolean open_part(TsimStore *store, GError **error)
{
    char host[64] = "host";

    (void)gethostname(host, sizeof host - 1);
    if (g_mkdir_with_parents(store->parts, 0777) != 0) {
        return fail(error, "made", store->parts);
    }
    for (guint attempt = 0; store->part < 0; attempt++) {
        g_autofree char *file =
            g_strdup_printf("%s.%s.%d.%u%s", store->name, host, (int)getpid(), attempt, SUFFIX);
        g_free(store->part_path);
        store->part_path = g_build_filename(store->parts, file, NULL);
        store->part =
            open(store->part_path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (store->part < 0 && errno != EEXIST) {
            return fail(error, "made", store->part_path);
        }
    }
    return TRUE;
}

gboolean tsim_store_append(TsimStore *store, const char *line, GError **error)
{
    if (store->part < 0 && !open_part(store, error)) {
        return FALSE;
    }
    return write_all(store->part, line, strlen(line)) || fail(error, "written", store->part_path);
}

static gboolean sync_folder_of(const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const gboolean ok = file >= 0 && fsync(file) == 0;

    if (file >= 0) {
        (void)close(file);
    }
    return ok;
}

gboolean tsim_store_write_file(const char *path, const char *text, gsize length, GError **error)
{
    return tsim_file_sink_write(path, text, length, error) &&
           (sync_folder_of(path) || fail(error, "written", path));
}

static void remove_parts(const TsimStore *store)
{
    g_autoptr(GDir) folder = g_dir_open(store->parts, 0, NULL);
    const char *file;

    while (folder != NULL && (file = g_dir_read_name(folder)) != NULL) {
        g_autofree char *path = g_build_filename(store->parts, file, NULL);
        (void)unlink(path);
    }
    (void)rmdir(store->parts);
}

gboolean tsim_store_finish(TsimStore *store, const TsimRunLines *lines, GError **error)
{
    g_autofree char *path = tsim_store_path(store, TSIM_STORE_RESULTS);
    g_autoptr(GString) text = g_string_new(NULL);

    TSIM_ASSERT(lines->done == lines->n);
    for (uint64_t run = 0; run < lines->n; run++) {
        g_string_append(text, lines->lines[run]);
    }
    if (!tsim_store_write_file(path, text->str, text->len, error)) {
        return FALSE;
    }
    remove_parts(store);
    return TRUE;
}

/* ---- Reading ---- */

typedef struct {
    TsimRunLines *lines;
    guint replications;
    GPtrArray *warnings;
} Loading;

/* FALSE when the line is torn. */
static gboolean load_line(const Loading *loading, const char *line, gsize length)
{
    uint64_t point, replication;

    if (!tsim_point_line_read_id(line, length, &point, &replication) ||
        replication >= loading->replications ||
        point >= loading->lines->n / loading->replications) {
        return FALSE;
    }
    const uint64_t run = point * loading->replications + replication;
    if (loading->lines->lines[run] == NULL) {
        char *copy = g_malloc(length + 2);
        memcpy(copy, line, length);
        memcpy(copy + length, "\n", 2);
        tsim_run_lines_put(loading->lines, run, copy);
    }
    return TRUE;
}

static void load_text(const Loading *loading, const char *path, const char *text, gsize length)
{
    const char *end = text + length;
    guint number = 1, torn = 0, first_torn = 0;

    for (const char *line = text; line < end; number++) {
        const char *line_end = memchr(line, '\n', (gsize)(end - line));
        if (line_end == NULL || !load_line(loading, line, (gsize)(line_end - line))) {
            first_torn = torn++ == 0 ? number : first_torn;
        }
        line = line_end != NULL ? line_end + 1 : end;
    }
    if (torn > 0 && loading->warnings != NULL) {
        g_ptr_array_add(loading->warnings,
                        g_strdup_printf("%s:%u: the line is torn%s; what it was for is run again",
                                        path, first_torn, torn > 1 ? ", and others are" : ""));
    }
}

/* A file that has gone meanwhile was removed by a process that finished the sweep. */
static gboolean load_file(const Loading *loading, const char *path, GError **error)
{
    g_autoptr(GError) failure = NULL;
    GMappedFile *file = g_mapped_file_new(path, FALSE, &failure);

    if (file == NULL) {
        if (g_error_matches(failure, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
            return TRUE;
        }
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_IO, "%s: cannot be read: %s", path,
                    failure->message);
        return FALSE;
    }
    load_text(loading, path, g_mapped_file_get_contents(file), g_mapped_file_get_length(file));
    g_mapped_file_unref(file);
    return TRUE;
}

/* Parts first: when they vanish meanwhile, the results are there. */
gboolean tsim_store_load(const TsimStore *store, guint replications, TsimRunLines *lines,
                         GPtrArray *warnings, GError **error)
{
    const Loading loading = {lines, replications, warnings};
    g_autofree char *results = tsim_store_path(store, TSIM_STORE_RESULTS);
    g_autoptr(GDir) folder = g_dir_open(store->parts, 0, NULL);
    const char *file;

    while (folder != NULL && (file = g_dir_read_name(folder)) != NULL) {
        g_autofree char *path = g_build_filename(store->parts, file, NULL);
        if (g_str_has_suffix(file, SUFFIX) && !load_file(&loading, path, error)) {
            return FALSE;
        }
    }
    return load_file(&loading, results, error);
}
