/* Options that commands share, parsed in one place. */
#pragma once

#include "tesssim.h"

/* Which options a command takes, besides --help. */
typedef enum {
    TSIM_OPTIONS_NONE = 0,
    TSIM_OPTIONS_SCENARIO = 1 << 0,  /* --set, --gpu and the short flags for settings */
    TSIM_OPTIONS_SIDES = 1 << 1,     /* --a, --b */
    TSIM_OPTIONS_FORMAT = 1 << 2,    /* --format, --color */
    TSIM_OPTIONS_CASES = 1 << 3,     /* --cases, --verbose */
    TSIM_OPTIONS_DUMP = 1 << 4,      /* --dump, --map, --level, --zoom */
    TSIM_OPTIONS_IMAGES = 1 << 5,    /* --cost-image, --hit-image */
    TSIM_OPTIONS_RAY = 1 << 6,       /* those of `tesssim ray`, and --set */
    TSIM_OPTIONS_QUERY = 1 << 7,     /* --stage, --vgprs ...: one threadgroup in place of a file */
    TSIM_OPTIONS_JOBS = 1 << 8,      /* -j, --replications */
    TSIM_OPTIONS_VARY = 1 << 9,      /* --vary */
    TSIM_OPTIONS_SWEEP = 1 << 10,    /* the rest of a sweep's */
    TSIM_OPTIONS_GOAL = 1 << 11,     /* --goal, --tries */
    TSIM_OPTIONS_TIMELINE = 1 << 12, /* --timeline and its kin */
    TSIM_OPTIONS_REPORT = 1 << 13,   /* --report */
    TSIM_OPTIONS_PLOT = 1 << 14,     /* --plot */
} TsimOptionSets;

#define TSIM_SIDES 2

/* Of `tesssim ray`; NULL: not given. */
typedef struct {
    char *origin, *direction, *extent;
    gboolean any_hit;
    char *write_bvh;
} TsimRayFlags;

/* Numbers are 0 and strings NULL where nothing was given. */
typedef struct {
    char *sampling, *metrics;
    int points;
    char *out;
    gboolean resume;
    guint shard, shards; /* of --shard I/N, or shards alone of --shards N */
    gboolean has_shard;
    char *sqlite;
    char *engine;
    gboolean dry_run;
} TsimSweepArguments;

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
    TsimLimitsOptions query;   /* without its GPU */
    char *query_stage, *query_sweep;
    char *cost_image, *hit_image; /* files; NULL: not wanted */
    TsimRayFlags ray;
    guint threads; /* 0: one a processor */
    guint replications;
    char **vary;
    char *goal;
    guint tries;
    TsimSweepArguments sweep;
    char *cases; /* NULL: not given */
    gboolean verbose;
    char **dumps; /* files */
    gboolean dumps_residency;
    uint32_t dump_level, dump_zoom;
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
