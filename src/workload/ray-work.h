/* Rays as a work item: what is traced against what, and the compute shader that does it.
 *
 * Each wave is a threadgroup of its own. Its program: set-up, then rounds until no lane is left, of
 * one image_bvh_intersect_ray (lanes at an instance node load that instead), the vector ALU work of
 * a step, and the stack; then the store of the hit.
 *
 * A mix stands for rays that nobody has: every round tests nodes drawn at random, as many lanes and
 * as many of either kind as it says. Nothing is hit.
 */
#pragma once

#include "hw/gpu.h"
#include "workload/ray-scene.h"
#include "workload/rays.h"

/* Where the traversal stack lives. It has room for the worst ray of the BVH. */
typedef enum {
    TSIM_RAY_STACK_LDS,
    TSIM_RAY_STACK_VGPRS,
} TsimRayStack;

/* What stops a ray: the kind of rays decides when nobody says. */
typedef enum {
    TSIM_RAY_HIT_AUTO,
    TSIM_RAY_HIT_CLOSEST,
    TSIM_RAY_HIT_ANY,
} TsimRayHit;

typedef struct {
    uint32_t vgprs; /* without the stack */
    uint32_t sgprs;
    int stack;                                                  /* TsimRayStack */
    uint32_t setup_valu, step_valu, instance_valu, finish_valu; /* wave instructions */
    gboolean a16, pointer64;
} TsimRayProgram;

typedef struct {
    uint64_t waves;
    uint32_t wave_lanes;
    uint32_t active_lanes;         /* of each half of 32 */
    double box_share;              /* of the nodes; the others are triangles */
    uint32_t nodes_min, nodes_max; /* that a lane visits, evenly spread */
    uint64_t footprint_bytes;      /* of all nodes */
} TsimRayMix;

typedef struct {
    char *name;
    gboolean is_mix;
    TsimRayMix mix;
    TsimBvh *bvh; /* NULL for a mix */
    TsimRays rays;
    TsimRayOptions options;
    TsimRayProgram program;
    int hit; /* TsimRayHit */
} TsimRayWork;

extern const TsimField tsim_ray_work_fields[];    /* name, hit */
extern const TsimField tsim_ray_program_fields[]; /* of TsimRayProgram */
extern const TsimField tsim_ray_mix_fields[];     /* of TsimRayMix */

void tsim_ray_work_init(TsimRayWork *work);
void tsim_ray_work_clear(TsimRayWork *work);

gboolean tsim_ray_work_any_hit(const TsimRayWork *work);
uint64_t tsim_ray_work_waves(const TsimRayWork *work);
uint32_t tsim_ray_work_wave_lanes(const TsimRayWork *work);

/* Entries of a lane's stack. */
uint32_t tsim_ray_work_stack_entries(const TsimRayWork *work);

/* Of a wave. */
uint32_t tsim_ray_work_lds_bytes(const TsimRayWork *work);
uint32_t tsim_ray_work_vgprs(const TsimRayWork *work);

/* Fails (TSIM_ERROR_LIMIT) when the GPU has no ray-intersection unit, no waves of that width, or
 * no room for a wave. */
gboolean tsim_ray_work_fits(const TsimGpu *gpu, const TsimRayWork *work, GError **error);
