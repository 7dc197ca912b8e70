#include "base/file.h"

#include "base/error.h"

#include <errno.h>

#define BLOCK_BYTES 1048576

GString *tsim_stream_read(FILE *stream, size_t most)
{
    GString *text = g_string_new(NULL);
    size_t got = 1;

    while (got > 0 && text->len <= most) {
        const size_t before = text->len;
        const size_t wanted = MIN(BLOCK_BYTES, most + 1 - before);
        g_string_set_size(text, before + wanted);
        got = fread(text->str + before, 1, wanted, stream);
        g_string_set_size(text, before + got);
    }
    return text;
}

static gboolean fail(GError **error, const char *path, const char *what, int failure)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_IO, "%s: the %s cannot be read: %s", path, what,
                g_strerror(failure));
    return FALSE;
}

gboolean tsim_file_read(const char *path, const char *what, char **ret_data, gsize *ret_bytes,
                        GError **error)
{
    FILE *stream = fopen(path, "rb");

    if (stream == NULL) {
        return fail(error, path, what, errno);
    }
    g_autoptr(GString) text = tsim_stream_read(stream, TSIM_FILE_BYTES_MAX);
    const int failure = ferror(stream) ? errno : 0;
    (void)fclose(stream);
    if (failure != 0) {
        return fail(error, path, what, failure);
    }
    if (text->len > TSIM_FILE_BYTES_MAX) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: the %s is larger than %u MiB, which is the most that is read", path, what,
                    TSIM_FILE_BYTES_MAX >> 20);
        return FALSE;
    }
    *ret_bytes = text->len;
    *ret_data = g_string_free(g_steal_pointer(&text), FALSE);
    return TRUE;
}
