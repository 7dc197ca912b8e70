/* A shader as the simulator sees it: registers, and a program of segments (model section 2, E1,
 * E16, E17).
 *
 * A wave runs its segments in order and waits for each to complete.
 */
#pragma once

#include "base/field.h"

/* NAME(symbol, JSON key, blurb); counts are wave instructions unless said otherwise. */
#define TSIM_OPS(NAME)                                                                             \
    NAME(VALU, "valu", "vector ALU instructions")                                                  \
    NAME(TRANS, "trans", "quarter-rate vector ALU instructions")                                   \
    NAME(SALU, "salu", "scalar ALU instructions")                                                  \
    NAME(LDS, "lds", "LDS instructions")                                                           \
    NAME(MEM, "mem", "memory instructions")                                                        \
    NAME(SAMPLE, "sample", "image samples, bilinear")                                              \
    NAME(BVH, "bvh", "ray-intersection instructions")                                              \
    NAME(EXPORT, "export", "exports")                                                              \
    NAME(BARRIER, "barrier", "threadgroup barriers")                                               \
    NAME(PATCH_READ, "patch_read", "reads of patch data: LDS on-chip, off-chip buffer otherwise")  \
    NAME(PATCH_WRITE, "patch_write", "writes of patch data: LDS, and stores when off-chip")        \
    NAME(WAIT, "wait", "cycles of pure latency")

typedef enum {
#define OP_ENUM(symbol, key, blurb) TSIM_OP_##symbol,
    TSIM_OPS(OP_ENUM)
#undef OP_ENUM
    TSIM_OPS_COUNT,
} TsimOp;

extern const char *const tsim_op_names[];  /* JSON keys in index order, NULL-terminated */
extern const char *const tsim_op_blurbs[]; /* in index order */

/* One step of a program: `{"mem": 2, "bytes": 16, "footprint_bytes": 1048576}`. */
typedef struct {
    int op; /* TsimOp */
    uint32_t count;
    uint32_t
        bytes; /* MEM, SAMPLE, LDS: a lane and instruction (MEM: 16, SAMPLE, LDS: 4 when absent) */
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

void tsim_shader_clear(TsimShader *shader);
