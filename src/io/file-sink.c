#include "io/file-sink.h"

#include "base/error.h"
#include "io/encode.h"

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

gboolean tsim_file_sink_open(TsimFileSink *ret_sink, const char *path, GError **error)
{
    g_autofree char *draft = g_strconcat(path, ".XXXXXX", NULL);
    struct stat status;

    *ret_sink = (TsimFileSink){0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return fail(error, path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    const int file = g_mkstemp_full(draft, O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
        return fail(error, path, errno);
    }
    *ret_sink = (TsimFileSink){fdopen(file, "wb"), g_strdup(path), g_steal_pointer(&draft), 0};
    (void)setvbuf(ret_sink->file, NULL, _IOFBF, BUFFER_BYTES);
    return TRUE;
}

gboolean tsim_file_sink_check(const char *path, GError **error)
{
    g_auto(TsimFileSink) sink = {0};

    return tsim_file_sink_open(&sink, path, error);
}

/* 0, or the errno of what stood in the way. */
static int finish(TsimFileSink *sink)
{
    int failure = sink->failure;

    if (failure == 0 && (fflush(sink->file) != 0 || fsync(fileno(sink->file)) != 0)) {
        failure = errno;
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
        (void)unlink(sink->draft);
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

void tsim_put_real(TsimFileSink *sink, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    if (value >= 0.0 && value < 1e15 && !((double)(uint64_t)value < value)) {
        tsim_put_count(sink, (uint64_t)value);
        return;
    }
    tsim_puts(sink, tsim_encode_real_text(value, text));
}
