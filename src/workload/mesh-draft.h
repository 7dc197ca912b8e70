/* A mesh that a reader is filling: private to the mesh-*.c files.
 *
 * Readers append positions and polygons; tsim_mesh_parse checks the result once, so that no reader
 * has to.
 */
#pragma once

#include "workload/mesh.h"

typedef struct {
    GArray *positions; /* float, three a vertex */
    GArray *indices;   /* uint32_t, three a triangle */
} TsimMeshDraft;

static inline uint32_t tsim_mesh_draft_vertex_count(const TsimMeshDraft *draft)
{
    return draft->positions->len / 3;
}

/* Appends the fan of a polygon: (0,1,2), (0,2,3), ... */
void tsim_mesh_draft_add_polygon(TsimMeshDraft *draft, const uint32_t *corners, size_t count);

typedef gboolean (*TsimMeshReader)(const char *name, const char *data, size_t length_bytes,
                                   TsimMeshDraft *draft, GError **error);

gboolean tsim_mesh_obj_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error);
gboolean tsim_mesh_ply_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error);
gboolean tsim_mesh_stl_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error);
