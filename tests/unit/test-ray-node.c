/* hw/ray-descriptor.h, ray-node.h, ray-operands.h: bits and bytes (R2-R5). */
#include "base/error.h"
#include "hw/half.h"
#include "hw/ray-descriptor.h"
#include "hw/ray-node.h"
#include "hw/ray-operands.h"

#include <math.h>
#include <string.h>

static const TsimRayDescriptor plain = {
    .base_bytes = 0x123456789a00,
    .node_count = UINT64_C(0x2abcdef0124),
    .box_growth_ulps = 6,
    .triangle_return_mode = 1,
    .box_sort = TRUE,
};

static void test_descriptor_bits(void)
{
    /* By hand: base >> 8 = 0x123456789a; 6 << 23 | sort << 31; nodes - 1; mode, big, type. */
    static const uint32_t expected[4] = {0x3456789a, 0x83000012, 0xcdef0123, 0x890002ab};
    g_autoptr(GError) error = NULL;
    TsimRayDescriptor decoded;
    uint32_t words[4];

    g_assert_true(tsim_ray_descriptor_encode(&plain, words, &error));
    for (int i = 0; i < 4; i++) {
        g_assert_cmphex(words[i], ==, expected[i]);
    }
    g_assert_true(tsim_ray_descriptor_decode(words, &decoded, &error));
    g_assert_cmphex(decoded.base_bytes, ==, plain.base_bytes);
    g_assert_cmphex(decoded.node_count, ==, plain.node_count);
    g_assert_cmpuint(decoded.box_growth_ulps, ==, 6);
    g_assert_cmpuint(decoded.triangle_return_mode, ==, 1);
    g_assert_true(decoded.box_sort);
}

/* R4: one wrong bit in each field that has a fixed value. */
static void test_descriptor_fixed_fields(void)
{
    static const uint8_t flipped[] = {40, 54, 106, 119, 121, 122, 123, 124, 127};
    uint32_t words[4];

    g_assert_true(tsim_ray_descriptor_encode(&plain, words, NULL));
    for (size_t i = 0; i < sizeof flipped; i++) {
        g_autoptr(GError) error = NULL;
        TsimRayDescriptor decoded;
        uint32_t damaged[4];

        memcpy(damaged, words, sizeof damaged);
        damaged[flipped[i] / 32] ^= UINT32_C(1) << flipped[i] % 32;
        g_assert_false(tsim_ray_descriptor_decode(damaged, &decoded, &error));
        g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    }

    g_autoptr(GError) error = NULL;
    TsimRayDescriptor decoded;

    words[3] ^= UINT32_C(1) << 31;
    g_assert_false(tsim_ray_descriptor_decode(words, &decoded, &error));
    g_assert_cmpstr(error->message, ==, "BVH descriptor: type (bits 127:124) is 0; it must be 8");
}

static void check_encode_fails(TsimRayDescriptor descriptor)
{
    g_autoptr(GError) error = NULL;
    uint32_t words[4];

    g_assert_false(tsim_ray_descriptor_encode(&descriptor, words, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
}

static void test_descriptor_values(void)
{
    TsimRayDescriptor descriptor = plain;
    uint32_t words[4];

    descriptor.base_bytes = 128;
    check_encode_fails(descriptor);
    descriptor.base_bytes = UINT64_C(1) << 48;
    check_encode_fails(descriptor);
    descriptor = plain;
    descriptor.node_count = 0;
    check_encode_fails(descriptor);
    descriptor.node_count = (UINT64_C(1) << 42) + 1;
    check_encode_fails(descriptor);
    descriptor.node_count = UINT64_C(1) << 42;
    g_assert_true(tsim_ray_descriptor_encode(&descriptor, words, NULL));
    g_assert_cmphex(words[2], ==, 0xffffffff);
    descriptor.triangle_return_mode = 2;
    check_encode_fails(descriptor);
}

/* R3: 29 bits of 64 B reach 32 GB. */
static void test_pointers(void)
{
    const uint64_t reach_bytes = UINT64_C(32) << 30;
    uint64_t wide = 0;
    uint32_t pointer = 0;

    g_assert_true(tsim_ray_pointer_encode(0x80, TSIM_RAY_NODE_BOX32, &pointer, NULL));
    g_assert_cmphex(pointer, ==, 0x15);
    g_assert_cmpuint(tsim_ray_pointer_index(pointer), ==, 2);
    g_assert_cmpuint(tsim_ray_pointer_units(pointer), ==, 2);
    g_assert_true(tsim_ray_pointer_encode(reach_bytes - 64, 3, &pointer, NULL));
    g_assert_cmphex(pointer, ==, 0xfffffffb);

    g_autoptr(GError) misaligned = NULL;
    g_autoptr(GError) too_far = NULL;
    g_autoptr(GError) bad_type = NULL;

    g_assert_false(tsim_ray_pointer_encode(0x20, 0, &pointer, &misaligned));
    g_assert_error(misaligned, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_false(tsim_ray_pointer_encode(reach_bytes, 0, &pointer, &too_far));
    g_assert_error(too_far, TSIM_ERROR, TSIM_ERROR_LIMIT);
    g_assert_false(tsim_ray_pointer_encode(0, 8, &pointer, &bad_type));
    g_assert_error(bad_type, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_true(tsim_ray_pointer_encode64(reach_bytes, 4, &wide, NULL));
    g_assert_cmphex(wide, ==, UINT64_C(0x100000004));
    g_assert_cmphex(tsim_ray_pointer_index(wide), ==, 0x20000000);
}

static void test_triangle_bytes(void)
{
    TsimRayTriangleNode node = {.triangle_id = 0x09040906};
    TsimRayTriangleNode decoded;
    uint8_t bytes[64];

    for (int i = 0; i < 15; i++) {
        node.vertex[i / 3][i % 3] = (float)i;
    }
    tsim_ray_node_encode_triangles(&node, bytes);
    g_assert_cmphex(bytes[12 + 2], ==, 0x40); /* V1.x = 3.0 = 0x40400000 */
    g_assert_cmphex(bytes[12 + 3], ==, 0x40);
    g_assert_cmphex(bytes[56 + 2], ==, 0x60); /* V4.z = 14.0 = 0x41600000 */
    g_assert_cmphex(bytes[60], ==, 0x06);
    g_assert_cmphex(bytes[63], ==, 0x09);
    tsim_ray_node_decode_triangles(bytes, &decoded);
    g_assert_true(memcmp(&decoded, &node, sizeof node) == 0);
    g_assert_cmphex(tsim_ray_node_remap(1, 2), ==, 0x9);
}

static TsimRayBoxNode sample_boxes(void)
{
    TsimRayBoxNode node;

    for (unsigned box = 0; box < 4; box++) {
        node.child[box] = 0x100 * box + 5;
        for (unsigned axis = 0; axis < 3; axis++) {
            node.bounds[0][axis][box] = -(float)(1 + 3 * box + axis);
            node.bounds[1][axis][box] = (float)(1 + 3 * box + axis);
        }
    }
    return node;
}

static void test_box_bytes(void)
{
    const TsimRayBoxNode node = sample_boxes();
    TsimRayBoxNode decoded;
    uint8_t box16[64];
    uint8_t box32[128];

    tsim_ray_node_encode_box16(&node, box16);
    g_assert_cmphex(box16[12 + 1], ==, 0x03); /* child 3 = 0x305 */
    g_assert_cmphex(box16[28 + 1], ==, 0xc4); /* box 1 min.x = -4 = 0xc400 */
    g_assert_cmphex(box16[34 + 1], ==, 0x44); /* box 1 max.x = 4 = 0x4400 */
    tsim_ray_node_decode_box16(box16, &decoded);
    g_assert_true(memcmp(&decoded, &node, sizeof node) == 0);

    tsim_ray_node_encode_box32(&node, box32);
    g_assert_cmphex(box32[40 + 2], ==, 0x80); /* box 1 min.x = -4 = 0xc0800000 */
    g_assert_cmphex(box32[52 + 3], ==, 0x40); /* box 1 max.x = 4 = 0x40800000 */
    g_assert_cmphex(box32[127], ==, 0);
    tsim_ray_node_decode_box32(box32, &decoded);
    g_assert_true(memcmp(&decoded, &node, sizeof node) == 0);
}

/* R5: an FP16 box contains the box it was made from, and is off by less than one step. */
static void test_box16_is_conservative(void)
{
    for (int round = 0; round < 10000; round++) {
        const double scale = ldexp(1.0, g_test_rand_int_range(-20, 16));
        TsimRayBoxNode node = sample_boxes();
        TsimRayBoxNode decoded;
        uint8_t bytes[64];

        for (int i = 0; i < 24; i++) {
            (&node.bounds[0][0][0])[i] = (float)(g_test_rand_double_range(-1, 1) * scale);
        }
        tsim_ray_node_encode_box16(&node, bytes);
        tsim_ray_node_decode_box16(bytes, &decoded);
        for (int i = 0; i < 12; i++) {
            const float low = (&node.bounds[0][0][0])[i];
            const float high = (&node.bounds[1][0][0])[i];
            const float low16 = (&decoded.bounds[0][0][0])[i];
            const float high16 = (&decoded.bounds[1][0][0])[i];

            g_assert_true(low16 <= low && high16 >= high);
            g_assert_cmpfloat(low - low16, <=, fmaxf(0x1p-24f, fabsf(low) * 0x1p-10f));
            g_assert_cmpfloat(high16 - high, <=, fmaxf(0x1p-24f, fabsf(high) * 0x1p-10f));
        }
    }
}

/* R2: the four register layouts. */
static void test_operands(void)
{
    static const unsigned counts[2][2] = {{11, 8}, {12, 9}};
    const float origin[3] = {1, 2, 3};
    const float direction[3] = {2, -4, 0};
    const TsimRay ray = tsim_ray_new(origin, direction, 100);
    const uint64_t pointer = UINT64_C(0x1234567890abcde5);

    g_assert_cmpfloat(ray.inverse_direction[1], ==, -0.25f);
    g_assert_true(isinf(ray.inverse_direction[2]));
    for (int pointer64 = 0; pointer64 < 2; pointer64++) {
        for (int a16 = 0; a16 < 2; a16++) {
            const TsimRayOperandFormat format = {pointer64, a16};
            uint32_t registers[TSIM_RAY_MAX_OPERANDS];
            uint64_t decoded_pointer = 0;
            TsimRay decoded;

            g_assert_cmpuint(tsim_ray_operand_count(format), ==, counts[pointer64][a16]);
            tsim_ray_operands_encode(format, pointer, &ray, registers);
            g_assert_cmphex(registers[1 + pointer64], ==, 0x42c80000);
            tsim_ray_operands_decode(format, registers, &decoded_pointer, &decoded);
            g_assert_cmphex(decoded_pointer, ==, pointer64 ? pointer : pointer & 0xffffffff);
            g_assert_true(memcmp(&decoded, &ray, sizeof ray) == 0);
            if (a16) {
                g_assert_cmphex(registers[5 + pointer64], ==, 0xc4004000); /* 2, -4 */
                g_assert_cmphex(registers[6 + pointer64], ==, 0x38000000); /* 0, 0.5 */
                g_assert_cmphex(registers[7 + pointer64], ==, 0x7c00b400); /* -0.25, inf */
            }
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ray-descriptor/bits", test_descriptor_bits);
    g_test_add_func("/ray-descriptor/fixed-fields", test_descriptor_fixed_fields);
    g_test_add_func("/ray-descriptor/values", test_descriptor_values);
    g_test_add_func("/ray-node/pointers", test_pointers);
    g_test_add_func("/ray-node/triangle-bytes", test_triangle_bytes);
    g_test_add_func("/ray-node/box-bytes", test_box_bytes);
    g_test_add_func("/ray-node/box16-is-conservative", test_box16_is_conservative);
    g_test_add_func("/ray-operands/layouts", test_operands);
    return g_test_run();
}
