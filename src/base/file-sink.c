#include "base/file-sink.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES 262144

static gboolean fail(GError **error, const char *path, int failure)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: cannot be written: %s", path,
                g_strerror(failure));
    return FALSE;
}

static int open_named(TsimFileSink *sink)
{
    sink->draft = g_strconcat(sink->path, ".XXXXXX", NULL);
    return g_mkstemp_full(sink->draft, O_RDWR | O_CLOEXEC, 0666);
}

static int open_draft(TsimFileSink *sink)
{
    g_autofree char *folder = g_path_get_dirname(sink->path);
    const int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);

    return file < 0 && (errno == EOPNOTSUPP || errno == EISDIR) ? open_named(sink) : file;
}

gboolean tsim_file_sink_open(TsimFileSink *ret_sink, const char *path, GError **error)
{
    struct stat status;

    *ret_sink = (TsimFileSink){0};
    if (*path == '\0') {
        return fail(error, "\"\"", ENOENT);
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return fail(error, path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    ret_sink->path = g_strdup(path);
    const int file = open_draft(ret_sink);
    if (file < 0) {
        const int failure = errno;
        g_clear_pointer(&ret_sink->draft, g_free);
        return fail(error, path, failure);
    }
    ret_sink->file = fdopen(file, "wb");
    (void)setvbuf(ret_sink->file, NULL, _IOFBF, BUFFER_BYTES);
    return TRUE;
}

gboolean tsim_file_sink_check(const char *path, GError **error)
{
    g_auto(TsimFileSink) sink = {0};

    return tsim_file_sink_open(&sink, path, error);
}

/* A file without a name gets one beside its own, which only a rename can replace. */
static int name_draft(TsimFileSink *sink)
{
    g_autofree char *opened = g_strdup_printf("/proc/self/fd/%d", fileno(sink->file));

    if (sink->draft != NULL) {
        return 0;
    }
    sink->draft = g_strdup_printf("%s.%08x", sink->path, g_random_int());
    if (linkat(AT_FDCWD, opened, AT_FDCWD, sink->draft, AT_SYMLINK_FOLLOW) == 0) {
        return 0;
    }
    const int failure = errno;
    g_clear_pointer(&sink->draft, g_free);
    return failure;
}

/* 0, or the errno of what stood in the way. */
static int finish(TsimFileSink *sink)
{
    int failure = sink->failure;

    if (failure == 0 && (fflush(sink->file) != 0 || fsync(fileno(sink->file)) != 0)) {
        failure = errno;
    }
    if (failure == 0) {
        failure = name_draft(sink);
    }
    if (fclose(g_steal_pointer(&sink->file)) != 0 && failure == 0) {
        failure = errno;
    }
    if (failure == 0 && rename(sink->draft, sink->path) != 0) {
        failure = errno;
    }
    return failure;
}

gboolean tsim_file_sink_commit(TsimFileSink *sink, GError **error)
{
    const int failure = finish(sink);

    if (failure != 0) {
        if (sink->draft != NULL) {
            (void)unlink(sink->draft);
        }
        (void)fail(error, sink->path, failure);
    }
    g_clear_pointer(&sink->draft, g_free);
    return failure == 0;
}

void tsim_file_sink_clear(TsimFileSink *sink)
{
    if (sink->file != NULL) {
        (void)fclose(sink->file);
    }
    if (sink->draft != NULL) {
        (void)unlink(sink->draft);
    }
    g_free(sink->draft);
    g_free(sink->path);
    *sink = (TsimFileSink){0};
}

gboolean tsim_file_sink_write(const char *path, const void *data, size_t bytes, GError **error)
{
    g_auto(TsimFileSink) sink = {0};

    if (!tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    tsim_put(&sink, data, bytes);
    return tsim_file_sink_commit(&sink, error);
}

void tsim_puts(TsimFileSink *sink, const char *text)
{
    tsim_put(sink, text, strlen(text));
}

void tsim_put_count(TsimFileSink *sink, uint64_t count)
{
    char digits[20];
    size_t first = sizeof digits;

    do {
        digits[--first] = (char)('0' + count % 10);
        count /= 10;
    } while (count > 0);
    tsim_put(sink, digits + first, sizeof digits - first);
}
