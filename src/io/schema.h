/* JSON Schemas (draft-07) of the files that users write, for editors and checkers.
 *
 * They come from the same tables as the readers. What a schema cannot say (rules between fields,
 * files that must exist) the readers check on top. The caller owns what is returned.
 */
#pragma once

#include <json-c/json.h>

json_object *tsim_scenario_schema(void);
json_object *tsim_gpu_schema(void);
