/* Loads a scenario and runs it: what the commands that simulate share. */
#pragma once

#include "cli/command.h"

/* sets: "KEY=VALUE"s in order. Prints warnings. NULL, with the complaint printed and ret_exit set,
 * when anything goes wrong. */
TsimRun *tsim_simulate(const char *path, const TsimOptions *options, char *const *sets,
                       TsimExit *ret_exit);
