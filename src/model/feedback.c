#include "model/feedback.h"

#include "model/compute.h"
#include "model/pixel.h"
#include "model/texture-unit.h"

/* Streams: the texture, the residency map, the feedback map. */
#define STREAMS 3

void tsim_feedback_init(TsimMachine *machine, uint32_t work, TsimFeedbackTrace *trace,
                        uint32_t *streams)
{
    TsimWorkState *state = &machine->work[work];

    state->trace = tsim_feedback_trace_ref(trace);
    state->first_stream = *streams;
    *streams += STREAMS;
    state->group_waves = 1;
    state->group_threads = machine->wave_size;
    state->wave_lanes = machine->wave_size;
    state->map_line_free = TSIM_ARENA_NEW(machine->arena, uint64_t, trace->map_lines);
}

/* ---- Frames ---- */

static void deal_pixel_waves(TsimMachine *machine, uint32_t work, uint32_t waves)
{
    machine->work[work].all_issued = TRUE;
    for (uint32_t se = 0; se < machine->ses; se++) {
        const uint32_t share = waves / machine->ses + (se < waves % machine->ses ? 1 : 0);
        if (share > 0) {
            tsim_pixel_push(machine, se, work, share);
        }
    }
}

gboolean tsim_feedback_next_frame(TsimMachine *machine, uint32_t work)
{
    TsimWorkState *state = &machine->work[work];
    const TsimFeedbackTrace *trace = state->trace;

    while (trace != NULL && state->frame < trace->frames_n) {
        const TsimFeedbackTraceFrame *frame = &trace->frames[state->frame++];
        const uint32_t waves = frame[1].first_wave - frame[0].first_wave;
        if (waves == 0) {
            continue; /* nothing in view */
        }
        if (machine->scenario->work[work].feedback.stage == TSIM_STAGE_PS) {
            deal_pixel_waves(machine, work, waves);
        } else {
            tsim_compute_deal(machine, work, waves);
        }
        return TRUE;
    }
    return FALSE;
}

void tsim_feedback_begin(TsimMachine *machine, uint32_t work)
{
    const gboolean begun = tsim_feedback_next_frame(machine, work);

    TSIM_ASSERT(begun);
}

void tsim_feedback_name_wave(TsimMachine *machine, TsimWave *wave)
{
    TsimWorkState *state = &machine->work[wave->work];

    if (state->trace != NULL) {
        wave->traced = state->next_traced++;
        wave->threads = state->trace->waves[wave->traced].lanes;
    }
}

/* ---- Steps ---- */

static const TsimFeedbackTraceWave *traced_wave(const TsimMachine *machine, const TsimWave *wave)
{
    return &machine->work[wave->work].trace->waves[wave->traced];
}

/* A filtered read of lines of one of the work's streams. */
static uint64_t sample_lines(TsimMachine *machine, const TsimWave *wave, uint32_t stream,
                             uint32_t quads, const uint32_t *lines, uint32_t n)
{
    const uint64_t base = tsim_memory_stream_base(machine->work[wave->work].first_stream + stream);
    TsimMemoryRequest request = tsim_memory_request(wave->cu, FALSE);

    for (uint32_t i = 0; i < n; i++) {
        tsim_memory_line(&machine->memory, &request, base + lines[i]);
    }
    const TsimTextureInstruction instruction = {
        .class = TSIM_TEXTURE_SAMPLE,
        .samples = quads * TSIM_FEEDBACK_QUAD_LANES,
        .latency = machine->gpu->sample_latency,
        .fetched_at = tsim_memory_issue(&machine->memory, &request, tsim_now(machine)),
    };
    return tsim_texture_unit_issue(machine, wave->simd, &instruction);
}

uint64_t tsim_feedback_look_up(TsimMachine *machine, const TsimWave *wave)
{
    const TsimFeedbackTraceWave *traced = traced_wave(machine, wave);
    const uint32_t *lines = machine->work[wave->work].trace->lookups + traced[0].first_lookup;

    return sample_lines(machine, wave, 1, traced->quads, lines,
                        traced[1].first_lookup - traced[0].first_lookup);
}

uint64_t tsim_feedback_read(TsimMachine *machine, const TsimWave *wave)
{
    const TsimFeedbackTraceWave *traced = traced_wave(machine, wave);
    const uint32_t *lines = machine->work[wave->work].trace->lines + traced[0].first_line;

    return sample_lines(machine, wave, 0, traced->read_quads, lines,
                        traced[1].first_line - traced[0].first_line);
}

/* A shader branches around the operation when none of its pixels writes. */
uint64_t tsim_feedback_address(TsimMachine *machine, const TsimWave *wave)
{
    const uint32_t quads = machine->plain_sampling ? 0 : traced_wave(machine, wave)->write_quads;
    const TsimTextureInstruction instruction = {
        .class = TSIM_TEXTURE_FEEDBACK,
        .samples = quads * TSIM_FEEDBACK_QUAD_LANES,
    };

    return quads > 0 ? tsim_texture_unit_issue(machine, wave->simd, &instruction)
                     : tsim_now(machine);
}

uint64_t tsim_feedback_write(TsimMachine *machine, TsimWave *wave)
{
    const TsimFeedbackTraceWave *traced = traced_wave(machine, wave);
    const uint32_t n =
        machine->plain_sampling ? 0 : traced[1].first_request - traced[0].first_request;
    const TsimWorkState *state = &machine->work[wave->work];

    if (n == 0) {
        return tsim_now(machine); /* there may be no list of requests at all */
    }
    const uint32_t *lines = state->trace->requests + traced[0].first_request;
    const uint64_t base = tsim_memory_stream_base(state->first_stream + 2);
    TsimMemoryRequest request = tsim_memory_request(wave->cu, TRUE);
    for (uint32_t i = 0; i < n; i++) {
        tsim_memory_line(&machine->memory, &request, base + lines[i]);
    }
    const uint64_t arrived = tsim_memory_post(&machine->memory, &request, tsim_now(machine));
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t done = tsim_atomics_issue(&machine->atomics, lines[i],
                                                 &state->map_line_free[lines[i]], arrived);
        wave->stores_done_at = MAX(wave->stores_done_at, done);
    }
    return tsim_now(machine);
}
