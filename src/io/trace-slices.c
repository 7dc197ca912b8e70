#include "io/trace-slices.h"

#include "hw/stage.h"
#include "io/bottleneck.h"

#define GPU_PID 1u
#define SE_PID  10u
#define CU_PID  100u

#define LANE_TID 1u

/* A flow id is the group's serial and the wave's number in it. */
#define FLOW_SHIFT 24

uint32_t tsim_trace_pid(TsimUnit unit, uint32_t number)
{
    switch (unit) {
    case TSIM_UNIT_SE:
        return SE_PID + number;
    case TSIM_UNIT_CU:
        return CU_PID + number;
    case TSIM_UNIT_GPU:
        break;
    }
    return GPU_PID;
}

char *tsim_trace_process_name(TsimUnit unit, uint32_t number)
{
    switch (unit) {
    case TSIM_UNIT_SE:
        return g_strdup_printf("Shader engine %u", number);
    case TSIM_UNIT_CU:
        return g_strdup_printf("CU %u", number);
    case TSIM_UNIT_GPU:
        break;
    }
    return g_strdup("GPU");
}

uint32_t tsim_trace_wave_tid(const TsimTimeline *timeline, uint32_t simd, uint32_t slot)
{
    return LANE_TID + TSIM_TRACE_LANES + simd * timeline->machine.waves_per_simd + slot;
}

uint32_t tsim_trace_lane_tid(uint32_t lane)
{
    return LANE_TID + lane;
}

char *tsim_trace_thread_name(const TsimTimeline *timeline, uint32_t tid)
{
    const uint32_t slots = timeline->machine.waves_per_simd;

    if (tid < LANE_TID + TSIM_TRACE_LANES) {
        return g_strdup_printf("Threadgroups %u", tid - LANE_TID);
    }
    const uint32_t wave = tid - LANE_TID - TSIM_TRACE_LANES;
    return g_strdup_printf("SIMD %u slot %u", wave / slots, wave % slots);
}

/* ---- Slices ---- */

static TsimSlice *add(TsimSlice *slice, uint64_t cycle, TsimSliceKind kind, const char *name)
{
    *slice = (TsimSlice){.cycle = cycle, .kind = kind};
    (void)g_strlcpy(slice->name, name, sizeof slice->name);
    return slice + 1;
}

static TsimSlice *add_lds_freed(TsimSlice *slice, const TsimGroupSpan *span)
{
    return add(slice, span->lds_freed, TSIM_SLICE_INSTANT, "LDS freed");
}

uint32_t tsim_trace_group_slices(const TsimGroupSpan *span, TsimSlice slices[TSIM_GROUP_SLICES])
{
    const gboolean has_ds = span->ds_waves > 0;
    const gboolean freed_before_ds = !has_ds || span->lds_freed <= span->ds_begin;
    TsimSlice *slice = add(slices, span->begin, TSIM_SLICE_BEGIN, "");

    (void)g_snprintf(slices[0].name, sizeof slices[0].name, "group %u, %u patches", span->serial,
                     span->patches);
    if (span->ls_end > 0) {
        slice = add(slice, span->begin, TSIM_SLICE_BEGIN, "LS");
        slice = add(slice, span->ls_end, TSIM_SLICE_END, "");
    }
    slice = add(slice, span->hs_begin, TSIM_SLICE_BEGIN, "HS");
    slice = add(slice, span->decision, TSIM_SLICE_END, "");
    slice = add(slice, span->decision, TSIM_SLICE_INSTANT,
                span->offchip ? "decided: off-chip" : "decided: on-chip");
    if (freed_before_ds) {
        slice = add_lds_freed(slice, span);
    }
    if (has_ds) {
        slice = add(slice, span->ds_begin, TSIM_SLICE_BEGIN, "DS");
        if (!freed_before_ds) {
            slice = add_lds_freed(slice, span);
        }
        slice = add(slice, span->ds_end, TSIM_SLICE_END, "");
    }
    slice = add(slice, span->end, TSIM_SLICE_END, "");
    return (uint32_t)(slice - slices);
}

void tsim_trace_wave_name(const TsimWaveSpan *span, char *name, size_t bytes)
{
    const char *stage = tsim_stage_title(span->stage);

    if (span->stage == TSIM_STAGE_DS) {
        (void)g_snprintf(name, bytes, "%s %" G_GUINT64_FORMAT " of group %u", stage, span->number,
                         span->group);
    } else if (span->group != UINT32_MAX) {
        (void)g_snprintf(name, bytes, "%s of group %u", stage, span->group);
    } else {
        (void)g_snprintf(name, bytes, "%s", stage);
    }
}

/* ---- Flows ---- */

static void count_wave(void *user, const TsimWaveSpan *span)
{
    TsimFlows *flows = user;
    const uint32_t none = UINT32_MAX;
    const uint32_t number = (uint32_t)span->number;

    if (span->stage != TSIM_STAGE_DS) {
        return;
    }
    while (flows->first->len <= span->group) {
        g_array_append_val(flows->first, none);
        g_array_append_val(flows->last, none);
    }
    uint32_t *first = &g_array_index(flows->first, uint32_t, span->group);
    uint32_t *last = &g_array_index(flows->last, uint32_t, span->group);
    *last = *first == none ? number : MAX(*last, number);
    *first = MIN(*first, number);
}

gboolean tsim_flows_init(TsimFlows *ret_flows, TsimTimeline *timeline, GError **error)
{
    static const TsimTimelineVisitor visitor = {NULL, count_wave, NULL, NULL};

    *ret_flows = (TsimFlows){g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                             g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    return tsim_timeline_replay(timeline, &visitor, ret_flows, error);
}

void tsim_flows_clear(TsimFlows *flows)
{
    g_clear_pointer(&flows->first, g_array_unref);
    g_clear_pointer(&flows->last, g_array_unref);
}

static uint64_t flow_id(uint32_t group, uint64_t number)
{
    return ((uint64_t)group + 1) << FLOW_SHIFT | number;
}

uint32_t tsim_flows_from(const TsimFlows *flows, const TsimWaveSpan *hs, uint64_t *ret_first)
{
    if (!hs->decides || hs->group >= flows->first->len) {
        return 0;
    }
    const uint32_t first = g_array_index(flows->first, uint32_t, hs->group);
    const uint32_t last = g_array_index(flows->last, uint32_t, hs->group);
    *ret_first = flow_id(hs->group, first);
    return first == UINT32_MAX ? 0 : last - first + 1;
}

uint64_t tsim_flows_to(const TsimWaveSpan *ds)
{
    return ds->stage == TSIM_STAGE_DS ? flow_id(ds->group, ds->number) : 0;
}

/* ---- Threads ---- */

void tsim_threads_init(TsimThreads *ret_threads)
{
    ret_threads->seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

void tsim_threads_clear(TsimThreads *threads)
{
    g_clear_pointer(&threads->seen, g_hash_table_unref);
}

gboolean tsim_threads_add(TsimThreads *threads, uint32_t cu, uint32_t tid)
{
    const gint64 key = (gint64)((uint64_t)cu << 32 | tid);

    if (g_hash_table_contains(threads->seen, &key)) {
        return FALSE;
    }
    return g_hash_table_add(threads->seen, g_memdup2(&key, sizeof key));
}
