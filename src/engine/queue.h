/* The event queue: what happens next, in one total order.
 *
 * Order: cycle, phase, unit, posting. A cycle has four phases: what is released in RELEASE and
 * arrives in DELIVER may be taken in ARBITRATE of the same cycle. Within a phase units go in
 * ascending number, so that the result does not depend on which of them happened to post first
 * (model section 1).
 *
 * Fixed capacity, no allocation after tsim_queue_new. Posting and popping are O(1) for events less
 * than TSIM_QUEUE_HORIZON cycles ahead, O(log n) beyond. tests/reference/heap-queue.c is the plain
 * oracle.
 */
#pragma once

#include "base/arena.h"

#include <glib.h>
#include <stdint.h>

typedef enum {
    TSIM_PHASE_RELEASE,   /* waves end; LDS, ring and buffer space return */
    TSIM_PHASE_DELIVER,   /* data and work arrive */
    TSIM_PHASE_ARBITRATE, /* launchers decide */
    TSIM_PHASE_SAMPLE,    /* timelines */
    TSIM_PHASES,
} TsimPhase;

#define TSIM_QUEUE_HORIZON 4096

typedef struct {
    uint64_t cycle;
    uint32_t unit; /* orders events of one phase */
    uint32_t arg;  /* an index, never a pointer */
    uint16_t type;
    uint16_t phase;
} TsimEvent;

typedef struct TsimQueue TsimQueue;

/* Memory comes from arena and goes with it. capacity: most events pending at once. */
TsimQueue *tsim_queue_new(TsimArena *arena, uint32_t capacity);

/* The event may not lie in the past: (cycle, phase) must not be before the last popped one. */
void tsim_queue_post(TsimQueue *queue, const TsimEvent *event);

/* FALSE when nothing is pending. Moves the clock to the event. */
gboolean tsim_queue_pop(TsimQueue *queue, TsimEvent *ret_event);

uint64_t tsim_queue_now(const TsimQueue *queue); /* cycle of the last popped event */
uint32_t tsim_queue_pending(const TsimQueue *queue);
