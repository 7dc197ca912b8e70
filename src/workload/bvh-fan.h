/* Groups the triangles of a mesh into fans that fit triangle nodes: private to the BVH builder.
 *
 * A node's triangles turn around V2: {V0,V1}, {V1,V3}, {V3,V4}, {V4,V0}. A fan is the first few of
 * them. Corners count as the same when their positions are equal, whatever their numbers. Every
 * triangle of the mesh is in exactly one fan; their order follows the mesh.
 */
#pragma once

#include "hw/ray-node.h"
#include "workload/box.h"
#include "workload/mesh.h"

typedef struct {
    uint32_t
        vertex[TSIM_RAY_NODE_VERTICES]; /* of the mesh; those that no triangle uses repeat V2 */
    uint32_t triangle[TSIM_RAY_NODE_TRIANGLES];
    uint8_t rotation[TSIM_RAY_NODE_TRIANGLES]; /* mesh corner that stands first in the node */
    uint8_t triangle_count;
} TsimBvhFan;

/* An array of TsimBvhFan. */
GArray *tsim_bvh_fan_group(const TsimMesh *mesh, unsigned triangles_per_node);

TsimBox tsim_bvh_fan_bounds(const TsimMesh *mesh, const TsimBvhFan *fan);
