#include "io/paste.h"

#include "io/encode.h"

#include <string.h>

#define FLAG(name) "D3D12XBOX_PIPELINE_STATE_FLAG_" name

TsimPasteBlock tsim_paste_block_of(const TsimDraw *draw, const TsimDrawPlan *plan)
{
    return (TsimPasteBlock){.offchip = plan->mode == TSIM_MODE_OFFCHIP,
                            .pipeline_flag = draw->tessellation.pipeline_flag,
                            .patches_per_threadgroup = plan->patches_per_group,
                            .tf_threshold = plan->tf_threshold,
                            .ds_wave_threshold = plan->ds_wave_threshold};
}

TsimPasteBlock tsim_paste_block_of_result(const TsimDrawResult *draw)
{
    return (TsimPasteBlock){
        .offchip = strcmp(draw->mode, tsim_tess_mode_names[TSIM_MODE_OFFCHIP]) == 0,
        .pipeline_flag = tsim_word_index(tsim_pipeline_flag_names, draw->pipeline_flag),
        .patches_per_threadgroup = draw->patches_per_threadgroup,
        .tf_threshold = draw->tf_threshold,
        .ds_wave_threshold = draw->ds_wave_threshold};
}

const char *tsim_paste_pipeline_flag(const TsimPasteBlock *block)
{
    switch ((TsimPipelineFlag)block->pipeline_flag) {
    case TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_ONCHIP:
        return FLAG("GS_ONCHIP_TS_ONCHIP");
    case TSIM_PIPELINE_FLAG_GS_OFFCHIP_TS_OFFCHIP:
        return FLAG("GS_OFFCHIP_TS_OFFCHIP");
    case TSIM_PIPELINE_FLAG_GS_ONCHIP_TS_OFFCHIP:
    case TSIM_PIPELINE_FLAG_NONE:
        break;
    }
    return block->offchip ? FLAG("GS_ONCHIP_TS_OFFCHIP") : NULL;
}

/* As C reads it back: "4.0f". */
static char *float_literal(double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd(digits, sizeof digits, "%.9g", value);
    return g_strconcat(digits, strpbrk(digits, ".e") == NULL ? ".0f" : "f", NULL);
}

char *tsim_paste_block(const TsimPasteBlock *block)
{
    const char *flag = tsim_paste_pipeline_flag(block);
    g_autofree char *threshold = float_literal(block->tf_threshold);
    GString *text = g_string_new("D3D12XBOX_TESSELLATION_PARAMETERS_DESC tessellation;\n");

    g_string_append_printf(text, "tessellation.PatchesPerThreadgroup = %u;\n",
                           block->patches_per_threadgroup);
    g_string_append_printf(text, "tessellation.TessellationFactorThreshold = %s;\n", threshold);
    g_string_append_printf(text, "tessellation.DsWaveThreshold = %u;\n", block->ds_wave_threshold);
    if (flag != NULL) {
        g_string_append_printf(text, "// pipeline flag: %s\n", flag);
    }
    g_string_append(text,
                    block->offchip
                        ? "// hull and domain shader: #define __XBOX_ENABLE_HSOFFCHIP\n"
                        : "// on-chip, the driver's default: the two thresholds are not used\n");
    return g_string_free(text, FALSE);
}

json_object *tsim_paste_json(const TsimPasteBlock *block)
{
    const char *flag = tsim_paste_pipeline_flag(block);
    json_object *object = json_object_new_object();

    (void)json_object_object_add(object, "PatchesPerThreadgroup",
                                 json_object_new_uint64(block->patches_per_threadgroup));
    (void)json_object_object_add(object, "TessellationFactorThreshold",
                                 tsim_encode_real(block->tf_threshold));
    (void)json_object_object_add(object, "DsWaveThreshold",
                                 json_object_new_uint64(block->ds_wave_threshold));
    (void)json_object_object_add(object, "pipeline_state_flag",
                                 flag != NULL ? json_object_new_string(flag) : NULL);
    return object;
}
