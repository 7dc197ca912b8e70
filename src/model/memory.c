#include "model/memory.h"

/* Streams and off-chip buffers live far apart in a made-up line address space. */
#define STREAM_SHIFT 40

void tsim_memory_init(TsimMemory *memory, TsimArena *arena, const TsimGpu *gpu, uint32_t streams)
{
    const uint32_t cus = tsim_gpu_cus(gpu);

    memory->l1 = TSIM_ARENA_NEW(arena, TsimL1, cus);
    for (uint32_t cu = 0; cu < cus; cu++) {
        tsim_cache_init(&memory->l1[cu].cache, arena, gpu->l1_bytes, gpu->l1_ways);
        tsim_server_init(&memory->l1[cu].server, gpu->l1_bytes_per_clk);
    }
    tsim_cache_init(&memory->l2, arena, gpu->l2_bytes, gpu->l2_ways);
    tsim_server_init(&memory->l2_server, gpu->l2_bytes_per_clk);
    tsim_server_init(&memory->dram_server, gpu->dram_bytes_per_clk);
    memory->l1_latency = gpu->l1_latency;
    memory->l2_latency = gpu->l2_latency;
    memory->dram_latency = gpu->dram_latency;
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
    return done + (request->l2_lines > 0 ? memory->l2_latency : memory->l1_latency);
}
