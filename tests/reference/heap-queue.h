/* The event queue as one plain binary heap: the oracle of engine/queue.h.
 *
 * The same functions, the same order (cycle, phase, unit, posting) and the same contract, without
 * any of its care for speed. Every posting gets a number, so that no two events compare equal.
 */
#pragma once

#include "engine/queue.h"

typedef struct HeapQueue HeapQueue;

HeapQueue *heap_queue_new(TsimArena *arena, uint32_t capacity);
void heap_queue_post(HeapQueue *queue, const TsimEvent *event);
gboolean heap_queue_pop(HeapQueue *queue, TsimEvent *ret_event);
uint64_t heap_queue_now(const HeapQueue *queue);
uint32_t heap_queue_pending(const HeapQueue *queue);
