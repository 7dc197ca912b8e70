#include "workload/feedback-work.h"

#include "base/error.h"

#include <math.h>

#define FRAMES_MAX 10000

/* clang-format off */
#define ROW(type, key, member, unit, min, max, initial, words, blurb) \
    {key, TSIM_FIELD_##type, offsetof(TsimFeedbackWork, member), unit, min, max, initial, words, FALSE, blurb},
#define END {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},

const TsimField tsim_feedback_work_fields[] = {
    ROW(STRING, "name", name, "", 0, 0, 0, NULL, "Name in reports; its place in the list when absent")
    ROW(U32, "frames", frames, "frames", 1, FRAMES_MAX, 1, NULL, "Frames; each waits for the one before")
    END
};

const TsimField tsim_feedback_surface_fields[] = {
    ROW(STRING, "mesh", mesh, "", 0, 0, 0, NULL, "OBJ, PLY or STL file; a horizontal square when absent")
    ROW(REAL, "side", side, "units", 1e-3, 1e9, 1000, NULL, "Largest side of the surface, whose middle is the origin")
    ROW(REAL, "repeats", repeats, "", 1e-3, 1e6, 1, NULL, "How often the texture repeats over that side")
    END
};

const TsimField tsim_feedback_instruction_fields[] = {
    ROW(ENUM, "map", map, "", 0, 0, TSIM_FEEDBACK_MINMIP, tsim_feedback_kind_names, "Kind of the feedback map (S2, S3)")
    ROW(ENUM, "instruction", sampling.instruction.kind, "", 0, 0, TSIM_SAMPLE_IMPLICIT, tsim_sample_kind_names, "Kind of sampling instruction; outside pixel shaders grad or level (S9)")
    ROW(REAL, "lod", lod, "LOD", -16, 15.99, 0, NULL, "The bias of \"bias\"; added to the level of \"level\"")
    ROW(BOOL, "gather", sampling.instruction.gather, "", 0, 1, 0, NULL, "Gather instead of sample; refused (S6)")
    ROW(VEC3, "texel_offset", texel_offset, "texels", -8, 7, 0, NULL, "Integer texel offset; refused unless 0 (S6)")
    END
};
/* clang-format on */

void tsim_feedback_work_init(TsimFeedbackWork *work)
{
    *work = (TsimFeedbackWork){.stage = TSIM_STAGE_PS};
    tsim_feedback_stream_spec_init(&work->sampling);
    tsim_fields_init(tsim_feedback_work_fields, work);
    tsim_fields_init(tsim_feedback_surface_fields, work);
    tsim_fields_init(tsim_feedback_instruction_fields, work);
    tsim_fields_init(tsim_feedback_scene_fields, &work->scene);
    tsim_fields_init(tsim_feedback_write_fields, &work->scene);
}

void tsim_feedback_work_clear(TsimFeedbackWork *work)
{
    g_free(work->name);
    g_free(work->mesh);
    tsim_scene_surface_free(work->surface);
    tsim_shader_clear(&work->shader);
}

/* ---- Checks ---- */

/* Some legal map, for checks of what does not depend on the map that the user asks for. */
static gboolean any_descriptor(const TsimFeedbackWork *work, TsimFeedbackDescriptor *ret_descriptor,
                               GError **error)
{
    const TsimFeedbackStreamSpec spec = tsim_feedback_stream_spec_complete(work->sampling);

    return tsim_feedback_descriptor_init(ret_descriptor, &spec.texture, TSIM_FEEDBACK_MINMIP,
                                         TSIM_FEEDBACK_MIN_REGION, TSIM_FEEDBACK_MIN_REGION, error);
}

gboolean tsim_feedback_work_descriptor(const TsimFeedbackWork *work,
                                       TsimFeedbackDescriptor *ret_descriptor, GError **error)
{
    const TsimFeedbackStreamSpec spec = tsim_feedback_stream_spec_complete(work->sampling);

    return tsim_feedback_descriptor_init(ret_descriptor, &spec.texture, (TsimFeedbackKind)work->map,
                                         spec.region_width, spec.region_height, error);
}

gboolean tsim_feedback_work_check_texture(const TsimFeedbackWork *work, GError **error)
{
    TsimFeedbackDescriptor descriptor;

    return any_descriptor(work, &descriptor, error);
}

gboolean tsim_feedback_work_check_sampler(const TsimFeedbackWork *work, GError **error)
{
    const TsimSampleInstruction plain = {.kind = TSIM_SAMPLE_GRAD};
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackSetup setup;

    return any_descriptor(work, &descriptor, error) &&
           tsim_feedback_setup_init(&setup, &descriptor, &work->sampling.sampler, &plain,
                                    TSIM_FOOTPRINT_FEEDBACK, error);
}

/* S9: derivatives are those of pixel quads. */
static gboolean check_stage(const TsimFeedbackWork *work, GError **error)
{
    const int kind = (int)work->sampling.instruction.kind;

    if (work->stage == TSIM_STAGE_PS || kind == TSIM_SAMPLE_GRAD || kind == TSIM_SAMPLE_LEVEL) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "instruction \"%s\": stage cs has no derivatives, it must be \"grad\" or \"level\"",
                tsim_sample_kind_names[kind]);
    return FALSE;
}

gboolean tsim_feedback_work_check_feedback(const TsimFeedbackWork *work, GError **error)
{
    const TsimFeedbackStreamSpec *spec = &work->sampling;
    TsimSampleInstruction instruction = spec->instruction;
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackSetup setup;

    for (int axis = 0; axis < 3; axis++) {
        const double offset = work->texel_offset[axis];
        instruction.texel_offset[axis] = (int32_t)(offset < 0.0 ? floor(offset) : ceil(offset));
    }
    if (!check_stage(work, error) || !tsim_feedback_work_descriptor(work, &descriptor, error) ||
        !tsim_feedback_setup_init(&setup, &descriptor, &spec->sampler, &instruction,
                                  (TsimFootprint)spec->footprint, error)) {
        return FALSE;
    }
    if (work->has_residency && work->map != TSIM_FEEDBACK_MINMIP) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "map \"%s\": a residency policy reads levels, it needs \"minmip\"",
                    tsim_feedback_kind_names[work->map]);
        return FALSE;
    }
    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&descriptor, error);
    return map != NULL;
}

/* What can lie side by side in the residency map: everything from mip 0 to the packed mips, or
 * less where the policy limits the step. */
static void warn_of_ramp(TsimResidencyRamp ramp, uint32_t region_texels, uint32_t difference,
                         const char *axis, GPtrArray *warnings)
{
    const TsimResidencyRampReport report =
        tsim_residency_ramp_report(ramp, region_texels, 0, difference, 0.0);
    g_autoptr(GString) text = g_string_new(NULL);

    tsim_residency_ramp_warn(ramp, &report, axis, text);
    g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (**line != '\0') {
            g_ptr_array_add(warnings, g_strdup(*line));
        }
    }
}

gboolean tsim_feedback_work_check_residency(const TsimFeedbackWork *work, GPtrArray *warnings,
                                            GError **error)
{
    const TsimFeedbackStreamSpec spec = tsim_feedback_stream_spec_complete(work->sampling);
    g_autoptr(TsimFeedbackStream) stream = tsim_feedback_stream_new(&spec, error);

    if (stream == NULL) {
        return FALSE;
    }
    const uint32_t packed = tsim_feedback_stream_packed_mip(stream);
    const uint32_t difference = spec.max_step > 0 ? MIN(spec.max_step, packed) : packed;
    if (spec.filter.lookup == TSIM_RESIDENCY_MINMIP && difference > 0) {
        warn_of_ramp(spec.filter.u, spec.region_width, difference, "U", warnings);
        warn_of_ramp(spec.filter.v, spec.region_height, difference, "V", warnings);
    }
    return TRUE;
}
