/* How many DS threads a patch really makes. A domain point is shaded again when the index list
 * comes back to it after the hardware's vertex-reuse window has forgotten it; the window starts
 * empty at each patch. The order is the reference tessellator's: hardware may walk a patch
 * differently.
 *
 * The object holds the window, room for one index list and a cache over segment counts: a patch
 * that rounds to the segments of one seen lately costs a table look-up. Its memory belongs to the
 * arena and is all taken at once (about 100 KB). Not thread safe: one object, one owner.
 *
 * Source: VTX_REUSE_DEPTH in the register files and drivers for GCN and RDNA; tests/golden.
 */
#pragma once

#include "base/arena.h"
#include "workload/tessellation.h"

typedef enum {
    TSIM_VERTEX_REUSE_UNIQUE, /* every point is shaded once, as with an endless window */
    TSIM_VERTEX_REUSE_FIFO,   /* forgets the point that was shaded longest ago */
    TSIM_VERTEX_REUSE_LRU,    /* forgets the point that was used longest ago */
} TsimVertexReuseKind;

/* Words in index order, NULL-terminated. */
extern const char *const tsim_vertex_reuse_names[];

#define TSIM_VERTEX_REUSE_DEPTH_MAX 255 /* an 8-bit register field */

typedef struct TsimVertexReuse TsimVertexReuse;

/* depth: points that the window holds, 1..255; `unique` has no use for it. */
TsimVertexReuse *tsim_vertex_reuse_new(TsimArena *arena, TsimVertexReuseKind kind, uint32_t depth);

/* counts is what tsim_tessellation_count gave for this domain and topology. reuse NULL is `unique`.
 */
uint32_t tsim_vertex_reuse_ds_threads(TsimVertexReuse *reuse, TsimDomain domain,
                                      TsimTopology topology, const TsimTessCounts *counts);
