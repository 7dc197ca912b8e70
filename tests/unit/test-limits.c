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
        TsimResidency residency;

        gpu->lds_granule = lds_granule;
        const TsimGroupDemand demand = {
            .wave_size = wave_size,
            .waves = (uint32_t)((threads + wave_size - 1) / wave_size),
            .lds_bytes = (uint32_t)csv_uint(csv, row, "lds_bytes_per_workgroup"),
        };
        tsim_limits_residency(gpu, &demand, &residency);
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
    TsimGroupDemand demand; /* VGPRs, SGPRs, wave size, waves, LDS */
    uint32_t waves_per_simd_by_registers, groups_per_unit, waves_per_simd;
    TsimLimit limiter;
} Sample;

/* SGPR counts include VCC. By hand, third row: 256 / 64 = 4 waves a SIMD, 4 * 4 / 4 = 4 groups by
 * registers, 65536 / 16384 = 4 by LDS. */
static const Sample samples[] = {
    {"gfx7", {24, 48, 64, 1, 0, 0}, 10, 40, 10, TSIM_LIMIT_WAVE_SLOTS},
    {"gfx7", {32, 48, 64, 3, 9216, 0}, 8, 7, 6, TSIM_LIMIT_LDS},
    {"gfx7", {64, 64, 64, 4, 16384, 0}, 4, 4, 4, TSIM_LIMIT_VGPRS},
    {"gfx7", {84, 80, 64, 2, 32000, 0}, 3, 2, 1, TSIM_LIMIT_LDS},
    {"gfx7", {128, 104, 64, 2, 8960, 0}, 2, 4, 2, TSIM_LIMIT_VGPRS},
    {"gfx7", {8, 104, 64, 1, 0, 0}, 4, 16, 4, TSIM_LIMIT_SGPRS},
    {"gfx7", {4, 16, 64, 2, 0, 0}, 10, 16, 8, TSIM_LIMIT_BARRIERS},
    {"gfx1030", {32, 128, 32, 6, 15104, 0}, 16, 8, 12, TSIM_LIMIT_LDS},
    {"gfx1030", {128, 128, 32, 6, 8656, 0}, 8, 5, 8, TSIM_LIMIT_VGPRS},
    {"gfx1030", {96, 128, 64, 3, 20480, 0}, 5, 6, 5, TSIM_LIMIT_VGPRS},
};

static void test_samples(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(samples); i++) {
        const Sample *sample = &samples[i];
        g_autoptr(TsimGpu) gpu = golden_gpu_new(sample->gpu);
        TsimResidency residency;

        tsim_limits_residency(gpu, &sample->demand, &residency);
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
    TsimGroupDemand demand = {
        .vgprs = 32, .sgprs = 48, .wave_size = 64, .waves = 3, .lds_bytes = 9216};
    TsimResidency residency;

    tsim_limits_residency(gpu, &demand, &residency);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_WAVE_SLOTS], ==, 13); /* 40 / 3 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_VGPRS], ==, 10);      /* 8 * 4 / 3 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_SGPRS], ==, 13);      /* 512 / 48 = 10 */
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_LDS], ==, 7);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_BARRIERS], ==, 16);
    g_assert_cmpuint(residency.waves_per_unit, ==, 21);

    demand.lds_kept_free_bytes = 4096; /* 61440 / 9216 */
    tsim_limits_residency(gpu, &demand, &residency);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_LDS], ==, 6);

    demand.waves = 1;
    demand.lds_bytes = 0;
    tsim_limits_residency(gpu, &demand, &residency);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_LDS], ==, UINT32_MAX);
    g_assert_cmpuint(residency.groups[TSIM_LIMIT_BARRIERS], ==, UINT32_MAX);
}

static void check_step(const char *name, TsimGroupDemand demand, gboolean possible,
                       TsimNextStep expected)
{
    g_autoptr(TsimGpu) gpu = golden_gpu_new(name);
    TsimNextStep step;

    g_assert_cmpint(tsim_limits_next_step(gpu, &demand, &step), ==, possible);
    g_assert_cmpuint(step.vgprs, ==, expected.vgprs);
    g_assert_cmpuint(step.sgprs, ==, expected.sgprs);
    g_assert_cmpuint(step.lds_bytes, ==, expected.lds_bytes);
}

/* The most that a group may take so that one more fits. */
static void test_next_step(void)
{
    /* 7 groups by LDS; 65536 / 8 = 8192. */
    check_step("gfx7", (TsimGroupDemand){32, 48, 64, 3, 9216, 0}, TRUE,
               (TsimNextStep){UINT32_MAX, UINT32_MAX, 8192});
    /* 65536 / 3 = 21845: 42 granules of 512, 21 of 1024. */
    check_step("gfx7", (TsimGroupDemand){32, 48, 64, 3, 32000, 0}, TRUE,
               (TsimNextStep){UINT32_MAX, UINT32_MAX, 21504});
    /* In a WGP 131072 / 3 = 43690, 42 granules. */
    check_step("gfx1030", (TsimGroupDemand){32, 48, 32, 3, 60000, 0}, TRUE,
               (TsimNextStep){UINT32_MAX, UINT32_MAX, 43008});
    /* 4 groups of 4 waves by registers and by LDS; 5 need 5 waves a SIMD: 256 / 5 = 51 -> 48. */
    check_step("gfx7", (TsimGroupDemand){64, 64, 64, 4, 16384, 0}, TRUE,
               (TsimNextStep){48, UINT32_MAX, 12800});
    /* 4 waves a SIMD by SGPRs, 16 groups; 17 need 5 waves: 512 / 5 = 102 -> 96. */
    check_step("gfx7", (TsimGroupDemand){8, 104, 64, 1, 0, 0}, TRUE,
               (TsimNextStep){UINT32_MAX, 96, UINT32_MAX});
    /* A wave64 takes two registers for one: 1024 / 6 = 170 -> 160, 80 of a wave64. */
    check_step("gfx1030", (TsimGroupDemand){96, 48, 64, 1, 0, 0}, TRUE,
               (TsimNextStep){80, UINT32_MAX, UINT32_MAX});
    /* 40 slots are full. */
    check_step("gfx7", (TsimGroupDemand){4, 16, 64, 1, 0, 0}, FALSE,
               (TsimNextStep){UINT32_MAX, UINT32_MAX, UINT32_MAX});
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
    g_test_add_func("/limits/next-step", test_next_step);
    g_test_add_func("/limits/granules", test_granules);
    return g_test_run();
}
