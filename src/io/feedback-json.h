/* Work items of type "sample_feedback":
 *
 *     { "type": "sample_feedback", "frames": 8,
 *       "scene": { "width": 640, "height": 360, "side": 1000 }, "texture": { "format": "bc7" },
 *       "sampler": { "anisotropic": true }, "feedback": { "write_fraction": 0.1 },
 *       "residency": { "latency_frames": 2 }, "ps": { "valu": 40, "export": 1 } }
 *
 * All objects but that of the shader may be left out; it is "ps" or "cs", which says what kind of
 * waves sample. Everything is checked against the rules of the hardware (S6, S7, S9) and reported
 * where it was written.
 */
#pragma once

#include "io/decode.h"
#include "workload/feedback-work.h"

/* Decodes into an empty work item; number is its place in the list. */
void tsim_feedback_json_decode(const TsimJsonNode *node, uint32_t number, TsimFeedbackWork *work);
