#include "model/feedback.h"

static void add_counts(TsimFeedbackResult *result, const TsimFeedbackCounts *counts)
{
    result->operations += counts->operations;
    result->texel_writes += counts->texel_writes;
    result->merged_writes += counts->merged_writes;
    result->changed_writes += counts->changed_writes;
    result->atomic_requests += counts->atomic_requests;
    result->read_samples += counts->read_samples;
    result->write_samples += counts->write_samples;
    result->lookups += counts->lookups;
}

static void add_frame(TsimFeedbackResult *result, const TsimFeedbackStreamFrame *frame)
{
    result->frames[result->frames_n++] = (TsimFeedbackFrame){
        .pixels = frame->pixels,
        .operations = frame->operations,
        .blurred_pixels = frame->blurred_pixels,
        .leak_pixels = frame->leak_pixels,
        .mean_missing_lod = frame->mean_missing_lod,
        .wanted_bytes = frame->wanted_bytes,
        .needed_bytes = frame->needed_bytes,
        .resident_bytes = frame->resident_bytes,
        .loading_bytes = frame->loading_bytes,
        .over_request_ratio = frame->over_request_ratio,
        .loads_started = frame->loads_started,
        .loads_finished = frame->loads_finished,
        .evictions = frame->evictions,
        .sharp = frame->sharp,
    };
}

static void add_stream(TsimFeedbackResult *result, const TsimFeedbackTrace *trace)
{
    if (result->frames_n == 0) {
        result->became_sharp = trace->frames_until_sharp != UINT32_MAX;
        result->frames_until_sharp = result->became_sharp ? trace->frames_until_sharp : 0;
    }
    result->frames = g_renew(TsimFeedbackFrame, result->frames, result->frames_n + trace->frames_n);
    for (uint32_t i = 0; i < trace->frames_n; i++) {
        add_frame(result, &trace->frames[i].stream);
    }
}

static uint64_t busy_cycles(const TsimMachine *machine, const TsimFeedbackTrace *trace)
{
    uint64_t quads = 0;

    for (uint32_t i = 0; i < trace->waves_n; i++) {
        const TsimFeedbackTraceWave *wave = &trace->waves[i];
        quads += wave->read_quads + (machine->plain_sampling ? 0 : wave->write_quads) +
                 (trace->has_residency ? wave->quads : 0);
    }
    return tsim_ceil_div(quads * TSIM_FEEDBACK_QUAD_LANES, machine->gpu->sample_lanes_per_clk);
}

void tsim_feedback_result(const TsimMachine *machine, TsimFeedbackResult *result)
{
    uint64_t begin = UINT64_MAX, end = 0;

    result->tds = machine->texture_units_n;
    result->conflicts = machine->atomics.conflicts;
    result->conflict_cycles = machine->atomics.conflict_cycles;
    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        const TsimWorkState *state = &machine->work[i];
        if (state->trace == NULL) {
            continue;
        }
        result->sampled = TRUE;
        result->td_busy_cycles += busy_cycles(machine, state->trace);
        for (uint32_t frame = 0; frame < state->trace->frames_n; frame++) {
            add_counts(result, &state->trace->frames[frame].counts);
        }
        if (state->trace->has_residency) {
            add_stream(result, state->trace);
        }
        begin = MIN(begin, state->begin_cycle);
        end = MAX(end, state->end_cycle);
    }
    result->active_cycles = result->sampled ? end - begin : 0;
}

TsimFeedbackTrace *tsim_feedback_first_trace(const TsimMachine *machine)
{
    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        if (machine->work[i].trace != NULL) {
            return machine->work[i].trace;
        }
    }
    return NULL;
}
