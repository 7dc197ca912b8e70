#include "io/feedback-cases.h"

#include "base/error.h"
#include "base/field.h"
#include "base/file.h"
#include "hw/feedback-codec.h"
#include "hw/feedback-merge.h"
#include "hw/residency-filter.h"

#include <json-c/json.h>
#include <math.h>

typedef struct json_object Json;

/* ---- reading --------------------------------------------------------------------------------- */

/* A case that is being read. The first key that is missing or of the wrong type sticks; what was
 * read from then on is zeros, and the case is not judged. */
typedef struct {
    const char *id;
    Json *json;
    const char *wrong_key;
} Case;

static void mark(Case *c, const char *key)
{
    c->wrong_key = c->wrong_key != NULL ? c->wrong_key : key;
}

static Json *child(Case *c, Json *parent, const char *key, json_type type)
{
    Json *value = NULL;
    const gboolean found = json_object_is_type(parent, json_type_object) &&
                           json_object_object_get_ex(parent, key, &value);
    const gboolean is_number =
        type == json_type_double && json_object_is_type(value, json_type_int);

    if (found && (json_object_is_type(value, type) || is_number)) {
        return value;
    }
    mark(c, key);
    return NULL;
}

static gboolean has(Json *parent, const char *key)
{
    return json_object_object_get_ex(parent, key, NULL);
}

static double real(Case *c, Json *parent, const char *key)
{
    return json_object_get_double(child(c, parent, key, json_type_double));
}

static double real_or_zero(Case *c, Json *parent, const char *key)
{
    return has(parent, key) ? real(c, parent, key) : 0.0;
}

static uint32_t count_up_to(Case *c, Json *parent, const char *key, uint32_t max)
{
    const int64_t value = json_object_get_int64(child(c, parent, key, json_type_int));

    if (value < 0 || value > max) {
        mark(c, key);
        return 0;
    }
    return (uint32_t)value;
}

static uint32_t count(Case *c, Json *parent, const char *key)
{
    return count_up_to(c, parent, key, UINT32_MAX);
}

static uint8_t byte(Case *c, Json *parent, const char *key)
{
    return (uint8_t)count_up_to(c, parent, key, UINT8_MAX);
}

static uint32_t count_or_zero(Case *c, Json *parent, const char *key)
{
    return has(parent, key) ? count(c, parent, key) : 0;
}

static const char *text(Case *c, Json *parent, const char *key)
{
    Json *value = child(c, parent, key, json_type_string);

    return value != NULL ? json_object_get_string(value) : "";
}

static uint32_t word(Case *c, Json *parent, const char *key, const char *const *names)
{
    const int index = tsim_word_index(names, text(c, parent, key));

    if (index < 0) {
        mark(c, key);
        return 0;
    }
    return (uint32_t)index;
}

static gboolean is_number(Json *value)
{
    return json_object_is_type(value, json_type_double) ||
           json_object_is_type(value, json_type_int);
}

/* Up to three numbers; those that are not there are 0. */
static void vector(Case *c, Json *parent, const char *key, double out[3])
{
    Json *list = child(c, parent, key, json_type_array);
    const size_t length = list != NULL ? json_object_array_length(list) : 0;

    for (size_t i = 0; i < 3; i++) {
        Json *item = i < length ? json_object_array_get_idx(list, i) : NULL;

        out[i] = json_object_get_double(item);
        if (length > 3 || (i < length && !is_number(item))) {
            mark(c, key);
        }
    }
}

/* NULL when there are not exactly that many, or not all are bytes. */
static uint8_t *byte_list(Case *c, Json *parent, const char *key, size_t length)
{
    Json *list = child(c, parent, key, json_type_array);
    uint8_t *bytes;

    if (list == NULL || json_object_array_length(list) != length) {
        mark(c, key);
        return NULL;
    }
    bytes = g_new0(uint8_t, length);
    for (size_t i = 0; i < length; i++) {
        Json *item = json_object_array_get_idx(list, i);
        const int value = json_object_get_int(item);

        if (!json_object_is_type(item, json_type_int) || value < 0 || value > UINT8_MAX) {
            mark(c, key);
        }
        bytes[i] = (uint8_t)value;
    }
    return bytes;
}

static TsimTexture read_texture(Case *c)
{
    Json *json = child(c, c->json, "texture", json_type_object);

    return (TsimTexture){
        .type = word(c, json, "type", tsim_texture_type_names),
        .width = count(c, json, "width"),
        .height = count(c, json, "height"),
        .depth = count(c, json, "depth"),
        .slices = count(c, json, "slices"),
        .mips = count(c, json, "mips"),
        .samples = 1,
    };
}

static TsimSampler read_sampler(Case *c)
{
    Json *json = child(c, c->json, "sampler", json_type_object);
    const char *const *modes = tsim_address_mode_names;

    return (TsimSampler){
        .min = word(c, json, "min", tsim_filter_names),
        .mag = word(c, json, "mag", tsim_filter_names),
        .mip = word(c, json, "mip", tsim_filter_names),
        .anisotropic = g_str_equal(text(c, json, "filter"), "anisotropic"),
        .max_aniso = count(c, json, "max_aniso"),
        .address = {word(c, json, "address_u", modes), word(c, json, "address_v", modes),
                    word(c, json, "address_w", modes)},
        .mip_bias = real(c, json, "mip_bias"),
        .min_lod = real(c, json, "min_lod"),
        .max_lod = real(c, json, "max_lod"),
    };
}

static TsimSampleLane read_operation(Case *c, TsimSampleInstruction *instruction)
{
    Json *json = child(c, c->json, "op", json_type_object);
    TsimSampleLane lane = {.lod_clamp = real_or_zero(c, json, "clamp")};

    instruction->kind = word(c, json, "kind", tsim_sample_kind_names);
    vector(c, json, "uv", lane.uvw);
    if (instruction->kind == TSIM_SAMPLE_LEVEL) {
        lane.lod = real(c, json, "level");
        return lane;
    }
    vector(c, json, "ddx", lane.ddx);
    vector(c, json, "ddy", lane.ddy);
    lane.lod = instruction->kind == TSIM_SAMPLE_BIAS ? real(c, json, "bias") : 0.0;
    return lane;
}

static gboolean read_setup(Case *c, TsimSampleInstruction instruction, TsimFeedbackSetup *setup,
                           GError **error)
{
    Json *region = child(c, c->json, "region", json_type_object);
    const TsimTexture texture = read_texture(c);
    const TsimSampler sampler = read_sampler(c);
    const TsimFeedbackKind kind = word(c, c->json, "map", tsim_feedback_kind_names);
    const TsimFootprint footprint = word(c, c->json, "footprint", tsim_footprint_names);
    TsimFeedbackDescriptor descriptor;

    return tsim_feedback_descriptor_init(&descriptor, &texture, kind, count(c, region, "width"),
                                         count(c, region, "height"), error) &&
           tsim_feedback_setup_init(setup, &descriptor, &sampler, &instruction, footprint, error);
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Expected and found results are written out as text and compared: what a failure shows is exactly
 * what was compared. */
static void judge(const Case *c, TsimCaseList *list, const char *expected, const char *found)
{
    if (c->wrong_key != NULL) {
        return;
    }
    if (g_str_equal(expected, found)) {
        tsim_case_list_pass(list);
    } else {
        tsim_case_list_fail(list, "%s: expected %s, found %s", c->id, expected, found);
    }
}

static void judge_number(const Case *c, TsimCaseList *list, double expected, double found)
{
    g_autofree char *expected_text = g_strdup_printf("%.9g", expected);
    g_autofree char *found_text = g_strdup_printf("%.9g", found);

    judge(c, list, expected_text, found_text);
}

static void fail_with(const Case *c, TsimCaseList *list, GError **error)
{
    if (c->wrong_key == NULL) {
        tsim_case_list_fail(list, "%s: expected a result, found the error: %s", c->id,
                            (*error)->message);
    }
    g_clear_error(error);
}

/* ---- feedback -------------------------------------------------------------------------------- */

static void write_texel(GString *out, uint32_t x, uint32_t y, uint32_t layer, uint32_t level,
                        uint32_t value)
{
    g_string_append_printf(out, " (%u,%u,%u,mip %u)=%u", x, y, layer, level, value);
}

static void write_head(GString *out, double lod, uint32_t samples, TsimExtent map)
{
    g_string_append_printf(out, "lod %.9g samples %u map %ux%ux%u mips", lod, samples, map.width,
                           map.height, map.depth);
}

static char *expected_feedback(Case *c)
{
    Json *json = child(c, c->json, "expect", json_type_object);
    Json *mips = child(c, json, "mips_read", json_type_array);
    Json *writes = child(c, json, "writes", json_type_array);
    const TsimExtent map = {count(c, json, "feedback_width"), count(c, json, "feedback_height"),
                            count(c, json, "feedback_depth")};
    GString *out = g_string_new(NULL);

    write_head(out, real(c, json, "lod"), count(c, json, "samples"), map);
    for (size_t i = 0; mips != NULL && i < json_object_array_length(mips); i++) {
        g_string_append_printf(out, " %d", json_object_get_int(json_object_array_get_idx(mips, i)));
    }
    g_string_append(out, " writes");
    for (size_t i = 0; writes != NULL && i < json_object_array_length(writes); i++) {
        Json *write = json_object_array_get_idx(writes, i);

        write_texel(out, count(c, write, "x"), count(c, write, "y"),
                    count_or_zero(c, write, "slice") + count_or_zero(c, write, "z"),
                    count_or_zero(c, write, "mip"), count(c, write, "value"));
    }
    return g_string_free(out, FALSE);
}

static int compare_texels(const void *a, const void *b)
{
    const uint64_t left = tsim_feedback_texel_key(*(const TsimFeedbackTexel *)a);
    const uint64_t right = tsim_feedback_texel_key(*(const TsimFeedbackTexel *)b);

    return (left > right) - (left < right);
}

static char *found_feedback(const TsimFeedbackSetup *setup, const TsimSampleLane *lane)
{
    TsimFeedbackWrites writes;
    GString *out = g_string_new(NULL);

    tsim_feedback_sample(setup, lane, &writes);
    qsort(writes.texels, writes.texel_count, sizeof(writes.texels[0]), compare_texels);
    write_head(out, writes.lod, writes.samples, tsim_feedback_level_extent(&setup->descriptor, 0));
    for (uint32_t i = 0; i < writes.mip_count; i++) {
        g_string_append_printf(out, " %u", writes.mips[i]);
    }
    g_string_append(out, " writes");
    for (uint32_t i = 0; i < writes.texel_count; i++) {
        const TsimFeedbackTexel texel = writes.texels[i];

        write_texel(out, texel.x, texel.y, texel.layer, texel.level, writes.value);
    }
    return g_string_free(out, FALSE);
}

static void run_feedback(Case *c, TsimCaseReport *report)
{
    g_autofree char *name = g_strdup_printf("feedback/%s", text(c, c->json, "footprint"));
    TsimCaseList *list = tsim_case_report_list(report, name, TRUE);
    TsimSampleInstruction instruction = {0};
    const TsimSampleLane lane = read_operation(c, &instruction);
    TsimFeedbackSetup setup;
    GError *error = NULL;

    if (!read_setup(c, instruction, &setup, &error)) {
        fail_with(c, list, &error);
        return;
    }

    g_autofree char *expected = expected_feedback(c);
    g_autofree char *found = found_feedback(&setup, &lane);

    judge(c, list, expected, found);
}

/* ---- waves ----------------------------------------------------------------------------------- */

static uint32_t read_lanes(Case *c, TsimSampleLane lanes[TSIM_FEEDBACK_WAVE_LANES],
                           uint64_t *ret_writes)
{
    Json *list = child(c, c->json, "lanes", json_type_array);
    const size_t length = list != NULL ? json_object_array_length(list) : 0;
    const uint32_t lane_count = (uint32_t)MIN(length, TSIM_FEEDBACK_WAVE_LANES);

    *ret_writes = 0;
    for (uint32_t i = 0; i < lane_count; i++) {
        Json *json = json_object_array_get_idx(list, i);
        const gboolean active = g_str_equal(text(c, json, "state"), "active");

        lanes[i] = (TsimSampleLane){.lod = real(c, json, "level")};
        vector(c, json, "uv", lanes[i].uvw);
        *ret_writes |= (uint64_t)active << i;
    }
    return lane_count;
}

static void write_wave(GString *out, uint32_t lane_writes, uint32_t merged, uint32_t changed)
{
    g_string_append_printf(out, "%u lane writes %u merged %u changed map", lane_writes, merged,
                           changed);
}

/* No bytes were read when their list is wrong: the case is not judged then. */
static void append_bytes(GString *out, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; bytes != NULL && i < length; i++) {
        g_string_append_printf(out, " %u", bytes[i]);
    }
}

static char *expected_wave(Case *c, size_t map_texels)
{
    Json *json = child(c, c->json, "expect", json_type_object);
    g_autofree uint8_t *bytes = byte_list(c, json, "final_map", map_texels);
    GString *out = g_string_new(NULL);

    write_wave(out, count(c, json, "lane_writes"), count(c, json, "merged_writes"),
               count(c, json, "changed_texels"));
    append_bytes(out, bytes, map_texels);
    return g_string_free(out, FALSE);
}

static TsimFeedbackTexel texel_at(const TsimFeedbackMap *map, size_t index)
{
    const uint32_t width = map->levels[0].width;

    return (TsimFeedbackTexel){(uint16_t)(index % width), (uint16_t)(index / width), 0, 0};
}

static char *found_wave(Case *c, const TsimFeedbackSetup *setup, TsimFeedbackMap *map,
                        size_t map_texels)
{
    const TsimFeedbackMergeRule whole_wave = {TSIM_FEEDBACK_WINDOW_WAVE, TSIM_FEEDBACK_WINDOW_WAVE};
    g_autoptr(TsimFeedbackMerger) merger = tsim_feedback_merger_new(setup, map, whole_wave, NULL);
    g_autofree uint8_t *bytes = byte_list(c, c->json, "initial_map", map_texels);
    TsimSampleLane lanes[TSIM_FEEDBACK_WAVE_LANES];
    uint64_t writes;
    const uint32_t lane_count = read_lanes(c, lanes, &writes);
    GString *out = g_string_new(NULL);
    TsimFeedbackWave wave;

    for (size_t i = 0; bytes != NULL && i < map_texels; i++) {
        tsim_feedback_map_set(map, texel_at(map, i), bytes[i]);
    }
    tsim_feedback_merge_wave(merger, lanes, lane_count, writes, &wave);
    for (size_t i = 0; bytes != NULL && i < map_texels; i++) {
        bytes[i] = tsim_feedback_map_get(map, texel_at(map, i));
    }
    write_wave(out, wave.lane_writes, wave.merged_writes, wave.changed_writes);
    append_bytes(out, bytes, map_texels);
    return g_string_free(out, FALSE);
}

static void run_wave(Case *c, TsimCaseReport *report)
{
    TsimCaseList *list = tsim_case_report_list(report, "wave", TRUE);
    const TsimSampleInstruction instruction = {.kind = TSIM_SAMPLE_LEVEL};
    TsimFeedbackSetup setup;
    GError *error = NULL;

    if (!read_setup(c, instruction, &setup, &error)) {
        fail_with(c, list, &error);
        return;
    }

    g_autoptr(TsimFeedbackMap) map = tsim_feedback_map_new(&setup.descriptor, &error);

    if (map == NULL) {
        fail_with(c, list, &error);
        return;
    }

    const size_t map_texels = (size_t)map->levels[0].width * map->levels[0].height;
    g_autofree char *expected = expected_wave(c, map_texels);
    g_autofree char *found = found_wave(c, &setup, map, map_texels);

    judge(c, list, expected, found);
}

/* ---- residency filter ------------------------------------------------------------------------ */

static TsimResidencyFilter read_filter(Case *c)
{
    const char *const *modes = tsim_address_mode_names;
    TsimResidencyFilter filter = {
        .lookup = word(c, c->json, "filter", tsim_residency_lookup_names),
        .address = {word(c, c->json, "address_u", modes), word(c, c->json, "address_v", modes),
                    TSIM_ADDRESS_CLAMP},
    };

    if (filter.lookup == TSIM_RESIDENCY_MINMIP) {
        filter.u = (TsimResidencyRamp){real(c, c->json, "slope_u"), real(c, c->json, "offset_u")};
        filter.v = (TsimResidencyRamp){real(c, c->json, "slope_v"), real(c, c->json, "offset_v")};
    }
    return filter;
}

static void judge_lookup(const Case *c, TsimCaseList *list, double expected, double found,
                         double tolerance)
{
    if (c->wrong_key != NULL) {
        return;
    }
    if (fabs(found - expected) <= tolerance) {
        tsim_case_list_pass(list);
    } else {
        tsim_case_list_fail(list, "%s: clamp: expected %.9g, found %.9g", c->id, expected, found);
    }
}

/* Golden data says whether the other order of axes would give another number. */
static void judge_order(const Case *c, TsimCaseList *list, gboolean expected, double u_first,
                        double v_first, double tolerance)
{
    const gboolean found = fabs(u_first - v_first) > tolerance;

    if (c->wrong_key == NULL && found != expected) {
        tsim_case_list_fail(list, "%s: order dependent: expected %d, found %d (%.9g, %.9g)", c->id,
                            expected, found, u_first, v_first);
    }
}

static void run_filter(Case *c, TsimCaseReport *report)
{
    TsimCaseList *list = tsim_case_report_list(report, "minmip_filter", TRUE);
    Json *expect = child(c, c->json, "expect", json_type_object);
    const uint32_t width = count(c, c->json, "map_width");
    const uint32_t height = count(c, c->json, "map_height");
    const double expected = real(c, expect, "clamp");
    const double tolerance = real(c, expect, "tolerance");
    TsimResidencyFilter filter = read_filter(c);
    GError *error = NULL;
    double uvw[3];

    vector(c, c->json, "uv", uvw);
    if (width == 0 || height == 0) {
        mark(c, "map_width");
        return;
    }
    if (!tsim_residency_filter_check(&filter, &error)) {
        fail_with(c, list, &error);
        return;
    }

    g_autofree uint8_t *bytes = byte_list(c, c->json, "map_values", (size_t)width * height);
    const TsimResidencyMap map = {2, {width, height, 1}, bytes};

    if (bytes == NULL) {
        return;
    }

    const double found = tsim_residency_lookup(&filter, &map, uvw);

    judge_lookup(c, list, expected, found, tolerance);
    if (has(expect, "order_dependent")) {
        Json *dependent = child(c, expect, "order_dependent", json_type_boolean);

        filter.order = TSIM_RESIDENCY_V_FIRST;
        judge_order(c, list, json_object_get_boolean(dependent), found,
                    tsim_residency_lookup(&filter, &map, uvw), tolerance);
    }
}

/* ---- codec, regions -------------------------------------------------------------------------- */

static void run_encode(Case *c, TsimCaseReport *report)
{
    Json *expect = child(c, c->json, "expect", json_type_object);

    judge_number(c, tsim_case_report_list(report, "encode", TRUE), count(c, expect, "byte"),
                 tsim_feedback_encode_level(count(c, c->json, "level")));
}

static void run_decode(Case *c, TsimCaseReport *report)
{
    Json *expect = child(c, c->json, "expect", json_type_object);

    judge_number(c, tsim_case_report_list(report, "decode", TRUE), count(c, expect, "level"),
                 tsim_feedback_decode_level(byte(c, c->json, "byte")));
}

static void run_lod_to_byte(Case *c, TsimCaseReport *report)
{
    Json *expect = child(c, c->json, "expect", json_type_object);

    judge_number(c, tsim_case_report_list(report, "lod_to_byte", TRUE), count(c, expect, "byte"),
                 tsim_feedback_lod_to_byte(real(c, c->json, "lod")));
}

static char *expected_region(Case *c)
{
    Json *json = child(c, c->json, "expect", json_type_object);

    if (!json_object_get_boolean(child(c, json, "valid", json_type_boolean))) {
        return g_strdup("not valid");
    }
    return g_strdup_printf("valid, map %ux%u", count(c, json, "feedback_width"),
                           count(c, json, "feedback_height"));
}

static char *found_region(Case *c)
{
    Json *region = child(c, c->json, "region", json_type_object);
    const TsimTexture texture = {
        .type = TSIM_TEXTURE_2D,
        .width = count(c, c->json, "width"),
        .height = count(c, c->json, "height"),
        .depth = 1,
        .slices = 1,
        .mips = 1,
        .samples = 1,
    };
    TsimFeedbackDescriptor descriptor;

    if (!tsim_feedback_descriptor_init(&descriptor, &texture, TSIM_FEEDBACK_MINMIP,
                                       count(c, region, "width"), count(c, region, "height"),
                                       NULL)) {
        return g_strdup("not valid");
    }

    const TsimExtent extent = tsim_feedback_level_extent(&descriptor, 0);

    return g_strdup_printf("valid, map %ux%u", extent.width, extent.height);
}

static void run_region(Case *c, TsimCaseReport *report)
{
    g_autofree char *expected = expected_region(c);
    g_autofree char *found = found_region(c);

    judge(c, tsim_case_report_list(report, "region", TRUE), expected, found);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const struct {
    const char *kind;
    void (*run)(Case *c, TsimCaseReport *report);
} kinds[] = {
    {"feedback", run_feedback}, {"wave", run_wave},     {"minmip_filter", run_filter},
    {"encode", run_encode},     {"decode", run_decode}, {"lod_to_byte", run_lod_to_byte},
    {"region", run_region},
};

static void run_case(Case *c, TsimCaseReport *report)
{
    const char *kind = text(c, c->json, "kind");

    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_equal(kinds[i].kind, kind)) {
            kinds[i].run(c, report);
            return;
        }
    }
    mark(c, "kind");
}

static TsimCaseReport *run_cases(const char *path, Json *cases, GError **error)
{
    TsimCaseReport *report = tsim_case_report_new();

    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        Case c = {.json = json_object_array_get_idx(cases, i)};

        c.id = text(&c, c.json, "id");
        run_case(&c, report);
        if (c.wrong_key != NULL) {
            g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                        "%s: /cases/%" G_GSIZE_FORMAT " (id '%s'): key '%s' is missing, of the "
                        "wrong type or out of range",
                        path, i, c.id, c.wrong_key);
            tsim_case_report_free(report);
            return NULL;
        }
    }
    return report;
}

static Json *parse_file(const char *path, GError **error)
{
    g_autofree char *contents = NULL;
    gsize length_bytes;
    enum json_tokener_error parse_error = json_tokener_success;

    if (!tsim_file_read(path, "list of cases", &contents, &length_bytes, error)) {
        return NULL;
    }

    Json *json = json_tokener_parse_verbose(contents, &parse_error);

    if (json == NULL) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT, "%s: not JSON: %s", path,
                    json_tokener_error_desc(parse_error));
    }
    return json;
}

TsimCaseReport *tsim_feedback_cases_run(const char *path, GError **error)
{
    Json *json = parse_file(path, error);

    if (json == NULL) {
        return NULL;
    }

    Case root = {0};
    const gboolean format_known =
        g_str_equal(text(&root, json, "format"), "sampler-feedback-cases/1");
    Json *cases = child(&root, json, "cases", json_type_array);
    TsimCaseReport *report = NULL;

    if (cases == NULL || !format_known) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_INPUT,
                    "%s: must be an object with \"format\": \"sampler-feedback-cases/1\" and an "
                    "array \"cases\"",
                    path);
    } else {
        report = run_cases(path, cases, error);
    }
    json_object_put(json);
    return report;
}
