/* hw/limits.h on random GPUs and threadgroups: the next step down is exactly the next step. */
#include "hw/limits.h"

#define CASES 20000

static uint32_t between(uint32_t least, uint32_t most)
{
    return (uint32_t)g_test_rand_int_range((gint32)least, (gint32)most + 1);
}

static void shape_gpu(TsimGpu *gpu)
{
    gpu->waves_per_simd = between(1, 20);
    gpu->simds_per_cu = between(1, 4);
    gpu->vgprs_per_simd = 256 * between(1, 6);
    gpu->vgpr_granule = 4 * between(1, 6);
    gpu->has_wave32 = gpu->wave64_doubles_vgprs = g_test_rand_bit();
    gpu->sgprs_per_simd = g_test_rand_bit() ? 0 : 8 * between(13, 128);
    gpu->lds_granule = 256U << between(0, 2);
    gpu->barriers_per_cu = between(1, 32);
    gpu->wgp_mode = g_test_rand_bit();
}

static uint32_t groups(const TsimGpu *gpu, const TsimGroupDemand *demand)
{
    TsimResidency residency;

    tsim_limits_residency(gpu, demand, &residency);
    return residency.groups_per_unit;
}

/* With the amounts of the step one more group fits; with one more of any of them it does not. */
static void check_step(const TsimGpu *gpu, const TsimGroupDemand *demand)
{
    const uint32_t now = groups(gpu, demand);
    TsimGroupDemand less = *demand;
    TsimNextStep step;

    if (!tsim_limits_next_step(gpu, demand, &step)) {
        return;
    }
    less.vgprs = MIN(less.vgprs, step.vgprs);
    less.sgprs = MIN(less.sgprs, step.sgprs);
    less.lds_bytes = MIN(less.lds_bytes, step.lds_bytes);
    g_assert_cmpuint(groups(gpu, &less), >, now);
    if (step.vgprs != UINT32_MAX) {
        less.vgprs++;
        g_assert_cmpuint(groups(gpu, &less), ==, now);
        less.vgprs--;
    }
    if (step.sgprs != UINT32_MAX) {
        less.sgprs++;
        g_assert_cmpuint(groups(gpu, &less), ==, now);
        less.sgprs--;
    }
    if (step.lds_bytes != UINT32_MAX) {
        less.lds_bytes++;
        g_assert_cmpuint(groups(gpu, &less), ==, now);
    }
}

static void test_next_step(void)
{
    g_autoptr(TsimGpu) gpu = tsim_gpu_new();

    for (int i = 0; i < CASES; i++) {
        TsimGroupDemand demand = {
            .vgprs = between(1, 256),
            .sgprs = between(1, 104),
            .waves = between(1, 16),
            .lds_bytes = g_test_rand_bit() ? 0 : between(1, 65536),
            .lds_kept_free_bytes = g_test_rand_bit() ? 0 : 4096,
        };

        shape_gpu(gpu);
        demand.wave_size = gpu->has_wave32 && g_test_rand_bit() ? 32 : 64;
        check_step(gpu, &demand);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/limits/next-step", test_next_step);
    return g_test_run();
}
