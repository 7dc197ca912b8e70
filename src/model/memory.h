/* The vector memory path: an L1 a CU, one L2, DRAM (model 3d); BVH nodes pass through the cache of
 * the shader array as well, where the GPU has one (model 6).
 *
 * Accesses are 64-byte lines, merged inside one instruction. A line is looked up in real tags on
 * its way down; each level it reaches is booked at the cycle of issue, and the data is back when
 * the slowest level has served the request, plus the latency of the furthest level.
 */
#pragma once

#include "base/arena.h"
#include "hw/gpu.h"
#include "model/cache.h"
#include "model/server.h"

typedef struct {
    TsimCache cache;
    TsimServer server; /* bytes */
} TsimL1;

/* Node lines (of node_line_bytes) by where they were found. */
typedef struct {
    uint64_t lines, l1_hits, array_l1_hits, l2_hits;
} TsimNodeFetches;

typedef struct {
    TsimL1 *l1;       /* by CU */
    TsimL1 *array_l1; /* by shader array; NULL: none */
    uint16_t *arrays; /* that each CU belongs to */
    TsimCache l2;
    TsimServer l2_server, dram_server; /* bytes */
    uint32_t l1_latency, array_l1_latency, l2_latency, dram_latency;
    uint32_t node_line_bytes; /* 64 or 128 */
    uint64_t *stream_lines;   /* next line of each address stream */
    uint64_t l1_lines, l1_hits, l2_lines, l2_hits;
    uint64_t dram_lines_read, dram_lines_written;
    TsimNodeFetches nodes;
} TsimMemory;

/* One request in the making: the lines of one or more instructions of a wave. */
typedef struct {
    uint32_t cu;
    gboolean write;
    uint32_t l1_lines, array_l1_lines, l2_lines, dram_lines;
    gboolean reached_dram; /* a read had to go there */
    uint64_t
        last_line; /* the line before, to spare a second look-up of the same one; ~0 at first */
} TsimMemoryRequest;

void tsim_memory_init(TsimMemory *memory, TsimArena *arena, const TsimGpu *gpu, uint32_t streams);

static inline TsimMemoryRequest tsim_memory_request(uint32_t cu, gboolean write)
{
    return (TsimMemoryRequest){.cu = cu, .write = write, .last_line = UINT64_MAX};
}

/* Line address at which a stream begins; streams are far apart. */
uint64_t tsim_memory_stream_base(uint32_t stream);

/* One line of an instruction, by line address. */
void tsim_memory_line(TsimMemory *memory, TsimMemoryRequest *request, uint64_t line);

/* One node line, by its number from the start of the stream's addresses. Lines of an instruction
 * must differ. */
void tsim_memory_node_line(TsimMemory *memory, TsimMemoryRequest *request, uint32_t stream,
                           uint64_t node_line);

/* `lines` lines of a stream that walks through footprint_lines (0: without end). */
void tsim_memory_stream(TsimMemory *memory, TsimMemoryRequest *request, uint32_t stream,
                        uint64_t footprint_lines, uint64_t lines);

/* Books the request; returns the cycle at which its data is back, or its stores are acknowledged.
 */
uint64_t tsim_memory_issue(TsimMemory *memory, const TsimMemoryRequest *request, uint64_t now);

/* Cycle at which the levels have taken a store in, without the way back. */
uint64_t tsim_memory_post(TsimMemory *memory, const TsimMemoryRequest *request, uint64_t now);
