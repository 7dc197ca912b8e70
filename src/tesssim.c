/* The facade: loads through io/, runs a machine, hands the result to the writers. */
#include "tesssim.h"

#include "io/scenario-json.h"
#include "model/run.h"

struct TsimScenarioFile {
    TsimScenario *scenario;
};

struct TsimRun {
    TsimResult *result;
};

TsimRun *tsim_run(const TsimScenarioFile *file, GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(file->scenario, warnings, error);

    if (machine == NULL || !tsim_machine_run(machine, error)) {
        return NULL;
    }
    TsimRun *run = g_new0(TsimRun, 1);
    run->result = tsim_machine_result(machine);
    g_ptr_array_extend_and_steal(run->result->warnings, g_steal_pointer(&warnings));
    return run;
}

void tsim_run_free(TsimRun *run)
{
    if (run == NULL) {
        return;
    }
    tsim_result_free(run->result);
    g_free(run);
}
