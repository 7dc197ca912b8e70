/* Rays on the machine: what TA drops and the lane rule (R9, R10, model 6), the peaks (R1), the list
 * that classes share, against numbers worked out by hand. */
#include "io/data-files.h"
#include "io/scenario-json.h"
#include "model/run.h"
#include "model/texture-unit.h"
#include "stats/figures.h"

#include <math.h>
#include <string.h>

#define BVH_CLKS   11 /* operand registers (R2) */
#define BVH64_CLKS 12
#define A16_CLKS   8

static TsimScenario *load(const char *work)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_autofree char *text = g_strdup_printf("{\"gpu\": \"xbox_series_x\", \"work\": [%s]}", work);
    g_autoptr(GError) error = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("s.json", text, strlen(text), &problems);
    TsimScenario *scenario = tsim_scenario_json_decode(source, roots, NULL);
    tsim_json_source_free(source);
    (void)tsim_problems_finish(&problems, &error);
    g_assert_no_error(error);
    return scenario;
}

static TsimResult *run(const TsimScenario *scenario)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, warnings, &error);

    g_assert_no_error(error);
    g_assert_true(tsim_machine_run(machine, &error));
    g_assert_no_error(error);
    return tsim_machine_result(machine);
}

/* ---- The lane rule: one wave of rays that miss everything at the root ---- */

static const float from[3] = {0, 0, 5};
static const float away[3] = {0, 0, 1};

static TsimScenario *load_list(const char *program, uint32_t lanes, uint32_t n)
{
    g_autofree char *work =
        g_strdup_printf("{\"type\": \"rays\", \"scene\": {\"procedural\": \"sphere\", \"size\": 4},"
                        " \"rays\": {\"wave_lanes\": %u}, \"program\": {%s}}",
                        lanes, program);
    TsimScenario *scenario = load(work);
    TsimRays *rays = &scenario->work[0].rays.rays;

    rays->kind = TSIM_RAYS_LIST;
    rays->list_count = n;
    rays->list = g_new(TsimRay, n);
    for (uint32_t i = 0; i < n; i++) {
        rays->list[i] = tsim_ray_new(from, away, INFINITY);
    }
    return scenario;
}

static void assert_clks(const TsimScenario *scenario, uint64_t clks, uint64_t boxes)
{
    g_autoptr(TsimResult) result = run(scenario);

    g_assert_cmpuint(result->rays.instructions, ==, 1);
    g_assert_cmpuint(result->rays.td_busy_cycles, ==, clks);
    g_assert_cmpuint(result->rays.box_nodes, ==, boxes);
    g_assert_cmpuint(result->rays.hits, ==, 0);
}

/* A half with k live lanes takes max(operand clocks, k). Lanes behind the end of the list are
 * masked off. */
static void test_masked(void)
{
    static const struct {
        const char *program;
        uint32_t lanes, n, clks;
    } cases[] = {
        {"", 32, 32, 32},
        {"", 32, 20, 20},
        {"", 32, 5, BVH_CLKS},
        {"\"pointer64\": true", 32, 5, BVH64_CLKS},
        {"\"a16\": true", 32, 5, A16_CLKS},
        {"\"a16\": true, \"pointer64\": true", 32, 5, A16_CLKS + 1},
        {"", 64, 64, 64},
        {"", 64, 40, 32 + BVH_CLKS},
        {"", 64, 52, 32 + 20},
        {"", 64, 3, BVH_CLKS + BVH_CLKS},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(TsimScenario) scenario = load_list(cases[i].program, cases[i].lanes, cases[i].n);
        assert_clks(scenario, cases[i].clks, cases[i].n);
    }
}

static void spoil_direction(TsimRay *ray)
{
    ray->direction[1] = NAN;
}

static void spoil_inverse_direction(TsimRay *ray)
{
    ray->inverse_direction[2] = NAN;
}

static void spoil_origin(TsimRay *ray)
{
    ray->origin[0] = NAN;
}

static void spoil_extent(TsimRay *ray)
{
    ray->extent = NAN;
}

static void move_origin_away(TsimRay *ray)
{
    ray->origin[1] = -INFINITY;
}

/* Twelve bad rays among 32: 20 clocks. */
static void test_bad_rays(void)
{
    static void (*const spoilers[])(TsimRay *) = {spoil_direction, spoil_inverse_direction,
                                                  spoil_origin, spoil_extent, move_origin_away};

    for (size_t i = 0; i < G_N_ELEMENTS(spoilers); i++) {
        g_autoptr(TsimScenario) scenario = load_list("", 32, 32);
        for (uint32_t lane = 0; lane < 12; lane++) {
            spoilers[i](&scenario->work[0].rays.rays.list[2 * lane]);
        }
        assert_clks(scenario, 20, 20);
    }
}

/* An infinite inverse direction, and an infinite extent, are good rays (R8). */
static void test_infinities(void)
{
    g_autoptr(TsimScenario) scenario = load_list("", 32, 32);
    const TsimRay *ray = &scenario->work[0].rays.rays.list[0];

    g_assert_true(isinf(ray->inverse_direction[0]) && isinf(ray->extent));
    assert_clks(scenario, 32, 32);
}

/* Behind the descriptor's size: nothing is fetched, the operands alone take time. */
static void test_out_of_bounds(void)
{
    g_autoptr(TsimScenario) scenario = load_list("", 32, 32);
    TsimBvh *bvh = scenario->work[0].rays.bvh;

    bvh->descriptor.node_count = tsim_ray_pointer_index(bvh->root);
    assert_clks(scenario, BVH_CLKS, 0);
}

/* Instance nodes have a reserved type. All lanes come to theirs together: a load, and no
 * instruction; then the lower tree. */
static void test_reserved_type(void)
{
    g_autoptr(TsimScenario) scenario = load(
        "{\"type\": \"rays\", \"scene\": {\"procedural\": \"sphere\", \"size\": 8, \"copies\": 2},"
        " \"rays\": {\"width\": 8, \"height\": 4}}");
    g_autoptr(TsimResult) result = run(scenario);
    uint64_t halves = 0, lanes = 0;

    for (int i = 0; i <= TSIM_RAY_HALF_LANES; i++) {
        halves += result->rays.live_lanes[i];
        lanes += (uint64_t)i * result->rays.live_lanes[i];
    }
    g_assert_cmpuint(result->rays.instance_nodes, >, 0);
    g_assert_cmpuint(halves, ==, result->rays.instructions);
    g_assert_cmpuint(lanes, ==, result->rays.box_nodes + result->rays.triangle_tests);
    g_assert_cmpuint(result->rays.nodes_per_ray.sum, ==, lanes + result->rays.instance_nodes);
}

/* ---- The list that classes share ---- */

static void test_shared_list(void)
{
    g_autoptr(TsimScenario) scenario = load_list("", 32, 1);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, warnings, NULL);
    const TsimTextureInstruction samples = {.class = TSIM_TEXTURE_SAMPLE, .samples = 40};
    const TsimTextureInstruction late = {
        .class = TSIM_TEXTURE_BVH, .clks = 32, .latency = 7, .fetched_at = 1000};
    const TsimTextureInstruction soon = {.class = TSIM_TEXTURE_BVH, .clks = 20, .latency = 7};
    const TsimTextureInstruction feedback = {.class = TSIM_TEXTURE_FEEDBACK, .samples = 8};

    g_assert_cmpuint(machine->gpu->sample_lanes_per_clk, ==, 4);
    g_assert_cmpuint(tsim_texture_unit_issue(machine, 0, &samples), ==, 10);
    g_assert_cmpuint(tsim_texture_unit_issue(machine, 0, &late), ==, 1000 + 32 + 7);
    /* In order within its class, and at one lane a clock behind the other. */
    g_assert_cmpuint(tsim_texture_unit_issue(machine, 0, &soon), ==, 1000 + 32 + 20 + 7);
    /* Other classes only wait for their turn: 10 + 32 + 20 clocks. */
    g_assert_cmpuint(tsim_texture_unit_issue(machine, 0, &samples), ==, 62 + 10);
    g_assert_cmpuint(tsim_texture_unit_issue(machine, 0, &feedback), ==, 72 + 2);
    /* Another CU has its own. */
    g_assert_cmpuint(tsim_texture_unit_issue(machine, machine->simds_per_cu, &samples), ==, 10);
}

/* ---- Whole runs ---- */

static void assert_rate(double rate, const char *expected)
{
    g_autofree char *text = g_strdup_printf("%.2f", rate / 1e9);

    g_assert_true(g_str_has_prefix(text, expected));
}

static void assert_peak(const char *name, const char *gpu, double per_node, const char *expected)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_autofree char *path = tsim_data_find(roots, TSIM_DATA_SCENARIOS, name);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimScenario) scenario =
        tsim_scenario_json_load(path, NULL, gpu, roots, NULL, &error);

    g_assert_no_error(error);
    g_autoptr(TsimResult) result = run(scenario);
    const uint64_t nodes = result->rays.box_nodes + result->rays.triangle_tests;
    assert_rate(per_node * tsim_result_ray_tests_per_second(result, nodes), expected);
    /* The window is most of the run. */
    g_assert_cmpfloat(tsim_result_td_utilisation(result), >, 0.95);
}

static void test_peaks(void)
{
    assert_peak("ray_peak_box", "xbox_series_s", 4, "125.0");
    assert_peak("ray_peak_box", "xbox_series_x", 4, "379.6");
    assert_peak("ray_peak_tri", "xbox_series_s", 1, "31.26");
    assert_peak("ray_peak_tri", "xbox_series_x", 1, "94.9");
}

static const char sphere[] =
    "{\"type\": \"rays\", \"scene\": {\"procedural\": \"sphere\", \"size\": 24},"
    " \"rays\": {\"width\": 50, \"height\": 37}, \"program\": {\"stack\": \"%s\"}}";

static TsimResult *run_sphere(const char *stack)
{
    g_autoptr(GString) work = g_string_new(sphere);

    g_string_replace(work, "%s", stack, 0);
    g_autoptr(TsimScenario) scenario = load(work->str);
    return run(scenario);
}

/* The traversals are those of the functional unit, and neither time nor place changes them. */
static void test_traversals(void)
{
    g_autoptr(TsimScenario) scenario =
        load("{\"type\": \"rays\", \"scene\": {\"procedural\": \"sphere\", \"size\": 24},"
             " \"rays\": {\"width\": 50, \"height\": 37}}");
    const TsimRayWork *work = &scenario->work[0].rays;
    const TsimTraversalScene scene = tsim_traversal_scene(work->bvh, &work->options, FALSE);
    g_autoptr(TsimResult) in_lds = run_sphere("lds");
    g_autoptr(TsimResult) in_vgprs = run_sphere("vgprs");
    uint64_t hits = 0, boxes = 0, triangles = 0;

    for (uint64_t pixel = 0; pixel < 50 * 37; pixel++) {
        const TsimRay ray = tsim_rays_camera_ray(&work->rays, pixel);
        TsimTraversal traversal;
        tsim_traversal_run(&scene, &ray, NULL, NULL, &traversal);
        hits += traversal.hit.found ? 1 : 0;
        boxes += traversal.counts.box_nodes;
        triangles += traversal.counts.triangles;
    }
    g_assert_cmpuint(in_lds->rays.rays, ==, 50 * 37);
    g_assert_cmpuint(in_lds->rays.hits, ==, hits);
    g_assert_cmpuint(in_lds->rays.box_nodes, ==, boxes);
    g_assert_cmpuint(in_lds->rays.triangle_tests, ==, triangles);
    g_assert_cmpuint(in_vgprs->rays.box_nodes, ==, boxes);
    g_assert_cmpuint(in_lds->lds_byte_cycles[TSIM_LDS_OWNER_CS], >, 0);
    g_assert_cmpuint(in_vgprs->lds_byte_cycles[TSIM_LDS_OWNER_CS], ==, 0);
}

static void test_determinism(void)
{
    g_autoptr(TsimResult) a = run_sphere("lds");
    g_autoptr(TsimResult) b = run_sphere("lds");

    g_assert_cmpuint(a->elapsed_cycles, ==, b->elapsed_cycles);
    g_assert_cmpuint(a->events, ==, b->events);
    g_assert_cmpint(memcmp(&a->rays, &b->rays, sizeof a->rays), ==, 0);
}

/* Images are on the side: every ray is in them, and nothing else changes. */
static void test_images(void)
{
    g_autoptr(GString) text = g_string_new(sphere);

    g_string_replace(text, "%s", "lds", 0);
    g_autoptr(TsimScenario) scenario = load(text->str);
    scenario->keeps_ray_images = TRUE;
    g_autoptr(TsimResult) kept = run(scenario);
    g_autoptr(TsimResult) plain = run_sphere("lds");
    const TsimRayImages *images = &kept->rays.images;
    uint64_t nodes = 0, rays = 0, lit = 0;

    g_assert_cmpuint(kept->elapsed_cycles, ==, plain->elapsed_cycles);
    g_assert_cmpuint(images->width * images->height, ==, 50 * 37);
    for (uint32_t i = 0; i < 50 * 37; i++) {
        nodes += images->nodes[i];
        rays += images->rays[i];
        lit += images->light[i] > 0 ? 1 : 0;
    }
    g_assert_cmpuint(nodes, ==, kept->rays.nodes_per_ray.sum);
    g_assert_cmpuint(rays, ==, kept->rays.rays);
    g_assert_cmpuint(lit, ==, kept->rays.hits);
    g_assert_null(plain->rays.images.nodes);
}

/* Two lanes at one node fetch its line once; FP32 nodes at odd units straddle two lines. */
static void test_merging(void)
{
    g_autoptr(TsimScenario) scenario = load_list("", 32, 32);
    const TsimBvh *bvh = scenario->work[0].rays.bvh;
    const uint64_t first = tsim_ray_pointer_index(bvh->root);
    g_autoptr(TsimResult) result = run(scenario);

    g_assert_cmpuint(tsim_ray_pointer_units(bvh->root), ==, 2);
    g_assert_cmpuint(result->rays.node_lines, ==, (first + 1) / 2 - first / 2 + 1);
    g_assert_cmpuint(result->rays.node_l1_hits, ==, 0);
}

static void test_refusals(void)
{
    static const struct {
        const char *gpu, *words;
    } cases[] = {{"xbox_one", "ray-intersection unit"}, {"xbox_series_x", NULL}};

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
        g_autofree char *path = tsim_data_find(roots, TSIM_DATA_SCENARIOS, "ray_peak_box");
        g_autoptr(GError) error = NULL;
        g_autoptr(TsimScenario) scenario =
            tsim_scenario_json_load(path, NULL, cases[i].gpu, roots, NULL, &error);
        if (cases[i].words == NULL) {
            g_assert_no_error(error);
            g_assert_nonnull(scenario);
        } else {
            g_assert_null(scenario);
            g_assert_nonnull(strstr(error->message, cases[i].words));
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ray-timing/masked", test_masked);
    g_test_add_func("/ray-timing/bad-rays", test_bad_rays);
    g_test_add_func("/ray-timing/infinities", test_infinities);
    g_test_add_func("/ray-timing/out-of-bounds", test_out_of_bounds);
    g_test_add_func("/ray-timing/reserved-type", test_reserved_type);
    g_test_add_func("/ray-timing/shared-list", test_shared_list);
    g_test_add_func("/ray-timing/merging", test_merging);
    g_test_add_func("/ray-timing/peaks", test_peaks);
    g_test_add_func("/ray-timing/traversals", test_traversals);
    g_test_add_func("/ray-timing/determinism", test_determinism);
    g_test_add_func("/ray-timing/images", test_images);
    g_test_add_func("/ray-timing/refusals", test_refusals);
    return g_test_run();
}
