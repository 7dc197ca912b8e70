/* The whole state of a simulated GPU as plain structs: pools and indices, no pointers between
 * units.
 *
 * Each unit's functions are in the file of its name. Times are cycles. A "CU" is the unit that
 * takes threadgroups (a WGP in wgp_mode). "group" alone is an LS-HS threadgroup. Everything lives
 * in one arena, taken before the run; nothing is allocated while it goes on.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "engine/queue.h"
#include "hw/stage.h"
#include "model/atomics.h"
#include "model/lds.h"
#include "model/memory.h"
#include "model/program.h"
#include "model/server.h"
#include "model/simd.h"
#include "stats/histogram.h"
#include "stats/result.h"
#include "stats/series.h"
#include "workload/feedback-trace.h"
#include "workload/plan.h"
#include "workload/rays.h"

#define TSIM_NONE        UINT32_MAX
#define TSIM_NOT_STALLED (-1)
#define TSIM_NO_CYCLE    UINT64_MAX

typedef enum {
#define EVENT(symbol, phase, blurb) TSIM_EVENT_##symbol,
#include "model/events.def"
#undef EVENT
    TSIM_EVENTS,
} TsimEventType;

/* A first-in first-out list of pool indices in a fixed ring. */
typedef struct {
    uint32_t *items;
    uint32_t capacity; /* a power of two */
    uint32_t first, n;
} TsimFifo;

/* A pool of indices 0..n-1: the free ones form a stack. */
typedef struct {
    uint32_t *free;
    uint32_t free_n, n;
} TsimPool;

/* ---- Waves ---- */

typedef struct {
    uint64_t launched_at;
    uint64_t stores_done_at; /* stores of an off-chip HS are acknowledged by then (E8) */
    uint32_t work;           /* index of the work item */
    uint32_t owner;          /* group; compute group; DS record of a DS or GS wave; unused for PS */
    uint32_t next;           /* reserved but not launched, or waiting at a barrier: the next one */
    uint32_t first_thread;   /* of the group's threads of this stage */
    uint32_t traced;         /* of sample_feedback work: its place in the trace */
    uint16_t threads;
    uint16_t cu;
    uint16_t simd; /* of the whole GPU */
    uint8_t stage;
    uint32_t step;      /* of its program */
    uint16_t lds_first; /* PS: its own block */
    uint16_t lds_granules;
} TsimWave;

/* ---- CUs ---- */

/* A head that can run on this CU only and was refused slots or registers closes the CU to other new
 * work until it is launched, so that it can collect what falls free (D4). */
typedef enum {
    TSIM_CLAIM_HS,
    TSIM_CLAIM_DS,
    TSIM_CLAIMS,
} TsimClaim;

typedef struct {
    uint16_t free_slots, free_vgprs, free_sgprs;
} TsimSimdFiles;

typedef struct {
    TsimLds lds;
    uint16_t se;
    uint16_t free_barriers;
    uint16_t next_simd;     /* rotating pointer (E4) */
    uint16_t waves;         /* launched and not ended */
    uint16_t threadgroups;  /* LS-HS groups that hold LDS here */
    uint8_t closed_to_tess; /* late-alloc mask */
    uint8_t drains_for; /* stage + 1 of a head that waits for this CU to empty its LDS; 0: none */
    uint32_t claims[TSIM_CLAIMS]; /* the group, or the DS record; TSIM_NONE: no claim */
    TsimMeter wave_meter, lds_meter;
    TsimServer lds_server; /* bytes */
} TsimCu;

/* ---- Texture units ---- */

/* Whose results come out in order among themselves. */
typedef enum {
    TSIM_TEXTURE_SAMPLE,
    TSIM_TEXTURE_BVH,
    TSIM_TEXTURE_FEEDBACK,
    TSIM_TEXTURE_CLASSES,
} TsimTextureClass;

typedef struct {
    uint64_t results_at; /* when the last results came out */
    uint64_t instructions;
    uint64_t busy_ticks;    /* of the server, by this class */
    uint64_t waited_cycles; /* from issue to results, summed: the integral of waves that wait */
} TsimTextureUse;

typedef struct {
    TsimServer server; /* samples; see model/texture-unit.h */
    TsimTextureUse uses[TSIM_TEXTURE_CLASSES];
} TsimTextureUnit;

/* What one admission asks of a CU, all or nothing. */
typedef struct {
    uint32_t waves, vgprs, sgprs;     /* registers of each wave */
    uint32_t lds_granules, lds_limit; /* block inside [0, limit) */
    gboolean barrier;
    TsimStage stage;
    gboolean local; /* an on-chip DS wave */
} TsimDemand;

/* ---- LS-HS threadgroups ---- */

typedef struct {
    uint64_t first_patch;
    uint32_t work;
    uint16_t patches;
    uint16_t se, cu;
    uint16_t vs_waves, hs_waves;
    uint16_t waves_left; /* of the stage that runs */
    uint16_t at_barrier;
    uint32_t barrier_waves; /* list of waves that wait at a barrier */
    uint16_t lds_first;     /* granules: the plan's */
    gboolean holds_lds, holds_barrier, offchip, seen, read;
    uint32_t ring_bytes;
    uint32_t offchip_buffer; /* TSIM_NONE: none held */
    uint32_t ds_made, ds_ended;
    uint32_t ds_local_ended; /* of the first DsWaveThreshold */
    uint64_t admitted_at, seen_at;
} TsimGroup;

/* A DS wave from its making to the set-up of its primitives; and the GS waves behind it. */
typedef struct {
    uint32_t group, work;
    uint32_t primitives;
    uint16_t threads;
    uint16_t first_patch, last_patch; /* of the group */
    uint16_t cu;                      /* where it ran: its GS runs there too */
    gboolean onchip;                  /* reads LDS */
    gboolean local;                   /* counts against DsWaveThreshold */
    gboolean ended;                   /* with its GS waves */
    uint16_t gs_waves_left, gs_waves_launched;
    uint16_t gs_lds_first;
    uint16_t se;       /* home */
    uint64_t ended_at; /* with its GS waves */
} TsimDsRecord;

/* ---- Rays ---- */

/* Traversals of a resident wave, by the wave's index. */
typedef struct {
    uint64_t unfinished;    /* lanes */
    uint64_t number;        /* of the wave in its work item */
    uint32_t round;         /* 0: its rays are still to be made */
    uint32_t stack_entries; /* moved in the round in hand */
    gboolean met_instance;  /* in the round in hand */
    TsimTraversal lanes[TSIM_RAYS_MAX_LANES];
    uint32_t pixels[TSIM_RAYS_MAX_LANES];
    uint32_t nodes_left[TSIM_RAYS_MAX_LANES]; /* of a mix */
} TsimRayWave;

/* Distinct node lines of one instruction; a stamp tells the entries of this one. */
#define TSIM_RAY_LINE_SLOTS 512

typedef struct {
    TsimRayWave *waves;
    uint32_t *stacks; /* stack_entries a lane, TSIM_RAYS_MAX_LANES a wave */
    uint32_t stack_entries;
    uint64_t line_slots[TSIM_RAY_LINE_SLOTS];
    uint32_t line_stamps[TSIM_RAY_LINE_SLOTS];
    uint32_t stamp;
    TsimRayResult result; /* counted up during the run */
} TsimRayState;

/* ---- Units of a shader engine ---- */

/* Threadgroups of a dispatch that a shader engine has still to launch. */
typedef struct {
    uint32_t work;
    uint64_t threadgroups;
} TsimDispatchShare;

/* What a stage has waiting at a launcher. */
typedef struct {
    TsimFifo fifo; /* VS (HS when merged): groups from the VGT; HS: groups whose LS has ended; DS,
                      GS: records */
    uint32_t reserved; /* waves of an admitted gang that wait for launch credit, as a list */
    uint32_t next_cu;  /* round-robin pointer (E6): over the CUs of the SE, or of the GPU for
                          off-chip DS */
    int stall;         /* TsimStall of the head; TSIM_NOT_STALLED */
    uint64_t stall_since;
    uint64_t lds_refused_since; /* no CU had LDS for the head since then; TSIM_NO_CYCLE */
    gboolean drains;            /* a CU drains for the head */
} TsimLaunchQueue;

typedef struct {
    uint32_t work;
    uint32_t waves;
} TsimPixelBatch;

typedef struct {
    uint32_t unit; /* order of its events */
    uint32_t first_cu, cus;
    uint64_t woken_for;           /* cycle of the last wake-up; TSIM_NO_CYCLE */
    uint64_t credit_event_at;     /* wake-up posted for when launch credit returns; TSIM_NO_CYCLE */
    uint32_t stalls;              /* bit a TsimStall: some head stalls for it */
    gboolean starvation_expected; /* a check is in flight */
    uint64_t
        credit_ticks;  /* launch credit is used up until then, in ticks of 1/waves_per_clk.num */
    uint64_t launched; /* waves so far */
    TsimLaunchQueue queues[TSIM_STAGES];
    TsimPixelBatch *ps_batches; /* ring */
    uint32_t ps_first, ps_n, ps_capacity, ps_waves;
    TsimDispatchShare *dispatches; /* compute, oldest first */
    uint32_t dispatches_n;
    uint32_t exports_in_use; /* DS waves that hold export space */
} TsimLauncher;

typedef struct {
    TsimFifo order; /* admitted groups, oldest first; the first is read, or waited for */
    gboolean active;
    /* The clock of the patch in hand: base_cycle + ticks / scale, scale common to both rates. */
    uint64_t base_cycle, ticks;
    uint64_t scale, ticks_per_point, ticks_per_primitive;
    uint32_t patch;                                                    /* of the group in hand */
    uint32_t ds_threads, primitives, ds_threads_done, primitives_done; /* of the patch in hand */
    uint64_t span_ticks; /* from its first to its last thread */
    uint32_t threads, wave_primitives, wave_first_patch,
        wave_last_patch; /* of the DS wave being filled */
    uint64_t wave_cycle; /* when its last thread so far was made, rounded up */
    uint32_t held; /* finished wave (record) that finds the DS queue full: the tessellator stands
                      still; TSIM_NONE */
    uint64_t blocked_since;  /* then: since when */
    gboolean resuming;       /* a place has fallen free: an event is on its way */
    uint64_t earliest_cycle; /* no wave can be handed out before */
    uint64_t blocked_cycles, busy_ticks;
} TsimTessellator;

typedef struct {
    TsimFifo order; /* DS records of the home SE in tessellation order, until their primitives have
                       passed */
    gboolean busy;  /* an event is on its way for the first of them */
    gboolean ps_blocked;      /* the PS queue has no room for the first of them */
    TsimServer server;        /* primitives */
    TsimServer export_server; /* lanes */
} TsimSetup;

/* ---- Work and units of the GPU ---- */

typedef struct {
    TsimDrawPlan plan;                   /* draws */
    uint32_t lds_granules;               /* of a threadgroup */
    uint64_t threadgroups;               /* compute: those that it will have launched */
    uint32_t group_waves, group_threads; /* compute: of a threadgroup */
    uint32_t wave_lanes;                 /* compute: the most that a wave has */
    TsimFeedbackTrace *trace;            /* sample_feedback; NULL: other work */
    uint32_t frame, next_traced;         /* frames begun, waves of the trace launched */
    uint32_t first_stream;               /* of its texture and maps */
    uint64_t *map_line_free;             /* cycle, by line of the feedback map */
    TsimVertexReuse *reuse;              /* draws; NULL: no point is shaded twice */
    gboolean same_factors;               /* all patches alike: the next three are good for each */
    TsimFactorMean same_mean;
    TsimTessCounts same_counts;
    uint32_t same_ds_threads;
    uint64_t issued; /* patches cut, or compute threadgroups launched */
    gboolean begun, all_issued, ended;
    uint64_t outstanding; /* groups, DS records, PS waves, compute groups that are under way */
    uint64_t begin_cycle, end_cycle;
    uint64_t pixels_per_primitive_fx; /* times TSIM_RATE_DECIMALS_SCALE */
    uint64_t pixels_fx;               /* left over from whole PS waves, in the same unit */
    uint32_t last_ps_se;
    TsimFactorMean factor_mean; /* over all patches */
    uint32_t ps_lds_granules, gs_lds_granules;
    TsimTotals totals;
    TsimProgram programs[TSIM_STAGES];
    TsimTraversalScene ray_scene; /* rays that are no mix */
    uint32_t ray_stream;          /* address stream of their nodes */
    uint32_t ray_operand_clks;
    gboolean ray_images; /* its pixels are kept */
} TsimWorkState;

typedef struct {
    uint32_t next;        /* position in its list of work items */
    uint32_t first, n;    /* list: command_items[first .. first + n) */
    uint64_t outstanding; /* work items begun and not ended */
} TsimCommandQueue;

typedef struct {
    uint32_t work;         /* draw in hand; TSIM_NONE: none */
    uint32_t se;           /* whose turn it is */
    uint32_t turn_patches; /* left in this turn */
    uint64_t ticks;        /* when the last patch arrived, in ticks of 1/patches_per_clk.num */
    uint32_t held;         /* group that finds its queue full; TSIM_NONE */
    gboolean resuming;     /* a place has fallen free: an event is on its way */
    uint64_t busy_ticks;
    TsimFifo draws; /* draws that wait for their turn */
} TsimVgt;

typedef struct {
    uint32_t work;
    uint16_t waves_left, waves_n;
    uint16_t cu;
    uint16_t lds_first;
    uint16_t at_barrier;
    uint32_t barrier_waves;
} TsimComputeGroup;

typedef void (*TsimProgress)(double share, void *user); /* share: 0..1 of the work */

typedef struct TsimMachine {
    TsimArena *arena;
    TsimQueue *queue;
    const TsimGpu *gpu;
    const TsimScenario *scenario;

    uint32_t ses, cus_n, simds_per_cu, wave_size;
    uint32_t lds_granule, tess_lds_limit; /* granules that LS-HS groups may use (D3) */
    int launch_order[TSIM_STAGES];
    TsimSimdSpec simd_spec;

    TsimWave *waves;
    TsimPool wave_pool;
    TsimSimd *simds;
    TsimSimdFiles *files; /* registers and slots, by SIMD */
    uint32_t *simd_units; /* event order of each SIMD */
    TsimCu *cus;
    TsimTextureUnit *texture_units; /* by CU; two a WGP */
    uint32_t texture_units_n;
    TsimGroup *groups;
    TsimPool group_pool;
    TsimDsRecord *ds_records;
    TsimPool ds_pool;
    TsimComputeGroup *compute_groups;
    TsimPool compute_pool;
    TsimLauncher *launchers;
    TsimTessellator *tessellators;
    TsimSetup *setups;
    uint64_t *ring_free_bytes; /* tess-factor ring, by SE */
    uint64_t *offchip_free;    /* bitmap of off-chip buffers */
    uint32_t offchip_in_use, offchip_peak;
    TsimVgt vgt;
    TsimMemory memory;
    TsimRayState *rays; /* NULL: none are traced */
    TsimAtomics atomics;
    gboolean plain_sampling; /* sample_feedback work leaves its feedback out */
    TsimCommandQueue *commands;
    uint32_t *command_items;
    uint32_t compute_next_se;        /* whose turn it is to get a compute threadgroup */
    uint64_t ses_waiting_for_any_cu; /* bit an SE: the head of its DS queue may run anywhere and
                                        found no CU */
    TsimWorkState *work;

    /* Statistics */
    uint64_t events, last_cycle;
    TsimMeter stage_meters[TSIM_STAGES];
    TsimMeter owner_meters[TSIM_LDS_OWNERS];
    TsimMeter lds_meter; /* all owners */
    TsimSeries stage_series[TSIM_STAGES], lds_series;
    uint64_t stalls[TSIM_STAGES][TSIM_STALLS_COUNT];
    uint32_t peak_threadgroups_per_cu;
    TsimHistogram group_lives; /* cycles from admission to the end */
    uint64_t fragmentation_refusals;
    uint32_t fragmented_free_granules, fragmented_run_granules;

    /* Onlookers */
    struct TsimTrace *trace; /* NULL: no timeline */
    TsimProgress progress;   /* NULL: nobody wants to know */
    void *progress_user;
    uint64_t progress_at, look_at; /* cycles at which progress, or any onlooker, has its turn */
} TsimMachine;

/* Builds the machine for a scenario that io has checked. NULL and error (TSIM_ERROR_LIMIT) when
 * some work can never fit; warnings receives char * lines. scenario must outlive the machine. */
TsimMachine *tsim_machine_new(const TsimScenario *scenario, GPtrArray *warnings, GError **error);

/* The same machine before its run, without sampler feedback: what feedback costs is the difference.
 */
TsimMachine *tsim_machine_plain_new(const TsimMachine *machine);

void tsim_machine_free(TsimMachine *machine); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimMachine, tsim_machine_free)

/* Sums up a finished run, once. */
TsimResult *tsim_machine_result(TsimMachine *machine);

/* TRUE when every resource is back and all work has ended; else error (TSIM_ERROR_STUCK) says who
 * waits for what, held by whom. */
gboolean tsim_machine_check_end(const TsimMachine *machine, GError **error);

/* ---- Small helpers that all units share ---- */

static inline uint64_t tsim_now(const TsimMachine *machine)
{
    return tsim_queue_now(machine->queue);
}

static inline const TsimDraw *tsim_draw(const TsimMachine *machine, uint32_t work)
{
    return &machine->scenario->work[work].draw;
}

/* Posts an event of that type for cycle `when`; its phase is that of model/events.def. */
void tsim_post(TsimMachine *machine, uint64_t when, TsimEventType type, uint32_t unit,
               uint32_t arg);

void tsim_fifo_init(TsimFifo *fifo, TsimArena *arena, uint32_t capacity);
void tsim_pool_init(TsimPool *pool, TsimArena *arena, uint32_t n);

static inline void tsim_fifo_push(TsimFifo *fifo, uint32_t item)
{
    TSIM_ASSERT_HOT(fifo->n < fifo->capacity);
    fifo->items[(fifo->first + fifo->n++) & (fifo->capacity - 1)] = item;
}

static inline uint32_t tsim_fifo_first(const TsimFifo *fifo)
{
    return fifo->n > 0 ? fifo->items[fifo->first] : TSIM_NONE;
}

static inline uint32_t tsim_fifo_pop(TsimFifo *fifo)
{
    const uint32_t item = fifo->items[fifo->first];

    fifo->first = (fifo->first + 1) & (fifo->capacity - 1);
    fifo->n--;
    return item;
}

static inline uint32_t tsim_fifo_at(const TsimFifo *fifo, uint32_t i)
{
    return fifo->items[(fifo->first + i) & (fifo->capacity - 1)];
}

/* Takes out the item at place i; those behind it move up. */
static inline void tsim_fifo_remove(TsimFifo *fifo, uint32_t i)
{
    for (fifo->n--; i < fifo->n; i++) {
        fifo->items[(fifo->first + i) & (fifo->capacity - 1)] = tsim_fifo_at(fifo, i + 1);
    }
}

static inline uint32_t tsim_pool_take(TsimPool *pool)
{
    TSIM_ASSERT(pool->free_n > 0);
    return pool->free[--pool->free_n];
}

static inline void tsim_pool_give(TsimPool *pool, uint32_t index)
{
    pool->free[pool->free_n++] = index;
}
