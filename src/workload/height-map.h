/* Height maps: a grid of heights in 0..1, read from a PGM picture or made up.
 *
 * The caller owns what is returned. Once made, a map is immutable and may be read by many threads.
 */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t width, height; /* texels, 2 at least */
    float texels[];         /* row by row */
} TsimHeightMap;

/* PGM, plain (P2) or raw (P5, 8 or 16 bit); black is 0, white 1. Errors read
 * "file: byte N: ...". */
TsimHeightMap *tsim_height_map_read(const char *path, GError **error);
TsimHeightMap *tsim_height_map_parse(const char *name, const char *data, size_t length_bytes,
                                     GError **error);

/* Square fractal landscape of the midpoint-displacement kind, lowest point 0, highest 1. roughness:
 * what remains of the displacement when the distance halves, 0 (one smooth hill) to 1 (noise). */
TsimHeightMap *tsim_height_map_fractal(uint64_t seed, double roughness);

void tsim_height_map_free(TsimHeightMap *map); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimHeightMap, tsim_height_map_free)

/* Bilinear; u and v in 0..1 go from the middle of the first texel to that of the last. */
double tsim_height_map_sample(const TsimHeightMap *map, double u, double v);
