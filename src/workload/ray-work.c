#include "workload/ray-work.h"

#include "base/error.h"
#include "hw/limits.h"

#define STACK_ENTRY_BYTES 4
#define VALU_MAX          1e6

static const char *const stack_names[] = {"lds", "vgprs", NULL};
static const char *const hit_names[] = {"auto", "closest", "any", NULL};

/* clang-format off */
#define ROW(type, owner, key, member, unit, min, max, initial, words, required, blurb) \
    {key, TSIM_FIELD_##type, offsetof(owner, member), unit, min, max, initial, words, required, blurb},
#define END {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},

const TsimField tsim_ray_work_fields[] = {
    ROW(STRING, TsimRayWork, "name", name, "", 0, 0, 0, NULL, FALSE, "Name in reports; its place in the list when absent")
    ROW(ENUM, TsimRayWork, "hit", hit, "", 0, 0, TSIM_RAY_HIT_AUTO, hit_names, FALSE, "What ends a ray; auto: any hit for ao and shadow, else the closest")
    END
};

const TsimField tsim_ray_program_fields[] = {
    ROW(U32, TsimRayProgram, "vgprs", vgprs, "", 1, 512, 64, NULL, FALSE, "Vector registers of a thread, without a stack in registers")
    ROW(U32, TsimRayProgram, "sgprs", sgprs, "", 1, 128, 48, NULL, FALSE, "Scalar registers of a wave")
    ROW(ENUM, TsimRayProgram, "stack", stack, "", 0, 0, TSIM_RAY_STACK_LDS, stack_names, FALSE, "Where the traversal stack lives")
    ROW(U32, TsimRayProgram, "setup_valu", setup_valu, "", 0, VALU_MAX, 40, NULL, FALSE, "Vector ALU instructions that make the ray")
    ROW(U32, TsimRayProgram, "step_valu", step_valu, "", 0, VALU_MAX, 24, NULL, FALSE, "Vector ALU instructions of a traversal step")
    ROW(U32, TsimRayProgram, "instance_valu", instance_valu, "", 0, VALU_MAX, 24, NULL, FALSE, "More of them when some lane enters an instance")
    ROW(U32, TsimRayProgram, "finish_valu", finish_valu, "", 0, VALU_MAX, 20, NULL, FALSE, "Vector ALU instructions after the last step")
    ROW(BOOL, TsimRayProgram, "a16", a16, "", 0, 1, 0, NULL, FALSE, "Directions as float16 operands (R2)")
    ROW(BOOL, TsimRayProgram, "pointer64", pointer64, "", 0, 1, 0, NULL, FALSE, "64-bit node pointers: image_bvh64_intersect_ray (R2)")
    END
};

const TsimField tsim_ray_mix_fields[] = {
    ROW(U64, TsimRayMix, "waves", waves, "waves", 0, 1e9, 4096, NULL, FALSE, "Waves of the mix")
    ROW(U32, TsimRayMix, "wave_lanes", wave_lanes, "lanes", 32, 64, 32, NULL, FALSE, "Lanes of a wave, 32 or 64")
    ROW(U32, TsimRayMix, "active_lanes", active_lanes, "lanes", 0, 32, 32, NULL, FALSE, "Lanes with a ray in each half of 32")
    ROW(REAL, TsimRayMix, "box_share", box_share, "", 0, 1, 0.8, NULL, FALSE, "Share of box nodes among the nodes, the others are triangles")
    ROW(U32, TsimRayMix, "nodes_min", nodes_min, "nodes", 1, 65536, 16, NULL, FALSE, "Fewest nodes that a ray visits")
    ROW(U32, TsimRayMix, "nodes_max", nodes_max, "nodes", 1, 65536, 16, NULL, FALSE, "Most nodes that a ray visits")
    ROW(U64, TsimRayMix, "footprint_bytes", footprint_bytes, "bytes", TSIM_RAY_UNIT_BYTES, 1e12, 4096, NULL, FALSE, "Size of all nodes together")
    END
};
/* clang-format on */

void tsim_ray_work_init(TsimRayWork *work)
{
    tsim_fields_init(tsim_ray_work_fields, work);
    tsim_fields_init(tsim_ray_mix_fields, &work->mix);
    tsim_fields_init(tsim_rays_fields, &work->rays);
    tsim_fields_init(tsim_ray_option_fields, &work->options);
    tsim_fields_init(tsim_ray_program_fields, &work->program);
}

void tsim_ray_work_clear(TsimRayWork *work)
{
    g_clear_pointer(&work->name, g_free);
    g_clear_pointer(&work->rays.list, g_free);
    g_clear_pointer(&work->bvh, tsim_bvh_free);
}

gboolean tsim_ray_work_any_hit(const TsimRayWork *work)
{
    return work->hit == TSIM_RAY_HIT_ANY ||
           (work->hit == TSIM_RAY_HIT_AUTO && tsim_rays_any_hit(&work->rays));
}

uint64_t tsim_ray_work_waves(const TsimRayWork *work)
{
    return work->is_mix ? work->mix.waves : tsim_rays_wave_count(&work->rays);
}

uint32_t tsim_ray_work_wave_lanes(const TsimRayWork *work)
{
    return work->is_mix ? work->mix.wave_lanes : work->rays.wave_lanes;
}

uint32_t tsim_ray_work_stack_entries(const TsimRayWork *work)
{
    return work->is_mix ? 0 : tsim_traversal_stack_entries(work->bvh);
}

uint32_t tsim_ray_work_lds_bytes(const TsimRayWork *work)
{
    return work->program.stack != TSIM_RAY_STACK_LDS
               ? 0
               : tsim_ray_work_stack_entries(work) * tsim_ray_work_wave_lanes(work) *
                     STACK_ENTRY_BYTES;
}

uint32_t tsim_ray_work_vgprs(const TsimRayWork *work)
{
    return work->program.vgprs +
           (work->program.stack == TSIM_RAY_STACK_VGPRS ? tsim_ray_work_stack_entries(work) : 0);
}

static gboolean fits(const char *what, uint32_t asked, uint32_t limit, GError **error)
{
    if (asked <= limit) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT, "a wave of rays needs %u %s, the GPU has %u",
                asked, what, limit);
    return FALSE;
}

gboolean tsim_ray_work_fits(const TsimGpu *gpu, const TsimRayWork *work, GError **error)
{
    const uint32_t lanes = tsim_ray_work_wave_lanes(work);
    const uint32_t vgprs = tsim_ray_work_vgprs(work);
    const uint32_t lds_bytes = tsim_ray_work_lds_bytes(work);
    const TsimGroupDemand demand = {.vgprs = vgprs,
                                    .sgprs = work->program.sgprs,
                                    .wave_size = lanes,
                                    .waves = 1,
                                    .lds_bytes = lds_bytes};
    TsimResidency residency;

    if (!gpu->has_ray_intersection) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "%s has no ray-intersection unit (has_ray_intersection)",
                    gpu->name != NULL ? gpu->name : "the GPU");
        return FALSE;
    }
    if (lanes != gpu->wave_size && !(lanes == 64 || gpu->has_wave32)) {
        return fits("lanes or fewer", gpu->wave_size, lanes, error);
    }
    if (!fits("vector registers", vgprs, gpu->vgprs_max_per_thread, error) ||
        !fits("scalar registers", work->program.sgprs, gpu->sgprs_max_per_wave, error) ||
        !fits("bytes of LDS for its stacks", lds_bytes, gpu->lds_max_compute_threadgroup, error)) {
        return FALSE;
    }
    tsim_limits_residency(gpu, &demand, &residency);
    if (residency.groups_per_unit == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "a wave of rays with %u vector registers and %u bytes of LDS does not fit a CU",
                    vgprs, lds_bytes);
        return FALSE;
    }
    return TRUE;
}
