/* Chrome's trace event format, which Perfetto reads too: counters, complete slices, flows. Times
 * are microseconds with three decimals, a cycle being a nanosecond. */
#include "base/file-sink.h"
#include "io/encode.h"
#include "io/timeline-file.h"
#include "io/trace-slices.h"
#include "io/track-name.h"

#include <string.h>

typedef struct {
    TsimFileSink *sink;
    const TsimTimeline *timeline;
    char **names; /* by track and signal: the event up to its time */
    TsimFlows flows;
    TsimThreads threads;
    gboolean begun;
} Json;

/* Events are separated by commas. */
static void begin_event(Json *json, const char *text)
{
    tsim_puts(json->sink, json->begun ? ",\n" : "\n");
    tsim_puts(json->sink, text);
    json->begun = TRUE;
}

static void put_microseconds(TsimFileSink *sink, uint64_t cycles)
{
    const char decimals[] = {'.', (char)('0' + cycles / 100 % 10), (char)('0' + cycles / 10 % 10),
                             (char)('0' + cycles % 10)};

    tsim_put_count(sink, cycles / 1000);
    tsim_put(sink, decimals, sizeof decimals);
}

static void write_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    Json *json = user;

    begin_event(json, json->names[track * TSIM_SIGNALS + signal]);
    put_microseconds(json->sink, cycle);
    tsim_puts(json->sink, ",\"args\":{\"value\":");
    tsim_put_real(json->sink, value);
    tsim_puts(json->sink, "}}");
}

static void name_it(Json *json, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
    g_autofree char *event = g_strdup_printf(
        "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}}", pid, tid,
        what, name);

    begin_event(json, event);
}

static void name_thread(Json *json, uint32_t cu, uint32_t tid)
{
    if (tsim_threads_add(&json->threads, cu, tid)) {
        g_autofree char *name = tsim_trace_thread_name(json->timeline, tid);
        name_it(json, "thread_name", tsim_trace_pid(TSIM_UNIT_CU, cu), tid, name);
    }
}

static void begin_at(Json *json, const char *kind, uint32_t cu, uint32_t tid, uint64_t cycle)
{
    char event[96];

    (void)g_snprintf(event, sizeof event, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":", kind,
                     tsim_trace_pid(TSIM_UNIT_CU, cu), tid);
    begin_event(json, event);
    put_microseconds(json->sink, cycle);
}

static void end_with(Json *json, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void end_with(Json *json, const char *format, ...)
{
    char text[160];
    va_list arguments;

    va_start(arguments, format);
    (void)g_vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tsim_puts(json->sink, text);
}

/* An arrow begins inside of the slice it leaves: in its last cycle. */
static void write_flow(Json *json, const TsimWaveSpan *span, uint32_t tid, gboolean leaves,
                       uint64_t id)
{
    begin_at(json, leaves ? "s" : "f", span->cu, tid, leaves ? span->end - 1 : span->begin);
    end_with(json, ",\"id\":%" G_GUINT64_FORMAT ",\"name\":\"patches\",\"cat\":\"flow\"%s}", id,
             leaves ? "" : ",\"bp\":\"e\"");
}

static void write_wave(void *user, const TsimWaveSpan *span)
{
    Json *json = user;
    const uint32_t tid = tsim_trace_wave_tid(json->timeline, span->simd, span->slot);
    char name[64];
    uint64_t first = 0;

    name_thread(json, span->cu, tid);
    tsim_trace_wave_name(span, name, sizeof name);
    begin_at(json, "X", span->cu, tid, span->begin);
    tsim_puts(json->sink, ",\"dur\":");
    put_microseconds(json->sink, span->end - span->begin);
    end_with(json, ",\"name\":\"%s\",\"args\":{\"threads\":%u}}", name, span->threads);
    const uint32_t arrows = tsim_flows_from(&json->flows, span, &first);
    for (uint32_t i = 0; i < arrows; i++) {
        write_flow(json, span, tid, TRUE, first + i);
    }
    if (tsim_flows_to(span) != 0) {
        write_flow(json, span, tid, FALSE, tsim_flows_to(span));
    }
}

static void write_group(void *user, const TsimGroupSpan *span)
{
    static const char *const kinds[] = {"B", "E", "i"};
    Json *json = user;
    const uint32_t tid = tsim_trace_lane_tid(span->lane);
    TsimSlice slices[TSIM_GROUP_SLICES];
    const uint32_t n = tsim_trace_group_slices(span, slices);

    name_thread(json, span->cu, tid);
    for (uint32_t i = 0; i < n; i++) {
        begin_at(json, kinds[slices[i].kind], span->cu, tid, slices[i].cycle);
        if (slices[i].kind == TSIM_SLICE_END) {
            tsim_puts(json->sink, "}");
        } else {
            end_with(json, ",\"name\":\"%s\"%s}", slices[i].name,
                     slices[i].kind == TSIM_SLICE_INSTANT ? ",\"s\":\"t\"" : "");
        }
    }
}

static char **make_names(const TsimTimeline *timeline)
{
    const uint32_t n = timeline->first_track[TSIM_METRICS];
    char **names = g_new0(char *, (gsize)n *TSIM_SIGNALS + 1);

    for (uint32_t track = 0; track < n; track++) {
        const TsimTrackPlace place = tsim_track_place(timeline, track);
        g_autofree char *metric = tsim_metric_name(place.metric);
        for (uint32_t signal = 0; signal < TSIM_SIGNALS; signal++) {
            names[track * TSIM_SIGNALS + signal] =
                g_strdup_printf("{\"ph\":\"C\",\"pid\":%u,\"name\":\"%s%s\",\"ts\":",
                                tsim_trace_pid(tsim_metric_unit(place.metric), place.unit), metric,
                                tsim_signal_suffix(place.metric, (TsimSignal)signal));
        }
    }
    return names;
}

static void name_processes(Json *json, TsimUnit unit, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_autofree char *name = tsim_trace_process_name(unit, i);
        name_it(json, "process_name", tsim_trace_pid(unit, i), 0, name);
    }
}

static void clear(Json *json)
{
    tsim_flows_clear(&json->flows);
    tsim_threads_clear(&json->threads);
    g_strfreev(json->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Json, clear)

gboolean tsim_timeline_write_json(TsimTimeline *timeline, const char *path, GError **error)
{
    static const TsimTimelineVisitor visitor = {write_level, write_wave, NULL, write_group};
    g_auto(TsimFileSink) sink = {0};
    g_auto(Json) json = {.sink = &sink, .timeline = timeline, .names = make_names(timeline)};

    tsim_threads_init(&json.threads);
    if (!tsim_flows_init(&json.flows, timeline, error) ||
        !tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    tsim_puts(&sink,
              "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tesssim_version\":\"" TSIM_VERSION
              "\",\"cycle\":\"1 ns\"},\"traceEvents\":[");
    name_processes(&json, TSIM_UNIT_GPU, 1);
    name_processes(&json, TSIM_UNIT_SE, timeline->machine.ses);
    name_processes(&json, TSIM_UNIT_CU, timeline->machine.cus);
    if (!tsim_timeline_replay(timeline, &visitor, &json, error)) {
        return FALSE;
    }
    tsim_puts(&sink, "\n]}\n");
    return tsim_file_sink_commit(&sink, error);
}
