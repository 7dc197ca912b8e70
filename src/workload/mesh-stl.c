#include "base/bytes.h"
#include "base/error.h"
#include "hw/half.h"
#include "workload/mesh-draft.h"
#include "workload/text.h"

#include <math.h>

/* Binary: 80 bytes of anything, the number of triangles, then 50 bytes each: normal, three
 * vertices, two bytes of anything. */
#define COUNT_OFFSET   80
#define HEADER_BYTES   84
#define TRIANGLE_BYTES 50
#define VERTEX_OFFSET  12

static void add_triangle(TsimMeshDraft *draft, const float positions[9])
{
    const uint32_t first = tsim_mesh_draft_vertex_count(draft);
    const uint32_t corners[3] = {first, first + 1, first + 2};

    g_array_append_vals(draft->positions, positions, 9);
    tsim_mesh_draft_add_polygon(draft, corners, 3);
}

static gboolean parse_binary(const char *name, const uint8_t *data, uint32_t count,
                             TsimMeshDraft *draft, GError **error)
{
    for (uint32_t triangle = 0; triangle < count; triangle++) {
        const uint8_t *vertices =
            data + HEADER_BYTES + (size_t)TRIANGLE_BYTES * triangle + VERTEX_OFFSET;
        float positions[9];

        for (size_t i = 0; i < 9; i++) {
            positions[i] = tsim_float_from_bits(tsim_bytes_get_u32(vertices + 4 * i));
            if (!isfinite(positions[i])) {
                g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                            "%s: byte %" G_GSIZE_FORMAT ": a coordinate is not a finite number",
                            name, (gsize)(vertices - data) + 4 * i);
                return FALSE;
            }
        }
        add_triangle(draft, positions);
    }
    return TRUE;
}

typedef struct {
    float positions[9];
    unsigned vertices; /* of the facet so far */
    gboolean ended;    /* endsolid was seen */
} Facet;

static gboolean parse_line(TsimText *text, Facet *facet, TsimMeshDraft *draft, GError **error)
{
    TsimTextWord keyword;

    if (!tsim_text_next_word(text, &keyword)) {
        return TRUE;
    }
    if (tsim_text_word_is(keyword, "facet")) {
        facet->vertices = 0;
    } else if (tsim_text_word_is(keyword, "vertex")) {
        if (facet->vertices == 3) {
            return tsim_text_fail(text, error, "a facet has 3 vertices, this is one more");
        }
        return tsim_text_floats(text, 3, &facet->positions[3 * (size_t)facet->vertices++], error);
    } else if (tsim_text_word_is(keyword, "endfacet")) {
        if (facet->vertices != 3) {
            return tsim_text_fail(text, error, "a facet has 3 vertices, %u found", facet->vertices);
        }
        add_triangle(draft, facet->positions);
    }
    facet->ended = tsim_text_word_is(keyword, "endsolid");
    return TRUE;
}

static gboolean parse_text(const char *name, const char *data, size_t length_bytes,
                           TsimMeshDraft *draft, GError **error)
{
    TsimText text = tsim_text_new(name, data, length_bytes);
    Facet facet = {.vertices = 0};

    while (tsim_text_next_line(&text)) {
        if (!parse_line(&text, &facet, draft, error)) {
            return FALSE;
        }
    }
    return facet.ended || tsim_text_fail(&text, error, "the file ends before \"endsolid\"");
}

/* Binary files may begin with the word "solid" too; their length tells them apart. */
gboolean tsim_mesh_stl_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error)
{
    const uint8_t *bytes = (const uint8_t *)data;
    const gboolean has_header = length_bytes >= HEADER_BYTES;
    const uint32_t count = has_header ? tsim_bytes_get_u32(bytes + COUNT_OFFSET) : 0;
    const uint64_t needed_bytes = HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * count;

    if (has_header && length_bytes == needed_bytes) {
        return parse_binary(name, bytes, count, draft, error);
    }
    if (g_str_has_prefix(data, "solid")) {
        return parse_text(name, data, length_bytes, draft, error);
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                "%s: %" G_GSIZE_FORMAT " bytes; a binary STL file of %u triangles has "
                "%" G_GUINT64_FORMAT,
                name, (gsize)length_bytes, count, needed_bytes);
    return FALSE;
}
