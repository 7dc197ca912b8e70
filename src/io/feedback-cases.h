/* Runs a file of sampler feedback cases (format "sampler-feedback-cases/1") against the functional
 * units: one list a kind of case, `feedback` cases split by footprint.
 *
 * Returns a report that the caller owns, or NULL and TSIM_ERROR_IO or TSIM_ERROR_INPUT: the file
 * cannot be read, is not JSON, or a case lacks a key or holds a wrong type (the case is named).
 */
#pragma once

#include "io/case-report.h"

#include <glib.h>

TsimCaseReport *tsim_feedback_cases_run(const char *path, GError **error);
