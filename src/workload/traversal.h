/* The traversal loop of a ray-tracing shader on top of the intersection unit.
 *
 * One step is what a lane does between two waits: one image_bvh_intersect_ray, or the read of an
 * instance node, and the stack work behind it. The next node is `pointer`, so that a timing model
 * can fetch it first; TSIM_RAY_NO_NODE means that the lane has finished. Of several hit boxes the
 * first result is entered and the others go on the stack, last result first. Triangles of a node
 * are tested from the highest to triangle 0, one a step. A triangle is taken when t < extent, which
 * then shrinks to t.
 *
 * The stack belongs to the caller: tsim_traversal_stack_entries(bvh) entries a lane. A BVH that
 * tsim_bvh_build or tsim_bvh_read returned always ends the loop. Nothing is allocated.
 */
#pragma once

#include "hw/ray-intersect.h"
#include "workload/bvh.h"

/* Enough entries for any BVH. */
#define TSIM_TRAVERSAL_MAX_STACK (2 * 3 * TSIM_BVH_MAX_DEPTH)

typedef struct {
    const TsimBvh *bvh;
    TsimRayUnit unit;
    gboolean any_hit; /* stop at the first hit */
} TsimTraversalScene;

typedef struct {
    gboolean found;
    gboolean front; /* corners turn clockwise as seen from the origin */
    float t;
    float i, j;        /* weights of the mesh's second and third corner; 0 in return mode 0 */
    uint32_t pointer;  /* of the triangle: see tsim_bvh_primitive */
    uint32_t instance; /* pointer to the instance node, or TSIM_RAY_NO_NODE */
} TsimTraversalHit;

typedef struct {
    uint32_t box_nodes;
    uint32_t triangles;
    uint32_t instances;
    uint32_t stack_peak;
} TsimTraversalCounts;

typedef struct {
    TsimRaySetup setup; /* of the level that the lane is in; its extent is the current one */
    TsimRay world;      /* as given */
    uint32_t pointer;
    uint32_t instance;   /* where the lane is: an instance node, or TSIM_RAY_NO_NODE */
    uint32_t stack_size; /* entries in use */
    uint32_t stack_base; /* entries that belong to the upper level */
    TsimTraversalHit hit;
    TsimTraversalCounts counts;
} TsimTraversal;

TsimTraversalScene tsim_traversal_scene(const TsimBvh *bvh, const TsimRayOptions *options,
                                        gboolean any_hit);

uint32_t tsim_traversal_stack_entries(const TsimBvh *bvh);

/* A ray that the hardware would not test (R9) has finished at once. */
void tsim_traversal_begin(const TsimTraversalScene *scene, const TsimRay *ray,
                          TsimTraversal *traversal);

/* results (may be NULL) receives the registers; an instance node leaves them alone. */
void tsim_traversal_step(const TsimTraversalScene *scene, TsimTraversal *traversal, uint32_t *stack,
                         uint32_t results[TSIM_RAY_RESULTS]);

/* One step as a debugger sees it. */
typedef struct {
    uint32_t pointer;
    const uint8_t *bytes;      /* of the node */
    const TsimRaySetup *setup; /* the ray before the step */
    const uint32_t *results;   /* four registers; NULL for an instance node */
    const TsimTraversal *after;
} TsimTraversalVisit;

typedef void (*TsimTraversalVisitor)(const TsimTraversalVisit *visit, void *data);

/* From begin to end; visitor may be NULL. */
void tsim_traversal_run(const TsimTraversalScene *scene, const TsimRay *ray,
                        TsimTraversalVisitor visitor, void *data, TsimTraversal *traversal);
