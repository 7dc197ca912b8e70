/* What rays are traced against: a mesh file, a procedural mesh, several copies of one as instances,
 * or an encoded BVH file.
 *
 * The struct owns its path; the BVH belongs to the caller. Errors are those of workload/mesh.h and
 * workload/bvh.h.
 */
#pragma once

#include "workload/bvh.h"
#include "workload/mesh-make.h"

typedef enum {
    TSIM_RAY_SCENE_MESH,
    TSIM_RAY_SCENE_PROCEDURAL,
    TSIM_RAY_SCENE_BVH,
    TSIM_RAY_SCENE_KINDS,
} TsimRaySceneKind;

typedef struct {
    int kind;       /* TsimRaySceneKind */
    char *path;     /* MESH, BVH */
    int procedural; /* TsimMeshKind */
    uint32_t size;
    uint64_t seed;
    uint32_t copies;    /* 1: a BVH of one level; else that many instances, in a square grid */
    TsimBvhOptions bvh; /* not for BVH */
} TsimRayScene;

/* By kind; the first field tells kinds apart. The scalars of `bvh` are in tsim_bvh_option_fields.
 */
extern const TsimField *const tsim_ray_scene_fields[TSIM_RAY_SCENE_KINDS];

void tsim_ray_scene_init(TsimRayScene *scene, TsimRaySceneKind kind);
void tsim_ray_scene_clear(TsimRayScene *scene);

/* degenerate (may be NULL) receives how many triangles no ray can hit. */
TsimBvh *tsim_ray_scene_build(const TsimRayScene *scene, uint32_t *degenerate, GError **error);
