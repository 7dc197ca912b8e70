#include "workload/mesh.h"

#include "base/error.h"
#include "base/file.h"
#include "workload/mesh-draft.h"

#include <string.h>

static const struct {
    const char *suffix;
    TsimMeshReader parse;
} formats[] = {
    {".obj", tsim_mesh_obj_parse},
    {".ply", tsim_mesh_ply_parse},
    {".stl", tsim_mesh_stl_parse},
};

void tsim_mesh_draft_add_polygon(TsimMeshDraft *draft, const uint32_t *corners, size_t count)
{
    for (size_t i = 2; i < count; i++) {
        const uint32_t triangle[3] = {corners[0], corners[i - 1], corners[i]};

        g_array_append_vals(draft->indices, triangle, 3);
    }
}

static TsimMeshReader find_reader(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < G_N_ELEMENTS(formats); i++) {
        if (g_ascii_strcasecmp(dot, formats[i].suffix) == 0) {
            return formats[i].parse;
        }
    }
    return NULL;
}

static TsimMesh *finish(TsimMeshDraft *draft)
{
    TsimMesh *mesh = g_new(TsimMesh, 1);

    mesh->vertex_count = tsim_mesh_draft_vertex_count(draft);
    mesh->triangle_count = draft->indices->len / 3;
    mesh->positions = (float *)(void *)g_array_free(draft->positions, FALSE);
    mesh->indices = (uint32_t *)(void *)g_array_free(draft->indices, FALSE);
    return mesh;
}

static gboolean check_draft(const char *name, const TsimMeshDraft *draft, GError **error)
{
    if (draft->indices->len == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: the mesh is empty; at least one triangle is needed", name);
        return FALSE;
    }
    return TRUE;
}

TsimMesh *tsim_mesh_parse(const char *name, const char *data, size_t length_bytes, GError **error)
{
    const TsimMeshReader parse = find_reader(name);

    if (parse == NULL) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: unknown mesh format; .obj, .ply and .stl files can be read", name);
        return NULL;
    }

    TsimMeshDraft draft = {g_array_new(FALSE, FALSE, sizeof(float)),
                           g_array_new(FALSE, FALSE, sizeof(uint32_t))};

    if (!parse(name, data, length_bytes, &draft, error) || !check_draft(name, &draft, error)) {
        g_array_unref(draft.positions);
        g_array_unref(draft.indices);
        return NULL;
    }
    return finish(&draft);
}

TsimMesh *tsim_mesh_read(const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize length_bytes = 0;

    if (!tsim_file_read(path, "mesh", &data, &length_bytes, error)) {
        return NULL;
    }
    return tsim_mesh_parse(path, data, length_bytes, error);
}

void tsim_mesh_free(TsimMesh *mesh)
{
    if (mesh != NULL) {
        g_free(mesh->positions);
        g_free(mesh->indices);
        g_free(mesh);
    }
}

/* Differences of binary32 values are all but exact in binary64, so that corners on one line, or in
 * one point, give equal products; a merely thin triangle does not. */
static gboolean has_no_area(const TsimMesh *mesh, uint32_t triangle)
{
    const uint32_t *corner = &mesh->indices[3 * (size_t)triangle];
    double edge[2][3];

    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            edge[i][axis] = (double)tsim_mesh_position(mesh, corner[i + 1])[axis] -
                            (double)tsim_mesh_position(mesh, corner[0])[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const double left = edge[0][axis] * edge[1][next];
        const double right = edge[0][next] * edge[1][axis];

        if (left < right || left > right) {
            return FALSE;
        }
    }
    return TRUE;
}

uint32_t tsim_mesh_degenerate_count(const TsimMesh *mesh)
{
    uint32_t count = 0;

    for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++) {
        count += has_no_area(mesh, triangle) ? 1 : 0;
    }
    return count;
}
