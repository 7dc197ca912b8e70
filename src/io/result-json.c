#include "io/result-json.h"

#include "io/encode.h"
#include "io/result-fields.h"

typedef struct {
    json_object *root;
    GPtrArray *open; /* json_object *, borrowed, the outermost first */
} Builder;

static void add(Builder *builder, const TsimResultField *field, json_object *value)
{
    if (builder->open->len == 0) {
        builder->root = value;
        return;
    }
    json_object *parent = g_ptr_array_index(builder->open, builder->open->len - 1);
    if (field->key != NULL) {
        (void)json_object_object_add(parent, field->key, value);
    } else {
        (void)json_object_array_add(parent, value);
    }
}

static void open_group(void *user, TsimResultGroup group, const TsimResultField *field)
{
    Builder *builder = user;
    json_object *value =
        group == TSIM_GROUP_OBJECT ? json_object_new_object() : json_object_new_array();

    add(builder, field, value);
    g_ptr_array_add(builder->open, value);
}

static void close_group(void *user)
{
    Builder *builder = user;

    g_ptr_array_set_size(builder->open, (int)builder->open->len - 1);
}

static void add_count(void *user, const TsimResultField *field, uint64_t value)
{
    add(user, field, json_object_new_uint64(value));
}

static void add_real(void *user, const TsimResultField *field, double value)
{
    add(user, field, tsim_encode_real(value));
}

static void add_flag(void *user, const TsimResultField *field, gboolean value)
{
    add(user, field, json_object_new_boolean(value));
}

static void add_word(void *user, const TsimResultField *field, const char *value)
{
    add(user, field, json_object_new_string(value));
}

json_object *tsim_result_json(const TsimResult *result)
{
    static const TsimResultVisitor visitor = {open_group, close_group, add_count, add_real,
                                              add_flag,   add_word,    FALSE};
    Builder builder = {NULL, g_ptr_array_new()};

    tsim_result_visit(result, &visitor, &builder);
    g_ptr_array_unref(builder.open);
    return builder.root;
}

char *tsim_json_print(json_object *object)
{
    const char *text = json_object_to_json_string_ext(
        object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);
    char *lines = g_strconcat(text, "\n", NULL);

    json_object_put(object);
    return lines;
}
