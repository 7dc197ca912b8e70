#include "io/case-report.h"

static void list_free(gpointer data)
{
    TsimCaseList *list = (TsimCaseList *)data;

    g_free(list->name);
    g_ptr_array_unref(list->failures);
    g_free(list);
}

TsimCaseReport *tsim_case_report_new(void)
{
    TsimCaseReport *report = g_new(TsimCaseReport, 1);

    report->lists = g_ptr_array_new_with_free_func(list_free);
    return report;
}

void tsim_case_report_free(TsimCaseReport *report)
{
    if (report == NULL) {
        return;
    }
    g_ptr_array_unref(report->lists);
    g_free(report);
}

static const TsimCaseList *list_at(const TsimCaseReport *report, guint index)
{
    return (const TsimCaseList *)g_ptr_array_index(report->lists, index);
}

TsimCaseList *tsim_case_report_list(TsimCaseReport *report, const char *name, gboolean strict)
{
    for (guint i = 0; i < report->lists->len; i++) {
        TsimCaseList *list = (TsimCaseList *)g_ptr_array_index(report->lists, i);

        if (g_str_equal(list->name, name)) {
            return list;
        }
    }

    TsimCaseList *list = g_new0(TsimCaseList, 1);

    list->name = g_strdup(name);
    list->strict = strict;
    list->failures = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(report->lists, list);
    return list;
}

void tsim_case_list_pass(TsimCaseList *list)
{
    list->passed++;
}

void tsim_case_list_fail(TsimCaseList *list, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    g_ptr_array_add(list->failures, g_strdup_vprintf(format, args));
    va_end(args);
    list->failed++;
}

uint32_t tsim_case_report_strict_failures(const TsimCaseReport *report)
{
    uint32_t failures = 0;

    for (guint i = 0; i < report->lists->len; i++) {
        const TsimCaseList *list = list_at(report, i);

        failures += list->strict ? list->failed : 0;
    }
    return failures;
}

static void format_row(GString *out, const char *name, uint32_t passed, uint32_t failed,
                       const char *remark)
{
    g_string_append_printf(out, "%-24s %8u passed %8u failed%s\n", name, passed, failed, remark);
}

void tsim_case_report_format(const TsimCaseReport *report, gboolean verbose, GString *out)
{
    uint32_t passed = 0;
    uint32_t failed = 0;

    for (guint i = 0; i < report->lists->len; i++) {
        const TsimCaseList *list = list_at(report, i);

        format_row(out, list->name, list->passed, list->failed, list->strict ? "" : "  (advisory)");
        for (guint k = 0; verbose && k < list->failures->len; k++) {
            const char *line = (const char *)g_ptr_array_index(list->failures, k);

            g_string_append_printf(out, "  %s\n", line);
        }
        passed += list->passed;
        failed += list->failed;
    }
    format_row(out, "all", passed, failed, "");
}
