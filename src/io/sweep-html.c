#include "io/sweep-html.h"

#include "base/file-sink.h"
#include "io/encode.h"
#include "io/html.h"
#include "io/line-table.h"
#include "io/page.h"
#include "io/result-fields.h"
#include "io/result-table.h"
#include "io/sweep-rank.h"
#include "stats/interval.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

/* Levels of an axis that the head of the page names. */
#define LEVELS_NAMED 12

typedef struct {
    GString *text;
    const TsimSweepPage *page;
    TsimSweepRanks ranks;
    GArray *metrics; /* of TsimResultRow: what there is */
} Html;

static void put(Html *html, const char *markup)
{
    g_string_append(html->text, markup);
}

static void put_row(Html *html, const char *name, const char *value)
{
    put(html, "<tr>");
    tsim_html_element(html->text, "th scope=\"row\"", name);
    tsim_html_element(html->text, "td", value);
    put(html, "</tr>\n");
}

/* ---- What was swept ---- */

static char *values_text(const TsimAxis *axis)
{
    GString *text = g_string_new(NULL);

    for (guint level = 0; level < MIN(axis->levels, LEVELS_NAMED); level++) {
        g_autofree char *label = tsim_axis_label(axis, level);
        g_string_append_printf(text, "%s%s", level > 0 ? ", " : "",
                               axis->keys_n > 1 ? label : axis->values[0][level]);
    }
    if (axis->levels > LEVELS_NAMED) {
        g_string_append_printf(text, ", \xe2\x80\xa6 %s (%u values)",
                               axis->values[0][axis->levels - 1], axis->levels);
    }
    return g_string_free(text, FALSE);
}

static void put_axes(Html *html)
{
    const TsimSweepPlan *plan = html->page->plan;

    put(html,
        "<table><caption class=\"unseen\">What was swept</caption>\n<thead><tr>"
        "<th scope=\"col\">Setting</th><th scope=\"col\">Values</th></tr></thead>\n<tbody>\n");
    for (guint i = 0; i < plan->axes_n; i++) {
        g_autofree char *name = g_strjoinv(", ", plan->axes[i].keys);
        g_autofree char *values = values_text(&plan->axes[i]);
        put_row(html, name, values);
    }
    for (char **set = plan->sets; *set != NULL; set++) {
        const char *equals = strchr(*set, '=');
        g_autofree char *name = g_strndup(*set, (gsize)(equals - *set));
        g_autofree char *value = g_strconcat(equals + 1, ", in all", NULL);
        put_row(html, name, value);
    }
    put(html, "</tbody></table>\n");
}

/* "312 points (sobol), 4 runs each, 2 runs failed." */
static void put_facts(Html *html)
{
    const TsimSweepPlan *plan = html->page->plan;
    g_autofree char *points = tsim_text_things(plan->points, "point", "points");
    GString *text = g_string_new(points);

    g_string_append_printf(text, " (%s", tsim_sampling_names[plan->sampling]);
    if (plan->sampling != TSIM_SAMPLING_GRID) {
        g_string_append_printf(text, ", design seed %" G_GUINT64_FORMAT, plan->seed);
    }
    g_string_append_c(text, ')');
    if (plan->replications > 1) {
        g_string_append_printf(text, ", %u runs each with seeds that all points share",
                               plan->replications);
    }
    if (html->ranks.failed > 0) {
        g_string_append_printf(text, ", %" G_GUINT64_FORMAT " runs failed", html->ranks.failed);
    }
    if (html->ranks.missing > 0) {
        g_string_append_printf(text, ", %" G_GUINT64_FORMAT " runs missing", html->ranks.missing);
    }
    g_string_append_printf(text, ". GPU: %s. Seed %" G_GUINT64_FORMAT ". tesssim " TSIM_VERSION ".",
                           html->page->gpu, html->page->seed);
    tsim_html_element(html->text, "p class=\"aside\"", text->str);
    (void)g_string_free(text, TRUE);
}

/* ---- What is best ---- */

static const TsimResultRow *metric_row(const Html *html, const char *name)
{
    const char *rest = g_str_has_prefix(name, "draws.") ? strchr(name + 6, '.') : NULL;
    g_autofree char *first = rest != NULL ? g_strconcat("draws.0", rest, NULL) : g_strdup(name);

    return tsim_result_row(html->metrics, first);
}

static char *number_text(double value)
{
    return value >= 1e4 ? tsim_text_count((uint64_t)llround(value)) : tsim_text_fixed(value, 4);
}

static char *value_text(const Html *html, double value)
{
    const char *metric = tsim_sweep_rank_metric(html->page->plan);
    const TsimResultRow *row = metric_row(html, metric);
    g_autofree char *number = number_text(value);

    return g_strdup_printf("%s %s", number, row != NULL ? row->unit : "");
}

/* FALSE when the scenario as it is cannot be run. */
static gboolean own_values(const Html *html, double *values)
{
    const TsimSweepPlan *plan = html->page->plan;
    gboolean all = TRUE;

    for (guint i = 0; i < plan->replications; i++) {
        values[i] = tsim_sweep_value(html->page->own[i], tsim_sweep_rank_metric(plan));
        all = all && !isnan(values[i]);
    }
    return all;
}

static char *gain_text(const Html *html, const TsimSweepRank *best)
{
    const guint n = html->page->plan->replications;
    g_autofree double *own = g_new(double, n);

    if (!own_values(html, own)) {
        return g_strdup("The scenario's own settings cannot be run.");
    }
    const TsimInterval before = tsim_interval(own, n);
    g_autofree char *value = value_text(html, before.mean);
    if (!(best->mean > 0.0 && before.mean > 0.0)) {
        return g_strdup_printf("The scenario's own settings give %s.", value);
    }
    const TsimInterval ratio = tsim_interval_ratio(&html->ranks.values[best->first], own, n);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "The scenario's own settings give %s, %.3f times as much", value,
                           ratio.mean);
    if (n > 1) {
        g_string_append_printf(text, " (95 %% interval %.3f to %.3f%s)", ratio.low, ratio.high,
                               tsim_interval_excludes(&ratio, 1.0) ? "" : ", no difference");
    }
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}

static void put_best(Html *html)
{
    const TsimSweepRank *best = tsim_sweep_ranks_best(&html->ranks);

    if (best == NULL) {
        tsim_html_element(html->text, "p class=\"verdict\"",
                          html->ranks.failed > 0 ? "No point could be run."
                                                 : "No point has been run yet.");
        return;
    }
    g_auto(GStrv) sets = tsim_sweep_ranks_sets(&html->ranks, best->point);
    g_autofree char *value = value_text(html, best->mean);
    g_autofree char *gain = gain_text(html, best);
    g_autofree char *verdict = g_strdup_printf("Least %s%s: %s, at point %" G_GUINT64_FORMAT ". %s",
                                               tsim_sweep_rank_metric(html->page->plan),
                                               html->page->plan->replications > 1 ? " (mean)" : "",
                                               value, best->point, gain);
    g_autofree char *joined = g_strjoinv(" --set ", sets);
    g_autofree char *options = g_strconcat("--set ", joined, NULL);

    tsim_html_element(html->text, "p class=\"verdict\" id=\"best\"", verdict);
    if (*sets != NULL) {
        tsim_html_element(html->text, "pre aria-label=\"The best settings as options\"", options);
    }
}

/* ---- Data ---- */

static void add(json_object *object, const char *key, json_object *value)
{
    (void)json_object_object_add(object, key, value);
}

static json_object *encode_axis(const TsimAxis *axis)
{
    g_autofree char *name = g_strjoinv(", ", axis->keys);
    json_object *object = json_object_new_object();
    json_object *levels = json_object_new_array();

    for (guint level = 0; level < axis->levels; level++) {
        g_autofree char *label = tsim_axis_label(axis, level);
        const char *text = axis->keys_n > 1 ? label : axis->values[0][level];
        (void)json_object_array_add(levels, json_object_new_string(text));
    }
    add(object, "name", json_object_new_string(name));
    add(object, "levels", levels);
    return object;
}

static json_object *encode_axes(const TsimSweepPlan *plan)
{
    json_object *axes = json_object_new_array();

    for (guint i = 0; i < plan->axes_n; i++) {
        (void)json_object_array_add(axes, encode_axis(&plan->axes[i]));
    }
    return axes;
}

static json_object *encode_levels(const TsimSweepPage *page)
{
    const TsimSweepPlan *plan = page->plan;
    json_object *levels = json_object_new_array();

    for (uint64_t i = 0; i < plan->points * plan->axes_n; i++) {
        (void)json_object_array_add(levels, json_object_new_int64(page->levels[i]));
    }
    return levels;
}

/* Unit and words of each column that is a metric. */
static json_object *encode_metrics(const Html *html, const TsimLineTable *table)
{
    json_object *metrics = json_object_new_object();

    for (guint i = 0; i < table->columns->len; i++) {
        const TsimResultRow *row = metric_row(html, table->columns->pdata[i]);
        if (row != NULL) {
            json_object *words = json_object_new_array();
            (void)json_object_array_add(words, json_object_new_string(row->unit));
            (void)json_object_array_add(words, json_object_new_string(row->blurb));
            add(metrics, table->columns->pdata[i], words);
        }
    }
    return metrics;
}

static void put_head(Html *html, const TsimLineTable *table)
{
    const TsimSweepPlan *plan = html->page->plan;
    json_object *head = json_object_new_object();

    add(head, "points", json_object_new_uint64(plan->points));
    add(head, "replications", json_object_new_uint64(plan->replications));
    add(head, "halfWidth", tsim_encode_real(tsim_interval_half_width(plan->replications)));
    add(head, "rank", json_object_new_string(tsim_sweep_rank_metric(plan)));
    add(head, "sampled", json_object_new_boolean(plan->sampling != TSIM_SAMPLING_GRID));
    add(head, "axes", encode_axes(plan));
    add(head, "metrics", encode_metrics(html, table));
    add(head, "levels", encode_levels(html->page));
    const char *text = json_object_to_json_string_ext(head, JSON_C_TO_STRING_PLAIN);
    tsim_html_data(html->text, "sweep-head", text, strlen(text));
    json_object_put(head);
}

/* The runs of the scenario's own settings come first. */
static void put_data(Html *html)
{
    const TsimSweepPage *page = html->page;
    const uint32_t own_n = page->plan->replications;
    const uint64_t runs = page->plan->points * own_n;
    g_autofree char **lines = g_new(char *, runs + own_n);

    memcpy(lines, page->own, own_n * sizeof *lines);
    memcpy(lines + own_n, page->lines, runs * sizeof *lines);
    g_auto(TsimLineTable) table = tsim_line_table_new(lines, runs + own_n);
    g_autofree char *rows = tsim_line_table_json(&table);
    put_head(html, &table);
    tsim_html_data(html->text, "sweep-rows", rows, strlen(rows));
}

/* ---- The page ---- */

gboolean tsim_sweep_html_write(const TsimSweepPage *page, const char *path, GError **error)
{
    static const char *const scripts[] = {"uplot.js", "page.js", "sweep.js", NULL};
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(TsimResult) sample = tsim_result_sample();
    g_autoptr(GArray) metrics = tsim_result_rows(sample);
    g_autofree char *title = g_strdup_printf("Sweep of %s on %s", page->scenario, page->gpu);
    Html html = {text, page, tsim_sweep_ranks_of(page->plan, page->lines), metrics};

    tsim_html_begin(text, title, page->description);
    put_facts(&html);
    put_best(&html);
    put_axes(&html);
    tsim_html_main(text);
    tsim_html_resource(text, "sweep-body.html");
    put_data(&html);
    tsim_html_end(text, scripts);
    tsim_sweep_ranks_clear(&html.ranks);
    return tsim_file_sink_write(path, text->str, text->len, error);
}
