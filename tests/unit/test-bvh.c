/* workload/bvh.h: fans, trees, the file, and what is refused. */
#include "base/error.h"
#include "hw/half.h"
#include "workload/bvh-fan.h"
#include "workload/bvh.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static TsimBvhOptions default_options(void)
{
    TsimBvhOptions options;

    tsim_fields_init(tsim_bvh_option_fields, &options);
    return options;
}

static TsimMesh *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    TsimMesh *mesh = tsim_mesh_parse("test.obj", text, strlen(text), &error);

    g_assert_no_error(error);
    return mesh;
}

/* Four triangles around vertex 3 (the middle), then one that shares nothing. The corners are given
 * in different rotations. */
static const char ring[] = "v -1 -1 0\nv 1 -1 0\nv 0 0 0\nv 1 1 0\nv -1 1 0\n"
                           "v 5 5 5\nv 6 5 5\nv 5 6 5\n"
                           "f 1 2 3\nf 3 2 4\nf 4 5 3\nf 1 3 5\nf 6 7 8\n";

/* Five triangles around vertex 1: four of them do not close a ring. */
static const char pentagon[] = "v 0 0 0\nv 2 0 0\nv 1 2 0\nv -1 1 0\nv -1 -1 0\nv 1 -2 0\n"
                               "f 1 2 3\nf 1 3 4\nf 1 4 5\nf 1 5 6\nf 1 6 2\n";

static void check_fan_sizes(const TsimMesh *mesh, unsigned limit, const unsigned *sizes,
                            guint count)
{
    g_autoptr(GArray) fans = tsim_bvh_fan_group(mesh, limit);

    g_assert_cmpuint(fans->len, ==, count);
    for (guint i = 0; i < count; i++) {
        g_assert_cmpuint(g_array_index(fans, TsimBvhFan, i).triangle_count, ==, sizes[i]);
    }
}

static void test_fan_sizes(void)
{
    static const unsigned one[] = {1, 1, 1, 1, 1};
    static const unsigned two[] = {2, 2, 1};
    static const unsigned three[] = {3, 1, 1};
    static const unsigned four[] = {4, 1};
    static const unsigned five[] = {3, 2};
    g_autoptr(TsimMesh) mesh = parse(ring);

    check_fan_sizes(mesh, 1, one, 5);
    check_fan_sizes(mesh, 2, two, 3);
    check_fan_sizes(mesh, 3, three, 3);
    check_fan_sizes(mesh, 4, four, 2);

    g_autoptr(TsimMesh) wide = parse(pentagon);

    check_fan_sizes(wide, 4, five, 2);
}

/* R5: each triangle of each node has the corners of its mesh triangle, turned by `rotation`. */
static void check_fan_corners(const TsimMesh *mesh)
{
    for (unsigned limit = 1; limit <= 4; limit++) {
        g_autoptr(GArray) fans = tsim_bvh_fan_group(mesh, limit);

        for (guint i = 0; i < fans->len; i++) {
            const TsimBvhFan *fan = &g_array_index(fans, TsimBvhFan, i);

            for (unsigned k = 0; k < fan->triangle_count; k++) {
                const uint32_t *corner = &mesh->indices[3 * fan->triangle[k]];

                for (unsigned place = 0; place < 3; place++) {
                    g_assert_cmpuint(fan->vertex[tsim_ray_node_corners[k][place]], ==,
                                     corner[(place + fan->rotation[k]) % 3]);
                }
            }
        }
    }
}

static void test_fan_corners(void)
{
    g_autoptr(TsimMesh) closed = parse(ring);
    g_autoptr(TsimMesh) wide = parse(pentagon);

    check_fan_corners(closed);
    check_fan_corners(wide);
}

/* A mesh whose corners have their own numbers everywhere still pairs up. */
static void test_fans_by_position(void)
{
    static const unsigned two[] = {2};
    g_autoptr(TsimMesh) mesh = parse("v 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                     "v 1 0 -0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 4 5 6\n");

    check_fan_sizes(mesh, 2, two, 1);
}

static void test_one_triangle(void)
{
    const TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) mesh = parse("v 0 0 0\nv 1 0 0\nv 0 1 2\nf 1 2 3\n");
    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);
    TsimRayBoxNode root;

    g_assert_cmpuint(bvh->descriptor.node_count, ==, 3); /* a box node of two units, a leaf */
    g_assert_cmphex(bvh->root, ==, 5);
    tsim_ray_node_decode_box32(tsim_bvh_node(bvh, bvh->root), &root);
    g_assert_cmphex(root.child[0], ==, 2 << 3);
    g_assert_cmphex(root.child[1], ==, TSIM_RAY_NO_NODE);
    g_assert_true(isnan(root.bounds[0][0][1]));
    g_assert_cmpfloat(root.bounds[1][2][0], ==, 2.0f);
    g_assert_cmpuint(tsim_bvh_primitive(bvh, root.child[0]), ==, 0);
    g_assert_cmpuint(bvh->measure.depth, ==, 1);
    g_assert_cmpfloat(bvh->measure.sah_cost, ==, 2.0); /* the root and the triangle */
}

static TsimMesh *random_mesh(uint32_t triangle_count)
{
    TsimMesh *mesh = g_new(TsimMesh, 1);

    *mesh = (TsimMesh){g_new(float, 9 * triangle_count), g_new(uint32_t, 3 * triangle_count),
                       3 * triangle_count, triangle_count};
    for (uint32_t i = 0; i < 9 * triangle_count; i++) {
        mesh->positions[i] = (float)(g_test_rand_double_range(-0.5, 0.5) +
                                     ((i / 9 * 2654435761u >> (i % 3 * 8)) & 255) / 16.0);
    }
    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        mesh->indices[i] = i;
    }
    return mesh;
}

/* Every mesh triangle is in the tree once, inside all boxes above it, with its corners. */
typedef struct {
    const TsimBvh *bvh;
    const TsimMesh *mesh;
    uint8_t *seen;
} Check;

static void check_leaf(const Check *check, uint32_t pointer, const float bounds[2][3])
{
    TsimRayTriangleNode node;

    tsim_ray_node_decode_triangles(tsim_bvh_node(check->bvh, pointer), &node);
    for (unsigned k = 0; k <= tsim_ray_pointer_type(pointer); k++) {
        const uint32_t triangle = tsim_bvh_primitive(check->bvh, (pointer & ~7u) | k);

        g_assert_cmpuint(check->seen[triangle]++, ==, 0);
        for (unsigned place = 0; place < 3; place++) {
            const float *vertex = node.vertex[tsim_ray_node_corners[k][place]];

            for (int axis = 0; axis < 3; axis++) {
                g_assert_cmpfloat(vertex[axis], >=, bounds[0][axis]);
                g_assert_cmpfloat(vertex[axis], <=, bounds[1][axis]);
            }
        }
    }
}

static void check_subtree(const Check *check, uint32_t pointer, float outer[2][3])
{
    TsimRayBoxNode node;

    if (tsim_ray_pointer_is_triangle(pointer)) {
        check_leaf(check, pointer, (const float(*)[3])outer);
        return;
    }
    if (tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_BOX16) {
        tsim_ray_node_decode_box16(tsim_bvh_node(check->bvh, pointer), &node);
    } else {
        tsim_ray_node_decode_box32(tsim_bvh_node(check->bvh, pointer), &node);
    }
    for (int child = 0; child < 4; child++) {
        float inner[2][3];

        for (int axis = 0; axis < 3; axis++) {
            inner[0][axis] = fmaxf(outer[0][axis], node.bounds[0][axis][child]);
            inner[1][axis] = fminf(outer[1][axis], node.bounds[1][axis][child]);
        }
        if (node.child[child] != TSIM_RAY_NO_NODE) {
            check_subtree(check, node.child[child], inner);
        }
    }
}

static void test_trees_hold_the_mesh(void)
{
    for (uint32_t triangles_per_node = 1; triangles_per_node <= 4; triangles_per_node++) {
        for (int box_format = 0; box_format < 2; box_format++) {
            float everything[2][3] = {{-INFINITY, -INFINITY, -INFINITY},
                                      {INFINITY, INFINITY, INFINITY}};
            TsimBvhOptions options = default_options();
            g_autoptr(TsimMesh) mesh = random_mesh(777);
            g_autofree uint8_t *seen = g_malloc0(777);

            options.triangles_per_node = triangles_per_node;
            options.box_format = box_format;

            g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);
            const Check check = {bvh, mesh, seen};

            check_subtree(&check, bvh->root, everything);
            g_assert_null(memchr(seen, 0, 777));
            g_assert_cmpuint(bvh->measure.triangles, ==, 777);
            /* 777 single boxes in a good tree of random boxes: far below a chain or a heap. */
            g_assert_cmpuint(bvh->measure.depth, <=, 12);
        }
    }
}

/* In return mode 0 the id that comes back finds the mesh triangle without the pointer. */
static void test_mode_0_ids(void)
{
    TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) mesh = parse(ring);

    options.triangle_return_mode = 0;

    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);

    for (uint32_t unit = 0; unit < bvh->descriptor.node_count; unit++) {
        TsimRayTriangleNode node;

        if (bvh->primitives[4 * unit] == UINT32_MAX) {
            continue;
        }
        tsim_ray_node_decode_triangles(bvh->bytes + 64 * unit, &node);
        g_assert_cmpuint(node.triangle_id, ==, 4 * unit);
    }
}

/* Boxes that all share one middle, and sizes that grow so fast that good cuts take one at a time.
 */
static void test_awkward_meshes_stay_shallow(void)
{
    const TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) same = random_mesh(1000);
    g_autoptr(TsimMesh) growing = random_mesh(200);

    for (uint32_t i = 0; i < 9000; i++) {
        same->positions[i] = (float)(i % 9);
    }
    for (uint32_t i = 0; i < 1800; i++) {
        growing->positions[i] = ldexpf(i % 9 < 3 ? 1.0f : 1.25f, (int)(i / 9) - 100);
    }
    g_autoptr(TsimBvh) flat = tsim_bvh_build(same, &options, NULL);
    g_autoptr(TsimBvh) chain = tsim_bvh_build(growing, &options, NULL);

    g_assert_cmpuint(flat->measure.triangles, ==, 1000);
    g_assert_cmpuint(flat->measure.depth, <=, 10);
    g_assert_cmpuint(chain->measure.triangles, ==, 200);
    g_assert_cmpuint(chain->measure.depth, <=, TSIM_BVH_MAX_DEPTH);
}

static void check_refused(const TsimMesh *mesh, TsimBvhOptions options, int code)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_bvh_build(mesh, &options, &error));
    g_assert_error(error, TSIM_ERROR, code);
}

static void test_refusals(void)
{
    const TsimMesh empty = {NULL, NULL, 0, 0};
    const TsimMesh huge = {NULL, NULL, 3, 1u << 28}; /* never touched */
    TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) mesh = parse(ring);

    check_refused(&empty, options, TSIM_ERROR_INPUT);
    check_refused(&huge, options, TSIM_ERROR_LIMIT);
    options.triangles_per_node = 5;
    check_refused(mesh, options, TSIM_ERROR_INPUT);
}

static void test_instances_refused(void)
{
    const TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) mesh = parse(ring);
    const TsimMesh *meshes[] = {mesh};
    const TsimBvhInstance flat = {0, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}}};
    const TsimBvhInstance stray = {1, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    g_autoptr(GError) flat_error = NULL;
    g_autoptr(GError) stray_error = NULL;
    g_autoptr(GError) none_error = NULL;

    g_assert_null(tsim_bvh_build_instances(meshes, 1, &flat, 1, &options, &flat_error));
    g_assert_cmpstr(flat_error->message, ==, "BVH: the matrix of instance 0 cannot be inverted");
    g_assert_null(tsim_bvh_build_instances(meshes, 1, &stray, 1, &options, &stray_error));
    g_assert_cmpstr(stray_error->message, ==, "BVH: instance 0 uses mesh 1; there are 1");
    g_assert_null(tsim_bvh_build_instances(meshes, 1, NULL, 0, &options, &none_error));
    g_assert_error(none_error, TSIM_ERROR, TSIM_ERROR_INPUT);
}

/* ---- The file ---- */

typedef struct {
    char *path;
    TsimBvh *bvh;
} File;

static void file_set_up(File *file, gconstpointer data)
{
    const TsimBvhOptions options = default_options();
    g_autoptr(TsimMesh) mesh = parse(data);
    const int handle = g_file_open_tmp("bvh-XXXXXX.bvh", &file->path, NULL);

    g_close(handle, NULL);
    file->bvh = tsim_bvh_build(mesh, &options, NULL);
    g_assert_true(tsim_bvh_write(file->bvh, file->path, NULL));
}

static void file_tear_down(File *file, gconstpointer data)
{
    (void)data;
    g_unlink(file->path);
    g_free(file->path);
    tsim_bvh_free(file->bvh);
}

static void test_round_trip(File *file, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimBvh) read = tsim_bvh_read(file->path, &error);
    const uint64_t node_count = file->bvh->descriptor.node_count;

    (void)data;
    g_assert_no_error(error);
    g_assert_cmpuint(read->descriptor.node_count, ==, node_count);
    g_assert_cmpuint(read->descriptor.box_growth_ulps, ==, 6);
    g_assert_cmphex(read->root, ==, file->bvh->root);
    g_assert_true(memcmp(read->bytes, file->bvh->bytes, node_count * 64) == 0);
    g_assert_true(memcmp(read->primitives, file->bvh->primitives, node_count * 16) == 0);
    g_assert_cmpfloat(read->measure.sah_cost, ==, file->bvh->measure.sah_cost);
}

/* Writes `length` bytes of `bytes` back and says what reading them says. */
static char *read_damaged(const File *file, const char *bytes, gsize length)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(file->path, bytes, (gssize)length, NULL));
    g_assert_null(tsim_bvh_read(file->path, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_true(g_str_has_prefix(error->message, file->path));
    return g_strdup(error->message);
}

static void test_cut_short(File *file, gconstpointer data)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;

    (void)data;
    g_assert_true(g_file_get_contents(file->path, &bytes, &length, NULL));
    for (gsize cut = 0; cut < length; cut += 13) {
        g_autofree char *message = read_damaged(file, bytes, cut);

        g_assert_nonnull(strstr(message, cut < 64 ? "not an encoded BVH" : "nodes need"));
    }
}

static void check_patched(const File *file, gsize offset, uint32_t word, const char *part)
{
    g_autofree char *bytes = NULL;
    g_autofree char *message = NULL;
    const uint32_t little = GUINT32_TO_LE(word);
    gsize length = 0;

    g_assert_true(tsim_bvh_write(file->bvh, file->path, NULL));
    g_assert_true(g_file_get_contents(file->path, &bytes, &length, NULL));
    memcpy(bytes + offset, &little, sizeof little);
    message = read_damaged(file, bytes, length);
    g_assert_nonnull(strstr(message, part));
}

/* The root is at unit 0, so that its child pointers follow the 64-byte header. */
static void test_damaged(File *file, gconstpointer data)
{
    (void)data;
    check_patched(file, 0, 0, "not an encoded BVH");
    check_patched(file, 20, 0, "big pages (bits 123:123) is 0; it must be 1");
    check_patched(file, 24, 0, "is a root and must be a box node");
    check_patched(file, 64, 0xfffffff8, "node pointer 0xfffffff8 lies behind the end");
    check_patched(file, 64, 7, "has a reserved type");
    check_patched(file, 64, 5, "is reached twice");
    check_patched(file, 64, file->bvh->root, "is reached twice");
    check_patched(file, 68, 2 << 3, "is reached twice");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bvh/fan-sizes", test_fan_sizes);
    g_test_add_func("/bvh/fan-corners", test_fan_corners);
    g_test_add_func("/bvh/fans-by-position", test_fans_by_position);
    g_test_add_func("/bvh/one-triangle", test_one_triangle);
    g_test_add_func("/bvh/trees-hold-the-mesh", test_trees_hold_the_mesh);
    g_test_add_func("/bvh/mode-0-ids", test_mode_0_ids);
    g_test_add_func("/bvh/awkward-meshes-stay-shallow", test_awkward_meshes_stay_shallow);
    g_test_add_func("/bvh/refusals", test_refusals);
    g_test_add_func("/bvh/instances-refused", test_instances_refused);
    g_test_add("/bvh/file/round-trip", File, ring, file_set_up, test_round_trip, file_tear_down);
    g_test_add("/bvh/file/cut-short", File, ring, file_set_up, test_cut_short, file_tear_down);
    g_test_add("/bvh/file/damaged", File, ring, file_set_up, test_damaged, file_tear_down);
    return g_test_run();
}
