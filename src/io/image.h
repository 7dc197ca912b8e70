/* Small RGB images, for dumps of maps.
 *
 * Eight bits a channel, row by row from the upper left. Files appear whole or not at all. The
 * caller owns images. Errors: TSIM_ERROR_IO.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef struct {
    uint8_t red, green, blue;
} TsimColour;

typedef struct {
    uint32_t width, height;
    TsimColour *pixels;
} TsimImage;

TsimImage *tsim_image_new(uint32_t width, uint32_t height, TsimColour background);
void tsim_image_free(TsimImage *image); /* NULL is fine */

/* What lies outside of the image is left out. */
void tsim_image_fill(TsimImage *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                     TsimColour colour);

#define TSIM_IMAGE_GLYPH_WIDTH  4u /* with the gap to the next */
#define TSIM_IMAGE_GLYPH_HEIGHT 5u

/* Digits, '.' and '-' in 3x5 dots, each dot scale x scale pixels; other characters are blanks. */
void tsim_image_text(TsimImage *image, uint32_t x, uint32_t y, uint32_t scale, const char *text,
                     TsimColour colour);

/* Binary PPM (P6). The same image as PGM (P5) carries the red channel alone. */
GString *tsim_image_to_ppm(const TsimImage *image);
GString *tsim_image_to_pgm(const TsimImage *image);

/* RGB; NULL and TSIM_ERROR_IO when libpng cannot. */
GString *tsim_image_to_png(const TsimImage *image, GError **error);

/* .png or .pgm by suffix, else PPM. */
gboolean tsim_image_write(const TsimImage *image, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimImage, tsim_image_free)
