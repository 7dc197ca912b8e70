/* What a run looked like over time, recorded while it goes on.
 *
 * A track is one number of one unit: waves of a stage in a CU, LDS bytes of an owner, a queue's
 * length, busy cycles. Each track is kept in at most TSIM_TIMELINE_BUCKETS buckets of equal width
 * with exact sum, least and greatest value; the width doubles whenever time outgrows them. Blocks
 * of LDS and threadgroups are kept exactly while they are few; beyond that blocks are those seen at
 * every lds_quantum-th cycle and threadgroups every group_stride-th: memory is bounded and what is
 * left out is told. With TSIM_DETAIL_FULL every change, wave, block and threadgroup goes to a spool
 * on disk as well.
 *
 * Times are cycles. Only [from, to) is recorded, and only units that were asked for. Recording
 * reads the model and changes nothing in it. No allocation between tsim_timeline_new and _finish.
 * Errors: TSIM_ERROR_OUTPUT, TSIM_ERROR_USAGE.
 */
#pragma once

#include "stats/result.h"
#include "stats/spool.h"

#define TSIM_TIMELINE_BUCKETS 1024u
#define TSIM_TIMELINE_BLOCKS  65536u
#define TSIM_TIMELINE_GROUPS  16384u

/* ---- What is recorded ---- */

typedef enum {
    TSIM_DETAIL_BUCKETS,
    TSIM_DETAIL_FULL,
} TsimTimelineDetail;

/* Kinds of numbers; those in families are offset by stage, owner, resource, or stage and stall. */
enum {
    TSIM_METRIC_WAVES = 0,                                          /* a CU: resident, by stage */
    TSIM_METRIC_LDS = TSIM_METRIC_WAVES + TSIM_RESULT_STAGES,       /* a CU: bytes, by owner */
    TSIM_METRIC_TD_RAYS = TSIM_METRIC_LDS + TSIM_LDS_OWNERS,        /* a CU: waves in TD for rays */
    TSIM_METRIC_QUEUE,                                              /* an SE: waiting, by stage */
    TSIM_METRIC_STALL = TSIM_METRIC_QUEUE + TSIM_RESULT_STAGES,     /* an SE: 1 while it waits so */
    TSIM_METRIC_TESS_BLOCKED =                                      /* an SE: 1 while it stands */
        TSIM_METRIC_STALL + TSIM_RESULT_STAGES * TSIM_STALLS_COUNT, /* still */
    TSIM_METRIC_EXPORTS,                                            /* an SE: DS waves with space */
    TSIM_METRIC_TF_RING,                                            /* an SE: bytes held */
    TSIM_METRIC_OFFCHIP_BUFFERS,                                    /* in use */
    TSIM_METRIC_BUSY,                                               /* busy cycles, by resource */
    TSIM_METRIC_DRAM_READ = TSIM_METRIC_BUSY + TSIM_RESOURCES_COUNT, /* bytes */
    TSIM_METRIC_DRAM_WRITTEN,                                        /* bytes */
    TSIM_METRIC_PATCHES,
    TSIM_METRIC_DS_THREADS,
    TSIM_METRIC_PRIMITIVES,
    TSIM_METRICS,
};

typedef enum {
    TSIM_UNIT_GPU,
    TSIM_UNIT_SE,
    TSIM_UNIT_CU,
} TsimUnit;

TsimUnit tsim_metric_unit(uint32_t metric);

/* Work adds up (busy cycles, bytes, patches) and is read off at the end of each bucket; other
 * metrics are levels, known at every cycle. */
gboolean tsim_metric_is_work(uint32_t metric);

typedef struct {
    uint64_t sum;      /* of value * cycles; of work, what was done */
    uint32_t min, max; /* of values that held for at least a cycle; levels only */
} TsimBucket;

typedef struct {
    uint64_t since, until; /* the value holds since; end of the bucket in hand */
    uint64_t sum;          /* of the bucket in hand; work: done before it */
    uint32_t value, min, max;
    uint32_t bucket;
    uint32_t at_from; /* value when recording began */
    gboolean off;     /* its unit is not recorded */
} TsimTrack;

/* ---- Spans: 8-byte aligned, a multiple of 16 bytes ---- */

typedef struct {
    uint64_t begin, end;
    uint32_t cu, group;  /* group: serial of the LS-HS threadgroup; UINT32_MAX: of none */
    uint16_t simd, slot; /* of the CU; of the SIMD */
    uint16_t threads;
    uint8_t stage;
    uint8_t decides; /* an HS wave whose end decided on-chip or off-chip for the group */
    uint64_t number; /* of a DS wave in its group */
    uint64_t reserved;
} TsimWaveSpan;

typedef struct {
    uint64_t begin, end;
    uint32_t cu, group;
    uint16_t first, size; /* granules */
    uint16_t owner;
    uint16_t reserved;
} TsimLdsSpan;

typedef struct {
    uint64_t begin; /* admitted */
    uint64_t end;
    uint64_t ls_end, hs_begin, decision;  /* ls_end: 0 for merged waves */
    uint64_t ds_begin, ds_end, lds_freed; /* ds_begin UINT64_MAX: no DS wave */
    uint32_t serial, cu;                  /* serial: in admission order */
    uint32_t draw, lane; /* index of the work item; lane: threadgroups of a CU on the same lane
                            never overlap */
    uint32_t patches, ds_waves;
    uint32_t offchip, lds_bytes;
} TsimGroupSpan;

/* ---- The recording ---- */

typedef struct {
    uint32_t ses, cus, simds_per_cu, waves_per_simd;
    uint32_t lds_bytes_per_cu, lds_granule;
    const uint32_t *first_cu; /* by SE; lent to tsim_timeline_new, NULL behind it */
} TsimTimelineMachine;

typedef struct {
    TsimTimelineDetail detail;
    uint64_t from, to;        /* to 0: to the end */
    const char *units;        /* "gpu,se1,cu0,cu4-7": an SE means its CUs too; NULL: all */
    const char *spool_folder; /* TSIM_DETAIL_FULL: where the spool may lie */
} TsimTimelineOptions;

typedef struct TsimTimeline {
    TsimTimelineMachine machine;
    uint32_t *se_of_cu;
    gboolean gpu_on, *se_on, *cu_on;  /* units that are recorded */
    uint64_t from, to;                /* to: UINT64_MAX until the run has ended */
    uint32_t bucket_shift, buckets_n; /* buckets_n: set when finished */
    uint64_t next_work; /* cycle at which work is to be read off next; UINT64_MAX: never */
    gboolean work_begun;
    uint32_t first_track[TSIM_METRICS + 1];
    TsimTrack *tracks;
    TsimBucket *buckets; /* TSIM_TIMELINE_BUCKETS a track */
    TsimSpool *spool;    /* NULL: buckets only */

    TsimLdsSpan *blocks;
    uint32_t blocks_n;
    uint64_t lds_quantum; /* 1: all blocks, with exact times */
    TsimGroupSpan *groups;
    uint32_t groups_n, group_stride; /* stride 1: all */
} TsimTimeline;

TsimTimeline *tsim_timeline_new(const TsimTimelineMachine *machine,
                                const TsimTimelineOptions *options, GError **error);
void tsim_timeline_free(TsimTimeline *timeline); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimTimeline, tsim_timeline_free)

static inline uint32_t tsim_timeline_track(const TsimTimeline *timeline, uint32_t metric,
                                           uint32_t unit)
{
    return timeline->first_track[metric] + unit;
}

void tsim_timeline_turn_bucket(TsimTimeline *timeline, TsimTrack *track, uint64_t now);

/* The track was what it was until now, and is `value` from now on. */
static inline void tsim_timeline_set(TsimTimeline *timeline, uint32_t index, uint64_t now,
                                     uint32_t value)
{
    TsimTrack *track = &timeline->tracks[index];

    if (value == track->value) {
        return;
    }
    if (now >= track->until) {
        tsim_timeline_turn_bucket(timeline, track, now);
    }
    if (now > track->since) {
        track->sum += track->value * (now - track->since);
        track->min = MIN(track->min, track->value);
        track->max = MAX(track->max, track->value);
        track->since = now;
    }
    track->value = value;
    if (now <= timeline->from) {
        track->at_from = value;
    } else if (timeline->spool != NULL && !track->off) {
        tsim_spool_put(timeline->spool, (TsimCell){now, index, value});
    }
}

static inline void tsim_timeline_add(TsimTimeline *timeline, uint32_t index, uint64_t now,
                                     int32_t change)
{
    tsim_timeline_set(timeline, index, now, timeline->tracks[index].value + (uint32_t)change);
}

/* At cycle next_work all work tracks are told how much has been done before it, then the bucket is
 * closed, which moves next_work. */
static inline void tsim_timeline_work(TsimTimeline *timeline, uint32_t index, uint64_t done)
{
    TsimTrack *track = &timeline->tracks[index];
    const size_t bucket = (size_t)index * TSIM_TIMELINE_BUCKETS + timeline->buckets_n;

    if (!track->off) {
        timeline->buckets[bucket].sum = done - track->sum;
        track->sum = done;
    }
}

void tsim_timeline_close_bucket(TsimTimeline *timeline);

void tsim_timeline_wave(TsimTimeline *timeline, const TsimWaveSpan *span);
void tsim_timeline_block(TsimTimeline *timeline, const TsimLdsSpan *span);
void tsim_timeline_group(TsimTimeline *timeline, const TsimGroupSpan *span);

/* The run has ended at cycle `end`; work has been told once more, for the last bucket. */
gboolean tsim_timeline_finish(TsimTimeline *timeline, uint64_t end, GError **error);

/* ---- Reading ---- */

/* First cycle of a bucket; `to` for the one behind the last. */
static inline uint64_t tsim_timeline_bucket_cycle(const TsimTimeline *timeline, uint32_t bucket)
{
    return MIN(timeline->from + ((uint64_t)bucket << timeline->bucket_shift), timeline->to);
}

static inline const TsimBucket *tsim_timeline_buckets(const TsimTimeline *timeline, uint32_t track)
{
    return &timeline->buckets[(size_t)track * TSIM_TIMELINE_BUCKETS];
}

/* Whether anything but zeros was recorded. */
gboolean tsim_timeline_is_used(const TsimTimeline *timeline, uint32_t track);

/* Sum of value * cycles, or of work, over what was recorded. */
uint64_t tsim_timeline_integral(const TsimTimeline *timeline, uint32_t track);

/* The recorded CU that is worth a look at its LDS: where tessellation held the most, and of those
 * alike where the most was held by all. */
uint32_t tsim_timeline_fullest_cu(const TsimTimeline *timeline);

typedef enum {
    TSIM_SIGNAL_EXACT, /* levels, with TSIM_DETAIL_FULL */
    TSIM_SIGNAL_MEAN,  /* of a bucket; of work, per cycle */
    TSIM_SIGNAL_MIN,
    TSIM_SIGNAL_MAX,
    TSIM_SIGNALS,
} TsimSignal;

/* Which signals a track is replayed as. */
gboolean tsim_timeline_has_signal(const TsimTimeline *timeline, uint32_t track, TsimSignal signal);

typedef struct {
    /* In order of time. All signals begin as 0 at `from` and are 0 again at `to`; only changes are
     * told, the last one of a cycle. Each of the four may be NULL. */
    void (*level)(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value);
    /* In order of their ends among levels with TSIM_DETAIL_FULL, else after all levels, and no
     * waves. */
    void (*wave)(void *user, const TsimWaveSpan *span);
    void (*block)(void *user, const TsimLdsSpan *span);
    void (*group)(void *user, const TsimGroupSpan *span);
} TsimTimelineVisitor;

gboolean tsim_timeline_replay(TsimTimeline *timeline, const TsimTimelineVisitor *visitor,
                              void *user, GError **error);
