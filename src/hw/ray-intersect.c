#include "hw/ray-intersect.h"

#include "base/error.h"
#include "hw/half.h"

#include <math.h>
#include <string.h>

static const char *const growth_names[] = {"half_epsilon", "ulps", NULL};
static const char *const ties_names[] = {"network", "child", NULL};
static const char *const edge_names[] = {"single_hit", "single_hit_rounded", "closed", NULL};
static const char *const dead_lane_names[] = {"miss", "ones", NULL};

const TsimField tsim_ray_option_fields[] = {
    {"box_growth", TSIM_FIELD_ENUM, offsetof(TsimRayOptions, growth), "", 0, 0,
     TSIM_RAY_GROWTH_HALF_EPSILON, growth_names, FALSE, "what one ULP of box growth is"},
    {"box_ties", TSIM_FIELD_ENUM, offsetof(TsimRayOptions, ties), "", 0, 0, TSIM_RAY_TIES_NETWORK,
     ties_names, FALSE, "order of sorted boxes at the same distance"},
    {"edges", TSIM_FIELD_ENUM, offsetof(TsimRayOptions, edges), "", 0, 0, TSIM_RAY_EDGE_SINGLE_HIT,
     edge_names, FALSE, "which triangles a ray exactly on an edge hits"},
    {"dead_lane", TSIM_FIELD_ENUM, offsetof(TsimRayOptions, dead_lane), "", 0, 0,
     TSIM_RAY_DEAD_LANE_MISS, dead_lane_names, FALSE,
     "results of a lane with a bad ray or pointer"},
    {"triangle_at_extent_hits", TSIM_FIELD_BOOL, offsetof(TsimRayOptions, triangle_at_extent_hits),
     "", 0, 0, 1, NULL, FALSE, "whether a triangle at exactly the ray extent is hit"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

TsimRayUnit tsim_ray_unit_new(const TsimRayDescriptor *descriptor, const TsimRayOptions *options)
{
    return (TsimRayUnit){
        .options = *options,
        .node_count = descriptor->node_count,
        .growth_factor = 1.0f + (float)descriptor->box_growth_ulps * 0x1p-24f,
        .growth_ulps = descriptor->box_growth_ulps,
        .triangle_return_mode = descriptor->triangle_return_mode,
        .box_sort = descriptor->box_sort,
    };
}

/* The largest component becomes z; x and y change places when it is negative, so that the turning
 * sense of a triangle stays. */
TsimRaySetup tsim_ray_setup_new(const TsimRay *ray)
{
    TsimRaySetup setup = {.ray = *ray};
    const float *direction = ray->direction;
    uint8_t z = 0;

    for (uint8_t axis = 1; axis < 3; axis++) {
        z = fabsf(direction[axis]) > fabsf(direction[z]) ? axis : z;
    }
    const uint8_t next = (uint8_t)((z + 1) % 3);
    const uint8_t after = (uint8_t)((z + 2) % 3);
    const gboolean swapped = direction[z] < 0.0f;

    setup.axis[0] = swapped ? after : next;
    setup.axis[1] = swapped ? next : after;
    setup.axis[2] = z;
    setup.shear[0] = direction[setup.axis[0]] / direction[z];
    setup.shear[1] = direction[setup.axis[1]] / direction[z];
    setup.shear[2] = 1.0f / direction[z];
    for (int axis = 0; axis < 3; axis++) {
        setup.near_is_max[axis] = ray->inverse_direction[axis] < 0.0f;
    }
    return setup;
}

/* Of two numbers one of which may be NaN, the other; NaN if both are. */
static inline float max_number(float a, float b)
{
    return b > a || isnan(a) ? b : a;
}

static inline float min_number(float a, float b)
{
    return b < a || isnan(a) ? b : a;
}

static float grow(const TsimRayUnit *unit, float far)
{
    if (unit->options.growth == TSIM_RAY_GROWTH_HALF_EPSILON) {
        return far * unit->growth_factor;
    }
    if (!(far >= 0.0f) || isinf(far)) {
        return far;
    }
    return tsim_float_from_bits(
        MIN((tsim_float_to_bits(far) & 0x7fffffff) + unit->growth_ulps, 0x7f800000));
}

TsimRayBoxResult tsim_ray_test_boxes(const TsimRayUnit *unit, const TsimRaySetup *setup,
                                     const TsimRayBoxNode *node)
{
    const TsimRay *ray = &setup->ray;
    TsimRayBoxResult result = {.near = {NAN, NAN, NAN, NAN}, .far = {NAN, NAN, NAN, NAN}};

    for (int axis = 0; axis < 3; axis++) {
        const float *near_plane = node->bounds[setup->near_is_max[axis]][axis];
        const float *far_plane = node->bounds[!setup->near_is_max[axis]][axis];

        for (int box = 0; box < 4; box++) {
            const float entry =
                (near_plane[box] - ray->origin[axis]) * ray->inverse_direction[axis];
            const float exit = (far_plane[box] - ray->origin[axis]) * ray->inverse_direction[axis];

            result.near[box] = max_number(result.near[box], entry);
            result.far[box] = min_number(result.far[box], exit);
        }
    }
    for (int box = 0; box < 4; box++) {
        const gboolean numbers = !isnan(result.near[box]) && !isnan(result.far[box]);

        result.near[box] = result.near[box] > 0.0f ? result.near[box] : 0.0f;
        result.far[box] = result.far[box] > ray->extent ? ray->extent : result.far[box];
        if (numbers && result.near[box] <= grow(unit, result.far[box])) {
            result.hit_mask |= 1u << box;
        }
    }
    return result;
}

static void swap_entries(unsigned *a, unsigned *b)
{
    const unsigned held = *a;

    *a = *b;
    *b = held;
}

/* Misses go last. Without ties every correct sort gives the same order; with them it depends on the
 * network, here (0,2) (1,3) (0,1) (2,3) (1,2). Child order is that network with the child number as
 * the second key. */
static gboolean must_swap(const TsimRayUnit *unit, const TsimRayBoxResult *result, unsigned a,
                          unsigned b)
{
    const gboolean a_hit = (result->hit_mask >> a & 1) != 0;
    const gboolean b_hit = (result->hit_mask >> b & 1) != 0;

    if (!a_hit || !b_hit) {
        return b_hit || (unit->options.ties == TSIM_RAY_TIES_NETWORK && !a_hit);
    }
    if (unit->options.ties == TSIM_RAY_TIES_CHILD && !(result->near[a] < result->near[b]) &&
        !(result->near[b] < result->near[a])) {
        return b < a;
    }
    return result->near[b] < result->near[a];
}

static void sort_children(const TsimRayUnit *unit, const TsimRayBoxNode *node,
                          const TsimRayBoxResult *result, uint32_t results[TSIM_RAY_RESULTS])
{
    static const uint8_t exchanges[5][2] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}};
    unsigned order[4] = {0, 1, 2, 3};

    for (int i = 0; i < 5; i++) {
        unsigned *a = &order[exchanges[i][0]];
        unsigned *b = &order[exchanges[i][1]];

        if (must_swap(unit, result, *a, *b)) {
            swap_entries(a, b);
        }
    }
    for (int i = 0; i < 4; i++) {
        const gboolean hit = (result->hit_mask >> order[i] & 1) != 0;

        results[i] = hit ? node->child[order[i]] : TSIM_RAY_NO_NODE;
    }
}

static void write_boxes(const TsimRayUnit *unit, const TsimRayBoxNode *node,
                        const TsimRayBoxResult *result, uint32_t results[TSIM_RAY_RESULTS])
{
    if (unit->box_sort) {
        sort_children(unit, node, result, results);
        return;
    }
    for (int box = 0; box < 4; box++) {
        results[box] = (result->hit_mask >> box & 1) != 0 ? node->child[box] : TSIM_RAY_NO_NODE;
    }
}

/* A corner seen from the ray: x and y in the sheared frame, z as t. */
typedef struct {
    float x, y, t;
} Corner;

static inline Corner shear(const TsimRaySetup *setup, const float vertex[3])
{
    const float *origin = setup->ray.origin;
    const float x = vertex[setup->axis[0]] - origin[setup->axis[0]];
    const float y = vertex[setup->axis[1]] - origin[setup->axis[1]];
    const float z = vertex[setup->axis[2]] - origin[setup->axis[2]];

    return (Corner){x - setup->shear[0] * z, y - setup->shear[1] * z, setup->shear[2] * z};
}

static inline float cross(Corner p, Corner q)
{
    return p.x * q.y - p.y * q.x;
}

/* Products of binary32 are exact in binary64, so that the sign of this difference is too. */
static int exact_sign(Corner p, Corner q)
{
    const double left = (double)p.x * (double)q.y;
    const double right = (double)p.y * (double)q.x;

    return (left > right) - (left < right);
}

/* Moving the ray by (e, e^2) adds e * (p.y - q.y) - e^2 * (p.x - q.x) to the edge function. */
static int nudged_sign(Corner p, Corner q)
{
    if (p.y > q.y || p.y < q.y) {
        return p.y > q.y ? 1 : -1;
    }
    return (q.x > p.x) - (q.x < p.x);
}

/* Which side of the edge the ray passes: 1, -1, or 0 for both (or for an edge without length). */
static inline int edge_side(const TsimRayUnit *unit, float value, Corner p, Corner q)
{
    int sign = (value > 0.0f) - (value < 0.0f);

    if (G_LIKELY(sign != 0) || unit->options.edges == TSIM_RAY_EDGE_CLOSED) {
        return sign;
    }
    if (unit->options.edges == TSIM_RAY_EDGE_SINGLE_HIT) {
        sign = exact_sign(p, q);
    }
    return sign != 0 ? sign : nudged_sign(p, q);
}

static inline gboolean is_inside(const TsimRayUnit *unit, const float edge[3], Corner a, Corner b,
                                 Corner c)
{
    const int sides[3] = {
        edge_side(unit, edge[0], c, b),
        edge_side(unit, edge[1], a, c),
        edge_side(unit, edge[2], b, a),
    };
    const gboolean any_left = sides[0] < 0 || sides[1] < 0 || sides[2] < 0;
    const gboolean any_right = sides[0] > 0 || sides[1] > 0 || sides[2] > 0;

    return !(any_left && any_right);
}

/* Is the quotient in 0 .. extent? False if anything is NaN. */
static inline gboolean is_in_reach(const TsimRayUnit *unit, float extent, float t_num,
                                   float t_denom)
{
    const gboolean ahead = t_denom > 0.0f ? t_num >= 0.0f : t_num <= 0.0f;
    const float t = t_num / t_denom;

    return ahead && (unit->options.triangle_at_extent_hits ? t <= extent : t < extent);
}

TsimRayTriangleResult tsim_ray_test_triangle(const TsimRayUnit *unit, const TsimRaySetup *setup,
                                             const float a[3], const float b[3], const float c[3])
{
    static const TsimRayTriangleResult miss = {.t_num = INFINITY, .t_denom = 1.0f};
    const Corner sheared[3] = {shear(setup, a), shear(setup, b), shear(setup, c)};
    const float edge[3] = {
        cross(sheared[2], sheared[1]),
        cross(sheared[0], sheared[2]),
        cross(sheared[1], sheared[0]),
    };

    if (!is_inside(unit, edge, sheared[0], sheared[1], sheared[2])) {
        return miss;
    }
    const float t_denom = edge[0] + edge[1] + edge[2];
    const float t_num = edge[0] * sheared[0].t + edge[1] * sheared[1].t + edge[2] * sheared[2].t;
    const gboolean has_area = t_denom > 0.0f || t_denom < 0.0f;

    if (!has_area || !is_in_reach(unit, setup->ray.extent, t_num, t_denom)) {
        return miss;
    }
    return (TsimRayTriangleResult){TRUE, t_num, t_denom, {edge[0], edge[1], edge[2]}};
}

static void write_triangle(const TsimRayUnit *unit, const TsimRayTriangleResult *result,
                           unsigned triangle, uint32_t triangle_id,
                           uint32_t results[TSIM_RAY_RESULTS])
{
    results[0] = tsim_float_to_bits(result->t_num);
    results[1] = tsim_float_to_bits(result->t_denom);
    if (unit->triangle_return_mode == 0) {
        results[2] = triangle_id + triangle;
        results[3] = result->hit ? 1 : 0;
        return;
    }
    /* Source 3 is unused: it selects the zero behind the three weights. */
    const float weights[4] = {result->weight_num[0], result->weight_num[1], result->weight_num[2],
                              0.0f};
    const uint32_t remap = triangle_id >> 8 * triangle;

    results[2] = tsim_float_to_bits(weights[remap & 3]);
    results[3] = tsim_float_to_bits(weights[remap >> 2 & 3]);
}

void tsim_ray_test_node(const TsimRayUnit *unit, const TsimRaySetup *setup, uint64_t pointer,
                        const uint8_t *bytes, uint32_t results[TSIM_RAY_RESULTS])
{
    const unsigned type = tsim_ray_pointer_type(pointer);

    if (type < TSIM_RAY_NODE_TRIANGLES) {
        const uint8_t *corners = tsim_ray_node_corners[type];
        TsimRayTriangleNode node;

        tsim_ray_node_decode_triangles(bytes, &node);
        const TsimRayTriangleResult result = tsim_ray_test_triangle(
            unit, setup, node.vertex[corners[0]], node.vertex[corners[1]], node.vertex[corners[2]]);

        write_triangle(unit, &result, type, node.triangle_id, results);
        return;
    }
    TSIM_ASSERT_HOT(type == TSIM_RAY_NODE_BOX16 || type == TSIM_RAY_NODE_BOX32);
    TsimRayBoxNode node;

    if (type == TSIM_RAY_NODE_BOX16) {
        tsim_ray_node_decode_box16(bytes, &node);
    } else {
        tsim_ray_node_decode_box32(bytes, &node);
    }
    const TsimRayBoxResult result = tsim_ray_test_boxes(unit, setup, &node);

    write_boxes(unit, &node, &result, results);
}

static gboolean is_bad_ray(const TsimRay *ray)
{
    gboolean bad = isnan(ray->extent);

    for (int axis = 0; axis < 3; axis++) {
        bad |= !isfinite(ray->origin[axis]) || isnan(ray->direction[axis]) ||
               isnan(ray->inverse_direction[axis]);
    }
    return bad;
}

TsimRayLane tsim_ray_lane_classify(const TsimRayUnit *unit, gboolean enabled, uint64_t pointer,
                                   const TsimRay *ray)
{
    const uint64_t end = tsim_ray_pointer_index(pointer) + tsim_ray_pointer_units(pointer);

    if (!enabled) {
        return TSIM_RAY_LANE_MASKED;
    }
    if (is_bad_ray(ray)) {
        return TSIM_RAY_LANE_BAD_RAY;
    }
    if (tsim_ray_pointer_type(pointer) > TSIM_RAY_NODE_BOX32) {
        return TSIM_RAY_LANE_RESERVED_TYPE;
    }
    return end <= unit->node_count ? TSIM_RAY_LANE_ACTIVE : TSIM_RAY_LANE_OUT_OF_BOUNDS;
}

static void write_dead_lane(const TsimRayUnit *unit, uint64_t pointer, TsimRayLane lane,
                            uint32_t results[TSIM_RAY_RESULTS])
{
    const gboolean ones = unit->options.dead_lane == TSIM_RAY_DEAD_LANE_ONES ||
                          lane == TSIM_RAY_LANE_RESERVED_TYPE ||
                          !tsim_ray_pointer_is_triangle(pointer);

    if (ones) {
        memset(results, 0xff, TSIM_RAY_RESULTS * sizeof *results);
        return;
    }
    results[0] = tsim_float_to_bits(INFINITY);
    results[1] = tsim_float_to_bits(1.0f);
    results[2] = 0;
    results[3] = 0;
}

TsimRayLane tsim_ray_lane_test(const TsimRayUnit *unit, const uint8_t *nodes, gboolean enabled,
                               uint64_t pointer, const TsimRay *ray,
                               uint32_t results[TSIM_RAY_RESULTS])
{
    const TsimRayLane lane = tsim_ray_lane_classify(unit, enabled, pointer, ray);

    if (lane == TSIM_RAY_LANE_ACTIVE) {
        const TsimRaySetup setup = tsim_ray_setup_new(ray);

        tsim_ray_test_node(unit, &setup, pointer,
                           nodes + TSIM_RAY_UNIT_BYTES * tsim_ray_pointer_index(pointer), results);
    } else if (lane != TSIM_RAY_LANE_MASKED) {
        write_dead_lane(unit, pointer, lane, results);
    }
    return lane;
}
