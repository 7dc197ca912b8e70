#include "hw/feedback-map.h"

#include "base/error.h"
#include "hw/feedback-codec.h"

#include <string.h>

#define BLOCK_SIDE  16u
#define BLOCK_BYTES 256u

static uint32_t blocks(uint32_t texels)
{
    return (texels + BLOCK_SIDE - 1) / BLOCK_SIDE;
}

/* Returns the bytes of the level, which can exceed 32 bits. */
static uint64_t lay_out_level(TsimFeedbackLevel *level, const TsimFeedbackDescriptor *descriptor,
                              uint32_t index)
{
    const TsimExtent extent = tsim_feedback_level_extent(descriptor, index);

    level->width = extent.width;
    level->height = extent.height;
    level->layers = tsim_feedback_level_layers(descriptor, index);
    level->pitch_blocks = blocks(extent.width);
    level->layer_bytes = level->pitch_blocks * blocks(extent.height) * BLOCK_BYTES;
    return (uint64_t)level->layers * level->layer_bytes;
}

TsimFeedbackMap *tsim_feedback_map_new(const TsimFeedbackDescriptor *descriptor, GError **error)
{
    TsimFeedbackMap *map = g_new0(TsimFeedbackMap, 1);
    uint64_t size_bytes = 0;

    map->descriptor = *descriptor;
    for (uint32_t i = 0; i < descriptor->levels; i++) {
        map->levels[i].offset_bytes = (uint32_t)size_bytes;
        size_bytes += lay_out_level(&map->levels[i], descriptor, i);
    }
    if (size_bytes > TSIM_FEEDBACK_MAP_MAX_BYTES) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "feedback map of %" G_GUINT64_FORMAT " bytes: the limit is %u", size_bytes,
                    TSIM_FEEDBACK_MAP_MAX_BYTES);
        g_free(map);
        return NULL;
    }
    map->size_bytes = (uint32_t)size_bytes;
    map->bytes = g_malloc(map->size_bytes);
    tsim_feedback_map_clear(map);
    return map;
}

void tsim_feedback_map_free(TsimFeedbackMap *map)
{
    if (map == NULL) {
        return;
    }
    g_free(map->bytes);
    g_free(map);
}

void tsim_feedback_map_clear(TsimFeedbackMap *map)
{
    const uint8_t value = map->descriptor.kind == TSIM_FEEDBACK_MINMIP ? TSIM_FEEDBACK_LOD_NONE : 0;

    memset(map->bytes, value, map->size_bytes);
}

static gboolean same_texture(const TsimTexture *a, const TsimTexture *b)
{
    return a->type == b->type && a->width == b->width && a->height == b->height &&
           a->depth == b->depth && a->slices == b->slices && a->mips == b->mips;
}

static char *describe(const TsimFeedbackDescriptor *descriptor)
{
    const TsimTexture *texture = &descriptor->texture;

    return g_strdup_printf("a %s map with regions of %u x %u for a %s texture of %u x %u x %u, "
                           "%u slices, %u mips",
                           tsim_feedback_kind_names[descriptor->kind],
                           1u << descriptor->fraction_u_log2, 1u << descriptor->fraction_vw_log2,
                           tsim_texture_type_names[texture->type], texture->width, texture->height,
                           texture->depth, texture->slices, texture->mips);
}

gboolean tsim_feedback_map_check(const TsimFeedbackMap *map,
                                 const TsimFeedbackDescriptor *descriptor, GError **error)
{
    const TsimFeedbackDescriptor *own = &map->descriptor;

    if (own->kind == descriptor->kind && own->fraction_u_log2 == descriptor->fraction_u_log2 &&
        own->fraction_vw_log2 == descriptor->fraction_vw_log2 &&
        same_texture(&own->texture, &descriptor->texture)) {
        return TRUE;
    }

    g_autofree char *found = describe(own);
    g_autofree char *wanted = describe(descriptor);

    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "feedback map paired with the wrong texture: it is %s; the descriptor asks for %s",
                found, wanted);
    return FALSE;
}

void tsim_feedback_map_decode(const TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                              uint8_t *ret_texels)
{
    const gboolean minmip = map->descriptor.kind == TSIM_FEEDBACK_MINMIP;

    for (uint32_t y = 0; y < map->levels[level].height; y++) {
        for (uint32_t x = 0; x < map->levels[level].width; x++) {
            const TsimFeedbackTexel texel = {(uint16_t)x, (uint16_t)y, (uint16_t)layer,
                                             (uint16_t)level};
            const uint8_t byte = tsim_feedback_map_get(map, texel);

            *ret_texels++ = minmip ? tsim_feedback_decode_level(byte) : byte;
        }
    }
}

void tsim_feedback_map_encode(TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                              const uint8_t *texels)
{
    const gboolean minmip = map->descriptor.kind == TSIM_FEEDBACK_MINMIP;

    for (uint32_t y = 0; y < map->levels[level].height; y++) {
        for (uint32_t x = 0; x < map->levels[level].width; x++) {
            const TsimFeedbackTexel texel = {(uint16_t)x, (uint16_t)y, (uint16_t)layer,
                                             (uint16_t)level};
            const uint8_t value = *texels++;
            const uint8_t flag = value != 0 ? TSIM_FEEDBACK_USED : 0;

            tsim_feedback_map_set(map, texel, minmip ? tsim_feedback_encode_level(value) : flag);
        }
    }
}
