/* The BVH descriptor: the four SGPRs of image_bvh_intersect_ray (R4).
 *
 *            63        62..55   54..40  39..0
 *          +---------+--------+-------+----------------------------+
 *   words  | sort    | growth | 0     | base address / 256 B       |
 *    0, 1  +---------+--------+-------+----------------------------+
 *            127..124  123   122..121   120    119..106  105..64
 *          +---------+-----+----------+------+---------+-----------+
 *   words  | type: 8 | big | 0        | mode | 0       | nodes - 1 |
 *    2, 3  +---------+-----+----------+------+---------+-----------+
 *
 *   sort    box results closest first          growth  box growth, ULP
 *   mode    triangle return mode               nodes   64 B units, for the bounds check
 *   big     must be 1 (pages of 64 KB and up)
 *
 * Errors are TSIM_ERROR_INPUT; they name the field, its bits, what was found and what is allowed.
 * Source: ray-intersection facts, section 2, and the hardware description of the consoles.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_RAY_DESCRIPTOR_WORDS 4

/* Where nodes are counted, a node is this long; an FP32 box node counts as two. */
#define TSIM_RAY_UNIT_BYTES 64

typedef struct {
    uint64_t base_bytes;          /* a multiple of 256 below 2^48 */
    uint64_t node_count;          /* 1 .. 2^42 units of 64 B */
    uint8_t box_growth_ulps;      /* drivers use 6 or 0 */
    uint8_t triangle_return_mode; /* 0: triangle id and hit status, 1: I and J */
    gboolean box_sort;
} TsimRayDescriptor;

gboolean tsim_ray_descriptor_encode(const TsimRayDescriptor *descriptor,
                                    uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS], GError **error);

gboolean tsim_ray_descriptor_decode(const uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS],
                                    TsimRayDescriptor *descriptor, GError **error);
