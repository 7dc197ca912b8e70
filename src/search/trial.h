/* One run of one scenario, from plain data to plain result. Thread safe: nothing is shared. */
#pragma once

#include "io/scenario-text.h"
#include "model/run.h"
#include "stats/result.h"

/* The seed of a replication of a scenario with this seed, which replication 0 has itself. The same
 * for everything that is compared: common random numbers. JSON carries it exactly. */
uint64_t tsim_trial_seed(uint64_t seed, uint64_t replication);

/* Runs a machine to its end and sums it up. warnings of tsim_machine_new are copied into the
 * result. */
TsimResult *tsim_trial_finish(TsimMachine *machine, GPtrArray *warnings, GError **error);

/* Warnings of the run are in the result. NULL and error when it fails. */
TsimResult *tsim_trial_run(const TsimScenario *scenario, GError **error);

/* Loads the text with these sets and runs it, but gives up once the clock has reached limit_cycles
 * (0: never): the result is then NULL without an error. */
TsimResult *tsim_trial_run_text(const TsimScenarioText *text, const char *const *sets,
                                uint64_t limit_cycles, GError **error);
