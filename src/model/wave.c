#include "model/wave.h"

#include "model/compute.h"
#include "model/cu.h"
#include "model/feedback.h"
#include "model/geometry.h"
#include "model/group.h"
#include "model/offchip.h"
#include "model/pixel.h"
#include "model/ray.h"
#include "model/texture-unit.h"
#include "model/trace.h"

/* Bytes of one LDS instruction that reads or writes a 16-byte slot a lane. */
#define SLOT_BYTES 16

static const TsimProgram *program_of(const TsimMachine *machine, const TsimWave *wave)
{
    return &machine->work[wave->work].programs[wave->stage];
}

static uint32_t unit_of(const TsimMachine *machine, const TsimWave *wave)
{
    return machine->simd_units[wave->simd];
}

/* ---- What a step costs: each returns the cycle at which it is complete ---- */

static uint64_t lds_access(TsimMachine *machine, const TsimWave *wave, uint32_t instructions,
                           uint32_t bytes_per_lane)
{
    const uint64_t bytes = (uint64_t)instructions * wave->threads * bytes_per_lane;

    return tsim_server_book(&machine->cus[wave->cu].lds_server, tsim_now(machine), bytes) +
           machine->gpu->lds_latency;
}

static void add_lines(TsimMachine *machine, const TsimWave *wave, const TsimStep *step,
                      TsimMemoryRequest *request)
{
    const uint64_t bytes = (uint64_t)wave->threads * step->bytes_per_lane;
    const uint64_t lines = step->uniform ? 1 : tsim_ceil_div(bytes, TSIM_LINE_BYTES);

    tsim_memory_stream(&machine->memory, request, step->stream, step->footprint_lines,
                       lines * step->amount);
}

static uint64_t memory_access(TsimMachine *machine, const TsimWave *wave, const TsimStep *step)
{
    TsimMemoryRequest request = tsim_memory_request(wave->cu, step->store != 0);

    add_lines(machine, wave, step, &request);
    return step->store ? tsim_memory_post(&machine->memory, &request, tsim_now(machine))
                       : tsim_memory_issue(&machine->memory, &request, tsim_now(machine));
}

static uint64_t sample(TsimMachine *machine, const TsimWave *wave, const TsimStep *step)
{
    TsimMemoryRequest request = tsim_memory_request(wave->cu, FALSE);

    add_lines(machine, wave, step, &request);
    const TsimTextureInstruction instruction = {
        .class = TSIM_TEXTURE_SAMPLE,
        .samples = wave->threads * step->amount,
        .latency = machine->gpu->sample_latency,
        .fetched_at = tsim_memory_issue(&machine->memory, &request, tsim_now(machine)),
    };
    return tsim_texture_unit_issue(machine, wave->simd, &instruction);
}

static uint64_t export(TsimMachine *machine, const TsimWave *wave, const TsimStep *step)
{
    TsimServer *server = &machine->setups[machine->cus[wave->cu].se].export_server;

    return tsim_server_book(server, tsim_now(machine), (uint64_t)wave->threads * step->amount) +
           machine->gpu->export_latency;
}

static uint64_t patch_read(TsimMachine *machine, const TsimWave *wave, const TsimStep *step)
{
    if (machine->ds_records[wave->owner].onchip) {
        return lds_access(machine, wave, step->amount, SLOT_BYTES);
    }
    return tsim_offchip_read(machine, wave, step->amount);
}

static uint64_t patch_write(TsimMachine *machine, TsimWave *wave, const TsimStep *step)
{
    const TsimGroup *group = &machine->groups[wave->owner];

    if (group->offchip) {
        const uint64_t done = tsim_offchip_write(machine, wave, step->amount);
        wave->stores_done_at = MAX(wave->stores_done_at, done);
    }
    return lds_access(machine, wave, step->amount, SLOT_BYTES);
}

/* ---- Barriers: waves of a threadgroup wait as a list until the last one comes ---- */

static uint32_t *barrier_list(TsimMachine *machine, const TsimWave *wave, uint16_t **ret_waiting,
                              uint32_t *ret_waves)
{
    if (wave->stage == TSIM_STAGE_CS) {
        TsimComputeGroup *group = &machine->compute_groups[wave->owner];
        *ret_waiting = &group->at_barrier;
        *ret_waves = group->waves_n;
        return &group->barrier_waves;
    }
    TsimGroup *group = &machine->groups[wave->owner];
    *ret_waiting = &group->at_barrier;
    *ret_waves = wave->stage == TSIM_STAGE_VS ? group->vs_waves : group->hs_waves;
    return &group->barrier_waves;
}

static gboolean has_barriers(TsimStage stage)
{
    return stage == TSIM_STAGE_CS || stage == TSIM_STAGE_VS || stage == TSIM_STAGE_HS;
}

static void proceed(TsimMachine *machine, uint32_t wave_index);

/* TRUE when the wave need not wait: it was the last, and the others go on as well. */
static gboolean pass_barrier(TsimMachine *machine, uint32_t wave_index)
{
    TsimWave *wave = &machine->waves[wave_index];
    uint16_t *waiting;
    uint32_t waves;

    if (!has_barriers((TsimStage)wave->stage)) {
        return TRUE; /* waves of the other stages are threadgroups of their own */
    }
    uint32_t *list = barrier_list(machine, wave, &waiting, &waves);
    if (*waiting + 1U < waves) {
        wave->next = *list;
        *list = wave_index;
        (*waiting)++;
        return FALSE;
    }
    uint32_t released = *list;
    *list = TSIM_NONE;
    *waiting = 0;
    while (released != TSIM_NONE) {
        const uint32_t next = machine->waves[released].next;
        tsim_wave_step_done(machine, released);
        released = next;
    }
    return TRUE;
}

/* ---- Steps ---- */

/* All steps are complete. The wave lives at least a cycle (E2), and waits for its stores (E8). */
static void finish(TsimMachine *machine, uint32_t wave_index)
{
    const TsimWave *wave = &machine->waves[wave_index];
    const uint64_t started_at = wave->launched_at + machine->gpu->wave_launch_latency;
    const uint64_t end = MAX(wave->stores_done_at, started_at + 1);

    if (end > tsim_now(machine)) {
        tsim_post(machine, end, TSIM_EVENT_WAVE_END, unit_of(machine, wave), wave_index);
    } else {
        tsim_wave_end(machine, wave_index);
    }
}

/* Of a ray's stack: every access has its own size. */
static uint64_t stack_access(TsimMachine *machine, uint32_t wave_index)
{
    TsimServer *server = &machine->cus[machine->waves[wave_index].cu].lds_server;

    return tsim_server_book(server, tsim_now(machine),
                            tsim_ray_round_stack_bytes(machine, wave_index)) +
           machine->gpu->lds_latency;
}

static uint64_t step_done_at(TsimMachine *machine, uint32_t wave_index, const TsimStep *step)
{
    TsimWave *wave = &machine->waves[wave_index];

    switch ((TsimStepKind)step->kind) {
    case TSIM_STEP_DELAY:
        return tsim_now(machine) + step->amount;
    case TSIM_STEP_LDS:
        return lds_access(machine, wave, step->amount, step->bytes_per_lane);
    case TSIM_STEP_MEM:
        return memory_access(machine, wave, step);
    case TSIM_STEP_SAMPLE:
        return sample(machine, wave, step);
    case TSIM_STEP_EXPORT:
        return export(machine, wave, step);
    case TSIM_STEP_PATCH_READ:
        return patch_read(machine, wave, step);
    case TSIM_STEP_PATCH_WRITE:
        return patch_write(machine, wave, step);
    case TSIM_STEP_RAY_NODES:
        return tsim_ray_round(machine, wave_index);
    case TSIM_STEP_RAY_STACK:
        return stack_access(machine, wave_index);
    case TSIM_STEP_FEEDBACK_LOOK_UP:
        return tsim_feedback_look_up(machine, wave);
    case TSIM_STEP_FEEDBACK_ADDRESS:
        return tsim_feedback_address(machine, wave);
    case TSIM_STEP_FEEDBACK_WRITE:
        return tsim_feedback_write(machine, wave);
    case TSIM_STEP_FEEDBACK_READ:
        return tsim_feedback_read(machine, wave);
    case TSIM_STEP_ALU:
    case TSIM_STEP_BARRIER:
    case TSIM_STEP_RAY_ALU:
    case TSIM_STEP_RAY_LOOP:
        break;
    }
    TSIM_ASSERT(FALSE);
    return 0;
}

static void enter_alu(TsimMachine *machine, uint32_t wave_index, uint32_t demand_cycles)
{
    const uint32_t simd_index = machine->waves[wave_index].simd;
    TsimSimd *simd = &machine->simds[simd_index];
    uint64_t wakeup;

    tsim_simd_enter(simd, &machine->simd_spec, tsim_now(machine), wave_index, demand_cycles);
    if (tsim_simd_needs_wakeup(simd, &machine->simd_spec, &wakeup)) {
        tsim_post(machine, wakeup, TSIM_EVENT_ALU_DONE, machine->simd_units[simd_index],
                  simd_index);
    }
}

/* The wave goes on, or ends, at that cycle. */
static void await_step(TsimMachine *machine, uint32_t wave_index, uint64_t done)
{
    const TsimWave *wave = &machine->waves[wave_index];
    const gboolean last = wave->step + 1U == program_of(machine, wave)->steps_n;

    machine->events += last ? 1 : 0; /* its completion, which ends the wave */
    tsim_post(machine, last ? MAX(done, wave->stores_done_at) : done,
              last ? TSIM_EVENT_WAVE_END : TSIM_EVENT_STEP_DONE, unit_of(machine, wave),
              wave_index);
}

/* Steps of a traversal may have nothing to do in the round in hand; its end leads back to its
 * beginning as long as some lane has nodes left. TRUE when the wave has moved on. */
static gboolean pass_ray_step(TsimMachine *machine, uint32_t wave_index, const TsimStep *step)
{
    TsimWave *wave = &machine->waves[wave_index];

    if (step->kind == TSIM_STEP_RAY_LOOP && tsim_ray_has_more(machine, wave_index)) {
        wave->step = step->amount;
        return TRUE;
    }
    if (step->kind == TSIM_STEP_RAY_LOOP ||
        (step->kind == TSIM_STEP_RAY_ALU && tsim_ray_round_valu(machine, wave_index) == 0) ||
        (step->kind == TSIM_STEP_RAY_STACK &&
         tsim_ray_round_stack_bytes(machine, wave_index) == 0)) {
        wave->step++;
        return TRUE;
    }
    return FALSE;
}

static gboolean is_alu(const TsimStep *step)
{
    return step->kind == TSIM_STEP_ALU || step->kind == TSIM_STEP_RAY_ALU;
}

static uint32_t alu_cycles(const TsimMachine *machine, uint32_t wave_index, const TsimStep *step)
{
    return step->kind == TSIM_STEP_ALU ? step->amount : tsim_ray_round_valu(machine, wave_index);
}

/* Begins the step that the wave has come to, or ends the wave. */
static void proceed(TsimMachine *machine, uint32_t wave_index)
{
    TsimWave *wave = &machine->waves[wave_index];
    const TsimProgram *program = program_of(machine, wave);

    while (wave->step < program->steps_n) {
        const TsimStep *step = &program->steps[wave->step];
        machine->events++;
        if (pass_ray_step(machine, wave_index, step)) {
            continue;
        }
        if (is_alu(step)) {
            enter_alu(machine, wave_index, alu_cycles(machine, wave_index, step));
            return;
        }
        if (step->kind != TSIM_STEP_BARRIER) {
            const uint64_t done = step_done_at(machine, wave_index, step);
            if (done > tsim_now(machine)) {
                await_step(machine, wave_index, done);
                return;
            }
        } else if (!pass_barrier(machine, wave_index)) {
            return;
        }
        machine->events++;
        wave->step++;
    }
    finish(machine, wave_index);
}

void tsim_wave_step_done(TsimMachine *machine, uint32_t wave_index)
{
    machine->events++;
    TSIM_TRACE(machine, step_done, wave_index);
    machine->waves[wave_index].step++;
    proceed(machine, wave_index);
}

void tsim_wave_alu_done(TsimMachine *machine, uint32_t simd_index)
{
    TsimSimd *simd = &machine->simds[simd_index];
    uint32_t wave_index;
    uint64_t wakeup;

    tsim_simd_woken(simd);
    while (tsim_simd_leave(simd, &machine->simd_spec, tsim_now(machine), &wave_index)) {
        tsim_wave_step_done(machine, wave_index);
    }
    if (tsim_simd_needs_wakeup(simd, &machine->simd_spec, &wakeup)) {
        tsim_post(machine, wakeup, TSIM_EVENT_ALU_DONE, machine->simd_units[simd_index],
                  simd_index);
    }
}

void tsim_wave_launch(TsimMachine *machine, uint32_t wave_index)
{
    TsimWave *wave = &machine->waves[wave_index];
    const uint64_t now = tsim_now(machine);
    const uint32_t latency = machine->gpu->wave_launch_latency;

    wave->launched_at = now;
    machine->events++;
    machine->work[wave->work].totals.waves[wave->stage]++;
    tsim_cu_count_wave(machine, wave->cu, (TsimStage)wave->stage, 1);
    TSIM_TRACE(machine, wave_launched, wave_index);
    if (latency > 0) {
        tsim_post(machine, now + latency, TSIM_EVENT_WAVE_START, unit_of(machine, wave),
                  wave_index);
    } else {
        tsim_wave_start(machine, wave_index);
    }
}

void tsim_wave_start(TsimMachine *machine, uint32_t wave_index)
{
    proceed(machine, wave_index);
}

void tsim_wave_end(TsimMachine *machine, uint32_t wave_index)
{
    const TsimWave wave = machine->waves[wave_index];

    machine->events++;
    tsim_cu_count_wave(machine, wave.cu, (TsimStage)wave.stage, -1);
    TSIM_TRACE(machine, wave_ended, wave_index);
    tsim_cu_release_wave(machine, wave_index);
    switch ((TsimStage)wave.stage) {
    case TSIM_STAGE_VS:
        tsim_group_vs_wave_ended(machine, wave.owner);
        break;
    case TSIM_STAGE_HS:
        tsim_group_hs_wave_ended(machine, wave.owner);
        break;
    case TSIM_STAGE_DS:
        tsim_group_ds_wave_ended(machine, wave.owner);
        break;
    case TSIM_STAGE_GS:
        tsim_geometry_wave_ended(machine, wave.owner);
        break;
    case TSIM_STAGE_PS:
        tsim_pixel_wave_ended(machine, &wave);
        break;
    case TSIM_STAGE_CS:
        tsim_compute_wave_ended(machine, wave.owner);
        break;
    case TSIM_STAGES:
        break;
    }
}
