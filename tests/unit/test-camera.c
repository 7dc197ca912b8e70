/* workload/camera.h: projected lengths and the frustum, against numbers worked out by hand. */
#include "base/error.h"
#include "workload/camera.h"

#include <math.h>
#include <string.h>

/* At (0, 0, 10), looking at the origin; 90 degrees and 200 x 200 pixels make a focal length of 100
 * pixels: a point at (x, y, 0) is seen at (10 x, 10 y). */
static TsimCamera camera_in_front(void)
{
    TsimCamera camera;

    tsim_fields_init(tsim_camera_fields, &camera);
    camera.position[2] = 10.0;
    camera.fov_degrees = 90.0;
    camera.near = 1.0;
    camera.width = 200;
    camera.height = 200;
    return camera;
}

static TsimView view_of(const TsimCamera *camera)
{
    TsimView view;
    g_autoptr(GError) error = NULL;

    g_assert_true(tsim_view_init(&view, camera, &error));
    g_assert_no_error(error);
    return view;
}

static double length_pixels(const TsimView *view, const double a[3], const double b[3])
{
    double from[3];
    double to[3];

    tsim_view_point(view, a, from);
    tsim_view_point(view, b, to);
    return tsim_view_length_pixels(view, from, to);
}

static void test_defaults(void)
{
    TsimCamera camera;

    tsim_fields_init(tsim_camera_fields, &camera);
    g_assert_cmpint(camera.up, ==, 1);
    g_assert_cmpuint(camera.width, ==, 1920);
    g_assert_cmpuint(camera.height, ==, 1080);
    g_assert_cmpfloat(camera.fov_degrees, ==, 60.0);
}

static void test_projection(void)
{
    const TsimCamera camera = camera_in_front();
    const TsimView view = view_of(&camera);
    double point[3];

    tsim_view_point(&view, (const double[]){1.0, 2.0, 0.0}, point);
    g_assert_cmpfloat_with_epsilon(point[0] / point[2], 10.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(point[1] / point[2], 20.0, 1e-12);
    g_assert_cmpfloat_with_epsilon(point[2], 10.0, 1e-12);
}

static void test_length(void)
{
    const TsimCamera camera = camera_in_front();
    const TsimView view = view_of(&camera);
    const double origin[3] = {0.0, 0.0, 0.0};
    const double side[3] = {10.0, 0.0, 0.0};
    const double behind[3] = {10.0, 0.0, 20.0};
    const double far_behind[3] = {0.0, 0.0, 30.0};

    g_assert_cmpfloat_with_epsilon(length_pixels(&view, origin, (const double[]){3.0, 4.0, 0.0}),
                                   50.0, 1e-12);
    /* Along the line of sight: seen end on. */
    g_assert_cmpfloat_with_epsilon(length_pixels(&view, origin, (const double[]){0.0, 0.0, -5.0}),
                                   0.0, 1e-12);
    /* From 100 pixels off the middle at depth 10 to depth -10: cut at depth 1, 1000 pixels off. */
    g_assert_cmpfloat_with_epsilon(length_pixels(&view, side, behind), 900.0, 1e-9);
    g_assert_cmpfloat(length_pixels(&view, behind, far_behind), ==, 0.0);
}

static void test_length_is_symmetric(void)
{
    const TsimCamera camera = camera_in_front();
    const TsimView view = view_of(&camera);

    for (int i = 0; i < 10000; i++) {
        double ends[2][3];

        for (int j = 0; j < 6; j++) {
            ends[j / 3][j % 3] = g_test_rand_double_range(-20.0, 20.0);
        }

        const double there = length_pixels(&view, ends[0], ends[1]);
        const double back = length_pixels(&view, ends[1], ends[0]);

        g_assert_true(memcmp(&there, &back, sizeof there) == 0);
    }
}

static uint32_t outside(const TsimView *view, double x, double y, double z)
{
    double point[3];

    tsim_view_point(view, (const double[]){x, y, z}, point);
    return tsim_view_outside(view, point);
}

static void test_outside(void)
{
    const TsimCamera camera = camera_in_front();
    const TsimView view = view_of(&camera);

    g_assert_cmpuint(outside(&view, 9.9, 9.9, 0.0), ==, 0);
    g_assert_cmpuint(outside(&view, 10.1, 0.0, 0.0), !=, 0);
    g_assert_cmpuint(outside(&view, -10.1, 0.0, 0.0), !=, 0);
    g_assert_cmpuint(outside(&view, 0.0, 10.1, 0.0), !=, 0);
    g_assert_cmpuint(outside(&view, 0.0, -10.1, 0.0), !=, 0);
    g_assert_cmpuint(outside(&view, 0.0, 0.0, 9.1), !=, 0);
    /* Right and left of the picture are different sides: a wall through both is in view. */
    g_assert_cmpuint(outside(&view, 50.0, 0.0, 0.0) & outside(&view, -50.0, 0.0, 0.0), ==, 0);
}

/* The camera's own tangent against the C library's. */
static void test_field_of_view(void)
{
    TsimCamera camera = camera_in_front();

    for (int degrees = 1; degrees <= 170; degrees++) {
        camera.fov_degrees = degrees;

        const TsimView view = view_of(&camera);
        const double focal_pixels = view.axes[0][0];

        g_assert_cmpfloat_with_epsilon(focal_pixels * tan(degrees * G_PI / 360.0) / 100.0, 1.0,
                                       1e-13);
    }
}

static void test_errors(void)
{
    TsimCamera camera = camera_in_front();
    TsimView view;
    g_autoptr(GError) same = NULL;
    g_autoptr(GError) along = NULL;

    camera.position[2] = 0.0;
    g_assert_false(tsim_view_init(&view, &camera, &same));
    g_assert_error(same, TSIM_ERROR, TSIM_ERROR_INPUT);
    camera.position[1] = -3.0;
    g_assert_false(tsim_view_init(&view, &camera, &along));
    g_assert_error(along, TSIM_ERROR, TSIM_ERROR_INPUT);
    camera.up = 2;
    view_of(&camera);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/camera/defaults", test_defaults);
    g_test_add_func("/camera/projection", test_projection);
    g_test_add_func("/camera/length", test_length);
    g_test_add_func("/camera/length-is-symmetric", test_length_is_symmetric);
    g_test_add_func("/camera/outside", test_outside);
    g_test_add_func("/camera/field-of-view", test_field_of_view);
    g_test_add_func("/camera/errors", test_errors);
    return g_test_run();
}
