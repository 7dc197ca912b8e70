/* A stream of small records on its way to disk, written by a thread of its own and read back later.
 *
 * Records are cells of 16 bytes; what they mean is up to the user. Nothing is ever dropped: when
 * the disk is slower than the writer of cells, that one waits. The file has no name, so nothing is
 * left behind whatever happens. One thread puts, then reads. Errors: TSIM_ERROR_OUTPUT.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t cycle;
    uint32_t what;
    uint32_t value;
} TsimCell;

#define TSIM_SPOOL_BLOCK_CELLS 16384u
#define TSIM_SPOOL_BLOCKS      8u

typedef struct TsimSpoolWriter TsimSpoolWriter;

typedef struct {
    TsimCell *block; /* being filled */
    uint32_t used;   /* cells of it */
    TsimSpoolWriter *writer;
    uint64_t cells; /* handed over so far: all, behind tsim_spool_finish */
    uint64_t read;  /* of them, so far */
} TsimSpool;

/* folder: where the data lies until the spool is freed. NULL and error when it cannot. */
TsimSpool *tsim_spool_new(const char *folder, GError **error);
void tsim_spool_free(TsimSpool *spool); /* NULL is fine */

void tsim_spool_hand_over(TsimSpool *spool); /* the block in hand is full */

static inline void tsim_spool_put(TsimSpool *spool, TsimCell cell)
{
    spool->block[spool->used++] = cell;
    if (spool->used == TSIM_SPOOL_BLOCK_CELLS) {
        tsim_spool_hand_over(spool);
    }
}

/* Ends the writing. FALSE and error when anything could not be written. */
gboolean tsim_spool_finish(TsimSpool *spool, GError **error);

/* Back to the first cell; then up to n cells at a time, 0 at the end. FALSE: it cannot be read. */
void tsim_spool_rewind(TsimSpool *spool);
gboolean tsim_spool_read(TsimSpool *spool, TsimCell *cells, uint32_t n, uint32_t *ret_n,
                         GError **error);
