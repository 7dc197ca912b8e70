/* Speed of the functional feedback operation on one core: prints million operations a second for a
 * few kinds of sampling, each through wave merging into a map. Not a test: figures only. */
#include "base/hash.h"
#include "hw/feedback-merge.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define WAVES     20000u
#define TILE_SIDE 8u

typedef struct {
    const char *name;
    TsimFeedbackKind kind;
    TsimFootprint footprint;
    gboolean anisotropic;
    TsimFilter within;
    gboolean scattered; /* lanes of a wave all over the texture */
} Setting;

static const Setting settings[] = {
    {"minmip, point, coherent", TSIM_FEEDBACK_MINMIP, TSIM_FOOTPRINT_FEEDBACK, FALSE,
     TSIM_FILTER_POINT, FALSE},
    {"minmip, trilinear, coherent", TSIM_FEEDBACK_MINMIP, TSIM_FOOTPRINT_FEEDBACK, FALSE,
     TSIM_FILTER_LINEAR, FALSE},
    {"minmip, trilinear, scattered", TSIM_FEEDBACK_MINMIP, TSIM_FOOTPRINT_FEEDBACK, FALSE,
     TSIM_FILTER_LINEAR, TRUE},
    {"minmip, trilinear, texture footprint", TSIM_FEEDBACK_MINMIP, TSIM_FOOTPRINT_TEXTURE, FALSE,
     TSIM_FILTER_LINEAR, FALSE},
    {"region used, trilinear, coherent", TSIM_FEEDBACK_MIP_REGION_USED, TSIM_FOOTPRINT_FEEDBACK,
     FALSE, TSIM_FILTER_LINEAR, FALSE},
    {"minmip, anisotropic 4, coherent", TSIM_FEEDBACK_MINMIP, TSIM_FOOTPRINT_FEEDBACK, TRUE,
     TSIM_FILTER_LINEAR, FALSE},
};

static double unit(uint64_t stream, uint64_t index)
{
    return (double)(tsim_hash3(1, stream, index) >> 11) * 0x1p-53;
}

static void fill_wave(const Setting *setting, uint64_t wave,
                      TsimSampleLane lanes[TSIM_FEEDBACK_WAVE_LANES])
{
    const double step = exp2(-14.0 + 6.0 * unit(0, wave));

    for (uint32_t i = 0; i < TSIM_FEEDBACK_WAVE_LANES; i++) {
        const uint64_t place = setting->scattered ? wave * TSIM_FEEDBACK_WAVE_LANES + i : wave;

        lanes[i] = (TsimSampleLane){
            .uvw = {unit(1, place) + step * (i % TILE_SIDE),
                    unit(2, place) + step * (i / TILE_SIDE), 0.0},
            .ddx = {step, 0.0, 0.0},
            .ddy = {0.0, setting->anisotropic ? step / 4.0 : step, 0.0},
        };
    }
}

/* Processor time: other work on the machine does not count. */
static int64_t now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static TsimFeedbackSetup make_setup(const Setting *setting)
{
    const TsimTexture texture = {TSIM_TEXTURE_2D, 16384, 16384, 1, 1, 15, 1};
    const TsimSampler sampler = {
        .min = setting->within,
        .mag = setting->within,
        .mip = setting->within,
        .anisotropic = setting->anisotropic,
        .max_aniso = 16,
        .max_lod = 15.0,
    };
    const TsimSampleInstruction instruction = {.kind = TSIM_SAMPLE_GRAD};
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackSetup setup;

    tsim_feedback_descriptor_init(&descriptor, &texture, setting->kind, 256, 256, NULL);
    tsim_feedback_setup_init(&setup, &descriptor, &sampler, &instruction, setting->footprint, NULL);
    return setup;
}

static void run(const Setting *setting)
{
    const TsimFeedbackSetup setup = make_setup(setting);
    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&setup.descriptor, NULL);
    const TsimFeedbackMergeRule rule = {TSIM_FEEDBACK_WINDOW_QUAD, TSIM_FEEDBACK_WINDOW_WAVE};
    g_autoptr(TsimFeedbackMerger) merger = tsim_feedback_merger_new(&setup, map, rule, NULL);
    TsimSampleLane lanes[TSIM_FEEDBACK_WAVE_LANES];
    TsimFeedbackWave wave;
    uint64_t merged = 0;
    uint64_t lane_writes = 0;
    int64_t busy_ns = 0;

    for (uint64_t i = 0; i < WAVES; i++) {
        fill_wave(setting, i, lanes);

        const int64_t start_ns = now_ns();

        tsim_feedback_merge_wave(merger, lanes, TSIM_FEEDBACK_WAVE_LANES, UINT64_MAX, &wave);
        busy_ns += now_ns() - start_ns;
        merged += wave.merged_writes;
        lane_writes += wave.lane_writes;
    }
    printf("%-40s %7.2f M operations/s   merge ratio %5.2f\n", setting->name,
           1e3 * WAVES * TSIM_FEEDBACK_WAVE_LANES / (double)busy_ns,
           (double)lane_writes / (double)merged);
}

int main(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++) {
        run(&settings[i]);
    }
    return 0;
}
