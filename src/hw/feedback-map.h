/* Storage of a feedback map and its atomics (S1, S2, S3).
 *
 * Every layer of every level is an R8_UINT image in SW_256B_S: blocks of 16x16 texels, 256 bytes,
 * rows of 16 bytes inside a block. So 64 bytes hold 16x4 texels and 128 bytes 16x8.
 *
 *     offset = level + layer + ((y >> 4) * pitch_blocks + (x >> 4)) * 256 + (y & 15) * 16 + (x &
 * 15)
 *
 * Levels follow one another, the most detailed first; a volume is a stack of layers. Offsets are
 * bytes from the start of the map, which is aligned to 256 bytes. The map owns its bytes; memory
 * exhaustion aborts. Source: reference facts, section 1.
 */
#pragma once

#include "hw/feedback-descriptor.h"
#include "hw/feedback-sample.h"

#include <glib.h>
#include <stdint.h>

/* A limit of this program: the largest map of a single image is 16 MiB. */
#define TSIM_FEEDBACK_MAP_MAX_BYTES (UINT32_C(64) << 20)

typedef struct {
    uint32_t width, height, layers;
    uint32_t pitch_blocks;
    uint32_t layer_bytes;
    uint32_t offset_bytes;
} TsimFeedbackLevel;

typedef struct {
    TsimFeedbackDescriptor descriptor;
    TsimFeedbackLevel levels[TSIM_TEXTURE_MAX_MIPS];
    uint32_t size_bytes;
    uint8_t *bytes;
} TsimFeedbackMap;

/* A cleared map. Errors: TSIM_ERROR_LIMIT for a map above TSIM_FEEDBACK_MAP_MAX_BYTES. */
TsimFeedbackMap *tsim_feedback_map_new(const TsimFeedbackDescriptor *descriptor, GError **error);
void tsim_feedback_map_free(TsimFeedbackMap *map); /* NULL is fine */

/* MinMip: 0xFF everywhere; MipRegionUsed: 0. */
void tsim_feedback_map_clear(TsimFeedbackMap *map);

/* FALSE and TSIM_ERROR_INPUT when the map was not made for this descriptor: another texture, kind
 * of map or region (undefined behaviour in Direct3D; an error here). */
gboolean tsim_feedback_map_check(const TsimFeedbackMap *map,
                                 const TsimFeedbackDescriptor *descriptor, GError **error);

static inline uint32_t tsim_feedback_map_offset(const TsimFeedbackMap *map, TsimFeedbackTexel texel)
{
    const TsimFeedbackLevel *level = &map->levels[texel.level];
    const uint32_t block = (texel.y >> 4u) * level->pitch_blocks + (texel.x >> 4u);

    return level->offset_bytes + texel.layer * level->layer_bytes + block * 256 +
           (texel.y & 15u) * 16 + (texel.x & 15u);
}

static inline uint8_t tsim_feedback_map_get(const TsimFeedbackMap *map, TsimFeedbackTexel texel)
{
    return map->bytes[tsim_feedback_map_offset(map, texel)];
}

static inline void tsim_feedback_map_set(TsimFeedbackMap *map, TsimFeedbackTexel texel,
                                         uint8_t value)
{
    map->bytes[tsim_feedback_map_offset(map, texel)] = value;
}

/* What the atomic of the kind makes of two bytes: MIN or OR. Commutative and associative, which is
 * why the order of lanes and waves cannot matter. */
static inline uint8_t tsim_feedback_combine(TsimFeedbackKind kind, uint8_t a, uint8_t b)
{
    return kind == TSIM_FEEDBACK_MINMIP ? MIN(a, b) : a | b;
}

/* The byte atomic; TRUE when it changed the byte. */
static inline gboolean tsim_feedback_map_atomic(TsimFeedbackMap *map, uint32_t offset_bytes,
                                                uint8_t value)
{
    uint8_t *byte = &map->bytes[offset_bytes];
    const uint8_t before = *byte;

    *byte = tsim_feedback_combine(map->descriptor.kind, before, value);
    return *byte != before;
}

/* One layer of one level to or from width * height row-major bytes as a program sees them: mip
 * level or 0xFF for MinMip, 0xFF or 0 for MipRegionUsed (any other byte counts as used). */
void tsim_feedback_map_decode(const TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                              uint8_t *ret_texels);
void tsim_feedback_map_encode(TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                              const uint8_t *texels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(TsimFeedbackMap, tsim_feedback_map_free)
