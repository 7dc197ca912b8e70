#include "cli/options.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef enum {
    COLOR_AUTO,
    COLOR_ALWAYS,
    COLOR_NEVER,
} Color;

/* In the order of TsimFormat and Color. */
static const char *const format_words[] = {"text", "json", "csv", NULL};
static const char *const map_words[] = {"feedback", "residency", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const detail_words[] = {"buckets", "full", NULL};

/* Far above what a map can have, or a screen can show. */
#define LEVEL_MAX 100
#define ZOOM_MAX  64

/* Of a number that has no place among its values. */
#define NOT_GIVEN G_MININT

/* Flags that are short for --set KEY=VALUE. */
typedef struct {
    const char *option, *key, *argument, *blurb;
} Setting;

static const Setting settings[] = {
    {"mode", "mode", "onchip|offchip", "Where domain shaders read their patches"},
    {"patches-per-threadgroup", "patches_per_threadgroup", "N|auto", "Patches of a threadgroup"},
    {"tf-threshold", "tf_threshold", "X|auto",
     "Average tess factor from which a threadgroup goes off-chip"},
    {"ds-wave-threshold", "ds_wave_threshold", "N",
     "DS waves of an off-chip threadgroup that stay on-chip"},
    {"seed", "seed", "N", "Seed of all random numbers"},
};

/* Numbers that describe a threadgroup. */
typedef struct {
    const char *option;
    size_t offset; /* of a uint32_t in TsimLimitsOptions */
    uint32_t least;
    const char *blurb;
} Amount;

/* clang-format off */
static const Amount amounts[] = {
    {"vgprs", offsetof(TsimLimitsOptions, vgprs), 0, "VGPRs of a thread"},
    {"sgprs", offsetof(TsimLimitsOptions, sgprs), 0, "SGPRs of a wave, as compilers report them"},
    {"lds", offsetof(TsimLimitsOptions, lds_bytes), 0, "LDS bytes of a threadgroup"},
    {"threads", offsetof(TsimLimitsOptions, threads), 1, "Threads of a threadgroup; one wave when absent"},
    {"wave-size", offsetof(TsimLimitsOptions, wave_size), 1, "Threads of a wave, where the GPU has a choice"},
};
/* clang-format on */

/* What GOption fills in. */
typedef struct {
    char **sets, **sides[TSIM_SIDES], **operands;
    char *settings[G_N_ELEMENTS(settings)];
    char *amounts[G_N_ELEMENTS(amounts)];
    char *gpu, *format, *color, *stage, *query_sweep;
    char *cost_image, *hit_image;
    char **timelines, **plots;
    char *detail, *window, *units, *report;
    TsimRayFlags ray;
    int threads, replications, shards, tries;
    char *goal;
    char **vary;
    char *shard;
    TsimSweepArguments sweep;
    char *cases, *map, **dumps;
    int level, zoom;
    gboolean help, verbose, wgp;
} Raw;

static void clear_ray(TsimRayFlags *ray)
{
    g_free(ray->origin);
    g_free(ray->direction);
    g_free(ray->extent);
    g_free(ray->write_bvh);
    *ray = (TsimRayFlags){0};
}

static void clear_sweep(TsimSweepArguments *sweep)
{
    g_free(sweep->sampling);
    g_free(sweep->metrics);
    g_free(sweep->out);
    g_free(sweep->sqlite);
    g_free(sweep->engine);
}

static void clear_raw(Raw *raw)
{
    clear_sweep(&raw->sweep);
    g_strfreev(raw->vary);
    g_free(raw->shard);
    g_free(raw->goal);
    g_strfreev(raw->sets);
    for (int side = 0; side < TSIM_SIDES; side++) {
        g_strfreev(raw->sides[side]);
    }
    g_strfreev(raw->operands);
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        g_free(raw->settings[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++) {
        g_free(raw->amounts[i]);
    }
    g_free(raw->stage);
    g_free(raw->query_sweep);
    g_free(raw->gpu);
    g_free(raw->format);
    g_free(raw->color);
    g_strfreev(raw->timelines);
    g_strfreev(raw->plots);
    g_free(raw->detail);
    g_free(raw->window);
    g_free(raw->units);
    g_free(raw->report);
    g_free(raw->cost_image);
    g_free(raw->hit_image);
    clear_ray(&raw->ray);
    g_free(raw->cases);
    g_free(raw->map);
    g_strfreev(raw->dumps);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Raw, clear_raw)

/* ---- The terminal ---- */

static guint terminal_columns(void)
{
    struct winsize size;

    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static gboolean wants_color(Color color)
{
    const char *no_color = g_getenv("NO_COLOR");

    if (color != COLOR_AUTO) {
        return color == COLOR_ALWAYS;
    }
    return isatty(STDOUT_FILENO) != 0 && (no_color == NULL || *no_color == '\0') &&
           g_strcmp0(g_getenv("TERM"), "dumb") != 0;
}

/* ---- What GOption takes ---- */

/* clang-format off */
#define END {NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL}

static void add_scenario_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->sets, "Change a value of the scenario; may be repeated", "KEY=VALUE"},
        {"gpu", 0, 0, G_OPTION_ARG_STRING, &raw->gpu, "GPU in place of the scenario's own", "NAME|FILE"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        const Setting *setting = &settings[i];
        const GOptionEntry entry[] = {
            {setting->option, 0, 0, G_OPTION_ARG_STRING, &raw->settings[i], setting->blurb, setting->argument},
            END,
        };
        g_option_context_add_main_entries(context, entry, NULL);
    }
}

static void add_side_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"a", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->sides[0], "Change a value for run A; may be repeated", "KEY=VALUE"},
        {"b", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->sides[1], "Change a value for run B; may be repeated", "KEY=VALUE"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_image_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"cost-image", 0, 0, G_OPTION_ARG_FILENAME, &raw->cost_image, "Write an image of the nodes that rays visit", "FILE.png|ppm"},
        {"hit-image", 0, 0, G_OPTION_ARG_FILENAME, &raw->hit_image, "Write an image of what rays hit", "FILE.png|ppm"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_ray_entries(GOptionContext *context, Raw *raw)
{
    TsimRayFlags *ray = &raw->ray;
    const GOptionEntry entries[] = {
        {"origin", 0, 0, G_OPTION_ARG_STRING, &ray->origin, "Where the ray begins", "X,Y,Z"},
        {"direction", 0, 0, G_OPTION_ARG_STRING, &ray->direction, "Its direction", "X,Y,Z"},
        {"extent", 0, 0, G_OPTION_ARG_STRING, &ray->extent, "Its end, in lengths of the direction", "T"},
        {"any", 0, 0, G_OPTION_ARG_NONE, &ray->any_hit, "Stop at the first hit", NULL},
        {"write-bvh", 0, 0, G_OPTION_ARG_FILENAME, &ray->write_bvh, "Write the encoded BVH", "FILE"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->sets, "Change a setting of the unit or the BVH; may be repeated", "KEY=VALUE"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_format_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"format", 0, 0, G_OPTION_ARG_STRING, &raw->format, "What to print", "text|json|csv"},
        {"color", 0, 0, G_OPTION_ARG_STRING, &raw->color, "Colours in text", "auto|always|never"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_jobs_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &raw->threads, "Runs at once; one a processor unless told otherwise", "N"},
        {"replications", 0, 0, G_OPTION_ARG_INT, &raw->replications, "Runs of everything, each with another seed", "N"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_timeline_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"timeline", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->timelines, "What happened over time: .pftrace .json .vcd .csv", "FILE"},
        {"timeline-detail", 0, 0, G_OPTION_ARG_STRING, &raw->detail, "Least, mean, greatest; or all", "buckets|full"},
        {"timeline-window", 0, 0, G_OPTION_ARG_STRING, &raw->window, "Cycles to record", "FROM:TO"},
        {"timeline-units", 0, 0, G_OPTION_ARG_STRING, &raw->units, "Units to record: gpu,se1,cu0-3", "LIST"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_case_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"cases", 0, 0, G_OPTION_ARG_FILENAME, &raw->cases, "Run the cases of a file and say which pass", "FILE"},
        {"verbose", 0, 0, G_OPTION_ARG_NONE, &raw->verbose, "Show every case that fails, with both values", NULL},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_vary_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &raw->vary, "Values to try, as LO:HI, LO:HI:STEP, LO:HI:xFACTOR or V1,V2,...; may be repeated; 'KEY=V1,V2;KEY=W1,W2' changes both together", "KEY=VALUES"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_goal_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"goal", 0, 0, G_OPTION_ARG_STRING, &raw->goal, "What is to be low", "elapsed|lds|bandwidth|occupancy|p99-group"},
        {"tries", 0, 0, G_OPTION_ARG_INT, &raw->tries, "Settings to try at most; a tenth of all unless told otherwise", "N"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_description(
        context, "Only the scenario's mode is searched. --vary mode=onchip,offchip searches both,\n"
                 "beside a --vary of each other key that is to be searched.");
}

static void add_sweep_entries(GOptionContext *context, Raw *raw)
{
    TsimSweepArguments *sweep = &raw->sweep;
    const GOptionEntry entries[] = {
        {"sample", 0, 0, G_OPTION_ARG_STRING, &sweep->sampling, "How points are chosen", "grid|random|sobol|latin"},
        {"points", 0, 0, G_OPTION_ARG_INT, &sweep->points, "Points of a design other than the grid", "N"},
        {"metrics", 0, 0, G_OPTION_ARG_STRING, &sweep->metrics, "Columns of the results, the first one ranks; see tesssim list metrics", "M1,M2,...|all"},
        {"out", 0, 0, G_OPTION_ARG_FILENAME, &sweep->out, "Keep results in this folder, where nothing is lost", "DIR"},
        {"resume", 0, 0, G_OPTION_ARG_NONE, &sweep->resume, "Go on with what the folder has", NULL},
        {"shard", 0, 0, G_OPTION_ARG_STRING, &raw->shard, "Run every Nth point only, from I on, counted from 0", "I/N"},
        {"shards", 0, 0, G_OPTION_ARG_INT, &raw->shards, "Shards to submit", "N"},
        {"engine", 0, 0, G_OPTION_ARG_STRING, &sweep->engine, "Where to submit to", "slurm"},
        {"dry-run", 0, 0, G_OPTION_ARG_NONE, &sweep->dry_run, "Print the job script and submit nothing", NULL},
        {"sqlite", 0, 0, G_OPTION_ARG_FILENAME, &sweep->sqlite, "Write the results to a database", "FILE"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_plot_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"plot", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->plots, "Waves and LDS drawn: .svg .png .pdf", "FILE"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_report_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"report", 0, 0, G_OPTION_ARG_FILENAME, &raw->report, "A page to look at and to send on", "FILE.html"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_dump_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"dump", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->dumps, "Write the map to a file: .png or .ppm in false colour, .pgm with its bytes, .json; may be repeated", "FILE"},
        {"map", 0, 0, G_OPTION_ARG_STRING, &raw->map, "Which map", "feedback|residency"},
        {"level", 0, 0, G_OPTION_ARG_INT, &raw->level, "Level of the map in images", "N"},
        {"zoom", 0, 0, G_OPTION_ARG_INT, &raw->zoom, "Pixels a texel in false colour; chosen when 0", "N"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
}

static void add_query_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"stage", 0, 0, G_OPTION_ARG_STRING, &raw->stage, "Stage of a threadgroup, in place of a file: vs, hs, ds, gs, ps or cs", "STAGE"},
        {"wgp", 0, 0, G_OPTION_ARG_NONE, &raw->wgp, "Place it in a WGP", NULL},
        {"sweep", 0, 0, G_OPTION_ARG_STRING, &raw->query_sweep, "One answer for each value of lds, vgprs, sgprs or threads", "NAME=LO:HI:STEP"},
        END,
    };

    g_option_context_add_main_entries(context, entries, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++) {
        const GOptionEntry entry[] = {
            {amounts[i].option, 0, 0, G_OPTION_ARG_STRING, &raw->amounts[i], amounts[i].blurb, "N"},
            END,
        };
        g_option_context_add_main_entries(context, entry, NULL);
    }
}

static void add_common_entries(GOptionContext *context, Raw *raw)
{
    const GOptionEntry entries[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &raw->help, "Print this", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->operands, NULL, NULL},
        END,
    };

    g_option_context_set_help_enabled(context, FALSE); /* GLib's own exits */
    g_option_context_add_main_entries(context, entries, NULL);
}
/* clang-format on */

/* In the order of the help. */
static const struct {
    TsimOptionSets set;
    void (*add)(GOptionContext *context, Raw *raw);
} groups[] = {
    {TSIM_OPTIONS_SCENARIO, add_scenario_entries}, {TSIM_OPTIONS_SIDES, add_side_entries},
    {TSIM_OPTIONS_FORMAT, add_format_entries},     {TSIM_OPTIONS_TIMELINE, add_timeline_entries},
    {TSIM_OPTIONS_PLOT, add_plot_entries},         {TSIM_OPTIONS_REPORT, add_report_entries},
    {TSIM_OPTIONS_IMAGES, add_image_entries},      {TSIM_OPTIONS_RAY, add_ray_entries},
    {TSIM_OPTIONS_JOBS, add_jobs_entries},         {TSIM_OPTIONS_VARY, add_vary_entries},
    {TSIM_OPTIONS_GOAL, add_goal_entries},         {TSIM_OPTIONS_SWEEP, add_sweep_entries},
    {TSIM_OPTIONS_CASES, add_case_entries},        {TSIM_OPTIONS_DUMP, add_dump_entries},
    {TSIM_OPTIONS_QUERY, add_query_entries},
};

static GOptionContext *new_context(TsimOptionSets sets, const char *operands, Raw *raw)
{
    GOptionContext *context = g_option_context_new(operands);

    for (gsize i = 0; i < G_N_ELEMENTS(groups); i++) {
        if ((sets & groups[i].set) != 0) {
            groups[i].add(context, raw);
        }
    }
    add_common_entries(context, raw);
    return context;
}

/* ---- From strings to values ---- */

G_GNUC_PRINTF(2, 3) static gboolean bad_value(GError **error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
    return FALSE;
}

/* "text, json or csv" */
static char *list_words(const char *const *words)
{
    GString *list = g_string_new(words[0]);

    for (int i = 1; words[i] != NULL; i++) {
        g_string_append_printf(list, "%s%s", words[i + 1] != NULL ? ", " : " or ", words[i]);
    }
    return g_string_free(list, FALSE);
}

/* word NULL: the first of the words. */
static gboolean parse_word(const char *option, const char *word, const char *const *words,
                           int *ret_index, GError **error)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (word == NULL || strcmp(words[i], word) == 0) {
            *ret_index = i;
            return TRUE;
        }
    }
    g_autofree char *list = list_words(words);
    return bad_value(error, "%s takes %s, not \"%s\"", option, list, word);
}

static gboolean check_range(const char *option, int value, int max, GError **error)
{
    if (value >= 0 && value <= max) {
        return TRUE;
    }
    return bad_value(error, "%s takes a number from 0 to %d, not %d", option, max, value);
}

static gboolean check_assignments(const char *option, char *const *list, GError **error)
{
    for (; list != NULL && *list != NULL; list++) {
        const char *equals = strchr(*list, '=');
        if (equals == NULL || equals == *list) {
            return bad_value(error, "%s takes KEY=VALUE, not \"%s\"", option, *list);
        }
    }
    return TRUE;
}

/* "FROM:TO", each of which may be empty. */
static gboolean parse_window(const char *text, uint64_t *ret_from, uint64_t *ret_to, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text != NULL ? text : ":", ":", -1);
    const gboolean two = g_strv_length(parts) == 2;
    guint64 from = 0, to = 0;

    if (!two ||
        (*parts[0] != '\0' &&
         !g_ascii_string_to_unsigned(parts[0], 10, 0, G_MAXINT64, &from, NULL)) ||
        (*parts[1] != '\0' &&
         !g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXINT64, &to, NULL))) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--timeline-window takes FROM:TO in cycles, not \"%s\"", text);
        return FALSE;
    }
    *ret_from = from;
    *ret_to = to;
    return TRUE;
}

static gboolean is_recorded(const Raw *raw)
{
    return raw->timelines != NULL || raw->plots != NULL || raw->report != NULL;
}

/* What is recorded, and for nothing, is a mistake. */
static gboolean check_recording(const Raw *raw, GError **error)
{
    const char *option = raw->detail != NULL   ? "detail"
                         : raw->window != NULL ? "window"
                         : raw->units != NULL  ? "units"
                                               : NULL;

    return option == NULL || is_recorded(raw) ||
           bad_value(error, "--timeline-%s needs a --timeline, --plot or --report", option);
}

/* What has to be recorded for the files that are wanted. */
static TsimRecord record_for(const Raw *raw, int detail)
{
    if (!is_recorded(raw)) {
        return TSIM_RECORD_NOTHING;
    }
    return detail == 0 ? TSIM_RECORD_BUCKETS : TSIM_RECORD_FULL;
}

/* The --sets, then the flags that are short for one. */
static char **join_sets(const Raw *raw)
{
    GPtrArray *sets = g_ptr_array_new();

    for (char **set = raw->sets; set != NULL && *set != NULL; set++) {
        g_ptr_array_add(sets, g_strdup(*set));
    }
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        if (raw->settings[i] != NULL) {
            g_ptr_array_add(sets, g_strconcat(settings[i].key, "=", raw->settings[i], NULL));
        }
    }
    g_ptr_array_add(sets, NULL);
    return (char **)g_ptr_array_free(sets, FALSE);
}

/* The option of a query that was given; NULL: none. */
static const char *query_option(const Raw *raw)
{
    for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++) {
        if (raw->amounts[i] != NULL) {
            return amounts[i].option;
        }
    }
    return raw->stage != NULL         ? "stage"
           : raw->query_sweep != NULL ? "sweep"
           : raw->wgp                 ? "wgp"
                                      : NULL;
}

static gboolean has_settings(const Raw *raw)
{
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        if (raw->settings[i] != NULL) {
            return TRUE;
        }
    }
    return raw->sets != NULL;
}

/* Either a file or a query. */
static gboolean check_query(const Raw *raw, GError **error)
{
    const gboolean has_file = raw->operands != NULL;
    const char *query = query_option(raw);

    if (has_file && query != NULL) {
        return bad_value(
            error, "--%s describes a threadgroup in place of a file, not one of a file", query);
    }
    if (!has_file && raw->gpu == NULL) {
        return bad_value(error, "expected a file, or --gpu and what a threadgroup takes");
    }
    if (!has_file && has_settings(raw)) {
        return bad_value(error, "--set and its short forms change a file, and there is none");
    }
    return TRUE;
}

static gboolean parse_amounts(const Raw *raw, TsimLimitsOptions *query, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++) {
        const Amount *amount = &amounts[i];
        const char *text = raw->amounts[i];
        guint64 value;

        if (text == NULL) {
            continue;
        }
        if (!g_ascii_string_to_unsigned(text, 10, amount->least, G_MAXUINT32, &value, NULL)) {
            return bad_value(error, "--%s takes a whole number from %u on, not \"%s\"",
                             amount->option, amount->least, text);
        }
        *(uint32_t *)(void *)((char *)query + amount->offset) = (uint32_t)value;
    }
    return TRUE;
}

static char **take_list(char ***list)
{
    char **taken = g_steal_pointer(list);

    return taken != NULL ? taken : g_new0(char *, 1);
}

/* "2/8" */
static gboolean parse_shard(const char *text, TsimSweepArguments *sweep, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "/", -1);
    guint64 shard, shards;

    if (g_strv_length(parts) != 2 ||
        !g_ascii_string_to_unsigned(parts[1], 10, 1, G_MAXINT, &shards, NULL) ||
        !g_ascii_string_to_unsigned(parts[0], 10, 0, shards - 1, &shard, NULL)) {
        g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                    "--shard takes I/N with I from 0 to N - 1, not \"%s\"", text);
        return FALSE;
    }
    sweep->shard = (guint)shard;
    sweep->shards = (guint)shards;
    sweep->has_shard = TRUE;
    return TRUE;
}

static gboolean check_numbers(const Raw *raw, GError **error)
{
    const struct {
        const char *option;
        int value;
    } numbers[] = {{"-j", raw->threads},
                   {"--replications", raw->replications},
                   {"--points", raw->sweep.points},
                   {"--tries", raw->tries},
                   {"--shards", raw->shards}};

    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (numbers[i].value < 1 && numbers[i].value != NOT_GIVEN) {
            g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                        "%s takes a number from 1 on, not %d", numbers[i].option, numbers[i].value);
            return FALSE;
        }
    }
    return TRUE;
}

/* 0, which stands for a default, for what was not given. */
static int given(int number)
{
    return number != NOT_GIVEN ? number : 0;
}

static gboolean interpret_sweep(TsimOptions *options, Raw *raw, GError **error)
{
    if (!check_numbers(raw, error) ||
        (raw->shard != NULL && !parse_shard(raw->shard, &raw->sweep, error))) {
        return FALSE;
    }
    if (raw->shards != NOT_GIVEN) {
        raw->sweep.shards = (guint)raw->shards;
    }
    raw->sweep.points = given(raw->sweep.points);
    options->sweep = raw->sweep;
    raw->sweep = (TsimSweepArguments){0};
    options->threads = (guint)given(raw->threads);
    options->replications = (guint)given(raw->replications);
    options->vary = take_list(&raw->vary);
    options->goal = g_steal_pointer(&raw->goal);
    options->tries = (guint)given(raw->tries);
    return TRUE;
}

static gboolean interpret(TsimOptions *options, TsimOptionSets sets, Raw *raw, GError **error)
{
    TsimLimitsOptions query = {.wgp = raw->wgp};
    int format, color, map, detail;
    uint64_t from, to;

    if (!raw->help && (sets & TSIM_OPTIONS_QUERY) &&
        (!check_query(raw, error) || !parse_amounts(raw, &query, error))) {
        return FALSE;
    }
    if (!parse_word("--map", raw->map, map_words, &map, error) ||
        !check_range("--level", raw->level, LEVEL_MAX, error) ||
        !check_range("--zoom", raw->zoom, ZOOM_MAX, error)) {
        return FALSE;
    }
    if (!parse_word("--format", raw->format, format_words, &format, error) ||
        !parse_word("--color", raw->color, color_words, &color, error) ||
        !parse_word("--timeline-detail", raw->detail, detail_words, &detail, error) ||
        !parse_window(raw->window, &from, &to, error) || !check_recording(raw, error) ||
        !check_assignments("--set", raw->sets, error) ||
        !check_assignments("--a", raw->sides[0], error) ||
        !check_assignments("--b", raw->sides[1], error)) {
        return FALSE;
    }
    const TsimRecord record = record_for(raw, detail);
    char *units = g_steal_pointer(&raw->units);
    *options = (TsimOptions){
        .sets = join_sets(raw),
        .sides = {take_list(&raw->sides[0]), take_list(&raw->sides[1])},
        .gpu = g_steal_pointer(&raw->gpu),
        .format = (TsimFormat)format,
        .style = {terminal_columns(), wants_color((Color)color), g_get_charset(NULL)},
        .timelines = take_list(&raw->timelines),
        .plots = take_list(&raw->plots),
        .report = g_steal_pointer(&raw->report),
        .run = {record, from, to, units, NULL, NULL, NULL},
        .units = units,
        .query = query,
        .query_stage = g_steal_pointer(&raw->stage),
        .query_sweep = g_steal_pointer(&raw->query_sweep),
        .cost_image = g_steal_pointer(&raw->cost_image),
        .hit_image = g_steal_pointer(&raw->hit_image),
        .ray = raw->ray,
        .cases = g_steal_pointer(&raw->cases),
        .verbose = raw->verbose,
        .dumps = take_list(&raw->dumps),
        .dumps_residency = map == 1,
        .dump_level = (uint32_t)raw->level,
        .dump_zoom = (uint32_t)raw->zoom,
        .operands = take_list(&raw->operands),
        .help = raw->help,
    };
    raw->ray = (TsimRayFlags){0};
    return interpret_sweep(options, raw, error);
}

/* GOption takes "-j 2" and not "-j2", which everybody types. */
static char **spread_jobs(int argc, char **argv)
{
    GPtrArray *spread = g_ptr_array_new();
    gboolean operands_only = FALSE;

    for (int i = 0; i < argc; i++) {
        operands_only = operands_only || strcmp(argv[i], "--") == 0;
        if (!operands_only && g_str_has_prefix(argv[i], "-j") && g_ascii_isdigit(argv[i][2])) {
            g_ptr_array_add(spread, g_strdup("-j"));
            g_ptr_array_add(spread, g_strdup(argv[i] + 2));
        } else {
            g_ptr_array_add(spread, g_strdup(argv[i]));
        }
    }
    g_ptr_array_add(spread, NULL);
    return (char **)g_ptr_array_free(spread, FALSE);
}

#define HELP_COLUMNS 80

/* Where the words of an option begin; 0: this is no line of an option. */
static gsize find_words(const char *line)
{
    const char *gap = g_str_has_prefix(line, "  -") ? strstr(line + 2, "  ") : NULL;

    return gap != NULL ? (gsize)(gap - line) + strspn(gap, " ") : 0;
}

/* GOption leaves long lines as they are. */
static void append_wrapped(GString *text, const char *line)
{
    const gsize indent = find_words(line);
    gsize column = indent;

    if (indent == 0 || (gsize)g_utf8_strlen(line, -1) <= HELP_COLUMNS) {
        g_string_append_printf(text, "%s\n", line);
        return;
    }
    g_auto(GStrv) words = g_strsplit(line + indent, " ", -1);
    g_string_append_len(text, line, (gssize)indent);
    for (char **word = words; *word != NULL; word++) {
        const gsize length = strlen(*word);
        if (column > indent && column + 1 + length > HELP_COLUMNS) {
            g_string_append_printf(text, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            g_string_append_c(text, ' ');
            column++;
        }
        g_string_append(text, *word);
        column += length;
    }
    g_string_append_c(text, '\n');
}

static char *help_text(GOptionContext *context)
{
    g_autofree char *raw = g_option_context_get_help(context, TRUE, NULL);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(raw), "\n", -1);
    GString *text = g_string_new(NULL);

    for (char **line = lines; *line != NULL; line++) {
        append_wrapped(text, *line);
    }
    return g_string_free(text, FALSE);
}

gboolean tsim_options_parse(TsimOptions *ret_options, TsimOptionSets sets, const char *operands,
                            const char *summary, int argc, char **argv, GError **error)
{
    g_auto(Raw) raw = {.threads = NOT_GIVEN,
                       .replications = NOT_GIVEN,
                       .shards = NOT_GIVEN,
                       .tries = NOT_GIVEN,
                       .sweep.points = NOT_GIVEN};
    g_autoptr(GOptionContext) context = new_context(sets, operands, &raw);
    g_auto(GStrv) words = spread_jobs(argc, argv);

    g_option_context_set_summary(context, summary);
    if (!g_option_context_parse_strv(context, &words, error) ||
        !interpret(ret_options, sets, &raw, error)) {
        return FALSE;
    }
    ret_options->help_text = help_text(context);
    return TRUE;
}

void tsim_options_clear(TsimOptions *options)
{
    g_strfreev(options->sets);
    for (int side = 0; side < TSIM_SIDES; side++) {
        g_strfreev(options->sides[side]);
    }
    g_free(options->gpu);
    g_strfreev(options->timelines);
    g_strfreev(options->plots);
    g_free(options->report);
    g_free(options->units);
    g_free(options->query_stage);
    g_free(options->query_sweep);
    g_free(options->cost_image);
    g_free(options->hit_image);
    clear_ray(&options->ray);
    clear_sweep(&options->sweep);
    g_strfreev(options->vary);
    g_free(options->goal);
    g_free(options->cases);
    g_strfreev(options->dumps);
    g_strfreev(options->operands);
    g_free(options->help_text);
    *options = (TsimOptions){0};
}

TsimLoadOptions tsim_options_load(const TsimOptions *options, char *const *sets)
{
    static const char *folders[] = {NULL, TSIM_DATA_DIR, NULL};

    folders[0] = g_getenv("TESSSIM_DATA");
    return (TsimLoadOptions){
        .sets = (const char *const *)sets,
        .gpu = options->gpu,
        .search_paths = folders[0] != NULL ? folders : folders + 1,
    };
}
