/* Options that commands share, parsed in one place. */
#pragma once

#include "tesssim.h"

/* Which options a command takes, besides --help. */
typedef enum {
    TSIM_OPTIONS_NONE = 0,
    TSIM_OPTIONS_SCENARIO = 1 << 0, /* --set, --gpu and the short flags for settings */
    TSIM_OPTIONS_SIDES = 1 << 1,    /* --a, --b */
    TSIM_OPTIONS_FORMAT = 1 << 2,   /* --format, --color */
    TSIM_OPTIONS_TIMELINE = 1 << 3, /* --timeline and its kin, --plot */
    TSIM_OPTIONS_REPORT = 1 << 4,   /* --report */
} TsimOptionSets;

#define TSIM_SIDES 2

/* Lists are NULL-terminated and never NULL. */
typedef struct {
    char **sets;              /* "KEY=VALUE" in the order given, flags for settings last */
    char **sides[TSIM_SIDES]; /* the same for --a and --b */
    char *gpu;                /* NULL: the scenario's own */
    TsimFormat format;
    TsimStyle style;
    char **timelines, **plots; /* files */
    char *report;              /* file; NULL: none */
    TsimRunOptions run;        /* what to record; without files: nothing */
    char *units;               /* of it */
    char **operands;
    gboolean help;
    char *help_text;
} TsimOptions;

/* argv[0] is the command. FALSE and error when the command line is wrong. */
gboolean tsim_options_parse(TsimOptions *ret_options, TsimOptionSets sets, const char *operands,
                            const char *summary, int argc, char **argv, GError **error);
void tsim_options_clear(TsimOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimOptions, tsim_options_clear)

/* What to load a scenario with: sets is a list of "KEY=VALUE". Everything is borrowed. */
TsimLoadOptions tsim_options_load(const TsimOptions *options, char *const *sets);
