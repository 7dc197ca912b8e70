#include "hw/feedback-merge.h"

#include "base/error.h"

#define MAX_WRITES (TSIM_FEEDBACK_WAVE_LANES * TSIM_FEEDBACK_MAX_TEXELS)

const char *const tsim_feedback_window_names[] = {"lane", "quad", "wave", NULL};

typedef struct {
    uint32_t offset_bytes;
    uint8_t lane;
    uint8_t value;
} Write;

/* Where a texel or segment was last seen: a ticket each, from a counter that never goes back. What
 * has a ticket older than the first one of the window was not seen in it, so that opening a window
 * costs nothing. */
typedef struct {
    uint64_t *tickets;
    uint64_t next;
    uint64_t window;
} Seen;

struct TsimFeedbackMerger {
    const TsimFeedbackSetup *setup;
    TsimFeedbackMap *map;
    TsimFeedbackMergeRule rule;
    Seen texels;
    Seen segments;
    uint32_t write_count;
    uint32_t request_count;
    Write writes[MAX_WRITES];
    TsimFeedbackRequest requests[MAX_WRITES];
};

static void seen_init(Seen *seen, uint32_t count)
{
    *seen = (Seen){g_new0(uint64_t, count), 1, 1};
}

static void seen_open_window(Seen *seen)
{
    seen->window = seen->next;
}

TsimFeedbackMerger *tsim_feedback_merger_new(const TsimFeedbackSetup *setup, TsimFeedbackMap *map,
                                             TsimFeedbackMergeRule rule, GError **error)
{
    if (!tsim_feedback_map_check(map, &setup->descriptor, error)) {
        return NULL;
    }

    TsimFeedbackMerger *merger = g_new0(TsimFeedbackMerger, 1);

    merger->setup = setup;
    merger->map = map;
    merger->rule = rule;
    seen_init(&merger->texels, map->size_bytes);
    seen_init(&merger->segments, map->size_bytes / TSIM_FEEDBACK_SEGMENT_BYTES);
    return merger;
}

void tsim_feedback_merger_free(TsimFeedbackMerger *merger)
{
    if (merger == NULL) {
        return;
    }
    g_free(merger->texels.tickets);
    g_free(merger->segments.tickets);
    g_free(merger);
}

static uint32_t window_of(TsimFeedbackWindow window, uint32_t lane)
{
    switch (window) {
    case TSIM_FEEDBACK_WINDOW_LANE:
        return lane;
    case TSIM_FEEDBACK_WINDOW_QUAD:
        return lane / 4;
    case TSIM_FEEDBACK_WINDOW_WAVE:
    default:
        return 0;
    }
}

/* Within a window, tickets and writes are handed out together: the distance of a ticket from the
 * newest is the distance of its write from the last. */
static void merge_texel(TsimFeedbackMerger *merger, uint32_t offset_bytes, uint8_t lane,
                        uint8_t value)
{
    Seen *seen = &merger->texels;
    uint64_t *ticket = &seen->tickets[offset_bytes];

    if (*ticket < seen->window) {
        *ticket = seen->next++;
        merger->writes[merger->write_count++] = (Write){offset_bytes, lane, value};
        return;
    }

    Write *write = &merger->writes[merger->write_count - (seen->next - *ticket)];

    write->value = tsim_feedback_combine(merger->map->descriptor.kind, write->value, value);
}

static void merge_segment(TsimFeedbackMerger *merger, const Write *write)
{
    Seen *seen = &merger->segments;
    const uint32_t segment = write->offset_bytes / TSIM_FEEDBACK_SEGMENT_BYTES;
    uint64_t *ticket = &seen->tickets[segment];

    if (*ticket < seen->window) {
        *ticket = seen->next++;
        merger->requests[merger->request_count++] =
            (TsimFeedbackRequest){segment * TSIM_FEEDBACK_SEGMENT_BYTES, 1};
        return;
    }
    merger->requests[merger->request_count - (seen->next - *ticket)].bytes++;
}

static void sample_lane(TsimFeedbackMerger *merger, const TsimSampleLane *lane, uint32_t index,
                        TsimFeedbackWave *wave, uint32_t *quad_samples)
{
    TsimFeedbackWrites writes;

    tsim_feedback_sample(merger->setup, lane, &writes);

    const uint32_t samples = writes.samples * writes.mip_count;

    wave->lanes++;
    wave->lane_samples += samples;
    wave->lane_writes += writes.texel_count;
    wave->quad_samples += samples > *quad_samples ? samples - *quad_samples : 0;
    *quad_samples = MAX(*quad_samples, samples);
    for (uint32_t i = 0; i < writes.texel_count; i++) {
        merge_texel(merger, tsim_feedback_map_offset(merger->map, writes.texels[i]), (uint8_t)index,
                    writes.value);
    }
}

static void apply_writes(TsimFeedbackMerger *merger, TsimFeedbackWave *wave)
{
    uint32_t window = UINT32_MAX;

    for (uint32_t i = 0; i < merger->write_count; i++) {
        const Write *write = &merger->writes[i];

        if (window_of(merger->rule.requests, write->lane) != window) {
            window = window_of(merger->rule.requests, write->lane);
            seen_open_window(&merger->segments);
        }
        merge_segment(merger, write);
        if (tsim_feedback_map_atomic(merger->map, write->offset_bytes, write->value)) {
            wave->changed_writes++;
        }
    }
}

void tsim_feedback_merge_wave(TsimFeedbackMerger *merger, const TsimSampleLane *lanes,
                              uint32_t lane_count, uint64_t writes, TsimFeedbackWave *ret_wave)
{
    uint32_t window = UINT32_MAX;
    uint32_t quad_samples = 0;

    TSIM_ASSERT_HOT(lane_count <= TSIM_FEEDBACK_WAVE_LANES);
    *ret_wave = (TsimFeedbackWave){0};
    merger->write_count = 0;
    merger->request_count = 0;
    for (uint32_t i = 0; i < lane_count; i++) {
        if (window_of(merger->rule.texels, i) != window) {
            window = window_of(merger->rule.texels, i);
            seen_open_window(&merger->texels);
        }
        quad_samples = i % 4 == 0 ? 0 : quad_samples;
        if ((writes >> i & 1) != 0) {
            sample_lane(merger, &lanes[i], i, ret_wave, &quad_samples);
        }
    }
    apply_writes(merger, ret_wave);
    ret_wave->merged_writes = merger->write_count;
    ret_wave->request_count = merger->request_count;
    ret_wave->requests = merger->requests;
}
