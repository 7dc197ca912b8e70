#include "cli/output.h"

#include <errno.h>
#include <stdio.h>

TsimExit tsim_output_result(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0) {
        const int failure = errno;
        (void)fprintf(stderr, "tesssim: standard output cannot be written: %s\n",
                      g_strerror(failure));
        return TSIM_EXIT_FAILED;
    }
    return TSIM_EXIT_DONE;
}

/* Complaints about a file begin with their place, so that editors can jump to it. */
TsimExit tsim_output_error(const GError *error)
{
    if (error->domain == G_OPTION_ERROR) {
        (void)fprintf(stderr, "tesssim: %s\n", error->message);
        return TSIM_EXIT_USAGE;
    }
    switch (tsim_failure(error)) {
    case TSIM_FAILURE_INPUT:
        (void)fprintf(stderr, "%s\n", error->message);
        return TSIM_EXIT_INPUT;
    case TSIM_FAILURE_USAGE:
        (void)fprintf(stderr, "tesssim: %s\n", error->message);
        return TSIM_EXIT_USAGE;
    case TSIM_FAILURE_RUN:
        break;
    }
    (void)fprintf(stderr, "tesssim: %s\n", error->message);
    return TSIM_EXIT_FAILED;
}

void tsim_output_warnings(const GPtrArray *warnings)
{
    for (guint i = 0; i < warnings->len; i++) {
        (void)fprintf(stderr, "warning: %s\n", (const char *)g_ptr_array_index(warnings, i));
    }
}

GPtrArray *tsim_output_new_warnings(void)
{
    return g_ptr_array_new_with_free_func(g_free);
}
