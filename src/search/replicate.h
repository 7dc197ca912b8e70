/* A scenario with other seeds: how long it takes each time. */
#pragma once

#include "io/scenario-text.h"

typedef struct {
    guint n;       /* seeds (tsim_trial_seed), the scenario's own the first */
    guint threads; /* 0: one a processor */
    gint *stop;    /* atomic; may be NULL */
    void (*progress)(void *user, uint64_t done, uint64_t total); /* may be NULL; one call a time */
    void *user;
} TsimReplicate;

/* Elapsed cycles of each, for the caller to free. NULL and error when one cannot be run, or all of
 * it was stopped. */
double *tsim_replicate(const TsimScenarioText *text, const TsimReplicate *options, GError **error);
