/* engine/queue.h against a plain heap: whatever is posted, both hand it back in the same order
 * (cycle, phase, unit, posting).
 *
 * Two million events a run, of five kinds of load. Each event carries the number of its posting, so
 * equal ones must come in the order in which they were posted.
 */
#include "engine/queue.h"
#include "heap-queue.h"

#define ROUNDS           20
#define EVENTS_PER_ROUND 20000

typedef struct {
    int32_t first, last; /* cycles ahead */
} Delay;

#define DELAYS 4

typedef struct {
    const char *path;
    uint32_t pending; /* most events at once */
    int32_t units;
    Delay delays[DELAYS]; /* all as likely */
} Load;

#define HORIZON TSIM_QUEUE_HORIZON

static const Load loads[] = {
    /* what a GPU does: short steps, memory, now and then something long */
    {"/queue/like-a-gpu", 2048, 300, {{0, 0}, {1, 16}, {1, 800}, {1, 5000}}},
    /* nearly everything in one cycle: order by phase and unit */
    {"/queue/crowds", 512, 7, {{0, 0}, {0, 0}, {0, 1}, {0, 1}}},
    /* on both sides of the horizon, where events change from heap to wheel */
    {"/queue/horizon",
     200,
     3,
     {{0, 2}, {HORIZON - 2, HORIZON + 2}, {1, HORIZON}, {HORIZON, HORIZON}}},
    /* one slot of the wheel serves all of these cycles */
    {"/queue/same-slot",
     64,
     2,
     {{0, 0}, {HORIZON, HORIZON}, {2 * HORIZON, 2 * HORIZON}, {HORIZON, HORIZON}}},
    /* an idle GPU: the clock jumps */
    {"/queue/far", 4, 5, {{0, 0}, {1, G_MAXINT32 - 1}, {HORIZON, 100 * HORIZON}, {1, 100}}},
};

typedef struct {
    TsimArena *arena;
    TsimQueue *queue;
    HeapQueue *oracle;
    TsimEvent last; /* popped */
    uint32_t postings;
} Pair;

static void pair_init(Pair *pair, uint32_t capacity)
{
    *pair = (Pair){.arena = tsim_arena_new()};
    pair->queue = tsim_queue_new(pair->arena, capacity);
    pair->oracle = heap_queue_new(pair->arena, capacity);
}

static void pair_clear(Pair *pair)
{
    tsim_arena_free(pair->arena);
}

/* Posts in the running cycle go to the running phase or a later one; their unit may lie before the
 * last one. */
static void post_random(Pair *pair, const Load *load)
{
    const Delay *delay = &load->delays[g_test_rand_int_range(0, DELAYS)];
    const int32_t ahead = g_test_rand_int_range(delay->first, delay->last + 1);
    const int32_t first_phase = ahead == 0 ? pair->last.phase : TSIM_PHASE_RELEASE;
    const TsimEvent event = {
        .cycle = pair->last.cycle + (uint64_t)ahead,
        .unit = (uint32_t)g_test_rand_int_range(0, load->units),
        .arg = pair->postings++,
        .type = (uint16_t)g_test_rand_int_range(0, 16),
        .phase = (uint16_t)g_test_rand_int_range(first_phase, TSIM_PHASES),
    };

    tsim_queue_post(pair->queue, &event);
    heap_queue_post(pair->oracle, &event);
}

static gboolean pop_same(Pair *pair)
{
    TsimEvent expected;
    const gboolean popped = tsim_queue_pop(pair->queue, &pair->last);

    g_assert_cmpint(heap_queue_pop(pair->oracle, &expected), ==, popped);
    if (!popped) {
        return FALSE;
    }
    g_assert_cmpuint(pair->last.cycle, ==, expected.cycle);
    g_assert_cmpuint(pair->last.phase, ==, expected.phase);
    g_assert_cmpuint(pair->last.unit, ==, expected.unit);
    g_assert_cmpuint(pair->last.arg, ==, expected.arg);
    g_assert_cmpuint(pair->last.type, ==, expected.type);
    g_assert_cmpuint(tsim_queue_now(pair->queue), ==, heap_queue_now(pair->oracle));
    return TRUE;
}

/* Fills up, runs with a random number of posts a pop, runs dry, and again. */
static void test_same_order(gconstpointer data)
{
    const Load *load = data;
    Pair pair;

    pair_init(&pair, load->pending);
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t end = pair.postings + EVENTS_PER_ROUND;
        while (pair.postings < end) {
            const uint32_t room = load->pending - tsim_queue_pending(pair.queue);
            const uint32_t wanted = (uint32_t)g_test_rand_int_range(0, 4);
            const uint32_t posts = MIN(room, wanted);
            for (uint32_t i = 0; i < posts; i++) {
                post_random(&pair, load);
            }
            g_assert_cmpuint(tsim_queue_pending(pair.queue), ==, heap_queue_pending(pair.oracle));
            pop_same(&pair);
        }
        while (pop_same(&pair)) {
        }
        g_assert_cmpuint(tsim_queue_pending(pair.queue), ==, 0);
    }
    pair_clear(&pair);
}

/* Everything at once, as when a frame begins. */
static void test_one_cycle(void)
{
    static const Load start = {.units = 1000, .delays = {{0, 0}, {0, 0}, {0, 0}, {0, 0}}};
    const uint32_t n = 100000;
    Pair pair;

    pair_init(&pair, n);
    for (uint32_t i = 0; i < n; i++) {
        post_random(&pair, &start);
    }
    for (uint32_t i = 0; i < n; i++) {
        g_assert_true(pop_same(&pair));
    }
    g_assert_false(pop_same(&pair));
    pair_clear(&pair);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(loads); i++) {
        g_test_add_data_func(loads[i].path, &loads[i], test_same_order);
    }
    g_test_add_func("/queue/one-cycle", test_one_cycle);
    return g_test_run();
}
