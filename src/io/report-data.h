/* The recording of a report in the form that data/report/report.js unpacks: a JSON head and a
 * binary body, both compressed and in base64.
 *
 * The body holds variable-length numbers, seven bits a byte; numbers that may fall are zigzag.
 * The caller frees the strings.
 */
#pragma once

#include "io/report-html.h"

char *tsim_report_head(const TsimReport *report);
char *tsim_report_body(const TsimReport *report, GError **error);
