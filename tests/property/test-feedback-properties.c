/* The order of lanes and of waves, and the size of the merge window, never change a feedback map
 * (S2, S3, S4). Bounds on writes and requests hold on the way. */
#include "hw/feedback-merge.h"

#include <math.h>
#include <string.h>

#define ROUNDS 1000
#define WAVES  6
#define LANES  (WAVES * TSIM_FEEDBACK_WAVE_LANES)

static double unit(void)
{
    return g_test_rand_double();
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)g_test_rand_int_range(0, (gint32)n);
}

static TsimFeedbackSetup random_setup(void)
{
    static const TsimTexture textures[] = {
        {TSIM_TEXTURE_1D, 4096, 1, 1, 1, 13, 1},  {TSIM_TEXTURE_2D, 1024, 512, 1, 1, 11, 1},
        {TSIM_TEXTURE_2D, 1000, 130, 1, 1, 4, 1}, {TSIM_TEXTURE_2D_ARRAY, 512, 512, 1, 5, 10, 1},
        {TSIM_TEXTURE_3D, 256, 128, 64, 1, 9, 1},
    };
    const TsimTexture *texture = &textures[below(G_N_ELEMENTS(textures))];
    const TsimSampler sampler = {
        .min = below(2),
        .mag = below(2),
        .mip = below(2),
        .anisotropic = g_test_rand_bit(),
        .max_aniso = 1u << below(5),
        .address = {below(5), below(5), below(5)},
        .mip_bias = unit() * 2.0 - 1.0,
        .max_lod = 15.0,
    };
    const TsimSampleInstruction instruction = {.kind = below(4)};
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackSetup setup;
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_feedback_descriptor_init(&descriptor, texture, below(2), 4u << below(5),
                                                4u << below(4), &error));
    g_assert_no_error(error);
    g_assert_true(
        tsim_feedback_setup_init(&setup, &descriptor, &sampler, &instruction, below(2), &error));
    g_assert_no_error(error);
    return setup;
}

static void random_lanes(TsimSampleLane lanes[LANES])
{
    const double step = exp2(-12.0 + 8.0 * unit());

    for (uint32_t i = 0; i < LANES; i++) {
        lanes[i] = (TsimSampleLane){
            .uvw = {unit() * 3.0 - 1.0, unit() * 3.0 - 1.0, unit() * 6.0 - 1.0},
            .ddx = {step * unit(), step * unit(), step * unit()},
            .ddy = {step * unit(), step * unit(), step * unit()},
            .lod = unit() * 6.0,
            .lod_clamp = unit() * 2.0,
        };
    }
}

static void shuffle(TsimSampleLane lanes[LANES])
{
    for (uint32_t i = LANES - 1; i > 0; i--) {
        const uint32_t other = below(i + 1);
        const TsimSampleLane kept = lanes[i];

        lanes[i] = lanes[other];
        lanes[other] = kept;
    }
}

static void assert_bounds(const TsimFeedbackWave *wave)
{
    uint32_t bytes = 0;

    g_assert_cmpuint(wave->merged_writes, <=, wave->lane_writes);
    g_assert_cmpuint(wave->request_count, <=, wave->merged_writes);
    g_assert_cmpuint(wave->changed_writes, <=, wave->merged_writes);
    g_assert_cmpuint(wave->lane_writes, <=, 8 * wave->lane_samples);
    g_assert_cmpuint(wave->quad_samples, <=, wave->lane_samples);
    for (uint32_t i = 0; i < wave->request_count; i++) {
        g_assert_cmpuint(wave->requests[i].segment_offset_bytes % TSIM_FEEDBACK_SEGMENT_BYTES, ==,
                         0);
        bytes += wave->requests[i].bytes;
    }
    g_assert_cmpuint(bytes, ==, wave->merged_writes);
}

static TsimFeedbackMap *run(const TsimFeedbackSetup *setup, const TsimSampleLane lanes[LANES],
                            TsimFeedbackMergeRule rule)
{
    TsimFeedbackMap *map = tsim_feedback_map_new(&setup->descriptor, NULL);
    g_autoptr(TsimFeedbackMerger) merger = tsim_feedback_merger_new(setup, map, rule, NULL);
    TsimFeedbackWave wave;

    for (uint32_t i = 0; i < WAVES; i++) {
        tsim_feedback_merge_wave(merger, &lanes[i * TSIM_FEEDBACK_WAVE_LANES],
                                 TSIM_FEEDBACK_WAVE_LANES, UINT64_MAX, &wave);
        assert_bounds(&wave);
    }
    return map;
}

static void test_order(void)
{
    TsimSampleLane lanes[LANES];

    for (uint32_t round = 0; round < ROUNDS; round++) {
        const TsimFeedbackSetup setup = random_setup();
        const TsimFeedbackMergeRule first_rule = {below(3), below(3)};
        const TsimFeedbackMergeRule second_rule = {below(3), below(3)};

        random_lanes(lanes);

        g_autoptr(TsimFeedbackMap) first = run(&setup, lanes, first_rule);

        shuffle(lanes);

        g_autoptr(TsimFeedbackMap) second = run(&setup, lanes, second_rule);

        g_assert_cmpuint(first->size_bytes, ==, second->size_bytes);
        g_assert_true(memcmp(first->bytes, second->bytes, first->size_bytes) == 0);
    }
}

/* A texture footprint with linear filtering is a subset of the feedback footprint when sizes are
 * powers of two and the mips read are no smaller than the map. */
static void test_subset(void)
{
    const TsimTexture texture = {TSIM_TEXTURE_2D, 1024, 1024, 1, 1, 11, 1};
    const TsimSampler sampler = {.min = TSIM_FILTER_LINEAR,
                                 .mag = TSIM_FILTER_LINEAR,
                                 .mip = TSIM_FILTER_LINEAR,
                                 .max_aniso = 1,
                                 .max_lod = 4.0};
    const TsimSampleInstruction instruction = {.kind = TSIM_SAMPLE_LEVEL};
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackSetup on_map;
    TsimFeedbackSetup on_texture;

    g_assert_true(
        tsim_feedback_descriptor_init(&descriptor, &texture, TSIM_FEEDBACK_MINMIP, 64, 64, NULL));
    g_assert_true(tsim_feedback_setup_init(&on_map, &descriptor, &sampler, &instruction,
                                           TSIM_FOOTPRINT_FEEDBACK, NULL));
    g_assert_true(tsim_feedback_setup_init(&on_texture, &descriptor, &sampler, &instruction,
                                           TSIM_FOOTPRINT_TEXTURE, NULL));
    for (uint32_t i = 0; i < 20000; i++) {
        const TsimSampleLane lane = {.uvw = {unit(), unit(), 0}, .lod = unit() * 4.0};
        TsimFeedbackWrites wide;
        TsimFeedbackWrites ideal;

        tsim_feedback_sample(&on_map, &lane, &wide);
        tsim_feedback_sample(&on_texture, &lane, &ideal);
        for (uint32_t k = 0; k < ideal.texel_count; k++) {
            gboolean found = FALSE;

            for (uint32_t w = 0; w < wide.texel_count; w++) {
                found |= tsim_feedback_texel_key(wide.texels[w]) ==
                         tsim_feedback_texel_key(ideal.texels[k]);
            }
            g_assert_true(found);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback/lanes-waves-windows", test_order);
    g_test_add_func("/feedback/texture-is-a-subset", test_subset);
    return g_test_run();
}
