/* Stage objects of a scenario: registers and a program.
 *
 *     { "vgprs": 20, "sgprs": 32, "program": [ {"sample": 1}, {"valu": 65}, {"export": 2} ] }
 *     { "vgprs": 20, "sgprs": 32, "program": {"valu": 65, "sample": 1, "export": 2} }
 *     { "vgprs": 20, "sgprs": 32, "valu": 65, "sample": 1, "export": 2 }
 *
 * A list runs as written; counts, in either form, run in the order of TSIM_OPS (workload/shader.h).
 */
#pragma once

#include "hw/stage.h"
#include "io/decode.h"
#include "workload/shader.h"

/* Decodes into an empty shader. The stage's further fields go to extra (NULL fields: none);
 * compiled_offchip is left to the caller. */
gboolean tsim_shader_json_decode(const TsimJsonNode *node, TsimStage stage, TsimShader *shader,
                                 TsimDecodePart extra);
