/* Shader programs made ready to run: what each step costs on this GPU, for this stage, in this
 * draw.
 *
 * Zero-length steps are dropped and the counts that follow from the draw's slots are filled in
 * (E16), so that a running wave only looks numbers up.
 */
#pragma once

#include "base/arena.h"
#include "hw/limits.h"
#include "hw/stage.h"
#include "workload/plan.h"

typedef enum {
    TSIM_STEP_ALU,   /* amount: cycles of a SIMD that the wave has for itself */
    TSIM_STEP_DELAY, /* amount: cycles */
    TSIM_STEP_LDS,   /* amount: instructions */
    TSIM_STEP_MEM,
    TSIM_STEP_SAMPLE,
    TSIM_STEP_EXPORT,
    TSIM_STEP_BARRIER,
    TSIM_STEP_PATCH_READ,
    TSIM_STEP_PATCH_WRITE,
    TSIM_STEP_RAY_NODES, /* one round of a traversal, in these steps; model/ray.h has the amounts */
    TSIM_STEP_RAY_ALU,
    TSIM_STEP_RAY_STACK,
    TSIM_STEP_RAY_LOOP,         /* amount: step of the next round */
    TSIM_STEP_FEEDBACK_LOOK_UP, /* of sample_feedback work: model/feedback.h */
    TSIM_STEP_FEEDBACK_ADDRESS,
    TSIM_STEP_FEEDBACK_WRITE,
    TSIM_STEP_FEEDBACK_READ,
} TsimStepKind;

typedef struct {
    uint8_t kind; /* TsimStepKind */
    uint8_t uniform, store;
    uint32_t amount;
    uint32_t bytes_per_lane;
    uint32_t stream; /* MEM, SAMPLE: index of the address stream that its accesses walk along */
    uint64_t footprint_lines; /* of that stream; 0: never the same line twice */
} TsimStep;

typedef struct {
    uint32_t steps_n;
    TsimStep *steps;
    uint32_t vgprs, sgprs; /* allocated in the SIMD's files, after the granule */
} TsimProgram;

/* One shader after the other (merged LS-HS waves: VS, barrier, HS); `second` may be NULL. plan is
 * NULL outside draws. streams counts the address streams given out so far. Memory comes from arena.
 */
void tsim_program_init(TsimProgram *program, TsimArena *arena, const TsimGpu *gpu,
                       const TsimDrawPlan *plan, const TsimShader *first, const TsimShader *second,
                       uint32_t *streams);

/* A shader of sample_feedback work: sampling comes first. */
void tsim_program_init_feedback(TsimProgram *program, TsimArena *arena, const TsimGpu *gpu,
                                const TsimShader *shader, gboolean looks_up, uint32_t *streams);
