/* A timing wheel: one slot a cycle, four first-in first-out lists a slot, and a bitmap of busy
 * slots. A GPU's events lie a few hundred cycles ahead, so nearly all of them cost a list append
 * and a bit scan; the few that lie beyond the wheel wait in a heap and move in as the clock
 * advances.
 *
 * Events of the running phase are kept apart, sorted by unit, because handlers may add to that
 * phase.
 */
#include "engine/queue.h"

#include "base/error.h"

#define SLOTS       TSIM_QUEUE_HORIZON
#define SLOT_MASK   (SLOTS - 1)
#define BITMAP_WORD 64
#define BITMAP_SIZE (SLOTS / BITMAP_WORD)
#define NONE        UINT32_MAX
#define HEAP_ARITY  4

G_STATIC_ASSERT(BITMAP_SIZE == 64); /* one summary word covers the bitmap */

typedef struct {
    uint32_t next;
    uint32_t unit;
    uint32_t arg;
    uint16_t type;
    uint16_t phase;
} Node;

typedef struct {
    uint32_t first[TSIM_PHASES];
    uint32_t last[TSIM_PHASES];
} Slot;

typedef struct {
    uint64_t cycle;
    uint64_t sequence; /* first posted, first out among equals */
    uint32_t node;
} Far;

struct TsimQueue {
    uint64_t now;
    uint64_t summary;           /* which words of busy are not zero */
    uint64_t busy[BITMAP_SIZE]; /* which slots hold events */
    uint32_t running;           /* sorted list of the phase that is running */
    uint32_t running_phase;
    uint32_t free;
    uint32_t pending;
    uint32_t far_n;
    uint64_t far_sequence;
    uint64_t far_next_cycle; /* cycle of the earliest far event; UINT64_MAX: none */
    Node *nodes;
    Slot *slots;
    Far *far;
};

TsimQueue *tsim_queue_new(TsimArena *arena, uint32_t capacity)
{
    TsimQueue *queue = TSIM_ARENA_NEW(arena, TsimQueue, 1);

    queue->nodes = TSIM_ARENA_NEW(arena, Node, capacity);
    queue->slots = TSIM_ARENA_NEW(arena, Slot, SLOTS);
    queue->far = TSIM_ARENA_NEW(arena, Far, capacity);
    for (uint32_t i = 0; i < capacity; i++) {
        queue->nodes[i].next = i + 1 < capacity ? i + 1 : NONE;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        for (uint32_t phase = 0; phase < TSIM_PHASES; phase++) {
            queue->slots[i].first[phase] = NONE;
        }
    }
    queue->free = capacity > 0 ? 0 : NONE;
    queue->running = NONE;
    queue->far_next_cycle = UINT64_MAX;
    return queue;
}

/* ---- Far events: a heap by cycle, then posting ---- */

static gboolean far_before(const Far *a, const Far *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->sequence < b->sequence;
}

static void far_push(TsimQueue *queue, Far entry)
{
    Far *heap = queue->far;
    uint32_t at = queue->far_n++;

    while (at > 0 && far_before(&entry, &heap[(at - 1) / HEAP_ARITY])) {
        heap[at] = heap[(at - 1) / HEAP_ARITY];
        at = (at - 1) / HEAP_ARITY;
    }
    heap[at] = entry;
    queue->far_next_cycle = heap[0].cycle;
}

static Far far_pop(TsimQueue *queue)
{
    Far *heap = queue->far;
    const Far top = heap[0];
    const Far moved = heap[--queue->far_n];
    uint32_t at = 0;

    for (;;) {
        const uint32_t child = at * HEAP_ARITY + 1;
        uint32_t best = child;
        if (child >= queue->far_n) {
            break;
        }
        for (uint32_t i = child + 1; i < MIN(child + HEAP_ARITY, queue->far_n); i++) {
            best = far_before(&heap[i], &heap[best]) ? i : best;
        }
        if (!far_before(&heap[best], &moved)) {
            break;
        }
        heap[at] = heap[best];
        at = best;
    }
    heap[at] = moved;
    queue->far_next_cycle = queue->far_n > 0 ? heap[0].cycle : UINT64_MAX;
    return top;
}

/* ---- The wheel ---- */

static void append_to_slot(TsimQueue *queue, uint64_t cycle, uint32_t index)
{
    const uint32_t at = (uint32_t)(cycle & SLOT_MASK);
    Slot *slot = &queue->slots[at];
    const uint32_t phase = queue->nodes[index].phase;

    queue->nodes[index].next = NONE;
    if (slot->first[phase] == NONE) {
        slot->first[phase] = index;
        queue->busy[at / BITMAP_WORD] |= UINT64_C(1) << (at % BITMAP_WORD);
        queue->summary |= UINT64_C(1) << (at / BITMAP_WORD);
    } else {
        queue->nodes[slot->last[phase]].next = index;
    }
    slot->last[phase] = index;
}

/* Into the running list, behind everything of the same or a lower unit. */
static void insert_running(TsimQueue *queue, uint32_t index)
{
    Node *nodes = queue->nodes;
    uint32_t *link = &queue->running;

    while (*link != NONE && nodes[*link].unit <= nodes[index].unit) {
        link = &nodes[*link].next;
    }
    nodes[index].next = *link;
    *link = index;
}

/* Stable merge of two lists that are sorted by unit; a was posted before b. */
static uint32_t merge(Node *nodes, uint32_t a, uint32_t b)
{
    uint32_t head = NONE;
    uint32_t *link = &head;

    while (a != NONE && b != NONE) {
        uint32_t *taken = nodes[b].unit < nodes[a].unit ? &b : &a;
        *link = *taken;
        link = &nodes[*taken].next;
        *taken = *link;
    }
    *link = a != NONE ? a : b;
    return head;
}

/* Stable sort by unit. Lists are short, but a crowd (cycle 0, a barrier) must not cost its square:
 * lists of 1, 2, 4 ... nodes wait in levels until an equal one comes. */
static uint32_t sort_by_unit(Node *nodes, uint32_t first)
{
    uint32_t levels[32];
    uint32_t used = 0;

    if (nodes[first].next == NONE) {
        return first;
    }
    for (uint32_t count = 0; first != NONE; count++) {
        uint32_t list = first;
        first = nodes[first].next;
        nodes[list].next = NONE;
        uint32_t level = 0;
        for (; (count >> level & 1) != 0; level++) {
            list = merge(nodes, levels[level], list);
        }
        levels[level] = list;
        used = count + 1;
    }
    uint32_t sorted = NONE;
    for (uint32_t level = 0; level < 32; level++) {
        if ((used >> level & 1) != 0) {
            sorted = merge(nodes, levels[level], sorted);
        }
    }
    return sorted;
}

/* First busy slot at or after the clock, as cycles ahead of it; SLOTS when there is none. */
static uint32_t cycles_to_busy_slot(const TsimQueue *queue)
{
    const uint32_t start = (uint32_t)(queue->now & SLOT_MASK);
    const uint32_t word = start / BITMAP_WORD;
    const uint64_t here = queue->busy[word] >> (start % BITMAP_WORD);

    if (here != 0) {
        return (uint32_t)__builtin_ctzll(here);
    }
    if (queue->summary == 0) {
        return SLOTS;
    }
    /* Rotate so that the word after ours is bit 0; our own word, wrapped round, is bit 63. */
    const uint32_t shift = (word + 1) % BITMAP_SIZE;
    const uint64_t rotated =
        shift == 0 ? queue->summary : queue->summary >> shift | queue->summary << (64 - shift);
    const uint32_t next = (shift + (uint32_t)__builtin_ctzll(rotated)) % BITMAP_SIZE;
    const uint32_t bit = (uint32_t)__builtin_ctzll(queue->busy[next]);
    return (next * BITMAP_WORD + bit - start) & SLOT_MASK;
}

static void advance_clock(TsimQueue *queue, uint64_t cycle)
{
    queue->now = cycle;
    queue->running_phase = TSIM_PHASE_RELEASE;
    /* Before anything of the new time is handed out: far events were posted first and must come
     * first. */
    while (queue->far_next_cycle < cycle + SLOTS) {
        const Far entry = far_pop(queue);
        append_to_slot(queue, entry.cycle, entry.node);
    }
}

void tsim_queue_post(TsimQueue *queue, const TsimEvent *event)
{
    const uint32_t index = queue->free;

    TSIM_ASSERT(index != NONE);
    TSIM_ASSERT_HOT(event->cycle > queue->now ||
                    (event->cycle == queue->now && event->phase >= queue->running_phase));
    queue->free = queue->nodes[index].next;
    queue->nodes[index] = (Node){NONE, event->unit, event->arg, event->type, event->phase};
    queue->pending++;
    if (event->cycle == queue->now && event->phase == queue->running_phase &&
        queue->running != NONE) {
        insert_running(queue, index);
    } else if (event->cycle < queue->now + SLOTS) {
        append_to_slot(queue, event->cycle, index);
    } else {
        far_push(queue, (Far){event->cycle, queue->far_sequence++, index});
    }
}

/* Makes the next phase that has events the running one; FALSE when the slot of the clock is empty.
 */
static gboolean load_next_phase(TsimQueue *queue)
{
    const uint32_t at = (uint32_t)(queue->now & SLOT_MASK);
    Slot *slot = &queue->slots[at];

    for (uint32_t phase = 0; phase < TSIM_PHASES; phase++) {
        if (slot->first[phase] != NONE) {
            queue->running = sort_by_unit(queue->nodes, slot->first[phase]);
            queue->running_phase = phase;
            slot->first[phase] = NONE;
            return TRUE;
        }
    }
    queue->busy[at / BITMAP_WORD] &= ~(UINT64_C(1) << (at % BITMAP_WORD));
    if (queue->busy[at / BITMAP_WORD] == 0) {
        queue->summary &= ~(UINT64_C(1) << (at / BITMAP_WORD));
    }
    return FALSE;
}

gboolean tsim_queue_pop(TsimQueue *queue, TsimEvent *ret_event)
{
    if (queue->pending == 0) {
        return FALSE;
    }
    while (queue->running == NONE && !load_next_phase(queue)) {
        const uint32_t ahead = cycles_to_busy_slot(queue);
        advance_clock(queue, ahead < SLOTS ? queue->now + ahead : queue->far_next_cycle);
    }
    const uint32_t index = queue->running;
    Node *node = &queue->nodes[index];
    *ret_event =
        (TsimEvent){queue->now, node->unit, node->arg, node->type, (uint16_t)queue->running_phase};
    queue->running = node->next;
    node->next = queue->free;
    queue->free = index;
    queue->pending--;
    return TRUE;
}

uint64_t tsim_queue_now(const TsimQueue *queue)
{
    return queue->now;
}

uint32_t tsim_queue_pending(const TsimQueue *queue)
{
    return queue->pending;
}
