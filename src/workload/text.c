#include "workload/text.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

TsimText tsim_text_new(const char *name, const char *data, size_t length_bytes)
{
    const size_t mark_bytes = length_bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return (TsimText){.name = name, .at = data + mark_bytes, .end = data + length_bytes};
}

static gboolean is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Length of a joined line end (backslash, optional CR, LF) at `at`, or 0. */
static size_t continuation_bytes(const TsimText *text)
{
    const char *at = text->at;

    if (at == text->end || *at != '\\') {
        return 0;
    }
    at++;
    if (at != text->end && *at == '\r') {
        at++;
    }
    return at != text->end && *at == '\n' ? (size_t)(at + 1 - text->at) : 0;
}

gboolean tsim_text_next_line(TsimText *text)
{
    if (text->line > 0) {
        TsimTextWord skipped;

        while (tsim_text_next_word(text, &skipped)) {
        }
        if (text->at == text->end) {
            return FALSE;
        }
        text->at++;
    }
    text->line++;
    return text->at != text->end;
}

static void skip_blanks(TsimText *text)
{
    for (;;) {
        const size_t joined_bytes = continuation_bytes(text);

        if (joined_bytes > 0) {
            text->line++;
            text->at += joined_bytes;
        } else if (text->at != text->end && is_blank(*text->at)) {
            text->at++;
        } else {
            return;
        }
    }
}

gboolean tsim_text_next_word(TsimText *text, TsimTextWord *word)
{
    skip_blanks(text);
    word->start = text->at;
    while (text->at != text->end && *text->at != '\n' && !is_blank(*text->at) &&
           continuation_bytes(text) == 0) {
        text->at++;
    }
    word->length = (size_t)(text->at - word->start);
    return word->length > 0;
}

gboolean tsim_text_floats(TsimText *text, unsigned count, float *values, GError **error)
{
    for (unsigned i = 0; i < count; i++) {
        TsimTextWord word;
        double value = 0.0;

        if (!tsim_text_next_word(text, &word)) {
            return tsim_text_fail(text, error, "%u numbers expected, %u found", count, i);
        }
        if (!tsim_text_word_to_real(word, &value) || !isfinite((float)value)) {
            return tsim_text_fail(text, error, "\"%.*s\" is not a finite number",
                                  (int)MIN(word.length, 40), word.start);
        }
        values[i] = (float)value;
    }
    return TRUE;
}

gboolean tsim_text_word_is(TsimTextWord word, const char *expected)
{
    return word.length == strlen(expected) && memcmp(word.start, expected, word.length) == 0;
}

gboolean tsim_text_word_to_real(TsimTextWord word, double *value)
{
    char *end;

    *value = g_ascii_strtod(word.start, &end);
    return end == word.start + word.length;
}

gboolean tsim_text_word_to_int(TsimTextWord word, int64_t *value)
{
    char *end;

    *value = g_ascii_strtoll(word.start, &end, 10);
    return end == word.start + word.length;
}

gboolean tsim_text_fail(const TsimText *text, GError **error, const char *format, ...)
{
    g_autofree char *message = NULL;
    va_list arguments;

    va_start(arguments, format);
    message = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s:%u: %s", text->name, text->line, message);
    return FALSE;
}
