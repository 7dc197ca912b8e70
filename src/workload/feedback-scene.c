#include "workload/feedback-scene.h"

#include "base/error.h"
#include "base/hash.h"

#include <math.h>

#define TILE_SIDE    8u
#define TILE_QUADS   (TILE_SIDE * TILE_SIDE / 4)
#define MAX_SIDE     16384
#define NO_TRIANGLE  UINT32_MAX
#define DEGREE       (G_PI / 180.0)
#define NEAREST_VIEW 1e-6 /* vertices nearer than this are not projected one by one */

#define FIELD_U32(name, member, unit, min, max, initial, blurb)                                    \
    {                                                                                              \
        name, TSIM_FIELD_U32, offsetof(TsimFeedbackSceneSpec, member), unit, min, max, initial,    \
            NULL, FALSE, blurb                                                                     \
    }
#define FIELD_REAL(name, member, unit, min, max, initial, blurb)                                   \
    {                                                                                              \
        name, TSIM_FIELD_REAL, offsetof(TsimFeedbackSceneSpec, member), unit, min, max, initial,   \
            NULL, FALSE, blurb                                                                     \
    }

const TsimField tsim_feedback_write_fields[] = {
    FIELD_REAL("write_fraction", write_fraction, "", 0, 1, 1,
               "Share of the visible pixels that write feedback, drawn at random"),
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

const TsimField tsim_feedback_scene_fields[] = {
    FIELD_U32("width", width, "pixels", 1, MAX_SIDE, 1280, "Width of the image"),
    FIELD_U32("height", height, "pixels", 1, MAX_SIDE, 720, "Height of the image"),
    FIELD_REAL("camera_x", camera[0], "units", -1e6, 1e6, 0, "Place of the camera in frame 0"),
    FIELD_REAL("camera_y", camera[1], "units", -1e6, 1e6, 2, "Height of the camera in frame 0"),
    FIELD_REAL("camera_z", camera[2], "units", -1e6, 1e6, -40, "Place of the camera in frame 0"),
    FIELD_REAL("yaw", yaw, "degrees", -360, 360, 0, "View direction from +Z towards +X"),
    FIELD_REAL("pitch", pitch, "degrees", -90, 90, 10, "View direction below the horizon"),
    FIELD_REAL("field_of_view", field_of_view, "degrees", 1, 170, 60, "Vertical opening angle"),
    FIELD_REAL("move_x", move[0], "units/frame", -1e6, 1e6, 0, "Motion of the camera"),
    FIELD_REAL("move_y", move[1], "units/frame", -1e6, 1e6, 0, "Motion of the camera"),
    FIELD_REAL("move_z", move[2], "units/frame", -1e6, 1e6, 0.25, "Motion of the camera"),
    FIELD_REAL("turn", turn, "degrees/frame", -180, 180, 0, "Turn of the camera"),
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

/* ---- surfaces -------------------------------------------------------------------------------- */

static TsimSceneSurface *surface_new(uint32_t vertex_count, uint32_t triangle_count)
{
    TsimSceneSurface *surface = g_new0(TsimSceneSurface, 1);

    surface->vertices = g_new0(TsimSceneVertex, vertex_count);
    surface->indices = g_new0(uint32_t, 3 * (size_t)triangle_count);
    surface->vertex_count = vertex_count;
    surface->triangle_count = triangle_count;
    return surface;
}

void tsim_scene_surface_free(TsimSceneSurface *surface)
{
    if (surface == NULL) {
        return;
    }
    g_free(surface->vertices);
    g_free(surface->indices);
    g_free(surface);
}

TsimSceneSurface *tsim_scene_surface_plane(double side, double repeats)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    TsimSceneSurface *surface = surface_new(4, 2);

    for (uint32_t i = 0; i < 4; i++) {
        const double u = i & 1;
        const double v = i >> 1;

        surface->vertices[i] = (TsimSceneVertex){
            {(u - 0.5) * side, 0.0, (v - 0.5) * side},
            {u * repeats, v * repeats},
        };
    }
    memcpy(surface->indices, indices, sizeof(indices));
    return surface;
}

typedef struct {
    double middle[3];
    double scale;
} Fit;

static Fit fit_to_side(const float *positions, uint32_t vertex_count, double side)
{
    Fit fit = {.scale = 0.0};
    double largest = 0.0;

    for (uint32_t axis = 0; axis < 3; axis++) {
        double low = HUGE_VAL;
        double high = -HUGE_VAL;

        for (uint32_t i = 0; i < vertex_count; i++) {
            low = fmin(low, (double)positions[3 * (size_t)i + axis]);
            high = fmax(high, (double)positions[3 * (size_t)i + axis]);
        }
        fit.middle[axis] = (low + high) / 2.0;
        largest = fmax(largest, high - low);
    }
    fit.scale = largest > 0.0 ? side / largest : 1.0;
    return fit;
}

/* The axis along which the triangle shows most of its area. */
static uint32_t facing_axis(const TsimSceneVertex corners[3])
{
    double edges[2][3];
    double normal[3];

    for (uint32_t axis = 0; axis < 3; axis++) {
        edges[0][axis] = corners[1].position[axis] - corners[0].position[axis];
        edges[1][axis] = corners[2].position[axis] - corners[0].position[axis];
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t b = (axis + 1) % 3;
        const uint32_t c = (axis + 2) % 3;

        normal[axis] = fabs(edges[0][b] * edges[1][c] - edges[0][c] * edges[1][b]);
    }
    if (normal[0] >= normal[1] && normal[0] >= normal[2]) {
        return 0;
    }
    return normal[1] >= normal[2] ? 1 : 2;
}

TsimSceneSurface *tsim_scene_surface_mesh(const float *positions, uint32_t vertex_count,
                                          const uint32_t *indices, uint32_t triangle_count,
                                          double side, double repeats)
{
    /* Three vertices a triangle: neighbours may be projected along different axes. */
    TsimSceneSurface *surface = surface_new(3 * triangle_count, triangle_count);
    const Fit fit = fit_to_side(positions, vertex_count, side);

    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double place = (double)positions[3 * (size_t)indices[i] + axis];

            surface->vertices[i].position[axis] = (place - fit.middle[axis]) * fit.scale;
        }
        surface->indices[i] = i;
    }
    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        const uint32_t facing = facing_axis(&surface->vertices[i - i % 3]);
        TsimSceneVertex *vertex = &surface->vertices[i];

        vertex->uv[0] = (vertex->position[facing == 0 ? 2 : 0] / side + 0.5) * repeats;
        vertex->uv[1] = (vertex->position[facing == 1 ? 2 : 1] / side + 0.5) * repeats;
    }
    return surface;
}

/* ---- rasterisation --------------------------------------------------------------------------- */

/* A triangle on the screen, in homogeneous coordinates, so that nothing needs clipping: weight i
 * of a pixel is edge[i] . (x, y, 1); weights of vertices, divided by depth. All are >= 0 inside,
 * their sum is 1 / depth. */
typedef struct {
    double edge[3][3];
    uint32_t left, top;        /* in pixels, a multiple of the tile side */
    uint32_t tiles_x, tiles_y; /* 0 when nothing of it can be seen */
} ScreenTriangle;

typedef struct {
    double position[3];
    double right[3], down[3], forward[3];
    double focal; /* pixels */
} Camera;

struct TsimFeedbackScene {
    TsimFeedbackSceneSpec spec;
    const TsimSceneSurface *surface;
    uint64_t seed;
    uint32_t frame;
    Camera camera;
    float *nearness;   /* a pixel: 1 / depth of what is seen */
    uint32_t *owner;   /* a pixel: the triangle that is seen */
    uint32_t triangle; /* cursor of next_wave */
    uint64_t quad;     /* of that triangle */
    uint32_t wave_quads;
    ScreenTriangle screen;
};

TsimFeedbackScene *tsim_feedback_scene_new(const TsimFeedbackSceneSpec *spec,
                                           const TsimSceneSurface *surface, uint64_t seed,
                                           GError **error)
{
    if (spec->width < 1 || spec->width > MAX_SIDE || spec->height < 1 || spec->height > MAX_SIDE) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "image of %u x %u pixels: must be 1..%d",
                    spec->width, spec->height, MAX_SIDE);
        return NULL;
    }
    if (surface->triangle_count == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "scene: the surface has no triangle");
        return NULL;
    }

    TsimFeedbackScene *scene = g_new0(TsimFeedbackScene, 1);
    const size_t pixels = (size_t)spec->width * spec->height;

    scene->spec = *spec;
    scene->surface = surface;
    scene->seed = seed;
    scene->wave_quads = (spec->wave_lanes != 0 ? spec->wave_lanes : TSIM_FEEDBACK_WAVE_LANES) / 4;
    scene->nearness = g_new0(float, pixels);
    scene->owner = g_new0(uint32_t, pixels);
    scene->triangle = surface->triangle_count;
    return scene;
}

void tsim_feedback_scene_free(TsimFeedbackScene *scene)
{
    if (scene == NULL) {
        return;
    }
    g_free(scene->nearness);
    g_free(scene->owner);
    g_free(scene);
}

static Camera camera_of_frame(const TsimFeedbackSceneSpec *spec, uint32_t frame)
{
    const double yaw = (spec->yaw + spec->turn * frame) * DEGREE;
    const double pitch = spec->pitch * DEGREE;
    Camera camera = {
        .right = {cos(yaw), 0.0, -sin(yaw)},
        .down = {-sin(yaw) * sin(pitch), -cos(pitch), -cos(yaw) * sin(pitch)},
        .forward = {sin(yaw) * cos(pitch), -sin(pitch), cos(yaw) * cos(pitch)},
        .focal = spec->height / (2.0 * tan(spec->field_of_view * DEGREE / 2.0)),
    };

    for (uint32_t axis = 0; axis < 3; axis++) {
        camera.position[axis] = spec->camera[axis] + spec->move[axis] * frame;
    }
    return camera;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Homogeneous pixel coordinates: x and y times depth, depth. */
static void project(const TsimFeedbackScene *scene, const double position[3], double out[3])
{
    const Camera *camera = &scene->camera;
    double seen[3];

    for (uint32_t axis = 0; axis < 3; axis++) {
        seen[axis] = position[axis] - camera->position[axis];
    }
    out[2] = dot(seen, camera->forward);
    out[0] = dot(seen, camera->right) * camera->focal + out[2] * scene->spec.width / 2.0;
    out[1] = dot(seen, camera->down) * camera->focal + out[2] * scene->spec.height / 2.0;
}

/* Whole tiles from low to high pixels, cut to the screen. */
static void cover_tiles(double low, double high, uint32_t size, uint32_t *ret_start,
                        uint32_t *ret_tiles)
{
    const double first = CLAMP(floor(low), 0.0, size);
    const double last = CLAMP(ceil(high), 0.0, size);
    const uint32_t start = (uint32_t)first / TILE_SIDE * TILE_SIDE;
    const uint32_t end = (uint32_t)last;

    *ret_start = start;
    *ret_tiles = end > start ? (end - start + TILE_SIDE - 1) / TILE_SIDE : 0;
}

static void bound(const TsimFeedbackScene *scene, double corners[3][3], ScreenTriangle *screen)
{
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    uint32_t in_front = 0;

    for (uint32_t i = 0; i < 3; i++) {
        const double depth = corners[i][2];

        in_front += depth > NEAREST_VIEW;
        for (uint32_t axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], corners[i][axis] / depth);
            high[axis] = fmax(high[axis], corners[i][axis] / depth);
        }
    }
    if (in_front == 0) {
        return;
    }
    if (in_front < 3) {
        /* Part of it lies behind the camera: it may reach anywhere. */
        low[0] = low[1] = -HUGE_VAL;
        high[0] = high[1] = HUGE_VAL;
    }
    cover_tiles(low[0], high[0], scene->spec.width, &screen->left, &screen->tiles_x);
    cover_tiles(low[1], high[1], scene->spec.height, &screen->top, &screen->tiles_y);
}

static const TsimSceneVertex *corner(const TsimFeedbackScene *scene, uint32_t triangle, uint32_t i)
{
    return &scene->surface->vertices[scene->surface->indices[3 * (size_t)triangle + i]];
}

static ScreenTriangle set_up(const TsimFeedbackScene *scene, uint32_t triangle)
{
    ScreenTriangle screen = {0};
    double corners[3][3];

    for (uint32_t i = 0; i < 3; i++) {
        project(scene, corner(scene, triangle, i)->position, corners[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        cross(corners[(i + 1) % 3], corners[(i + 2) % 3], screen.edge[i]);
    }

    const double volume = dot(corners[0], screen.edge[0]);

    /* Seen from its edge, or without area. Written so that a NaN is dropped too. */
    if (!(fabs(volume) > 0.0)) {
        return screen;
    }
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            screen.edge[i][axis] /= volume;
        }
    }
    bound(scene, corners, &screen);
    return screen;
}

/* Weights at the centre of a pixel; TRUE when it lies inside. */
static gboolean weigh(const ScreenTriangle *screen, uint32_t x, uint32_t y, double weights[3])
{
    const double centre[3] = {x + 0.5, y + 0.5, 1.0};

    for (uint32_t i = 0; i < 3; i++) {
        weights[i] = dot(screen->edge[i], centre);
    }
    return weights[0] >= 0.0 && weights[1] >= 0.0 && weights[2] >= 0.0;
}

static void see_pixel(TsimFeedbackScene *scene, const ScreenTriangle *screen, uint32_t triangle,
                      uint32_t x, uint32_t y)
{
    const size_t pixel = (size_t)y * scene->spec.width + x;
    double weights[3];

    if (weigh(screen, x, y, weights)) {
        const float nearness = (float)(weights[0] + weights[1] + weights[2]);

        if (nearness > scene->nearness[pixel]) {
            scene->nearness[pixel] = nearness;
            scene->owner[pixel] = triangle;
        }
    }
}

static void see_triangle(TsimFeedbackScene *scene, uint32_t triangle)
{
    const ScreenTriangle screen = set_up(scene, triangle);
    const uint32_t right = MIN(screen.left + screen.tiles_x * TILE_SIDE, scene->spec.width);
    const uint32_t bottom = MIN(screen.top + screen.tiles_y * TILE_SIDE, scene->spec.height);

    for (uint32_t y = screen.top; y < bottom; y++) {
        for (uint32_t x = screen.left; x < right; x++) {
            see_pixel(scene, &screen, triangle, x, y);
        }
    }
}

void tsim_feedback_scene_begin_frame(TsimFeedbackScene *scene, uint32_t frame)
{
    const size_t pixels = (size_t)scene->spec.width * scene->spec.height;

    scene->frame = frame;
    scene->camera = camera_of_frame(&scene->spec, frame);
    for (size_t i = 0; i < pixels; i++) {
        scene->nearness[i] = 0.0f;
        scene->owner[i] = NO_TRIANGLE;
    }
    for (uint32_t i = 0; i < scene->surface->triangle_count; i++) {
        see_triangle(scene, i);
    }
    scene->triangle = 0;
    scene->quad = 0;
    scene->screen = set_up(scene, 0);
}

/* ---- waves ----------------------------------------------------------------------------------- */

static gboolean owns(const TsimFeedbackScene *scene, uint32_t x, uint32_t y)
{
    return x < scene->spec.width && y < scene->spec.height &&
           scene->owner[(size_t)y * scene->spec.width + x] == scene->triangle;
}

static gboolean draws_write(const TsimFeedbackScene *scene, uint32_t x, uint32_t y)
{
    const uint64_t hash =
        tsim_hash3(scene->seed, scene->frame, (uint64_t)y * scene->spec.width + x);

    return (double)(hash >> 11) * 0x1p-53 < scene->spec.write_fraction;
}

static void texture_coordinates(const TsimFeedbackScene *scene, uint32_t x, uint32_t y,
                                double uvw[3])
{
    double weights[3];

    weigh(&scene->screen, x, y, weights);

    const double nearness = weights[0] + weights[1] + weights[2];

    for (uint32_t axis = 0; axis < 2; axis++) {
        double sum = 0.0;

        for (uint32_t i = 0; i < 3; i++) {
            sum += corner(scene, scene->triangle, i)->uv[axis] * weights[i];
        }
        uvw[axis] = sum / nearness;
    }
    uvw[2] = 0.0;
}

static void add_quad(const TsimFeedbackScene *scene, uint32_t x, uint32_t y,
                     TsimFeedbackSceneWave *wave)
{
    TsimSampleLane *lanes = &wave->lanes[wave->lane_count];
    double ddx[3];
    double ddy[3];

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t px = x + (i & 1);
        const uint32_t py = y + (i >> 1);
        const uint64_t active = owns(scene, px, py) ? 1 : 0;
        const uint64_t writes = draws_write(scene, px, py) ? active : 0;

        lanes[i] = (TsimSampleLane){0};
        texture_coordinates(scene, px, py, lanes[i].uvw);
        wave->active |= active << (wave->lane_count + i);
        wave->writes |= writes << (wave->lane_count + i);
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        ddx[axis] = lanes[1].uvw[axis] - lanes[0].uvw[axis];
        ddy[axis] = lanes[2].uvw[axis] - lanes[0].uvw[axis];
    }
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(lanes[i].ddx, ddx, sizeof(ddx));
        memcpy(lanes[i].ddy, ddy, sizeof(ddy));
    }
    wave->lane_count += 4;
}

/* Goes to the next quad that sees its triangle; FALSE at the end of the frame. The quads of a
 * triangle are numbered tile by tile. */
static gboolean next_quad(TsimFeedbackScene *scene, uint32_t *ret_x, uint32_t *ret_y)
{
    while (scene->triangle < scene->surface->triangle_count) {
        const ScreenTriangle *screen = &scene->screen;
        const uint64_t quads = (uint64_t)screen->tiles_x * screen->tiles_y * TILE_QUADS;

        while (scene->quad < quads) {
            const uint32_t tile = (uint32_t)(scene->quad / TILE_QUADS);
            const uint32_t place = (uint32_t)(scene->quad % TILE_QUADS);
            const uint32_t x = screen->left + tile % screen->tiles_x * TILE_SIDE + place % 4 * 2;
            const uint32_t y = screen->top + tile / screen->tiles_x * TILE_SIDE + place / 4 * 2;

            scene->quad++;
            if (owns(scene, x, y) || owns(scene, x + 1, y) || owns(scene, x, y + 1) ||
                owns(scene, x + 1, y + 1)) {
                *ret_x = x;
                *ret_y = y;
                return TRUE;
            }
        }
        scene->triangle++;
        scene->quad = 0;
        if (scene->triangle < scene->surface->triangle_count) {
            scene->screen = set_up(scene, scene->triangle);
        }
    }
    return FALSE;
}

gboolean tsim_feedback_scene_next_wave(TsimFeedbackScene *scene, TsimFeedbackSceneWave *ret_wave)
{
    uint32_t x;
    uint32_t y;

    ret_wave->lane_count = 0;
    ret_wave->active = 0;
    ret_wave->writes = 0;
    for (uint32_t i = 0; i < scene->wave_quads && next_quad(scene, &x, &y); i++) {
        add_quad(scene, x, y, ret_wave);
    }
    return ret_wave->lane_count > 0;
}
