/* The filter of residency (MinMip) maps, and the ordinary lookups it competes with (S7, S8).
 *
 * A residency map holds, for each region of a tiled texture, the most detailed fully resident LOD
 * in unsigned 5.3. The filtered value is the LOD clamp of a dependent sample. Between two texels
 * the filter stays at the coarser value and makes the whole transition inside the texel of the
 * lower value:
 *
 *     r(d) = clamp(1 - slope * (d - offset), 0, 1)        d = distance to the boundary, 0..1/2
 *     c    = own + max(neighbour - own, 0) * r(d)
 *
 * first along U, then V, then W. Distances are texels of the map. A ramp that does not end before
 * the texel centre (1/slope + offset > 1/2) would jump there: such a pair is legal, warns, and is
 * made as steep as it takes. The exact circuit is not public: order of axes is an option, weights
 * are exact. Volumes use the U pair for U and V, the V pair for W.
 *
 * Errors: TSIM_ERROR_INPUT for a value that the sampler cannot hold. Source: reference facts,
 * section 3, "PROPOSED MinMip filter".
 */
#pragma once

#include "hw/feedback-sample.h"

#include <glib.h>
#include <stdint.h>

typedef enum {
    TSIM_RESIDENCY_MINMIP,
    TSIM_RESIDENCY_BILINEAR,
    TSIM_RESIDENCY_POINT,
    TSIM_RESIDENCY_MIN, /* of the texels of non-zero weight: takes the finest, not safe */
    TSIM_RESIDENCY_MAX,
} TsimResidencyLookup;

typedef enum {
    TSIM_RESIDENCY_U_FIRST,
    TSIM_RESIDENCY_V_FIRST,
} TsimResidencyOrder;

extern const char *const tsim_residency_lookup_names[];
extern const char *const tsim_residency_order_names[];

#define TSIM_RESIDENCY_SLOPES  8
#define TSIM_RESIDENCY_OFFSETS 6

extern const double tsim_residency_slopes[TSIM_RESIDENCY_SLOPES];
extern const double tsim_residency_offsets[TSIM_RESIDENCY_OFFSETS];

typedef struct {
    double slope, offset;
} TsimResidencyRamp;

typedef struct {
    TsimResidencyLookup lookup;
    TsimResidencyOrder order;
    TsimResidencyRamp u, v;     /* MINMIP only */
    TsimAddressMode address[3]; /* not border: what it would clamp to is not known */
} TsimResidencyFilter;

/* Borrowed 5.3 bytes, row-major, layer after layer; a slice of an array is a map of its own.
 * axes: 1, 2 or 3; sizes of missing axes are 1. */
typedef struct {
    uint32_t axes;
    uint32_t size[3];
    const uint8_t *bytes;
} TsimResidencyMap;

/* Slopes and offsets of the sets above, address modes. */
gboolean tsim_residency_filter_check(const TsimResidencyFilter *filter, GError **error);

/* LOD clamp at normalised coordinates. The filter must pass tsim_residency_filter_check, but for
 * its slopes and offsets, which need not be of the sets. */
double tsim_residency_lookup(const TsimResidencyFilter *filter, const TsimResidencyMap *map,
                             const double uvw[3]);

gboolean tsim_residency_ramp_fits(TsimResidencyRamp ramp);

/* The slope that is used: the given one, or the least one that fits the offset. */
double tsim_residency_slope_used(TsimResidencyRamp ramp);

/* The offset rule (S7): 1/2^(difference + 1) for the largest LOD difference across a boundary. Out
 * of 1..6 the nearest offset of the set is given and *ret_exact is FALSE. */
double tsim_residency_offset_rule(uint32_t lod_difference, gboolean *ret_exact);

/* Can the kernel of the dependent sample reach across a boundary to where its mip is not resident?
 * The kernel of mip m is half a texel wide, 2^m / (2 * region) map texels, plus half the line of
 * anisotropy; m is read up to the point of the ramp where the clamp becomes m + 1. */
typedef struct {
    double rule_offset;     /* by the offset rule */
    gboolean rule_exact;    /* the LOD difference is one that the rule has an offset for */
    gboolean rule_met;      /* offset >= rule_offset */
    gboolean fits;          /* the ramp ends before the texel centre */
    double strict_offset;   /* the least one without leak, map texels */
    double leak_map_texels; /* largest reach beyond the boundary; <= 0 when there is none */
    uint32_t leak_mip;      /* the mip whose kernel reaches farthest */
} TsimResidencyRampReport;

/* region_texels: width of a map texel in mip-0 texels along this axis. min_lod < max_lod are the
 * values either side of the boundary. line_map_texels: length of the line of anisotropy. */
TsimResidencyRampReport tsim_residency_ramp_report(TsimResidencyRamp ramp, uint32_t region_texels,
                                                   uint32_t min_lod, uint32_t max_lod,
                                                   double line_map_texels);

/* Appends one line for everything in the report that a user should know; nothing if all is well.
 * axis: "U" or "V". */
void tsim_residency_ramp_warn(TsimResidencyRamp ramp, const TsimResidencyRampReport *report,
                              const char *axis, GString *out);
