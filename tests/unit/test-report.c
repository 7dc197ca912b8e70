/* io/page.h, io/report-text.h, io/compare-text.h: what people see at a terminal. */
#include "golden-text.h"
#include "io/compare-text.h"
#include "io/report-text.h"
#include "sample-result.h"
#include "stats/series.h"

#include <string.h>

#define ESCAPE '\033'

/* ---- Numbers ---- */

static void expect_text(char *text, const char *expected)
{
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

static void test_numbers(void)
{
    expect_text(tsim_text_count(0), "0");
    expect_text(tsim_text_count(999), "999");
    expect_text(tsim_text_count(1000), "1,000");
    expect_text(tsim_text_count(1234567), "1,234,567");
    expect_text(tsim_text_count(UINT64_MAX), "18,446,744,073,709,551,615");
    expect_text(tsim_text_fixed(2.0 / 3.0, 2), "0.67");
    expect_text(tsim_text_percent(0.125), "12.5%");
    expect_text(tsim_text_bytes(0), "0 B");
    expect_text(tsim_text_bytes(512), "512 B");
    expect_text(tsim_text_bytes(1023.8), "1 KiB");
    expect_text(tsim_text_bytes(1536), "1.50 KiB");
    expect_text(tsim_text_bytes(65536), "64 KiB");
    expect_text(tsim_text_bytes(27034), "26.4 KiB");
    expect_text(tsim_text_bytes(3.5 * 1024 * 1024), "3.50 MiB");
    expect_text(tsim_text_rate(0), "0");
    expect_text(tsim_text_rate(12.34), "12.3");
    expect_text(tsim_text_rate(329123), "329 k");
    expect_text(tsim_text_rate(1.834e9), "1.83 G");
    expect_text(tsim_text_things(1, "patch", "patches"), "1 patch");
    expect_text(tsim_text_things(2000, "patch", "patches"), "2,000 patches");
}

static void test_times(void)
{
    TsimPage utf8, ascii;

    tsim_page_init(&utf8, 0, FALSE, TRUE);
    tsim_page_init(&ascii, 0, FALSE, FALSE);
    expect_text(tsim_text_us(&utf8, 0.4286), "0.429 µs");
    expect_text(tsim_text_us(&ascii, 999.0), "999.000 us");
    expect_text(tsim_text_us(&ascii, 12467.0), "12.467 ms");
    g_free(tsim_page_finish(&utf8));
    g_free(tsim_page_finish(&ascii));
}

/* ---- Pages ---- */

static void test_wrap(void)
{
    TsimPage page;

    tsim_page_init(&page, 72, FALSE, TRUE);
    tsim_page_left(&page, TSIM_INK_STRONG, 4, "ab");
    /* 4 columns, then six words of ten letters and five blanks: 69; a seventh does not fit. */
    tsim_page_wrap(&page, TSIM_INK_PLAIN, 4,
                   "1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890");
    expect_text(tsim_page_finish(&page),
                "ab  1234567890 1234567890 1234567890 1234567890 1234567890 1234567890\n"
                "    1234567890\n");
}

static void test_pictures(void)
{
    static const double values[] = {0.0, 0.001, 0.5, 1.0};
    TsimPage page;

    tsim_page_init(&page, 0, FALSE, TRUE);
    tsim_page_sparkline(&page, values, 4, 1.0);
    tsim_page_bar(&page, 4, 0.5, 0.75);
    tsim_page_line(&page);
    expect_text(tsim_page_finish(&page), " ▁▄███░\n");
    tsim_page_init(&page, 0, FALSE, FALSE);
    tsim_page_sparkline(&page, values, 4, 1.0);
    tsim_page_bar(&page, 4, 0.5, 0.75);
    tsim_page_line(&page);
    expect_text(tsim_page_finish(&page), " .=###-\n");
}

/* Names come from files of strangers: they must not move the cursor. */
static void test_clean(void)
{
    expect_text(tsim_page_clean("a\033[2Jb\r\nc\xc2\x9b"
                                "d é"),
                "a [2Jb  c d é");
    g_assert_cmpuint(tsim_page_width("é日"), ==, 3);
}

/* Three values in buckets of four cycles, recorded up to cycle 10: worked by hand. */
static void test_series_mean(void)
{
    TsimSeries series = {.bucket_shift = 2, .sums = {4, 12, 10}};

    g_assert_cmpfloat(tsim_series_mean(&series, 10, 0, 4), ==, 1.0);
    g_assert_cmpfloat(tsim_series_mean(&series, 10, 8, 10), ==, 5.0);
    g_assert_cmpfloat(tsim_series_mean(&series, 10, 2, 6), ==, 2.0);
    g_assert_cmpfloat(tsim_series_mean(&series, 10, 0, 10), ==, 2.6);
    g_assert_cmpfloat(tsim_series_mean(&series, 10, 3, 3), ==, 0.0);
}

/* ---- Reports ---- */

static char *report(const TsimResult *result, guint columns, gboolean color, gboolean utf8)
{
    TsimPage page;

    tsim_page_init(&page, columns, color, utf8);
    tsim_report_text(&page, result);
    return tsim_page_finish(&page);
}

static char *comparison(guint columns, gboolean utf8)
{
    g_autoptr(TsimResult) a = sample_result();
    g_autoptr(TsimResult) b = sample_result_offchip();
    g_auto(TsimComparison) compared = tsim_compare(a, b, "mode=onchip", "mode=offchip");
    TsimPage page;

    tsim_page_init(&page, columns, FALSE, utf8);
    tsim_compare_text(&page, &compared);
    return tsim_page_finish(&page);
}

static void test_report_golden(void)
{
    g_autoptr(TsimResult) result = sample_result();
    g_autofree char *text = report(result, 80, FALSE, TRUE);

    golden_check("report.txt", text);
}

static void test_compare_golden(void)
{
    g_autofree char *text = comparison(80, TRUE);

    golden_check("compare.txt", text);
}

static void test_nothing_ran(void)
{
    g_autoptr(TsimResult) result = empty_result();

    result->elapsed_cycles = 0;
    g_autofree char *text = report(result, 80, FALSE, FALSE);
    g_assert_nonnull(strstr(text, "0 cycles"));
    g_assert_nonnull(strstr(text, "nothing ran"));
    g_assert_null(strstr(text, "nan"));
}

/* T14: thresholds mean nothing on GPUs without on-chip mode, so none is shown. */
static void test_offchip_only(void)
{
    g_autoptr(TsimResult) result = sample_result_offchip();
    g_autofree char *both = report(result, 80, FALSE, TRUE);

    g_assert_nonnull(strstr(both, "average factor of 4.500 (TfThreshold,"));
    result->has_onchip = FALSE;
    g_autofree char *only = report(result, 80, FALSE, TRUE);
    g_assert_nonnull(strstr(only, "the only one of this GPU"));
    g_assert_null(strstr(only, "TfThreshold"));
}

static void test_long_names(void)
{
    g_autoptr(TsimResult) result = sample_result();
    g_autofree char *name = g_strnfill(66, 'n');

    g_free(result->scenario);
    result->scenario = g_strdup(name);
    g_autofree char *text = report(result, 80, FALSE, TRUE);
    g_autofree char *head =
        g_strdup_printf("%s on test_gpu\n%80s\n", name, "tesssim " TSIM_VERSION ", seed 7");
    g_assert_true(g_str_has_prefix(text, head));
}

static void expect_lines_fit(const char *text, guint columns)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        if (tsim_page_width(*line) > columns) {
            g_error("longer than %u columns: %s", columns, *line);
        }
        g_assert_false(g_str_has_suffix(*line, " "));
    }
}

static void test_widths(void)
{
    g_autoptr(TsimResult) onchip = sample_result();
    g_autoptr(TsimResult) offchip = sample_result_offchip();

    for (guint columns = 60; columns <= 140; columns += 4) {
        const guint expected = CLAMP(columns, TSIM_PAGE_COLUMNS_MIN, TSIM_PAGE_COLUMNS_MAX);
        for (int utf8 = 0; utf8 < 2; utf8++) {
            g_autofree char *first = report(onchip, columns, FALSE, utf8);
            g_autofree char *second = report(offchip, columns, FALSE, utf8);
            g_autofree char *third = comparison(columns, utf8);
            expect_lines_fit(first, expected);
            expect_lines_fit(second, expected);
            expect_lines_fit(third, expected);
        }
    }
}

static void test_ascii(void)
{
    g_autoptr(TsimResult) result = sample_result();
    g_autofree char *text = report(result, 80, FALSE, FALSE);
    g_autofree char *compared = comparison(80, FALSE);

    g_assert_true(g_str_is_ascii(text));
    g_assert_true(g_str_is_ascii(compared));
}

/* Colours add codes and nothing else. */
static void test_color(void)
{
    g_autoptr(TsimResult) result = sample_result();
    g_autofree char *plain = report(result, 80, FALSE, TRUE);
    g_autofree char *colored = report(result, 80, TRUE, TRUE);
    g_autoptr(GRegex) codes = g_regex_new("\033\\[[0-9]+m", 0, 0, NULL);
    g_autofree char *stripped = g_regex_replace_literal(codes, colored, -1, 0, "", 0, NULL);

    g_assert_null(strchr(plain, ESCAPE));
    g_assert_nonnull(strchr(colored, ESCAPE));
    g_assert_cmpstr(stripped, ==, plain);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/page/numbers", test_numbers);
    g_test_add_func("/page/times", test_times);
    g_test_add_func("/page/wrap", test_wrap);
    g_test_add_func("/page/pictures", test_pictures);
    g_test_add_func("/page/clean", test_clean);
    g_test_add_func("/series/mean", test_series_mean);
    g_test_add_func("/report/golden", test_report_golden);
    g_test_add_func("/report/nothing-ran", test_nothing_ran);
    g_test_add_func("/report/offchip-only", test_offchip_only);
    g_test_add_func("/report/long-names", test_long_names);
    g_test_add_func("/report/widths", test_widths);
    g_test_add_func("/report/ascii", test_ascii);
    g_test_add_func("/report/color", test_color);
    g_test_add_func("/compare/golden", test_compare_golden);
    return g_test_run();
}
