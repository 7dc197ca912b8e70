/* Indexed triangle meshes, read from Wavefront OBJ, PLY (ascii, binary little and big endian) and
 * STL (ascii, binary) files.
 *
 * Positions are binary32 in the file's own unit. Every index is below vertex_count, every
 * coordinate is finite, and there is at least one triangle: the readers reject anything else with
 * "file:line: ..." ("file: byte N: ..." in binary files). Polygons become triangle fans. Triangles
 * without area are kept in their place, so that a triangle number means the same thing to every
 * reader; tsim_mesh_degenerate_count tells how many there are, and no ray hits them.
 *
 * The caller owns what is returned. Reading takes time and memory proportional to the file.
 */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    float *positions;  /* x, y, z of each vertex */
    uint32_t *indices; /* three vertices a triangle */
    uint32_t vertex_count;
    uint32_t triangle_count;
} TsimMesh;

/* The format follows from the file's suffix: .obj, .ply or .stl. */
TsimMesh *tsim_mesh_read(const char *path, GError **error);

/* The same from memory: data[length_bytes] must be NUL. The name's suffix tells the format. */
TsimMesh *tsim_mesh_parse(const char *name, const char *data, size_t length_bytes, GError **error);

static inline const float *tsim_mesh_position(const TsimMesh *mesh, uint32_t vertex)
{
    return &mesh->positions[3 * (size_t)vertex];
}

void tsim_mesh_free(TsimMesh *mesh); /* NULL is fine */

/* Triangles whose area is zero in binary64. */
uint32_t tsim_mesh_degenerate_count(const TsimMesh *mesh);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimMesh, tsim_mesh_free)
