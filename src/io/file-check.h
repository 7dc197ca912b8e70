/* Checks a file without running it: a scenario or a GPU, whichever its keys say. */
#pragma once

#include <glib.h>

/* path: "-" reads standard input; the name of a GPU or scenario of the data folders will do. In a
 * GPU file every number must state its source. ret_kind gets "scenario" or "GPU", also on failure.
 * FALSE and error when anything is wrong, one line a complaint. */
gboolean tsim_file_check_path(const char *path, const char *const *search_paths,
                              GPtrArray *warnings, const char **ret_kind, GError **error);
