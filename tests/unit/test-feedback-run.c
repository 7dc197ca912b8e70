/* sample_feedback work on the simulated machine: closed forms of one wave, conservation, and what
 * must not depend on the machine (model section 7, S4, S9). */
#include "io/scenario-json.h"
#include "model/feedback.h"
#include "model/run.h"

#include <string.h>

/* An 8x8 image of one triangle, straight down: 16 full quads, one texel of the map. Latencies are
 * round numbers, the texture is magnified: one mip, one tap. */
#define SCENE                                                                                      \
    "'scene': {'width': 8, 'height': 8, 'side': 1000, 'camera_x': -200, 'camera_y': 10, "          \
    "'camera_z': -200, 'pitch': 90}, 'texture': {'width': 1024, 'height': 1024, 'format': "        \
    "'8bpp'}, 'sampler': {'mip_filter': 'point'}, "

#define GPU                                                                                        \
    "'gpu': {'extends': 'xbox_series_x', 'wave_launch_latency': 0, 'sample_latency': 1000, "       \
    "'l1_latency': 0, 'l2_latency': 0, 'dram_latency': 0, 'l2_atomic_latency': 50, "               \
    "'l2_atomic_line_clks': 4}, "

static TsimScenario *load(const char *text)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    g_autoptr(GError) error = NULL;
    TsimScenario *scenario = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("s.json", json, strlen(json), &problems);
    if (source != NULL) {
        scenario = tsim_scenario_json_decode(source, roots, NULL);
    }
    tsim_json_source_free(source);
    (void)tsim_problems_finish(&problems, &error);
    g_assert_no_error(error);
    return scenario;
}

static TsimResult *run(const TsimScenario *scenario, gboolean plain)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, warnings, &error);

    g_assert_no_error(error);
    g_autoptr(TsimMachine) other = tsim_machine_plain_new(machine);
    TsimMachine *chosen = plain ? other : machine;
    g_assert_true(tsim_machine_run(chosen, &error));
    return tsim_machine_result(chosen);
}

/* Plain: 16 clocks of the unit, fetch within them, then the latency. */
static void test_one_plain_wave(void)
{
    g_autoptr(TsimScenario) scenario =
        load("{" GPU "'work': [{'type': 'sample_feedback', " SCENE "'ps': {'vgprs': 8}}]}");
    g_autoptr(TsimResult) result = run(scenario, TRUE);

    g_assert_cmpuint(result->totals.waves[TSIM_STAGE_PS], ==, 1);
    g_assert_cmpuint(result->elapsed_cycles, ==, 16 + 1000);
}

/* With feedback: 16 clocks of addresses come first; the atomic is done long before the sample. */
static void test_one_wave(void)
{
    g_autoptr(TsimScenario) scenario =
        load("{" GPU "'work': [{'type': 'sample_feedback', " SCENE "'ps': {'vgprs': 8}}]}");
    g_autoptr(TsimResult) result = run(scenario, FALSE);
    const TsimFeedbackResult *feedback = &result->feedback;

    g_assert_cmpuint(result->elapsed_cycles, ==, 16 + 16 + 1000);
    g_assert_cmpuint(feedback->operations, ==, 64);
    g_assert_cmpuint(feedback->read_samples, ==, 64);
    g_assert_cmpuint(feedback->write_samples, ==, 64);
    g_assert_cmpuint(feedback->atomic_requests, ==, 1);
    g_assert_cmpuint(feedback->td_busy_cycles, ==, 32);
    g_assert_cmpuint(feedback->changed_writes, >, 0);
}

/* A slow atomic holds the end of the wave, not its sample. */
static void test_acknowledge(void)
{
    g_autoptr(TsimScenario) scenario =
        load("{" GPU "'work': [{'type': 'sample_feedback', " SCENE "'ps': {'vgprs': 8}}]}");

    scenario->gpu->l2_atomic_latency = 5000;
    g_autoptr(TsimResult) result = run(scenario, FALSE);
    /* Addresses at 16, a line to the L2 within the next cycle. */
    g_assert_cmpuint(result->elapsed_cycles, >=, 16 + 5000);
    g_assert_cmpuint(result->elapsed_cycles, <=, 16 + 5000 + 1);
}

/* Frames wait for one another. */
static void test_frames(void)
{
    g_autoptr(TsimScenario) scenario = load(
        "{" GPU "'work': [{'type': 'sample_feedback', 'frames': 3, " SCENE "'ps': {'vgprs': 8}}]}");
    g_autoptr(TsimResult) result = run(scenario, FALSE);

    g_assert_cmpuint(result->totals.waves[TSIM_STAGE_PS], ==, 3);
    g_assert_cmpuint(result->elapsed_cycles, ==, 3 * (16 + 16 + 1000));
}

/* A camera that looks away makes an empty result. */
static void test_nothing_in_view(void)
{
    g_autoptr(TsimScenario) scenario =
        load("{" GPU "'work': [{'type': 'sample_feedback', 'frames': 2, 'scene': {'width': 8, "
             "'height': 8, 'pitch': -90}, 'ps': {'vgprs': 8}}]}");
    g_autoptr(TsimResult) result = run(scenario, FALSE);

    g_assert_cmpuint(result->elapsed_cycles, ==, 0);
    g_assert_cmpuint(result->feedback.operations, ==, 0);
}

static TsimFeedbackResult counts_of(const char *gpu, const char *shader, uint32_t frames)
{
    g_autofree char *text = g_strdup_printf(
        "{'gpu': '%s', 'work': [{'type': 'sample_feedback', 'frames': %u, 'scene': {'width': 96, "
        "'height': 64}, 'texture': {'width': 4096, 'height': 4096}, 'sampler': {'anisotropic': "
        "true}, 'feedback': {'write_fraction': 0.5, 'instruction': 'grad'}, 'residency': "
        "{'max_step': 1, 'offset_u': 0.25, 'offset_v': 0.25}, '%s': {'vgprs': 8, 'valu': 9}}]}",
        gpu, frames, shader);
    g_autoptr(TsimScenario) scenario = load(text);
    g_autoptr(TsimResult) result = run(scenario, FALSE);
    TsimFeedbackResult counts = result->feedback;

    result->feedback.frames = NULL;
    return counts;
}

/* What is written and read does not depend on who samples, or on which machine: waves start in
 * another order there. */
static void test_same_counts(void)
{
    const TsimFeedbackResult a = counts_of("xbox_series_x", "ps", 4);
    const TsimFeedbackResult b = counts_of("xbox_series_s", "cs", 4);

    g_assert_cmpuint(a.operations, >, 0);
    g_assert_cmpuint(a.operations, ==, b.operations);
    g_assert_cmpuint(a.texel_writes, ==, b.texel_writes);
    g_assert_cmpuint(a.merged_writes, ==, b.merged_writes);
    g_assert_cmpuint(a.atomic_requests, ==, b.atomic_requests);
    g_assert_cmpuint(a.read_samples, ==, b.read_samples);
    g_assert_cmpuint(a.lookups, ==, b.lookups);
    g_assert_cmpuint(a.frames_n, ==, 4);
    g_assert_cmpuint(b.frames_n, ==, 4);
    for (uint32_t i = 0; i < 4; i++) {
        g_assert_cmpuint(a.frames[i].wanted_bytes, ==, b.frames[i].wanted_bytes);
        g_assert_cmpuint(a.frames[i].resident_bytes, ==, b.frames[i].resident_bytes);
        g_assert_cmpuint(a.frames[i].blurred_pixels, ==, b.frames[i].blurred_pixels);
    }
    /* requests <= merged <= lane writes (facts, section 4) */
    g_assert_cmpuint(a.atomic_requests, <=, a.merged_writes);
    g_assert_cmpuint(a.merged_writes, <=, a.texel_writes);
    g_free(a.frames);
    g_free(b.frames);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback-run/one-plain-wave", test_one_plain_wave);
    g_test_add_func("/feedback-run/one-wave", test_one_wave);
    g_test_add_func("/feedback-run/acknowledge", test_acknowledge);
    g_test_add_func("/feedback-run/frames", test_frames);
    g_test_add_func("/feedback-run/nothing-in-view", test_nothing_in_view);
    g_test_add_func("/feedback-run/same-counts", test_same_counts);
    return g_test_run();
}
