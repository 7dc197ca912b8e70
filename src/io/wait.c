#include "io/wait.h"

#include "io/bottleneck.h"
#include "stats/figures.h"

TsimWait tsim_wait(const TsimResult *result, int index)
{
    const int stage = index / TSIM_STALLS_COUNT;
    const TsimStall stall = (TsimStall)(index % TSIM_STALLS_COUNT);

    if (stage == TSIM_STAGES) {
        return (TsimWait){"TS", "ds_queue", "the tessellator stood still before a full DS queue",
                          tsim_result_wait_share(result, result->tess_blocked_cycles)};
    }
    return (TsimWait){tsim_stage_title(stage), tsim_stall_names[stall], tsim_stall_words[stall],
                      tsim_result_stall_share(result, stage, stall)};
}
