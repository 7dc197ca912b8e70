/* What the GPU is asked to do: plain data, immutable during a run.
 *
 * A scenario is a list of work items in submission order. The structs hold what the user wrote;
 * settings left to the tool (`auto`) are worked out by workload/plan.h. Everything is owned by
 * TsimScenario.
 */
#pragma once

#include "hw/gpu.h"
#include "hw/patch-rule.h"
#include "workload/factors.h"
#include "workload/feedback-work.h"
#include "workload/ray-work.h"
#include "workload/shader.h"
#include "workload/tessellation.h"
#include "workload/vertex-reuse.h"

typedef enum {
    TSIM_MODE_ONCHIP,
    TSIM_MODE_OFFCHIP,
} TsimTessMode;

/* Pipeline flags of the XBOX One (T7): which of GS and tessellation is off-chip. */
typedef enum {
    TSIM_PIPELINE_FLAG_NONE,
    TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_ONCHIP,
    TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_OFFCHIP,
    TSIM_PIPELINE_FLAG_GS_OFFCHIP_TS_OFFCHIP,
} TsimPipelineFlag;

/* Whether HS and DS were compiled with __XBOX_ENABLE_HSOFFCHIP (T11). */
typedef enum {
    TSIM_COMPILED_AS_MODE, /* not said: follows the mode */
    TSIM_COMPILED_ONCHIP,
    TSIM_COMPILED_OFFCHIP,
} TsimCompiled;

extern const char *const tsim_tess_mode_names[];
extern const char *const tsim_pipeline_flag_names[];

/* Whether a flag says the same as a mode; NONE agrees with both. */
gboolean tsim_pipeline_flag_agrees(TsimPipelineFlag flag, TsimTessMode mode);

typedef struct {
    int mode;                         /* TsimTessMode */
    int patch_rule;                   /* TsimPatchRule */
    uint32_t patches_per_threadgroup; /* 0: auto, by patch_rule */
    double tf_threshold;              /* negative: auto, by tf_rule */
    int tf_rule;                      /* TsimThresholdRule */
    int average_rule;                 /* TsimAverageRule */
    int tf_compare;                   /* TsimTfCompare */
    int culled_patches;               /* TsimCulledRule */
    uint32_t ds_wave_threshold;       /* T9: 0..15 */
    gboolean
        thresholds_given; /* the user wrote one: a warning on GPUs without on-chip mode (T14) */
    int pipeline_flag;
} TsimTessSettings;

/* Pixel work behind a draw: set-up makes pixels, pixels make PS waves that hold LDS for
 * interpolants (T12). */
typedef struct {
    TsimShader shader;
    double pixels_per_primitive;
    uint32_t interpolants; /* vec4 each; 48 bytes of LDS a primitive and interpolant */
} TsimPixelWork;

/* On-chip geometry shader behind the DS: one thread a primitive; its input ring is LDS of the DS
 * wave's CU (T12). */
typedef struct {
    TsimShader shader;
    uint32_t lds_bytes;              /* input ring of one DS wave's primitives */
    double primitives_per_primitive; /* amplification */
} TsimGeometryWork;

typedef struct {
    char *name;
    uint64_t patches;
    int domain, partitioning, topology;
    double max_tess_factor; /* hlsl maxtessfactor, clamps every factor first */
    uint32_t input_control_points, output_control_points; /* 1..32 */
    TsimFactorSource *factors;
    int vertex_reuse;            /* TsimVertexReuseKind */
    uint32_t vertex_reuse_depth; /* points; 0: the GPU's */
    TsimTessSettings tessellation;
    TsimShader vs, hs, ds;
    uint32_t vs_output_vec4;         /* 16-byte slots a vertex that the next stage reads */
    uint32_t hs_output_vec4;         /* slots an output control point that the DS reads */
    uint32_t hs_patch_constant_vec4; /* slots a patch, without the tess factors */
    gboolean hs_reads_outputs;       /* of other threads; matters to some patch rules */
    int hs_compiled, ds_compiled;    /* TsimCompiled */
    gboolean has_gs, has_ps;
    TsimGeometryWork gs;
    TsimPixelWork ps;
} TsimDraw;

/* What a patch of the draw becomes, and what it adds to the average of its threadgroup. */
TsimTessCounts tsim_draw_patch_counts(const TsimDraw *draw, const TsimTessFactors *factors);
TsimFactorMean tsim_draw_factor_mean(const TsimDraw *draw, const TsimTessFactors *factors);

typedef struct {
    char *name;
    uint64_t threadgroups;
    uint32_t threads; /* of a threadgroup */
    uint32_t lds_bytes;
    TsimShader cs;
} TsimDispatch;

typedef enum {
    TSIM_WORK_DRAW,
    TSIM_WORK_DISPATCH,
    TSIM_WORK_BARRIER, /* waits for all earlier work of its queue (E15) */
    TSIM_WORK_SAMPLE_FEEDBACK,
    TSIM_WORK_RAYS,
} TsimWorkType;

extern const char *const tsim_work_type_names[]; /* "draw", "dispatch", ... */

typedef struct {
    int type;       /* TsimWorkType */
    uint32_t queue; /* index into TsimScenario.queues */
    TsimDraw draw;  /* the member that type names is in use */
    TsimDispatch dispatch;
    TsimRayWork rays;
    TsimFeedbackWork feedback;
} TsimWork;

typedef struct {
    char *name;
    char *description;
    char *gpu_name; /* as the user named it */
    TsimGpu *gpu;
    uint64_t seed;
    uint32_t queues_n;
    char **queues; /* names, in order of first use */
    uint32_t work_n;
    TsimWork *work;
    gboolean keeps_ray_images; /* what every pixel cost and saw is wanted */
} TsimScenario;

TsimScenario *tsim_scenario_new(void);
void tsim_scenario_free(TsimScenario *scenario); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimScenario, tsim_scenario_free)

/* The first work of type sample_feedback; NULL when there is none. */
const TsimFeedbackWork *tsim_scenario_feedback(const TsimScenario *scenario);

/* Scalar members that users write, one table a JSON object. */
extern const TsimField tsim_draw_fields[];      /* of TsimDraw */
extern const TsimField tsim_tess_fields[];      /* of TsimTessSettings, less the next two */
extern const TsimField tsim_tess_auto_fields[]; /* those that may be "auto", the default, which is
                                                   outside of their range */
extern const TsimField tsim_vs_fields[];        /* "output_vec4" of TsimDraw */
extern const TsimField tsim_hs_fields[];        /* "output_vec4" ... "reads_outputs" of TsimDraw */
extern const TsimField tsim_pixel_fields[];     /* of TsimPixelWork */
extern const TsimField tsim_geometry_fields[];  /* of TsimGeometryWork */
extern const TsimField tsim_dispatch_fields[];  /* of TsimDispatch */
extern const TsimField tsim_scenario_fields[];  /* name, description, seed */
