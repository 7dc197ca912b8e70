/* workload/factors.h: the factors of every kind of source, against formulas and hand-made scenes;
 * shared edges, culling, and answers that depend on nothing but the patch. */
#include "base/error.h"
#include "base/hash.h"
#include "workload/factors.h"
#include "workload/mesh.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define PATCHES 100000

static TsimFactorSource *open_source(const TsimFactorParams *params, TsimDomain domain)
{
    g_autoptr(GError) error = NULL;
    TsimFactorSource *source = tsim_factor_source_new(params, domain, 1, 0, &error);

    g_assert_no_error(error);
    return source;
}

static TsimTessFactors get(const TsimFactorSource *source, uint64_t patch)
{
    TsimTessFactors factors;

    tsim_factor_source_get(source, patch, &factors);
    return factors;
}

static gboolean is_culled(const TsimTessFactors *factors)
{
    return factors->edge[0] == 0.0f;
}

static void check_refused(const TsimFactorParams *params, TsimDomain domain, TsimErrorCode code)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_factor_source_new(params, domain, 1, 0, &error));
    g_assert_error(error, TSIM_ERROR, (int)code);
}

/* ---- Uniform and list ---- */

static void test_uniform(void)
{
    TsimFactorParams params;

    tsim_factor_params_init(&params, TSIM_FACTORS_UNIFORM);
    params.uniform = 32.0;

    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_QUAD);
    const TsimTessFactors factors = get(source, UINT64_MAX);

    g_assert_true(tsim_factor_source_is_uniform(source));
    g_assert_cmpuint(tsim_factor_source_patches(source), ==, 0);
    for (int i = 0; i < 4; i++) {
        g_assert_cmpfloat(factors.edge[i], ==, 32.0f);
    }
    for (int i = 0; i < 2; i++) {
        g_assert_cmpfloat(factors.inside[i], ==, 32.0f);
    }
}

static void test_list(void)
{
    TsimTessFactors *factors = g_new0(TsimTessFactors, 2);

    factors[1] = (TsimTessFactors){{1.0f, 2.0f, 3.0f, NAN}, {5.0f, 100.0f}};

    g_autoptr(TsimFactorSource) source = tsim_factor_source_new_list(factors, 2);
    const TsimTessFactors second = get(source, 1);

    g_assert_false(tsim_factor_source_is_uniform(source));
    g_assert_cmpuint(tsim_factor_source_patches(source), ==, 2);
    g_assert_true(memcmp(&second, &factors[1], sizeof second) == 0);
}

/* ---- Distributions ---- */

static TsimFactorParams distribution_of(TsimDistribution distribution, double mean,
                                        double deviation)
{
    TsimFactorParams params;

    tsim_factor_params_init(&params, TSIM_FACTORS_DISTRIBUTION);
    params.distribution = (int)distribution;
    params.mean = mean;
    params.deviation = deviation;
    params.min = 0.0;
    return params;
}

/* Mean of the factors over many patches, which must be within 5 standard errors. */
static void check_mean(const TsimFactorParams *params, double mean, double deviation)
{
    g_autoptr(TsimFactorSource) source = open_source(params, TSIM_DOMAIN_TRI);
    double sum = 0.0;

    for (uint64_t patch = 0; patch < PATCHES; patch++) {
        const TsimTessFactors factors = get(source, patch);

        g_assert_cmpfloat(factors.edge[0], >=, params->min);
        g_assert_cmpfloat(factors.edge[0], <=, params->max);
        sum += (double)factors.edge[0];
    }
    g_assert_cmpfloat_with_epsilon(sum / PATCHES, mean, 5.0 * deviation / sqrt(PATCHES));
}

/* A mean of 12 and a deviation of 2 leave next to nothing beyond 0..64. */
static void test_means(void)
{
    for (int i = 0; i <= TSIM_DISTRIBUTION_GAMMA; i++) {
        const TsimFactorParams params = distribution_of((TsimDistribution)i, 12.0, 2.0);

        check_mean(&params, 12.0, 2.0);
    }
}

/* E[min(max(X, a), b)] of an exponential with mean m is a + m (exp(-a/m) - exp(-b/m)). */
static void test_exponential_is_clamped(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_EXPONENTIAL, 5.0, 1.0);

    check_mean(&params, 5.0, 5.0);
    params.min = 2.0;
    params.max = 10.0;
    check_mean(&params, 2.0 + 5.0 * (exp(-0.4) - exp(-2.0)), 5.0);
}

/* A normal around the lower limit: half of it is cut off, and half a normal has the mean
 * deviation / sqrt(2 pi). */
static void test_normal_is_clamped(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_NORMAL, 8.0, 4.0);

    params.min = 8.0;
    check_mean(&params, 8.0 + 4.0 / sqrt(2.0 * G_PI), 4.0);
}

static void test_beta_fills_its_range(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_BETA, 10.0, 3.0);

    params.min = 4.0;
    params.max = 20.0;
    check_mean(&params, 10.0, 3.0);
}

static void test_two_point(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_TWO_POINT, 8.0, 4.0);

    params.min = 2.0;
    params.max = 64.0;
    params.share = 0.1;
    check_mean(&params, 2.0 + 62.0 * 0.1, 62.0 * sqrt(0.1 * 0.9));

    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_TRI);

    for (uint64_t patch = 0; patch < 1000; patch++) {
        const TsimTessFactors factors = get(source, patch);

        g_assert_true(factors.edge[0] == 2.0f || factors.edge[0] == 64.0f);
    }
}

static void test_per_factor(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_NORMAL, 12.0, 2.0);
    g_autoptr(TsimFactorSource) whole = open_source(&params, TSIM_DOMAIN_QUAD);
    const TsimTessFactors equal = get(whole, 5);

    params.per_factor = TRUE;

    g_autoptr(TsimFactorSource) single = open_source(&params, TSIM_DOMAIN_QUAD);
    const TsimTessFactors different = get(single, 5);

    for (int i = 1; i < 4; i++) {
        g_assert_cmpfloat(equal.edge[i], ==, equal.edge[0]);
        g_assert_cmpfloat(different.edge[i], !=, different.edge[i - 1]);
    }
    g_assert_cmpfloat(equal.inside[1], ==, equal.edge[0]);
    g_assert_cmpfloat(different.inside[1], !=, different.inside[0]);
}

/* Common random numbers (model section 5): whatever the order, a patch has its factors; another
 * seed or draw has others. */
static void test_order(void)
{
    const TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_GAMMA, 12.0, 4.0);
    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_TRI);
    g_autoptr(TsimFactorSource) seed = tsim_factor_source_new(&params, TSIM_DOMAIN_TRI, 2, 0, NULL);
    g_autoptr(TsimFactorSource) draw = tsim_factor_source_new(&params, TSIM_DOMAIN_TRI, 1, 1, NULL);
    float forward[100];

    for (uint64_t patch = 0; patch < 100; patch++) {
        forward[patch] = get(source, patch).edge[0];
        g_assert_cmpfloat(get(seed, patch).edge[0], !=, forward[patch]);
        g_assert_cmpfloat(get(draw, patch).edge[0], !=, forward[patch]);
    }
    for (uint64_t patch = 100; patch-- > 0;) {
        g_assert_cmpfloat(get(source, patch).edge[0], ==, forward[patch]);
    }
}

static void test_distribution_errors(void)
{
    TsimFactorParams params = distribution_of(TSIM_DISTRIBUTION_NORMAL, 8.0, 0.0);

    check_refused(&params, TSIM_DOMAIN_TRI, TSIM_ERROR_INPUT);
    params = distribution_of(TSIM_DISTRIBUTION_GAMMA, -1.0, 1.0);
    check_refused(&params, TSIM_DOMAIN_TRI, TSIM_ERROR_INPUT);
    params = distribution_of(TSIM_DISTRIBUTION_NORMAL, 8.0, 1.0);
    params.min = 9.0;
    params.max = 8.0;
    check_refused(&params, TSIM_DOMAIN_TRI, TSIM_ERROR_INPUT);
    /* On 0..64 with mean 32 the deviation of a beta is below 32. */
    params = distribution_of(TSIM_DISTRIBUTION_BETA, 32.0, 32.0);
    check_refused(&params, TSIM_DOMAIN_TRI, TSIM_ERROR_INPUT);
    params.deviation = 31.9;
    tsim_factor_source_free(open_source(&params, TSIM_DOMAIN_TRI));
}

/* ---- Terrain ---- */

/* From 100 above the middle straight down on flat ground of 64 x 64 squares of side 16. 90 degrees
 * and 1000 x 1000 pixels: focal length 500, so that a side is 80 pixels long and 100 units to each
 * side are seen. */
static TsimFactorParams flat_ground(void)
{
    TsimFactorParams params;

    tsim_factor_params_init(&params, TSIM_FACTORS_FRACTAL);
    params.roughness = 0.5;
    params.height = 0.0;
    params.camera.position[1] = 100.0;
    params.camera.up = 2;
    params.camera.fov_degrees = 90.0;
    params.camera.width = 1000;
    params.camera.height = 1000;
    return params;
}

static void test_flat_quads(void)
{
    const TsimFactorParams params = flat_ground();
    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_QUAD);
    uint32_t seen = 0;

    g_assert_cmpuint(tsim_factor_source_patches(source), ==, 64 * 64);
    for (uint64_t patch = 0; patch < 64 * 64; patch++) {
        const TsimTessFactors factors = get(source, patch);

        if (!is_culled(&factors)) {
            seen++;
            for (int i = 0; i < 4; i++) {
                g_assert_cmpfloat_with_epsilon(factors.edge[i], 10.0f, 1e-4f);
            }
            g_assert_cmpfloat_with_epsilon(factors.inside[1], 10.0f, 1e-4f);
        }
    }
    /* Column i reaches from 16 (i - 32) to 16 (i - 31): within -100..100 are 25..38, 14 of them. */
    g_assert_cmpuint(seen, ==, 14 * 14);
}

static void test_flat_triangles(void)
{
    TsimFactorParams params = flat_ground();
    g_autoptr(TsimFactorSource) mean = open_source(&params, TSIM_DOMAIN_TRI);
    const TsimTessFactors lower = get(mean, 2 * (64 * 32 + 32));

    g_assert_cmpuint(tsim_factor_source_patches(mean), ==, 2 * 64 * 64);
    g_assert_cmpfloat_with_epsilon(lower.edge[0], 10.0f, 1e-4f);
    g_assert_cmpfloat_with_epsilon(lower.edge[1], 14.14214f, 1e-4f); /* the diagonal */
    g_assert_cmpfloat_with_epsilon(lower.edge[2], 10.0f, 1e-4f);
    g_assert_cmpfloat_with_epsilon(lower.inside[0], 34.14214f / 3.0f, 1e-4f);

    params.inside = TSIM_INSIDE_MAX;

    g_autoptr(TsimFactorSource) most = open_source(&params, TSIM_DOMAIN_TRI);

    g_assert_cmpfloat(get(most, 2 * (64 * 32 + 32)).inside[0], ==, lower.edge[1]);
}

static char *write_file(const char *suffix, const char *text)
{
    g_autofree char *template = g_strconcat("tsim-XXXXXX", suffix, NULL);
    char *path = NULL;
    const int file = g_file_open_tmp(template, &path, NULL);

    g_assert_cmpint(file, >=, 0);
    g_close(file, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

/* One square from (-1, -1) to (1, 1) whose side V = 0 goes up to 2 in its middle and down again,
 * all of it at depth 10 under a focal length of 500: two pieces of 500 * sqrt(1 + 4) / 10 = 111.8
 * pixels. The side V = 1, flat and at depth 8, has 125. */
static void test_ridge(void)
{
    TsimFactorParams params = flat_ground();

    params.kind = TSIM_FACTORS_HEIGHT_MAP;
    params.height_map = write_file(".pgm", "P2 3 2 1  0 1 0  0 0 0\n");
    params.columns = 1;
    params.rows = 1;
    params.patch_size = 2.0;
    params.height = 2.0;
    params.camera.position[1] = 0.0;
    params.camera.position[2] = 9.0;
    params.camera.up = 1;

    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_QUAD);
    const TsimTessFactors factors = get(source, 0);

    g_assert_cmpfloat_with_epsilon(factors.edge[1], 2.0f * 111.80340f / 8.0f, 1e-4f);
    g_assert_cmpfloat_with_epsilon(factors.edge[3], 125.0f / 8.0f, 1e-4f);
    g_unlink(params.height_map);
    tsim_factor_params_clear(&params);
}

static TsimFactorParams hills(void)
{
    TsimFactorParams params;

    tsim_factor_params_init(&params, TSIM_FACTORS_FRACTAL);
    params.roughness = 0.6;
    params.columns = 50;
    params.rows = 30;
    params.cull_out_of_view = FALSE;
    params.camera.position[0] = 13.0;
    params.camera.position[1] = 150.0;
    params.camera.position[2] = 170.0;
    return params;
}

static void test_shared_edges_of_quads(void)
{
    const TsimFactorParams params = hills();
    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_QUAD);
    uint32_t within = 0;

    for (uint64_t row = 0; row < 29; row++) {
        for (uint64_t column = 0; column < 49; column++) {
            const TsimTessFactors here = get(source, 50 * row + column);
            const TsimTessFactors right = get(source, 50 * row + column + 1);
            const TsimTessFactors next = get(source, 50 * (row + 1) + column);

            g_assert_cmpfloat(here.edge[2], ==, right.edge[0]);
            g_assert_cmpfloat(here.edge[3], ==, next.edge[1]);
            within += here.edge[2] > 1.0f && here.edge[2] < 64.0f ? 1 : 0;
        }
    }
    g_assert_cmpuint(within, >, 700); /* or the limits alone would make them equal */
}

static void test_shared_edges_of_triangles(void)
{
    const TsimFactorParams params = hills();
    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_TRI);

    for (uint64_t row = 0; row < 29; row++) {
        for (uint64_t column = 0; column < 49; column++) {
            const uint64_t square = 50 * row + column;
            const TsimTessFactors lower = get(source, 2 * square);
            const TsimTessFactors upper = get(source, 2 * square + 1);
            const TsimTessFactors right = get(source, 2 * (square + 1) + 1);
            const TsimTessFactors next = get(source, 2 * (square + 50));

            g_assert_cmpfloat(lower.edge[1], ==, upper.edge[2]);
            g_assert_cmpfloat(lower.edge[0], ==, right.edge[1]);
            g_assert_cmpfloat(upper.edge[0], ==, next.edge[2]);
        }
    }
}

static void test_terrain_errors(void)
{
    TsimFactorParams params = flat_ground();

    check_refused(&params, TSIM_DOMAIN_ISOLINE, TSIM_ERROR_INPUT);
    params.camera.up = 1;
    check_refused(&params, TSIM_DOMAIN_QUAD, TSIM_ERROR_INPUT);
    params.kind = TSIM_FACTORS_HEIGHT_MAP;
    params.height_map = g_strdup("no/such/map.pgm");
    check_refused(&params, TSIM_DOMAIN_QUAD, TSIM_ERROR_IO);
    tsim_factor_params_clear(&params);
}

/* ---- Mesh ---- */

/* A cube of side 2, its faces counter-clockwise from outside. */
static const char cube[] =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 5 6 7 8\nf 2 1 4 3\nf 6 2 3 7\nf 1 5 8 4\nf 8 7 3 4\nf 1 2 6 5\n";

/* 5 in front of the middle, focal length 500: a side of the near face (depth 4) is 250 pixels. */
static TsimFactorParams cube_in_front(void)
{
    TsimFactorParams params;

    tsim_factor_params_init(&params, TSIM_FACTORS_MESH);
    params.mesh = write_file(".obj", cube);
    params.pixels_per_segment = 10.0;
    params.camera.position[2] = 5.0;
    params.camera.fov_degrees = 90.0;
    params.camera.width = 1000;
    params.camera.height = 1000;
    return params;
}

static uint32_t count_seen(const TsimFactorParams *params)
{
    g_autoptr(TsimFactorSource) source = open_source(params, TSIM_DOMAIN_TRI);
    uint32_t seen = 0;

    g_assert_cmpuint(tsim_factor_source_patches(source), ==, 12);
    for (uint64_t patch = 0; patch < 12; patch++) {
        const TsimTessFactors factors = get(source, patch);

        seen += is_culled(&factors) ? 0 : 1;
    }
    return seen;
}

static void test_cube(void)
{
    TsimFactorParams params = cube_in_front();
    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_TRI);
    const TsimTessFactors near = get(source, 0); /* corners 5 6 7: the diagonal is opposite to 6 */

    g_assert_cmpfloat_with_epsilon(near.edge[0], 25.0f, 1e-4f);
    g_assert_cmpfloat_with_epsilon(near.edge[1], 25.0f * 1.41421356f, 1e-4f);
    g_assert_cmpfloat_with_epsilon(near.edge[2], 25.0f, 1e-4f);

    g_assert_cmpuint(count_seen(&params), ==, 2); /* the near face; the others face away */
    params.cull_back_faces = FALSE;
    g_assert_cmpuint(count_seen(&params), ==, 12);
    params.camera.target[2] = 10.0; /* looking the other way */
    g_assert_cmpuint(count_seen(&params), ==, 0);
    params.cull_out_of_view = FALSE;
    g_assert_cmpuint(count_seen(&params), ==, 12);
    /* From inside every face is seen from behind. */
    params.cull_back_faces = TRUE;
    params.camera.position[2] = 0.0;
    g_assert_cmpuint(count_seen(&params), ==, 0);
    /* From a corner three faces are seen. */
    params.camera.position[0] = 5.0;
    params.camera.position[1] = 5.0;
    params.camera.position[2] = 5.0;
    params.camera.target[2] = 0.0;
    g_assert_cmpuint(count_seen(&params), ==, 6);

    check_refused(&params, TSIM_DOMAIN_QUAD, TSIM_ERROR_INPUT);
    g_unlink(params.mesh);
    check_refused(&params, TSIM_DOMAIN_TRI, TSIM_ERROR_IO);
    tsim_factor_params_clear(&params);
}

#define BUNNY "/usr/share/glmark2/models/bunny.obj"

static void test_shared_edges_of_bunny(void)
{
    if (!g_file_test(BUNNY, G_FILE_TEST_EXISTS)) {
        g_test_skip(BUNNY " is not installed");
        return;
    }

    TsimFactorParams params = cube_in_front();

    g_unlink(params.mesh);
    g_free(params.mesh);
    params.mesh = g_strdup(BUNNY);
    params.cull_back_faces = FALSE;
    params.cull_out_of_view = FALSE;
    params.min = 0.0;
    params.pixels_per_segment = 0.5;

    g_autoptr(TsimFactorSource) source = open_source(&params, TSIM_DOMAIN_TRI);
    g_autoptr(TsimMesh) mesh = tsim_mesh_read(BUNNY, NULL);
    g_autoptr(GHashTable) edges =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    uint32_t shared = 0;

    g_assert_cmpuint(tsim_factor_source_patches(source), ==, 69666);
    for (uint64_t patch = 0; patch < mesh->triangle_count; patch++) {
        const TsimTessFactors factors = get(source, patch);

        for (uint64_t i = 0; i < 3; i++) {
            const uint64_t a = mesh->indices[3 * patch + (i + 1) % 3];
            const uint64_t b = mesh->indices[3 * patch + (i + 2) % 3];
            const uint64_t key = MIN(a, b) << 32 | MAX(a, b);
            const float *other = g_hash_table_lookup(edges, &key);

            if (other != NULL) {
                g_assert_cmpfloat(factors.edge[i], ==, *other);
                shared++;
            } else {
                g_hash_table_insert(edges, g_memdup2(&key, sizeof key),
                                    g_memdup2(&factors.edge[i], sizeof factors.edge[i]));
            }
        }
    }
    g_assert_cmpuint(shared, >, 100000);
    tsim_factor_params_clear(&params);
}

/* ---- The same bits everywhere ---- */

static uint64_t hash_source(uint64_t hash, const TsimFactorParams *params, TsimDomain domain)
{
    g_autoptr(TsimFactorSource) source = open_source(params, domain);

    for (uint64_t patch = 0; patch < 1000; patch++) {
        const TsimTessFactors factors = get(source, patch);
        uint32_t words[6];

        memcpy(words, &factors, sizeof words);
        for (int i = 0; i < 6; i++) {
            hash = tsim_mix64(hash ^ words[i]);
        }
    }
    return hash;
}

/* The number has no meaning; it stands here so that builds by different compilers, at different
 * optimisation levels, are compared with each other. */
static void test_bits(void)
{
    TsimFactorParams params = hills();
    uint64_t hash = hash_source(0, &params, TSIM_DOMAIN_QUAD);

    params.cull_out_of_view = TRUE;
    hash = hash_source(hash, &params, TSIM_DOMAIN_TRI);
    for (int i = 0; i <= TSIM_DISTRIBUTION_TWO_POINT; i++) {
        params = distribution_of((TsimDistribution)i, 12.0, 4.0);
        hash = hash_source(hash, &params, TSIM_DOMAIN_TRI);
    }
    g_assert_cmphex(hash, ==, UINT64_C(0xcf8ce4e5466df4af));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/factors/uniform", test_uniform);
    g_test_add_func("/factors/list", test_list);
    g_test_add_func("/factors/distribution/means", test_means);
    g_test_add_func("/factors/distribution/exponential", test_exponential_is_clamped);
    g_test_add_func("/factors/distribution/normal", test_normal_is_clamped);
    g_test_add_func("/factors/distribution/beta", test_beta_fills_its_range);
    g_test_add_func("/factors/distribution/two-point", test_two_point);
    g_test_add_func("/factors/distribution/per-factor", test_per_factor);
    g_test_add_func("/factors/distribution/order", test_order);
    g_test_add_func("/factors/distribution/errors", test_distribution_errors);
    g_test_add_func("/factors/terrain/flat-quads", test_flat_quads);
    g_test_add_func("/factors/terrain/flat-triangles", test_flat_triangles);
    g_test_add_func("/factors/terrain/ridge", test_ridge);
    g_test_add_func("/factors/terrain/shared-edges-of-quads", test_shared_edges_of_quads);
    g_test_add_func("/factors/terrain/shared-edges-of-triangles", test_shared_edges_of_triangles);
    g_test_add_func("/factors/terrain/errors", test_terrain_errors);
    g_test_add_func("/factors/mesh/cube", test_cube);
    g_test_add_func("/factors/mesh/shared-edges-of-bunny", test_shared_edges_of_bunny);
    g_test_add_func("/factors/bits", test_bits);
    return g_test_run();
}
