#include "workload/occupancy.h"

#include "base/rate.h"

void tsim_occupancy_complete(const TsimGpu *gpu, TsimOccupancy *occupancy)
{
    tsim_limits_residency(gpu, &occupancy->demand, &occupancy->residency);
    occupancy->can_step = tsim_limits_next_step(gpu, &occupancy->demand, &occupancy->next);
}

static TsimOccupancy single_wave(const TsimGpu *gpu, TsimStage stage, const TsimShader *shader,
                                 uint32_t lds_bytes)
{
    TsimOccupancy row = {.stage = stage,
                         .demand = {.vgprs = shader->vgprs,
                                    .sgprs = shader->sgprs,
                                    .wave_size = gpu->wave_size,
                                    .waves = 1,
                                    .lds_bytes = lds_bytes},
                         .threads = gpu->wave_size};

    tsim_occupancy_complete(gpu, &row);
    return row;
}

static TsimOccupancy tess_row(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                              uint32_t kept_free_bytes, TsimStage stage)
{
    const gboolean is_vs = stage == TSIM_STAGE_VS;
    const TsimShader *shader = is_vs ? &draw->vs : &draw->hs;
    uint32_t points = is_vs ? draw->input_control_points : draw->output_control_points;
    TsimOccupancy row = {
        .stage = stage,
        .demand = {.vgprs = shader->vgprs,
                   .sgprs = shader->sgprs,
                   .wave_size = gpu->wave_size,
                   .waves = is_vs ? plan->vs_waves : plan->hs_waves,
                   .lds_bytes = plan->lds_bytes,
                   .lds_kept_free_bytes = kept_free_bytes},
    };

    if (gpu->merged_ls_hs) {
        points = MAX(draw->input_control_points, draw->output_control_points);
        row.demand.vgprs = MAX(draw->vs.vgprs, draw->hs.vgprs);
        row.demand.sgprs = MAX(draw->vs.sgprs, draw->hs.sgprs);
    }
    row.threads = plan->patches_per_group * points;
    tsim_occupancy_complete(gpu, &row);
    return row;
}

uint32_t tsim_occupancy_draw(const TsimGpu *gpu, const TsimDraw *draw, const TsimDrawPlan *plan,
                             uint32_t kept_free_bytes, TsimOccupancy ret_rows[])
{
    uint32_t n = 0;

    if (!gpu->merged_ls_hs) {
        ret_rows[n++] = tess_row(gpu, draw, plan, kept_free_bytes, TSIM_STAGE_VS);
    }
    ret_rows[n++] = tess_row(gpu, draw, plan, kept_free_bytes, TSIM_STAGE_HS);
    ret_rows[n++] = single_wave(gpu, TSIM_STAGE_DS, &draw->ds, 0);
    if (draw->has_gs) {
        ret_rows[n++] = single_wave(gpu, TSIM_STAGE_GS, &draw->gs.shader, draw->gs.lds_bytes);
    }
    if (draw->has_ps) {
        ret_rows[n++] = single_wave(gpu, TSIM_STAGE_PS, &draw->ps.shader,
                                    tsim_pixel_lds_bytes(&draw->ps, gpu->wave_size));
    }
    return n;
}

void tsim_occupancy_dispatch(const TsimGpu *gpu, const TsimDispatch *dispatch,
                             TsimOccupancy *ret_row)
{
    *ret_row = single_wave(gpu, TSIM_STAGE_CS, &dispatch->cs, dispatch->lds_bytes);
    ret_row->threads = dispatch->threads;
    ret_row->demand.waves = (uint32_t)tsim_ceil_div(dispatch->threads, gpu->wave_size);
    tsim_occupancy_complete(gpu, ret_row);
}

uint32_t tsim_occupancy_tess_groups(const TsimOccupancy rows[], uint32_t rows_n)
{
    uint32_t groups = UINT32_MAX;

    for (uint32_t i = 0; i < rows_n; i++) {
        if (rows[i].stage == TSIM_STAGE_VS || rows[i].stage == TSIM_STAGE_HS) {
            groups = MIN(groups, rows[i].residency.groups_per_unit);
        }
    }
    return groups;
}
