#include "io/axis.h"

#include "base/error.h"
#include "io/encode.h"

#include <math.h>
#include <string.h>

#define DIGITS        15 /* decimal ones that a double always has */
#define RANGE_END_MAX 1e15
#define POINTS_MAX    (UINT64_C(1) << 53)

static gboolean refuse(const char *text, const char *why, GError **error)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "--vary %s: %s", text, why);
    return FALSE;
}

/* ---- Splitting ---- */

/* The next separator that is not inside brackets or quotes, or the end. */
static const char *find_separator(const char *text, char separator)
{
    int depth = 0;
    gboolean quoted = FALSE;

    for (; *text != '\0'; text++) {
        if (*text == '"') {
            quoted = !quoted;
        } else if (quoted) {
            text += *text == '\\' && text[1] != '\0';
        } else if (strchr("{[", *text) != NULL) {
            depth++;
        } else if (strchr("}]", *text) != NULL) {
            depth--;
        } else if (*text == separator && depth <= 0) {
            break;
        }
    }
    return text;
}

static char **split(const char *text, char separator)
{
    GPtrArray *items = g_ptr_array_new();
    const char *end = find_separator(text, separator);

    for (; *end != '\0'; text = end + 1, end = find_separator(text, separator)) {
        g_ptr_array_add(items, g_strndup(text, (gsize)(end - text)));
    }
    g_ptr_array_add(items, g_strdup(text));
    g_ptr_array_add(items, NULL);
    return (char **)g_ptr_array_free(items, FALSE);
}

/* ---- Ranges ---- */

typedef struct {
    double low, high, step;
    gboolean is_factor;
} Range;

static gboolean parse_number(const char *text, double *ret_value)
{
    char *end;

    *ret_value = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*ret_value);
}

static double most_of(const Range *range)
{
    return MAX(fabs(range->low), fabs(range->high));
}

/* FALSE when the item is no range but a word or a number. */
static gboolean parse_range(const char *item, Range *ret_range)
{
    g_auto(GStrv) parts = g_strsplit(item, ":", -1);
    const guint n = g_strv_length(parts);
    const char *step = n == 3 ? parts[2] : "1";

    ret_range->is_factor = *step == 'x';
    return (n == 2 || n == 3) && parse_number(parts[0], &ret_range->low) &&
           parse_number(parts[1], &ret_range->high) &&
           parse_number(step + (ret_range->is_factor ? 1 : 0), &ret_range->step);
}

static const char *range_problem(const Range *range)
{
    if (most_of(range) >= RANGE_END_MAX) {
        return "the ends of a range have fifteen digits at most";
    }
    if (range->high < range->low) {
        return "a range goes from the lower to the higher end";
    }
    if (range->is_factor && !(range->step > 1.0 && range->low > 0.0)) {
        return "a range by a factor begins above 0 and its factor is above 1";
    }
    if (!range->is_factor && !(range->step > 0.0)) {
        return "the step of a range is above 0";
    }
    return NULL;
}

static int digits_before_point(double value)
{
    const double tens = floor(log10(value));

    return (int)tens + 1;
}

/* To the last place that `most`, written with all digits that doubles have, has: steps such as 0.1
 * come out as they are written, also where they cross 0. */
static char *number_text(double value, double most)
{
    const int lost =
        fabs(value) > 0.0 ? digits_before_point(most) - digits_before_point(fabs(value)) : DIGITS;
    char digits[G_ASCII_DTOSTR_BUF_SIZE], shortest[G_ASCII_DTOSTR_BUF_SIZE];

    if (lost >= DIGITS) {
        return g_strdup("0");
    }
    g_autofree char *format = g_strdup_printf("%%.%dg", DIGITS - lost);
    (void)g_ascii_formatd(digits, sizeof digits, format, value);
    return g_strdup(tsim_encode_real_text(g_ascii_strtod(digits, NULL), shortest));
}

/* Up to one more than is allowed. */
static guint count_range(const Range *range)
{
    const double slack = 1e-9;
    const double span = range->is_factor ? log(range->high / range->low) / log(range->step)
                                         : (range->high - range->low) / range->step;

    return (guint)MIN(floor(span + slack), (double)TSIM_AXIS_LEVELS_MAX) + 1;
}

static void add_range(GPtrArray *values, const Range *range)
{
    const guint n = count_range(range);

    for (guint i = 0; i < n; i++) {
        const double value = range->is_factor ? range->low * pow(range->step, (double)i)
                                              : range->low + (double)i * range->step;
        const double most = range->is_factor ? value : most_of(range);
        g_ptr_array_add(values, number_text(value, most));
    }
}

/* ---- Axes ---- */

static char **parse_values(const char *text, const char *list, GError **error)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) items = split(list, ',');
    Range range;

    for (char **item = items; *item != NULL; item++) {
        if (**item == '\0') {
            (void)refuse(text, "a value is missing", error);
            return NULL;
        }
        if (!parse_range(*item, &range)) {
            g_ptr_array_add(values, g_strdup(*item));
            continue;
        }
        const char *problem = range_problem(&range);
        if (problem != NULL) {
            (void)refuse(text, problem, error);
            return NULL;
        }
        if (values->len + count_range(&range) > TSIM_AXIS_LEVELS_MAX) {
            (void)refuse(text, "more than a million values", error);
            return NULL;
        }
        add_range(values, &range);
    }
    g_ptr_array_add(values, NULL);
    return (char **)g_ptr_array_steal(values, NULL);
}

static gboolean add_key(TsimAxis *axis, const char *text, const char *part, GError **error)
{
    const char *equals = strchr(part, '=');

    if (equals == NULL || equals == part) {
        return refuse(text, "expected KEY=VALUES, such as patches_per_threadgroup=1:16", error);
    }
    char **values = parse_values(text, equals + 1, error);
    if (values == NULL) {
        return FALSE;
    }
    axis->keys[axis->keys_n] = g_strndup(part, (gsize)(equals - part));
    axis->values[axis->keys_n++] = values;
    const guint levels = g_strv_length(values);
    if (axis->keys_n > 1 && levels != axis->levels) {
        return refuse(text, "keys that change together need equally many values", error);
    }
    axis->levels = levels;
    return TRUE;
}

gboolean tsim_axis_parse(TsimAxis *ret_axis, const char *text, GError **error)
{
    g_auto(GStrv) parts = split(text, ';');
    const guint n = g_strv_length(parts);
    TsimAxis axis = {0, g_new0(char *, n + 1), g_new0(char **, n + 1), 0};

    for (char **part = parts; *part != NULL; part++) {
        if (!add_key(&axis, text, *part, error)) {
            tsim_axis_clear(&axis);
            return FALSE;
        }
    }
    *ret_axis = axis;
    return TRUE;
}

void tsim_axis_clear(TsimAxis *axis)
{
    for (guint i = 0; i < axis->keys_n; i++) {
        g_strfreev(axis->values[i]);
    }
    g_free(axis->values);
    g_strfreev(axis->keys);
    *axis = (TsimAxis){0};
}

static gboolean check_keys(const TsimAxis *axes, guint axes_n, guint replications, GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < axes_n; i++) {
        for (guint key = 0; key < axes[i].keys_n; key++) {
            if (!g_hash_table_add(seen, axes[i].keys[key])) {
                g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "--vary: %s is varied twice",
                            axes[i].keys[key]);
                return FALSE;
            }
        }
    }
    if (replications > 1 && g_hash_table_contains(seen, "seed")) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                            "--vary seed and --replications both set the seed");
        return FALSE;
    }
    return TRUE;
}

gboolean tsim_axes_check(const TsimAxis *axes, guint axes_n, guint replications,
                         uint64_t *ret_points, GError **error)
{
    uint64_t points = 1;

    for (guint i = 0; i < axes_n; i++) {
        if (points > POINTS_MAX / axes[i].levels) {
            g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                                "--vary: more settings than can be counted");
            return FALSE;
        }
        points *= axes[i].levels;
    }
    *ret_points = points;
    return check_keys(axes, axes_n, replications, error);
}

char *tsim_axis_set(const TsimAxis *axis, guint key, guint level)
{
    return g_strconcat(axis->keys[key], "=", axis->values[key][level], NULL);
}

char *tsim_axis_label(const TsimAxis *axis, guint level)
{
    GString *label = g_string_new(NULL);

    for (guint key = 0; key < axis->keys_n; key++) {
        g_string_append_printf(label, "%s%s=%s", key > 0 ? " " : "", axis->keys[key],
                               axis->values[key][level]);
    }
    return g_string_free(label, FALSE);
}
