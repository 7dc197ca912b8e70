/* Lines of results: one flat JSON object a line (NDJSON), written and read without a tree.
 *
 * Values are strings, numbers, true, false or null. The reader is strict about what the writer
 * makes, so that a line that was cut off in the middle, or has a hole, is recognised.
 */
#pragma once

#include <glib.h>

/* ---- Writing ---- */

/* Appends ,"key":value (without the comma after an opening brace). */
void tsim_flat_line_raw(GString *line, const char *key, const char *value); /* value is JSON */
void tsim_flat_line_count(GString *line, const char *key, guint64 value);
void tsim_flat_line_value(GString *line, const char *key, const char *text); /* as JSON if it is */
void tsim_flat_line_text(GString *line, const char *key, const char *value);

/* ---- Reading ---- */

typedef struct {
    const char *key; /* as written, not terminated */
    gsize key_length;
    const char *value; /* as written, without the quotes of a string */
    gsize value_length;
    gboolean is_text;
} TsimFlatMember;

typedef struct {
    const char *at; /* NULL: the line is wrong */
    const char *end;
} TsimFlatCursor;

/* The line is length bytes without its line end. */
TsimFlatCursor tsim_flat_line_begin(const char *line, gsize length);

/* The same of a string that may end with a line end, or be NULL, which is wrong. */
TsimFlatCursor tsim_flat_line_of(const char *line);

/* FALSE at the end of the line; cursor->at is then NULL when the line is wrong. */
gboolean tsim_flat_line_next(TsimFlatCursor *cursor, TsimFlatMember *ret_member);

/* The first member of that key; FALSE when a string as above has none. */
gboolean tsim_flat_line_find(const char *line, const char *key, TsimFlatMember *ret_member);

gboolean tsim_flat_member_is(const TsimFlatMember *member, const char *key);

/* The value with escapes resolved; the caller frees it. */
char *tsim_flat_member_text(const TsimFlatMember *member);
