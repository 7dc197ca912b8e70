/* Work of type "rays": from JSON to TsimRayWork, with its mesh read and its BVH built.
 */
#pragma once

#include "io/decode.h"
#include "workload/ray-work.h"

/* seed: of the scenario, for rays that name none. gpu may be NULL (it is wrong): then whether the
 * work fits is not asked. Everything wrong is reported through the node; the caller clears work. */
void tsim_rays_json_decode(const TsimJsonNode *node, const TsimGpu *gpu, uint64_t seed,
                           uint32_t number, TsimRayWork *work);
