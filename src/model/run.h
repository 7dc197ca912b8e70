/* The event loop: hands every event to its unit, by one switch over model/events.def. */
#pragma once

#include "model/machine.h"
#include "stats/timeline.h"

/* Before the run: who looks on. Either may be NULL; the timeline is finished when the run ends. */
void tsim_machine_watch(TsimMachine *machine, TsimTimeline *timeline, TsimProgress progress,
                        void *user);

/* Runs until an event of that cycle or a later one has been handled. TRUE when no event is left. */
gboolean tsim_machine_run_until(TsimMachine *machine, uint64_t cycle);

/* Runs to the end, without allocating. FALSE and error (TSIM_ERROR_STUCK) when work is left that
 * nothing can move. */
gboolean tsim_machine_run(TsimMachine *machine, GError **error);
