/* What there is to choose from: GPUs, scenarios, metrics. A small table, as text, JSON or CSV. */
#pragma once

#include "io/page.h"

#include <json-c/json.h>

#define TSIM_LIST_COLUMNS_MAX 3

typedef struct {
    const char *topic;
    const char *columns[TSIM_LIST_COLUMNS_MAX + 1]; /* NULL-terminated */
    GPtrArray *rows;                                /* char ** with one string a column */
} TsimList;

/* FALSE and error when there is no such topic (TSIM_ERROR_USAGE), or no file of it anywhere
 * (TSIM_ERROR_IO). search_paths: further folders
 * with configs/ and scenarios/, NULL-terminated, or NULL. */
gboolean tsim_list_make(TsimList *ret_list, const char *topic, const char *const *search_paths,
                        GError **error);
void tsim_list_clear(TsimList *list);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TsimList, tsim_list_clear)

void tsim_list_text(TsimPage *page, const TsimList *list);
json_object *tsim_list_json(const TsimList *list); /* the caller owns it */
char *tsim_list_csv(const TsimList *list);         /* the caller frees it */
