/* The files that a run leaves behind: timelines, reports, plots. */
#pragma once

#include "cli/command.h"

/* Before the run: can they be written after it? Complains and returns the exit code otherwise. */
TsimExit tsim_files_check(const TsimOptions *options);

/* The same for one run's timelines and plots after it. */
TsimExit tsim_files_write(const TsimOptions *options, const TsimRun *run);
