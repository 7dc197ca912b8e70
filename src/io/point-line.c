#include "io/point-line.h"

#include "base/error.h"
#include "io/flat-line.h"
#include "io/result-fields.h"
#include "io/result-table.h"
#include "io/suggest.h"

#include <string.h>

/* ---- Writing ---- */

/* Whether a later set of the list has the same key, and so the last word. */
static gboolean is_replaced(const char *const *sets, gsize key_length)
{
    const char *set = *sets;

    for (sets++; *sets != NULL; sets++) {
        if (strncmp(*sets, set, key_length + 1) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static void add_sets(GString *line, const char *const *sets)
{
    for (; *sets != NULL; sets++) {
        const char *equals = strchr(*sets, '=');
        if (is_replaced(sets, (gsize)(equals - *sets))) {
            continue;
        }
        g_autofree char *key = g_strdup_printf("set.%.*s", (int)(equals - *sets), *sets);
        tsim_flat_line_value(line, key, equals + 1);
    }
}

static void add_row(GString *line, const TsimResultRow *row)
{
    if (row->is_number) {
        tsim_flat_line_raw(line, row->name, row->text);
    } else {
        tsim_flat_line_value(line, row->name, row->text);
    }
}

/* Those that stand in every line anyway. */
static gboolean is_fixed(const char *name)
{
    static const char *const names[] = {"scenario", "seed", "schema_version", "tesssim_version",
                                        NULL};

    return tsim_word_index(names, name) >= 0;
}

static void add_metrics(GString *line, char *const *metrics, const TsimResult *result)
{
    const char *const *named = (const char *const *)metrics;
    g_autoptr(GArray) rows = tsim_result_rows(result);

    for (; *metrics != NULL; metrics++) {
        const gboolean all = strcmp(*metrics, TSIM_ALL_METRICS) == 0;
        const TsimResultRow *row = all ? NULL : tsim_result_row(rows, *metrics);
        if (row != NULL) {
            add_row(line, row);
        }
        for (guint i = 0; all && i < rows->len; i++) {
            row = &g_array_index(rows, TsimResultRow, i);
            if (!is_fixed(row->name) && tsim_word_index(named, row->name) < 0) {
                add_row(line, row);
            }
        }
    }
}

char *tsim_point_line(const TsimSweepPlan *plan, const TsimPointId *id, const TsimResult *result,
                      const GError *error)
{
    GString *line = g_string_new("{");

    tsim_flat_line_count(line, "point", id->point);
    tsim_flat_line_count(line, "replication", id->replication);
    tsim_flat_line_text(line, "status", result != NULL ? "done" : "failed");
    tsim_flat_line_count(line, "schema_version", TSIM_SWEEP_SCHEMA_VERSION);
    tsim_flat_line_text(line, "tesssim_version", TSIM_VERSION);
    tsim_flat_line_text(line, "scenario", id->scenario);
    tsim_flat_line_count(line, "seed", id->seed);
    add_sets(line, id->sets);
    if (result != NULL) {
        add_metrics(line, plan->metrics, result);
    } else {
        tsim_flat_line_text(line, "error", error->message);
    }
    g_string_append(line, "}\n");
    return g_string_free(line, FALSE);
}

/* ---- Reading ---- */

static gboolean read_count(TsimFlatCursor *cursor, const char *key, uint64_t *ret_value)
{
    TsimFlatMember member;

    if (!tsim_flat_line_next(cursor, &member) || !tsim_flat_member_is(&member, key) ||
        member.is_text) {
        return FALSE;
    }
    *ret_value = g_ascii_strtoull(member.value, NULL, 10);
    return TRUE;
}

gboolean tsim_point_line_read_id(const char *line, gsize length, uint64_t *ret_point,
                                 uint64_t *ret_replication)
{
    TsimFlatCursor cursor = tsim_flat_line_begin(line, length);
    TsimFlatMember member;

    if (!read_count(&cursor, "point", ret_point) ||
        !read_count(&cursor, "replication", ret_replication)) {
        return FALSE;
    }
    while (tsim_flat_line_next(&cursor, &member)) {
    }
    return cursor.at != NULL;
}

gboolean tsim_point_line_is_failed(const char *line)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;

    for (int i = 0; i < 3; i++) { /* status is the third */
        if (!tsim_flat_line_next(&cursor, &member)) {
            return FALSE;
        }
    }
    return *member.value == 'f';
}

/* ---- Metrics ---- */

/* "draws.3.mode" is as good as "draws.0.mode": how many there are depends on the scenario. */
static char *first_draw(const char *metric)
{
    const char *rest = g_str_has_prefix(metric, "draws.") ? strchr(metric + 6, '.') : NULL;

    return rest != NULL ? g_strconcat("draws.0", rest, NULL) : g_strdup(metric);
}

static gboolean refuse(const char *metric, const GArray *rows, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; i < rows->len; i++) {
        g_ptr_array_add(names, g_array_index(rows, TsimResultRow, i).name);
    }
    g_ptr_array_add(names, NULL);
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "there is no metric \"%s\"; did you mean \"%s\"? (tesssim list metrics)", metric,
                tsim_suggest(metric, (const char *const *)names->pdata));
    return FALSE;
}

static gboolean refuse_again(const char *metric, const char *why, GError **error)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "--metrics: \"%s\" %s", metric, why);
    return FALSE;
}

gboolean tsim_point_line_check_metrics(char *const *metrics, GError **error)
{
    g_autoptr(TsimResult) sample = tsim_result_sample();
    g_autoptr(GArray) rows = tsim_result_rows(sample);

    for (; *metrics != NULL; metrics++) {
        g_autofree char *name = first_draw(*metrics);
        if (strcmp(name, TSIM_ALL_METRICS) != 0 && tsim_result_row(rows, name) == NULL) {
            return refuse(*metrics, rows, error);
        }
        if (is_fixed(*metrics)) {
            return refuse_again(*metrics, "stands in every line anyway", error);
        }
        if (tsim_word_index((const char *const *)(metrics + 1), *metrics) >= 0) {
            return refuse_again(*metrics, "is there twice", error);
        }
    }
    return TRUE;
}
