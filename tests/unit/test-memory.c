/* model/memory.h and model/server.h: what each level is asked for, and when data is back (model
 * 3d). */
#include "model/memory.h"

static TsimArena *arena;
static TsimGpu *gpu;
static TsimMemory memory;

/* L1 64 bytes a clock and 100 cycles, L2 128 and 200, DRAM 32 and 400. */
static void start(void)
{
    arena = tsim_arena_new();
    gpu = tsim_gpu_new();
    gpu->l1_bytes_per_clk = (TsimRate){64, 1};
    gpu->l2_bytes_per_clk = (TsimRate){128, 1};
    gpu->dram_bytes_per_clk = (TsimRate){32, 1};
    gpu->l1_latency = 100;
    gpu->l2_latency = 200;
    gpu->dram_latency = 400;
    memory = (TsimMemory){.l1 = NULL};
    tsim_memory_init(&memory, arena, gpu, 2);
}

static void stop(void)
{
    tsim_gpu_free(gpu);
    tsim_arena_free(arena);
}

static uint64_t read_lines(uint32_t cu, uint32_t stream, uint64_t footprint, uint64_t lines,
                           uint64_t now)
{
    TsimMemoryRequest request = tsim_memory_request(cu, FALSE);

    tsim_memory_stream(&memory, &request, stream, footprint, lines);
    return tsim_memory_issue(&memory, &request, now);
}

/* Four fresh lines, 256 bytes: L1 4 clocks, L2 2, DRAM 8, so back at 1000 + 8 + 400. */
static void test_dram_is_slowest(void)
{
    start();
    g_assert_cmpuint(read_lines(0, 0, 0, 4, 1000), ==, 1408);
    g_assert_cmpuint(memory.dram_lines_read, ==, 4);
    stop();
}

/* The same 4 lines again: in the L1 of CU 0 (4 clocks, 100), for CU 1 in the L2 (its L1 4 clocks,
 * 200). */
static void test_reuse(void)
{
    start();
    read_lines(0, 0, 4, 4, 0);
    g_assert_cmpuint(read_lines(0, 0, 4, 4, 1000), ==, 1104);
    g_assert_cmpuint(read_lines(1, 0, 4, 4, 2000), ==, 2204);
    g_assert_cmpuint(memory.dram_lines_read, ==, 4);
    g_assert_cmpuint(memory.l1_hits, ==, 4);
    g_assert_cmpuint(memory.l2_hits, ==, 4);
    stop();
}

/* Two requests in one cycle share the DRAM: the second waits for the first's 8 clocks. */
static void test_queueing(void)
{
    start();
    g_assert_cmpuint(read_lines(0, 0, 0, 4, 0), ==, 408);
    g_assert_cmpuint(read_lines(1, 1, 0, 4, 0), ==, 416);
    stop();
}

/* Equal lines in a row are looked up once but pass the L1 each. */
static void test_merging(void)
{
    start();
    TsimMemoryRequest request = tsim_memory_request(0, FALSE);
    for (int i = 0; i < 3; i++) {
        tsim_memory_line(&memory, &request, 7);
    }
    g_assert_cmpuint(request.l1_lines, ==, 3);
    g_assert_cmpuint(request.l2_lines, ==, 1);
    stop();
}

/* A store is acknowledged after the L2; its line is written back when it has to make room. */
static void test_stores(void)
{
    start();
    TsimMemoryRequest request = tsim_memory_request(0, TRUE);
    tsim_memory_line(&memory, &request, 7);
    g_assert_cmpuint(tsim_memory_issue(&memory, &request, 0), ==, 201);
    g_assert_cmpuint(memory.dram_lines_written, ==, 0);
    /* Every other line of the L2, twice over: line 7 is pushed out once. */
    read_lines(0, 0, 0, 2 * (uint64_t)gpu->l2_bytes / 64, 10);
    g_assert_cmpuint(memory.dram_lines_written, ==, 1);
    stop();
}

/* 3 units at 2/3 a cycle take 4.5 cycles: two in a row are done at 5 and at 9, nothing is lost by
 * rounding. */
static void test_server_is_exact(void)
{
    TsimServer server;

    tsim_server_init(&server, (TsimRate){2, 3});
    g_assert_cmpuint(tsim_server_book(&server, 0, 3), ==, 5);
    g_assert_cmpuint(tsim_server_book(&server, 0, 3), ==, 9);
    g_assert_cmpuint(tsim_server_book(&server, 20, 2), ==, 23);
    g_assert_cmpuint(tsim_server_busy_cycles(&server), ==, 12);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/memory/dram-is-slowest", test_dram_is_slowest);
    g_test_add_func("/memory/reuse", test_reuse);
    g_test_add_func("/memory/queueing", test_queueing);
    g_test_add_func("/memory/merging", test_merging);
    g_test_add_func("/memory/stores", test_stores);
    g_test_add_func("/server/exact", test_server_is_exact);
    return g_test_run();
}
