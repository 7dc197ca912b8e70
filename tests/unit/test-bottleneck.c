/* io/bottleneck.h and io/compare.h: each cause is found and named, and the words say what to do.
 * Results are made by hand: 1000 cycles on 2 shader engines, so 2000 cycles of waiting are 100%. */
#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/compare.h"
#include "sample-result.h"

#include <string.h>

static void expect(const TsimResult *result, const char *resource, const char *words)
{
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(result);

    g_assert_cmpstr(bottleneck.resource, ==, resource);
    if (strstr(bottleneck.text, words) == NULL) {
        g_error("\"%s\" not in \"%s\"", words, bottleneck.text);
    }
}

static void test_no_work(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->elapsed_cycles = 0;
    expect(result, "none", "nothing ran");
}

static void test_home_cu(void)
{
    g_autoptr(TsimResult) onchip = sample_result();
    g_autoptr(TsimResult) offchip = sample_result_offchip();

    /* 32 DS waves on average, 20 at most in a CU: 1.6 CUs are enough for them. */
    expect(onchip, "home_cu", "90.0% of the time");
    expect(onchip, "home_cu", "the 32.0 DS waves in flight on average would fit in 1.6 of the 4");
    expect(onchip, "home_cu", "mode=offchip");
    /* The thresholds keep waves at home although the mode is off-chip: other advice. */
    offchip->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_HOME_CU] = 400000;
    offchip->resources[TSIM_RESOURCE_TESSELLATOR].busy_cycles /= 2;
    expect(offchip, "home_cu", "TfThreshold or DsWaveThreshold");
}

/* A machine that is as fast as it can be has no other bottleneck. */
static void test_saturated_before_home_cu(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_HOME_CU] = 1900;
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 970);
    expect(result, "tessellator", "97.0% of the run");
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 940);
    expect(result, "home_cu", "95.0% of the time");
}

static void test_resources(void)
{
    static const char *const words[TSIM_RESOURCES_COUNT] = {
        [TSIM_RESOURCE_VGT] = "The VGT hands out patches",
        [TSIM_RESOURCE_LAUNCHER] = "more patches a threadgroup",
        [TSIM_RESOURCE_TESSELLATOR] = "lower tess factors",
        [TSIM_RESOURCE_SETUP] = "fewer primitives",
        [TSIM_RESOURCE_VALU] = "fewer instructions in the pixel shader",
        [TSIM_RESOURCE_LDS_PIPE] = "output_vec4",
        [TSIM_RESOURCE_TEXTURE] = "fewer samples in the pixel shader",
        [TSIM_RESOURCE_EXPORT_PATH] = "export fewer attributes",
        [TSIM_RESOURCE_L1] = "fewer bytes loaded in the pixel shader",
        [TSIM_RESOURCE_L2] = "fewer bytes loaded in the pixel shader",
        [TSIM_RESOURCE_DRAM] = "fewer bytes loaded in the pixel shader",
    };

    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        g_autoptr(TsimResult) result = empty_result();
        result->totals.patches = 1;
        result->wave_cycles[TSIM_STAGE_DS] = 1;
        result->wave_cycles[TSIM_STAGE_PS] = 3;
        set_resource(result, (TsimResource)i, 3, 760);
        expect(result, tsim_resource_names[i], words[i]);
        expect(result, tsim_resource_names[i], "76.0% of the run");
        set_resource(result, (TsimResource)i, 3, 740);
        expect(result, "latency", "74.0% of the run");
    }
}

/* Work without patches is not told to have fewer of them. */
static void test_advice_fits_the_work(void)
{
    g_autoptr(TsimResult) result = empty_result();

    set_resource(result, TSIM_RESOURCE_EXPORT_PATH, 2, 900);
    expect(result, "export", "fewer vertices and pixels.");
    result->totals.patches = 1;
    expect(result, "export", "fewer vertices and pixels: lower the tess factors.");

    g_autoptr(TsimResult) waits = empty_result();
    waits->stall_cycles[TSIM_STAGE_CS][TSIM_STALL_LDS] = 1800;
    expect(waits, "lds", "smaller threadgroups, fewer lds_bytes");
    waits->totals.patches = 1; /* the compute waves beside a draw wait, not its patches */
    expect(waits, "lds", "smaller threadgroups, fewer lds_bytes");
    waits->stall_cycles[TSIM_STAGE_VS][TSIM_STALL_LDS] = 1800;
    expect(waits, "lds", "fewer patches a threadgroup");
}

/* Two that are as busy are both named, "only" is said of a saturated unit alone, and a rate that
 * nobody has documented or measured is called what it is. */
static void test_certainty(void)
{
    g_autoptr(TsimResult) result = empty_result();

    set_resource(result, TSIM_RESOURCE_SETUP, 2, 940);
    expect(result, "setup", "busy 94.0% of the run: fewer primitives");
    expect(result, "setup", "would help most.");
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 920);
    expect(result, "setup", "94.0% of the run (and the tessellator of a shader engine 92.0%): ");
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 900);
    expect(result, "setup", "94.0% of the run: ");
    set_resource(result, TSIM_RESOURCE_SETUP, 2, 960);
    expect(result, "setup", "only fewer primitives");
    g_strfreev(result->estimated_fields);
    result->estimated_fields = g_strsplit("lds_latency,prims_per_clk", ",", -1);
    expect(result, "setup", "this faster. The rate (prims_per_clk) is an estimate.");
}

static void test_offchip_data(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->totals.offchip_bytes_written = 2 * 1024 * 1024;
    result->totals.offchip_bytes_read = 512;
    result->l2_lines = 8;
    result->l2_hits = 2;
    set_resource(result, TSIM_RESOURCE_DRAM, 1, 900);
    expect(result, "dram", "off-chip patch data (2 MiB written, 512 B read)");
    expect(result, "dram", "25.0% of the L2's accesses hit; on-chip keeps it in LDS");
    result->has_onchip = FALSE;
    expect(result, "dram", "accesses hit; fewer output_vec4 slots");
}

static void test_uneven(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->resources[TSIM_RESOURCE_VALU] = (TsimResourceUse){1600, 16, 900};
    expect(result, "valu", "busy 90.0% of the run where there is most to do, 10.0% on average");
}

/* Queues in front of one that waits wait in turn: the last in the pipeline is named. */
static void test_stalls(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->stall_cycles[TSIM_STAGE_VS][TSIM_STALL_LDS] = 1800;
    expect(result, "lds", "VS waves wait 90.0% of the time (no CU had that much LDS free)");
    result->stall_cycles[TSIM_STAGE_HS][TSIM_STALL_SLOTS] = 520;
    result->stall_cycles[TSIM_STAGE_HS][TSIM_STALL_VGPRS] = 530;
    expect(result, "vgprs", "HS waves wait 26.5% of the time");
    result->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_EXPORT] = 499; /* just under a quarter */
    expect(result, "vgprs", "HS waves");
    result->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_EXPORT] = 500;
    expect(result, "export_space", "DS waves wait 25.0% of the time");
}

static void test_every_stall_has_advice(void)
{
    for (int stall = 0; stall < TSIM_STALLS_COUNT; stall++) {
        g_autoptr(TsimResult) result = empty_result();
        result->stall_cycles[TSIM_STAGE_VS][stall] = 1000;
        expect(result, tsim_stall_names[stall], tsim_stall_words[stall]);
        expect(result, tsim_stall_names[stall], "): ");
        g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(result);
        g_assert_null(strstr(bottleneck.text, "(null)"));
    }
}

static void test_latency(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->wave_cycles[TSIM_STAGE_VS] = 6000; /* 1.5 a CU */
    set_resource(result, TSIM_RESOURCE_VALU, 16, 100);
    expect(result, "latency", "a CU holds 1.5 of its 40 waves");
}

/* ---- Comparisons ---- */

static const char *reason(const TsimComparison *comparison, guint i)
{
    g_assert_cmpuint(i, <, comparison->reasons->len);
    return g_ptr_array_index(comparison->reasons, i);
}

static void expect_reason(const TsimComparison *comparison, const char *words)
{
    for (guint i = 0; i < comparison->reasons->len; i++) {
        if (strstr(reason(comparison, i), words) != NULL) {
            return;
        }
    }
    g_error("no reason says \"%s\"; the first is \"%s\"", words, reason(comparison, 0));
}

static void test_winner(void)
{
    g_autoptr(TsimResult) onchip = sample_result();
    g_autoptr(TsimResult) offchip = sample_result_offchip();
    g_auto(TsimComparison) forth = tsim_compare(onchip, offchip, "mode=onchip", "mode=offchip");
    g_auto(TsimComparison) back = tsim_compare(offchip, onchip, "mode=offchip", "mode=onchip");

    g_assert_cmpint(forth.winner, ==, 1);
    g_assert_cmpint(back.winner, ==, 0);
    g_assert_cmpfloat(forth.speedup, ==, 4.0);
    g_assert_cmpfloat(back.speedup, ==, 4.0);
    g_assert_true(g_str_has_prefix(reason(&forth, 0), "In A, DS waves wait for their home CU"));
    g_assert_true(g_str_has_prefix(reason(&back, 0), "In B, DS waves wait for their home CU"));
    /* A quarter of the LDS against an eighth. */
    expect_reason(&forth, "B frees LDS sooner: threadgroups hold 12.5% of it on average, 25.0%");
    expect_reason(&forth, "VS waves wait 25.0% of the time in A, 0.0% in B (no CU had that much");
}

static void test_equal(void)
{
    g_autoptr(TsimResult) a = sample_result();
    g_autoptr(TsimResult) b = sample_result();

    b->elapsed_cycles = 1009999;
    g_auto(TsimComparison) near = tsim_compare(a, b, "a", "b");
    g_assert_cmpint(near.winner, ==, -1);
    expect_reason(&near, "Both are held back by the same thing. DS waves wait");
    b->elapsed_cycles = 1010001;
    g_auto(TsimComparison) apart = tsim_compare(a, b, "a", "b");
    g_assert_cmpint(apart.winner, ==, 0);
}

static void test_offchip_in_vain(void)
{
    g_autoptr(TsimResult) a = sample_result();
    g_autoptr(TsimResult) b = sample_result();

    b->draws[0].mode = "offchip";
    g_auto(TsimComparison) comparison = tsim_compare(a, b, "mode=onchip", "mode=offchip");
    g_assert_cmpint(comparison.winner, ==, -1);
    expect_reason(&comparison, "In B no threadgroup goes off-chip");
}

static void test_dram_decides(void)
{
    g_autoptr(TsimResult) a = empty_result();
    g_autoptr(TsimResult) b = empty_result();

    b->elapsed_cycles = 2000;
    b->totals.offchip_bytes_written = 4096;
    b->dram_bytes_written = 4096;
    set_resource(b, TSIM_RESOURCE_DRAM, 1, 1900);
    g_auto(TsimComparison) comparison = tsim_compare(a, b, "mode=onchip", "mode=offchip");
    g_assert_cmpint(comparison.winner, ==, 0);
    g_assert_cmpstr(reason(&comparison, 0), ==,
                    "B moves 4 KiB through DRAM, A 0 B, because off-chip patch data misses the L2: "
                    "DRAM is busy 95.0% of the run instead of 0.0%.");
}

/* Nothing is busy and nothing waits, but the stores of the hull shader take their time. */
static void test_store_latency_decides(void)
{
    g_autoptr(TsimResult) a = empty_result();
    g_autoptr(TsimResult) b = empty_result();

    b->elapsed_cycles = 1100;
    b->totals.offchip_bytes_written = 512;
    g_auto(TsimComparison) comparison = tsim_compare(a, b, "mode=onchip", "mode=offchip");
    expect_reason(&comparison, "hull shader's stores (512 B in all)");
}

static void test_no_reason_is_a_reason(void)
{
    g_autoptr(TsimResult) a = empty_result();
    g_autoptr(TsimResult) b = empty_result();

    b->elapsed_cycles = 1100;
    g_auto(TsimComparison) comparison = tsim_compare(a, b, "seed=1", "seed=2");
    expect_reason(&comparison, "what holds B back is: Latency");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bottleneck/no-work", test_no_work);
    g_test_add_func("/bottleneck/home-cu", test_home_cu);
    g_test_add_func("/bottleneck/saturated-before-home-cu", test_saturated_before_home_cu);
    g_test_add_func("/bottleneck/resources", test_resources);
    g_test_add_func("/bottleneck/advice-fits-the-work", test_advice_fits_the_work);
    g_test_add_func("/bottleneck/certainty", test_certainty);
    g_test_add_func("/bottleneck/offchip-data", test_offchip_data);
    g_test_add_func("/bottleneck/uneven", test_uneven);
    g_test_add_func("/bottleneck/stalls", test_stalls);
    g_test_add_func("/bottleneck/every-stall-has-advice", test_every_stall_has_advice);
    g_test_add_func("/bottleneck/latency", test_latency);
    g_test_add_func("/compare/winner", test_winner);
    g_test_add_func("/compare/equal", test_equal);
    g_test_add_func("/compare/offchip-in-vain", test_offchip_in_vain);
    g_test_add_func("/compare/dram-decides", test_dram_decides);
    g_test_add_func("/compare/store-latency-decides", test_store_latency_decides);
    g_test_add_func("/compare/no-reason-is-a-reason", test_no_reason_is_a_reason);
    return g_test_run();
}
