/* Where the tess factors of a draw come from.
 *
 * A source answers for any patch by index, without state and in any order, so that memory does not
 * grow with the number of patches and on-chip and off-chip runs see the same factors (common random
 * numbers). An answer depends on the source and the patch alone and is the same bits with every
 * compiler: camera factors use + - * / and sqrt only, random ones engine/rng.h.
 *
 * The kinds, by the key that names one in JSON:
 *
 *   uniform       every factor is that number
 *   distribution  random; normal, lognormal, gamma, exponential and beta have the given mean and
 *                 deviation before they are limited to min..max (exponential: deviation = mean;
 *                 beta: on min..max, so nothing is cut off); two_point is max with the probability
 *                 `share`, else min
 *   height_map    terrain under a camera, heights from a PGM file
 *   fractal       terrain under a camera, heights made up; the value is the roughness
 *   mesh          every triangle of a mesh file is a patch, seen by a camera
 *   (a list)      factors given one by one
 *
 * Terrain is a grid of rows x columns squares in the x-z plane, centred on the origin, y up; a
 * square is a quad patch (U along x, V along z) or two tri patches. An edge follows the ground in 8
 * steps.
 *
 * Under a camera an edge has one segment for each pixels_per_segment of its length on the screen,
 * limited to min..max. The factor belongs to the edge: patches that share an edge (in a mesh: two
 * ends at equal positions) get the same bits for it. Inside factors follow from the edges. A patch
 * out of view (terrain: judged by its edges on the ground), or facing away if that is asked for,
 * has all factors 0.
 */
#pragma once

#include "workload/camera.h"
#include "workload/tessellation.h"

typedef enum {
    TSIM_FACTORS_UNIFORM,
    TSIM_FACTORS_DISTRIBUTION,
    TSIM_FACTORS_HEIGHT_MAP,
    TSIM_FACTORS_FRACTAL,
    TSIM_FACTORS_MESH,
    TSIM_FACTORS_KINDS,
} TsimFactorKind;

typedef enum {
    TSIM_DISTRIBUTION_NORMAL,
    TSIM_DISTRIBUTION_LOGNORMAL,
    TSIM_DISTRIBUTION_GAMMA,
    TSIM_DISTRIBUTION_EXPONENTIAL,
    TSIM_DISTRIBUTION_BETA,
    TSIM_DISTRIBUTION_TWO_POINT,
} TsimDistribution;

typedef enum {
    TSIM_INSIDE_MEAN,
    TSIM_INSIDE_MAX,
} TsimInsideRule;

/* What users write: the members that the kind has a field for are in use. */
typedef struct {
    int kind; /* TsimFactorKind */
    double uniform;
    double min, max;

    int distribution; /* TsimDistribution */
    double mean, deviation, share;
    gboolean per_factor; /* every factor of a patch is drawn, not one for all */

    char *height_map; /* path as it can be opened; owned, as all strings */
    double roughness;
    uint64_t fractal_seed;
    uint32_t columns, rows;
    double patch_size, height; /* world units */

    char *mesh;
    gboolean cull_back_faces;

    TsimCamera camera;
    double pixels_per_segment;
    int inside; /* TsimInsideRule */
    gboolean cull_out_of_view;
} TsimFactorParams;

/* One table a kind, in the order of TsimFactorKind; its first field is the key that names the kind.
 * Kinds with a camera have the object "camera" beside them (tsim_camera_fields). */
extern const TsimField *const tsim_factor_fields[];

gboolean tsim_factor_kind_has_camera(TsimFactorKind kind);

void tsim_factor_params_init(TsimFactorParams *params, TsimFactorKind kind); /* defaults */
void tsim_factor_params_clear(TsimFactorParams *params);

typedef struct TsimFactorSource TsimFactorSource;

/* domain: of the draw; terrain takes quads or triangles, a mesh triangles. seed and draw (its
 * number in the scenario) name the random stream. params may be cleared afterwards. Fails
 * (TSIM_ERROR_INPUT, or TSIM_ERROR_IO for a file) when members contradict each other or a file is
 * wrong. Cost: that of reading the file or making the terrain. */
TsimFactorSource *tsim_factor_source_new(const TsimFactorParams *params, TsimDomain domain,
                                         uint64_t seed, uint32_t draw, GError **error);

/* Takes factors, which were g_malloc'ed; count is at least 1. */
TsimFactorSource *tsim_factor_source_new_list(TsimTessFactors *factors, uint64_t count);

/* Patches that the source defines, 0 when it can serve any number (uniform, distributions). */
uint64_t tsim_factor_source_patches(const TsimFactorSource *source);

/* Factors of one patch, as the hull shader would write them: unclamped. Thread safe, O(1), no
 * allocation. */
void tsim_factor_source_get(const TsimFactorSource *source, uint64_t patch,
                            TsimTessFactors *ret_factors);

/* TRUE when every patch has the same factors, so that a caller may work them out once. */
gboolean tsim_factor_source_is_uniform(const TsimFactorSource *source);

void tsim_factor_source_free(TsimFactorSource *source); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFactorSource, tsim_factor_source_free)
