#include "workload/bvh.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/file-sink.h"
#include "base/file.h"
#include "hw/half.h"
#include "workload/bvh-walk.h"

#define HEADER_BYTES      64
#define DESCRIPTOR_OFFSET 8
#define ROOT_OFFSET       24
#define PRIMITIVES_BYTES  (TSIM_RAY_NODE_TRIANGLES * sizeof(uint32_t))

static const char magic[8] = {'T', 'S', 'I', 'M', 'B', 'V', 'H', '1'};

void tsim_bvh_decode_instance(const uint8_t bytes[TSIM_RAY_UNIT_BYTES], TsimBvhInstanceNode *node)
{
    for (size_t i = 0; i < 12; i++) {
        node->world_to_object[i / 4][i % 4] =
            tsim_float_from_bits(tsim_bytes_get_u32(bytes + 4 * i));
    }
    node->root = tsim_bytes_get_u32(bytes + TSIM_BVH_INSTANCE_ROOT);
    node->id = tsim_bytes_get_u32(bytes + TSIM_BVH_INSTANCE_ID);
}

/* Of a file with that many nodes. */
static uint64_t file_bytes(uint64_t node_count)
{
    return HEADER_BYTES + node_count * (TSIM_RAY_UNIT_BYTES + PRIMITIVES_BYTES);
}

static gboolean encode_header(const TsimBvh *bvh, uint8_t header[HEADER_BYTES], GError **error)
{
    uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS];

    if (!tsim_ray_descriptor_encode(&bvh->descriptor, words, error)) {
        return FALSE;
    }
    memcpy(header, magic, sizeof magic);
    for (size_t i = 0; i < TSIM_RAY_DESCRIPTOR_WORDS; i++) {
        tsim_bytes_put_u32(header + DESCRIPTOR_OFFSET + 4 * i, words[i]);
    }
    tsim_bytes_put_u32(header + ROOT_OFFSET, bvh->root);
    return TRUE;
}

gboolean tsim_bvh_write(const TsimBvh *bvh, const char *path, GError **error)
{
    const uint64_t node_count = bvh->descriptor.node_count;
    const uint64_t length_bytes = file_bytes(node_count);
    g_autofree uint8_t *file = g_malloc0(length_bytes);
    uint8_t *primitives = file + HEADER_BYTES + node_count * TSIM_RAY_UNIT_BYTES;

    if (!encode_header(bvh, file, error)) {
        return FALSE;
    }
    memcpy(file + HEADER_BYTES, bvh->bytes, node_count * TSIM_RAY_UNIT_BYTES);
    for (uint64_t i = 0; i < TSIM_RAY_NODE_TRIANGLES * node_count; i++) {
        tsim_bytes_put_u32(primitives + 4 * i, bvh->primitives[i]);
    }
    return tsim_file_sink_write(path, file, length_bytes, error);
}

static gboolean decode_header(const char *path, const uint8_t *file, uint64_t length_bytes,
                              TsimBvh *bvh, GError **error)
{
    uint32_t words[TSIM_RAY_DESCRIPTOR_WORDS];

    if (length_bytes < HEADER_BYTES || memcmp(file, magic, sizeof magic) != 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: not an encoded BVH (64 bytes that begin with TSIMBVH1 are needed)", path);
        return FALSE;
    }
    for (size_t i = 0; i < TSIM_RAY_DESCRIPTOR_WORDS; i++) {
        words[i] = tsim_bytes_get_u32(file + DESCRIPTOR_OFFSET + 4 * i);
    }
    if (!tsim_ray_descriptor_decode(words, &bvh->descriptor, error)) {
        g_prefix_error(error, "%s: ", path);
        return FALSE;
    }
    bvh->root = tsim_bytes_get_u32(file + ROOT_OFFSET);
    if (length_bytes != file_bytes(bvh->descriptor.node_count)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: %" G_GUINT64_FORMAT " bytes; the descriptor's %" G_GUINT64_FORMAT
                    " nodes need %" G_GUINT64_FORMAT,
                    path, length_bytes, bvh->descriptor.node_count,
                    file_bytes(bvh->descriptor.node_count));
        return FALSE;
    }
    return TRUE;
}

static void decode_body(const uint8_t *file, TsimBvh *bvh)
{
    const uint64_t node_bytes = bvh->descriptor.node_count * TSIM_RAY_UNIT_BYTES;
    const uint64_t primitive_count = bvh->descriptor.node_count * TSIM_RAY_NODE_TRIANGLES;
    const uint8_t *primitives = file + HEADER_BYTES + node_bytes;

    bvh->bytes = g_malloc(node_bytes);
    memcpy(bvh->bytes, file + HEADER_BYTES, node_bytes);
    bvh->primitives = g_new(uint32_t, primitive_count);
    for (uint64_t i = 0; i < primitive_count; i++) {
        bvh->primitives[i] = tsim_bytes_get_u32(primitives + 4 * i);
    }
}

TsimBvh *tsim_bvh_read(const char *path, GError **error)
{
    g_autoptr(TsimBvh) bvh = g_new0(TsimBvh, 1);
    g_autofree char *file = NULL;
    gsize length_bytes = 0;

    if (!tsim_file_read(path, "BVH", &file, &length_bytes, error)) {
        return NULL;
    }
    if (!decode_header(path, (const uint8_t *)file, length_bytes, bvh, error)) {
        return NULL;
    }
    decode_body((const uint8_t *)file, bvh);
    if (!tsim_bvh_walk(bvh, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return g_steal_pointer(&bvh);
}

void tsim_bvh_free(TsimBvh *bvh)
{
    if (bvh != NULL) {
        g_free(bvh->bytes);
        g_free(bvh->primitives);
        g_free(bvh);
    }
}
