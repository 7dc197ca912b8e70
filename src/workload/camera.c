#include "workload/camera.h"

#include "base/error.h"

#include <math.h>

#define FAR_AWAY 1e9

static const char *const axis_names[] = {"x", "y", "z", NULL};

/* clang-format off */
const TsimField tsim_camera_fields[] = {
    {"position", TSIM_FIELD_VEC3, offsetof(TsimCamera, position), "", -FAR_AWAY, FAR_AWAY, 0, NULL, TRUE, "Where the camera is"},
    {"target", TSIM_FIELD_VEC3, offsetof(TsimCamera, target), "", -FAR_AWAY, FAR_AWAY, 0, NULL, FALSE, "Point in the middle of the picture"},
    {"up", TSIM_FIELD_ENUM, offsetof(TsimCamera, up), "", 0, 0, 1, axis_names, FALSE, "Axis of the world that points up"},
    {"fov_degrees", TSIM_FIELD_REAL, offsetof(TsimCamera, fov_degrees), "degrees", 1, 170, 60, NULL, FALSE, "Angle from the lower to the upper edge of the picture"},
    {"near", TSIM_FIELD_REAL, offsetof(TsimCamera, near), "", 1e-6, FAR_AWAY, 0.01, NULL, FALSE, "Nothing closer to the camera than this is seen"},
    {"width", TSIM_FIELD_U32, offsetof(TsimCamera, width), "pixels", 1, 65536, 1920, NULL, FALSE, "Width of the picture"},
    {"height", TSIM_FIELD_U32, offsetof(TsimCamera, height), "pixels", 1, 65536, 1080, NULL, FALSE, "Height of the picture"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};
/* clang-format on */

/* Lambert's continued fraction. The C library's tan may differ in the last bit between machines;
 * below pi/2 twelve levels of this are as exact as a double. */
static double tangent(double angle)
{
    double fraction = 0.0;

    for (int odd = 25; odd > 1; odd -= 2) {
        fraction = angle * angle / (odd - fraction);
    }
    return angle / (1.0 - fraction);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double ret_product[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;

        ret_product[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* FALSE when there is no direction to keep. */
static gboolean scale_to(double vector[3], double length)
{
    const double now = sqrt(dot(vector, vector));

    for (int i = 0; i < 3; i++) {
        vector[i] = vector[i] / now * length;
    }
    return now > 0.0;
}

gboolean tsim_view_init(TsimView *view, const TsimCamera *camera, GError **error)
{
    const double radians = camera->fov_degrees * (G_PI / 180.0);
    double *right = view->axes[0];
    double *up = view->axes[1];
    double *forward = view->axes[2];
    double world_up[3] = {0.0, 0.0, 0.0};

    world_up[camera->up] = 1.0;
    view->near = camera->near;
    view->half_width = camera->width / 2.0;
    view->half_height = camera->height / 2.0;
    for (int i = 0; i < 3; i++) {
        view->eye[i] = camera->position[i];
        forward[i] = camera->target[i] - camera->position[i];
    }
    if (!scale_to(forward, 1.0)) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                            "the camera's position and target are the same point");
        return FALSE;
    }

    const double focal_pixels = view->half_height / tangent(radians / 2.0);

    cross(forward, world_up, right);
    if (!scale_to(right, focal_pixels)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "the camera looks along its up axis %s; choose another axis for up",
                    axis_names[camera->up]);
        return FALSE;
    }
    cross(right, forward, up);
    return TRUE;
}

void tsim_view_point(const TsimView *view, const double world[3], double ret_point[3])
{
    const double offset[3] = {world[0] - view->eye[0], world[1] - view->eye[1],
                              world[2] - view->eye[2]};

    for (int i = 0; i < 3; i++) {
        ret_point[i] = dot(view->axes[i], offset);
    }
}

/* Both ends on the screen, the hidden one (if any) moved along the line to the near plane. Which
 * end is moved depends on where it lies, not on its place in the argument list. */
double tsim_view_length_pixels(const TsimView *view, const double a[3], const double b[3])
{
    const double *seen = a[2] >= view->near ? a : b;
    const double *other = a[2] >= view->near ? b : a;
    double end[2] = {other[0], other[1]};
    double depth = other[2];

    if (seen[2] < view->near) {
        return 0.0;
    }
    if (depth < view->near) {
        const double share = (seen[2] - view->near) / (seen[2] - depth);

        end[0] = seen[0] + (other[0] - seen[0]) * share;
        end[1] = seen[1] + (other[1] - seen[1]) * share;
        depth = view->near;
    }

    const double x = seen[0] / seen[2] - end[0] / depth;
    const double y = seen[1] / seen[2] - end[1] / depth;

    return sqrt(x * x + y * y);
}

uint32_t tsim_view_outside(const TsimView *view, const double point[3])
{
    const double right = point[2] * view->half_width;
    const double top = point[2] * view->half_height;
    const gboolean beyond[] = {point[2]<view->near, point[0]> right, point[0]<-right, point[1]> top,
                               point[1] < -top};
    uint32_t sides = 0;

    for (uint32_t i = 0; i < G_N_ELEMENTS(beyond); i++) {
        sides |= beyond[i] ? 1u << i : 0;
    }
    return sides;
}
