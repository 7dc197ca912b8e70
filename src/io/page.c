#include "io/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const ink_codes[TSIM_INKS] = {
    [TSIM_INK_STRONG] = "\033[1m", [TSIM_INK_FAINT] = "\033[2m",  [TSIM_INK_BAR] = "\033[36m",
    [TSIM_INK_GOOD] = "\033[32m",  [TSIM_INK_ALERT] = "\033[33m",
};

#define INK_OFF "\033[0m"

#define SPARK_LEVELS 8 /* besides the blank */

static const char *const spark_blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const spark_ascii[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};

void tsim_page_init(TsimPage *page, guint columns, gboolean color, gboolean utf8)
{
    *page = (TsimPage){
        .text = g_string_new(NULL),
        .columns = CLAMP(columns == 0 ? 80 : columns, TSIM_PAGE_COLUMNS_MIN, TSIM_PAGE_COLUMNS_MAX),
        .color = color,
        .utf8 = utf8,
    };
}

char *tsim_page_finish(TsimPage *page)
{
    return g_string_free(g_steal_pointer(&page->text), FALSE);
}

const char *tsim_page_times(const TsimPage *page)
{
    return page->utf8 ? "×" : "x";
}

const char *tsim_page_micro(const TsimPage *page)
{
    return page->utf8 ? "µ" : "u";
}

const char *tsim_page_arrow(const TsimPage *page)
{
    return page->utf8 ? "▶" : ">";
}

/* ---- Writing ---- */

static void begin_ink(TsimPage *page, TsimInk ink)
{
    if (page->color && ink_codes[ink] != NULL) {
        g_string_append(page->text, ink_codes[ink]);
    }
}

static void end_ink(TsimPage *page, TsimInk ink)
{
    if (page->color && ink_codes[ink] != NULL) {
        g_string_append(page->text, INK_OFF);
    }
}

void tsim_page_print(TsimPage *page, TsimInk ink, const char *text)
{
    begin_ink(page, ink);
    g_string_append(page->text, text);
    end_ink(page, ink);
}

void tsim_page_printf(TsimPage *page, TsimInk ink, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    begin_ink(page, ink);
    g_string_append_vprintf(page->text, format, arguments);
    end_ink(page, ink);
    va_end(arguments);
}

void tsim_page_spaces(TsimPage *page, guint n)
{
    for (; n > 0; n--) {
        g_string_append_c(page->text, ' ');
    }
}

/* Cells and bars may leave blanks before the end of a line; nobody wants to copy those. */
void tsim_page_line(TsimPage *page)
{
    GString *text = page->text;

    while (text->len > 0 && text->str[text->len - 1] == ' ') {
        g_string_truncate(text, text->len - 1);
    }
    g_string_append_c(text, '\n');
}

void tsim_page_rule(TsimPage *page)
{
    begin_ink(page, TSIM_INK_FAINT);
    for (guint i = 0; i < page->columns; i++) {
        g_string_append(page->text, page->utf8 ? "─" : "-");
    }
    end_ink(page, TSIM_INK_FAINT);
    tsim_page_line(page);
}

guint tsim_page_width(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_find_next_char(text, NULL)) {
        const gunichar character = g_utf8_get_char(text);
        if (!g_unichar_iszerowidth(character)) {
            width += g_unichar_iswide(character) ? 2 : 1;
        }
    }
    return width;
}

static void pad_to(TsimPage *page, guint width, const char *text)
{
    const guint taken = tsim_page_width(text);

    tsim_page_spaces(page, taken < width ? width - taken : 0);
}

void tsim_page_left(TsimPage *page, TsimInk ink, guint width, const char *text)
{
    tsim_page_print(page, ink, text);
    pad_to(page, width, text);
}

void tsim_page_right(TsimPage *page, TsimInk ink, guint width, const char *text)
{
    pad_to(page, width, text);
    tsim_page_print(page, ink, text);
}

void tsim_page_wrap(TsimPage *page, TsimInk ink, guint indent, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    guint column = indent;

    begin_ink(page, ink);
    for (char **word = words; *word != NULL; word++) {
        const guint width = tsim_page_width(*word);
        if (column > indent && column + 1 + width > page->columns) {
            tsim_page_line(page);
            tsim_page_spaces(page, indent);
            column = indent;
        } else if (column > indent) {
            tsim_page_spaces(page, 1);
            column++;
        }
        g_string_append(page->text, *word);
        column += width;
    }
    end_ink(page, ink);
    tsim_page_line(page);
}

/* ---- Pictures ---- */

/* A run of cells; none leaves no colour codes either, so that blanks at the end of a line go. */
static void print_cells(TsimPage *page, const char *cell, guint n)
{
    if (n == 0) {
        return;
    }
    begin_ink(page, TSIM_INK_BAR);
    for (guint i = 0; i < n; i++) {
        g_string_append(page->text, cell);
    }
    end_ink(page, TSIM_INK_BAR);
}

static guint cells(double share, guint width)
{
    return (guint)lround(CLAMP(share, 0.0, 1.0) * width);
}

void tsim_page_bar(TsimPage *page, guint width, double value, double reach)
{
    const guint solid = cells(value, width);
    const guint shaded = MAX(cells(reach, width), solid);

    print_cells(page, page->utf8 ? "█" : "#", solid);
    print_cells(page, page->utf8 ? "░" : "-", shaded - solid);
    tsim_page_spaces(page, width - shaded);
}

/* What is not zero shows. */
static guint spark_level(double value, double full)
{
    const double level = full > 0.0 ? ceil(CLAMP(value / full, 0.0, 1.0) * SPARK_LEVELS) : 0.0;

    return (guint)level;
}

void tsim_page_sparkline(TsimPage *page, const double *values, guint n, double full)
{
    const char *const *levels = page->utf8 ? spark_blocks : spark_ascii;

    for (guint i = 0; i < n;) {
        const guint level = spark_level(values[i], full);
        guint same = 1;
        while (i + same < n && spark_level(values[i + same], full) == level) {
            same++;
        }
        if (level == 0) {
            tsim_page_spaces(page, same);
        } else {
            print_cells(page, levels[level], same);
        }
        i += same;
    }
}

/* ---- Numbers ---- */

char *tsim_text_count(uint64_t count)
{
    g_autofree char *digits = g_strdup_printf("%" PRIu64, count);
    const size_t length = strlen(digits);
    GString *text = g_string_new(NULL);

    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            g_string_append_c(text, ',');
        }
        g_string_append_c(text, digits[i]);
    }
    return g_string_free(text, FALSE);
}

char *tsim_text_fixed(double value, int decimals)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    char format[8];

    (void)g_snprintf(format, sizeof format, "%%.%df", decimals);
    return g_strdup(g_ascii_formatd(text, (int)sizeof text, format, value));
}

char *tsim_text_percent(double share)
{
    g_autofree char *number = tsim_text_fixed(100.0 * share, 1);

    return g_strconcat(number, "%", NULL);
}

/* At least three digits that count, but none behind the point of a whole number. */
static char *three_digits(double value)
{
    return tsim_text_fixed(value, value >= 99.95 || value <= floor(value) ? 0
                                  : value < 9.995                         ? 2
                                                                          : 1);
}

/* "1.83 G": the value with the largest prefix that leaves at least 1 before the point. */
static char *with_prefix(double value, double step, const char *const *prefixes)
{
    while (value >= 0.9995 * step && prefixes[1] != NULL) {
        value /= step;
        prefixes++;
    }
    g_autofree char *number = three_digits(value);
    return g_strconcat(number, " ", *prefixes, NULL);
}

char *tsim_text_bytes(double bytes)
{
    static const char *const prefixes[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};

    return with_prefix(bytes < 1024.0 ? round(bytes) : bytes, 1024.0, prefixes);
}

char *tsim_text_rate(double per_second)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", NULL};

    return g_strchomp(with_prefix(per_second, 1000.0, prefixes));
}

char *tsim_text_range(uint32_t least, uint32_t most)
{
    return least == most ? g_strdup_printf("%u", least) : g_strdup_printf("%u-%u", least, most);
}

char *tsim_text_things(uint64_t count, const char *thing, const char *things)
{
    g_autofree char *number = tsim_text_count(count);

    return g_strconcat(number, " ", count == 1 ? thing : things, NULL);
}

char *tsim_text_us(const TsimPage *page, double us)
{
    g_autofree char *number = tsim_text_fixed(us < 1000.0 ? us : us / 1000.0, 3);

    return g_strconcat(number, " ", us < 1000.0 ? tsim_page_micro(page) : "m", "s", NULL);
}

char *tsim_page_clean(const char *text)
{
    GString *clean = g_string_new(NULL);

    for (; *text != '\0'; text = g_utf8_find_next_char(text, NULL)) {
        const gunichar character = g_utf8_get_char(text);
        g_string_append_unichar(clean, g_unichar_iscntrl(character) ? ' ' : character);
    }
    return g_string_free(clean, FALSE);
}
