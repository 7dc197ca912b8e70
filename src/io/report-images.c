#include "io/report-images.h"

#include "hw/feedback-codec.h"
#include "io/feedback-dump.h"
#include "io/page.h"
#include "io/ray-image.h"
#include "stats/figures.h"

static void free_image(gpointer data)
{
    TsimReportImage *image = data;

    g_free(image->title);
    g_free(image->alt);
    (void)g_string_free(image->png, TRUE);
    g_free(image);
}

GPtrArray *tsim_report_images_new(void)
{
    return g_ptr_array_new_with_free_func(free_image);
}

typedef struct {
    GPtrArray *images;
    const char *run;
} List;

/* Takes the picture. */
static gboolean add(const List *list, TsimImage *drawn, const char *title, const char *alt,
                    GError **error)
{
    g_autoptr(TsimImage) picture = drawn;
    GString *png = tsim_image_to_png(picture, error);

    if (png == NULL) {
        return FALSE;
    }
    TsimReportImage *image = g_new(TsimReportImage, 1);
    const char *run = list->run != NULL ? list->run : "";
    const char *gap = list->run != NULL ? ": " : "";
    image->title = g_strconcat(run, gap, title, NULL);
    image->alt = g_strconcat(run, gap, alt, NULL);
    image->png = png;
    g_ptr_array_add(list->images, image);
    return TRUE;
}

/* ---- Rays ---- */

static double mean_cost(const TsimRayImages *images)
{
    uint64_t nodes = 0, rays = 0;

    for (size_t i = 0; i < (size_t)images->width * images->height; i++) {
        nodes += images->nodes[i];
        rays += images->rays[i];
    }
    return tsim_ratio((double)nodes, (double)rays);
}

static gboolean add_rays(const List *list, const TsimRayResult *rays, GError **error)
{
    const TsimRayImages *images = &rays->images;

    if (images->width == 0) {
        return TRUE;
    }
    g_autofree char *mean = tsim_text_fixed(mean_cost(images), 1);
    g_autofree char *cost = g_strdup_printf("Cost of %u x %u pixels: a ray visits %s nodes on "
                                            "average",
                                            images->width, images->height, mean);
    g_autofree char *hits = tsim_text_percent(tsim_ratio((double)rays->hits, (double)rays->rays));
    g_autofree char *seen = g_strdup_printf("What the rays see: %s of them hit something", hits);

    return add(list, tsim_ray_image_cost(images),
               "Cost of each pixel: nodes that a ray visits, from black (none) by way of red and "
               "yellow to white (the dearest pixel)",
               cost, error) &&
           add(list, tsim_ray_image_hit(images),
               "What the rays see: bright where a surface faces its ray, or where nothing stops a "
               "shadow or occlusion ray",
               seen, error);
}

/* ---- Sampler feedback ---- */

#define SCALE_WORDS                                                                                \
    "Orange is mip 0, the most detailed, by way of yellow to blue, the coarsest; dark is none. "   \
    "The key below numbers the mips."

/* Regions of a level that were sampled. */
static uint32_t count_sampled(const TsimFeedbackMap *map, uint32_t level)
{
    const TsimFeedbackLevel *size = &map->levels[level];
    const uint8_t none = map->descriptor.kind == TSIM_FEEDBACK_MINMIP ? TSIM_FEEDBACK_LOD_NONE : 0;
    uint32_t sampled = 0;

    for (uint32_t y = 0; y < size->height; y++) {
        for (uint32_t x = 0; x < size->width; x++) {
            const TsimFeedbackTexel texel = {(uint16_t)x, (uint16_t)y, 0, (uint16_t)level};
            sampled += tsim_feedback_map_get(map, texel) != none ? 1 : 0;
        }
    }
    return sampled;
}

static gboolean add_level(const List *list, const TsimFeedbackMap *map, uint32_t level,
                          GError **error)
{
    const TsimFeedbackDescriptor *descriptor = &map->descriptor;
    const TsimFeedbackLevel *size = &map->levels[level];
    const uint32_t sampled = count_sampled(map, level);
    const gboolean minmip = descriptor->kind == TSIM_FEEDBACK_MINMIP;

    if (sampled == 0 && level > 0) {
        return TRUE;
    }
    g_autofree char *layer =
        size->layers > 1 ? g_strdup_printf(", layer 0 of %u", size->layers) : g_strdup("");
    g_autofree char *what =
        minmip
            ? g_strdup_printf("most detailed mip that each region of %u x %u texels was sampled "
                              "at. " SCALE_WORDS,
                              1U << descriptor->fraction_u_log2, 1U << descriptor->fraction_vw_log2)
            : g_strdup_printf("regions of mip %u that were sampled are in that mip's colour, the "
                              "others dark. The key below numbers the mips.",
                              level);
    g_autofree char *title =
        g_strdup_printf("Feedback map after the last frame, level %u%s: %s", level, layer, what);
    g_autofree char *alt =
        g_strdup_printf("Feedback map, level %u: %u of %u x %u regions were sampled", level,
                        sampled, size->width, size->height);

    /* Small beside the first one, for there may be fourteen. */
    const uint32_t zoom = MAX(tsim_feedback_dump_zoom(size->width) / (level > 0 ? 2 : 1), 1);
    return add(list, tsim_feedback_dump_colour(map, level, 0, zoom), title, alt, error);
}

static gboolean add_residency(const List *list, const TsimFeedbackStream *stream, GError **error)
{
    const TsimResidencyMap map = tsim_feedback_stream_residency(stream);
    const uint32_t packed_mip = tsim_feedback_stream_packed_mip(stream);
    uint32_t detailed = 0;

    for (uint32_t i = 0; i < map.size[0] * map.size[1]; i++) {
        detailed += map.bytes[i] == 0 ? 1 : 0;
    }
    g_autofree char *alt = g_strdup_printf("Residency map: mip 0 is there in %u of %u x %u regions",
                                           detailed, map.size[0], map.size[1]);

    return add(
        list, tsim_feedback_dump_residency(&map, packed_mip, tsim_feedback_dump_zoom(map.size[0])),
        "Residency map after the last frame: most detailed mip that samples may use. " SCALE_WORDS,
        alt, error);
}

static gboolean add_feedback(const List *list, const TsimFeedbackTrace *trace, GError **error)
{
    const TsimFeedbackMap *map = tsim_feedback_trace_map(trace);
    gboolean ok = TRUE;

    for (uint32_t level = 0; ok && level < map->descriptor.levels; level++) {
        ok = add_level(list, map, level, error);
    }
    return ok && (!trace->has_residency || add_residency(list, trace->stream, error));
}

gboolean tsim_report_images_add(GPtrArray *images, const char *run, const TsimResult *result,
                                const TsimFeedbackTrace *trace, GError **error)
{
    const List list = {images, run};

    return add_rays(&list, &result->rays, error) &&
           (trace == NULL || add_feedback(&list, trace, error));
}
