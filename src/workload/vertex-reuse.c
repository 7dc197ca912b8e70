#include "workload/vertex-reuse.h"

#include "base/error.h"
#include "base/hash.h"
#include "workload/tessellator-geometry.h"

const char *const tsim_vertex_reuse_names[] = {"unique", "fifo", "lru", NULL};

#define CACHE_ENTRIES 1024 /* a power of two */
#define NO_POINT      UINT16_MAX

typedef struct {
    uint64_t key; /* 0: empty */
    uint32_t ds_threads;
} CacheEntry;

struct TsimVertexReuse {
    TsimVertexReuseKind kind;
    uint32_t depth;
    uint64_t shaded;                           /* FIFO: threads so far, over all patches */
    uint64_t shaded_as[TSIM_PATCH_POINTS_MAX]; /* FIFO: number of the thread that shaded a point */
    uint16_t window[TSIM_VERTEX_REUSE_DEPTH_MAX]; /* LRU: newest first */
    uint16_t indices[TSIM_PATCH_INDICES_MAX];
    CacheEntry cache[CACHE_ENTRIES];
};

TsimVertexReuse *tsim_vertex_reuse_new(TsimArena *arena, TsimVertexReuseKind kind, uint32_t depth)
{
    TsimVertexReuse *reuse = TSIM_ARENA_NEW(arena, TsimVertexReuse, 1);

    TSIM_ASSERT(kind == TSIM_VERTEX_REUSE_UNIQUE ||
                (depth >= 1 && depth <= TSIM_VERTEX_REUSE_DEPTH_MAX));
    reuse->kind = kind;
    reuse->depth = depth;
    return reuse;
}

/* A point is in the window while fewer than `depth` others were shaded since: no need to store the
 * window. Counting on from the last patch with a gap of `depth` forgets all of that patch.
 */
static uint32_t count_fifo(TsimVertexReuse *reuse, uint32_t n_indices)
{
    const uint64_t start = reuse->shaded + reuse->depth;
    uint64_t shaded = start;

    for (uint32_t i = 0; i < n_indices; i++) {
        uint64_t *shaded_as = &reuse->shaded_as[reuse->indices[i]];

        if (shaded - *shaded_as >= reuse->depth) {
            *shaded_as = ++shaded;
        }
    }
    reuse->shaded = shaded;
    return (uint32_t)(shaded - start);
}

/* Moves point to the front. TRUE if it was in the window. */
static gboolean use_point(uint16_t *window, uint32_t depth, uint16_t point)
{
    uint16_t moved = point;

    for (uint32_t i = 0; i < depth; i++) {
        const uint16_t old = window[i];

        window[i] = moved;
        if (old == point) {
            return TRUE;
        }
        moved = old;
    }
    return FALSE;
}

static uint32_t count_lru(TsimVertexReuse *reuse, uint32_t n_indices)
{
    uint32_t shaded = 0;

    for (uint32_t i = 0; i < reuse->depth; i++) {
        reuse->window[i] = NO_POINT;
    }
    for (uint32_t i = 0; i < n_indices; i++) {
        shaded += use_point(reuse->window, reuse->depth, reuse->indices[i]) ? 0 : 1;
    }
    return shaded;
}

/* All that an index list follows from. Never 0: edges have at least one segment. */
static uint64_t cache_key(TsimDomain domain, TsimTopology topology, const TsimTessCounts *counts)
{
    uint64_t key = (uint64_t)domain << 2 | (uint64_t)topology;

    for (guint i = 0; i < G_N_ELEMENTS(counts->edge_segments); i++) {
        key = key << 7 | counts->edge_segments[i];
    }
    for (guint i = 0; i < G_N_ELEMENTS(counts->inside_segments); i++) {
        key = key << 7 | counts->inside_segments[i];
    }
    return key;
}

static uint32_t count_ds_threads(TsimVertexReuse *reuse, TsimDomain domain, TsimTopology topology,
                                 const TsimTessCounts *counts)
{
    const uint32_t n_indices =
        tsim_tessellator_geometry_indices(domain, topology, counts, reuse->indices);

    return reuse->kind == TSIM_VERTEX_REUSE_FIFO ? count_fifo(reuse, n_indices)
                                                 : count_lru(reuse, n_indices);
}

uint32_t tsim_vertex_reuse_ds_threads(TsimVertexReuse *reuse, TsimDomain domain,
                                      TsimTopology topology, const TsimTessCounts *counts)
{
    if (reuse == NULL || reuse->kind == TSIM_VERTEX_REUSE_UNIQUE || counts->culled) {
        return counts->points;
    }

    const uint64_t key = cache_key(domain, topology, counts);
    CacheEntry *entry = &reuse->cache[tsim_mix64(key) % CACHE_ENTRIES];

    if (entry->key != key) {
        entry->key = key;
        entry->ds_threads = count_ds_threads(reuse, domain, topology, counts);
    }
    return entry->ds_threads;
}
