#include "io/encode.h"
#include "io/limits-report.h"
#include "io/paste.h"

#define SCHEMA_VERSION 1

static void add_uint(json_object *object, const char *key, uint64_t value)
{
    json_object_object_add(object, key, json_object_new_uint64(value));
}

static void add_text(json_object *object, const char *key, const char *value)
{
    json_object_object_add(object, key, value != NULL ? json_object_new_string(value) : NULL);
}

/* null where there is no such number. */
static void add_optional(json_object *object, const char *key, uint32_t value)
{
    json_object_object_add(object, key, value != UINT32_MAX ? json_object_new_uint64(value) : NULL);
}

static json_object *encode_row(const TsimGpu *gpu, const TsimOccupancy *row)
{
    const TsimGroupDemand *demand = &row->demand;
    const TsimResidency *residency = &row->residency;
    json_object *object = json_object_new_object();
    json_object *bounds = json_object_new_object();
    json_object *next = json_object_new_object();

    add_text(object, "stage", tsim_stage_names[row->stage]);
    add_uint(object, "threads", row->threads);
    add_uint(object, "waves", demand->waves);
    add_uint(object, "wave_size", demand->wave_size);
    add_uint(object, "vgprs", demand->vgprs);
    add_uint(object, "vgprs_allocated",
             tsim_limits_vgprs_allocated(gpu, demand->vgprs, demand->wave_size));
    add_uint(object, "sgprs", demand->sgprs);
    add_uint(object, "sgprs_allocated", tsim_limits_sgprs_allocated(gpu, demand->sgprs));
    add_uint(object, "lds_bytes", demand->lds_bytes);
    add_uint(object, "lds_allocated_bytes", tsim_limits_lds_allocated(gpu, demand->lds_bytes));
    for (int i = 0; i < TSIM_LIMITS; i++) {
        add_optional(bounds, tsim_limit_names[i], residency->groups[i]);
    }
    json_object_object_add(object, "groups_by_limit", bounds);
    add_uint(object, "groups_per_cu", residency->groups_per_unit);
    add_uint(object, "waves_per_cu", residency->waves_per_unit);
    add_uint(object, "waves_per_simd", residency->waves_per_simd);
    add_uint(object, "waves_per_simd_by_registers", residency->waves_per_simd_by_registers);
    add_text(object, "limiter", tsim_limit_names[residency->limiter]);
    add_optional(next, "lds_bytes", row->next.lds_bytes);
    add_optional(next, "vgprs", row->next.vgprs);
    add_optional(next, "sgprs", row->next.sgprs);
    json_object_object_add(object, "one_more_group_at", row->can_step ? next : NULL);
    if (!row->can_step) {
        json_object_put(next);
    }
    return object;
}

static json_object *encode_layout(const TsimDrawPlan *plan)
{
    const TsimPatchLayout *layout = &plan->layout;
    const uint32_t outputs = layout->overlaid ? 0 : plan->patches_per_group * layout->input_bytes;
    json_object *object = json_object_new_object();

    add_uint(object, "input_bytes_per_patch", layout->input_bytes);
    add_uint(object, "output_bytes_per_patch", layout->output_bytes);
    add_uint(object, "constant_bytes_per_patch", layout->constant_bytes);
    add_uint(object, "padding_bytes_per_patch", layout->padding_bytes);
    add_uint(object, "bytes_per_patch", tsim_patch_layout_patch_bytes(layout));
    add_uint(object, "bytes_per_threadgroup", layout->group_bytes);
    add_uint(object, "inputs_offset", 0);
    add_uint(object, "outputs_offset", outputs);
    add_uint(object, "constants_offset", outputs + layout->output_bytes);
    add_uint(object, "output_stride", layout->output_bytes + layout->constant_bytes);
    return object;
}

static json_object *encode_survey(const TsimSurvey *survey)
{
    json_object *object = json_object_new_object();
    json_object *factors = json_object_new_array();
    json_object *waves = json_object_new_array();

    add_uint(object, "patches", survey->patches);
    add_uint(object, "culled_patches", survey->culled_patches);
    add_uint(object, "culled_vs_threads", survey->culled_vs_threads);
    add_uint(object, "culled_hs_threads", survey->culled_hs_threads);
    add_uint(object, "culled_lds_bytes", survey->culled_lds_bytes);
    add_uint(object, "threadgroups", survey->threadgroups);
    add_uint(object, "threadgroups_offchip", survey->threadgroups_offchip);
    add_uint(object, "threadgroups_culled", survey->threadgroups_culled);
    add_uint(object, "domain_points", survey->points);
    add_uint(object, "ds_threads", survey->ds_threads);
    add_uint(object, "ds_waves", survey->ds_waves);
    add_uint(object, "primitives", survey->primitives);
    for (uint32_t i = 0; i <= TSIM_TESS_LEVEL_MAX; i++) {
        json_object_array_add(factors, json_object_new_uint64(survey->patches_by_factor[i]));
    }
    for (uint32_t bin = 0; bin < TSIM_SURVEY_BINS; bin++) {
        json_object *entry = json_object_new_object();
        uint32_t least, most;

        tsim_survey_bin(bin, &least, &most);
        add_uint(entry, "least", least);
        add_uint(entry, "most", most);
        add_uint(entry, "threadgroups", survey->groups_by_ds_waves[bin]);
        json_object_array_add(waves, entry);
    }
    json_object_object_add(object, "patches_by_factor", factors);
    json_object_object_add(object, "threadgroups_by_ds_waves", waves);
    return object;
}

static void add_draw(json_object *object, const TsimGpu *gpu, const TsimLimitsItem *item)
{
    const TsimDraw *draw = &item->work->draw;
    const TsimDrawPlan *plan = &item->plan;
    const TsimPasteBlock block = tsim_paste_block_of(draw, plan);

    add_text(object, "mode", tsim_tess_mode_names[plan->mode]);
    add_text(object, "patch_rule", tsim_patch_rule_names[plan->patch_rule]);
    add_uint(object, "patches_per_threadgroup", plan->patches_per_group);
    add_text(object, "patch_limiter", plan->patch_limiter);
    json_object_object_add(object, "tf_threshold", tsim_encode_real(plan->tf_threshold));
    add_uint(object, "ds_wave_threshold", plan->ds_wave_threshold);
    add_uint(object, "lds_bytes_per_threadgroup", plan->lds_bytes);
    add_uint(object, "lds_allocated_bytes_per_threadgroup", plan->lds_allocated_bytes);
    add_uint(object, "vs_waves_per_threadgroup", plan->vs_waves);
    add_uint(object, "hs_waves_per_threadgroup", plan->hs_waves);
    add_uint(object, "tf_ring_bytes_per_threadgroup",
             plan->ring_header_bytes + plan->patches_per_group * plan->ring_bytes_per_patch);
    add_uint(object, "offchip_bytes_per_threadgroup",
             plan->mode == TSIM_MODE_OFFCHIP
                 ? plan->patches_per_group * plan->offchip_bytes_per_patch
                 : 0);
    add_uint(object, "threadgroups_per_cu", item->tess_groups_per_cu);
    add_uint(object, "patches_per_cu",
             (uint64_t)item->tess_groups_per_cu * plan->patches_per_group);
    add_uint(object, "threadgroups_in_gpu", item->tess_groups);
    add_text(object, "threadgroups_in_gpu_limiter", item->tess_groups_limit);
    json_object_object_add(object, "lds_layout", encode_layout(plan));
    json_object_object_add(object, "survey", encode_survey(&item->survey));
    json_object_object_add(object, "tessellation_parameters",
                           gpu->has_onchip ? tsim_paste_json(&block) : NULL);
}

static json_object *encode_item(const TsimGpu *gpu, const TsimLimitsItem *item)
{
    json_object *object = json_object_new_object();
    json_object *stages = json_object_new_array();

    add_text(object, "name", item->name);
    add_text(object, "type", item->work != NULL ? tsim_work_type_names[item->work->type] : "query");
    if (item->work != NULL && item->work->type == TSIM_WORK_DRAW) {
        add_draw(object, gpu, item);
    }
    for (uint32_t i = 0; i < item->rows_n; i++) {
        json_object_array_add(stages, encode_row(gpu, &item->rows[i]));
    }
    json_object_object_add(object, "stages", stages);
    return object;
}

static json_object *encode_sweep(const TsimLimitsReport *report)
{
    json_object *steps = json_object_new_array();

    for (uint32_t i = 0; i < report->steps_n; i++) {
        json_object *step = json_object_new_object();
        const TsimResidency *residency = &report->steps[i].row.residency;

        add_uint(step, report->sweep_of, report->steps[i].value);
        add_uint(step, "groups_per_cu", residency->groups_per_unit);
        add_uint(step, "waves_per_simd", residency->waves_per_simd);
        add_text(step, "limiter", tsim_limit_names[residency->limiter]);
        json_object_array_add(steps, step);
    }
    return steps;
}

char *tsim_limits_report_json(const TsimLimitsReport *report)
{
    const TsimGpu *gpu = report->gpu;
    json_object *root = json_object_new_object();
    json_object *work = json_object_new_array();
    char *text;

    add_uint(root, "schema_version", SCHEMA_VERSION);
    add_text(root, "scenario", report->scenario != NULL ? report->scenario->name : NULL);
    add_text(root, "gpu", gpu->name);
    json_object_object_add(root, "wgp_mode", json_object_new_boolean(gpu->wgp_mode));
    add_uint(root, "cus", tsim_gpu_cus(gpu));
    add_uint(root, "simds_per_cu", tsim_gpu_simds_per_unit(gpu));
    add_uint(root, "lds_bytes_per_cu", tsim_gpu_lds_bytes_per_unit(gpu));
    add_uint(root, "lds_kept_free_bytes_per_cu", report->lds_kept_free_bytes);
    for (uint32_t i = 0; i < report->items_n; i++) {
        json_object_array_add(work, encode_item(gpu, &report->items[i]));
    }
    json_object_object_add(root, "work", work);
    if (report->sweep_of != NULL) {
        json_object_object_add(root, "sweep", encode_sweep(report));
    }
    text = g_strdup_printf("%s\n",
                           json_object_to_json_string_ext(
                               root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(root);
    return text;
}
