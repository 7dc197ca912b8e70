/* The lines of C++ that a person pastes into a title: tessellation parameters and pipeline flag as
 * Direct3D 12 on XBOX One names them. The string is returned to the caller.
 */
#pragma once

#include "stats/result.h"
#include "workload/plan.h"

#include <json-c/json.h>

typedef struct {
    gboolean offchip;
    int pipeline_flag; /* TsimPipelineFlag as the user gave it; NONE: the one that goes with offchip
                        */
    uint32_t patches_per_threadgroup;
    double tf_threshold;
    uint32_t ds_wave_threshold;
} TsimPasteBlock;

TsimPasteBlock tsim_paste_block_of(const TsimDraw *draw, const TsimDrawPlan *plan);

/* The settings that a draw ran with. */
TsimPasteBlock tsim_paste_block_of_result(const TsimDrawResult *draw);

char *tsim_paste_block(const TsimPasteBlock *block);

/* An object with the members of the struct and "pipeline_state_flag". */
json_object *tsim_paste_json(const TsimPasteBlock *block);

/* "D3D12XBOX_PIPELINE_STATE_FLAG_..."; NULL when none has to be set: on-chip is the default. */
const char *tsim_paste_pipeline_flag(const TsimPasteBlock *block);
