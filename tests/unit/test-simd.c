/* model/simd.h: processor sharing on discrete cycles (E3), against times worked out by hand. */
#include "model/simd.h"

static TsimSimdSpec spec;
static TsimSimd simd;

static void start(uint32_t max_waves)
{
    tsim_simd_spec_init(&spec, max_waves);
    tsim_simd_init(&simd);
}

static uint32_t leave_at(uint64_t now)
{
    uint32_t wave = UINT32_MAX;

    g_assert_true(tsim_simd_leave(&simd, &spec, now, &wave));
    return wave;
}

static gboolean nobody_leaves_at(uint64_t now)
{
    uint32_t wave;

    return !tsim_simd_leave(&simd, &spec, now, &wave);
}

/* A lone wave has the SIMD for itself: demand 40 from cycle 100 on ends at 140, not at 139. */
static void test_alone(void)
{
    start(10);
    tsim_simd_enter(&simd, &spec, 100, 7, 40);
    g_assert_cmpuint(tsim_simd_next_leave(&simd, &spec), ==, 140);
    g_assert_true(nobody_leaves_at(139));
    g_assert_cmpuint(leave_at(140), ==, 7);
    g_assert_true(nobody_leaves_at(140));
    g_assert_cmpuint(simd.busy_cycles, ==, 40);
}

/* Wave 0 needs 10, wave 1 comes 4 cycles later with 10. Wave 0 has 6 left, at 1/2 a cycle 12
 * cycles: leaves at 16. Wave 1 has had 6 by then and 4 left, alone: leaves at 20. */
static void test_two_share(void)
{
    start(10);
    tsim_simd_enter(&simd, &spec, 0, 0, 10);
    tsim_simd_enter(&simd, &spec, 4, 1, 10);
    g_assert_cmpuint(tsim_simd_next_leave(&simd, &spec), ==, 16);
    g_assert_true(nobody_leaves_at(15));
    g_assert_cmpuint(leave_at(16), ==, 0);
    g_assert_cmpuint(tsim_simd_next_leave(&simd, &spec), ==, 20);
    g_assert_cmpuint(leave_at(20), ==, 1);
}

/* Three waves of demand 1: 1/3 a cycle each, all leave at the end of the third cycle, in order of
 * arrival. */
static void test_thirds_are_exact(void)
{
    start(10);
    for (uint32_t wave = 0; wave < 3; wave++) {
        tsim_simd_enter(&simd, &spec, 50, wave, 1);
    }
    g_assert_true(nobody_leaves_at(52));
    for (uint32_t wave = 0; wave < 3; wave++) {
        g_assert_cmpuint(leave_at(53), ==, wave);
    }
}

/* A wave that is done within a cycle leaves at its end, and the rest of its share is lost (E3):
 * wave 0 needs 1, wave 1 needs 2, wave 2 needs 2. At 1/3 wave 0 is done at 3. The others have 1
 * left each: 2 more cycles, 5. */
static void test_share_is_lost_at_the_end(void)
{
    start(3);
    tsim_simd_enter(&simd, &spec, 0, 0, 1);
    tsim_simd_enter(&simd, &spec, 0, 1, 2);
    tsim_simd_enter(&simd, &spec, 0, 2, 2);
    g_assert_cmpuint(leave_at(3), ==, 0);
    g_assert_cmpuint(tsim_simd_next_leave(&simd, &spec), ==, 5);
    g_assert_cmpuint(leave_at(5), ==, 1);
    g_assert_cmpuint(leave_at(5), ==, 2);
}

/* 5 waves of demand 3 from cycle 0 and one more of demand 1 at cycle 2: the five have had 2/5 each.
 * Then at 1/6 the last one is done 6 cycles later, at 8. The five have 3 - 2/5 - 1 = 8/5 left, at
 * 1/5: 8 cycles, 16. */
static void test_latecomer_overtakes(void)
{
    start(10);
    for (uint32_t wave = 0; wave < 5; wave++) {
        tsim_simd_enter(&simd, &spec, 0, wave, 3);
    }
    tsim_simd_enter(&simd, &spec, 2, 5, 1);
    g_assert_cmpuint(leave_at(8), ==, 5);
    g_assert_cmpuint(tsim_simd_next_leave(&simd, &spec), ==, 16);
}

/* Only one wake-up is in flight for the first to leave, and a delay needs no second one before it
 * has come. */
static void test_wakeups(void)
{
    uint64_t cycle = 0;

    start(4);
    tsim_simd_enter(&simd, &spec, 0, 0, 10);
    g_assert_true(tsim_simd_needs_wakeup(&simd, &spec, &cycle));
    g_assert_cmpuint(cycle, ==, 10);
    tsim_simd_enter(&simd, &spec, 5, 1, 10);
    g_assert_false(tsim_simd_needs_wakeup(&simd, &spec, &cycle));
    tsim_simd_woken(&simd);
    g_assert_true(nobody_leaves_at(10));
    g_assert_true(tsim_simd_needs_wakeup(&simd, &spec, &cycle));
    g_assert_cmpuint(cycle, ==, 15);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/simd/E3-alone", test_alone);
    g_test_add_func("/simd/E3-two-share", test_two_share);
    g_test_add_func("/simd/E3-thirds-are-exact", test_thirds_are_exact);
    g_test_add_func("/simd/E3-share-is-lost-at-the-end", test_share_is_lost_at_the_end);
    g_test_add_func("/simd/E3-latecomer-overtakes", test_latecomer_overtakes);
    g_test_add_func("/simd/wakeups", test_wakeups);
    return g_test_run();
}
