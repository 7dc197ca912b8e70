/* model/lds.h: LDS is an address space, not a counter (model section 2). Sizes are granules. */
#include "model/lds.h"

static TsimLds lds;

static void take(uint32_t first, uint32_t size)
{
    tsim_lds_take(&lds, first, size);
}

/* Used: [0,4) [8,10) [20,32); free runs: [4,8) of 4 and [10,20) of 10. */
static void make_two_holes(TsimLdsPlacement placement)
{
    tsim_lds_init(&lds, 32, (int)placement);
    take(0, 4);
    take(20, 12);
    take(8, 2);
}

static void test_first_fit(void)
{
    make_two_holes(TSIM_LDS_FIRST_FIT);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 32), ==, 4);
    g_assert_cmpuint(tsim_lds_find(&lds, 5, 32), ==, 10);
}

/* Best fit prefers the smaller hole even when a larger one comes first. */
static void test_best_fit(void)
{
    tsim_lds_init(&lds, 32, TSIM_LDS_BEST_FIT);
    take(10, 2);
    take(15, 17);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 32), ==, 12);
    g_assert_cmpuint(tsim_lds_find(&lds, 4, 32), ==, 0);
}

/* Next fit goes on behind the last block, [8,10), and wraps. */
static void test_next_fit(void)
{
    make_two_holes(TSIM_LDS_NEXT_FIT);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 32), ==, 10);
    take(10, 9);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 32), ==, 4);
}

/* 14 granules are free, 11 in one piece are not. */
static void test_fragmentation(void)
{
    make_two_holes(TSIM_LDS_FIRST_FIT);
    g_assert_cmpuint(lds.free_granules, ==, 14);
    g_assert_cmpuint(tsim_lds_free_below(&lds, 32), ==, 14);
    g_assert_cmpuint(tsim_lds_largest_run(&lds, 32), ==, 10);
    g_assert_cmpuint(tsim_lds_find(&lds, 10, 32), ==, 10);
    g_assert_cmpuint(tsim_lds_find(&lds, 11, 32), ==, TSIM_LDS_NONE);
    tsim_lds_release(&lds, 8, 2);
    g_assert_cmpuint(tsim_lds_find(&lds, 11, 32), ==, 4);
}

/* What lies above the limit is for others (ps_lds_reserve, D3). */
static void test_limit(void)
{
    tsim_lds_init(&lds, 32, TSIM_LDS_FIRST_FIT);
    g_assert_cmpuint(tsim_lds_find(&lds, 28, 28), ==, 0);
    g_assert_cmpuint(tsim_lds_find(&lds, 29, 28), ==, TSIM_LDS_NONE);
    take(0, 26);
    g_assert_cmpuint(tsim_lds_free_below(&lds, 28), ==, 2);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 28), ==, TSIM_LDS_NONE);
    g_assert_cmpuint(tsim_lds_find(&lds, 3, 32), ==, 26);
}

/* A run over the seam of two bitmap words, up to the very end. */
static void test_word_seam(void)
{
    tsim_lds_init(&lds, 128, TSIM_LDS_FIRST_FIT);
    take(0, 60);
    g_assert_cmpuint(tsim_lds_find(&lds, 68, 128), ==, 60);
    g_assert_cmpuint(tsim_lds_find(&lds, 69, 128), ==, TSIM_LDS_NONE);
    take(60, 68);
    g_assert_cmpuint(lds.free_granules, ==, 0);
    g_assert_cmpuint(tsim_lds_find(&lds, 1, 128), ==, TSIM_LDS_NONE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lds/first-fit", test_first_fit);
    g_test_add_func("/lds/best-fit", test_best_fit);
    g_test_add_func("/lds/next-fit", test_next_fit);
    g_test_add_func("/lds/fragmentation", test_fragmentation);
    g_test_add_func("/lds/D3-limit", test_limit);
    g_test_add_func("/lds/word-seam", test_word_seam);
    return g_test_run();
}
