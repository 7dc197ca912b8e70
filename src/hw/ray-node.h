/* BVH nodes and the pointers to them, byte for byte as the hardware reads them (R3, R5).
 *
 * Pointer                       31..3 (63..3)            2..0
 *                             +------------------------+------+
 *                             | offset from base / 64 B| type |   all ones: no node
 *                             +------------------------+------+
 *   type 0-3  triangle 0-3 of a triangle node      4  four FP16 boxes     5  four FP32 boxes
 *   type 6-7  reserved: no test; drivers keep their own nodes there (here 6 is an instance)
 *
 * Triangle node, 64 B     0     12    24    36    48    60
 *                       +-----+-----+-----+-----+-----+-------------+
 *                       | V0  | V1  | V2  | V3  | V4  | triangle id |   x, y, z as binary32
 *                       +-----+-----+-----+-----+-----+-------------+
 *   triangle 0 {V0,V1,V2}  1 {V1,V3,V2}  2 {V2,V3,V4}  3 {V2,V4,V0}: a fan around V2
 *   In return mode 1, byte k of the id says of which corner of triangle k I and J are the weights:
 *     7..4 spare | 3..2 source of J | 1..0 source of I      (3 is unused)
 *
 * Box node                0       16             ...              FP16: 64 B   FP32: 128 B
 *                       +-------+--------------------------------+
 *                       | child | box 0 | box 1 | box 2 | box 3  |   FP32: 16 spare bytes follow
 *                       | 0..3  | min xyz, max xyz, each         |
 *                       +-------+--------------------------------+
 *
 * Everything is little endian. Encoding FP16 boxes rounds outwards, so that a box only grows.
 * Source: ray-intersection facts, sections 2 and 3.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#define TSIM_RAY_NO_NODE             UINT32_MAX
#define TSIM_RAY_NODE_TRIANGLES      4
#define TSIM_RAY_NODE_VERTICES       5
#define TSIM_RAY_TRIANGLE_NODE_BYTES 64
#define TSIM_RAY_BOX16_NODE_BYTES    64
#define TSIM_RAY_BOX32_NODE_BYTES    128

/* 0 to 3 are the triangles of a node. */
typedef enum {
    TSIM_RAY_NODE_TRIANGLE = 0,
    TSIM_RAY_NODE_BOX16 = 4,
    TSIM_RAY_NODE_BOX32 = 5,
    TSIM_RAY_NODE_INSTANCE = 6,
} TsimRayNodeType;

typedef struct {
    float vertex[TSIM_RAY_NODE_VERTICES][3];
    uint32_t triangle_id;
} TsimRayTriangleNode;

typedef struct {
    uint32_t child[4];
    float bounds[2][3][4]; /* [min, max][axis][child]: the four boxes side by side */
} TsimRayBoxNode;

/* The corners of triangle k of a node, as vertex numbers. */
extern const uint8_t tsim_ray_node_corners[TSIM_RAY_NODE_TRIANGLES][3];

static inline unsigned tsim_ray_pointer_type(uint64_t pointer)
{
    return (unsigned)(pointer & 7);
}

/* In units of 64 B from the base; takes 32- and 64-bit pointers. */
static inline uint64_t tsim_ray_pointer_index(uint64_t pointer)
{
    return pointer >> 3;
}

static inline gboolean tsim_ray_pointer_is_triangle(uint64_t pointer)
{
    return tsim_ray_pointer_type(pointer) < TSIM_RAY_NODE_TRIANGLES;
}

/* Units of 64 B that the node takes. */
static inline unsigned tsim_ray_pointer_units(uint64_t pointer)
{
    return tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_BOX32 ? 2 : 1;
}

/* The pointer to a node offset_bytes behind the base. TSIM_ERROR_INPUT if the offset is not a
 * multiple of 64 or the type above 7, TSIM_ERROR_LIMIT beyond the 32 GB that 32 bits reach. */
gboolean tsim_ray_pointer_encode(uint64_t offset_bytes, unsigned type, uint32_t *pointer,
                                 GError **error);

/* The 64-bit form: the same for a node at any 64 B aligned address below 2^64. */
gboolean tsim_ray_pointer_encode64(uint64_t offset_bytes, unsigned type, uint64_t *pointer,
                                   GError **error);

/* The remap byte of one triangle; sources are corners 0 to 2. Plain order is I = 1, J = 2. */
static inline uint8_t tsim_ray_node_remap(unsigned i_source, unsigned j_source)
{
    return (uint8_t)(i_source | j_source << 2);
}

void tsim_ray_node_encode_triangles(const TsimRayTriangleNode *node,
                                    uint8_t bytes[TSIM_RAY_TRIANGLE_NODE_BYTES]);
void tsim_ray_node_decode_triangles(const uint8_t bytes[TSIM_RAY_TRIANGLE_NODE_BYTES],
                                    TsimRayTriangleNode *node);

void tsim_ray_node_encode_box16(const TsimRayBoxNode *node,
                                uint8_t bytes[TSIM_RAY_BOX16_NODE_BYTES]);
void tsim_ray_node_decode_box16(const uint8_t bytes[TSIM_RAY_BOX16_NODE_BYTES],
                                TsimRayBoxNode *node);

void tsim_ray_node_encode_box32(const TsimRayBoxNode *node,
                                uint8_t bytes[TSIM_RAY_BOX32_NODE_BYTES]);
void tsim_ray_node_decode_box32(const uint8_t bytes[TSIM_RAY_BOX32_NODE_BYTES],
                                TsimRayBoxNode *node);
