/* io/ray-explain.h: one small scene, word for word; every number can be checked by hand. */
#include "io/ray-explain.h"

#include <math.h>
#include <string.h>

static TsimMesh *parse(const char *text)
{
    return tsim_mesh_parse("test.obj", text, strlen(text), NULL);
}

static char *explain(const TsimBvh *bvh, const float origin[3], const float direction[3])
{
    GString *text = g_string_new(NULL);
    const TsimRay ray = tsim_ray_new(origin, direction, 9);
    TsimRayOptions options;

    tsim_fields_init(tsim_ray_option_fields, &options);

    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &options, FALSE);

    tsim_ray_explain(&scene, &ray, text);
    return g_string_free(text, FALSE);
}

/* The ray meets the triangle at z = 2, at weights 1/2, 1/4, 1/4. The far distance of a flat box is
 * the near one. */
static void test_words(void)
{
    static const char expected[] =
        "origin (0.5, 0.25, 0) direction (0, 0, 1) inverse (inf, inf, 1) extent 9\n"
        "1. node 0x00000005 at byte 0x0: FP32 boxes, extent 9\n"
        "    child 0 0x00000010 min (0, 0, 2) max (1, 1, 2) near 2 far 2: hit\n"
        "    child 1 none\n"
        "    child 2 none\n"
        "    child 3 none\n"
        "    returns 0x00000010 0xffffffff 0xffffffff 0xffffffff\n"
        "2. node 0x00000010 at byte 0x80: triangle 0 (mesh triangle 0), extent 9\n"
        "    V0 (1, 0, 2) weight -0.25\n"
        "    V1 (1, 1, 2) weight -0.25\n"
        "    V2 (0, 0, 2) weight -0.5\n"
        "    id 0x00000004 t_num -2 t_denom -1 t 2: hit\n"
        "    returns 0xc0000000 0xbf800000 0xbe800000 0xbe800000\n"
        "1 box nodes, 1 triangles, 0 instances, 0 stack entries\n"
        "hit mesh triangle 0, node 0x00000010, t 2, I 0.25, J 0.25, back side\n";
    g_autoptr(TsimMesh) mesh = parse("v 0 0 2\nv 1 0 2\nv 1 1 2\nf 1 2 3\n");
    TsimBvhOptions options;

    tsim_fields_init(tsim_bvh_option_fields, &options);

    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);
    g_autofree char *text =
        explain(bvh, (const float[3]){0.5f, 0.25f, 0}, (const float[3]){0, 0, 1});

    g_assert_cmpstr(text, ==, expected);
}

static void test_instance_and_inactive(void)
{
    g_autoptr(TsimMesh) mesh = parse("v 0 0 2\nv 1 0 2\nv 1 1 2\nf 1 2 3\n");
    const TsimMesh *meshes[] = {mesh};
    const TsimBvhInstance instance = {0, {{1, 0, 0, 4}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    TsimBvhOptions options;

    tsim_fields_init(tsim_bvh_option_fields, &options);

    g_autoptr(TsimBvh) bvh = tsim_bvh_build_instances(meshes, 1, &instance, 1, &options, NULL);
    g_autofree char *hit =
        explain(bvh, (const float[3]){4.5f, 0.25f, 0}, (const float[3]){0, 0, 1});
    g_autofree char *inactive =
        explain(bvh, (const float[3]){NAN, 0, 0}, (const float[3]){0, 0, 1});

    g_assert_nonnull(strstr(hit, "instance 0, root 0x00000005\n    origin (0.5, 0.25, 0)"));
    g_assert_nonnull(strstr(hit, "hit mesh triangle 0 of instance 0"));
    g_assert_nonnull(strstr(inactive, "inactive: a NaN"));
    g_assert_true(g_str_has_suffix(inactive, "\nmiss\n"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ray-explain/words", test_words);
    g_test_add_func("/ray-explain/instance-and-inactive", test_instance_and_inactive);
    return g_test_run();
}
