/* A JSON text and its tree, with a place for every complaint.
 *
 * Reads strict JSON, plus comments of both kinds and a byte-order mark. Values can be overridden
 * before they are decoded; a complaint about such a value names the override instead of a line.
 * The source owns the tree; nodes are small, live on the stack and point into it.
 */
#pragma once

#include "io/problems.h"

#include <json-c/json.h>

/* Larger files are refused: a list this long belongs in a CSV file. */
#define TSIM_JSON_BYTES_MAX ((size_t)16 << 20)

typedef struct TsimJsonSource TsimJsonSource;

/* A value and the way to it. `parent` must outlive the node. */
typedef struct TsimJsonNode TsimJsonNode;
struct TsimJsonNode {
    TsimJsonSource *source;
    json_object *value;         /* NULL is JSON's null */
    const TsimJsonNode *parent; /* NULL at the root */
    const char *key;            /* in an object; NULL in an array */
    size_t index;               /* in an array */
};

/* path "-" reads standard input. NULL when there is no tree; problems (borrowed, outlives the
 * source) says why, and keeps what else is wrong with the text. */
TsimJsonSource *tsim_json_source_read(const char *path, TsimProblems *problems);

/* The same from memory; name stands in messages. */
TsimJsonSource *tsim_json_source_parse(const char *name, const char *text, size_t length,
                                       TsimProblems *problems);

/* The text of a file, for the caller to parse. NULL when it cannot be read or is too large. */
GString *tsim_json_source_read_text(const char *path, TsimProblems *problems);

void tsim_json_source_free(TsimJsonSource *source); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimJsonSource, tsim_json_source_free)

/* As given to tsim_json_source_read, "<stdin>" for "-". */
const char *tsim_json_source_name(const TsimJsonSource *source);

TsimProblems *tsim_json_source_problems(const TsimJsonSource *source);

/* Replaces the value of a member (object) or an item (array) below `parent`; takes value.
 * Complaints about it and what it holds then begin with label. */
void tsim_json_override_member(const TsimJsonNode *parent, const char *key, json_object *value,
                               const char *label);
void tsim_json_override_item(const TsimJsonNode *parent, size_t index, json_object *value,
                             const char *label);

/* ---- Walking ---- */

TsimJsonNode tsim_json_root(TsimJsonSource *source);

/* FALSE when the object has no such member. */
gboolean tsim_json_member(const TsimJsonNode *object, const char *key, TsimJsonNode *ret_member);

/* The place of a member that may be missing, to complain about. */
TsimJsonNode tsim_json_missing(const TsimJsonNode *object, const char *key);

TsimJsonNode tsim_json_item(const TsimJsonNode *array, size_t index);

gboolean tsim_json_is(const TsimJsonNode *node, json_type type);

/* The label of the override that set this value, NULL when it stands in the text. */
const char *tsim_json_override_label(const TsimJsonNode *node);

/* A path that the value names: relative to the file it stands in, or to the current folder when it
 * came from an override. The caller frees it. */
char *tsim_json_resolve_path(const TsimJsonNode *node, const char *path);

/* ---- Complaining ---- */

/* "a.json:3:14: /work/0/patches" or "--set patches=x: /work/0/patches"; the caller frees it. */
char *tsim_json_place(const TsimJsonNode *node);

/* Reports "got <the value>, expected <format>"; returns FALSE. */
gboolean tsim_json_wrong(const TsimJsonNode *node, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Reports the text as it is; returns FALSE. */
gboolean tsim_json_error(const TsimJsonNode *node, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Reports what another module found wrong with the value. */
void tsim_json_report(const TsimJsonNode *node, const GError *error);

/* Reports an unknown key of an object at the key; candidates is NULL-terminated, not empty. */
void tsim_json_unknown_key(const TsimJsonNode *object, const char *key,
                           const char *const *candidates);

void tsim_json_warning(const TsimJsonNode *node, const char *format, ...) G_GNUC_PRINTF(2, 3);
