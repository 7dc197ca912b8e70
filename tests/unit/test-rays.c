/* workload/rays.h: which pixel a lane gets, where rays go, the ray file. */
#include "base/error.h"
#include "workload/rays.h"

#include <glib/gstdio.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <string.h>

static TsimRays make_rays(int kind, int order, uint32_t wave_lanes, uint32_t width, uint32_t height)
{
    TsimRays rays;

    memset(&rays, 0, sizeof rays);
    tsim_fields_init(tsim_rays_fields, &rays);
    rays.kind = kind;
    rays.order = order;
    rays.wave_lanes = wave_lanes;
    rays.width = width;
    rays.height = height;
    rays.camera = (TsimRaysCamera){{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 90};
    return rays;
}

/* A floor at y = 0 that reaches from -10 to 10, lit from above. */
typedef struct {
    TsimMesh *mesh;
    TsimBvh *bvh;
    TsimTraversalScene scene;
} Floor;

static void floor_set_up(Floor *floor, gconstpointer data)
{
    static const char text[] = "v -10 0 -10\nv 10 0 -10\nv 10 0 10\nv -10 0 10\nf 1 2 3 4\n";
    TsimBvhOptions options;
    TsimRayOptions choices;

    (void)data;
    tsim_fields_init(tsim_bvh_option_fields, &options);
    tsim_fields_init(tsim_ray_option_fields, &choices);
    floor->mesh = tsim_mesh_parse("floor.obj", text, strlen(text), NULL);
    floor->bvh = tsim_bvh_build(floor->mesh, &options, NULL);
    floor->scene = tsim_traversal_scene(floor->bvh, &choices, FALSE);
}

static void floor_tear_down(Floor *floor, gconstpointer data)
{
    (void)data;
    tsim_bvh_free(floor->bvh);
    tsim_mesh_free(floor->mesh);
}

/* Every pixel of the image is in exactly one lane, whatever the order. */
static void test_every_pixel_once(Floor *floor, gconstpointer data)
{
    (void)data;
    for (int order = 0; order <= TSIM_RAYS_MORTON; order++) {
        for (uint32_t wave_lanes = 32; wave_lanes <= 64; wave_lanes += 32) {
            const TsimRays rays = make_rays(TSIM_RAYS_PRIMARY, order, wave_lanes, 21, 13);
            uint8_t seen[21 * 13] = {0};

            for (uint64_t wave = 0; wave < tsim_rays_wave_count(&rays); wave++) {
                TsimRaysWave result;

                tsim_rays_wave(&rays, &floor->scene, wave, &result);
                for (uint32_t lane = 0; lane < TSIM_RAYS_MAX_LANES; lane++) {
                    if ((result.enabled >> lane & 1) != 0) {
                        g_assert_cmpuint(lane, <, wave_lanes);
                        g_assert_cmpuint(seen[result.pixel[lane]]++, ==, 0);
                    }
                }
            }
            g_assert_null(memchr(seen, 0, sizeof seen));
        }
    }
}

static void check_pixel(const TsimRays *rays, const TsimTraversalScene *scene, uint64_t wave,
                        uint32_t lane, uint64_t x, uint64_t y)
{
    TsimRaysWave result;

    tsim_rays_wave(rays, scene, wave, &result);
    g_assert_cmpuint(result.enabled >> lane & 1, ==, 1);
    g_assert_cmpuint(result.pixel[lane], ==, y * rays->width + x);
}

static void test_orders(Floor *floor, gconstpointer data)
{
    const TsimRays row = make_rays(TSIM_RAYS_PRIMARY, TSIM_RAYS_ROW, 32, 64, 64);
    const TsimRays tile32 = make_rays(TSIM_RAYS_PRIMARY, TSIM_RAYS_8X4, 32, 60, 64);
    const TsimRays tile64 = make_rays(TSIM_RAYS_PRIMARY, TSIM_RAYS_8X4, 64, 64, 64);
    const TsimRays morton = make_rays(TSIM_RAYS_PRIMARY, TSIM_RAYS_MORTON, 32, 64, 64);

    (void)data;
    check_pixel(&row, &floor->scene, 3, 5, 37, 1);
    check_pixel(&tile32, &floor->scene, 0, 9, 1, 1);
    check_pixel(&tile32, &floor->scene, 1, 31, 15, 3);
    check_pixel(&tile32, &floor->scene, 8, 0, 0, 4); /* 60 pixels are 8 tiles wide */
    check_pixel(&tile64, &floor->scene, 1, 63, 15, 7);
    check_pixel(&morton, &floor->scene, 0, 27, 5, 3); /* 27 = 011011: x 101, y 011 */
    check_pixel(&morton, &floor->scene, 2, 0, 8, 0);
    g_assert_cmpuint(tsim_rays_wave_count(&tile32), ==, 8 * 16);
    g_assert_cmpuint(tsim_rays_wave_count(&tile64), ==, 8 * 8);
}

/* 90 degrees, 2 x 2 pixels: rays leave half a unit off the axis at distance 1. */
static void test_camera(void)
{
    const TsimRays rays = make_rays(TSIM_RAYS_PRIMARY, TSIM_RAYS_ROW, 32, 2, 2);
    const float part = sqrtf(1.0f / 6.0f); /* 0.5 of (0.5, 0.5, 1) made a unit vector */
    const TsimRay first = tsim_rays_camera_ray(&rays, 0);
    const TsimRay last = tsim_rays_camera_ray(&rays, 3);

    g_assert_cmpfloat_with_epsilon(first.direction[0], -part, 1e-6f);
    g_assert_cmpfloat_with_epsilon(first.direction[1], part, 1e-6f);
    g_assert_cmpfloat_with_epsilon(first.direction[2], -2 * part, 1e-6f);
    g_assert_cmpfloat_with_epsilon(last.direction[0], part, 1e-6f);
    g_assert_cmpfloat_with_epsilon(last.direction[1], -part, 1e-6f);
    g_assert_cmpfloat(first.origin[2], ==, 5.0f);
    g_assert_true(isinf(first.extent));
}

/* The camera looks down at the floor; half of the image sees it, the upper corners do not. */
static TsimRays floor_rays(int kind)
{
    TsimRays rays = make_rays(kind, TSIM_RAYS_8X4, 32, 8, 4);

    rays.camera = (TsimRaysCamera){{0, 3, 0}, {0, 0, 0}, {0, 0, -1}, 60};
    rays.light[1] = 8;
    return rays;
}

/* Mean of the cosine over a cosine-weighted hemisphere is 2/3; of x and z it is 0. */
static void test_ao(Floor *floor, gconstpointer data)
{
    TsimRays rays = floor_rays(TSIM_RAYS_AO);
    double sum[3] = {0, 0, 0};

    (void)data;
    rays.samples = 256;
    rays.ao_radius = 2.5;
    g_assert_cmpuint(tsim_rays_wave_count(&rays), ==, 256);
    g_assert_true(tsim_rays_any_hit(&rays));
    for (uint64_t wave = 0; wave < 256; wave++) {
        TsimRaysWave result;

        tsim_rays_wave(&rays, &floor->scene, wave, &result);
        g_assert_cmphex(result.enabled, ==, 0xffffffff);
        for (uint32_t lane = 0; lane < 32; lane++) {
            const TsimRay *ray = &result.ray[lane];

            g_assert_cmpfloat(ray->extent, ==, 2.5f);
            g_assert_cmpfloat(ray->direction[1], >=, 0.0f);
            g_assert_cmpfloat(ray->origin[1], >, 0.0f);
            g_assert_cmpfloat(ray->origin[1], <, 0.001f);
            for (int axis = 0; axis < 3; axis++) {
                sum[axis] += (double)ray->direction[axis] / (256 * 32);
            }
        }
    }
    g_assert_cmpfloat_with_epsilon(sum[0], 0.0, 0.01);
    g_assert_cmpfloat_with_epsilon(sum[1], 2.0 / 3.0, 0.005);
    g_assert_cmpfloat_with_epsilon(sum[2], 0.0, 0.01);
}

static void check_turn(double found, double point, double *turn, gboolean first)
{
    *turn = first ? found - point : *turn;
    g_assert_cmpfloat_with_epsilon(fabs(remainder(found - point - *turn, 1.0)), 0.0, 1e-5);
}

/* One pixel's samples differ from GSL's Halton sequence by one common turn a dimension. sin^2 of
 * the angle to the normal is the first coordinate, the angle around it the second. */
static void test_samples_are_halton(Floor *floor, gconstpointer data)
{
    TsimRays rays = floor_rays(TSIM_RAYS_AO);
    gsl_qrng *halton = gsl_qrng_alloc(gsl_qrng_halton, 2);
    double turns[2];

    (void)data;
    rays.samples = 100;
    for (uint64_t sample = 0; sample < 100; sample++) {
        TsimRaysWave result;
        double point[2];

        tsim_rays_wave(&rays, &floor->scene, sample, &result);
        gsl_qrng_get(halton, point);

        const float *direction = result.ray[7].direction;
        const double around = atan2((double)direction[0], (double)direction[2]) / (2 * G_PI);

        check_turn(1.0 - (double)direction[1] * (double)direction[1], point[0], &turns[0],
                   sample == 0);
        check_turn(around, point[1], &turns[1], sample == 0);
    }
    gsl_qrng_free(halton);
}

static void test_shadow(Floor *floor, gconstpointer data)
{
    const TsimRays rays = floor_rays(TSIM_RAYS_SHADOW);
    TsimRaysWave result;

    (void)data;
    tsim_rays_wave(&rays, &floor->scene, 0, &result);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const TsimRay *ray = &result.ray[lane];

        g_assert_cmpfloat(ray->extent, ==, 1.0f);
        g_assert_cmpfloat_with_epsilon(ray->origin[1] + ray->direction[1], 8.0f, 1e-5f);
        g_assert_cmpfloat_with_epsilon(ray->origin[0] + ray->direction[0], 0.0f, 1e-5f);
    }
}

/* Nothing is above the floor: the second leg of a path does not exist. */
static void test_paths_end(Floor *floor, gconstpointer data)
{
    TsimRays rays = floor_rays(TSIM_RAYS_DIFFUSE);
    TsimRaysWave result;

    (void)data;
    tsim_rays_wave(&rays, &floor->scene, 0, &result);
    g_assert_cmphex(result.enabled, ==, 0xffffffff);
    rays.bounce = 2;
    tsim_rays_wave(&rays, &floor->scene, 0, &result);
    g_assert_cmphex(result.enabled, ==, 0);
    rays.bounce = 1;
    rays.camera.look_at[1] = 6; /* away from the floor */
    tsim_rays_wave(&rays, &floor->scene, 0, &result);
    g_assert_cmphex(result.enabled, ==, 0);
}

static TsimRay *read_text(const char *text, uint64_t *count, GError **error)
{
    g_autofree char *path = NULL;
    const int handle = g_file_open_tmp("rays-XXXXXX.txt", &path, NULL);
    TsimRay *list;

    g_close(handle, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    list = tsim_rays_read(path, count, error);
    g_unlink(path);
    return list;
}

static void test_file(Floor *floor, gconstpointer data)
{
    TsimRays rays = make_rays(TSIM_RAYS_LIST, TSIM_RAYS_ROW, 32, 1, 1);
    g_autofree TsimRay *list = read_text("# three rays\n1 2 3 0 0 1\n\n"
                                         "1 2 3 0 -4 0 7.5 # with an extent\n0 0 0 1 1 1",
                                         &rays.list_count, NULL);
    TsimRaysWave result;

    (void)data;
    g_assert_cmpuint(rays.list_count, ==, 3);
    g_assert_true(isinf(list[0].extent));
    g_assert_cmpfloat(list[1].extent, ==, 7.5f);
    g_assert_cmpfloat(list[1].inverse_direction[1], ==, -0.25f);
    rays.list = list;
    tsim_rays_wave(&rays, &floor->scene, 0, &result);
    g_assert_cmphex(result.enabled, ==, 7);
    g_assert_cmpuint(result.pixel[2], ==, 2);
}

static void check_bad_file(const char *text, const char *part)
{
    g_autoptr(GError) error = NULL;
    uint64_t count = 0;

    g_assert_null(read_text(text, &count, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, part));
}

static void test_bad_files(void)
{
    g_autoptr(GError) error = NULL;
    uint64_t count = 0;

    check_bad_file("", "no rays");
    check_bad_file("# nothing\n", "no rays");
    check_bad_file("0 0 0 0 0 1\n0 0 0 0 0\n", ":2: 6 numbers expected, 5 found");
    check_bad_file("0 0 0 0 0 up\n", ":1: \"up\" is not a finite number");
    check_bad_file("0 0 0 0 0 1 2 3\n", ":1: a ray has 6 or 7 numbers");
    g_assert_null(tsim_rays_read("no-such-file.txt", &count, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
}

static void check_refused(TsimRays rays, const char *part)
{
    g_autoptr(GError) error = NULL;

    g_assert_false(tsim_rays_check(&rays, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, part));
}

static void test_check(void)
{
    const TsimRays good = make_rays(TSIM_RAYS_AO, TSIM_RAYS_ROW, 32, 8, 8);
    TsimRays rays = good;

    g_assert_true(tsim_rays_check(&good, NULL));
    rays.wave_lanes = 48;
    check_refused(rays, "32 or 64");
    rays = good;
    rays.width = 0;
    check_refused(rays, "width and height");
    rays = good;
    rays.samples = 0;
    check_refused(rays, "samples");
    rays = good;
    rays.camera.look_at[2] = 5;
    check_refused(rays, "camera must look at");
    rays = good;
    rays.camera.up[1] = 0;
    rays.camera.up[2] = 1;
    check_refused(rays, "up vector");
    rays = good;
    rays.camera.fov_degrees = 180;
    check_refused(rays, "field of view");
    rays = good;
    rays.kind = TSIM_RAYS_LIST;
    check_refused(rays, "list is empty");
}

#define ADD(name, test) g_test_add(name, Floor, NULL, floor_set_up, test, floor_tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("/rays/every-pixel-once", test_every_pixel_once);
    ADD("/rays/orders", test_orders);
    g_test_add_func("/rays/camera", test_camera);
    ADD("/rays/ao", test_ao);
    ADD("/rays/samples-are-halton", test_samples_are_halton);
    ADD("/rays/shadow", test_shadow);
    ADD("/rays/paths-end", test_paths_end);
    ADD("/rays/file", test_file);
    g_test_add_func("/rays/bad-files", test_bad_files);
    g_test_add_func("/rays/check", test_check);
    return g_test_run();
}
