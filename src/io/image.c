#include "io/image.h"

#include "base/error.h"
#include "base/file-sink.h"

#include <string.h>

TsimImage *tsim_image_new(uint32_t width, uint32_t height, TsimColour background)
{
    TsimImage *image = g_new(TsimImage, 1);

    image->width = width;
    image->height = height;
    image->pixels = g_new(TsimColour, (size_t)width * height);
    tsim_image_fill(image, 0, 0, width, height, background);
    return image;
}

void tsim_image_free(TsimImage *image)
{
    if (image == NULL) {
        return;
    }
    g_free(image->pixels);
    g_free(image);
}

void tsim_image_fill(TsimImage *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     TsimColour colour)
{
    const uint64_t right = MIN((uint64_t)x + width, image->width);
    const uint64_t bottom = MIN((uint64_t)y + height, image->height);

    for (uint64_t py = y; py < bottom; py++) {
        for (uint64_t px = x; px < right; px++) {
            image->pixels[py * image->width + px] = colour;
        }
    }
}

/* Five rows of three dots, the first row in the highest bits. */
static uint32_t glyph(char character)
{
    static const uint16_t digits[10] = {
        0x7b6f, /* 111 101 101 101 111 */
        0x2c97, /* 010 110 010 010 111 */
        0x73e7, /* 111 001 111 100 111 */
        0x73cf, /* 111 001 111 001 111 */
        0x5bc9, /* 101 101 111 001 001 */
        0x79cf, /* 111 100 111 001 111 */
        0x79ef, /* 111 100 111 101 111 */
        0x7249, /* 111 001 001 001 001 */
        0x7bef, /* 111 101 111 101 111 */
        0x7bcf, /* 111 101 111 001 111 */
    };

    if (character >= '0' && character <= '9') {
        return digits[character - '0'];
    }
    return character == '-' ? 0x01c0 : character == '.' ? 0x0002 : 0;
}

void tsim_image_text(TsimImage *image, uint32_t x, uint32_t y, uint32_t scale, const char *text,
                     TsimColour colour)
{
    for (; *text != '\0'; text++, x += TSIM_IMAGE_GLYPH_WIDTH * scale) {
        const uint32_t dots = glyph(*text);

        for (uint32_t i = 0; i < 15; i++) {
            if ((dots >> (14 - i) & 1) != 0) {
                tsim_image_fill(image, x + i % 3 * scale, y + i / 3 * scale, scale, scale, colour);
            }
        }
    }
}

static GString *begin(const TsimImage *image, const char *magic)
{
    GString *out = g_string_new(NULL);

    g_string_append_printf(out, "%s\n%u %u\n255\n", magic, image->width, image->height);
    return out;
}

GString *tsim_image_to_ppm(const TsimImage *image)
{
    GString *out = begin(image, "P6");

    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const TsimColour colour = image->pixels[i];
        const char bytes[3] = {(char)colour.red, (char)colour.green, (char)colour.blue};

        g_string_append_len(out, bytes, 3);
    }
    return out;
}

GString *tsim_image_to_pgm(const TsimImage *image)
{
    GString *out = begin(image, "P5");

    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const char byte = (char)image->pixels[i].red;

        g_string_append_len(out, &byte, 1);
    }
    return out;
}

static GString *encode(const TsimImage *image, const char *path, GError **error)
{
    if (g_str_has_suffix(path, ".png")) {
        return tsim_image_to_png(image, error);
    }
    return g_str_has_suffix(path, ".pgm") ? tsim_image_to_pgm(image) : tsim_image_to_ppm(image);
}

gboolean tsim_image_write(const TsimImage *image, const char *path, GError **error)
{
    g_autoptr(GString) data = encode(image, path, error);

    return data != NULL && tsim_file_sink_write(path, data->str, data->len, error);
}
