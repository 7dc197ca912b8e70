/* A timing wheel: one list a phase of a cycle ("tick"), and a bitmap of the lists that hold events.
 * A GPU's events lie a few hundred cycles ahead, so nearly all of them cost a push and a bit scan;
 * the few that lie beyond the wheel wait in a heap and move in as the clock advances.
 *
 * Lists are last in, first out, and stay unsorted until their tick comes: most hold one event. The
 * list of the running tick is sorted, because handlers may add to it.
 */
#include "engine/queue.h"

#include "base/error.h"

#define LIST_MASK     (LISTS - 1)
#define WORD_BITS     64
#define BUSY_WORDS    (LISTS / WORD_BITS)
#define SUMMARY_WORDS (BUSY_WORDS / WORD_BITS)
#define NONE          UINT32_MAX
#define HEAP_ARITY    4

enum {
    LISTS = TSIM_QUEUE_HORIZON * TSIM_PHASES,
};

G_STATIC_ASSERT((LISTS & LIST_MASK) == 0 && SUMMARY_WORDS > 0);

typedef struct {
    uint32_t next;
    uint32_t unit;
    uint32_t arg;
    uint16_t type;
} Node;

typedef struct {
    uint64_t tick;
    uint64_t sequence; /* first posted, first out among equals */
    uint32_t node;
} Far;

struct TsimQueue {
    uint64_t now_tick; /* cycle * TSIM_PHASES + phase of the last popped event */
    uint32_t running;  /* what is left of that tick's events, sorted */
    uint32_t free;
    uint32_t pending;
    uint32_t far_n;
    uint64_t far_sequence;
    uint64_t far_next_tick; /* tick of the earliest far event; UINT64_MAX: none */
    Node *nodes;
    Far *far;
    uint64_t summary[SUMMARY_WORDS]; /* which words of busy are not zero */
    uint64_t busy[BUSY_WORDS];       /* which lists hold events */
    uint32_t lists[LISTS];           /* first node */
};

TsimQueue *tsim_queue_new(TsimArena *arena, uint32_t capacity)
{
    TsimQueue *queue = TSIM_ARENA_NEW(arena, TsimQueue, 1);

    queue->nodes = TSIM_ARENA_NEW(arena, Node, capacity);
    queue->far = TSIM_ARENA_NEW(arena, Far, capacity);
    for (uint32_t i = 0; i < capacity; i++) {
        queue->nodes[i].next = i + 1 < capacity ? i + 1 : NONE;
    }
    for (uint32_t i = 0; i < LISTS; i++) {
        queue->lists[i] = NONE;
    }
    queue->free = capacity > 0 ? 0 : NONE;
    queue->running = NONE;
    queue->far_next_tick = UINT64_MAX;
    return queue;
}

/* ---- Far events: a heap by tick, then posting ---- */

static gboolean far_before(const Far *a, const Far *b)
{
    return a->tick != b->tick ? a->tick < b->tick : a->sequence < b->sequence;
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
    queue->far_next_tick = heap[0].tick;
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
    queue->far_next_tick = queue->far_n > 0 ? heap[0].tick : UINT64_MAX;
    return top;
}

/* ---- The wheel ---- */

static void push_to_list(TsimQueue *queue, uint64_t tick, uint32_t index)
{
    const uint32_t list = (uint32_t)(tick & LIST_MASK);
    const uint32_t word = list / WORD_BITS;

    queue->nodes[index].next = queue->lists[list];
    queue->lists[list] = index;
    queue->busy[word] |= UINT64_C(1) << (list % WORD_BITS);
    queue->summary[word / WORD_BITS] |= UINT64_C(1) << (word % WORD_BITS);
}

static uint32_t take_list(TsimQueue *queue, uint64_t tick)
{
    const uint32_t list = (uint32_t)(tick & LIST_MASK);
    const uint32_t word = list / WORD_BITS;
    const uint32_t first = queue->lists[list];

    queue->lists[list] = NONE;
    queue->busy[word] &= ~(UINT64_C(1) << (list % WORD_BITS));
    if (queue->busy[word] == 0) {
        queue->summary[word / WORD_BITS] &= ~(UINT64_C(1) << (word % WORD_BITS));
    }
    return first;
}

/* The first word of busy after `word` that is not zero, going round; NONE when all are zero. */
static uint32_t next_busy_word(const TsimQueue *queue, uint32_t word)
{
    const uint32_t start = (word + 1) % BUSY_WORDS;
    uint64_t bits = queue->summary[start / WORD_BITS] & (UINT64_MAX << (start % WORD_BITS));

    /* The word that we start in comes up again at the end, for its lower bits. */
    for (uint32_t i = 0; i <= SUMMARY_WORDS; i++) {
        const uint32_t at = (start / WORD_BITS + i) % SUMMARY_WORDS;
        bits = i > 0 ? queue->summary[at] : bits;
        if (bits != 0) {
            return at * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
        }
    }
    return NONE;
}

/* The tick of the earliest event; there is one. */
static uint64_t next_tick(const TsimQueue *queue)
{
    const uint32_t start = (uint32_t)(queue->now_tick & LIST_MASK);
    const uint32_t word = start / WORD_BITS;
    const uint64_t here = queue->busy[word] >> (start % WORD_BITS);

    if (here != 0) {
        return queue->now_tick + (uint32_t)__builtin_ctzll(here);
    }
    const uint32_t next = next_busy_word(queue, word);
    if (next == NONE) {
        return queue->far_next_tick;
    }
    const uint32_t list = next * WORD_BITS + (uint32_t)__builtin_ctzll(queue->busy[next]);
    return queue->now_tick + ((list - start) & LIST_MASK);
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

/* Sorts by unit, then posting, a list that runs from the last posted to the first. Most lists are
 * short, but a crowd (cycle 0, a barrier) must not cost its square: lists of 1, 2, 4 ... nodes wait
 * in levels until an equal one comes. */
static uint32_t sort_by_unit(Node *nodes, uint32_t first)
{
    uint32_t levels[32];
    uint32_t count = 0;

    for (; first != NONE; count++) {
        uint32_t list = first;
        uint32_t level = 0;
        first = nodes[first].next;
        nodes[list].next = NONE;
        for (; (count >> level & 1) != 0; level++) {
            list = merge(nodes, list, levels[level]);
        }
        levels[level] = list;
    }
    uint32_t sorted = NONE;
    for (uint32_t level = 0; count >> level != 0; level++) {
        if ((count >> level & 1) != 0) {
            sorted = merge(nodes, sorted, levels[level]);
        }
    }
    return sorted;
}

/* Makes the next tick that has events the running one. */
static void start_tick(TsimQueue *queue, uint64_t tick)
{
    queue->now_tick = tick;
    /* Before anything of the new time is handed out: far events were posted first and must come
     * first. */
    while (queue->far_next_tick < tick + LISTS) {
        const Far entry = far_pop(queue);
        push_to_list(queue, entry.tick, entry.node);
    }
    const uint32_t first = take_list(queue, tick);
    queue->running = queue->nodes[first].next == NONE ? first : sort_by_unit(queue->nodes, first);
}

void tsim_queue_post(TsimQueue *queue, const TsimEvent *event)
{
    const uint64_t tick = event->cycle * TSIM_PHASES + event->phase;
    const uint32_t index = queue->free;

    TSIM_ASSERT(index != NONE);
    TSIM_ASSERT_HOT(tick >= queue->now_tick);
    queue->free = queue->nodes[index].next;
    queue->nodes[index] = (Node){NONE, event->unit, event->arg, event->type};
    queue->pending++;
    if (tick - queue->now_tick >= LISTS) {
        far_push(queue, (Far){tick, queue->far_sequence++, index});
    } else if (tick == queue->now_tick && queue->running != NONE) {
        insert_running(queue, index);
    } else {
        push_to_list(queue, tick, index);
    }
}

gboolean tsim_queue_pop(TsimQueue *queue, TsimEvent *ret_event)
{
    if (queue->pending == 0) {
        return FALSE;
    }
    if (queue->running == NONE) {
        start_tick(queue, next_tick(queue));
    }
    const uint32_t index = queue->running;
    Node *node = &queue->nodes[index];
    *ret_event = (TsimEvent){queue->now_tick / TSIM_PHASES, node->unit, node->arg, node->type,
                             (uint16_t)(queue->now_tick % TSIM_PHASES)};
    queue->running = node->next;
    node->next = queue->free;
    queue->free = index;
    queue->pending--;
    return TRUE;
}

uint64_t tsim_queue_now(const TsimQueue *queue)
{
    return queue->now_tick / TSIM_PHASES;
}

uint32_t tsim_queue_pending(const TsimQueue *queue)
{
    return queue->pending;
}
