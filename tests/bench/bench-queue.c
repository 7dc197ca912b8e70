/* Speed of the event queue against the plain heap, both through the same four functions.
 *
 * Hold model: a constant number of events pending; each step pops one and posts another. Delays are
 * those of a GPU: mostly tens to hundreds of cycles, one in 64 beyond the wheel's horizon. They are
 * drawn beforehand, so that the loop measures queues only; the best of several runs counts.
 *
 * Prints CSV: pending events, million events a second of both, ratio.
 */
#include "engine/queue.h"
#include "heap-queue.h"

#include <stdio.h>
#include <time.h>

#define STEPS  2000000
#define RUNS   5
#define DRAWS  65536 /* a power of two */
#define UNITS  256
#define FAR_IN 64

typedef struct {
    uint16_t ahead, unit, phase;
} Draw;

static Draw draws[DRAWS];

static void make_draws(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);

    for (int i = 0; i < DRAWS; i++) {
        const gboolean far = g_rand_int_range(rand, 0, FAR_IN) == 0;
        draws[i].ahead = (uint16_t)(far ? g_rand_int_range(rand, TSIM_QUEUE_HORIZON, 60000)
                                        : g_rand_int_range(rand, 1, 1000));
        draws[i].unit = (uint16_t)g_rand_int_range(rand, 0, UNITS);
        draws[i].phase = (uint16_t)g_rand_int_range(rand, 0, TSIM_PHASE_SAMPLE);
    }
}

static TsimEvent next_event(uint64_t now, uint32_t step)
{
    const Draw *draw = &draws[step & (DRAWS - 1)];

    return (TsimEvent){.cycle = now + draw->ahead, .unit = draw->unit, .phase = draw->phase};
}

/* Of this process: a busy machine does not count. */
static double cpu_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One function a queue, written out by a macro: a call through a pointer would cost as much as the
 * queue itself. Gives the events a second. */
#define HOLD(function, Queue, prefix)                                                              \
    static double function(uint32_t pending)                                                       \
    {                                                                                              \
        TsimArena *arena = tsim_arena_new();                                                       \
        Queue *queue = prefix##_new(arena, pending + 1);                                           \
        TsimEvent event;                                                                           \
        for (uint32_t i = 0; i < pending; i++) {                                                   \
            event = next_event(0, i);                                                              \
            prefix##_post(queue, &event);                                                          \
        }                                                                                          \
        const double start = cpu_seconds();                                                        \
        for (uint32_t i = 0; i < STEPS; i++) {                                                     \
            prefix##_pop(queue, &event);                                                           \
            event = next_event(event.cycle, i);                                                    \
            prefix##_post(queue, &event);                                                          \
        }                                                                                          \
        const double elapsed = cpu_seconds() - start;                                              \
        tsim_arena_free(arena);                                                                    \
        return STEPS / elapsed;                                                                    \
    }

HOLD(hold_wheel, TsimQueue, tsim_queue)
HOLD(hold_heap, HeapQueue, heap_queue)

int main(void)
{
    static const uint32_t pendings[] = {64, 1024, 16384};

    make_draws();
    printf("pending_events,queue_mevents_per_s,heap_mevents_per_s,ratio\n");
    for (gsize i = 0; i < G_N_ELEMENTS(pendings); i++) {
        double wheel = 0.0;
        double heap = 0.0;
        for (int run = 0; run < RUNS; run++) {
            wheel = MAX(wheel, hold_wheel(pendings[i]));
            heap = MAX(heap, hold_heap(pendings[i]));
        }
        printf("%u,%.1f,%.1f,%.2f\n", pendings[i], wheel / 1e6, heap / 1e6, wheel / heap);
    }
    return 0;
}
