/* What hw/limits.h says can be resident is what the simulator holds at its peak: a GPU is filled
 * with more threadgroups of one random kind than it can take, each of which outlives the filling.
 */
#include "model/run.h"
#include "workload/occupancy.h"

#define CASES       60
#define LONG_CYCLES 20000 /* far more than it takes to launch every wave of the GPU */

static uint32_t between(uint32_t least, uint32_t most)
{
    return (uint32_t)g_test_rand_int_range((gint32)least, (gint32)most + 1);
}

static TsimGpu *random_gpu(void)
{
    TsimGpu *gpu = tsim_gpu_new();

    gpu->name = g_strdup("random");
    gpu->shader_engines = between(1, 2);
    gpu->cus_per_array.values[0] = 2 * between(1, 2);
    gpu->waves_per_simd = between(2, 10);
    gpu->barriers_per_cu = between(1, 16);
    if (g_test_rand_bit()) {
        gpu->wgp_mode = TRUE;
        gpu->simds_per_cu = 2;
        gpu->has_wave32 = gpu->wave64_doubles_vgprs = TRUE;
        gpu->wave_size = g_test_rand_bit() ? 32 : 64;
        gpu->vgprs_per_simd = 1024;
        gpu->vgpr_granule = 16;
        gpu->sgprs_per_simd = 0;
        gpu->merged_ls_hs = TRUE;
        gpu->has_onchip = FALSE;
        gpu->lds_granule = 1024;
    }
    return gpu;
}

static TsimShader waiting_shader(uint32_t vgprs, uint32_t sgprs)
{
    TsimShader shader = {.vgprs = vgprs, .sgprs = sgprs, .segments_n = 1};

    shader.segments = g_new0(TsimSegment, 1);
    shader.segments[0] = (TsimSegment){.op = TSIM_OP_WAIT, .count = LONG_CYCLES};
    return shader;
}

static TsimScenario *scenario_of_one(TsimWorkType type)
{
    TsimScenario *scenario = tsim_scenario_new();

    scenario->name = g_strdup("residency");
    scenario->gpu = random_gpu();
    scenario->gpu_name = g_strdup(scenario->gpu->name);
    scenario->queues_n = 1;
    scenario->queues = g_new0(char *, 1);
    scenario->queues[0] = g_strdup("only");
    scenario->work_n = 1;
    scenario->work = g_new0(TsimWork, 1);
    scenario->work[0].type = (int)type;
    return scenario;
}

/* The most waves of that stage that were resident at once, whole GPU. */
static uint64_t peak_waves(const TsimScenario *scenario, TsimStage stage)
{
    GError *error = NULL;
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, NULL, &error);

    g_assert_no_error(error);
    tsim_machine_run(machine, &error);
    g_assert_no_error(error);
    return machine->stage_meters[stage].peak;
}

static void test_dispatches(void)
{
    for (int i = 0; i < CASES; i++) {
        g_autoptr(TsimScenario) scenario = scenario_of_one(TSIM_WORK_DISPATCH);
        TsimDispatch *dispatch = &scenario->work[0].dispatch;
        TsimOccupancy row;

        dispatch->name = g_strdup("filling");
        dispatch->threads = between(1, 512);
        dispatch->lds_bytes = g_test_rand_bit() ? 0 : between(1, 32768);
        dispatch->cs = waiting_shader(between(1, 128), between(1, 104));
        tsim_occupancy_dispatch(scenario->gpu, dispatch, &row);
        dispatch->threadgroups =
            2 * tsim_gpu_cus(scenario->gpu) * (uint64_t)row.residency.groups_per_unit;
        if (row.residency.groups_per_unit > 0) {
            g_assert_cmpuint(peak_waves(scenario, TSIM_STAGE_CS), ==,
                             tsim_gpu_cus(scenario->gpu) * row.residency.waves_per_unit);
        }
    }
}

/* A draw whose waves of that stage outlive the filling; ring and queue do not bind. */
static void init_draw(TsimScenario *scenario, TsimStage long_stage)
{
    TsimDraw *draw = &scenario->work[0].draw;
    TsimShader *other;
    TsimFactorParams params;

    scenario->gpu->tf_ring_bytes_per_se = 1 << 20;
    scenario->gpu->vgt_queue_depth = 64;
    tsim_factor_params_init(&params, TSIM_FACTORS_UNIFORM);
    *draw = (TsimDraw){
        .name = g_strdup("filling"),
        .domain = TSIM_DOMAIN_TRI,
        .partitioning = TSIM_PARTITIONING_INTEGER,
        .topology = TSIM_TOPOLOGY_TRIANGLE_CW,
        .max_tess_factor = 64,
        .input_control_points = 3,
        .output_control_points = 3,
        .vs_output_vec4 = between(1, 16),
        .hs_output_vec4 = between(1, 8),
        .factors = tsim_factor_source_new(&params, TSIM_DOMAIN_TRI, 1, 0, NULL),
        .tessellation = {.mode = TSIM_MODE_ONCHIP,
                         .patches_per_threadgroup = between(1, 42),
                         .tf_threshold = 1.0},
        .vs = waiting_shader(between(1, 128), between(1, 104)),
        .hs = waiting_shader(between(1, 128), between(1, 104)),
        .ds = {.vgprs = 1, .sgprs = 1},
    };
    /* The other stage must get in wherever this one does, or it would be what binds. */
    other = long_stage == TSIM_STAGE_VS ? &draw->hs : &draw->vs;
    other->vgprs = other->sgprs = 1;
    other->segments[0].count = 1;
    tsim_factor_params_clear(&params);
}

/* What the row of a stage says is the most waves of it that are resident in the whole GPU. */
static void check_draw(TsimStage long_stage)
{
    g_autoptr(TsimScenario) scenario = scenario_of_one(TSIM_WORK_DRAW);
    const TsimGpu *gpu = scenario->gpu;
    TsimDraw *draw = &scenario->work[0].draw;
    TsimOccupancy rows[TSIM_STAGES], *row = rows;
    TsimDrawPlan plan;

    init_draw(scenario, long_stage);
    if (!tsim_draw_plan(gpu, draw, &plan, NULL, NULL)) {
        return; /* a group that can never fit */
    }
    tsim_occupancy_draw(gpu, draw, &plan, 0, rows);
    if (long_stage == TSIM_STAGE_HS && !gpu->merged_ls_hs) {
        row = &rows[1];
    }
    draw->patches =
        2 * (uint64_t)row->residency.groups_per_unit * tsim_gpu_cus(gpu) * plan.patches_per_group;
    g_assert_cmpuint(peak_waves(scenario, row->stage), ==,
                     tsim_gpu_cus(gpu) * row->residency.waves_per_unit);
}

static void test_vertex_shaders(void)
{
    for (int i = 0; i < CASES; i++) {
        check_draw(TSIM_STAGE_VS);
    }
}

static void test_hull_shaders(void)
{
    for (int i = 0; i < CASES; i++) {
        check_draw(TSIM_STAGE_HS);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/residency/dispatches", test_dispatches);
    g_test_add_func("/residency/vertex-shaders", test_vertex_shaders);
    g_test_add_func("/residency/hull-shaders", test_hull_shaders);
    return g_test_run();
}
