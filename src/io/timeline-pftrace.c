/* Perfetto's own format: a stream of protocol buffer messages, put together by hand. The field
 * numbers are those of Perfetto's trace.proto; tests/look/trace.proto holds the ones used here. */
#include "base/file-sink.h"
#include "base/varint.h"
#include "io/timeline-file.h"
#include "io/trace-slices.h"
#include "io/track-name.h"

#include <string.h>

enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_TRACK_DESCRIPTOR = 60,
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_THREAD = 4,
    DESCRIPTOR_PARENT = 5,
    DESCRIPTOR_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30,
    EVENT_DOUBLE_COUNTER = 44,
    EVENT_FLOWS = 47,
};

enum {
    TYPE_BEGIN = 1,
    TYPE_END = 2,
    TYPE_INSTANT = 3,
    TYPE_COUNTER = 4,
};

enum {
    WIRE_VARINT = 0,
    WIRE_FIXED64 = 1,
    WIRE_BYTES = 2,
};

/* All packets are of one writer. */
#define SEQUENCE 1

/* Track ids: processes, threads and counters each have a range. */
#define PROCESS_UUID (UINT64_C(1) << 32)
#define THREAD_UUID  (UINT64_C(2) << 32)
#define COUNTER_UUID (UINT64_C(1) << 60)

/* ---- Messages ---- */

static void put_key(GByteArray *message, uint32_t field, uint32_t wire)
{
    tsim_varint_append(message, field << 3 | wire);
}

static void put_number(GByteArray *message, uint32_t field, uint64_t value)
{
    put_key(message, field, WIRE_VARINT);
    tsim_varint_append(message, value);
}

static void put_fixed64(GByteArray *message, uint32_t field, uint64_t value)
{
    guint8 bytes[8];

    for (int i = 0; i < 8; i++) {
        bytes[i] = (guint8)(value >> (8 * i));
    }
    put_key(message, field, WIRE_FIXED64);
    g_byte_array_append(message, bytes, sizeof bytes);
}

static void put_double(GByteArray *message, uint32_t field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_fixed64(message, field, bits);
}

static void put_bytes(GByteArray *message, uint32_t field, const void *data, size_t bytes)
{
    put_key(message, field, WIRE_BYTES);
    tsim_varint_append(message, bytes);
    g_byte_array_append(message, data, (guint)bytes);
}

static void put_text(GByteArray *message, uint32_t field, const char *text)
{
    put_bytes(message, field, text, strlen(text));
}

/* ---- The trace ---- */

typedef struct {
    TsimFileSink *sink;
    const TsimTimeline *timeline;
    GByteArray *part, *packet, *inner; /* scratch: in a packet, the packet, in a part */
    TsimFlows flows;
    TsimThreads threads;
} Trace;

/* Writes the packet with `part` as its field. */
static void write_packet(Trace *trace, uint32_t field)
{
    put_number(trace->packet, PACKET_SEQUENCE, SEQUENCE);
    put_bytes(trace->packet, field, trace->part->data, trace->part->len);
    put_key(trace->inner, TRACE_PACKET, WIRE_BYTES);
    tsim_varint_append(trace->inner, trace->packet->len);
    tsim_put(trace->sink, trace->inner->data, trace->inner->len);
    tsim_put(trace->sink, trace->packet->data, trace->packet->len);
    g_byte_array_set_size(trace->inner, 0);
    g_byte_array_set_size(trace->packet, 0);
    g_byte_array_set_size(trace->part, 0);
}

static void begin_track_event(Trace *trace, uint64_t cycle, uint32_t type, uint64_t track)
{
    put_number(trace->packet, PACKET_TIMESTAMP, cycle);
    put_number(trace->part, EVENT_TYPE, type);
    put_number(trace->part, EVENT_TRACK, track);
}

static uint64_t process_uuid(uint32_t pid)
{
    return PROCESS_UUID + pid;
}

static uint64_t thread_uuid(uint32_t pid, uint32_t tid)
{
    return THREAD_UUID * pid + tid;
}

static uint64_t counter_uuid(uint32_t track, TsimSignal signal)
{
    return COUNTER_UUID + (uint64_t)track * TSIM_SIGNALS + signal;
}

static void describe_process(Trace *trace, TsimUnit unit, uint32_t number)
{
    const uint32_t pid = tsim_trace_pid(unit, number);
    g_autofree char *name = tsim_trace_process_name(unit, number);

    put_number(trace->part, DESCRIPTOR_UUID, process_uuid(pid));
    put_number(trace->inner, PROCESS_PID, pid);
    put_text(trace->inner, PROCESS_NAME, name);
    put_bytes(trace->part, DESCRIPTOR_PROCESS, trace->inner->data, trace->inner->len);
    g_byte_array_set_size(trace->inner, 0);
    write_packet(trace, PACKET_TRACK_DESCRIPTOR);
}

static void describe_thread(Trace *trace, uint32_t cu, uint32_t tid)
{
    const uint32_t pid = tsim_trace_pid(TSIM_UNIT_CU, cu);

    if (!tsim_threads_add(&trace->threads, cu, tid)) {
        return;
    }
    g_autofree char *name = tsim_trace_thread_name(trace->timeline, tid);
    put_number(trace->part, DESCRIPTOR_UUID, thread_uuid(pid, tid));
    put_number(trace->part, DESCRIPTOR_PARENT, process_uuid(pid));
    put_number(trace->inner, THREAD_PID, pid);
    put_number(trace->inner, THREAD_TID, tid);
    put_text(trace->inner, THREAD_NAME, name);
    put_bytes(trace->part, DESCRIPTOR_THREAD, trace->inner->data, trace->inner->len);
    g_byte_array_set_size(trace->inner, 0);
    write_packet(trace, PACKET_TRACK_DESCRIPTOR);
}

static void describe_counter(Trace *trace, uint32_t track, TsimSignal signal)
{
    const TsimTrackPlace place = tsim_track_place(trace->timeline, track);
    const uint32_t pid = tsim_trace_pid(tsim_metric_unit(place.metric), place.unit);
    g_autofree char *metric = tsim_metric_name(place.metric);
    g_autofree char *name = g_strconcat(metric, tsim_signal_suffix(place.metric, signal), NULL);

    put_number(trace->part, DESCRIPTOR_UUID, counter_uuid(track, signal));
    put_text(trace->part, DESCRIPTOR_NAME, name);
    put_number(trace->part, DESCRIPTOR_PARENT, process_uuid(pid));
    put_bytes(trace->part, DESCRIPTOR_COUNTER, "", 0);
    write_packet(trace, PACKET_TRACK_DESCRIPTOR);
}

static void describe_tracks(Trace *trace)
{
    const TsimTimeline *timeline = trace->timeline;

    describe_process(trace, TSIM_UNIT_GPU, 0);
    for (uint32_t se = 0; se < timeline->machine.ses; se++) {
        describe_process(trace, TSIM_UNIT_SE, se);
    }
    for (uint32_t cu = 0; cu < timeline->machine.cus; cu++) {
        describe_process(trace, TSIM_UNIT_CU, cu);
    }
    for (uint32_t track = 0; track < timeline->first_track[TSIM_METRICS]; track++) {
        if (!tsim_timeline_is_used(timeline, track)) {
            continue;
        }
        for (int signal = 0; signal < TSIM_SIGNALS; signal++) {
            if (tsim_timeline_has_signal(timeline, track, (TsimSignal)signal)) {
                describe_counter(trace, track, (TsimSignal)signal);
            }
        }
    }
}

static void write_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    Trace *trace = user;

    begin_track_event(trace, cycle, TYPE_COUNTER, counter_uuid(track, signal));
    if (signal == TSIM_SIGNAL_MEAN) {
        put_double(trace->part, EVENT_DOUBLE_COUNTER, value);
    } else {
        put_number(trace->part, EVENT_COUNTER, (uint64_t)value);
    }
    write_packet(trace, PACKET_TRACK_EVENT);
}

static void write_wave(void *user, const TsimWaveSpan *span)
{
    Trace *trace = user;
    const uint32_t tid = tsim_trace_wave_tid(trace->timeline, span->simd, span->slot);
    const uint64_t uuid = thread_uuid(tsim_trace_pid(TSIM_UNIT_CU, span->cu), tid);
    char name[64];
    uint64_t first = 0;

    describe_thread(trace, span->cu, tid);
    tsim_trace_wave_name(span, name, sizeof name);
    begin_track_event(trace, span->begin, TYPE_BEGIN, uuid);
    put_text(trace->part, EVENT_NAME, name);
    const uint32_t arrows = tsim_flows_from(&trace->flows, span, &first);
    for (uint32_t i = 0; i < arrows; i++) {
        put_fixed64(trace->part, EVENT_FLOWS, first + i);
    }
    if (tsim_flows_to(span) != 0) {
        put_fixed64(trace->part, EVENT_FLOWS, tsim_flows_to(span));
    }
    write_packet(trace, PACKET_TRACK_EVENT);
    begin_track_event(trace, span->end, TYPE_END, uuid);
    write_packet(trace, PACKET_TRACK_EVENT);
}

static void write_group(void *user, const TsimGroupSpan *span)
{
    static const uint32_t types[] = {TYPE_BEGIN, TYPE_END, TYPE_INSTANT};
    Trace *trace = user;
    const uint32_t tid = tsim_trace_lane_tid(span->lane);
    const uint64_t uuid = thread_uuid(tsim_trace_pid(TSIM_UNIT_CU, span->cu), tid);
    TsimSlice slices[TSIM_GROUP_SLICES];
    const uint32_t n = tsim_trace_group_slices(span, slices);

    describe_thread(trace, span->cu, tid);
    for (uint32_t i = 0; i < n; i++) {
        begin_track_event(trace, slices[i].cycle, types[slices[i].kind], uuid);
        if (slices[i].kind != TSIM_SLICE_END) {
            put_text(trace->part, EVENT_NAME, slices[i].name);
        }
        write_packet(trace, PACKET_TRACK_EVENT);
    }
}

static void clear(Trace *trace)
{
    tsim_flows_clear(&trace->flows);
    tsim_threads_clear(&trace->threads);
    g_byte_array_unref(trace->part);
    g_byte_array_unref(trace->packet);
    g_byte_array_unref(trace->inner);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Trace, clear)

gboolean tsim_timeline_write_pftrace(TsimTimeline *timeline, const char *path, GError **error)
{
    static const TsimTimelineVisitor visitor = {write_level, write_wave, NULL, write_group};
    g_auto(TsimFileSink) sink = {0};
    g_auto(Trace) trace = {.sink = &sink,
                           .timeline = timeline,
                           .part = g_byte_array_new(),
                           .packet = g_byte_array_new(),
                           .inner = g_byte_array_new()};

    tsim_threads_init(&trace.threads);
    if (!tsim_flows_init(&trace.flows, timeline, error) ||
        !tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    describe_tracks(&trace);
    return tsim_timeline_replay(timeline, &visitor, &trace, error) &&
           tsim_file_sink_commit(&sink, error);
}
