/* Rays to trace, in the waves of a dispatch: camera rays and what follows from their hits, or a
 * list.
 *
 * A launch is a grid of lanes; lane l of wave w belongs to one pixel (or list entry) and one
 * sample, by arithmetic alone, so that any wave can be made at any time, in any order, with the
 * same rays. Secondary rays trace their pixel's path again from the camera instead of keeping it.
 *
 *   PRIMARY  through the middle of the pixel            closest hit
 *   AO       cosine-weighted around the first hit       any hit, up to ao_radius
 *   DIFFUSE  the bounce-th leg of a path that is reflected so again and again   closest hit
 *   SHADOW   from the first hit to the light            any hit, t from 0 to 1
 *   LIST     rays as given                              closest hit
 *
 * Random numbers are quasi-random: sample s of a pixel is point s of Halton's sequence (bases 2 and
 * 3), turned by an amount that depends on (seed, pixel, bounce). Directions are unit vectors except
 * for SHADOW and LIST. Nothing is allocated but the list.
 */
#pragma once

#include "base/field.h"
#include "workload/traversal.h"

#define TSIM_RAYS_MAX_LANES 64

typedef enum {
    TSIM_RAYS_PRIMARY,
    TSIM_RAYS_AO,
    TSIM_RAYS_DIFFUSE,
    TSIM_RAYS_SHADOW,
    TSIM_RAYS_LIST,
} TsimRaysKind;

/* How the pixels of an image are dealt to waves. */
typedef enum {
    TSIM_RAYS_ROW,    /* along the rows */
    TSIM_RAYS_8X4,    /* tiles of 8 by 4, two of them (8 by 8) in a wave64 */
    TSIM_RAYS_MORTON, /* along the Z curve */
} TsimRaysOrder;

extern const char *const tsim_rays_kind_names[];
extern const char *const tsim_rays_order_names[];

/* Pinhole; row 0 is the upper one. */
typedef struct {
    float position[3];
    float look_at[3];
    float up[3];
    double fov_degrees; /* from the upper to the lower edge */
} TsimRaysCamera;

typedef struct {
    int kind;            /* TsimRaysKind */
    int order;           /* TsimRaysOrder */
    uint32_t wave_lanes; /* 32 or 64 */
    uint32_t width, height;
    uint32_t samples; /* a pixel; of AO and DIFFUSE */
    uint32_t bounce;  /* of DIFFUSE: 1 is the first reflection */
    double ao_radius; /* 0: no limit */
    double offset;    /* secondary rays start this far off the surface, by size of the scene */
    uint64_t seed;
    TsimRaysCamera camera;
    float light[3];
    TsimRay *list; /* owned by whoever filled it; for LIST */
    uint64_t list_count;
} TsimRays;

/* The scalars of TsimRays that users write. */
extern const TsimField tsim_rays_fields[];
extern const TsimField tsim_rays_camera_fields[]; /* of TsimRaysCamera */

/* One wave: lane l is switched on if bit l of `enabled` is set. */
typedef struct {
    uint64_t enabled;
    uint64_t pixel[TSIM_RAYS_MAX_LANES]; /* y * width + x, or the place in the list */
    TsimRay ray[TSIM_RAYS_MAX_LANES];
} TsimRaysWave;

/* Looks along -z at a box that then fills most of the image. */
TsimRaysCamera tsim_rays_fit_camera(const TsimBox *bounds);

/* Shadow and AO rays need no more than any hit. */
gboolean tsim_rays_any_hit(const TsimRays *rays);

gboolean tsim_rays_check(const TsimRays *rays, GError **error);

uint64_t tsim_rays_wave_count(const TsimRays *rays);

/* The scene answers for the earlier legs of secondary rays; its any_hit does not matter. */
void tsim_rays_wave(const TsimRays *rays, const TsimTraversalScene *scene, uint64_t wave,
                    TsimRaysWave *result);

TsimRay tsim_rays_camera_ray(const TsimRays *rays, uint64_t pixel);

/* "ox oy oz dx dy dz [extent]" a line; # starts a comment; without an extent the ray has no end.
 * g_free the result. */
TsimRay *tsim_rays_read(const char *path, uint64_t *count, GError **error);
