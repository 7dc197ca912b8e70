#include "workload/mesh-draft.h"
#include "workload/text.h"

/* An OBJ index counts from 1, or from -1 backwards over the vertices read so far. The texture and
 * normal numbers behind slashes do not matter here. */
static gboolean parse_corner(const TsimText *text, TsimTextWord word, uint32_t vertex_count,
                             uint32_t *corner, GError **error)
{
    const TsimTextWord whole = word;
    int64_t number = 0;

    for (size_t i = 0; i < whole.length; i++) {
        if (whole.start[i] == '/') {
            word.length = i;
            break;
        }
    }
    if (!tsim_text_word_to_int(word, &number) || number == 0 || number > vertex_count ||
        number < -(int64_t)vertex_count) {
        return tsim_text_fail(text, error,
                              "\"%.*s\" is not a vertex; 1 to %u (or -1 to -%u) are defined so far",
                              (int)MIN(whole.length, 40), whole.start, vertex_count, vertex_count);
    }
    *corner = (uint32_t)(number > 0 ? number - 1 : vertex_count + number);
    return TRUE;
}

static gboolean parse_face(TsimText *text, TsimMeshDraft *draft, GArray *corners, GError **error)
{
    TsimTextWord word;

    g_array_set_size(corners, 0);
    while (tsim_text_next_word(text, &word) && word.start[0] != '#') {
        uint32_t corner = 0;

        if (!parse_corner(text, word, tsim_mesh_draft_vertex_count(draft), &corner, error)) {
            return FALSE;
        }
        g_array_append_val(corners, corner);
    }
    if (corners->len < 3) {
        return tsim_text_fail(text, error, "a face needs at least 3 vertices, %u found",
                              corners->len);
    }
    tsim_mesh_draft_add_polygon(draft, (const uint32_t *)(const void *)corners->data, corners->len);
    return TRUE;
}

static gboolean parse_line(TsimText *text, TsimMeshDraft *draft, GArray *corners, GError **error)
{
    TsimTextWord keyword;

    if (!tsim_text_next_word(text, &keyword)) {
        return TRUE;
    }
    if (tsim_text_word_is(keyword, "v")) {
        float position[3];

        if (!tsim_text_floats(text, 3, position, error)) {
            return FALSE;
        }
        g_array_append_vals(draft->positions, position, 3);
    } else if (tsim_text_word_is(keyword, "f")) {
        return parse_face(text, draft, corners, error);
    }
    return TRUE;
}

/* Everything but vertices and faces (normals, materials, groups, comments) is passed over. */
gboolean tsim_mesh_obj_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error)
{
    g_autoptr(GArray) corners = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    TsimText text = tsim_text_new(name, data, length_bytes);

    while (tsim_text_next_line(&text)) {
        if (!parse_line(&text, draft, corners, error)) {
            return FALSE;
        }
    }
    return TRUE;
}
