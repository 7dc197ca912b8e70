#include "hw/residency-filter.h"

#include "base/error.h"
#include "hw/feedback-codec.h"

#include <math.h>

const char *const tsim_residency_lookup_names[] = {"minmip",        "bilinear",      "point",
                                                   "min_reduction", "max_reduction", NULL};
const char *const tsim_residency_order_names[] = {"u_first", "v_first", NULL};

const double tsim_residency_slopes[TSIM_RESIDENCY_SLOPES] = {2.5, 3, 4, 5, 8, 16, 32, 64};
const double tsim_residency_offsets[TSIM_RESIDENCY_OFFSETS] = {0.25,    0.125,    0.0625,
                                                               0.03125, 0.015625, 0.0078125};

/* ---- checks ---------------------------------------------------------------------------------- */

static gboolean check_member(const char *name, const char *axis, double value,
                             const double *members, uint32_t count, const char *allowed,
                             GError **error)
{
    for (uint32_t i = 0; i < count; i++) {
        /* Members and what users write for them are the same doubles, bit by bit. */
        if (value >= members[i] && value <= members[i]) {
            return TRUE;
        }
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "residency filter %s_%s %g: must be one of %s",
                name, axis, value, allowed);
    return FALSE;
}

static gboolean check_ramp(TsimResidencyRamp ramp, const char *axis, GError **error)
{
    return check_member("slope", axis, ramp.slope, tsim_residency_slopes, TSIM_RESIDENCY_SLOPES,
                        "2.5, 3, 4, 5, 8, 16, 32, 64", error) &&
           check_member("offset", axis, ramp.offset, tsim_residency_offsets, TSIM_RESIDENCY_OFFSETS,
                        "1/4, 1/8, 1/16, 1/32, 1/64, 1/128", error);
}

gboolean tsim_residency_filter_check(const TsimResidencyFilter *filter, GError **error)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (filter->address[axis] == TSIM_ADDRESS_BORDER) {
            g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                        "residency filter: address mode border is not supported; use wrap, "
                        "mirror, clamp or mirror_once");
            return FALSE;
        }
    }
    return filter->lookup != TSIM_RESIDENCY_MINMIP ||
           (check_ramp(filter->u, "u", error) && check_ramp(filter->v, "v", error));
}

/* ---- lookup ---------------------------------------------------------------------------------- */

/* The two texels along an axis and the place between their centres, 0..1. */
typedef struct {
    uint32_t texels[2];
    double t;
} Pair;

static uint32_t pair_texel(TsimAddressMode mode, double index, uint32_t size)
{
    return (uint32_t)tsim_address(mode, (int32_t)index, (int32_t)size, 0.0).texel;
}

static Pair axis_pair(TsimAddressMode mode, double coordinate, uint32_t size, gboolean point)
{
    const double scaled = tsim_address_reduce(mode, coordinate) * size;
    const double position = point ? scaled : scaled - 0.5;
    const double below = floor(position);

    return (Pair){
        {pair_texel(mode, below, size), pair_texel(mode, below + 1.0, size)},
        point ? 0.0 : position - below,
    };
}

double tsim_residency_slope_used(TsimResidencyRamp ramp)
{
    return fmax(ramp.slope, 1.0 / (0.5 - ramp.offset));
}

gboolean tsim_residency_ramp_fits(TsimResidencyRamp ramp)
{
    return ramp.slope * (0.5 - ramp.offset) >= 1.0;
}

static double biased(TsimResidencyRamp ramp, double a, double b, double t)
{
    const double distance = fabs(0.5 - t);
    const double own = t < 0.5 ? a : b;
    const double neighbour = t < 0.5 ? b : a;
    const double weight = 1.0 - tsim_residency_slope_used(ramp) * (distance - ramp.offset);

    return own + fmax(neighbour - own, 0.0) * CLAMP(weight, 0.0, 1.0);
}

static double join(const TsimResidencyFilter *filter, uint32_t axis, uint32_t axes, double a,
                   double b, double t)
{
    const gboolean use_v = axes == 3 ? axis == 2 : axis == 1;

    switch (filter->lookup) {
    case TSIM_RESIDENCY_MINMIP:
        return biased(use_v ? filter->v : filter->u, a, b, t);
    case TSIM_RESIDENCY_BILINEAR:
        return a + (b - a) * t;
    case TSIM_RESIDENCY_MIN:
        return t > 0.0 ? fmin(a, b) : a;
    case TSIM_RESIDENCY_MAX:
        return t > 0.0 ? fmax(a, b) : a;
    case TSIM_RESIDENCY_POINT:
    default:
        return a;
    }
}

double tsim_residency_lookup(const TsimResidencyFilter *filter, const TsimResidencyMap *map,
                             const double uvw[3])
{
    const gboolean point = filter->lookup == TSIM_RESIDENCY_POINT;
    const uint32_t first = filter->order == TSIM_RESIDENCY_V_FIRST && map->axes > 1 ? 1 : 0;
    Pair pairs[3] = {0};
    double values[8];

    for (uint32_t axis = 0; axis < map->axes; axis++) {
        pairs[axis] = axis_pair(filter->address[axis], uvw[axis], map->size[axis], point);
    }
    /* Bit n of the corner says which texel of the pair of axis n. */
    for (uint32_t corner = 0; corner < 1u << map->axes; corner++) {
        const size_t x = pairs[0].texels[corner & 1];
        const size_t y = pairs[1].texels[corner >> 1 & 1];
        const size_t z = pairs[2].texels[corner >> 2 & 1];

        values[corner] =
            tsim_feedback_byte_to_lod(map->bytes[(z * map->size[1] + y) * map->size[0] + x]);
    }
    for (uint32_t i = 0; i < map->axes; i++) {
        /* U, V, W or V, U, W. */
        const uint32_t axis = i < 2 ? i ^ first : i;

        for (uint32_t corner = 0; corner < 1u << map->axes; corner++) {
            if ((corner >> axis & 1) == 0) {
                values[corner] = join(filter, axis, map->axes, values[corner],
                                      values[corner | 1u << axis], pairs[axis].t);
            }
        }
    }
    return values[0];
}

/* ---- reports --------------------------------------------------------------------------------- */

double tsim_residency_offset_rule(uint32_t lod_difference, gboolean *ret_exact)
{
    const uint32_t index = CLAMP(lod_difference, 1, TSIM_RESIDENCY_OFFSETS) - 1;

    *ret_exact = lod_difference == index + 1;
    return tsim_residency_offsets[index];
}

/* Distance from the boundary at which the clamp, rising from min_lod to max_lod, reaches lod. */
static double ramp_distance(TsimResidencyRamp ramp, double lod, double min_lod, double max_lod)
{
    const double risen = (lod - min_lod) / (max_lod - min_lod);

    return ramp.offset + (1.0 - risen) / tsim_residency_slope_used(ramp);
}

static double kernel_reach(uint32_t mip, uint32_t region_texels, double line_map_texels)
{
    return ldexp(0.5, (int)mip) / region_texels + line_map_texels / 2.0;
}

TsimResidencyRampReport tsim_residency_ramp_report(TsimResidencyRamp ramp, uint32_t region_texels,
                                                   uint32_t min_lod, uint32_t max_lod,
                                                   double line_map_texels)
{
    TsimResidencyRampReport report = {.leak_map_texels = -HUGE_VAL};

    TSIM_ASSERT(min_lod < max_lod && region_texels > 0);
    report.rule_offset = tsim_residency_offset_rule(max_lod - min_lod, &report.rule_exact);
    report.rule_met = ramp.offset >= report.rule_offset;
    report.fits = tsim_residency_ramp_fits(ramp);
    for (uint32_t mip = min_lod; mip < max_lod; mip++) {
        const double reach = kernel_reach(mip, region_texels, line_map_texels);
        const double room = ramp_distance(ramp, mip + 1, min_lod, max_lod);

        if (reach - room > report.leak_map_texels) {
            report.leak_map_texels = reach - room;
            report.leak_mip = mip;
        }
    }
    report.strict_offset = kernel_reach(max_lod - 1, region_texels, line_map_texels);
    return report;
}

void tsim_residency_ramp_warn(TsimResidencyRamp ramp, const TsimResidencyRampReport *report,
                              const char *axis, GString *out)
{
    if (!report->fits) {
        g_string_append_printf(out,
                               "%s: slope %g with offset %g does not end before the texel centre; "
                               "slope %g is used\n",
                               axis, ramp.slope, ramp.offset, tsim_residency_slope_used(ramp));
    }
    if (!report->rule_exact) {
        g_string_append_printf(out,
                               "%s: no offset fits this LOD difference by the rule "
                               "1/2^(difference + 1); the nearest is %g\n",
                               axis, report->rule_offset);
    }
    if (!report->rule_met) {
        g_string_append_printf(out, "%s: offset %g is below the %g of the rule\n", axis,
                               ramp.offset, report->rule_offset);
    }
    if (report->leak_map_texels > 0.0) {
        g_string_append_printf(out,
                               "%s: kernel leak: mip %u reaches %g map texels beyond the "
                               "boundary; an offset of %g would be needed\n",
                               axis, report->leak_mip, report->leak_map_texels,
                               report->strict_offset);
    }
}
