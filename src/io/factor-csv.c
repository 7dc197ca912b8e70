#include "io/factor-csv.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
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
    return length > 0 && end == start + length &&
           (!isfinite(value) || (errno == 0 && fabs(value) <= (double)FLT_MAX));
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
            ok = wrong(reader, line, start, start, length, "a number, nan or inf");
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

/* The line without its end; a byte-order mark is passed over. */
static char *trim(const Reader *reader, char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    return reader->line == 1 && g_str_has_prefix(line, "\xef\xbb\xbf") ? line + 3 : line;
}

static gboolean read_lines(Reader *reader, FILE *stream, GArray *rows)
{
    char *line = NULL;
    size_t size = 0;
    gboolean ok = TRUE;

    while (reader->problems->more == 0 && getline(&line, &size, stream) >= 0) {
        TsimTessFactors factors = {0};
        reader->line++;
        char *text = trim(reader, line);
        if (reader->line == 1) {
            if (!read_header(reader, text)) {
                ok = FALSE;
                break;
            }
        } else if (*text != '\0') {
            ok &= read_row(reader, text, &factors);
            g_array_append_val(rows, factors);
        }
    }
    free(line);
    return ok;
}

static gboolean cannot_read(const Reader *reader, int code)
{
    g_autofree char *text = g_strdup_printf("cannot be read: %s", g_strerror(code));

    tsim_problems_add(reader->problems, TSIM_ERROR_IO, reader->path, reader->path, text);
    return FALSE;
}

static gboolean read_file(Reader *reader, GArray *rows)
{
    FILE *stream = fopen(reader->path, "rb");

    if (stream == NULL) {
        return cannot_read(reader, errno);
    }
    errno = 0;
    gboolean ok = read_lines(reader, stream, rows);
    if (ferror(stream)) {
        ok = cannot_read(reader, errno);
    } else if (reader->line == 0) {
        reader->line = 1;
        ok = wrong(reader, "", "", "", 0, expected_header(reader->domain));
    }
    (void)fclose(stream);
    return ok;
}

TsimTessFactors *tsim_factor_csv_read(const char *path, TsimDomain domain, TsimProblems *problems,
                                      uint64_t *ret_count)
{
    Reader reader = {.path = path, .domain = domain, .problems = problems};
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(TsimTessFactors));

    if (!read_file(&reader, rows)) {
        g_array_unref(rows);
        return NULL;
    }
    *ret_count = rows->len;
    g_array_set_size(rows, MAX(rows->len, 1)); /* so that none is no NULL */
    return (TsimTessFactors *)(void *)g_array_free(rows, FALSE);
}
