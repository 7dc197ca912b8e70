#include "workload/factors.h"

#include "base/error.h"
#include "base/hash.h"
#include "engine/rng.h"
#include "workload/height-map.h"
#include "workload/mesh.h"

#define FACTOR_MAX TSIM_TESS_LEVEL_MAX
#define EDGE_STEPS 8 /* pieces of an edge that follow the ground */

static const char *const distribution_names[] = {"normal", "lognormal", "gamma", "exponential",
                                                 "beta",   "two_point", NULL};
static const char *const inside_names[] = {"mean", "max", NULL};

/* clang-format off */
#define FIELD(key, type, member, unit, min, max, init, words, blurb) \
    {key, TSIM_FIELD_##type, offsetof(TsimFactorParams, member), unit, min, max, init, words, FALSE, blurb}
#define KIND(key, type, member, min, max, words, blurb) \
    {key, TSIM_FIELD_##type, offsetof(TsimFactorParams, member), "", min, max, 0, words, TRUE, blurb}
#define LIMITS \
    FIELD("min", REAL, min, "", 0, FACTOR_MAX, 1, NULL, "Least factor"), \
    FIELD("max", REAL, max, "", 0, FACTOR_MAX, FACTOR_MAX, NULL, "Greatest factor")
#define GROUND \
    FIELD("columns", U32, columns, "", 1, 65536, 64, NULL, "Squares along x"), \
    FIELD("rows", U32, rows, "", 1, 65536, 64, NULL, "Squares along z"), \
    FIELD("patch_size", REAL, patch_size, "", 1e-6, 1e6, 16, NULL, "Side of a square"), \
    FIELD("height", REAL, height, "", 0, 1e6, 100, NULL, "Height of the highest point (white)")
#define SIGHT \
    FIELD("pixels_per_segment", REAL, pixels_per_segment, "pixels", 0.01, 1e6, 8, NULL, "Length on the screen of a segment of an edge"), \
    FIELD("inside", ENUM, inside, "", 0, 0, TSIM_INSIDE_MEAN, inside_names, "How inside factors follow from the edges"), \
    FIELD("cull_out_of_view", BOOL, cull_out_of_view, "", 0, 1, 1, NULL, "Patches out of view get factors of 0")
#define END {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL}

static const TsimField uniform_fields[] = {
    KIND("uniform", REAL, uniform, 0, 1e6, NULL, "Every factor of every patch, before max_tess_factor limits it"),
    END,
};

static const TsimField distribution_fields[] = {
    KIND("distribution", ENUM, distribution, 0, 0, distribution_names, "Factors are random, of this distribution"),
    FIELD("mean", REAL, mean, "", -1000, 1000, 8, NULL, "Mean, before min and max cut values off"),
    FIELD("deviation", REAL, deviation, "", 0, 1000, 4, NULL, "Standard deviation, likewise; exponential and two_point have their own"),
    FIELD("share", REAL, share, "", 0, 1, 0.5, NULL, "two_point: probability of max, the rest is min"),
    FIELD("per_factor", BOOL, per_factor, "", 0, 1, 0, NULL, "Every factor of a patch is drawn, not one for all of them"),
    LIMITS,
    END,
};

static const TsimField height_map_fields[] = {
    KIND("height_map", STRING, height_map, 0, 0, NULL, "Factors of a terrain under a camera; PGM file of heights"),
    GROUND, LIMITS, SIGHT, END,
};

static const TsimField fractal_fields[] = {
    KIND("fractal", REAL, roughness, 0, 1, NULL, "Factors of a made-up terrain under a camera; its roughness"),
    FIELD("seed", U64, fractal_seed, "", 0, 0x1p53, 1, NULL, "Which landscape"),
    GROUND, LIMITS, SIGHT, END,
};

static const TsimField mesh_fields[] = {
    KIND("mesh", STRING, mesh, 0, 0, NULL, "Factors of a mesh under a camera; OBJ, PLY or STL file"),
    FIELD("cull_back_faces", BOOL, cull_back_faces, "", 0, 1, 1, NULL, "Triangles seen from behind get factors of 0"),
    LIMITS, SIGHT, END,
};
/* clang-format on */

const TsimField *const tsim_factor_fields[] = {
    [TSIM_FACTORS_UNIFORM] = uniform_fields,
    [TSIM_FACTORS_DISTRIBUTION] = distribution_fields,
    [TSIM_FACTORS_HEIGHT_MAP] = height_map_fields,
    [TSIM_FACTORS_FRACTAL] = fractal_fields,
    [TSIM_FACTORS_MESH] = mesh_fields,
    [TSIM_FACTORS_KINDS] = NULL,
};

gboolean tsim_factor_kind_has_camera(TsimFactorKind kind)
{
    return tsim_field_find(tsim_factor_fields[kind], "pixels_per_segment") != NULL;
}

void tsim_factor_params_init(TsimFactorParams *params, TsimFactorKind kind)
{
    *params = (TsimFactorParams){.kind = (int)kind};
    tsim_fields_init(tsim_factor_fields[kind], params);
    tsim_fields_init(tsim_camera_fields, &params->camera);
}

void tsim_factor_params_clear(TsimFactorParams *params)
{
    g_clear_pointer(&params->height_map, g_free);
    g_clear_pointer(&params->mesh, g_free);
}

struct TsimFactorSource {
    void (*get)(const TsimFactorSource *source, uint64_t patch, TsimTessFactors *ret_factors);
    uint64_t patches;        /* 0: any number */
    TsimFactorParams params; /* its strings are NULL */
    TsimDomain domain;
    uint64_t seed, stream;
    TsimView view;
    TsimTessFactors *list; /* owned, as are the next two */
    TsimHeightMap *map;
    TsimMesh *mesh;
};

/* ---- Uniform, list, random ---- */

static void get_uniform(const TsimFactorSource *source, uint64_t patch,
                        TsimTessFactors *ret_factors)
{
    const float factor = (float)source->params.uniform;

    (void)patch;
    *ret_factors = (TsimTessFactors){{factor, factor, factor, factor}, {factor, factor}};
}

static void get_listed(const TsimFactorSource *source, uint64_t patch, TsimTessFactors *ret_factors)
{
    *ret_factors = source->list[patch];
}

static float limited(const TsimFactorParams *params, double factor)
{
    return (float)CLAMP(factor, params->min, params->max);
}

static double draw_beta(const TsimFactorParams *params, TsimRng *rng)
{
    const double range = params->max - params->min;

    return params->min + range * tsim_rng_beta(rng, (params->mean - params->min) / range,
                                               params->deviation / range);
}

static double draw_factor(const TsimFactorParams *params, TsimRng *rng)
{
    switch ((TsimDistribution)params->distribution) {
    case TSIM_DISTRIBUTION_NORMAL:
        return tsim_rng_normal(rng, params->mean, params->deviation);
    case TSIM_DISTRIBUTION_LOGNORMAL:
        return tsim_rng_lognormal(rng, params->mean, params->deviation);
    case TSIM_DISTRIBUTION_GAMMA:
        return tsim_rng_gamma(rng, params->mean, params->deviation);
    case TSIM_DISTRIBUTION_EXPONENTIAL:
        return tsim_rng_exponential(rng, params->mean);
    case TSIM_DISTRIBUTION_BETA:
        return draw_beta(params, rng);
    case TSIM_DISTRIBUTION_TWO_POINT:
        return tsim_rng_uniform(rng) < params->share ? params->max : params->min;
    }
    return params->mean;
}

static void get_random(const TsimFactorSource *source, uint64_t patch, TsimTessFactors *ret_factors)
{
    const TsimFactorParams *params = &source->params;
    TsimRng rng = tsim_rng_at(source->seed, source->stream, patch);
    float factor = 0.0f;

    for (int i = 0; i < 6; i++) {
        float *place = i < 4 ? &ret_factors->edge[i] : &ret_factors->inside[i - 4];

        if (i == 0 || params->per_factor) {
            factor = limited(params, draw_factor(params, &rng));
        }
        *place = factor;
    }
}

/* ---- Under a camera ---- */

static float factor_of_length(const TsimFactorParams *params, double pixels)
{
    return limited(params, pixels / params->pixels_per_segment);
}

static void set_inside(const TsimFactorParams *params, int edges, TsimTessFactors *factors)
{
    float sum = 0.0f;
    float most = 0.0f;

    for (int i = 0; i < edges; i++) {
        sum += factors->edge[i];
        most = MAX(most, factors->edge[i]);
    }
    factors->inside[0] = params->inside == TSIM_INSIDE_MAX ? most : sum / (float)edges;
    factors->inside[1] = edges == 4 ? factors->inside[0] : 0.0f;
}

/* An edge of a patch of terrain, as steps from the lowest corner of its square, always from the
 * lower end to the upper: two patches that share an edge walk along it in the same direction. */
typedef struct {
    uint8_t from[2], to[2];
} GroundEdge;

/* In the order of TsimTessFactors, for corners (U, V) at (column, row). */
static const GroundEdge quad_edges[] = {
    {{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}, {{1, 0}, {1, 1}}, {{0, 1}, {1, 1}}};

/* Triangles (0,0) (1,0) (1,1) and (0,0) (1,1) (0,1); edge i is opposite to corner i. */
static const GroundEdge tri_edges[2][3] = {
    {{{1, 0}, {1, 1}}, {{0, 0}, {1, 1}}, {{0, 0}, {1, 0}}},
    {{{0, 1}, {1, 1}}, {{0, 0}, {0, 1}}, {{0, 0}, {1, 1}}},
};

static void ground_point(const TsimFactorSource *source, double column, double row,
                         double ret_point[3])
{
    const TsimFactorParams *params = &source->params;
    const double u = column / params->columns;
    const double v = row / params->rows;
    const double world[3] = {(column - params->columns / 2.0) * params->patch_size,
                             tsim_height_map_sample(source->map, u, v) * params->height,
                             (row - params->rows / 2.0) * params->patch_size};

    tsim_view_point(&source->view, world, ret_point);
}

/* Length of an edge in pixels; sides of the frustum that not all of it is beyond leave ret_outside.
 */
static double ground_edge_pixels(const TsimFactorSource *source, const GroundEdge *edge,
                                 double column, double row, uint32_t *ret_outside)
{
    double points[2][3];
    double pixels = 0.0;

    for (int step = 0; step <= EDGE_STEPS; step++) {
        const double part = (double)step / EDGE_STEPS;
        double *here = points[step % 2];

        ground_point(source, column + edge->from[0] + (edge->to[0] - edge->from[0]) * part,
                     row + edge->from[1] + (edge->to[1] - edge->from[1]) * part, here);
        *ret_outside &= tsim_view_outside(&source->view, here);
        if (step > 0) {
            pixels += tsim_view_length_pixels(&source->view, points[(step - 1) % 2], here);
        }
    }
    return pixels;
}

static void get_terrain(const TsimFactorSource *source, uint64_t patch,
                        TsimTessFactors *ret_factors)
{
    const TsimFactorParams *params = &source->params;
    const gboolean quad = source->domain == TSIM_DOMAIN_QUAD;
    const int edges = quad ? 4 : 3;
    const GroundEdge *edge = quad ? quad_edges : tri_edges[patch % 2];
    const uint64_t square = quad ? patch : patch / 2;
    const uint64_t row_index = square / params->columns;
    const double column = (double)(square % params->columns);
    const double row = (double)row_index;
    uint32_t outside = UINT32_MAX;

    *ret_factors = (TsimTessFactors){{0.0f}, {0.0f}};
    for (int i = 0; i < edges; i++) {
        ret_factors->edge[i] =
            factor_of_length(params, ground_edge_pixels(source, &edge[i], column, row, &outside));
    }
    set_inside(params, edges, ret_factors);
    if (params->cull_out_of_view && outside != 0) {
        *ret_factors = (TsimTessFactors){{0.0f}, {0.0f}};
    }
}

/* Counter-clockwise triangles face the eye; one without area faces nobody. In view space the eye is
 * the origin and the axes are right-handed but for z, which points away from it. */
static gboolean faces_eye(const double a[3], const double b[3], const double c[3])
{
    const double normal[3] = {
        (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
        (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
    };

    return normal[0] * a[0] + normal[1] * a[1] + normal[2] * a[2] > 0.0;
}

static void get_mesh(const TsimFactorSource *source, uint64_t patch, TsimTessFactors *ret_factors)
{
    const TsimFactorParams *params = &source->params;
    const uint32_t *corners = &source->mesh->indices[3 * patch];
    double points[3][3];
    uint32_t outside = UINT32_MAX;

    for (int i = 0; i < 3; i++) {
        const float *position = &source->mesh->positions[3 * (size_t)corners[i]];
        const double world[3] = {(double)position[0], (double)position[1], (double)position[2]};

        tsim_view_point(&source->view, world, points[i]);
        outside &= tsim_view_outside(&source->view, points[i]);
    }
    *ret_factors = (TsimTessFactors){{0.0f}, {0.0f}};
    if ((params->cull_out_of_view && outside != 0) ||
        (params->cull_back_faces && !faces_eye(points[0], points[1], points[2]))) {
        return;
    }
    for (int i = 0; i < 3; i++) { /* edge i is opposite to corner i */
        ret_factors->edge[i] =
            factor_of_length(params, tsim_view_length_pixels(&source->view, points[(i + 1) % 3],
                                                             points[(i + 2) % 3]));
    }
    set_inside(params, 3, ret_factors);
}

/* ---- Making a source ---- */

static gboolean fail(GError **error, const char *message)
{
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_INPUT, message);
    return FALSE;
}

static gboolean check_distribution(const TsimFactorParams *params, GError **error)
{
    const gboolean has_deviation = params->distribution != TSIM_DISTRIBUTION_EXPONENTIAL &&
                                   params->distribution != TSIM_DISTRIBUTION_TWO_POINT;
    const gboolean has_positive_mean = params->distribution != TSIM_DISTRIBUTION_NORMAL &&
                                       params->distribution != TSIM_DISTRIBUTION_TWO_POINT;

    if (has_positive_mean && params->mean <= 0.0) {
        return fail(error, "the mean of this distribution must be above 0");
    }
    if (has_deviation && params->deviation <= 0.0) {
        return fail(error, "the deviation must be above 0; \"uniform\" gives equal factors");
    }
    if (params->distribution == TSIM_DISTRIBUTION_BETA &&
        params->deviation * params->deviation >=
            (params->mean - params->min) * (params->max - params->mean)) {
        return fail(error, "a beta distribution needs min < mean < max and "
                           "deviation^2 < (mean - min) * (max - mean)");
    }
    return TRUE;
}

static gboolean open_random(TsimFactorSource *source, const TsimFactorParams *params,
                            GError **error)
{
    source->get = get_random;
    return check_distribution(params, error);
}

static gboolean open_terrain(TsimFactorSource *source, const TsimFactorParams *params,
                             GError **error)
{
    const uint64_t squares = (uint64_t)params->columns * params->rows;

    if (source->domain == TSIM_DOMAIN_ISOLINE) {
        return fail(error, "terrain has quad or tri patches; the draw's domain is isoline");
    }
    source->get = get_terrain;
    source->patches = source->domain == TSIM_DOMAIN_QUAD ? squares : 2 * squares;
    source->map = params->kind == TSIM_FACTORS_FRACTAL
                      ? tsim_height_map_fractal(params->fractal_seed, params->roughness)
                      : tsim_height_map_read(params->height_map, error);
    return source->map != NULL && tsim_view_init(&source->view, &params->camera, error);
}

static gboolean open_mesh(TsimFactorSource *source, const TsimFactorParams *params, GError **error)
{
    if (source->domain != TSIM_DOMAIN_TRI) {
        return fail(error, "a mesh has tri patches; the draw's domain is another");
    }
    source->get = get_mesh;
    source->mesh = tsim_mesh_read(params->mesh, error);
    if (source->mesh == NULL) {
        return FALSE;
    }
    source->patches = source->mesh->triangle_count;
    return tsim_view_init(&source->view, &params->camera, error);
}

static gboolean open_uniform(TsimFactorSource *source, const TsimFactorParams *params,
                             GError **error)
{
    (void)params;
    (void)error;
    source->get = get_uniform;
    return TRUE;
}

typedef gboolean (*Opener)(TsimFactorSource *source, const TsimFactorParams *params,
                           GError **error);

static const Opener openers[] = {
    [TSIM_FACTORS_UNIFORM] = open_uniform,    [TSIM_FACTORS_DISTRIBUTION] = open_random,
    [TSIM_FACTORS_HEIGHT_MAP] = open_terrain, [TSIM_FACTORS_FRACTAL] = open_terrain,
    [TSIM_FACTORS_MESH] = open_mesh,
};

TsimFactorSource *tsim_factor_source_new(const TsimFactorParams *params, TsimDomain domain,
                                         uint64_t seed, uint32_t draw, GError **error)
{
    g_autoptr(TsimFactorSource) source = g_new0(TsimFactorSource, 1);

    source->params = *params;
    source->params.height_map = NULL;
    source->params.mesh = NULL;
    source->domain = domain;
    source->seed = seed;
    source->stream = tsim_hash_string("tess_factors") + draw;
    if (params->min > params->max) {
        fail(error, "min is above max");
        return NULL;
    }
    return openers[params->kind](source, params, error) ? g_steal_pointer(&source) : NULL;
}

TsimFactorSource *tsim_factor_source_new_list(TsimTessFactors *factors, uint64_t count)
{
    TsimFactorSource *source = g_new0(TsimFactorSource, 1);

    TSIM_ASSERT(count > 0);
    source->get = get_listed;
    source->patches = count;
    source->list = factors;
    return source;
}

void tsim_factor_source_free(TsimFactorSource *source)
{
    if (source != NULL) {
        g_free(source->list);
        tsim_height_map_free(source->map);
        tsim_mesh_free(source->mesh);
        g_free(source);
    }
}

/* ---- Asking ---- */

uint64_t tsim_factor_source_patches(const TsimFactorSource *source)
{
    return source->patches;
}

void tsim_factor_source_get(const TsimFactorSource *source, uint64_t patch,
                            TsimTessFactors *ret_factors)
{
    TSIM_ASSERT_HOT(source->patches == 0 || patch < source->patches);
    source->get(source, patch, ret_factors);
}

gboolean tsim_factor_source_is_uniform(const TsimFactorSource *source)
{
    return source->get == get_uniform;
}
