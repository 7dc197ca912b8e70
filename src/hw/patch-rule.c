#include "hw/patch-rule.h"

#include "base/error.h"
#include "hw/limits.h"

const char *const tsim_patch_rule_names[] = {
    "xbox_one",  "max_per_group", "radeonsi_2018", "radeonsi_24", "radv_22", "radv_24",
    "mesa_2025", "llpc_2018",     "llpc_2025",     "explicit",    NULL,
};

#define VEC4_BYTES  16
#define DWORD_BYTES 4
#define KB          1024U

/* ---- Layouts ---- */

static void layout_packed(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    layout->input_bytes = shape->input_control_points * VEC4_BYTES * shape->input_vec4;
    layout->output_bytes = shape->output_control_points * VEC4_BYTES * shape->output_vec4;
    layout->constant_bytes = VEC4_BYTES * shape->patch_constant_vec4;
}

/* One dword more a vertex, so that neighbouring vertices start in different banks. */
static void pad_inputs(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    const uint32_t padding = shape->input_control_points * DWORD_BYTES;

    layout->input_bytes += padding;
    layout->padding_bytes += padding;
}

static void layout_radeonsi_24(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    layout_packed(shape, layout);
    pad_inputs(shape, layout);
    layout->overlaid = !shape->hs_reads_outputs;
}

static void layout_radv_24(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    layout_packed(shape, layout);
    if (shape->input_vec4 > 0) {
        pad_inputs(shape, layout);
    }
}

/* Only what the hull shader reads back is in LDS; the tess factors always are. */
static void layout_mesa_2025(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    layout_packed(shape, layout);
    pad_inputs(shape, layout);
    if (!shape->hs_reads_outputs) {
        layout->output_bytes = 0;
        layout->constant_bytes = VEC4_BYTES * shape->factor_vec4;
    }
    layout->constant_bytes += DWORD_BYTES;
    layout->padding_bytes += DWORD_BYTES;
    layout->group_bytes = 16; /* the vote on tess factors */
}

static void layout_llpc_2018(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    layout_packed(shape, layout);
    layout->input_bytes = shape->input_control_points * VEC4_BYTES * MAX(shape->input_vec4, 1);
    layout->output_bytes = shape->output_control_points * VEC4_BYTES * MAX(shape->output_vec4, 1);
    if (shape->offchip) {
        layout->output_bytes = 0;
        layout->constant_bytes = 0;
    }
}

/* An odd number of dwords, so that neighbouring entries start in different banks. */
static uint32_t odd_dwords(uint32_t vec4)
{
    return vec4 * 4 | 1;
}

static void layout_llpc_2025(const TsimPatchShape *shape, TsimPatchLayout *layout)
{
    const uint32_t input = odd_dwords(MAX(shape->input_vec4, 1));
    const uint32_t output = odd_dwords(MAX(shape->output_vec4, 1));
    const uint32_t constants =
        shape->patch_constant_vec4 > 0 ? odd_dwords(shape->patch_constant_vec4) : 0;
    const uint32_t factors = shape->factors + 1;

    layout->input_bytes = shape->input_control_points * input * DWORD_BYTES;
    layout->output_bytes = shape->output_control_points * output * DWORD_BYTES;
    layout->constant_bytes = (constants + factors) * DWORD_BYTES;
    layout->padding_bytes = DWORD_BYTES * (shape->input_control_points +
                                           shape->output_control_points + constants % 2 + 1);
}

uint32_t tsim_patch_layout_patch_bytes(const TsimPatchLayout *layout)
{
    const uint32_t after_hs = layout->output_bytes + layout->constant_bytes;

    return layout->overlaid ? MAX(layout->input_bytes, after_hs) : layout->input_bytes + after_hs;
}

uint32_t tsim_patch_layout_group_bytes(const TsimPatchLayout *layout, uint32_t patches)
{
    return patches * tsim_patch_layout_patch_bytes(layout) + layout->group_bytes;
}

uint32_t tsim_patch_lds_addressable_bytes(const TsimGpu *gpu)
{
    return MAX(gpu->lds_max_hs_threadgroup, gpu->lds_max_compute_threadgroup);
}

uint32_t tsim_patch_offchip_bytes(const TsimPatchShape *shape)
{
    return VEC4_BYTES *
           (shape->output_control_points * shape->output_vec4 + shape->patch_constant_vec4);
}

/* ---- The search for a number: bounds are applied one after the other ---- */

typedef struct {
    TsimPatchRule rule;
    const TsimGpu *gpu;
    const TsimPatchShape *shape;
    const TsimPatchLayout *layout;
    uint32_t control_points; /* of the wider side, which decides the threads */
    uint32_t patches;        /* least bound so far */
    GString *limiter;        /* its names */
    GError *error;           /* of the first bound that has no room for one patch */
} Pick;

static void bound(Pick *pick, const char *name, uint32_t patches)
{
    if (patches < pick->patches) {
        pick->patches = patches;
        g_string_assign(pick->limiter, name);
    } else if (patches == pick->patches) {
        g_string_append_printf(pick->limiter, "+%s", name);
    }
}

/* For names that carry the number. */
static void bound_named(Pick *pick, const char *prefix, uint32_t number, const char *suffix,
                        uint32_t patches)
{
    g_autofree char *name = g_strdup_printf("%s%u%s", prefix, number, suffix);

    bound(pick, name, patches);
}

static void require(Pick *pick, const char *what, uint32_t patch_bytes, uint32_t available)
{
    if (patch_bytes > available && pick->error == NULL) {
        g_set_error(&pick->error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "patch_rule %s: one patch needs %u bytes of %s, the limit is %u",
                    tsim_patch_rule_names[pick->rule], patch_bytes, what, available);
    }
}

static void bound_threads(Pick *pick, uint32_t threads)
{
    bound_named(pick, "threads", threads, "", threads / pick->control_points);
}

/* The older drivers let no patch lie in two waves. */
static void bound_threads_in_whole_waves(Pick *pick)
{
    bound(pick, "threads(64/max*4)", 64 / pick->control_points * 4);
}

static void bound_cap(Pick *pick, uint32_t cap)
{
    bound_named(pick, "cap", cap, "", cap);
}

/* Without distributed tessellation, small groups are what spreads patches over shader engines. */
static void bound_undistributed(Pick *pick)
{
    if (!pick->gpu->distributed_tessellation && pick->gpu->shader_engines > 1) {
        bound(pick, "cap16_nodist", 16);
    }
}

static void bound_lds(Pick *pick, uint32_t limit)
{
    const uint32_t patch_bytes = tsim_patch_layout_patch_bytes(pick->layout);
    const uint32_t group_bytes = pick->layout->group_bytes;
    const uint32_t available = limit - group_bytes;
    g_autofree char *suffix = group_bytes > 0 ? g_strdup_printf("k-%u", group_bytes) : NULL;

    require(pick, "LDS", patch_bytes, available);
    if (patch_bytes > 0) {
        bound_named(pick, "lds", limit / KB, suffix != NULL ? suffix : "k",
                    available / patch_bytes);
    }
}

/* A size at which several groups share a CU well; a larger patch goes alone. */
static void bound_lds_target(Pick *pick, uint32_t target)
{
    const uint32_t patch_bytes = tsim_patch_layout_patch_bytes(pick->layout);

    require(pick, "LDS", patch_bytes, tsim_patch_lds_addressable_bytes(pick->gpu));
    if (patch_bytes > 0) {
        bound_named(pick, "lds", target / KB, "k", MAX(target / patch_bytes, 1));
    }
}

static void bound_offchip(Pick *pick)
{
    const uint32_t patch_bytes = tsim_patch_offchip_bytes(pick->shape);
    const uint32_t available = pick->gpu->offchip_buffer_bytes;

    require(pick, "the off-chip buffer", patch_bytes, available);
    if (patch_bytes > 0) {
        bound(pick, "offchip", available / patch_bytes);
    }
}

#define OFFCHIP_ALIGNMENT 256

/* Attribute after attribute, each aligned for itself. */
static uint32_t offchip_aligned_bytes(const TsimPatchShape *shape, uint32_t patches)
{
    const uint32_t constant = VEC4_BYTES * patches;
    const uint32_t output = shape->output_control_points * constant;

    return (uint32_t)(tsim_round_up(output, OFFCHIP_ALIGNMENT) * shape->output_vec4 +
                      tsim_round_up(constant, OFFCHIP_ALIGNMENT) * shape->patch_constant_vec4);
}

static void bound_offchip_aligned(Pick *pick)
{
    const uint32_t available = pick->gpu->offchip_buffer_bytes;
    uint32_t patches = 0;

    require(pick, "the off-chip buffer", offchip_aligned_bytes(pick->shape, 1), available);
    while (patches < pick->gpu->patches_max &&
           offchip_aligned_bytes(pick->shape, patches + 1) <= available) {
        patches++;
    }
    bound(pick, "offchip", patches);
}

/* Drops a last wave that would be mostly empty. */
static void trim_last_wave(Pick *pick)
{
    const uint32_t threads = pick->patches * pick->control_points;
    const uint32_t wave = pick->shape->wave_size;
    const uint32_t used = threads % wave;

    if (threads > wave && used > 0 && wave - used >= MAX(pick->control_points, 8)) {
        pick->patches = (threads - used) / pick->control_points;
        g_string_append(pick->limiter, ";wavetrim");
    }
}

static void bound_one_wave(Pick *pick)
{
    const uint32_t patches = pick->shape->wave_size / pick->control_points;

    if (pick->gpu->one_wave_hs_groups && patches < pick->patches) {
        bound(pick, "onewave", patches);
    }
}

/* ---- The rules, each in the order in which its driver applies the bounds ---- */

static void pick_max_per_group(Pick *pick)
{
    bound_threads(pick, pick->gpu->hs_max_threads);
    bound_lds(pick, pick->gpu->lds_max_hs_threadgroup);
    if (pick->shape->offchip) {
        bound_offchip(pick);
    }
    bound_named(pick, "num_patches_field", pick->gpu->patches_max, "", pick->gpu->patches_max);
}

/* Groups that a CU holds at once while they are vertex shaders, and while they are hull shaders:
 * the fewer count. */
static uint32_t resident_groups(const Pick *pick, uint32_t patches, TsimLimit *ret_limiter)
{
    const TsimPatchShape *shape = pick->shape;
    TsimPatchChoice group;
    TsimGroupDemand demand;
    TsimResidency hs, vs;

    tsim_patch_rule_explicit(pick->gpu, shape, pick->layout, patches, &group);
    demand = (TsimGroupDemand){.vgprs = shape->hs_vgprs,
                               .sgprs = shape->hs_sgprs,
                               .wave_size = shape->wave_size,
                               .waves = group.hs_waves,
                               .lds_bytes = group.lds_bytes};
    if (group.vs_waves == 0) {
        demand.vgprs = MAX(demand.vgprs, shape->vs_vgprs);
        demand.sgprs = MAX(demand.sgprs, shape->vs_sgprs);
    }
    tsim_limits_residency(pick->gpu, &demand, &hs);
    *ret_limiter = hs.limiter;
    if (group.vs_waves == 0) {
        return hs.groups_per_unit;
    }
    demand.vgprs = shape->vs_vgprs;
    demand.sgprs = shape->vs_sgprs;
    demand.waves = group.vs_waves;
    tsim_limits_residency(pick->gpu, &demand, &vs);
    if (vs.groups_per_unit < hs.groups_per_unit) {
        *ret_limiter = vs.limiter;
    }
    return MIN(vs.groups_per_unit, hs.groups_per_unit);
}

static void pick_xbox_one(Pick *pick)
{
    uint32_t best_resident = 0, best_patches;
    TsimLimit best_limiter = TSIM_LIMIT_WAVE_SLOTS;

    pick_max_per_group(pick);
    best_patches = MIN(pick->patches, 1);
    /* From the top, so that the larger of two equal sizes stays. */
    for (uint32_t patches = pick->patches; patches >= 1; patches--) {
        TsimLimit limiter;
        const uint32_t resident = patches * resident_groups(pick, patches, &limiter);

        if (resident > best_resident) {
            best_resident = resident;
            best_patches = patches;
            best_limiter = limiter;
        }
    }
    if (best_patches < pick->patches) {
        g_autofree char *name = g_strdup_printf("cu_%s", tsim_limit_names[best_limiter]);
        bound(pick, name, best_patches);
    }
}

/* 40 is what the proprietary drivers of the time were seen to use. */
static void pick_mesa_40(Pick *pick, uint32_t lds_limit)
{
    bound_threads_in_whole_waves(pick);
    bound_lds(pick, lds_limit);
    bound_offchip(pick);
    bound_cap(pick, 40);
    bound_one_wave(pick);
}

static void pick_radeonsi_2018(Pick *pick)
{
    pick_mesa_40(pick, 32 * KB);
}

static void pick_radv(Pick *pick)
{
    pick_mesa_40(pick, tsim_patch_lds_addressable_bytes(pick->gpu));
}

static void pick_radeonsi_24(Pick *pick)
{
    bound_threads(pick, 256);
    bound_cap(pick, 64);
    bound_undistributed(pick);
    bound_offchip(pick);
    bound_lds_target(pick, 16 * KB);
    trim_last_wave(pick);
    bound_one_wave(pick);
}

static void pick_mesa_2025(Pick *pick)
{
    bound_threads(pick, 192);
    bound_cap(pick, 127);
    bound_undistributed(pick);
    bound_offchip_aligned(pick);
    bound_lds(pick, 32 * KB);
    trim_last_wave(pick);
    bound_one_wave(pick);
}

static void pick_llpc_2018(Pick *pick)
{
    bound_threads(pick, 256);
    bound_lds(pick, 32 * KB);
    bound_cap(pick, pick->gpu->merged_ls_hs ? 64 : 16);
    if (pick->shape->offchip) {
        bound_offchip(pick);
    }
}

/* The driver's bounds by the tess-factor ring (32768 bytes) are left out: they begin beyond 64
 * patches. */
static void pick_llpc_2025(Pick *pick)
{
    bound_threads(pick, 256);
    bound_lds(pick, 64 * KB);
    bound_cap(pick, 64);
    bound_offchip(pick);
}

/* ---- The table ---- */

typedef struct {
    void (*layout)(const TsimPatchShape *shape, TsimPatchLayout *layout);
    void (*pick)(Pick *pick);
} Rule;

static const Rule rules[] = {
    [TSIM_PATCH_RULE_XBOX_ONE] = {layout_packed, pick_xbox_one},
    [TSIM_PATCH_RULE_MAX_PER_GROUP] = {layout_packed, pick_max_per_group},
    [TSIM_PATCH_RULE_RADEONSI_2018] = {layout_packed, pick_radeonsi_2018},
    [TSIM_PATCH_RULE_RADEONSI_24] = {layout_radeonsi_24, pick_radeonsi_24},
    [TSIM_PATCH_RULE_RADV_22] = {layout_packed, pick_radv},
    [TSIM_PATCH_RULE_RADV_24] = {layout_radv_24, pick_radv},
    [TSIM_PATCH_RULE_MESA_2025] = {layout_mesa_2025, pick_mesa_2025},
    [TSIM_PATCH_RULE_LLPC_2018] = {layout_llpc_2018, pick_llpc_2018},
    [TSIM_PATCH_RULE_LLPC_2025] = {layout_llpc_2025, pick_llpc_2025},
    [TSIM_PATCH_RULE_EXPLICIT] = {layout_packed, NULL},
};

void tsim_patch_rule_layout(TsimPatchRule rule, const TsimPatchShape *shape,
                            TsimPatchLayout *ret_layout)
{
    *ret_layout = (TsimPatchLayout){0};
    rules[rule].layout(shape, ret_layout);
}

void tsim_patch_rule_explicit(const TsimGpu *gpu, const TsimPatchShape *shape,
                              const TsimPatchLayout *layout, uint32_t patches,
                              TsimPatchChoice *ret_choice)
{
    const uint32_t vs_threads = patches * shape->input_control_points;
    const uint32_t hs_threads = patches * shape->output_control_points;
    uint32_t lds_bytes = tsim_patch_layout_group_bytes(layout, patches);

    ret_choice->patches = patches;
    ret_choice->limiter = "explicit";
    ret_choice->vs_waves = (uint32_t)tsim_ceil_div(vs_threads, shape->wave_size);
    ret_choice->hs_waves = (uint32_t)tsim_ceil_div(hs_threads, shape->wave_size);
    if (gpu->merged_ls_hs) {
        ret_choice->hs_waves = MAX(ret_choice->vs_waves, ret_choice->hs_waves);
        ret_choice->vs_waves = 0;
    }
    if (MAX(ret_choice->vs_waves, ret_choice->hs_waves) > 1) {
        lds_bytes = MAX(lds_bytes, gpu->lds_min_multiwave_hs);
    }
    ret_choice->lds_bytes = lds_bytes;
    ret_choice->lds_allocated_bytes = tsim_limits_lds_allocated(gpu, lds_bytes);
}

gboolean tsim_patch_rule_choose(TsimPatchRule rule, const TsimGpu *gpu, const TsimPatchShape *shape,
                                const TsimPatchLayout *layout, TsimPatchChoice *ret_choice,
                                GError **error)
{
    g_autoptr(GString) limiter = g_string_new(NULL);
    Pick pick = {
        .rule = rule,
        .gpu = gpu,
        .shape = shape,
        .layout = layout,
        .control_points = MAX(shape->input_control_points, shape->output_control_points),
        .patches = UINT32_MAX,
        .limiter = limiter,
    };

    TSIM_ASSERT(rules[rule].pick != NULL);
    rules[rule].pick(&pick);
    if (pick.error != NULL) {
        g_propagate_error(error, pick.error);
        return FALSE;
    }
    tsim_patch_rule_explicit(gpu, shape, layout, pick.patches, ret_choice);
    ret_choice->limiter = g_intern_string(limiter->str);
    return TRUE;
}
