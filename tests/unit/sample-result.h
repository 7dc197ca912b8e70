/* Results made by hand, with numbers that are easy to check: an on-chip draw whose DS waves crowd
 * on their home CUs, beside a dispatch. */
#pragma once

#include "stats/result.h"

/* 2 shader engines, 4 CUs, 1000 MHz, 1,000,000 cycles: 1 ms. */
TsimResult *sample_result(void);

/* The same draw off-chip: 250,000 cycles, bound by the tessellators. */
TsimResult *sample_result_offchip(void);

/* The least that a bottleneck needs: 1000 cycles on 2 shader engines and 4 CUs, nothing else. */
TsimResult *empty_result(void);

/* Gives a resource instances that are all equally busy. */
void set_resource(TsimResult *result, TsimResource resource, uint32_t instances,
                  uint64_t busy_cycles_each);
