#include "hw/ray-descriptor.h"

#include "base/error.h"

#define BASE_ALIGNMENT_BYTES 256
#define MAX_NODES            (UINT64_C(1) << 42)
#define MAX_BASE_BYTES       (UINT64_C(1) << 48)

typedef struct {
    const char *name;
    unsigned first_bit;
    unsigned width;
} BitField;

static const BitField base_field = {"base address", 0, 40};
static const BitField growth_field = {"box growth", 55, 8};
static const BitField sort_field = {"box sort", 63, 1};
static const BitField size_field = {"size", 64, 42};
static const BitField mode_field = {"triangle return mode", 120, 1};

static const struct {
    BitField field;
    uint64_t value;
} fixed_fields[] = {
    {{"unused", 40, 15}, 0},    {{"unused", 106, 14}, 0}, {{"unused", 121, 2}, 0},
    {{"big pages", 123, 1}, 1}, {{"type", 124, 4}, 8},
};

/* No field crosses bit 64, so that each lies in one half. */
static uint64_t get_bits(const uint64_t halves[2], BitField field)
{
    return halves[field.first_bit / 64] >> field.first_bit % 64 &
           ((UINT64_C(1) << field.width) - 1);
}

static void set_bits(uint64_t halves[2], BitField field, uint64_t value)
{
    halves[field.first_bit / 64] |= value << field.first_bit % 64;
}

static gboolean check_values(const TsimRayDescriptor *descriptor, GError **error)
{
    if (descriptor->base_bytes % BASE_ALIGNMENT_BYTES != 0 ||
        descriptor->base_bytes >= MAX_BASE_BYTES) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH descriptor: base address 0x%" G_GINT64_MODIFIER
                    "x; a multiple of 256 below 2^48 is needed",
                    descriptor->base_bytes);
        return FALSE;
    }
    if (descriptor->node_count == 0 || descriptor->node_count > MAX_NODES) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH descriptor: %" G_GUINT64_FORMAT " nodes; 1 to 2^42 are allowed",
                    descriptor->node_count);
        return FALSE;
    }
    if (descriptor->triangle_return_mode > 1) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "BVH descriptor: triangle return mode %u; 0 and 1 are allowed",
                    descriptor->triangle_return_mode);
        return FALSE;
    }
    return TRUE;
}

gboolean tsim_ray_descriptor_encode(const TsimRayDescriptor *descriptor,
                                    uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS], GError **error)
{
    uint64_t halves[2] = {0, 0};

    if (!check_values(descriptor, error)) {
        return FALSE;
    }
    set_bits(halves, base_field, descriptor->base_bytes / BASE_ALIGNMENT_BYTES);
    set_bits(halves, growth_field, descriptor->box_growth_ulps);
    set_bits(halves, sort_field, descriptor->box_sort ? 1 : 0);
    set_bits(halves, size_field, descriptor->node_count - 1);
    set_bits(halves, mode_field, descriptor->triangle_return_mode);
    for (size_t i = 0; i < G_N_ELEMENTS(fixed_fields); i++) {
        set_bits(halves, fixed_fields[i].field, fixed_fields[i].value);
    }
    for (size_t i = 0; i < TSIM_RAY_DESCRIPTOR_WORDS; i++) {
        words[i] = (uint32_t)(halves[i / 2] >> 32 * (i % 2));
    }
    return TRUE;
}

gboolean tsim_ray_descriptor_decode(const uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS],
                                    TsimRayDescriptor *descriptor, GError **error)
{
    const uint64_t halves[2] = {words[0] | (uint64_t)words[1] << 32,
                                words[2] | (uint64_t)words[3] << 32};

    for (size_t i = 0; i < G_N_ELEMENTS(fixed_fields); i++) {
        const BitField field = fixed_fields[i].field;
        const uint64_t found = get_bits(halves, field);

        if (found != fixed_fields[i].value) {
            g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                        "BVH descriptor: %s (bits %u:%u) is %" G_GUINT64_FORMAT
                        "; it must be %" G_GUINT64_FORMAT,
                        field.name, field.first_bit + field.width - 1, field.first_bit, found,
                        fixed_fields[i].value);
            return FALSE;
        }
    }
    *descriptor = (TsimRayDescriptor){
        .base_bytes = get_bits(halves, base_field) * BASE_ALIGNMENT_BYTES,
        .node_count = get_bits(halves, size_field) + 1,
        .box_growth_ulps = (uint8_t)get_bits(halves, growth_field),
        .triangle_return_mode = (uint8_t)get_bits(halves, mode_field),
        .box_sort = get_bits(halves, sort_field) != 0,
    };
    return TRUE;
}
