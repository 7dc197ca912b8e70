/* workload/vertex-reuse.h: DS threads of every golden row, cached or not (issue 3, item 4). */
#include "csv.h"
#include "workload/vertex-reuse.h"

typedef struct {
    TsimDomain domain;
    TsimTopology topology;
    TsimTessCounts counts;
} Patch;

static Patch patch_of_row(const Csv *csv, guint row)
{
    const TsimTessFactors factors = {
        {csv_float(csv, row, "edge0"), csv_float(csv, row, "edge1"), csv_float(csv, row, "edge2"),
         csv_float(csv, row, "edge3")},
        {csv_float(csv, row, "inside0"), csv_float(csv, row, "inside1")},
    };
    Patch patch = {
        .domain = csv_word(csv, row, "domain", tsim_domain_names),
        .topology = csv_word(csv, row, "topology", tsim_topology_names),
    };

    patch.counts = tsim_tessellation_count(
        patch.domain, csv_word(csv, row, "partitioning", tsim_partitioning_names), patch.topology,
        &factors);
    return patch;
}

static Patch uniform_patch(TsimDomain domain, TsimPartitioning partitioning, float factor)
{
    const TsimTessFactors factors = {{factor, factor, factor, factor}, {factor, factor}};

    return (Patch){
        domain, TSIM_TOPOLOGY_TRIANGLE_CW,
        tsim_tessellation_count(domain, partitioning, TSIM_TOPOLOGY_TRIANGLE_CW, &factors)};
}

static uint32_t ds_threads(TsimVertexReuse *reuse, const Patch *patch)
{
    return tsim_vertex_reuse_ds_threads(reuse, patch->domain, patch->topology, &patch->counts);
}

/* Each patch is asked for twice, so that the second answer comes from the cache. */
static void check_column(const Csv *csv, const char *column, TsimVertexReuseKind kind,
                         uint32_t depth)
{
    TsimArena *arena = tsim_arena_new();
    TsimVertexReuse *reuse = tsim_vertex_reuse_new(arena, kind, depth);

    for (guint row = 0; row < csv->rows->len; row++) {
        const Patch patch = patch_of_row(csv, row);
        const uint64_t expected = csv_uint(csv, row, column);

        g_assert_cmpuint(ds_threads(reuse, &patch), ==, expected);
        g_assert_cmpuint(ds_threads(reuse, &patch), ==, expected);
    }
    tsim_arena_free(arena);
}

static void test_golden_windows(void)
{
    Csv *csv = csv_read("tessellator_reuse.csv");

    g_assert_cmpuint(csv->rows->len, ==, 2389);
    check_column(csv, "points", TSIM_VERTEX_REUSE_UNIQUE, 0);
    check_column(csv, "ds_fifo_14", TSIM_VERTEX_REUSE_FIFO, 14);
    check_column(csv, "ds_fifo_16", TSIM_VERTEX_REUSE_FIFO, 16);
    check_column(csv, "ds_fifo_30", TSIM_VERTEX_REUSE_FIFO, 30);
    check_column(csv, "ds_fifo_32", TSIM_VERTEX_REUSE_FIFO, 32);
    check_column(csv, "ds_lru_14", TSIM_VERTEX_REUSE_LRU, 14);
    check_column(csv, "ds_lru_16", TSIM_VERTEX_REUSE_LRU, 16);
    check_column(csv, "ds_lru_30", TSIM_VERTEX_REUSE_LRU, 30);
    check_column(csv, "ds_lru_32", TSIM_VERTEX_REUSE_LRU, 32);
    csv_free(csv);
}

/* T10: the lowest uniform level that makes 256 DS threads when points are shaded again. */
static Patch lowest_level(TsimVertexReuse *reuse, const Csv *csv, guint row)
{
    const gboolean pre_round = g_str_equal(csv_text(csv, row, "pre_round"), "pow2");
    const uint64_t patches = csv_uint(csv, row, "patches_per_tg");

    for (uint32_t level = 1; level <= TSIM_TESS_LEVEL_MAX; level++) {
        const Patch patch = uniform_patch(
            csv_word(csv, row, "domain", tsim_domain_names),
            csv_word(csv, row, "partitioning", tsim_partitioning_names), (float)level);
        const gboolean exists =
            patch.counts.edge_segments[0] == level && (!pre_round || (level & (level - 1)) == 0);

        if (exists && patches * ds_threads(reuse, &patch) >= 256) {
            return patch;
        }
    }
    g_assert_not_reached();
}

static void check_level(TsimVertexReuse *reuse, const Csv *csv, guint row, const char *level_column,
                        const char *threads_column)
{
    const Patch patch = lowest_level(reuse, csv, row);
    const uint64_t threads = csv_uint(csv, row, "patches_per_tg") * ds_threads(reuse, &patch);

    g_assert_cmpuint(patch.counts.edge_segments[0], ==, csv_uint(csv, row, level_column));
    g_assert_cmpuint(threads, ==, csv_uint(csv, row, threads_column));
}

static void check_levels(const Csv *csv, const char *level_column, const char *threads_column,
                         uint32_t depth)
{
    TsimArena *arena = tsim_arena_new();
    TsimVertexReuse *reuse = tsim_vertex_reuse_new(arena, TSIM_VERTEX_REUSE_FIFO, depth);

    for (guint row = 0; row < csv->rows->len; row++) {
        if (*csv_text(csv, row, level_column) != '\0') { /* isolines have none */
            check_level(reuse, csv, row, level_column, threads_column);
        }
    }
    tsim_arena_free(arena);
}

static void test_golden_levels(void)
{
    Csv *csv = csv_read("tf_for_256_ds.csv");

    check_levels(csv, "min_level_fifo14", "ds_threads_fifo14", 14);
    check_levels(csv, "min_level_fifo30", "ds_threads_fifo30", 30);
    csv_free(csv);
}

/* Two lines of two segments, 0-1-2 and 3-4-5: the index list is 0 1, 1 2, 3 4, 4 5. */
static void test_isolines(void)
{
    const TsimTessFactors factors = {{2.0F, 2.0F}, {0.0F}};
    const Patch patch = {TSIM_DOMAIN_ISOLINE, TSIM_TOPOLOGY_LINE,
                         tsim_tessellation_count(TSIM_DOMAIN_ISOLINE, TSIM_PARTITIONING_INTEGER,
                                                 TSIM_TOPOLOGY_LINE, &factors)};
    TsimArena *arena = tsim_arena_new();
    TsimVertexReuse *window = tsim_vertex_reuse_new(arena, TSIM_VERTEX_REUSE_FIFO, 1);

    g_assert_cmpuint(ds_threads(window, &patch), ==, 6);
    tsim_arena_free(arena);
}

static void test_culled(void)
{
    const Patch patch = uniform_patch(TSIM_DOMAIN_QUAD, TSIM_PARTITIONING_INTEGER, 0.0F);
    TsimArena *arena = tsim_arena_new();

    for (guint kind = 0; tsim_vertex_reuse_names[kind] != NULL; kind++) {
        g_assert_cmpuint(ds_threads(tsim_vertex_reuse_new(arena, kind, 14), &patch), ==, 0);
    }
    tsim_arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/vertex-reuse/golden-windows", test_golden_windows);
    g_test_add_func("/vertex-reuse/golden-levels", test_golden_levels);
    g_test_add_func("/vertex-reuse/isolines", test_isolines);
    g_test_add_func("/vertex-reuse/culled", test_culled);
    return g_test_run();
}
