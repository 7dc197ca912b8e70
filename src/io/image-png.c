#include "base/error.h"
#include "io/image.h"

#include <png.h>
#include <string.h>

GString *tsim_image_to_png(const TsimImage *image, GError **error)
{
    png_image png = {
        .version = PNG_IMAGE_VERSION,
        .width = image->width,
        .height = image->height,
        .format = PNG_FORMAT_RGB,
    };
    png_alloc_size_t size_bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
    GString *out = g_string_sized_new(size_bytes);

    G_STATIC_ASSERT(sizeof(TsimColour) == 3);
    if (png_image_write_to_memory(&png, out->str, &size_bytes, 0, image->pixels, 0, NULL) == 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "a PNG image of %u x %u pixels: %s",
                    image->width, image->height, png.message);
        (void)g_string_free(out, TRUE);
        return NULL;
    }
    g_string_set_size(out, size_bytes);
    return out;
}
