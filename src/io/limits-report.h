/* What `tesssim limits` answers: how much fits, what stops the next one, and what would let it in.
 *
 * Built once, then written as text, JSON or CSV. A report borrows the scenario, which must outlive
 * it. Strings are returned to the caller.
 */
#pragma once

#include "workload/occupancy.h"
#include "workload/survey.h"

/* One draw or dispatch of the scenario, or the query. */
typedef struct {
    const TsimWork *work; /* NULL: the query */
    char *name;
    uint32_t rows_n;
    TsimOccupancy rows[TSIM_STAGES];
    /* Draws only. */
    TsimDrawPlan plan;
    TsimSurvey survey;
    uint32_t tess_groups_per_cu;   /* LS-HS threadgroups */
    uint64_t tess_groups;          /* of the whole GPU, with ring and off-chip buffers counted in */
    const char *tess_groups_limit; /* static: "cus", "tf_ring" or "offchip_buffers" */
} TsimLimitsItem;

typedef struct {
    uint32_t value;
    TsimOccupancy row;
} TsimLimitsStep;

typedef struct {
    const TsimScenario *scenario; /* NULL: a query */
    TsimGpu *gpu;
    uint32_t items_n;
    TsimLimitsItem *items;
    const char *sweep_of; /* static: what steps vary; NULL: no sweep */
    uint32_t steps_n;
    TsimLimitsStep *steps;
    uint32_t lds_kept_free_bytes; /* of a CU, by LS-HS groups, for later stages of any draw */
    GPtrArray *warnings;          /* char * */
} TsimLimitsReport;

/* One kind of threadgroup, as given on a command line. */
typedef struct {
    const char *stage; /* word of hw/stage.h */
    uint32_t vgprs, sgprs;
    uint32_t lds_bytes;
    uint32_t threads;   /* of a threadgroup; 0: one wave */
    uint32_t wave_size; /* 0: the GPU's */
    gboolean wgp;       /* place threadgroups in WGPs, whatever the GPU file says */
    const char *sweep;  /* "lds=LO:HI:STEP", also vgprs, sgprs, threads; may be NULL */
} TsimLimitsQuery;

/* Fails (TSIM_ERROR_LIMIT) when work can never fit: one line of message a work item. */
TsimLimitsReport *tsim_limits_report_new(const TsimScenario *scenario, GError **error);

/* Fails (TSIM_ERROR_USAGE) when a value is beyond what the GPU or the stage has. */
TsimLimitsReport *tsim_limits_report_new_query(const TsimGpu *gpu, const TsimLimitsQuery *query,
                                               GError **error);

void tsim_limits_report_free(TsimLimitsReport *report); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimLimitsReport, tsim_limits_report_free)

char *tsim_limits_report_text(const TsimLimitsReport *report);
char *tsim_limits_report_json(const TsimLimitsReport *report);
char *tsim_limits_report_csv(const TsimLimitsReport *report);
