#include "io/report-html.h"

#include "io/bottleneck.h"
#include "io/file-sink.h"
#include "io/html.h"
#include "io/page.h"
#include "io/report-data.h"
#include "stats/figures.h"

#include <math.h>
#include <string.h>

#define DRAWS_SHOWN 6

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
} Figure;

static char *elapsed(const TsimResult *result)
{
    g_autofree char *cycles = tsim_text_count(result->elapsed_cycles);
    g_autofree char *us = tsim_text_fixed(tsim_result_elapsed_us(result), 1);

    return g_strdup_printf("%s cycles (%s µs)", cycles, us);
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

static const Figure figures[] = {
    {"Elapsed", elapsed},
    {"Bottleneck", bottleneck},
    {"Patches", patches},
    {"Threadgroups", threadgroups},
    {"DS waves", ds_waves},
    {"Primitives", primitives},
    {"Waves in a CU", mean_waves},
    {"LDS held", mean_lds},
    {"Refused for fragments", fragmented},
    {"DRAM traffic", dram},
};

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
    g_autofree char *what = g_strdup_printf("%s %s patches, %s, mean factor %s", count,
                                            draw->domain, draw->partitioning, factor);
    g_autofree char *group =
        g_strdup_printf("%u patches (%s), %u B of LDS", draw->patches_per_threadgroup,
                        draw->patches_auto ? draw->patch_rule : "as given",
                        draw->lds_allocated_bytes_per_threadgroup);
    g_autofree char *tf =
        g_strdup_printf("%s (%s)", threshold, draw->tf_threshold_auto ? draw->tf_rule : "as given");
    g_autofree char *ds = g_strdup_printf("%u", draw->ds_wave_threshold);
    const gboolean offchip = strcmp(draw->mode, "offchip") == 0;

    put_setting(html, "Draw", what);
    put_setting(html, "Mode", offchip ? "off-chip" : "on-chip");
    put_setting(html, "Threadgroup", group);
    if (offchip) {
        put_setting(html, "TfThreshold", tf);
        put_setting(html, "DsWaveThreshold", ds);
    }
}

static void put_settings(Html *html, uint32_t side)
{
    const TsimResult *result = html->report->sides[side].result;
    uint32_t shown = 0;

    put(html, "<table><caption class=\"unseen\">Settings</caption>\n<thead><tr>");
    put_element(html, "th colspan=\"2\" scope=\"colgroup\"",
                html->report->sides_n > 1 ? (side == 0 ? "Settings of A" : "Settings of B")
                                          : "Settings");
    put(html, "</tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < result->draws_n && shown < DRAWS_SHOWN; i++) {
        if (result->draws[i].is_draw) {
            put_draw_settings(html, &result->draws[i]);
            shown++;
        }
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
            ? g_strdup("Both take the same time.")
            : g_strdup_printf("%s (%s) is %s times as fast.", tsim_side_names[comparison->winner],
                              comparison->labels[comparison->winner], times);
    put_element(html, "p class=\"verdict\"", verdict);
    put(html, "<ul>\n");
    for (guint i = 0; i < comparison->reasons->len; i++) {
        put_element(html, "li", g_ptr_array_index(comparison->reasons, i));
    }
    put(html, "</ul>\n");
}

/* How much of the run the pictures show. */
static void put_recording(Html *html, const TsimReportSide *side)
{
    const TsimTimeline *timeline = side->timeline;
    g_autofree char *from = tsim_text_count(timeline->from);
    g_autofree char *to = tsim_text_count(timeline->to);
    g_autofree char *text =
        g_strdup_printf("Recorded from cycle %s to %s in %u buckets of %u cycles.", from, to,
                        timeline->buckets_n, 1U << timeline->bucket_shift);

    put_element(html, "p class=\"aside\"", text);
    if (timeline->lds_quantum > 1 || timeline->group_stride > 1) {
        g_autofree char *thinned = g_strdup_printf(
            "There was more than a page can hold: the LDS map shows what held each byte at every "
            "%" G_GUINT64_FORMAT ". cycle, and the table every %u. threadgroup.",
            timeline->lds_quantum, timeline->group_stride);
        put_element(html, "p class=\"aside\"", thinned);
    }
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
        put(html, "<details><summary>");
        tsim_html_text(html->text,
                       report->sides_n > 1 ? report->sides[i].label : "The report as text");
        put(html, "</summary><pre>");
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
