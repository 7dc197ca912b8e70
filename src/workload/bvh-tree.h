/* A 4-wide tree over boxes, split by the surface-area heuristic: private to the BVH builder. */
#pragma once

#include "workload/box.h"

#include <glib.h>
#include <stdint.h>

typedef struct {
    TsimBox bounds;
    uint32_t item; /* the builder's number of what is in the box */
} TsimBvhTreeBox;

/* A range of boxes: one of them is a leaf, more will be split again. */
typedef struct {
    TsimBvhTreeBox *boxes;
    uint32_t count;
    TsimBox bounds;
} TsimBvhTreeRange;

TsimBvhTreeRange tsim_bvh_tree_range(TsimBvhTreeBox *boxes, uint32_t count);

/* Reorders the boxes and cuts the range into up to four; returns how many. A range of one box stays
 * whole. At `depth` levels below the root a cut becomes an even one in time to keep the tree under
 * TSIM_BVH_MAX_DEPTH. */
unsigned tsim_bvh_tree_split(TsimBvhTreeRange range, unsigned bins, unsigned depth,
                             TsimBvhTreeRange children[4]);
