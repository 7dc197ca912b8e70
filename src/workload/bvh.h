/* Bounding-volume hierarchies in the byte formats of the ray-intersection unit (R3-R5).
 *
 * Built from triangle meshes: neighbouring triangles share a node as a fan (two a node by default),
 * the nodes hang in a 4-wide tree split by the surface-area heuristic over bins. The root is always
 * a box node; a missing child is TSIM_RAY_NO_NODE with a box of NaNs, which no ray hits. A pointer
 * to a triangle node carries its last triangle; the shader counts down to triangle 0.
 *
 * Two levels: the leaves of the upper tree are instance nodes (pointer type 6), which no hardware
 * tests; the shader reads them and goes on in the lower tree with a transformed ray.
 *
 *   instance node, 64 B   0                     48      52   56
 *                       +-----------------------+-------+----+-------+
 *                       | world to object, 3x4  | root  | id | spare |   rows, binary32
 *                       +-----------------------+-------+----+-------+
 *
 * Memory is proportional to the mesh, time to n log n. The caller owns what is returned. Errors are
 * TSIM_ERROR_INPUT (bad values, a damaged file), _IO, and _LIMIT (beyond the pointers' reach).
 */
#pragma once

#include "base/field.h"
#include "hw/ray-descriptor.h"
#include "hw/ray-node.h"
#include "workload/box.h"
#include "workload/mesh.h"

/* No tree, built or read, is deeper than this at one level (box nodes on a path). */
#define TSIM_BVH_MAX_DEPTH 64

/* Places in an instance node. */
#define TSIM_BVH_INSTANCE_ROOT 48
#define TSIM_BVH_INSTANCE_ID   52

typedef enum {
    TSIM_BVH_FP16,
    TSIM_BVH_FP32,
} TsimBvhBoxFormat;

typedef struct {
    int box_format; /* TsimBvhBoxFormat */
    uint32_t triangles_per_node;
    uint32_t bins;
    uint32_t box_growth_ulps;
    uint32_t triangle_return_mode;
    gboolean box_sort;
} TsimBvhOptions;

extern const TsimField tsim_bvh_option_fields[];

typedef struct {
    uint64_t box_nodes, triangle_nodes, triangles, instances;
    uint32_t depth;          /* box nodes on the longest path of the upper (or only) tree */
    uint32_t instance_depth; /* the same inside the deepest instance, 0 without instances */
    double sah_cost; /* expected tests of a ray that meets the root: one a box node, a triangle or
                        an instance, in the upper (or only) tree */
    TsimBox bounds;  /* of the root's boxes */
} TsimBvhMeasure;

typedef struct {
    uint8_t *bytes;       /* descriptor.node_count * 64, as the hardware would see them */
    uint32_t *primitives; /* mesh triangle of triangle k of the node at unit u: [4 * u + k]. In
                             return mode 0 the node's triangle id is 4 * u. */
    TsimRayDescriptor descriptor;
    uint32_t root;
    TsimBvhMeasure measure;
} TsimBvh;

typedef struct {
    uint32_t mesh;
    float object_to_world[3][4];
} TsimBvhInstance;

TsimBvh *tsim_bvh_build(const TsimMesh *mesh, const TsimBvhOptions *options, GError **error);

/* Every mesh becomes a lower tree, used or not. */
TsimBvh *tsim_bvh_build_instances(const TsimMesh *const *meshes, uint32_t mesh_count,
                                  const TsimBvhInstance *instances, uint32_t instance_count,
                                  const TsimBvhOptions *options, GError **error);

void tsim_bvh_free(TsimBvh *bvh); /* NULL is fine */

/* Whole or not at all. Layout: "TSIMBVH1", descriptor (16 B), root (4 B), zeros up to byte 64; the
 * nodes; the primitives. Little endian. */
gboolean tsim_bvh_write(const TsimBvh *bvh, const char *path, GError **error);

/* Checks that the nodes are trees: in bounds, no reserved types, nothing reached twice. */
TsimBvh *tsim_bvh_read(const char *path, GError **error);

typedef struct {
    float world_to_object[3][4];
    uint32_t root;
    uint32_t id;
} TsimBvhInstanceNode;

void tsim_bvh_decode_instance(const uint8_t bytes[TSIM_RAY_UNIT_BYTES], TsimBvhInstanceNode *node);

static inline const uint8_t *tsim_bvh_node(const TsimBvh *bvh, uint32_t pointer)
{
    return bvh->bytes + TSIM_RAY_UNIT_BYTES * tsim_ray_pointer_index(pointer);
}

/* The mesh triangle that a triangle pointer names. */
static inline uint32_t tsim_bvh_primitive(const TsimBvh *bvh, uint32_t pointer)
{
    return bvh->primitives[TSIM_RAY_NODE_TRIANGLES * tsim_ray_pointer_index(pointer) +
                           tsim_ray_pointer_type(pointer)];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimBvh, tsim_bvh_free)
