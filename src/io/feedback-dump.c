#include "io/feedback-dump.h"

#include "hw/feedback-codec.h"

#include <json-c/json.h>

#define IMAGE_SIDE  512u
#define SWATCH      24u
#define TEXT_SCALE  2u
#define LEGEND_GAP  4u
#define LEGEND_ROWS (LEGEND_GAP + SWATCH)

static const TsimColour paper = {255, 255, 255};
static const TsimColour ink = {0, 0, 0};
static const TsimColour never_sampled = {40, 40, 40};

static uint8_t mix(uint8_t from, uint8_t to, double share)
{
    const double value = from + (to - from) * share + 0.5;

    return (uint8_t)value;
}

/* lod 0 is orange, coarsest is blue, by way of yellow: Okabe and Ito's, which colour-blind readers
 * can tell apart, all light enough for text. */
static TsimColour lod_colour(double lod, double coarsest)
{
    static const TsimColour stops[] = {
        {213, 94, 0}, {230, 159, 0}, {240, 228, 66}, {86, 180, 233}, {0, 114, 178}};
    const uint32_t last = G_N_ELEMENTS(stops) - 1;
    const double place = coarsest > 0.0 ? CLAMP(lod / coarsest, 0.0, 1.0) * last : 0.0;
    const uint32_t below = MIN((uint32_t)place, last - 1);
    const double share = place - below;
    const TsimColour a = stops[below];
    const TsimColour b = stops[below + 1];

    return (TsimColour){mix(a.red, b.red, share), mix(a.green, b.green, share),
                        mix(a.blue, b.blue, share)};
}

static TsimColour byte_colour(uint8_t byte, uint32_t coarsest)
{
    return byte == TSIM_FEEDBACK_LOD_NONE ? never_sampled
                                          : lod_colour(tsim_feedback_byte_to_lod(byte), coarsest);
}

static TsimFeedbackTexel texel_at(uint32_t x, uint32_t y, uint32_t layer, uint32_t level)
{
    return (TsimFeedbackTexel){(uint16_t)x, (uint16_t)y, (uint16_t)layer, (uint16_t)level};
}

static void draw_swatch(TsimImage *image, uint32_t index, TsimColour colour, const char *label,
                        TsimColour text)
{
    const uint32_t x = index * SWATCH;
    const uint32_t y = image->height - SWATCH;

    tsim_image_fill(image, x, y, SWATCH, SWATCH, colour);
    tsim_image_text(image, x + 4, y + 7, TEXT_SCALE, label, text);
}

static TsimImage *image_with_legend(uint32_t width, uint32_t height, uint32_t zoom,
                                    uint32_t coarsest)
{
    const uint32_t swatches = coarsest + 2;
    TsimImage *image =
        tsim_image_new(MAX(width * zoom, swatches * SWATCH), height * zoom + LEGEND_ROWS, paper);

    for (uint32_t mip = 0; mip <= coarsest; mip++) {
        char label[4];

        g_snprintf(label, sizeof(label), "%u", mip % 100);
        draw_swatch(image, mip, lod_colour(mip, coarsest), label, ink);
    }
    draw_swatch(image, coarsest + 1, never_sampled, "-", paper);
    return image;
}

uint32_t tsim_feedback_dump_zoom(uint32_t width)
{
    return MAX(IMAGE_SIDE / width, 1);
}

TsimImage *tsim_feedback_dump_grey(const TsimFeedbackMap *map, uint32_t level, uint32_t layer)
{
    TsimImage *image =
        tsim_image_new(map->levels[level].width, map->levels[level].height, never_sampled);

    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t byte = tsim_feedback_map_get(map, texel_at(x, y, layer, level));

            tsim_image_fill(image, x, y, 1, 1, (TsimColour){byte, byte, byte});
        }
    }
    return image;
}

TsimImage *tsim_feedback_dump_colour(const TsimFeedbackMap *map, uint32_t level, uint32_t layer,
                                     uint32_t zoom)
{
    const gboolean minmip = map->descriptor.kind == TSIM_FEEDBACK_MINMIP;
    const uint32_t coarsest = map->descriptor.texture.mips - 1;
    const TsimFeedbackLevel *size = &map->levels[level];
    TsimImage *image = image_with_legend(size->width, size->height, zoom, coarsest);

    for (uint32_t y = 0; y < size->height; y++) {
        for (uint32_t x = 0; x < size->width; x++) {
            const uint8_t byte = tsim_feedback_map_get(map, texel_at(x, y, layer, level));
            /* A used region of a level is shown in the colour of that mip. */
            const TsimColour used = byte != 0 ? lod_colour(level, coarsest) : never_sampled;

            tsim_image_fill(image, x * zoom, y * zoom, zoom, zoom,
                            minmip ? byte_colour(byte, coarsest) : used);
        }
    }
    return image;
}

TsimImage *tsim_feedback_dump_residency(const TsimResidencyMap *map, uint32_t coarsest,
                                        uint32_t zoom)
{
    TsimImage *image = image_with_legend(map->size[0], map->size[1], zoom, coarsest);

    for (uint32_t y = 0; y < map->size[1]; y++) {
        for (uint32_t x = 0; x < map->size[0]; x++) {
            tsim_image_fill(image, x * zoom, y * zoom, zoom, zoom,
                            byte_colour(map->bytes[y * map->size[0] + x], coarsest));
        }
    }
    return image;
}

static void add_number(struct json_object *object, const char *key, uint32_t value)
{
    json_object_object_add(object, key, json_object_new_int64(value));
}

static struct json_object *layer_json(const TsimFeedbackMap *map, uint32_t level, uint32_t layer)
{
    struct json_object *bytes = json_object_new_array();

    for (uint32_t y = 0; y < map->levels[level].height; y++) {
        for (uint32_t x = 0; x < map->levels[level].width; x++) {
            const uint8_t byte = tsim_feedback_map_get(map, texel_at(x, y, layer, level));

            json_object_array_add(bytes, json_object_new_int(byte));
        }
    }
    return bytes;
}

static struct json_object *level_json(const TsimFeedbackMap *map, uint32_t level)
{
    struct json_object *object = json_object_new_object();
    struct json_object *layers = json_object_new_array();

    add_number(object, "width", map->levels[level].width);
    add_number(object, "height", map->levels[level].height);
    for (uint32_t layer = 0; layer < map->levels[level].layers; layer++) {
        json_object_array_add(layers, layer_json(map, level, layer));
    }
    json_object_object_add(object, "layers", layers);
    return object;
}

static struct json_object *texture_json(const TsimTexture *texture)
{
    struct json_object *object = json_object_new_object();

    json_object_object_add(object, "type",
                           json_object_new_string(tsim_texture_type_names[texture->type]));
    add_number(object, "width", texture->width);
    add_number(object, "height", texture->height);
    add_number(object, "depth", texture->depth);
    add_number(object, "slices", texture->slices);
    add_number(object, "mips", texture->mips);
    return object;
}

GString *tsim_feedback_dump_json(const TsimFeedbackMap *map)
{
    const TsimFeedbackDescriptor *descriptor = &map->descriptor;
    struct json_object *object = json_object_new_object();
    struct json_object *region = json_object_new_object();
    struct json_object *levels = json_object_new_array();

    json_object_object_add(object, "map",
                           json_object_new_string(tsim_feedback_kind_names[descriptor->kind]));
    json_object_object_add(object, "texture", texture_json(&descriptor->texture));
    add_number(region, "width", 1u << descriptor->fraction_u_log2);
    add_number(region, "height", 1u << descriptor->fraction_vw_log2);
    json_object_object_add(object, "region", region);
    for (uint32_t level = 0; level < descriptor->levels; level++) {
        json_object_array_add(levels, level_json(map, level));
    }
    json_object_object_add(object, "levels", levels);

    GString *out = g_string_new(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));

    json_object_put(object);
    return out;
}
