/* From the lanes of a wave to atomic requests (S4): sample, merge equal texels, group by segment.
 *
 * Texels that lanes of one window have in common are merged into one write. The merged writes that
 * fall into one 64-byte segment (16x4 texels) of one request window travel as one request to L2.
 * The sizes of both windows are not public; the map that results does not depend on them.
 *
 * A merger belongs to one instruction and map, owns its scratch memory, and is used by one thread
 * at a time. tsim_feedback_merge_wave takes O(texels touched), does not allocate and cannot fail.
 * Source: reference facts, section 4.
 */
#pragma once

#include "hw/feedback-map.h"
#include "hw/feedback-sample.h"

#define TSIM_FEEDBACK_WAVE_LANES    64u
#define TSIM_FEEDBACK_SEGMENT_BYTES 64u

typedef enum {
    TSIM_FEEDBACK_WINDOW_LANE,
    TSIM_FEEDBACK_WINDOW_QUAD, /* the four lanes that one clock of address generation takes */
    TSIM_FEEDBACK_WINDOW_WAVE,
} TsimFeedbackWindow;

extern const char *const tsim_feedback_window_names[];

typedef struct {
    TsimFeedbackWindow texels;   /* default: quad */
    TsimFeedbackWindow requests; /* default: wave */
} TsimFeedbackMergeRule;

typedef struct {
    uint32_t segment_offset_bytes; /* in the map, a multiple of 64 */
    uint32_t bytes;                /* merged writes that travel in it */
} TsimFeedbackRequest;

typedef struct {
    uint32_t lanes;          /* that wrote */
    uint32_t lane_samples;   /* sum over these lanes of samples x mips read */
    uint32_t quad_samples;   /* sum over quads of the largest such product in the quad */
    uint32_t lane_writes;    /* sum over lanes of the distinct texels of the lane */
    uint32_t merged_writes;  /* byte atomics after merging */
    uint32_t changed_writes; /* of these, how many changed their byte */
    uint32_t request_count;
    const TsimFeedbackRequest *requests; /* valid until the next call */
} TsimFeedbackWave;

typedef struct TsimFeedbackMerger TsimFeedbackMerger;

/* Binds an instruction to a map; both must outlive the merger. NULL and TSIM_ERROR_INPUT when the
 * map belongs to another texture (tsim_feedback_map_check). */
TsimFeedbackMerger *tsim_feedback_merger_new(const TsimFeedbackSetup *setup, TsimFeedbackMap *map,
                                             TsimFeedbackMergeRule rule, GError **error);
void tsim_feedback_merger_free(TsimFeedbackMerger *merger); /* NULL is fine */

/* Executes the operation for the lanes whose bit is set in writes (active, not helper) and applies
 * it to the map. lanes has lane_count <= 64 entries. */
void tsim_feedback_merge_wave(TsimFeedbackMerger *merger, const TsimSampleLane *lanes,
                              uint32_t lane_count, uint64_t writes, TsimFeedbackWave *ret_wave);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFeedbackMerger, tsim_feedback_merger_free)
