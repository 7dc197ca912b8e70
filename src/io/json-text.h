/* JSON text before there is a tree: comments, syntax, and where a value stands.
 *
 * json-c keeps no positions and lets NaN, single quotes, duplicate keys and integers that do not
 * fit pass even in its strict mode; this scanner says where they are. Texts are NUL-terminated
 * UTF-8 without NUL inside. Nothing here allocates more than the longest string and the keys of the
 * objects that are open. Offsets are bytes.
 */
#pragma once

#include <glib.h>
#include <stddef.h>

/* Deepest nesting of arrays and objects. */
#define TSIM_JSON_DEPTH_MAX 32

typedef struct {
    size_t line, column; /* from 1; columns count characters */
} TsimJsonPosition;

/* What earlier searches of a text have passed, so that complaints about a long list do not each
 * read it from its start. Starts zeroed. */
typedef struct {
    size_t array, item; /* offsets of a list and of the item that was wanted */
    guint64 index;      /* of that item; 0: there was no list */
    size_t offset;
    TsimJsonPosition position; /* of that offset; line 0: not asked for yet */
} TsimJsonMemo;

/* Overwrites comments, both kinds, with spaces; line breaks stay. FALSE when a comment is not
 * closed: ret_offset is then its start. */
gboolean tsim_json_text_blank_comments(char *text, size_t *ret_offset);

/* Told of each thing that is wrong: its offset, the JSON pointer to the value it belongs to, and
 * words of the form "got X, expected Y". */
typedef void (*TsimJsonComplain)(void *user, size_t offset, const char *pointer, const char *text);

/* FALSE when the text is not JSON; complaints about duplicate keys and numbers out of range alone
 * leave it TRUE. text must be free of comments. */
gboolean tsim_json_text_check(const char *text, TsimJsonComplain complain, void *user);

/* Where the value that pointer names stands, or, for_key, the key in front of it; of equal keys the
 * first. When there is no such value, the nearest one around it. text must have passed
 * tsim_json_text_check. */
size_t tsim_json_text_find(const char *text, const char *pointer, gboolean for_key,
                           TsimJsonMemo *memo);

TsimJsonPosition tsim_json_text_position(const char *text, size_t offset, TsimJsonMemo *memo);

/* Appends "/key", escaped as JSON pointers are. */
void tsim_json_pointer_append(GString *pointer, const char *key);
