/* Scenario files: from JSON to TsimScenario.
 *
 * A path is opened as it is; a bare name that is no file is looked for in the scenarios/ folders,
 * as io/data-files.h says. Everything that is wrong is reported in one go.
 */
#pragma once

#include "io/json-source.h"
#include "workload/workload.h"

/* path: "-" reads standard input. sets: "KEY=VALUE" (io/overrides.h) in order, gpu: a name or path
 * in place of the scenario's own, search_paths: folders that hold configs/ and scenarios/; lists
 * are NULL-terminated, each may be NULL. warnings (may be NULL) receives char * lines that the
 * caller frees. NULL and error when anything is wrong, one line a complaint; the caller frees the
 * scenario. */
TsimScenario *tsim_scenario_json_load(const char *path, const char *const *sets, const char *gpu,
                                      const char *const *search_paths, GPtrArray *warnings,
                                      GError **error);

/* The scenario of a source that has its overrides. known: its GPU, where the caller has read that
 * already; or NULL. NULL when the source's problems have grown. */
TsimScenario *tsim_scenario_json_decode(TsimJsonSource *source, const char *const *roots,
                                        const TsimGpu *known);
