/* What every wave of a sample_feedback work item asks of the hardware, worked out before the run.
 *
 * Nothing of it depends on time: atomics commute, and a streamed frame sees the residency of the
 * frame before. So the frames are sampled for real once, wave by wave, and the simulator replays
 * the numbers. Lines are lines of 64 bytes: of the texture in Morton order within a mip, of the
 * maps in SW_256B_S order.
 *
 * A trace is immutable and shared by reference. Errors: TSIM_ERROR_INPUT, TSIM_ERROR_LIMIT.
 */
#pragma once

#include "workload/feedback-work.h"

/* Sample counts are bilinear samples of lanes, one for every tap of anisotropy and mip. Quad
 * counts are what the texture unit needs for them: the largest count of each quad, summed. */
typedef struct {
    uint64_t operations;                  /* lanes that wrote feedback */
    uint64_t texel_writes;                /* distinct map texels of each lane, summed */
    uint64_t merged_writes;               /* byte atomics after merging */
    uint64_t changed_writes;              /* of these, how many changed their byte */
    uint64_t atomic_requests;             /* 64-byte segments */
    uint64_t read_samples, write_samples; /* of the texture; of feedback operations */
    uint64_t lookups;                     /* samples of the residency map */
} TsimFeedbackCounts;

/* Lists are parts of the trace's own, up to where those of the next wave begin. */
typedef struct {
    uint32_t first_line;    /* of the texture, read */
    uint32_t first_lookup;  /* of the residency map, read */
    uint32_t first_request; /* of the feedback map, written */
    uint16_t lanes;         /* with helpers */
    uint16_t quads;
    uint32_t read_quads, write_quads;
} TsimFeedbackTraceWave;

typedef struct {
    uint32_t first_wave;
    TsimFeedbackCounts counts;
    TsimFeedbackStreamFrame stream; /* zeros without a residency policy */
} TsimFeedbackTraceFrame;

typedef struct {
    uint32_t frames_n, waves_n;
    TsimFeedbackTraceFrame *frames; /* and one more, for its first_wave */
    TsimFeedbackTraceWave *waves;   /* and one more, for the ends of its lists */
    uint32_t *lines, *lookups, *requests;
    uint32_t map_lines; /* size of the feedback map */
    gboolean has_residency;
    uint32_t frames_until_sharp; /* UINT32_MAX: never */
    TsimFeedbackStream *stream;  /* as after the last frame; NULL without a residency policy */
    TsimFeedbackMap *map;        /* of the last frame; NULL with a residency policy */
} TsimFeedbackTrace;

/* wave_lanes: 64 or 32. A work item that io has checked fails for no reason but its size. */
TsimFeedbackTrace *tsim_feedback_trace_new(const TsimFeedbackWork *work, uint64_t seed,
                                           uint32_t wave_lanes, GError **error);
TsimFeedbackTrace *tsim_feedback_trace_ref(TsimFeedbackTrace *trace);
void tsim_feedback_trace_unref(TsimFeedbackTrace *trace); /* NULL is fine */

/* The feedback map of the last frame. */
const TsimFeedbackMap *tsim_feedback_trace_map(const TsimFeedbackTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFeedbackTrace, tsim_feedback_trace_unref)
