/* What the sampler feedback of a run did: counts, cost, and the streaming loop frame by frame.
 *
 * Exact integers; ratios are worked out by stats/figures.h.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

/* A frame of the streaming loop; the members of workload/feedback-stream.h. */
typedef struct {
    uint64_t pixels, operations, blurred_pixels, leak_pixels;
    double mean_missing_lod;
    uint64_t wanted_bytes, needed_bytes, resident_bytes, loading_bytes;
    double over_request_ratio;
    uint64_t loads_started, loads_finished, evictions;
    gboolean sharp;
} TsimFeedbackFrame;

typedef struct {
    gboolean sampled;    /* the scenario has such work */
    uint64_t operations; /* lanes that wrote feedback */
    uint64_t texel_writes, merged_writes, changed_writes;
    uint64_t atomic_requests;                      /* 64-byte segments */
    uint64_t conflicts, conflict_cycles;           /* of requests with a line that is in use */
    uint64_t read_samples, write_samples, lookups; /* bilinear, of lanes */
    uint64_t td_busy_cycles;                       /* of all texture units, by this work */
    uint32_t tds;                                  /* texture units */
    uint64_t active_cycles; /* from the begin of the first such work to the end of the last */
    uint64_t plain_cycles;  /* length of the run without feedback; 0: not tried */
    gboolean became_sharp;
    uint32_t frames_until_sharp; /* of the first streamed work */
    uint32_t frames_n;           /* of streamed work */
    TsimFeedbackFrame *frames;   /* owned */
} TsimFeedbackResult;
