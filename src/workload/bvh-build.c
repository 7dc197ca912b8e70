#include "base/bytes.h"
#include "base/error.h"
#include "hw/half.h"
#include "workload/bvh-fan.h"
#include "workload/bvh-tree.h"
#include "workload/bvh-walk.h"
#include "workload/bvh.h"

#include <math.h>
#include <string.h>

#define MAX_UNITS          (UINT64_C(1) << 29)
#define MAX_UNITS_PER_LEAF 3 /* itself and, at most, one FP32 box node */

static const char *const box_format_names[] = {"fp16", "fp32", NULL};

const TsimField tsim_bvh_option_fields[] = {
    {"box_format", TSIM_FIELD_ENUM, offsetof(TsimBvhOptions, box_format), "", 0, 0, TSIM_BVH_FP32,
     box_format_names, FALSE, "number format of the boxes"},
    {"triangles_per_node", TSIM_FIELD_U32, offsetof(TsimBvhOptions, triangles_per_node),
     "triangles", 1, 4, 2, NULL, FALSE, "most triangles that share a node"},
    {"bins", TSIM_FIELD_U32, offsetof(TsimBvhOptions, bins), "", 2, 64, 16, NULL, FALSE,
     "bins of the surface-area heuristic"},
    {"box_growth_ulps", TSIM_FIELD_U32, offsetof(TsimBvhOptions, box_growth_ulps), "ulp", 0, 255, 6,
     NULL, FALSE, "how far a box is grown during a test"},
    {"triangle_return_mode", TSIM_FIELD_U32, offsetof(TsimBvhOptions, triangle_return_mode), "", 0,
     1, 1, NULL, FALSE, "0: triangle id and hit status, 1: barycentrics"},
    {"box_sort", TSIM_FIELD_BOOL, offsetof(TsimBvhOptions, box_sort), "", 0, 1, 1, NULL, FALSE,
     "whether box results come closest first"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

typedef struct {
    const TsimBvhOptions *options;
    uint8_t *bytes;
    uint32_t *primitives;
    uint64_t unit_count;
    uint64_t capacity;
    /* What the leaves of the tree in work are: fans of a mesh, or instances. */
    const TsimMesh *mesh;
    const TsimBvhFan *fans;
    const TsimBvhInstance *instances;
    const TsimBvhInstanceNode *instance_nodes;
} Builder;

static uint64_t allocate_units(Builder *builder, unsigned units)
{
    const uint64_t first = builder->unit_count;

    builder->unit_count += units;
    if (builder->unit_count > builder->capacity) {
        builder->capacity = MAX(2 * builder->capacity, 64);
        builder->bytes = g_realloc_n(builder->bytes, builder->capacity, TSIM_RAY_UNIT_BYTES);
        builder->primitives =
            g_realloc_n(builder->primitives, builder->capacity, 4 * sizeof(uint32_t));
    }
    memset(builder->bytes + (size_t)first * TSIM_RAY_UNIT_BYTES, 0,
           (size_t)units * TSIM_RAY_UNIT_BYTES);
    memset(builder->primitives + 4 * (size_t)first, 0xff, 4 * (size_t)units * sizeof(uint32_t));
    return first;
}

static uint32_t make_pointer(uint64_t unit, unsigned type)
{
    return (uint32_t)(unit << 3 | type);
}

static unsigned box_type(const Builder *builder)
{
    return builder->options->box_format == TSIM_BVH_FP16 ? TSIM_RAY_NODE_BOX16
                                                         : TSIM_RAY_NODE_BOX32;
}

/* I and J are the weights of the mesh's second and third corner, wherever the fan put them. */
static uint8_t remap_of_rotation(uint8_t rotation)
{
    return tsim_ray_node_remap((4u - rotation) % 3, (5u - rotation) % 3);
}

static uint32_t write_fan(Builder *builder, uint64_t unit, const TsimBvhFan *fan)
{
    TsimRayTriangleNode node = {.triangle_id = 0};

    for (int i = 0; i < TSIM_RAY_NODE_VERTICES; i++) {
        memcpy(node.vertex[i], tsim_mesh_position(builder->mesh, fan->vertex[i]),
               sizeof node.vertex[i]);
    }
    for (unsigned k = 0; k < fan->triangle_count; k++) {
        node.triangle_id |= (uint32_t)remap_of_rotation(fan->rotation[k]) << 8 * k;
        builder->primitives[4 * unit + k] = fan->triangle[k];
    }
    if (builder->options->triangle_return_mode == 0) {
        node.triangle_id = (uint32_t)(4 * unit);
    }
    tsim_ray_node_encode_triangles(&node, builder->bytes + unit * TSIM_RAY_UNIT_BYTES);
    return make_pointer(unit, fan->triangle_count - 1u);
}

static uint32_t write_instance(Builder *builder, uint64_t unit, const TsimBvhInstanceNode *node)
{
    uint8_t *bytes = builder->bytes + unit * TSIM_RAY_UNIT_BYTES;

    for (size_t i = 0; i < 12; i++) {
        tsim_bytes_put_u32(bytes + 4 * i, tsim_float_to_bits(node->world_to_object[i / 4][i % 4]));
    }
    tsim_bytes_put_u32(bytes + TSIM_BVH_INSTANCE_ROOT, node->root);
    tsim_bytes_put_u32(bytes + TSIM_BVH_INSTANCE_ID, node->id);
    return make_pointer(unit, TSIM_RAY_NODE_INSTANCE);
}

static uint32_t write_leaf(Builder *builder, uint64_t unit, uint32_t item)
{
    return builder->mesh != NULL ? write_fan(builder, unit, &builder->fans[item])
                                 : write_instance(builder, unit, &builder->instance_nodes[item]);
}

static void write_box_node(Builder *builder, uint64_t unit, const TsimRayBoxNode *node)
{
    uint8_t *bytes = builder->bytes + unit * TSIM_RAY_UNIT_BYTES;

    if (builder->options->box_format == TSIM_BVH_FP16) {
        tsim_ray_node_encode_box16(node, bytes);
    } else {
        tsim_ray_node_encode_box32(node, bytes);
    }
}

static void set_child_bounds(TsimRayBoxNode *node, unsigned child, const TsimBox *bounds)
{
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[0][axis][child] = bounds->min[axis];
        node->bounds[1][axis][child] = bounds->max[axis];
    }
}

/* Children stand side by side before their own children, so that siblings share cache lines. The
 * depth of the recursion is that of the tree. */
static void write_subtree(Builder *builder, uint64_t unit, TsimBvhTreeRange range, unsigned depth)
{
    const unsigned type = box_type(builder);
    TsimBvhTreeRange parts[4];
    TsimRayBoxNode node;
    const TsimBox nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    const unsigned count = tsim_bvh_tree_split(range, builder->options->bins, depth, parts);

    for (unsigned i = 0; i < 4; i++) {
        node.child[i] = TSIM_RAY_NO_NODE;
        set_child_bounds(&node, i, i < count ? &parts[i].bounds : &nothing);
    }
    for (unsigned i = 0; i < count; i++) {
        const gboolean is_leaf = parts[i].count == 1;
        const uint64_t child = allocate_units(builder, is_leaf ? 1 : tsim_ray_pointer_units(type));

        node.child[i] =
            is_leaf ? write_leaf(builder, child, parts[i].boxes->item) : make_pointer(child, type);
    }
    write_box_node(builder, unit, &node);
    for (unsigned i = 0; i < count; i++) {
        if (parts[i].count > 1) {
            write_subtree(builder, tsim_ray_pointer_index(node.child[i]), parts[i], depth + 1);
        }
    }
}

static uint32_t write_tree(Builder *builder, TsimBvhTreeBox *boxes, uint32_t count)
{
    const unsigned type = box_type(builder);
    const uint64_t root = allocate_units(builder, tsim_ray_pointer_units(type));

    write_subtree(builder, root, tsim_bvh_tree_range(boxes, count), 0);
    return make_pointer(root, type);
}

static uint32_t build_mesh(Builder *builder, const TsimMesh *mesh)
{
    g_autoptr(GArray) fans = tsim_bvh_fan_group(mesh, builder->options->triangles_per_node);
    g_autofree TsimBvhTreeBox *boxes = g_new(TsimBvhTreeBox, fans->len);

    builder->mesh = mesh;
    builder->fans = (const TsimBvhFan *)(const void *)fans->data;
    for (uint32_t i = 0; i < fans->len; i++) {
        boxes[i] = (TsimBvhTreeBox){tsim_bvh_fan_bounds(mesh, &builder->fans[i]), i};
    }
    return write_tree(builder, boxes, fans->len);
}

/* Every field has its range in the table; a caller who skipped the reader's checks is stopped here.
 */
static gboolean check_options(const TsimBvhOptions *options, GError **error)
{
    if (options->triangles_per_node < 1 || options->triangles_per_node > 4 || options->bins < 2 ||
        options->bins > 64 || options->box_growth_ulps > 255 || options->triangle_return_mode > 1) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH options: triangles_per_node 1 to 4, bins 2 to 64, box_growth_ulps 0 to "
                    "255 and triangle_return_mode 0 or 1 are allowed");
        return FALSE;
    }
    return TRUE;
}

/* Done before anything is built: what may not fit the pointers is refused. */
static gboolean check_reach(uint64_t leaf_count, GError **error)
{
    if (leaf_count > MAX_UNITS / MAX_UNITS_PER_LEAF - 1) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "BVH: %" G_GUINT64_FORMAT " triangles and instances; %" G_GUINT64_FORMAT
                    " are sure to fit the 32 GB that a node pointer reaches",
                    leaf_count, MAX_UNITS / MAX_UNITS_PER_LEAF - 1);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_mesh(const TsimMesh *mesh, GError **error)
{
    if (mesh->triangle_count == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "BVH: a mesh without triangles");
        return FALSE;
    }
    return TRUE;
}

static TsimBvh *finish(Builder *builder, uint32_t root, GError **error)
{
    const TsimBvhOptions *options = builder->options;
    TsimBvh *bvh = g_new0(TsimBvh, 1);

    bvh->bytes = builder->bytes;
    bvh->primitives = builder->primitives;
    bvh->root = root;
    bvh->descriptor = (TsimRayDescriptor){
        .node_count = builder->unit_count,
        .box_growth_ulps = (uint8_t)options->box_growth_ulps,
        .triangle_return_mode = (uint8_t)options->triangle_return_mode,
        .box_sort = options->box_sort,
    };
    if (!tsim_bvh_walk(bvh, error)) {
        tsim_bvh_free(bvh);
        return NULL;
    }
    return bvh;
}

TsimBvh *tsim_bvh_build(const TsimMesh *mesh, const TsimBvhOptions *options, GError **error)
{
    Builder builder = {.options = options};

    if (!check_options(options, error) || !check_mesh(mesh, error) ||
        !check_reach(mesh->triangle_count, error)) {
        return NULL;
    }
    const uint32_t root = build_mesh(&builder, mesh);

    return finish(&builder, root, error);
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* FALSE when it has no inverse that binary32 can hold. */
static gboolean invert(const float matrix[3][4], float inverse[3][4])
{
    double m[3][3];

    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = (double)matrix[i / 3][i % 3];
    }
    const double volume = determinant(m);

    for (int row = 0; row < 3; row++) {
        double offset = 0.0;

        for (int column = 0; column < 3; column++) {
            const int r1 = (column + 1) % 3;
            const int r2 = (column + 2) % 3;
            const int c1 = (row + 1) % 3;
            const int c2 = (row + 2) % 3;
            const double value = (m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]) / volume;

            inverse[row][column] = (float)value;
            offset -= value * (double)matrix[column][3];
        }
        inverse[row][3] = (float)offset;
        for (int column = 0; column < 4; column++) {
            if (!isfinite(inverse[row][column])) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

static float round_outwards(double value, gboolean up)
{
    const float nearest = (float)value;

    if (up ? (double)nearest < value : (double)nearest > value) {
        return nextafterf(nearest, up ? INFINITY : -INFINITY);
    }
    return nearest;
}

/* The box around the eight corners of a box that was moved. */
static TsimBox move_bounds(const float matrix[3][4], const TsimBox *bounds)
{
    TsimBox moved;

    for (int axis = 0; axis < 3; axis++) {
        double low = (double)matrix[axis][3];
        double high = low;

        for (int i = 0; i < 3; i++) {
            const double a = (double)matrix[axis][i] * (double)bounds->min[i];
            const double b = (double)matrix[axis][i] * (double)bounds->max[i];

            low += MIN(a, b);
            high += MAX(a, b);
        }
        moved.min[axis] = round_outwards(low, FALSE);
        moved.max[axis] = round_outwards(high, TRUE);
    }
    return moved;
}

static TsimBox bound_mesh(const TsimMesh *mesh)
{
    TsimBox bounds = tsim_box_empty();

    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        tsim_box_add_point(&bounds, tsim_mesh_position(mesh, mesh->indices[i]));
    }
    return bounds;
}

static gboolean prepare_instance(const TsimMesh *const *meshes, uint32_t mesh_count,
                                 const uint32_t *roots, const TsimBvhInstance *instance,
                                 uint32_t id, TsimBvhInstanceNode *node, TsimBvhTreeBox *box,
                                 GError **error)
{
    if (instance->mesh >= mesh_count) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH: instance %u uses mesh %u; there are %u", id, instance->mesh, mesh_count);
        return FALSE;
    }
    if (!invert(instance->object_to_world, node->world_to_object)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH: the matrix of instance %u cannot be inverted", id);
        return FALSE;
    }
    node->root = roots[instance->mesh];
    node->id = id;

    const TsimBox bounds = bound_mesh(meshes[instance->mesh]);

    *box = (TsimBvhTreeBox){move_bounds(instance->object_to_world, &bounds), id};
    return TRUE;
}

TsimBvh *tsim_bvh_build_instances(const TsimMesh *const *meshes, uint32_t mesh_count,
                                  const TsimBvhInstance *instances, uint32_t instance_count,
                                  const TsimBvhOptions *options, GError **error)
{
    g_autofree TsimBvhInstanceNode *nodes = g_new0(TsimBvhInstanceNode, instance_count);
    g_autofree TsimBvhTreeBox *boxes = g_new0(TsimBvhTreeBox, instance_count);
    g_autofree uint32_t *roots = g_new0(uint32_t, mesh_count);
    Builder builder = {.options = options};
    uint64_t leaf_count = instance_count;

    if (instance_count == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "BVH: a scene without instances");
        return NULL;
    }
    if (!check_options(options, error)) {
        return NULL;
    }
    for (uint32_t i = 0; i < mesh_count; i++) {
        if (!check_mesh(meshes[i], error)) {
            return NULL;
        }
        leaf_count += (uint64_t)meshes[i]->triangle_count + 1;
    }
    if (!check_reach(leaf_count, error)) {
        return NULL;
    }
    for (uint32_t i = 0; i < mesh_count; i++) {
        roots[i] = build_mesh(&builder, meshes[i]);
    }
    for (uint32_t i = 0; i < instance_count; i++) {
        if (!prepare_instance(meshes, mesh_count, roots, &instances[i], i, &nodes[i], &boxes[i],
                              error)) {
            g_free(builder.bytes);
            g_free(builder.primitives);
            return NULL;
        }
    }
    builder.mesh = NULL;
    builder.instance_nodes = nodes;

    const uint32_t root = write_tree(&builder, boxes, instance_count);

    return finish(&builder, root, error);
}
