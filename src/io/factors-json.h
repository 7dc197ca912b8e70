/* "tess_factors" of a draw: an object with the key of one kind of workload/factors.h and its
 * fields,
 *
 *     {"uniform": 32}     {"distribution": "lognormal", "mean": 12, "deviation": 6}
 *     {"mesh": "bunny.obj", "camera": {"position": [0, 0, 3]}}
 *
 * or the factors themselves, of every patch:
 *
 *     {"list": [{"edge": [4, 4, 8], "inside": [5.5]}]}     {"csv": "capture.csv"}
 */
#pragma once

#include "io/json-source.h"
#include "workload/factors.h"

/* NULL, reported, when anything is wrong. draw: number of the draw in the scenario, which names its
 * random stream. ret_patches: how many patches have factors; -1: any number. */
TsimFactorSource *tsim_factors_json_decode(const TsimJsonNode *node, TsimDomain domain,
                                           uint64_t seed, uint32_t draw, int64_t *ret_patches);
