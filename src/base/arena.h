/* One growing block of memory per simulator: everything is taken from it before the run and given
 * back in one go. Memory is zeroed and aligned to 16 bytes. Not thread safe; one arena, one owner.
 */
#pragma once

#include <stddef.h>

typedef struct TsimArena TsimArena;

TsimArena *tsim_arena_new(void);
void tsim_arena_free(TsimArena *arena); /* NULL is fine */

/* count * size zeroed bytes, never NULL (memory exhaustion aborts, as everywhere in GLib). */
void *tsim_arena_alloc(TsimArena *arena, size_t count, size_t size);

size_t tsim_arena_used_bytes(const TsimArena *arena);

#define TSIM_ARENA_NEW(arena, type, count)                                                         \
    ((type *)tsim_arena_alloc((arena), (count), sizeof(type)))
