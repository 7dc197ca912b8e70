#include "io/track-name.h"

#include "base/error.h"
#include "hw/stage.h"

TsimTrackPlace tsim_track_place(const TsimTimeline *timeline, uint32_t track)
{
    uint32_t metric = 0;

    while (timeline->first_track[metric + 1] <= track) {
        metric++;
    }
    return (TsimTrackPlace){metric, track - timeline->first_track[metric]};
}

static const char *plain_name(uint32_t metric)
{
    switch (metric) {
    case TSIM_METRIC_TD_RAYS:
        return "td_queue.rays";
    case TSIM_METRIC_TESS_BLOCKED:
        return "tess_blocked";
    case TSIM_METRIC_EXPORTS:
        return "exports";
    case TSIM_METRIC_TF_RING:
        return "tf_ring";
    case TSIM_METRIC_OFFCHIP_BUFFERS:
        return "offchip_buffers";
    case TSIM_METRIC_DRAM_READ:
        return "dram_read";
    case TSIM_METRIC_DRAM_WRITTEN:
        return "dram_written";
    case TSIM_METRIC_PATCHES:
        return "patches";
    case TSIM_METRIC_DS_THREADS:
        return "ds_threads";
    case TSIM_METRIC_PRIMITIVES:
        return "primitives";
    default:
        TSIM_ASSERT(FALSE);
        return NULL;
    }
}

char *tsim_metric_name(uint32_t metric)
{
    if (metric < TSIM_METRIC_LDS) {
        return g_strconcat("waves.", tsim_stage_names[metric - TSIM_METRIC_WAVES], NULL);
    }
    if (metric < TSIM_METRIC_TD_RAYS) {
        return g_strconcat("lds.", tsim_lds_owner_names[metric - TSIM_METRIC_LDS], NULL);
    }
    if (metric >= TSIM_METRIC_QUEUE && metric < TSIM_METRIC_STALL) {
        return g_strconcat("queue.", tsim_stage_names[metric - TSIM_METRIC_QUEUE], NULL);
    }
    if (metric >= TSIM_METRIC_STALL && metric < TSIM_METRIC_TESS_BLOCKED) {
        const uint32_t index = metric - TSIM_METRIC_STALL;
        return g_strconcat("stall.", tsim_stage_names[index / TSIM_STALLS_COUNT], ".",
                           tsim_stall_names[index % TSIM_STALLS_COUNT], NULL);
    }
    if (metric >= TSIM_METRIC_BUSY && metric < TSIM_METRIC_DRAM_READ) {
        return g_strconcat("busy.", tsim_resource_names[metric - TSIM_METRIC_BUSY], NULL);
    }
    return g_strdup(plain_name(metric));
}

char *tsim_unit_name(TsimUnit unit, uint32_t number)
{
    switch (unit) {
    case TSIM_UNIT_SE:
        return g_strdup_printf("se%u", number);
    case TSIM_UNIT_CU:
        return g_strdup_printf("cu%u", number);
    case TSIM_UNIT_GPU:
        break;
    }
    return g_strdup("gpu");
}

const char *tsim_signal_suffix(uint32_t metric, TsimSignal signal)
{
    static const char *const suffixes[TSIM_SIGNALS] = {"", ".mean", ".min", ".max"};

    return tsim_metric_is_work(metric) ? "" : suffixes[signal];
}
