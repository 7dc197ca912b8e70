/* What the rays of a run did: counts, distributions, images.
 *
 * Exact integers; ratios are worked out by stats/figures.h.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

/* An instruction half has up to 32 lanes. */
#define TSIM_RAY_HALF_LANES 32

#define TSIM_RAY_BOXES_A_NODE 4

/* Bin 0 counts zeros, bin i numbers of i bits: 2^(i-1) to 2^i - 1. The last takes all above. */
#define TSIM_RAY_BINS 24

typedef struct {
    uint64_t bins[TSIM_RAY_BINS];
    uint64_t sum, max, n;
} TsimRayHistogram;

static inline void tsim_ray_histogram_add(TsimRayHistogram *histogram, uint64_t value)
{
    const int bits = value == 0 ? 0 : 64 - __builtin_clzll(value);

    histogram->bins[MIN(bits, TSIM_RAY_BINS - 1)]++;
    histogram->sum += value;
    histogram->max = MAX(histogram->max, value);
    histogram->n++;
}

/* Of one work item: row by row from the upper left. */
typedef struct {
    uint32_t width, height; /* 0: not asked for, or the rays are no image */
    uint32_t *nodes;        /* visited for each pixel */
    uint32_t *rays;         /* traced for each pixel */
    uint64_t *light; /* 0..255 a ray: how squarely a closest hit faces the ray, or 255 when nothing
                        is in the way */
} TsimRayImages;

void tsim_ray_images_clear(TsimRayImages *images);

typedef struct {
    gboolean traced;     /* the scenario has rays */
    uint64_t rays, hits; /* lanes that ask for a traversal, bad rays included */
    uint64_t box_nodes, triangle_tests, instance_nodes;
    uint64_t instructions;
    uint64_t live_lanes[TSIM_RAY_HALF_LANES + 1]; /* instruction halves by lanes that TA let pass */
    uint64_t td_busy_cycles;                      /* clocks of all texture units that rays took */
    uint32_t tds;                                 /* texture units */
    uint64_t waiting_cycles; /* integral of waves that wait for the intersection unit */
    TsimRayHistogram nodes_per_ray, stack_depth, latency; /* entries; cycles of an instruction */
    uint64_t node_lines, node_l1_hits, node_array_l1_hits, node_l2_hits;
    uint64_t bvh_bytes;
    uint32_t bvh_depth;   /* box nodes on the longest path */
    double bvh_sah_cost;  /* of the first BVH */
    TsimRayImages images; /* of the first work item that traces rays; owned */
} TsimRayResult;
