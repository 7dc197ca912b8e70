/* What a run waited for, by who and why: the rows that reports show, the same in each.
 *
 * Shares are 0..1 of the run, of the mean shader engine. Words are static.
 */
#pragma once

#include "hw/stage.h"
#include "stats/result.h"

/* Heads of launch queues by stage and reason, and the tessellators. */
#define TSIM_WAITS (TSIM_STAGES * TSIM_STALLS_COUNT + 1)

/* Shares that would be printed as 0.0% are left out. */
#define TSIM_WAIT_LEAST_SHARE 0.0005

typedef struct {
    const char *who, *why, *words; /* "DS", "home_cu", what that means */
    double share;
} TsimWait;

TsimWait tsim_wait(const TsimResult *result, int index); /* 0..TSIM_WAITS - 1 */
