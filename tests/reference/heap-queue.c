#include "heap-queue.h"

#include "base/error.h"

typedef struct {
    TsimEvent event;
    uint64_t posting; /* number of the posting: first in, first out among equals */
} Entry;

struct HeapQueue {
    uint64_t now;
    uint64_t postings;
    uint32_t n;
    uint32_t capacity;
    Entry *entries; /* entry i comes before its children 2i + 1 and 2i + 2 */
};

HeapQueue *heap_queue_new(TsimArena *arena, uint32_t capacity)
{
    HeapQueue *queue = TSIM_ARENA_NEW(arena, HeapQueue, 1);

    queue->entries = TSIM_ARENA_NEW(arena, Entry, capacity);
    queue->capacity = capacity;
    return queue;
}

static gboolean comes_before(const Entry *a, const Entry *b)
{
    if (a->event.cycle != b->event.cycle) {
        return a->event.cycle < b->event.cycle;
    }
    if (a->event.phase != b->event.phase) {
        return a->event.phase < b->event.phase;
    }
    if (a->event.unit != b->event.unit) {
        return a->event.unit < b->event.unit;
    }
    return a->posting < b->posting;
}

void heap_queue_post(HeapQueue *queue, const TsimEvent *event)
{
    const Entry entry = {*event, queue->postings++};
    uint32_t at = queue->n++;

    TSIM_ASSERT(queue->n <= queue->capacity);
    while (at > 0 && comes_before(&entry, &queue->entries[(at - 1) / 2])) {
        queue->entries[at] = queue->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    queue->entries[at] = entry;
}

gboolean heap_queue_pop(HeapQueue *queue, TsimEvent *ret_event)
{
    Entry *entries = queue->entries;
    uint32_t at = 0;

    if (queue->n == 0) {
        return FALSE;
    }
    *ret_event = entries[0].event;
    queue->now = ret_event->cycle;
    const Entry moved = entries[--queue->n];
    for (uint32_t child = 1; child < queue->n; child = 2 * at + 1) {
        if (child + 1 < queue->n && comes_before(&entries[child + 1], &entries[child])) {
            child++;
        }
        if (!comes_before(&entries[child], &moved)) {
            break;
        }
        entries[at] = entries[child];
        at = child;
    }
    entries[at] = moved;
    return TRUE;
}

uint64_t heap_queue_now(const HeapQueue *queue)
{
    return queue->now;
}

uint32_t heap_queue_pending(const HeapQueue *queue)
{
    return queue->n;
}
