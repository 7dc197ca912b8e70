/* tesssim: the program. Finds the command and hands over. */
#include "cli/output.h"

#include <gsl/gsl_errno.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define SIMULATE (TSIM_OPTIONS_SCENARIO | TSIM_OPTIONS_FORMAT)

/* The first one is what a bare file means. */
static const TsimCommand commands[] = {
    {"run", "FILE", 1, 1,
     (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_IMAGES | TSIM_OPTIONS_TIMELINE | TSIM_OPTIONS_PLOT |
                      TSIM_OPTIONS_REPORT),
     tsim_cmd_run, "Simulates a scenario; says what held it back", NULL},
    {"compare", "FILE", 1, 1,
     (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_SIDES | TSIM_OPTIONS_JOBS | TSIM_OPTIONS_PLOT |
                      TSIM_OPTIONS_REPORT),
     tsim_cmd_compare, "Two settings side by side: who wins, and why", NULL},
    {"limits", "[FILE]", 0, 1, (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_QUERY), tsim_cmd_limits,
     "What fits a CU, and what stops more", NULL},
    {"sweep", "FILE|ACTION DIR", 1, 2,
     (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_JOBS | TSIM_OPTIONS_VARY | TSIM_OPTIONS_SWEEP |
                      TSIM_OPTIONS_REPORT),
     tsim_cmd_sweep, "Many settings, here or on a cluster",
     "  sweep FILE          all of it, in this process\n"
     "  sweep plan FILE     prints what it would run, as a plan file\n"
     "  sweep run DIR       goes on with the folder of a sweep, or runs a plan file\n"
     "  sweep status DIR    what is done, and what is left\n"
     "  sweep collect DIR   what came out, as text, CSV, JSON or a database\n"
     "  sweep submit DIR    hands what is missing to a cluster; FILE begins one there"},
    {"tune", "FILE[=WEIGHT]...", 1, G_MAXUINT,
     (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_JOBS | TSIM_OPTIONS_VARY | TSIM_OPTIONS_GOAL),
     tsim_cmd_tune, "Finds the best settings", NULL},
    {"explain", "FILE", 1, 1, (TsimOptionSets)(SIMULATE | TSIM_OPTIONS_JOBS), tsim_cmd_explain,
     "How much faster with twice of each resource", NULL},
    {"check", "FILE...", 1, G_MAXUINT, TSIM_OPTIONS_NONE, tsim_cmd_check,
     "Says what is wrong in scenario and GPU files", NULL},
    {"ray", "FILE", 0, 1, (TsimOptionSets)(TSIM_OPTIONS_CASES | TSIM_OPTIONS_RAY), tsim_cmd_ray,
     "Traces a ray node by node; runs cases",
     "FILE is a mesh (OBJ, PLY, STL) or an encoded BVH, as --write-bvh writes it."},
    {"feedback", "FILE", 0, 1,
     (TsimOptionSets)(TSIM_OPTIONS_SCENARIO | TSIM_OPTIONS_CASES | TSIM_OPTIONS_DUMP),
     tsim_cmd_feedback, "Dumps feedback maps; runs cases", NULL},
    {"list", "gpus|scenarios|metrics", 1, 1, TSIM_OPTIONS_FORMAT, tsim_cmd_list,
     "Lists what there is to choose from", NULL},
    {"schema", "scenario|gpu|result", 1, 1, TSIM_OPTIONS_NONE, tsim_cmd_schema,
     "Prints the JSON Schema of a file format", NULL},
};

static const TsimCommand *find_command(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* ---- Help ---- */

static char *main_help(void)
{
    GString *text = g_string_new("Usage: tesssim COMMAND [OPTION...] ...\n"
                                 "       tesssim FILE [OPTION...]      the same as tesssim run\n"
                                 "\n"
                                 "Simulates the tessellation front end of an AMD GPU: who waits "
                                 "for what, and what\n"
                                 "would make it faster.\n"
                                 "\n");

    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_string_append_printf(text, "  %-8s %-22s  %s\n", commands[i].name, commands[i].operands,
                               commands[i].summary);
    }
    g_string_append(text,
                    "\n"
                    "tesssim COMMAND --help tells its options. FILE is a path, - for standard "
                    "input,\n"
                    "or, after a command, the name of a scenario that tesssim list shows.\n"
                    "Exit codes: 0 done, 1 the run failed, 2 bad command line, 3 bad input "
                    "file.\n");
    return g_string_free(text, FALSE);
}

static TsimExit usage_error(const char *format, ...) G_GNUC_PRINTF(1, 2);

static TsimExit usage_error(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "tesssim: %s\n", text);
    return TSIM_EXIT_USAGE;
}

/* ---- Commands ---- */

/* argv[0] stands for the command. */
static TsimExit run_command(const TsimCommand *command, int argc, char **argv)
{
    g_auto(TsimOptions) options = {0};
    g_autoptr(GError) error = NULL;
    g_autofree char *title = g_strconcat("tesssim ", command->name, NULL);
    g_autofree char *words = command->details != NULL
                                 ? g_strconcat(command->summary, "\n\n", command->details, NULL)
                                 : g_strdup(command->summary);

    g_set_prgname(title);
    if (!tsim_options_parse(&options, command->options, command->operands, words, argc, argv,
                            &error)) {
        return usage_error("%s (tesssim %s --help tells more)", error->message, command->name);
    }
    if (options.help) {
        return tsim_output_result(options.help_text);
    }
    const guint n = g_strv_length(options.operands);
    if (n < command->operands_min || n > command->operands_max) {
        return usage_error("%s takes %s, not %u operands", command->name, command->operands, n);
    }
    return command->run(&options);
}

/* Nobody names a file like a misspelt command. */
static gboolean looks_like_file(const char *word)
{
    return *word == '-' || strpbrk(word, "./") != NULL || g_file_test(word, G_FILE_TEST_EXISTS);
}

static TsimExit run_help(int argc, char **argv)
{
    const TsimCommand *command = argc > 2 ? find_command(argv[2]) : NULL;
    char help[] = "--help";
    char *arguments[] = {argv[1], help, NULL};

    if (argc > 2 && command == NULL) {
        return usage_error("there is no command \"%s\" (tesssim help lists them)", argv[2]);
    }
    if (command != NULL) {
        return run_command(command, 2, arguments);
    }
    g_autofree char *text = main_help();
    return tsim_output_result(text);
}

static TsimExit dispatch(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;

    if (word == NULL) {
        g_autofree char *text = main_help();
        (void)fputs(text, stderr);
        return TSIM_EXIT_USAGE;
    }
    if (strcmp(word, "--version") == 0) {
        g_autofree char *text = g_strdup_printf("tesssim %s\n", tsim_version());
        return tsim_output_result(text);
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return run_help(argc, argv);
    }
    const TsimCommand *command = find_command(word);
    if (command != NULL) {
        return run_command(command, argc - 1, argv + 1);
    }
    if (looks_like_file(word)) {
        return run_command(&commands[0], argc, argv);
    }
    return usage_error("there is no command or file \"%s\" (tesssim help lists the commands)",
                       word);
}

/* A sweep builds a machine a run: memory that goes back to the kernel each time, to be zeroed and
 * mapped again, costs more than a short run itself. */
static void keep_memory(void)
{
    const int mapped_from_bytes = 32 << 20, trimmed_from_bytes = 1 << 30;

    (void)mallopt(M_MMAP_THRESHOLD, mapped_from_bytes);
    (void)mallopt(M_TRIM_THRESHOLD, trimmed_from_bytes);
}

int main(int argc, char **argv)
{
    /* The language of the user for messages and characters, but the point for numbers. */
    (void)setlocale(LC_ALL, "");
    (void)setlocale(LC_NUMERIC, "C");
    /* A closed pipe is an error that is reported, not a signal that kills. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)gsl_set_error_handler_off();
    keep_memory();
    const TsimExit exit_code = dispatch(argc, argv);
    return (int)exit_code;
}
