/* workload/mesh.h: what the readers accept, and what they say about what they do not. */
#include "base/error.h"
#include "workload/mesh.h"

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

static void test_missing_file(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_mesh_read("no-such-mesh.obj", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
    g_assert_true(g_str_has_prefix(error->message, "no-such-mesh.obj: the mesh cannot be read: "));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/mesh/obj", test_obj);
    g_test_add_func("/mesh/obj-errors", test_obj_errors);
    g_test_add_func("/mesh/missing-file", test_missing_file);
    return g_test_run();
}
