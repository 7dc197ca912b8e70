/* The report of a run, for people at a terminal: what ran, how fast, and what held it back. */
#pragma once

#include "io/page.h"
#include "stats/result.h"

void tsim_report_text(TsimPage *page, const TsimResult *result);
