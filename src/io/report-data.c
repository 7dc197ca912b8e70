#include "io/report-data.h"

#include "base/varint.h"
#include "hw/stage.h"
#include "io/encode.h"
#include "io/report-images.h"
#include "io/result-json.h"
#include "io/track-name.h"

#include <gio/gio.h>

/* More exact changes than this would make a page that is slow to send and to open; it then has
 * buckets only, and says so. */
#define EXACT_MOST 2000000u

/* ---- Numbers ---- */

static void put_change(GByteArray *body, uint64_t before, uint64_t after)
{
    const int64_t change = (int64_t)(after - before);

    tsim_varint_append(body, (uint64_t)change << 1 ^ (uint64_t)(change >> 63));
}

/* ---- The head ---- */

static void add(json_object *object, const char *key, json_object *value)
{
    (void)json_object_object_add(object, key, value);
}

static void add_count(json_object *object, const char *key, uint64_t value)
{
    add(object, key, json_object_new_uint64(value));
}

static json_object *words(const char *const *list)
{
    json_object *array = json_object_new_array();

    for (; *list != NULL; list++) {
        (void)json_object_array_add(array, json_object_new_string(*list));
    }
    return array;
}

static json_object *pairs(const char *const *keys, const char *const *texts)
{
    json_object *array = json_object_new_array();

    for (; *keys != NULL; keys++, texts++) {
        json_object *pair = json_object_new_array();
        (void)json_object_array_add(pair, json_object_new_string(*keys));
        (void)json_object_array_add(pair, json_object_new_string(*texts));
        (void)json_object_array_add(array, pair);
    }
    return array;
}

static json_object *describe_run(const TsimReportSide *side)
{
    const TsimTimeline *timeline = side->timeline;
    const TsimTimelineMachine *machine = &timeline->machine;
    json_object *run = json_object_new_object();
    json_object *engines = json_object_new_array();

    for (uint32_t cu = 0; cu < machine->cus; cu++) {
        (void)json_object_array_add(engines, json_object_new_uint64(timeline->se_of_cu[cu]));
    }
    add(run, "label", json_object_new_string(side->label));
    add(run, "seOfCu", engines);
    add(run, "clockMhz", tsim_encode_real(side->result->clock_mhz));
    add(run, "full", json_object_new_boolean(timeline->spool != NULL));
    add_count(run, "from", timeline->from);
    add_count(run, "to", timeline->to);
    add_count(run, "width", UINT64_C(1) << timeline->bucket_shift);
    add_count(run, "buckets", timeline->buckets_n);
    add_count(run, "ses", machine->ses);
    add_count(run, "cus", machine->cus);
    add_count(run, "simds", machine->simds_per_cu);
    add_count(run, "wavesPerCu", (uint64_t)machine->simds_per_cu * machine->waves_per_simd);
    add_count(run, "ldsBytes", machine->lds_bytes_per_cu);
    add_count(run, "granule", machine->lds_granule);
    add_count(run, "fullestCu", tsim_timeline_fullest_cu(timeline));
    add_count(run, "ldsQuantum", timeline->lds_quantum);
    add_count(run, "groupStride", timeline->group_stride);
    add(run, "result", tsim_result_json(side->result));
    return run;
}

static json_object *describe_metrics(void)
{
    json_object *metrics = json_object_new_array();

    for (uint32_t metric = 0; metric < TSIM_METRICS; metric++) {
        g_autofree char *name = tsim_metric_name(metric);
        (void)json_object_array_add(metrics, json_object_new_string(name));
    }
    return metrics;
}

static json_object *describe_images(const TsimReport *report)
{
    json_object *images = json_object_new_array();

    for (guint i = 0; i < report->images->len; i++) {
        const TsimReportImage *image = g_ptr_array_index(report->images, i);
        g_autofree char *png = g_base64_encode((const guchar *)image->png->str, image->png->len);
        json_object *object = json_object_new_object();
        add(object, "title", json_object_new_string(image->title));
        add(object, "alt", json_object_new_string(image->alt));
        add(object, "png", json_object_new_string(png));
        (void)json_object_array_add(images, object);
    }
    return images;
}

char *tsim_report_head(const TsimReport *report)
{
    json_object *head = json_object_new_object();
    json_object *runs = json_object_new_array();

    for (uint32_t i = 0; i < report->sides_n; i++) {
        (void)json_object_array_add(runs, describe_run(&report->sides[i]));
    }
    add(head, "runs", runs);
    add(head, "metrics", describe_metrics());
    add(head, "stages", words(tsim_stage_names));
    add(head, "owners", words(tsim_lds_owner_names));
    add(head, "stalls", pairs(tsim_stall_names, tsim_stall_words));
    add(head, "resources", pairs(tsim_resource_names, tsim_resource_words));
    add(head, "images", describe_images(report));
    const char *text = json_object_to_json_string_ext(head, JSON_C_TO_STRING_PLAIN);
    char *copy = g_strdup(text);
    json_object_put(head);
    return copy;
}

/* ---- The body ---- */

/* Exact changes of each track, as they will stand in the body. */
typedef struct {
    GByteArray **changes; /* by track; NULL: none */
    uint64_t *cycles;     /* by track: of the last change */
    uint32_t *values;
    uint32_t *counts;
    uint64_t n;
    uint32_t tracks_n;
} Exact;

static void note_level(void *user, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    Exact *exact = user;

    if (signal != TSIM_SIGNAL_EXACT || exact->n++ > EXACT_MOST) {
        return;
    }
    if (exact->changes[track] == NULL) {
        exact->changes[track] = g_byte_array_new();
    }
    tsim_varint_append(exact->changes[track], cycle - exact->cycles[track]);
    put_change(exact->changes[track], exact->values[track], (uint64_t)value);
    exact->cycles[track] = cycle;
    exact->values[track] = (uint32_t)value;
    exact->counts[track]++;
}

static void exact_init(Exact *exact, const TsimTimeline *timeline)
{
    const uint32_t n = timeline->first_track[TSIM_METRICS];

    *exact = (Exact){g_new0(GByteArray *, n),
                     g_new0(uint64_t, n),
                     g_new0(uint32_t, n),
                     g_new0(uint32_t, n),
                     0,
                     n};
}

static void exact_clear(Exact *exact)
{
    for (uint32_t i = 0; i < exact->tracks_n; i++) {
        g_clear_pointer(&exact->changes[i], g_byte_array_unref);
    }
    g_free(exact->changes);
    g_free(exact->cycles);
    g_free(exact->values);
    g_free(exact->counts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Exact, exact_clear)

static gboolean collect(Exact *exact, TsimTimeline *timeline, GError **error)
{
    static const TsimTimelineVisitor visitor = {note_level, NULL, NULL, NULL};

    return timeline->spool == NULL || tsim_timeline_replay(timeline, &visitor, exact, error);
}

static void put_buckets(GByteArray *body, const TsimTimeline *timeline, uint32_t track,
                        gboolean is_work)
{
    const TsimBucket *buckets = tsim_timeline_buckets(timeline, track);
    uint64_t sum = 0, min = 0, max = 0;

    for (uint32_t i = 0; i < timeline->buckets_n; i++) {
        put_change(body, sum, buckets[i].sum);
        sum = buckets[i].sum;
    }
    for (uint32_t i = 0; i < timeline->buckets_n && !is_work; i++) {
        put_change(body, min, buckets[i].min);
        min = buckets[i].min;
    }
    for (uint32_t i = 0; i < timeline->buckets_n && !is_work; i++) {
        put_change(body, max, buckets[i].max);
        max = buckets[i].max;
    }
}

static void put_track(GByteArray *body, const TsimTimeline *timeline, const Exact *exact,
                      uint32_t track)
{
    const TsimTrackPlace place = tsim_track_place(timeline, track);
    const gboolean is_work = tsim_metric_is_work(place.metric);
    const GByteArray *changes = exact->n <= EXACT_MOST ? exact->changes[track] : NULL;

    tsim_varint_append(body, place.metric);
    tsim_varint_append(body, place.unit);
    tsim_varint_append(body, is_work ? 1 : 0);
    put_buckets(body, timeline, track, is_work);
    tsim_varint_append(body, changes != NULL ? 1 : 0);
    if (changes != NULL) {
        tsim_varint_append(body, exact->counts[track]);
        g_byte_array_append(body, changes->data, changes->len);
    }
}

static void put_tracks(GByteArray *body, const TsimTimeline *timeline, const Exact *exact)
{
    const uint32_t n = timeline->first_track[TSIM_METRICS];
    uint32_t used = 0;

    for (uint32_t i = 0; i < n; i++) {
        used += tsim_timeline_is_used(timeline, i) ? 1 : 0;
    }
    tsim_varint_append(body, used);
    for (uint32_t i = 0; i < n; i++) {
        if (tsim_timeline_is_used(timeline, i)) {
            put_track(body, timeline, exact, i);
        }
    }
}

static void put_blocks(GByteArray *body, const TsimTimeline *timeline)
{
    uint64_t begin = 0;

    tsim_varint_append(body, timeline->blocks_n);
    for (uint32_t i = 0; i < timeline->blocks_n; i++) {
        const TsimLdsSpan *block = &timeline->blocks[i];
        tsim_varint_append(body, block->cu);
        tsim_varint_append(body, (uint32_t)(block->group + 1)); /* 0: of no threadgroup */
        tsim_varint_append(body, block->first);
        tsim_varint_append(body, block->size);
        tsim_varint_append(body, block->owner);
        put_change(body, begin, block->begin);
        tsim_varint_append(body, block->end - block->begin);
        begin = block->begin;
    }
}

static void put_groups(GByteArray *body, const TsimTimeline *timeline)
{
    tsim_varint_append(body, timeline->groups_n);
    for (uint32_t i = 0; i < timeline->groups_n; i++) {
        const TsimGroupSpan *group = &timeline->groups[i];
        const uint64_t numbers[] = {
            group->serial,    group->cu,        group->draw,
            group->patches,   group->offchip,   group->ds_waves,
            group->lds_bytes, group->begin,     group->ls_end,
            group->hs_begin,  group->decision,  group->ds_waves > 0 ? group->ds_begin : 0,
            group->ds_end,    group->lds_freed, group->end,
        };
        for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++) {
            tsim_varint_append(body, numbers[k]);
        }
    }
}

GByteArray *tsim_report_body(const TsimReport *report, GError **error)
{
    g_autoptr(GByteArray) body = g_byte_array_new();

    for (uint32_t i = 0; i < report->sides_n; i++) {
        TsimTimeline *timeline = report->sides[i].timeline;
        g_auto(Exact) exact = {0};
        exact_init(&exact, timeline);
        if (!collect(&exact, timeline, error)) {
            return NULL;
        }
        put_tracks(body, timeline, &exact);
        put_blocks(body, timeline);
        put_groups(body, timeline);
    }
    return g_steal_pointer(&body);
}
