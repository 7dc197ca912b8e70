#include "io/factor-csv.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define COLUMNS_MAX   6
#define EXCERPT_BYTES 32

typedef struct {
    const char *path;
    TsimDomain domain;
    TsimProblems *problems;
    size_t line;
    guint columns_n;
    guint slots[COLUMNS_MAX]; /* of each column: 0..3 edges, 4..5 insides */
} Reader;

static gboolean wrong(const Reader *reader, const char *line, const char *at, const char *got,
                      size_t length, const char *expected)
{
    g_autofree char *excerpt = g_utf8_make_valid(got, (gssize)MIN(length, EXCERPT_BYTES));
    g_autofree char *place =
        g_strdup_printf("%s:%zu:%zu", reader->path, reader->line, (size_t)(at - line) + 1);
    g_autofree char *text = length == 0
                                ? g_strdup_printf("got nothing, expected %s", expected)
                                : g_strdup_printf("got \"%s\"%s, expected %s", excerpt,
                                                  length > EXCERPT_BYTES ? "..." : "", expected);

    tsim_problems_add(reader->problems, TSIM_ERROR_INPUT, place, place, text);
    return FALSE;
}

/* One field of a line, without blanks around it. Returns the start of the next one, NULL behind the
 * last. */
static char *next_field(char *at, char **ret_start, size_t *ret_length)
{
    char *comma = strchr(at, ',');
    char *end = comma != NULL ? comma : at + strlen(at);

    while (at < end && g_ascii_isspace(*at)) {
        at++;
    }
    *ret_start = at;
    *ret_length = (size_t)(end - at);
    while (*ret_length > 0 && g_ascii_isspace(at[*ret_length - 1])) {
        (*ret_length)--;
    }
    return comma != NULL ? comma + 1 : NULL;
}

/* Place of a column's values in TsimTessFactors seen as six floats; COLUMNS_MAX when the domain has
 * no such column. */
static guint find_slot(TsimDomain domain, const char *name, size_t length)
{
    static const char *const names[COLUMNS_MAX] = {"edge0", "edge1",   "edge2",
                                                   "edge3", "inside0", "inside1"};

    for (guint i = 0; i < COLUMNS_MAX; i++) {
        const gboolean has = i < 4 ? i < tsim_tessellation_edge_factors(domain)
                                   : i - 4 < tsim_tessellation_inside_factors(domain);
        if (has && strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return i;
        }
    }
    return COLUMNS_MAX;
}

static const char *expected_header(TsimDomain domain)
{
    switch (domain) {
    case TSIM_DOMAIN_ISOLINE:
        return "the columns edge0,edge1 (density, detail), each once";
    case TSIM_DOMAIN_TRI:
        return "the columns edge0,edge1,edge2,inside0, each once";
    case TSIM_DOMAIN_QUAD:
    default:
        return "the columns edge0,edge1,edge2,edge3,inside0,inside1, each once";
    }
}

static gboolean read_header(Reader *reader, char *line)
{
    const guint needed = tsim_tessellation_edge_factors(reader->domain) +
                         tsim_tessellation_inside_factors(reader->domain);
    const char *expected = expected_header(reader->domain);
    gboolean seen[COLUMNS_MAX + 1] = {FALSE};
    char *next = line;

    while (next != NULL) {
        char *start;
        size_t length;
        next = next_field(next, &start, &length);
        const guint slot = find_slot(reader->domain, start, length);
        if (slot == COLUMNS_MAX || seen[slot]) {
            return wrong(reader, line, start, start, length, expected);
        }
        seen[slot] = TRUE;
        reader->slots[reader->columns_n++] = slot;
    }
    return reader->columns_n == needed || wrong(reader, line, line, line, strlen(line), expected);
}

static gboolean parse_factor(const char *start, size_t length, float *ret_factor)
{
    char *end;

    errno = 0;
    const double value = g_ascii_strtod(start, &end);
    *ret_factor = (float)value;
    return length > 0 && end == start + length && errno == 0 &&
           memchr(start, 'x', length) == NULL && memchr(start, 'X', length) == NULL &&
           (!isfinite(value) || fabs(value) <= (double)FLT_MAX);
}

static gboolean read_row(const Reader *reader, char *line, TsimTessFactors *factors)
{
    char *next = line;
    guint column = 0;
    gboolean ok = TRUE;

    for (; next != NULL && column < reader->columns_n; column++) {
        char *start;
        size_t length;
        float value;
        next = next_field(next, &start, &length);
        if (!parse_factor(start, length, &value)) {
            ok = wrong(reader, line, start, start, length,
                       "a decimal number within 3.4e38, nan or inf");
        }
        const guint slot = reader->slots[column];
        *(slot < 4 ? &factors->edge[slot] : &factors->inside[slot - 4]) = value;
    }
    if (next != NULL || column < reader->columns_n) {
        return wrong(reader, line, next != NULL ? next : line + strlen(line), line, strlen(line),
                     "as many values as there are columns");
    }
    return ok;
}

/* Ends the line and returns what comes behind it; NULL behind the last. */
static char *end_line(char *line)
{
    char *end = strchr(line, '\n');

    if (end != NULL) {
        *end = '\0';
    }
    line[strcspn(line, "\r")] = '\0';
    return end != NULL && end[1] != '\0' ? end + 1 : NULL;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;

    for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(end + 1, '\n')) {
        n++;
    }
    return n;
}

static gboolean read_lines(Reader *reader, char *text, GArray *rows)
{
    char *next = text;
    gboolean ok = TRUE;

    while (next != NULL && reader->problems->more == 0) {
        TsimTessFactors factors = {0};
        char *line = next;
        next = end_line(line);
        reader->line++;
        if (reader->line == 1) {
            if (!read_header(reader, line)) {
                return FALSE;
            }
        } else if (*line != '\0') {
            ok &= read_row(reader, line, &factors);
            g_array_append_val(rows, factors);
        }
    }
    return ok;
}

TsimTessFactors *tsim_factor_csv_parse(const char *path, char *text, size_t bytes,
                                       TsimDomain domain, TsimProblems *problems,
                                       uint64_t *ret_count)
{
    Reader reader = {.path = path, .domain = domain, .problems = problems};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(TsimTessFactors));

    if (strlen(text) < bytes) {
        reader.line = 1 + count_lines(text);
        (void)wrong(&reader, text, text, "\\0", 2, "text without zero bytes");
        g_array_unref(rows);
        return NULL;
    }
    if (!read_lines(&reader, g_str_has_prefix(text, "\xef\xbb\xbf") ? text + 3 : text, rows)) {
        g_array_unref(rows);
        return NULL;
    }
    *ret_count = rows->len;
    g_array_set_size(rows, MAX(rows->len, 1)); /* so that none is no NULL */
    return (TsimTessFactors *)(void *)g_array_free(rows, FALSE);
}
