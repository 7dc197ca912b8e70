/* The recording of a report in the form that report/report.js reads: a JSON head and a binary body.
 *
 * The body holds variable-length numbers, seven bits a byte; numbers that may fall are zigzag.
 * The caller frees both.
 */
#pragma once

#include "io/report-html.h"

char *tsim_report_head(const TsimReport *report);
GByteArray *tsim_report_body(const TsimReport *report, GError **error);
