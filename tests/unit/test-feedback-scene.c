/* The sampled scene by hand: geometry, derivatives, helper lanes, stochastic writes, meshes. */
#include "base/error.h"
#include "workload/feedback-scene.h"

#include <math.h>

typedef struct {
    uint32_t waves, lanes, active, writes;
    TsimSampleLane first;
} Counts;

static uint32_t ones(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

static Counts count_frame(TsimFeedbackScene *scene, uint32_t frame)
{
    Counts counts = {0};
    TsimFeedbackSceneWave wave;

    tsim_feedback_scene_begin_frame(scene, frame);
    while (tsim_feedback_scene_next_wave(scene, &wave)) {
        if (counts.waves++ == 0) {
            counts.first = wave.lanes[0];
        }
        g_assert_cmpuint(wave.lane_count % 4, ==, 0);
        g_assert_true((wave.writes & ~wave.active) == 0);
        g_assert_true(wave.lane_count == 64 || wave.active >> wave.lane_count == 0);
        counts.lanes += wave.lane_count;
        counts.active += ones(wave.active);
        counts.writes += ones(wave.writes);
    }
    return counts;
}

static TsimFeedbackScene *make_scene(TsimFeedbackSceneSpec spec, const TsimSceneSurface *surface)
{
    g_autoptr(GError) error = NULL;
    TsimFeedbackScene *scene = tsim_feedback_scene_new(&spec, surface, 7, &error);

    g_assert_no_error(error);
    return scene;
}

/* Straight down from height 10, 90 degrees: 20 units high, so 0.2 units a pixel of 100; a plane of
 * side 100 whose texture repeats 4 times gives 0.2 * 4 / 100 = 0.008 a pixel. */
static void test_straight_down(void)
{
    const TsimFeedbackSceneSpec spec = {.width = 100,
                                        .height = 100,
                                        .write_fraction = 1.0,
                                        .camera = {0, 10, 0},
                                        .pitch = 90,
                                        .field_of_view = 90,
                                        .move = {1, 0, 0}};
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 4);
    g_autoptr(TsimFeedbackScene) scene = make_scene(spec, plane);
    Counts counts = count_frame(scene, 0);

    g_assert_cmpuint(counts.active, ==, 10000);
    g_assert_cmpuint(counts.writes, ==, 10000);
    /* Upper left pixel: half a pixel from the corner at x -10, z +10. */
    g_assert_cmpfloat_with_epsilon(counts.first.uvw[0], (50 - 9.9) * 0.04, 1e-9);
    g_assert_cmpfloat_with_epsilon(counts.first.uvw[1], (50 + 9.9) * 0.04, 1e-9);
    g_assert_cmpfloat_with_epsilon(counts.first.ddx[0], 0.008, 1e-9);
    g_assert_cmpfloat_with_epsilon(counts.first.ddx[1], 0.0, 1e-9);
    g_assert_cmpfloat_with_epsilon(counts.first.ddy[0], 0.0, 1e-9);
    g_assert_cmpfloat_with_epsilon(counts.first.ddy[1], -0.008, 1e-9);

    /* The camera moves by one unit of X a frame. */
    counts = count_frame(scene, 3);
    g_assert_cmpfloat_with_epsilon(counts.first.uvw[0], (50 + 3 - 9.9) * 0.04, 1e-9);
}

/* A small plane from above: 10 units = 50 pixels a side; its diagonal leaves helper lanes. An odd
 * image has quads that reach over its edge. */
static void test_helper_lanes(void)
{
    TsimFeedbackSceneSpec spec = {
        .width = 100, .height = 100, .camera = {0, 10, 0}, .pitch = 90, .field_of_view = 90};
    g_autoptr(TsimSceneSurface) small = tsim_scene_surface_plane(10, 1);
    g_autoptr(TsimSceneSurface) large = tsim_scene_surface_plane(1000, 1);
    g_autoptr(TsimFeedbackScene) scene = make_scene(spec, small);
    Counts counts = count_frame(scene, 0);

    g_assert_cmpuint(counts.active, ==, 2500);
    g_assert_cmpuint(counts.lanes, >, 2500);
    g_assert_cmpuint(counts.writes, ==, 0); /* write_fraction is 0 */

    spec.width = 51;
    spec.height = 33;

    g_autoptr(TsimFeedbackScene) odd = make_scene(spec, large);

    g_assert_cmpuint(count_frame(odd, 0).active, ==, 51 * 33);
}

/* Level view over an endless plane: exactly the lower half sees it. */
static void test_horizon(void)
{
    const TsimFeedbackSceneSpec spec = {
        .width = 64, .height = 64, .write_fraction = 1.0, .camera = {0, 1, 0}, .field_of_view = 60};
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(1e6, 1000);
    g_autoptr(TsimFeedbackScene) scene = make_scene(spec, plane);

    g_assert_cmpuint(count_frame(scene, 0).active, ==, 32 * 64);
}

static void test_write_fraction(void)
{
    TsimFeedbackSceneSpec spec = {.width = 200,
                                  .height = 200,
                                  .write_fraction = 0.01,
                                  .camera = {0, 10, 0},
                                  .pitch = 90,
                                  .field_of_view = 60};
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(1000, 1);
    g_autoptr(TsimFeedbackScene) scene = make_scene(spec, plane);
    const Counts first = count_frame(scene, 0);
    const Counts second = count_frame(scene, 1);

    /* 400 expected, standard deviation 20. */
    g_assert_cmpuint(first.writes, >, 300);
    g_assert_cmpuint(first.writes, <, 500);
    g_assert_cmpuint(second.writes, !=, 0);
    g_assert_cmpuint(count_frame(scene, 0).writes, ==, first.writes);
}

/* A cube of side 2 from the front, 11 units from its near face: a wall of 2 * 50 / 10 = 10 pixels
 * hides the rest when focal = 50 and the face is 10 away. */
static void test_cube(void)
{
    static const float positions[24] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0,
                                        0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2};
    static const uint32_t indices[36] = {0, 1, 2, 2, 1, 3, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                         2, 3, 6, 6, 3, 7, 0, 2, 4, 4, 2, 6, 1, 5, 3, 3, 5, 7};
    const TsimFeedbackSceneSpec spec = {.width = 100,
                                        .height = 100,
                                        .write_fraction = 1.0,
                                        .camera = {0, 0, -11},
                                        .field_of_view = 90};
    g_autoptr(TsimSceneSurface) cube = tsim_scene_surface_mesh(positions, 8, indices, 12, 2, 1);
    g_autoptr(TsimFeedbackScene) scene = make_scene(spec, cube);
    const Counts counts = count_frame(scene, 0);

    g_assert_cmpuint(counts.active, ==, 100);
    /* The face is projected along Z: one texture over 10 pixels. */
    g_assert_cmpfloat_with_epsilon(counts.first.ddx[0], 0.1, 1e-9);
    g_assert_cmpfloat_with_epsilon(fabs(counts.first.ddy[1]), 0.1, 1e-9);
}

static void test_refused(void)
{
    TsimFeedbackSceneSpec spec = {.width = 0, .height = 10, .field_of_view = 60};
    TsimSceneSurface nothing = {0};
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(1, 1);
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_feedback_scene_new(&spec, plane, 1, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_clear_error(&error);
    spec.width = 10;
    g_assert_null(tsim_feedback_scene_new(&spec, &nothing, 1, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback-scene/straight-down", test_straight_down);
    g_test_add_func("/feedback-scene/helper-lanes", test_helper_lanes);
    g_test_add_func("/feedback-scene/horizon", test_horizon);
    g_test_add_func("/feedback-scene/write-fraction", test_write_fraction);
    g_test_add_func("/feedback-scene/cube", test_cube);
    g_test_add_func("/feedback-scene/refused", test_refused);
    return g_test_run();
}
