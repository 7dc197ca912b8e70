#include "search/explain.h"

#include "base/error.h"
#include "base/rate.h"
#include "model/run.h"
#include "search/trial.h"
#include "search/workers.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define FIELDS_MAX 3
#define CLEARLY    0.1 /* of a slice: by how much */
#define BUSY       0.5 /* share of a slice from which a resource is called critical */

/* A thing that a machine can have more of. */
typedef struct {
    const char *key, *words;
    const char *rates[FIELDS_MAX]; /* GPU fields that are doubled */
    const char *costs[FIELDS_MAX]; /* and those that are halved */
} Resource;

static const Resource resources[] = {
    {"cus", "compute units", {"cus_per_array"}, {NULL}},
    {"vgt", "the VGT's patch rate", {"patches_per_clk"}, {NULL}},
    {"launcher", "the wave launch rate", {"waves_per_clk"}, {"wave_launch_latency"}},
    {"tessellator",
     "the tessellators' speed",
     {"tess_points_per_clk", "tess_prims_per_clk"},
     {"tess_setup_clks"}},
    {"hs_to_tess", "the way from hull shader to tessellator", {NULL}, {"hs_to_tess_latency"}},
    {"queues", "queues of groups and DS waves", {"vgt_queue_depth", "ds_queue_depth"}, {NULL}},
    {"setup", "primitive set-up", {"prims_per_clk"}, {NULL}},
    {"valu", "vector ALU speed", {NULL}, {"valu_issue_clks"}},
    {"salu", "scalar ALU speed", {NULL}, {"salu_issue_clks"}},
    {"lds", "LDS of a CU", {"lds_bytes_per_cu"}, {NULL}},
    {"lds_pipe", "LDS bandwidth and latency", {"lds_bytes_per_clk"}, {"lds_latency"}},
    {"wave_slots", "wave slots", {"waves_per_simd"}, {NULL}},
    {"vgprs", "vector registers", {"vgprs_per_simd"}, {NULL}},
    {"sgprs", "scalar registers", {"sgprs_per_simd"}, {NULL}},
    {"barriers", "barrier slots", {"barriers_per_cu"}, {NULL}},
    {"tf_ring", "the tess-factor ring", {"tf_ring_bytes_per_se"}, {NULL}},
    {"offchip_buffers", "off-chip buffers", {"offchip_buffers"}, {NULL}},
    {"texture_unit", "texture units", {"sample_lanes_per_clk"}, {"sample_latency"}},
    {"export",
     "the export path and its space",
     {"export_lanes_per_clk", "export_waves_per_se"},
     {"export_latency"}},
    {"l1", "L1 size, bandwidth and latency", {"l1_bytes", "l1_bytes_per_clk"}, {"l1_latency"}},
    {"l2", "L2 size, bandwidth and latency", {"l2_bytes", "l2_bytes_per_clk"}, {"l2_latency"}},
    {"dram", "DRAM bandwidth and latency", {"dram_bytes_per_clk"}, {"dram_latency"}},
};

typedef enum {
    DOUBLED,
    REMOVED,
    CHANGES,
} Change;

/* ---- Other machines ---- */

static double changed(const TsimField *field, double value, gboolean is_cost, Change change)
{
    if (change == REMOVED) {
        return is_cost ? field->min : field->max;
    }
    return is_cost ? MAX(floor(value / 2.0), field->min) : MIN(value * 2.0, field->max);
}

static gboolean is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static gboolean counts_change(const TsimField *field, const TsimCounts *counts, Change change)
{
    for (uint32_t i = 0; i < counts->n; i++) {
        if (!is_same(changed(field, counts->values[i], FALSE, change), counts->values[i])) {
            return TRUE;
        }
    }
    return FALSE;
}

static char *counts_text(const TsimField *field, const TsimCounts *counts, Change change)
{
    g_autoptr(GString) list = g_string_new(NULL);

    for (uint32_t i = 0; i < counts->n; i++) {
        g_string_append_printf(list, i > 0 ? ",%.0f" : "%.0f",
                               changed(field, counts->values[i], FALSE, change));
    }
    return counts->n == 1 ? g_strdup(list->str) : g_strdup_printf("[%s]", list->str);
}

/* "gpu.FIELD=VALUE" of the other machine; NULL when it would be the same one: the value is at its
 * end already, or 0, which never limits. */
static char *make_set(const TsimGpu *gpu, const char *name, gboolean is_cost, Change change)
{
    const TsimField *field = tsim_field_find(tsim_gpu_fields, name);
    const void *member = (const char *)gpu + field->offset;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double value;

    if (field->type == TSIM_FIELD_COUNTS) {
        if (!counts_change(field, member, change)) {
            return NULL;
        }
        g_autofree char *counts = counts_text(field, member, change);
        return g_strconcat("gpu.", name, "=", counts, NULL);
    }
    if (field->type == TSIM_FIELD_RATE) {
        value = tsim_rate_to_double(*(const TsimRate *)member);
    } else {
        TSIM_ASSERT(field->type == TSIM_FIELD_U32);
        value = *(const uint32_t *)member;
    }
    const double other = changed(field, value, is_cost, change);
    if (is_same(other, value) || (!is_cost && is_same(value, 0.0))) {
        return NULL;
    }
    (void)g_ascii_formatd(digits, sizeof digits, "%.15g", other);
    return g_strconcat("gpu.", name, "=", digits, NULL);
}

static gboolean add_set(GPtrArray *sets, char *set)
{
    if (set != NULL) {
        g_ptr_array_add(sets, set);
    }
    return set != NULL;
}

/* FALSE when nothing would change. */
static gboolean add_sets(const TsimGpu *gpu, const Resource *resource, Change change,
                         GPtrArray *sets)
{
    gboolean changes = FALSE;

    for (int i = 0; i < FIELDS_MAX && resource->rates[i] != NULL; i++) {
        changes = add_set(sets, make_set(gpu, resource->rates[i], FALSE, change)) || changes;
    }
    for (int i = 0; i < FIELDS_MAX && resource->costs[i] != NULL; i++) {
        changes = add_set(sets, make_set(gpu, resource->costs[i], TRUE, change)) || changes;
    }
    return changes;
}

/* ---- Runs ---- */

typedef struct {
    const TsimScenarioText *text;
    const TsimExplainOptions *options;
    const TsimScenario *scenario;
    GPtrArray *pins;       /* sets that keep what the driver chose */
    uint64_t *base_cycles; /* one a replication */
    uint64_t *cycles; /* [(resource * CHANGES + change) * replications + replication]; 0: none */
    pthread_mutex_t lock;
    uint64_t done;
} Study;

static void add_seed(const Study *study, guint replication, GPtrArray *sets)
{
    if (replication > 0) {
        const uint64_t seed = tsim_trial_seed(study->scenario->seed, replication);
        g_ptr_array_add(sets, g_strdup_printf("seed=%" G_GUINT64_FORMAT, seed));
    }
    g_ptr_array_add(sets, NULL);
}

static void add_pins(const Study *study, GPtrArray *sets)
{
    for (guint i = 0; i < study->pins->len; i++) {
        g_ptr_array_add(sets, g_strdup(study->pins->pdata[i]));
    }
}

static uint64_t cycles_of(const Study *study, GPtrArray *sets, GError **error)
{
    g_autoptr(TsimResult) result =
        tsim_trial_run_text(study->text, (const char *const *)sets->pdata, 0, error);

    return result != NULL ? MAX(result->elapsed_cycles, 1) : 0;
}

/* The settings that the driver worked out, as sets; kept only if they change nothing by themselves:
 * some rules lay LDS out in their own way. */
static void pin_settings(Study *study, const TsimResult *base)
{
    guint draw = 0;

    for (uint32_t i = 0; i < study->scenario->work_n; i++) {
        if (study->scenario->work[i].type == TSIM_WORK_BARRIER) {
            continue;
        }
        const TsimDrawResult *result = &base->draws[draw++];
        if (result->is_draw) {
            g_ptr_array_add(study->pins,
                            g_strdup_printf("work.%u.tessellation.patches_per_threadgroup=%u", i,
                                            result->patches_per_threadgroup));
        }
    }
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);
    add_pins(study, sets);
    add_seed(study, 0, sets);
    if (cycles_of(study, sets, NULL) != MAX(base->elapsed_cycles, 1)) {
        g_ptr_array_set_size(study->pins, 0);
    }
}

static gboolean run_base(Study *study, GError **error)
{
    for (guint i = 0; i < study->options->replications; i++) {
        g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);
        add_pins(study, sets);
        add_seed(study, i, sets);
        study->base_cycles[i] = cycles_of(study, sets, error);
        if (study->base_cycles[i] == 0) {
            return FALSE;
        }
    }
    return TRUE;
}

static void run_variation(void *user, uint64_t index)
{
    Study *study = user;
    const guint replications = study->options->replications;
    const guint replication = (guint)(index % replications);
    const guint change = (guint)(index / replications % CHANGES);
    const Resource *resource = &resources[index / replications / CHANGES];
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);

    add_pins(study, sets);
    if (add_sets(study->scenario->gpu, resource, (Change)change, sets)) {
        add_seed(study, replication, sets);
        study->cycles[index] = cycles_of(study, sets, NULL);
    }
    (void)pthread_mutex_lock(&study->lock);
    study->done++;
    if (study->options->progress != NULL) {
        study->options->progress(study->options->user, study->done,
                                 G_N_ELEMENTS(resources) * CHANGES * replications);
    }
    (void)pthread_mutex_unlock(&study->lock);
}

static TsimInterval speed_up(const Study *study, gsize resource, Change change)
{
    const guint n = study->options->replications;
    const uint64_t *cycles = &study->cycles[(resource * CHANGES + change) * n];
    g_autofree double *before = g_new(double, n);
    g_autofree double *after = g_new(double, n);

    for (guint i = 0; i < n; i++) {
        before[i] = (double)study->base_cycles[i];
        after[i] = (double)cycles[i];
        if (cycles[i] == 0) {
            return (TsimInterval){0};
        }
    }
    return tsim_interval_ratio(after, before, n);
}

/* ---- Over time ---- */

/* Busy share of a resource in a slice. */
static double slice_share(const TsimExplanation *explanation, int resource,
                          const TsimResult *before, const TsimResult *after)
{
    const double length = (double)explanation->base->elapsed_cycles / (double)TSIM_EXPLAIN_SLICES;
    const TsimResourceUse *use = &after->resources[resource];
    const uint64_t busy = use->busy_cycles - before->resources[resource].busy_cycles;

    return use->instances > 0 ? (double)busy / (double)use->instances / length : 0.0;
}

/* The one of the slice before stays critical until another is clearly busier. */
static void note_slice(TsimExplanation *explanation, guint slice, const TsimResult *before,
                       const TsimResult *after)
{
    const int last = slice > 0 ? explanation->critical[slice - 1] : -1;
    int critical = -1;
    double most = BUSY;

    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const double share = slice_share(explanation, i, before, after);
        if (share + (i == last ? CLEARLY : 0.0) > most) {
            most = share + (i == last ? CLEARLY : 0.0);
            critical = i;
        }
    }
    explanation->critical[slice] = critical;
    if (critical >= 0) {
        explanation->critical_share[slice] =
            MIN(slice_share(explanation, critical, before, after), 1.0);
    }
}

/* Once more, with stops. */
static gboolean watch(const Study *study, TsimExplanation *explanation, GError **error)
{
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(TsimMachine) machine = tsim_machine_new(study->scenario, warnings, error);
    g_autoptr(TsimResult) before = tsim_result_new();

    for (guint slice = 0; machine != NULL && slice < TSIM_EXPLAIN_SLICES; slice++) {
        const uint64_t end =
            MAX(explanation->base->elapsed_cycles, 1) * (slice + 1) / TSIM_EXPLAIN_SLICES;
        (void)tsim_machine_run_until(machine, end);
        TsimResult *after = tsim_machine_result(machine);
        note_slice(explanation, slice, before, after);
        tsim_result_free(before);
        before = after;
    }
    return machine != NULL;
}

/* ---- All of it ---- */

static gint compare_what_ifs(gconstpointer a, gconstpointer b)
{
    const TsimWhatIf *first = a, *second = b;

    if (first->doubled.mean < second->doubled.mean || first->doubled.mean > second->doubled.mean) {
        return first->doubled.mean > second->doubled.mean ? -1 : 1;
    }
    if (first->free_.mean < second->free_.mean || first->free_.mean > second->free_.mean) {
        return first->free_.mean > second->free_.mean ? -1 : 1;
    }
    return strcmp(first->key, second->key);
}

static void fill(const Study *study, TsimExplanation *explanation)
{
    for (gsize i = 0; i < G_N_ELEMENTS(resources); i++) {
        const TsimWhatIf what_if = {resources[i].key, resources[i].words,
                                    speed_up(study, i, DOUBLED), speed_up(study, i, REMOVED)};
        g_array_append_val(explanation->what_ifs, what_if);
    }
    g_array_sort(explanation->what_ifs, compare_what_ifs);
}

static gboolean study_all(Study *study, TsimExplanation *explanation, GError **error)
{
    pin_settings(study, explanation->base);
    if (!run_base(study, error) || !watch(study, explanation, error)) {
        return FALSE;
    }
    (void)pthread_mutex_init(&study->lock, NULL);
    tsim_workers_run(study->options->threads,
                     G_N_ELEMENTS(resources) * CHANGES * study->options->replications,
                     run_variation, study, study->options->stop);
    (void)pthread_mutex_destroy(&study->lock);
    if (study->options->stop != NULL && g_atomic_int_get(study->options->stop) != 0) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_STUCK,
                            "the study was stopped before all of it was run");
        return FALSE;
    }
    fill(study, explanation);
    return TRUE;
}

TsimExplanation *tsim_explain_run(const TsimScenarioText *text, const TsimExplainOptions *options,
                                  GError **error)
{
    g_autoptr(TsimExplanation) explanation = g_new0(TsimExplanation, 1);
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(text, NULL, NULL, error);
    g_autoptr(GPtrArray) pins = g_ptr_array_new_with_free_func(g_free);
    g_autofree uint64_t *base_cycles = g_new0(uint64_t, options->replications);
    g_autofree uint64_t *cycles =
        g_new0(uint64_t, G_N_ELEMENTS(resources) * CHANGES * options->replications);
    Study study = {.text = text,
                   .options = options,
                   .scenario = scenario,
                   .pins = pins,
                   .base_cycles = base_cycles,
                   .cycles = cycles};

    explanation->what_ifs = g_array_new(FALSE, FALSE, sizeof(TsimWhatIf));
    explanation->base = scenario != NULL ? tsim_trial_run(scenario, error) : NULL;
    return explanation->base != NULL && study_all(&study, explanation, error)
               ? g_steal_pointer(&explanation)
               : NULL;
}

void tsim_explanation_free(TsimExplanation *explanation)
{
    if (explanation == NULL) {
        return;
    }
    tsim_result_free(explanation->base);
    g_array_unref(explanation->what_ifs);
    g_free(explanation);
}
