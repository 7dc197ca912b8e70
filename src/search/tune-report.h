/* What a search for settings found, for people and for programs. */
#pragma once

#include "io/page.h"
#include "search/tune.h"

typedef struct {
    const TsimTuneTask *task;
    const TsimTuned *tuned;
    TsimTuned *const *alone; /* of each file by itself, where there are several; or NULL */
} TsimTuneReport;

void tsim_tune_text(TsimPage *page, const TsimTuneReport *report);

/* One flat JSON object, with its line end; the caller frees it. */
char *tsim_tune_line(const TsimTuneReport *report);
