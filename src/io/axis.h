/* What a sweep varies: axes of values, as written on a command line.
 *
 *     patches_per_threadgroup=1:16          every whole number of a range, both ends included
 *     tf_threshold=0:8:0.5                  a range with a step
 *     gpu.dram_bytes_per_clk=16:256:x2      a range whose values grow by a factor
 *     gpu=xbox_one,bonaire                  a list; its items may be ranges
 *     tess_factors={"uniform":8},{"uniform":32}
 *     "vs.vgprs=24,48;ds.vgprs=32,64"       keys that change together: lists of one length
 *
 * Keys and values are those of --set (io/overrides.h). Values are kept as text. Ends of ranges are
 * below 1e15, so that whole numbers between them stay apart.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

/* Most values of an axis. */
#define TSIM_AXIS_LEVELS_MAX 1000000

typedef struct {
    guint keys_n;
    char **keys;    /* NULL-terminated */
    char ***values; /* one NULL-terminated list a key */
    guint levels;   /* length of each list, at least 1 */
} TsimAxis;

/* FALSE and error (TSIM_ERROR_USAGE) when text is no axis. */
gboolean tsim_axis_parse(TsimAxis *ret_axis, const char *text, GError **error);
void tsim_axis_clear(TsimAxis *axis);

/* Points of the grid of several axes. FALSE and error (TSIM_ERROR_USAGE) when a key is varied
 * twice, the seed is varied although replications (above 1) set it, or points are beyond 2^53,
 * which JSON does not carry. */
gboolean tsim_axes_check(const TsimAxis *axes, guint axes_n, guint replications,
                         uint64_t *ret_points, GError **error);

/* "KEY=VALUE" of one of its keys at one of its levels; the caller frees it. */
char *tsim_axis_set(const TsimAxis *axis, guint key, guint level);

/* "vs.vgprs=24 ds.vgprs=32"; the caller frees it. */
char *tsim_axis_label(const TsimAxis *axis, guint level);
