#include "workload/shader.h"

#define OP_NAME(symbol, key, blurb)  key,
#define OP_BLURB(symbol, key, blurb) blurb,
const char *const tsim_op_names[] = {TSIM_OPS(OP_NAME) NULL};
const char *const tsim_op_blurbs[] = {TSIM_OPS(OP_BLURB)};
#undef OP_NAME
#undef OP_BLURB

gboolean tsim_op_in_stage(TsimOp op, TsimStage stage)
{
    switch ((int)op) {
    case TSIM_OP_PATCH_READ:
        return stage == TSIM_STAGE_DS;
    case TSIM_OP_PATCH_WRITE:
        return stage == TSIM_STAGE_HS;
    case TSIM_OP_BARRIER:
        return stage == TSIM_STAGE_VS || stage == TSIM_STAGE_HS || stage == TSIM_STAGE_CS;
    default:
        return TRUE;
    }
}

/* Defaults: the small shaders of a tessellated draw; a granule or two of registers. */
const TsimField tsim_shader_fields[] = {
    {"vgprs", TSIM_FIELD_U32, offsetof(TsimShader, vgprs), "", 1, 512, 24, NULL, FALSE,
     "Vector registers of a thread, as the compiler reports them"},
    {"sgprs", TSIM_FIELD_U32, offsetof(TsimShader, sgprs), "", 0, 128, 32, NULL, FALSE,
     "Scalar registers of a wave, as the compiler reports them"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

/* The default of "bytes" depends on the kind: tsim_segment knows it. */
const TsimField tsim_segment_fields[] = {
    {"bytes", TSIM_FIELD_U32, offsetof(TsimSegment, bytes), "bytes", 1, 1024, 0, NULL, FALSE,
     "Bytes of a lane and instruction; mem 16, sample and lds 4 when absent"},
    {"uniform", TSIM_FIELD_BOOL, offsetof(TsimSegment, uniform), "", 0, 1, 0, NULL, FALSE,
     "One address for the whole wave, as a scalar load"},
    {"store", TSIM_FIELD_BOOL, offsetof(TsimSegment, store), "", 0, 1, 0, NULL, FALSE,
     "A store instead of a load"},
    {"footprint_bytes", TSIM_FIELD_U64, offsetof(TsimSegment, footprint_bytes), "bytes", 0, 0x1p40,
     0, NULL, FALSE, "Region that successive waves walk through in turn; 0: always fresh lines"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

#define BYTES_OF_MEM   16
#define BYTES_OF_OTHER 4

TsimSegment tsim_segment(TsimOp op, uint32_t count)
{
    TsimSegment segment = {.op = (int)op, .count = count};

    if (op == TSIM_OP_MEM) {
        segment.bytes = BYTES_OF_MEM;
    } else if (op == TSIM_OP_SAMPLE || op == TSIM_OP_LDS) {
        segment.bytes = BYTES_OF_OTHER;
    }
    return segment;
}

gboolean tsim_segment_has(TsimOp op, const TsimField *field)
{
    switch (field->offset) {
    case offsetof(TsimSegment, bytes):
        return op == TSIM_OP_MEM || op == TSIM_OP_SAMPLE || op == TSIM_OP_LDS;
    case offsetof(TsimSegment, footprint_bytes):
        return op == TSIM_OP_MEM || op == TSIM_OP_SAMPLE;
    default:
        return op == TSIM_OP_MEM;
    }
}

void tsim_shader_clear(TsimShader *shader)
{
    g_free(shader->segments);
    *shader = (TsimShader){0};
}
