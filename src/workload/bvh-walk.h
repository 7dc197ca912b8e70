/* Checks and measures the trees of a BVH: private to bvh*.c. */
#pragma once

#include "workload/bvh.h"

/* Fills bvh->measure. TSIM_ERROR_INPUT if the nodes are not trees that a traversal can end in. */
gboolean tsim_bvh_walk(TsimBvh *bvh, GError **error);
