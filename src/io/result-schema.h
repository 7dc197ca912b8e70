/* JSON Schema (draft-07) of what `--format json` prints; further keys are allowed. */
#pragma once

#include <json-c/json.h>

json_object *tsim_result_schema(void); /* the caller owns it */
