#include "io/feedback-files.h"

#include "base/error.h"
#include "base/file-sink.h"

#include <string.h>

typedef enum {
    SUFFIX_PNG,
    SUFFIX_PPM,
    SUFFIX_PGM,
    SUFFIX_JSON,
} Suffix;

static const char *const suffixes[] = {"png", "ppm", "pgm", "json", NULL};

/* -1, with an error, when there is no such format. */
static int suffix_of(const char *path, GError **error)
{
    const char *dot = strrchr(path, '.');

    for (int i = 0; dot != NULL && suffixes[i] != NULL; i++) {
        if (strcmp(dot + 1, suffixes[i]) == 0) {
            return i;
        }
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "a map is dumped to .png, .ppm, .pgm or .json, not to \"%s\"", path);
    return -1;
}

static gboolean check(const TsimFeedbackTrace *trace, const TsimFeedbackFiles *files,
                      GError **error)
{
    const uint32_t levels = tsim_feedback_trace_map(trace)->descriptor.levels;

    if (files->residency && !trace->has_residency) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "there is no residency map: the work item has no \"residency\"");
        return FALSE;
    }
    if (files->level >= levels) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "there is no level %u: the map has %u, from 0 on", files->level, levels);
        return FALSE;
    }
    return TRUE;
}

static uint32_t zoom_for(const TsimFeedbackFiles *files, uint32_t width)
{
    return files->zoom > 0 ? files->zoom : tsim_feedback_dump_zoom(width);
}

static TsimImage *draw(const TsimFeedbackTrace *trace, const TsimFeedbackFiles *files,
                       Suffix suffix)
{
    const TsimFeedbackMap *map = tsim_feedback_trace_map(trace);

    if (files->residency) {
        const TsimResidencyMap residency = tsim_feedback_stream_residency(trace->stream);
        return tsim_feedback_dump_residency(&residency,
                                            tsim_feedback_stream_packed_mip(trace->stream),
                                            zoom_for(files, residency.size[0]));
    }
    if (suffix == SUFFIX_PGM) {
        return tsim_feedback_dump_grey(map, files->level, 0);
    }
    return tsim_feedback_dump_colour(map, files->level, 0,
                                     zoom_for(files, map->levels[files->level].width));
}

static gboolean write_json(const TsimFeedbackMap *map, const char *path, GError **error)
{
    g_autoptr(GString) json = tsim_feedback_dump_json(map);

    g_string_append_c(json, '\n');
    return tsim_file_sink_write(path, json->str, json->len, error);
}

static gboolean write_file(const TsimFeedbackTrace *trace, const TsimFeedbackFiles *files,
                           const char *path, GError **error)
{
    const int suffix = suffix_of(path, error);

    if (suffix < 0) {
        return FALSE;
    }
    if (suffix != SUFFIX_JSON) {
        g_autoptr(TsimImage) image = draw(trace, files, (Suffix)suffix);
        return tsim_image_write(image, path, error);
    }
    if (files->residency) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "the residency map is dumped as an image, not to \"%s\"", path);
        return FALSE;
    }
    return write_json(tsim_feedback_trace_map(trace), path, error);
}

gboolean tsim_feedback_files_write(const TsimFeedbackTrace *trace, const TsimFeedbackFiles *files,
                                   GError **error)
{
    if (!check(trace, files, error)) {
        return FALSE;
    }
    for (const char *const *path = files->paths; path != NULL && *path != NULL; path++) {
        if (!write_file(trace, files, *path, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
