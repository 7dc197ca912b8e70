#include "io/limits-report.h"

#define HEADER                                                                                     \
    "work,stage,threads,waves,wave_size,vgprs,vgprs_allocated,sgprs,sgprs_allocated,lds_bytes,"    \
    "lds_allocated_bytes,groups_by_wave_slots,groups_by_vgprs,groups_by_sgprs,groups_by_lds,"      \
    "groups_by_barriers,groups_per_cu,waves_per_cu,waves_per_simd,limiter,next_lds_bytes,"         \
    "next_vgprs,next_sgprs\n"

/* A comma in front; empty where there is no such number. */
static void add_optional(GString *csv, uint32_t value)
{
    g_string_append_c(csv, ',');
    if (value != UINT32_MAX) {
        g_string_append_printf(csv, "%u", value);
    }
}

/* In quotes where a comma or a quote asks for them. */
static void add_quoted(GString *csv, const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);

    g_string_append_printf(csv, "\"%s\"", doubled);
}

static void add_row(GString *csv, const TsimGpu *gpu, const char *work, const TsimOccupancy *row)
{
    const TsimGroupDemand *demand = &row->demand;
    const TsimResidency *residency = &row->residency;

    add_quoted(csv, work);
    g_string_append_printf(csv, ",%s,%u,%u,%u,%u,%u,%u,%u,%u,%u", tsim_stage_names[row->stage],
                           row->threads, demand->waves, demand->wave_size, demand->vgprs,
                           tsim_limits_vgprs_allocated(gpu, demand->vgprs, demand->wave_size),
                           demand->sgprs, tsim_limits_sgprs_allocated(gpu, demand->sgprs),
                           demand->lds_bytes, tsim_limits_lds_allocated(gpu, demand->lds_bytes));
    for (int i = 0; i < TSIM_LIMITS; i++) {
        add_optional(csv, residency->groups[i]);
    }
    g_string_append_printf(csv, ",%u,%u,%u,%s", residency->groups_per_unit,
                           residency->waves_per_unit, residency->waves_per_simd,
                           tsim_limit_names[residency->limiter]);
    add_optional(csv, row->can_step ? row->next.lds_bytes : UINT32_MAX);
    add_optional(csv, row->can_step ? row->next.vgprs : UINT32_MAX);
    add_optional(csv, row->can_step ? row->next.sgprs : UINT32_MAX);
    g_string_append_c(csv, '\n');
}

char *tsim_limits_report_csv(const TsimLimitsReport *report)
{
    GString *csv = g_string_new(HEADER);

    for (uint32_t i = 0; i < report->items_n && report->sweep_of == NULL; i++) {
        const TsimLimitsItem *item = &report->items[i];

        for (uint32_t row = 0; row < item->rows_n; row++) {
            add_row(csv, report->gpu, item->name, &item->rows[row]);
        }
    }
    for (uint32_t i = 0; i < report->steps_n; i++) {
        add_row(csv, report->gpu, report->items[0].name, &report->steps[i].row);
    }
    return g_string_free(csv, FALSE);
}
