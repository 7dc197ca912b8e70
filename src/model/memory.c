#include "model/memory.h"

/* Streams and off-chip buffers live far apart in a made-up line address space. */
#define STREAM_SHIFT 40

/* The CUs of an array have successive numbers. */
static void init_arrays(TsimMemory *memory, TsimArena *arena, const TsimGpu *gpu)
{
    const uint32_t arrays = gpu->shader_engines * gpu->shader_arrays_per_se;
    uint32_t cu = 0;

    memory->array_l1 = TSIM_ARENA_NEW(arena, TsimL1, arrays);
    memory->arrays = TSIM_ARENA_NEW(arena, uint16_t, tsim_gpu_cus(gpu));
    for (uint32_t i = 0; i < arrays; i++) {
        const uint32_t se = i / gpu->shader_arrays_per_se;
        const uint32_t cus = tsim_gpu_cus_in_array(gpu, se, i % gpu->shader_arrays_per_se);
        tsim_cache_init(&memory->array_l1[i].cache, arena, gpu->array_l1_bytes, gpu->array_l1_ways);
        tsim_server_init(&memory->array_l1[i].server, gpu->array_l1_bytes_per_clk);
        for (uint32_t j = 0; j < cus; j++) {
            memory->arrays[cu++] = (uint16_t)i;
        }
    }
}

void tsim_memory_init(TsimMemory *memory, TsimArena *arena, const TsimGpu *gpu, uint32_t streams)
{
    const uint32_t cus = tsim_gpu_cus(gpu);

    memory->l1 = TSIM_ARENA_NEW(arena, TsimL1, cus);
    for (uint32_t cu = 0; cu < cus; cu++) {
        tsim_cache_init(&memory->l1[cu].cache, arena, gpu->l1_bytes, gpu->l1_ways);
        tsim_server_init(&memory->l1[cu].server, gpu->l1_bytes_per_clk);
    }
    if (gpu->array_l1_bytes > 0) {
        init_arrays(memory, arena, gpu);
    }
    tsim_cache_init(&memory->l2, arena, gpu->l2_bytes, gpu->l2_ways);
    tsim_server_init(&memory->l2_server, gpu->l2_bytes_per_clk);
    tsim_server_init(&memory->dram_server, gpu->dram_bytes_per_clk);
    memory->l1_latency = gpu->l1_latency;
    memory->array_l1_latency = gpu->array_l1_latency;
    memory->l2_latency = gpu->l2_latency;
    memory->dram_latency = gpu->dram_latency;
    memory->node_line_bytes = gpu->texture_line_bytes;
    memory->stream_lines = TSIM_ARENA_NEW(arena, uint64_t, streams);
}

static void reach_l2(TsimMemory *memory, TsimMemoryRequest *request, uint64_t line)
{
    const TsimCacheAccess access = tsim_cache_access(&memory->l2, line, request->write);

    request->l2_lines++;
    memory->l2_lines++;
    memory->l2_hits += access.hit ? 1 : 0;
    if (access.evicted_dirty) {
        request->dram_lines++;
        memory->dram_lines_written++;
    }
    if (!access.hit && !request->write) {
        request->dram_lines++;
        request->reached_dram = TRUE;
        memory->dram_lines_read++;
    }
}

void tsim_memory_line(TsimMemory *memory, TsimMemoryRequest *request, uint64_t line)
{
    request->l1_lines++;
    memory->l1_lines++;
    if (line == request->last_line) {
        memory->l1_hits++;
        return;
    }
    request->last_line = line;
    if (request->write) {
        /* The L1 writes through and does not keep what it writes. */
        reach_l2(memory, request, line);
        return;
    }
    if (tsim_cache_access(&memory->l1[request->cu].cache, line, FALSE).hit) {
        memory->l1_hits++;
    } else {
        reach_l2(memory, request, line);
    }
}

uint64_t tsim_memory_stream_base(uint32_t stream)
{
    return (uint64_t)(stream + 1) << STREAM_SHIFT;
}

/* TRUE when neither cache in front of the L2 has the line; all levels that are asked keep it. */
static gboolean look_up_node(TsimMemory *memory, TsimMemoryRequest *request, uint64_t line,
                             gboolean *ret_array_hit)
{
    request->l1_lines++;
    memory->l1_lines++;
    *ret_array_hit = FALSE;
    if (tsim_cache_access(&memory->l1[request->cu].cache, line, FALSE).hit) {
        memory->l1_hits++;
        return FALSE;
    }
    if (memory->array_l1 != NULL) {
        TsimL1 *array = &memory->array_l1[memory->arrays[request->cu]];
        request->array_l1_lines++;
        *ret_array_hit = tsim_cache_access(&array->cache, line, FALSE).hit;
    }
    return !*ret_array_hit;
}

/* A node line is one or two lines of the caches, found where the last of them is. */
void tsim_memory_node_line(TsimMemory *memory, TsimMemoryRequest *request, uint32_t stream,
                           uint64_t node_line)
{
    const uint64_t base = tsim_memory_stream_base(stream);
    const uint32_t parts = memory->node_line_bytes / TSIM_LINE_BYTES;
    const uint64_t l2_missed = memory->l2_lines - memory->l2_hits;
    const uint32_t l2_asked = request->l2_lines;
    gboolean array_hit = FALSE;

    for (uint32_t i = 0; i < parts; i++) {
        const uint64_t line = base + node_line * parts + i;
        gboolean part_array_hit;
        if (look_up_node(memory, request, line, &part_array_hit)) {
            reach_l2(memory, request, line);
        }
        array_hit = array_hit || part_array_hit;
    }
    memory->nodes.lines++;
    if (request->l2_lines == l2_asked) {
        memory->nodes.array_l1_hits += array_hit ? 1 : 0;
        memory->nodes.l1_hits += array_hit ? 0 : 1;
    } else {
        memory->nodes.l2_hits += memory->l2_lines - memory->l2_hits == l2_missed ? 1 : 0;
    }
}

void tsim_memory_stream(TsimMemory *memory, TsimMemoryRequest *request, uint32_t stream,
                        uint64_t footprint_lines, uint64_t lines)
{
    const uint64_t base = tsim_memory_stream_base(stream);
    uint64_t *next = &memory->stream_lines[stream];

    for (uint64_t i = 0; i < lines; i++) {
        tsim_memory_line(memory, request, base + *next);
        (*next)++;
        if (*next == footprint_lines) {
            *next = 0;
        }
    }
}

uint64_t tsim_memory_post(TsimMemory *memory, const TsimMemoryRequest *request, uint64_t now)
{
    TsimL1 *l1 = &memory->l1[request->cu];
    uint64_t done =
        tsim_server_book(&l1->server, now, (uint64_t)request->l1_lines * TSIM_LINE_BYTES);

    if (request->array_l1_lines > 0) {
        TsimServer *server = &memory->array_l1[memory->arrays[request->cu]].server;
        const uint64_t array_done =
            tsim_server_book(server, now, (uint64_t)request->array_l1_lines * TSIM_LINE_BYTES);
        done = MAX(done, array_done);
    }
    if (request->l2_lines > 0) {
        const uint64_t l2_done = tsim_server_book(&memory->l2_server, now,
                                                  (uint64_t)request->l2_lines * TSIM_LINE_BYTES);
        done = MAX(done, l2_done);
    }
    if (request->dram_lines > 0) {
        const uint64_t dram_done = tsim_server_book(
            &memory->dram_server, now, (uint64_t)request->dram_lines * TSIM_LINE_BYTES);
        done = MAX(done, dram_done);
    }
    return done;
}

uint64_t tsim_memory_issue(TsimMemory *memory, const TsimMemoryRequest *request, uint64_t now)
{
    const uint64_t done = tsim_memory_post(memory, request, now);

    if (request->reached_dram) {
        return done + memory->dram_latency;
    }
    return done + (request->l2_lines > 0         ? memory->l2_latency
                   : request->array_l1_lines > 0 ? memory->array_l1_latency
                                                 : memory->l1_latency);
}
