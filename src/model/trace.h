/* Shows a timeline what the model does. Reads the machine and changes nothing in it.
 *
 * The model calls these where its meters change. Without a timeline each call is one branch that is
 * never taken.
 */
#pragma once

#include "model/machine.h"
#include "stats/timeline.h"

/* What has to be remembered between two calls; from the machine's arena. */
typedef struct TsimTrace {
    TsimTimeline *timeline;
    int *stalls;            /* by SE and stage, as last seen */
    uint32_t *slots;        /* by SIMD: bitmap of wave slots that are taken */
    uint8_t *wave_slots;    /* by wave */
    uint32_t *wave_numbers; /* by wave: which DS wave of its group */
    uint8_t *in_td;         /* by wave: 1 while its ray instruction is in the texture unit */
    TsimLdsSpan *blocks;    /* by CU and first granule: the block in the making */
    uint32_t *block_groups; /* the same: index of its LS-HS threadgroup; TSIM_NONE */
    TsimGroupSpan *groups;  /* by group: the span in the making */
    uint64_t *lanes;        /* by CU: bitmap of lanes that are taken */
    uint32_t lane_words;    /* of a CU */
    uint32_t groups_n;      /* admitted so far */
} TsimTrace;

/* The timeline's machine, as the GPU describes it; first_cu has room for an entry an SE. */
TsimTimelineMachine tsim_trace_machine(const TsimMachine *machine, uint32_t *first_cu);

void tsim_trace_init(TsimMachine *machine, TsimTimeline *timeline);

/* Reads off the work done before each bucket's end up to cycle now; returns when to do so next. */
uint64_t tsim_trace_read_work(TsimMachine *machine, uint64_t now);

/* The run has ended at machine->last_cycle. */
gboolean tsim_trace_finish(TsimMachine *machine, GError **error);

void tsim_trace_see_wave_launched(TsimMachine *machine, uint32_t wave_index);
void tsim_trace_see_wave_ended(TsimMachine *machine, uint32_t wave_index);
void tsim_trace_see_ray_issued(TsimMachine *machine, uint32_t wave_index);
void tsim_trace_see_step_done(TsimMachine *machine, uint32_t wave_index);
void tsim_trace_see_lds_taken(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                              TsimLdsOwner owner);
void tsim_trace_see_lds_freed(TsimMachine *machine, uint32_t cu, uint32_t first, uint32_t granules,
                              TsimLdsOwner owner);
void tsim_trace_see_group_admitted(TsimMachine *machine, uint32_t group_index);
void tsim_trace_see_group_ended(TsimMachine *machine, uint32_t group_index);
void tsim_trace_see_queues(TsimMachine *machine, uint32_t se);
void tsim_trace_see_tess_blocked(TsimMachine *machine, uint32_t se, gboolean blocked);

#define TSIM_TRACE(machine, see, ...)                                                              \
    do {                                                                                           \
        if (G_UNLIKELY((machine)->trace != NULL)) {                                                \
            tsim_trace_see_##see((machine), __VA_ARGS__);                                          \
        }                                                                                          \
    } while (0)
