/* Shader stages, in pipeline order. On GPUs with merged LS-HS waves the merged waves are HS waves.
 */
#pragma once

typedef enum {
    TSIM_STAGE_VS, /* LS on the hardware: the vertex shader in front of a hull shader */
    TSIM_STAGE_HS,
    TSIM_STAGE_DS,
    TSIM_STAGE_GS,
    TSIM_STAGE_PS,
    TSIM_STAGE_CS,
    TSIM_STAGES,
} TsimStage;

/* "vs", "hs", ... in index order, NULL-terminated. */
extern const char *const tsim_stage_names[];
