#include "io/flat-line.h"

#include <string.h>

/* ---- Scalars ---- */

/* Past the digits at text, which may be none. */
static gsize skip_digits(const char *text, gsize length, gsize at)
{
    while (at < length && g_ascii_isdigit(text[at])) {
        at++;
    }
    return at;
}

/* The grammar of JSON. */
static gboolean is_number(const char *text, gsize length)
{
    const gsize first = length > 0 && *text == '-' ? 1 : 0;
    gsize at = skip_digits(text, length, first);

    if (at == first || (text[first] == '0' && at > first + 1)) {
        return FALSE;
    }
    if (at < length && text[at] == '.') {
        const gsize fraction = at + 1;
        at = skip_digits(text, length, fraction);
        if (at == fraction) {
            return FALSE;
        }
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        const gsize exponent = at + (at + 1 < length && strchr("+-", text[at + 1]) ? 2 : 1);
        at = skip_digits(text, length, exponent);
        if (at == exponent) {
            return FALSE;
        }
    }
    return at == length;
}

static gboolean is_scalar(const char *text, gsize length)
{
    static const char *const words[] = {"true", "false", "null"};

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) {
            return TRUE;
        }
    }
    return is_number(text, length);
}

/* ---- Writing ---- */

static void append_string(GString *line, const char *text)
{
    g_string_append_c(line, '"');
    for (; *text != '\0'; text++) {
        const guchar c = (guchar)*text;
        if (c == '"' || c == '\\') {
            g_string_append_c(line, '\\');
            g_string_append_c(line, *text);
        } else if (c == '\n') {
            g_string_append(line, "\\n");
        } else if (c < 0x20 || c == 0x7f) {
            g_string_append_printf(line, "\\u%04x", c);
        } else {
            g_string_append_c(line, *text);
        }
    }
    g_string_append_c(line, '"');
}

static void append_key(GString *line, const char *key)
{
    if (line->str[line->len - 1] != '{') {
        g_string_append_c(line, ',');
    }
    append_string(line, key);
    g_string_append_c(line, ':');
}

void tsim_flat_line_raw(GString *line, const char *key, const char *value)
{
    append_key(line, key);
    g_string_append(line, value);
}

void tsim_flat_line_count(GString *line, const char *key, guint64 value)
{
    append_key(line, key);
    g_string_append_printf(line, "%" G_GUINT64_FORMAT, value);
}

void tsim_flat_line_text(GString *line, const char *key, const char *value)
{
    append_key(line, key);
    append_string(line, value);
}

void tsim_flat_line_value(GString *line, const char *key, const char *text)
{
    if (is_scalar(text, strlen(text))) {
        tsim_flat_line_raw(line, key, text);
    } else {
        tsim_flat_line_text(line, key, text);
    }
}

/* ---- Reading ---- */

TsimFlatCursor tsim_flat_line_begin(const char *line, gsize length)
{
    if (length < 2 || line[0] != '{' || line[length - 1] != '}') {
        return (TsimFlatCursor){NULL, NULL};
    }
    return (TsimFlatCursor){line + 1, line + length - 1};
}

TsimFlatCursor tsim_flat_line_of(const char *line)
{
    const gsize length = line != NULL ? strlen(line) : 0;
    const gboolean ended = length > 0 && line[length - 1] == '\n';

    return tsim_flat_line_begin(line, ended ? length - 1 : length);
}

/* The quote that closes a string which begins at text, or NULL. */
static const char *find_quote(const char *text, const char *end)
{
    const char *quote = memchr(text, '"', (gsize)(end - text));
    const char *escape = quote != NULL ? memchr(text, '\\', (gsize)(quote - text)) : NULL;

    if (escape == NULL) {
        return quote;
    }
    for (text = escape; text < end && *text != '"'; text++) {
        text += *text == '\\';
    }
    return text < end ? text : NULL;
}

static gboolean read_value(TsimFlatCursor *cursor, TsimFlatMember *member)
{
    const char *end;

    member->is_text = cursor->at < cursor->end && *cursor->at == '"';
    member->value = cursor->at + (member->is_text ? 1 : 0);
    if (member->is_text) {
        end = find_quote(member->value, cursor->end);
    } else {
        end = memchr(member->value, ',', (gsize)(cursor->end - member->value));
        end = end != NULL ? end : cursor->end;
    }
    if (end == NULL) {
        return FALSE;
    }
    member->value_length = (gsize)(end - member->value);
    cursor->at = end + (member->is_text ? 1 : 0);
    return member->is_text || is_scalar(member->value, member->value_length);
}

static gboolean read_member(TsimFlatCursor *cursor, TsimFlatMember *member)
{
    if (*cursor->at != '"') {
        return FALSE;
    }
    member->key = cursor->at + 1;
    const char *quote = find_quote(member->key, cursor->end);
    if (quote == NULL || quote + 1 >= cursor->end || quote[1] != ':') {
        return FALSE;
    }
    member->key_length = (gsize)(quote - member->key);
    cursor->at = quote + 2;
    if (!read_value(cursor, member)) {
        return FALSE;
    }
    if (cursor->at < cursor->end) {
        cursor->at++;
        return cursor->at[-1] == ',' && cursor->at < cursor->end;
    }
    return TRUE;
}

gboolean tsim_flat_line_next(TsimFlatCursor *cursor, TsimFlatMember *ret_member)
{
    if (cursor->at == NULL || cursor->at == cursor->end) {
        return FALSE;
    }
    if (!read_member(cursor, ret_member)) {
        cursor->at = NULL;
        return FALSE;
    }
    return TRUE;
}

gboolean tsim_flat_line_find(const char *line, const char *key, TsimFlatMember *ret_member)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);

    while (tsim_flat_line_next(&cursor, ret_member)) {
        if (tsim_flat_member_is(ret_member, key)) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean tsim_flat_member_is(const TsimFlatMember *member, const char *key)
{
    return member->key_length == strlen(key) && memcmp(member->key, key, member->key_length) == 0;
}

/* The writer uses three escapes: a character after a backslash, \n and \uXXXX of control
 * characters. */
char *tsim_flat_member_text(const TsimFlatMember *member)
{
    GString *text = g_string_sized_new(member->value_length);
    const char *end = member->value + member->value_length;

    for (const char *at = member->value; at < end; at++) {
        if (*at != '\\' || at + 1 == end) {
            g_string_append_c(text, *at);
        } else if (*++at == 'u' && end - at > 4) {
            g_string_append_c(
                text, (char)(g_ascii_xdigit_value(at[3]) * 16 + g_ascii_xdigit_value(at[4])));
            at += 4;
        } else {
            g_string_append_c(text, *at == 'n' ? '\n' : *at);
        }
    }
    return g_string_free(text, FALSE);
}
