/* What the slice formats (Perfetto, Chrome) share: a CU is a process, a wave slot of a SIMD a
 * thread, an LS-HS threadgroup a slice on a lane of its CU with its phases nested inside, and
 * arrows lead from the HS wave that decided to the DS waves of the group.
 */
#pragma once

#include "stats/timeline.h"

/* Process numbers. */
uint32_t tsim_trace_pid(TsimUnit unit, uint32_t number);
char *tsim_trace_process_name(TsimUnit unit, uint32_t number); /* "CU 3"; the caller frees it */

/* Thread numbers in the process of a CU: lanes of threadgroups come first. */
#define TSIM_TRACE_LANES 65536u

uint32_t tsim_trace_wave_tid(const TsimTimeline *timeline, uint32_t simd, uint32_t slot);
uint32_t tsim_trace_lane_tid(uint32_t lane);
char *tsim_trace_thread_name(const TsimTimeline *timeline, uint32_t tid);

typedef enum {
    TSIM_SLICE_BEGIN,
    TSIM_SLICE_END,
    TSIM_SLICE_INSTANT,
} TsimSliceKind;

typedef struct {
    uint64_t cycle;
    TsimSliceKind kind;
    char name[64]; /* empty at an end */
} TsimSlice;

#define TSIM_GROUP_SLICES 10

/* The life of a threadgroup in order of time, slices properly nested; returns how many. */
uint32_t tsim_trace_group_slices(const TsimGroupSpan *span, TsimSlice slices[TSIM_GROUP_SLICES]);

/* "DS 4 of group 12", "PS". */
void tsim_trace_wave_name(const TsimWaveSpan *span, char *name, size_t bytes);

/* DS waves by group serial: how many were recorded, with numbers 0.. in order of launch. */
typedef struct {
    GArray *first; /* uint32_t: lowest number recorded; UINT32_MAX: none */
    GArray *last;
} TsimFlows;

gboolean tsim_flows_init(TsimFlows *ret_flows, TsimTimeline *timeline, GError **error);
void tsim_flows_clear(TsimFlows *flows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimFlows, tsim_flows_clear)

/* The arrows that leave an HS wave: ids first .. first + n - 1. And the one that reaches a DS wave;
 * 0: none. */
uint32_t tsim_flows_from(const TsimFlows *flows, const TsimWaveSpan *hs, uint64_t *ret_first);
uint64_t tsim_flows_to(const TsimWaveSpan *ds);

/* Threads that have been named already. */
typedef struct {
    GHashTable *seen; /* cu and tid in one */
} TsimThreads;

void tsim_threads_init(TsimThreads *ret_threads);
void tsim_threads_clear(TsimThreads *threads);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimThreads, tsim_threads_clear)

/* TRUE the first time. */
gboolean tsim_threads_add(TsimThreads *threads, uint32_t cu, uint32_t tid);
