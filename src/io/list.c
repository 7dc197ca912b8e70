#include "io/list.h"

#include "base/error.h"
#include "io/data-files.h"
#include "io/gpu-json.h"
#include "io/json-source.h"
#include "io/result-csv.h"
#include "io/result-fields.h"
#include "io/result-table.h"

#include <string.h>

static void free_row(void *row)
{
    g_strfreev(row);
}

/* Takes the strings; third may be NULL. */
static void add_row(TsimList *list, char *first, char *second, char *third)
{
    char **row = g_new0(char *, TSIM_LIST_COLUMNS_MAX + 1);

    row[0] = first;
    row[1] = second;
    row[2] = third;
    g_ptr_array_add(list->rows, row);
}

/* ---- Topics ---- */

/* A file that is wrong is listed too: with what is wrong. */
static char *first_line(const char *text)
{
    return g_strndup(text, strcspn(text, "\n"));
}

static void list_gpus(TsimList *list, const char *const *search_paths)
{
    g_auto(GStrv) roots = tsim_data_roots(NULL, search_paths);
    g_auto(GStrv) names = tsim_data_names((const char *const *)roots, TSIM_DATA_CONFIGS);

    for (char **name = names; *name != NULL; name++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(TsimGpu) gpu = tsim_gpu_json_load(*name, search_paths, &error);
        const char *words = gpu != NULL && gpu->description != NULL ? gpu->description : "";
        add_row(list, g_strdup(*name), error != NULL ? first_line(error->message) : g_strdup(words),
                NULL);
    }
}

/* The description of a scenario, without looking at the rest of it. */
static char *describe_scenario(const char *path)
{
    g_autoptr(GError) error = NULL;
    char *words = NULL;
    TsimProblems problems;
    TsimJsonNode member;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_read(path, &problems);
    if (source != NULL) {
        const TsimJsonNode root = tsim_json_root(source);
        if (tsim_json_is(&root, json_type_object) &&
            tsim_json_member(&root, "description", &member) &&
            tsim_json_is(&member, json_type_string)) {
            words = g_strdup(json_object_get_string(member.value));
        }
    }
    tsim_json_source_free(source);
    if (!tsim_problems_finish(&problems, &error)) {
        g_free(words);
        return first_line(error->message);
    }
    return words != NULL ? words : g_strdup("");
}

static void list_scenarios(TsimList *list, const char *const *search_paths)
{
    g_auto(GStrv) roots = tsim_data_roots(NULL, search_paths);
    const char *const *places = (const char *const *)roots;
    g_auto(GStrv) names = tsim_data_names(places, TSIM_DATA_SCENARIOS);

    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = tsim_data_find(places, TSIM_DATA_SCENARIOS, *name);
        add_row(list, g_strdup(*name), path != NULL ? describe_scenario(path) : g_strdup(""), NULL);
    }
}

static void list_metrics(TsimList *list, const char *const *search_paths)
{
    g_autoptr(TsimResult) sample = tsim_result_sample();
    g_autoptr(GArray) rows = tsim_result_rows(sample);

    (void)search_paths;
    for (guint i = 0; i < rows->len; i++) {
        const TsimResultRow *row = &g_array_index(rows, TsimResultRow, i);
        add_row(list, g_strdup(row->name), g_strdup(row->unit), g_strdup(row->blurb));
    }
}

typedef struct {
    const char *name;
    const char *columns[TSIM_LIST_COLUMNS_MAX + 1];
    void (*fill)(TsimList *list, const char *const *search_paths);
    const char *folder; /* whose files it lists; NULL: it needs none */
} Topic;

static const Topic topics[] = {
    {"gpus", {"name", "description", NULL}, list_gpus, TSIM_DATA_CONFIGS},
    {"scenarios", {"name", "description", NULL}, list_scenarios, TSIM_DATA_SCENARIOS},
    {"metrics", {"name", "unit", "description", NULL}, list_metrics, NULL},
};

/* An empty list would look as if there were nothing to choose from. */
static void complain(const Topic *topic, const char *const *search_paths, GError **error)
{
    g_auto(GStrv) roots = tsim_data_roots(NULL, search_paths);
    g_autoptr(GString) places = g_string_new(NULL);

    for (char **root = roots; *root != NULL; root++) {
        g_autofree char *place = g_build_filename(*root, topic->folder, NULL);
        g_string_append_printf(places, "%s%s", places->len > 0 ? ", " : "", place);
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_IO,
                "no %s found in %s: run tesssim where its sources are, install it, or let "
                "TESSSIM_DATA name the folder that holds %s",
                topic->name, places->str, topic->folder);
}

gboolean tsim_list_make(TsimList *ret_list, const char *topic, const char *const *search_paths,
                        GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(topics); i++) {
        if (strcmp(topics[i].name, topic) == 0) {
            *ret_list = (TsimList){.topic = topics[i].name,
                                   .rows = g_ptr_array_new_with_free_func(free_row)};
            memcpy(ret_list->columns, topics[i].columns, sizeof ret_list->columns);
            topics[i].fill(ret_list, search_paths);
            if (topics[i].folder != NULL && ret_list->rows->len == 0) {
                complain(&topics[i], search_paths, error);
                return FALSE;
            }
            return TRUE;
        }
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "there is no list of \"%s\", only of gpus, scenarios and metrics", topic);
    return FALSE;
}

void tsim_list_clear(TsimList *list)
{
    if (list->rows != NULL) {
        g_ptr_array_unref(list->rows);
    }
    *list = (TsimList){0};
}

/* ---- Formats ---- */

static char *const *row_at(const TsimList *list, guint i)
{
    return g_ptr_array_index(list->rows, i);
}

static guint column_width(const TsimList *list, guint column)
{
    guint width = 0;

    for (guint i = 0; i < list->rows->len; i++) {
        width = MAX(width, tsim_page_width(row_at(list, i)[column]));
    }
    return width;
}

/* The last column is words; where the others leave little room for them they go below. */
static void print_row(TsimPage *page, const TsimList *list, char *const *row)
{
    guint column = 0, indent = 0;

    for (; list->columns[column + 1] != NULL; column++) {
        const guint width = column_width(list, column) + 2;
        tsim_page_left(page, column == 0 ? TSIM_INK_STRONG : TSIM_INK_FAINT, width, row[column]);
        indent += width;
    }
    if (indent > page->columns / 2) {
        tsim_page_line(page);
        indent = 4;
        tsim_page_spaces(page, indent);
    }
    g_autofree char *words = tsim_page_clean(row[column]);
    tsim_page_wrap(page, TSIM_INK_PLAIN, indent, words);
}

void tsim_list_text(TsimPage *page, const TsimList *list)
{
    for (guint i = 0; i < list->rows->len; i++) {
        print_row(page, list, row_at(list, i));
    }
}

json_object *tsim_list_json(const TsimList *list)
{
    json_object *object = json_object_new_object();
    json_object *rows = json_object_new_array();

    for (guint i = 0; i < list->rows->len; i++) {
        json_object *row = json_object_new_object();
        for (guint column = 0; list->columns[column] != NULL; column++) {
            (void)json_object_object_add(row, list->columns[column],
                                         json_object_new_string(row_at(list, i)[column]));
        }
        (void)json_object_array_add(rows, row);
    }
    (void)json_object_object_add(object, list->topic, rows);
    return object;
}

char *tsim_list_csv(const TsimList *list)
{
    GString *text = g_string_new(NULL);

    for (guint column = 0; list->columns[column] != NULL; column++) {
        tsim_csv_cell(text, list->columns[column]);
    }
    tsim_csv_end_line(text);
    for (guint i = 0; i < list->rows->len; i++) {
        for (guint column = 0; list->columns[column] != NULL; column++) {
            tsim_csv_cell(text, row_at(list, i)[column]);
        }
        tsim_csv_end_line(text);
    }
    return g_string_free(text, FALSE);
}
