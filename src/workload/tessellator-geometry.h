/* The domain points and the index list of a patch, in the order of the Direct3D 11 reference
 * tessellator: ring by ring from the edges inwards, bit for bit. Who wants only numbers asks
 * workload/tessellation.h, which costs far less; the order matters for vertex reuse.
 *
 * Coordinates are unsigned 16.16 fixed point, 0..65536. The caller owns the arrays and makes them
 * large enough: tsim_tessellation_count says how much a patch needs, the maxima below always do.
 * Time is linear in what is written; nothing is allocated and nothing can fail.
 *
 * Source: Direct3D 11.3 functional specification, section on the tessellator; tests/golden.
 */
#pragma once

#include "workload/tessellation.h"

#define TSIM_PATCH_POINTS_MAX  4225  /* a quad at level 64 */
#define TSIM_PATCH_INDICES_MAX 24576 /* its 8192 triangles */

typedef struct {
    uint32_t u_fx16, v_fx16; /* of a triangle, w is what is left to 1 */
} TsimDomainPoint;

/* Writes the points and returns how many: none for a culled patch. */
uint32_t tsim_tessellator_geometry_points(TsimDomain domain, TsimPartitioning partitioning,
                                          const TsimTessFactors *factors, TsimDomainPoint *points);

/* Writes the indices and returns how many. They follow from the segments in `counts` alone, so all
 * factors that round to the same segments share one list.
 */
uint32_t tsim_tessellator_geometry_indices(TsimDomain domain, TsimTopology topology,
                                           const TsimTessCounts *counts, uint16_t *indices);
