#include "hw/ray-node.h"

#include "base/bytes.h"
#include "base/error.h"
#include "hw/half.h"
#include "hw/ray-descriptor.h"

#define BOXES_OFFSET     16
#define BOX16_BYTES      12
#define BOX32_BYTES      24
#define MAX_INDEX        ((UINT64_C(1) << 29) - 1)
#define MAX_POINTER_TYPE 7
#define NODE_NUMBERS     ((size_t)3 * TSIM_RAY_NODE_VERTICES) /* x, y, z of each */

const uint8_t tsim_ray_node_corners[TSIM_RAY_NODE_TRIANGLES][3] = {
    {0, 1, 2},
    {1, 3, 2},
    {2, 3, 4},
    {2, 4, 0},
};

static void put_float(uint8_t *bytes, float value)
{
    tsim_bytes_put_u32(bytes, tsim_float_to_bits(value));
}

static float get_float(const uint8_t *bytes)
{
    return tsim_float_from_bits(tsim_bytes_get_u32(bytes));
}

gboolean tsim_ray_pointer_encode64(uint64_t offset_bytes, unsigned type, uint64_t *pointer,
                                   GError **error)
{
    if (offset_bytes % TSIM_RAY_UNIT_BYTES != 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "node pointer: offset 0x%" G_GINT64_MODIFIER "x is not a multiple of 64",
                    offset_bytes);
        return FALSE;
    }
    if (type > MAX_POINTER_TYPE) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "node pointer: type %u; 0 to %d are allowed", type, MAX_POINTER_TYPE);
        return FALSE;
    }
    *pointer = offset_bytes / TSIM_RAY_UNIT_BYTES << 3 | type;
    return TRUE;
}

gboolean tsim_ray_pointer_encode(uint64_t offset_bytes, unsigned type, uint32_t *pointer,
                                 GError **error)
{
    uint64_t wide = 0;

    if (!tsim_ray_pointer_encode64(offset_bytes, type, &wide, error)) {
        return FALSE;
    }
    if (tsim_ray_pointer_index(wide) > MAX_INDEX) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_LIMIT,
                    "node pointer: offset 0x%" G_GINT64_MODIFIER
                    "x is beyond the 32 GB that a 32-bit pointer reaches",
                    offset_bytes);
        return FALSE;
    }
    *pointer = (uint32_t)wide;
    return TRUE;
}

void tsim_ray_node_encode_triangles(const TsimRayTriangleNode *node,
                                    uint8_t bytes[TSIM_RAY_TRIANGLE_NODE_BYTES])
{
    for (size_t i = 0; i < NODE_NUMBERS; i++) {
        put_float(bytes + 4 * i, node->vertex[i / 3][i % 3]);
    }
    tsim_bytes_put_u32(bytes + 60, node->triangle_id);
}

void tsim_ray_node_decode_triangles(const uint8_t bytes[TSIM_RAY_TRIANGLE_NODE_BYTES],
                                    TsimRayTriangleNode *node)
{
    for (size_t i = 0; i < NODE_NUMBERS; i++) {
        node->vertex[i / 3][i % 3] = get_float(bytes + 4 * i);
    }
    node->triangle_id = tsim_bytes_get_u32(bytes + 60);
}

static void encode_children(const TsimRayBoxNode *node, uint8_t *bytes)
{
    for (size_t child = 0; child < 4; child++) {
        tsim_bytes_put_u32(bytes + 4 * child, node->child[child]);
    }
}

static void decode_children(const uint8_t *bytes, TsimRayBoxNode *node)
{
    for (size_t child = 0; child < 4; child++) {
        node->child[child] = tsim_bytes_get_u32(bytes + 4 * child);
    }
}

void tsim_ray_node_encode_box16(const TsimRayBoxNode *node,
                                uint8_t bytes[TSIM_RAY_BOX16_NODE_BYTES])
{
    encode_children(node, bytes);
    for (size_t child = 0; child < 4; child++) {
        uint8_t *box = bytes + BOXES_OFFSET + BOX16_BYTES * child;

        for (size_t axis = 0; axis < 3; axis++) {
            tsim_bytes_put_u16(box + 2 * axis,
                               tsim_half_from_float(node->bounds[0][axis][child], TSIM_HALF_DOWN));
            tsim_bytes_put_u16(box + 6 + 2 * axis,
                               tsim_half_from_float(node->bounds[1][axis][child], TSIM_HALF_UP));
        }
    }
}

void tsim_ray_node_decode_box16(const uint8_t bytes[TSIM_RAY_BOX16_NODE_BYTES],
                                TsimRayBoxNode *node)
{
    decode_children(bytes, node);
    for (size_t child = 0; child < 4; child++) {
        const uint8_t *box = bytes + BOXES_OFFSET + BOX16_BYTES * child;

        for (size_t axis = 0; axis < 3; axis++) {
            node->bounds[0][axis][child] = tsim_half_to_float(tsim_bytes_get_u16(box + 2 * axis));
            node->bounds[1][axis][child] =
                tsim_half_to_float(tsim_bytes_get_u16(box + 6 + 2 * axis));
        }
    }
}

void tsim_ray_node_encode_box32(const TsimRayBoxNode *node,
                                uint8_t bytes[TSIM_RAY_BOX32_NODE_BYTES])
{
    encode_children(node, bytes);
    for (size_t child = 0; child < 4; child++) {
        uint8_t *box = bytes + BOXES_OFFSET + BOX32_BYTES * child;

        for (size_t axis = 0; axis < 3; axis++) {
            put_float(box + 4 * axis, node->bounds[0][axis][child]);
            put_float(box + 12 + 4 * axis, node->bounds[1][axis][child]);
        }
    }
    memset(bytes + BOXES_OFFSET + (size_t)4 * BOX32_BYTES, 0, 16);
}

void tsim_ray_node_decode_box32(const uint8_t bytes[TSIM_RAY_BOX32_NODE_BYTES],
                                TsimRayBoxNode *node)
{
    decode_children(bytes, node);
    for (size_t child = 0; child < 4; child++) {
        const uint8_t *box = bytes + BOXES_OFFSET + BOX32_BYTES * child;

        for (size_t axis = 0; axis < 3; axis++) {
            node->bounds[0][axis][child] = get_float(box + 4 * axis);
            node->bounds[1][axis][child] = get_float(box + 12 + 4 * axis);
        }
    }
}
