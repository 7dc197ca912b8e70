#include "io/compare-csv.h"

#include "io/encode.h"
#include "io/result-csv.h"
#include "io/result-table.h"

static void add_line(GString *text, const char *metric, const char *a, const char *b,
                     const char *ratio)
{
    tsim_csv_cell(text, metric);
    tsim_csv_cell(text, a);
    tsim_csv_cell(text, b);
    tsim_csv_cell(text, ratio);
    tsim_csv_end_line(text);
}

static void add_row(GString *text, const TsimResultRow *a, const TsimResultRow *b)
{
    double ratio;

    if (!tsim_result_row_ratio(a, b, &ratio)) {
        add_line(text, a->name, a->text, b->text, "");
        return;
    }
    json_object *number = tsim_encode_real(ratio);
    add_line(text, a->name, a->text, b->text, json_object_to_json_string(number));
    json_object_put(number);
}

static char *real_text(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    return g_strdup(tsim_encode_real_text(value, text));
}

static void add_paired(GString *text, const char *name, double a, double b, double ratio)
{
    g_autofree char *metric = g_strconcat("replications.elapsed_cycles.", name, NULL);
    g_autofree char *a_text = real_text(a);
    g_autofree char *b_text = real_text(b);
    g_autofree char *ratio_text = real_text(ratio);

    add_line(text, metric, a_text, b_text, ratio_text);
}

static void add_replications(GString *text, const TsimComparison *comparison)
{
    const TsimPairedIntervals *paired = &comparison->paired;
    const TsimInterval *a = &paired->means[0], *b = &paired->means[1], *ratio = &paired->ratio;

    if (comparison->seeds > 1) {
        add_paired(text, "mean", a->mean, b->mean, ratio->mean);
        add_paired(text, "low", a->low, b->low, ratio->low);
        add_paired(text, "high", a->high, b->high, ratio->high);
    }
}

char *tsim_compare_csv(const TsimComparison *comparison)
{
    g_autoptr(GArray) a = tsim_result_rows(comparison->sides[0]);
    g_autoptr(GArray) b = tsim_result_rows(comparison->sides[1]);
    GString *text = g_string_new(NULL);
    guint at = 0;

    add_line(text, "metric", "a", "b", "ratio");
    for (guint i = 0; i < a->len; i++) {
        const TsimResultRow *row_a = &g_array_index(a, TsimResultRow, i);
        const TsimResultRow *row_b = tsim_result_row_next(b, row_a->name, &at);
        if (row_b != NULL) {
            add_row(text, row_a, row_b);
        }
    }
    add_replications(text, comparison);
    return g_string_free(text, FALSE);
}
