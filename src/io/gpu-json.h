/* GPU files: flat objects of the fields of hw/gpu-fields.def.
 *
 *     { "extends": "bonaire",
 *       "shader_engines": {"value": 2, "source": "...", "kind": "documented"},
 *       "clock_mhz": 853 }
 *
 * A value may stand alone or carry its source and kind (documented, measured, estimated); a value
 * that is overridden loses the source of the one it replaces. "extends" names the GPU whose fields
 * hold where this one is silent. A GPU is named by the name of its file without ".json", found as
 * io/data-files.h says, or by a path (it has a '/' or ends in ".json").
 */
#pragma once

#include "hw/gpu.h"
#include "io/json-source.h"

/* The GPU that a value of a scenario describes: a name, a path or an object. NULL when anything
 * about it is wrong. */
TsimGpu *tsim_gpu_json_decode(const TsimJsonNode *node, const char *const *roots);

/* A GPU by name or path alone, for commands without a scenario. A name that there is not is a
 * TSIM_ERROR_USAGE. */
TsimGpu *tsim_gpu_json_load(const char *name, const char *const *search_paths, GError **error);

/* The GPU that a whole file describes. In strict reading, numbers without a source are errors. */
TsimGpu *tsim_gpu_json_decode_file(TsimJsonSource *source, const char *const *roots,
                                   gboolean strict);
