#include "stats/timeline.h"

#include "base/error.h"

#include <stdlib.h>

#define FIRST_BUCKET_SHIFT 6

/* In `what` of a cell that heads a span; the kind is in `value`. */
#define SPAN UINT32_MAX

enum {
    SPAN_WAVE,
    SPAN_BLOCK,
    SPAN_GROUP,
};

TsimUnit tsim_metric_unit(uint32_t metric)
{
    if (metric < TSIM_METRIC_QUEUE) {
        return TSIM_UNIT_CU;
    }
    if (metric < TSIM_METRIC_OFFCHIP_BUFFERS) {
        return TSIM_UNIT_SE;
    }
    switch (metric) {
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_LAUNCHER:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_TESSELLATOR:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_SETUP:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_EXPORT_PATH:
        return TSIM_UNIT_SE;
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_VALU:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_LDS_PIPE:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_TEXTURE:
    case TSIM_METRIC_BUSY + TSIM_RESOURCE_L1:
        return TSIM_UNIT_CU;
    default:
        return TSIM_UNIT_GPU;
    }
}

gboolean tsim_metric_is_work(uint32_t metric)
{
    return metric >= TSIM_METRIC_BUSY;
}

static uint32_t units_of(const TsimTimelineMachine *machine, uint32_t metric)
{
    switch (tsim_metric_unit(metric)) {
    case TSIM_UNIT_SE:
        return machine->ses;
    case TSIM_UNIT_CU:
        return machine->cus;
    case TSIM_UNIT_GPU:
        break;
    }
    return 1;
}

/* ---- The unit filter ---- */

static gboolean parse_number(const char **text, uint32_t *ret_number)
{
    char *end;

    if (!g_ascii_isdigit(**text)) {
        return FALSE;
    }
    *ret_number = (uint32_t)MIN(g_ascii_strtoull(*text, &end, 10), UINT32_MAX);
    *text = end;
    return TRUE;
}

/* "4" or "4-7", up to the end of the text. */
static gboolean parse_range(const char *text, uint32_t n, uint32_t *ret_first, uint32_t *ret_last)
{
    if (!parse_number(&text, ret_first)) {
        return FALSE;
    }
    *ret_last = *ret_first;
    if (*text == '-') {
        text++;
        if (!parse_number(&text, ret_last)) {
            return FALSE;
        }
    }
    return *text == '\0' && *ret_first <= *ret_last && *ret_last < n;
}

static gboolean turn_on(TsimTimeline *timeline, const char *word, GError **error)
{
    const TsimTimelineMachine *machine = &timeline->machine;
    const gboolean is_se = g_str_has_prefix(word, "se");
    uint32_t first, last;

    if (strcmp(word, "gpu") == 0) {
        timeline->gpu_on = TRUE;
        return TRUE;
    }
    if ((!is_se && !g_str_has_prefix(word, "cu")) ||
        !parse_range(word + 2, is_se ? machine->ses : machine->cus, &first, &last)) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "\"%s\" is no unit of this GPU: gpu, se0 to se%u, cu0 to cu%u, or a range like "
                    "cu0-3",
                    word, machine->ses - 1, machine->cus - 1);
        return FALSE;
    }
    for (uint32_t i = first; i <= last; i++) {
        (is_se ? timeline->se_on : timeline->cu_on)[i] = TRUE;
    }
    for (uint32_t cu = 0; is_se && cu < machine->cus; cu++) {
        const uint32_t se = timeline->se_of_cu[cu];
        timeline->cu_on[cu] = timeline->cu_on[cu] || (se >= first && se <= last);
    }
    return TRUE;
}

static gboolean choose_units(TsimTimeline *timeline, const char *units, GError **error)
{
    g_auto(GStrv) words = g_strsplit(units != NULL ? units : "", ",", -1);
    g_autofree char *all = NULL;
    gboolean ok = TRUE;

    if (units == NULL) {
        all = g_strdup_printf("gpu,se0-%u", timeline->machine.ses - 1);
        return choose_units(timeline, all, error);
    }
    for (char **word = words; ok && *word != NULL; word++) {
        ok = turn_on(timeline, *word, error);
    }
    return ok;
}

static gboolean is_on(const TsimTimeline *timeline, uint32_t metric, uint32_t unit)
{
    switch (tsim_metric_unit(metric)) {
    case TSIM_UNIT_SE:
        return timeline->se_on[unit];
    case TSIM_UNIT_CU:
        return timeline->cu_on[unit];
    case TSIM_UNIT_GPU:
        break;
    }
    return timeline->gpu_on;
}

/* ---- Making ---- */

static void find_engines(TsimTimeline *timeline, const TsimTimelineMachine *machine)
{
    timeline->se_of_cu = g_new0(uint32_t, machine->cus);
    for (uint32_t se = 0; se < machine->ses; se++) {
        for (uint32_t cu = machine->first_cu[se]; cu < machine->cus; cu++) {
            timeline->se_of_cu[cu] = se;
        }
    }
}

static uint64_t bucket_end(const TsimTimeline *timeline, uint32_t bucket)
{
    return MIN(timeline->from + ((uint64_t)(bucket + 1) << timeline->bucket_shift), timeline->to);
}

static void make_tracks(TsimTimeline *timeline)
{
    uint32_t n = 0;

    for (uint32_t metric = 0; metric < TSIM_METRICS; metric++) {
        timeline->first_track[metric] = n;
        n += units_of(&timeline->machine, metric);
    }
    timeline->first_track[TSIM_METRICS] = n;
    timeline->tracks = g_new0(TsimTrack, n);
    /* Pages of tracks that stay zero are never touched. */
    timeline->buckets = calloc((size_t)n * TSIM_TIMELINE_BUCKETS, sizeof(TsimBucket));
    TSIM_ASSERT(timeline->buckets != NULL);
    for (uint32_t metric = 0; metric < TSIM_METRICS; metric++) {
        for (uint32_t i = timeline->first_track[metric]; i < timeline->first_track[metric + 1];
             i++) {
            timeline->tracks[i] = (TsimTrack){
                .since = timeline->from,
                .until = bucket_end(timeline, 0),
                .min = UINT32_MAX,
                .off = !is_on(timeline, metric, i - timeline->first_track[metric]),
            };
        }
    }
}

TsimTimeline *tsim_timeline_new(const TsimTimelineMachine *machine,
                                const TsimTimelineOptions *options, GError **error)
{
    g_autoptr(TsimTimeline) timeline = g_new0(TsimTimeline, 1);

    timeline->machine = *machine;
    timeline->machine.first_cu = NULL; /* it was lent */
    timeline->from = options->from;
    timeline->to = options->to != 0 ? options->to : UINT64_MAX;
    timeline->bucket_shift = FIRST_BUCKET_SHIFT;
    timeline->next_work = timeline->from;
    timeline->lds_quantum = 1;
    timeline->group_stride = 1;
    timeline->se_on = g_new0(gboolean, machine->ses);
    timeline->cu_on = g_new0(gboolean, machine->cus);
    find_engines(timeline, machine);
    if (timeline->from >= timeline->to) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                    "a timeline from cycle %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                    " holds nothing",
                    timeline->from, timeline->to);
        return NULL;
    }
    if (!choose_units(timeline, options->units, error)) {
        return NULL;
    }
    if (options->detail == TSIM_DETAIL_FULL) {
        timeline->spool = tsim_spool_new(options->spool_folder, error);
        if (timeline->spool == NULL) {
            return NULL;
        }
    }
    make_tracks(timeline);
    timeline->blocks = g_new(TsimLdsSpan, TSIM_TIMELINE_BLOCKS);
    timeline->groups = g_new(TsimGroupSpan, TSIM_TIMELINE_GROUPS);
    return g_steal_pointer(&timeline);
}

void tsim_timeline_free(TsimTimeline *timeline)
{
    if (timeline == NULL) {
        return;
    }
    tsim_spool_free(timeline->spool);
    g_free(timeline->se_of_cu);
    g_free(timeline->se_on);
    g_free(timeline->cu_on);
    g_free(timeline->tracks);
    free(timeline->buckets);
    g_free(timeline->blocks);
    g_free(timeline->groups);
    g_free(timeline);
}

/* ---- Buckets ---- */

static TsimBucket *buckets_of(TsimTimeline *timeline, const TsimTrack *track)
{
    return &timeline->buckets[(size_t)(track - timeline->tracks) * TSIM_TIMELINE_BUCKETS];
}

/* Brings the track up to the bucket that holds now. The buckets are wide enough for that: work is
 * read off first, and widens them. */
void tsim_timeline_turn_bucket(TsimTimeline *timeline, TsimTrack *track, uint64_t now)
{
    TsimBucket *buckets = buckets_of(timeline, track);

    while (now >= track->until && !track->off) {
        if (track->until > track->since) {
            track->sum += track->value * (track->until - track->since);
            track->min = MIN(track->min, track->value);
            track->max = MAX(track->max, track->value);
        }
        buckets[track->bucket] = (TsimBucket){track->sum, track->min, track->max};
        track->since = track->until;
        track->sum = 0;
        track->min = UINT32_MAX;
        track->max = 0;
        track->bucket++;
        track->off = track->until == timeline->to;
        track->until = bucket_end(timeline, track->bucket);
    }
}

static TsimBucket join(TsimBucket a, TsimBucket b)
{
    return (TsimBucket){a.sum + b.sum, MIN(a.min, b.min), MAX(a.max, b.max)};
}

static void widen_track(TsimTimeline *timeline, TsimTrack *track, gboolean is_work)
{
    TsimBucket *buckets = buckets_of(timeline, track);
    const uint32_t n = is_work ? TSIM_TIMELINE_BUCKETS : track->bucket;

    for (uint32_t i = 0; i < n / 2; i++) {
        buckets[i] = join(buckets[2 * (size_t)i], buckets[2 * (size_t)i + 1]);
    }
    if (is_work) {
        return;
    }
    if (n % 2 != 0) { /* the bucket in hand is the second half of its new one */
        const TsimBucket half =
            join(buckets[n - 1], (TsimBucket){track->sum, track->min, track->max});
        track->sum = half.sum;
        track->min = half.min;
        track->max = half.max;
    }
    track->bucket = n / 2;
    track->until = bucket_end(timeline, track->bucket);
}

static void widen(TsimTimeline *timeline)
{
    timeline->bucket_shift++;
    for (uint32_t metric = 0; metric < TSIM_METRICS; metric++) {
        for (uint32_t i = timeline->first_track[metric]; i < timeline->first_track[metric + 1];
             i++) {
            if (!timeline->tracks[i].off) {
                widen_track(timeline, &timeline->tracks[i], tsim_metric_is_work(metric));
            }
        }
    }
    timeline->buckets_n /= 2;
}

void tsim_timeline_close_bucket(TsimTimeline *timeline)
{
    if (!timeline->work_begun) { /* what was done before `from` is known now, and not of interest */
        timeline->work_begun = TRUE;
        timeline->next_work = bucket_end(timeline, 0);
        return;
    }
    timeline->buckets_n++;
    if (timeline->next_work == timeline->to) {
        timeline->next_work = UINT64_MAX;
        return;
    }
    if (timeline->buckets_n == TSIM_TIMELINE_BUCKETS) {
        widen(timeline);
    }
    timeline->next_work = bucket_end(timeline, timeline->buckets_n);
}

/* ---- Spans ---- */

static gboolean is_recorded(const TsimTimeline *timeline, uint32_t cu, uint64_t begin, uint64_t end)
{
    return timeline->cu_on[cu] && end > timeline->from && begin < timeline->to;
}

static void spool_span(TsimTimeline *timeline, uint32_t kind, uint64_t end, const void *span,
                       size_t bytes)
{
    TsimCell cells[16];

    TSIM_ASSERT_HOT(bytes % sizeof(TsimCell) == 0 && bytes <= sizeof cells);
    tsim_spool_put(timeline->spool, (TsimCell){end, SPAN, kind});
    memcpy(cells, span, bytes);
    for (size_t i = 0; i < bytes / sizeof(TsimCell); i++) {
        tsim_spool_put(timeline->spool, cells[i]);
    }
}

void tsim_timeline_wave(TsimTimeline *timeline, const TsimWaveSpan *span)
{
    if (timeline->spool != NULL && is_recorded(timeline, span->cu, span->begin, span->end)) {
        spool_span(timeline, SPAN_WAVE, span->end, span, sizeof *span);
    }
}

/* Whether a look at every quantum-th cycle sees the block; its times become those of the looks. */
static gboolean quantise(TsimLdsSpan *span, uint64_t quantum)
{
    span->begin = (span->begin + quantum - 1) / quantum * quantum;
    span->end = (span->end + quantum - 1) / quantum * quantum;
    return span->begin < span->end;
}

static void thin_blocks(TsimTimeline *timeline)
{
    uint32_t kept = 0;

    timeline->lds_quantum *= 2;
    for (uint32_t i = 0; i < timeline->blocks_n; i++) {
        TsimLdsSpan span = timeline->blocks[i];
        if (quantise(&span, timeline->lds_quantum)) {
            timeline->blocks[kept++] = span;
        }
    }
    timeline->blocks_n = kept;
}

void tsim_timeline_block(TsimTimeline *timeline, const TsimLdsSpan *span)
{
    TsimLdsSpan seen = *span;

    if (!is_recorded(timeline, span->cu, span->begin, span->end)) {
        return;
    }
    if (timeline->spool != NULL) {
        spool_span(timeline, SPAN_BLOCK, span->end, span, sizeof *span);
    }
    while (timeline->blocks_n == TSIM_TIMELINE_BLOCKS) {
        thin_blocks(timeline);
    }
    if (quantise(&seen, timeline->lds_quantum)) {
        timeline->blocks[timeline->blocks_n++] = seen;
    }
}

static void thin_groups(TsimTimeline *timeline)
{
    uint32_t kept = 0;

    timeline->group_stride *= 2;
    for (uint32_t i = 0; i < timeline->groups_n; i++) {
        if (timeline->groups[i].serial % timeline->group_stride == 0) {
            timeline->groups[kept++] = timeline->groups[i];
        }
    }
    timeline->groups_n = kept;
}

void tsim_timeline_group(TsimTimeline *timeline, const TsimGroupSpan *span)
{
    if (!is_recorded(timeline, span->cu, span->begin, span->end)) {
        return;
    }
    if (timeline->spool != NULL) {
        spool_span(timeline, SPAN_GROUP, span->end, span, sizeof *span);
    }
    while (timeline->groups_n == TSIM_TIMELINE_GROUPS) {
        thin_groups(timeline);
    }
    if (span->serial % timeline->group_stride == 0) {
        timeline->groups[timeline->groups_n++] = *span;
    }
}

/* ---- The end ---- */

/* Work that was booked beyond the end of the run is the last bucket's. */
static void add_late_work(TsimTimeline *timeline, uint32_t n)
{
    for (uint32_t i = timeline->first_track[TSIM_METRIC_BUSY];
         i < timeline->first_track[TSIM_METRICS]; i++) {
        TsimBucket *buckets = buckets_of(timeline, &timeline->tracks[i]);
        for (uint32_t late = n; late <= timeline->buckets_n; late++) {
            buckets[n - 1].sum += buckets[late].sum;
        }
    }
}

gboolean tsim_timeline_finish(TsimTimeline *timeline, uint64_t end, GError **error)
{
    timeline->to = MAX(MIN(timeline->to, end), timeline->from);
    const uint64_t width = UINT64_C(1) << timeline->bucket_shift;
    const uint64_t n = (timeline->to - timeline->from + width - 1) >> timeline->bucket_shift;

    for (uint32_t i = 0; i < timeline->first_track[TSIM_METRIC_BUSY]; i++) {
        TsimTrack *track = &timeline->tracks[i];
        track->until = MIN(track->until, timeline->to);
        tsim_timeline_turn_bucket(timeline, track, timeline->to);
    }
    if (timeline->next_work != UINT64_MAX && n > 0) {
        add_late_work(timeline, (uint32_t)n);
    }
    timeline->buckets_n = (uint32_t)n;
    return timeline->spool == NULL || tsim_spool_finish(timeline->spool, error);
}

/* ---- Reading ---- */

uint64_t tsim_timeline_integral(const TsimTimeline *timeline, uint32_t track)
{
    const TsimBucket *buckets = tsim_timeline_buckets(timeline, track);
    uint64_t sum = 0;

    for (uint32_t i = 0; i < timeline->buckets_n; i++) {
        sum += buckets[i].sum;
    }
    return sum;
}

gboolean tsim_timeline_is_used(const TsimTimeline *timeline, uint32_t track)
{
    return tsim_timeline_integral(timeline, track) > 0;
}

gboolean tsim_timeline_has_signal(const TsimTimeline *timeline, uint32_t track, TsimSignal signal)
{
    if (track >= timeline->first_track[TSIM_METRIC_BUSY]) {
        return signal == TSIM_SIGNAL_MEAN;
    }
    return (signal == TSIM_SIGNAL_EXACT) == (timeline->spool != NULL);
}

static uint64_t lds_held(const TsimTimeline *timeline, uint32_t owner, uint32_t cu)
{
    return tsim_timeline_integral(timeline,
                                  tsim_timeline_track(timeline, TSIM_METRIC_LDS + owner, cu));
}

uint32_t tsim_timeline_fullest_cu(const TsimTimeline *timeline)
{
    uint64_t most_tess = 0, most = 0;
    uint32_t fullest = UINT32_MAX;

    for (uint32_t cu = 0; cu < timeline->machine.cus; cu++) {
        const uint64_t tess = lds_held(timeline, TSIM_LDS_OWNER_TESS, cu);
        uint64_t all = 0;
        for (uint32_t owner = 0; owner < TSIM_LDS_OWNERS; owner++) {
            all += lds_held(timeline, owner, cu);
        }
        if (timeline->cu_on[cu] &&
            (fullest == UINT32_MAX || tess > most_tess || (tess == most_tess && all > most))) {
            fullest = cu;
            most_tess = tess;
            most = all;
        }
    }
    return fullest == UINT32_MAX ? 0 : fullest;
}

#define CELLS_AT_ONCE 4096u

typedef struct {
    TsimTimeline *timeline;
    const TsimTimelineVisitor *visitor;
    void *user;
    uint32_t tracks_n;
    double *told;      /* by track and signal */
    uint32_t *changed; /* tracks with a change in this cycle */
    uint32_t changed_n;
    uint32_t *values;  /* by track: the latest */
    gboolean *pending; /* by track: its latest value is still to be told */
    gboolean *used;
    uint64_t cycle;
    uint32_t bucket; /* the next to be told */
    TsimCell cells[CELLS_AT_ONCE];
    uint32_t cells_n, cell;
} Replay;

static void tell(Replay *replay, uint64_t cycle, uint32_t track, TsimSignal signal, double value)
{
    double *told = &replay->told[track * TSIM_SIGNALS + signal];

    if (value > *told || value < *told) {
        *told = value;
        replay->visitor->level(replay->user, cycle, track, signal, value);
    }
}

static void tell_bucket(Replay *replay, uint32_t index)
{
    const TsimTimeline *timeline = replay->timeline;
    const uint64_t cycle = tsim_timeline_bucket_cycle(timeline, index);
    const uint64_t cycles = tsim_timeline_bucket_cycle(timeline, index + 1) - cycle;

    for (uint32_t i = 0; i < replay->tracks_n; i++) {
        const TsimBucket *bucket = &tsim_timeline_buckets(timeline, i)[index];
        if (!replay->used[i] || !tsim_timeline_has_signal(timeline, i, TSIM_SIGNAL_MEAN)) {
            continue;
        }
        tell(replay, cycle, i, TSIM_SIGNAL_MEAN, (double)bucket->sum / (double)cycles);
        if (tsim_timeline_has_signal(timeline, i, TSIM_SIGNAL_MIN)) {
            tell(replay, cycle, i, TSIM_SIGNAL_MIN, bucket->min);
            tell(replay, cycle, i, TSIM_SIGNAL_MAX, bucket->max);
        }
    }
}

/* Of the changes of one cycle only the last is told. */
static void tell_changes(Replay *replay)
{
    for (uint32_t i = 0; i < replay->changed_n; i++) {
        const uint32_t track = replay->changed[i];
        replay->pending[track] = FALSE;
        tell(replay, replay->cycle, track, TSIM_SIGNAL_EXACT, replay->values[track]);
    }
    replay->changed_n = 0;
}

static void move_to(Replay *replay, uint64_t cycle)
{
    if (cycle > replay->cycle) {
        tell_changes(replay);
    }
    while (replay->bucket < replay->timeline->buckets_n &&
           tsim_timeline_bucket_cycle(replay->timeline, replay->bucket) <= cycle) {
        tell_bucket(replay, replay->bucket++);
    }
    replay->cycle = cycle;
}

static void change(Replay *replay, uint32_t track, uint32_t value)
{
    if (!replay->pending[track]) {
        replay->pending[track] = TRUE;
        replay->changed[replay->changed_n++] = track;
    }
    replay->values[track] = value;
}

/* FALSE without error: there are no more cells. */
static gboolean next_cell(Replay *replay, TsimCell *ret_cell, GError **error)
{
    if (replay->cell == replay->cells_n) {
        replay->cell = 0;
        if (!tsim_spool_read(replay->timeline->spool, replay->cells, CELLS_AT_ONCE,
                             &replay->cells_n, error) ||
            replay->cells_n == 0) {
            replay->cells_n = 0;
            return FALSE;
        }
    }
    *ret_cell = replay->cells[replay->cell++];
    return TRUE;
}

static gboolean next_cells(Replay *replay, void *span, size_t bytes, GError **error)
{
    TsimCell cells[16];

    for (size_t i = 0; i < bytes / sizeof(TsimCell); i++) {
        if (!next_cell(replay, &cells[i], error)) {
            return FALSE;
        }
    }
    memcpy(span, cells, bytes);
    return TRUE;
}

static gboolean tell_span(Replay *replay, uint32_t kind, GError **error)
{
    const TsimTimelineVisitor *visitor = replay->visitor;
    TsimWaveSpan wave;
    TsimLdsSpan block;
    TsimGroupSpan group;
    gboolean ok = FALSE;

    switch (kind) {
    case SPAN_WAVE:
        ok = next_cells(replay, &wave, sizeof wave, error);
        if (ok && visitor->wave != NULL) {
            visitor->wave(replay->user, &wave);
        }
        break;
    case SPAN_BLOCK:
        ok = next_cells(replay, &block, sizeof block, error);
        if (ok && visitor->block != NULL) {
            visitor->block(replay->user, &block);
        }
        break;
    case SPAN_GROUP:
        ok = next_cells(replay, &group, sizeof group, error);
        if (ok && visitor->group != NULL) {
            visitor->group(replay->user, &group);
        }
        break;
    default:
        TSIM_ASSERT(FALSE);
    }
    return ok;
}

static gboolean tell_cells(Replay *replay, GError **error)
{
    g_autoptr(GError) failure = NULL;
    TsimCell cell;

    tsim_spool_rewind(replay->timeline->spool);
    while (failure == NULL && next_cell(replay, &cell, &failure)) {
        if (cell.what == SPAN) {
            (void)tell_span(replay, cell.value, &failure);
        } else if (replay->visitor->level != NULL && cell.cycle < replay->timeline->to) {
            move_to(replay, cell.cycle);
            change(replay, cell.what, cell.value);
        }
    }
    if (failure != NULL) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    return TRUE;
}

static void tell_kept_spans(Replay *replay)
{
    const TsimTimeline *timeline = replay->timeline;

    for (uint32_t i = 0; i < timeline->blocks_n && replay->visitor->block != NULL; i++) {
        replay->visitor->block(replay->user, &timeline->blocks[i]);
    }
    for (uint32_t i = 0; i < timeline->groups_n && replay->visitor->group != NULL; i++) {
        replay->visitor->group(replay->user, &timeline->groups[i]);
    }
}

static void tell_begin(Replay *replay)
{
    const TsimTimeline *timeline = replay->timeline;

    for (uint32_t i = 0; i < replay->tracks_n; i++) {
        replay->used[i] = tsim_timeline_is_used(timeline, i);
        if (replay->used[i] && tsim_timeline_has_signal(timeline, i, TSIM_SIGNAL_EXACT)) {
            change(replay, i, timeline->tracks[i].at_from);
        }
    }
    move_to(replay, timeline->from);
}

static void tell_end(Replay *replay)
{
    move_to(replay, replay->timeline->to);
    tell_changes(replay);
    for (uint32_t i = 0; i < replay->tracks_n; i++) {
        for (int signal = 0; signal < TSIM_SIGNALS; signal++) {
            tell(replay, replay->timeline->to, i, (TsimSignal)signal, 0.0);
        }
    }
}

gboolean tsim_timeline_replay(TsimTimeline *timeline, const TsimTimelineVisitor *visitor,
                              void *user, GError **error)
{
    const uint32_t n = timeline->first_track[TSIM_METRICS];
    g_autofree Replay *replay = g_new0(Replay, 1);
    g_autofree double *told = g_new0(double, (gsize)n *TSIM_SIGNALS);
    g_autofree uint32_t *changed = g_new(uint32_t, n);
    g_autofree uint32_t *values = g_new(uint32_t, n);
    g_autofree gboolean *pending = g_new0(gboolean, n);
    g_autofree gboolean *used = g_new0(gboolean, n);
    gboolean ok = TRUE;

    *replay = (Replay){.timeline = timeline,
                       .visitor = visitor,
                       .user = user,
                       .tracks_n = n,
                       .told = told,
                       .changed = changed,
                       .values = values,
                       .pending = pending,
                       .used = used,
                       .cycle = timeline->from};
    if (visitor->level != NULL) {
        tell_begin(replay);
    }
    if (timeline->spool != NULL) {
        ok = tell_cells(replay, error);
    }
    if (visitor->level != NULL) {
        tell_end(replay);
    }
    if (timeline->spool == NULL) {
        tell_kept_spans(replay);
    }
    return ok;
}
