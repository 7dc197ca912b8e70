#include "sample-result.h"

#include "hw/stage.h"

TsimResult *empty_result(void)
{
    TsimResult *result = tsim_result_new();

    result->scenario = g_strdup("sample");
    result->gpu = g_strdup("test_gpu");
    result->seed = 7;
    result->clock_mhz = 1000.0;
    result->cus = 4;
    result->shader_engines = 2;
    result->simds_per_cu = 4;
    result->waves_per_cu = 40;
    result->lds_bytes_per_cu = 65536;
    result->has_onchip = TRUE;
    result->elapsed_cycles = 1000;
    result->estimated_fields = g_new0(char *, 1);
    return result;
}

void set_resource(TsimResult *result, TsimResource resource, uint32_t instances,
                  uint64_t busy_cycles_each)
{
    result->resources[resource] =
        (TsimResourceUse){instances * busy_cycles_each, instances, busy_cycles_each};
}

static void add_draw(TsimResult *result, const char *mode)
{
    TsimDrawResult *draw = &result->draws[0];

    *draw = (TsimDrawResult){
        .name = g_strdup("hills"),
        .type = "draw",
        .is_draw = TRUE,
        .mode = mode,
        .patch_rule = "xbox_one",
        .patch_limiter = "cu_lds",
        .domain = "tri",
        .partitioning = "fractional_odd",
        .tf_rule = "nearest_256",
        .vertex_reuse = "unique",
        .average_rule = "all_factors",
        .culled_patches = "count_zero",
        .tf_compare = "at_least",
        .pipeline_flag = "NONE",
        .patches_auto = TRUE,
        .patches_per_threadgroup = 16,
        .tf_threshold_auto = TRUE,
        .tf_threshold = 4.5,
        .ds_wave_threshold = 4,
        .lds_bytes_per_threadgroup = 3600,
        .lds_allocated_bytes_per_threadgroup = 4096,
        .vs_waves_per_threadgroup = 1,
        .hs_waves_per_threadgroup = 1,
        .end_cycle = result->elapsed_cycles,
        .spread = {.patches_by_factor = {10, 0, 0, 0, 0, 0, 1990},
                   .groups_by_ds_waves = {1, 0, 0, 0, 0, 0, 0, 124},
                   .culled_vs_threads = 30,
                   .culled_hs_threads = 30,
                   .culled_lds_bytes = 2240,
                   .culled_threadgroups = 1},
        .mean_tess_factor = 16.25,
    };
    draw->totals = result->totals;
    draw->totals.compute_threadgroups = 0;
    draw->totals.waves[TSIM_STAGE_CS] = 0;
}

static void add_dispatch(TsimResult *result)
{
    TsimDrawResult *dispatch = &result->draws[1];

    dispatch->type = "dispatch";
    dispatch->name = g_strdup("blur");
    dispatch->totals.compute_threadgroups = 300;
    dispatch->totals.waves[TSIM_STAGE_CS] = 1200;
    dispatch->begin_cycle = 100;
    dispatch->end_cycle = 40000;
}

static void add_work(TsimResult *result)
{
    result->totals = (TsimTotals){
        .patches = 2000,
        .culled_patches = 10,
        .threadgroups = 125,
        .compute_threadgroups = 300,
        .waves = {125, 125, 5000, 0, 0, 1200},
        .domain_points = 300000,
        .ds_threads = 300000,
        .primitives = 500000,
        .tf_ring_bytes = 32000,
    };
    result->draws_n = 2;
    result->draws = g_new0(TsimDrawResult, 2);
}

TsimResult *sample_result(void)
{
    TsimResult *result = empty_result();

    result->description = g_strdup("Hills of high factors,\tdrawn on-chip beside a blur");
    result->elapsed_cycles = 1000000;
    result->events = 123456;
    add_work(result);
    result->totals.threadgroups_onchip = 125;
    result->totals.ds_waves_onchip = 5000;
    add_draw(result, "onchip");
    add_dispatch(result);
    /* 0.5, 0.25, 8 and 1 waves a CU on average. */
    result->wave_cycles[TSIM_STAGE_VS] = 2000000;
    result->wave_cycles[TSIM_STAGE_HS] = 1000000;
    result->wave_cycles[TSIM_STAGE_DS] = 32000000;
    result->wave_cycles[TSIM_STAGE_CS] = 4000000;
    result->cu_wave_cycles_max = 18000000;
    result->cu_wave_cycles_min = 2500000;
    result->peak_waves_per_cu = 20;
    result->peak_threadgroups_per_cu = 3;
    /* 61 buckets of 16384 cycles and one of 576; DS waves grow up to the middle, then stay. */
    for (uint32_t bucket = 0; bucket < 62; bucket++) {
        const uint64_t cycles = bucket < 61 ? 16384 : 576;
        result->waves[TSIM_STAGE_DS].sums[bucket] = cycles * MIN(bucket, 32);
        result->lds.sums[bucket] = cycles * (bucket < 31 ? 131072 : 65536);
    }
    result->waves[TSIM_STAGE_DS].bucket_shift = 14;
    result->lds.bucket_shift = 14;
    /* A quarter and an eighth of 4 * 65536 bytes. */
    result->lds_byte_cycles[TSIM_LDS_OWNER_TESS] = UINT64_C(65536) * 1000000;
    result->lds_byte_cycles[TSIM_LDS_OWNER_CS] = UINT64_C(32768) * 1000000;
    result->peak_lds_bytes_per_cu = 49152;
    result->fragmentation_refusals = 17;
    result->peak_fragmented_free_bytes = 12288;
    result->largest_run_at_refusal_bytes = 6656;
    result->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_HOME_CU] = 1800000;
    result->stall_cycles[TSIM_STAGE_VS][TSIM_STALL_LDS] = 500000;
    result->stall_cycles[TSIM_STAGE_CS][TSIM_STALL_LDS_FRAGMENTED] = 20000;
    result->stall_cycles[TSIM_STAGE_DS][TSIM_STALL_RATE] = 900; /* 0.045%: not shown */
    result->tess_blocked_cycles = 1400000;
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 240000);
    set_resource(result, TSIM_RESOURCE_VALU, 16, 200000);
    result->resources[TSIM_RESOURCE_VALU].max_busy_cycles = 600000;
    set_resource(result, TSIM_RESOURCE_DRAM, 1, 5000);
    result->l1_lines = 1000;
    result->l1_hits = 250;
    result->l2_lines = 750;
    result->l2_hits = 600;
    result->dram_bytes_read = 9600;
    g_strfreev(result->estimated_fields);
    result->estimated_fields = g_strsplit("ds_queue_depth,l2_latency", ",", -1);
    result->estimated_fields_n = 2;
    g_ptr_array_add(result->warnings, g_strdup("the blur has a \033[31mred\033[0m name"));
    return result;
}

TsimResult *sample_result_offchip(void)
{
    TsimResult *result = empty_result();

    result->elapsed_cycles = 250000;
    add_work(result);
    result->totals.threadgroups_offchip = 125;
    result->totals.ds_waves_onchip = 500;
    result->totals.ds_waves_offchip = 4500;
    result->totals.offchip_bytes_written = 1048576;
    result->totals.offchip_bytes_read = 4194304;
    add_draw(result, "offchip");
    add_dispatch(result);
    result->wave_cycles[TSIM_STAGE_DS] = 32000000;
    result->cu_wave_cycles_max = 9000000;
    result->cu_wave_cycles_min = 7500000;
    result->peak_waves_per_cu = 40;
    result->lds_byte_cycles[TSIM_LDS_OWNER_TESS] = UINT64_C(32768) * 250000;
    set_resource(result, TSIM_RESOURCE_TESSELLATOR, 2, 240000);
    set_resource(result, TSIM_RESOURCE_VALU, 16, 200000);
    return result;
}
