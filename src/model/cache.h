/* A set-associative cache of 64-byte lines with least-recently-used replacement: tags only, no
 * data. */
#pragma once

#include "base/arena.h"

#include <glib.h>
#include <stdint.h>

typedef struct {
    uint64_t
        *tags; /* sets * ways, most recent first; line + 1, with the dirty bit on top; 0: empty */
    uint32_t sets, ways;
} TsimCache;

typedef struct {
    gboolean hit;
    gboolean evicted_dirty; /* a dirty line had to make room */
} TsimCacheAccess;

void tsim_cache_init(TsimCache *cache, TsimArena *arena, uint32_t bytes, uint32_t ways);

/* Looks a line up and brings it in. write marks it dirty; whole lines are written, so a miss reads
 * nothing. */
TsimCacheAccess tsim_cache_access(TsimCache *cache, uint64_t line, gboolean write);
