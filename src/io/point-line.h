/* The line that a run of a sweep leaves (io/flat-line.h):
 *
 *     {"point":3,"replication":0,"status":"done","schema_version":1,"tesssim_version":"...",
 *      "scenario":"high_tf","seed":1,"set.tf_threshold":8,"elapsed_cycles":123,...}
 *
 * "status" is "done" or "failed"; a failed run has "error" in place of the metrics. "set.KEY" are
 * all settings of the run, those of the whole sweep first. Nothing in it depends on when, where or
 * beside what the run happened.
 */
#pragma once

#include "io/sweep-plan.h"
#include "stats/result.h"

/* In place of a metric: every one. */
#define TSIM_ALL_METRICS "all"

typedef struct {
    uint64_t point, replication;
    uint64_t seed;
    const char *scenario;
    const char *const *sets; /* "KEY=VALUE", all of them, NULL-terminated */
} TsimPointId;

/* result NULL: the run failed because of error. The caller frees the line, which has its line end.
 */
char *tsim_point_line(const TsimSweepPlan *plan, const TsimPointId *id, const TsimResult *result,
                      const GError *error);

/* FALSE when the line (without its line end) is no whole line. */
gboolean tsim_point_line_read_id(const char *line, gsize length, uint64_t *ret_point,
                                 uint64_t *ret_replication);

gboolean tsim_point_line_is_failed(const char *line); /* of a whole line */

/* FALSE and error (TSIM_ERROR_USAGE) when a run has no metric of that name; "all" is one. */
gboolean tsim_point_line_check_metrics(char *const *metrics, GError **error);
