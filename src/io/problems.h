/* What is wrong with the input of one load, collected so that all of it is reported in one go.
 *
 * A problem has a place ("scenarios/a.json:3:14: /work/0/patches", "--set mode=on") and a text. One
 * place complains once: later errors there are mostly the first one again.
 */
#pragma once

#include "base/error.h"

/* Errors that are kept; the rest is counted. */
#define TSIM_PROBLEMS_MAX 50

typedef struct {
    TsimErrorCode code;  /* of the first error */
    GPtrArray *errors;   /* char *, complete lines */
    GHashTable *places;  /* char *, places that have an error */
    guint reported;      /* errors reported so far, kept or not */
    guint more;          /* errors at new places that were not kept */
    GPtrArray *warnings; /* char *, borrowed from the caller; NULL: nobody wants them */
} TsimProblems;

void tsim_problems_init(TsimProblems *problems, GPtrArray *warnings);
void tsim_problems_clear(TsimProblems *problems);

/* key: what complains once, mostly the place itself. */
void tsim_problems_add(TsimProblems *problems, TsimErrorCode code, const char *key,
                       const char *place, const char *text);

/* Whether more errors will only be counted. */
static inline gboolean tsim_problems_are_full(const TsimProblems *problems)
{
    return problems->errors->len == TSIM_PROBLEMS_MAX;
}

void tsim_problems_warn(TsimProblems *problems, const char *place, const char *text);

/* TRUE when there was no error; else sets error to all of them, one a line. Clears problems. */
gboolean tsim_problems_finish(TsimProblems *problems, GError **error);
