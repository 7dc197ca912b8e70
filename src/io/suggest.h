/* The word that a user most likely meant. */
#pragma once

#include <glib.h>

/* The candidate nearest to word (insertions, deletions, replacements, swaps of neighbours), or NULL
 * when none is near enough to be a misspelling. candidates is NULL-terminated. */
const char *tsim_suggest(const char *word, const char *const *candidates);
