#include "io/problems.h"

void tsim_problems_init(TsimProblems *problems, GPtrArray *warnings)
{
    *problems = (TsimProblems){
        .errors = g_ptr_array_new_with_free_func(g_free),
        .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .warnings = warnings,
    };
}

void tsim_problems_clear(TsimProblems *problems)
{
    g_ptr_array_unref(problems->errors);
    g_hash_table_unref(problems->places);
    *problems = (TsimProblems){0};
}

/* One line: keys and values of a damaged file may hold line breaks and terminal controls. */
static char *new_line(const char *place, const char *text)
{
    char *line = g_strdup_printf("%s: %s", place, text);

    for (char *at = line; *at != '\0'; at++) {
        if (g_ascii_iscntrl(*at)) {
            *at = '?';
        }
    }
    return line;
}

void tsim_problems_add(TsimProblems *problems, TsimErrorCode code, const char *key,
                       const char *place, const char *text)
{
    problems->reported++;
    if (!g_hash_table_add(problems->places, g_strdup(key))) {
        return;
    }
    if (tsim_problems_are_full(problems)) {
        problems->more++;
        return;
    }
    if (problems->errors->len == 0) {
        problems->code = code;
    }
    g_ptr_array_add(problems->errors, new_line(place, text));
}

void tsim_problems_warn(TsimProblems *problems, const char *place, const char *text)
{
    if (problems->warnings != NULL) {
        g_ptr_array_add(problems->warnings, new_line(place, text));
    }
}

gboolean tsim_problems_finish(TsimProblems *problems, GError **error)
{
    const gboolean ok = problems->errors->len == 0;

    if (problems->more > 0) {
        g_ptr_array_add(problems->errors, g_strdup_printf("and %u more errors", problems->more));
    }
    if (!ok) {
        g_ptr_array_add(problems->errors, NULL);
        g_autofree char *lines = g_strjoinv("\n", (char **)problems->errors->pdata);
        g_set_error_literal(error, TSIM_ERROR, (int)problems->code, lines);
    }
    tsim_problems_clear(problems);
    return ok;
}
