#include "model/cu.h"

#include "model/launcher.h"
#include "model/trace.h"

/* Waves that the SIMD could take: by slots alone, with vector registers, with scalar registers as
 * well. */
typedef struct {
    uint32_t slots, vgprs, sgprs;
} Room;

static Room simd_room(const TsimSimdFiles *files, const TsimDemand *demand)
{
    Room room = {.slots = files->free_slots};

    room.vgprs =
        demand->vgprs == 0 ? room.slots : MIN(room.slots, files->free_vgprs / demand->vgprs);
    room.sgprs =
        demand->sgprs == 0 ? room.vgprs : MIN(room.vgprs, files->free_sgprs / demand->sgprs);
    return room;
}

/* Freed slots are kept for a head that can run nowhere else (D4). On-chip DS waves and GS waves
 * pass: they are later stages of work that is here already. An HS gang passes only the claim of its
 * own kind. */
static gboolean is_claimed(const TsimMachine *machine, const TsimCu *cu, const TsimDemand *demand)
{
    const gboolean is_gang = demand->stage == TSIM_STAGE_HS && !machine->gpu->merged_ls_hs;

    if (demand->local || demand->stage == TSIM_STAGE_GS) {
        return FALSE;
    }
    return cu->claims[TSIM_CLAIM_DS] != TSIM_NONE ||
           (cu->claims[TSIM_CLAIM_HS] != TSIM_NONE && !is_gang);
}

static int check_waves(const TsimMachine *machine, uint32_t cu, const TsimDemand *demand)
{
    const TsimSimdFiles *files = &machine->files[(size_t)cu * machine->simds_per_cu];
    Room all = {0, 0, 0};

    for (uint32_t i = 0; i < machine->simds_per_cu; i++) {
        const Room room = simd_room(&files[i], demand);
        all.slots += room.slots;
        all.vgprs += room.vgprs;
        all.sgprs += room.sgprs;
    }
    if (all.slots < demand->waves) {
        return TSIM_STALL_SLOTS;
    }
    if (all.vgprs < demand->waves) {
        return TSIM_STALL_VGPRS;
    }
    if (all.sgprs < demand->waves) {
        return TSIM_STALL_SGPRS;
    }
    return is_claimed(machine, &machine->cus[cu], demand) ? TSIM_STALL_CLAIMED : TSIM_CU_FITS;
}

/* A CU that drains for one kind of group gives no LDS to other groups; PS and GS go on, because the
 * groups that are to leave may wait for them (D3). */
static gboolean drains_for_another(const TsimCu *cu, TsimStage stage)
{
    return cu->drains_for != 0 && cu->drains_for != stage + 1 && stage != TSIM_STAGE_PS &&
           stage != TSIM_STAGE_DS;
}

int tsim_cu_check(const TsimMachine *machine, uint32_t cu, const TsimDemand *demand,
                  uint32_t *ret_lds_first)
{
    const TsimCu *state = &machine->cus[cu];

    *ret_lds_first = 0;
    if (demand->lds_granules > 0) {
        if (drains_for_another(state, demand->stage)) {
            return TSIM_STALL_LDS;
        }
        *ret_lds_first = tsim_lds_find(&state->lds, demand->lds_granules, demand->lds_limit);
        if (*ret_lds_first == TSIM_LDS_NONE) {
            return tsim_lds_free_below(&state->lds, demand->lds_limit) >= demand->lds_granules
                       ? TSIM_STALL_LDS_FRAGMENTED
                       : TSIM_STALL_LDS;
        }
    }
    if (demand->barrier && state->free_barriers == 0) {
        return TSIM_STALL_BARRIER;
    }
    return check_waves(machine, cu, demand);
}

/* The SIMD of the next wave: by the rotating pointer, or the emptiest (E4). */
static uint32_t choose_simd(const TsimMachine *machine, uint32_t cu, const TsimDemand *demand)
{
    const uint32_t n = machine->simds_per_cu;
    const TsimSimdFiles *files = &machine->files[(size_t)cu * n];
    const uint32_t start = machine->cus[cu].next_simd;
    uint32_t chosen = TSIM_NONE;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t simd = start + i < n ? start + i : start + i - n;
        if (simd_room(&files[simd], demand).sgprs == 0) {
            continue;
        }
        if (machine->gpu->simd_policy == TSIM_SIMD_ROUND_ROBIN) {
            return simd;
        }
        if (chosen == TSIM_NONE || files[simd].free_slots > files[chosen].free_slots) {
            chosen = simd;
        }
    }
    return chosen;
}

static uint32_t reserve_wave(TsimMachine *machine, uint32_t cu, const TsimDemand *demand,
                             uint32_t work)
{
    const uint32_t local = choose_simd(machine, cu, demand);
    const uint32_t simd = cu * machine->simds_per_cu + local;
    const uint32_t index = tsim_pool_take(&machine->wave_pool);
    TsimSimdFiles *files = &machine->files[simd];

    TSIM_ASSERT(local != TSIM_NONE);
    files->free_slots--;
    files->free_vgprs = (uint16_t)(files->free_vgprs - demand->vgprs);
    files->free_sgprs = (uint16_t)(files->free_sgprs - demand->sgprs);
    machine->cus[cu].next_simd = (uint16_t)(local + 1 < machine->simds_per_cu ? local + 1 : 0);
    machine->waves[index] = (TsimWave){
        .work = work,
        .owner = TSIM_NONE,
        .next = TSIM_NONE,
        .cu = (uint16_t)cu,
        .simd = (uint16_t)simd,
        .stage = (uint8_t)demand->stage,
    };
    return index;
}

TsimLdsOwner tsim_cu_lds_owner(TsimStage stage)
{
    switch (stage) {
    case TSIM_STAGE_VS:
    case TSIM_STAGE_HS:
        return TSIM_LDS_OWNER_TESS;
    case TSIM_STAGE_DS: /* the input ring of its on-chip GS */
    case TSIM_STAGE_GS:
        return TSIM_LDS_OWNER_GS;
    case TSIM_STAGE_PS:
        return TSIM_LDS_OWNER_PS;
    case TSIM_STAGE_CS:
    case TSIM_STAGES:
        break;
    }
    return TSIM_LDS_OWNER_CS;
}

static void count_lds(TsimMachine *machine, uint32_t cu, uint32_t granules, TsimLdsOwner owner,
                      int sign)
{
    const int64_t bytes = sign * (int64_t)granules * machine->lds_granule;
    const uint64_t now = tsim_now(machine);

    tsim_meter_add(&machine->owner_meters[owner], NULL, now, bytes);
    tsim_meter_add(&machine->lds_meter, &machine->lds_series, now, bytes);
    tsim_meter_add(&machine->cus[cu].lds_meter, NULL, now, bytes);
}

uint32_t tsim_cu_reserve(TsimMachine *machine, uint32_t cu, const TsimDemand *demand,
                         uint32_t lds_first, uint32_t work)
{
    uint32_t first = TSIM_NONE;
    uint32_t *link = &first;

    if (demand->lds_granules > 0) {
        tsim_lds_take(&machine->cus[cu].lds, lds_first, demand->lds_granules);
        count_lds(machine, cu, demand->lds_granules, tsim_cu_lds_owner(demand->stage), 1);
        TSIM_TRACE(machine, lds_taken, cu, lds_first, demand->lds_granules,
                   tsim_cu_lds_owner(demand->stage));
    }
    if (demand->barrier) {
        machine->cus[cu].free_barriers--;
    }
    for (uint32_t i = 0; i < demand->waves; i++) {
        *link = reserve_wave(machine, cu, demand, work);
        link = &machine->waves[*link].next;
    }
    return first;
}

void tsim_cu_release_wave(TsimMachine *machine, uint32_t wave)
{
    const TsimWave *state = &machine->waves[wave];
    const TsimProgram *program = &machine->work[state->work].programs[state->stage];
    TsimSimdFiles *files = &machine->files[state->simd];

    files->free_slots++;
    files->free_vgprs = (uint16_t)(files->free_vgprs + program->vgprs);
    files->free_sgprs = (uint16_t)(files->free_sgprs + program->sgprs);
    tsim_pool_give(&machine->wave_pool, wave);
    tsim_launcher_wake_for_cu(machine, state->cu);
}

void tsim_cu_release_lds(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                         TsimLdsOwner owner)
{
    tsim_lds_release(&machine->cus[cu].lds, first, granules);
    count_lds(machine, cu, granules, owner, -1);
    TSIM_TRACE(machine, lds_freed, cu, first, granules, owner);
    tsim_launcher_wake_for_cu(machine, cu);
}

void tsim_cu_release_barrier(TsimMachine *machine, uint32_t cu)
{
    machine->cus[cu].free_barriers++;
    tsim_launcher_wake_for_cu(machine, cu);
}

void tsim_cu_count_wave(TsimMachine *machine, uint32_t cu, TsimStage stage, int change)
{
    const uint64_t now = tsim_now(machine);
    TsimCu *state = &machine->cus[cu];

    state->waves = (uint16_t)(state->waves + change);
    tsim_meter_add(&state->wave_meter, NULL, now, change);
    tsim_meter_add(&machine->stage_meters[stage], &machine->stage_series[stage], now, change);
}
