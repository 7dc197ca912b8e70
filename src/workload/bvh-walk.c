#include "workload/bvh-walk.h"

#include "base/error.h"

#include <math.h>

typedef struct {
    uint32_t pointer;
    uint32_t depth; /* box nodes above it */
    double chance;  /* that a ray which meets the root meets it */
} Visit;

typedef struct {
    const TsimBvh *bvh;
    uint8_t *reached; /* of a unit: something points to it */
    uint8_t *is_root; /* of a unit: a lower tree begins here and has been walked */
    GArray *visits;   /* Visit, still to be made */
    GArray *roots;    /* uint32_t, lower trees met so far */
    TsimBvhMeasure measure;
    gboolean in_instance;
} Walk;

static gboolean fail(GError **error, uint32_t pointer, const char *what)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "BVH: node pointer 0x%08x %s", pointer, what);
    return FALSE;
}

static gboolean check_pointer(const Walk *walk, const Visit *visit, GError **error)
{
    const uint32_t pointer = visit->pointer;
    const unsigned type = tsim_ray_pointer_type(pointer);
    const uint64_t unit = tsim_ray_pointer_index(pointer);
    const unsigned units = tsim_ray_pointer_units(pointer);

    if (type > TSIM_RAY_NODE_INSTANCE) {
        return fail(error, pointer, "has a reserved type");
    }
    if (type == TSIM_RAY_NODE_INSTANCE && walk->in_instance) {
        return fail(error, pointer, "is an instance inside an instance");
    }
    if (unit + units > walk->bvh->descriptor.node_count) {
        return fail(error, pointer, "lies behind the end of the BVH");
    }
    if (visit->depth >= TSIM_BVH_MAX_DEPTH && !tsim_ray_pointer_is_triangle(pointer)) {
        return fail(error, pointer, "is not a triangle below 64 box nodes");
    }
    if (walk->reached[unit] || walk->reached[unit + units - 1]) {
        return fail(error, pointer, "is reached twice");
    }
    return TRUE;
}

static void decode_boxes(const TsimBvh *bvh, uint32_t pointer, TsimRayBoxNode *node)
{
    if (tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_BOX16) {
        tsim_ray_node_decode_box16(tsim_bvh_node(bvh, pointer), node);
    } else {
        tsim_ray_node_decode_box32(tsim_bvh_node(bvh, pointer), node);
    }
}

static TsimBox get_bounds(const TsimRayBoxNode *node, int child)
{
    TsimBox bounds;

    for (int axis = 0; axis < 3; axis++) {
        bounds.min[axis] = node->bounds[0][axis][child];
        bounds.max[axis] = node->bounds[1][axis][child];
    }
    return bounds;
}

static void measure_root(Walk *walk, uint32_t root)
{
    TsimRayBoxNode node;

    decode_boxes(walk->bvh, root, &node);
    walk->measure.bounds = tsim_box_empty();
    for (int child = 0; child < 4; child++) {
        const TsimBox bounds = get_bounds(&node, child);

        if (node.child[child] != TSIM_RAY_NO_NODE) {
            tsim_box_add(&walk->measure.bounds, &bounds);
        }
    }
}

/* A flat or a damaged scene has no surface to speak of: every child is then taken to be met. */
static double chance_of(const Walk *walk, const TsimRayBoxNode *node, int child)
{
    const TsimBox bounds = get_bounds(node, child);
    const double chance = tsim_box_half_area(&bounds) / tsim_box_half_area(&walk->measure.bounds);

    return isfinite(chance) ? chance : 1.0;
}

static void visit_boxes(Walk *walk, const Visit *visit)
{
    uint32_t *deepest = walk->in_instance ? &walk->measure.instance_depth : &walk->measure.depth;
    TsimRayBoxNode node;

    decode_boxes(walk->bvh, visit->pointer, &node);
    walk->measure.box_nodes++;
    *deepest = MAX(*deepest, visit->depth + 1);
    for (int child = 0; child < 4; child++) {
        const Visit next = {node.child[child], visit->depth + 1, chance_of(walk, &node, child)};

        if (node.child[child] != TSIM_RAY_NO_NODE) {
            g_array_append_val(walk->visits, next);
        }
    }
}

static void visit_instance(Walk *walk, uint32_t pointer)
{
    TsimBvhInstanceNode node;

    tsim_bvh_decode_instance(tsim_bvh_node(walk->bvh, pointer), &node);
    walk->measure.instances++;
    g_array_append_val(walk->roots, node.root);
}

/* Returns the number of tests that the node stands for. */
static unsigned visit_node(Walk *walk, const Visit *visit)
{
    const unsigned type = tsim_ray_pointer_type(visit->pointer);

    if (type < TSIM_RAY_NODE_TRIANGLES) {
        walk->measure.triangle_nodes++;
        walk->measure.triangles += type + 1;
        return type + 1;
    }
    if (type == TSIM_RAY_NODE_INSTANCE) {
        visit_instance(walk, visit->pointer);
    } else {
        visit_boxes(walk, visit);
    }
    return 1;
}

static gboolean walk_tree(Walk *walk, uint32_t root, GError **error)
{
    const unsigned type = tsim_ray_pointer_type(root);
    const Visit first = {root, 0, 1.0};

    if (type != TSIM_RAY_NODE_BOX16 && type != TSIM_RAY_NODE_BOX32) {
        return fail(error, root, "is a root and must be a box node");
    }
    g_array_append_val(walk->visits, first);
    while (walk->visits->len > 0) {
        const Visit visit = g_array_index(walk->visits, Visit, walk->visits->len - 1);
        const uint64_t unit = tsim_ray_pointer_index(visit.pointer);

        g_array_set_size(walk->visits, walk->visits->len - 1);
        if (!check_pointer(walk, &visit, error)) {
            return FALSE;
        }
        if (visit.depth == 0 && !walk->in_instance) {
            measure_root(walk, root);
        }
        walk->reached[unit] = 1;
        walk->reached[unit + tsim_ray_pointer_units(visit.pointer) - 1] = 1;

        const unsigned tests = visit_node(walk, &visit);

        walk->measure.sah_cost += walk->in_instance ? 0.0 : visit.chance * tests;
    }
    return TRUE;
}

static gboolean walk_lower_trees(Walk *walk, GError **error)
{
    walk->in_instance = TRUE;
    for (guint i = 0; i < walk->roots->len; i++) {
        const uint32_t root = g_array_index(walk->roots, uint32_t, i);
        const uint64_t unit = tsim_ray_pointer_index(root);

        if (unit < walk->bvh->descriptor.node_count && walk->is_root[unit]) {
            continue;
        }
        if (!walk_tree(walk, root, error)) {
            return FALSE;
        }
        walk->is_root[unit] = 1;
    }
    return TRUE;
}

gboolean tsim_bvh_walk(TsimBvh *bvh, GError **error)
{
    g_autoptr(GArray) visits = g_array_new(FALSE, FALSE, sizeof(Visit));
    g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_autofree uint8_t *reached = g_malloc0(bvh->descriptor.node_count);
    g_autofree uint8_t *is_root = g_malloc0(bvh->descriptor.node_count);
    Walk walk = {bvh, reached, is_root, visits, roots, {0}, FALSE};

    if (!walk_tree(&walk, bvh->root, error) || !walk_lower_trees(&walk, error)) {
        return FALSE;
    }
    bvh->measure = walk.measure;
    return TRUE;
}
