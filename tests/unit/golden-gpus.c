#include "golden-gpus.h"

typedef struct {
    const char *name;
    uint32_t waves_per_simd;
    uint32_t vgprs_per_simd, vgpr_granule;
    uint32_t sgprs_per_simd, sgpr_granule;
    uint32_t lds_granule;
    uint32_t lds_max_hs_threadgroup;
    uint32_t lds_max_compute_threadgroup;
    gboolean distributed; /* tessellation */
    gboolean rdna;        /* wave32, WGPs of 2 x 2 SIMDs, merged LS-HS */
} Row;

static const Row rows[] = {
    {"gfx6", 10, 256, 4, 512, 8, 256, 32768, 32768, FALSE, FALSE},
    {"gfx7", 10, 256, 4, 512, 8, 512, 32768, 65536, FALSE, FALSE},
    {"gfx8", 10, 256, 4, 800, 16, 512, 32768, 65536, TRUE, FALSE},
    {"gfx900", 10, 256, 4, 800, 16, 512, 65536, 65536, TRUE, FALSE},
    {"gfx1010", 20, 1024, 8, 0, 8, 512, 65536, 65536, TRUE, TRUE},
    {"gfx1030", 16, 1024, 16, 0, 8, 1024, 65536, 65536, TRUE, TRUE},
    {"gfx1100", 16, 1536, 24, 0, 8, 1024, 65536, 65536, TRUE, TRUE},
};

static const Row *find_row(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (g_str_equal(rows[i].name, name)) {
            return &rows[i];
        }
    }
    g_error("no GPU %s", name);
}

TsimGpu *golden_gpu_new(const char *name)
{
    const Row *row = find_row(name);
    TsimGpu *gpu = tsim_gpu_new();

    gpu->name = g_strdup(row->name);
    gpu->waves_per_simd = row->waves_per_simd;
    gpu->vgprs_per_simd = row->vgprs_per_simd;
    gpu->vgpr_granule = row->vgpr_granule;
    gpu->sgprs_per_simd = row->sgprs_per_simd;
    gpu->sgpr_granule = row->sgpr_granule;
    gpu->lds_granule = row->lds_granule;
    gpu->lds_max_hs_threadgroup = row->lds_max_hs_threadgroup;
    gpu->lds_max_compute_threadgroup = row->lds_max_compute_threadgroup;
    gpu->wgp_mode = row->rdna;
    gpu->has_wave32 = row->rdna;
    gpu->wave64_doubles_vgprs = row->rdna;
    gpu->merged_ls_hs = row->rdna;
    gpu->has_onchip = !row->rdna;
    gpu->distributed_tessellation = row->distributed;
    gpu->one_wave_hs_groups = g_str_equal(name, "gfx6");
    gpu->simds_per_cu = row->rdna ? 2 : 4;
    return gpu;
}
