#include "io/timeline-file.h"

#include "base/error.h"

typedef gboolean (*Write)(TsimTimeline *timeline, const char *path, GError **error);

static Write find_writer(const char *path, GError **error)
{
    static const struct {
        const char *extension;
        Write write;
    } formats[] = {
        {".pftrace", tsim_timeline_write_pftrace},
        {".json", tsim_timeline_write_json},
        {".vcd", tsim_timeline_write_vcd},
        {".csv", tsim_timeline_write_csv},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_has_suffix(path, formats[i].extension)) {
            return formats[i].write;
        }
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "%s: a timeline is a .pftrace, .json, .vcd or .csv file", path);
    return NULL;
}

gboolean tsim_timeline_file_check(const char *path, GError **error)
{
    return find_writer(path, error) != NULL;
}

gboolean tsim_timeline_file_write(TsimTimeline *timeline, const char *path, GError **error)
{
    const Write write = find_writer(path, error);

    return write != NULL && write(timeline, path, error);
}
