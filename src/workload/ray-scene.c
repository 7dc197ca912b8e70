#include "workload/ray-scene.h"

#include <math.h>

#define COPIES_MAX 65536

/* Copies of a mesh keep a tenth of its size between them. */
#define SPACING 1.1f

/* clang-format off */
#define END {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
#define COPIES {"copies", TSIM_FIELD_U32, offsetof(TsimRayScene, copies), "", 1, COPIES_MAX, 1, NULL, FALSE, "Copies of the mesh in a square grid; more than one make a BVH of two levels"},

static const TsimField mesh_fields[] = {
    {"mesh", TSIM_FIELD_STRING, offsetof(TsimRayScene, path), "", 0, 0, 0, NULL, TRUE, "Mesh file (.obj, .ply or .stl), relative to this file"},
    COPIES
    END
};

static const TsimField procedural_fields[] = {
    {"procedural", TSIM_FIELD_ENUM, offsetof(TsimRayScene, procedural), "", 0, 0, 0, tsim_mesh_kind_names, TRUE, "Kind of mesh that needs no file"},
    {"size", TSIM_FIELD_U32, offsetof(TsimRayScene, size), "", 1, (double)TSIM_MESH_MAKE_MAX_SIZE * TSIM_MESH_MAKE_MAX_SIZE, 64, NULL, FALSE, "Bands of the sphere, squares of a terrain's side, triangles of the soup"},
    {"seed", TSIM_FIELD_U64, offsetof(TsimRayScene, seed), "", 0, 0x1p53, 1, NULL, FALSE, "Seed of terrain and soup"},
    COPIES
    END
};

static const TsimField bvh_fields[] = {
    {"bvh", TSIM_FIELD_STRING, offsetof(TsimRayScene, path), "", 0, 0, 0, NULL, TRUE, "Encoded BVH file, relative to this file"},
    END
};
/* clang-format on */

const TsimField *const tsim_ray_scene_fields[TSIM_RAY_SCENE_KINDS] = {
    mesh_fields, procedural_fields, bvh_fields};

void tsim_ray_scene_init(TsimRayScene *scene, TsimRaySceneKind kind)
{
    *scene = (TsimRayScene){.kind = (int)kind, .copies = 1};
    tsim_fields_init(tsim_bvh_option_fields, &scene->bvh);
    tsim_fields_init(tsim_ray_scene_fields[kind], scene);
}

void tsim_ray_scene_clear(TsimRayScene *scene)
{
    g_clear_pointer(&scene->path, g_free);
}

static TsimBox bounds_of(const TsimMesh *mesh)
{
    TsimBox box = tsim_box_empty();

    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        tsim_box_add_point(&box, tsim_mesh_position(mesh, i));
    }
    return box;
}

static TsimBvh *build_copies(const TsimRayScene *scene, const TsimMesh *mesh, GError **error)
{
    const TsimBox box = bounds_of(mesh);
    const double side = ceil(sqrt((double)scene->copies));
    const uint32_t columns = (uint32_t)side;
    g_autofree TsimBvhInstance *instances = g_new0(TsimBvhInstance, scene->copies);

    for (uint32_t i = 0; i < scene->copies; i++) {
        const uint32_t place[2] = {i % columns, i / columns};
        for (int axis = 0; axis < 3; axis++) {
            instances[i].object_to_world[axis][axis] = 1.0f;
        }
        for (int axis = 0; axis < 2; axis++) {
            instances[i].object_to_world[axis][3] =
                SPACING * (box.max[axis] - box.min[axis]) * (float)place[axis];
        }
    }
    return tsim_bvh_build_instances(&mesh, 1, instances, scene->copies, &scene->bvh, error);
}

TsimBvh *tsim_ray_scene_build(const TsimRayScene *scene, uint32_t *degenerate, GError **error)
{
    if (scene->kind == TSIM_RAY_SCENE_BVH) {
        return tsim_bvh_read(scene->path, error);
    }
    g_autoptr(TsimMesh) mesh =
        scene->kind == TSIM_RAY_SCENE_MESH
            ? tsim_mesh_read(scene->path, error)
            : tsim_mesh_make((TsimMeshKind)scene->procedural, scene->size, scene->seed, error);
    if (mesh == NULL) {
        return NULL;
    }
    if (degenerate != NULL) {
        *degenerate = tsim_mesh_degenerate_count(mesh);
    }
    return scene->copies > 1 ? build_copies(scene, mesh, error)
                             : tsim_bvh_build(mesh, &scene->bvh, error);
}
