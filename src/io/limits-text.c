#include "io/limits-report.h"
#include "io/page.h"
#include "io/paste.h"

#define BAR_COLUMNS 30

static const char *unit_word(const TsimGpu *gpu)
{
    return gpu->wgp_mode ? "WGP" : "CU";
}

static void add_head(GString *text, const TsimLimitsReport *report)
{
    const TsimGpu *gpu = report->gpu;

    g_string_append_printf(text, "%s: %u %ss in %u shader engines, waves of %u\n", gpu->name,
                           tsim_gpu_cus(gpu), unit_word(gpu), gpu->shader_engines, gpu->wave_size);
    g_string_append_printf(text, "A %s has %u SIMDs of %u waves, %u bytes of LDS and %u barriers\n",
                           unit_word(gpu), tsim_gpu_simds_per_unit(gpu), gpu->waves_per_simd,
                           tsim_gpu_lds_bytes_per_unit(gpu), tsim_gpu_barriers_per_unit(gpu));
}

/* ---- Stages ---- */

static void add_demands(GString *text, const TsimGpu *gpu, const TsimLimitsItem *item)
{
    g_string_append(text, "\n  A threadgroup takes\n"
                          "  stage  threads  waves  VGPRs  of file  SGPRs    LDS  allocated\n");
    for (uint32_t i = 0; i < item->rows_n; i++) {
        const TsimGroupDemand *demand = &item->rows[i].demand;

        g_autofree char *sgprs =
            demand->sgprs > 0 ? g_strdup_printf("%u", demand->sgprs) : g_strdup("-");
        g_string_append_printf(
            text, "  %-5s  %7u  %5u  %5u  %7u  %5s  %5u  %9u\n",
            tsim_stage_names[item->rows[i].stage], item->rows[i].threads, demand->waves,
            demand->vgprs, tsim_limits_vgprs_allocated(gpu, demand->vgprs, demand->wave_size),
            sgprs, demand->lds_bytes, tsim_limits_lds_allocated(gpu, demand->lds_bytes));
    }
}

/* Wide enough for the words of tsim_limit_names above them. */
static const int bound_widths[TSIM_LIMITS] = {10, 5, 5, 5, 8};

static void add_residency(GString *text, const TsimOccupancy *row)
{
    const TsimResidency *residency = &row->residency;

    g_string_append_printf(text, "  %-5s", tsim_stage_names[row->stage]);
    for (int i = 0; i < TSIM_LIMITS; i++) {
        if (residency->groups[i] == UINT32_MAX) {
            g_string_append_printf(text, "  %*s", bound_widths[i], "-");
        } else {
            g_string_append_printf(text, "  %*u", bound_widths[i], residency->groups[i]);
        }
    }
    g_string_append_printf(text, "  %6u  %10u  %s\n", residency->groups_per_unit,
                           residency->waves_per_simd, tsim_limit_names[residency->limiter]);
}

static void add_residencies(GString *text, const TsimGpu *gpu, const TsimLimitsItem *item)
{
    g_string_append_printf(text, "\n  Threadgroups that each bound alone lets into a %s\n  stage",
                           unit_word(gpu));
    for (int i = 0; i < TSIM_LIMITS; i++) {
        g_string_append_printf(text, "  %*s", bound_widths[i], tsim_limit_names[i]);
    }
    g_string_append(text, "  groups  waves/SIMD  limited by\n");
    for (uint32_t i = 0; i < item->rows_n; i++) {
        add_residency(text, &item->rows[i]);
    }
}

static void add_saving(GString *text, const char **join, uint32_t amount, const char *what)
{
    if (amount != UINT32_MAX) {
        g_string_append_printf(text, "%s%u %s", *join, amount, what);
        *join = " and ";
    }
}

/* Patches that so much LDS is good for. */
static uint32_t patches_in(const TsimPatchLayout *layout, uint32_t lds_bytes)
{
    const uint32_t patch_bytes = tsim_patch_layout_patch_bytes(layout);

    return lds_bytes > layout->group_bytes && patch_bytes > 0
               ? (lds_bytes - layout->group_bytes) / patch_bytes
               : 0;
}

static void add_next_step(GString *text, const TsimLimitsItem *item, const TsimOccupancy *row)
{
    const gboolean has_patches = row->stage == TSIM_STAGE_VS || row->stage == TSIM_STAGE_HS;
    const char *join = "at ";

    g_string_append_printf(text, "  %s: ", tsim_stage_names[row->stage]);
    if (!row->can_step) {
        g_string_append_printf(text, "no saving lets one more group in, %s are used up\n",
                               tsim_limit_names[row->residency.limiter]);
        return;
    }
    add_saving(text, &join, row->next.lds_bytes, "bytes of LDS");
    if (item->work != NULL && has_patches && row->next.lds_bytes != UINT32_MAX) {
        g_string_append_printf(text, " (%u patches)",
                               patches_in(&item->plan.layout, row->next.lds_bytes));
    }
    add_saving(text, &join, row->next.vgprs, "VGPRs");
    add_saving(text, &join, row->next.sgprs, "SGPRs");
    g_string_append(text, " one more group fits\n");
}

static void add_next_steps(GString *text, const TsimLimitsItem *item)
{
    g_string_append(text, "\n");
    for (uint32_t i = 0; i < item->rows_n; i++) {
        add_next_step(text, item, &item->rows[i]);
    }
}

/* ---- Draws ---- */

static void add_region(GString *text, uint32_t offset, uint32_t bytes, uint32_t patch_bytes,
                       const char *what)
{
    g_string_append_printf(text, "    %6u  %6u  %7u  %s\n", offset, bytes, patch_bytes, what);
}

/* Of each patch, in order. */
static void add_part(GString *text, uint32_t bytes, const char *what)
{
    g_string_append_printf(text, "    %23u    %s\n", bytes, what);
}

static void add_layout(GString *text, const TsimGpu *gpu, const TsimDrawPlan *plan)
{
    const TsimPatchLayout *layout = &plan->layout;
    const uint32_t patches = plan->patches_per_group;
    const uint32_t outputs = layout->overlaid ? 0 : patches * layout->input_bytes;
    const uint32_t stride = layout->output_bytes + layout->constant_bytes;

    g_string_append_printf(text,
                           "\n  LDS of a threadgroup: %u bytes, %u after the granule of %u\n"
                           "    offset   bytes  a patch\n",
                           plan->lds_bytes, plan->lds_allocated_bytes, gpu->lds_granule);
    add_region(text, 0, patches * layout->input_bytes, layout->input_bytes,
               layout->overlaid ? "inputs, replaced by what follows" : "inputs");
    add_region(text, outputs, patches * stride, stride, "patches, one behind the other, each of");
    add_part(text, layout->output_bytes, "outputs");
    add_part(text, layout->constant_bytes, "patch constants and tess factors");
    if (layout->group_bytes > 0) {
        add_region(text, outputs + patches * stride, layout->group_bytes, 0, "of the group");
    }
    if (layout->padding_bytes > 0) {
        g_string_append_printf(text, "    of which %u bytes a patch are padding\n",
                               layout->padding_bytes);
    }
}

static void add_plan(GString *text, const TsimDraw *draw, const TsimDrawPlan *plan)
{
    g_string_append_printf(text, "  %s, %u -> %u control points, %s\n",
                           tsim_domain_names[draw->domain], draw->input_control_points,
                           draw->output_control_points, tsim_tess_mode_names[plan->mode]);
    g_string_append_printf(text, "  patches a threadgroup: %u, ", plan->patches_per_group);
    if (plan->patch_rule == TSIM_PATCH_RULE_EXPLICIT) {
        g_string_append(text, "as given\n");
    } else {
        g_string_append_printf(text, "by rule %s, limited by %s\n",
                               tsim_patch_rule_names[plan->patch_rule], plan->patch_limiter);
    }
}

static void add_in_flight(GString *text, const TsimLimitsReport *report, const TsimLimitsItem *item)
{
    const TsimGpu *gpu = report->gpu;
    const TsimDrawPlan *plan = &item->plan;
    const uint32_t kept = report->lds_kept_free_bytes;
    const uint32_t ring =
        plan->ring_header_bytes + plan->patches_per_group * plan->ring_bytes_per_patch;

    g_string_append_printf(text, "\n  A %s holds %u LS-HS threadgroups: %u patches", unit_word(gpu),
                           item->tess_groups_per_cu,
                           item->tess_groups_per_cu * plan->patches_per_group);
    if (kept > 0) {
        g_string_append_printf(text, " (%u bytes of LDS are kept free for later stages)", kept);
    }
    g_string_append_printf(text, "\n  The GPU holds %" G_GUINT64_FORMAT ", limited by %s\n",
                           item->tess_groups, item->tess_groups_limit);
    g_string_append_printf(text,
                           "  Tess-factor ring: %u bytes a group, %u groups a shader engine\n",
                           ring, gpu->tf_ring_bytes_per_se / ring);
    if (plan->mode == TSIM_MODE_OFFCHIP) {
        g_string_append_printf(text, "  Off-chip: %u bytes a group in a buffer of %u, %u buffers\n",
                               plan->patches_per_group * plan->offchip_bytes_per_patch,
                               gpu->offchip_buffer_bytes, gpu->offchip_buffers);
    }
}

static void add_bar(GString *text, uint64_t part, uint64_t all)
{
    const uint64_t columns = part == 0 ? 0 : MAX(part * BAR_COLUMNS / all, 1);

    for (uint64_t i = 0; i < columns; i++) {
        g_string_append_c(text, '#');
    }
    g_string_append_c(text, '\n');
}

static void add_bin(GString *text, const char *label, uint64_t part, uint64_t all)
{
    if (part > 0) {
        g_string_append_printf(text, "    %-11s  %10" G_GUINT64_FORMAT "  ", label, part);
        add_bar(text, part, all);
    }
}

static void add_factor_histogram(GString *text, const TsimSurvey *survey)
{
    g_string_append(text, "\n  Patches by mean tess factor, rounded down\n");
    for (uint32_t bin = 0; bin < TSIM_SURVEY_FACTOR_BINS; bin++) {
        g_autofree char *label = NULL;
        uint32_t least, most;

        tsim_survey_bin(bin, &least, &most);
        label = bin == 0 ? g_strdup("culled") : tsim_text_range(least, most);
        add_bin(text, label, tsim_survey_patches_in_bin(survey, bin), survey->patches);
    }
}

static void add_wave_histogram(GString *text, const TsimSurvey *survey)
{
    g_string_append(text, "\n  Threadgroups by DS waves\n");
    for (uint32_t bin = 0; bin < TSIM_SURVEY_BINS; bin++) {
        g_autofree char *label = NULL;
        uint32_t least, most;

        tsim_survey_bin(bin, &least, &most);
        label = tsim_text_range(least, most);
        add_bin(text, label, survey->groups_by_ds_waves[bin], survey->threadgroups);
    }
}

static void add_survey(GString *text, const TsimDraw *draw, const TsimSurvey *survey)
{
    if (survey->patches == 0) {
        return;
    }
    add_factor_histogram(text, survey);
    add_wave_histogram(text, survey);
    g_string_append_printf(text,
                           "\n  %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                           " patches counted: %" G_GUINT64_FORMAT " points\n  %" G_GUINT64_FORMAT
                           " DS threads in %" G_GUINT64_FORMAT " DS waves; %" G_GUINT64_FORMAT
                           " of %" G_GUINT64_FORMAT " threadgroups go off-chip\n",
                           survey->patches, draw->patches, survey->points, survey->ds_threads,
                           survey->ds_waves, survey->threadgroups_offchip, survey->threadgroups);
    if (survey->culled_patches > 0) {
        g_string_append_printf(
            text,
            "  %" G_GUINT64_FORMAT " culled patches give nothing and still cost %" G_GUINT64_FORMAT
            " VS and %" G_GUINT64_FORMAT " HS threads\n  and %" G_GUINT64_FORMAT
            " bytes of LDS; %" G_GUINT64_FORMAT " threadgroups are all culled\n",
            survey->culled_patches, survey->culled_vs_threads, survey->culled_hs_threads,
            survey->culled_lds_bytes, survey->threadgroups_culled);
    }
}

static void add_paste_block(GString *text, const TsimGpu *gpu, const TsimDraw *draw,
                            const TsimDrawPlan *plan)
{
    const TsimPasteBlock block = tsim_paste_block_of(draw, plan);
    g_autofree char *lines = NULL;

    if (gpu->has_onchip) {
        lines = tsim_paste_block(&block);
        g_string_append_printf(text, "\n  To paste\n%s", lines);
    }
}

static void add_draw(GString *text, const TsimLimitsReport *report, const TsimLimitsItem *item)
{
    const TsimGpu *gpu = report->gpu;
    const TsimDraw *draw = &item->work->draw;

    add_plan(text, draw, &item->plan);
    add_layout(text, gpu, &item->plan);
    add_demands(text, gpu, item);
    add_residencies(text, gpu, item);
    add_next_steps(text, item);
    add_in_flight(text, report, item);
    add_survey(text, draw, &item->survey);
    add_paste_block(text, gpu, draw, &item->plan);
}

static gboolean same_step(const TsimResidency *a, const TsimResidency *b)
{
    return a->groups_per_unit == b->groups_per_unit && a->limiter == b->limiter;
}

/* Only where something changes: the edges of the staircase. */
static void add_staircase(GString *text, const TsimLimitsReport *report)
{
    g_string_append_printf(text,
                           "\n  Where it changes as %s grows\n    %7s  groups  waves/SIMD  "
                           "limited by\n",
                           report->sweep_of, report->sweep_of);
    for (uint32_t i = 0; i < report->steps_n; i++) {
        const TsimResidency *residency = &report->steps[i].row.residency;

        if (i == 0 || !same_step(residency, &report->steps[i - 1].row.residency)) {
            g_string_append_printf(text, "    %7u  %6u  %10u  %s\n", report->steps[i].value,
                                   residency->groups_per_unit, residency->waves_per_simd,
                                   tsim_limit_names[residency->limiter]);
        }
    }
}

char *tsim_limits_report_text(const TsimLimitsReport *report)
{
    GString *text = g_string_new(NULL);

    add_head(text, report);
    for (uint32_t i = 0; i < report->items_n; i++) {
        const TsimLimitsItem *item = &report->items[i];

        g_string_append_printf(text, "\n%s\n", item->name);
        if (item->work != NULL && item->work->type == TSIM_WORK_DRAW) {
            add_draw(text, report, item);
        } else {
            add_demands(text, report->gpu, item);
            add_residencies(text, report->gpu, item);
            add_next_steps(text, item);
        }
    }
    if (report->sweep_of != NULL) {
        add_staircase(text, report);
    }
    return g_string_free(text, FALSE);
}
