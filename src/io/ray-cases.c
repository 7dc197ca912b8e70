#include "io/ray-cases.h"

#include "base/error.h"
#include "base/file.h"
#include "hw/half.h"

#include <json-c/json.h>
#include <math.h>
#include <string.h>

/* t of a strict hit may differ by this much (relative), a weight by this much (absolute). */
#define T_TOLERANCE      0x1p-18f
#define WEIGHT_TOLERANCE 0x1p-16f

#define MAX_FAN_TRIANGLES 16

const char *const tsim_ray_cases_list_names[TSIM_RAY_CASES_LISTS] = {
    "ray_box", "ray_tri", "box4_sort", "tri_node", "shared_edge",
};

static const uint8_t growths[] = {0, 6, 255};
#define VARIANTS ((size_t)2 * 2 * G_N_ELEMENTS(growths)) /* a16, fp16, growth */

/* The first thing that is wrong with the file stays in `error`; reading goes on with zeros. */
typedef struct {
    const char *path;
    const char *list;
    const char *id;
    GError *error;
} Reader;

/* What a case should give and what it gave; `differs` decides. */
typedef struct {
    GString *expected;
    GString *found;
    gboolean differs;
} Outcome;

static void fail(Reader *reader, const char *key, const char *needed)
{
    if (reader->error == NULL) {
        reader->error =
            g_error_new(TSIM_ERROR, TSIM_ERROR_INPUT, "%s: /%s, case %s: \"%s\" must be %s",
                        reader->path, reader->list, reader->id, key, needed);
    }
}

static json_object *get(Reader *reader, json_object *object, const char *key, enum json_type type,
                        const char *needed)
{
    json_object *value = NULL;

    if (!json_object_object_get_ex(object, key, &value) || !json_object_is_type(value, type)) {
        fail(reader, key, needed);
        return NULL;
    }
    return value;
}

static const char *get_string(Reader *reader, json_object *object, const char *key)
{
    json_object *value = get(reader, object, key, json_type_string, "a string");

    return value != NULL ? json_object_get_string(value) : "";
}

static unsigned get_unsigned(Reader *reader, json_object *object, const char *key)
{
    json_object *value = get(reader, object, key, json_type_int, "an integer");

    return value != NULL ? (unsigned)json_object_get_int64(value) : 0;
}

/* A list without the flag is strict throughout; FALSE for any other missing flag. */
static gboolean get_flag(json_object *object, const char *key, gboolean missing)
{
    json_object *value = NULL;

    return json_object_object_get_ex(object, key, &value) ? json_object_get_boolean(value)
                                                          : missing;
}

static size_t array_length(json_object *value)
{
    return json_object_is_type(value, json_type_array) ? json_object_array_length(value) : 0;
}

static gboolean parse_float(json_object *value, float *number)
{
    if (json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int)) {
        *number = (float)json_object_get_double(value);
        return TRUE;
    }
    if (!json_object_is_type(value, json_type_string)) {
        return FALSE;
    }
    const char *text = json_object_get_string(value);
    char *end = NULL;

    if (g_str_has_prefix(text, "0x")) {
        *number = tsim_float_from_bits((uint32_t)g_ascii_strtoull(text, &end, 16));
    } else {
        *number = (float)g_ascii_strtod(text, &end);
    }
    return end != text && *end == '\0';
}

/* Numbers of nested arrays in reading order: a vector, or a list of them. */
static size_t flatten(json_object *value, float *numbers, size_t capacity)
{
    size_t count = 0;

    if (!json_object_is_type(value, json_type_array)) {
        return capacity > 0 && parse_float(value, numbers) ? 1 : 0;
    }
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        count += flatten(json_object_array_get_idx(value, i), numbers + count, capacity - count);
    }
    return count;
}

static void get_floats(Reader *reader, json_object *object, const char *key, float *numbers,
                       size_t count)
{
    json_object *bits = NULL;
    json_object *value = NULL;

    if (!json_object_object_get_ex(object, "bits", &bits) ||
        !json_object_object_get_ex(bits, key, &value)) {
        json_object_object_get_ex(object, key, &value);
    }
    if (flatten(value, numbers, count) != count) {
        memset(numbers, 0, count * sizeof *numbers);
        fail(reader, key, "numbers, as many as the format says");
    }
}

static TsimRay get_ray(Reader *reader, json_object *object)
{
    TsimRay ray;

    get_floats(reader, object, "origin", ray.origin, 3);
    get_floats(reader, object, "dir", ray.direction, 3);
    get_floats(reader, object, "inv_dir", ray.inverse_direction, 3);
    get_floats(reader, object, "extent", &ray.extent, 1);
    return ray;
}

static gboolean is_close(float found, float expected, float tolerance)
{
    return (found <= expected && found >= expected) || fabsf(found - expected) <= tolerance;
}

static gboolean is_t_close(float found, float expected)
{
    return is_close(found, expected, T_TOLERANCE * fabsf(expected));
}

/* A unit whose memory is one encoded node. */
typedef struct {
    TsimRayUnit unit;
    uint8_t bytes[TSIM_RAY_BOX32_NODE_BYTES];
    unsigned type;
} OneNode;

static OneNode one_node(const TsimRayOptions *options, unsigned type, uint8_t growth_ulps,
                        gboolean sort, unsigned return_mode)
{
    const TsimRayDescriptor descriptor = {
        .node_count = tsim_ray_pointer_units(type),
        .box_growth_ulps = growth_ulps,
        .triangle_return_mode = (uint8_t)return_mode,
        .box_sort = sort,
    };

    return (OneNode){.unit = tsim_ray_unit_new(&descriptor, options), .type = type};
}

static OneNode box_node(const TsimRayOptions *options, unsigned type, uint8_t growth_ulps,
                        gboolean sort, const TsimRayBoxNode *boxes)
{
    OneNode node = one_node(options, type, growth_ulps, sort, 0);

    if (type == TSIM_RAY_NODE_BOX16) {
        tsim_ray_node_encode_box16(boxes, node.bytes);
    } else {
        tsim_ray_node_encode_box32(boxes, node.bytes);
    }
    return node;
}

static OneNode triangle_node(const TsimRayOptions *options, unsigned triangle, unsigned return_mode,
                             const TsimRayTriangleNode *triangles)
{
    OneNode node = one_node(options, triangle, 0, FALSE, return_mode);

    tsim_ray_node_encode_triangles(triangles, node.bytes);
    return node;
}

/* The ray takes the way through the registers. */
static TsimRayLane run_lane(const OneNode *node, gboolean a16, const TsimRay *ray,
                            uint32_t results[TSIM_RAY_RESULTS])
{
    const TsimRayOperandFormat format = {.a16 = a16};
    uint32_t registers[TSIM_RAY_MAX_OPERANDS];
    uint64_t pointer = 0;
    TsimRay decoded;

    tsim_ray_operands_encode(format, node->type, ray, registers);
    tsim_ray_operands_decode(format, registers, &pointer, &decoded);
    return tsim_ray_lane_test(&node->unit, node->bytes, TRUE, pointer, &decoded, results);
}

/* Runs the same check on each operand format, FP16 node and growth that the case is exact in. */
typedef struct {
    gboolean a16;
    unsigned box_type;
    uint8_t growth_ulps;
} Variant;

static size_t list_variants(json_object *object, Variant variants[VARIANTS])
{
    const gboolean a16_exact = get_flag(object, "a16_exact", FALSE);
    const gboolean fp16_exact = get_flag(object, "fp16_exact", FALSE);
    size_t count = 0;

    for (size_t i = 0; i < G_N_ELEMENTS(growths); i++) {
        for (int a16 = 0; a16 <= (a16_exact ? 1 : 0); a16++) {
            for (int fp16 = 0; fp16 <= (fp16_exact ? 1 : 0); fp16++) {
                variants[count++] =
                    (Variant){a16, fp16 ? TSIM_RAY_NODE_BOX16 : TSIM_RAY_NODE_BOX32, growths[i]};
            }
        }
    }
    return count;
}

static const char *hit_word(TsimRayLane lane, gboolean hit)
{
    if (lane == TSIM_RAY_LANE_ACTIVE) {
        return hit ? "hit" : "miss";
    }
    return "inactive";
}

static void append_found(Outcome *outcome, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append_found(Outcome *outcome, const char *format, ...)
{
    va_list arguments;

    g_string_append(outcome->found, outcome->found->len > 0 ? "; " : "");
    va_start(arguments, format);
    g_string_append_vprintf(outcome->found, format, arguments);
    va_end(arguments);
}

static void check_box_variant(const TsimRayOptions *options, const TsimRay *ray,
                              const TsimRayBoxNode *boxes, Variant variant, const char *expect,
                              float t_near, Outcome *outcome)
{
    const OneNode node = box_node(options, variant.box_type, variant.growth_ulps, FALSE, boxes);
    uint32_t results[TSIM_RAY_RESULTS];
    const TsimRayLane lane = run_lane(&node, variant.a16, ray, results);
    const char *word = hit_word(lane, results[0] == boxes->child[0]);
    const TsimRaySetup setup = tsim_ray_setup_new(ray);
    const TsimRayBoxResult distances = tsim_ray_test_boxes(&node.unit, &setup, boxes);

    if (strcmp(word, expect) != 0 ||
        (strcmp(word, "hit") == 0 && !is_t_close(distances.near[0], t_near))) {
        outcome->differs = TRUE;
        append_found(outcome, "%s near %.9g (growth %u%s%s)", word, (double)distances.near[0],
                     variant.growth_ulps, variant.a16 ? ", A16" : "",
                     variant.box_type == TSIM_RAY_NODE_BOX16 ? ", FP16" : "");
    }
}

static void run_box(Reader *reader, json_object *object, const TsimRayOptions *options,
                    Outcome *outcome)
{
    const TsimRay ray = get_ray(reader, object);
    const char *expect = get_string(reader, object, "expect");
    TsimRayBoxNode boxes = {.child = {0, TSIM_RAY_NO_NODE, TSIM_RAY_NO_NODE, TSIM_RAY_NO_NODE}};
    Variant variants[VARIANTS];
    float bounds[2][3];
    float t_near = 0.0f;

    get_floats(reader, object, "box_min", bounds[0], 3);
    get_floats(reader, object, "box_max", bounds[1], 3);
    for (int i = 0; i < 24; i++) {
        boxes.bounds[i / 12][i / 4 % 3][i % 4] = i % 4 == 0 ? bounds[i / 12][i / 4 % 3] : NAN;
    }
    if (strcmp(expect, "hit") == 0) {
        get_floats(reader, object, "t_near_f32", &t_near, 1);
    }
    g_string_append_printf(outcome->expected, "%s near %.9g", expect, (double)t_near);

    const size_t count = list_variants(object, variants);

    for (size_t i = 0; i < count; i++) {
        check_box_variant(options, &ray, &boxes, variants[i], expect, t_near, outcome);
    }
}

/* What both triangle lists expect of one triangle. */
typedef struct {
    const char *expect;
    float t;
    float i, j;
    int det_sign;
    uint32_t mode0_id;
} TriangleExpectation;

static void check_triangle(const TsimRayOptions *options, const TsimRay *ray, gboolean a16,
                           const TsimRayTriangleNode *triangles, unsigned triangle,
                           const TriangleExpectation *expectation, Outcome *outcome)
{
    const OneNode by_weights = triangle_node(options, triangle, 1, triangles);
    const OneNode by_status = triangle_node(options, triangle, 0, triangles);
    uint32_t weights[TSIM_RAY_RESULTS];
    uint32_t status[TSIM_RAY_RESULTS];
    const TsimRayLane lane = run_lane(&by_weights, a16, ray, weights);

    run_lane(&by_status, a16, ray, status);
    const float t_denom = tsim_float_from_bits(weights[1]);
    const float t = tsim_float_from_bits(weights[0]) / t_denom;
    const float i = tsim_float_from_bits(weights[2]) / t_denom;
    const float j = tsim_float_from_bits(weights[3]) / t_denom;
    const char *word = hit_word(lane, t <= ray->extent && !isinf(t));
    const gboolean same_word =
        strcmp(word, expectation->expect) == 0 && strcmp(word, hit_word(lane, status[3] == 1)) == 0;
    const gboolean same_id = lane != TSIM_RAY_LANE_ACTIVE || status[2] == expectation->mode0_id;
    const gboolean same_values =
        strcmp(word, "hit") != 0 ||
        (is_t_close(t, expectation->t) && is_close(i, expectation->i, WEIGHT_TOLERANCE) &&
         is_close(j, expectation->j, WEIGHT_TOLERANCE) &&
         (t_denom < 0.0f ? -1 : 1) == expectation->det_sign);

    if (!same_word || !same_id || !same_values) {
        outcome->differs = TRUE;
        append_found(outcome, "%s t %.9g I %.9g J %.9g sign %d id %u status %u%s", word, (double)t,
                     (double)i, (double)j, t_denom < 0.0f ? -1 : 1, status[2], status[3],
                     a16 ? " (A16)" : "");
    }
}

static void describe_triangle(const TriangleExpectation *expectation, Outcome *outcome)
{
    g_string_append_printf(outcome->expected, "%s t %.9g I %.9g J %.9g sign %d id %u",
                           expectation->expect, (double)expectation->t, (double)expectation->i,
                           (double)expectation->j, expectation->det_sign, expectation->mode0_id);
}

static void run_triangle(Reader *reader, json_object *object, const TsimRayOptions *options,
                         Outcome *outcome)
{
    const TsimRay ray = get_ray(reader, object);
    TriangleExpectation expectation = {.expect = get_string(reader, object, "expect")};
    TsimRayTriangleNode triangles = {.triangle_id = tsim_ray_node_remap(1, 2)};
    json_object *det_sign = NULL;

    expectation.mode0_id = triangles.triangle_id;
    get_floats(reader, object, "v", &triangles.vertex[0][0], 9);
    if (strcmp(expectation.expect, "hit") == 0) {
        float weights[3];

        get_floats(reader, object, "t_f32", &expectation.t, 1);
        get_floats(reader, object, "bary_f32", weights, 3);
        expectation.i = weights[1];
        expectation.j = weights[2];
        det_sign = get(reader, object, "det_sign", json_type_int, "an integer");
    }
    expectation.det_sign = det_sign != NULL ? json_object_get_int(det_sign) : 0;
    describe_triangle(&expectation, outcome);
    for (int a16 = 0; a16 <= (get_flag(object, "a16_exact", FALSE) ? 1 : 0); a16++) {
        check_triangle(options, &ray, a16, &triangles, 0, &expectation, outcome);
    }
}

static void run_triangle_node(Reader *reader, json_object *object, const TsimRayOptions *options,
                              Outcome *outcome)
{
    const TsimRay ray = get_ray(reader, object);
    const unsigned triangle = get_unsigned(reader, object, "node_type");
    TriangleExpectation expectation = {
        .expect = get_string(reader, object, "expect"),
        .mode0_id = get_unsigned(reader, object, "mode0_triangle_id"),
    };
    TsimRayTriangleNode triangles;

    get_floats(reader, object, "vertices", &triangles.vertex[0][0], 15);
    triangles.triangle_id =
        (uint32_t)g_ascii_strtoull(get_string(reader, object, "triangle_id"), NULL, 16);
    if (strcmp(expectation.expect, "hit") == 0) {
        get_floats(reader, object, "t_f32", &expectation.t, 1);
        get_floats(reader, object, "i_f32", &expectation.i, 1);
        get_floats(reader, object, "j_f32", &expectation.j, 1);
        expectation.det_sign = (int)get_unsigned(reader, object, "det_sign");
    }
    if (triangle >= TSIM_RAY_NODE_TRIANGLES) {
        fail(reader, "node_type", "0 to 3");
        return;
    }
    describe_triangle(&expectation, outcome);
    check_triangle(options, &ray, FALSE, &triangles, triangle, &expectation, outcome);
}

static void append_order(GString *text, const uint32_t order[4])
{
    for (int i = 0; i < 4; i++) {
        g_string_append_printf(text, "%s%d", i > 0 ? "," : "", (int)order[i]);
    }
}

/* The groups of equal distance, closest first, then nothing but misses. */
static gboolean follows_groups(json_object *groups, const uint32_t order[4])
{
    size_t at = 0;

    for (size_t i = 0; i < array_length(groups); i++) {
        json_object *group = json_object_array_get_idx(groups, i);
        const size_t length = array_length(group);
        unsigned wanted = 0;
        unsigned got = 0;

        for (size_t k = 0; k < length && at < 4; k++, at++) {
            wanted |= 1u << (json_object_get_int(json_object_array_get_idx(group, k)) & 3);
            got |= order[at] < 4 ? 1u << order[at] : 1u << 4;
        }
        if (wanted != got) {
            return FALSE;
        }
    }
    for (; at < 4; at++) {
        if (order[at] != TSIM_RAY_NO_NODE) {
            return FALSE;
        }
    }
    return TRUE;
}

static void read_four_boxes(Reader *reader, json_object *object, TsimRayBoxNode *boxes)
{
    json_object *list = get(reader, object, "boxes", json_type_array, "four boxes");

    if (array_length(list) != 4) {
        fail(reader, "boxes", "four boxes");
        return;
    }
    for (unsigned box = 0; box < 4; box++) {
        json_object *entry = json_object_array_get_idx(list, box);
        float bounds[2][3];

        get_floats(reader, entry, "min", bounds[0], 3);
        get_floats(reader, entry, "max", bounds[1], 3);
        for (int axis = 0; axis < 3; axis++) {
            boxes->bounds[0][axis][box] = bounds[0][axis];
            boxes->bounds[1][axis][box] = bounds[1][axis];
        }
        boxes->child[box] = box;
    }
}

static void check_sort_variant(const TsimRayOptions *options, const TsimRay *ray,
                               const TsimRayBoxNode *boxes, Variant variant,
                               const int32_t unsorted[4], json_object *groups, Outcome *outcome)
{
    for (int sort = 0; sort < 2; sort++) {
        const OneNode node = box_node(options, variant.box_type, variant.growth_ulps, sort, boxes);
        uint32_t results[TSIM_RAY_RESULTS] = {0};
        gboolean same;

        run_lane(&node, variant.a16, ray, results);
        same =
            sort ? follows_groups(groups, results) : memcmp(results, unsorted, sizeof results) == 0;
        if (!same) {
            outcome->differs = TRUE;
            append_found(outcome, "growth %u %s ", variant.growth_ulps, sort ? "sorted" : "plain");
            append_order(outcome->found, results);
        }
    }
}

static void run_box_sort(Reader *reader, json_object *object, const TsimRayOptions *options,
                         Outcome *outcome)
{
    const TsimRay ray = get_ray(reader, object);
    json_object *plain = get(reader, object, "unsorted", json_type_array, "four numbers");
    json_object *groups = get(reader, object, "sorted_groups", json_type_array, "lists of boxes");
    TsimRayBoxNode boxes;
    Variant variants[VARIANTS];
    int32_t unsorted[4] = {-1, -1, -1, -1};

    memset(&boxes, 0, sizeof boxes);
    read_four_boxes(reader, object, &boxes);
    for (size_t i = 0; i < 4 && i < array_length(plain); i++) {
        unsorted[i] = json_object_get_int(json_object_array_get_idx(plain, i));
    }
    g_string_append_printf(outcome->expected, "plain %d,%d,%d,%d sorted %s", unsorted[0],
                           unsorted[1], unsorted[2], unsorted[3],
                           json_object_to_json_string_ext(groups, JSON_C_TO_STRING_PLAIN));

    const size_t count = list_variants(object, variants);

    for (size_t i = 0; i < count; i++) {
        check_sort_variant(options, &ray, &boxes, variants[i], unsorted, groups, outcome);
    }
}

static void run_shared_edge(Reader *reader, json_object *object, const TsimRayOptions *options,
                            Outcome *outcome)
{
    const TsimRay ray = get_ray(reader, object);
    json_object *list = get(reader, object, "triangles", json_type_array, "a list of triangles");
    const gboolean closed = options->edges == TSIM_RAY_EDGE_CLOSED;
    const unsigned least = get_unsigned(reader, object, closed ? "min_hits" : "tie_break_hits");
    const unsigned most = get_unsigned(reader, object, closed ? "max_hits" : "tie_break_hits");
    const size_t count = array_length(list);
    float vertices[MAX_FAN_TRIANGLES][9];
    unsigned hits = 0;

    if (count == 0 || count > MAX_FAN_TRIANGLES) {
        fail(reader, "triangles", "a list of 1 to 16 triangles");
        return;
    }
    get_floats(reader, object, "triangles", &vertices[0][0], 9 * count);
    for (size_t i = 0; i < count; i++) {
        TsimRayTriangleNode triangles = {.triangle_id = 0};
        uint32_t results[TSIM_RAY_RESULTS] = {0};

        memcpy(triangles.vertex, vertices[i], sizeof vertices[i]);
        const OneNode node = triangle_node(options, 0, 0, &triangles);

        run_lane(&node, FALSE, &ray, results);
        hits += results[3];
    }
    outcome->differs = hits < least || hits > most;
    g_string_append_printf(outcome->expected, "%u to %u hits", least, most);
    append_found(outcome, "%u hits", hits);
}

typedef void (*RunCase)(Reader *reader, json_object *object, const TsimRayOptions *options,
                        Outcome *outcome);

static const RunCase run_case[TSIM_RAY_CASES_LISTS] = {
    run_box, run_triangle, run_box_sort, run_triangle_node, run_shared_edge,
};

static void difference_free(gpointer data)
{
    TsimRayCasesDifference *difference = data;

    g_free(difference->id);
    g_free(difference->expected);
    g_free(difference->found);
    g_free(difference);
}

static void record(TsimRayCases *cases, TsimRayCasesList list, gboolean strict, const char *id,
                   const Outcome *outcome)
{
    TsimRayCasesCount *count = &cases->counts[list];
    TsimRayCasesDifference *difference;

    if (!outcome->differs) {
        count->passed++;
        return;
    }
    *(strict ? &count->failed : &count->open) += 1;
    difference = g_new(TsimRayCasesDifference, 1);
    *difference =
        (TsimRayCasesDifference){list, strict, g_strdup(id), g_strdup(outcome->expected->str),
                                 g_strdup(outcome->found->str)};
    g_ptr_array_add(cases->differences, difference);
}

static void run_list(Reader *reader, json_object *root, TsimRayCasesList list,
                     const TsimRayOptions *options, TsimRayCases *cases)
{
    json_object *entries = NULL;

    reader->list = tsim_ray_cases_list_names[list];
    reader->id = "-";
    json_object_object_get_ex(root, reader->list, &entries);
    for (size_t i = 0; i < array_length(entries) && reader->error == NULL; i++) {
        json_object *entry = json_object_array_get_idx(entries, i);
        Outcome outcome = {g_string_new(NULL), g_string_new(NULL), FALSE};

        reader->id = get_string(reader, entry, "id");
        run_case[list](reader, entry, options, &outcome);
        record(cases, list, get_flag(entry, "strict", TRUE), reader->id, &outcome);
        g_string_free(outcome.expected, TRUE);
        g_string_free(outcome.found, TRUE);
    }
}

static json_object *load(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    gsize length_bytes;
    enum json_tokener_error reason;

    if (!tsim_file_read(path, "list of cases", &text, &length_bytes, error)) {
        return NULL;
    }

    json_object *root = json_tokener_parse_verbose(text, &reason);
    json_object *format = NULL;

    if (root == NULL) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: not JSON: %s", path,
                    json_tokener_error_desc(reason));
        return NULL;
    }
    if (!json_object_object_get_ex(root, "format", &format) ||
        g_strcmp0(json_object_get_string(format), "ray-cases") != 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: /format must be \"ray-cases\"", path);
        json_object_put(root);
        return NULL;
    }
    return root;
}

TsimRayCases *tsim_ray_cases_run(const char *path, const TsimRayOptions *options, GError **error)
{
    json_object *root = load(path, error);
    Reader reader = {.path = path};

    if (root == NULL) {
        return NULL;
    }

    TsimRayCases *cases = g_new0(TsimRayCases, 1);

    cases->differences = g_ptr_array_new_with_free_func(difference_free);
    for (int list = 0; list < TSIM_RAY_CASES_LISTS; list++) {
        run_list(&reader, root, (TsimRayCasesList)list, options, cases);
    }
    json_object_put(root);
    if (reader.error != NULL) {
        g_propagate_error(error, reader.error);
        tsim_ray_cases_free(cases);
        return NULL;
    }
    return cases;
}

void tsim_ray_cases_free(TsimRayCases *cases)
{
    if (cases != NULL) {
        g_ptr_array_unref(cases->differences);
        g_free(cases);
    }
}

gboolean tsim_ray_cases_passed(const TsimRayCases *cases)
{
    for (int list = 0; list < TSIM_RAY_CASES_LISTS; list++) {
        if (cases->counts[list].failed > 0) {
            return FALSE;
        }
    }
    return TRUE;
}

void tsim_ray_cases_format(const TsimRayCases *cases, gboolean verbose, GString *text)
{
    for (int list = 0; list < TSIM_RAY_CASES_LISTS; list++) {
        const TsimRayCasesCount *count = &cases->counts[list];

        g_string_append_printf(text, "%-12s %4u passed %4u failed", tsim_ray_cases_list_names[list],
                               count->passed, count->failed);
        if (count->open > 0) {
            g_string_append_printf(text, " %4u open (not strict)", count->open);
        }
        g_string_append_c(text, '\n');
    }
    for (guint i = 0; verbose && i < cases->differences->len; i++) {
        const TsimRayCasesDifference *difference = g_ptr_array_index(cases->differences, i);

        g_string_append_printf(text, "%s %s%s: expected %s, found %s\n",
                               tsim_ray_cases_list_names[difference->list], difference->id,
                               difference->strict ? "" : " (not strict)", difference->expected,
                               difference->found);
    }
}
