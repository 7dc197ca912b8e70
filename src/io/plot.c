/* Three panels over one time axis: waves by stage, LDS bytes by owner, and the LDS map of the first
 * CU that was recorded. Lengths are points. */
#include "io/plot.h"

#include "base/error.h"
#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/file-sink.h"
#include "io/page.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>

#define WIDTH  640.0
#define HEIGHT 480.0
#define LEFT   64.0
#define RIGHT  12.0
#define TOP    28.0
#define BOTTOM 34.0
#define GAP    22.0
#define PANELS 3

#define FONT_POINTS  9.0
#define TITLE_POINTS 11.0
#define PNG_SCALE    2.0 /* pixels a point */
#define TICKS        5

typedef struct {
    double red, green, blue;
} Ink;

/* Okabe and Ito's colours, which colour-blind readers can tell apart. */
static const Ink stage_inks[TSIM_STAGES] = {
    {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.00, 0.62, 0.45},
    {0.94, 0.89, 0.26}, {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00},
};
static const Ink owner_inks[TSIM_LDS_OWNERS] = {
    {0.34, 0.71, 0.91},
    {0.94, 0.89, 0.26},
    {0.00, 0.45, 0.70},
    {0.84, 0.37, 0.00},
};

typedef struct {
    cairo_t *pen;
    const TsimTimeline *timeline;
    double top, height; /* of the panel in hand */
    double full;        /* value at its top */
} Plot;

/* ---- Places ---- */

static double x_of(const Plot *plot, uint64_t cycle)
{
    const TsimTimeline *timeline = plot->timeline;
    const uint64_t at = CLAMP(cycle, timeline->from, timeline->to);

    return LEFT + (WIDTH - LEFT - RIGHT) * (double)(at - timeline->from) /
                      (double)MAX(timeline->to - timeline->from, 1);
}

static double y_of(const Plot *plot, double value)
{
    return plot->top + plot->height * (1.0 - value / plot->full);
}

static void set_ink(const Plot *plot, Ink ink, double shade)
{
    cairo_set_source_rgb(plot->pen, ink.red * shade, ink.green * shade, ink.blue * shade);
}

/* ---- Words ---- */

typedef enum {
    ALIGN_LEFT,
    ALIGN_CENTRE,
    ALIGN_RIGHT,
} Align;

static double write_text(const Plot *plot, double x, double y, Align align, const char *text)
{
    cairo_text_extents_t extents;

    cairo_text_extents(plot->pen, text, &extents);
    cairo_move_to(plot->pen, x - extents.x_advance * (double)align / 2.0, y);
    cairo_show_text(plot->pen, text);
    return extents.x_advance;
}

static void use_black(const Plot *plot)
{
    cairo_set_source_rgb(plot->pen, 0.1, 0.1, 0.1);
}

/* 1, 2 or 5 times a power of ten. */
static double tick_step(double span)
{
    const double raw = span / TICKS;
    const double power = pow(10.0, floor(log10(raw)));
    const double digit = raw / power;

    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static char *tick_text(double value)
{
    if (value < 1e-9) {
        return g_strdup("0");
    }
    return value >= 1000.0 ? tsim_text_rate(value) : tsim_text_fixed(value, value < 10.0 ? 1 : 0);
}

static void draw_time_axis(const Plot *plot)
{
    const TsimTimeline *timeline = plot->timeline;
    const double step = MAX(tick_step((double)(timeline->to - timeline->from)), 1.0);

    use_black(plot);
    for (double at = ceil((double)timeline->from / step) * step; at <= (double)timeline->to;
         at += step) {
        g_autofree char *text = tick_text(at);
        const double x = x_of(plot, (uint64_t)at);
        (void)write_text(plot, x, HEIGHT - BOTTOM + 12.0, ALIGN_CENTRE, text);
    }
    (void)write_text(plot, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6.0, ALIGN_CENTRE, "cycles");
}

static void draw_frame(const Plot *plot, const char *title)
{
    const double step = tick_step(plot->full);

    use_black(plot);
    cairo_set_line_width(plot->pen, 0.5);
    cairo_rectangle(plot->pen, LEFT, plot->top, WIDTH - LEFT - RIGHT, plot->height);
    cairo_stroke(plot->pen);
    for (double value = 0.0; value <= plot->full; value += step) {
        g_autofree char *text = tick_text(value);
        (void)write_text(plot, LEFT - 4.0, y_of(plot, value) + 3.0, ALIGN_RIGHT, text);
    }
    (void)write_text(plot, LEFT, plot->top - 4.0, ALIGN_LEFT, title);
}

static double draw_key(const Plot *plot, double x, Ink ink, const char *text)
{
    set_ink(plot, ink, 1.0);
    cairo_rectangle(plot->pen, x, plot->top - 11.0, 7.0, 7.0);
    cairo_fill(plot->pen);
    use_black(plot);
    return x + 20.0 + write_text(plot, x + 10.0, plot->top - 4.0, ALIGN_LEFT, text);
}

/* ---- Panels ---- */

static uint64_t bucket_sum(const TsimTimeline *timeline, uint32_t metric, uint32_t bucket)
{
    uint64_t sum = 0;

    for (uint32_t i = timeline->first_track[metric]; i < timeline->first_track[metric + 1]; i++) {
        sum += tsim_timeline_buckets(timeline, i)[bucket].sum;
    }
    return sum;
}

static double bucket_mean(const TsimTimeline *timeline, uint32_t metric, uint32_t bucket)
{
    const uint64_t cycles = tsim_timeline_bucket_cycle(timeline, bucket + 1) -
                            tsim_timeline_bucket_cycle(timeline, bucket);
    const uint64_t sum = bucket_sum(timeline, metric, bucket);

    return (double)sum / (double)cycles;
}

static double highest_stack(const TsimTimeline *timeline, uint32_t metric, uint32_t n)
{
    double highest = 1.0;

    for (uint32_t bucket = 0; bucket < timeline->buckets_n; bucket++) {
        double stack = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            stack += bucket_mean(timeline, metric + i, bucket);
        }
        highest = MAX(highest, stack);
    }
    return highest;
}

/* The area of a family's first n members, as steps; drawn from the largest n down. */
static void fill_stack(const Plot *plot, uint32_t metric, uint32_t n)
{
    const TsimTimeline *timeline = plot->timeline;

    cairo_move_to(plot->pen, LEFT, y_of(plot, 0.0));
    for (uint32_t bucket = 0; bucket < timeline->buckets_n; bucket++) {
        double stack = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            stack += bucket_mean(timeline, metric + i, bucket);
        }
        const double y = y_of(plot, stack);
        cairo_line_to(plot->pen, x_of(plot, tsim_timeline_bucket_cycle(timeline, bucket)), y);
        cairo_line_to(plot->pen, x_of(plot, tsim_timeline_bucket_cycle(timeline, bucket + 1)), y);
    }
    cairo_line_to(plot->pen, x_of(plot, timeline->to), y_of(plot, 0.0));
    cairo_close_path(plot->pen);
    cairo_fill(plot->pen);
}

static gboolean is_used(const TsimTimeline *timeline, uint32_t metric)
{
    for (uint32_t i = timeline->first_track[metric]; i < timeline->first_track[metric + 1]; i++) {
        if (tsim_timeline_is_used(timeline, i)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void draw_stack(Plot *plot, uint32_t metric, uint32_t n, const Ink *inks,
                       const char *const *names, const char *title)
{
    double x = LEFT + 150.0;

    plot->full = highest_stack(plot->timeline, metric, n) * 1.05;
    for (uint32_t i = n; i > 0; i--) {
        set_ink(plot, inks[i - 1], 1.0);
        fill_stack(plot, metric, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is_used(plot->timeline, metric + i)) {
            x = draw_key(plot, x, inks[i], names[i]);
        }
    }
    draw_frame(plot, title);
}

static uint32_t first_cu(const TsimTimeline *timeline)
{
    uint32_t cu = 0;

    while (cu + 1 < timeline->machine.cus && !timeline->cu_on[cu]) {
        cu++;
    }
    return cu;
}

static void draw_map(Plot *plot)
{
    static const double shades[] = {1.0, 0.82, 0.66};
    const TsimTimeline *timeline = plot->timeline;
    const uint32_t granule = timeline->machine.lds_granule;
    const uint32_t cu = first_cu(timeline);
    g_autofree char *title = g_strdup_printf("LDS of CU %u by address", cu);

    plot->full = timeline->machine.lds_bytes_per_cu;
    for (uint32_t i = 0; i < timeline->blocks_n; i++) {
        const TsimLdsSpan *block = &timeline->blocks[i];
        if (block->cu != cu) {
            continue;
        }
        const uint32_t number = block->group != UINT32_MAX ? block->group : i;
        const double left = x_of(plot, block->begin);
        const double top = y_of(plot, (double)(block->first + block->size) * granule);
        set_ink(plot, owner_inks[block->owner], shades[number % G_N_ELEMENTS(shades)]);
        cairo_rectangle(plot->pen, left, top, MAX(x_of(plot, block->end) - left, 0.2),
                        y_of(plot, (double)block->first * granule) - top);
        cairo_fill(plot->pen);
    }
    draw_frame(plot, title);
}

static void draw(cairo_t *pen, const TsimResult *result, const TsimTimeline *timeline)
{
    const double height = (HEIGHT - TOP - BOTTOM - GAP * PANELS) / PANELS;
    g_autofree char *name = g_strdup_printf(
        "%s on %s", result->scenario != NULL ? result->scenario : "Scenario", result->gpu);
    const char *titles[TSIM_STAGES];
    Plot plot = {pen, timeline, TOP + GAP, height, 1.0};

    for (int i = 0; i < TSIM_STAGES; i++) {
        titles[i] = tsim_stage_title(i);
    }
    cairo_set_source_rgb(pen, 1.0, 1.0, 1.0);
    cairo_paint(pen);
    cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(pen, TITLE_POINTS);
    use_black(&plot);
    (void)write_text(&plot, LEFT, TOP - 8.0, ALIGN_LEFT, name);
    cairo_set_font_size(pen, FONT_POINTS);
    draw_stack(&plot, TSIM_METRIC_WAVES, TSIM_STAGES, stage_inks, titles, "Waves");
    plot.top += height + GAP;
    draw_stack(&plot, TSIM_METRIC_LDS, TSIM_LDS_OWNERS, owner_inks, tsim_lds_owner_names,
               "LDS bytes held");
    plot.top += height + GAP;
    draw_map(&plot);
    draw_time_axis(&plot);
}

/* ---- Files ---- */

static cairo_status_t write_bytes(void *user, const unsigned char *data, unsigned int bytes)
{
    tsim_put(user, data, bytes);
    return CAIRO_STATUS_SUCCESS; /* the sink tells of failures when it commits */
}

static gboolean is_png(const char *path)
{
    return g_str_has_suffix(path, ".png");
}

static cairo_surface_t *new_surface(const char *path, TsimFileSink *sink)
{
    if (is_png(path)) {
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(WIDTH * PNG_SCALE),
                                          (int)(HEIGHT * PNG_SCALE));
    }
    return g_str_has_suffix(path, ".svg")
               ? cairo_svg_surface_create_for_stream(write_bytes, sink, WIDTH, HEIGHT)
               : cairo_pdf_surface_create_for_stream(write_bytes, sink, WIDTH, HEIGHT);
}

gboolean tsim_plot_file_check(const char *path, GError **error)
{
    if (is_png(path) || g_str_has_suffix(path, ".svg") || g_str_has_suffix(path, ".pdf")) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s: a plot is a .svg, .png or .pdf file",
                path);
    return FALSE;
}

gboolean tsim_plot_file_write(const TsimResult *result, const TsimTimeline *timeline,
                              const char *path, GError **error)
{
    g_auto(TsimFileSink) sink = {0};

    if (!tsim_file_sink_open(&sink, path, error)) {
        return FALSE;
    }
    cairo_surface_t *surface = new_surface(path, &sink);
    cairo_t *pen = cairo_create(surface);
    if (is_png(path)) {
        cairo_scale(pen, PNG_SCALE, PNG_SCALE);
    }
    draw(pen, result, timeline);
    cairo_destroy(pen);
    if (is_png(path)) {
        (void)cairo_surface_write_to_png_stream(surface, write_bytes, &sink);
    }
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: cannot be drawn: %s", path,
                    cairo_status_to_string(status));
        return FALSE;
    }
    return tsim_file_sink_commit(&sink, error);
}
