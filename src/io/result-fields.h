/* Every number of a result: its key, unit and words, once.
 *
 * A result is a tree of objects, lists and values. The JSON writer, the CSV columns, the list of
 * metrics and the schema of results all walk it with a visitor of their own, so they cannot
 * disagree. Keys are those that scripts rely on; more may be added, none may change.
 */
#pragma once

#include "stats/result.h"

#define TSIM_RESULT_SCHEMA_VERSION 1

typedef struct {
    const char *key;   /* NULL: an item of a list */
    const char *unit;  /* "cycles", "bytes"; "" for a pure number, a word or a group */
    const char *blurb; /* one line, no full stop */
} TsimResultField;

typedef enum {
    TSIM_GROUP_OBJECT,
    TSIM_GROUP_LIST,    /* of objects */
    TSIM_GROUP_SCALARS, /* a list of numbers or words */
} TsimResultGroup;

typedef struct {
    void (*open)(void *user, TsimResultGroup group, const TsimResultField *field);
    void (*close)(void *user);
    void (*count)(void *user, const TsimResultField *field, uint64_t value);
    void (*real)(void *user, const TsimResultField *field, double value);
    void (*flag)(void *user, const TsimResultField *field, gboolean value);
    void (*word)(void *user, const TsimResultField *field, const char *value); /* never NULL */
    gboolean skips_scalars; /* lists of numbers and words are of no interest: they cost most */
} TsimResultVisitor;

/* The outermost object has no key. Everything passed is good for the call only. */
void tsim_result_visit(const TsimResult *result, const TsimResultVisitor *visitor, void *user);

/* A result with one of everything in each list, to visit for its fields. */
TsimResult *tsim_result_sample(void);
