/* Reading of line-based text (meshes, ray lists): lines, words, numbers.
 *
 * The text must be NUL-terminated at `end` and outlive the cursor; words point into it. A backslash
 * at the end of a line joins the next one, a UTF-8 byte-order mark is passed over. Numbers do not
 * depend on the locale. Allocates only for error messages.
 */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name; /* file name, for messages */
    const char *at;
    const char *end;
    uint32_t line; /* of `at`, from 1; 0 before the first tsim_text_next_line */
} TsimText;

typedef struct {
    const char *start;
    size_t length;
} TsimTextWord;

TsimText tsim_text_new(const char *name, const char *data, size_t length_bytes);

/* Goes to the start of the next line; FALSE at the end of the text. */
gboolean tsim_text_next_line(TsimText *text);

/* The next word of this line; FALSE at its end. */
gboolean tsim_text_next_word(TsimText *text, TsimTextWord *word);

/* `count` numbers of this line. They must be finite once rounded to binary32. */
gboolean tsim_text_floats(TsimText *text, unsigned count, float *values, GError **error);

gboolean tsim_text_word_is(TsimTextWord word, const char *expected);
gboolean tsim_text_word_to_real(TsimTextWord word, double *value);
gboolean tsim_text_word_to_int(TsimTextWord word, int64_t *value);

/* Sets "name:line: message" (TSIM_ERROR_INPUT) and returns FALSE. */
gboolean tsim_text_fail(const TsimText *text, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
