/* A page of text for a terminal: width, colours, block characters and their ASCII stand-ins.
 *
 * Numbers are written in the same way in every locale. Widths are columns. Text that comes from
 * users goes through tsim_page_clean first: it may hold control characters.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_PAGE_COLUMNS_MIN 72
#define TSIM_PAGE_COLUMNS_MAX 120

typedef enum {
    TSIM_INK_PLAIN,
    TSIM_INK_STRONG, /* titles */
    TSIM_INK_FAINT,  /* units, axes, asides */
    TSIM_INK_BAR,
    TSIM_INK_GOOD,
    TSIM_INK_ALERT,
    TSIM_INKS,
} TsimInk;

typedef struct {
    GString *text;
    guint columns;
    gboolean color, utf8;
} TsimPage;

/* columns 0: 80; others are brought into the range that pages are laid out for. */
void tsim_page_init(TsimPage *page, guint columns, gboolean color, gboolean utf8);
char *tsim_page_finish(TsimPage *page); /* the text, for the caller */

void tsim_page_print(TsimPage *page, TsimInk ink, const char *text);
void tsim_page_printf(TsimPage *page, TsimInk ink, const char *format, ...) G_GNUC_PRINTF(3, 4);
void tsim_page_spaces(TsimPage *page, guint n);
void tsim_page_line(TsimPage *page); /* ends the line */
void tsim_page_rule(TsimPage *page); /* a line across the page */

/* A cell of `width` columns; longer text is not cut. */
void tsim_page_left(TsimPage *page, TsimInk ink, guint width, const char *text);
void tsim_page_right(TsimPage *page, TsimInk ink, guint width, const char *text);

/* Words up to the right margin; lines after the first begin at column `indent`, where the cursor
 * already is. Ends the line. */
void tsim_page_wrap(TsimPage *page, TsimInk ink, guint indent, const char *text);

/* A bar: solid up to `value`, shaded up to `reach`, both 0..1 of `width`. */
void tsim_page_bar(TsimPage *page, guint width, double value, double reach);

/* One character a value, its height being value / full. */
void tsim_page_sparkline(TsimPage *page, const double *values, guint n, double full);

guint tsim_page_width(const char *text); /* columns that it takes on a terminal */

/* Words of the page's character set. */
const char *tsim_page_times(const TsimPage *page); /* multiplication sign */
const char *tsim_page_micro(const TsimPage *page); /* micro prefix */
const char *tsim_page_arrow(const TsimPage *page); /* points to what matters */

/* ---- Numbers as people read them; the caller frees them ---- */

char *tsim_text_count(uint64_t count);                                         /* 1,234,567 */
char *tsim_text_range(uint32_t least, uint32_t most);                          /* 3-4, 2 */
char *tsim_text_things(uint64_t count, const char *thing, const char *things); /* 2 patches */
char *tsim_text_fixed(double value, int decimals);                             /* 12.5 */
char *tsim_text_percent(double share);                                         /* 12.5% */
char *tsim_text_bytes(double bytes);                                           /* 512 B, 26.4 KiB */
char *tsim_text_rate(double per_second);                                       /* 1.83 G */
char *tsim_text_us(const TsimPage *page, double us); /* 12.3 us, 1.234 ms */

/* The text without control characters, which could talk to the terminal. */
char *tsim_page_clean(const char *text);
