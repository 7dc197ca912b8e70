/* Bunny camera rays against Embree 3 in robust mode: hit or miss, the nearest triangle, t (R8).
 *
 * Built when Embree is there, skipped when the mesh is not. Rays that meet the surface within 1e-4
 * (barycentric) of an edge may go either way; where anything else differs, the triangle test redone
 * with 64-bit significands decides.
 */
#include "embree-scene.h"

#include <math.h>

#define MESH        "/usr/share/glmark2/models/bunny.obj"
#define SIDE        512
#define EDGE        1e-4
#define T_TOLERANCE 0x1p-17

typedef struct {
    gboolean found;
    uint32_t triangle;
    double t;
    double edge_distance; /* smallest weight of a corner */
} Answer;

static double smallest_weight(double i, double j)
{
    return fmin(fmin(i, j), 1.0 - i - j);
}

static Answer ask_embree(RTCScene scene, const TsimRay *ray)
{
    const struct RTCRayHit query = embree_intersect(scene, ray);

    return (Answer){
        .found = query.hit.geomID != RTC_INVALID_GEOMETRY_ID,
        .triangle = query.hit.primID,
        .t = (double)query.ray.tfar,
        .edge_distance = smallest_weight((double)query.hit.u, (double)query.hit.v),
    };
}

static Answer ask_ourselves(const TsimTraversalScene *scene, const TsimRay *ray)
{
    TsimTraversal traversal;

    tsim_traversal_run(scene, ray, NULL, NULL, &traversal);
    if (!traversal.hit.found) {
        return (Answer){.found = FALSE};
    }
    return (Answer){
        .found = TRUE,
        .triangle = tsim_bvh_primitive(scene->bvh, traversal.hit.pointer),
        .t = (double)traversal.hit.t,
        .edge_distance = smallest_weight((double)traversal.hit.i, (double)traversal.hit.j),
    };
}

typedef struct {
    long double v[3];
} Wide;

static Wide wide_difference(const float *a, const float *b)
{
    Wide difference;

    for (int axis = 0; axis < 3; axis++) {
        difference.v[axis] = (long double)a[axis] - (long double)b[axis];
    }
    return difference;
}

static Wide wide_cross(Wide a, Wide b)
{
    return (Wide){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2],
                   a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}

static long double wide_dot(Wide a, Wide b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

/* Where the ray meets the triangle, by Cramer's rule; t is infinite where it does not. */
static double wide_t(const TsimMesh *mesh, uint32_t triangle, const TsimRay *ray)
{
    static const float zero[3] = {0, 0, 0};
    const uint32_t *corner = &mesh->indices[3 * triangle];
    const float *a = tsim_mesh_position(mesh, corner[0]);
    const Wide direction = wide_difference(ray->direction, zero);
    const Wide edge1 = wide_difference(tsim_mesh_position(mesh, corner[1]), a);
    const Wide edge2 = wide_difference(tsim_mesh_position(mesh, corner[2]), a);
    const Wide from_a = wide_difference(ray->origin, a);
    const Wide p = wide_cross(direction, edge2);
    const Wide q = wide_cross(from_a, edge1);
    const long double determinant = wide_dot(edge1, p);
    const long double i = wide_dot(from_a, p) / determinant;
    const long double j = wide_dot(direction, q) / determinant;
    const gboolean inside = i >= 0.0L && j >= 0.0L && i + j <= 1.0L;

    return inside ? (double)(wide_dot(edge2, q) / determinant) : (double)INFINITY;
}

static Answer ask_wide(const TsimMesh *mesh, const TsimRay *ray)
{
    Answer nearest = {.t = (double)INFINITY};

    for (uint32_t triangle = 0; triangle < mesh->triangle_count; triangle++) {
        const double t = wide_t(mesh, triangle, ray);

        if (t >= 0.0 && t < nearest.t) {
            nearest = (Answer){TRUE, triangle, t, 0.0};
        }
    }
    return nearest;
}

static gboolean agree(const Answer *a, const Answer *b)
{
    if (!a->found || !b->found) {
        return a->found == b->found;
    }
    return a->triangle == b->triangle && fabs(a->t - b->t) <= T_TOLERANCE * b->t;
}

static gboolean near_edge(const Answer *answer)
{
    return answer->found && answer->edge_distance < EDGE;
}

typedef struct {
    unsigned hits, near_edge, decided;
} Tally;

static void check_ray(const TsimTraversalScene *scene, RTCScene embree, const TsimMesh *mesh,
                      const TsimRay *ray, Tally *tally)
{
    const Answer ours = ask_ourselves(scene, ray);
    const Answer theirs = ask_embree(embree, ray);

    tally->hits += ours.found ? 1 : 0;
    if (agree(&ours, &theirs)) {
        return;
    }
    if (near_edge(&ours) || near_edge(&theirs)) {
        tally->near_edge++;
        return;
    }
    const Answer exact = ask_wide(mesh, ray);

    tally->decided++;
    g_assert_true(agree(&ours, &exact));
}

static void compare(gconstpointer data)
{
    g_autoptr(TsimMesh) mesh = tsim_mesh_read(MESH, NULL);
    TsimBvhOptions options;
    TsimRayOptions choices;
    TsimRays rays;
    Tally tally = {0};

    if (mesh == NULL) {
        g_test_skip("no " MESH);
        return;
    }
    tsim_fields_init(tsim_bvh_option_fields, &options);
    tsim_fields_init(tsim_ray_option_fields, &choices);
    tsim_fields_init(tsim_rays_fields, &rays);
    options.box_format = GPOINTER_TO_INT(data);

    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &options, NULL);
    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &choices, FALSE);
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene embree = embree_scene_new(device, mesh);

    rays.width = SIDE;
    rays.height = SIDE;
    rays.camera = tsim_rays_fit_camera(&bvh->measure.bounds);
    for (uint32_t pixel = 0; pixel < SIDE * SIDE; pixel++) {
        const TsimRay ray = tsim_rays_camera_ray(&rays, pixel);

        check_ray(&scene, embree, mesh, &ray, &tally);
    }
    rtcReleaseScene(embree);
    rtcReleaseDevice(device);
    g_test_message("%u hits, %u differ near an edge, %u decided by the wide test", tally.hits,
                   tally.near_edge, tally.decided);
    g_assert_cmpuint(tally.hits, >, SIDE * SIDE / 5);
    g_assert_cmpuint(tally.near_edge, <, SIDE * SIDE / 1000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/embree/bunny-fp32", GINT_TO_POINTER(TSIM_BVH_FP32), compare);
    g_test_add_data_func("/embree/bunny-fp16", GINT_TO_POINTER(TSIM_BVH_FP16), compare);
    return g_test_run();
}
