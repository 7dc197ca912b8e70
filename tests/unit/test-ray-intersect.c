/* hw/ray-intersect.h: what the golden cases leave out: tie orders, growth, lanes, remap, fans. */
#include "hw/half.h"
#include "hw/ray-intersect.h"

#include <math.h>
#include <string.h>

static TsimRayOptions default_options(void)
{
    TsimRayOptions options;

    tsim_fields_init(tsim_ray_option_fields, &options);
    return options;
}

static TsimRayUnit make_unit(TsimRayOptions options, uint8_t growth_ulps)
{
    const TsimRayDescriptor descriptor = {
        .node_count = 2, .box_growth_ulps = growth_ulps, .box_sort = TRUE};

    return tsim_ray_unit_new(&descriptor, &options);
}

static TsimRay ray_along_z(float extent)
{
    return tsim_ray_new((const float[3]){0, 0, 0}, (const float[3]){0, 0, 1}, extent);
}

/* Boxes of the mask begin at z = 2, the others lie aside. */
static void sort_equal_boxes(int ties, unsigned mask, uint32_t results[4])
{
    TsimRayOptions options = default_options();
    const TsimRay ray = ray_along_z(100);
    const TsimRaySetup setup = tsim_ray_setup_new(&ray);
    TsimRayBoxNode node;
    uint8_t bytes[128];

    options.ties = ties;
    for (unsigned box = 0; box < 4; box++) {
        const float aside = (mask >> box & 1) != 0 ? 0.0f : 10.0f;

        node.child[box] = box;
        for (unsigned axis = 0; axis < 3; axis++) {
            node.bounds[0][axis][box] = axis == 2 ? 2.0f : aside - 1.0f;
            node.bounds[1][axis][box] = axis == 2 ? 3.0f : aside + 1.0f;
        }
    }
    tsim_ray_node_encode_box32(&node, bytes);

    const TsimRayUnit unit = make_unit(options, 0);

    tsim_ray_test_node(&unit, &setup, TSIM_RAY_NODE_BOX32, bytes, results);
}

/* The orders that the published network gives, from the facts, section 4.2. */
static void test_tie_order(void)
{
    static const struct {
        unsigned mask;
        uint32_t network[4];
        uint32_t child[4];
    } rows[] = {
        {0x6, {2, 1, UINT32_MAX, UINT32_MAX}, {1, 2, UINT32_MAX, UINT32_MAX}},
        {0xe, {2, 1, 3, UINT32_MAX}, {1, 2, 3, UINT32_MAX}},
        {0xd, {0, 3, 2, UINT32_MAX}, {0, 2, 3, UINT32_MAX}},
        {0xf, {0, 1, 2, 3}, {0, 1, 2, 3}},
        {0x0,
         {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        uint32_t results[4];

        sort_equal_boxes(TSIM_RAY_TIES_NETWORK, rows[i].mask, results);
        g_assert_true(memcmp(results, rows[i].network, sizeof results) == 0);
        sort_equal_boxes(TSIM_RAY_TIES_CHILD, rows[i].mask, results);
        g_assert_true(memcmp(results, rows[i].child, sizeof results) == 0);
    }
}

/* Near and far are chosen by hand: x gives near = 1 + gap ULP, y gives far = 1. */
static gboolean grown_box_is_hit(int growth, uint8_t growth_ulps, int gap_ulps)
{
    TsimRayOptions options = default_options();
    const TsimRay ray = tsim_ray_new((const float[3]){0, 0, 0}, (const float[3]){1, 1, 1}, 100);
    const TsimRaySetup setup = tsim_ray_setup_new(&ray);
    const float near = 1.0f + (float)gap_ulps * 0x1p-23f;
    TsimRayBoxNode node;

    options.growth = growth;
    for (int box = 0; box < 4; box++) {
        node.child[box] = 0;
        for (int axis = 0; axis < 3; axis++) {
            node.bounds[0][axis][box] = axis == 0 ? near : 0.0f;
            node.bounds[1][axis][box] = axis == 1 ? 1.0f : 2.0f;
        }
    }

    const TsimRayUnit unit = make_unit(options, growth_ulps);
    const TsimRayBoxResult result = tsim_ray_test_boxes(&unit, &setup, &node);

    g_assert_true(result.hit_mask == 0 || result.hit_mask == 0xf);
    return result.hit_mask != 0;
}

/* R4: six steps of 2^-24 are three ULP at 1; six true ULP are six. */
static void test_growth(void)
{
    g_assert_true(grown_box_is_hit(TSIM_RAY_GROWTH_HALF_EPSILON, 0, 0));
    g_assert_false(grown_box_is_hit(TSIM_RAY_GROWTH_HALF_EPSILON, 0, 1));
    g_assert_true(grown_box_is_hit(TSIM_RAY_GROWTH_HALF_EPSILON, 6, 3));
    g_assert_false(grown_box_is_hit(TSIM_RAY_GROWTH_HALF_EPSILON, 6, 4));
    g_assert_true(grown_box_is_hit(TSIM_RAY_GROWTH_ULPS, 6, 6));
    g_assert_false(grown_box_is_hit(TSIM_RAY_GROWTH_ULPS, 6, 7));
}

static TsimRayLane run_lane(int dead_lane, gboolean enabled, uint64_t pointer, TsimRay ray,
                            uint32_t results[4])
{
    static const uint8_t nodes[128] = {0};
    TsimRayOptions options = default_options();

    options.dead_lane = dead_lane;
    memset(results, 0x55, 16);

    const TsimRayUnit unit = make_unit(options, 0);

    return tsim_ray_lane_test(&unit, nodes, enabled, pointer, &ray, results);
}

static void check_results(const uint32_t results[4], uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    g_assert_cmphex(results[0], ==, a);
    g_assert_cmphex(results[1], ==, b);
    g_assert_cmphex(results[2], ==, c);
    g_assert_cmphex(results[3], ==, d);
}

/* R9: each way of being inactive. */
static void test_inactive_lanes(void)
{
    const TsimRay good = ray_along_z(10);
    uint32_t results[4];

    for (size_t i = 0; i < sizeof good / sizeof(float); i++) {
        const gboolean is_origin = i < 3;
        TsimRay ray = good;

        ((float *)(void *)&ray)[i] = NAN;
        g_assert_cmpint(run_lane(0, TRUE, 0, ray, results), ==, TSIM_RAY_LANE_BAD_RAY);
        ((float *)(void *)&ray)[i] = -INFINITY;
        g_assert_cmpint(run_lane(0, TRUE, 0, ray, results), ==,
                        is_origin ? TSIM_RAY_LANE_BAD_RAY : TSIM_RAY_LANE_ACTIVE);
    }
    g_assert_cmpint(run_lane(0, FALSE, 0, good, results), ==, TSIM_RAY_LANE_MASKED);
    check_results(results, 0x55555555, 0x55555555, 0x55555555, 0x55555555);
}

static void test_bad_pointers(void)
{
    const TsimRay ray = ray_along_z(10);
    uint32_t results[4];

    g_assert_cmpint(run_lane(0, TRUE, 6, ray, results), ==, TSIM_RAY_LANE_RESERVED_TYPE);
    check_results(results, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    g_assert_cmpint(run_lane(0, TRUE, TSIM_RAY_NO_NODE, ray, results), ==,
                    TSIM_RAY_LANE_RESERVED_TYPE);
    g_assert_cmpint(run_lane(0, TRUE, 1 << 3, ray, results), ==, TSIM_RAY_LANE_ACTIVE);
    g_assert_cmpint(run_lane(0, TRUE, 2 << 3, ray, results), ==, TSIM_RAY_LANE_OUT_OF_BOUNDS);
    check_results(results, 0x7f800000, 0x3f800000, 0, 0);
    g_assert_cmpint(run_lane(1, TRUE, 2 << 3, ray, results), ==, TSIM_RAY_LANE_OUT_OF_BOUNDS);
    check_results(results, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    /* Two units are there; an FP32 box node at the second would need a third. */
    g_assert_cmpint(run_lane(0, TRUE, 5, ray, results), ==, TSIM_RAY_LANE_ACTIVE);
    g_assert_cmpint(run_lane(0, TRUE, 1 << 3 | 5, ray, results), ==, TSIM_RAY_LANE_OUT_OF_BOUNDS);
    check_results(results, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX);
    g_assert_cmpint(run_lane(0, TRUE, UINT64_MAX - 7, ray, results), ==,
                    TSIM_RAY_LANE_OUT_OF_BOUNDS);
}

/* A triangle that straddles the ray at z = 4, and the extent at, below and above. */
static gboolean hits_at_extent(float extent, gboolean at_extent_hits)
{
    TsimRayOptions options = default_options();
    const TsimRay ray = ray_along_z(extent);
    const TsimRaySetup setup = tsim_ray_setup_new(&ray);

    options.triangle_at_extent_hits = at_extent_hits;

    const TsimRayUnit unit = make_unit(options, 0);

    return tsim_ray_test_triangle(&unit, &setup, (const float[3]){-1, -1, 4},
                                  (const float[3]){2, -1, 4}, (const float[3]){-1, 2, 4})
        .hit;
}

static void test_extent(void)
{
    g_assert_true(hits_at_extent(4, TRUE));
    g_assert_false(hits_at_extent(4, FALSE));
    g_assert_true(hits_at_extent(nextafterf(4, 5), FALSE));
    g_assert_false(hits_at_extent(nextafterf(4, 3), TRUE));
    g_assert_true(hits_at_extent(INFINITY, FALSE));
}

/* Along z, the edge from (-(1-e), -1) to (1, 1+e) passes the ray at a distance of e^2, which the
 * edge function (1+e)(1-e) - 1 loses by rounding: the upper triangle contains the ray. */
static gboolean hits_beside_edge(int edges, gboolean upper)
{
    const float e = 0x1p-23f;
    const float left[3] = {-(1 - e), -1, 1};
    const float right[3] = {1, 1 + e, 1};
    const float above[3] = {-1, 1, 1};
    const float below[3] = {1, -1, 1};
    TsimRayOptions options = default_options();
    const TsimRay ray = ray_along_z(9);
    const TsimRaySetup setup = tsim_ray_setup_new(&ray);

    options.edges = edges;

    const TsimRayUnit unit = make_unit(options, 0);

    return tsim_ray_test_triangle(&unit, &setup, upper ? above : below, upper ? left : right,
                                  upper ? right : left)
        .hit;
}

static void test_rounded_edges(void)
{
    g_assert_true(hits_beside_edge(TSIM_RAY_EDGE_SINGLE_HIT, TRUE));
    g_assert_false(hits_beside_edge(TSIM_RAY_EDGE_SINGLE_HIT, FALSE));
    g_assert_false(hits_beside_edge(TSIM_RAY_EDGE_SINGLE_HIT_ROUNDED, TRUE));
    g_assert_true(hits_beside_edge(TSIM_RAY_EDGE_SINGLE_HIT_ROUNDED, FALSE));
    g_assert_true(hits_beside_edge(TSIM_RAY_EDGE_CLOSED, TRUE));
    g_assert_true(hits_beside_edge(TSIM_RAY_EDGE_CLOSED, FALSE));
}

/* Rays at random places of random fans, and through their middles, where single precision is
 * short of bits: exactly one triangle is hit whatever the rounding. */
static unsigned count_fan_hits(const TsimRayUnit *unit, const TsimRay *ray, float (*ring)[3],
                               unsigned count, const float centre[3])
{
    const TsimRaySetup setup = tsim_ray_setup_new(ray);
    unsigned hits = 0;

    for (unsigned i = 0; i < count; i++) {
        const float *next = ring[(i + 1) % count];

        hits += tsim_ray_test_triangle(unit, &setup, centre, ring[i], next).hit ? 1 : 0;
    }
    return hits;
}

static void make_fan(float (*ring)[3], unsigned count, float centre[3])
{
    const double size = ldexp(1.0, g_test_rand_int_range(-10, 10));
    const double turn = g_test_rand_double_range(0, 6);

    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = (float)g_test_rand_double_range(-1, 1);
    }
    for (unsigned i = 0; i < count; i++) {
        const double angle = turn + 2 * G_PI * i / count;

        ring[i][0] = centre[0] + (float)(size * cos(angle));
        ring[i][1] = centre[1] + (float)(size * sin(angle));
        ring[i][2] = centre[2] + (float)(size * g_test_rand_double_range(-0.1, 0.1));
    }
}

static void test_fans_are_hit_once(void)
{
    const TsimRayUnit unit = make_unit(default_options(), 0);

    for (int round = 0; round < 20000; round++) {
        const unsigned count = (unsigned)g_test_rand_int_range(3, 9);
        const gboolean at_edge = g_test_rand_bit();
        const double along = at_edge ? g_test_rand_double_range(0, 0.9) : 0.0;
        const float origin[3] = {(float)g_test_rand_double_range(-0.1, 0.1),
                                 (float)g_test_rand_double_range(-0.1, 0.1), -8.0f};
        float ring[9][3];
        float centre[3];
        float direction[3];

        make_fan(ring, count, centre);
        for (int axis = 0; axis < 3; axis++) {
            direction[axis] =
                centre[axis] + (float)along * (ring[0][axis] - centre[axis]) - origin[axis];
        }
        const TsimRay ray = tsim_ray_new(origin, direction, INFINITY);

        g_assert_cmpuint(count_fan_hits(&unit, &ray, ring, count, centre), ==, 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ray-intersect/tie-order", test_tie_order);
    g_test_add_func("/ray-intersect/growth", test_growth);
    g_test_add_func("/ray-intersect/inactive-lanes", test_inactive_lanes);
    g_test_add_func("/ray-intersect/bad-pointers", test_bad_pointers);
    g_test_add_func("/ray-intersect/extent", test_extent);
    g_test_add_func("/ray-intersect/rounded-edges", test_rounded_edges);
    g_test_add_func("/ray-intersect/fans-are-hit-once", test_fans_are_hit_once);
    return g_test_run();
}
