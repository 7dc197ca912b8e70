/* workload/tessellator-geometry.h on random factors: the lists have the length that the closed form
 * says (T5), every point is used, and the triangles cover the domain exactly, whatever slivers and
 * folds 16.16 fixed point makes.
 */
#include "workload/tessellator-geometry.h"

#define PATCHES  4000
#define ONE_FX16 65536

typedef struct {
    TsimDomain domain;
    TsimPartitioning partitioning;
    TsimTopology topology;
    TsimTessFactors factors;
    TsimTessCounts counts;
    uint32_t n_points, n_indices;
    TsimDomainPoint points[TSIM_PATCH_POINTS_MAX];
    uint16_t indices[TSIM_PATCH_INDICES_MAX];
} Patch;

/* Half of the factors are near a whole number, where levels change. */
static float random_factor(void)
{
    const double factor = g_test_rand_double_range(0.01, 66.0);
    const double nudge = g_test_rand_double_range(-0x1p-15, 0x1p-15);

    return (float)(g_test_rand_bit() ? factor : (double)(int)(factor + 1.0) + nudge);
}

static void make_patch(Patch *patch, TsimDomain domain, TsimTopology topology)
{
    patch->domain = domain;
    patch->topology = topology;
    patch->partitioning = (TsimPartitioning)(guint)g_test_rand_int_range(0, 4);
    for (guint i = 0; i < G_N_ELEMENTS(patch->factors.edge); i++) {
        patch->factors.edge[i] = random_factor();
    }
    for (guint i = 0; i < G_N_ELEMENTS(patch->factors.inside); i++) {
        patch->factors.inside[i] = random_factor();
    }
    patch->counts = tsim_tessellation_count(domain, patch->partitioning, topology, &patch->factors);
    patch->n_points = tsim_tessellator_geometry_points(domain, patch->partitioning, &patch->factors,
                                                       patch->points);
    patch->n_indices =
        tsim_tessellator_geometry_indices(domain, topology, &patch->counts, patch->indices);
}

static TsimTopology random_topology(TsimDomain domain)
{
    return (TsimTopology)(guint)g_test_rand_int_range(
        0, domain == TSIM_DOMAIN_ISOLINE ? TSIM_TOPOLOGY_LINE + 1 : TSIM_TOPOLOGY_TRIANGLE_CCW + 1);
}

static void check_lists(const Patch *patch)
{
    gboolean used[TSIM_PATCH_POINTS_MAX] = {FALSE};

    g_assert_cmpuint(patch->n_points, ==, patch->counts.points);
    g_assert_cmpuint(patch->n_indices, ==, patch->counts.indices);
    for (uint32_t i = 0; i < patch->n_indices; i++) {
        g_assert_cmpuint(patch->indices[i], <, patch->n_points);
        used[patch->indices[i]] = TRUE;
    }
    for (uint32_t i = 0; i < patch->n_points; i++) {
        const TsimDomainPoint point = patch->points[i];

        g_assert_true(used[i]);
        g_assert_cmpuint(point.u_fx16, <=, ONE_FX16);
        g_assert_cmpuint(point.v_fx16, <=, ONE_FX16);
        g_assert_true(patch->domain != TSIM_DOMAIN_TRI || point.u_fx16 + point.v_fx16 <= ONE_FX16);
    }
}

static void test_lists(void)
{
    Patch *patch = g_new(Patch, 1);

    for (guint i = 0; i < PATCHES; i++) {
        const TsimDomain domain = (TsimDomain)(guint)g_test_rand_int_range(0, 3);

        make_patch(patch, domain, random_topology(domain));
        check_lists(patch);
    }
    g_free(patch);
}

/* Twice the signed area, in units of 2^-32. */
static int64_t double_area(const Patch *patch)
{
    int64_t area = 0;

    for (uint32_t i = 0; i < patch->n_indices; i += 3) {
        const TsimDomainPoint a = patch->points[patch->indices[i]];
        const TsimDomainPoint b = patch->points[patch->indices[i + 1]];
        const TsimDomainPoint c = patch->points[patch->indices[i + 2]];

        area += ((int64_t)b.u_fx16 - a.u_fx16) * ((int64_t)c.v_fx16 - a.v_fx16) -
                ((int64_t)b.v_fx16 - a.v_fx16) * ((int64_t)c.u_fx16 - a.u_fx16);
    }
    return area;
}

static void test_area(void)
{
    const int64_t one = (int64_t)ONE_FX16 * ONE_FX16;
    Patch *patch = g_new(Patch, 1);

    for (guint i = 0; i < PATCHES; i++) {
        make_patch(patch, TSIM_DOMAIN_TRI, TSIM_TOPOLOGY_TRIANGLE_CW);
        g_assert_cmpint(double_area(patch), ==, one);
        make_patch(patch, TSIM_DOMAIN_QUAD, TSIM_TOPOLOGY_TRIANGLE_CCW);
        g_assert_cmpint(double_area(patch), ==, -2 * one);
    }
    g_free(patch);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tessellator-geometry/lists", test_lists);
    g_test_add_func("/tessellator-geometry/area", test_area);
    return g_test_run();
}
