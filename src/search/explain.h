/* What holds a scenario back: the same run on machines that have more of one thing.
 *
 * Each resource is doubled (a cost is halved), then removed: given as much as its field can hold (a
 * cost as little). Settings that the driver would choose anew for another GPU are kept as they are,
 * where that alone changes nothing. Every variation has the same random numbers.
 */
#pragma once

#include "io/page.h"
#include "io/scenario-text.h"
#include "stats/interval.h"
#include "stats/result.h"

#define TSIM_EXPLAIN_SLICES 32

typedef struct {
    const char *key, *words; /* static */
    /* Speed-up: time before by time after; n = 0: cannot be run, or is the same machine. */
    TsimInterval doubled, free_;
} TsimWhatIf;

typedef struct {
    TsimResult *base;
    GArray *what_ifs; /* of TsimWhatIf, most speed-up first */
    /* The busiest resource of each slice of the run, -1: none is busy half of it; its busy share.
     */
    int critical[TSIM_EXPLAIN_SLICES];
    double critical_share[TSIM_EXPLAIN_SLICES];
} TsimExplanation;

typedef struct {
    guint replications, threads;
    gint *stop;
    void (*progress)(void *user, uint64_t done, uint64_t total);
    void *user;
} TsimExplainOptions;

/* NULL and error when the scenario itself cannot be run, or it was stopped. */
TsimExplanation *tsim_explain_run(const TsimScenarioText *text, const TsimExplainOptions *options,
                                  GError **error);
void tsim_explanation_free(TsimExplanation *explanation); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimExplanation, tsim_explanation_free)

void tsim_explain_text(TsimPage *page, const TsimExplanation *explanation);

/* One flat JSON line a resource, each with its line end; NULL-terminated, the caller frees them. */
char **tsim_explain_lines(const TsimExplanation *explanation);
