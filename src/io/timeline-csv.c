/* Tidy CSV: time,unit,metric,value. A level or a rate holds from its time on; a "span." begins at
 * its time, and its value is the cycle at which it ends. */
#include "base/file-sink.h"
#include "hw/stage.h"
#include "io/encode.h"
#include "io/timeline-file.h"
#include "io/track-name.h"

typedef struct {
    TsimFileSink *sink;
    const TsimTimeline *timeline;
    char **names; /* by track and signal: "cu3,waves.ds.max" */
} Csv;

static void write_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    const Csv *csv = user;

    tsim_put_count(csv->sink, cycle);
    tsim_puts(csv->sink, csv->names[track * TSIM_SIGNALS + signal]);
    tsim_put_real(csv->sink, value);
    tsim_puts(csv->sink, "\n");
}

static void write_span(const Csv *csv, uint64_t begin, uint64_t end, const char *place)
{
    tsim_put_count(csv->sink, begin);
    tsim_puts(csv->sink, place);
    tsim_put_count(csv->sink, end);
    tsim_puts(csv->sink, "\n");
}

static void write_wave(void *user, const TsimWaveSpan *span)
{
    char place[96];

    (void)g_snprintf(place, sizeof place, ",cu%u.simd%u.slot%u,span.wave.%s,", span->cu, span->simd,
                     span->slot, tsim_stage_names[span->stage]);
    write_span(user, span->begin, span->end, place);
}

static void write_block(void *user, const TsimLdsSpan *span)
{
    const Csv *csv = user;
    const uint32_t granule = csv->timeline->machine.lds_granule;
    char place[96];

    (void)g_snprintf(place, sizeof place, ",cu%u.lds%u+%u,span.lds.%s,", span->cu,
                     span->first * granule, span->size * granule,
                     tsim_lds_owner_names[span->owner]);
    write_span(csv, span->begin, span->end, place);
}

static void write_group_span(const Csv *csv, const TsimGroupSpan *span, const char *what,
                             uint64_t begin, uint64_t end)
{
    char place[96];

    (void)g_snprintf(place, sizeof place, ",cu%u.group%u,span.group%s%s,", span->cu, span->serial,
                     *what != '\0' ? "." : "", what);
    write_span(csv, begin, end, place);
}

static void write_group(void *user, const TsimGroupSpan *span)
{
    write_group_span(user, span, "", span->begin, span->end);
    if (span->ls_end > 0) {
        write_group_span(user, span, "ls", span->begin, span->ls_end);
    }
    write_group_span(user, span, "hs", span->hs_begin, span->decision);
    if (span->ds_waves > 0) {
        write_group_span(user, span, span->offchip ? "ds_offchip" : "ds_onchip", span->ds_begin,
                         span->ds_end);
    }
    write_group_span(user, span, "lds", span->begin, span->lds_freed);
}

static char **make_names(const TsimTimeline *timeline)
{
    const uint32_t n = timeline->first_track[TSIM_METRICS];
    char **names = g_new0(char *, (gsize)n *TSIM_SIGNALS + 1);

    for (uint32_t track = 0; track < n; track++) {
        const TsimTrackPlace place = tsim_track_place(timeline, track);
        g_autofree char *unit = tsim_unit_name(tsim_metric_unit(place.metric), place.unit);
        g_autofree char *metric = tsim_metric_name(place.metric);
        for (uint32_t signal = 0; signal < TSIM_SIGNALS; signal++) {
            names[track * TSIM_SIGNALS + signal] =
                g_strconcat(",", unit, ",", metric,
                            tsim_signal_suffix(place.metric, (TsimSignal)signal), ",", NULL);
        }
    }
    return names;
}

gboolean tsim_timeline_write_csv(TsimTimeline *timeline, const char *path, GError **error)
{
    static const TsimTimelineVisitor visitor = {write_level, write_wave, write_block, write_group};
    g_auto(TsimFileSink) sink = {0};
    g_auto(GStrv) names = make_names(timeline);
    Csv csv = {&sink, timeline, names};

    if (!tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    tsim_puts(&sink, "time,unit,metric,value\n");
    return tsim_timeline_replay(timeline, &visitor, &csv, error) &&
           tsim_file_sink_commit(&sink, error);
}
