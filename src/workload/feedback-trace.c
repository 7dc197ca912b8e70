#include "workload/feedback-trace.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* Waves and lists are numbered with 32 bits. */
#define LIST_MAX UINT32_C(0x7fffffff)

/* Texels of a 64-byte line, and the smallest square that a map can have a texel for. */
typedef struct {
    uint32_t width, height;
    uint32_t lines; /* that such a region takes */
} LineShape;

static const LineShape line_shapes[] = {
    [TSIM_TEXEL_8BPP] = {8, 8, 1},  [TSIM_TEXEL_16BPP] = {8, 4, 1},  [TSIM_TEXEL_32BPP] = {4, 4, 1},
    [TSIM_TEXEL_64BPP] = {4, 4, 2}, [TSIM_TEXEL_128BPP] = {4, 4, 4}, [TSIM_TEXEL_BC1] = {16, 8, 1},
    [TSIM_TEXEL_BC7] = {8, 8, 1},
};

typedef struct {
    const TsimFeedbackWork *work;
    TsimFeedbackStreamSpec spec;
    LineShape shape;
    gboolean has_lines;       /* the texture is larger than a line's region */
    TsimFeedbackSetup reads;  /* regions of the texture that lie in a line: what a sample reads */
    TsimFeedbackSetup lookup; /* texels of the residency map */
    TsimFeedbackSetup writes; /* of the map, without a residency policy */
    TsimFeedbackScene *scene;
    TsimFeedbackMerger *merger; /* without a residency policy */
    TsimFeedbackTrace *trace;
    GArray *waves, *lines, *lookups, *requests;
} Tracing;

/* ---- Set-up ---- */

static gboolean set_up_writes(Tracing *tracing, GError **error)
{
    const TsimFeedbackStreamSpec *spec = &tracing->spec;
    TsimFeedbackTrace *trace = tracing->trace;
    TsimFeedbackDescriptor descriptor;

    if (tracing->work->has_residency) {
        trace->stream = tsim_feedback_stream_new(spec, error);
        return trace->stream != NULL;
    }
    if (!tsim_feedback_work_descriptor(tracing->work, &descriptor, error) ||
        !tsim_feedback_setup_init(&tracing->writes, &descriptor, &spec->sampler, &spec->instruction,
                                  (TsimFootprint)spec->footprint, error)) {
        return FALSE;
    }
    trace->map = tsim_feedback_map_new(&descriptor, error);
    if (trace->map == NULL) {
        return FALSE;
    }
    tracing->merger = tsim_feedback_merger_new(&tracing->writes, trace->map, spec->merge, error);
    return tracing->merger != NULL;
}

/* A texture of a single line is not worth an address. */
static gboolean set_up_reads(Tracing *tracing, GError **error)
{
    const TsimFeedbackStreamSpec *spec = &tracing->spec;
    TsimFeedbackDescriptor descriptor;

    tracing->shape = line_shapes[spec->format];
    tracing->has_lines = tsim_feedback_region_check(&spec->texture, tracing->shape.width,
                                                    tracing->shape.height, NULL);
    const uint32_t width = tracing->has_lines ? tracing->shape.width : TSIM_FEEDBACK_MIN_REGION;
    const uint32_t height = tracing->has_lines ? tracing->shape.height : TSIM_FEEDBACK_MIN_REGION;
    return tsim_feedback_descriptor_init(&descriptor, &spec->texture, TSIM_FEEDBACK_MIP_REGION_USED,
                                         width, height, error) &&
           tsim_feedback_setup_init(&tracing->reads, &descriptor, &spec->sampler,
                                    &spec->instruction, TSIM_FOOTPRINT_TEXTURE, error);
}

/* The lookup is one ordinary sample of the map's one level. */
static gboolean set_up_lookup(Tracing *tracing, GError **error)
{
    const TsimFeedbackStreamSpec *spec = &tracing->spec;
    const TsimSampleInstruction instruction = {.kind = TSIM_SAMPLE_LEVEL};
    const TsimFilter filter =
        spec->filter.lookup == TSIM_RESIDENCY_POINT ? TSIM_FILTER_POINT : TSIM_FILTER_LINEAR;
    const TsimSampler sampler = {
        .min = filter,
        .mag = filter,
        .max_aniso = 1,
        .address = {spec->filter.address[0], spec->filter.address[1], spec->filter.address[2]},
    };
    TsimFeedbackDescriptor descriptor;

    return tsim_feedback_descriptor_init(&descriptor, &spec->texture, TSIM_FEEDBACK_MINMIP,
                                         spec->region_width, spec->region_height, error) &&
           tsim_feedback_setup_init(&tracing->lookup, &descriptor, &sampler, &instruction,
                                    TSIM_FOOTPRINT_FEEDBACK, error);
}

/* ---- Lists ---- */

static int compare_lines(const void *a, const void *b)
{
    const uint32_t line_a = *(const uint32_t *)a, line_b = *(const uint32_t *)b;

    return (line_a > line_b) - (line_a < line_b);
}

/* Lanes side by side mostly touch the same lines: the last few are compared at once, sort_lines
 * sees to the rest. */
static void add_line(GArray *lines, guint from, uint32_t line)
{
    const guint recent = MAX(from, lines->len > 8 ? lines->len - 8 : 0);

    for (guint i = lines->len; i > recent; i--) {
        if (g_array_index(lines, uint32_t, i - 1) == line) {
            return;
        }
    }
    g_array_append_val(lines, line);
}

/* Orders the lines of an instruction and keeps each once: merging inside it. */
static void sort_lines(GArray *lines, guint from)
{
    uint32_t *items = (uint32_t *)(void *)lines->data;
    guint kept = from;

    qsort(items + from, lines->len - from, sizeof *items, compare_lines);
    for (guint i = from; i < lines->len; i++) {
        if (i == from || items[i] != items[kept - 1]) {
            items[kept++] = items[i];
        }
    }
    g_array_set_size(lines, kept);
}

/* Bits 0, 1, 2 ... go to 0, 2, 4 ... */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 8) & 0x00ff00ffU;
    x = (x | x << 4) & 0x0f0f0f0fU;
    x = (x | x << 2) & 0x33333333U;
    return (x | x << 1) & 0x55555555U;
}

/* Twelve bits an axis, four for the mip, lines of a region side by side below. */
static uint32_t texture_line(const Tracing *tracing, TsimFeedbackTexel texel, uint32_t part)
{
    const uint32_t morton = spread_bits(texel.x) | spread_bits(texel.y) << 1;

    return ((uint32_t)texel.level << 24 | morton) * tracing->shape.lines + part;
}

/* ---- Waves ---- */

static double isotropic_lod(const TsimTexture *texture, const TsimSampleLane *lane)
{
    const double dx = hypot(lane->ddx[0] * texture->width, lane->ddx[1] * texture->height);
    const double dy = hypot(lane->ddy[0] * texture->width, lane->ddy[1] * texture->height);

    return log2(fmax(dx, dy));
}

static void give_lods(const Tracing *tracing, TsimFeedbackSceneWave *wave)
{
    const TsimSampleKind kind = tracing->spec.instruction.kind;

    for (uint32_t i = 0; i < wave->lane_count; i++) {
        TsimSampleLane *lane = &wave->lanes[i];
        lane->lod = tracing->work->lod;
        if (kind == TSIM_SAMPLE_LEVEL) {
            lane->lod += isotropic_lod(&tracing->spec.texture, lane);
        }
    }
}

/* Returns how many bilinear samples the lane takes. */
static uint32_t read_lane(Tracing *tracing, const TsimSampleLane *lane, double clamp, guint from)
{
    TsimSampleLane clamped = *lane;
    TsimFeedbackWrites reads;

    clamped.lod_clamp = clamp;
    tsim_feedback_sample(&tracing->reads, &clamped, &reads);
    for (uint32_t i = 0; tracing->has_lines && i < reads.texel_count; i++) {
        for (uint32_t part = 0; part < tracing->shape.lines; part++) {
            add_line(tracing->lines, from, texture_line(tracing, reads.texels[i], part));
        }
    }
    return reads.samples * reads.mip_count;
}

static void read_texture(Tracing *tracing, const TsimFeedbackSceneWave *wave, const double *clamps,
                         TsimFeedbackTraceWave *traced, TsimFeedbackCounts *counts)
{
    const guint from = tracing->lines->len;
    uint32_t quad_samples = 0;

    for (uint32_t i = 0; i < wave->lane_count; i++) {
        if ((wave->active >> i & 1) != 0) {
            const uint32_t samples = read_lane(tracing, &wave->lanes[i], clamps[i], from);
            counts->read_samples += samples;
            quad_samples = MAX(quad_samples, samples);
        }
        if (i % 4 == 3) {
            traced->read_quads += quad_samples;
            quad_samples = 0;
        }
    }
    sort_lines(tracing->lines, from);
}

static void look_up(Tracing *tracing, const TsimFeedbackSceneWave *wave, TsimFeedbackCounts *counts)
{
    const TsimFeedbackMap *map = tsim_feedback_stream_map(tracing->trace->stream);
    const guint from = tracing->lookups->len;
    TsimFeedbackWrites texels;

    for (uint32_t i = 0; i < wave->lane_count; i++) {
        if ((wave->active >> i & 1) == 0) {
            continue;
        }
        counts->lookups++;
        tsim_feedback_sample(&tracing->lookup, &wave->lanes[i], &texels);
        for (uint32_t t = 0; t < texels.texel_count; t++) {
            const uint32_t offset_bytes = tsim_feedback_map_offset(map, texels.texels[t]);
            add_line(tracing->lookups, from, offset_bytes / TSIM_FEEDBACK_SEGMENT_BYTES);
        }
    }
    sort_lines(tracing->lookups, from);
}

static void note_writes(Tracing *tracing, const TsimFeedbackWave *merged,
                        TsimFeedbackTraceWave *traced, TsimFeedbackCounts *counts)
{
    traced->write_quads = merged->quad_samples;
    counts->operations += merged->lanes;
    counts->write_samples += merged->lane_samples;
    counts->texel_writes += merged->lane_writes;
    counts->merged_writes += merged->merged_writes;
    counts->changed_writes += merged->changed_writes;
    counts->atomic_requests += merged->request_count;
    for (uint32_t i = 0; i < merged->request_count; i++) {
        const uint32_t line =
            merged->requests[i].segment_offset_bytes / TSIM_FEEDBACK_SEGMENT_BYTES;
        g_array_append_val(tracing->requests, line);
    }
}

static void trace_wave(Tracing *tracing, TsimFeedbackSceneWave *wave, TsimFeedbackCounts *counts)
{
    TsimFeedbackTraceWave traced = {
        .first_line = tracing->lines->len,
        .first_lookup = tracing->lookups->len,
        .first_request = tracing->requests->len,
        .lanes = (uint16_t)wave->lane_count,
        .quads = (uint16_t)(wave->lane_count / 4),
    };
    double clamps[TSIM_FEEDBACK_WAVE_LANES] = {0};
    TsimFeedbackWave merged;

    give_lods(tracing, wave);
    if (tracing->work->has_residency) {
        tsim_feedback_stream_wave(tracing->trace->stream, wave, &merged, clamps);
        look_up(tracing, wave, counts);
    } else {
        tsim_feedback_merge_wave(tracing->merger, wave->lanes, wave->lane_count, wave->writes,
                                 &merged);
    }
    note_writes(tracing, &merged, &traced, counts);
    read_texture(tracing, wave, clamps, &traced, counts);
    g_array_append_val(tracing->waves, traced);
}

/* ---- Frames ---- */

static void trace_frame(Tracing *tracing, uint32_t number)
{
    TsimFeedbackTrace *trace = tracing->trace;
    TsimFeedbackTraceFrame *frame = &trace->frames[number];
    TsimFeedbackSceneWave wave;

    frame->first_wave = tracing->waves->len;
    tsim_feedback_scene_begin_frame(tracing->scene, number);
    if (trace->has_residency) {
        tsim_feedback_stream_begin_frame(trace->stream);
    } else {
        tsim_feedback_map_clear(trace->map);
    }
    while (tsim_feedback_scene_next_wave(tracing->scene, &wave)) {
        trace_wave(tracing, &wave, &frame->counts);
    }
    if (trace->has_residency) {
        tsim_feedback_stream_end_frame(trace->stream, &frame->stream);
    }
}

static gboolean check_size(const Tracing *tracing, uint32_t frame, GError **error)
{
    if (MAX(tracing->lines->len, tracing->requests->len) < LIST_MAX) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                "sample_feedback: more than %u lines of memory by frame %u: ask for fewer frames "
                "or pixels",
                LIST_MAX, frame);
    return FALSE;
}

static gboolean trace_frames(Tracing *tracing, GError **error)
{
    for (uint32_t i = 0; i < tracing->trace->frames_n; i++) {
        trace_frame(tracing, i);
        if (!check_size(tracing, i, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static void finish(Tracing *tracing)
{
    const TsimFeedbackTraceWave end = {
        .first_line = tracing->lines->len,
        .first_lookup = tracing->lookups->len,
        .first_request = tracing->requests->len,
    };
    TsimFeedbackTrace *trace = tracing->trace;

    trace->waves_n = tracing->waves->len;
    trace->frames[trace->frames_n].first_wave = trace->waves_n;
    g_array_append_val(tracing->waves, end);
    if (trace->has_residency) {
        trace->frames_until_sharp = tsim_feedback_stream_frames_until_sharp(trace->stream);
    }
    trace->map_lines = tsim_feedback_trace_map(trace)->size_bytes / TSIM_FEEDBACK_SEGMENT_BYTES;
}

static gboolean set_up(Tracing *tracing, uint64_t seed, uint32_t wave_lanes, GError **error)
{
    const TsimFeedbackWork *work = tracing->work;
    TsimFeedbackSceneSpec scene = work->scene;

    scene.wave_lanes = wave_lanes;
    if (!set_up_writes(tracing, error) || !set_up_reads(tracing, error) ||
        (work->has_residency && !set_up_lookup(tracing, error))) {
        return FALSE;
    }
    tracing->scene = tsim_feedback_scene_new(&scene, work->surface, seed, error);
    return tracing->scene != NULL;
}

TsimFeedbackTrace *tsim_feedback_trace_new(const TsimFeedbackWork *work, uint64_t seed,
                                           uint32_t wave_lanes, GError **error)
{
    g_autoptr(TsimFeedbackTrace) trace = g_rc_box_new0(TsimFeedbackTrace);
    Tracing tracing = {
        .work = work,
        .spec = tsim_feedback_stream_spec_complete(work->sampling),
        .trace = trace,
        .waves = g_array_new(FALSE, FALSE, sizeof(TsimFeedbackTraceWave)),
        .lines = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .lookups = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .requests = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
    };

    trace->has_residency = work->has_residency;
    trace->frames_n = work->frames;
    trace->frames = g_new0(TsimFeedbackTraceFrame, work->frames + 1);
    const gboolean ok = set_up(&tracing, seed, wave_lanes, error) && trace_frames(&tracing, error);
    if (ok) {
        finish(&tracing);
    }
    tsim_feedback_scene_free(tracing.scene);
    tsim_feedback_merger_free(tracing.merger);
    trace->waves = (TsimFeedbackTraceWave *)(void *)g_array_free(tracing.waves, FALSE);
    trace->lines = (uint32_t *)(void *)g_array_free(tracing.lines, FALSE);
    trace->lookups = (uint32_t *)(void *)g_array_free(tracing.lookups, FALSE);
    trace->requests = (uint32_t *)(void *)g_array_free(tracing.requests, FALSE);
    return ok ? g_steal_pointer(&trace) : NULL;
}

static void clear_trace(void *user)
{
    TsimFeedbackTrace *trace = user;

    g_free(trace->frames);
    g_free(trace->waves);
    g_free(trace->lines);
    g_free(trace->lookups);
    g_free(trace->requests);
    tsim_feedback_stream_free(trace->stream);
    tsim_feedback_map_free(trace->map);
}

TsimFeedbackTrace *tsim_feedback_trace_ref(TsimFeedbackTrace *trace)
{
    return g_rc_box_acquire(trace);
}

void tsim_feedback_trace_unref(TsimFeedbackTrace *trace)
{
    if (trace != NULL) {
        g_rc_box_release_full(trace, clear_trace);
    }
}

const TsimFeedbackMap *tsim_feedback_trace_map(const TsimFeedbackTrace *trace)
{
    return trace->stream != NULL ? tsim_feedback_stream_map(trace->stream) : trace->map;
}
