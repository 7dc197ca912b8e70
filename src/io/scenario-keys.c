#include "io/scenario-keys.h"

#include <stddef.h>

const char *const tsim_scenario_keys[] = {"$schema", TSIM_KEY_GPU, TSIM_KEY_WORK, NULL};
const char *const tsim_draw_keys[] = {TSIM_KEY_TYPE,
                                      TSIM_KEY_QUEUE,
                                      TSIM_KEY_TESS_FACTORS,
                                      TSIM_KEY_TESSELLATION,
                                      "vs",
                                      "hs",
                                      "ds",
                                      "gs",
                                      "ps",
                                      NULL};
const char *const tsim_dispatch_keys[] = {TSIM_KEY_TYPE, TSIM_KEY_QUEUE, "cs", NULL};
const char *const tsim_barrier_keys[] = {TSIM_KEY_TYPE, TSIM_KEY_QUEUE, NULL};
const char *const tsim_rays_keys[] = {TSIM_KEY_TYPE,    TSIM_KEY_QUEUE, TSIM_KEY_SCENE,
                                      TSIM_KEY_BVH,     TSIM_KEY_RAYS,  TSIM_KEY_MIX,
                                      TSIM_KEY_PROGRAM, TSIM_KEY_UNIT,  NULL};
const char *const tsim_ray_generator_keys[] = {TSIM_KEY_CAMERA, TSIM_KEY_LIGHT, TSIM_KEY_FILE,
                                               NULL};
const char *const tsim_ray_camera_keys[] = {"position", "look_at", "up", NULL};
const char *const tsim_feedback_keys[] = {TSIM_KEY_TYPE,
                                          TSIM_KEY_QUEUE,
                                          TSIM_KEY_SCENE,
                                          TSIM_KEY_TEXTURE,
                                          TSIM_KEY_SAMPLER,
                                          TSIM_KEY_FEEDBACK,
                                          TSIM_KEY_RESIDENCY,
                                          "ps",
                                          "cs",
                                          NULL};
