/* A textured surface seen by a moving camera, as the waves of pixels that sample its texture.
 *
 * The surface is rasterised for real: quads of 2x2 pixels with one gradient each (differences from
 * its upper left pixel), helper lanes where a quad leaves its triangle, hidden pixels removed
 * first. Quads go tile by tile (8x8 pixels), triangle after triangle, sixteen to a wave of 64; the
 * last wave of a frame may be partial. Helper lanes get the attributes of the triangle's plane,
 * carried on beyond its edges as hardware does.
 *
 * Lengths are scene units, Y is up; angles are degrees; yaw 0 looks along +Z, positive pitch looks
 * down. Which active lanes write feedback is drawn from (seed, frame, pixel) alone.
 *
 * The scene borrows its surface and owns the rest. Nothing allocates after tsim_feedback_scene_new.
 * Errors: TSIM_ERROR_INPUT.
 */
#pragma once

#include "base/field.h"
#include "hw/feedback-merge.h"

#include <glib.h>
#include <stdint.h>

typedef struct {
    double position[3];
    double uv[2];
} TsimSceneVertex;

typedef struct {
    TsimSceneVertex *vertices;
    uint32_t *indices; /* three a triangle */
    uint32_t vertex_count;
    uint32_t triangle_count;
} TsimSceneSurface;

/* A square of that side at height 0, its middle at the origin; the texture repeats that often. */
TsimSceneSurface *tsim_scene_surface_plane(double side, double repeats);

/* A mesh without texture coordinates, scaled to that largest side, its middle at the origin. Each
 * triangle is projected along the axis that it faces most, the texture repeats that often over the
 * largest side. Arrays as in workload/mesh.h; they are copied. */
TsimSceneSurface *tsim_scene_surface_mesh(const float *positions, uint32_t vertex_count,
                                          const uint32_t *indices, uint32_t triangle_count,
                                          double side, double repeats);

void tsim_scene_surface_free(TsimSceneSurface *surface); /* NULL is fine */

typedef struct {
    uint32_t width, height; /* pixels */
    double write_fraction;  /* of the active lanes */
    double camera[3];
    double yaw, pitch, field_of_view; /* vertical */
    double move[3];                   /* a frame */
    double turn;                      /* yaw a frame */
    uint32_t wave_lanes;              /* 64 or 32; 0: 64 */
} TsimFeedbackSceneSpec;

/* One row a member: name, unit, range, default, words. */
extern const TsimField tsim_feedback_write_fields[]; /* write_fraction */
extern const TsimField tsim_feedback_scene_fields[];

typedef struct {
    TsimSampleLane lanes[TSIM_FEEDBACK_WAVE_LANES]; /* four a quad: upper left, right, lower ... */
    uint32_t lane_count;
    uint64_t active; /* visible pixels; the others are helpers */
    uint64_t writes; /* of these, the ones that write feedback */
} TsimFeedbackSceneWave;

typedef struct TsimFeedbackScene TsimFeedbackScene;

TsimFeedbackScene *tsim_feedback_scene_new(const TsimFeedbackSceneSpec *spec,
                                           const TsimSceneSurface *surface, uint64_t seed,
                                           GError **error);
void tsim_feedback_scene_free(TsimFeedbackScene *scene); /* NULL is fine */

/* Places the camera and finds out which pixels see which triangle: O(pixels + triangles). */
void tsim_feedback_scene_begin_frame(TsimFeedbackScene *scene, uint32_t frame);

/* The next wave of the frame; FALSE when there is none left. */
gboolean tsim_feedback_scene_next_wave(TsimFeedbackScene *scene, TsimFeedbackSceneWave *ret_wave);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimSceneSurface, tsim_scene_surface_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFeedbackScene, tsim_feedback_scene_free)
