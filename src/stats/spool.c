/* A ring of blocks between the two threads. The one that fills them takes the lock once a block. */
#include "stats/spool.h"

#include "base/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

struct TsimSpoolWriter {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    TsimCell blocks[TSIM_SPOOL_BLOCKS][TSIM_SPOOL_BLOCK_CELLS];
    uint32_t lengths[TSIM_SPOOL_BLOCKS];
    uint64_t filled, written; /* blocks so far; under the lock */
    gboolean closing;         /* under the lock */
    gboolean joined;
    atomic_int failure; /* errno of the first write that failed */
    int file;
};

static void set_error(GError **error, const char *what, int failure)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "the timeline cannot be %s: %s", what,
                g_strerror(failure));
}

/* After a failure blocks are taken and thrown away: the run goes on, its end reports. */
static void write_block(TsimSpoolWriter *writer, uint32_t index)
{
    const char *bytes = (const char *)writer->blocks[index];
    size_t left = writer->lengths[index] * sizeof(TsimCell);

    while (left > 0 && atomic_load(&writer->failure) == 0) {
        const ssize_t done = write(writer->file, bytes, left);
        if (done >= 0) {
            bytes += done;
            left -= (size_t)done;
        } else if (errno != EINTR) {
            atomic_store(&writer->failure, errno);
        }
    }
}

static void *write_blocks(void *user)
{
    TsimSpoolWriter *writer = user;

    pthread_mutex_lock(&writer->lock);
    while (writer->written < writer->filled || !writer->closing) {
        if (writer->written == writer->filled) {
            pthread_cond_wait(&writer->changed, &writer->lock);
            continue;
        }
        const uint32_t index = (uint32_t)(writer->written % TSIM_SPOOL_BLOCKS);
        pthread_mutex_unlock(&writer->lock);
        write_block(writer, index);
        pthread_mutex_lock(&writer->lock);
        writer->written++;
        pthread_cond_signal(&writer->changed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* A file that nobody can see, in a folder that the user has named for output. */
static int open_nameless(const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, ".tesssim-XXXXXX", NULL);
    const int file = g_mkstemp(path);

    if (file < 0) {
        const int failure = errno;
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: nothing can be written there: %s",
                    folder, g_strerror(failure));
        return -1;
    }
    (void)unlink(path);
    return file;
}

TsimSpool *tsim_spool_new(const char *folder, GError **error)
{
    const int file = open_nameless(folder, error);

    if (file < 0) {
        return NULL;
    }
    TsimSpool *spool = g_new0(TsimSpool, 1);
    TsimSpoolWriter *writer = g_new0(TsimSpoolWriter, 1);

    spool->writer = writer;
    spool->block = writer->blocks[0];
    writer->file = file;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->changed, NULL);
    const int failure = pthread_create(&writer->thread, NULL, write_blocks, writer);
    if (failure != 0) {
        writer->joined = TRUE;
        set_error(error, "written", failure);
        tsim_spool_free(spool);
        return NULL;
    }
    return spool;
}

void tsim_spool_hand_over(TsimSpool *spool)
{
    TsimSpoolWriter *writer = spool->writer;

    pthread_mutex_lock(&writer->lock);
    writer->lengths[writer->filled % TSIM_SPOOL_BLOCKS] = spool->used;
    spool->cells += spool->used;
    spool->used = 0;
    writer->filled++;
    pthread_cond_signal(&writer->changed);
    while (writer->filled - writer->written == TSIM_SPOOL_BLOCKS) {
        pthread_cond_wait(&writer->changed, &writer->lock);
    }
    spool->block = writer->blocks[writer->filled % TSIM_SPOOL_BLOCKS];
    pthread_mutex_unlock(&writer->lock);
}

static void join(TsimSpoolWriter *writer)
{
    if (writer->joined) {
        return;
    }
    pthread_mutex_lock(&writer->lock);
    writer->closing = TRUE;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    (void)pthread_join(writer->thread, NULL);
    writer->joined = TRUE;
}

gboolean tsim_spool_finish(TsimSpool *spool, GError **error)
{
    if (spool->used > 0) {
        tsim_spool_hand_over(spool);
    }
    join(spool->writer);
    const int failure = atomic_load(&spool->writer->failure);
    if (failure != 0) {
        set_error(error, "written", failure);
    }
    return failure == 0;
}

void tsim_spool_rewind(TsimSpool *spool)
{
    spool->read = 0;
}

gboolean tsim_spool_read(TsimSpool *spool, TsimCell *cells, uint32_t n, uint32_t *ret_n,
                         GError **error)
{
    const size_t wanted = MIN(n, spool->cells - spool->read) * sizeof(TsimCell);
    size_t got = 0;

    while (got < wanted) {
        const ssize_t done = pread(spool->writer->file, (char *)cells + got, wanted - got,
                                   (off_t)(spool->read * sizeof(TsimCell) + got));
        if (done <= 0 && !(done < 0 && errno == EINTR)) {
            set_error(error, "read back", done < 0 ? errno : EIO);
            return FALSE;
        }
        got += done > 0 ? (size_t)done : 0;
    }
    *ret_n = (uint32_t)(wanted / sizeof(TsimCell));
    spool->read += *ret_n;
    return TRUE;
}

void tsim_spool_free(TsimSpool *spool)
{
    if (spool == NULL) {
        return;
    }
    TsimSpoolWriter *writer = spool->writer;

    join(writer);
    pthread_mutex_destroy(&writer->lock);
    pthread_cond_destroy(&writer->changed);
    (void)close(writer->file);
    g_free(writer);
    g_free(spool);
}
