/* Three panels a run over one time axis: waves by stage, LDS bytes by owner, and the LDS map of the
 * fullest CU. Lengths are points. */
#include "io/plot.h"

#include "base/error.h"
#include "base/file-sink.h"
#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/page.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <string.h>

#define WIDTH  640.0
#define LEFT   64.0
#define RIGHT  12.0
#define TOP    28.0
#define BOTTOM 34.0
#define GAP    22.0
#define PANEL  117.0
#define PANELS 3
#define LABEL  28.0 /* a line above the panels of one of several runs */

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
    uint64_t from, to; /* the time axis */
    const TsimTimeline *timeline;
    double top;  /* of the panel in hand */
    double full; /* value at its top */
} Plot;

/* ---- Places ---- */

static double x_of(const Plot *plot, uint64_t cycle)
{
    const uint64_t at = CLAMP(cycle, plot->from, plot->to);

    return LEFT + (WIDTH - LEFT - RIGHT) * (double)(at - plot->from) /
                      (double)MAX(plot->to - plot->from, 1);
}

static double y_of(const Plot *plot, double value)
{
    return plot->top + PANEL * (1.0 - value / plot->full);
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
    const double step = MAX(tick_step((double)(plot->to - plot->from)), 1.0);
    const double bottom = plot->top + PANEL;

    const double first = ceil((double)plot->from / step);
    const uint64_t last = (uint64_t)((double)plot->to / step);

    use_black(plot);
    for (uint64_t i = (uint64_t)first; i <= last; i++) {
        const double at = (double)i * step;
        g_autofree char *text = tick_text(at);
        const double x = x_of(plot, (uint64_t)at);
        (void)write_text(plot, x, bottom + 12.0, ALIGN_CENTRE, text);
    }
    (void)write_text(plot, (LEFT + WIDTH - RIGHT) / 2.0, bottom + 28.0, ALIGN_CENTRE, "cycles");
}

static void draw_frame(const Plot *plot, const char *title)
{
    const double step = tick_step(plot->full);

    use_black(plot);
    cairo_set_line_width(plot->pen, 0.5);
    cairo_rectangle(plot->pen, LEFT, plot->top, WIDTH - LEFT - RIGHT, PANEL);
    cairo_stroke(plot->pen);
    for (int i = 0; i <= (int)(plot->full / step); i++) {
        const double value = i * step;
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
    double highest = 0.0;

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

    cairo_move_to(plot->pen, x_of(plot, timeline->from), y_of(plot, 0.0));
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

/* Blocks take turns in shade; those that meet in the same one are parted by a line. */
static void draw_block(const Plot *plot, const TsimLdsSpan *block, uint32_t turn)
{
    static const double shades[] = {1.0, 0.85, 0.7};
    const uint32_t granule = plot->timeline->machine.lds_granule;
    const double left = x_of(plot, block->begin);
    const double width = x_of(plot, block->end) - left;
    const double top = y_of(plot, (double)(block->first + block->size) * granule);

    cairo_rectangle(plot->pen, left, top, MAX(width, 0.2),
                    y_of(plot, (double)block->first * granule) - top);
    set_ink(plot, owner_inks[block->owner], shades[turn % G_N_ELEMENTS(shades)]);
    if (width < 2.0) {
        cairo_fill(plot->pen);
        return;
    }
    cairo_fill_preserve(plot->pen);
    cairo_set_source_rgb(plot->pen, 1.0, 1.0, 1.0);
    cairo_set_line_width(plot->pen, 0.5);
    cairo_stroke(plot->pen);
}

static void draw_map(Plot *plot)
{
    const TsimTimeline *timeline = plot->timeline;
    const uint32_t cu = tsim_timeline_fullest_cu(timeline);
    const uint32_t tess = tsim_timeline_track(timeline, TSIM_METRIC_LDS + TSIM_LDS_OWNER_TESS, cu);
    const char *why =
        tsim_timeline_is_used(timeline, tess) ? ", where tessellation holds the most" : "";
    uint32_t turn = 0;
    g_autofree char *title = g_strdup_printf("LDS of CU %u by address%s", cu, why);

    plot->full = timeline->machine.lds_bytes_per_cu;
    for (uint32_t i = 0; i < timeline->blocks_n; i++) {
        if (timeline->blocks[i].cu == cu) {
            draw_block(plot, &timeline->blocks[i], turn++);
        }
    }
    draw_frame(plot, title);
}

/* Twin panels of several runs have one scale. */
static double full_scale(const TsimPlotSide *sides, uint32_t sides_n, uint32_t metric, uint32_t n)
{
    double highest = 1.0;

    for (uint32_t i = 0; i < sides_n; i++) {
        highest = MAX(highest, highest_stack(sides[i].timeline, metric, n));
    }
    return highest * 1.05;
}

static char *title_of(const TsimResult *result)
{
    return g_strdup_printf("%s on %s", result->scenario != NULL ? result->scenario : "Scenario",
                           result->gpu);
}

static void draw_title(const Plot *plot, const TsimResult *result)
{
    g_autofree char *name = title_of(result);

    cairo_set_font_size(plot->pen, TITLE_POINTS);
    use_black(plot);
    (void)write_text(plot, LEFT, TOP - 8.0, ALIGN_LEFT, name);
    cairo_set_font_size(plot->pen, FONT_POINTS);
}

static void draw_side(Plot *plot, const TsimPlotSide *side, double full_waves, double full_lds)
{
    const char *titles[TSIM_STAGES];

    for (int i = 0; i < TSIM_STAGES; i++) {
        titles[i] = tsim_stage_title(i);
    }
    plot->timeline = side->timeline;
    if (side->label != NULL) {
        use_black(plot);
        cairo_set_font_size(plot->pen, TITLE_POINTS);
        (void)write_text(plot, LEFT, plot->top + LABEL - 4.0, ALIGN_LEFT, side->label);
        cairo_set_font_size(plot->pen, FONT_POINTS);
        plot->top += LABEL;
    }
    plot->top += GAP;
    plot->full = full_waves;
    draw_stack(plot, TSIM_METRIC_WAVES, TSIM_STAGES, stage_inks, titles, "Waves");
    plot->top += PANEL + GAP;
    plot->full = full_lds;
    draw_stack(plot, TSIM_METRIC_LDS, TSIM_LDS_OWNERS, owner_inks, tsim_lds_owner_names,
               "LDS bytes held");
    plot->top += PANEL + GAP;
    draw_map(plot);
}

static double height_of(uint32_t sides_n)
{
    const double label = sides_n > 1 ? LABEL : 0.0;

    return TOP + sides_n * (label + PANELS * (GAP + PANEL)) + BOTTOM;
}

static void draw(cairo_t *pen, const TsimPlotSide *sides, uint32_t sides_n)
{
    const double waves = full_scale(sides, sides_n, TSIM_METRIC_WAVES, TSIM_STAGES);
    const double lds = full_scale(sides, sides_n, TSIM_METRIC_LDS, TSIM_LDS_OWNERS);
    Plot plot = {.pen = pen, .from = UINT64_MAX, .top = TOP};

    for (uint32_t i = 0; i < sides_n; i++) {
        plot.from = MIN(plot.from, sides[i].timeline->from);
        plot.to = MAX(plot.to, sides[i].timeline->to);
    }
    cairo_set_source_rgb(pen, 1.0, 1.0, 1.0);
    cairo_paint(pen);
    cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    draw_title(&plot, sides[0].result);
    for (uint32_t i = 0; i < sides_n; i++) {
        draw_side(&plot, &sides[i], waves, lds);
        plot.top += i + 1 < sides_n ? PANEL : 0.0;
    }
    draw_time_axis(&plot);
}

/* ---- Files ---- */

static cairo_status_t write_bytes(void *user, const unsigned char *data, unsigned int bytes)
{
    g_string_append_len(user, (const char *)data, bytes);
    return CAIRO_STATUS_SUCCESS;
}

static gboolean is_png(const char *path)
{
    return g_str_has_suffix(path, ".png");
}

static gboolean is_svg(const char *path)
{
    return g_str_has_suffix(path, ".svg");
}

static cairo_surface_t *new_surface(const char *path, double height, GString *bytes)
{
    if (is_png(path)) {
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(WIDTH * PNG_SCALE),
                                          (int)(height * PNG_SCALE));
    }
    return is_svg(path) ? cairo_svg_surface_create_for_stream(write_bytes, bytes, WIDTH, height)
                        : cairo_pdf_surface_create_for_stream(write_bytes, bytes, WIDTH, height);
}

gboolean tsim_plot_file_check(const char *path, GError **error)
{
    if (is_png(path) || is_svg(path) || g_str_has_suffix(path, ".pdf")) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s: a plot is a .svg, .png or .pdf file",
                path);
    return FALSE;
}

/* Cairo writes text as outlines: words for those who search or do not see the picture. */
static void add_words(GString *svg, const TsimPlotSide *sides, uint32_t sides_n)
{
    const char *root = strstr(svg->str, "<svg");
    const char *end = root != NULL ? strchr(root, '>') : NULL;
    g_autofree char *title = title_of(sides[0].result);
    g_autoptr(GString) words = g_string_new("Waves, LDS bytes held and the LDS of a CU over time");

    if (end == NULL) {
        return;
    }
    for (uint32_t i = 0; i < sides_n && sides[i].label != NULL; i++) {
        g_string_append_printf(words, "%s %s", i == 0 ? ";" : ",", sides[i].label);
    }
    g_autofree char *text =
        g_markup_printf_escaped("\n<title>%s</title>\n<desc>%s</desc>", title, words->str);
    (void)g_string_insert(svg, end + 1 - svg->str, text);
}

/* The first thing that went wrong, or success. The pen and the surface are gone then, and what was
 * drawn is in bytes. */
static cairo_status_t finish(cairo_t *pen, cairo_surface_t *surface, gboolean png, GString *bytes)
{
    cairo_status_t status = cairo_status(pen);

    cairo_destroy(pen);
    if (png && status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, bytes);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_status(surface);
    }
    cairo_surface_destroy(surface);
    return status;
}

gboolean tsim_plot_file_write(const TsimPlotSide *sides, uint32_t sides_n, const char *path,
                              GError **error)
{
    g_autoptr(GString) bytes = g_string_new(NULL);
    cairo_surface_t *surface = new_surface(path, height_of(sides_n), bytes);
    cairo_t *pen = cairo_create(surface);

    if (is_png(path)) {
        cairo_scale(pen, PNG_SCALE, PNG_SCALE);
    }
    draw(pen, sides, sides_n);
    const cairo_status_t status = finish(pen, surface, is_png(path), bytes);
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: cannot be drawn: %s", path,
                    cairo_status_to_string(status));
        return FALSE;
    }
    if (is_svg(path)) {
        add_words(bytes, sides, sides_n);
    }
    return tsim_file_sink_write(path, bytes->str, bytes->len, error);
}
