/* workload/tessellator-geometry.h against the reference tessellator's own output: whole lists for
 * small patches, hashes of the lists for large ones; and what holds for any patch.
 */
#include "csv.h"
#include "workload/tessellator-geometry.h"

#include <json-c/json.h>
#include <math.h>

/* A patch as the code under test makes it. */
typedef struct {
    TsimTessCounts counts;
    uint32_t n_points, n_indices;
    TsimDomainPoint points[TSIM_PATCH_POINTS_MAX];
    uint16_t indices[TSIM_PATCH_INDICES_MAX];
} Patch;

static void make_patch(TsimDomain domain, TsimPartitioning partitioning, TsimTopology topology,
                       const TsimTessFactors *factors, Patch *patch)
{
    patch->counts = tsim_tessellation_count(domain, partitioning, topology, factors);
    patch->n_points =
        tsim_tessellator_geometry_points(domain, partitioning, factors, patch->points);
    patch->n_indices =
        tsim_tessellator_geometry_indices(domain, topology, &patch->counts, patch->indices);
}

static uint64_t fnv1a_u32(uint64_t hash, uint32_t value)
{
    for (guint shift = 0; shift < 32; shift += 8) {
        hash = (hash ^ ((value >> shift) & 0xff)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static const uint64_t fnv1a_start = UINT64_C(0xcbf29ce484222325);

static void check_hash(uint64_t hash, const Csv *csv, guint row, const char *column)
{
    char text[17];

    g_snprintf(text, sizeof(text), "%016" G_GINT64_MODIFIER "x", hash);
    g_assert_cmpstr(text, ==, csv_text(csv, row, column));
}

static void test_golden_hashes(void)
{
    Csv *csv = csv_read("tessellator_reuse.csv");
    Patch *patch = g_new(Patch, 1);

    g_assert_cmpuint(csv->rows->len, ==, 2389);
    for (guint row = 0; row < csv->rows->len; row++) {
        const TsimTessFactors factors = {
            {csv_float(csv, row, "edge0"), csv_float(csv, row, "edge1"),
             csv_float(csv, row, "edge2"), csv_float(csv, row, "edge3")},
            {csv_float(csv, row, "inside0"), csv_float(csv, row, "inside1")},
        };
        uint64_t points_hash = fnv1a_start;
        uint64_t indices_hash = fnv1a_start;

        make_patch(csv_word(csv, row, "domain", tsim_domain_names),
                   csv_word(csv, row, "partitioning", tsim_partitioning_names),
                   csv_word(csv, row, "topology", tsim_topology_names), &factors, patch);
        for (uint32_t i = 0; i < patch->n_points; i++) {
            points_hash = fnv1a_u32(points_hash, patch->points[i].u_fx16);
            points_hash = fnv1a_u32(points_hash, patch->points[i].v_fx16);
        }
        for (uint32_t i = 0; i < patch->n_indices; i++) {
            indices_hash = fnv1a_u32(indices_hash, patch->indices[i]);
        }
        g_assert_cmpuint(patch->n_points, ==, csv_uint(csv, row, "points"));
        g_assert_cmpuint(patch->n_indices, ==, csv_uint(csv, row, "indices"));
        check_hash(indices_hash, csv, row, "index_fnv1a64");
        check_hash(points_hash, csv, row, "points_fnv1a64");
    }
    g_free(patch);
    csv_free(csv);
}

static json_object *member(json_object *object, const char *key)
{
    json_object *value = NULL;

    g_assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static guint json_word(json_object *object, const char *key, const char *const *words)
{
    const char *word = json_object_get_string(member(object, key));

    for (guint i = 0; words[i] != NULL; i++) {
        if (g_str_equal(words[i], word)) {
            return i;
        }
    }
    g_error("unknown word %s", word);
}

static void json_factors(json_object *array, float *factors)
{
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        factors[i] = (float)json_object_get_double(json_object_array_get_idx(array, i));
    }
}

static uint32_t json_u32(json_object *array, size_t index)
{
    return (uint32_t)json_object_get_int64(json_object_array_get_idx(array, index));
}

static void check_case(json_object *c, Patch *patch)
{
    const TsimDomain domain = json_word(c, "domain", tsim_domain_names);
    json_object *points = member(c, "points_fx16");
    json_object *indices = member(c, "indices");
    TsimTessFactors factors = {0};

    json_factors(member(c, "edge"), factors.edge);
    json_factors(member(c, "inside"), factors.inside);
    if (g_str_equal(json_object_get_string(member(c, "pre_round")), "pow2")) {
        factors = tsim_tessellation_pre_round(domain, &factors);
    }
    make_patch(domain, json_word(c, "partitioning", tsim_partitioning_names),
               json_word(c, "topology", tsim_topology_names), &factors, patch);

    g_assert_cmpuint(patch->n_points, ==, json_object_array_length(points));
    for (uint32_t i = 0; i < patch->n_points; i++) {
        json_object *point = json_object_array_get_idx(points, i);

        g_assert_cmpuint(patch->points[i].u_fx16, ==, json_u32(point, 0));
        g_assert_cmpuint(patch->points[i].v_fx16, ==, json_u32(point, 1));
    }
    g_assert_cmpuint(patch->n_indices, ==, json_object_array_length(indices));
    for (uint32_t i = 0; i < patch->n_indices; i++) {
        g_assert_cmpuint(patch->indices[i], ==, json_u32(indices, i));
    }
}

static void test_golden_lists(void)
{
    char *path = g_build_filename(g_getenv("TSIM_GOLDEN_DIR"), "tessellator_points.json", NULL);
    json_object *root = json_object_from_file(path);
    Patch *patch = g_new(Patch, 1);

    g_assert_nonnull(root);

    json_object *cases = member(root, "cases");

    g_assert_cmpuint(json_object_array_length(cases), ==, 106);
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        check_case(json_object_array_get_idx(cases, i), patch);
    }
    g_free(patch);
    json_object_put(root);
    g_free(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tessellator-geometry/golden-lists", test_golden_lists);
    g_test_add_func("/tessellator-geometry/golden-hashes", test_golden_hashes);
    return g_test_run();
}
