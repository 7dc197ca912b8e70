#include "io/html.h"

#include "base/error.h"

#include <gio/gio.h>
#include <string.h>

/* Written by glib-compile-resources: the files of src/io/report. */
GResource *tsim_report_get_resource(void);

void tsim_html_text(GString *html, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    g_string_append(html, escaped);
}

void tsim_html_element(GString *html, const char *tag, const char *text)
{
    const int name_bytes = (int)strcspn(tag, " ");

    g_string_append_printf(html, "<%s>", tag);
    tsim_html_text(html, text);
    g_string_append_printf(html, "</%.*s>\n", name_bytes, tag);
}

void tsim_html_resource(GString *html, const char *name)
{
    g_autofree char *path = g_strconcat("/tesssim/", name, NULL);
    g_autoptr(GBytes) bytes = g_resource_lookup_data(tsim_report_get_resource(), path,
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

    TSIM_ASSERT(bytes != NULL);
    g_string_append_len(html, g_bytes_get_data(bytes, NULL), (gssize)g_bytes_get_size(bytes));
}

/* Compressed, in base64. */
static char *pack(const void *data, size_t bytes)
{
    g_autoptr(GZlibCompressor) gzip = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9);
    g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
    g_autoptr(GOutputStream) stream = g_converter_output_stream_new(memory, G_CONVERTER(gzip));

    /* Memory takes everything. */
    (void)g_output_stream_write_all(stream, data, bytes, NULL, NULL, NULL);
    (void)g_output_stream_close(stream, NULL, NULL);
    GMemoryOutputStream *packed = G_MEMORY_OUTPUT_STREAM(memory);
    return g_base64_encode(g_memory_output_stream_get_data(packed),
                           g_memory_output_stream_get_data_size(packed));
}

void tsim_html_data(GString *html, const char *id, const void *data, size_t bytes)
{
    g_autofree char *packed = pack(data, bytes);

    g_string_append_printf(html, "<script type=\"text/plain\" id=\"%s\">%s</script>\n", id, packed);
}

void tsim_html_begin(GString *html, const char *title, const char *description)
{
    g_string_append(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, "
                          "initial-scale=1\">\n"
                          "<meta name=\"generator\" content=\"tesssim " TSIM_VERSION "\">\n"
                          "<link rel=\"icon\" href=\"data:,\">\n");
    tsim_html_element(html, "title", title);
    g_string_append(html, "<!-- uPlot:\n");
    tsim_html_resource(html, "uplot-licence");
    g_string_append(html, "-->\n<style>\n");
    tsim_html_resource(html, "uplot.css");
    tsim_html_resource(html, "page.css");
    g_string_append(html, "</style>\n</head>\n<body>\n<header>\n");
    tsim_html_element(html, "h1", title);
    if (description != NULL) {
        tsim_html_element(html, "p", description);
    }
}

void tsim_html_main(GString *html)
{
    g_string_append(html, "</header>\n<main>\n<noscript><p>The pictures need a browser that runs "
                          "the page's own script.</p></noscript>\n");
}

void tsim_html_end(GString *html, const char *const *scripts)
{
    g_string_append(html, "</main>\n<footer><p class=\"aside\">Made by tesssim " TSIM_VERSION
                          ". Charts by uPlot (MIT licence).</p></footer>\n");
    for (; *scripts != NULL; scripts++) {
        g_string_append(html, "<script>\n");
        tsim_html_resource(html, *scripts);
        g_string_append(html, "</script>\n");
    }
    g_string_append(html, "</body>\n</html>\n");
}

gboolean tsim_html_check(const char *path, GError **error)
{
    if (g_str_has_suffix(path, ".html") || g_str_has_suffix(path, ".htm")) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE, "%s: a report is a .html file", path);
    return FALSE;
}
