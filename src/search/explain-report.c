/* The words of an explanation. */
#include "io/bottleneck.h"
#include "io/encode.h"
#include "io/flat-line.h"
#include "search/explain.h"
#include "stats/figures.h"

#define NAME_COLUMNS 42
#define BAR_COLUMNS  16
#define NOTICEABLE   1.005 /* speed-ups below it are not worth a word */
#define SLOWER       0.98  /* nor slow-downs above it: other timing alone does as much */

/* Busy for this share of the run: what is next to it would only move the limit here. */
#define NEAR_LIMIT 0.9

static const TsimWhatIf *what_if(const TsimExplanation *explanation, guint i)
{
    return &g_array_index(explanation->what_ifs, TsimWhatIf, i);
}

/* More than chance, and enough to see. */
static gboolean is_gain(const TsimInterval *speed_up)
{
    return speed_up->n > 0 && speed_up->mean >= NOTICEABLE && tsim_interval_excludes(speed_up, 1.0);
}

/* ---- The list ---- */

static void print_speed_up(TsimPage *page, const TsimInterval *speed_up)
{
    if (speed_up->n == 0) {
        tsim_page_right(page, TSIM_INK_FAINT, 10, "-");
        return;
    }
    g_autofree char *text = g_strdup_printf("%.3f", speed_up->mean);
    tsim_page_right(page, is_gain(speed_up) ? TSIM_INK_GOOD : TSIM_INK_FAINT, 9, text);
    tsim_page_print(page, TSIM_INK_FAINT, tsim_page_times(page));
}

static void print_row(TsimPage *page, const TsimWhatIf *row, double most)
{
    const double gain = MAX(row->doubled.mean - 1.0, 0.0);
    const double reach = MAX(row->free_.mean - 1.0, gain);

    tsim_page_spaces(page, 2);
    tsim_page_left(page, TSIM_INK_PLAIN, NAME_COLUMNS - 2, row->words);
    print_speed_up(page, &row->doubled);
    print_speed_up(page, &row->free_);
    tsim_page_spaces(page, 2);
    tsim_page_bar(page, BAR_COLUMNS, gain / most, reach / most);
    tsim_page_line(page);
    if (row->doubled.n > 1 && is_gain(&row->doubled)) {
        tsim_page_printf(page, TSIM_INK_FAINT, "%*s95 %% of %.3f to %.3f over %u seeds",
                         NAME_COLUMNS, "", row->doubled.low, row->doubled.high,
                         (guint)row->doubled.n);
        tsim_page_line(page);
    }
}

static double most_gain(const TsimExplanation *explanation)
{
    double most = NOTICEABLE - 1.0;

    for (guint i = 0; i < explanation->what_ifs->len; i++) {
        const TsimWhatIf *row = what_if(explanation, i);
        most = MAX(most, MAX(row->doubled.mean, row->free_.mean) - 1.0);
    }
    return most;
}

static void print_list(TsimPage *page, const TsimExplanation *explanation)
{
    const double most = most_gain(explanation);

    tsim_page_left(page, TSIM_INK_STRONG, NAME_COLUMNS, "How much faster with");
    tsim_page_right(page, TSIM_INK_STRONG, 10, "twice of it");
    tsim_page_right(page, TSIM_INK_STRONG, 10, "no limit");
    tsim_page_line(page);
    for (guint i = 0; i < explanation->what_ifs->len; i++) {
        print_row(page, what_if(explanation, i), most);
    }
    tsim_page_line(page);
}

/* ---- Over time ---- */

static const char *words_of(int resource)
{
    return resource < 0 ? "nothing is busy half of the time: waves wait"
                        : tsim_resource_words[resource];
}

static void print_span(TsimPage *page, const TsimExplanation *explanation, guint first, guint end)
{
    const double slice_us = tsim_result_elapsed_us(explanation->base) / (double)TSIM_EXPLAIN_SLICES;
    g_autofree char *from = tsim_text_us(page, slice_us * first);
    g_autofree char *to = tsim_text_us(page, slice_us * end);
    double share = 0.0;

    for (guint i = first; i < end; i++) {
        share += explanation->critical_share[i];
    }
    tsim_page_spaces(page, 2);
    tsim_page_right(page, TSIM_INK_PLAIN, 10, from);
    tsim_page_print(page, TSIM_INK_FAINT, " to ");
    tsim_page_right(page, TSIM_INK_PLAIN, 10, to);
    tsim_page_printf(page, TSIM_INK_PLAIN, "  %s", words_of(explanation->critical[first]));
    if (explanation->critical[first] >= 0) {
        tsim_page_printf(page, TSIM_INK_FAINT, " (%.0f %% busy)", 100.0 * share / (end - first));
    }
    tsim_page_line(page);
}

static void print_time(TsimPage *page, const TsimExplanation *explanation)
{
    guint first = 0;

    tsim_page_print(page, TSIM_INK_STRONG, "The busiest over time");
    tsim_page_line(page);
    for (guint i = 1; i <= TSIM_EXPLAIN_SLICES; i++) {
        if (i == TSIM_EXPLAIN_SLICES || explanation->critical[i] != explanation->critical[first]) {
            print_span(page, explanation, first, i);
            first = i;
        }
    }
    tsim_page_line(page);
}

/* ---- In plain words ---- */

/* What stands beside the first limit, and would be the next one. */
static void say_limits(const TsimResult *base, GString *text)
{
    const gsize begin = text->len;
    guint n = 0;

    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const double share = tsim_result_utilisation(base, (TsimResource)i);
        if (share >= NEAR_LIMIT) {
            g_string_append_printf(text, "%s%s (%.1f%% busy)", n > 0 ? " and " : "",
                                   tsim_resource_words[i], 100.0 * share);
            n++;
        }
    }
    if (n < 2) {
        g_string_truncate(text, begin);
        g_string_append(text, "work waits for its latencies, one after the other.");
        return;
    }
    g_string_append(text, n == 2 ? " are both at their limits." : " are all at their limits.");
}

static void say_gains(const TsimExplanation *explanation, GString *text)
{
    const TsimWhatIf *best = what_if(explanation, 0);
    const TsimWhatIf *second = what_if(explanation, 1);

    if (!is_gain(&best->doubled)) {
        g_string_append(text, " Doubling any single thing would not make it noticeably faster: ");
        say_limits(explanation->base, text);
        return;
    }
    g_string_append_printf(text,
                           " Doubling %s would make it %.2f times as fast; without any limit "
                           "there, %.2f times.",
                           best->words, best->doubled.mean, best->free_.mean);
    if (is_gain(&second->doubled)) {
        g_string_append_printf(text, " Next comes %s with %.2f times.", second->words,
                               second->doubled.mean);
    } else {
        g_string_append(text, " Nothing else by itself would help.");
    }
}

/* What costs time although there is more of it. */
static void say_losses(const TsimExplanation *explanation, GString *text)
{
    const TsimWhatIf *last = what_if(explanation, explanation->what_ifs->len - 1);
    guint i = explanation->what_ifs->len - 1;

    while (i > 0 && last->doubled.n == 0) {
        last = what_if(explanation, --i);
    }
    if (last->doubled.n > 0 && last->doubled.mean < SLOWER &&
        tsim_interval_excludes(&last->doubled, 1.0)) {
        g_string_append_printf(text,
                               " Doubling %s would even slow it down (%.2f times): work that comes "
                               "earlier takes room from work that matters more.",
                               last->words, last->doubled.mean);
    }
}

static void print_paragraph(TsimPage *page, const TsimExplanation *explanation)
{
    const TsimResult *base = explanation->base;
    g_autofree char *us = tsim_text_us(page, tsim_result_elapsed_us(base));
    g_autofree char *name = tsim_page_clean(base->scenario);
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(base);
    g_autoptr(GString) text = g_string_new(NULL);

    g_string_append_printf(text, "%s takes %s on %s. %s", name, us, base->gpu, bottleneck.text);
    say_gains(explanation, text);
    say_losses(explanation, text);
    tsim_page_wrap(page, TSIM_INK_PLAIN, 0, text->str);
}

void tsim_explain_text(TsimPage *page, const TsimExplanation *explanation)
{
    print_list(page, explanation);
    print_time(page, explanation);
    print_paragraph(page, explanation);
}

/* ---- For programs ---- */

static void add_real(GString *line, const char *key, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    tsim_flat_line_raw(line, key, tsim_encode_real_text(value, text));
}

static void add_interval(GString *line, const char *key, const TsimInterval *interval)
{
    g_autofree char *low = g_strconcat(key, "_low", NULL);
    g_autofree char *high = g_strconcat(key, "_high", NULL);

    if (interval->n > 0) {
        add_real(line, key, interval->mean);
        add_real(line, low, interval->low);
        add_real(line, high, interval->high);
    } else {
        tsim_flat_line_raw(line, key, "null");
        tsim_flat_line_raw(line, low, "null");
        tsim_flat_line_raw(line, high, "null");
    }
}

static char *line_of(const TsimWhatIf *row)
{
    GString *line = g_string_new("{");

    tsim_flat_line_text(line, "resource", row->key);
    tsim_flat_line_text(line, "words", row->words);
    add_interval(line, "speedup_doubled", &row->doubled);
    add_interval(line, "speedup_unlimited", &row->free_);
    tsim_flat_line_count(line, "replications", MAX(row->doubled.n, row->free_.n));
    g_string_append(line, "}\n");
    return g_string_free(line, FALSE);
}

char **tsim_explain_lines(const TsimExplanation *explanation)
{
    const guint n = explanation->what_ifs->len;
    char **lines = g_new0(char *, n + 1);

    for (guint i = 0; i < n; i++) {
        lines[i] = line_of(what_if(explanation, i));
    }
    return lines;
}
