/* A parameter is described once.
 *
 * A struct that users fill in has one table of TsimField: name, type, place in the struct, unit,
 * range, default, one line of words. The JSON reader and writer, the range checks, the JSON Schema,
 * `--help` and `tesssim list` all read that table, so they cannot disagree.
 */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    TSIM_FIELD_BOOL,   /* gboolean */
    TSIM_FIELD_U32,    /* uint32_t; range in min..max */
    TSIM_FIELD_U64,    /* uint64_t; range in min..max (exact up to 2^53) */
    TSIM_FIELD_REAL,   /* double */
    TSIM_FIELD_RATE,   /* TsimRate, a number a clock; see base/rate.h */
    TSIM_FIELD_ENUM,   /* int; index into names, JSON carries the word */
    TSIM_FIELD_STRING, /* char *, owned by the struct's owner; NULL when absent */
    TSIM_FIELD_COUNTS, /* TsimCounts: a number, or a list of numbers where they differ */
    TSIM_FIELD_VEC3,   /* double[3]: a list of three numbers, each in min..max */
} TsimFieldType;

#define TSIM_COUNTS_MAX 32

/* The same count for every member (n = 1), or one count a member. */
typedef struct {
    uint32_t n;
    uint32_t values[TSIM_COUNTS_MAX];
} TsimCounts;

typedef struct {
    const char *name; /* JSON key */
    TsimFieldType type;
    size_t offset;            /* in the struct */
    const char *unit;         /* "bytes", "cycles", "1/clk"; "" when a pure number */
    double min, max;          /* inclusive; unused for BOOL, ENUM, STRING */
    double initial;           /* default value; for ENUM the index; unused for STRING */
    const char *const *names; /* ENUM only: NULL-terminated words in index order */
    gboolean required;        /* must be given; `initial` is then unused */
    const char *blurb;        /* one line, no full stop */
} TsimField;

/* Writes the defaults of every field (strings become NULL). fields ends with a NULL name. */
void tsim_fields_init(const TsimField *fields, void *object);

/* The field of that name, or NULL. */
const TsimField *tsim_field_find(const TsimField *fields, const char *name);

/* Index of word in a NULL-terminated list, or -1. */
int tsim_word_index(const char *const *names, const char *word);
