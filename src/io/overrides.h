/* --set KEY=VALUE: changes to the tree of a scenario before it is decoded.
 *
 *     seed                        a member of the scenario
 *     work.0.patches              any path; array items by number
 *     gpu.clock_mhz               a GPU that was named becomes one that extends it
 *     draw.ds.vgprs, ds.vgprs     the same member of every draw
 *     patches, tess_factors.uniform, mode, tf_threshold ...
 *                                 likewise: a key of draws, or of their tessellation settings
 *     dispatch.threads            the same member of every dispatch
 *
 * VALUE is JSON; what is not JSON is a string. A mode that is set takes what the file says of the
 * old one with it: a pipeline_flag that contradicts it and every compiled_offchip.
 */
#pragma once

#include "io/json-source.h"

/* Complaints begin with label, such as "--set mode=onchip". */
void tsim_override_apply(TsimJsonSource *source, const char *label, const char *assignment);

/* Replaces the GPU of the scenario by the one of that name or path. */
void tsim_override_gpu(TsimJsonSource *source, const char *label, const char *gpu);
