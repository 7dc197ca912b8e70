/* A shader as the simulator sees it: registers, and a program of segments (model section 2, E1,
 * E16, E17).
 *
 * A wave runs its segments in order and waits for each to complete.
 */
#pragma once

#include "base/field.h"
#include "hw/stage.h"

/* NAME(symbol, JSON key, blurb); counts are wave instructions unless said otherwise.
 *
 * A shader given by counts alone runs one segment of each kind in the order of this list: it reads,
 * computes, then writes. */
#define TSIM_OPS(NAME)                                                                             \
    NAME(PATCH_READ, "patch_read", "reads of patch data: LDS on-chip, off-chip buffer otherwise")  \
    NAME(SALU, "salu", "scalar ALU instructions")                                                  \
    NAME(MEM, "mem", "memory instructions")                                                        \
    NAME(LDS, "lds", "LDS instructions")                                                           \
    NAME(SAMPLE, "sample", "image samples, bilinear")                                              \
    NAME(VALU, "valu", "vector ALU instructions")                                                  \
    NAME(TRANS, "trans", "quarter-rate vector ALU instructions")                                   \
    NAME(WAIT, "wait", "cycles of pure latency")                                                   \
    NAME(BARRIER, "barrier", "threadgroup barriers")                                               \
    NAME(PATCH_WRITE, "patch_write", "writes of patch data: LDS, and stores when off-chip")        \
    NAME(EXPORT, "export", "exports")

/* Most instructions (or cycles) of one segment. */
#define TSIM_SEGMENT_COUNT_MAX 10000000

/* Count of a PATCH_READ or PATCH_WRITE that the user left to the tool (E16): one for each output
 * slot, as TsimDrawPlan says. Other segments have a count of at least 1. */
#define TSIM_COUNT_BY_SLOTS 0

typedef enum {
#define OP_ENUM(symbol, key, blurb) TSIM_OP_##symbol,
    TSIM_OPS(OP_ENUM)
#undef OP_ENUM
    TSIM_OPS_COUNT,
} TsimOp;

extern const char *const tsim_op_names[];  /* JSON keys in index order, NULL-terminated */
extern const char *const tsim_op_blurbs[]; /* in index order */

/* Whether programs of that stage can have it: patch data belong to hull and domain shaders,
 * barriers to threadgroups. */
gboolean tsim_op_in_stage(TsimOp op, TsimStage stage);

/* One step of a program: `{"mem": 2, "bytes": 16, "footprint_bytes": 1048576}`. */
typedef struct {
    int op; /* TsimOp */
    uint32_t count;
    uint32_t bytes;           /* MEM, SAMPLE, LDS: of a lane and instruction */
    gboolean uniform;         /* MEM: one address for the whole wave (a scalar load) */
    gboolean store;           /* MEM: a store */
    uint64_t footprint_bytes; /* MEM, SAMPLE: size of the region that successive waves walk through
                                 in turn; 0: every access is to fresh lines */
} TsimSegment;

typedef struct {
    uint32_t vgprs;
    uint32_t sgprs;
    uint32_t segments_n;
    TsimSegment *segments; /* owned */
} TsimShader;

extern const TsimField tsim_shader_fields[];  /* vgprs, sgprs */
extern const TsimField tsim_segment_fields[]; /* bytes, uniform, store, footprint_bytes */

/* A segment with the defaults of its kind. */
TsimSegment tsim_segment(TsimOp op, uint32_t count);

/* Whether a kind has the field of tsim_segment_fields. */
gboolean tsim_segment_has(TsimOp op, const TsimField *field);

void tsim_shader_clear(TsimShader *shader);
