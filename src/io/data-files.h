/* Where scenarios and GPU files are found: under the current folder, beside the file that names
 * them, then in the folders that the program was given (the installed data folder).
 *
 * A root holds configs/ (GPU files) and scenarios/. Strings and lists are returned to the caller.
 */
#pragma once

#include <glib.h>

#define TSIM_DATA_CONFIGS   "configs"
#define TSIM_DATA_SCENARIOS "scenarios"

/* NULL-terminated list of roots in search order. beside: the file that names others, or NULL;
 * extra: further roots, NULL-terminated, or NULL. */
char **tsim_data_roots(const char *beside, const char *const *extra);

/* The file ROOT/folder/NAME.json of the first root that has it; NULL when none has. */
char *tsim_data_find(const char *const *roots, const char *folder, const char *name);

/* Names of the files of that folder in all roots, sorted, each once; NULL-terminated. */
char **tsim_data_names(const char *const *roots, const char *folder);
