/* Atomics at the L2 (model section 7): channels, conflicts on a line, by hand. */
#include "model/atomics.h"

static TsimAtomics make(TsimArena *arena, uint32_t channels)
{
    g_autoptr(TsimGpu) gpu = tsim_gpu_new();
    TsimAtomics atomics;

    gpu->l2_bytes_per_clk = tsim_rate_from_double(64.0 * channels);
    gpu->l2_atomic_latency = 100;
    gpu->l2_atomic_line_clks = 4;
    tsim_atomics_init(&atomics, arena, gpu);
    return atomics;
}

/* Three requests to one line in one cycle: each waits until the line is free. */
static void test_one_line(void)
{
    TsimArena *arena = tsim_arena_new();
    TsimAtomics atomics = make(arena, 4);
    uint64_t line_free = 0;

    g_assert_cmpuint(tsim_atomics_issue(&atomics, 7, &line_free, 10), ==, 110);
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 7, &line_free, 10), ==, 114);
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 7, &line_free, 10), ==, 118);
    g_assert_cmpuint(atomics.conflicts, ==, 2);
    /* The channel takes them at 10, 11 and 12, the line at 10, 14 and 18. */
    g_assert_cmpuint(atomics.conflict_cycles, ==, 3 + 6);
    /* Much later, nothing is in the way. */
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 7, &line_free, 1000), ==, 1100);
    g_assert_cmpuint(atomics.conflicts, ==, 2);
    tsim_arena_free(arena);
}

/* Lines of one channel, and of different ones: a request a clock and channel. */
static void test_channels(void)
{
    TsimArena *arena = tsim_arena_new();
    TsimAtomics atomics = make(arena, 4);
    uint64_t free[8] = {0};

    g_assert_cmpuint(atomics.channels_n, ==, 4);
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 0, &free[0], 0), ==, 100);
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 1, &free[1], 0), ==, 100);
    g_assert_cmpuint(tsim_atomics_issue(&atomics, 4, &free[4], 0), ==, 101);
    g_assert_cmpuint(atomics.conflicts, ==, 0);
    g_assert_cmpuint(atomics.requests, ==, 3);
    tsim_arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/atomics/one-line", test_one_line);
    g_test_add_func("/atomics/channels", test_channels);
    return g_test_run();
}
