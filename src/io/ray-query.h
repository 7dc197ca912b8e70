/* One ray against a mesh or an encoded BVH, as a user asks for it on a command line.
 *
 * Errors: TSIM_ERROR_USAGE for a setting or a number that is wrong, else those of the files.
 */
#pragma once

#include "hw/ray-intersect.h"
#include "workload/ray-scene.h"

/* "KEY=VALUE" settings of the intersection unit (tsim_ray_option_fields) and, where bvh is not
 * NULL, of the build (tsim_bvh_option_fields); sets is NULL-terminated and may be NULL. */
gboolean tsim_ray_query_settings(const char *const *sets, TsimRayOptions *options,
                                 TsimBvhOptions *bvh, GError **error);

/* "X,Y,Z"; NaN and infinities are numbers here. name stands in the message. */
gboolean tsim_ray_query_vector(const char *name, const char *text, float vector[3], GError **error);
gboolean tsim_ray_query_number(const char *name, const char *text, float *number, GError **error);

/* A mesh by its suffix (.obj, .ply, .stl), else an encoded BVH. */
TsimBvh *tsim_ray_query_load(const char *path, const TsimBvhOptions *bvh, GError **error);
