/* The plain result of a run: what reports, comparisons and sweeps read.
 *
 * Numbers only, no pointers into the simulator. Times are core cycles unless the name says
 * otherwise; all integrals are exact integers, ratios are worked out when a report is written.
 */
#pragma once

#include "stats/feedback-result.h"
#include "stats/ray-result.h"

#include <glib.h>
#include <stdint.h>

#define TSIM_RESULT_STAGES 6 /* vs, hs, ds, gs, ps, cs: the order of hw/stage.h */

/* Why the head of a launch queue waited (model section 4), in the order in which the conditions are
 * met: when CUs refuse for different reasons, the one that came furthest is named. */
#define TSIM_STALLS(NAME)                                                                          \
    NAME(RATE, "rate", "the launcher's waves a clock were used up")                                \
    NAME(RING, "tf_ring", "no room in the tess-factor ring")                                       \
    NAME(OFFCHIP_BUFFER, "offchip_buffer", "no free off-chip buffer")                              \
    NAME(EXPORT, "export_space", "no export space")                                                \
    NAME(LDS, "lds", "no CU had that much LDS free")                                               \
    NAME(LDS_FRAGMENTED, "lds_fragmented", "LDS was free, but not in one piece")                   \
    NAME(BARRIER, "barrier", "no free barrier slot")                                               \
    NAME(SLOTS, "wave_slots", "no free wave slots")                                                \
    NAME(VGPRS, "vgprs", "no free vector registers")                                               \
    NAME(SGPRS, "sgprs", "no free scalar registers")                                               \
    NAME(CLAIMED, "claimed", "freed room is kept for an older head that can run nowhere else")     \
    NAME(HOME_CU, "home_cu", "the wave's own CU was full and it may run nowhere else")

typedef enum {
#define STALL_ENUM(symbol, key, words) TSIM_STALL_##symbol,
    TSIM_STALLS(STALL_ENUM)
#undef STALL_ENUM
    TSIM_STALLS_COUNT,
} TsimStall;

extern const char *const tsim_stall_names[]; /* keys in index order */
extern const char *const tsim_stall_words[]; /* one clause of plain words each */

/* Who holds LDS. */
typedef enum {
    TSIM_LDS_OWNER_TESS, /* LS-HS threadgroups, until their LDS is freed */
    TSIM_LDS_OWNER_GS,
    TSIM_LDS_OWNER_PS,
    TSIM_LDS_OWNER_CS,
    TSIM_LDS_OWNERS,
} TsimLdsOwner;

extern const char *const tsim_lds_owner_names[]; /* "tess", "gs", "ps", "cs" */

/* Things that do work at a rate; busy time is kept for each. */
#define TSIM_RESOURCES(NAME)                                                                       \
    NAME(VGT, "vgt", "the VGT's patch rate")                                                       \
    NAME(LAUNCHER, "launcher", "the wave launch rate of a shader engine")                          \
    NAME(TESSELLATOR, "tessellator", "the tessellator of a shader engine")                         \
    NAME(SETUP, "setup", "primitive set-up of a shader engine")                                    \
    NAME(VALU, "valu", "vector ALU issue of the SIMDs")                                            \
    NAME(LDS_PIPE, "lds_pipe", "LDS bandwidth of the CUs")                                         \
    NAME(TEXTURE, "texture_unit", "the texture units of the CUs")                                  \
    NAME(EXPORT_PATH, "export", "the export path of a shader engine")                              \
    NAME(L1, "l1", "L1 bandwidth of the CUs")                                                      \
    NAME(L2, "l2", "L2 bandwidth")                                                                 \
    NAME(DRAM, "dram", "DRAM bandwidth")

typedef enum {
#define RESOURCE_ENUM(symbol, key, words) TSIM_RESOURCE_##symbol,
    TSIM_RESOURCES(RESOURCE_ENUM)
#undef RESOURCE_ENUM
    TSIM_RESOURCES_COUNT,
} TsimResource;

extern const char *const tsim_resource_names[];
extern const char *const tsim_resource_words[];

typedef struct {
    uint64_t patches, culled_patches;
    uint64_t threadgroups, threadgroups_onchip, threadgroups_offchip; /* LS-HS */
    uint64_t compute_threadgroups;
    uint64_t waves[TSIM_RESULT_STAGES]; /* launched, by stage */
    uint64_t ds_waves_onchip, ds_waves_offchip;
    uint64_t domain_points; /* distinct in their patch */
    uint64_t ds_threads;    /* those, again where vertex reuse forgot them */
    uint64_t primitives;
    uint64_t offchip_bytes_written, offchip_bytes_read, tf_ring_bytes;
} TsimTotals;

/* How the work of a draw is spread, and what its culled patches still cost. Bins are 0, 1, 2, 3-4,
 * 5-8 and so on. */
#define TSIM_RESULT_FACTOR_BINS 8  /* up to factor 64 */
#define TSIM_RESULT_WAVE_BINS   18 /* up to 65536 waves */

typedef struct {
    uint64_t patches_by_factor[TSIM_RESULT_FACTOR_BINS]; /* mean factor rounded down; 0: culled */
    uint64_t groups_by_ds_waves[TSIM_RESULT_WAVE_BINS];
    uint64_t culled_vs_threads, culled_hs_threads, culled_lds_bytes;
    uint64_t culled_threadgroups; /* without DS work */
} TsimSpread;

typedef struct {
    char *name;
    TsimTotals totals;
    const char *type; /* of the work item */
    gboolean is_draw; /* FALSE: the settings below are unused */
    const char *mode, *patch_rule, *patch_limiter, *domain, *partitioning, *tf_rule, *vertex_reuse,
        *average_rule, *culled_patches, *tf_compare; /* static strings */
    const char *pipeline_flag;                       /* as the user gave it; static */
    gboolean patches_auto, tf_threshold_auto;
    uint32_t patches_per_threadgroup, ds_wave_threshold;
    double tf_threshold;
    uint32_t lds_bytes_per_threadgroup, lds_allocated_bytes_per_threadgroup;
    uint32_t vs_waves_per_threadgroup, hs_waves_per_threadgroup;
    uint64_t begin_cycle, end_cycle;
    TsimSpread spread;
    double mean_tess_factor; /* over all patches, as threadgroups average it */
} TsimDrawResult;

/* Work done by one resource, and the least time that it could have taken. */
typedef struct {
    uint64_t busy_cycles; /* summed over its instances */
    uint32_t instances;
    uint64_t max_busy_cycles; /* of the busiest instance */
} TsimResourceUse;

/* A step function of time in equal buckets of 2^bucket_shift cycles: sum over a bucket of value *
 * cycles. */
#define TSIM_SERIES_BUCKETS 128

typedef struct {
    uint32_t bucket_shift;
    uint64_t sums[TSIM_SERIES_BUCKETS];
} TsimSeries;

typedef struct {
    char *scenario, *description, *gpu, *gpu_description;
    uint64_t seed;
    double clock_mhz;
    uint32_t cus, shader_engines, simds_per_cu, waves_per_cu,
        lds_bytes_per_cu; /* a WGP counts as one CU here */
    gboolean has_onchip;

    uint64_t elapsed_cycles;
    uint64_t events; /* state transitions: launches, segment arrivals and completions, wave ends,
                        admissions, made waves */
    TsimTotals totals;
    uint32_t draws_n;
    TsimDrawResult *draws; /* draws and dispatches in submission order */

    /* Occupancy */
    uint64_t wave_cycles[TSIM_RESULT_STAGES]; /* integral over time of resident waves, whole GPU */
    uint64_t cu_wave_cycles_max, cu_wave_cycles_min; /* of the busiest and the idlest CU: balance */
    uint64_t *cu_wave_cycles;                        /* by CU; NULL: not known */
    uint32_t *engine_first_cu; /* by shader engine, and one more: the number of CUs */
    uint32_t peak_waves_per_cu;
    uint32_t peak_threadgroups_per_cu; /* LS-HS groups that hold LDS in a CU */
    uint64_t p50_threadgroup_cycles,
        p99_threadgroup_cycles; /* from admission to the end, as stats/histogram.h rounds */
    TsimSeries waves[TSIM_RESULT_STAGES]; /* resident waves of the GPU over time */

    /* LDS */
    uint64_t lds_byte_cycles[TSIM_LDS_OWNERS]; /* integral of allocated bytes, whole GPU */
    uint32_t peak_lds_bytes_per_cu;
    uint64_t fragmentation_refusals;       /* heads that waited although the bytes were free */
    uint32_t peak_fragmented_free_bytes;   /* most free bytes of a CU at such a refusal */
    uint32_t largest_run_at_refusal_bytes; /* and the largest free run then */
    TsimSeries lds;                        /* bytes allocated over time, whole GPU */

    uint64_t stall_cycles[TSIM_RESULT_STAGES][TSIM_STALLS_COUNT]; /* summed over the SEs */
    uint64_t tess_blocked_cycles; /* tessellators stopped by a full DS queue, summed over the SEs */
    TsimResourceUse resources[TSIM_RESOURCES_COUNT];

    uint64_t l1_lines, l1_hits, l2_lines, l2_hits, dram_bytes_read, dram_bytes_written;
    uint32_t offchip_buffers_peak;
    TsimRayResult rays;
    TsimFeedbackResult feedback;
    uint32_t estimated_fields_n; /* GPU fields of kind "estimated" */
    char **estimated_fields;     /* their names, NULL-terminated */
    GPtrArray *warnings;         /* char * */
} TsimResult;

TsimResult *tsim_result_new(void);
void tsim_result_free(TsimResult *result); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimResult, tsim_result_free)

/* Elapsed time if the resource alone had had to do its work, spread evenly: busy / instances,
 * rounded up. */
uint64_t tsim_result_bound_cycles(const TsimResult *result, TsimResource resource);

/* The resource with the highest bound; the bound over all resources is that one's. */
TsimResource tsim_result_bottleneck(const TsimResult *result);
