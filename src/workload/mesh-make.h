/* Procedural meshes, for scenes that need no file.
 *
 *   SPHERE   radius 1, `size` bands of 2 * size squares from pole to pole
 *   TERRAIN  -1..1 in x and z, size * size squares, y from a few octaves of smooth noise
 *   SOUP     size separate small triangles at random in -1..1
 *
 * Positions depend on (kind, size, seed) alone. The caller owns the mesh.
 */
#pragma once

#include "workload/mesh.h"

#define TSIM_MESH_MAKE_MAX_SIZE 4096 /* of SPHERE and TERRAIN; SOUP takes its square */

typedef enum {
    TSIM_MESH_SPHERE,
    TSIM_MESH_TERRAIN,
    TSIM_MESH_SOUP,
} TsimMeshKind;

extern const char *const tsim_mesh_kind_names[];

/* TSIM_ERROR_INPUT if the size is not 2 to the maximum (SOUP: 1 to its square). */
TsimMesh *tsim_mesh_make(TsimMeshKind kind, uint32_t size, uint64_t seed, GError **error);
