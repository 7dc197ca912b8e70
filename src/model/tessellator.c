#include "model/tessellator.h"

#include "model/geometry.h"
#include "model/group.h"
#include "model/launcher.h"
#include "model/setup.h"
#include "model/trace.h"

void tsim_tessellator_init(TsimMachine *machine)
{
    const TsimRate points = machine->gpu->tess_points_per_clk;
    const TsimRate prims = machine->gpu->tess_prims_per_clk;
    const uint64_t scale = (uint64_t)points.num / tsim_gcd(points.num, prims.num) * prims.num;

    machine->tessellators = TSIM_ARENA_NEW(machine->arena, TsimTessellator, machine->ses);
    for (uint32_t se = 0; se < machine->ses; se++) {
        machine->tessellators[se] = (TsimTessellator){
            .scale = scale,
            .ticks_per_point = scale / points.num * points.den,
            .ticks_per_primitive = scale / prims.num * prims.den,
            .held = TSIM_NONE,
        };
    }
}

/* ---- The clock: base_cycle + ticks / scale ---- */

static void advance_clock(TsimTessellator *tess, uint64_t ticks)
{
    tess->ticks += ticks;
    tess->base_cycle += tess->ticks / tess->scale;
    tess->ticks %= tess->scale;
    tess->busy_ticks += ticks;
}

static uint64_t clock_rounded_up(const TsimTessellator *tess)
{
    return tess->base_cycle + (tess->ticks > 0 ? 1 : 0);
}

/* When thread `done` of the patch in hand is made, rounded up to a cycle: exact for any number of
 * threads. */
static uint64_t thread_cycle(const TsimTessellator *tess)
{
    const uint64_t ticks =
        tess->ticks * tess->ds_threads + tess->span_ticks * tess->ds_threads_done;

    return tess->base_cycle + tsim_ceil_div(ticks, tess->scale * tess->ds_threads);
}

/* ---- Patches ---- */

static TsimTessCounts count_patch(const TsimMachine *machine, const TsimTessellator *tess,
                                  const TsimGroup *group, uint32_t *ret_ds_threads)
{
    const TsimWorkState *work = &machine->work[group->work];
    const TsimDraw *draw = tsim_draw(machine, group->work);
    TsimTessFactors factors;

    if (work->same_factors) {
        *ret_ds_threads = work->same_ds_threads;
        return work->same_counts;
    }
    tsim_factor_source_get(draw->factors, group->first_patch + tess->patch, &factors);
    const TsimTessCounts counts = tsim_draw_patch_counts(draw, &factors);
    *ret_ds_threads = tsim_vertex_reuse_ds_threads(work->reuse, (TsimDomain)draw->domain,
                                                   (TsimTopology)draw->topology, &counts);
    return counts;
}

/* Set-up of the next patch; then its points can be made. A culled patch has none. */
static void begin_patch(TsimMachine *machine, TsimTessellator *tess, const TsimGroup *group)
{
    const TsimTessCounts counts = count_patch(machine, tess, group, &tess->ds_threads);
    TsimTotals *totals = &machine->work[group->work].totals;

    advance_clock(tess, machine->gpu->tess_setup_clks * tess->scale);
    tess->primitives = counts.primitives;
    tess->ds_threads_done = 0;
    tess->primitives_done = 0;
    tess->span_ticks =
        MAX(counts.points * tess->ticks_per_point, counts.primitives * tess->ticks_per_primitive);
    totals->patches++;
    totals->culled_patches += counts.culled ? 1 : 0;
    totals->domain_points += counts.points;
    totals->ds_threads += tess->ds_threads;
    totals->primitives += counts.primitives;
}

static void end_patch(TsimTessellator *tess)
{
    advance_clock(tess, tess->span_ticks);
    tess->ds_threads = 0;
    tess->ds_threads_done = 0;
    tess->patch++;
}

/* Puts threads of the patch in hand into the wave in hand, until either is full. Primitives go with
 * the threads that complete them: the first j of n threads make floor(j * primitives / n). */
static void fill_wave(const TsimMachine *machine, TsimTessellator *tess)
{
    const uint32_t taken =
        MIN(tess->ds_threads - tess->ds_threads_done, machine->wave_size - tess->threads);

    if (tess->threads == 0) {
        tess->wave_first_patch = tess->patch;
    }
    tess->ds_threads_done += taken;
    tess->threads += taken;
    const uint32_t primitives =
        (uint32_t)((uint64_t)tess->primitives * tess->ds_threads_done / tess->ds_threads);
    tess->wave_primitives += primitives - tess->primitives_done;
    tess->primitives_done = primitives;
    tess->wave_last_patch = tess->patch;
    tess->wave_cycle = thread_cycle(tess);
}

static void read_group(TsimMachine *machine, uint32_t se);

static void post_wave(TsimMachine *machine, TsimTessellator *tess, uint32_t se)
{
    /* Rates so high that two waves are finished in one cycle may find this cycle's DELIVER over. */
    tsim_post(machine, MAX(tess->wave_cycle, tess->earliest_cycle), TSIM_EVENT_DS_WAVE_MADE,
              machine->launchers[se].unit, se);
}

/* Works ahead up to the next thing that others can see: a finished wave, or the end of the group.
 */
static void work_ahead(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];
    const TsimGroup *group = &machine->groups[tsim_fifo_first(&tess->order)];

    while (tess->patch < group->patches) {
        if (tess->ds_threads == 0) {
            begin_patch(machine, tess, group);
        }
        if (tess->ds_threads > 0) {
            fill_wave(machine, tess);
        }
        if (tess->ds_threads_done == tess->ds_threads) {
            end_patch(tess);
        }
        if (tess->threads == machine->wave_size) {
            post_wave(machine, tess, se);
            return;
        }
    }
    if (tess->threads > 0) {
        post_wave(machine, tess, se); /* the group's last wave may be partial */
    } else if (clock_rounded_up(tess) > tsim_now(machine)) {
        tsim_post(machine, clock_rounded_up(tess), TSIM_EVENT_GROUP_READ,
                  machine->launchers[se].unit, se);
    } else {
        read_group(machine, se);
    }
}

/* The first group in order, if its factors are there. The clock goes on where it stopped, or from
 * when they came. */
static void begin_group(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];
    const uint32_t first = tsim_fifo_first(&tess->order);

    if (first == TSIM_NONE || !machine->groups[first].seen) {
        return;
    }
    if (machine->groups[first].seen_at > tess->base_cycle) {
        tess->base_cycle = machine->groups[first].seen_at;
        tess->ticks = 0;
    }
    tess->active = TRUE;
    tess->patch = 0;
    tess->ds_threads = 0;
    tess->earliest_cycle = tsim_now(machine);
    work_ahead(machine, se);
}

static void read_group(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];

    tess->active = FALSE;
    tsim_group_read(machine, tsim_fifo_pop(&tess->order));
    begin_group(machine, se);
}

void tsim_tessellator_sees(TsimMachine *machine, uint32_t group_index)
{
    TsimGroup *group = &machine->groups[group_index];

    group->seen = TRUE;
    group->seen_at = tsim_now(machine);
    if (!machine->tessellators[group->se].active) {
        begin_group(machine, group->se);
    }
}

void tsim_tessellator_group_read(TsimMachine *machine, uint32_t se)
{
    read_group(machine, se);
}

/* The wave in hand becomes a record of its own; on-chip or off-chip is fixed here (E11). */
static uint32_t new_record(TsimMachine *machine, TsimTessellator *tess)
{
    const uint32_t group_index = tsim_fifo_first(&tess->order);
    const uint32_t index = tsim_pool_take(&machine->ds_pool);
    TsimGroup *group = &machine->groups[group_index];
    TsimWorkState *work = &machine->work[group->work];
    const gboolean local = group->offchip && group->ds_made < work->plan.ds_wave_threshold;

    machine->ds_records[index] = (TsimDsRecord){
        .group = group_index,
        .work = group->work,
        .primitives = tess->wave_primitives,
        .threads = (uint16_t)tess->threads,
        .first_patch = (uint16_t)tess->wave_first_patch,
        .last_patch = (uint16_t)tess->wave_last_patch,
        .onchip = local || !group->offchip,
        .local = local,
        .gs_waves_left = (uint16_t)tsim_geometry_waves(machine, group->work, tess->wave_primitives),
        .se = group->se,
    };
    if (machine->ds_records[index].onchip) {
        work->totals.ds_waves_onchip++;
    } else {
        work->totals.ds_waves_offchip++;
    }
    group->ds_made++;
    work->outstanding++;
    tess->threads = 0;
    tess->wave_primitives = 0;
    return index;
}

/* A finished wave enters the DS queue, and the tessellator goes on. */
static void hand_out(TsimMachine *machine, uint32_t se, uint32_t record)
{
    tsim_launcher_ds_made(machine, se, record);
    machine->tessellators[se].earliest_cycle = tsim_now(machine);
    work_ahead(machine, se);
}

void tsim_tessellator_wave_made(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];
    const uint32_t record = new_record(machine, tess);

    machine->events++;
    tsim_setup_expect(machine, se, record);
    if (tsim_launcher_has_room_for_ds(machine, se)) {
        hand_out(machine, se, record);
    } else {
        tess->held = record; /* and the tessellator stops */
        tess->blocked_since = tsim_now(machine);
        TSIM_TRACE(machine, tess_blocked, se, TRUE);
    }
}

void tsim_tessellator_queue_has_room(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];

    if (tess->held != TSIM_NONE && !tess->resuming) {
        /* Queues are filled in DELIVER only: the place is taken in the next cycle. */
        tess->resuming = TRUE;
        tsim_post(machine, tsim_now(machine) + 1, TSIM_EVENT_TESS_RESUME,
                  machine->launchers[se].unit, se);
    }
}

void tsim_tessellator_resume(TsimMachine *machine, uint32_t se)
{
    TsimTessellator *tess = &machine->tessellators[se];
    const uint64_t waited = tsim_now(machine) - tess->blocked_since;

    const uint32_t record = tess->held;

    tess->base_cycle += waited; /* whole cycles: the fraction stays exact */
    tess->blocked_cycles += waited;
    tess->held = TSIM_NONE;
    tess->resuming = FALSE;
    TSIM_TRACE(machine, tess_blocked, se, FALSE);
    hand_out(machine, se, record);
}
