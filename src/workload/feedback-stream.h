/* The streaming loop that sampler feedback is for: sample with feedback, load the tiles that the
 * map asks for, raise the clamps of the residency map, sample again.
 *
 * A frame is begun, given all its waves, and ended. Every visible pixel looks up its clamp in the
 * residency map, as a shader does before its dependent sample; the writing ones do their feedback
 * operation on the unclamped LOD (a clamped one would lose the wish). At the end of the frame the
 * policy reads the feedback map, frees tiles, starts loads, and rewrites the residency map.
 *
 * Policy. A sampled map texel wants the tiles of its region from its LOD to the packed mips.
 * Loads start coarse mips first, then row by row, at most loads_per_frame and within the budget;
 * what starts at the end of frame f can be sampled from frame f + latency_frames + 1 on. A tile
 * goes when nothing wanted it for evict_after frames and no finer tile above it is resident or
 * loading; over the budget, tiles that this frame does not want go, least recently wanted first.
 * Mips smaller than a tile are packed: always resident, outside the budget.
 *
 * Sizes of the texture must be powers of two, so that regions and tiles nest. The stream owns its
 * maps. Nothing allocates between frames. Errors: TSIM_ERROR_INPUT, TSIM_ERROR_LIMIT.
 */
#pragma once

#include "hw/residency-filter.h"
#include "hw/texture-tile.h"
#include "workload/feedback-scene.h"

typedef struct {
    TsimTexture texture; /* mips 0: the full chain */
    TsimTexelFormat format;
    uint32_t region_width, region_height; /* 0: the tile */
    TsimSampler sampler;
    TsimSampleInstruction instruction;
    TsimFootprint footprint;
    TsimFeedbackMergeRule merge;
    TsimResidencyFilter filter; /* its address modes are the sampler's */
    uint64_t budget_bytes;      /* for tiles; 0: no limit */
    uint32_t latency_frames;
    uint32_t loads_per_frame;
    uint32_t evict_after_frames;
    uint32_t max_step;     /* most LODs between neighbours of the residency map; 0: no limit */
    double sharp_fraction; /* a frame is sharp when no more than this share of pixels is blurred */
} TsimFeedbackStreamSpec;

/* One row a member: name, unit, range, default, words; one table an object that users write. */
extern const TsimField tsim_feedback_texture_fields[];
extern const TsimField tsim_feedback_sampler_fields[];
extern const TsimField tsim_feedback_map_fields[];
extern const TsimField tsim_feedback_residency_fields[]; /* filter and policy */

/* The defaults of the fields, and of the members without one. */
void tsim_feedback_stream_spec_init(TsimFeedbackStreamSpec *spec);

/* Fills in what zeros leave open: the mips, the region, the address modes of the filter. */
TsimFeedbackStreamSpec tsim_feedback_stream_spec_complete(TsimFeedbackStreamSpec spec);

typedef struct {
    uint64_t pixels;                               /* visible */
    uint64_t operations;                           /* that wrote feedback */
    uint64_t lane_writes, merged_writes, requests; /* see hw/feedback-merge.h */
    uint64_t blurred_pixels;                       /* the clamp keeps them from their LOD */
    uint64_t leak_pixels;      /* their dependent sample touches a tile that is not resident */
    double mean_missing_lod;   /* over all pixels */
    uint64_t wanted_bytes;     /* tiles that the feedback map asks for */
    uint64_t needed_bytes;     /* tiles under the texels that all pixels would read, and coarser */
    double over_request_ratio; /* wanted / needed */
    uint64_t resident_bytes;   /* at the end of the frame */
    uint64_t loading_bytes;
    uint32_t loads_started, loads_finished, evictions;
    gboolean sharp;
} TsimFeedbackStreamFrame;

typedef struct TsimFeedbackStream TsimFeedbackStream;

TsimFeedbackStream *tsim_feedback_stream_new(const TsimFeedbackStreamSpec *spec, GError **error);
void tsim_feedback_stream_free(TsimFeedbackStream *stream); /* NULL is fine */

void tsim_feedback_stream_begin_frame(TsimFeedbackStream *stream);

/* ret_merged is what went to the feedback map; its requests are valid until the next call.
 * ret_clamps[i] is what visible pixel i found in the residency map: the clamp of its sample. */
void tsim_feedback_stream_wave(TsimFeedbackStream *stream, const TsimFeedbackSceneWave *wave,
                               TsimFeedbackWave *ret_merged, double *ret_clamps);

void tsim_feedback_stream_end_frame(TsimFeedbackStream *stream, TsimFeedbackStreamFrame *ret_frame);

/* All the waves of a frame of the scene, from begin to end. */
void tsim_feedback_stream_run_frame(TsimFeedbackStream *stream, TsimFeedbackScene *scene,
                                    uint32_t frame, TsimFeedbackStreamFrame *ret_frame);

/* The feedback map of the frame that ended last, and the residency map for the next one. */
const TsimFeedbackMap *tsim_feedback_stream_map(const TsimFeedbackStream *stream);
TsimResidencyMap tsim_feedback_stream_residency(const TsimFeedbackStream *stream);

/* Most detailed packed mip: the coarsest value of the residency map. */
uint32_t tsim_feedback_stream_packed_mip(const TsimFeedbackStream *stream);

/* Frames before the first sharp one; UINT32_MAX when there was none. */
uint32_t tsim_feedback_stream_frames_until_sharp(const TsimFeedbackStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFeedbackStream, tsim_feedback_stream_free)
