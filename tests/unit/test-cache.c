/* model/cache.h: least recently used within a set, whatever the number of ways (model 3d). Lines
 * are numbers. */
#include "model/cache.h"

static TsimArena *arena;
static TsimCache cache;

static void start(uint32_t lines, uint32_t ways)
{
    arena = tsim_arena_new();
    tsim_cache_init(&cache, arena, lines * 64, ways);
}

static gboolean hits(uint64_t line)
{
    return tsim_cache_access(&cache, line, FALSE).hit;
}

/* One set of two ways: 1, 2, then 1 again makes 2 the oldest, so 3 takes its place. */
static void test_lru(void)
{
    start(2, 2);
    g_assert_false(hits(1));
    g_assert_false(hits(2));
    g_assert_true(hits(1));
    g_assert_false(hits(3));
    g_assert_true(hits(1));
    g_assert_false(hits(2));
    tsim_arena_free(arena);
}

/* Four sets of one way: lines 0 and 4 share a set, 1 does not. */
static void test_sets(void)
{
    start(4, 1);
    g_assert_false(hits(0));
    g_assert_false(hits(1));
    g_assert_false(hits(4));
    g_assert_true(hits(1));
    g_assert_false(hits(0));
    tsim_arena_free(arena);
}

/* A dirty line that is pushed out is written back, once; a clean one is not. */
static void test_dirty(void)
{
    start(2, 2);
    tsim_cache_access(&cache, 1, TRUE);
    tsim_cache_access(&cache, 2, FALSE);
    g_assert_true(tsim_cache_access(&cache, 3, FALSE).evicted_dirty);
    g_assert_false(tsim_cache_access(&cache, 4, FALSE).evicted_dirty);
    g_assert_false(tsim_cache_access(&cache, 1, FALSE).evicted_dirty);
    tsim_arena_free(arena);
}

/* Against a plain list, newest first, searched from front to back. */
static void test_many_ways(void)
{
    enum {
        WAYS = 64
    };
    uint64_t list[WAYS];
    uint32_t used = 0;

    start(WAYS, WAYS);
    for (uint32_t i = 0; i < 100000; i++) {
        const uint64_t line = (uint64_t)g_test_rand_int_range(0, 90);
        uint32_t at = 0;
        while (at < used && list[at] != line) {
            at++;
        }
        const gboolean expected = at < used;
        if (!expected) {
            used = MIN(used + 1, WAYS);
            at = used - 1;
        }
        for (; at > 0; at--) {
            list[at] = list[at - 1];
        }
        list[0] = line;
        g_assert_cmpint(hits(line), ==, expected);
    }
    tsim_arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cache/lru", test_lru);
    g_test_add_func("/cache/sets", test_sets);
    g_test_add_func("/cache/dirty", test_dirty);
    g_test_add_func("/cache/many-ways", test_many_ways);
    return g_test_run();
}
