#include "model/trace.h"

#include "model/run.h"

#define WORD_BITS 64

TsimTimelineMachine tsim_trace_machine(const TsimMachine *machine, uint32_t *first_cu)
{
    for (uint32_t se = 0; se < machine->ses; se++) {
        first_cu[se] = machine->launchers[se].first_cu;
    }
    return (TsimTimelineMachine){
        .ses = machine->ses,
        .cus = machine->cus_n,
        .simds_per_cu = machine->simds_per_cu,
        .waves_per_simd = machine->gpu->waves_per_simd,
        .lds_bytes_per_cu = tsim_gpu_lds_bytes_per_unit(machine->gpu),
        .lds_granule = machine->lds_granule,
        .first_cu = first_cu,
    };
}

void tsim_trace_init(TsimMachine *machine, TsimTimeline *timeline)
{
    TsimArena *arena = machine->arena;
    TsimTrace *trace = TSIM_ARENA_NEW(arena, TsimTrace, 1);
    const size_t granules = (size_t)machine->cus_n * machine->cus[0].lds.granules;
    const size_t queues = (size_t)machine->ses * TSIM_STAGES;

    trace->timeline = timeline;
    trace->stalls = TSIM_ARENA_NEW(arena, int, queues);
    for (size_t i = 0; i < queues; i++) {
        trace->stalls[i] = TSIM_NOT_STALLED;
    }
    trace->slots = TSIM_ARENA_NEW(arena, uint32_t, (size_t)machine->cus_n * machine->simds_per_cu);
    trace->wave_slots = TSIM_ARENA_NEW(arena, uint8_t, machine->wave_pool.n);
    trace->wave_numbers = TSIM_ARENA_NEW(arena, uint32_t, machine->wave_pool.n);
    trace->in_td = TSIM_ARENA_NEW(arena, uint8_t, machine->wave_pool.n);
    trace->blocks = TSIM_ARENA_NEW(arena, TsimLdsSpan, granules);
    trace->block_groups = TSIM_ARENA_NEW(arena, uint32_t, granules);
    trace->groups = TSIM_ARENA_NEW(arena, TsimGroupSpan, machine->group_pool.n);
    trace->lane_words = (machine->group_pool.n + WORD_BITS - 1) / WORD_BITS;
    trace->lanes = TSIM_ARENA_NEW(arena, uint64_t, (size_t)machine->cus_n * trace->lane_words);
    machine->trace = trace;
}

/* ---- Levels ---- */

static void set(TsimMachine *machine, uint32_t metric, uint32_t unit, uint64_t value)
{
    TsimTimeline *timeline = machine->trace->timeline;

    tsim_timeline_set(timeline, tsim_timeline_track(timeline, metric, unit), tsim_now(machine),
                      (uint32_t)MIN(value, UINT32_MAX));
}

static void add(TsimMachine *machine, uint32_t metric, uint32_t unit, int32_t change)
{
    TsimTimeline *timeline = machine->trace->timeline;

    tsim_timeline_add(timeline, tsim_timeline_track(timeline, metric, unit), tsim_now(machine),
                      change);
}

static uint64_t queue_length(const TsimLauncher *launcher, int stage)
{
    uint64_t threadgroups = 0;

    if (stage == TSIM_STAGE_PS) {
        return launcher->ps_waves;
    }
    if (stage != TSIM_STAGE_CS) {
        return launcher->queues[stage].fifo.n;
    }
    for (uint32_t i = 0; i < launcher->dispatches_n; i++) {
        threadgroups += launcher->dispatches[i].threadgroups;
    }
    return threadgroups;
}

static void set_stall(TsimMachine *machine, uint32_t se, int stage)
{
    const uint32_t metric = TSIM_METRIC_STALL + (uint32_t)stage * TSIM_STALLS_COUNT;
    const int stall = machine->launchers[se].queues[stage].stall;
    int *seen = &machine->trace->stalls[se * TSIM_STAGES + (uint32_t)stage];
    const int before = *seen;

    if (before == stall) {
        return;
    }
    if (before != TSIM_NOT_STALLED) {
        set(machine, metric + (uint32_t)before, se, 0);
    }
    if (stall != TSIM_NOT_STALLED) {
        set(machine, metric + (uint32_t)stall, se, 1);
    }
    *seen = stall;
}

/* Whatever enters or leaves a queue wakes the launcher in the same cycle: after its round all
 * levels are those at the end of the cycle. */
void tsim_trace_see_queues(TsimMachine *machine, uint32_t se)
{
    const TsimLauncher *launcher = &machine->launchers[se];

    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        set(machine, TSIM_METRIC_QUEUE + (uint32_t)stage, se, queue_length(launcher, stage));
        set_stall(machine, se, stage);
    }
    set(machine, TSIM_METRIC_EXPORTS, se, launcher->exports_in_use);
    set(machine, TSIM_METRIC_TF_RING, se,
        machine->gpu->tf_ring_bytes_per_se - machine->ring_free_bytes[se]);
    set(machine, TSIM_METRIC_OFFCHIP_BUFFERS, 0, machine->offchip_in_use);
}

void tsim_trace_see_tess_blocked(TsimMachine *machine, uint32_t se, gboolean blocked)
{
    set(machine, TSIM_METRIC_TESS_BLOCKED, se, blocked ? 1 : 0);
}

/* ---- Waves ---- */

/* The group of a VS, HS or DS wave; TSIM_NONE. (Behind a GS wave it may be gone.) */
static uint32_t group_of(const TsimMachine *machine, const TsimWave *wave)
{
    switch ((TsimStage)wave->stage) {
    case TSIM_STAGE_VS:
    case TSIM_STAGE_HS:
        return wave->owner;
    case TSIM_STAGE_DS:
        return machine->ds_records[wave->owner].group;
    case TSIM_STAGE_GS:
    case TSIM_STAGE_PS:
    case TSIM_STAGE_CS:
    case TSIM_STAGES:
        break;
    }
    return TSIM_NONE;
}

void tsim_trace_see_wave_launched(TsimMachine *machine, uint32_t wave_index)
{
    TsimTrace *trace = machine->trace;
    const TsimWave *wave = &machine->waves[wave_index];
    const uint32_t group = group_of(machine, wave);
    const uint32_t slot = (uint32_t)__builtin_ctz(~trace->slots[wave->simd]);

    trace->slots[wave->simd] |= UINT32_C(1) << slot;
    trace->wave_slots[wave_index] = (uint8_t)slot;
    add(machine, TSIM_METRIC_WAVES + wave->stage, wave->cu, 1);
    if (wave->stage == TSIM_STAGE_HS) {
        TsimGroupSpan *span = &trace->groups[group];
        span->hs_begin = MIN(span->hs_begin, tsim_now(machine));
    }
    if (wave->stage == TSIM_STAGE_DS) {
        TsimGroupSpan *span = &trace->groups[group];
        span->ds_begin = MIN(span->ds_begin, tsim_now(machine));
        trace->wave_numbers[wave_index] = span->ds_waves++;
    }
}

/* When the last wave of a stage has ended, its time stays. */
static void mark_group(TsimGroupSpan *span, uint8_t stage, uint64_t now)
{
    if (stage == TSIM_STAGE_VS) {
        span->ls_end = now;
    } else if (stage == TSIM_STAGE_HS) {
        span->decision = now;
    } else {
        span->ds_end = now;
    }
}

void tsim_trace_see_wave_ended(TsimMachine *machine, uint32_t wave_index)
{
    TsimTrace *trace = machine->trace;
    const TsimWave *wave = &machine->waves[wave_index];
    const uint32_t group = group_of(machine, wave);
    TsimWaveSpan span = {
        .begin = wave->launched_at,
        .end = tsim_now(machine),
        .cu = wave->cu,
        .group = TSIM_NONE,
        .simd = (uint16_t)(wave->simd % machine->simds_per_cu),
        .slot = trace->wave_slots[wave_index],
        .threads = wave->threads,
        .stage = wave->stage,
    };

    if (group != TSIM_NONE) {
        mark_group(&trace->groups[group], wave->stage, span.end);
        span.group = trace->groups[group].serial;
        span.decides = wave->stage == TSIM_STAGE_HS && machine->groups[group].waves_left == 1;
        span.number = wave->stage == TSIM_STAGE_DS ? trace->wave_numbers[wave_index] : 0;
    }
    trace->slots[wave->simd] &= ~(UINT32_C(1) << span.slot);
    add(machine, TSIM_METRIC_WAVES + wave->stage, wave->cu, -1);
    tsim_timeline_wave(trace->timeline, &span);
}

/* A wave goes on in the cycle in which its results are back. */
void tsim_trace_see_ray_issued(TsimMachine *machine, uint32_t wave_index)
{
    machine->trace->in_td[wave_index] = 1;
    add(machine, TSIM_METRIC_TD_RAYS, machine->waves[wave_index].cu, 1);
}

void tsim_trace_see_step_done(TsimMachine *machine, uint32_t wave_index)
{
    if (machine->trace->in_td[wave_index] != 0) {
        machine->trace->in_td[wave_index] = 0;
        add(machine, TSIM_METRIC_TD_RAYS, machine->waves[wave_index].cu, -1);
    }
}

/* ---- LDS ---- */

static size_t block_index(const TsimMachine *machine, uint32_t cu, uint32_t first)
{
    return (size_t)cu * machine->cus[0].lds.granules + first;
}

void tsim_trace_see_lds_taken(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                              TsimLdsOwner owner)
{
    const size_t block = block_index(machine, cu, first);

    machine->trace->block_groups[block] = TSIM_NONE;
    machine->trace->blocks[block] = (TsimLdsSpan){
        .begin = tsim_now(machine),
        .cu = cu,
        .group = TSIM_NONE,
        .first = (uint16_t)first,
        .size = (uint16_t)granules,
        .owner = (uint16_t)owner,
    };
    add(machine, TSIM_METRIC_LDS + owner, cu, (int32_t)(granules * machine->lds_granule));
}

void tsim_trace_see_lds_freed(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                              TsimLdsOwner owner)
{
    TsimTrace *trace = machine->trace;
    const size_t block = block_index(machine, cu, first);
    const uint32_t group = trace->block_groups[block];

    if (group != TSIM_NONE) {
        trace->groups[group].lds_freed = tsim_now(machine);
    }
    trace->blocks[block].end = tsim_now(machine);
    tsim_timeline_block(trace->timeline, &trace->blocks[block]);
    add(machine, TSIM_METRIC_LDS + owner, cu, -(int32_t)(granules * machine->lds_granule));
}

/* ---- Groups ---- */

static uint32_t take_lane(TsimTrace *trace, uint32_t cu)
{
    uint64_t *words = &trace->lanes[(size_t)cu * trace->lane_words];
    uint32_t word = 0;

    while (words[word] == UINT64_MAX) {
        word++;
    }
    const uint32_t bit = (uint32_t)__builtin_ctzll(~words[word]);
    words[word] |= UINT64_C(1) << bit;
    return word * WORD_BITS + bit;
}

static void give_lane(TsimTrace *trace, uint32_t cu, uint32_t lane)
{
    trace->lanes[(size_t)cu * trace->lane_words + lane / WORD_BITS] &=
        ~(UINT64_C(1) << (lane % WORD_BITS));
}

void tsim_trace_see_group_admitted(TsimMachine *machine, uint32_t group_index)
{
    TsimTrace *trace = machine->trace;
    const TsimGroup *group = &machine->groups[group_index];
    const size_t block = block_index(machine, group->cu, group->lds_first);
    const uint32_t granules = machine->work[group->work].lds_granules;

    trace->groups[group_index] = (TsimGroupSpan){
        .begin = tsim_now(machine),
        .hs_begin = TSIM_NO_CYCLE,
        .ds_begin = TSIM_NO_CYCLE,
        .serial = trace->groups_n++,
        .cu = group->cu,
        .draw = group->work,
        .lane = take_lane(trace, group->cu),
        .patches = group->patches,
        .offchip = group->offchip ? 1 : 0,
        .lds_bytes = granules * machine->lds_granule,
    };
    trace->block_groups[block] = group_index;
    trace->blocks[block].group = trace->groups[group_index].serial;
}

void tsim_trace_see_group_ended(TsimMachine *machine, uint32_t group_index)
{
    TsimTrace *trace = machine->trace;
    TsimGroupSpan *span = &trace->groups[group_index];

    span->end = tsim_now(machine);
    give_lane(trace, span->cu, span->lane);
    tsim_timeline_group(trace->timeline, span);
}

/* ---- Work ----
 *
 * Units book ahead: what they have booked, less what lies after cycle `at`, was done before it.
 * `at` TSIM_NO_CYCLE: all of it. */

static uint64_t done_cycles(uint64_t booked_ticks, uint64_t free_ticks, uint64_t ticks_per_cycle,
                            uint64_t at)
{
    const uint64_t at_ticks = at == TSIM_NO_CYCLE ? TSIM_NO_CYCLE : at * ticks_per_cycle;
    const uint64_t ahead = free_ticks > at_ticks ? free_ticks - at_ticks : 0;

    return tsim_ceil_div(booked_ticks - MIN(ahead, booked_ticks), ticks_per_cycle);
}

static uint64_t server_done(const TsimServer *server, uint64_t at)
{
    return done_cycles(server->busy_ticks, server->free_ticks, server->rate.num, at);
}

static void tell(TsimMachine *machine, uint32_t metric, uint32_t unit, uint64_t done)
{
    TsimTimeline *timeline = machine->trace->timeline;

    tsim_timeline_work(timeline, tsim_timeline_track(timeline, metric, unit), done);
}

static void tell_busy(TsimMachine *machine, TsimResource resource, uint32_t unit, uint64_t done)
{
    tell(machine, TSIM_METRIC_BUSY + resource, unit, done);
}

static uint64_t tessellator_done(const TsimTessellator *tess, uint64_t at)
{
    const uint64_t clock = tess->base_cycle * tess->scale + tess->ticks;

    /* Standing still, it keeps what it has done ahead. */
    return done_cycles(tess->busy_ticks, clock, tess->scale,
                       tess->held != TSIM_NONE ? MIN(at, tess->blocked_since) : at);
}

static void tell_engine(TsimMachine *machine, uint32_t se, uint64_t at)
{
    const TsimRate rate = machine->gpu->waves_per_clk;
    const TsimLauncher *launcher = &machine->launchers[se];
    const TsimSetup *setup = &machine->setups[se];

    tell_busy(machine, TSIM_RESOURCE_LAUNCHER, se,
              done_cycles(launcher->launched * rate.den, launcher->credit_ticks, rate.num, at));
    tell_busy(machine, TSIM_RESOURCE_TESSELLATOR, se,
              tessellator_done(&machine->tessellators[se], at));
    tell_busy(machine, TSIM_RESOURCE_SETUP, se, server_done(&setup->server, at));
    tell_busy(machine, TSIM_RESOURCE_EXPORT_PATH, se, server_done(&setup->export_server, at));
}

static void tell_cu(TsimMachine *machine, uint32_t cu, uint64_t at)
{
    const uint32_t units = machine->texture_units_n / machine->cus_n; /* a WGP has two */
    uint64_t valu = 0, texture = 0;

    for (uint32_t i = 0; i < machine->simds_per_cu; i++) {
        const TsimSimd *simd = &machine->simds[cu * machine->simds_per_cu + i];
        valu += simd->busy_cycles;
        valu += simd->active > 0 && at > simd->updated_at ? at - simd->updated_at : 0;
    }
    for (uint32_t i = 0; i < units; i++) {
        texture += server_done(&machine->texture_units[cu * units + i].server, at);
    }
    tell_busy(machine, TSIM_RESOURCE_VALU, cu, valu);
    tell_busy(machine, TSIM_RESOURCE_LDS_PIPE, cu, server_done(&machine->cus[cu].lds_server, at));
    tell_busy(machine, TSIM_RESOURCE_TEXTURE, cu, texture);
    tell_busy(machine, TSIM_RESOURCE_L1, cu, server_done(&machine->memory.l1[cu].server, at));
}

static void tell_totals(TsimMachine *machine)
{
    uint64_t patches = 0, ds_threads = 0, primitives = 0;

    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        patches += machine->work[i].totals.patches;
        ds_threads += machine->work[i].totals.ds_threads;
        primitives += machine->work[i].totals.primitives;
    }
    tell(machine, TSIM_METRIC_PATCHES, 0, patches);
    tell(machine, TSIM_METRIC_DS_THREADS, 0, ds_threads);
    tell(machine, TSIM_METRIC_PRIMITIVES, 0, primitives);
}

static void tell_work(TsimMachine *machine, uint64_t at)
{
    const TsimMemory *memory = &machine->memory;

    tell_busy(machine, TSIM_RESOURCE_VGT, 0,
              done_cycles(machine->vgt.busy_ticks, machine->vgt.ticks,
                          machine->gpu->patches_per_clk.num, at));
    for (uint32_t se = 0; se < machine->ses; se++) {
        tell_engine(machine, se, at);
    }
    for (uint32_t cu = 0; cu < machine->cus_n; cu++) {
        tell_cu(machine, cu, at);
    }
    tell_busy(machine, TSIM_RESOURCE_L2, 0, server_done(&memory->l2_server, at));
    tell_busy(machine, TSIM_RESOURCE_DRAM, 0, server_done(&memory->dram_server, at));
    tell(machine, TSIM_METRIC_DRAM_READ, 0, memory->dram_lines_read * TSIM_LINE_BYTES);
    tell(machine, TSIM_METRIC_DRAM_WRITTEN, 0, memory->dram_lines_written * TSIM_LINE_BYTES);
    tell_totals(machine);
}

uint64_t tsim_trace_read_work(TsimMachine *machine, uint64_t now)
{
    TsimTimeline *timeline = machine->trace->timeline;

    while (timeline->next_work <= now) {
        tell_work(machine, timeline->next_work);
        tsim_timeline_close_bucket(timeline);
    }
    return timeline->next_work;
}

gboolean tsim_trace_finish(TsimMachine *machine, GError **error)
{
    TsimTimeline *timeline = machine->trace->timeline;

    if (timeline->next_work != TSIM_NO_CYCLE && timeline->work_begun) {
        tell_work(machine, TSIM_NO_CYCLE);
    }
    return tsim_timeline_finish(timeline, machine->last_cycle, error);
}
