/* A scenario file as text: read once, loaded many times with different values.
 *
 * Immutable while it is loaded, so that threads may share it.
 */
#pragma once

#include "workload/workload.h"

#include <json-c/json.h>

typedef struct {
    char *path;          /* the file that was found, "-" for standard input */
    GString *text;       /* what is in it */
    char **sets;         /* "KEY=VALUE" (io/overrides.h), NULL-terminated */
    char *gpu;           /* name or path in place of the scenario's own; NULL: none */
    char **search_paths; /* folders that hold configs/ and scenarios/, NULL-terminated */
    TsimGpu *known;      /* the GPU, kept for loads that do not change it; NULL: read each time */
} TsimScenarioText;

/* Arguments as for tsim_scenario_json_load. NULL and error when the file cannot be read. */
TsimScenarioText *tsim_scenario_text_read(const char *path, const char *const *sets,
                                          const char *gpu, const char *const *search_paths,
                                          GError **error);
/* The same of standard input that was kept in a file: it counts as read from "-". */
TsimScenarioText *tsim_scenario_text_read_kept(const char *file, const char *const *sets,
                                               const char *gpu, const char *const *search_paths,
                                               GError **error);
void tsim_scenario_text_free(TsimScenarioText *text); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimScenarioText, tsim_scenario_text_free)

/* Reads the GPU as well, once for all loads that do not change it: they are faster, and all have
 * the same one whatever happens to its file. */
void tsim_scenario_text_keep_gpu(TsimScenarioText *text);

/* With `more` sets (NULL-terminated, or NULL) after those of the text. */
TsimScenario *tsim_scenario_text_load(const TsimScenarioText *text, const char *const *more,
                                      GPtrArray *warnings, GError **error);

/* Everything that a load with these sets depends on, added to `inputs`:
 *
 *     "scenario"   its values, with all sets
 *     "gpus"       name: every field of the GPU, with what it extends
 *     "files"      path: SHA-256 of a file that tess factors come from
 *
 * What cannot be loaded is left out: it will fail in the same way later. */
void tsim_scenario_text_inputs(const TsimScenarioText *text, const char *const *more,
                               json_object *inputs);
