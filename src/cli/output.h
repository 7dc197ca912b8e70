/* Where words go: the result to standard output, everything else to standard error. */
#pragma once

#include "cli/command.h"

/* Writes the result of the command, whole. A pipe that was closed or a disk that is full is a
 * failure like any other. */
TsimExit tsim_output_result(const char *text);

/* Says what went wrong and returns the exit code for it. */
TsimExit tsim_output_error(const GError *error);

/* One line a warning (char *). */
void tsim_output_warnings(const GPtrArray *warnings);

GPtrArray *tsim_output_new_warnings(void); /* for a load to fill */
