/* A result as a JSON object: the keys of io/result-fields.h. The caller owns what is returned. */
#pragma once

#include "stats/result.h"

#include <json-c/json.h>

json_object *tsim_result_json(const TsimResult *result);

/* Pretty text with a line end; takes the object. */
char *tsim_json_print(json_object *object);
