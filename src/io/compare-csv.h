/* A comparison as CSV: metric,a,b,ratio; a row a value of the results, ratio being b / a where both
 * are numbers and a is not zero. With several seeds, three more rows: the mean of the elapsed
 * cycles and the two ends of its interval, ratio being the paired one. */
#pragma once

#include "io/compare.h"

char *tsim_compare_csv(const TsimComparison *comparison); /* the caller frees it */
