#include "io/bottleneck.h"

#include "hw/stage.h"
#include "io/page.h"
#include "stats/figures.h"

/* Shares of the run from which something is called the bottleneck. A unit that is busy three
 * quarters of a run, ramps at both ends included, leaves little to gain elsewhere; a queue that
 * waits a quarter of it delays everything behind it. */
#define BUSY_SHARE      0.75
#define SATURATED_SHARE 0.95
#define WAIT_SHARE      0.25

/* Instances are uneven when the busiest does this many times the work of the mean. */
#define UNEVEN_RATIO 1.5

/* A second resource that is nearly as busy stands in the way as well. */
#define TIE_RATIO 0.97

typedef struct {
    const char *what;   /* goes on with "97.2% of the run" */
    const char *lever;  /* the only thing that helps once it is saturated, and the best before */
    const char *advice; /* a clause; NULL: worked out, or there is a lever */
    const char *rate;   /* GPU field behind it; NULL: none that matters */
} Words;

static const Words resource_words[TSIM_RESOURCES_COUNT] = {
    [TSIM_RESOURCE_VGT] = {"The VGT hands out patches as fast as it can", NULL,
                           "fewer patches with higher tess factors would pass sooner",
                           "patches_per_clk"},
    [TSIM_RESOURCE_LAUNCHER] = {"The launchers start waves as fast as they can", NULL,
                                "fewer, fuller waves would pass sooner", "waves_per_clk"},
    [TSIM_RESOURCE_TESSELLATOR] = {"The tessellators are busy",
                                   "lower tess factors or culled patches (factor 0)", NULL,
                                   "tess_prims_per_clk"},
    [TSIM_RESOURCE_SETUP] = {"Primitive set-up is busy",
                             "fewer primitives (lower tess factors, culled patches)", NULL,
                             "prims_per_clk"},
    [TSIM_RESOURCE_VALU] = {"The SIMDs issue vector instructions", NULL, NULL, "valu_issue_clks"},
    [TSIM_RESOURCE_LDS_PIPE] = {"LDS bandwidth is in use", NULL,
                                "fewer bytes of LDS read and written would pass sooner",
                                "lds_bytes_per_clk"},
    [TSIM_RESOURCE_TEXTURE] = {"The texture units are busy", NULL, NULL, "sample_lanes_per_clk"},
    [TSIM_RESOURCE_EXPORT_PATH] = {"The export paths are busy", NULL,
                                   "export fewer attributes, or fewer vertices and pixels",
                                   "export_lanes_per_clk"},
    [TSIM_RESOURCE_L1] = {"L1 bandwidth is in use", NULL, NULL, "l1_bytes_per_clk"},
    [TSIM_RESOURCE_L2] = {"L2 bandwidth is in use", NULL, NULL, "l2_bytes_per_clk"},
    [TSIM_RESOURCE_DRAM] = {"DRAM bandwidth is in use", NULL, NULL, "dram_bytes_per_clk"},
};

/* What more there is to say where patches are tessellated. */
static const char *const tess_hints[TSIM_RESOURCES_COUNT] = {
    [TSIM_RESOURCE_LAUNCHER] = ": more patches a threadgroup, or fewer patches of higher factors",
    [TSIM_RESOURCE_LDS_PIPE] = ": fewer slots a control point (output_vec4)",
    [TSIM_RESOURCE_EXPORT_PATH] = ": lower the tess factors",
};

/* For threadgroups of patches, and for all other waves; one text where both are alike. */
typedef struct {
    const char *tess, *other;
} StallAdvice;

#define SAME(text)                                                                                 \
    {                                                                                              \
        text, text                                                                                 \
    }

static const StallAdvice stall_advice[TSIM_STALLS_COUNT] = {
    [TSIM_STALL_RATE] = SAME("fewer, fuller waves would pass sooner"),
    [TSIM_STALL_RING] = SAME("a larger ring (tf_ring_bytes_per_se) or a shorter way to the "
                             "tessellator would let more threadgroups in"),
    [TSIM_STALL_OFFCHIP_BUFFER] = SAME("more buffers (offchip_buffers), or more patches a "
                                       "threadgroup, would keep more patches in flight"),
    [TSIM_STALL_EXPORT] = SAME("shorter shaders, or more export space (export_waves_per_se), "
                               "would let more of them in"),
    [TSIM_STALL_LDS] = {"ask for less of it (fewer patches a threadgroup, fewer output_vec4 "
                        "slots) or free it sooner (off-chip, with a low DsWaveThreshold)",
                        "ask for less of it (smaller threadgroups, fewer lds_bytes, a shorter "
                        "stack of rays) or end sooner"},
    [TSIM_STALL_LDS_FRAGMENTED] = SAME("blocks of one size leave no holes, and another "
                                       "lds_placement may leave fewer"),
    [TSIM_STALL_BARRIER] = {"threadgroups of one wave need no barrier slot: fewer patches a "
                            "threadgroup",
                            "threadgroups of one wave need no barrier slot"},
    [TSIM_STALL_SLOTS] = SAME("the CUs are full of waves that wait themselves: shorten the "
                              "latency of the longest shader"),
    [TSIM_STALL_VGPRS] = SAME("a shader with fewer vector registers would let more waves in"),
    [TSIM_STALL_SGPRS] = SAME("a shader with fewer scalar registers would let more waves in"),
    [TSIM_STALL_CLAIMED] = {"smaller threadgroups (fewer patches) need less room at once",
                            "smaller threadgroups need less room at once"},
    [TSIM_STALL_HOME_CU] = SAME("off-chip waves may run anywhere"),
};

static const char *const stage_titles[TSIM_STAGES] = {"VS", "HS", "DS", "GS", "PS", "CS"};

static const char *const shader_names[TSIM_STAGES] = {"vertex shader", "hull shader",
                                                      "domain shader", "geometry shader",
                                                      "pixel shader",  "compute shader"};

const char *tsim_stage_title(int stage)
{
    return stage_titles[stage];
}

/* ---- What the sentences need to know ---- */

static gboolean tessellates(const TsimResult *result)
{
    return result->totals.patches > 0;
}

/* Stages that hold room for threadgroups of patches. */
static gboolean is_patch_stage(int stage)
{
    return stage == TSIM_STAGE_VS || stage == TSIM_STAGE_HS || stage == TSIM_STAGE_DS;
}

static gboolean is_estimate(const TsimResult *result, const char *field)
{
    return result->estimated_fields != NULL &&
           g_strv_contains((const char *const *)result->estimated_fields, field);
}

/* The resource that is nearly as busy as the busiest; -1: none. */
static int find_tie(const TsimResult *result, TsimResource busiest)
{
    const double least = TIE_RATIO * tsim_result_utilisation(result, busiest);
    int tie = -1;

    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const double share = tsim_result_utilisation(result, (TsimResource)i);
        if (i != (int)busiest && share >= least &&
            (tie < 0 || share > tsim_result_utilisation(result, (TsimResource)tie))) {
            tie = i;
        }
    }
    return tie;
}

static gboolean may_go_offchip(const TsimResult *result)
{
    for (uint32_t i = 0; i < result->draws_n; i++) {
        if (tsim_draw_result_is_offchip(&result->draws[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The stage that most of the resident waves belong to. */
static int fullest_stage(const TsimResult *result)
{
    int fullest = 0;

    for (int stage = 1; stage < TSIM_STAGES; stage++) {
        if (result->wave_cycles[stage] > result->wave_cycles[fullest]) {
            fullest = stage;
        }
    }
    return fullest;
}

static TsimStall longest_stall(const TsimResult *result, int stage)
{
    int longest = 0;

    for (int stall = 1; stall < TSIM_STALLS_COUNT; stall++) {
        if (result->stall_cycles[stage][stall] > result->stall_cycles[stage][longest]) {
            longest = stall;
        }
    }
    return (TsimStall)longest;
}

/* ---- Sentences ---- */

char *tsim_bottleneck_ds_spread(const TsimResult *result)
{
    const double waves = tsim_result_waves_of_cu(result, result->wave_cycles[TSIM_STAGE_DS]);
    g_autofree char *waves_text = tsim_text_fixed(waves, 1);
    g_autofree char *cus = tsim_text_fixed(tsim_ratio(waves, result->peak_waves_per_cu), 1);

    return g_strdup_printf("the %s DS waves in flight on average would fit in %s of the %u CUs",
                           waves_text, cus, result->cus);
}

static char *home_cu_text(const TsimResult *result, double share)
{
    g_autofree char *percent = tsim_text_percent(share);
    g_autofree char *spread = tsim_bottleneck_ds_spread(result);

    return g_strdup_printf(
        "DS waves wait for their home CU %s of the time: on-chip they run where the LDS of their "
        "patches is, so one CU a shader engine does nearly all the DS work at any time (%s); %s, "
        "or fewer patches a threadgroup, would spread it.",
        percent, spread,
        may_go_offchip(result) ? "a lower TfThreshold or DsWaveThreshold"
                               : "off-chip tessellation (mode=offchip)");
}

static char *shader_advice(const TsimResult *result, const char *what)
{
    const int stage = fullest_stage(result);
    const uint64_t all = tsim_result_wave_cycles(result);
    g_autofree char *share =
        tsim_text_percent(tsim_ratio((double)result->wave_cycles[stage], (double)all));

    return g_strdup_printf("%s of the waves in flight are %s waves, so %s in the %s count first",
                           share, stage_titles[stage], what, shader_names[stage]);
}

static char *memory_advice(const TsimResult *result)
{
    const uint64_t written = result->totals.offchip_bytes_written;
    const uint64_t read = result->totals.offchip_bytes_read;

    if (written + read == 0) {
        return shader_advice(result, "fewer bytes loaded");
    }
    g_autofree char *written_text = tsim_text_bytes((double)written);
    g_autofree char *read_text = tsim_text_bytes((double)read);
    g_autofree char *hits =
        tsim_text_percent(tsim_ratio((double)result->l2_hits, (double)result->l2_lines));
    return g_strdup_printf("off-chip patch data (%s written, %s read) goes through the caches and "
                           "%s of the L2's accesses hit; %sfewer output_vec4 slots make it smaller",
                           written_text, read_text, hits,
                           result->has_onchip ? "on-chip keeps it in LDS, " : "");
}

static char *plain_advice(const TsimResult *result, TsimResource resource)
{
    const Words *words = &resource_words[resource];
    const char *hint = tess_hints[resource];

    if (words->lever != NULL) {
        return tsim_result_utilisation(result, resource) >= SATURATED_SHARE
                   ? g_strdup_printf("only %s make this faster", words->lever)
                   : g_strdup_printf("%s would help most", words->lever);
    }
    return g_strconcat(words->advice, hint != NULL && tessellates(result) ? hint : "", NULL);
}

static char *resource_advice(const TsimResult *result, TsimResource resource)
{
    switch ((int)resource) {
    case TSIM_RESOURCE_VALU:
        return shader_advice(result, "fewer instructions");
    case TSIM_RESOURCE_TEXTURE:
        return shader_advice(result, "fewer samples");
    case TSIM_RESOURCE_L1:
    case TSIM_RESOURCE_L2:
    case TSIM_RESOURCE_DRAM:
        return memory_advice(result);
    default:
        return plain_advice(result, resource);
    }
}

/* ", as primitive set-up is 99.4%"; empty when nothing else is as busy. */
static char *tie_text(const TsimResult *result, TsimResource resource)
{
    const int tie = find_tie(result, resource);

    if (tie < 0) {
        return g_strdup("");
    }
    g_autofree char *percent =
        tsim_text_percent(tsim_result_utilisation(result, (TsimResource)tie));
    return g_strdup_printf(" (and %s %s)", tsim_resource_words[tie], percent);
}

static char *resource_text(const TsimResult *result, TsimResource resource)
{
    const Words *words = &resource_words[resource];
    g_autofree char *percent = tsim_text_percent(tsim_result_utilisation(result, resource));
    g_autofree char *tie = tie_text(result, resource);
    g_autofree char *advice = resource_advice(result, resource);
    g_autofree char *estimate = is_estimate(result, words->rate)
                                    ? g_strdup_printf(" The rate (%s) is an estimate.", words->rate)
                                    : g_strdup("");

    return g_strdup_printf("%s %s of the run%s: %s.%s", words->what, percent, tie, advice,
                           estimate);
}

static char *uneven_text(const TsimResult *result, TsimResource resource)
{
    g_autofree char *busiest = tsim_text_percent(tsim_result_busiest(result, resource));
    g_autofree char *mean = tsim_text_percent(tsim_result_utilisation(result, resource));

    return g_strdup_printf("The work is uneven: %s is busy %s of the run where there is most to "
                           "do, %s on average; %s deal it out more evenly.",
                           tsim_resource_words[resource], busiest, mean,
                           tessellates(result) ? "fewer patches a threadgroup"
                                               : "smaller threadgroups");
}

static char *stall_text(const TsimResult *result, int stage, TsimStall stall)
{
    g_autofree char *percent = tsim_text_percent(tsim_result_stall_share(result, stage, stall));
    const StallAdvice *advice = &stall_advice[stall];

    return g_strdup_printf("%s waves wait %s of the time (%s): %s.", stage_titles[stage], percent,
                           tsim_stall_words[stall],
                           tessellates(result) && is_patch_stage(stage) ? advice->tess
                                                                        : advice->other);
}

static char *latency_text(const TsimResult *result, TsimResource busiest)
{
    g_autofree char *percent = tsim_text_percent(tsim_result_utilisation(result, busiest));
    g_autofree char *mean =
        tsim_text_fixed(tsim_result_waves_per_cu(result, tsim_result_wave_cycles(result)), 1);

    return g_strdup_printf("Latency: no queue waits long and the busiest unit (%s) works only %s "
                           "of the run; a CU holds %s of its %u waves on average, so only more "
                           "work at once (%swork without barriers between) or shorter shaders "
                           "help.",
                           tsim_resource_words[busiest], percent, mean, result->waves_per_cu,
                           tessellates(result) ? "more patches, " : "");
}

/* ---- The search ---- */

static gboolean find_home_cu(const TsimResult *result, TsimBottleneck *ret_bottleneck)
{
    const double share = tsim_result_stall_share(result, TSIM_STAGE_DS, TSIM_STALL_HOME_CU);

    if (share < WAIT_SHARE || tsim_result_bound_share(result) >= SATURATED_SHARE) {
        return FALSE;
    }
    *ret_bottleneck = (TsimBottleneck){
        .resource = tsim_stall_names[TSIM_STALL_HOME_CU],
        .utilisation = share,
        .text = home_cu_text(result, share),
    };
    return TRUE;
}

static gboolean find_busy(const TsimResult *result, TsimBottleneck *ret_bottleneck)
{
    const TsimResource busiest = tsim_result_bottleneck(result);
    const double share = tsim_result_utilisation(result, busiest);

    if (share < BUSY_SHARE) {
        return FALSE;
    }
    *ret_bottleneck = (TsimBottleneck){
        .resource = tsim_resource_names[busiest],
        .utilisation = share,
        .text = resource_text(result, busiest),
    };
    return TRUE;
}

static gboolean find_uneven(const TsimResult *result, TsimBottleneck *ret_bottleneck)
{
    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const TsimResource resource = (TsimResource)i;
        const double share = tsim_result_busiest(result, resource);
        if (share >= BUSY_SHARE &&
            share >= UNEVEN_RATIO * tsim_result_utilisation(result, resource)) {
            *ret_bottleneck = (TsimBottleneck){
                .resource = tsim_resource_names[resource],
                .utilisation = share,
                .text = uneven_text(result, resource),
            };
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean find_stall(const TsimResult *result, TsimBottleneck *ret_bottleneck)
{
    static const int downstream_first[TSIM_STAGES] = {TSIM_STAGE_PS, TSIM_STAGE_GS, TSIM_STAGE_DS,
                                                      TSIM_STAGE_HS, TSIM_STAGE_VS, TSIM_STAGE_CS};

    for (int i = 0; i < TSIM_STAGES; i++) {
        const int stage = downstream_first[i];
        const TsimStall stall = longest_stall(result, stage);
        const double share = tsim_result_stall_share(result, stage, stall);
        if (share >= WAIT_SHARE) {
            *ret_bottleneck = (TsimBottleneck){
                .resource = tsim_stall_names[stall],
                .utilisation = share,
                .text = stall_text(result, stage, stall),
            };
            return TRUE;
        }
    }
    return FALSE;
}

static TsimBottleneck latency(const TsimResult *result)
{
    const TsimResource busiest = tsim_result_bottleneck(result);

    return (TsimBottleneck){
        .resource = "latency",
        .utilisation = tsim_result_utilisation(result, busiest),
        .text = latency_text(result, busiest),
    };
}

TsimBottleneck tsim_bottleneck_find(const TsimResult *result)
{
    TsimBottleneck bottleneck;

    if (result->elapsed_cycles == 0) {
        return (TsimBottleneck){"none", 0.0, g_strdup("There is no work: nothing ran.")};
    }
    if (find_home_cu(result, &bottleneck) || find_busy(result, &bottleneck) ||
        find_uneven(result, &bottleneck) || find_stall(result, &bottleneck)) {
        return bottleneck;
    }
    return latency(result);
}

void tsim_bottleneck_clear(TsimBottleneck *bottleneck)
{
    g_free(bottleneck->text);
    *bottleneck = (TsimBottleneck){0};
}
