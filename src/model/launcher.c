/* One decision round goes through the stages by priority. Each stage launches its head while the
 * head fits and there is launch credit; what stops it is kept as the stage's stall reason until the
 * next round. A head that can run on one CU only (HS gang, on-chip DS wave) claims that CU against
 * younger work while it waits.
 */
#include "model/launcher.h"

#include "model/compute.h"
#include "model/cu.h"
#include "model/feedback.h"
#include "model/geometry.h"
#include "model/group.h"
#include "model/offchip.h"
#include "model/pixel.h"
#include "model/setup.h"
#include "model/tessellator.h"
#include "model/trace.h"
#include "model/vgt.h"
#include "model/wave.h"

/* What became of a stage's head. Other values are the TsimStall that stops it. */
#define LAUNCHED (-1)
#define NOTHING  (-2)

void tsim_launcher_init(TsimMachine *machine)
{
    const TsimGpu *gpu = machine->gpu;
    uint32_t first_cu = 0;

    machine->launchers = TSIM_ARENA_NEW(machine->arena, TsimLauncher, machine->ses);
    for (uint32_t se = 0; se < machine->ses; se++) {
        TsimLauncher *launcher = &machine->launchers[se];
        launcher->first_cu = first_cu;
        launcher->cus = tsim_gpu_cus_in_se(gpu, se);
        launcher->woken_for = TSIM_NO_CYCLE;
        launcher->credit_event_at = TSIM_NO_CYCLE;
        launcher->dispatches =
            TSIM_ARENA_NEW(machine->arena, TsimDispatchShare, machine->scenario->work_n);
        first_cu += launcher->cus;
        for (int stage = 0; stage < TSIM_STAGES; stage++) {
            launcher->queues[stage].reserved = TSIM_NONE;
            launcher->queues[stage].stall = TSIM_NOT_STALLED;
            launcher->queues[stage].lds_refused_since = TSIM_NO_CYCLE;
        }
    }
}

void tsim_launcher_wake(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const uint64_t now = tsim_now(machine);

    if (launcher->woken_for != now) {
        launcher->woken_for = now;
        tsim_post(machine, now, TSIM_EVENT_LAUNCH, launcher->unit, se);
    }
}

/* Only a head that was refused for one of these reasons has anything to gain. */
static void wake_stalled(TsimMachine *machine, uint32_t se, uint32_t stalls)
{
    if ((machine->launchers[se].stalls & stalls) != 0) {
        tsim_launcher_wake(machine, se);
    }
}

void tsim_launcher_wake_for(TsimMachine *machine, uint32_t se, TsimStall stall)
{
    wake_stalled(machine, se, 1U << stall);
}

void tsim_launcher_wake_for_cu(TsimMachine *machine, uint32_t cu)
{
    const uint32_t stalls = ~0U << TSIM_STALL_LDS; /* LDS and all behind it are of CUs */
    uint64_t waiting = machine->ses_waiting_for_any_cu;

    wake_stalled(machine, machine->cus[cu].se, stalls);
    while (waiting != 0) {
        wake_stalled(machine, (uint32_t)__builtin_ctzll(waiting), stalls);
        waiting &= waiting - 1;
    }
}

/* ---- Work arrives ---- */

static TsimLaunchQueue *queue_of(TsimMachine *machine, uint32_t se, TsimStage stage)
{
    return &machine->launchers[se].queues[stage];
}

static TsimStage group_stage(const TsimMachine *machine)
{
    return machine->gpu->merged_ls_hs ? TSIM_STAGE_HS : TSIM_STAGE_VS;
}

gboolean tsim_launcher_has_room_for_group(const TsimMachine *machine, uint32_t se)
{
    return machine->launchers[se].queues[group_stage(machine)].fifo.n <
           machine->gpu->vgt_queue_depth;
}

void tsim_launcher_group_arrived(TsimMachine *machine, uint32_t se, uint32_t group)
{
    tsim_fifo_push(&queue_of(machine, se, group_stage(machine))->fifo, group);
    tsim_launcher_wake(machine, se);
}

void tsim_launcher_hs_ready(TsimMachine *machine, uint32_t group)
{
    const uint32_t se = machine->groups[group].se;

    tsim_fifo_push(&queue_of(machine, se, TSIM_STAGE_HS)->fifo, group);
    tsim_launcher_wake(machine, se);
}

gboolean tsim_launcher_has_room_for_ds(const TsimMachine *machine, uint32_t se)
{
    return machine->launchers[se].queues[TSIM_STAGE_DS].fifo.n < machine->gpu->ds_queue_depth;
}

void tsim_launcher_ds_made(TsimMachine *machine, uint32_t se, uint32_t record)
{
    tsim_fifo_push(&queue_of(machine, se, TSIM_STAGE_DS)->fifo, record);
    tsim_launcher_wake(machine, se);
}

/* ---- Launch credit ---- */

static gboolean has_credit(const TsimMachine *machine, const TsimLauncher *launcher)
{
    return launcher->credit_ticks / machine->gpu->waves_per_clk.num <= tsim_now(machine);
}

static void launch(TsimMachine *machine, TsimLauncher *launcher, uint32_t wave)
{
    const TsimRate rate = machine->gpu->waves_per_clk;

    launcher->credit_ticks = MAX(launcher->credit_ticks, tsim_now(machine) * rate.num) + rate.den;
    launcher->launched++;
    machine->waves[wave].next = TSIM_NONE;
    tsim_wave_launch(machine, wave);
}

/* ---- Choice of a CU ---- */

typedef struct {
    uint32_t cu, lds_first;
    int stall; /* TSIM_CU_FITS when cu is valid */
} Choice;

/* The next CU with room among `n` CUs from `base` on (numbers wrap at the GPU's end), by the
 * policy. */
static Choice choose_cu(const TsimMachine *machine, uint32_t base, uint32_t n, uint32_t pointer,
                        const TsimDemand *demand)
{
    const int policy = machine->gpu->cu_policy;
    const uint32_t start = policy == TSIM_CU_ROUND_ROBIN ? pointer : 0;
    Choice choice = {TSIM_NONE, 0, TSIM_STALL_LDS};

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t local = start + i < n ? start + i : start + i - n;
        const uint32_t cu =
            base + local < machine->cus_n ? base + local : base + local - machine->cus_n;
        uint32_t lds_first;
        if (demand->stage == group_stage(machine) && machine->cus[cu].closed_to_tess) {
            continue;
        }
        const int stall = tsim_cu_check(machine, cu, demand, &lds_first);
        if (stall != TSIM_CU_FITS) {
            /* The reason that is reported is that of the CU where the request came furthest. */
            choice.stall = choice.cu == TSIM_NONE ? MAX(choice.stall, stall) : choice.stall;
        } else if (choice.cu == TSIM_NONE ||
                   machine->cus[cu].waves < machine->cus[choice.cu].waves) {
            choice = (Choice){cu, lds_first, TSIM_CU_FITS};
            if (policy != TSIM_CU_FEWEST_WAVES) {
                break;
            }
        }
    }
    return choice;
}

/* The pointer moves to the CU after the one that was chosen (E6). */
static void move_pointer(const TsimMachine *machine, TsimLaunchQueue *queue, uint32_t base,
                         uint32_t n, uint32_t cu)
{
    const uint32_t local = cu >= base ? cu - base : cu + machine->cus_n - base;

    queue->next_cu = local + 1 < n ? local + 1 : 0;
}

/* ---- LDS refusals: fragmentation and starvation (D4) ---- */

static void note_fragmentation(TsimMachine *machine, const TsimLauncher *launcher,
                               const TsimDemand *demand)
{
    machine->fragmentation_refusals++;
    for (uint32_t cu = launcher->first_cu; cu < launcher->first_cu + launcher->cus; cu++) {
        const TsimLds *lds = &machine->cus[cu].lds;
        const uint32_t free = tsim_lds_free_below(lds, demand->lds_limit);
        if (free > machine->fragmented_free_granules) {
            machine->fragmented_free_granules = free;
            machine->fragmented_run_granules = tsim_lds_largest_run(lds, demand->lds_limit);
        }
    }
}

/* One check is in flight for each shader engine, for the earliest time at which a head may have
 * starved. */
static void expect_starvation(TsimMachine *machine, uint32_t se, uint64_t refused_since)
{
    TsimLauncher *launcher = &machine->launchers[se];

    if (!launcher->starvation_expected) {
        launcher->starvation_expected = TRUE;
        tsim_post(machine, refused_since + machine->gpu->lds_starvation_cycles,
                  TSIM_EVENT_STARVATION, launcher->unit, se);
    }
}

/* The head has been admitted: no CU need drain for it any more. */
static void end_draining(TsimMachine *machine, const TsimLauncher *launcher, TsimStage stage)
{
    for (uint32_t cu = launcher->first_cu; cu < launcher->first_cu + launcher->cus; cu++) {
        if (machine->cus[cu].drains_for == stage + 1) {
            machine->cus[cu].drains_for = 0;
            tsim_launcher_wake_for_cu(machine, cu);
        }
    }
}

/* Makes the CU under the pointer, or the next that does not drain yet, empty itself for the head.
 */
static void drain_a_cu(TsimMachine *machine, TsimLauncher *launcher, TsimStage stage)
{
    const uint32_t pointer = launcher->queues[stage].next_cu;

    for (uint32_t i = 0; i < launcher->cus; i++) {
        TsimCu *cu = &machine->cus[launcher->first_cu + (pointer + i) % launcher->cus];
        if (cu->drains_for == 0 && !(stage != TSIM_STAGE_CS && cu->closed_to_tess)) {
            cu->drains_for = (uint8_t)(stage + 1);
            launcher->queues[stage].drains = TRUE;
            return;
        }
    }
}

void tsim_launcher_check_starvation(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const TsimStage stages[] = {group_stage(machine), TSIM_STAGE_CS};
    const uint64_t now = tsim_now(machine);
    uint64_t next = TSIM_NO_CYCLE;

    launcher->starvation_expected = FALSE;
    for (size_t i = 0; i < G_N_ELEMENTS(stages); i++) {
        const TsimLaunchQueue *queue = &launcher->queues[stages[i]];
        if (queue->lds_refused_since == TSIM_NO_CYCLE || queue->drains) {
            continue;
        }
        if (queue->lds_refused_since + machine->gpu->lds_starvation_cycles <= now) {
            drain_a_cu(machine, launcher, stages[i]);
        } else {
            next = MIN(next, queue->lds_refused_since);
        }
    }
    if (next != TSIM_NO_CYCLE) {
        expect_starvation(machine, se, next);
    }
}

/* A head that needs LDS has been refused everywhere, or has been admitted. */
static void follow_lds_refusals(TsimMachine *machine, uint32_t se, TsimStage stage,
                                const TsimDemand *demand, int stall)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimLaunchQueue *queue = &launcher->queues[stage];

    if (stall == TSIM_STALL_LDS || stall == TSIM_STALL_LDS_FRAGMENTED) {
        if (queue->lds_refused_since == TSIM_NO_CYCLE) {
            queue->lds_refused_since = tsim_now(machine);
            expect_starvation(machine, se, queue->lds_refused_since);
        }
        if (stall == TSIM_STALL_LDS_FRAGMENTED && queue->stall != TSIM_STALL_LDS_FRAGMENTED) {
            note_fragmentation(machine, launcher, demand);
        }
        return;
    }
    queue->lds_refused_since = TSIM_NO_CYCLE;
    if (stall == TSIM_CU_FITS && queue->drains) {
        queue->drains = FALSE;
        end_draining(machine, launcher, stage);
    }
}

/* ---- Claims (D4) ---- */

static void claim(TsimMachine *machine, uint32_t cu, TsimClaim kind, uint32_t claimant)
{
    machine->cus[cu].claims[kind] = claimant;
}

/* The claimant has its room; whoever was kept out may try again. */
static void end_claim(TsimMachine *machine, uint32_t cu, TsimClaim kind)
{
    if (machine->cus[cu].claims[kind] != TSIM_NONE) {
        machine->cus[cu].claims[kind] = TSIM_NONE;
        tsim_launcher_wake_for_cu(machine, cu);
    }
}

/* ---- The heads of the stages ---- */

static int serve_reserved(TsimMachine *machine, TsimLauncher *launcher, TsimStage stage)
{
    TsimLaunchQueue *queue = &launcher->queues[stage];
    const uint32_t wave = queue->reserved;

    queue->reserved = machine->waves[wave].next;
    launch(machine, launcher, wave);
    return LAUNCHED;
}

/* Admission of a threadgroup from the VGT (model section 3, step 2). */
static int serve_group(TsimMachine *machine, uint32_t se)
{
    const TsimStage stage = group_stage(machine);
    TsimLauncher *launcher = &machine->launchers[se];
    TsimLaunchQueue *queue = &launcher->queues[stage];
    const uint32_t group = tsim_fifo_first(&queue->fifo);
    TsimDemand demand;

    if (group == TSIM_NONE) {
        return NOTHING;
    }
    const int finite = tsim_offchip_check(machine, &machine->groups[group]);
    if (finite != -1) {
        return finite;
    }
    tsim_group_demand(machine, group, &demand);
    const Choice choice =
        choose_cu(machine, launcher->first_cu, launcher->cus, queue->next_cu, &demand);
    follow_lds_refusals(machine, se, stage, &demand, choice.stall);
    if (choice.stall != TSIM_CU_FITS) {
        return choice.stall;
    }
    move_pointer(machine, queue, launcher->first_cu, launcher->cus, choice.cu);
    tsim_fifo_pop(&queue->fifo);
    queue->reserved =
        tsim_cu_reserve(machine, choice.cu, &demand, choice.lds_first, machine->groups[group].work);
    tsim_group_admitted(machine, group, choice.cu, choice.lds_first, queue->reserved);
    tsim_vgt_queue_has_room(machine, se);
    return serve_reserved(machine, launcher, stage);
}

static int try_hs(TsimMachine *machine, uint32_t se, uint32_t index)
{
    TsimLaunchQueue *queue = &machine->launchers[se].queues[TSIM_STAGE_HS];
    const TsimGroup *group = &machine->groups[index];
    const TsimProgram *program = &machine->work[group->work].programs[TSIM_STAGE_HS];
    const TsimDemand demand = {
        .waves = group->hs_waves,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .stage = TSIM_STAGE_HS,
    };
    const uint32_t claimant = machine->cus[group->cu].claims[TSIM_CLAIM_HS];
    uint32_t lds_first;

    if (claimant != TSIM_NONE && claimant != index) {
        return TSIM_STALL_CLAIMED; /* an older gang of this CU comes first */
    }
    const int stall = tsim_cu_check(machine, group->cu, &demand, &lds_first);
    if (stall != TSIM_CU_FITS) {
        claim(machine, group->cu, TSIM_CLAIM_HS, index);
        return stall;
    }
    end_claim(machine, group->cu, TSIM_CLAIM_HS);
    queue->reserved = tsim_cu_reserve(machine, group->cu, &demand, 0, group->work);
    tsim_group_hs_reserved(machine, index, queue->reserved);
    return LAUNCHED;
}

/* HS gangs wait for their own CU each, so one that does not fit holds up only those of its CU
 * behind it. */
static int serve_hs(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimFifo *fifo = &launcher->queues[TSIM_STAGE_HS].fifo;
    int first_stall = NOTHING;

    for (uint32_t i = 0; i < fifo->n; i++) {
        const int outcome = try_hs(machine, se, tsim_fifo_at(fifo, i));
        if (outcome == LAUNCHED) {
            tsim_fifo_remove(fifo, i);
            return serve_reserved(machine, launcher, TSIM_STAGE_HS);
        }
        first_stall = first_stall == NOTHING ? outcome : first_stall;
    }
    return first_stall;
}

static void launch_ds(TsimMachine *machine, uint32_t se, uint32_t cu, const TsimDemand *demand,
                      uint32_t lds_first)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const uint32_t index = tsim_fifo_pop(&launcher->queues[TSIM_STAGE_DS].fifo);
    TsimDsRecord *record = &machine->ds_records[index];
    const uint32_t wave = tsim_cu_reserve(machine, cu, demand, lds_first, record->work);

    record->cu = (uint16_t)cu;
    record->gs_lds_first = (uint16_t)lds_first;
    launcher->exports_in_use++;
    machine->waves[wave].owner = index;
    machine->waves[wave].threads = record->threads;
    launch(machine, launcher, wave);
    tsim_tessellator_queue_has_room(machine, se);
}

static int serve_local_ds(TsimMachine *machine, uint32_t se, const TsimDsRecord *record,
                          const TsimDemand *demand)
{
    const uint32_t cu = machine->groups[record->group].cu;
    uint32_t lds_first;
    const int stall = tsim_cu_check(machine, cu, demand, &lds_first);

    if (stall == TSIM_STALL_LDS || stall == TSIM_STALL_LDS_FRAGMENTED) {
        return stall; /* of its GS: slots are of no use yet */
    }
    if (stall != TSIM_CU_FITS) {
        claim(machine, cu, TSIM_CLAIM_DS,
              tsim_fifo_first(&machine->launchers[se].queues[TSIM_STAGE_DS].fifo));
        return TSIM_STALL_HOME_CU;
    }
    end_claim(machine, cu, TSIM_CLAIM_DS);
    launch_ds(machine, se, cu, demand, lds_first);
    return LAUNCHED;
}

static int serve_distant_ds(TsimMachine *machine, uint32_t se, const TsimDemand *demand)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimLaunchQueue *queue = &launcher->queues[TSIM_STAGE_DS];
    const gboolean anywhere = machine->gpu->ds_offchip_scope == TSIM_OFFCHIP_SCOPE_GPU;
    const uint32_t n = anywhere ? machine->cus_n : launcher->cus;
    const Choice choice = choose_cu(machine, launcher->first_cu, n, queue->next_cu, demand);

    if (choice.stall != TSIM_CU_FITS) {
        if (anywhere) {
            machine->ses_waiting_for_any_cu |= UINT64_C(1) << se;
        }
        return choice.stall;
    }
    move_pointer(machine, queue, launcher->first_cu, n, choice.cu);
    launch_ds(machine, se, choice.cu, demand, choice.lds_first);
    return LAUNCHED;
}

/* DS waves go in the order in which they were made; none passes another (E10). */
static int serve_ds(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const uint32_t index = tsim_fifo_first(&launcher->queues[TSIM_STAGE_DS].fifo);

    machine->ses_waiting_for_any_cu &= ~(UINT64_C(1) << se);
    if (index == TSIM_NONE) {
        return NOTHING;
    }
    if (launcher->exports_in_use == machine->gpu->export_waves_per_se) {
        return TSIM_STALL_EXPORT;
    }
    const TsimDsRecord *record = &machine->ds_records[index];
    const TsimProgram *program = &machine->work[record->work].programs[TSIM_STAGE_DS];
    const TsimDemand demand = {
        .waves = 1,
        .vgprs = program->vgprs,
        .sgprs = program->sgprs,
        .lds_granules = record->gs_waves_left > 0 ? machine->work[record->work].gs_lds_granules : 0,
        .lds_limit = machine->cus[0].lds.granules,
        .stage = TSIM_STAGE_DS,
        .local = record->onchip,
    };
    return record->onchip ? serve_local_ds(machine, se, record, &demand)
                          : serve_distant_ds(machine, se, &demand);
}

/* GS waves run where their DS wave left its output. */
static int serve_gs(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimFifo *fifo = &launcher->queues[TSIM_STAGE_GS].fifo;
    const uint32_t index = tsim_fifo_first(fifo);
    TsimDemand demand;
    uint32_t lds_first;

    if (index == TSIM_NONE) {
        return NOTHING;
    }
    const TsimDsRecord *record = &machine->ds_records[index];
    tsim_geometry_demand(machine, index, &demand);
    const int stall = tsim_cu_check(machine, record->cu, &demand, &lds_first);
    if (stall != TSIM_CU_FITS) {
        return stall;
    }
    const uint32_t wave = tsim_cu_reserve(machine, record->cu, &demand, 0, record->work);
    if (tsim_geometry_launch(machine, index, wave)) {
        tsim_fifo_pop(fifo);
    }
    launch(machine, launcher, wave);
    return LAUNCHED;
}

static int serve_ps(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimLaunchQueue *queue = &launcher->queues[TSIM_STAGE_PS];
    TsimDemand demand;

    if (!tsim_pixel_demand(machine, se, &demand)) {
        return NOTHING;
    }
    const Choice choice =
        choose_cu(machine, launcher->first_cu, launcher->cus, queue->next_cu, &demand);
    if (choice.stall != TSIM_CU_FITS) {
        return choice.stall;
    }
    move_pointer(machine, queue, launcher->first_cu, launcher->cus, choice.cu);
    const uint32_t work = tsim_pixel_take(machine, se);
    const uint32_t wave = tsim_cu_reserve(machine, choice.cu, &demand, choice.lds_first, work);
    machine->waves[wave].threads = (uint16_t)machine->wave_size;
    machine->waves[wave].lds_first = (uint16_t)choice.lds_first;
    tsim_feedback_name_wave(machine, &machine->waves[wave]);
    launch(machine, launcher, wave);
    tsim_setup_ps_queue_has_room(machine, se);
    return LAUNCHED;
}

static int serve_cs(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    TsimLaunchQueue *queue = &launcher->queues[TSIM_STAGE_CS];
    TsimDemand demand;
    uint32_t work;

    if (!tsim_compute_demand(machine, se, &demand, &work)) {
        return NOTHING;
    }
    const Choice choice =
        choose_cu(machine, launcher->first_cu, launcher->cus, queue->next_cu, &demand);
    follow_lds_refusals(machine, se, TSIM_STAGE_CS, &demand, choice.stall);
    if (choice.stall != TSIM_CU_FITS) {
        return choice.stall;
    }
    move_pointer(machine, queue, launcher->first_cu, launcher->cus, choice.cu);
    queue->reserved = tsim_cu_reserve(machine, choice.cu, &demand, choice.lds_first, work);
    tsim_compute_admitted(machine, work, choice.cu, choice.lds_first, queue->reserved);
    return serve_reserved(machine, launcher, TSIM_STAGE_CS);
}

static int serve_head(TsimMachine *machine, uint32_t se, TsimStage stage)
{
    switch (stage) {
    case TSIM_STAGE_VS:
        return machine->gpu->merged_ls_hs ? NOTHING : serve_group(machine, se);
    case TSIM_STAGE_HS:
        return machine->gpu->merged_ls_hs ? serve_group(machine, se) : serve_hs(machine, se);
    case TSIM_STAGE_DS:
        return serve_ds(machine, se);
    case TSIM_STAGE_GS:
        return serve_gs(machine, se);
    case TSIM_STAGE_PS:
        return serve_ps(machine, se);
    case TSIM_STAGE_CS:
        return serve_cs(machine, se);
    case TSIM_STAGES:
        break;
    }
    return NOTHING;
}

/* ---- A round ---- */

static void set_stall(TsimMachine *machine, TsimLaunchQueue *queue, TsimStage stage, int stall)
{
    const uint64_t now = tsim_now(machine);

    if (queue->stall == stall) {
        return;
    }
    if (queue->stall != TSIM_NOT_STALLED) {
        machine->stalls[stage][queue->stall] += now - queue->stall_since;
    }
    queue->stall = stall;
    queue->stall_since = now;
}

static gboolean has_waiting(const TsimMachine *machine, uint32_t se, TsimStage stage)
{
    const TsimLaunchQueue *queue = &machine->launchers[se].queues[stage];

    return queue->reserved != TSIM_NONE || queue->fifo.n > 0 ||
           (stage == TSIM_STAGE_PS && machine->launchers[se].ps_n > 0) ||
           (stage == TSIM_STAGE_CS && machine->launchers[se].dispatches_n > 0);
}

/* Launches what it can; returns the stall reason of what is left, TSIM_NOT_STALLED when nothing is.
 */
static int serve_stage(TsimMachine *machine, uint32_t se, TsimStage stage)
{
    TsimLauncher *launcher = &machine->launchers[se];

    while (has_waiting(machine, se, stage)) {
        if (!has_credit(machine, launcher)) {
            return TSIM_STALL_RATE;
        }
        const int outcome = launcher->queues[stage].reserved != TSIM_NONE
                                ? serve_reserved(machine, launcher, stage)
                                : serve_head(machine, se, stage);
        if (outcome == NOTHING) {
            break;
        }
        if (outcome != LAUNCHED) {
            return outcome;
        }
    }
    return TSIM_NOT_STALLED;
}

void tsim_launcher_arbitrate(TsimMachine *machine, uint32_t se)
{
    TsimLauncher *launcher = &machine->launchers[se];
    const uint64_t now = tsim_now(machine);
    uint32_t stalls = 0;

    launcher->woken_for = TSIM_NO_CYCLE;
    for (int i = 0; i < TSIM_STAGES; i++) {
        const TsimStage stage = (TsimStage)machine->launch_order[i];
        const int stall = serve_stage(machine, se, stage);
        set_stall(machine, &launcher->queues[stage], stage, stall);
        stalls |= stall != TSIM_NOT_STALLED ? 1U << stall : 0;
        launcher->stalls |=
            stalls; /* at once: what later stages release must wake this one again */
    }
    if (launcher->credit_event_at != TSIM_NO_CYCLE && launcher->credit_event_at <= now) {
        launcher->credit_event_at = TSIM_NO_CYCLE;
    }
    launcher->stalls = stalls;
    if ((stalls & 1U << TSIM_STALL_RATE) != 0 && launcher->credit_event_at == TSIM_NO_CYCLE) {
        launcher->credit_event_at = launcher->credit_ticks / machine->gpu->waves_per_clk.num;
        tsim_post(machine, launcher->credit_event_at, TSIM_EVENT_LAUNCH, launcher->unit, se);
    }
    TSIM_TRACE(machine, queues, se);
}

void tsim_launcher_settle(TsimMachine *machine)
{
    for (uint32_t se = 0; se < machine->ses; se++) {
        for (int stage = 0; stage < TSIM_STAGES; stage++) {
            set_stall(machine, queue_of(machine, se, (TsimStage)stage), (TsimStage)stage,
                      TSIM_NOT_STALLED);
        }
        TSIM_TRACE(machine, queues, se);
    }
}
