/* io/case-report.h: counting, advisory lists, text. */
#include "io/case-report.h"

static void test_counts(void)
{
    g_autoptr(TsimCaseReport) report = tsim_case_report_new();
    TsimCaseList *strict = tsim_case_report_list(report, "strict", TRUE);
    TsimCaseList *loose = tsim_case_report_list(report, "loose", FALSE);

    g_assert_true(tsim_case_report_list(report, "strict", TRUE) == strict);
    tsim_case_list_pass(strict);
    tsim_case_list_pass(strict);
    tsim_case_list_fail(loose, "case-1: t: expected %d, found %d", 3, 4);
    g_assert_cmpuint(tsim_case_report_strict_failures(report), ==, 0);
    tsim_case_list_fail(strict, "case-2");
    g_assert_cmpuint(tsim_case_report_strict_failures(report), ==, 1);
    g_assert_cmpuint(strict->passed, ==, 2);
    g_assert_cmpuint(strict->failed, ==, 1);
    g_assert_cmpuint(report->lists->len, ==, 2);
}

static void test_text(void)
{
    g_autoptr(TsimCaseReport) report = tsim_case_report_new();
    g_autoptr(GString) brief = g_string_new(NULL);
    g_autoptr(GString) full = g_string_new(NULL);

    tsim_case_list_pass(tsim_case_report_list(report, "a", TRUE));
    tsim_case_list_fail(tsim_case_report_list(report, "b", FALSE), "b-7: expected 1, found 2");
    tsim_case_report_format(report, FALSE, brief);
    tsim_case_report_format(report, TRUE, full);
    g_assert_cmpstr(brief->str, ==,
                    "a                               1 passed        0 failed\n"
                    "b                               0 passed        1 failed  (advisory)\n"
                    "all                             1 passed        1 failed\n");
    g_assert_nonnull(strstr(full->str, "\n  b-7: expected 1, found 2\n"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/case-report/counts", test_counts);
    g_test_add_func("/case-report/text", test_text);
    return g_test_run();
}
