#include "model/lds.h"

#include "base/error.h"

void tsim_lds_init(TsimLds *lds, uint32_t granules, int placement)
{
    TSIM_ASSERT(granules <= TSIM_LDS_WORDS * 64);
    *lds = (TsimLds){.granules = granules, .free_granules = granules, .placement = placement};
}

/* First granule at or after `from` that is used (or free), at most limit. */
static uint32_t next_with(const TsimLds *lds, gboolean used, uint32_t from, uint32_t limit)
{
    while (from < limit) {
        const uint64_t word = used ? lds->used[from / 64] : ~lds->used[from / 64];
        const uint64_t rest = word >> (from % 64);
        if (rest != 0) {
            return MIN(from + (uint32_t)__builtin_ctzll(rest), limit);
        }
        from = (from / 64 + 1) * 64;
    }
    return limit;
}

/* First run of at least `size` free granules inside [from, limit). */
static uint32_t first_fit(const TsimLds *lds, uint32_t size, uint32_t from, uint32_t limit)
{
    uint32_t start = next_with(lds, FALSE, from, limit);

    while (start + size <= limit) {
        const uint32_t end = next_with(lds, TRUE, start, limit);
        if (end - start >= size) {
            return start;
        }
        start = next_with(lds, FALSE, end, limit);
    }
    return TSIM_LDS_NONE;
}

/* The smallest run that is large enough; the lowest of equal ones. */
static uint32_t best_fit(const TsimLds *lds, uint32_t size, uint32_t limit)
{
    uint32_t best = TSIM_LDS_NONE;
    uint32_t best_length = UINT32_MAX;

    for (uint32_t start = next_with(lds, FALSE, 0, limit); start < limit;) {
        const uint32_t end = next_with(lds, TRUE, start, limit);
        const uint32_t length = end - start;
        if (length >= size && length < best_length) {
            best = start;
            best_length = length;
        }
        start = next_with(lds, FALSE, end, limit);
    }
    return best;
}

static uint32_t next_fit(const TsimLds *lds, uint32_t size, uint32_t limit)
{
    const uint32_t ahead = first_fit(lds, size, lds->next, limit);

    return ahead != TSIM_LDS_NONE ? ahead : first_fit(lds, size, 0, limit);
}

uint32_t tsim_lds_find(const TsimLds *lds, uint32_t size, uint32_t limit)
{
    if (size > lds->free_granules) {
        return TSIM_LDS_NONE;
    }
    switch ((TsimLdsPlacement)lds->placement) {
    case TSIM_LDS_FIRST_FIT:
        return first_fit(lds, size, 0, limit);
    case TSIM_LDS_BEST_FIT:
        return best_fit(lds, size, limit);
    case TSIM_LDS_NEXT_FIT:
        return next_fit(lds, size, limit);
    }
    return TSIM_LDS_NONE;
}

void tsim_lds_take(TsimLds *lds, uint32_t first, uint32_t size)
{
    for (uint32_t granule = first; granule < first + size; granule++) {
        const uint64_t bit = UINT64_C(1) << (granule % 64);
        TSIM_ASSERT_HOT((lds->used[granule / 64] & bit) == 0);
        lds->used[granule / 64] |= bit;
    }
    lds->free_granules -= size;
    lds->next = first + size;
}

void tsim_lds_release(TsimLds *lds, uint32_t first, uint32_t size)
{
    for (uint32_t granule = first; granule < first + size; granule++) {
        const uint64_t bit = UINT64_C(1) << (granule % 64);
        TSIM_ASSERT_HOT((lds->used[granule / 64] & bit) != 0);
        lds->used[granule / 64] &= ~bit;
    }
    lds->free_granules += size;
}

uint32_t tsim_lds_largest_run(const TsimLds *lds, uint32_t limit)
{
    uint32_t largest = 0;

    for (uint32_t start = next_with(lds, FALSE, 0, limit); start < limit;) {
        const uint32_t end = next_with(lds, TRUE, start, limit);
        largest = MAX(largest, end - start);
        start = next_with(lds, FALSE, end, limit);
    }
    return largest;
}

uint32_t tsim_lds_free_below(const TsimLds *lds, uint32_t limit)
{
    uint32_t free = 0;

    for (uint32_t start = next_with(lds, FALSE, 0, limit); start < limit;) {
        const uint32_t end = next_with(lds, TRUE, start, limit);
        free += end - start;
        start = next_with(lds, FALSE, end, limit);
    }
    return free;
}
