#include "golden-text.h"

#include <glib.h>
#include <string.h>

/* Points at the first line that differs: whole reports are hard to compare by eye. */
static void fail_at_difference(const char *name, const char *expected, const char *got)
{
    g_auto(GStrv) expected_lines = g_strsplit(expected, "\n", -1);
    g_auto(GStrv) got_lines = g_strsplit(got, "\n", -1);
    guint i = 0;

    while (expected_lines[i] != NULL && g_strcmp0(expected_lines[i], got_lines[i]) == 0) {
        i++;
    }
    g_error("%s:%u: expected\n%s\ngot\n%s", name, i + 1, expected_lines[i], got_lines[i]);
}

void golden_check(const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(g_getenv("TSIM_GOLDEN_DIR"), name, NULL);
    g_autofree char *expected = NULL;
    g_autoptr(GError) error = NULL;

    if (g_getenv("TSIM_UPDATE_GOLDEN") != NULL) {
        (void)g_file_set_contents(path, text, -1, &error);
    } else {
        (void)g_file_get_contents(path, &expected, NULL, &error);
    }
    g_assert_no_error(error);
    if (expected != NULL && strcmp(expected, text) != 0) {
        fail_at_difference(name, expected, text);
    }
}
