#include "workload/height-map.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

#define SIDE_MAX      16384
#define FRACTAL_CELLS 512 /* cells along a side, a power of two; 1 MB of texels */

static TsimHeightMap *new_map(uint32_t width, uint32_t height)
{
    TsimHeightMap *map = g_malloc0(sizeof *map + (size_t)width * height * sizeof map->texels[0]);

    map->width = width;
    map->height = height;
    return map;
}

void tsim_height_map_free(TsimHeightMap *map)
{
    g_free(map);
}

/* ---- PGM ---- */

typedef struct {
    const char *name;
    const char *data;
    size_t at, length_bytes;
} Reader;

static gboolean fail(const Reader *reader, GError **error, const char *message)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: byte %" G_GSIZE_FORMAT ": %s",
                reader->name, reader->at, message);
    return FALSE;
}

/* White space, and comments from # to the end of the line. */
static void skip_space(Reader *reader)
{
    gboolean comment = FALSE;

    for (; reader->at < reader->length_bytes; reader->at++) {
        const char c = reader->data[reader->at];

        if (c == '\n' || c == '\r') {
            comment = FALSE;
        } else if (c == '#') {
            comment = TRUE;
        } else if (!comment && !g_ascii_isspace(c)) {
            return;
        }
    }
}

static gboolean read_number(Reader *reader, uint32_t min, uint32_t max, uint32_t *ret_number,
                            GError **error)
{
    skip_space(reader);

    const size_t start = reader->at;
    uint32_t number = 0;

    while (reader->at < reader->length_bytes && g_ascii_isdigit(reader->data[reader->at]) &&
           number <= max) {
        number = number * 10 + (uint32_t)g_ascii_digit_value(reader->data[reader->at]);
        reader->at++;
    }
    if (reader->at == start || number < min || number > max) {
        g_autofree char *message = NULL;

        reader->at = start;
        message = g_strdup_printf("a whole number in %u..%u is needed", min, max);
        return fail(reader, error, message);
    }
    *ret_number = number;
    return TRUE;
}

static gboolean read_plain(Reader *reader, TsimHeightMap *map, uint32_t white, GError **error)
{
    for (size_t i = 0; i < (size_t)map->width * map->height; i++) {
        uint32_t gray = 0;

        if (!read_number(reader, 0, white, &gray, error)) {
            return FALSE;
        }
        map->texels[i] = (float)gray / (float)white;
    }
    return TRUE;
}

/* One white-space character ends the header; 16-bit values have their high byte first. */
static gboolean read_raw(Reader *reader, TsimHeightMap *map, uint32_t white, GError **error)
{
    const size_t bytes = white > 255 ? 2 : 1;
    const size_t texels = (size_t)map->width * map->height;

    if (reader->length_bytes - reader->at < 1 + texels * bytes) {
        reader->at = reader->length_bytes;
        return fail(reader, error, "the picture ends early");
    }
    if (!g_ascii_isspace(reader->data[reader->at])) {
        return fail(reader, error, "white space is needed between header and picture");
    }
    reader->at++;
    for (size_t i = 0; i < texels; i++) {
        uint32_t gray = 0;

        for (size_t byte = 0; byte < bytes; byte++, reader->at++) {
            gray = gray << 8 | (uint8_t)reader->data[reader->at];
        }
        if (gray > white) {
            return fail(reader, error, "a gray value is above the maximum in the header");
        }
        map->texels[i] = (float)gray / (float)white;
    }
    return TRUE;
}

TsimHeightMap *tsim_height_map_parse(const char *name, const char *data, size_t length_bytes,
                                     GError **error)
{
    Reader reader = {name, data, 0, length_bytes};
    uint32_t width = 0;
    uint32_t height = 0;
    uint32_t white = 0;

    if (length_bytes < 2 || data[0] != 'P' || (data[1] != '2' && data[1] != '5')) {
        fail(&reader, error, "not a PGM picture; P2 or P5 is needed");
        return NULL;
    }
    reader.at = 2;
    if (!read_number(&reader, 2, SIDE_MAX, &width, error) ||
        !read_number(&reader, 2, SIDE_MAX, &height, error) ||
        !read_number(&reader, 1, 65535, &white, error)) {
        return NULL;
    }
    /* Even a plain texel takes a byte: a large header on a small file asks for no memory. */
    if ((size_t)width * height > length_bytes) {
        fail(&reader, error, "the picture ends early");
        return NULL;
    }

    g_autoptr(TsimHeightMap) map = new_map(width, height);
    const gboolean read = data[1] == '2' ? read_plain(&reader, map, white, error)
                                         : read_raw(&reader, map, white, error);

    return read ? g_steal_pointer(&map) : NULL;
}

TsimHeightMap *tsim_height_map_read(const char *path, GError **error)
{
    g_autofree char *data = NULL;
    gsize length_bytes = 0;

    if (!tsim_file_read(path, "height map", &data, &length_bytes, error)) {
        return NULL;
    }
    return tsim_height_map_parse(path, data, length_bytes, error);
}

/* ---- Fractal ---- */

typedef struct {
    TsimHeightMap *map;
    uint64_t seed;
} Fractal;

static float *texel(const Fractal *fractal, int64_t x, int64_t y)
{
    return &fractal->map->texels[(size_t)y * fractal->map->width + (size_t)x];
}

/* -amplitude..amplitude, belonging to the texel, so that the order of visits does not matter. */
static float displacement(const Fractal *fractal, int64_t x, int64_t y, double amplitude)
{
    const uint64_t hash = tsim_hash3(fractal->seed, (uint64_t)x, (uint64_t)y);

    return (float)(((double)(hash >> 11) * 0x1p-52 - 1.0) * amplitude);
}

/* Mean of those of the four texels at distance `reach` that lie on the map, plus a displacement. */
static void set_midpoint(const Fractal *fractal, int64_t x, int64_t y, int64_t reach,
                         gboolean diagonal, double amplitude)
{
    static const int straight_steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    static const int diagonal_steps[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    float sum = 0.0f;
    int count = 0;

    for (int i = 0; i < 4; i++) {
        const int *step = diagonal ? diagonal_steps[i] : straight_steps[i];
        const int64_t from_x = x + step[0] * reach;
        const int64_t from_y = y + step[1] * reach;

        if (from_x >= 0 && from_x <= FRACTAL_CELLS && from_y >= 0 && from_y <= FRACTAL_CELLS) {
            sum += *texel(fractal, from_x, from_y);
            count++;
        }
    }
    *texel(fractal, x, y) = sum / (float)count + displacement(fractal, x, y, amplitude);
}

/* Halves the distance between known texels: first the middles of squares, then those of sides. */
static void refine(const Fractal *fractal, int64_t half, double amplitude)
{
    for (int64_t y = half; y < FRACTAL_CELLS; y += 2 * half) {
        for (int64_t x = half; x < FRACTAL_CELLS; x += 2 * half) {
            set_midpoint(fractal, x, y, half, TRUE, amplitude);
        }
    }
    for (int64_t y = 0; y <= FRACTAL_CELLS; y += half) {
        const int64_t first = (y / half) % 2 == 0 ? half : 0;

        for (int64_t x = first; x <= FRACTAL_CELLS; x += 2 * half) {
            set_midpoint(fractal, x, y, half, FALSE, amplitude);
        }
    }
}

static void stretch_to_unit(TsimHeightMap *map)
{
    const size_t texels = (size_t)map->width * map->height;
    float least = map->texels[0];
    float most = map->texels[0];

    for (size_t i = 0; i < texels; i++) {
        least = MIN(least, map->texels[i]);
        most = MAX(most, map->texels[i]);
    }
    for (size_t i = 0; i < texels; i++) {
        map->texels[i] = (map->texels[i] - least) / (most - least);
    }
}

TsimHeightMap *tsim_height_map_fractal(uint64_t seed, double roughness)
{
    const Fractal fractal = {new_map(FRACTAL_CELLS + 1, FRACTAL_CELLS + 1), seed};
    double amplitude = 1.0;

    for (int corner = 0; corner < 4; corner++) {
        const int64_t x = (int64_t)(corner % 2) * FRACTAL_CELLS;
        const int64_t y = (int64_t)(corner / 2) * FRACTAL_CELLS;

        *texel(&fractal, x, y) = displacement(&fractal, x, y, amplitude);
    }
    for (int64_t half = FRACTAL_CELLS / 2; half > 0; half /= 2) {
        refine(&fractal, half, amplitude);
        amplitude *= roughness;
    }
    stretch_to_unit(fractal.map);
    return fractal.map;
}

/* ---- Sampling ---- */

typedef struct {
    size_t index; /* of the texel below, never the last */
    double part;  /* of the way to the next */
} Place;

static Place find_place(double at, uint32_t texels)
{
    const double position = at * (texels - 1);
    const size_t index = MIN((size_t)position, texels - 2);

    return (Place){index, position - (double)index};
}

double tsim_height_map_sample(const TsimHeightMap *map, double u, double v)
{
    TSIM_ASSERT_HOT(u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0);
    const Place x = find_place(u, map->width);
    const Place y = find_place(v, map->height);
    const float *row = &map->texels[y.index * map->width + x.index];
    const float *next = row + map->width;
    const double here = (double)row[0] + ((double)row[1] - (double)row[0]) * x.part;
    const double there = (double)next[0] + ((double)next[1] - (double)next[0]) * x.part;

    return here + (there - here) * y.part;
}
