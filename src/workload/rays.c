#include "workload/rays.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/rate.h"
#include "workload/text.h"

#include <math.h>
#include <string.h>

#define TILE_WIDTH  8
#define TILE_HEIGHT 4
#define MAX_SIDE    65536

const char *const tsim_rays_kind_names[] = {"primary", "ao", "diffuse", "shadow", "list", NULL};
const char *const tsim_rays_order_names[] = {"row", "8x4", "morton", NULL};

const TsimField tsim_rays_fields[] = {
    {"kind", TSIM_FIELD_ENUM, offsetof(TsimRays, kind), "", 0, 0, TSIM_RAYS_PRIMARY,
     tsim_rays_kind_names, FALSE, "which rays are traced"},
    {"order", TSIM_FIELD_ENUM, offsetof(TsimRays, order), "", 0, 0, TSIM_RAYS_8X4,
     tsim_rays_order_names, FALSE, "how pixels are dealt to waves"},
    {"wave_lanes", TSIM_FIELD_U32, offsetof(TsimRays, wave_lanes), "lanes", 32, 64, 32, NULL, FALSE,
     "lanes of a wave, 32 or 64"},
    {"width", TSIM_FIELD_U32, offsetof(TsimRays, width), "pixels", 1, MAX_SIDE, 512, NULL, FALSE,
     "width of the image"},
    {"height", TSIM_FIELD_U32, offsetof(TsimRays, height), "pixels", 1, MAX_SIDE, 512, NULL, FALSE,
     "height of the image"},
    {"samples", TSIM_FIELD_U32, offsetof(TsimRays, samples), "", 1, 65536, 1, NULL, FALSE,
     "secondary rays a pixel"},
    {"bounce", TSIM_FIELD_U32, offsetof(TsimRays, bounce), "", 1, 64, 1, NULL, FALSE,
     "which leg of a diffuse path is traced"},
    {"ao_radius", TSIM_FIELD_REAL, offsetof(TsimRays, ao_radius), "", 0, 1e30, 0, NULL, FALSE,
     "reach of ambient-occlusion rays, 0 for no limit"},
    {"offset", TSIM_FIELD_REAL, offsetof(TsimRays, offset), "", 0, 1, 1e-5, NULL, FALSE,
     "start of secondary rays off the surface, as a part of the scene's diagonal"},
    {"seed", TSIM_FIELD_U64, offsetof(TsimRays, seed), "", 0, 9007199254740992.0, 1, NULL, FALSE,
     "turns the quasi-random samples"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

const TsimField tsim_rays_camera_fields[] = {
    {"fov_degrees", TSIM_FIELD_REAL, offsetof(TsimRaysCamera, fov_degrees), "degrees", 0.001, 179,
     45, NULL, FALSE, "angle from the upper to the lower edge of the image"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

typedef struct {
    double x, y, z;
} Vector;

static Vector from_floats(const float v[3])
{
    return (Vector){(double)v[0], (double)v[1], (double)v[2]};
}

static void to_floats(Vector v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

/* a + b * scale */
static Vector add_scaled(Vector a, Vector b, double scale)
{
    return (Vector){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector cross(Vector a, Vector b)
{
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vector normalise(Vector v)
{
    return add_scaled((Vector){0, 0, 0}, v, 1.0 / sqrt(dot(v, v)));
}

TsimRaysCamera tsim_rays_fit_camera(const TsimBox *bounds)
{
    const double fov_degrees = 45.0;
    TsimRaysCamera camera = {.up = {0, 1, 0}, .fov_degrees = fov_degrees};
    double half_height = 0.0;

    for (int axis = 0; axis < 3; axis++) {
        camera.look_at[axis] = (bounds->min[axis] + bounds->max[axis]) / 2.0f;
        camera.position[axis] = camera.look_at[axis];
    }
    for (int axis = 0; axis < 2; axis++) {
        half_height = fmax(half_height, (double)bounds->max[axis] - (double)bounds->min[axis]);
    }
    /* A tenth more than the larger side fits at the front of the box; a point gets some distance.
     */
    half_height = half_height > 0.0 ? 0.55 * half_height : 1.0;
    camera.position[2] =
        bounds->max[2] + (float)(half_height / tan(fov_degrees / 2.0 * G_PI / 180.0));
    return camera;
}

gboolean tsim_rays_any_hit(const TsimRays *rays)
{
    return rays->kind == TSIM_RAYS_AO || rays->kind == TSIM_RAYS_SHADOW;
}

static gboolean fail(GError **error, const char *message)
{
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_INPUT, message);
    return FALSE;
}

static gboolean check_camera(const TsimRaysCamera *camera, GError **error)
{
    const Vector forward =
        add_scaled(from_floats(camera->look_at), from_floats(camera->position), -1.0);
    const Vector right = cross(forward, from_floats(camera->up));
    const double length = dot(right, right);

    if (!(length > 0.0) || !isfinite(length)) {
        return fail(error, "rays: the camera must look at a point other than its position, and its "
                           "up vector must point aside from that");
    }
    if (!(camera->fov_degrees > 0.0 && camera->fov_degrees < 180.0)) {
        return fail(error, "rays: the camera's field of view must lie between 0 and 180 degrees");
    }
    return TRUE;
}

gboolean tsim_rays_check(const TsimRays *rays, GError **error)
{
    if (rays->wave_lanes != 32 && rays->wave_lanes != 64) {
        return fail(error, "rays: wave_lanes must be 32 or 64");
    }
    if (rays->kind == TSIM_RAYS_LIST) {
        return rays->list_count > 0 || fail(error, "rays: the list is empty");
    }
    if (rays->width == 0 || rays->width > MAX_SIDE || rays->height == 0 ||
        rays->height > MAX_SIDE) {
        return fail(error, "rays: width and height must lie between 1 and 65536");
    }
    if (rays->samples == 0 || rays->bounce == 0) {
        return fail(error, "rays: samples and bounce must be at least 1");
    }
    return check_camera(&rays->camera, error);
}

static gboolean has_samples(const TsimRays *rays)
{
    return rays->kind == TSIM_RAYS_AO || rays->kind == TSIM_RAYS_DIFFUSE;
}

static uint32_t tile_height(const TsimRays *rays)
{
    return TILE_HEIGHT * (rays->wave_lanes / 32);
}

/* The smallest power of two that is not below value. */
static uint64_t round_up_to_power(uint64_t value)
{
    uint64_t power = 1;

    while (power < value) {
        power *= 2;
    }
    return power;
}

/* Places of the grid, those outside the image included. */
static uint64_t count_places(const TsimRays *rays)
{
    if (rays->kind == TSIM_RAYS_LIST) {
        return rays->list_count;
    }
    switch ((TsimRaysOrder)rays->order) {
    case TSIM_RAYS_8X4:
        return tsim_round_up(rays->width, TILE_WIDTH) *
               tsim_round_up(rays->height, tile_height(rays));
    case TSIM_RAYS_MORTON: {
        const uint64_t side = round_up_to_power(MAX(rays->width, rays->height));

        return side * side;
    }
    case TSIM_RAYS_ROW:
        break;
    }
    return (uint64_t)rays->width * rays->height;
}

/* All samples of a group of pixels are dealt before the next group. */
uint64_t tsim_rays_wave_count(const TsimRays *rays)
{
    return tsim_ceil_div(count_places(rays), rays->wave_lanes) *
           (has_samples(rays) ? rays->samples : 1);
}

/* Every second bit of code, from bit 0. */
static uint64_t gather_even_bits(uint64_t code)
{
    uint64_t gathered = 0;

    for (unsigned bit = 0; bit < 32; bit++) {
        gathered |= (code >> 2 * bit & 1) << bit;
    }
    return gathered;
}

/* FALSE for a place that has no pixel. */
static gboolean find_pixel(const TsimRays *rays, uint64_t place, uint64_t *pixel)
{
    const uint64_t tile_lanes = (uint64_t)TILE_WIDTH * tile_height(rays);
    const uint64_t tiles_a_row = tsim_ceil_div(rays->width, TILE_WIDTH);
    uint64_t x = 0, y = 0;

    switch ((TsimRaysOrder)rays->order) {
    case TSIM_RAYS_8X4:
        x = place / tile_lanes % tiles_a_row * TILE_WIDTH + place % TILE_WIDTH;
        y = place / tile_lanes / tiles_a_row * tile_height(rays) + place % tile_lanes / TILE_WIDTH;
        break;
    case TSIM_RAYS_MORTON:
        x = gather_even_bits(place);
        y = gather_even_bits(place >> 1);
        break;
    case TSIM_RAYS_ROW:
        x = place % rays->width;
        y = place / rays->width;
        break;
    }
    *pixel = y * rays->width + x;
    return x < rays->width && y < rays->height;
}

TsimRay tsim_rays_camera_ray(const TsimRays *rays, uint64_t pixel)
{
    const TsimRaysCamera *camera = &rays->camera;
    const Vector forward =
        normalise(add_scaled(from_floats(camera->look_at), from_floats(camera->position), -1.0));
    const Vector right = normalise(cross(forward, from_floats(camera->up)));
    const Vector up = cross(right, forward);
    const double half_height = tan(camera->fov_degrees / 2.0 * G_PI / 180.0);
    const double pixel_size = 2.0 * half_height / rays->height;
    TSIM_ASSERT(rays->width > 0); /* readers have checked it */
    const uint64_t row = pixel / rays->width;
    const double x = ((double)(pixel % rays->width) + 0.5 - 0.5 * rays->width) * pixel_size;
    const double y = (0.5 * rays->height - (double)row - 0.5) * pixel_size;
    const Vector aim = add_scaled(add_scaled(forward, right, x), up, y);
    float direction[3];

    to_floats(normalise(aim), direction);
    return tsim_ray_new(camera->position, direction, INFINITY);
}

/* The digits of index in that base, mirrored at the point: Halton's sequence in one dimension. */
static double mirror_digits(uint64_t index, unsigned base)
{
    double value = 0.0;
    double digit = 1.0;

    for (; index > 0; index /= base) {
        digit /= base;
        value += digit * (double)(index % base);
    }
    return value;
}

static double turn(double value, uint64_t amount)
{
    const double turned = value + (double)(amount >> 11) * 0x1p-53;

    return turned - floor(turned);
}

/* Malley's method: a point of the disc, lifted to the hemisphere. */
static Vector sample_hemisphere(const TsimRays *rays, uint64_t pixel, uint64_t sample,
                                uint32_t bounce, Vector normal)
{
    const uint64_t stream = 2 * (uint64_t)bounce;
    const double u = turn(mirror_digits(sample + 1, 2), tsim_hash3(rays->seed, stream, pixel));
    const double v = turn(mirror_digits(sample + 1, 3), tsim_hash3(rays->seed, stream + 1, pixel));
    const double radius = sqrt(u);
    const Vector aside = fabs(normal.x) < 0.5 ? (Vector){1, 0, 0} : (Vector){0, 1, 0};
    const Vector tangent = normalise(cross(aside, normal));
    const Vector bitangent = cross(normal, tangent);
    const Vector flat =
        add_scaled(add_scaled((Vector){0, 0, 0}, tangent, radius * cos(2 * G_PI * v)), bitangent,
                   radius * sin(2 * G_PI * v));

    return normalise(add_scaled(flat, normal, sqrt(1.0 - u)));
}

/* Of the hit triangle, on the side that the ray came from. Normals go to the world by the transpose
 * of the world-to-object matrix. */
static Vector find_normal(const TsimBvh *bvh, const TsimTraversalHit *hit, Vector direction)
{
    const uint8_t *corners = tsim_ray_node_corners[tsim_ray_pointer_type(hit->pointer)];
    TsimRayTriangleNode node;

    tsim_ray_node_decode_triangles(tsim_bvh_node(bvh, hit->pointer), &node);

    const Vector a = from_floats(node.vertex[corners[0]]);
    const Vector edge1 = add_scaled(from_floats(node.vertex[corners[1]]), a, -1.0);
    const Vector edge2 = add_scaled(from_floats(node.vertex[corners[2]]), a, -1.0);
    Vector normal = cross(edge1, edge2);

    if (hit->instance != TSIM_RAY_NO_NODE) {
        const Vector local = normal;
        TsimBvhInstanceNode instance;

        tsim_bvh_decode_instance(tsim_bvh_node(bvh, hit->instance), &instance);
        normal = add_scaled((Vector){0, 0, 0}, from_floats(instance.world_to_object[0]), local.x);
        normal = add_scaled(normal, from_floats(instance.world_to_object[1]), local.y);
        normal = add_scaled(normal, from_floats(instance.world_to_object[2]), local.z);
    }
    normal = normalise(normal);
    return dot(normal, direction) > 0.0 ? add_scaled((Vector){0, 0, 0}, normal, -1.0) : normal;
}

/* Where a ray ends: a point just off the surface, and the normal there. FALSE if it hits nothing.
 */
static gboolean find_surface(const TsimRays *rays, const TsimTraversalScene *scene,
                             const TsimRay *ray, Vector *point, Vector *normal)
{
    const TsimBox *bounds = &scene->bvh->measure.bounds;
    const Vector diagonal = add_scaled(from_floats(bounds->max), from_floats(bounds->min), -1.0);
    const Vector direction = from_floats(ray->direction);
    TsimTraversalScene closest = *scene;
    TsimTraversal traversal;

    closest.any_hit = FALSE;
    tsim_traversal_run(&closest, ray, NULL, NULL, &traversal);
    if (!traversal.hit.found) {
        return FALSE;
    }
    *normal = find_normal(scene->bvh, &traversal.hit, direction);
    *point = add_scaled(from_floats(ray->origin), direction, (double)traversal.hit.t);
    *point = add_scaled(*point, *normal, rays->offset * sqrt(dot(diagonal, diagonal)));
    return TRUE;
}

static TsimRay make_ray(Vector origin, Vector direction, double extent)
{
    float from[3];
    float along[3];

    to_floats(origin, from);
    to_floats(direction, along);
    return tsim_ray_new(from, along, (float)extent);
}

/* Follows the path of a pixel up to the ray that is asked for; FALSE if it ends before. */
static gboolean follow_path(const TsimRays *rays, const TsimTraversalScene *scene, uint64_t pixel,
                            uint64_t sample, TsimRay *ray)
{
    const uint32_t legs = rays->kind == TSIM_RAYS_DIFFUSE   ? rays->bounce
                          : rays->kind == TSIM_RAYS_PRIMARY ? 0
                                                            : 1;
    const double extent =
        rays->kind == TSIM_RAYS_AO && rays->ao_radius > 0.0 ? rays->ao_radius : (double)INFINITY;
    Vector point;
    Vector normal;

    *ray = tsim_rays_camera_ray(rays, pixel);
    for (uint32_t leg = 0; leg < legs; leg++) {
        if (!find_surface(rays, scene, ray, &point, &normal)) {
            return FALSE;
        }
        if (rays->kind == TSIM_RAYS_SHADOW) {
            *ray = make_ray(point, add_scaled(from_floats(rays->light), point, -1.0), 1.0);
        } else {
            *ray = make_ray(point, sample_hemisphere(rays, pixel, sample, leg, normal), extent);
        }
    }
    return TRUE;
}

void tsim_rays_wave(const TsimRays *rays, const TsimTraversalScene *scene, uint64_t wave,
                    TsimRaysWave *result)
{
    const uint32_t samples = has_samples(rays) ? rays->samples : 1;
    const uint64_t first_place = wave / samples * rays->wave_lanes;

    memset(result, 0, sizeof *result);
    for (uint32_t lane = 0; lane < rays->wave_lanes; lane++) {
        const uint64_t place = first_place + lane;
        gboolean enabled = place < count_places(rays);

        if (enabled && rays->kind == TSIM_RAYS_LIST) {
            result->pixel[lane] = place;
            result->ray[lane] = rays->list[place];
        } else if (enabled) {
            enabled =
                find_pixel(rays, place, &result->pixel[lane]) &&
                follow_path(rays, scene, result->pixel[lane], wave % samples, &result->ray[lane]);
        }
        result->enabled |= (uint64_t)(enabled ? 1 : 0) << lane;
    }
}

/* Does something other than a comment follow on this line? */
static gboolean has_more(const TsimText *text)
{
    TsimText ahead = *text;
    TsimTextWord word;

    return tsim_text_next_word(&ahead, &word) && word.start[0] != '#';
}

static gboolean parse_ray(TsimText *text, GArray *list, GError **error)
{
    float values[6];
    float extent = INFINITY;

    if (!has_more(text)) {
        return TRUE;
    }
    if (!tsim_text_floats(text, 6, values, error) ||
        (has_more(text) && !tsim_text_floats(text, 1, &extent, error))) {
        return FALSE;
    }
    if (has_more(text)) {
        return tsim_text_fail(text, error, "a ray has 6 or 7 numbers");
    }
    const TsimRay ray = tsim_ray_new(values, values + 3, extent);

    g_array_append_val(list, ray);
    return TRUE;
}

TsimRay *tsim_rays_read(const char *path, uint64_t *count, GError **error)
{
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(TsimRay));
    g_autofree char *data = NULL;
    gsize length_bytes = 0;

    if (!tsim_file_read(path, "list of rays", &data, &length_bytes, error)) {
        return NULL;
    }
    TsimText text = tsim_text_new(path, data, length_bytes);

    while (tsim_text_next_line(&text)) {
        if (!parse_ray(&text, list, error)) {
            return NULL;
        }
    }
    if (list->len == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: no rays", path);
        return NULL;
    }
    *count = list->len;
    return (TsimRay *)(void *)g_array_free(g_steal_pointer(&list), FALSE);
}
