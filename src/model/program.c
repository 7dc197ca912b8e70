#include "model/program.h"

#include "base/error.h"

/* A quarter-rate instruction takes four issue slots (E1). */
#define TRANS_ISSUE_FACTOR 4

static TsimStepKind step_kind(TsimOp op)
{
    switch (op) {
    case TSIM_OP_VALU:
    case TSIM_OP_TRANS:
        return TSIM_STEP_ALU;
    case TSIM_OP_SALU:
    case TSIM_OP_WAIT:
        return TSIM_STEP_DELAY;
    case TSIM_OP_LDS:
        return TSIM_STEP_LDS;
    case TSIM_OP_MEM:
        return TSIM_STEP_MEM;
    case TSIM_OP_SAMPLE:
        return TSIM_STEP_SAMPLE;
    case TSIM_OP_EXPORT:
        return TSIM_STEP_EXPORT;
    case TSIM_OP_BARRIER:
        return TSIM_STEP_BARRIER;
    case TSIM_OP_PATCH_READ:
        return TSIM_STEP_PATCH_READ;
    case TSIM_OP_PATCH_WRITE:
        return TSIM_STEP_PATCH_WRITE;
    case TSIM_OPS_COUNT:
        break;
    }
    TSIM_ASSERT(FALSE);
    return TSIM_STEP_DELAY;
}

/* Cycles, or instructions, by kind of step. */
static uint32_t step_amount(const TsimGpu *gpu, const TsimDrawPlan *plan,
                            const TsimSegment *segment)
{
    const gboolean by_slots = segment->count == TSIM_COUNT_BY_SLOTS;

    TSIM_ASSERT(!by_slots || plan != NULL); /* only shaders of draws count so */

    switch ((TsimOp)segment->op) {
    case TSIM_OP_VALU:
        return segment->count * gpu->valu_issue_clks;
    case TSIM_OP_TRANS:
        return segment->count * gpu->valu_issue_clks * TRANS_ISSUE_FACTOR;
    case TSIM_OP_SALU:
        return segment->count * gpu->salu_issue_clks;
    case TSIM_OP_PATCH_READ:
        return by_slots ? plan->patch_read_instructions : segment->count;
    case TSIM_OP_PATCH_WRITE:
        return by_slots ? plan->patch_write_instructions : segment->count;
    case TSIM_OP_LDS:
    case TSIM_OP_MEM:
    case TSIM_OP_SAMPLE:
    case TSIM_OP_EXPORT:
    case TSIM_OP_BARRIER:
    case TSIM_OP_WAIT:
    case TSIM_OPS_COUNT:
        break;
    }
    return segment->count;
}

static void append(TsimProgram *program, const TsimGpu *gpu, const TsimDrawPlan *plan,
                   const TsimShader *shader, uint32_t *streams)
{
    for (uint32_t i = 0; i < shader->segments_n; i++) {
        const TsimSegment *segment = &shader->segments[i];
        const TsimStepKind kind = step_kind((TsimOp)segment->op);
        TsimStep *step = &program->steps[program->steps_n];

        *step = (TsimStep){
            .kind = (uint8_t)kind,
            .uniform = segment->uniform ? 1 : 0,
            .store = segment->store ? 1 : 0,
            .amount = step_amount(gpu, plan, segment),
            .bytes_per_lane = segment->bytes,
            .footprint_lines = tsim_ceil_div(segment->footprint_bytes, TSIM_LINE_BYTES),
        };
        if (step->amount == 0) {
            continue;
        }
        if (kind == TSIM_STEP_MEM || kind == TSIM_STEP_SAMPLE) {
            step->stream = (*streams)++;
        }
        program->steps_n++;
    }
}

/* A program without steps, with room for `steps`. */
static void init_empty(TsimProgram *program, TsimArena *arena, const TsimGpu *gpu, uint32_t steps,
                       uint32_t vgprs, uint32_t sgprs)
{
    *program = (TsimProgram){
        .steps = TSIM_ARENA_NEW(arena, TsimStep, steps),
        .vgprs = tsim_limits_vgprs_allocated(gpu, vgprs, gpu->wave_size),
        .sgprs = gpu->sgprs_per_simd > 0 ? tsim_limits_sgprs_allocated(gpu, sgprs) : 0,
    };
}

void tsim_program_init(TsimProgram *program, TsimArena *arena, const TsimGpu *gpu,
                       const TsimDrawPlan *plan, const TsimShader *first, const TsimShader *second,
                       uint32_t *streams)
{
    const uint32_t second_n = second != NULL ? second->segments_n + 1 : 0;
    const uint32_t vgprs = MAX(first->vgprs, second != NULL ? second->vgprs : 0);
    const uint32_t sgprs = MAX(first->sgprs, second != NULL ? second->sgprs : 0);

    init_empty(program, arena, gpu, first->segments_n + second_n, vgprs, sgprs);
    append(program, gpu, plan, first, streams);
    if (second != NULL) {
        program->steps[program->steps_n++] = (TsimStep){.kind = TSIM_STEP_BARRIER, .amount = 1};
        append(program, gpu, plan, second, streams);
    }
}

void tsim_program_init_feedback(TsimProgram *program, TsimArena *arena, const TsimGpu *gpu,
                                const TsimShader *shader, gboolean looks_up, uint32_t *streams)
{
    static const TsimStepKind kinds[] = {TSIM_STEP_FEEDBACK_LOOK_UP, TSIM_STEP_FEEDBACK_ADDRESS,
                                         TSIM_STEP_FEEDBACK_WRITE, TSIM_STEP_FEEDBACK_READ};

    init_empty(program, arena, gpu, shader->segments_n + G_N_ELEMENTS(kinds), shader->vgprs,
               shader->sgprs);
    for (size_t i = looks_up ? 0 : 1; i < G_N_ELEMENTS(kinds); i++) {
        program->steps[program->steps_n++] = (TsimStep){.kind = (uint8_t)kinds[i], .amount = 1};
    }
    append(program, gpu, NULL, shader, streams);
}
