/* A pinhole camera: what users write, and the view worked out of it.
 *
 * World units are the user's own. Only + - * / and sqrt are used, all of them exactly rounded, so
 * the same input gives the same bits with every compiler. Nothing here allocates.
 */
#pragma once

#include "base/field.h"

typedef struct {
    double position[3];
    double target[3];       /* the point in the middle of the picture */
    int up;                 /* the axis that points up: 0 x, 1 y, 2 z */
    double fov_degrees;     /* from the lower to the upper edge of the picture */
    double near;            /* nothing closer than this, along the line of sight, is seen */
    uint32_t width, height; /* pixels */
} TsimCamera;

extern const TsimField tsim_camera_fields[];

/* Rows of `axes` are right, up and forward; right and up are scaled so that x/z and y/z of a point
 * in view space are pixels from the middle of the picture. */
typedef struct {
    double eye[3];
    double axes[3][3];
    double near;
    double half_width, half_height; /* pixels */
} TsimView;

/* Fails (TSIM_ERROR_INPUT, without a place) when the camera is at its target or looks along the up
 * axis. */
gboolean tsim_view_init(TsimView *view, const TsimCamera *camera, GError **error);

void tsim_view_point(const TsimView *view, const double world[3], double ret_point[3]);

/* Length on the screen, in pixels, of the straight line between two points in view space; what lies
 * nearer than `near` is cut off. The order of the two ends makes no difference to any bit. */
double tsim_view_length_pixels(const TsimView *view, const double a[3], const double b[3]);

/* Sides of the view frustum that a point in view space lies beyond, a bit each. A convex shape all
 * of whose corners share a bit is out of view. */
uint32_t tsim_view_outside(const TsimView *view, const double point[3]);
