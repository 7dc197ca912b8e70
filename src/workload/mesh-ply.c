#include "base/bytes.h"
#include "base/error.h"
#include "workload/mesh-draft.h"
#include "workload/text.h"

#include <math.h>
#include <string.h>

typedef enum {
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    FLOAT32,
    FLOAT64,
    TYPES,
} Type;

static const struct {
    const char *names[2];
    size_t bytes;
} types[TYPES] = {
    {{"char", "int8"}, 1},     {{"uchar", "uint8"}, 1},    {{"short", "int16"}, 2},
    {{"ushort", "uint16"}, 2}, {{"int", "int32"}, 4},      {{"uint", "uint32"}, 4},
    {{"float", "float32"}, 4}, {{"double", "float64"}, 8},
};

/* What becomes of the numbers of a property. */
typedef enum {
    ROLE_NONE,
    ROLE_X,
    ROLE_Y,
    ROLE_Z,
    ROLE_CORNERS,
} Role;

typedef struct {
    gboolean is_list;
    Type count_type;
    Type type;
    Role role;
} Property;

typedef struct {
    gboolean is_vertex;
    gboolean is_face;
    uint64_t count;
    GArray *properties; /* Property */
} Element;

typedef enum {
    FORMAT_ASCII,
    FORMAT_LITTLE_ENDIAN,
    FORMAT_BIG_ENDIAN,
} Format;

/* The text cursor serves the header and ascii data; binary data start where it stands then. */
typedef struct {
    TsimText text;
    const char *start;
    Format format;
    GArray *elements; /* Element */
    uint64_t vertex_count;
    GArray *corners;
    TsimMeshDraft *draft;
} Reader;

static gboolean fail(const Reader *reader, GError **error, const char *message)
{
    if (reader->format == FORMAT_ASCII) {
        return tsim_text_fail(&reader->text, error, "%s", message);
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: byte %" G_GSIZE_FORMAT ": %s",
                reader->text.name, (gsize)(reader->text.at - reader->start), message);
    return FALSE;
}

/* ---- Header: always text ---- */

static gboolean find_type(TsimTextWord word, Type *type)
{
    for (int i = 0; i < TYPES; i++) {
        if (tsim_text_word_is(word, types[i].names[0]) ||
            tsim_text_word_is(word, types[i].names[1])) {
            *type = (Type)i;
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean next_type(Reader *reader, Type *type, GError **error)
{
    TsimTextWord word;

    return (tsim_text_next_word(&reader->text, &word) && find_type(word, type)) ||
           tsim_text_fail(&reader->text, error, "a property needs a number type");
}

static gboolean parse_format(Reader *reader, GError **error)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    TsimTextWord word;

    if (tsim_text_next_word(&reader->text, &word)) {
        for (int i = 0; i <= FORMAT_BIG_ENDIAN; i++) {
            if (tsim_text_word_is(word, names[i])) {
                reader->format = (Format)i;
                return TRUE;
            }
        }
    }
    return tsim_text_fail(&reader->text, error,
                          "the format must be ascii, binary_little_endian or binary_big_endian");
}

static gboolean parse_element(Reader *reader, GError **error)
{
    Element element = {.count = 0};
    TsimTextWord name;
    TsimTextWord word;
    int64_t count = -1;

    if (!tsim_text_next_word(&reader->text, &name) || !tsim_text_next_word(&reader->text, &word) ||
        !tsim_text_word_to_int(word, &count) || count < 0 || count > UINT32_MAX) {
        return tsim_text_fail(&reader->text, error, "an element needs a name and a count");
    }
    element.is_vertex = tsim_text_word_is(name, "vertex");
    element.is_face = tsim_text_word_is(name, "face");
    element.count = (uint64_t)count;
    element.properties = g_array_new(FALSE, FALSE, sizeof(Property));
    reader->vertex_count = element.is_vertex ? element.count : reader->vertex_count;
    g_array_append_val(reader->elements, element);
    return TRUE;
}

static Role find_role(const Element *element, const Property *property, TsimTextWord name)
{
    if (element->is_vertex && !property->is_list && name.length == 1) {
        return name.start[0] == 'x'   ? ROLE_X
               : name.start[0] == 'y' ? ROLE_Y
               : name.start[0] == 'z' ? ROLE_Z
                                      : ROLE_NONE;
    }
    return element->is_face && property->is_list &&
                   (tsim_text_word_is(name, "vertex_indices") ||
                    tsim_text_word_is(name, "vertex_index"))
               ? ROLE_CORNERS
               : ROLE_NONE;
}

static gboolean parse_property(Reader *reader, GError **error)
{
    TsimText ahead = reader->text;
    Property property = {.is_list = FALSE};
    TsimTextWord word;

    if (reader->elements->len == 0) {
        return tsim_text_fail(&reader->text, error, "a property before the first element");
    }
    if (tsim_text_next_word(&ahead, &word) && tsim_text_word_is(word, "list")) {
        reader->text = ahead;
        property.is_list = TRUE;
        if (!next_type(reader, &property.count_type, error)) {
            return FALSE;
        }
    }
    if (!next_type(reader, &property.type, error)) {
        return FALSE;
    }
    if (!tsim_text_next_word(&reader->text, &word)) {
        return tsim_text_fail(&reader->text, error, "a property needs a name");
    }
    Element *element = &g_array_index(reader->elements, Element, reader->elements->len - 1);

    property.role = find_role(element, &property, word);
    g_array_append_val(element->properties, property);
    return TRUE;
}

/* One line of the header; sets `done` at its end. Comments and unknown words are passed over. */
static gboolean parse_header_line(Reader *reader, gboolean *done, GError **error)
{
    TsimTextWord keyword;

    if (!tsim_text_next_word(&reader->text, &keyword)) {
        return TRUE;
    }
    if (tsim_text_word_is(keyword, "format")) {
        return parse_format(reader, error);
    }
    if (tsim_text_word_is(keyword, "element")) {
        return parse_element(reader, error);
    }
    if (tsim_text_word_is(keyword, "property")) {
        return parse_property(reader, error);
    }
    *done = tsim_text_word_is(keyword, "end_header");
    return TRUE;
}

static gboolean has_role(const Reader *reader, Role role)
{
    for (guint i = 0; i < reader->elements->len; i++) {
        const Element *element = &g_array_index(reader->elements, Element, i);

        for (guint k = 0; k < element->properties->len; k++) {
            if (g_array_index(element->properties, Property, k).role == role) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

static gboolean parse_header(Reader *reader, GError **error)
{
    TsimTextWord word;
    gboolean done = FALSE;

    if (!tsim_text_next_line(&reader->text) || !tsim_text_next_word(&reader->text, &word) ||
        !tsim_text_word_is(word, "ply")) {
        return tsim_text_fail(&reader->text, error, "a PLY file begins with the line \"ply\"");
    }
    while (!done) {
        if (!tsim_text_next_line(&reader->text)) {
            return tsim_text_fail(&reader->text, error, "the file ends before \"end_header\"");
        }
        if (!parse_header_line(reader, &done, error)) {
            return FALSE;
        }
    }
    if (!has_role(reader, ROLE_X) || !has_role(reader, ROLE_Y) || !has_role(reader, ROLE_Z)) {
        return tsim_text_fail(&reader->text, error, "the vertices need properties x, y and z");
    }
    return TRUE;
}

/* ---- Data ---- */

static gboolean next_ascii_number(Reader *reader, double *number, GError **error)
{
    TsimTextWord word;

    while (!tsim_text_next_word(&reader->text, &word)) {
        if (!tsim_text_next_line(&reader->text)) {
            return fail(reader, error, "the file ends before its last number");
        }
    }
    return tsim_text_word_to_real(word, number) || fail(reader, error, "a number is needed");
}

static double decode_integer(Type type, uint64_t raw)
{
    switch (type) {
    case INT8:
        return (int8_t)raw;
    case INT16:
        return (int16_t)raw;
    case INT32:
        return (int32_t)raw;
    case UINT8:
    case UINT16:
    case UINT32:
    case FLOAT32:
    case FLOAT64:
    case TYPES:
        break;
    }
    return (double)raw;
}

static double decode_number(Type type, uint64_t raw)
{
    const uint32_t raw32 = (uint32_t)raw;
    float single;
    double number;

    if (type == FLOAT32) {
        memcpy(&single, &raw32, sizeof single);
        return (double)single;
    }
    if (type == FLOAT64) {
        memcpy(&number, &raw, sizeof number);
        return number;
    }
    return decode_integer(type, raw);
}

static gboolean next_number(Reader *reader, Type type, double *number, GError **error)
{
    const size_t bytes = types[type].bytes;
    const char *at = reader->text.at;
    uint64_t raw = 0;

    if (reader->format == FORMAT_ASCII) {
        return next_ascii_number(reader, number, error);
    }
    if ((size_t)(reader->text.end - at) < bytes) {
        return fail(reader, error, "the file ends before its last number");
    }
    for (size_t i = 0; i < bytes; i++) {
        const size_t place = reader->format == FORMAT_LITTLE_ENDIAN ? i : bytes - 1 - i;

        raw |= (uint64_t)(uint8_t)at[i] << 8 * place;
    }
    *number = decode_number(type, raw);
    reader->text.at += bytes;
    return TRUE;
}

static gboolean take_number(Reader *reader, Role role, double number, float position[3],
                            GError **error)
{
    if (role == ROLE_CORNERS) {
        if (!(number >= 0.0 && number < (double)reader->vertex_count)) {
            return fail(reader, error, "a face names a vertex that does not exist");
        }
        const uint32_t corner = (uint32_t)number;

        g_array_append_val(reader->corners, corner);
    } else if (role != ROLE_NONE) {
        if (!isfinite((float)number)) {
            return fail(reader, error, "a coordinate is not a finite number");
        }
        position[role - ROLE_X] = (float)number;
    }
    return TRUE;
}

static gboolean read_property(Reader *reader, const Property *property, float position[3],
                              GError **error)
{
    double count = 1.0;
    double number = 0.0;

    if (property->is_list && !next_number(reader, property->count_type, &count, error)) {
        return FALSE;
    }
    if (!(count >= 0.0 && count <= UINT32_MAX)) {
        return fail(reader, error, "a list has an impossible length");
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        if (!next_number(reader, property->type, &number, error) ||
            !take_number(reader, property->role, number, position, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_row(Reader *reader, const Element *element, GError **error)
{
    float position[3] = {0, 0, 0};

    g_array_set_size(reader->corners, 0);
    for (guint i = 0; i < element->properties->len; i++) {
        const Property *property = &g_array_index(element->properties, Property, i);

        if (!read_property(reader, property, position, error)) {
            return FALSE;
        }
    }
    if (element->is_vertex) {
        g_array_append_vals(reader->draft->positions, position, 3);
    }
    if (element->is_face) {
        if (reader->corners->len < 3) {
            return fail(reader, error, "a face needs at least 3 vertices");
        }
        tsim_mesh_draft_add_polygon(reader->draft,
                                    (const uint32_t *)(const void *)reader->corners->data,
                                    reader->corners->len);
    }
    return TRUE;
}

/* A row without properties takes no bytes: a file cannot say that there are billions of those. */
static gboolean read_element(Reader *reader, const Element *element, GError **error)
{
    const uint64_t rows = element->properties->len > 0 ? element->count : 0;

    for (uint64_t row = 0; row < rows; row++) {
        if (!read_row(reader, element, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean read_body(Reader *reader, GError **error)
{
    /* Ascii data begin on the next line, binary data behind the line feed. */
    if (reader->format != FORMAT_ASCII) {
        while (reader->text.at != reader->text.end && *reader->text.at++ != '\n') {
        }
    }
    for (guint i = 0; i < reader->elements->len; i++) {
        if (!read_element(reader, &g_array_index(reader->elements, Element, i), error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static void clear_element(gpointer data)
{
    Element *element = data;

    g_array_unref(element->properties);
}

gboolean tsim_mesh_ply_parse(const char *name, const char *data, size_t length_bytes,
                             TsimMeshDraft *draft, GError **error)
{
    g_autoptr(GArray) elements = g_array_new(FALSE, FALSE, sizeof(Element));
    g_autoptr(GArray) corners = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    Reader reader = {
        .text = tsim_text_new(name, data, length_bytes),
        .start = data,
        .elements = elements,
        .corners = corners,
        .draft = draft,
    };

    g_array_set_clear_func(elements, clear_element);
    return parse_header(&reader, error) && read_body(&reader, error);
}
