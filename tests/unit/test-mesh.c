/* workload/mesh.h: what the readers accept, and what they say about what they do not. */
#include "base/error.h"
#include "workload/mesh-make.h"
#include "workload/mesh.h"

#include <math.h>
#include <string.h>

static TsimMesh *parse(const char *name, const char *text, GError **error)
{
    return tsim_mesh_parse(name, text, strlen(text), error);
}

static void check_error(const char *name, const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMesh) mesh = parse(name, text, &error);

    g_assert_null(mesh);
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

static void check_indices(const TsimMesh *mesh, const uint32_t *expected, uint32_t triangle_count)
{
    g_assert_cmpuint(mesh->triangle_count, ==, triangle_count);
    for (uint32_t i = 0; i < 3 * triangle_count; i++) {
        g_assert_cmpuint(mesh->indices[i], ==, expected[i]);
    }
}

static void test_obj(void)
{
    static const char text[] = "\xef\xbb\xbf# a square, a fan of two\r\n"
                               "v 0 0 0\n"
                               "v 1 0 \\\n"
                               "  0 1.0\n"
                               "vn 0 0 1\n"
                               "v 1e0 1 0\n"
                               "v 0 1 -0.5\n"
                               "g front\n"
                               "f 1/1/1 2//1 3/3 4\n"
                               "f -4 -1 -2 # backwards\n"
                               "f 1 1 2";
    static const uint32_t expected[] = {0, 1, 2, 0, 2, 3, 0, 3, 2, 0, 0, 1};
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMesh) mesh = parse("a.OBJ", text, &error);

    g_assert_no_error(error);
    g_assert_cmpuint(mesh->vertex_count, ==, 4);
    g_assert_cmpfloat(mesh->positions[3], ==, 1.0f);
    g_assert_cmpfloat(mesh->positions[11], ==, -0.5f);
    check_indices(mesh, expected, 4);
    g_assert_cmpuint(tsim_mesh_degenerate_count(mesh), ==, 1);
}

static void test_obj_errors(void)
{
    check_error("a.obj", "", "a.obj: the mesh is empty; at least one triangle is needed");
    check_error("a.obj", "v 0 0 0\nv 1 0 0\n",
                "a.obj: the mesh is empty; at least one triangle is needed");
    check_error("a.obj", "v 0 0 0\nv nan 0 0\n", "a.obj:2: \"nan\" is not a finite number");
    check_error("a.obj", "v 0 \\\n\n", "a.obj:2: 3 numbers expected, 1 found");
    check_error("a.obj", "v 1e39 0 0\n", "a.obj:1: \"1e39\" is not a finite number");
    check_error("a.obj", "v 0 0\n", "a.obj:1: 3 numbers expected, 2 found");
    check_error("a.obj", "v 0 0 0\nf 1 1 2\n",
                "a.obj:2: \"2\" is not a vertex; 1 to 1 (or -1 to -1) are defined so far");
    check_error("a.obj", "v 0 0 0\nf 1 1 0/1\n",
                "a.obj:2: \"0/1\" is not a vertex; 1 to 1 (or -1 to -1) are defined so far");
    check_error("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face needs at least 3 vertices, 2 found");
    check_error("a.3ds", "", "a.3ds: unknown mesh format; .obj, .ply and .stl files can be read");
    check_error("obj", "", "obj: unknown mesh format; .obj, .ply and .stl files can be read");
}

#define PLY_HEADER(format, faces)                                                                  \
    "ply\nformat " format " 1.0\ncomment made by hand\nelement vertex 3\nproperty float x\n"       \
    "property uchar red\nproperty float y\nproperty double z\nelement face " faces                 \
    "\nproperty list uchar short vertex_indices\nend_header\n"

static void check_ply(const TsimMesh *mesh)
{
    static const float positions[] = {1, 2, 3, -1, 0.5f, 0, 4, 5, 6};
    static const uint32_t indices[] = {2, 0, 1};

    g_assert_cmpuint(mesh->vertex_count, ==, 3);
    for (int i = 0; i < 9; i++) {
        g_assert_cmpfloat(mesh->positions[i], ==, positions[i]);
    }
    check_indices(mesh, indices, 1);
}

static void test_ply_ascii(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMesh) mesh =
        parse("a.ply", PLY_HEADER("ascii", "1") "1 7 2 3\n-1 7 0.5 0\n4 7 5 6\n3 2 0 1\n", &error);

    g_assert_no_error(error);
    check_ply(mesh);
}

static void append_number(GByteArray *bytes, const void *number, guint length, gboolean big)
{
    for (guint i = 0; i < length; i++) {
        const guint place = big == (G_BYTE_ORDER == G_BIG_ENDIAN) ? i : length - 1 - i;

        g_byte_array_append(bytes, (const guint8 *)number + place, 1);
    }
}

static GByteArray *make_binary_ply(gboolean big)
{
    static const float rows[3][3] = {{1, 2, 3}, {-1, 0.5f, 0}, {4, 5, 6}};
    static const int16_t corners[3] = {2, 0, 1};
    const char *header =
        big ? PLY_HEADER("binary_big_endian", "1") : PLY_HEADER("binary_little_endian", "1");
    GByteArray *bytes = g_byte_array_new();

    g_byte_array_append(bytes, (const guint8 *)header, (guint)strlen(header));
    for (int row = 0; row < 3; row++) {
        const double z = (double)rows[row][2];

        append_number(bytes, &rows[row][0], 4, big);
        g_byte_array_append(bytes, (const guint8 *)"\n", 1);
        append_number(bytes, &rows[row][1], 4, big);
        append_number(bytes, &z, 8, big);
    }
    g_byte_array_append(bytes, (const guint8 *)"\3", 1);
    for (int i = 0; i < 3; i++) {
        append_number(bytes, &corners[i], 2, big);
    }
    return bytes;
}

/* Cut anywhere, a file is an error that says so. */
static void test_ply_binary(void)
{
    for (int big = 0; big < 2; big++) {
        g_autoptr(GByteArray) bytes = make_binary_ply(big);
        const guint length = bytes->len;
        g_autoptr(GError) error = NULL;

        g_byte_array_append(bytes, (const guint8 *)"", 1);

        g_autoptr(TsimMesh) mesh =
            tsim_mesh_parse("b.ply", (const char *)bytes->data, length, &error);

        g_assert_no_error(error);
        check_ply(mesh);
        for (guint cut = 0; cut < length; cut++) {
            g_autoptr(GError) cut_error = NULL;
            g_autofree char *part = g_malloc0(cut + 1);

            memcpy(part, bytes->data, cut);
            g_assert_null(tsim_mesh_parse("b.ply", part, cut, &cut_error));
            g_assert_error(cut_error, TSIM_ERROR, TSIM_ERROR_INPUT);
        }
    }
}

static void test_ply_errors(void)
{
    check_error("a.ply", "", "a.ply:1: a PLY file begins with the line \"ply\"");
    check_error("a.ply", "ply\nformat ascii 1.0\n", "a.ply:3: the file ends before \"end_header\"");
    check_error("a.ply", "ply\nformat xml 1.0\n",
                "a.ply:2: the format must be ascii, binary_little_endian or binary_big_endian");
    check_error("a.ply", "ply\nelement vertex -1\n",
                "a.ply:2: an element needs a name and a count");
    check_error("a.ply", "ply\nproperty float x\n", "a.ply:2: a property before the first element");
    check_error("a.ply", "ply\nelement vertex 1\nproperty real x\n",
                "a.ply:3: a property needs a number type");
    check_error("a.ply", "ply\nelement vertex 1\nproperty float x\nend_header\n",
                "a.ply:4: the vertices need properties x, y and z");
    check_error("a.ply", PLY_HEADER("ascii", "0") "1 7 2 3\n1 7 nan 3\n",
                "a.ply:13: a coordinate is not a finite number");
    check_error("a.ply", PLY_HEADER("ascii", "0") "1 7 2 3\n1 7 y 3\n",
                "a.ply:13: a number is needed");
    check_error("a.ply", PLY_HEADER("ascii", "0") "1 7 2 3\n1 7 2 3\n1 7 2 3\n",
                "a.ply: the mesh is empty; at least one triangle is needed");
    check_error("a.ply", PLY_HEADER("ascii", "1") "1 7 2 3\n1 7 2 3\n1 7 2 3\n3 0 1 3\n",
                "a.ply:15: a face names a vertex that does not exist");
    check_error("a.ply", PLY_HEADER("ascii", "1") "1 7 2 3\n1 7 2 3\n1 7 2 3\n2 0 1\n",
                "a.ply:15: a face needs at least 3 vertices");
    check_error("a.ply", PLY_HEADER("ascii", "1") "1 7 2 3\n1 7 2 3\n1 7 2 3\n-2 0 1\n",
                "a.ply:15: a list has an impossible length");
    check_error("a.ply",
                "ply\nelement vertex 1\nproperty float x\nproperty float y\n"
                "property float z\nelement junk 4000000000\nend_header\n0 0 0\n",
                "a.ply: the mesh is empty; at least one triangle is needed");
}

static void test_stl_ascii(void)
{
    static const uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimMesh) mesh =
        parse("a.stl",
              "solid x\nfacet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n"
              " vertex 0 1 0\n endloop\nendfacet\nfacet normal 0 0 1\nvertex 1 1 1\n"
              "vertex 1 1 1\nvertex 2 2 2\nendfacet\nendsolid x\n",
              &error);

    g_assert_no_error(error);
    g_assert_cmpuint(mesh->vertex_count, ==, 6);
    g_assert_cmpfloat(mesh->positions[7], ==, 1.0f);
    check_indices(mesh, indices, 2);
    g_assert_cmpuint(tsim_mesh_degenerate_count(mesh), ==, 1);
}

static void test_stl_binary(void)
{
    static const float numbers[12] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9.5f};
    const uint32_t count = 1;
    const float nan_value = (float)NAN;
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) nan_error = NULL;
    g_autoptr(GError) cut_error = NULL;

    g_byte_array_set_size(bytes, 80);
    memset(bytes->data, ' ', 80);
    memcpy(bytes->data, "solid binary", 12);
    append_number(bytes, &count, 4, FALSE);
    for (int i = 0; i < 12; i++) {
        append_number(bytes, &numbers[i], 4, FALSE);
    }
    g_byte_array_append(bytes, (const guint8 *)"\0\0", 3);

    g_autoptr(TsimMesh) mesh = tsim_mesh_parse("b.stl", (const char *)bytes->data, 134, &error);

    g_assert_no_error(error);
    g_assert_cmpuint(mesh->triangle_count, ==, 1);
    g_assert_cmpfloat(mesh->positions[0], ==, 1.0f);
    g_assert_cmpfloat(mesh->positions[8], ==, 9.5f);
    memcpy(bytes->data + 84 + 12, &nan_value, 4);
    g_assert_null(tsim_mesh_parse("b.stl", (const char *)bytes->data, 134, &nan_error));
    g_assert_cmpstr(nan_error->message, ==, "b.stl: byte 96: a coordinate is not a finite number");
    bytes->data[0] = 'S';
    bytes->data[133] = 0;
    g_assert_null(tsim_mesh_parse("b.stl", (const char *)bytes->data, 133, &cut_error));
    g_assert_cmpstr(cut_error->message, ==,
                    "b.stl: 133 bytes; a binary STL file of 1 triangles has 134");
}

static void test_stl_errors(void)
{
    check_error("a.stl", "", "a.stl: 0 bytes; a binary STL file of 0 triangles has 84");
    check_error("a.stl", "solid x\nendsolid x\n",
                "a.stl: the mesh is empty; at least one triangle is needed");
    check_error("a.stl", "solid x\nfacet\nvertex 0 0 0\nendfacet\n",
                "a.stl:4: a facet has 3 vertices, 1 found");
    check_error("a.stl", "solid x\nfacet\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n",
                "a.stl:6: a facet has 3 vertices, this is one more");
    check_error("a.stl", "solid x\nvertex 0 0 inf\n", "a.stl:2: \"inf\" is not a finite number");
    check_error("a.stl", "solid x\nfacet\n", "a.stl:3: the file ends before \"endsolid\"");
}

static void test_missing_file(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_mesh_read("no-such-mesh.obj", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
    g_assert_true(g_str_has_prefix(error->message, "no-such-mesh.obj: the mesh cannot be read: "));
}

/* Volume by the divergence theorem: positive if all triangles turn counter-clockwise from outside.
 */
static double volume(const TsimMesh *mesh)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const float *a = tsim_mesh_position(mesh, mesh->indices[3 * i]);
        const float *b = tsim_mesh_position(mesh, mesh->indices[3 * i + 1]);
        const float *c = tsim_mesh_position(mesh, mesh->indices[3 * i + 2]);

        for (int axis = 0; axis < 3; axis++) {
            const int next = (axis + 1) % 3;
            const int after = (axis + 2) % 3;

            sum += (double)(a[axis] * (b[next] * c[after] - b[after] * c[next])) / 6.0;
        }
    }
    return sum;
}

static void test_make_sphere(void)
{
    g_autoptr(TsimMesh) mesh = tsim_mesh_make(TSIM_MESH_SPHERE, 64, 1, NULL);

    g_assert_cmpuint(mesh->vertex_count, ==, 63 * 128 + 2);
    g_assert_cmpuint(mesh->triangle_count, ==, 2 * 63 * 128);
    g_assert_cmpuint(tsim_mesh_degenerate_count(mesh), ==, 0);
    g_assert_cmpfloat_with_epsilon(volume(mesh), 4.0 / 3.0 * G_PI, 0.01);
}

static void test_make_others(void)
{
    g_autoptr(TsimMesh) terrain = tsim_mesh_make(TSIM_MESH_TERRAIN, 8, 1, NULL);
    g_autoptr(TsimMesh) again = tsim_mesh_make(TSIM_MESH_TERRAIN, 8, 1, NULL);
    g_autoptr(TsimMesh) other = tsim_mesh_make(TSIM_MESH_TERRAIN, 8, 2, NULL);
    g_autoptr(TsimMesh) soup = tsim_mesh_make(TSIM_MESH_SOUP, 100, 1, NULL);
    g_autoptr(GError) error = NULL;
    const size_t bytes = 3 * 81 * sizeof(float);

    g_assert_cmpuint(terrain->triangle_count, ==, 128);
    g_assert_cmpfloat(terrain->positions[0], ==, -1.0f);
    g_assert_cmpfloat(terrain->positions[3 * 80 + 2], ==, 1.0f);
    g_assert_true(memcmp(terrain->positions, again->positions, bytes) == 0);
    g_assert_true(memcmp(terrain->positions, other->positions, bytes) != 0);
    g_assert_cmpuint(soup->triangle_count, ==, 100);
    g_assert_cmpuint(tsim_mesh_degenerate_count(soup), ==, 0);
    g_assert_null(tsim_mesh_make(TSIM_MESH_SPHERE, 1, 1, &error));
    g_assert_cmpstr(error->message, ==, "mesh: size 1 of a sphere; 2 to 4096 are allowed");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/mesh/obj", test_obj);
    g_test_add_func("/mesh/obj-errors", test_obj_errors);
    g_test_add_func("/mesh/ply-ascii", test_ply_ascii);
    g_test_add_func("/mesh/ply-binary", test_ply_binary);
    g_test_add_func("/mesh/ply-errors", test_ply_errors);
    g_test_add_func("/mesh/stl-ascii", test_stl_ascii);
    g_test_add_func("/mesh/stl-binary", test_stl_binary);
    g_test_add_func("/mesh/stl-errors", test_stl_errors);
    g_test_add_func("/mesh/missing-file", test_missing_file);
    g_test_add_func("/mesh/make-sphere", test_make_sphere);
    g_test_add_func("/mesh/make-others", test_make_others);
    return g_test_run();
}
