/* Two runs side by side: which is faster, by how much, and why. */
#pragma once

#include "stats/interval.h"
#include "stats/result.h"

#define TSIM_COMPARE_SIDES 2

/* Elapsed cycles of both with the same seeds, the first being that of the runs that are shown. */
typedef struct {
    const double *cycles[TSIM_COMPARE_SIDES]; /* borrowed */
    guint n;                                  /* seeds */
} TsimPairs;

/* 95 % intervals over the seeds, paired where both sides are in it. */
typedef struct {
    TsimInterval means[TSIM_COMPARE_SIDES];
    TsimInterval difference, ratio; /* of B - A, B / A */
} TsimPairedIntervals;

typedef struct {
    const TsimResult *sides[TSIM_COMPARE_SIDES]; /* borrowed: A and B */
    const char *labels[TSIM_COMPARE_SIDES];      /* borrowed: what was set for each */
    int winner; /* 0: A, 1: B, -1: no difference worth the name, or none beyond chance */
    int pasted; /* the side whose settings are worth pasting: the winner, or A when both are equal
                 */
    double speedup; /* of the faster over the slower, at least 1; over all seeds */
    guint seeds;    /* above 1: what paired is about */
    TsimPairedIntervals paired;
    gboolean may_be_chance; /* the interval of the ratio has 1 in it */
    GPtrArray *reasons;     /* char *, sentences, the weightiest first; at least one */
} TsimComparison;

TsimComparison tsim_compare(const TsimResult *a, const TsimResult *b, const char *label_a,
                            const char *label_b);

/* The same, judged by what both took with other seeds, too; pairs->n is at least 2. */
TsimComparison tsim_compare_seeds(const TsimResult *a, const TsimResult *b, const char *label_a,
                                  const char *label_b, const TsimPairs *pairs);
void tsim_comparison_clear(TsimComparison *comparison);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimComparison, tsim_comparison_clear)

extern const char *const tsim_side_names[]; /* "A", "B" */
