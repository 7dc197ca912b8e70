/* The facade: loads through io/, runs a machine, hands the result to the writers. */
#include "tesssim.h"

#include "io/gpu-json.h"
#include "io/limits-report.h"
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

/* ---- Static answers ---- */

/* Takes the report. */
static char *write_limits(TsimLimitsReport *report, TsimFormat format, GPtrArray *warnings)
{
    char *text = NULL;

    switch (format) {
    case TSIM_FORMAT_TEXT:
        text = tsim_limits_report_text(report);
        break;
    case TSIM_FORMAT_JSON:
        text = tsim_limits_report_json(report);
        break;
    case TSIM_FORMAT_CSV:
        text = tsim_limits_report_csv(report);
        break;
    }
    if (warnings != NULL) {
        g_ptr_array_extend_and_steal(warnings, g_steal_pointer(&report->warnings));
    }
    tsim_limits_report_free(report);
    return text;
}

char *tsim_limits(const TsimScenarioFile *file, TsimFormat format, GPtrArray *warnings,
                  GError **error)
{
    TsimLimitsReport *report = tsim_limits_report_new(file->scenario, error);

    return report != NULL ? write_limits(report, format, warnings) : NULL;
}

char *tsim_limits_of_stage(const TsimLimitsOptions *options, const TsimLoadOptions *load,
                           TsimFormat format, GPtrArray *warnings, GError **error)
{
    const TsimLimitsQuery query = {.stage = options->stage,
                                   .vgprs = options->vgprs,
                                   .sgprs = options->sgprs,
                                   .lds_bytes = options->lds_bytes,
                                   .threads = options->threads,
                                   .wave_size = options->wave_size,
                                   .wgp = options->wgp,
                                   .sweep = options->sweep};
    g_autoptr(TsimGpu) gpu =
        tsim_gpu_json_load(options->gpu, load != NULL ? load->search_paths : NULL, error);
    TsimLimitsReport *report = NULL;

    if (gpu != NULL) {
        report = tsim_limits_report_new_query(gpu, &query, error);
    }
    return report != NULL ? write_limits(report, format, warnings) : NULL;
}
