#include "io/suggest.h"

#include <string.h>

/* Longer words are not misspellings of anything here. */
#define LENGTH_MAX 64

/* Optimal string alignment distance, three rows at a time; both words are at most LENGTH_MAX. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LENGTH_MAX + 1];
    const size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        const size_t *before = rows[(i + 1) % 3];
        const size_t *above = rows[(i - 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            row[j] = MIN(MIN(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = MIN(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[strlen(a) % 3][width];
}

const char *tsim_suggest(const char *word, const char *const *candidates)
{
    const size_t length = strlen(word);
    const char *best = NULL;
    size_t best_distance = MAX(2, length / 3) + 1;

    for (; length <= LENGTH_MAX && *candidates != NULL; candidates++) {
        if (strlen(*candidates) > LENGTH_MAX) {
            continue;
        }
        const size_t distance = edit_distance(word, *candidates);
        if (distance < best_distance && distance < length) {
            best = *candidates;
            best_distance = distance;
        }
    }
    return best;
}
