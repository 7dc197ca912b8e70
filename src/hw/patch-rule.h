/* How many patches a threadgroup gets, and how its LDS is laid out, by the rules of named drivers.
 *
 * Pure integer arithmetic (facts, sections 5 and 6); sizes in bytes. Every rule names what stopped
 * it from taking more: words joined by '+' where bounds tie, ";wavetrim" where a mostly empty last
 * wave was cut.
 *
 *   xbox_one       most patches resident in a CU (T10); ties go to the larger group
 *   max_per_group  largest group that the hardware takes
 *   radeonsi_2018  Mesa radeonsi 2016-05 to 2018-05
 *   radeonsi_24    Mesa radeonsi 24.1
 *   radv_22        Mesa RADV 22.3: what tests/golden/radv_22_layouts.csv reports
 *   radv_24        Mesa RADV 24.1
 *   mesa_2025      Mesa's common code of 2025
 *   llpc_2018      AMDVLK 2018, with its unit bug mended: it divided bytes by dwords and counted
 *                  inputs only, so that a group could ask for four times the LDS there is
 *   llpc_2025      AMDVLK 2025
 *   explicit       the user's number
 *
 * Left out: shader properties that a scenario does not state (primitive ids on one-engine GFX6,
 * hull shaders that keep inputs in registers, ray queries). A patch that does not fit is an error
 * here, also where a driver would go on with a group of one.
 */
#pragma once

#include "hw/gpu.h"

typedef enum {
    TSIM_PATCH_RULE_XBOX_ONE,
    TSIM_PATCH_RULE_MAX_PER_GROUP,
    TSIM_PATCH_RULE_RADEONSI_2018,
    TSIM_PATCH_RULE_RADEONSI_24,
    TSIM_PATCH_RULE_RADV_22,
    TSIM_PATCH_RULE_RADV_24,
    TSIM_PATCH_RULE_MESA_2025,
    TSIM_PATCH_RULE_LLPC_2018,
    TSIM_PATCH_RULE_LLPC_2025,
    TSIM_PATCH_RULE_EXPLICIT,
} TsimPatchRule;

extern const char *const tsim_patch_rule_names[]; /* in index order, NULL-terminated */

/* What a rule needs to know of the shaders. A slot is a vec4, 16 bytes. */
typedef struct {
    uint32_t input_control_points, output_control_points; /* 1..32 */
    uint32_t input_vec4;          /* slots an input control point that the HS reads */
    uint32_t output_vec4;         /* slots an output control point that the DS reads */
    uint32_t patch_constant_vec4; /* slots a patch, tess factors included */
    uint32_t factor_vec4;         /* of those, tess factors */
    uint32_t factors;             /* tess factors of a patch: 2, 4 or 6 */
    uint32_t wave_size;           /* threads */
    uint32_t vs_vgprs, vs_sgprs;  /* registers of a thread and of a wave, as compilers report */
    uint32_t hs_vgprs, hs_sgprs;  /* them; xbox_one only */
    gboolean offchip;             /* the HS was compiled for off-chip */
    gboolean hs_reads_outputs;    /* the HS reads its outputs back, so they lie in LDS */
} TsimPatchShape;

/* LDS of a threadgroup of n patches. Inputs of all patches come first, then for each patch its
 * outputs followed by its constants:
 *
 *   | n * input_bytes | output_bytes constant_bytes | output_bytes constant_bytes | ... group_bytes
 * |
 *
 * overlaid: outputs start at 0 as well, they replace inputs that have been read. */
typedef struct {
    uint32_t input_bytes;    /* of a patch */
    uint32_t output_bytes;   /* of a patch */
    uint32_t constant_bytes; /* of a patch */
    uint32_t padding_bytes;  /* of a patch, part of the above: kept empty against bank conflicts */
    uint32_t group_bytes;    /* once a threadgroup */
    gboolean overlaid;
} TsimPatchLayout;

typedef struct {
    uint32_t patches;
    const char *limiter;          /* static */
    uint32_t lds_bytes;           /* as asked */
    uint32_t lds_allocated_bytes; /* after the granule */
    uint32_t vs_waves, hs_waves;  /* merged LS-HS waves are HS waves, VS then 0 */
} TsimPatchChoice;

void tsim_patch_rule_layout(TsimPatchRule rule, const TsimPatchShape *shape,
                            TsimPatchLayout *ret_layout);

uint32_t tsim_patch_layout_patch_bytes(const TsimPatchLayout *layout); /* LDS that a patch adds */
uint32_t tsim_patch_layout_group_bytes(const TsimPatchLayout *layout, uint32_t patches);

/* The most LDS that a threadgroup of this GPU can address, whatever a driver allows. */
uint32_t tsim_patch_lds_addressable_bytes(const TsimGpu *gpu);

/* Off-chip memory that the HS writes for a patch. */
uint32_t tsim_patch_offchip_bytes(const TsimPatchShape *shape);

/* LDS, waves and so on of a threadgroup of that many patches; the limiter becomes "explicit". */
void tsim_patch_rule_explicit(const TsimGpu *gpu, const TsimPatchShape *shape,
                              const TsimPatchLayout *layout, uint32_t patches,
                              TsimPatchChoice *ret_choice);

/* The rule's own choice; not for TSIM_PATCH_RULE_EXPLICIT. Fails (TSIM_ERROR_LIMIT) when one patch
 * does not fit: the message has the amount asked and the rule's limit. */
gboolean tsim_patch_rule_choose(TsimPatchRule rule, const TsimGpu *gpu, const TsimPatchShape *shape,
                                const TsimPatchLayout *layout, TsimPatchChoice *ret_choice,
                                GError **error);
