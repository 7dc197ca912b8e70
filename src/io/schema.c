#include "io/schema.h"

#include "io/encode.h"
#include "io/scenario-keys.h"
#include "workload/workload.h"

/* ---- Pieces ---- */

static void set(json_object *schema, const char *key, json_object *value)
{
    (void)json_object_object_add(schema, key, value);
}

static void set_word(json_object *schema, const char *key, const char *word)
{
    set(schema, key, json_object_new_string(word));
}

static json_object *new_schema(const char *type, const char *description)
{
    json_object *schema = json_object_new_object();

    set_word(schema, "type", type);
    if (description != NULL) {
        set_word(schema, "description", description);
    }
    return schema;
}

/* An object without keys; all others than those that are added are refused. */
static json_object *new_object(const char *description)
{
    json_object *schema = new_schema("object", description);

    set(schema, "properties", json_object_new_object());
    set(schema, "required", json_object_new_array());
    set(schema, "additionalProperties", json_object_new_boolean(FALSE));
    return schema;
}

static void add_member(json_object *schema, const char *key, json_object *member, gboolean required)
{
    set(json_object_object_get(schema, "properties"), key, member);
    if (required) {
        (void)json_object_array_add(json_object_object_get(schema, "required"),
                                    json_object_new_string(key));
    }
}

static json_object *new_list(json_object *items, size_t min, size_t max)
{
    json_object *schema = new_schema("array", NULL);

    set(schema, "items", items);
    set(schema, "minItems", json_object_new_uint64(min));
    if (max > 0) {
        set(schema, "maxItems", json_object_new_uint64(max));
    }
    return schema;
}

/* {"anyOf": [a, b]} or {"oneOf": [a, b]}; b may be NULL, to be added later. */
static json_object *new_choice(const char *keyword, json_object *a, json_object *b)
{
    json_object *schema = json_object_new_object();
    json_object *list = json_object_new_array();

    (void)json_object_array_add(list, a);
    if (b != NULL) {
        (void)json_object_array_add(list, b);
    }
    set(schema, keyword, list);
    return schema;
}

static json_object *new_word(const char *word)
{
    json_object *schema = json_object_new_object();

    set_word(schema, "const", word);
    return schema;
}

static json_object *new_number(const char *type, double min, double max)
{
    json_object *schema = new_schema(type, NULL);

    set(schema, "minimum", tsim_encode_real(min));
    set(schema, "maximum", tsim_encode_real(max));
    return schema;
}

/* ---- Fields ---- */

static json_object *new_enum(const char *const *names)
{
    json_object *schema = json_object_new_object();
    json_object *list = json_object_new_array();

    for (; *names != NULL; names++) {
        (void)json_object_array_add(list, json_object_new_string(*names));
    }
    set(schema, "enum", list);
    return schema;
}

static json_object *type_of_field(const TsimField *field)
{
    switch (field->type) {
    case TSIM_FIELD_BOOL:
        return new_schema("boolean", NULL);
    case TSIM_FIELD_U32:
    case TSIM_FIELD_U64:
        return new_number("integer", field->min, field->max);
    case TSIM_FIELD_REAL:
    case TSIM_FIELD_RATE:
        return new_number("number", field->min, field->max);
    case TSIM_FIELD_ENUM:
        return new_enum(field->names);
    case TSIM_FIELD_STRING:
        return new_schema("string", NULL);
    case TSIM_FIELD_COUNTS:
        return new_choice(
            "anyOf", new_number("integer", field->min, field->max),
            new_list(new_number("integer", field->min, field->max), 1, TSIM_COUNTS_MAX));
    case TSIM_FIELD_VEC3:
        return new_list(new_number("number", field->min, field->max), 3, 3);
    }
    return NULL;
}

static void describe_field(json_object *schema, const TsimField *field)
{
    g_autofree char *words = *field->unit == '\0'
                                 ? g_strdup(field->blurb)
                                 : g_strdup_printf("%s (%s)", field->blurb, field->unit);
    json_object *initial = tsim_encode_default(field);

    set_word(schema, "description", words);
    if (initial != NULL) {
        set(schema, "default", initial);
    }
}

static void add_fields(json_object *schema, const TsimField *fields)
{
    for (; fields->name != NULL; fields++) {
        json_object *member = type_of_field(fields);
        describe_field(member, fields);
        add_member(schema, fields->name, member, fields->required);
    }
}

static void add_fields_or_auto(json_object *schema, const TsimField *fields)
{
    for (; fields->name != NULL; fields++) {
        json_object *member = new_choice("anyOf", new_word("auto"), type_of_field(fields));
        describe_field(member, fields);
        set_word(member, "default", "auto");
        add_member(schema, fields->name, member, FALSE);
    }
}

static json_object *object_of_fields(const char *description, const TsimField *fields)
{
    json_object *schema = new_object(description);

    add_fields(schema, fields);
    return schema;
}

/* ---- GPUs ---- */

/* A value, alone or with its origin. */
static json_object *with_origin(const TsimField *field)
{
    json_object *wrapped = new_object("A value and where it comes from");

    add_member(wrapped, "value", type_of_field(field), TRUE);
    add_member(wrapped, "source", new_schema("string", "Where the value comes from"), TRUE);
    /* The first word stands for a value without an origin. */
    add_member(wrapped, "kind", new_enum(tsim_field_kind_names + 1), TRUE);
    return new_choice("anyOf", type_of_field(field), wrapped);
}

static json_object *new_gpu(void)
{
    json_object *schema = new_object("A GPU");

    add_member(schema, "$schema", new_schema("string", NULL), FALSE);
    add_member(
        schema, "extends",
        new_schema("string", "Name or path of the GPU whose fields hold where this is silent"),
        FALSE);
    for (const TsimField *field = tsim_gpu_fields; field->name != NULL; field++) {
        json_object *member = with_origin(field);
        describe_field(member, field);
        add_member(schema, field->name, member, FALSE);
    }
    return schema;
}

static void set_title(json_object *schema, const char *title)
{
    set_word(schema, "$schema", "http://json-schema.org/draft-07/schema#");
    set_word(schema, "title", title);
}

json_object *tsim_gpu_schema(void)
{
    json_object *schema = new_gpu();

    set_title(schema, "GPU of tesssim");
    return schema;
}

/* ---- Shaders ---- */

static void add_counts(json_object *schema, TsimStage stage)
{
    for (int op = 0; op < TSIM_OPS_COUNT; op++) {
        if (tsim_op_in_stage((TsimOp)op, stage)) {
            json_object *count = new_number("integer", 0, TSIM_SEGMENT_COUNT_MAX);
            set_word(count, "description", tsim_op_blurbs[op]);
            add_member(schema, tsim_op_names[op], count, FALSE);
        }
    }
}

/* A segment names exactly one kind. */
static json_object *new_segment(TsimStage stage)
{
    json_object *schema = new_object("A step of the program");
    json_object *kinds = json_object_new_array();

    add_counts(schema, stage);
    add_fields(schema, tsim_segment_fields);
    for (int op = 0; op < TSIM_OPS_COUNT; op++) {
        json_object *kind = json_object_new_object();
        json_object *keys = json_object_new_array();
        (void)json_object_array_add(keys, json_object_new_string(tsim_op_names[op]));
        set(kind, "required", keys);
        (void)json_object_array_add(kinds, kind);
    }
    set(schema, "oneOf", kinds);
    return schema;
}

static json_object *new_stage(TsimStage stage, const char *description)
{
    json_object *schema = object_of_fields(description, tsim_shader_fields);
    json_object *counts = new_object("Counts; what reads runs first, what writes last");
    json_object *program;

    add_counts(schema, stage);
    add_counts(counts, stage);
    program = new_choice("anyOf", new_list(new_segment(stage), 0, 0), counts);
    add_member(schema, "program", program, FALSE);
    return schema;
}

/* fields: of the stage in its draw; NULL when there are none. */
static void add_stage(json_object *owner, TsimStage stage, const char *description,
                      const TsimField *fields, gboolean required)
{
    json_object *schema = new_stage(stage, description);

    if (fields != NULL) {
        add_fields(schema, fields);
    }
    if (stage == TSIM_STAGE_HS || stage == TSIM_STAGE_DS) {
        add_member(schema, TSIM_KEY_COMPILED_OFFCHIP,
                   new_schema("boolean", "Compiled for off-chip tessellation; follows the mode"),
                   FALSE);
    }
    add_member(owner, tsim_stage_names[stage], schema, required);
}

/* ---- Factors ---- */

static json_object *new_factor_list(void)
{
    json_object *patch = new_object("Factors of a patch, as many as the domain has");
    json_object *schema = new_object("Factors given one by one");

    add_member(patch, "edge", new_list(new_schema("number", NULL), 2, 4), TRUE);
    add_member(patch, "inside", new_list(new_schema("number", NULL), 0, 2), FALSE);
    add_member(schema, TSIM_KEY_LIST, new_list(patch, 0, 0), TRUE);
    return schema;
}

static json_object *new_factor_csv(void)
{
    json_object *schema = new_object("Factors from a CSV file");

    add_member(schema, TSIM_KEY_CSV, new_schema("string", "Path, relative to this file"), TRUE);
    return schema;
}

static json_object *new_factors(void)
{
    json_object *schema = new_choice("oneOf", new_factor_list(), new_factor_csv());
    json_object *kinds = json_object_object_get(schema, "oneOf");

    for (int kind = 0; kind < TSIM_FACTORS_KINDS; kind++) {
        json_object *choice = object_of_fields(NULL, tsim_factor_fields[kind]);
        if (tsim_factor_kind_has_camera((TsimFactorKind)kind)) {
            add_member(choice, TSIM_KEY_CAMERA,
                       object_of_fields("The camera that looks at it", tsim_camera_fields), TRUE);
        }
        (void)json_object_array_add(kinds, choice);
    }
    set_word(schema, "description", "Where the tess factors come from");
    return schema;
}

/* ---- Work ---- */

static json_object *new_work(TsimWorkType type, const char *description, const TsimField *fields)
{
    json_object *schema = new_object(description);

    add_member(schema, TSIM_KEY_TYPE, new_word(tsim_work_type_names[type]), TRUE);
    add_member(
        schema, TSIM_KEY_QUEUE,
        new_schema("string", "Work of a queue waits at its barriers; \"graphics\" when absent"),
        FALSE);
    if (fields != NULL) {
        add_fields(schema, fields);
    }
    return schema;
}

static json_object *new_settings(void)
{
    json_object *schema = object_of_fields("How the draw is tessellated", tsim_tess_fields);

    add_fields_or_auto(schema, tsim_tess_auto_fields);
    return schema;
}

static json_object *new_draw(void)
{
    json_object *schema = new_work(TSIM_WORK_DRAW, "Patches to tessellate", tsim_draw_fields);

    add_member(schema, TSIM_KEY_TESS_FACTORS, new_factors(), TRUE);
    add_member(schema, TSIM_KEY_TESSELLATION, new_settings(), FALSE);
    add_stage(schema, TSIM_STAGE_VS, "Vertex shader", tsim_vs_fields, TRUE);
    add_stage(schema, TSIM_STAGE_HS, "Hull shader", tsim_hs_fields, TRUE);
    add_stage(schema, TSIM_STAGE_DS, "Domain shader", NULL, TRUE);
    add_stage(schema, TSIM_STAGE_GS, "Geometry shader, on-chip", tsim_geometry_fields, FALSE);
    add_stage(schema, TSIM_STAGE_PS, "Pixel shader", tsim_pixel_fields, FALSE);
    return schema;
}

static json_object *new_dispatch(void)
{
    json_object *schema =
        new_work(TSIM_WORK_DISPATCH, "Threadgroups of a compute shader", tsim_dispatch_fields);

    add_stage(schema, TSIM_STAGE_CS, "Compute shader", NULL, TRUE);
    return schema;
}

static json_object *new_sample_feedback(void)
{
    json_object *schema =
        new_work(TSIM_WORK_SAMPLE_FEEDBACK, "A textured scene whose pixels write sampler feedback",
                 tsim_feedback_work_fields);
    json_object *scene =
        object_of_fields("What is seen, and from where", tsim_feedback_scene_fields);
    json_object *feedback =
        object_of_fields("The feedback instruction, and its map", tsim_feedback_instruction_fields);

    add_fields(scene, tsim_feedback_surface_fields);
    add_fields(feedback, tsim_feedback_map_fields);
    add_fields(feedback, tsim_feedback_write_fields);
    add_member(schema, TSIM_KEY_SCENE, scene, FALSE);
    add_member(schema, TSIM_KEY_TEXTURE,
               object_of_fields("The texture", tsim_feedback_texture_fields), FALSE);
    add_member(schema, TSIM_KEY_SAMPLER,
               object_of_fields("The sampler", tsim_feedback_sampler_fields), FALSE);
    add_member(schema, TSIM_KEY_FEEDBACK, feedback, FALSE);
    add_member(schema, TSIM_KEY_RESIDENCY,
               object_of_fields("Streams the texture: filter of the residency map, and policy",
                                tsim_feedback_residency_fields),
               FALSE);
    add_stage(schema, TSIM_STAGE_PS, "Pixel shader, run when its samples are back", NULL, FALSE);
    add_stage(schema, TSIM_STAGE_CS, "Compute shader instead", NULL, FALSE);
    return schema;
}

/* ---- Rays ---- */

static json_object *new_vector(const char *description)
{
    json_object *vector = new_list(new_schema("number", NULL), 3, 3);

    set_word(vector, "description", description);
    return vector;
}

static json_object *new_ray_scene(void)
{
    json_object *schema = new_choice(
        "oneOf", object_of_fields("A mesh file", tsim_ray_scene_fields[TSIM_RAY_SCENE_MESH]),
        object_of_fields("A mesh without a file",
                         tsim_ray_scene_fields[TSIM_RAY_SCENE_PROCEDURAL]));

    (void)json_object_array_add(
        json_object_object_get(schema, "oneOf"),
        object_of_fields("An encoded BVH", tsim_ray_scene_fields[TSIM_RAY_SCENE_BVH]));
    set_word(schema, "description", "What the rays are traced against");
    return schema;
}

static json_object *new_ray_generator(void)
{
    json_object *schema = object_of_fields("Where the rays come from", tsim_rays_fields);
    json_object *camera = object_of_fields("Pinhole camera; sees all of the scene when absent",
                                           tsim_rays_camera_fields);

    add_member(camera, tsim_ray_camera_keys[0], new_vector("Where the camera is"), FALSE);
    add_member(camera, tsim_ray_camera_keys[1], new_vector("Middle of the image"), FALSE);
    add_member(camera, tsim_ray_camera_keys[2], new_vector("Points up in the image"), FALSE);
    add_member(schema, TSIM_KEY_CAMERA, camera, FALSE);
    add_member(schema, TSIM_KEY_LIGHT, new_vector("Position of the light, for shadow rays"), FALSE);
    add_member(schema, TSIM_KEY_FILE,
               new_schema("string", "Rays of kind list, one a line, relative to this file"), FALSE);
    return schema;
}

static json_object *new_rays(void)
{
    json_object *schema = new_work(TSIM_WORK_RAYS, "Rays to trace", tsim_ray_work_fields);

    add_member(schema, TSIM_KEY_SCENE, new_ray_scene(), FALSE);
    add_member(schema, TSIM_KEY_BVH,
               object_of_fields("How the BVH is built", tsim_bvh_option_fields), FALSE);
    add_member(schema, TSIM_KEY_RAYS, new_ray_generator(), FALSE);
    add_member(schema, TSIM_KEY_MIX,
               object_of_fields("Made-up nodes in place of a scene and rays", tsim_ray_mix_fields),
               FALSE);
    add_member(schema, TSIM_KEY_PROGRAM,
               object_of_fields("The traversal shader", tsim_ray_program_fields), FALSE);
    add_member(schema, TSIM_KEY_UNIT,
               object_of_fields("What no public source settles", tsim_ray_option_fields), FALSE);
    return schema;
}

json_object *tsim_scenario_schema(void)
{
    json_object *schema = object_of_fields("What a GPU is asked to do", tsim_scenario_fields);
    json_object *items = new_choice("oneOf", new_draw(), new_dispatch());
    json_object *kinds = json_object_object_get(items, "oneOf");
    json_object *gpu =
        new_choice("anyOf", new_schema("string", "Name or path of a GPU file"), new_gpu());

    (void)json_object_array_add(
        kinds, new_work(TSIM_WORK_BARRIER, "Waits for all earlier work of its queue", NULL));
    (void)json_object_array_add(kinds, new_sample_feedback());
    (void)json_object_array_add(json_object_object_get(items, "oneOf"), new_rays());
    add_member(schema, "$schema", new_schema("string", NULL), FALSE);
    add_member(schema, TSIM_KEY_GPU, gpu, TRUE);
    add_member(schema, TSIM_KEY_WORK, new_list(items, 0, 0), TRUE);
    set_title(schema, "Scenario of tesssim");
    return schema;
}
