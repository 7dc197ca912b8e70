/* Stands in for io/plot.c where there is no Cairo. */
#include "base/error.h"
#include "io/plot.h"

gboolean tsim_plot_file_check(const char *path, GError **error)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "%s: this tesssim was built without Cairo and draws no plots", path);
    return FALSE;
}

gboolean tsim_plot_file_write(const TsimPlotSide *sides, uint32_t sides_n, const char *path,
                              GError **error)
{
    (void)sides;
    (void)sides_n;
    return tsim_plot_file_check(path, error);
}
