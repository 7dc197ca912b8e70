#include "search/tune.h"

#include "base/error.h"
#include "search/trial.h"
#include "search/workers.h"
#include "stats/figures.h"
#include "workload/plan.h"

#include <math.h>
#include <string.h>

#define RACE_SLACK  0.02 /* candidates this much worse than the best are dropped */
#define SCREEN_PART 3    /* the screen may use this part of the runs */
#define RESERVE_PART                                                                               \
    16 /* and this part, four an axis at most, is for the surroundings of the best */
#define RUNS_LEAST 24
#define SCAN_MAX   128 /* levels of an axis that are scanned one by one */

const char *const tsim_goal_names[] = {"elapsed",   "lds",       "bandwidth",
                                       "occupancy", "p99-group", NULL};
const char *const tsim_goal_words[] = {"time", "LDS held over time", "DRAM traffic",
                                       "empty wave slots", "99th percentile of threadgroup life"};

double tsim_goal_figure(TsimGoal goal, const TsimResult *result)
{
    uint64_t figure = result->elapsed_cycles;

    switch (goal) {
    case TSIM_GOAL_ELAPSED:
        break;
    case TSIM_GOAL_LDS:
        figure = tsim_result_lds_byte_cycles(result);
        break;
    case TSIM_GOAL_BANDWIDTH:
        figure = tsim_result_dram_bytes(result);
        break;
    case TSIM_GOAL_OCCUPANCY:
        return (double)result->waves_per_cu -
               tsim_result_waves_per_cu(result, tsim_result_wave_cycles(result));
    case TSIM_GOAL_P99_GROUP:
        figure = result->p99_threadgroup_cycles;
        break;
    }
    return (double)figure;
}

/* ---- State ---- */

/* What is known of a candidate. */
typedef struct {
    uint64_t id;      /* its place in the grid */
    double score;     /* HUGE_VAL: it failed, or was raced out */
    double tie;       /* elapsed by the default's, for goals that many points reach alike */
    double *ratios;   /* figure by default, one a heat; owned */
    double partial;   /* weighted sum of those so far */
    gboolean dropped; /* failed or raced out */
} Candidate;

/* One file with one seed. */
typedef struct {
    guint file;
    uint64_t seed;
    gboolean own_seed;
    double weight; /* all weights add up to 1 */
    double figure; /* of the defaults */
    double cycles;
} Heat;

typedef struct {
    const TsimTuneTask *task;
    Heat *heats;
    guint heats_n;
    GHashTable *known; /* id: Candidate */
    GPtrArray *batch;  /* Candidate *, new ones */
    guint heat;        /* being run */
    double limit;      /* scores above it are of no interest */
    const Candidate *best;
    uint64_t runs_max, screen_max;
    uint64_t reserve; /* runs kept for the surroundings of the best */
} Search;

static void free_candidate(void *user)
{
    Candidate *candidate = user;

    g_free(candidate->ratios);
    g_free(candidate);
}

static guint level_of(const Search *search, uint64_t id, guint axis)
{
    for (guint later = search->task->axes_n - 1; later > axis; later--) {
        id /= search->task->axes[later].levels;
    }
    return (guint)(id % search->task->axes[axis].levels);
}

/* The place in the grid of the point with another level on one axis. */
static uint64_t with_level(const Search *search, uint64_t id, guint axis, guint level)
{
    uint64_t stride = 1;

    for (guint later = search->task->axes_n - 1; later > axis; later--) {
        stride *= search->task->axes[later].levels;
    }
    return id + stride * level - stride * level_of(search, id, axis);
}

/* ---- Runs ---- */

static void add_seed(const Heat *heat, GPtrArray *sets)
{
    if (!heat->own_seed) {
        g_ptr_array_add(sets, g_strdup_printf("seed=%" G_GUINT64_FORMAT, heat->seed));
    }
    g_ptr_array_add(sets, NULL);
}

static void add_levels(const Search *search, uint64_t id, GPtrArray *sets)
{
    for (guint axis = 0; axis < search->task->axes_n; axis++) {
        const TsimAxis *values = &search->task->axes[axis];
        const guint level = level_of(search, id, axis);
        for (guint key = 0; key < values->keys_n; key++) {
            g_ptr_array_add(sets, tsim_axis_set(values, key, level));
        }
    }
}

static TsimResult *run_point(const Search *search, uint64_t id, const Heat *heat,
                             uint64_t limit_cycles, GError **error)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);

    add_levels(search, id, sets);
    add_seed(heat, sets);
    return tsim_trial_run_text(search->task->files[heat->file], (const char *const *)sets->pdata,
                               limit_cycles, error);
}

/* set: one more; may be NULL. */
static TsimResult *run_default(const Search *search, const Heat *heat, const char *set,
                               GError **error)
{
    g_autoptr(GPtrArray) sets = g_ptr_array_new_with_free_func(g_free);

    for (const char *const *at = search->task->defaults; *at != NULL; at++) {
        g_ptr_array_add(sets, g_strdup(*at));
    }
    if (set != NULL) {
        g_ptr_array_add(sets, g_strdup(set));
    }
    add_seed(heat, sets);
    return tsim_trial_run_text(search->task->files[heat->file], (const char *const *)sets->pdata, 0,
                               error);
}

/* 0 by 0 is as good as the default; nothing by 0 is not. */
static double ratio_of(double figure, double by)
{
    if (by > 0.0) {
        return figure / by;
    }
    return figure > 0.0 ? HUGE_VAL : 1.0;
}

/* The clock at which a candidate is out of the race, 0 when time is not what counts. */
static uint64_t limit_of(const Search *search, const Candidate *candidate, const Heat *heat)
{
    if (search->task->goal != TSIM_GOAL_ELAPSED || isinf(search->limit)) {
        return 0;
    }
    const double left = (search->limit - candidate->partial) / heat->weight;
    return (uint64_t)MAX(ceil(left * heat->figure), 1.0) + 1;
}

static void run_candidate(void *user, uint64_t index)
{
    const Search *search = user;
    Candidate *candidate = search->batch->pdata[index];
    const Heat *heat = &search->heats[search->heat];

    if (candidate->dropped) {
        return;
    }
    g_autoptr(TsimResult) result =
        run_point(search, candidate->id, heat, limit_of(search, candidate, heat), NULL);
    if (result == NULL) {
        candidate->dropped = TRUE;
        return;
    }
    const double ratio = ratio_of(tsim_goal_figure(search->task->goal, result), heat->figure);
    candidate->ratios[search->heat] = ratio;
    candidate->partial += heat->weight * ratio;
    candidate->tie += heat->weight * ratio_of((double)result->elapsed_cycles, heat->cycles);
    candidate->dropped = candidate->partial > search->limit;
}

/* Below, at or above 0; what rounding makes of the same figure is the same. */
static int compare_figures(double a, double b)
{
    const double least = 1e-12;

    if (isinf(a) || isinf(b)) {
        return (isinf(a) ? 1 : 0) - (isinf(b) ? 1 : 0);
    }
    if (fabs(a - b) <= least * b) {
        return 0;
    }
    return a < b ? -1 : 1;
}

/* Equal figures are told apart by time, and equal times by place. Candidates that are out have run
 * for different shares of their heats, so that their times say nothing. */
static gboolean is_better(const Candidate *a, const Candidate *b)
{
    int order = b != NULL ? compare_figures(a->score, b->score) : -1;

    if (order == 0 && !isinf(a->score)) {
        order = compare_figures(a->tie, b->tie);
    }
    return order != 0 ? order < 0 : a->id < b->id;
}

static void add_to_batch(Search *search, uint64_t id)
{
    const guint known = g_hash_table_size(search->known);

    if (known >= search->runs_max || g_hash_table_contains(search->known, &id)) {
        return;
    }
    Candidate *candidate = g_new0(Candidate, 1);
    candidate->id = id;
    candidate->score = HUGE_VAL;
    candidate->ratios = g_new0(double, search->heats_n);
    (void)g_hash_table_insert(search->known, &candidate->id, candidate);
    g_ptr_array_add(search->batch, candidate);
}

static gboolean was_stopped(const Search *search)
{
    return search->task->stop != NULL && g_atomic_int_get(search->task->stop) != 0;
}

static void run_batch(Search *search)
{
    const guint n = search->batch->len;

    search->limit = search->best != NULL ? search->best->score * (1.0 + RACE_SLACK) : HUGE_VAL;
    for (search->heat = 0; search->heat < search->heats_n; search->heat++) {
        tsim_workers_run(search->task->threads, n, run_candidate, search, search->task->stop);
    }
    for (guint i = 0; i < n && !was_stopped(search); i++) {
        Candidate *candidate = search->batch->pdata[i];
        candidate->score = candidate->dropped ? HUGE_VAL : candidate->partial;
        if (!candidate->dropped && is_better(candidate, search->best)) {
            search->best = candidate;
        }
    }
    g_ptr_array_set_size(search->batch, 0);
    if (search->task->progress != NULL) {
        search->task->progress(search->task->user, g_hash_table_size(search->known),
                               search->runs_max);
    }
}

/* ---- Screen ---- */

/* Level i of n taken evenly out of all, both ends included. */
static guint spread(guint i, guint n, guint levels)
{
    return n < 2 ? levels / 2 : (guint)((uint64_t)i * (levels - 1) / (n - 1));
}

/* Levels a screen takes of each axis: the longest axes get more, as long as runs allow. */
static void choose_screen(const Search *search, guint *taken)
{
    const TsimTuneTask *task = search->task;
    uint64_t points = 1;

    for (guint axis = 0; axis < task->axes_n; axis++) {
        taken[axis] = MIN(2, task->axes[axis].levels);
        points *= taken[axis];
    }
    for (;;) {
        guint widest = task->axes_n;
        double gap = 1.0;
        for (guint axis = 0; axis < task->axes_n; axis++) {
            const double own_gap = (double)task->axes[axis].levels / taken[axis];
            if (own_gap > gap && points / taken[axis] * (taken[axis] + 1) <= search->screen_max) {
                widest = axis;
                gap = own_gap;
            }
        }
        if (widest == task->axes_n) {
            return;
        }
        points = points / taken[widest] * (taken[widest] + 1);
        taken[widest]++;
    }
}

static void screen(Search *search)
{
    const guint axes = search->task->axes_n;
    g_autofree guint *taken = g_new(guint, axes);
    uint64_t points = 1;

    choose_screen(search, taken);
    for (guint axis = 0; axis < axes; axis++) {
        points *= taken[axis];
    }
    for (uint64_t point = 0; point < points && search->batch->len < search->runs_max; point++) {
        uint64_t id = 0, rest = point;
        for (guint axis = 0; axis < axes; axis++) {
            const guint level =
                spread((guint)(rest % taken[axis]), taken[axis], search->task->axes[axis].levels);
            id = with_level(search, id, axis, level);
            rest /= taken[axis];
        }
        add_to_batch(search, id);
    }
    run_batch(search);
}

/* ---- Local search ---- */

static const Candidate *look_up(const Search *search, uint64_t id)
{
    return g_hash_table_lookup(search->known, &id);
}

/* All levels of a short axis; of a long one the neighbours at growing distance. */
static void add_line(Search *search, uint64_t id, guint axis)
{
    const guint levels = search->task->axes[axis].levels;
    const guint at = level_of(search, id, axis);

    if (levels <= SCAN_MAX) {
        for (guint level = 0; level < levels; level++) {
            add_to_batch(search, with_level(search, id, axis, level));
        }
        return;
    }
    for (guint step = 1; step < levels; step *= 2) {
        if (at >= step) {
            add_to_batch(search, with_level(search, id, axis, at - step));
        }
        if (at + step < levels) {
            add_to_batch(search, with_level(search, id, axis, at + step));
        }
    }
}

/* The best known point that differs from id on that axis only. */
static uint64_t best_of_line(const Search *search, uint64_t id, guint axis)
{
    const Candidate *best = look_up(search, id);

    for (guint level = 0; level < search->task->axes[axis].levels; level++) {
        const Candidate *other = look_up(search, with_level(search, id, axis, level));
        if (other != NULL && is_better(other, best)) {
            best = other;
        }
    }
    return best != NULL ? best->id : id;
}

/* Scans axis after axis until a whole round changes nothing. */
static uint64_t descend(Search *search, uint64_t id)
{
    guint unchanged = 0;

    for (guint axis = 0; unchanged < search->task->axes_n && !was_stopped(search);
         axis = (axis + 1) % search->task->axes_n) {
        add_line(search, id, axis);
        run_batch(search);
        const uint64_t next = best_of_line(search, id, axis);
        unchanged = next == id ? unchanged + 1 : 1;
        id = next;
    }
    return id;
}

/* Two axes at once, one or two levels away. */
static void add_pairs(Search *search, uint64_t id, guint axis_a, guint axis_b)
{
    const int reach = 2;
    const int at_a = (int)level_of(search, id, axis_a), at_b = (int)level_of(search, id, axis_b);
    const int levels_a = (int)search->task->axes[axis_a].levels;
    const int levels_b = (int)search->task->axes[axis_b].levels;

    for (int a = MAX(at_a - reach, 0); a <= MIN(at_a + reach, levels_a - 1); a++) {
        for (int b = MAX(at_b - reach, 0); b <= MIN(at_b + reach, levels_b - 1); b++) {
            add_to_batch(search, with_level(search, with_level(search, id, axis_a, (guint)a),
                                            axis_b, (guint)b));
        }
    }
}

static void polish(Search *search)
{
    const Candidate *before = NULL;

    while (search->best != before && !was_stopped(search)) {
        before = search->best;
        for (guint a = 0; a < search->task->axes_n; a++) {
            for (guint b = a + 1; b < search->task->axes_n; b++) {
                add_pairs(search, before->id, a, b);
            }
        }
        run_batch(search);
        (void)descend(search, search->best->id);
    }
}

static gint compare_candidates(gconstpointer a, gconstpointer b)
{
    const Candidate *const *first = a, *const *second = b;

    return is_better(*first, *second) ? -1 : 1;
}

static GPtrArray *best_first(const Search *search)
{
    GPtrArray *sorted = g_ptr_array_new();
    GHashTableIter iter;
    void *candidate;

    g_hash_table_iter_init(&iter, search->known);
    while (g_hash_table_iter_next(&iter, NULL, &candidate)) {
        g_ptr_array_add(sorted, candidate);
    }
    g_ptr_array_sort(sorted, compare_candidates);
    return sorted;
}

/* Whether the point is the best so far of those that share its level on some axis. */
static gboolean leads(const Search *search, uint64_t id, GHashTable *led)
{
    gboolean is_first = FALSE;

    for (guint axis = 0; axis < search->task->axes_n; axis++) {
        const uint64_t slice = (uint64_t)axis << 32 | level_of(search, id, axis);
        is_first = g_hash_table_add(led, g_memdup2(&slice, sizeof slice)) || is_first;
    }
    return is_first;
}

/* A setting can split the grid into parts that behave in other ways (a threshold that no group
 * reaches, say), each with a valley of its own: so the search begins at the best point of every
 * level that the screen had, the best of all first, as long as there are runs left. */
static void search_locally(Search *search)
{
    g_autoptr(GPtrArray) starts = best_first(search);
    g_autoptr(GHashTable) led = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    for (guint i = 0; i < starts->len; i++) {
        const Candidate *start = starts->pdata[i];
        if (!isinf(start->score) && leads(search, start->id, led)) {
            (void)descend(search, start->id);
        }
    }
    if (search->best != NULL) {
        polish(search);
    }
}

/* ---- Around the best ---- */

/* How far levels within TSIM_TUNE_FLAT of the best are known in one direction. ret_open: what comes
 * next is not. */
static guint flat_end(const Search *search, guint axis, int step, gboolean *ret_open)
{
    const double limit = search->best->score * (1.0 + TSIM_TUNE_FLAT);
    const guint levels = search->task->axes[axis].levels;
    guint level = level_of(search, search->best->id, axis);

    *ret_open = FALSE;
    while (step < 0 ? level > 0 : level + 1 < levels) {
        const guint beyond = step < 0 ? level - 1 : level + 1;
        const Candidate *next = look_up(search, with_level(search, search->best->id, axis, beyond));
        if (next == NULL || next->score > limit) {
            *ret_open = next == NULL;
            break;
        }
        level = beyond;
    }
    return level;
}

static void add_flat_neighbour(Search *search, guint axis, int step)
{
    const guint at = level_of(search, search->best->id, axis);
    gboolean is_open;
    const guint end = flat_end(search, axis, step, &is_open);

    if (is_open && MAX(at, end) - MIN(at, end) < SCAN_MAX) {
        add_to_batch(search,
                     with_level(search, search->best->id, axis, step < 0 ? end - 1 : end + 1));
    }
}

/* The best may turn out to be elsewhere; its surroundings then come next. */
static void explore_flat(Search *search)
{
    guint before;

    do {
        before = g_hash_table_size(search->known);
        for (guint axis = 0; axis < search->task->axes_n; axis++) {
            add_flat_neighbour(search, axis, -1);
            add_flat_neighbour(search, axis, 1);
        }
        run_batch(search);
    } while (g_hash_table_size(search->known) > before && !was_stopped(search));
}

/* Whether all levels of the axis are known to give the same figure. */
static gboolean is_level(const Search *search, guint axis)
{
    const guint levels = search->task->axes[axis].levels;
    gboolean all_same = levels > 1;

    for (guint level = 0; all_same && level < levels; level++) {
        const Candidate *other = look_up(search, with_level(search, search->best->id, axis, level));
        all_same = other != NULL && compare_figures(other->score, search->best->score) == 0 &&
                   compare_figures(other->tie, search->best->tie) == 0;
    }
    return all_same;
}

/* The last word of a key: "tf_threshold" of "work.0.tessellation.tf_threshold". */
static const char *last_word(const char *key)
{
    const char *dot = strrchr(key, '.');

    return dot != NULL ? dot + 1 : key;
}

/* Thresholds are for what goes off-chip (T3, T9). */
static gboolean has_only_thresholds(const TsimAxis *axis)
{
    static const char *const words[] = {"tf_threshold", "ds_wave_threshold", NULL};
    gboolean all = TRUE;

    for (char **key = axis->keys; all && *key != NULL; key++) {
        all = tsim_word_index(words, last_word(*key)) >= 0;
    }
    return all;
}

/* The mode that all draws have run in; NULL: there is no draw, or they differ. */
static const char *mode_of(TsimResult *const *results, guint n)
{
    const char *mode = NULL;

    for (guint file = 0; file < n; file++) {
        const TsimResult *result = results[file];
        TSIM_ASSERT(result != NULL);
        for (uint32_t i = 0; i < result->draws_n; i++) {
            const TsimDrawResult *draw = &result->draws[i];
            if (draw->is_draw && mode != NULL && strcmp(mode, draw->mode) != 0) {
                return NULL;
            }
            mode = draw->is_draw ? draw->mode : mode;
        }
    }
    return mode;
}

static TsimFlatRange flat_range(const Search *search, guint axis)
{
    gboolean low_open, high_open;
    const guint low = flat_end(search, axis, -1, &low_open);
    const guint high = flat_end(search, axis, 1, &high_open);

    return (TsimFlatRange){low, high, low_open || high_open, FALSE};
}

static void find_flat(const Search *search, TsimTuned *tuned)
{
    const char *mode = mode_of(tuned->best, tuned->files_n);
    const gboolean onchip =
        mode != NULL && strcmp(mode, tsim_tess_mode_names[TSIM_MODE_ONCHIP]) == 0;

    for (guint axis = 0; axis < search->task->axes_n; axis++) {
        tuned->flat[axis] =
            is_level(search, axis) || (onchip && has_only_thresholds(&search->task->axes[axis]))
                ? (TsimFlatRange){0, search->task->axes[axis].levels - 1, FALSE, TRUE}
                : flat_range(search, axis);
    }
}

/* ---- The other mode ---- */

static gboolean varies_mode(const TsimTuneTask *task)
{
    for (guint axis = 0; axis < task->axes_n; axis++) {
        for (char **key = task->axes[axis].keys; *key != NULL; key++) {
            if (strcmp(last_word(*key), "mode") == 0) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* FALSE when some file cannot run in that mode: GPUs may have one only (T14). */
static gboolean run_other_mode(const Search *search, TsimTuned *tuned, const char *mode)
{
    g_autofree char *set = g_strconcat("mode=", mode, NULL);

    for (guint i = 0; i < search->heats_n; i++) {
        const Heat *heat = &search->heats[i];
        if (heat->own_seed) {
            tuned->other[heat->file] = run_default(search, heat, set, NULL);
            if (tuned->other[heat->file] == NULL) {
                return FALSE;
            }
        }
    }
    return g_strcmp0(mode_of(tuned->other, tuned->files_n), mode) == 0;
}

/* Weighted over the files, with their own seeds. */
static double score_of(const Search *search, TsimResult *const *results)
{
    double score = 0.0;

    for (guint i = 0; i < search->heats_n; i++) {
        const Heat *heat = &search->heats[i];
        if (heat->own_seed) {
            const double figure = tsim_goal_figure(search->task->goal, results[heat->file]);
            score += heat->weight * ratio_of(figure, heat->figure);
        }
    }
    return score;
}

/* The defaults of the mode that nobody asked for may beat all that was tried. */
static void try_other_mode(const Search *search, TsimTuned *tuned)
{
    const char *mode = mode_of(tuned->best, tuned->files_n);
    const char *onchip = tsim_tess_mode_names[TSIM_MODE_ONCHIP];

    if (mode == NULL || varies_mode(search->task)) {
        return;
    }
    const char *other =
        strcmp(mode, onchip) == 0 ? tsim_tess_mode_names[TSIM_MODE_OFFCHIP] : onchip;
    if (run_other_mode(search, tuned, other)) {
        tuned->other_mode = other;
        tuned->other_gain = ratio_of(score_of(search, tuned->best), score_of(search, tuned->other));
    }
}

/* ---- Answer ---- */

static TsimInterval ratio_of_file(const Search *search, guint file)
{
    g_autofree double *ones = g_new(double, search->heats_n);
    g_autofree double *ratios = g_new(double, search->heats_n);
    gsize n = 0;

    for (guint i = 0; i < search->heats_n; i++) {
        if (search->heats[i].file == file) {
            ones[n] = 1.0;
            ratios[n++] = search->best->ratios[i];
        }
    }
    return tsim_interval_ratio(ones, ratios, n);
}

static void note_levels(const Search *search, TsimTuned *tuned)
{
    for (guint axis = 0; axis < search->task->axes_n; axis++) {
        tuned->levels[axis] = level_of(search, search->best->id, axis);
    }
}

/* One run more tells whether there is chance in the one that there was. */
static gboolean depends_on_seed(const Search *search, const TsimResult *best, const Heat *heat)
{
    Heat reseeded = *heat;

    if (search->task->replications > 1) {
        return FALSE;
    }
    reseeded.own_seed = FALSE;
    reseeded.seed = tsim_trial_seed(best->seed, 1);
    g_autoptr(TsimResult) result = run_point(search, search->best->id, &reseeded, 0, NULL);
    return result != NULL && result->elapsed_cycles != best->elapsed_cycles;
}

static gboolean describe(const Search *search, TsimTuned *tuned, GError **error)
{
    note_levels(search, tuned);
    tuned->score = search->best->score;
    tuned->is_default = tuned->score >= 1.0;
    for (guint i = 0; i < search->heats_n; i++) {
        const Heat *heat = &search->heats[i];
        if (!heat->own_seed) {
            continue;
        }
        tuned->ratios[heat->file] = ratio_of_file(search, heat->file);
        tuned->best[heat->file] = run_point(search, search->best->id, heat, 0, error);
        if (tuned->best[heat->file] == NULL) {
            return FALSE;
        }
        tuned->is_random =
            tuned->is_random || depends_on_seed(search, tuned->best[heat->file], heat);
    }
    find_flat(search, tuned);
    try_other_mode(search, tuned);
    return TRUE;
}

/* ---- Set-up ---- */

static gboolean init_heat(Search *search, guint file, guint replication, TsimTuned *tuned,
                          GError **error)
{
    const TsimTuneTask *task = search->task;
    Heat *heat = &search->heats[search->heats_n];
    double weights = 0.0;

    for (guint i = 0; i < task->files_n; i++) {
        weights += task->weights[i];
    }
    *heat = (Heat){.file = file,
                   .own_seed = replication == 0,
                   .weight = task->weights[file] / weights / task->replications};
    if (replication > 0) {
        heat->seed = tsim_trial_seed(tuned->defaults[file]->seed, replication);
    }
    TsimResult *result = run_default(search, heat, NULL, error);
    if (result == NULL) {
        return FALSE;
    }
    heat->figure = tsim_goal_figure(task->goal, result);
    heat->cycles = (double)result->elapsed_cycles;
    if (replication == 0) {
        tuned->defaults[file] = result;
    } else {
        tsim_result_free(result);
    }
    search->heats_n++;
    return TRUE;
}

static gboolean init_heats(Search *search, TsimTuned *tuned, GError **error)
{
    for (guint file = 0; file < search->task->files_n; file++) {
        for (guint replication = 0; replication < search->task->replications; replication++) {
            if (!init_heat(search, file, replication, tuned, error)) {
                return FALSE;
            }
        }
    }
    return TRUE;
}

static TsimTuned *new_tuned(const TsimTuneTask *task)
{
    TsimTuned *tuned = g_new0(TsimTuned, 1);

    tuned->axes_n = task->axes_n;
    tuned->levels = g_new0(guint, task->axes_n);
    tuned->flat = g_new0(TsimFlatRange, task->axes_n);
    tuned->files_n = task->files_n;
    tuned->ratios = g_new0(TsimInterval, task->files_n);
    tuned->defaults = g_new0(TsimResult *, task->files_n);
    tuned->best = g_new0(TsimResult *, task->files_n);
    tuned->other = g_new0(TsimResult *, task->files_n);
    return tuned;
}

void tsim_tuned_free(TsimTuned *tuned)
{
    if (tuned == NULL) {
        return;
    }
    for (guint i = 0; i < tuned->files_n; i++) {
        tsim_result_free(tuned->defaults[i]);
        tsim_result_free(tuned->best[i]);
        tsim_result_free(tuned->other[i]);
    }
    g_free(tuned->levels);
    g_free(tuned->flat);
    g_free(tuned->ratios);
    g_free(tuned->defaults);
    g_free(tuned->best);
    g_free(tuned->other);
    g_free(tuned);
}

static void count_runs(Search *search)
{
    const TsimTuneTask *task = search->task;

    search->runs_max = task->runs_max > 0 ? task->runs_max : MAX(task->grid / 10, RUNS_LEAST);
    search->runs_max = MIN(search->runs_max, task->grid);
    search->reserve = MIN(search->runs_max / RESERVE_PART, UINT64_C(4) * task->axes_n);
    search->screen_max = MAX(search->runs_max / SCREEN_PART, 1);
}

static char **sets_of(const TsimTuneTask *task, const guint *levels)
{
    g_autoptr(GStrvBuilder) sets = g_strv_builder_new();

    for (guint axis = 0; axis < task->axes_n; axis++) {
        for (guint key = 0; key < task->axes[axis].keys_n; key++) {
            g_autofree char *set = tsim_axis_set(&task->axes[axis], key, levels[axis]);
            g_strv_builder_add(sets, set);
        }
    }
    return g_strv_builder_end(sets);
}

/* What a user who could wait no longer may still want to know. */
static gboolean fail_stopped(const Search *search, TsimTuned *tuned, GError **error)
{
    if (search->best == NULL) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_STUCK, "the search was stopped");
        return FALSE;
    }
    note_levels(search, tuned);
    g_auto(GStrv) sets = sets_of(search->task, tuned->levels);
    g_autofree char *joined = g_strjoinv(" --set ", sets);
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_STUCK,
                "the search was stopped after %u of %" G_GUINT64_FORMAT
                " settings; the best so far: --set %s",
                g_hash_table_size(search->known), search->runs_max, joined);
    return FALSE;
}

static gboolean find_best(Search *search, TsimTuned *tuned, GError **error)
{
    if (!init_heats(search, tuned, error)) {
        return FALSE;
    }
    search->runs_max -= search->reserve;
    screen(search);
    search_locally(search);
    search->runs_max += search->reserve;
    if (search->best != NULL) {
        explore_flat(search);
    }
    if (was_stopped(search)) {
        return fail_stopped(search, tuned, error);
    }
    if (search->best == NULL) {
        g_set_error_literal(error, TSIM_ERROR, TSIM_ERROR_STUCK,
                            "no setting that was tried can be run");
        return FALSE;
    }
    tuned->candidates = g_hash_table_size(search->known);
    tuned->grid = search->task->grid;
    return describe(search, tuned, error);
}

TsimTuned *tsim_tune_search(const TsimTuneTask *task, GError **error)
{
    g_autoptr(TsimTuned) tuned = new_tuned(task);
    g_autofree Heat *heats = g_new0(Heat, (gsize)task->files_n * task->replications);
    g_autoptr(GHashTable) known =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_candidate);
    g_autoptr(GPtrArray) batch = g_ptr_array_new();
    Search search = {.task = task, .heats = heats, .known = known, .batch = batch};

    count_runs(&search);
    return find_best(&search, tuned, error) ? g_steal_pointer(&tuned) : NULL;
}

char **tsim_tuned_sets(const TsimTuned *tuned, const TsimTuneTask *task)
{
    return sets_of(task, tuned->levels);
}

/* ---- Limits ---- */

static gboolean is_legal(const TsimGpu *gpu, const TsimDraw *draw, guint patches)
{
    TsimDraw copy = *draw;
    TsimDrawPlan plan;

    copy.tessellation.patches_per_threadgroup = patches;
    copy.tessellation.patch_rule = TSIM_PATCH_RULE_EXPLICIT;
    return tsim_draw_plan(gpu, &copy, &plan, NULL, NULL);
}

guint tsim_tune_patches_max(const TsimScenarioText *text, GError **error)
{
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(text, NULL, NULL, error);
    guint most = 0;

    for (uint32_t i = 0; scenario != NULL && i < scenario->work_n; i++) {
        const TsimWork *item = &scenario->work[i];
        guint patches = scenario->gpu->patches_max;
        if (item->type != TSIM_WORK_DRAW) {
            continue;
        }
        while (patches > 1 && !is_legal(scenario->gpu, &item->draw, patches)) {
            patches--;
        }
        most = most == 0 ? patches : MIN(most, patches);
    }
    return most;
}
