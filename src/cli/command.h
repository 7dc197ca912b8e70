/* The commands of the program: one row each, in the table of main.c.
 *
 * A command writes its result through cli/output.h, complains there, and returns an exit code.
 */
#pragma once

#include "cli/options.h"

/* What scripts may rely on. */
typedef enum {
    TSIM_EXIT_DONE = 0,
    TSIM_EXIT_FAILED = 1, /* the run failed or cannot make progress; output cannot be written */
    TSIM_EXIT_USAGE = 2,  /* bad command line */
    TSIM_EXIT_INPUT = 3,  /* bad input file */
} TsimExit;

typedef struct {
    const char *name;
    const char *operands; /* "FILE", as help shows them */
    guint operands_min, operands_max;
    TsimOptionSets options; /* which it takes */
    TsimExit (*run)(const TsimOptions *options);
    const char *summary; /* one line */
    const char *details; /* lines below it in the command's own help; NULL: none */
} TsimCommand;

TsimExit tsim_cmd_run(const TsimOptions *options);
TsimExit tsim_cmd_compare(const TsimOptions *options);
TsimExit tsim_cmd_limits(const TsimOptions *options);
TsimExit tsim_cmd_check(const TsimOptions *options);
TsimExit tsim_cmd_feedback(const TsimOptions *options);
TsimExit tsim_cmd_list(const TsimOptions *options);
TsimExit tsim_cmd_ray(const TsimOptions *options);
TsimExit tsim_cmd_schema(const TsimOptions *options);
TsimExit tsim_cmd_sweep(const TsimOptions *options);
TsimExit tsim_cmd_tune(const TsimOptions *options);
TsimExit tsim_cmd_explain(const TsimOptions *options);
