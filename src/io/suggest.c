#include "io/suggest.h"

#include <stdint.h>
#include <string.h>

/* What lies behind does not matter: no key here is nearly as long. */
#define LENGTH_MAX 64

enum {
    EDIT_COST = 4,
    TAIL_COST = 1, /* of a character behind the end of the word */
};

/* Optimal string alignment distance of the word to the best beginning of the candidate, and the
 * rest of it. Three rows of the table are kept. */
static size_t distance(const char *word, const char *candidate)
{
    size_t rows[3][LENGTH_MAX + 1];
    const size_t height = MIN(strlen(word), LENGTH_MAX);
    const size_t width = MIN(strlen(candidate), LENGTH_MAX);
    size_t best = SIZE_MAX;

    for (size_t j = 0; j <= width; j++) {
        rows[0][j] = j * EDIT_COST;
    }
    for (size_t i = 1; i <= height; i++) {
        const size_t *before = rows[(i + 1) % 3];
        const size_t *above = rows[(i + 2) % 3];
        size_t *row = rows[i % 3];

        row[0] = i * EDIT_COST;
        for (size_t j = 1; j <= width; j++) {
            const size_t replace = word[i - 1] == candidate[j - 1] ? 0 : EDIT_COST;
            row[j] = MIN(MIN(above[j], row[j - 1]) + EDIT_COST, above[j - 1] + replace);
            if (i > 1 && j > 1 && word[i - 1] == candidate[j - 2] &&
                word[i - 2] == candidate[j - 1]) {
                row[j] = MIN(row[j], before[j - 2] + EDIT_COST);
            }
        }
    }
    for (size_t j = 0; j <= width; j++) {
        best = MIN(best, rows[height % 3][j] + (width - j) * TAIL_COST);
    }
    return best;
}

const char *tsim_suggest(const char *word, const char *const *candidates)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;

    for (; *candidates != NULL; candidates++) {
        const size_t this_distance = distance(word, *candidates);
        if (this_distance < best_distance) {
            best = *candidates;
            best_distance = this_distance;
        }
    }
    return best;
}
