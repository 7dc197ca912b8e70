/* workload/height-map.h: PGM pictures, damaged ones, the bilinear sample and the fractal. */
#include "base/error.h"
#include "workload/height-map.h"

#include <math.h>
#include <string.h>

static TsimHeightMap *parse(const char *data, size_t length_bytes)
{
    g_autoptr(GError) error = NULL;
    TsimHeightMap *map = tsim_height_map_parse("map.pgm", data, length_bytes, &error);

    g_assert_no_error(error);
    return map;
}

static void check_texels(const TsimHeightMap *map, uint32_t width, const float *texels)
{
    g_assert_cmpuint(map->width, ==, width);
    g_assert_cmpuint(map->height, ==, 2);
    for (uint32_t i = 0; i < 2 * width; i++) {
        g_assert_cmpfloat(map->texels[i], ==, texels[i]);
    }
}

static void test_plain(void)
{
    const char text[] = "P2 # plain\n3 2\n# white\n4\n0 1 2\n3 4 # end\n0";
    g_autoptr(TsimHeightMap) map = parse(text, strlen(text));

    check_texels(map, 3, (const float[]){0.0f, 0.25f, 0.5f, 0.75f, 1.0f, 0.0f});
}

static void test_raw(void)
{
    const char bytes[] = "P5 2 2 255\n\0\377\0\377";
    const char words[] = "P5\n2 2\n512\n\0\0\1\0\2\0\0\200";
    g_autoptr(TsimHeightMap) narrow = parse(bytes, sizeof bytes - 1);
    g_autoptr(TsimHeightMap) wide = parse(words, sizeof words - 1);

    check_texels(narrow, 2, (const float[]){0.0f, 1.0f, 0.0f, 1.0f});
    check_texels(wide, 2, (const float[]){0.0f, 0.5f, 1.0f, 0.25f});
}

static void test_damage(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "map.pgm: byte 0: not a PGM picture; P2 or P5 is needed"},
        {"P6 2 2 255 ....", "map.pgm: byte 0: not a PGM picture; P2 or P5 is needed"},
        {"P2 1 2 255 0 0", "map.pgm: byte 3: a whole number in 2..16384 is needed"},
        {"P2 2 x", "map.pgm: byte 5: a whole number in 2..16384 is needed"},
        {"P2 2 99999999999 255", "map.pgm: byte 5: a whole number in 2..16384 is needed"},
        {"P2 2 2 65536 0 0 0 0", "map.pgm: byte 7: a whole number in 1..65535 is needed"},
        {"P2 2 2 9 1 2 3", "map.pgm: byte 14: a whole number in 0..9 is needed"},
        {"P2 2 2 9 1 2 3 10", "map.pgm: byte 15: a whole number in 0..9 is needed"},
        {"P2 2 2 9 1 2 3 -1", "map.pgm: byte 15: a whole number in 0..9 is needed"},
        {"P5 16384 16384 255\n....", "map.pgm: byte 18: the picture ends early"},
        {"P5 2 2 255", "map.pgm: byte 10: the picture ends early"},
        {"P5 2 2 255\nabc", "map.pgm: byte 14: the picture ends early"},
        {"P5 2 2 255_abcd", "map.pgm: byte 10: white space is needed between header and picture"},
        {"P5 2 2 9\n\1\2\3\12",
         "map.pgm: byte 13: a gray value is above the maximum in the header"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        g_assert_null(
            tsim_height_map_parse("map.pgm", cases[i].text, strlen(cases[i].text), &error));
        g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
}

static void test_missing(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_height_map_read("no/such/map.pgm", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
    g_assert_true(g_str_has_prefix(error->message, "no/such/map.pgm: "));
}

/* Texels 0 .25 .5 / .75 1 0: a quarter along x is half-way between the first two. */
static void test_sample(void)
{
    const char text[] = "P2 3 2 4 0 1 2 3 4 0";
    g_autoptr(TsimHeightMap) map = parse(text, strlen(text));

    g_assert_cmpfloat(tsim_height_map_sample(map, 0.0, 0.0), ==, 0.0);
    g_assert_cmpfloat(tsim_height_map_sample(map, 1.0, 0.0), ==, 0.5);
    g_assert_cmpfloat(tsim_height_map_sample(map, 1.0, 1.0), ==, 0.0);
    g_assert_cmpfloat(tsim_height_map_sample(map, 0.5, 1.0), ==, 1.0);
    g_assert_cmpfloat(tsim_height_map_sample(map, 0.25, 0.0), ==, 0.125);
    g_assert_cmpfloat(tsim_height_map_sample(map, 0.25, 1.0), ==, 0.875);
    g_assert_cmpfloat(tsim_height_map_sample(map, 0.25, 0.5), ==, 0.5);
}

/* Mean height difference of neighbours along x. */
static double unevenness(const TsimHeightMap *map)
{
    double sum = 0.0;

    for (uint32_t y = 0; y < map->height; y++) {
        for (uint32_t x = 1; x < map->width; x++) {
            const float *texel = &map->texels[y * map->width + x];

            sum += fabs((double)texel[0] - (double)texel[-1]);
        }
    }
    return sum / ((map->width - 1) * (double)map->height);
}

static void test_fractal(void)
{
    g_autoptr(TsimHeightMap) smooth = tsim_height_map_fractal(1, 0.3);
    g_autoptr(TsimHeightMap) again = tsim_height_map_fractal(1, 0.3);
    g_autoptr(TsimHeightMap) other = tsim_height_map_fractal(2, 0.3);
    g_autoptr(TsimHeightMap) rough = tsim_height_map_fractal(1, 0.9);
    const size_t texels = (size_t)smooth->width * smooth->height;
    float least = 1.0f;
    float most = 0.0f;

    for (size_t i = 0; i < texels; i++) {
        least = MIN(least, smooth->texels[i]);
        most = MAX(most, smooth->texels[i]);
    }
    g_assert_cmpfloat(least, ==, 0.0f);
    g_assert_cmpfloat(most, ==, 1.0f);
    g_assert_true(memcmp(smooth->texels, again->texels, texels * sizeof(float)) == 0);
    g_assert_true(memcmp(smooth->texels, other->texels, texels * sizeof(float)) != 0);
    g_assert_cmpfloat(unevenness(rough), >, 10.0 * unevenness(smooth));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/height-map/plain", test_plain);
    g_test_add_func("/height-map/raw", test_raw);
    g_test_add_func("/height-map/damage", test_damage);
    g_test_add_func("/height-map/missing", test_missing);
    g_test_add_func("/height-map/sample", test_sample);
    g_test_add_func("/height-map/fractal", test_fractal);
    return g_test_run();
}
