/* Where the tess factors of a draw come from.
 *
 * A source answers for any patch by index, without state and in any order, so that memory does not
 * grow with the number of patches and on-chip and off-chip runs see the same factors (common random
 * numbers).
 */
#pragma once

#include "workload/tessellation.h"

#include <glib.h>
#include <stdint.h>

typedef struct TsimFactorSource TsimFactorSource;

/* Patches that the source defines, 0 when it can serve any number (uniform, distributions). */
uint64_t tsim_factor_source_patches(const TsimFactorSource *source);

/* Factors of one patch, as the hull shader would write them: unclamped. Thread safe, no allocation.
 */
void tsim_factor_source_get(const TsimFactorSource *source, uint64_t patch,
                            TsimTessFactors *ret_factors);

/* TRUE when every patch has the same factors, so that a caller may work them out once. */
gboolean tsim_factor_source_is_uniform(const TsimFactorSource *source);

void tsim_factor_source_free(TsimFactorSource *source); /* NULL is fine */
