#include "search/trial.h"

#include "base/hash.h"

/* What JSON carries exactly. */
#define SEED_BITS 53

uint64_t tsim_trial_seed(uint64_t seed, uint64_t replication)
{
    return replication == 0
               ? seed
               : tsim_hash3(seed, tsim_hash_string("replication"), replication) >> (64 - SEED_BITS);
}

/* What sampler feedback costs is found by a second run without it. */
static gboolean add_plain_run(const TsimMachine *machine, TsimResult *result, GError **error)
{
    if (result->feedback.operations == 0) {
        return TRUE;
    }
    g_autoptr(TsimMachine) plain = tsim_machine_plain_new(machine);
    if (!tsim_machine_run(plain, error)) {
        return FALSE;
    }
    result->feedback.plain_cycles = plain->last_cycle;
    return TRUE;
}

TsimResult *tsim_trial_finish(TsimMachine *machine, GPtrArray *warnings, GError **error)
{
    if (!tsim_machine_run(machine, error)) {
        return NULL;
    }
    g_autoptr(TsimResult) result = tsim_machine_result(machine);
    if (!add_plain_run(machine, result, error)) {
        return NULL;
    }
    for (guint i = 0; i < warnings->len; i++) {
        g_ptr_array_add(result->warnings, g_strdup(warnings->pdata[i]));
    }
    return g_steal_pointer(&result);
}

TsimResult *tsim_trial_run(const TsimScenario *scenario, GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, warnings, error);

    return machine != NULL ? tsim_trial_finish(machine, warnings, error) : NULL;
}

TsimResult *tsim_trial_run_text(const TsimScenarioText *text, const char *const *sets,
                                uint64_t limit_cycles, GError **error)
{
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(text, sets, NULL, error);

    if (scenario == NULL) {
        return NULL;
    }
    if (limit_cycles == 0) {
        return tsim_trial_run(scenario, error);
    }
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, NULL, error);
    if (machine == NULL || !tsim_machine_run_until(machine, limit_cycles) ||
        !tsim_machine_run(machine, error)) {
        return NULL;
    }
    return tsim_machine_result(machine);
}
