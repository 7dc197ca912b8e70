/* A set-associative cache of 64-byte lines with least-recently-used replacement: tags only, no
 * data.
 *
 * A look-up costs the same for any number of ways. Memory comes from the arena; the structs hold
 * indices only.
 */
#pragma once

#include "base/arena.h"

#include <glib.h>
#include <stdint.h>

typedef struct {
    uint64_t line;
    uint32_t newer, older; /* neighbours in the set's order of use, a ring */
    uint32_t next;         /* in the hash bucket */
    uint8_t valid, dirty;
} TsimCacheEntry;

typedef struct {
    TsimCacheEntry *entries; /* sets * ways: the set of an entry never changes */
    uint32_t
        *newest; /* by set: most recently used entry; the one before it in the ring is the oldest */
    uint32_t *buckets; /* by hash of the line */
    uint32_t sets;
    uint32_t set_mask; /* sets - 1 when they are a power of two, else 0 */
    uint32_t hash_shift;
} TsimCache;

typedef struct {
    gboolean hit;
    gboolean evicted_dirty; /* a dirty line had to make room */
} TsimCacheAccess;

void tsim_cache_init(TsimCache *cache, TsimArena *arena, uint32_t bytes, uint32_t ways);

/* Looks a line up and brings it in. write marks it dirty; whole lines are written, so a miss reads
 * nothing. */
TsimCacheAccess tsim_cache_access(TsimCache *cache, uint64_t line, gboolean write);
