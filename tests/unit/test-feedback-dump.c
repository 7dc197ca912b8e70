/* io/image.h and io/feedback-dump.h: formats byte by byte, colours, legend, JSON. */
#include "base/error.h"
#include "io/feedback-dump.h"

#include <string.h>

static const TsimColour black = {0, 0, 0};
static const TsimColour white = {255, 255, 255};

static TsimColour pixel(const TsimImage *image, uint32_t x, uint32_t y)
{
    return image->pixels[y * image->width + x];
}

static gboolean same(TsimColour a, TsimColour b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static void test_formats(void)
{
    g_autoptr(TsimImage) image = tsim_image_new(2, 1, black);

    tsim_image_fill(image, 1, 0, 9, 9, (TsimColour){1, 2, 3}); /* cut to the image */

    g_autoptr(GString) ppm = tsim_image_to_ppm(image);
    g_autoptr(GString) pgm = tsim_image_to_pgm(image);
    static const char expected_ppm[] = "P6\n2 1\n255\n\0\0\0\1\2\3";
    static const char expected_pgm[] = "P5\n2 1\n255\n\0\1";

    g_assert_cmpuint(ppm->len, ==, sizeof(expected_ppm) - 1);
    g_assert_true(memcmp(ppm->str, expected_ppm, ppm->len) == 0);
    g_assert_cmpuint(pgm->len, ==, sizeof(expected_pgm) - 1);
    g_assert_true(memcmp(pgm->str, expected_pgm, pgm->len) == 0);
}

static void test_text(void)
{
    static const char *const rows[5] = {"###.", "..#.", "###.", "#...", "###."};
    g_autoptr(TsimImage) image = tsim_image_new(4, 5, white);

    tsim_image_text(image, 0, 0, 1, "2", black);
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t x = 0; x < 4; x++) {
            g_assert_true(same(pixel(image, x, y), rows[y][x] == '#' ? black : white));
        }
    }
}

static void test_write_error(void)
{
    g_autoptr(TsimImage) image = tsim_image_new(1, 1, black);
    g_autoptr(GError) error = NULL;

    g_assert_false(tsim_image_write(image, "no-such-folder/image.ppm", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT);
}

static TsimFeedbackMap *make_map(TsimFeedbackKind kind)
{
    const TsimTexture texture = {TSIM_TEXTURE_2D, 64, 32, 1, 1, 6, 1};
    TsimFeedbackDescriptor descriptor;

    g_assert_true(tsim_feedback_descriptor_init(&descriptor, &texture, kind, 16, 16, NULL));
    return tsim_feedback_map_new(&descriptor, NULL);
}

/* A map of 4 x 2 at zoom 3: the legend (mips 0 to 5 and none, 24 pixels each) is the wider. */
static void test_colour(void)
{
    g_autoptr(TsimFeedbackMap) map = make_map(TSIM_FEEDBACK_MINMIP);

    tsim_feedback_map_set(map, (TsimFeedbackTexel){1, 1, 0, 0}, 0);
    tsim_feedback_map_set(map, (TsimFeedbackTexel){2, 1, 0, 0}, 5 << 3);

    g_autoptr(TsimImage) image = tsim_feedback_dump_colour(map, 0, 0, 3);
    const uint32_t legend = image->height - 24;

    g_assert_cmpuint(image->width, ==, 7 * 24);
    g_assert_cmpuint(image->height, ==, 2 * 3 + 28);
    g_assert_true(same(pixel(image, 3, 3), pixel(image, 0, legend)));
    g_assert_true(same(pixel(image, 5, 5), pixel(image, 0, legend)));
    g_assert_true(same(pixel(image, 6, 3), pixel(image, 5 * 24, legend)));
    g_assert_true(same(pixel(image, 0, 0), pixel(image, 6 * 24, legend)));
    g_assert_true(same(pixel(image, 12, 0), white)); /* beside the map */
    g_assert_false(same(pixel(image, 3, 3), pixel(image, 6, 3)));
}

static void test_used(void)
{
    g_autoptr(TsimFeedbackMap) map = make_map(TSIM_FEEDBACK_MIP_REGION_USED);

    tsim_feedback_map_set(map, (TsimFeedbackTexel){1, 0, 0, 1}, 255);

    g_autoptr(TsimImage) image = tsim_feedback_dump_colour(map, 1, 0, 1);
    g_autoptr(TsimImage) grey = tsim_feedback_dump_grey(map, 1, 0);

    g_assert_true(same(pixel(image, 1, 0), pixel(image, 24, image->height - 24)));
    g_assert_cmpuint(grey->width, ==, 2);
    g_assert_cmpuint(grey->height, ==, 1);
    g_assert_true(same(pixel(grey, 0, 0), black));
    g_assert_true(same(pixel(grey, 1, 0), white));
}

static void test_residency(void)
{
    const uint8_t bytes[2] = {0, 20};
    const TsimResidencyMap map = {2, {2, 1, 1}, bytes};
    g_autoptr(TsimImage) image = tsim_feedback_dump_residency(&map, 5, 1);

    /* 2.5 of 5 lies on the middle stop of the colours, which is no swatch of the legend. */
    g_assert_true(same(pixel(image, 0, 0), pixel(image, 0, image->height - 24)));
    g_assert_true(same(pixel(image, 1, 0), (TsimColour){240, 228, 66}));
}

static void test_json(void)
{
    g_autoptr(TsimFeedbackMap) map = make_map(TSIM_FEEDBACK_MINMIP);

    tsim_feedback_map_set(map, (TsimFeedbackTexel){3, 1, 0, 0}, 9);

    g_autoptr(GString) text = tsim_feedback_dump_json(map);

    g_assert_cmpstr(text->str, ==,
                    "{\"map\":\"minmip\",\"texture\":{\"type\":\"2d\",\"width\":64,\"height\":32,"
                    "\"depth\":1,\"slices\":1,\"mips\":6},\"region\":{\"width\":16,\"height\":16},"
                    "\"levels\":[{\"width\":4,\"height\":2,\"layers\":"
                    "[[255,255,255,255,255,255,255,9]]}]}");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/image/formats", test_formats);
    g_test_add_func("/image/text", test_text);
    g_test_add_func("/image/write-error", test_write_error);
    g_test_add_func("/feedback-dump/colour", test_colour);
    g_test_add_func("/feedback-dump/used", test_used);
    g_test_add_func("/feedback-dump/residency", test_residency);
    g_test_add_func("/feedback-dump/json", test_json);
    return g_test_run();
}
