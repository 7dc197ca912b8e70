#include "io/ray-explain.h"

typedef struct {
    const TsimTraversalScene *scene;
    GString *text;
    unsigned step;
} Explanation;

static void append_vector(GString *text, const char *name, const float v[3])
{
    g_string_append_printf(text, "%s (%.9g, %.9g, %.9g)", name, (double)v[0], (double)v[1],
                           (double)v[2]);
}

static void append_ray(GString *text, const TsimRay *ray)
{
    append_vector(text, "origin", ray->origin);
    append_vector(text, " direction", ray->direction);
    append_vector(text, " inverse", ray->inverse_direction);
    g_string_append_printf(text, " extent %.9g\n", (double)ray->extent);
}

static void append_results(GString *text, const uint32_t results[TSIM_RAY_RESULTS])
{
    g_string_append_printf(text, "    returns 0x%08x 0x%08x 0x%08x 0x%08x\n", results[0],
                           results[1], results[2], results[3]);
}

static void explain_boxes(const Explanation *explanation, const TsimTraversalVisit *visit)
{
    const gboolean is_fp16 = tsim_ray_pointer_type(visit->pointer) == TSIM_RAY_NODE_BOX16;
    GString *text = explanation->text;
    TsimRayBoxNode node;

    if (is_fp16) {
        tsim_ray_node_decode_box16(visit->bytes, &node);
    } else {
        tsim_ray_node_decode_box32(visit->bytes, &node);
    }
    const TsimRayBoxResult result =
        tsim_ray_test_boxes(&explanation->scene->unit, visit->setup, &node);

    g_string_append_printf(text, "%s boxes, extent %.9g\n", is_fp16 ? "FP16" : "FP32",
                           (double)visit->setup->ray.extent);
    for (int child = 0; child < 4; child++) {
        const float low[3] = {node.bounds[0][0][child], node.bounds[0][1][child],
                              node.bounds[0][2][child]};
        const float high[3] = {node.bounds[1][0][child], node.bounds[1][1][child],
                               node.bounds[1][2][child]};

        if (node.child[child] == TSIM_RAY_NO_NODE) {
            g_string_append_printf(text, "    child %d none\n", child);
            continue;
        }
        g_string_append_printf(text, "    child %d 0x%08x", child, node.child[child]);
        append_vector(text, " min", low);
        append_vector(text, " max", high);
        g_string_append_printf(text, " near %.9g far %.9g: %s\n", (double)result.near[child],
                               (double)result.far[child],
                               (result.hit_mask >> child & 1) != 0 ? "hit" : "miss");
    }
    append_results(text, visit->results);
}

static void explain_triangle(const Explanation *explanation, const TsimTraversalVisit *visit)
{
    const unsigned triangle = tsim_ray_pointer_type(visit->pointer);
    const uint8_t *corners = tsim_ray_node_corners[triangle];
    GString *text = explanation->text;
    TsimRayTriangleNode node;

    tsim_ray_node_decode_triangles(visit->bytes, &node);

    const TsimRayTriangleResult result =
        tsim_ray_test_triangle(&explanation->scene->unit, visit->setup, node.vertex[corners[0]],
                               node.vertex[corners[1]], node.vertex[corners[2]]);

    g_string_append_printf(text, "triangle %u (mesh triangle %u), extent %.9g\n", triangle,
                           tsim_bvh_primitive(explanation->scene->bvh, visit->pointer),
                           (double)visit->setup->ray.extent);
    for (int i = 0; i < 3; i++) {
        g_string_append_printf(text, "    V%u", corners[i]);
        append_vector(text, "", node.vertex[corners[i]]);
        g_string_append_printf(text, " weight %.9g\n", (double)result.weight_num[i]);
    }
    g_string_append_printf(text, "    id 0x%08x t_num %.9g t_denom %.9g t %.9g: %s\n",
                           node.triangle_id, (double)result.t_num, (double)result.t_denom,
                           (double)(result.t_num / result.t_denom), result.hit ? "hit" : "miss");
    append_results(text, visit->results);
}

static void explain_instance(const Explanation *explanation, const TsimTraversalVisit *visit)
{
    GString *text = explanation->text;
    TsimBvhInstanceNode node;

    tsim_bvh_decode_instance(visit->bytes, &node);
    g_string_append_printf(text, "instance %u, root 0x%08x\n    ", node.id, node.root);
    append_ray(text, &visit->after->setup.ray);
}

static void explain_visit(const TsimTraversalVisit *visit, void *data)
{
    Explanation *explanation = data;

    g_string_append_printf(explanation->text, "%u. node 0x%08x at byte 0x%" G_GINT64_MODIFIER "x: ",
                           ++explanation->step, visit->pointer,
                           TSIM_RAY_UNIT_BYTES * tsim_ray_pointer_index(visit->pointer));
    if (visit->results == NULL) {
        explain_instance(explanation, visit);
    } else if (tsim_ray_pointer_is_triangle(visit->pointer)) {
        explain_triangle(explanation, visit);
    } else {
        explain_boxes(explanation, visit);
    }
}

static void append_summary(const TsimTraversalScene *scene, const TsimTraversal *traversal,
                           GString *text)
{
    const TsimTraversalHit *hit = &traversal->hit;
    const TsimTraversalCounts *counts = &traversal->counts;

    g_string_append_printf(text, "%u box nodes, %u triangles, %u instances, %u stack entries\n",
                           counts->box_nodes, counts->triangles, counts->instances,
                           counts->stack_peak);
    if (!hit->found) {
        g_string_append(text, "miss\n");
        return;
    }
    g_string_append_printf(text, "hit mesh triangle %u",
                           tsim_bvh_primitive(scene->bvh, hit->pointer));
    if (hit->instance != TSIM_RAY_NO_NODE) {
        TsimBvhInstanceNode node;

        tsim_bvh_decode_instance(tsim_bvh_node(scene->bvh, hit->instance), &node);
        g_string_append_printf(text, " of instance %u", node.id);
    }
    g_string_append_printf(text, ", node 0x%08x, t %.9g", hit->pointer, (double)hit->t);
    if (scene->unit.triangle_return_mode == 1) {
        g_string_append_printf(text, ", I %.9g, J %.9g", (double)hit->i, (double)hit->j);
    }
    g_string_append_printf(text, ", %s side\n", hit->front ? "front" : "back");
}

void tsim_ray_explain_bvh(const TsimBvh *bvh, GString *text)
{
    const TsimBvhMeasure *measure = &bvh->measure;

    g_string_append_printf(text,
                           "BVH: %" G_GUINT64_FORMAT " bytes, %" G_GUINT64_FORMAT
                           " box nodes, %" G_GUINT64_FORMAT " triangle nodes, %" G_GUINT64_FORMAT
                           " triangles, %" G_GUINT64_FORMAT " instances, depth %u, SAH cost %.9g\n",
                           bvh->descriptor.node_count * TSIM_RAY_UNIT_BYTES, measure->box_nodes,
                           measure->triangle_nodes, measure->triangles, measure->instances,
                           measure->depth + measure->instance_depth, measure->sah_cost);
}

void tsim_ray_explain(const TsimTraversalScene *scene, const TsimRay *ray, GString *text)
{
    Explanation explanation = {scene, text, 0};
    TsimTraversal traversal;

    append_ray(text, ray);
    tsim_traversal_run(scene, ray, explain_visit, &explanation, &traversal);
    if (explanation.step == 0) {
        g_string_append(text, "inactive: a NaN in the ray, or an infinite origin\n");
    }
    append_summary(scene, &traversal, text);
}
