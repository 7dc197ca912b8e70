/* Keys of the objects of a scenario that no field table has: they hold objects, lists, or words
 * that stand for several things. The decoder, the schema and --set share them. All lists are
 * NULL-terminated. */
#pragma once

#define TSIM_KEY_GPU              "gpu"
#define TSIM_KEY_WORK             "work"
#define TSIM_KEY_TYPE             "type"
#define TSIM_KEY_QUEUE            "queue"
#define TSIM_KEY_TESS_FACTORS     "tess_factors"
#define TSIM_KEY_TESSELLATION     "tessellation"
#define TSIM_KEY_COMPILED_OFFCHIP "compiled_offchip" /* of hs and ds */

/* Of tess_factors, beside the kinds of workload/factors.h. */
#define TSIM_KEY_LIST   "list"
#define TSIM_KEY_CSV    "csv"
#define TSIM_KEY_CAMERA "camera"

/* Of sample_feedback and rays: where it happens. */
#define TSIM_KEY_SCENE "scene"

/* Of sample_feedback, one object each; residency may be left out. */
#define TSIM_KEY_TEXTURE   "texture"
#define TSIM_KEY_SAMPLER   "sampler"
#define TSIM_KEY_FEEDBACK  "feedback"
#define TSIM_KEY_RESIDENCY "residency"

/* Of rays. */
#define TSIM_KEY_BVH     "bvh"
#define TSIM_KEY_RAYS    "rays"
#define TSIM_KEY_MIX     "mix"
#define TSIM_KEY_PROGRAM "program"
#define TSIM_KEY_UNIT    "unit"
#define TSIM_KEY_FILE    "file"
#define TSIM_KEY_LIGHT   "light"

extern const char *const tsim_scenario_keys[];
extern const char *const tsim_draw_keys[];
extern const char *const tsim_dispatch_keys[];
extern const char *const tsim_barrier_keys[];
extern const char *const tsim_rays_keys[];          /* of work of that type */
extern const char *const tsim_ray_generator_keys[]; /* of its "rays" */
extern const char *const tsim_ray_camera_keys[];    /* vectors: position, look_at, up */
extern const char *const tsim_feedback_keys[];
