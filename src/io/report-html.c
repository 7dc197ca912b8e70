#include "io/report-html.h"

#include "base/file-sink.h"
#include "io/bottleneck.h"
#include "io/html.h"
#include "io/page.h"
#include "io/report-data.h"
#include "stats/figures.h"

#include <math.h>
#include <string.h>

#define WORK_SHOWN 6

typedef struct {
    GString *text;
    const TsimReport *report;
} Html;

static void put(Html *html, const char *markup)
{
    g_string_append(html->text, markup);
}

static void put_element(Html *html, const char *tag, const char *text)
{
    tsim_html_element(html->text, tag, text);
}

/* ---- The summary ---- */

typedef struct {
    const char *name;
    char *(*value)(const TsimResult *result);
    gboolean (*is_of)(const TsimResult *result); /* runs that have it; NULL: all */
} Figure;

static gboolean has_rays(const TsimResult *result)
{
    return result->rays.traced;
}

static gboolean has_feedback(const TsimResult *result)
{
    return result->feedback.sampled;
}

static gboolean has_streaming(const TsimResult *result)
{
    return result->feedback.frames_n > 0;
}

static char *elapsed(const TsimResult *result)
{
    g_autofree char *cycles = tsim_text_count(result->elapsed_cycles);
    const TsimPage page = {.utf8 = TRUE};
    g_autofree char *time = tsim_text_us(&page, tsim_result_elapsed_us(result));

    return g_strdup_printf("%s cycles (%s)", cycles, time);
}

static char *bottleneck(const TsimResult *result)
{
    g_auto(TsimBottleneck) found = tsim_bottleneck_find(result);

    return g_strdup(found.resource);
}

static char *patches(const TsimResult *result)
{
    return tsim_text_count(result->totals.patches);
}

static char *threadgroups(const TsimResult *result)
{
    g_autofree char *onchip = tsim_text_count(result->totals.threadgroups_onchip);
    g_autofree char *offchip = tsim_text_count(result->totals.threadgroups_offchip);

    return g_strdup_printf("%s on-chip, %s off-chip", onchip, offchip);
}

static char *ds_waves(const TsimResult *result)
{
    g_autofree char *onchip = tsim_text_count(result->totals.ds_waves_onchip);
    g_autofree char *offchip = tsim_text_count(result->totals.ds_waves_offchip);

    return g_strdup_printf("%s on-chip, %s off-chip", onchip, offchip);
}

static char *primitives(const TsimResult *result)
{
    return tsim_text_count(result->totals.primitives);
}

static char *mean_waves(const TsimResult *result)
{
    g_autofree char *mean =
        tsim_text_fixed(tsim_result_waves_per_cu(result, tsim_result_wave_cycles(result)), 2);

    return g_strdup_printf("%s of %u, peak %u", mean, result->waves_per_cu,
                           result->peak_waves_per_cu);
}

static char *mean_lds(const TsimResult *result)
{
    return tsim_text_percent(tsim_result_lds_share(result, tsim_result_lds_byte_cycles(result)));
}

static char *fragmented(const TsimResult *result)
{
    return tsim_text_count(result->fragmentation_refusals);
}

static char *dram(const TsimResult *result)
{
    const uint64_t bytes = tsim_result_dram_bytes(result);

    return tsim_text_bytes((double)bytes);
}

static char *rays(const TsimResult *result)
{
    g_autofree char *traced = tsim_text_count(result->rays.rays);
    g_autofree char *hits = tsim_text_count(result->rays.hits);
    g_autofree char *rate = tsim_text_rate(1e6 * tsim_result_per_us(result, result->rays.rays));

    return g_strdup_printf("%s, %s hits, %s/s", traced, hits, rate);
}

static char *ray_waves(const TsimResult *result)
{
    const TsimRayResult *rays = &result->rays;
    g_autofree char *waves = tsim_text_fixed(
        tsim_ratio((double)rays->waiting_cycles, (double)result->elapsed_cycles * rays->tds), 1);
    g_autofree char *latency = tsim_text_fixed(tsim_ray_histogram_mean(&rays->latency), 0);

    return g_strdup_printf("%s, for %s cycles each", waves, latency);
}

static char *feedback_operations(const TsimResult *result)
{
    return tsim_text_count(result->feedback.operations);
}

static char *feedback_overhead(const TsimResult *result)
{
    return result->feedback.plain_cycles > 0
               ? tsim_text_percent(tsim_result_feedback_overhead(result))
               : g_strdup("not tried");
}

static char *frames_until_sharp(const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;

    if (feedback->became_sharp) {
        return tsim_text_things(feedback->frames_until_sharp, "frame", "frames");
    }
    g_autofree char *frames = tsim_text_things(feedback->frames_n, "frame", "frames");
    return g_strconcat("not within ", frames, NULL);
}

static const Figure figures[] = {
    {"Elapsed", elapsed, NULL},
    {"Bottleneck", bottleneck, NULL},
    {"Patches", patches, tsim_result_has_draws},
    {"Threadgroups", threadgroups, tsim_result_has_draws},
    {"DS waves", ds_waves, tsim_result_has_draws},
    {"Primitives", primitives, tsim_result_has_draws},
    {"Rays", rays, has_rays},
    {"Ray waves in a texture unit", ray_waves, has_rays},
    {"Feedback operations", feedback_operations, has_feedback},
    {"Time on top of plain sampling", feedback_overhead, has_feedback},
    {"Sharp after", frames_until_sharp, has_streaming},
    {"Waves in a CU", mean_waves, NULL},
    {"LDS held", mean_lds, NULL},
    {"Refused for fragments", fragmented, NULL},
    {"DRAM traffic", dram, NULL},
};

static gboolean is_shown(const TsimReport *report, const Figure *figure)
{
    for (uint32_t i = 0; i < report->sides_n; i++) {
        if (figure->is_of == NULL || figure->is_of(report->sides[i].result)) {
            return TRUE;
        }
    }
    return FALSE;
}

static void put_figures(Html *html)
{
    const TsimReport *report = html->report;

    put(html, "<table><caption class=\"unseen\">Summary</caption>\n<thead><tr><th></th>");
    for (uint32_t i = 0; i < report->sides_n; i++) {
        g_autofree char *name = report->sides_n > 1 ? g_strdup_printf("%s: %s", tsim_side_names[i],
                                                                      report->sides[i].label)
                                                    : g_strdup("Result");
        put_element(html, "th scope=\"col\"", name);
    }
    put(html, "</tr></thead>\n<tbody>\n");
    for (gsize i = 0; i < G_N_ELEMENTS(figures); i++) {
        if (!is_shown(report, &figures[i])) {
            continue;
        }
        put(html, "<tr>");
        put_element(html, "th scope=\"row\"", figures[i].name);
        for (uint32_t side = 0; side < report->sides_n; side++) {
            g_autofree char *value = figures[i].value(report->sides[side].result);
            put_element(html, "td", value);
        }
        put(html, "</tr>\n");
    }
    put(html, "</tbody></table>\n");
}

static void put_setting(Html *html, const char *name, const char *value)
{
    put(html, "<tr>");
    put_element(html, "th scope=\"row\"", name);
    put_element(html, "td", value);
    put(html, "</tr>\n");
}

static void put_draw_settings(Html *html, const TsimDrawResult *draw)
{
    g_autofree char *count = tsim_text_count(draw->totals.patches);
    g_autofree char *factor = tsim_text_fixed(draw->mean_tess_factor, 2);
    g_autofree char *threshold = tsim_text_fixed(draw->tf_threshold, 3);
    g_autofree char *what = g_strdup_printf("%s %s %s, %s, mean factor %s", count, draw->domain,
                                            draw->totals.patches == 1 ? "patch" : "patches",
                                            draw->partitioning, factor);
    g_autofree char *patches_each =
        tsim_text_things(draw->patches_per_threadgroup, "patch", "patches");
    g_autofree char *group = g_strdup_printf("%s (%s), %u B of LDS", patches_each,
                                             draw->patches_auto ? draw->patch_rule : "as given",
                                             draw->lds_allocated_bytes_per_threadgroup);
    g_autofree char *tf =
        g_strdup_printf("%s (%s)", threshold, draw->tf_threshold_auto ? draw->tf_rule : "as given");
    g_autofree char *ds = g_strdup_printf("%u", draw->ds_wave_threshold);
    const gboolean offchip = tsim_draw_result_is_offchip(draw);

    put_setting(html, "Draw", what);
    put_setting(html, "Mode", offchip ? "off-chip" : "on-chip");
    put_setting(html, "Threadgroup", group);
    if (offchip) {
        put_setting(html, "TfThreshold", tf);
        put_setting(html, "DsWaveThreshold", ds);
    }
}

/* Rays, sample_feedback, compute. */
static void put_other_settings(Html *html, const TsimDrawResult *work)
{
    g_autofree char *begin = tsim_text_count(work->begin_cycle);
    g_autofree char *end = tsim_text_count(work->end_cycle);
    g_autofree char *what = g_strdup_printf(
        "%s, cycles %s to %s", work->name != NULL ? work->name : "unnamed", begin, end);

    put_setting(html, "Work", what);
}

static void put_settings(Html *html, uint32_t side)
{
    const TsimResult *result = html->report->sides[side].result;

    put(html, "<table><caption class=\"unseen\">Settings</caption>\n<thead><tr>");
    put_element(html, "th colspan=\"2\" scope=\"colgroup\"",
                html->report->sides_n > 1 ? (side == 0 ? "Settings of A" : "Settings of B")
                                          : "Settings");
    put(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < MIN(result->draws_n, WORK_SHOWN); i++) {
        if (result->draws[i].is_draw) {
            put_draw_settings(html, &result->draws[i]);
        } else {
            put_other_settings(html, &result->draws[i]);
        }
    }
    if (result->draws_n > WORK_SHOWN) {
        g_autofree char *more = g_strdup_printf("%u more", result->draws_n - WORK_SHOWN);
        put_setting(html, "and", more);
    }
    put(html, "</tbody></table>\n");
}

static void put_verdict(Html *html)
{
    const TsimReport *report = html->report;
    const TsimComparison *comparison = report->comparison;

    if (comparison == NULL) {
        g_auto(TsimBottleneck) found = tsim_bottleneck_find(report->sides[0].result);
        put_element(html, "p class=\"verdict\"", found.text);
        return;
    }
    g_autofree char *times = tsim_text_fixed(comparison->speedup, 2);
    g_autofree char *verdict =
        comparison->winner < 0
            ? g_strdup(comparison->may_be_chance
                           ? "No win: the difference is within what chance does."
                           : "Both take the same time.")
            : g_strdup_printf("%s (%s) is %s times as fast.", tsim_side_names[comparison->winner],
                              comparison->labels[comparison->winner], times);
    put_element(html, "p class=\"verdict\"", verdict);
    put(html, "<ul>\n");
    for (guint i = 0; i < comparison->reasons->len; i++) {
        put_element(html, "li", g_ptr_array_index(comparison->reasons, i));
    }
    put(html, "</ul>\n");
}

/* What a page cannot hold is left out; which is told. */
static void put_thinned(Html *html, const TsimTimeline *timeline)
{
    g_autofree char *cycles = tsim_text_count(timeline->lds_quantum);
    g_autofree char *groups = tsim_text_count(timeline->group_stride);

    if (timeline->lds_quantum > 1) {
        g_autofree char *text = g_strdup_printf("There were more blocks of LDS than a page can "
                                                "hold: the map looks once in %s cycles.",
                                                cycles);
        put_element(html, "p class=\"aside\"", text);
    }
    if (timeline->group_stride > 1) {
        g_autofree char *text = g_strdup_printf("There were more threadgroups than a page can "
                                                "hold: the table has one in %s.",
                                                groups);
        put_element(html, "p class=\"aside\"", text);
    }
}

/* How much of the run the pictures show. */
static void put_recording(Html *html, const TsimReportSide *side)
{
    const TsimTimeline *timeline = side->timeline;
    g_autofree char *from = tsim_text_count(timeline->from);
    g_autofree char *to = tsim_text_count(timeline->to);
    g_autofree char *buckets = tsim_text_things(timeline->buckets_n, "bucket", "buckets");
    g_autofree char *width =
        tsim_text_things(UINT64_C(1) << timeline->bucket_shift, "cycle", "cycles");
    g_autofree char *text =
        g_strdup_printf("Recorded from cycle %s to %s in %s of %s.", from, to, buckets, width);

    put_element(html, "p class=\"aside\"", text);
    put_thinned(html, timeline);
}

static void put_summary(Html *html)
{
    const TsimReport *report = html->report;
    const TsimResult *result = report->sides[0].result;
    g_autofree char *machine = g_strdup_printf(
        "%s: %u shader engines, %u CUs at %.0f MHz; a CU has %u SIMDs, %u waves and %u KiB of LDS. "
        "Seed %" G_GUINT64_FORMAT ".",
        result->gpu, result->shader_engines, result->cus, result->clock_mhz, result->simds_per_cu,
        result->waves_per_cu, result->lds_bytes_per_cu / 1024, result->seed);

    put_element(html, "p class=\"aside\"", machine);
    put_verdict(html);
    put(html, "<div class=\"tables\">\n");
    put_figures(html);
    for (uint32_t i = 0; i < report->sides_n; i++) {
        put_settings(html, i);
    }
    put(html, "</div>\n");
    for (uint32_t i = 0; i < report->sides_n; i++) {
        put_recording(html, &report->sides[i]);
    }
}

static void put_texts(Html *html)
{
    const TsimReport *report = html->report;

    for (uint32_t i = 0; i < report->sides_n; i++) {
        g_autofree char *title = report->sides_n > 1
                                     ? g_strdup_printf("The report of %s as text (%s)",
                                                       tsim_side_names[i], report->sides[i].label)
                                     : g_strdup("The report as text");
        put(html, "<details>");
        put_element(html, "summary", title);
        put(html, "<pre>");
        tsim_html_text(html->text, report->sides[i].text);
        put(html, "</pre></details>\n");
    }
}

gboolean tsim_report_html_write(const TsimReport *report, const char *path, GError **error)
{
    static const char *const scripts[] = {"uplot.js", "page.js", "report.js", NULL};
    const TsimResult *result = report->sides[0].result;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *title = g_strdup_printf(
        "%s on %s", result->scenario != NULL ? result->scenario : "Scenario", result->gpu);
    g_autofree char *head = tsim_report_head(report);
    g_autoptr(GByteArray) body = tsim_report_body(report, error);
    Html html = {text, report};

    if (body == NULL) {
        return FALSE;
    }
    tsim_html_begin(text, title, result->description);
    put_summary(&html);
    tsim_html_main(text);
    tsim_html_resource(text, "report-body.html");
    put_texts(&html);
    tsim_html_data(text, "report-head", head, strlen(head));
    tsim_html_data(text, "report-body", body->data, body->len);
    tsim_html_end(text, scripts);
    return tsim_file_sink_write(path, text->str, text->len, error);
}
