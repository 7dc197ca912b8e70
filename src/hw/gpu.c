#include "hw/gpu.h"

#include "base/error.h"
#include "hw/stage.h"

#include <string.h>

const char *const tsim_stage_names[] = {"vs", "hs", "ds", "gs", "ps", "cs", NULL};
const char *const tsim_lds_placement_names[] = {"first_fit", "best_fit", "next_fit", NULL};
const char *const tsim_cu_policy_names[] = {"round_robin", "fewest_waves", "first", NULL};
const char *const tsim_simd_policy_names[] = {"round_robin", "fewest_waves", NULL};
const char *const tsim_offchip_scope_names[] = {"gpu", "se", NULL};
const char *const tsim_field_kind_names[] = {"unstated", "documented", "measured", "estimated",
                                             NULL};

/* clang-format off */
#define ROW(name, type, unit, min, max, init, words, blurb) \
    {#name, type, offsetof(TsimGpu, name), unit, min, max, init, words, FALSE, blurb},
#define TEXT(name, blurb) ROW(name, TSIM_FIELD_STRING, "", 0, 0, 0, NULL, blurb)
#define REAL(name, unit, min, max, init, blurb) ROW(name, TSIM_FIELD_REAL, unit, min, max, init, NULL, blurb)
#define U32(name, unit, min, max, init, blurb) ROW(name, TSIM_FIELD_U32, unit, min, max, init, NULL, blurb)
#define RATE(name, unit, min, max, init, blurb) ROW(name, TSIM_FIELD_RATE, unit, min, max, init, NULL, blurb)
#define COUNTS(name, unit, min, max, init, blurb) ROW(name, TSIM_FIELD_COUNTS, unit, min, max, init, NULL, blurb)
#define BOOL(name, init, blurb) ROW(name, TSIM_FIELD_BOOL, "", 0, 1, init, NULL, blurb)
#define ENUM(name, words, init, blurb) ROW(name, TSIM_FIELD_ENUM, "", 0, 0, init, words, blurb)
/* clang-format on */
const TsimField tsim_gpu_fields[] = {
#include "hw/gpu-fields.def"
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

TsimGpu *tsim_gpu_new(void)
{
    TsimGpu *gpu = g_new0(TsimGpu, 1);

    tsim_fields_init(tsim_gpu_fields, gpu);
    return gpu;
}

TsimGpu *tsim_gpu_copy(const TsimGpu *gpu)
{
    TsimGpu *copy = g_memdup2(gpu, sizeof *gpu);

    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        if (field->type == TSIM_FIELD_STRING) {
            char **text = (char **)(void *)((char *)copy + field->offset);
            *text = g_strdup(*text);
        }
    }
    for (int i = 0; i < TSIM_GPU_FIELDS; i++) {
        copy->sources[i] = g_strdup(gpu->sources[i]);
    }
    return copy;
}

void tsim_gpu_free(TsimGpu *gpu)
{
    if (gpu == NULL) {
        return;
    }
    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        if (field->type == TSIM_FIELD_STRING) {
            g_free(*(char **)(void *)((char *)gpu + field->offset));
        }
    }
    for (int i = 0; i < TSIM_GPU_FIELDS; i++) {
        g_free(gpu->sources[i]);
    }
    g_free(gpu);
}

uint32_t tsim_gpu_cus_in_array(const TsimGpu *gpu, uint32_t se, uint32_t array)
{
    const TsimCounts *counts = &gpu->cus_per_array;
    const uint32_t index = counts->n == 1 ? 0 : se * gpu->shader_arrays_per_se + array;

    return gpu->wgp_mode ? counts->values[index] / 2 : counts->values[index];
}

uint32_t tsim_gpu_cus_in_se(const TsimGpu *gpu, uint32_t se)
{
    uint32_t cus = 0;

    for (uint32_t array = 0; array < gpu->shader_arrays_per_se; array++) {
        cus += tsim_gpu_cus_in_array(gpu, se, array);
    }
    return cus;
}

uint32_t tsim_gpu_cus(const TsimGpu *gpu)
{
    uint32_t cus = 0;

    for (uint32_t se = 0; se < gpu->shader_engines; se++) {
        cus += tsim_gpu_cus_in_se(gpu, se);
    }
    return cus;
}

uint32_t tsim_gpu_simds_per_unit(const TsimGpu *gpu)
{
    return gpu->wgp_mode ? 2 * gpu->simds_per_cu : gpu->simds_per_cu;
}

uint32_t tsim_gpu_lds_bytes_per_unit(const TsimGpu *gpu)
{
    return gpu->wgp_mode ? 2 * gpu->lds_bytes_per_cu : gpu->lds_bytes_per_cu;
}

uint32_t tsim_gpu_barriers_per_unit(const TsimGpu *gpu)
{
    return gpu->wgp_mode ? 2 * gpu->barriers_per_cu : gpu->barriers_per_cu;
}

/* Reads "ps,gs,..." into stages; FALSE unless every stage stands there exactly once. */
static gboolean parse_launch_order(const char *text, int ret_stages[])
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    gboolean seen[TSIM_STAGES] = {FALSE};

    if (g_strv_length(words) != TSIM_STAGES) {
        return FALSE;
    }
    for (int i = 0; i < TSIM_STAGES; i++) {
        const int stage = tsim_word_index(tsim_stage_names, g_strstrip(words[i]));
        if (stage < 0 || seen[stage]) {
            return FALSE;
        }
        seen[stage] = TRUE;
        ret_stages[i] = stage;
    }
    return TRUE;
}

/* Later stages first: work that frees resources goes before work that takes them (model E5). */
#define DEFAULT_LAUNCH_PRIORITY "ps,gs,ds,hs,vs,cs"

void tsim_gpu_launch_order(const TsimGpu *gpu, int ret_stages[])
{
    const char *text =
        gpu->launch_priority != NULL ? gpu->launch_priority : DEFAULT_LAUNCH_PRIORITY;
    const gboolean valid = parse_launch_order(text, ret_stages);

    TSIM_ASSERT(valid);
}

static gboolean fail(TsimGpuFieldId field, TsimGpuFieldId *ret_field, GError **error,
                     const char *allowed)
{
    *ret_field = field;
    g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_INPUT, allowed);
    return FALSE;
}

static gboolean validate_shape(const TsimGpu *gpu, TsimGpuFieldId *ret_field, GError **error)
{
    const uint32_t arrays = gpu->shader_engines * gpu->shader_arrays_per_se;

    if (gpu->wave_size != 64 && gpu->wave_size != 32) {
        return fail(TSIM_GPU_FIELD_wave_size, ret_field, error, "must be 64 or 32");
    }
    if (arrays > TSIM_COUNTS_MAX) {
        return fail(TSIM_GPU_FIELD_shader_engines, ret_field, error,
                    "more than 32 shader arrays in all");
    }
    if (gpu->cus_per_array.n != 1 && gpu->cus_per_array.n != arrays) {
        return fail(TSIM_GPU_FIELD_cus_per_array, ret_field, error,
                    "must be one number, or one for each shader array of the GPU");
    }
    for (uint32_t i = 0; gpu->wgp_mode && i < gpu->cus_per_array.n; i++) {
        if (gpu->cus_per_array.values[i] % 2 != 0) {
            return fail(TSIM_GPU_FIELD_cus_per_array, ret_field, error, "must be even in wgp_mode");
        }
    }
    for (uint32_t i = 0; i < gpu->cus_per_array.n; i++) {
        if (gpu->late_alloc_cus_closed >= gpu->cus_per_array.values[i] / (gpu->wgp_mode ? 2 : 1)) {
            return fail(TSIM_GPU_FIELD_late_alloc_cus_closed, ret_field, error,
                        "must leave at least one CU of every shader array open");
        }
    }
    return TRUE;
}

static gboolean validate_sizes(const TsimGpu *gpu, TsimGpuFieldId *ret_field, GError **error)
{
    if (gpu->lds_bytes_per_cu % gpu->lds_granule != 0 ||
        gpu->lds_bytes_per_cu / gpu->lds_granule > 512) {
        return fail(TSIM_GPU_FIELD_lds_granule, ret_field, error,
                    "must divide lds_bytes_per_cu into at most 512 granules");
    }
    if (gpu->ps_lds_reserve % gpu->lds_granule != 0 ||
        gpu->ps_lds_reserve >= gpu->lds_bytes_per_cu) {
        return fail(TSIM_GPU_FIELD_ps_lds_reserve, ret_field, error,
                    "must be a multiple of lds_granule, below lds_bytes_per_cu");
    }
    if (gpu->l1_bytes % (TSIM_LINE_BYTES * gpu->l1_ways) != 0) {
        return fail(TSIM_GPU_FIELD_l1_bytes, ret_field, error,
                    "must be a whole number of 64-byte lines in each way");
    }
    if (gpu->texture_line_bytes % TSIM_LINE_BYTES != 0) {
        return fail(TSIM_GPU_FIELD_texture_line_bytes, ret_field, error, "must be 64 or 128");
    }
    if (gpu->array_l1_bytes % (TSIM_LINE_BYTES * gpu->array_l1_ways) != 0) {
        return fail(TSIM_GPU_FIELD_array_l1_bytes, ret_field, error,
                    "must be a whole number of 64-byte lines in each way");
    }
    if (gpu->l2_bytes % (TSIM_LINE_BYTES * gpu->l2_ways) != 0) {
        return fail(TSIM_GPU_FIELD_l2_bytes, ret_field, error,
                    "must be a whole number of 64-byte lines in each way");
    }
    return TRUE;
}

gboolean tsim_gpu_validate(const TsimGpu *gpu, TsimGpuFieldId *ret_field, GError **error)
{
    int stages[TSIM_STAGES];

    if (!validate_shape(gpu, ret_field, error) || !validate_sizes(gpu, ret_field, error)) {
        return FALSE;
    }
    if (gpu->launch_priority != NULL && !parse_launch_order(gpu->launch_priority, stages)) {
        return fail(TSIM_GPU_FIELD_launch_priority, ret_field, error,
                    "must name each of vs,hs,ds,gs,ps,cs once, first served first");
    }
    return TRUE;
}
