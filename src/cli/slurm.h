/* A sweep on a cluster that Slurm runs: one array task a shard, threads inside. */
#pragma once

#include "cli/command.h"

/* Submits the shards of a folder's sweep that have runs missing; the number of the job is kept in
 * FOLDER/slurm-job, and while that job is in the queue nothing is submitted. With --dry-run only
 * prints the script. */
TsimExit tsim_slurm_submit(const TsimSweep *sweep, const char *folder, const TsimOptions *options);
