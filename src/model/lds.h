/* The LDS of one CU as an address space: contiguous blocks of granules, placed by a policy.
 *
 * Not a counter: fragmentation can refuse a request that the free bytes would satisfy. All sizes
 * and positions are granules. The caller owns the struct; no allocation.
 */
#pragma once

#include "hw/gpu.h"

#define TSIM_LDS_WORDS 8 /* 512 granules at most */
#define TSIM_LDS_NONE  UINT32_MAX

typedef struct {
    uint64_t used[TSIM_LDS_WORDS]; /* one bit a granule */
    uint32_t granules;
    uint32_t free_granules;
    uint32_t next; /* where next fit starts looking */
    int placement; /* TsimLdsPlacement */
} TsimLds;

void tsim_lds_init(TsimLds *lds, uint32_t granules, int placement);

/* First granule of a free run of `size` (>= 1) inside [0, limit), by the policy; TSIM_LDS_NONE when
 * there is none. Changes nothing. O(granules). */
uint32_t tsim_lds_find(const TsimLds *lds, uint32_t size, uint32_t limit);

/* Takes and returns a block that tsim_lds_find has found. */
void tsim_lds_take(TsimLds *lds, uint32_t first, uint32_t size);
void tsim_lds_release(TsimLds *lds, uint32_t first, uint32_t size);

uint32_t tsim_lds_largest_run(const TsimLds *lds, uint32_t limit);

/* Free granules inside [0, limit). */
uint32_t tsim_lds_free_below(const TsimLds *lds, uint32_t limit);
