/* hw/limits.h against the occupancy that LLVM's own tests expect and samples worked by hand. */
#include "csv.h"
#include "golden-gpus.h"
#include "hw/limits.h"

/* Columns of the table are named <gpu>_w<wave size>. */
static void check_vgpr_column(const Csv *csv, const char *name, uint32_t wave_size)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new(name);
    g_autofree char *column = g_strdup_printf("%s_w%u", name, wave_size);

    for (guint row = 0; row < csv->rows->len; row++) {
        const uint32_t vgprs = (uint32_t)csv_uint(csv, row, "vgprs");

        g_assert_cmpuint(tsim_limits_waves_per_simd(gpu, vgprs, 0, wave_size), ==,
                         csv_uint(csv, row, column));
    }
}

static void test_vgprs_llvm(void)
{
    Csv *csv = csv_read("occupancy_vgpr_llvm.csv");

    g_assert_cmpuint(csv->rows->len, ==, 16);
    check_vgpr_column(csv, "gfx900", 64);
    check_vgpr_column(csv, "gfx1010", 32);
    check_vgpr_column(csv, "gfx1010", 64);
    check_vgpr_column(csv, "gfx1030", 32);
    check_vgpr_column(csv, "gfx1030", 64);
    check_vgpr_column(csv, "gfx1100", 32);
    check_vgpr_column(csv, "gfx1100", 64);
    csv_free(csv);
}

/* LLVM assumes that every chip allocates LDS in 512-byte granules; gfx1030 hardware takes 1024. */
static void check_lds_column(const char *column, uint32_t lds_granule)
{
    Csv *csv = csv_read("occupancy_lds_llvm.csv");

    g_assert_cmpuint(csv->rows->len, ==, 52);
    for (guint row = 0; row < csv->rows->len; row++) {
        g_autoptr(TsimGpu) gpu = golden_gpu_new(csv_text(csv, row, "gfx"));
        const uint32_t wave_size = (uint32_t)csv_uint(csv, row, "wave_size");
        const uint64_t threads = csv_uint(csv, row, "max_workgroup_threads");
        const uint32_t waves = (uint32_t)((threads + wave_size - 1) / wave_size);
        TsimResidency residency;

        gpu->lds_granule = lds_granule;
        tsim_limits_residency(gpu, 0, 0, wave_size, waves,
                              (uint32_t)csv_uint(csv, row, "lds_bytes_per_workgroup"), &residency);
        g_assert_cmpuint(residency.waves_per_simd, ==, csv_uint(csv, row, column));
    }
    csv_free(csv);
}

static void test_lds_llvm(void)
{
    check_lds_column("llvm_expected_waves_per_simd", 512);
    check_lds_column("simple_model_granule1024", 1024);
}

typedef struct {
    const char *gpu;
    uint32_t wave_size, vgprs, sgprs, lds_bytes, waves;
    uint32_t waves_per_simd_by_registers, groups_per_unit, waves_per_simd;
    TsimLimit limiter;
} Sample;

/* SGPR counts include VCC. By hand, third row: 256 / 64 = 4 waves a SIMD, 4 * 4 / 4 = 4 groups by
 * registers, 65536 / 16384 = 4 by LDS. */
static const Sample samples[] = {
    {"gfx7", 64, 24, 48, 0, 1, 10, 40, 10, TSIM_LIMIT_WAVE_SLOTS},
    {"gfx7", 64, 32, 48, 9216, 3, 8, 7, 6, TSIM_LIMIT_LDS},
    {"gfx7", 64, 64, 64, 16384, 4, 4, 4, 4, TSIM_LIMIT_VGPRS},
    {"gfx7", 64, 84, 80, 32000, 2, 3, 2, 1, TSIM_LIMIT_LDS},
    {"gfx7", 64, 128, 104, 8960, 2, 2, 4, 2, TSIM_LIMIT_VGPRS},
    {"gfx7", 64, 8, 104, 0, 1, 4, 16, 4, TSIM_LIMIT_SGPRS},
    {"gfx7", 64, 4, 16, 0, 2, 10, 16, 8, TSIM_LIMIT_BARRIERS},
    {"gfx1030", 32, 32, 128, 15104, 6, 16, 8, 12, TSIM_LIMIT_LDS},
    {"gfx1030", 32, 128, 128, 8656, 6, 8, 5, 8, TSIM_LIMIT_VGPRS},
    {"gfx1030", 64, 96, 128, 20480, 3, 5, 6, 5, TSIM_LIMIT_VGPRS},
};

static void test_samples(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
        const Sample *sample = &samples[i];
        g_autoptr(TsimGpu) gpu = golden_gpu_new(sample->gpu);
        TsimResidency residency;

        tsim_limits_residency(gpu, sample->vgprs, sample->sgprs, sample->wave_size, sample->waves,
                              sample->lds_bytes, &residency);
        g_assert_cmpuint(residency.waves_per_simd_by_registers, ==,
                         sample->waves_per_simd_by_registers);
        g_assert_cmpuint(residency.groups_per_unit, ==, sample->groups_per_unit);
        g_assert_cmpuint(residency.waves_per_simd, ==, sample->waves_per_simd);
        g_assert_cmpint((int)residency.limiter, ==, (int)sample->limiter);
    }
}

/* Every bound is reported, not only the one that binds. */
static void test_bounds(void)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new("gfx7");
    TsimResidency residency;

    tsim_limits_residency(gpu, 32, 48, 64, 3, 9216, &residency);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_WAVE_SLOTS], ==, 13); /* 40 / 3 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_VGPRS], ==, 10);      /* 8 * 4 / 3 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_SGPRS], ==, 13);      /* 512 / 48 = 10 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_LDS], ==, 7);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_BARRIERS], ==, 16);
    g_assert_cmpuint(residency.waves_per_unit, ==, 21);

    tsim_limits_residency(gpu, 32, 48, 64, 1, 0, &residency);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_LDS], ==, UINT32_MAX);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_BARRIERS], ==, UINT32_MAX);
}

static void test_granules(void)
{
    g_autoptr(TsimGpu) gcn = golden_gpu_new("gfx7");
    g_autoptr(TsimGpu) rdna = golden_gpu_new("gfx1030");

    g_assert_cmpuint(tsim_limits_vgprs_allocated(gcn, 0, 64), ==, 4);
    g_assert_cmpuint(tsim_limits_vgprs_allocated(gcn, 65, 64), ==, 68);
    g_assert_cmpuint(tsim_limits_vgprs_allocated(rdna, 33, 32), ==, 48);
    g_assert_cmpuint(tsim_limits_vgprs_allocated(rdna, 33, 64), ==, 80); /* 40 of a wave64 */
    g_assert_cmpuint(tsim_limits_sgprs_allocated(gcn, 41), ==, 48);
    g_assert_cmpuint(tsim_limits_lds_allocated(gcn, 0), ==, 0);
    g_assert_cmpuint(tsim_limits_lds_allocated(gcn, 32000), ==, 32256);
    g_assert_cmpuint(tsim_limits_lds_allocated(rdna, 15360), ==, 15360);
    g_assert_cmpuint(tsim_limits_lds_allocated(rdna, 15361), ==, 16384);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/limits/vgprs-llvm", test_vgprs_llvm);
    g_test_add_func("/limits/lds-llvm", test_lds_llvm);
    g_test_add_func("/limits/samples", test_samples);
    g_test_add_func("/limits/bounds", test_bounds);
    g_test_add_func("/limits/granules", test_granules);
    return g_test_run();
}
