#include "io/result-schema.h"

#include "io/result-fields.h"

typedef struct {
    TsimResultGroup type;
    json_object *schema, *properties, *required; /* borrowed; the latter two of objects only */
} OpenGroup;

typedef struct {
    json_object *root;
    GArray *groups; /* of OpenGroup, the outermost first */
} Schema;

static void set_word(json_object *schema, const char *key, const char *word)
{
    (void)json_object_object_add(schema, key, json_object_new_string(word));
}

/* Puts the schema of a member where its parent wants it. */
static void add(Schema *schema, const char *key, json_object *member)
{
    if (schema->groups->len == 0) {
        schema->root = member;
        return;
    }
    const OpenGroup *group = &g_array_index(schema->groups, OpenGroup, schema->groups->len - 1);
    if (group->type != TSIM_GROUP_OBJECT) {
        (void)json_object_object_add(group->schema, "items", member);
        return;
    }
    (void)json_object_object_add(group->properties, key, member);
    (void)json_object_array_add(group->required, json_object_new_string(key));
}

static json_object *describe(const TsimResultField *field, const char *type)
{
    json_object *member = json_object_new_object();

    set_word(member, "type", type);
    if (*field->unit != '\0') {
        g_autofree char *text = g_strdup_printf("%s (%s)", field->blurb, field->unit);
        set_word(member, "description", text);
    } else {
        set_word(member, "description", field->blurb);
    }
    return member;
}

static void open_group(void *user, TsimResultGroup type, const TsimResultField *field)
{
    Schema *schema = user;
    const gboolean is_object = type == TSIM_GROUP_OBJECT;
    OpenGroup group = {type, describe(field, is_object ? "object" : "array"), NULL, NULL};

    if (is_object) {
        group.properties = json_object_new_object();
        (void)json_object_object_add(group.schema, "properties", group.properties);
        group.required = json_object_new_array();
        (void)json_object_object_add(group.schema, "required", group.required);
    }
    add(schema, field->key, group.schema);
    g_array_append_val(schema->groups, group);
}

static void close_group(void *user)
{
    Schema *schema = user;

    g_array_set_size(schema->groups, schema->groups->len - 1);
}

static void add_count(void *user, const TsimResultField *field, uint64_t value)
{
    json_object *member = describe(field, "integer");

    (void)value;
    (void)json_object_object_add(member, "minimum", json_object_new_int(0));
    add(user, field->key, member);
}

static void add_real(void *user, const TsimResultField *field, double value)
{
    (void)value;
    add(user, field->key, describe(field, "number"));
}

static void add_flag(void *user, const TsimResultField *field, gboolean value)
{
    (void)value;
    add(user, field->key, describe(field, "boolean"));
}

static void add_word(void *user, const TsimResultField *field, const char *value)
{
    (void)value;
    add(user, field->key, describe(field, "string"));
}

json_object *tsim_result_schema(void)
{
    static const TsimResultVisitor visitor = {open_group, close_group, add_count, add_real,
                                              add_flag,   add_word,    FALSE};
    g_autoptr(TsimResult) sample = tsim_result_sample();
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(OpenGroup));
    Schema schema = {NULL, groups};

    tsim_result_visit(sample, &visitor, &schema);
    set_word(schema.root, "$schema", "http://json-schema.org/draft-07/schema#");
    set_word(schema.root, "title", "Result of tesssim");
    return schema.root;
}
