/* A comparison as one JSON object: both results, the verdict, and the ratio B / A of every number
 * that is not zero in A. */
#pragma once

#include "io/compare.h"

#include <json-c/json.h>

json_object *tsim_compare_json(const TsimComparison *comparison); /* the caller owns it */
