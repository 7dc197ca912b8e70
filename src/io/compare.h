/* Two runs side by side: which is faster, by how much, and why. */
#pragma once

#include "stats/result.h"

#define TSIM_COMPARE_SIDES 2

typedef struct {
    const TsimResult *sides[TSIM_COMPARE_SIDES]; /* borrowed: A and B */
    const char *labels[TSIM_COMPARE_SIDES];      /* borrowed: what was set for each */
    int winner;                                  /* 0: A, 1: B, -1: no difference worth the name */
    int pasted; /* the side whose settings are worth pasting: the winner, or A when both are equal
                 */
    double speedup;     /* of the faster over the slower, at least 1 */
    GPtrArray *reasons; /* char *, sentences, the weightiest first; at least one */
} TsimComparison;

TsimComparison tsim_compare(const TsimResult *a, const TsimResult *b, const char *label_a,
                            const char *label_b);
void tsim_comparison_clear(TsimComparison *comparison);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimComparison, tsim_comparison_clear)

extern const char *const tsim_side_names[]; /* "A", "B" */
