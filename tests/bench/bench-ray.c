/* Figures for the ray part: building a BVH and tracing 512 x 512 camera rays on one core.
 *
 *     bench-ray [MESH]      default: the Stanford bunny of glmark2
 *
 * The timing model then does the same, from the scenario of that name in the current folder.
 * Where Embree 3 is installed it traces the same rays one by one, robust, in the same run.
 */
#include "hw/ray-intersect.h"
#include "io/scenario-json.h"
#include "model/run.h"
#include "workload/rays.h"

#include <stdio.h>
#include <time.h>

#ifdef HAVE_EMBREE
#    include "embree-scene.h"
#endif

#define DEFAULT_MESH "/usr/share/glmark2/models/bunny.obj"
#define SCENARIO     "scenarios/ray_bunny_primary.json"
#define SIDE         512

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void trace(const TsimTraversalScene *scene, const TsimRay *rays, const char *name)
{
    TsimTraversalCounts total = {0};
    uint64_t hits = 0;
    const double begin = seconds();

    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        TsimTraversal traversal;

        tsim_traversal_run(scene, &rays[i], NULL, NULL, &traversal);
        total.box_nodes += traversal.counts.box_nodes;
        total.triangles += traversal.counts.triangles;
        hits += traversal.hit.found ? 1 : 0;
    }
    const double elapsed = seconds() - begin;

    printf("%-6s %8.3f M rays/s  %7.2f M tests/s  %5.2f boxes/ray  %5.2f triangles/ray  "
           "%" G_GUINT64_FORMAT " hits\n",
           name, SIDE * SIDE / elapsed * 1e-6, (total.box_nodes + total.triangles) / elapsed * 1e-6,
           (double)total.box_nodes / (SIDE * SIDE), (double)total.triangles / (SIDE * SIDE), hits);
}

static void bench(const TsimMesh *mesh, const TsimRay *rays, int box_format, const char *name)
{
    g_autoptr(GError) error = NULL;
    TsimBvhOptions bvh_options;
    TsimRayOptions ray_options;
    double begin;

    tsim_fields_init(tsim_bvh_option_fields, &bvh_options);
    tsim_fields_init(tsim_ray_option_fields, &ray_options);
    bvh_options.box_format = box_format;
    begin = seconds();

    g_autoptr(TsimBvh) bvh = tsim_bvh_build(mesh, &bvh_options, &error);

    if (bvh == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return;
    }
    printf("%-6s built in %.3f s: %" G_GUINT64_FORMAT " box nodes, %" G_GUINT64_FORMAT
           " triangle nodes, depth %u, SAH %.2f, %.2f MB\n",
           name, seconds() - begin, bvh->measure.box_nodes, bvh->measure.triangle_nodes,
           bvh->measure.depth, bvh->measure.sah_cost,
           (double)bvh->descriptor.node_count * TSIM_RAY_UNIT_BYTES * 1e-6);

    const TsimTraversalScene scene = tsim_traversal_scene(bvh, &ray_options, FALSE);

    trace(&scene, rays, name);
}

#ifdef HAVE_EMBREE
static void bench_embree(const TsimMesh *mesh, const TsimRay *rays)
{
    RTCDevice device = rtcNewDevice("threads=1");
    RTCScene scene = embree_scene_new(device, mesh);
    const double begin = seconds();
    uint64_t hits = 0;

    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        hits += embree_intersect(scene, &rays[i]).hit.geomID != RTC_INVALID_GEOMETRY_ID ? 1 : 0;
    }
    printf("%-6s %8.3f M rays/s  %" G_GUINT64_FORMAT " hits\n", "Embree",
           SIDE * SIDE / (seconds() - begin) * 1e-6, hits);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
}
#endif

static TsimRay *make_rays(const TsimMesh *mesh)
{
    TsimRay *list = g_new(TsimRay, SIDE * SIDE);
    TsimBox bounds = tsim_box_empty();
    TsimRays rays;

    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        tsim_box_add_point(&bounds, tsim_mesh_position(mesh, i));
    }
    tsim_fields_init(tsim_rays_fields, &rays);
    rays.width = SIDE;
    rays.height = SIDE;
    rays.camera = tsim_rays_fit_camera(&bounds);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        list[i] = tsim_rays_camera_ray(&rays, i);
    }
    return list;
}

/* The same rays through the timing model. */
static void bench_simulation(void)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimScenario) scenario =
        tsim_scenario_json_load(SCENARIO, NULL, NULL, NULL, warnings, &error);
    g_autoptr(TsimMachine) machine =
        scenario != NULL ? tsim_machine_new(scenario, warnings, &error) : NULL;
    const double begin = seconds();

    if (machine == NULL || !tsim_machine_run(machine, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return;
    }
    const double elapsed = seconds() - begin;
    g_autoptr(TsimResult) result = tsim_machine_result(machine);
    printf("%-6s %8.3f M rays/s  %" G_GUINT64_FORMAT " hits\n", "timed",
           (double)result->rays.rays / elapsed * 1e-6, result->rays.hits);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    const char *path = argc > 1 ? argv[1] : DEFAULT_MESH;
    g_autoptr(TsimMesh) mesh = tsim_mesh_read(path, &error);

    if (mesh == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    g_autofree TsimRay *rays = make_rays(mesh);

    bench(mesh, rays, TSIM_BVH_FP32, "FP32");
    bench(mesh, rays, TSIM_BVH_FP16, "FP16");
    bench_simulation();
#ifdef HAVE_EMBREE
    bench_embree(mesh, rays);
#endif
    return 0;
}
