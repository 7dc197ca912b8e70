#include "hw/feedback-descriptor.h"

#include "base/error.h"

const char *const tsim_texture_type_names[] = {"1d", "2d", "2d_array", "3d", NULL};
const char *const tsim_feedback_kind_names[] = {"minmip", "mip_region_used", NULL};

static gboolean check_range(const char *name, uint32_t value, uint32_t max, GError **error)
{
    if (value >= 1 && value <= max) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "texture %s %u: must be 1..%u", name, value,
                max);
    return FALSE;
}

static gboolean check_absent(const TsimTexture *texture, const char *name, uint32_t value,
                             GError **error)
{
    if (value == 1) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "texture %s %u: a %s texture has %s 1", name,
                value, tsim_texture_type_names[texture->type], name);
    return FALSE;
}

static gboolean check_axes(const TsimTexture *texture, GError **error)
{
    const gboolean has_height = texture->type != TSIM_TEXTURE_1D;
    const gboolean has_depth = texture->type == TSIM_TEXTURE_3D;
    const gboolean has_slices = texture->type == TSIM_TEXTURE_2D_ARRAY;

    return (has_height || check_absent(texture, "height", texture->height, error)) &&
           (has_depth || check_absent(texture, "depth", texture->depth, error)) &&
           (has_slices || check_absent(texture, "slices", texture->slices, error));
}

static gboolean check_mips(const TsimTexture *texture, GError **error)
{
    const uint32_t largest = MAX(MAX(texture->width, texture->height), texture->depth);
    const uint32_t chain = g_bit_storage(largest);

    if (texture->mips >= 1 && texture->mips <= chain) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "texture mips %u: a texture of %u x %u x %u has 1..%u", texture->mips,
                texture->width, texture->height, texture->depth, chain);
    return FALSE;
}

gboolean tsim_texture_check(const TsimTexture *texture, GError **error)
{
    if (!check_range("width", texture->width, TSIM_TEXTURE_MAX_SIZE, error) ||
        !check_range("height", texture->height, TSIM_TEXTURE_MAX_SIZE, error) ||
        !check_range("depth", texture->depth, TSIM_TEXTURE_MAX_DEPTH, error) ||
        !check_range("slices", texture->slices, TSIM_TEXTURE_MAX_DEPTH, error) ||
        !check_axes(texture, error) || !check_mips(texture, error)) {
        return FALSE;
    }
    if (texture->samples != 1) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "texture samples %u: sampler feedback does not support MSAA, it must be 1",
                    texture->samples);
        return FALSE;
    }
    return TRUE;
}

TsimExtent tsim_texture_mip_extent(const TsimTexture *texture, uint32_t mip)
{
    return (TsimExtent){
        MAX(1, texture->width >> mip),
        MAX(1, texture->height >> mip),
        MAX(1, texture->depth >> mip),
    };
}

uint32_t tsim_texture_axes(const TsimTexture *texture)
{
    switch (texture->type) {
    case TSIM_TEXTURE_1D:
        return 1;
    case TSIM_TEXTURE_3D:
        return 3;
    case TSIM_TEXTURE_2D:
    case TSIM_TEXTURE_2D_ARRAY:
    default:
        return 2;
    }
}

static gboolean check_region_axis(const char *name, uint32_t region, const char *axis,
                                  uint32_t size, GError **error)
{
    const gboolean power_of_two = region != 0 && (region & (region - 1)) == 0;

    if (power_of_two && region >= TSIM_FEEDBACK_MIN_REGION && region <= size / 2) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "region %s %u: must be a power of two, at least %u and at most half of the "
                "texture's %s %u",
                name, region, TSIM_FEEDBACK_MIN_REGION, axis, size);
    return FALSE;
}

gboolean tsim_feedback_region_check(const TsimTexture *texture, uint32_t region_width,
                                    uint32_t region_height, GError **error)
{
    const uint32_t axes = tsim_texture_axes(texture);

    return check_region_axis("width", region_width, "width", texture->width, error) &&
           (axes < 2 ||
            check_region_axis("height", region_height, "height", texture->height, error)) &&
           (axes < 3 || check_region_axis("height", region_height, "depth", texture->depth, error));
}

gboolean tsim_feedback_descriptor_init(TsimFeedbackDescriptor *ret_descriptor,
                                       const TsimTexture *texture, TsimFeedbackKind kind,
                                       uint32_t region_width, uint32_t region_height,
                                       GError **error)
{
    if (!tsim_texture_check(texture, error) ||
        !tsim_feedback_region_check(texture, region_width, region_height, error)) {
        return FALSE;
    }
    *ret_descriptor = (TsimFeedbackDescriptor){
        .texture = *texture,
        .kind = kind,
        .fraction_u_log2 = g_bit_storage(region_width) - 1,
        .fraction_vw_log2 = tsim_texture_axes(texture) < 2 ? 0 : g_bit_storage(region_height) - 1,
        .levels = kind == TSIM_FEEDBACK_MINMIP ? 1 : texture->mips,
    };
    return TRUE;
}

TsimExtent tsim_feedback_level_extent(const TsimFeedbackDescriptor *descriptor, uint32_t level)
{
    const TsimTexture *texture = &descriptor->texture;

    return (TsimExtent){
        MAX(1, texture->width >> (descriptor->fraction_u_log2 + level)),
        MAX(1, texture->height >> (descriptor->fraction_vw_log2 + level)),
        MAX(1, texture->depth >> (descriptor->fraction_vw_log2 + level)),
    };
}

uint32_t tsim_feedback_level_layers(const TsimFeedbackDescriptor *descriptor, uint32_t level)
{
    return descriptor->texture.type == TSIM_TEXTURE_2D_ARRAY
               ? descriptor->texture.slices
               : tsim_feedback_level_extent(descriptor, level).depth;
}
