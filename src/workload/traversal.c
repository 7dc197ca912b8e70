#include "workload/traversal.h"

#include "base/error.h"
#include "hw/half.h"

TsimTraversalScene tsim_traversal_scene(const TsimBvh *bvh, const TsimRayOptions *options,
                                        gboolean any_hit)
{
    return (TsimTraversalScene){bvh, tsim_ray_unit_new(&bvh->descriptor, options), any_hit};
}

/* A box node leaves at most three of its children on the stack. */
uint32_t tsim_traversal_stack_entries(const TsimBvh *bvh)
{
    return 3 * (bvh->measure.depth + bvh->measure.instance_depth);
}

void tsim_traversal_begin(const TsimTraversalScene *scene, const TsimRay *ray,
                          TsimTraversal *traversal)
{
    const uint32_t root = scene->bvh->root;
    const gboolean is_live =
        tsim_ray_lane_classify(&scene->unit, TRUE, root, ray) == TSIM_RAY_LANE_ACTIVE;

    *traversal = (TsimTraversal){
        .setup = tsim_ray_setup_new(ray),
        .world = *ray,
        .pointer = is_live ? root : TSIM_RAY_NO_NODE,
        .instance = TSIM_RAY_NO_NODE,
        .hit = {.pointer = TSIM_RAY_NO_NODE, .instance = TSIM_RAY_NO_NODE},
    };
}

static void leave_instance(TsimTraversal *traversal)
{
    TsimRay world = traversal->world;

    world.extent = traversal->setup.ray.extent;
    traversal->setup = tsim_ray_setup_new(&world);
    traversal->instance = TSIM_RAY_NO_NODE;
    traversal->stack_base = 0;
}

static void pop(TsimTraversal *traversal, const uint32_t *stack)
{
    if (traversal->instance != TSIM_RAY_NO_NODE && traversal->stack_size == traversal->stack_base) {
        leave_instance(traversal);
    }
    traversal->pointer =
        traversal->stack_size > 0 ? stack[--traversal->stack_size] : TSIM_RAY_NO_NODE;
}

static void enter_boxes(TsimTraversal *traversal, uint32_t *stack,
                        const uint32_t results[TSIM_RAY_RESULTS])
{
    int first = 0;

    traversal->counts.box_nodes++;
    while (first < TSIM_RAY_RESULTS && results[first] == TSIM_RAY_NO_NODE) {
        first++;
    }
    if (first == TSIM_RAY_RESULTS) {
        pop(traversal, stack);
        return;
    }
    for (int i = TSIM_RAY_RESULTS - 1; i > first; i--) {
        if (results[i] != TSIM_RAY_NO_NODE) {
            stack[traversal->stack_size++] = results[i];
        }
    }
    traversal->counts.stack_peak = MAX(traversal->counts.stack_peak, traversal->stack_size);
    traversal->pointer = results[first];
}

static void take_hit(const TsimTraversalScene *scene, TsimTraversal *traversal,
                     const uint32_t results[TSIM_RAY_RESULTS], float t)
{
    const float t_denom = tsim_float_from_bits(results[1]);
    const gboolean has_weights = scene->unit.triangle_return_mode == 1;

    traversal->setup.ray.extent = t;
    traversal->hit = (TsimTraversalHit){
        .found = TRUE,
        .front = t_denom > 0.0f,
        .t = t,
        .i = has_weights ? tsim_float_from_bits(results[2]) / t_denom : 0.0f,
        .j = has_weights ? tsim_float_from_bits(results[3]) / t_denom : 0.0f,
        .pointer = traversal->pointer,
        .instance = traversal->instance,
    };
}

/* The quotient of a miss is infinite in both return modes, so that one comparison does. */
static void leave_triangle(const TsimTraversalScene *scene, TsimTraversal *traversal,
                           const uint32_t *stack, const uint32_t results[TSIM_RAY_RESULTS])
{
    const float t = tsim_float_from_bits(results[0]) / tsim_float_from_bits(results[1]);

    traversal->counts.triangles++;
    if (t < traversal->setup.ray.extent) {
        take_hit(scene, traversal, results, t);
        if (scene->any_hit) {
            traversal->pointer = TSIM_RAY_NO_NODE;
            return;
        }
    }
    if (tsim_ray_pointer_type(traversal->pointer) > 0) {
        traversal->pointer--;
    } else {
        pop(traversal, stack);
    }
}

static void to_object(const TsimBvhInstanceNode *node, const float vector[3], float weight,
                      float moved[3])
{
    for (int row = 0; row < 3; row++) {
        const float *m = node->world_to_object[row];

        moved[row] = m[0] * vector[0] + m[1] * vector[1] + m[2] * vector[2] + m[3] * weight;
    }
}

/* The direction keeps its length in world units, so that t means the same on both levels. */
static void enter_instance(const TsimTraversalScene *scene, TsimTraversal *traversal)
{
    TsimBvhInstanceNode node;
    float origin[3];
    float direction[3];

    tsim_bvh_decode_instance(tsim_bvh_node(scene->bvh, traversal->pointer), &node);
    to_object(&node, traversal->world.origin, 1.0f, origin);
    to_object(&node, traversal->world.direction, 0.0f, direction);

    const TsimRay ray = tsim_ray_new(origin, direction, traversal->setup.ray.extent);

    traversal->setup = tsim_ray_setup_new(&ray);
    traversal->instance = traversal->pointer;
    traversal->stack_base = traversal->stack_size;
    traversal->pointer = node.root;
    traversal->counts.instances++;
}

void tsim_traversal_step(const TsimTraversalScene *scene, TsimTraversal *traversal, uint32_t *stack,
                         uint32_t results[TSIM_RAY_RESULTS])
{
    const uint32_t pointer = traversal->pointer;
    uint32_t local[TSIM_RAY_RESULTS];
    uint32_t *registers = results != NULL ? results : local;

    TSIM_ASSERT_HOT(pointer != TSIM_RAY_NO_NODE);
    if (tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_INSTANCE) {
        enter_instance(scene, traversal);
        return;
    }
    tsim_ray_test_node(&scene->unit, &traversal->setup, pointer, tsim_bvh_node(scene->bvh, pointer),
                       registers);
    if (tsim_ray_pointer_is_triangle(pointer)) {
        leave_triangle(scene, traversal, stack, registers);
    } else {
        enter_boxes(traversal, stack, registers);
    }
}

static void visit_step(const TsimTraversalScene *scene, TsimTraversal *traversal, uint32_t *stack,
                       TsimTraversalVisitor visitor, void *data)
{
    const uint32_t pointer = traversal->pointer;
    const TsimRaySetup before = traversal->setup;
    const gboolean is_instance = tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_INSTANCE;
    uint32_t results[TSIM_RAY_RESULTS];

    tsim_traversal_step(scene, traversal, stack, results);

    const TsimTraversalVisit visit = {
        .pointer = pointer,
        .bytes = tsim_bvh_node(scene->bvh, pointer),
        .setup = &before,
        .results = is_instance ? NULL : results,
        .after = traversal,
    };

    visitor(&visit, data);
}

void tsim_traversal_run(const TsimTraversalScene *scene, const TsimRay *ray,
                        TsimTraversalVisitor visitor, void *data, TsimTraversal *traversal)
{
    uint32_t stack[TSIM_TRAVERSAL_MAX_STACK];

    tsim_traversal_begin(scene, ray, traversal);
    while (traversal->pointer != TSIM_RAY_NO_NODE) {
        if (visitor != NULL) {
            visit_step(scene, traversal, stack, visitor, data);
        } else {
            tsim_traversal_step(scene, traversal, stack, NULL);
        }
    }
}
