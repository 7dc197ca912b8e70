#include "base/arena.h"

#include "base/error.h"

#include <glib.h>

struct TsimArena {
    GPtrArray *blocks;
    size_t used_bytes;
};

TsimArena *tsim_arena_new(void)
{
    TsimArena *arena = g_new0(TsimArena, 1);

    arena->blocks = g_ptr_array_new_with_free_func(g_free);
    return arena;
}

void tsim_arena_free(TsimArena *arena)
{
    if (arena == NULL) {
        return;
    }
    g_ptr_array_free(arena->blocks, TRUE);
    g_free(arena);
}

void *tsim_arena_alloc(TsimArena *arena, size_t count, size_t size)
{
    TSIM_ASSERT(size == 0 || count <= G_MAXSIZE / size);

    /* Whole blocks from calloc: they are few, large and zeroed for free by the kernel. */
    void *block = g_malloc0(MAX(count * size, 1));

    g_ptr_array_add(arena->blocks, block);
    arena->used_bytes += count * size;
    return block;
}

size_t tsim_arena_used_bytes(const TsimArena *arena)
{
    return arena->used_bytes;
}
