#include "search/design.h"

#include "base/error.h"
#include "base/hash.h"
#include "engine/rng.h"

#include <gsl/gsl_qrng.h>
#include <math.h>

struct TsimDesign {
    guint axes;
    uint64_t points;
    uint64_t seed;
    guint *levels;  /* of each axis */
    guint32 *table; /* [point * axes + axis]; NULL: the grid */
};

static TsimRng stream_of(const TsimDesign *design, const char *purpose, guint axis)
{
    return tsim_rng_at(design->seed, tsim_hash_string(purpose), axis);
}

static void set(TsimDesign *design, uint64_t point, guint axis, double share)
{
    const guint levels = design->levels[axis];
    const guint level = (guint)(share * (double)levels);

    design->table[point * design->axes + axis] = MIN(level, levels - 1);
}

static void fill_random(TsimDesign *design)
{
    for (guint axis = 0; axis < design->axes; axis++) {
        TsimRng rng = stream_of(design, "random", axis);
        for (uint64_t point = 0; point < design->points; point++) {
            set(design, point, axis, tsim_rng_uniform(&rng));
        }
    }
}

/* Each axis visits its strata in an order of its own. */
static void fill_latin(TsimDesign *design)
{
    g_autofree uint64_t *order = g_new(uint64_t, design->points);

    for (guint axis = 0; axis < design->axes; axis++) {
        TsimRng rng = stream_of(design, "latin", axis);
        for (uint64_t i = 0; i < design->points; i++) {
            const uint64_t j = tsim_rng_below(&rng, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        for (uint64_t point = 0; point < design->points; point++) {
            set(design, point, axis,
                ((double)order[point] + tsim_rng_uniform(&rng)) / (double)design->points);
        }
    }
}

static gboolean fill_sobol(TsimDesign *design, GError **error)
{
    if (design->axes > gsl_qrng_sobol->max_dimension) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "a Sobol design has at most %u axes, not %u; random and latin take more",
                    gsl_qrng_sobol->max_dimension, design->axes);
        return FALSE;
    }
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, design->axes);
    g_autofree double *shares = g_new(double, design->axes);
    g_autofree double *shifts = g_new(double, design->axes);
    for (guint axis = 0; axis < design->axes; axis++) {
        TsimRng rng = stream_of(design, "sobol", axis);
        shifts[axis] = tsim_rng_uniform(&rng);
    }
    for (uint64_t point = 0; point < design->points; point++) {
        (void)gsl_qrng_get(sequence, shares);
        for (guint axis = 0; axis < design->axes; axis++) {
            set(design, point, axis, fmod(shares[axis] + shifts[axis], 1.0));
        }
    }
    gsl_qrng_free(sequence);
    return TRUE;
}

static gboolean fill(TsimDesign *design, TsimSampling sampling, GError **error)
{
    if (sampling == TSIM_SAMPLING_GRID || design->axes == 0) {
        return TRUE;
    }
    design->table = g_new(guint32, design->points * design->axes);
    switch (sampling) {
    case TSIM_SAMPLING_GRID:
        break;
    case TSIM_SAMPLING_RANDOM:
        fill_random(design);
        break;
    case TSIM_SAMPLING_LATIN:
        fill_latin(design);
        break;
    case TSIM_SAMPLING_SOBOL:
        return fill_sobol(design, error);
    }
    return TRUE;
}

TsimDesign *tsim_design_new(const TsimSweepPlan *plan, GError **error)
{
    g_autoptr(TsimDesign) design = g_new0(TsimDesign, 1);

    design->axes = plan->axes_n;
    design->points = plan->points;
    design->seed = plan->seed;
    design->levels = g_new(guint, plan->axes_n);
    for (guint axis = 0; axis < plan->axes_n; axis++) {
        design->levels[axis] = plan->axes[axis].levels;
    }
    return fill(design, (TsimSampling)plan->sampling, error) ? g_steal_pointer(&design) : NULL;
}

void tsim_design_free(TsimDesign *design)
{
    if (design == NULL) {
        return;
    }
    g_free(design->levels);
    g_free(design->table);
    g_free(design);
}

guint tsim_design_level(const TsimDesign *design, uint64_t point, guint axis)
{
    if (design->table != NULL) {
        return design->table[point * design->axes + axis];
    }
    for (guint later = design->axes - 1; later > axis; later--) {
        point /= design->levels[later];
    }
    return (guint)(point % design->levels[axis]);
}
