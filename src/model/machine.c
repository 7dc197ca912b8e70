#include "model/machine.h"

#include "model/command.h"
#include "model/feedback.h"
#include "model/launcher.h"
#include "model/offchip.h"
#include "model/pixel.h"
#include "model/ray.h"
#include "model/setup.h"
#include "model/tessellator.h"
#include "model/texture-unit.h"
#include "model/vgt.h"

static const uint16_t event_phases[] = {
#define EVENT(symbol, phase, blurb) TSIM_PHASE_##phase,
#include "model/events.def"
#undef EVENT
};

void tsim_post(TsimMachine *machine, uint64_t when, TsimEventType type, uint32_t unit, uint32_t arg)
{
    const TsimEvent event = {when, unit, arg, (uint16_t)type, event_phases[type]};

    tsim_queue_post(machine->queue, &event);
}

void tsim_fifo_init(TsimFifo *fifo, TsimArena *arena, uint32_t capacity)
{
    fifo->capacity = 1;
    while (fifo->capacity < capacity) {
        fifo->capacity *= 2;
    }
    fifo->items = TSIM_ARENA_NEW(arena, uint32_t, fifo->capacity);
}

void tsim_pool_init(TsimPool *pool, TsimArena *arena, uint32_t n)
{
    pool->free = TSIM_ARENA_NEW(arena, uint32_t, n);
    pool->n = n;
    for (uint32_t i = n; i > 0; i--) {
        pool->free[pool->free_n++] = i - 1; /* low indices first */
    }
}

/* ---- Work ---- */

static uint32_t granules(const TsimMachine *machine, uint32_t bytes)
{
    return tsim_limits_lds_allocated(machine->gpu, bytes) / machine->lds_granule;
}

/* Patches that are all alike need to be looked at once only. */
static void note_same_factors(TsimWorkState *state, const TsimDraw *draw)
{
    TsimTessFactors factors;

    state->same_factors = tsim_factor_source_is_uniform(draw->factors);
    if (state->same_factors) {
        tsim_factor_source_get(draw->factors, 0, &factors);
        state->same_mean = tsim_draw_factor_mean(draw, &factors);
        state->same_counts = tsim_draw_patch_counts(draw, &factors);
        state->same_ds_threads =
            tsim_vertex_reuse_ds_threads(state->reuse, (TsimDomain)draw->domain,
                                         (TsimTopology)draw->topology, &state->same_counts);
    }
}

static gboolean init_draw(TsimMachine *machine, TsimWorkState *state, const TsimDraw *draw,
                          uint32_t *streams, GPtrArray *warnings, GError **error)
{
    const TsimGpu *gpu = machine->gpu;
    TsimArena *arena = machine->arena;
    TsimProgram *programs = state->programs;

    if (!tsim_draw_plan(gpu, draw, &state->plan, warnings, error)) {
        return FALSE;
    }
    state->lds_granules = state->plan.lds_allocated_bytes / machine->lds_granule;
    state->reuse = tsim_draw_vertex_reuse_new(gpu, draw, arena);
    note_same_factors(state, draw);
    if (gpu->merged_ls_hs) {
        tsim_program_init(&programs[TSIM_STAGE_HS], arena, gpu, &state->plan, &draw->vs, &draw->hs,
                          streams);
    } else {
        tsim_program_init(&programs[TSIM_STAGE_VS], arena, gpu, &state->plan, &draw->vs, NULL,
                          streams);
        tsim_program_init(&programs[TSIM_STAGE_HS], arena, gpu, &state->plan, &draw->hs, NULL,
                          streams);
    }
    tsim_program_init(&programs[TSIM_STAGE_DS], arena, gpu, &state->plan, &draw->ds, NULL, streams);
    if (draw->has_gs) {
        tsim_program_init(&programs[TSIM_STAGE_GS], arena, gpu, &state->plan, &draw->gs.shader,
                          NULL, streams);
        state->gs_lds_granules = granules(machine, draw->gs.lds_bytes);
    }
    if (draw->has_ps) {
        tsim_program_init(&programs[TSIM_STAGE_PS], arena, gpu, &state->plan, &draw->ps.shader,
                          NULL, streams);
        state->pixels_per_primitive_fx =
            (uint64_t)llround(draw->ps.pixels_per_primitive * TSIM_RATE_DECIMALS_SCALE);
        state->ps_lds_granules =
            granules(machine, tsim_pixel_lds_bytes(&draw->ps, machine->wave_size));
    }
    return TRUE;
}

static gboolean init_dispatch(TsimMachine *machine, TsimWorkState *state,
                              const TsimDispatch *dispatch, uint32_t *streams, GError **error)
{
    if (!tsim_dispatch_fits(machine->gpu, dispatch, error)) {
        return FALSE;
    }
    state->lds_granules = granules(machine, dispatch->lds_bytes);
    state->group_threads = dispatch->threads;
    state->wave_lanes = machine->wave_size;
    state->group_waves = (uint32_t)tsim_ceil_div(dispatch->threads, machine->wave_size);
    tsim_program_init(&state->programs[TSIM_STAGE_CS], machine->arena, machine->gpu, NULL,
                      &dispatch->cs, NULL, streams);
    return TRUE;
}

/* known: the trace of the same work, or NULL to make it. */
static gboolean init_feedback(TsimMachine *machine, uint32_t work, TsimFeedbackTrace *known,
                              uint32_t *streams, GError **error)
{
    const TsimFeedbackWork *feedback = &machine->scenario->work[work].feedback;
    TsimProgram *program = &machine->work[work].programs[feedback->stage];
    g_autoptr(TsimFeedbackTrace) trace =
        known != NULL
            ? tsim_feedback_trace_ref(known)
            : tsim_feedback_trace_new(feedback, machine->scenario->seed, machine->wave_size, error);

    if (trace == NULL) {
        return FALSE;
    }
    tsim_program_init_feedback(program, machine->arena, machine->gpu, &feedback->shader,
                               trace->has_residency, streams);
    tsim_feedback_init(machine, work, trace, streams);
    return TRUE;
}

static gboolean init_work(TsimMachine *machine, const TsimMachine *like, uint32_t *ret_streams,
                          GPtrArray *warnings, GError **error)
{
    const TsimScenario *scenario = machine->scenario;

    machine->work = TSIM_ARENA_NEW(machine->arena, TsimWorkState, scenario->work_n);
    *ret_streams = 0;
    for (uint32_t i = 0; i < scenario->work_n; i++) {
        const TsimWork *item = &scenario->work[i];
        gboolean fits = TRUE;
        if (item->type == TSIM_WORK_DRAW) {
            fits = init_draw(machine, &machine->work[i], &item->draw, ret_streams, warnings, error);
        } else if (item->type == TSIM_WORK_DISPATCH) {
            fits = init_dispatch(machine, &machine->work[i], &item->dispatch, ret_streams, error);
        } else if (item->type == TSIM_WORK_RAYS) {
            fits = tsim_ray_work_fits(machine->gpu, &item->rays, error);
            tsim_ray_init_work(machine, i, ret_streams);
        } else if (item->type == TSIM_WORK_SAMPLE_FEEDBACK) {
            fits = init_feedback(machine, i, like != NULL ? like->work[i].trace : NULL, ret_streams,
                                 error);
        }
        if (!fits) {
            g_prefix_error(error, "/work/%u: ", i);
            return FALSE;
        }
    }
    return TRUE;
}

/* LS-HS groups leave LDS to PS and on-chip GS, so that work which waits for these can always end
 * (D3). What one draw must leave binds the groups of all: the plan of each looks at its own only.
 */
static gboolean reserve_pixel_lds(TsimMachine *machine, GError **error)
{
    const uint32_t total = tsim_gpu_lds_bytes_per_unit(machine->gpu) / machine->lds_granule;
    const uint32_t kept_bytes = tsim_scenario_lds_kept_free_bytes(machine->gpu, machine->scenario);

    machine->tess_lds_limit = total - kept_bytes / machine->lds_granule;
    for (uint32_t i = 0; i < machine->scenario->work_n; i++) {
        const uint32_t needed = machine->work[i].lds_granules;
        if (machine->scenario->work[i].type == TSIM_WORK_DRAW && needed > machine->tess_lds_limit) {
            g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                        "/work/%u: a threadgroup needs %u bytes of LDS, a CU has %u when PS and "
                        "on-chip GS have their %u",
                        i, needed * machine->lds_granule,
                        machine->tess_lds_limit * machine->lds_granule, kept_bytes);
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- Hardware ---- */

static void init_cus(TsimMachine *machine)
{
    const TsimGpu *gpu = machine->gpu;
    const uint32_t lds_granules = tsim_gpu_lds_bytes_per_unit(gpu) / gpu->lds_granule;
    const TsimRate lds_rate = gpu->lds_bytes_per_clk;

    machine->cus = TSIM_ARENA_NEW(machine->arena, TsimCu, machine->cus_n);
    for (uint32_t i = 0; i < machine->cus_n; i++) {
        TsimCu *cu = &machine->cus[i];
        tsim_lds_init(&cu->lds, lds_granules, gpu->lds_placement);
        cu->free_barriers = (uint16_t)tsim_gpu_barriers_per_unit(gpu);
        cu->claims[TSIM_CLAIM_HS] = TSIM_NONE;
        cu->claims[TSIM_CLAIM_DS] = TSIM_NONE;
        tsim_server_init(&cu->lds_server, lds_rate);
    }
}

/* Late-alloc mask: the first CUs of every shader array take no LS-HS groups. */
static void close_cus(TsimMachine *machine)
{
    uint32_t first = 0;

    for (uint32_t se = 0; se < machine->ses; se++) {
        for (uint32_t array = 0; array < machine->gpu->shader_arrays_per_se; array++) {
            for (uint32_t i = 0; i < machine->gpu->late_alloc_cus_closed; i++) {
                machine->cus[first + i].closed_to_tess = TRUE;
            }
            first += tsim_gpu_cus_in_array(machine->gpu, se, array);
        }
    }
}

static void init_simds(TsimMachine *machine)
{
    const TsimGpu *gpu = machine->gpu;
    const uint32_t n = machine->cus_n * machine->simds_per_cu;

    tsim_simd_spec_init(&machine->simd_spec, gpu->waves_per_simd);
    machine->simds = TSIM_ARENA_NEW(machine->arena, TsimSimd, n);
    machine->files = TSIM_ARENA_NEW(machine->arena, TsimSimdFiles, n);
    machine->simd_units = TSIM_ARENA_NEW(machine->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        tsim_simd_init(&machine->simds[i]);
        machine->files[i] = (TsimSimdFiles){
            .free_slots = (uint16_t)gpu->waves_per_simd,
            .free_vgprs = (uint16_t)gpu->vgprs_per_simd,
            .free_sgprs = (uint16_t)(gpu->sgprs_per_simd > 0 ? gpu->sgprs_per_simd : UINT16_MAX),
        };
    }
}

/* Events of one phase go by SE, CU, SIMD; the units of an SE as such come before its CUs. */
static void number_units(TsimMachine *machine)
{
    uint32_t unit = 1; /* 0: units of the whole GPU */
    uint32_t simd = 0;

    for (uint32_t se = 0; se < machine->ses; se++) {
        TsimLauncher *launcher = &machine->launchers[se];
        launcher->unit = unit++;
        for (uint32_t i = 0; i < launcher->cus; i++) {
            machine->cus[launcher->first_cu + i].se = (uint16_t)se;
        }
        for (uint32_t i = 0; i < launcher->cus * machine->simds_per_cu; i++) {
            machine->simd_units[simd++] = unit++;
        }
    }
}

/* Groups in flight: waiting at launchers, holding LDS or a buffer until read, or waiting for DS
 * waves. */
static uint32_t most_groups(const TsimMachine *machine, uint32_t ds_records)
{
    const TsimGpu *gpu = machine->gpu;
    const uint32_t waiting = machine->ses * gpu->vgt_queue_depth + 1;
    const uint32_t holding = machine->cus_n * machine->cus[0].lds.granules + gpu->offchip_buffers;

    return waiting + holding + ds_records;
}

static void init_pools(TsimMachine *machine)
{
    const TsimGpu *gpu = machine->gpu;
    const uint32_t waves = machine->cus_n * machine->simds_per_cu * gpu->waves_per_simd;
    const uint32_t records_of_se = gpu->ds_queue_depth + 1 + gpu->export_waves_per_se;
    const uint32_t records = machine->ses * records_of_se;
    const uint32_t groups = most_groups(machine, records);
    TsimArena *arena = machine->arena;

    machine->waves = TSIM_ARENA_NEW(arena, TsimWave, waves);
    machine->groups = TSIM_ARENA_NEW(arena, TsimGroup, groups);
    machine->ds_records = TSIM_ARENA_NEW(arena, TsimDsRecord, records);
    machine->compute_groups = TSIM_ARENA_NEW(arena, TsimComputeGroup, waves);
    tsim_pool_init(&machine->wave_pool, arena, waves);
    tsim_pool_init(&machine->group_pool, arena, groups);
    tsim_pool_init(&machine->ds_pool, arena, records);
    tsim_pool_init(&machine->compute_pool, arena, waves);
    for (uint32_t se = 0; se < machine->ses; se++) {
        TsimLaunchQueue *queues = machine->launchers[se].queues;
        tsim_fifo_init(&queues[TSIM_STAGE_VS].fifo, arena, gpu->vgt_queue_depth);
        tsim_fifo_init(&queues[TSIM_STAGE_HS].fifo, arena, groups);
        tsim_fifo_init(&queues[TSIM_STAGE_DS].fifo, arena, gpu->ds_queue_depth);
        tsim_fifo_init(&queues[TSIM_STAGE_GS].fifo, arena, records_of_se);
        tsim_fifo_init(&machine->tessellators[se].order, arena, groups);
    }
}

/* Events pending at once: one a wave; wake-ups of a SIMD, at most one an active wave and one more;
 * a few a shader engine (launch now and when credit returns, starvation checks, tessellator,
 * set-up); one a group on its way to the tessellator; one a command queue; the VGT's. */
static uint32_t most_events(const TsimMachine *machine)
{
    const uint32_t simds = machine->cus_n * machine->simds_per_cu;

    return machine->wave_pool.n + simds * (TSIM_SIMD_MAX_WAVES + 1) + machine->ses * 64 +
           machine->group_pool.n + machine->scenario->queues_n + 4;
}

/* like: a machine for the same scenario, or NULL. */
static TsimMachine *new_machine(const TsimScenario *scenario, const TsimMachine *like,
                                GPtrArray *warnings, GError **error)
{
    TsimArena *arena = tsim_arena_new();
    TsimMachine *machine = TSIM_ARENA_NEW(arena, TsimMachine, 1);
    const TsimGpu *gpu = scenario->gpu;
    uint32_t streams;

    machine->arena = arena;
    machine->progress_at = TSIM_NO_CYCLE;
    machine->look_at = TSIM_NO_CYCLE;
    machine->scenario = scenario;
    machine->gpu = gpu;
    machine->ses = gpu->shader_engines;
    machine->cus_n = tsim_gpu_cus(gpu);
    machine->simds_per_cu = tsim_gpu_simds_per_unit(gpu);
    machine->wave_size = gpu->wave_size;
    machine->lds_granule = gpu->lds_granule;
    tsim_gpu_launch_order(gpu, machine->launch_order);
    init_simds(machine);
    init_cus(machine);
    tsim_texture_unit_init(machine);
    if (!init_work(machine, like, &streams, warnings, error) ||
        !reserve_pixel_lds(machine, error)) {
        tsim_machine_free(machine);
        return NULL;
    }
    close_cus(machine);
    tsim_launcher_init(machine);
    tsim_tessellator_init(machine);
    number_units(machine);
    init_pools(machine);
    tsim_ray_init(machine);
    machine->queue = tsim_queue_new(arena, most_events(machine));
    tsim_memory_init(&machine->memory, arena, gpu, streams);
    tsim_atomics_init(&machine->atomics, arena, gpu);
    tsim_offchip_init(machine);
    tsim_setup_init(machine);
    tsim_pixel_init(machine);
    tsim_vgt_init(machine);
    tsim_command_init(machine);
    return machine;
}

TsimMachine *tsim_machine_new(const TsimScenario *scenario, GPtrArray *warnings, GError **error)
{
    return new_machine(scenario, NULL, warnings, error);
}

TsimMachine *tsim_machine_plain_new(const TsimMachine *machine)
{
    g_autoptr(GPtrArray) known_warnings = g_ptr_array_new_with_free_func(g_free);
    TsimMachine *plain = new_machine(machine->scenario, machine, known_warnings, NULL);

    TSIM_ASSERT(plain != NULL);
    plain->plain_sampling = TRUE;
    return plain;
}

void tsim_machine_free(TsimMachine *machine)
{
    if (machine == NULL) {
        return;
    }
    for (uint32_t i = 0; machine->work != NULL && i < machine->scenario->work_n; i++) {
        tsim_feedback_trace_unref(machine->work[i].trace);
    }
    tsim_ray_clear(machine);
    tsim_arena_free(machine->arena);
}
