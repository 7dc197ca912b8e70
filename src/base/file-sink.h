/* A file on its way: it appears whole or not at all.
 *
 * What is written goes to a file without a name in the same folder, which is gone when the process
 * is killed; where the file system has no such files, to one of another name. tsim_file_sink_commit
 * gives it its own name once it is safely on disk. Writing never fails by itself: the first failure
 * is kept and told by the commit. Errors: TSIM_ERROR_OUTPUT, naming the file.
 */
#pragma once

#include <errno.h>
#include <glib.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    char *path, *draft; /* draft: the other name; NULL: it has none yet */
    int failure;        /* errno of the first write that failed; 0: none */
} TsimFileSink;

gboolean tsim_file_sink_open(TsimFileSink *ret_sink, const char *path, GError **error);

/* Whether a file of this name could be written; leaves nothing behind. */
gboolean tsim_file_sink_check(const char *path, GError **error);

/* FALSE and error when the file is not there; nothing is left behind then. */
gboolean tsim_file_sink_commit(TsimFileSink *sink, GError **error);

/* Gives up what has not been committed. */
void tsim_file_sink_clear(TsimFileSink *sink);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimFileSink, tsim_file_sink_clear)

/* Writes a whole file in one go. */
gboolean tsim_file_sink_write(const char *path, const void *data, size_t bytes, GError **error);

static inline void tsim_put(TsimFileSink *sink, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, sink->file) != bytes && sink->failure == 0) {
        sink->failure = errno;
    }
}

void tsim_puts(TsimFileSink *sink, const char *text);
void tsim_put_count(TsimFileSink *sink, uint64_t count); /* in decimal */
