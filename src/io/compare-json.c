#include "io/compare-json.h"

#include "io/encode.h"
#include "io/paste.h"
#include "io/result-fields.h"
#include "io/result-json.h"
#include "io/result-table.h"

static json_object *ratios(const TsimComparison *comparison)
{
    g_autoptr(GArray) a = tsim_result_rows(comparison->sides[0]);
    g_autoptr(GArray) b = tsim_result_rows(comparison->sides[1]);
    json_object *object = json_object_new_object();
    guint at = 0;

    for (guint i = 0; i < a->len; i++) {
        const TsimResultRow *row_a = &g_array_index(a, TsimResultRow, i);
        const TsimResultRow *row_b = tsim_result_row_next(b, row_a->name, &at);
        double ratio;
        if (row_b != NULL && tsim_result_row_ratio(row_a, row_b, &ratio)) {
            (void)json_object_object_add(object, row_a->name, tsim_encode_real(ratio));
        }
    }
    return object;
}

static json_object *side(const TsimComparison *comparison, int index)
{
    json_object *object = tsim_result_json(comparison->sides[index]);

    (void)json_object_object_add(object, "label",
                                 json_object_new_string(comparison->labels[index]));
    return object;
}

static json_object *winner(const TsimComparison *comparison)
{
    static const char *const words[] = {"a", "b"};

    return json_object_new_string(comparison->winner < 0 ? "none" : words[comparison->winner]);
}

/* What to paste for each draw; null where the GPU has no such settings. */
static json_object *paste(const TsimComparison *comparison)
{
    const TsimResult *side = comparison->sides[comparison->pasted];

    if (!side->has_onchip) {
        return NULL;
    }
    json_object *list = json_object_new_array();
    for (uint32_t i = 0; i < side->draws_n; i++) {
        const TsimDrawResult *draw = &side->draws[i];
        if (draw->is_draw) {
            const TsimPasteBlock block = tsim_paste_block_of_result(draw);
            json_object *object = tsim_paste_json(&block);
            (void)json_object_object_add(object, "draw", json_object_new_string(draw->name));
            (void)json_object_array_add(list, object);
        }
    }
    return list;
}

static json_object *interval(const TsimInterval *of)
{
    json_object *object = json_object_new_object();

    (void)json_object_object_add(object, "mean", tsim_encode_real(of->mean));
    (void)json_object_object_add(object, "low", tsim_encode_real(of->low));
    (void)json_object_object_add(object, "high", tsim_encode_real(of->high));
    return object;
}

/* null when each side ran with one seed. */
static json_object *replications(const TsimComparison *comparison)
{
    const TsimPairedIntervals *paired = &comparison->paired;

    if (comparison->seeds < 2) {
        return NULL;
    }
    json_object *object = json_object_new_object();
    (void)json_object_object_add(object, "n", json_object_new_uint64(comparison->seeds));
    (void)json_object_object_add(object, "level", tsim_encode_real(TSIM_INTERVAL_LEVEL));
    (void)json_object_object_add(object, "a", interval(&paired->means[0]));
    (void)json_object_object_add(object, "b", interval(&paired->means[1]));
    (void)json_object_object_add(object, "difference", interval(&paired->difference));
    (void)json_object_object_add(object, "ratio", interval(&paired->ratio));
    return object;
}

json_object *tsim_compare_json(const TsimComparison *comparison)
{
    json_object *object = json_object_new_object();
    json_object *reasons = json_object_new_array();

    for (guint i = 0; i < comparison->reasons->len; i++) {
        const char *text = g_ptr_array_index(comparison->reasons, i);
        (void)json_object_array_add(reasons, json_object_new_string(text));
    }
    (void)json_object_object_add(object, "schema_version",
                                 json_object_new_int(TSIM_RESULT_SCHEMA_VERSION));
    (void)json_object_object_add(object, "winner", winner(comparison));
    (void)json_object_object_add(object, "speedup", tsim_encode_real(comparison->speedup));
    (void)json_object_object_add(object, "replications", replications(comparison));
    (void)json_object_object_add(object, "reasons", reasons);
    (void)json_object_object_add(object, "tessellation_parameters", paste(comparison));
    (void)json_object_object_add(object, "ratios", ratios(comparison));
    (void)json_object_object_add(object, "a", side(comparison, 0));
    (void)json_object_object_add(object, "b", side(comparison, 1));
    return object;
}
