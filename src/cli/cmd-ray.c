/* tesssim ray: one ray, or a file of cases, through the intersection unit. */
#include "cli/output.h"

#include <stdio.h>

static TsimExit usage(const char *text)
{
    (void)fprintf(stderr, "tesssim: %s (tesssim ray --help tells more)\n", text);
    return TSIM_EXIT_USAGE;
}

static TsimExit run_cases(const TsimOptions *options)
{
    g_autoptr(GError) error = NULL;
    gboolean passed;
    g_autofree char *text = tsim_ray_check(options->cases, (const char *const *)options->sets,
                                           options->verbose, &passed, &error);

    if (text == NULL) {
        return tsim_output_error(error);
    }
    const TsimExit exit_code = tsim_output_result(text);
    return exit_code == TSIM_EXIT_DONE && !passed ? TSIM_EXIT_FAILED : exit_code;
}

static TsimExit trace(const TsimOptions *options)
{
    const TsimRayFlags *flags = &options->ray;
    const TsimRayQuery query = {
        .path = options->operands[0],
        .sets = (const char *const *)options->sets,
        .origin = flags->origin,
        .direction = flags->direction,
        .extent = flags->extent,
        .any_hit = flags->any_hit,
        .write_bvh = flags->write_bvh,
    };
    g_autoptr(GError) error = NULL;
    g_autofree char *text = tsim_ray_trace(&query, &error);

    return text != NULL ? tsim_output_result(text) : tsim_output_error(error);
}

TsimExit tsim_cmd_ray(const TsimOptions *options)
{
    const TsimRayFlags *flags = &options->ray;
    const gboolean has_scene = options->operands[0] != NULL;

    if (options->cases != NULL) {
        return has_scene ? usage("--cases stands for itself, without a mesh") : run_cases(options);
    }
    if (!has_scene) {
        return usage("ray takes a mesh, an encoded BVH, or --cases FILE");
    }
    if ((flags->origin == NULL) != (flags->direction == NULL)) {
        return usage("a ray has both --origin and --direction");
    }
    if (flags->origin == NULL && flags->write_bvh == NULL) {
        return usage("ray needs --origin and --direction, or --write-bvh");
    }
    return trace(options);
}
