/* A self-contained HTML page, piece by piece: escaped text, the style sheets and scripts that lie
 * in src/io/report, and data that those scripts unpack.
 *
 * Everything is appended to a GString of the caller. Opens without a network.
 */
#pragma once

#include <glib.h>

/* title and description are plain text; description may be NULL. Ends inside <header>. */
void tsim_html_begin(GString *html, const char *title, const char *description);
/* Goes from the header to the body of the page. */
void tsim_html_main(GString *html);
/* scripts: resources in the order in which they run, NULL-terminated. */
void tsim_html_end(GString *html, const char *const *scripts);

void tsim_html_text(GString *html, const char *text); /* escaped */

/* <tag>text</tag>; the tag may carry attributes: "td class=\"n\"". */
void tsim_html_element(GString *html, const char *tag, const char *text);

/* A file of src/io/report, as it is. */
void tsim_html_resource(GString *html, const char *name);

/* Data for scripts, compressed: unpack(id) of report/page.js returns it. */
void tsim_html_data(GString *html, const char *id, const void *data, size_t bytes);

/* TSIM_ERROR_USAGE unless the name ends in .html or .htm. */
gboolean tsim_html_check(const char *path, GError **error);
