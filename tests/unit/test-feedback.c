/* Sampler feedback by hand: descriptors and restrictions (S1, S5, S6), bytes (S2, S3), addresses,
 * odd numbers, merging (S4). The golden cases stand in test-feedback-cases.c. */
#include "base/error.h"
#include "hw/feedback-codec.h"
#include "hw/feedback-merge.h"

#include <math.h>
#include <string.h>

static const TsimTexture texture_2d = {TSIM_TEXTURE_2D, 1024, 512, 1, 1, 11, 1};

static const double not_a_number = (double)NAN;

static const TsimSampler point_sampler = {.max_aniso = 1, .max_lod = 15.0};

static TsimFeedbackDescriptor make_descriptor(TsimTexture texture, TsimFeedbackKind kind,
                                              uint32_t region_width, uint32_t region_height)
{
    TsimFeedbackDescriptor descriptor;
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_feedback_descriptor_init(&descriptor, &texture, kind, region_width,
                                                region_height, &error));
    g_assert_no_error(error);
    return descriptor;
}

static TsimFeedbackSetup make_setup(TsimFeedbackKind kind, TsimSampler sampler,
                                    TsimSampleKind instruction)
{
    const TsimFeedbackDescriptor descriptor = make_descriptor(texture_2d, kind, 64, 64);
    const TsimSampleInstruction plain = {.kind = instruction};
    TsimFeedbackSetup setup;
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_feedback_setup_init(&setup, &descriptor, &sampler, &plain,
                                           TSIM_FOOTPRINT_FEEDBACK, &error));
    g_assert_no_error(error);
    return setup;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

static void test_descriptor(void)
{
    const TsimTexture volume = {TSIM_TEXTURE_3D, 256, 128, 64, 1, 9, 1};
    const TsimTexture array = {TSIM_TEXTURE_2D_ARRAY, 100, 60, 1, 7, 3, 1};
    TsimFeedbackDescriptor descriptor = make_descriptor(volume, TSIM_FEEDBACK_MINMIP, 8, 16);
    TsimExtent extent = tsim_feedback_level_extent(&descriptor, 0);

    g_assert_cmpuint(descriptor.fraction_u_log2, ==, 3);
    g_assert_cmpuint(descriptor.fraction_vw_log2, ==, 4);
    g_assert_cmpuint(descriptor.levels, ==, 1);
    g_assert_cmpuint(extent.width, ==, 32);
    g_assert_cmpuint(extent.height, ==, 8);
    g_assert_cmpuint(extent.depth, ==, 4);

    /* Rounded down, and an array keeps its slices at every level. */
    descriptor = make_descriptor(array, TSIM_FEEDBACK_MIP_REGION_USED, 8, 4);
    extent = tsim_feedback_level_extent(&descriptor, 2);
    g_assert_cmpuint(descriptor.levels, ==, 3);
    g_assert_cmpuint(extent.width, ==, 3);  /* 100 >> 5 */
    g_assert_cmpuint(extent.height, ==, 3); /* 60 >> 4 */
    g_assert_cmpuint(tsim_feedback_level_layers(&descriptor, 2), ==, 7);
}

static void assert_texture_refused(TsimTexture texture, const char *words)
{
    TsimFeedbackDescriptor descriptor;
    g_autoptr(GError) error = NULL;

    g_assert_false(
        tsim_feedback_descriptor_init(&descriptor, &texture, TSIM_FEEDBACK_MINMIP, 16, 16, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, words));
}

static void test_texture_refused(void)
{
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 0, 64, 1, 1, 1, 1}, "width 0");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 0, 1, 1, 1, 1}, "height 0");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_3D, 64, 64, 0, 1, 1, 1}, "depth 0");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D_ARRAY, 64, 64, 1, 0, 1, 1}, "slices 0");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 16385, 64, 1, 1, 1, 1}, "width 16385");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_1D, 64, 2, 1, 1, 1, 1}, "height 2");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 64, 2, 1, 1, 1}, "depth 2");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 64, 1, 2, 1, 1}, "slices 2");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 64, 1, 1, 0, 1}, "mips 0");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 64, 1, 1, 8, 1}, "mips 8");
    assert_texture_refused((TsimTexture){TSIM_TEXTURE_2D, 64, 64, 1, 1, 1, 4}, "MSAA");
}

static void assert_region_refused(TsimTexture texture, uint32_t width, uint32_t height)
{
    g_autoptr(GError) error = NULL;

    g_assert_false(tsim_feedback_region_check(&texture, width, height, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, "region"));
}

static void test_region(void)
{
    const TsimTexture odd = {TSIM_TEXTURE_2D, 9, 11, 1, 1, 1, 1};
    const TsimTexture line = {TSIM_TEXTURE_1D, 64, 1, 1, 1, 1, 1};
    const TsimTexture thin = {TSIM_TEXTURE_3D, 64, 64, 16, 1, 1, 1};

    /* Measured on hardware: a 9x11 texture takes 4x4, not 8x8, not 5x5. */
    g_assert_true(tsim_feedback_region_check(&odd, 4, 4, NULL));
    assert_region_refused(odd, 8, 8);
    assert_region_refused(odd, 5, 5);
    assert_region_refused(odd, 0, 4);
    assert_region_refused(odd, 4, 2);
    assert_region_refused(odd, 1u << 31, 4);
    g_assert_true(tsim_feedback_region_check(&texture_2d, 512, 256, NULL));
    assert_region_refused(texture_2d, 1024, 256);
    g_assert_true(tsim_feedback_region_check(&line, 32, 0, NULL));
    assert_region_refused(line, 64, 0);
    g_assert_true(tsim_feedback_region_check(&thin, 8, 8, NULL));
    assert_region_refused(thin, 8, 16);
}

static void assert_setup_refused(TsimSampler sampler, TsimSampleInstruction instruction,
                                 const char *words)
{
    const TsimFeedbackDescriptor descriptor =
        make_descriptor(texture_2d, TSIM_FEEDBACK_MINMIP, 64, 64);
    TsimFeedbackSetup setup;
    g_autoptr(GError) error = NULL;

    g_assert_false(tsim_feedback_setup_init(&setup, &descriptor, &sampler, &instruction,
                                            TSIM_FOOTPRINT_FEEDBACK, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, words));
}

/* S6, but for MSAA, which the texture refuses. */
static void test_restrictions(void)
{
    const TsimSampleInstruction plain = {.kind = TSIM_SAMPLE_LEVEL};
    TsimSampler sampler = point_sampler;

    assert_setup_refused(sampler, (TsimSampleInstruction){.gather = TRUE}, "gather");
    assert_setup_refused(sampler, (TsimSampleInstruction){.texel_offset = {0, -1, 0}},
                         "(0, -1, 0)");
    sampler.unnormalised = TRUE;
    assert_setup_refused(sampler, plain, "unnormalised");
    sampler = point_sampler;
    sampler.max_aniso = 0;
    assert_setup_refused(sampler, plain, "max_aniso 0");
    sampler.max_aniso = 17;
    assert_setup_refused(sampler, plain, "max_aniso 17");
    sampler = point_sampler;
    sampler.min_lod = 16.0;
    assert_setup_refused(sampler, plain, "min_lod 16");
    sampler.min_lod = not_a_number;
    assert_setup_refused(sampler, plain, "min_lod nan");
    sampler = point_sampler;
    sampler.mip_bias = not_a_number;
    assert_setup_refused(sampler, plain, "mip_bias nan");
}

static void test_wrong_map(void)
{
    const TsimFeedbackDescriptor descriptor =
        make_descriptor(texture_2d, TSIM_FEEDBACK_MINMIP, 64, 64);
    TsimTexture other = texture_2d;
    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&descriptor, NULL);
    g_autoptr(GError) error = NULL;
    TsimFeedbackDescriptor wrong;

    g_assert_true(tsim_feedback_map_check(map, &descriptor, &error));
    g_assert_no_error(error);
    other.width = 2048;
    wrong = make_descriptor(other, TSIM_FEEDBACK_MINMIP, 128, 64); /* the same size of map */
    g_assert_false(tsim_feedback_map_check(map, &wrong, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, "1024 x 512"));
    g_assert_nonnull(strstr(error->message, "2048 x 512"));
    wrong = make_descriptor(texture_2d, TSIM_FEEDBACK_MIP_REGION_USED, 64, 64);
    g_assert_false(tsim_feedback_map_check(map, &wrong, NULL));
    wrong = make_descriptor(texture_2d, TSIM_FEEDBACK_MINMIP, 64, 32);
    g_assert_false(tsim_feedback_map_check(map, &wrong, NULL));

    /* An instruction cannot be bound to it either. */
    const TsimFeedbackSetup used =
        make_setup(TSIM_FEEDBACK_MIP_REGION_USED, point_sampler, TSIM_SAMPLE_LEVEL);
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_QUAD, TSIM_FEEDBACK_WINDOW_WAVE};

    g_clear_error(&error);
    g_assert_null(tsim_feedback_merger_new(&used, map, rule, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
}

static void test_map_too_large(void)
{
    const TsimTexture huge = {TSIM_TEXTURE_2D_ARRAY, 16384, 16384, 1, 2048, 1, 1};
    const TsimFeedbackDescriptor descriptor = make_descriptor(huge, TSIM_FEEDBACK_MINMIP, 4, 4);
    g_autoptr(GError) error = NULL;

    /* 4096 x 4096 x 2048 = 2^35 bytes. */
    g_assert_null(tsim_feedback_map_new(&descriptor, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT);
}

/* ---- bytes and addresses --------------------------------------------------------------------- */

static void test_codec(void)
{
    g_assert_cmpuint(tsim_feedback_lod_to_byte(-1.0), ==, 0);
    g_assert_cmpuint(tsim_feedback_lod_to_byte(not_a_number), ==, 0);
    g_assert_cmpuint(tsim_feedback_lod_to_byte(31.875), ==, 255);
    g_assert_cmpuint(tsim_feedback_lod_to_byte(HUGE_VAL), ==, 255);
    g_assert_cmpfloat(tsim_feedback_byte_to_lod(255), ==, 31.875); /* S2 */
    for (uint32_t level = 0; level < 31; level++) {
        g_assert_cmpuint(tsim_feedback_decode_level(tsim_feedback_encode_level(level)), ==, level);
    }
    g_assert_cmpuint(tsim_feedback_decode_level(tsim_feedback_encode_level(32)), ==, 255);
}

/* SW_256B_S: bits 0-3 are x, 4-7 are y, then blocks row by row. */
static void test_addresses(void)
{
    const TsimTexture array = {TSIM_TEXTURE_2D_ARRAY, 160, 80, 1, 2, 2, 1};
    const TsimFeedbackDescriptor descriptor =
        make_descriptor(array, TSIM_FEEDBACK_MIP_REGION_USED, 4, 4);
    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&descriptor, NULL);

    /* Level 0: 40 x 20 texels = 3 x 2 blocks; level 1: 20 x 10 = 2 x 1 blocks; two slices. */
    g_assert_cmpuint(map->size_bytes, ==, 2 * 6 * 256 + 2 * 2 * 256);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){1, 0, 0, 0}), ==, 1);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){0, 1, 0, 0}), ==, 16);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){16, 0, 0, 0}), ==, 256);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){0, 16, 0, 0}), ==, 768);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){0, 0, 1, 0}), ==, 1536);
    g_assert_cmpuint(tsim_feedback_map_offset(map, (TsimFeedbackTexel){17, 9, 1, 1}), ==,
                     3072 + 512 + 256 + 9 * 16 + 1);
}

static void test_resolve(void)
{
    const TsimTexture small = {TSIM_TEXTURE_2D, 16, 16, 1, 1, 5, 1};
    const TsimFeedbackDescriptor minmip = make_descriptor(small, TSIM_FEEDBACK_MINMIP, 8, 8);
    const TsimFeedbackDescriptor used = make_descriptor(small, TSIM_FEEDBACK_MIP_REGION_USED, 8, 8);
    g_autoptr(TsimFeedbackMap) minmip_map = tsim_feedback_map_new(&minmip, NULL);
    g_autoptr(TsimFeedbackMap) used_map = tsim_feedback_map_new(&used, NULL);
    const uint8_t levels[4] = {0, 3, 32, 255};
    uint8_t decoded[4];

    tsim_feedback_map_decode(minmip_map, 0, 0, decoded); /* cleared: no level anywhere */
    g_assert_true(memcmp(decoded, "\xff\xff\xff\xff", 4) == 0);
    tsim_feedback_map_encode(minmip_map, 0, 0, levels);
    g_assert_cmpuint(tsim_feedback_map_get(minmip_map, (TsimFeedbackTexel){1, 0, 0, 0}), ==, 24);
    tsim_feedback_map_decode(minmip_map, 0, 0, decoded);
    g_assert_true(memcmp(decoded, "\x00\x03\xff\xff", 4) == 0);

    tsim_feedback_map_decode(used_map, 0, 0, decoded);
    g_assert_true(memcmp(decoded, "\0\0\0\0", 4) == 0);
    tsim_feedback_map_encode(used_map, 0, 0, levels);
    tsim_feedback_map_decode(used_map, 0, 0, decoded);
    g_assert_true(memcmp(decoded, "\x00\xff\xff\xff", 4) == 0);
}

/* ---- odd numbers ----------------------------------------------------------------------------- */

static TsimFeedbackWrites sample(const TsimFeedbackSetup *setup, TsimSampleLane lane)
{
    TsimFeedbackWrites writes;

    tsim_feedback_sample(setup, &lane, &writes);
    return writes;
}

/* The 1024 x 512 texture with regions of 64 x 64 has a map of 16 x 8. */
static void test_odd_coordinates(void)
{
    const TsimFeedbackSetup wrap =
        make_setup(TSIM_FEEDBACK_MINMIP, point_sampler, TSIM_SAMPLE_LEVEL);
    TsimSampler sampler = point_sampler;
    TsimFeedbackWrites writes = sample(&wrap, (TsimSampleLane){.uvw = {not_a_number, HUGE_VAL, 0}});

    g_assert_cmpuint(writes.texel_count, ==, 1);
    g_assert_cmpuint(writes.texels[0].x, ==, 0);
    g_assert_cmpuint(writes.texels[0].y, ==, 0);
    writes = sample(&wrap, (TsimSampleLane){.uvw = {-1e-300, 1e300, 0}});
    g_assert_cmpuint(writes.texel_count, ==, 1);
    g_assert_cmpuint(writes.texels[0].x, ==, 0); /* rounds to 1, which wraps to 0 */

    sampler.address[0] = TSIM_ADDRESS_CLAMP;
    sampler.address[1] = TSIM_ADDRESS_MIRROR;

    const TsimFeedbackSetup clamp = make_setup(TSIM_FEEDBACK_MINMIP, sampler, TSIM_SAMPLE_LEVEL);

    writes = sample(&clamp, (TsimSampleLane){.uvw = {HUGE_VAL, -HUGE_VAL, 0}});
    g_assert_cmpuint(writes.texels[0].x, ==, 15);
    g_assert_cmpuint(writes.texels[0].y, ==, 0);

    sampler.address[0] = TSIM_ADDRESS_BORDER;

    const TsimFeedbackSetup border = make_setup(TSIM_FEEDBACK_MINMIP, sampler, TSIM_SAMPLE_LEVEL);

    writes = sample(&border, (TsimSampleLane){.uvw = {-HUGE_VAL, 0, 0}});
    g_assert_cmpuint(writes.texel_count, ==, 0);
}

/* NaN and infinite gradients end at max_lod, as the min and max of Direct3D have it. */
static void test_odd_gradients(void)
{
    const double odd[] = {not_a_number, HUGE_VAL, -HUGE_VAL, 1e200};
    TsimSampler sampler = point_sampler;

    sampler.max_lod = 6.5;
    sampler.max_aniso = 16;
    for (int anisotropic = 0; anisotropic < 2; anisotropic++) {
        sampler.anisotropic = anisotropic != 0;

        const TsimFeedbackSetup setup = make_setup(TSIM_FEEDBACK_MINMIP, sampler, TSIM_SAMPLE_GRAD);

        for (size_t i = 0; i < G_N_ELEMENTS(odd); i++) {
            const TsimSampleLane in_x = {.ddx = {odd[i], 0, 0}, .ddy = {0, 1e-3, 0}};
            const TsimSampleLane in_y = {.ddx = {1e-3, 0, 0}, .ddy = {0, odd[i], 0}};

            g_assert_cmpfloat(sample(&setup, in_x).lod, ==, 6.5);
            g_assert_cmpfloat(sample(&setup, in_y).lod, ==, 6.5);
            g_assert_cmpuint(sample(&setup, in_x).samples, <=, 16);
        }
        g_assert_cmpfloat(sample(&setup, (TsimSampleLane){0}).lod, ==, 0.0);
    }

    const TsimFeedbackSetup level = make_setup(TSIM_FEEDBACK_MINMIP, sampler, TSIM_SAMPLE_LEVEL);

    g_assert_cmpfloat(sample(&level, (TsimSampleLane){.lod = not_a_number}).lod, ==, 6.5);
    g_assert_cmpfloat(sample(&level, (TsimSampleLane){.lod = 2, .lod_clamp = not_a_number}).lod, ==,
                      2.0);
}

static void test_odd_slices(void)
{
    const TsimTexture array = {TSIM_TEXTURE_2D_ARRAY, 64, 64, 1, 4, 7, 1};
    const TsimFeedbackDescriptor descriptor = make_descriptor(array, TSIM_FEEDBACK_MINMIP, 16, 16);
    const TsimSampleInstruction plain = {.kind = TSIM_SAMPLE_LEVEL};
    const double slices[] = {not_a_number, -3.0, 0.5, 1.5, 2.5, 99.0, HUGE_VAL};
    const uint16_t layers[] = {0, 0, 0, 2, 2, 3, 3}; /* half to even, then clamped */
    TsimFeedbackSetup setup;

    g_assert_true(tsim_feedback_setup_init(&setup, &descriptor, &point_sampler, &plain,
                                           TSIM_FOOTPRINT_FEEDBACK, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(slices); i++) {
        const TsimFeedbackWrites writes =
            sample(&setup, (TsimSampleLane){.uvw = {0, 0, slices[i]}});

        g_assert_cmpuint(writes.texels[0].layer, ==, layers[i]);
    }
}

/* The most texels that an operation can touch: 16 taps, 2 mips, 4 texels each, all distinct: a bias
 * makes the mips too detailed for the line. */
static void test_most_texels(void)
{
    const TsimTexture large = {TSIM_TEXTURE_2D, 16384, 16384, 1, 1, 15, 1};
    const TsimFeedbackDescriptor descriptor =
        make_descriptor(large, TSIM_FEEDBACK_MIP_REGION_USED, 4, 4);
    const TsimSampleInstruction plain = {.kind = TSIM_SAMPLE_GRAD};
    const TsimSampler sampler = {
        .anisotropic = TRUE, .max_aniso = 16, .mip_bias = -8.0, .max_lod = 15.0};
    TsimFeedbackSetup setup;

    g_assert_true(tsim_feedback_setup_init(&setup, &descriptor, &sampler, &plain,
                                           TSIM_FOOTPRINT_FEEDBACK, NULL));

    const TsimFeedbackWrites writes =
        sample(&setup, (TsimSampleLane){.uvw = {0.5001, 0.5001, 0},
                                        .ddx = {0.3, 0.3, 0},
                                        .ddy = {-0.00003, 0.00003, 0}});

    g_assert_cmpuint(writes.samples, ==, 16);
    g_assert_cmpuint(writes.mip_count, ==, 2);
    g_assert_cmpuint(writes.texel_count, ==, 128);
}

/* ---- merging --------------------------------------------------------------------------------- */

typedef struct {
    TsimFeedbackWave wave;
    TsimFeedbackRequest requests[8];
    uint8_t corner; /* texel (0,0) */
} Merged;

/* Eight lanes: lanes 0-3 at texel (0,0), 4-5 at (0,0), 6 at (1,0), 7 at (0,4), one segment down. */
static Merged merge_eight(TsimFeedbackMergeRule rule, uint64_t writes)
{
    const TsimFeedbackSetup setup =
        make_setup(TSIM_FEEDBACK_MINMIP, point_sampler, TSIM_SAMPLE_LEVEL);
    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&setup.descriptor, NULL);
    g_autoptr(TsimFeedbackMerger) merger = tsim_feedback_merger_new(&setup, map, rule, NULL);
    TsimSampleLane lanes[8] = {0};
    Merged merged = {0};

    for (uint32_t i = 0; i < 8; i++) {
        lanes[i].lod = 7 - i;
    }
    lanes[6].uvw[0] = 1.0 / 16.0;
    lanes[7].uvw[1] = 4.0 / 8.0;
    tsim_feedback_merge_wave(merger, lanes, 8, writes, &merged.wave);
    for (uint32_t i = 0; i < merged.wave.request_count; i++) {
        merged.requests[i] = merged.wave.requests[i];
    }
    merged.corner = tsim_feedback_map_get(map, (TsimFeedbackTexel){0});
    return merged;
}

static void test_merge_lane(void)
{
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_LANE, TSIM_FEEDBACK_WINDOW_LANE};
    const Merged merged = merge_eight(rule, 0xff);

    g_assert_cmpuint(merged.wave.lane_writes, ==, 8);
    g_assert_cmpuint(merged.wave.merged_writes, ==, 8);
    g_assert_cmpuint(merged.wave.request_count, ==, 8);
    g_assert_cmpuint(merged.wave.changed_writes, ==, 8); /* each lane lowers what the last wrote */
    g_assert_cmpuint(merged.wave.lane_samples, ==, 8);
    g_assert_cmpuint(merged.wave.quad_samples, ==, 2);
    g_assert_cmpuint(merged.corner, ==, 2 * 8); /* lane 5 */
}

static void test_merge_quad(void)
{
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_QUAD, TSIM_FEEDBACK_WINDOW_WAVE};
    const Merged merged = merge_eight(rule, 0xff);

    g_assert_cmpuint(merged.wave.merged_writes, ==, 4); /* 1 in the first quad, 3 in the second */
    g_assert_cmpuint(merged.wave.request_count, ==, 2);
    g_assert_cmpuint(merged.requests[0].segment_offset_bytes, ==, 0);
    g_assert_cmpuint(merged.requests[0].bytes, ==, 3);
    g_assert_cmpuint(merged.requests[1].segment_offset_bytes, ==, 64);
    g_assert_cmpuint(merged.requests[1].bytes, ==, 1);
    g_assert_cmpuint(merged.corner, ==, 2 * 8);
}

static void test_merge_wave(void)
{
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_WAVE, TSIM_FEEDBACK_WINDOW_WAVE};
    const Merged merged = merge_eight(rule, 0xff);

    g_assert_cmpuint(merged.wave.merged_writes, ==, 3);
    g_assert_cmpuint(merged.wave.changed_writes, ==, 3);
    g_assert_cmpuint(merged.wave.request_count, ==, 2);
    g_assert_cmpuint(merged.corner, ==, 2 * 8);
}

/* Helper and inactive lanes write nothing. */
static void test_merge_masked(void)
{
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_WAVE, TSIM_FEEDBACK_WINDOW_WAVE};
    const Merged half = merge_eight(rule, 0x0f);
    const Merged none = merge_eight(rule, 0);

    g_assert_cmpuint(half.wave.lanes, ==, 4);
    g_assert_cmpuint(half.wave.merged_writes, ==, 1);
    g_assert_cmpuint(half.corner, ==, 4 * 8); /* lane 3 */
    g_assert_cmpuint(none.wave.lane_writes, ==, 0);
    g_assert_cmpuint(none.corner, ==, 255);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback/descriptor", test_descriptor);
    g_test_add_func("/feedback/texture-refused", test_texture_refused);
    g_test_add_func("/feedback/region", test_region);
    g_test_add_func("/feedback/restrictions", test_restrictions);
    g_test_add_func("/feedback/wrong-map", test_wrong_map);
    g_test_add_func("/feedback/map-too-large", test_map_too_large);
    g_test_add_func("/feedback/codec", test_codec);
    g_test_add_func("/feedback/addresses", test_addresses);
    g_test_add_func("/feedback/resolve", test_resolve);
    g_test_add_func("/feedback/odd-coordinates", test_odd_coordinates);
    g_test_add_func("/feedback/odd-gradients", test_odd_gradients);
    g_test_add_func("/feedback/odd-slices", test_odd_slices);
    g_test_add_func("/feedback/most-texels", test_most_texels);
    g_test_add_func("/feedback/merge-lane", test_merge_lane);
    g_test_add_func("/feedback/merge-quad", test_merge_quad);
    g_test_add_func("/feedback/merge-wave", test_merge_wave);
    g_test_add_func("/feedback/merge-masked", test_merge_masked);
    return g_test_run();
}
