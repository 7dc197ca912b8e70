#include "io/shader-json.h"

#include "base/error.h"
#include "io/scenario-keys.h"

#define PROGRAM "program"

#define OP_KEY(symbol, key, blurb) key,

/* Keys of a stage object that are not fields; only hs and ds have the first. */
static const char *const stage_keys[] = {TSIM_KEY_COMPILED_OFFCHIP, PROGRAM, TSIM_OPS(OP_KEY) NULL};

#undef OP_KEY

typedef struct {
    TsimStage stage;
    GArray *segments;               /* of TsimSegment */
    gboolean named[TSIM_OPS_COUNT]; /* kinds that the program mentions, be it with a count of 0 */
} Program;

static gboolean decode_count(const TsimJsonNode *node, Program *program, TsimOp op,
                             uint32_t *ret_count)
{
    program->named[op] = TRUE;
    if (!tsim_op_in_stage(op, program->stage)) {
        return tsim_json_error(node, "got \"%s\" in a program of stage %s, expected it in %s only",
                               tsim_op_names[op], tsim_stage_names[program->stage],
                               op == TSIM_OP_PATCH_READ    ? "ds"
                               : op == TSIM_OP_PATCH_WRITE ? "hs"
                                                           : "vs, hs and cs");
    }
    return tsim_decode_u32(node, 0, TSIM_SEGMENT_COUNT_MAX, ret_count);
}

static void append(Program *program, const TsimSegment *segment)
{
    if (segment->count > 0) {
        g_array_append_vals(program->segments, segment, 1);
    }
}

/* ---- Lists of segments ---- */

/* What programs of the stage are made of, as a list of words. */
static char *kinds_of(TsimStage stage)
{
    GString *kinds = g_string_new(NULL);

    for (int op = 0; op < TSIM_OPS_COUNT; op++) {
        if (tsim_op_in_stage((TsimOp)op, stage)) {
            g_string_append_printf(kinds, "%s%s", kinds->len > 0 ? ", " : "", tsim_op_names[op]);
        }
    }
    return g_string_free(kinds, FALSE);
}

/* The one kind that a segment names; -1, reported, when there is none or more than one. */
static int find_op(const TsimJsonNode *node, TsimStage stage)
{
    TsimJsonNode member;
    int found = -1;

    for (int op = 0; op < TSIM_OPS_COUNT; op++) {
        if (tsim_json_member(node, tsim_op_names[op], &member)) {
            if (found >= 0) {
                (void)tsim_json_wrong(node,
                                      "one kind of instruction in a segment, not both \"%s\" "
                                      "and \"%s\"",
                                      tsim_op_names[found], tsim_op_names[op]);
                return -1;
            }
            found = op;
        }
    }
    if (found < 0) {
        g_autofree char *kinds = kinds_of(stage);
        (void)tsim_json_wrong(node,
                              "an object with a kind of instruction and a count, such as "
                              "{\"valu\": 30}; kinds in stage %s are %s",
                              tsim_stage_names[stage], kinds);
    }
    return found;
}

static gboolean check_segment_fields(const TsimJsonNode *node, TsimOp op)
{
    TsimJsonNode member;
    gboolean ok = TRUE;

    for (const TsimField *field = tsim_segment_fields; field->name != NULL; field++) {
        if (tsim_json_member(node, field->name, &member) && !tsim_segment_has(op, field)) {
            ok = tsim_json_error(&member,
                                 "got \"%s\" in a segment of kind \"%s\", which has no "
                                 "such field",
                                 field->name, tsim_op_names[op]);
        }
    }
    return ok;
}

static gboolean decode_segment(const TsimJsonNode *node, Program *program)
{
    TsimJsonNode count;

    if (!tsim_decode_is(node, json_type_object, "a segment such as {\"valu\": 30}")) {
        return FALSE;
    }
    const int op = find_op(node, program->stage);
    if (op < 0) {
        return FALSE;
    }
    TsimSegment segment = tsim_segment((TsimOp)op, 0);
    const TsimDecodePart parts[] = {{tsim_segment_fields, &segment, FALSE}, TSIM_DECODE_END};
    (void)tsim_json_member(node, tsim_op_names[op], &count);
    gboolean ok = tsim_decode_object(node, parts, tsim_op_names);
    ok &= check_segment_fields(node, (TsimOp)op);
    ok &= decode_count(&count, program, (TsimOp)op, &segment.count);
    append(program, &segment);
    return ok;
}

static gboolean decode_list(const TsimJsonNode *node, Program *program)
{
    gboolean ok = TRUE;

    for (size_t i = 0; i < json_object_array_length(node->value); i++) {
        const TsimJsonNode item = tsim_json_item(node, i);
        ok &= decode_segment(&item, program);
    }
    return ok;
}

/* ---- Counts ---- */

static gboolean decode_counts(const TsimJsonNode *node, Program *program)
{
    TsimJsonNode member;
    gboolean ok = TRUE;

    for (int op = 0; op < TSIM_OPS_COUNT; op++) {
        if (tsim_json_member(node, tsim_op_names[op], &member)) {
            TsimSegment segment = tsim_segment((TsimOp)op, 0);
            ok &= decode_count(&member, program, (TsimOp)op, &segment.count);
            append(program, &segment);
        }
    }
    return ok;
}

/* ---- Stages ---- */

/* E16: a hull shader that does not say how it writes its patch, or a domain shader how it reads it,
 * does so once for every slot. */
static void add_patch_access(Program *program)
{
    if (program->stage == TSIM_STAGE_HS && !program->named[TSIM_OP_PATCH_WRITE]) {
        const TsimSegment write = tsim_segment(TSIM_OP_PATCH_WRITE, TSIM_COUNT_BY_SLOTS);
        g_array_append_val(program->segments, write);
    }
    if (program->stage == TSIM_STAGE_DS && !program->named[TSIM_OP_PATCH_READ]) {
        const TsimSegment read = tsim_segment(TSIM_OP_PATCH_READ, TSIM_COUNT_BY_SLOTS);
        g_array_prepend_val(program->segments, read);
    }
}

/* Counts given by the stage itself, unless there is a program. */
static gboolean decode_own_counts(const TsimJsonNode *node, Program *program, gboolean allowed)
{
    TsimJsonNode member;

    for (int op = 0; !allowed && op < TSIM_OPS_COUNT; op++) {
        if (tsim_json_member(node, tsim_op_names[op], &member)) {
            return tsim_json_error(&member, "got a count beside a program, expected one or the "
                                            "other");
        }
    }
    return !allowed || decode_counts(node, program);
}

static gboolean decode_program(const TsimJsonNode *node, Program *program)
{
    static const TsimDecodePart no_fields[] = {TSIM_DECODE_END};
    TsimJsonNode list;

    const gboolean has_program = tsim_json_member(node, PROGRAM, &list);
    const gboolean ok = decode_own_counts(node, program, !has_program);
    if (!has_program) {
        return ok;
    }
    if (tsim_json_is(&list, json_type_array)) {
        return decode_list(&list, program) && ok;
    }
    if (tsim_json_is(&list, json_type_object)) {
        return tsim_decode_object(&list, no_fields, tsim_op_names) & decode_counts(&list, program) &
               ok;
    }
    return tsim_json_wrong(&list, "a list of segments, or an object of counts");
}

gboolean tsim_shader_json_decode(const TsimJsonNode *node, TsimStage stage, TsimShader *shader,
                                 TsimDecodePart extra)
{
    const TsimDecodePart parts[] = {{tsim_shader_fields, shader, FALSE}, extra, TSIM_DECODE_END};
    const gboolean is_compiled = stage == TSIM_STAGE_HS || stage == TSIM_STAGE_DS;
    g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(TsimSegment));
    Program program = {.stage = stage, .segments = segments};

    tsim_fields_init(tsim_shader_fields, shader);
    if (!tsim_decode_is(node, json_type_object,
                        "an object with the registers and the program of "
                        "a shader")) {
        return FALSE;
    }
    gboolean ok = tsim_decode_object(node, parts, is_compiled ? stage_keys : stage_keys + 1);
    ok &= decode_program(node, &program);
    add_patch_access(&program);
    shader->segments_n = segments->len;
    shader->segments = (TsimSegment *)(void *)g_array_steal(segments, NULL);
    return ok;
}
