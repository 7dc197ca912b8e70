/* What a run of golden cases gives: one list a kind of case, each with the number of cases that
 * passed and failed and one line for every failure, with the expected and the found value.
 *
 * A list may be advisory (not strict): its failures are shown and counted, but they do not make the
 * run fail. The report owns its lists, the lists own their lines. Nothing here can fail.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    char *name;
    gboolean strict;
    uint32_t passed, failed;
    GPtrArray *failures; /* char *, one line each, no line end */
} TsimCaseList;

typedef struct {
    GPtrArray *lists; /* TsimCaseList *, in order of first use */
} TsimCaseReport;

TsimCaseReport *tsim_case_report_new(void);
void tsim_case_report_free(TsimCaseReport *report); /* NULL is fine */

/* The list of that name, made at the first call. */
TsimCaseList *tsim_case_report_list(TsimCaseReport *report, const char *name, gboolean strict);

void tsim_case_list_pass(TsimCaseList *list);
void tsim_case_list_fail(TsimCaseList *list, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Failures of strict lists: what the exit status of a run depends on. */
uint32_t tsim_case_report_strict_failures(const TsimCaseReport *report);

/* Appends one line a list, the sum, and with verbose every failure below its list. */
void tsim_case_report_format(const TsimCaseReport *report, gboolean verbose, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimCaseReport, tsim_case_report_free)
