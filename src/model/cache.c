/* Real L1s have up to 64 ways, far too many to search one by one for every line of every load. So
 * lines are found by hashing, and each set keeps its entries in a ring from the most to the least
 * recently used.
 */
#include "model/cache.h"

#include "hw/gpu.h"

#define NONE UINT32_MAX

void tsim_cache_init(TsimCache *cache, TsimArena *arena, uint32_t bytes, uint32_t ways)
{
    const uint32_t sets = bytes / TSIM_LINE_BYTES / ways;
    uint32_t bits = 1;

    while ((1U << bits) < 2 * sets * ways) {
        bits++;
    }
    cache->sets = sets;
    cache->set_mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0;
    cache->hash_shift = 64 - bits;
    cache->entries = TSIM_ARENA_NEW(arena, TsimCacheEntry, (size_t)sets * ways);
    cache->newest = TSIM_ARENA_NEW(arena, uint32_t, sets);
    cache->buckets = TSIM_ARENA_NEW(arena, uint32_t, (size_t)1 << bits);
    for (uint32_t i = 0; i < 1U << bits; i++) {
        cache->buckets[i] = NONE;
    }
    for (uint32_t set = 0; set < sets; set++) {
        const uint32_t first = set * ways;
        cache->newest[set] = first;
        for (uint32_t way = 0; way < ways; way++) {
            cache->entries[first + way].older = first + (way + 1) % ways;
            cache->entries[first + way].newer = first + (way + ways - 1) % ways;
        }
    }
}

static uint32_t *bucket_of(TsimCache *cache, uint64_t line)
{
    /* Fibonacci hashing: the high bits of the product. */
    return &cache->buckets[line * UINT64_C(0x9e3779b97f4a7c15) >> cache->hash_shift];
}

static uint32_t find(TsimCache *cache, uint64_t line)
{
    uint32_t index = *bucket_of(cache, line);

    while (index != NONE && cache->entries[index].line != line) {
        index = cache->entries[index].next;
    }
    return index;
}

static void remove_from_bucket(TsimCache *cache, uint32_t index)
{
    uint32_t *link = bucket_of(cache, cache->entries[index].line);

    while (*link != index) {
        link = &cache->entries[*link].next;
    }
    *link = cache->entries[index].next;
}

static void add_to_bucket(TsimCache *cache, uint32_t index, uint64_t line)
{
    uint32_t *bucket = bucket_of(cache, line);

    cache->entries[index].line = line;
    cache->entries[index].next = *bucket;
    *bucket = index;
}

/* Moves an entry to the front of its set's ring. The oldest one is in front of the newest already:
 * the ring only has to be turned. */
static void make_newest(TsimCache *cache, uint32_t set, uint32_t index)
{
    TsimCacheEntry *entries = cache->entries;
    const uint32_t front = cache->newest[set];

    if (index != front && index != entries[front].newer) {
        entries[entries[index].newer].older = entries[index].older;
        entries[entries[index].older].newer = entries[index].newer;
        entries[index].older = front;
        entries[index].newer = entries[front].newer;
        entries[entries[front].newer].older = index;
        entries[front].newer = index;
    }
    cache->newest[set] = index;
}

TsimCacheAccess tsim_cache_access(TsimCache *cache, uint64_t line, gboolean write)
{
    const uint32_t set =
        cache->set_mask != 0 ? (uint32_t)line & cache->set_mask : (uint32_t)(line % cache->sets);
    TsimCacheAccess access = {.hit = TRUE};
    uint32_t index = find(cache, line);

    if (index == NONE) {
        index = cache->entries[cache->newest[set]].newer; /* the oldest makes room */
        TsimCacheEntry *entry = &cache->entries[index];
        access = (TsimCacheAccess){.hit = FALSE, .evicted_dirty = entry->dirty};
        if (entry->valid) {
            remove_from_bucket(cache, index);
        }
        entry->valid = TRUE;
        entry->dirty = FALSE;
        add_to_bucket(cache, index, line);
    }
    if (write) {
        cache->entries[index].dirty = TRUE;
    }
    make_newest(cache, set, index);
    return access;
}
