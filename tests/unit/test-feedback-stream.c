/* The streaming loop: convergence, latency and budget by hand, leaks by filter (S7, S8). */
#include "base/error.h"
#include "hw/feedback-codec.h"
#include "workload/feedback-stream.h"

#include <string.h>

static TsimFeedbackStreamSpec default_spec(void)
{
    TsimFeedbackStreamSpec spec;

    tsim_feedback_stream_spec_init(&spec);
    spec.texture.width = 4096;
    spec.texture.height = 4096;
    return spec;
}

static TsimFeedbackSceneSpec default_view(void)
{
    TsimFeedbackSceneSpec spec = {.write_fraction = 1.0};

    tsim_fields_init(tsim_feedback_scene_fields, &spec);
    spec.width = 160;
    spec.height = 90;
    return spec;
}

static TsimFeedbackStream *make_stream(TsimFeedbackStreamSpec spec)
{
    g_autoptr(GError) error = NULL;
    TsimFeedbackStream *stream = tsim_feedback_stream_new(&spec, &error);

    g_assert_no_error(error);
    return stream;
}

/* From above with one texel a pixel: 100 pixels see 1/40.96 of a 4096 texture of side 100, in the
 * middle of its tile (4, 4) of 16 x 16 tiles of 256. */
static TsimFeedbackSceneSpec one_tile_view(void)
{
    return (TsimFeedbackSceneSpec){
        .width = 100,
        .height = 100,
        .write_fraction = 1.0,
        .camera = {(4.5 / 16.0 - 0.5) * 100, 50.0 * 100 / 4096, (4.5 / 16.0 - 0.5) * 100},
        .pitch = 90,
        .field_of_view = 90,
    };
}

/* Tiles 256 of mip 0, 16 x 16 of them, down to mip 4 with one tile; mip 5 is packed. */
static void test_one_tile(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 1);
    const TsimFeedbackSceneSpec view = one_tile_view();
    g_autoptr(TsimFeedbackScene) scene = tsim_feedback_scene_new(&view, plane, 1, NULL);
    TsimFeedbackStreamFrame frame;

    spec.latency_frames = 1;
    spec.loads_per_frame = 2;
    spec.footprint = TSIM_FOOTPRINT_TEXTURE;
    spec.filter.u = (TsimResidencyRamp){64.0, 0.0078125}; /* the view is 0.3 from the boundary */
    spec.filter.v = spec.filter.u;

    g_autoptr(TsimFeedbackStream) stream = make_stream(spec);

    g_assert_cmpuint(tsim_feedback_stream_packed_mip(stream), ==, 5);
    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_cmpuint(frame.pixels, ==, 10000);
    g_assert_cmpuint(frame.blurred_pixels, ==, 10000); /* all at mip 5 */
    g_assert_cmpuint(frame.leak_pixels, ==, 0);
    g_assert_cmpfloat_with_epsilon(frame.mean_missing_lod, 5.0, 1e-6);
    g_assert_cmpuint(frame.needed_bytes, ==, 5 * 65536); /* mips 0 to 4, one tile each */
    g_assert_cmpuint(frame.wanted_bytes, ==, 5 * 65536);
    g_assert_cmpfloat(frame.over_request_ratio, ==, 1.0);
    g_assert_cmpuint(frame.loads_started, ==, 2); /* mips 4 and 3 */
    g_assert_cmpuint(frame.resident_bytes, ==, 0);

    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_cmpfloat_with_epsilon(frame.mean_missing_lod, 5.0, 1e-6);
    g_assert_cmpuint(frame.loads_finished, ==, 2);
    g_assert_cmpuint(frame.loading_bytes, ==, 2 * 65536);

    tsim_feedback_stream_run_frame(stream, scene, 0, &frame); /* the last load starts here */
    g_assert_cmpfloat_with_epsilon(frame.mean_missing_lod, 3.0, 1e-6);
    g_assert_cmpuint(frame.loads_started, ==, 1);
    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_false(frame.sharp);
    g_assert_cmpuint(frame.resident_bytes, ==, 5 * 65536);
    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_true(frame.sharp);
    g_assert_cmpuint(frame.blurred_pixels, ==, 0);
    g_assert_cmpuint(tsim_feedback_stream_residency(stream).bytes[4 * 16 + 4], ==, 0);
}

/* The feedback footprint of the same view marks regions half a region around: none here but the
 * own one when the view stays within the middle, so move it to a corner of four tiles. */
static void test_over_request(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 1);
    TsimFeedbackSceneSpec view = one_tile_view();
    TsimFeedbackStreamFrame frame;

    /* Wholly inside tile (4, 4), left of its middle: bilinear on the map reaches tile (3, 4). */
    view.camera[0] = (4.25 / 16.0 - 0.5) * 100;
    view.camera[2] = (4.25 / 16.0 - 0.5) * 100;

    g_autoptr(TsimFeedbackScene) scene = tsim_feedback_scene_new(&view, plane, 1, NULL);
    g_autoptr(TsimFeedbackStream) stream = make_stream(spec);

    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_cmpuint(frame.needed_bytes, ==, 5 * 65536);
    /* Mip 0: tiles 3-4, four of them; mip 1: 1-2, four; mip 2: 0-1, four; mips 3 and 4: one. */
    g_assert_cmpuint(frame.wanted_bytes, ==, 14 * 65536);
    g_assert_cmpfloat(frame.over_request_ratio, ==, 14.0 / 5.0);
}

static void run(TsimFeedbackStreamSpec spec, uint32_t frames, uint32_t *ret_until_sharp,
                uint64_t *ret_leaks, TsimFeedbackStreamFrame *ret_last)
{
    const TsimFeedbackSceneSpec view = default_view();
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 1);
    g_autoptr(TsimFeedbackScene) scene = tsim_feedback_scene_new(&view, plane, 1, NULL);
    g_autoptr(TsimFeedbackStream) stream = make_stream(spec);

    *ret_leaks = 0;
    for (uint32_t i = 0; i < frames; i++) {
        tsim_feedback_stream_run_frame(stream, scene, i, ret_last);
        *ret_leaks += ret_last->leak_pixels;
        if (spec.budget_bytes > 0) {
            g_assert_cmpuint(ret_last->resident_bytes + ret_last->loading_bytes, <=,
                             spec.budget_bytes);
        }
    }
    *ret_until_sharp = tsim_feedback_stream_frames_until_sharp(stream);
}

static void test_converges(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    TsimFeedbackStreamFrame last;
    uint32_t soon;
    uint32_t late;
    uint64_t leaks;

    spec.loads_per_frame = 1000;
    spec.latency_frames = 1;
    run(spec, 10, &soon, &leaks, &last);
    g_assert_cmpuint(soon, ==, 2); /* one pass asks for all, the second finds it loading */
    spec.latency_frames = 6;
    run(spec, 10, &late, &leaks, &last);
    g_assert_cmpuint(late, ==, 7);
}

static void test_budget(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    TsimFeedbackStreamFrame last;
    uint32_t sharp;
    uint64_t leaks;

    spec.budget_bytes = 3 * 65536; /* less than one chain of five mips */
    run(spec, 20, &sharp, &leaks, &last);
    g_assert_cmpuint(sharp, ==, UINT32_MAX);
    g_assert_cmpuint(last.resident_bytes, >, 0);
}

/* Tiles that nothing wants go again, finest first, when the camera looks away. */
static void test_eviction(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 1);
    TsimFeedbackSceneSpec view = one_tile_view();
    TsimFeedbackStreamFrame frame;

    view.turn = 0;
    view.move[1] = 1e5; /* frame 1 is out of sight of any detail */
    spec.latency_frames = 0;
    spec.evict_after_frames = 1;

    g_autoptr(TsimFeedbackScene) scene = tsim_feedback_scene_new(&view, plane, 1, NULL);
    g_autoptr(TsimFeedbackStream) stream = make_stream(spec);

    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);
    g_assert_cmpuint(frame.resident_bytes, >=, 5 * 65536);
    tsim_feedback_stream_run_frame(stream, scene, 1, &frame);
    g_assert_cmpuint(frame.evictions, ==, 0);
    tsim_feedback_stream_run_frame(stream, scene, 1, &frame);
    g_assert_cmpuint(frame.evictions, >=, 5);
    g_assert_cmpuint(frame.resident_bytes, ==, 0);
}

/* MIN reduction and bilinear let samples reach tiles that are not there; MAX and the MinMip filter
 * with an offset that the leak report accepts do not. */
static void test_leaks(void)
{
    static const struct {
        TsimResidencyLookup lookup;
        gboolean leaks;
    } cases[] = {{TSIM_RESIDENCY_MIN, TRUE},
                 {TSIM_RESIDENCY_BILINEAR, TRUE},
                 {TSIM_RESIDENCY_MAX, FALSE},
                 {TSIM_RESIDENCY_MINMIP, FALSE}};

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        TsimFeedbackStreamSpec spec = default_spec();
        TsimFeedbackStreamFrame last;
        uint32_t sharp;
        uint64_t leaks;

        spec.loads_per_frame = 4;
        spec.filter.lookup = cases[i].lookup;
        spec.filter.u = (TsimResidencyRamp){4.0, 0.25};
        spec.filter.v = spec.filter.u;
        spec.sampler.address[0] = TSIM_ADDRESS_CLAMP;
        spec.sampler.address[1] = TSIM_ADDRESS_CLAMP;
        run(spec, 12, &sharp, &leaks, &last);
        g_assert_cmpint(leaks > 0, ==, cases[i].leaks);
    }
}

static void test_max_step(void)
{
    TsimFeedbackStreamSpec spec = default_spec();
    g_autoptr(TsimSceneSurface) plane = tsim_scene_surface_plane(100, 1);
    const TsimFeedbackSceneSpec view = one_tile_view();
    g_autoptr(TsimFeedbackScene) scene = tsim_feedback_scene_new(&view, plane, 1, NULL);
    TsimFeedbackStreamFrame frame;

    spec.max_step = 1;
    spec.latency_frames = 0;
    spec.footprint = TSIM_FOOTPRINT_TEXTURE;

    g_autoptr(TsimFeedbackStream) stream = make_stream(spec);

    tsim_feedback_stream_run_frame(stream, scene, 0, &frame);

    const TsimResidencyMap map = tsim_feedback_stream_residency(stream);

    /* Tile (4, 4) is there at mip 0, its neighbours at (3, 4) only from mip 2 (tiles 0-3 of mip 0):
     * 2 - 1. */
    g_assert_cmpuint(map.bytes[4 * 16 + 3], >=, 8);
    for (uint32_t i = 1; i < 16; i++) {
        const int step = map.bytes[4 * 16 + i] - map.bytes[4 * 16 + i - 1];

        g_assert_cmpint(ABS(step), <=, 8);
    }
    g_assert_cmpuint(map.bytes[4 * 16 + 4], >, 0);
}

static void assert_refused(TsimFeedbackStreamSpec spec, const char *words)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_feedback_stream_new(&spec, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, words));
}

static void test_refused(void)
{
    TsimFeedbackStreamSpec spec = default_spec();

    spec.texture.width = 4000;
    assert_refused(spec, "powers of two");
    spec = default_spec();
    spec.texture.width = 0;
    assert_refused(spec, "powers of two");
    spec = default_spec();
    spec.texture.width = 256;
    assert_refused(spec, "region width 256");
    spec = default_spec();
    spec.texture.mips = 3;
    assert_refused(spec, "smaller than a tile");
    spec = default_spec();
    spec.region_width = 3;
    assert_refused(spec, "region width 3");
    spec = default_spec();
    spec.filter.u.slope = 7;
    assert_refused(spec, "slope_u 7");
    spec = default_spec();
    spec.sampler.address[0] = TSIM_ADDRESS_BORDER;
    assert_refused(spec, "border");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback-stream/one-tile", test_one_tile);
    g_test_add_func("/feedback-stream/over-request", test_over_request);
    g_test_add_func("/feedback-stream/converges", test_converges);
    g_test_add_func("/feedback-stream/budget", test_budget);
    g_test_add_func("/feedback-stream/eviction", test_eviction);
    g_test_add_func("/feedback-stream/leaks", test_leaks);
    g_test_add_func("/feedback-stream/max-step", test_max_step);
    g_test_add_func("/feedback-stream/refused", test_refused);
    return g_test_run();
}
