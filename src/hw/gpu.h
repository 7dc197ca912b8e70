/* What a GPU is: plain facts, read from a file of configs/ in which every number has a source.
 *
 * The fields, their units, ranges and defaults are in hw/gpu-fields.def. Nothing here knows about
 * time; a quirk is a field, never a test of the generation.
 */
#pragma once

#include "base/field.h"
#include "base/rate.h"

typedef enum {
    TSIM_LDS_FIRST_FIT,
    TSIM_LDS_BEST_FIT,
    TSIM_LDS_NEXT_FIT,
} TsimLdsPlacement;

typedef enum {
    TSIM_CU_ROUND_ROBIN,
    TSIM_CU_FEWEST_WAVES,
    TSIM_CU_FIRST,
} TsimCuPolicy;

typedef enum {
    TSIM_SIMD_ROUND_ROBIN,
    TSIM_SIMD_FEWEST_WAVES,
} TsimSimdPolicy;

typedef enum {
    TSIM_OFFCHIP_SCOPE_GPU,
    TSIM_OFFCHIP_SCOPE_SE,
} TsimOffchipScope;

extern const char *const tsim_lds_placement_names[];
extern const char *const tsim_cu_policy_names[];
extern const char *const tsim_simd_policy_names[];
extern const char *const tsim_offchip_scope_names[];

/* How well a number is known. */
typedef enum {
    TSIM_KIND_UNSTATED, /* the file gives a bare number, or the default is in force */
    TSIM_KIND_DOCUMENTED,
    TSIM_KIND_MEASURED,
    TSIM_KIND_ESTIMATED,
} TsimFieldKind;

extern const char *const tsim_field_kind_names[];

#define TEXT(name, blurb)                       TSIM_GPU_FIELD_##name,
#define REAL(name, unit, min, max, init, blurb) TSIM_GPU_FIELD_##name,
#define U32                                     REAL
#define RATE                                    REAL
#define COUNTS                                  REAL
#define BOOL(name, init, blurb)                 TSIM_GPU_FIELD_##name,
#define ENUM(name, words, init, blurb)          TSIM_GPU_FIELD_##name,
typedef enum {
#include "hw/gpu-fields.def"
    TSIM_GPU_FIELDS,
} TsimGpuFieldId;
#undef TEXT
#undef REAL
#undef U32
#undef RATE
#undef COUNTS
#undef BOOL
#undef ENUM

typedef struct {
#define TEXT(name, blurb)                         char *name;
#define REAL(name, unit, min, max, init, blurb)   double name;
#define U32(name, unit, min, max, init, blurb)    uint32_t name;
#define RATE(name, unit, min, max, init, blurb)   TsimRate name;
#define COUNTS(name, unit, min, max, init, blurb) TsimCounts name;
#define BOOL(name, init, blurb)                   gboolean name;
#define ENUM(name, words, init, blurb)            int name;
#include "hw/gpu-fields.def"
#undef TEXT
#undef REAL
#undef U32
#undef RATE
#undef COUNTS
#undef BOOL
#undef ENUM
    uint8_t kinds[TSIM_GPU_FIELDS]; /* TsimFieldKind of each field */
    char *sources[TSIM_GPU_FIELDS]; /* where each value comes from; NULL when unstated */
} TsimGpu;

/* In the order of TsimGpuFieldId, ends with a NULL name. */
extern const TsimField tsim_gpu_fields[];

TsimGpu *tsim_gpu_new(void); /* all defaults */
TsimGpu *tsim_gpu_copy(const TsimGpu *gpu);
void tsim_gpu_free(TsimGpu *gpu); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimGpu, tsim_gpu_free)

/* Rules between fields (wave size, list lengths, priority words, granules that divide ...).
 * On failure ret_field is the field at fault and error (TSIM_ERROR_INPUT) says what is allowed,
 * without a place. */
gboolean tsim_gpu_validate(const TsimGpu *gpu, TsimGpuFieldId *ret_field, GError **error);

/* Cache line of the vector memory path, and the unit in which accesses of one instruction are
 * merged. */
#define TSIM_LINE_BYTES 64

/* ---- Derived shape. A "CU" here is the unit that takes threadgroups: a WGP in wgp_mode. ---- */

#define TSIM_MAX_CUS 512

uint32_t tsim_gpu_cus_in_array(const TsimGpu *gpu, uint32_t se, uint32_t array);
uint32_t tsim_gpu_cus_in_se(const TsimGpu *gpu, uint32_t se);
uint32_t tsim_gpu_cus(const TsimGpu *gpu);
uint32_t tsim_gpu_simds_per_unit(const TsimGpu *gpu);     /* simds_per_cu, twice in wgp_mode */
uint32_t tsim_gpu_lds_bytes_per_unit(const TsimGpu *gpu); /* lds_bytes_per_cu, twice in wgp_mode */
uint32_t tsim_gpu_barriers_per_unit(const TsimGpu *gpu);  /* barriers_per_cu, twice in wgp_mode */

/* The launcher's stages, first served first: TsimStage values, TSIM_STAGES of them. */
void tsim_gpu_launch_order(const TsimGpu *gpu, int ret_stages[]);
