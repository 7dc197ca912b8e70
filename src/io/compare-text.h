/* A comparison for people at a terminal: the verdict, the reasons, and the numbers side by side. */
#pragma once

#include "io/compare.h"
#include "io/page.h"

void tsim_compare_text(TsimPage *page, const TsimComparison *comparison);
