/* workload/traversal.h: a traversal finds what testing every triangle finds (R5-R8). */
#include "hw/half.h"
#include "workload/traversal.h"

#include <math.h>
#include <string.h>

#define TRIANGLES 300
#define RAYS      1500

/* Triangles closer together than this count as equally far. */
static float t_tolerance(float t)
{
    return fmaxf(t, 1.0f) * 0x1p-19f;
}

static TsimBvhOptions bvh_options(void)
{
    TsimBvhOptions options;

    tsim_fields_init(tsim_bvh_option_fields, &options);
    return options;
}

static TsimRayOptions ray_options(void)
{
    TsimRayOptions options;

    tsim_fields_init(tsim_ray_option_fields, &options);
    return options;
}

static float random_between(double low, double high)
{
    return (float)g_test_rand_double_range(low, high);
}

/* A soup of triangles and a folded strip whose triangles share edges. */
static TsimMesh *random_mesh(void)
{
    TsimMesh *mesh = g_new(TsimMesh, 1);
    const uint32_t strip_vertices = TRIANGLES / 2 + 2;
    const uint32_t soup = TRIANGLES - TRIANGLES / 2;

    mesh->vertex_count = strip_vertices + 3 * soup;
    mesh->triangle_count = TRIANGLES;
    mesh->positions = g_new(float, 3 * mesh->vertex_count);
    mesh->indices = g_new(uint32_t, 3 * TRIANGLES);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        const gboolean in_strip = vertex < strip_vertices;
        const uint32_t cluster = in_strip ? vertex : (vertex - strip_vertices) / 3;

        for (uint32_t axis = 0; axis < 3; axis++) {
            const double centre = 8.0 * sin(cluster * (axis + 1.0) * (in_strip ? 0.02 : 1.7));

            mesh->positions[3 * vertex + axis] =
                (float)(centre + g_test_rand_double_range(-0.7, 0.7));
        }
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            const uint32_t turned = i % 2 == 0 ? corner : 2 - corner;

            mesh->indices[3 * i + corner] =
                i < TRIANGLES / 2 ? i + turned : strip_vertices + 3 * (i - TRIANGLES / 2) + corner;
        }
    }
    return mesh;
}

static TsimRay random_ray(void)
{
    float origin[3];
    float direction[3];

    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = random_between(-12, 12);
        direction[axis] = random_between(-8, 8) - origin[axis];
    }
    if (g_test_rand_int_range(0, 4) == 0) {
        direction[g_test_rand_int_range(0, 3)] = 0.0f;
    }
    return tsim_ray_new(origin, direction, g_test_rand_bit() ? INFINITY : random_between(0.1, 1.5));
}

typedef struct {
    float t;
    uint32_t triangle;
    uint32_t at_same_t; /* triangles that share the smallest t */
} Nearest;

/* Through the same triangle test in the order of the mesh's own corners: rotating the corners does
 * not change an edge function, only the order of sums, so that t may differ in its last bits. */
static Nearest test_all(const TsimRayUnit *unit, const TsimMesh *mesh, const TsimRay *ray)
{
    const TsimRaySetup setup = tsim_ray_setup_new(ray);
    Nearest nearest = {ray->extent, UINT32_MAX, 0};

    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corner = &mesh->indices[3 * i];
        const TsimRayTriangleResult result = tsim_ray_test_triangle(
            unit, &setup, tsim_mesh_position(mesh, corner[0]), tsim_mesh_position(mesh, corner[1]),
            tsim_mesh_position(mesh, corner[2]));
        const float t = result.t_num / result.t_denom;

        if (t < nearest.t - t_tolerance(t)) {
            nearest = (Nearest){t, i, 1};
        } else if (t < nearest.t + t_tolerance(t)) {
            nearest.t = fminf(t, nearest.t);
            nearest.at_same_t++;
        }
    }
    return nearest;
}

static void check_hit(const TsimTraversalScene *scene, const TsimMesh *mesh,
                      const TsimTraversalHit *hit, const TsimRay *ray, const Nearest *nearest)
{
    g_assert_true(hit->found == (nearest->triangle != UINT32_MAX));
    if (!hit->found) {
        return;
    }
    const uint32_t triangle = tsim_bvh_primitive(scene->bvh, hit->pointer);
    const uint32_t *corner = &mesh->indices[3 * triangle];

    g_assert_cmpfloat_with_epsilon(hit->t, nearest->t, t_tolerance(nearest->t));
    if (nearest->at_same_t == 1) {
        g_assert_cmpuint(triangle, ==, nearest->triangle);
    }
    /* R7: I and J are about the mesh's second and third corner, whatever the node's order. */
    for (int axis = 0; axis < 3; axis++) {
        const float a = tsim_mesh_position(mesh, corner[0])[axis];
        const float b = tsim_mesh_position(mesh, corner[1])[axis];
        const float c = tsim_mesh_position(mesh, corner[2])[axis];
        const float at = ray->origin[axis] + hit->t * ray->direction[axis];

        g_assert_cmpfloat_with_epsilon(a + hit->i * (b - a) + hit->j * (c - a), at, 1e-3f);
    }
}

static void check_scene(const TsimMesh *mesh, TsimBvhOptions options)
{
    const TsimRayOptions choices = ray_options();
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, &error);
    const TsimTraversalScene closest = tsim_traversal_scene(bvh, &choices, FALSE);
    const TsimTraversalScene any = tsim_traversal_scene(bvh, &choices, TRUE);
    unsigned hits = 0;

    g_assert_no_error(error);
    for (int i = 0; i < RAYS; i++) {
        const TsimRay ray = random_ray();
        const Nearest nearest = test_all(&closest.unit, mesh, &ray);
        TsimTraversal traversal;

        tsim_traversal_run(&closest, &ray, NULL, NULL, &traversal);
        if (options.triangle_return_mode == 1) {
            check_hit(&closest, mesh, &traversal.hit, &ray, &nearest);
        }
        g_assert_true(traversal.hit.found == (nearest.triangle != UINT32_MAX));
        g_assert_cmpuint(traversal.counts.stack_peak, <=, tsim_traversal_stack_entries(bvh));
        hits += traversal.hit.found ? 1 : 0;
        tsim_traversal_run(&any, &ray, NULL, NULL, &traversal);
        g_assert_true(traversal.hit.found == (nearest.triangle != UINT32_MAX));
    }
    /* The test means something only if both answers are common. */
    g_assert_cmpuint(hits, >, RAYS / 50);
    g_assert_cmpuint(hits, <, RAYS * 49 / 50);
}

static void test_equals_brute_force(void)
{
    for (uint32_t variant = 0; variant < 32; variant++) {
        g_autoptr(TsimMesh) mesh = random_mesh();
        TsimBvhOptions options = bvh_options();

        options.triangles_per_node = 1 + variant % 4;
        options.box_format = variant / 4 % 2 == 0 ? TSIM_BVH_FP32 : TSIM_BVH_FP16;
        options.box_sort = variant / 8 % 2 == 0;
        options.triangle_return_mode = variant / 16 % 2 == 0 ? 1 : 0;
        check_scene(mesh, options);
    }
}

/* A random rotation by Euler angles, a scale for each axis, a place. */
static TsimBvhInstance random_instance(uint32_t mesh)
{
    const double a = g_test_rand_double_range(0, 6);
    const double b = g_test_rand_double_range(0, 6);
    const double rotation[3][3] = {
        {cos(a), -sin(a) * cos(b), sin(a) * sin(b)},
        {sin(a), cos(a) * cos(b), -cos(a) * sin(b)},
        {0, sin(b), cos(b)},
    };
    TsimBvhInstance instance = {.mesh = mesh};

    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            instance.object_to_world[row][column] =
                (float)(rotation[row][column] * (0.3 + 0.2 * column));
        }
        instance.object_to_world[row][3] = random_between(-6, 6);
    }
    return instance;
}

static void place(const TsimBvhInstance *instance, const float position[3], float placed[3])
{
    for (int row = 0; row < 3; row++) {
        const float *m = instance->object_to_world[row];

        placed[row] = m[0] * position[0] + m[1] * position[1] + m[2] * position[2] + m[3];
    }
}

/* The same scene with every triangle moved to its place. */
static TsimMesh *flatten(const TsimMesh *const *meshes, const TsimBvhInstance *instances,
                         uint32_t count)
{
    TsimMesh *flat = g_new(TsimMesh, 1);
    uint32_t vertex = 0;

    flat->vertex_count = 3 * TRIANGLES * count;
    flat->triangle_count = TRIANGLES * count;
    flat->positions = g_new(float, 3 * flat->vertex_count);
    flat->indices = g_new(uint32_t, flat->vertex_count);
    for (uint32_t i = 0; i < count; i++) {
        const TsimMesh *mesh = meshes[instances[i].mesh];

        for (uint32_t corner = 0; corner < 3 * TRIANGLES; corner++, vertex++) {
            place(&instances[i], tsim_mesh_position(mesh, mesh->indices[corner]),
                  &flat->positions[3 * vertex]);
            flat->indices[vertex] = vertex;
        }
    }
    return flat;
}

/* Moving a ray rounds differently from moving triangles: rays near an edge may disagree, but only
 * a few of them. */
static void test_two_levels(void)
{
    g_autoptr(TsimMesh) first = random_mesh();
    g_autoptr(TsimMesh) second = random_mesh();
    const TsimMesh *meshes[] = {first, second};
    const TsimBvhOptions options = bvh_options();
    const TsimRayOptions choices = ray_options();
    TsimBvhInstance instances[7];
    unsigned different = 0;
    unsigned hits = 0;

    for (uint32_t i = 0; i < G_N_ELEMENTS(instances); i++) {
        instances[i] = random_instance(i % 2);
    }
    g_autoptr(TsimMesh) flat = flatten(meshes, instances, G_N_ELEMENTS(instances));
    g_autoptr(TsimBvh) bvh =
        tsim_bvh_build_instances(meshes, 2, instances, G_N_ELEMENTS(instances), &options, NULL);
    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &choices, FALSE);

    g_assert_cmpuint(bvh->measure.instances, ==, G_N_ELEMENTS(instances));
    g_assert_cmpuint(bvh->measure.triangles, ==, 2 * TRIANGLES);
    for (int i = 0; i < RAYS; i++) {
        const TsimRay ray = random_ray();
        const Nearest nearest = test_all(&scene.unit, flat, &ray);
        TsimBvhInstanceNode node;
        TsimTraversal traversal;

        tsim_traversal_run(&scene, &ray, NULL, NULL, &traversal);
        if (traversal.hit.found != (nearest.triangle != UINT32_MAX)) {
            different++;
        } else if (traversal.hit.found) {
            hits++;
            tsim_bvh_decode_instance(tsim_bvh_node(bvh, traversal.hit.instance), &node);
            different += fabsf(traversal.hit.t - nearest.t) > 1e-3f * nearest.t ||
                         node.id * TRIANGLES + tsim_bvh_primitive(bvh, traversal.hit.pointer) !=
                             nearest.triangle;
        }
        g_assert_cmpuint(traversal.counts.stack_peak, <=, tsim_traversal_stack_entries(bvh));
    }
    g_assert_cmpuint(hits, >, RAYS / 10);
    g_assert_cmpuint(different, <=, RAYS / 500);
}

typedef struct {
    unsigned boxes, triangles, instances;
    uint32_t expected; /* the pointer that the last step said would be next */
} Visits;

static void count_visit(const TsimTraversalVisit *visit, void *data)
{
    Visits *visits = data;

    if (visits->boxes + visits->triangles + visits->instances > 0) {
        g_assert_cmphex(visit->pointer, ==, visits->expected);
    }
    visits->expected = visit->after->pointer;
    if (visit->results == NULL) {
        visits->instances++;
    } else if (tsim_ray_pointer_is_triangle(visit->pointer)) {
        visits->triangles++;
    } else {
        visits->boxes++;
    }
}

static void test_visitor_and_counts_agree(void)
{
    g_autoptr(TsimMesh) mesh = random_mesh();
    const TsimMesh *meshes[] = {mesh};
    const TsimBvhOptions options = bvh_options();
    const TsimRayOptions choices = ray_options();
    const TsimBvhInstance instances[2] = {random_instance(0), random_instance(0)};
    g_autoptr(TsimBvh) bvh = tsim_bvh_build_instances(meshes, 1, instances, 2, &options, NULL);
    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &choices, FALSE);

    for (int i = 0; i < 200; i++) {
        const TsimRay ray = random_ray();
        Visits visits = {0};
        TsimTraversal plain;
        TsimTraversal watched;

        tsim_traversal_run(&scene, &ray, NULL, NULL, &plain);
        tsim_traversal_run(&scene, &ray, count_visit, &visits, &watched);
        g_assert_cmpuint(visits.boxes, ==, plain.counts.box_nodes);
        g_assert_cmpuint(visits.triangles, ==, plain.counts.triangles);
        g_assert_cmpuint(visits.instances, ==, plain.counts.instances);
        g_assert_cmphex(visits.expected, ==, TSIM_RAY_NO_NODE);
        g_assert_true(memcmp(&plain.hit, &watched.hit, sizeof plain.hit) == 0);
    }
}

/* R9: a lane that the hardware leaves out does nothing. */
static void test_bad_ray_does_not_start(void)
{
    g_autoptr(TsimMesh) mesh = random_mesh();
    const TsimBvhOptions options = bvh_options();
    const TsimRayOptions choices = ray_options();
    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);
    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &choices, FALSE);
    TsimRay ray = random_ray();
    TsimTraversal traversal;

    ray.direction[1] = NAN;
    tsim_traversal_run(&scene, &ray, NULL, NULL, &traversal);
    g_assert_false(traversal.hit.found);
    g_assert_cmpuint(traversal.counts.box_nodes, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/traversal/equals-brute-force", test_equals_brute_force);
    g_test_add_func("/traversal/two-levels", test_two_levels);
    g_test_add_func("/traversal/visitor-and-counts-agree", test_visitor_and_counts_agree);
    g_test_add_func("/traversal/bad-ray-does-not-start", test_bad_ray_does_not_start);
    return g_test_run();
}
