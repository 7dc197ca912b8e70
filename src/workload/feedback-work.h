/* A work item of type "sample_feedback": a textured scene, drawn for some frames, whose pixels
 * sample a texture and write sampler feedback while they do.
 *
 * With a residency policy the texture is streamed (workload/feedback-stream.h): every pixel looks
 * its clamp up and then does a dependent sample; the map is then a MinMip map. Without one all of
 * the texture is there. Outside pixel shaders there are no derivatives, so that an instruction is
 * given gradients or a level (S9): the level is then the one that the gradients ask for, plus
 * `lod`, as a shader would work it out.
 *
 * The work owns its strings, surface and shader.
 */
#pragma once

#include "workload/feedback-scene.h"
#include "workload/feedback-stream.h"
#include "workload/shader.h"

typedef struct {
    char *name;
    TsimStage stage; /* of the waves that sample: PS or CS */
    uint32_t frames;
    int map; /* TsimFeedbackKind */
    gboolean has_residency;
    TsimFeedbackStreamSpec sampling; /* its policy counts with has_residency alone */
    double texel_offset[3];          /* of the instruction; refused unless 0 (S6) */
    double lod;                      /* the bias, or what is added to the level */
    TsimFeedbackSceneSpec scene;
    char *mesh;           /* path; NULL: a plane */
    double side, repeats; /* largest side of the surface, repeats of the texture over it */
    TsimSceneSurface *surface;
    TsimShader shader; /* what a wave runs when its samples are back */
} TsimFeedbackWork;

/* One row a member that users write, one table an object; those of sampling and scene beside. */
extern const TsimField tsim_feedback_work_fields[];        /* of the item itself */
extern const TsimField tsim_feedback_surface_fields[];     /* of "scene" */
extern const TsimField tsim_feedback_instruction_fields[]; /* of "feedback" */

void tsim_feedback_work_init(TsimFeedbackWork *work);
void tsim_feedback_work_clear(TsimFeedbackWork *work);

/* The parts of a work item that can be wrong, each to be reported where it was written. */
gboolean tsim_feedback_work_check_texture(const TsimFeedbackWork *work, GError **error);
gboolean tsim_feedback_work_check_sampler(const TsimFeedbackWork *work, GError **error);
gboolean tsim_feedback_work_check_feedback(const TsimFeedbackWork *work, GError **error);
/* Appends to warnings, char *, what a user should know about slopes and offsets. */
gboolean tsim_feedback_work_check_residency(const TsimFeedbackWork *work, GPtrArray *warnings,
                                            GError **error);

/* Region, texture and kind of the map as one descriptor; and the instruction on it. */
gboolean tsim_feedback_work_descriptor(const TsimFeedbackWork *work,
                                       TsimFeedbackDescriptor *ret_descriptor, GError **error);
