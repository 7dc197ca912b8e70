/* Value change dump: levels only, in scopes gpu, gpu.se0, gpu.cu3. And the save file that makes
 * GTKWave draw them as steps. */
#include "base/file-sink.h"
#include "io/encode.h"
#include "io/timeline-file.h"
#include "io/track-name.h"

#include <string.h>

/* Identifiers are numbers in base 94 of the printable characters from '!' on. */
#define ID_BASE  94u
#define ID_FIRST '!'

typedef struct {
    TsimFileSink *sink;
    uint64_t cycle; /* of the last "#" */
} Vcd;

static void write_id(TsimFileSink *sink, uint32_t track, TsimSignal signal)
{
    uint32_t number = track * TSIM_SIGNALS + signal;
    char id[8];
    size_t n = 0;

    do {
        id[n++] = (char)(ID_FIRST + number % ID_BASE);
        number /= ID_BASE;
    } while (number > 0);
    tsim_put(sink, id, n);
}

static void write_value(TsimFileSink *sink, uint32_t track, TsimSignal signal, double value)
{
    if (signal == TSIM_SIGNAL_MEAN) {
        tsim_puts(sink, "r");
        tsim_put_real(sink, value);
    } else {
        char bits[34] = "b";
        size_t n = 1;
        const uint32_t whole = (uint32_t)value;
        for (int bit = whole > 0 ? 31 - __builtin_clz(whole) : 0; bit >= 0; bit--) {
            bits[n++] = (whole >> bit & 1) != 0 ? '1' : '0';
        }
        tsim_put(sink, bits, n);
    }
    tsim_puts(sink, " ");
    write_id(sink, track, signal);
    tsim_puts(sink, "\n");
}

static void write_time(TsimFileSink *sink, uint64_t cycle)
{
    tsim_puts(sink, "#");
    tsim_put_count(sink, cycle);
    tsim_puts(sink, "\n");
}

static void write_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    Vcd *vcd = user;

    if (cycle != vcd->cycle) {
        write_time(vcd->sink, cycle);
        vcd->cycle = cycle;
    }
    write_value(vcd->sink, track, signal, value);
}

/* ---- Names ---- */

typedef struct {
    uint32_t metric, track;
    TsimSignal signal;
} Variable;

/* Calls for every signal of every used track of one unit. */
static void each_variable(const TsimTimeline *timeline, TsimUnit unit, uint32_t number,
                          void (*call)(void *user, const Variable *variable), void *user)
{
    for (uint32_t metric = 0; metric < TSIM_METRICS; metric++) {
        const uint32_t track = tsim_timeline_track(timeline, metric, number);
        if (tsim_metric_unit(metric) != unit || !tsim_timeline_is_used(timeline, track)) {
            continue;
        }
        for (int signal = 0; signal < TSIM_SIGNALS; signal++) {
            if (tsim_timeline_has_signal(timeline, track, (TsimSignal)signal)) {
                const Variable variable = {metric, track, (TsimSignal)signal};
                call(user, &variable);
            }
        }
    }
}

/* Points separate scopes in viewers. */
static char *variable_name(const Variable *variable)
{
    g_autofree char *metric = tsim_metric_name(variable->metric);

    return g_strdelimit(
        g_strconcat(metric, tsim_signal_suffix(variable->metric, variable->signal), NULL), ".",
        '_');
}

static void declare(void *user, const Variable *variable)
{
    TsimFileSink *sink = user;
    g_autofree char *name = variable_name(variable);

    tsim_puts(sink, variable->signal == TSIM_SIGNAL_MEAN ? "$var real 64 " : "$var integer 32 ");
    write_id(sink, variable->track, variable->signal);
    tsim_puts(sink, " ");
    tsim_puts(sink, name);
    tsim_puts(sink, " $end\n");
}

static void begin_at_zero(void *user, const Variable *variable)
{
    write_value(user, variable->track, variable->signal, 0.0);
}

static void declare_unit(TsimFileSink *sink, const TsimTimeline *timeline, TsimUnit unit,
                         uint32_t number)
{
    g_autofree char *name = tsim_unit_name(unit, number);

    tsim_puts(sink, "$scope module ");
    tsim_puts(sink, name);
    tsim_puts(sink, " $end\n");
    each_variable(timeline, unit, number, declare, sink);
    if (unit != TSIM_UNIT_GPU) {
        tsim_puts(sink, "$upscope $end\n");
    }
}

/* All units, the GPU first, the others inside of it. */
static void each_unit(TsimFileSink *sink, const TsimTimeline *timeline,
                      void (*call)(TsimFileSink *sink, const TsimTimeline *timeline, TsimUnit unit,
                                   uint32_t number))
{
    call(sink, timeline, TSIM_UNIT_GPU, 0);
    for (uint32_t se = 0; se < timeline->machine.ses; se++) {
        call(sink, timeline, TSIM_UNIT_SE, se);
    }
    for (uint32_t cu = 0; cu < timeline->machine.cus; cu++) {
        call(sink, timeline, TSIM_UNIT_CU, cu);
    }
}

static void zero_unit(TsimFileSink *sink, const TsimTimeline *timeline, TsimUnit unit,
                      uint32_t number)
{
    each_variable(timeline, unit, number, begin_at_zero, sink);
}

static void write_head(TsimFileSink *sink, const TsimTimeline *timeline)
{
    tsim_puts(sink, "$version tesssim " TSIM_VERSION " $end\n"
                    "$comment 1 cycle = 1 ns $end\n"
                    "$timescale 1ns $end\n");
    each_unit(sink, timeline, declare_unit);
    tsim_puts(sink, "$upscope $end\n$enddefinitions $end\n");
    write_time(sink, timeline->from);
    tsim_puts(sink, "$dumpvars\n");
    each_unit(sink, timeline, zero_unit);
    tsim_puts(sink, "$end\n");
}

/* ---- The save file ---- */

/* Decimal and drawn as analog steps. */
#define TRACE_FLAGS "@8024\n"

typedef struct {
    TsimFileSink *sink;
    const char *unit;
} Save;

static void show(void *user, const Variable *variable)
{
    const Save *save = user;

    if (variable->signal == TSIM_SIGNAL_MIN ||
        (variable->signal == TSIM_SIGNAL_MEAN && !tsim_metric_is_work(variable->metric))) {
        return; /* the greatest value says most */
    }
    g_autofree char *name = variable_name(variable);
    tsim_puts(save->sink, TRACE_FLAGS "gpu.");
    tsim_puts(save->sink, save->unit);
    tsim_puts(save->sink, name);
    tsim_puts(save->sink, "\n@20000\n-\n"); /* twice as high */
}

static void show_unit(TsimFileSink *sink, const TsimTimeline *timeline, TsimUnit unit,
                      uint32_t number)
{
    g_autofree char *name = tsim_unit_name(unit, number);
    g_autofree char *scope = unit == TSIM_UNIT_GPU ? g_strdup("") : g_strconcat(name, ".", NULL);
    Save save = {sink, scope};

    tsim_puts(sink, "@200\n-");
    tsim_puts(sink, name);
    tsim_puts(sink, "\n");
    each_variable(timeline, unit, number, show, &save);
}

static gboolean write_save_file(const TsimTimeline *timeline, const char *path, GError **error)
{
    g_autofree char *base = g_strndup(path, strlen(path) - strlen(".vcd"));
    g_autofree char *save_path = g_strconcat(base, ".gtkw", NULL);
    g_autofree char *dump = g_canonicalize_filename(path, NULL);
    g_auto(TsimFileSink) sink = {0};

    if (g_file_test(save_path, G_FILE_TEST_EXISTS)) {
        return TRUE; /* somebody's own lay-out by now */
    }
    if (!tsim_file_sink_open(&sink, save_path, error)) {
        return FALSE;
    }
    tsim_puts(&sink, "[dumpfile] \"");
    tsim_puts(&sink, dump);
    tsim_puts(&sink, "\"\n[timestart] 0\n");
    each_unit(&sink, timeline, show_unit);
    return tsim_file_sink_commit(&sink, error);
}

gboolean tsim_timeline_write_vcd(TsimTimeline *timeline, const char *path, GError **error)
{
    static const TsimTimelineVisitor visitor = {write_level, NULL, NULL, NULL};
    g_auto(TsimFileSink) sink = {0};
    Vcd vcd = {&sink, timeline->from};

    if (!tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    write_head(&sink, timeline);
    if (!tsim_timeline_replay(timeline, &visitor, &vcd, error)) {
        return FALSE;
    }
    if (vcd.cycle != timeline->to) {
        write_time(&sink, timeline->to);
    }
    return tsim_file_sink_commit(&sink, error) && write_save_file(timeline, path, error);
}
