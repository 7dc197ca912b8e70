#include "model/cache.h"

#include "hw/gpu.h"

#include <string.h>

#define DIRTY (UINT64_C(1) << 63)

void tsim_cache_init(TsimCache *cache, TsimArena *arena, uint32_t bytes, uint32_t ways)
{
    cache->ways = ways;
    cache->sets = bytes / TSIM_LINE_BYTES / ways;
    cache->tags = TSIM_ARENA_NEW(arena, uint64_t, (size_t)cache->sets * ways);
}

TsimCacheAccess tsim_cache_access(TsimCache *cache, uint64_t line, gboolean write)
{
    uint64_t *set = cache->tags + line % cache->sets * cache->ways;
    const uint64_t tag = line + 1;
    uint32_t way = 0;

    while (way < cache->ways - 1 && (set[way] & ~DIRTY) != tag) {
        way++;
    }
    /* Here `way` holds the line, or is the least recently used one, which makes room. */
    const gboolean hit = (set[way] & ~DIRTY) == tag;
    const gboolean evicted_dirty = !hit && (set[way] & DIRTY) != 0;
    const uint64_t kept = hit ? set[way] : tag;
    memmove(set + 1, set, way * sizeof *set);
    set[0] = write ? kept | DIRTY : kept;
    return (TsimCacheAccess){hit, evicted_dirty};
}
