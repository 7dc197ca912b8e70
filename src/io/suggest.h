/* The word that a user most likely meant. */
#pragma once

#include <glib.h>

/* The candidate nearest to word: least insertions, deletions, replacements and swaps of neighbours;
 * what a candidate has behind the end of the word counts little, so that "clock" finds "clock_mhz".
 * candidates is NULL-terminated; NULL when it is empty. */
const char *tsim_suggest(const char *word, const char *const *candidates);
