#include "io/compare.h"

#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/page.h"
#include "stats/figures.h"

/* Runs closer than this are called equal. */
#define EQUAL_RATIO 1.01

/* Shares of the run that must lie between the two sides before a difference counts as a reason. */
#define SHARE_GAP 0.03

/* A resource that is busy for less of the run does not explain its length. */
#define BUSY_SHARE 0.5

#define REASONS_MAX 4

const char *const tsim_side_names[] = {"A", "B"};

typedef struct {
    double weight; /* share of the run that it is about */
    char *text;
} Reason;

/* The two runs by their outcome. */
typedef struct {
    const TsimResult *slow, *fast;
    const char *slow_name, *fast_name;
    GArray *reasons; /* of Reason */
} Verdict;

static void add_reason(Verdict *verdict, double weight, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static void add_reason(Verdict *verdict, double weight, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const Reason reason = {weight, g_strdup_vprintf(format, arguments)};
    va_end(arguments);
    g_array_append_val(verdict->reasons, reason);
}

static int compare_reasons(const void *a, const void *b)
{
    const Reason *reason_a = a, *reason_b = b;

    return (reason_a->weight < reason_b->weight) - (reason_a->weight > reason_b->weight);
}

/* ---- Where the runs differ ---- */

static void explain_home_cu(Verdict *verdict)
{
    const TsimResult *slow = verdict->slow;
    const double share = tsim_result_stall_share(slow, TSIM_STAGE_DS, TSIM_STALL_HOME_CU);
    const double other = tsim_result_stall_share(verdict->fast, TSIM_STAGE_DS, TSIM_STALL_HOME_CU);

    if (share < other + SHARE_GAP) {
        return;
    }
    g_autofree char *share_text = tsim_text_percent(share);
    g_autofree char *other_text = tsim_text_percent(other);
    g_autofree char *spread = tsim_bottleneck_ds_spread(slow);
    /* Tied to their CU: heavier than any wait that follows from it. */
    add_reason(verdict, 1.0 + share,
               "In %s, DS waves wait for their home CU %s of the time, in %s %s: %s.",
               verdict->slow_name, share_text, verdict->fast_name, other_text, spread);
}

static void explain_dram(Verdict *verdict)
{
    const TsimResult *slow = verdict->slow, *fast = verdict->fast;
    const double share = tsim_result_utilisation(slow, TSIM_RESOURCE_DRAM);
    const double other = tsim_result_utilisation(fast, TSIM_RESOURCE_DRAM);
    const uint64_t bytes = tsim_result_dram_bytes(slow);
    const uint64_t other_bytes = tsim_result_dram_bytes(fast);

    if (bytes <= other_bytes || share < other + SHARE_GAP) {
        return;
    }
    g_autofree char *bytes_text = tsim_text_bytes((double)bytes);
    g_autofree char *other_bytes_text = tsim_text_bytes((double)other_bytes);
    g_autofree char *share_text = tsim_text_percent(share);
    g_autofree char *other_text = tsim_text_percent(other);
    const gboolean offchip =
        slow->totals.offchip_bytes_written > fast->totals.offchip_bytes_written;
    add_reason(verdict, share,
               "%s moves %s through DRAM, %s %s%s: DRAM is busy %s of the run "
               "instead of %s.",
               verdict->slow_name, bytes_text, verdict->fast_name, other_bytes_text,
               offchip ? ", because off-chip patch data misses the L2" : "", share_text,
               other_text);
}

/* Work that one side has and the other has not, such as off-chip stores; it matters where the
 * resource has little time to spare. */
static void explain_work(Verdict *verdict, TsimResource resource)
{
    const TsimResult *slow = verdict->slow, *fast = verdict->fast;
    const uint64_t bound = tsim_result_bound_cycles(slow, resource);
    const uint64_t other = tsim_result_bound_cycles(fast, resource);

    if (resource == TSIM_RESOURCE_DRAM || bound <= other ||
        tsim_result_utilisation(slow, resource) < BUSY_SHARE) {
        return;
    }
    const double weight = tsim_ratio((double)(bound - other), (double)slow->elapsed_cycles);
    if (weight < SHARE_GAP) {
        return;
    }
    g_autofree char *bound_text = tsim_text_count(bound);
    g_autofree char *other_text = tsim_text_count(other);
    add_reason(verdict, weight, "%s has more to do for %s: %s cycles at least, %s in %s.",
               verdict->slow_name, tsim_resource_words[resource], bound_text, other_text,
               verdict->fast_name);
}

static void explain_stall(Verdict *verdict, int stage, TsimStall stall)
{
    const double share = tsim_result_stall_share(verdict->slow, stage, stall);
    const double other = tsim_result_stall_share(verdict->fast, stage, stall);

    if (stall == TSIM_STALL_HOME_CU || share < other + SHARE_GAP) {
        return;
    }
    g_autofree char *share_text = tsim_text_percent(share);
    g_autofree char *other_text = tsim_text_percent(other);
    add_reason(verdict, share - other, "%s waves wait %s of the time in %s, %s in %s (%s).",
               tsim_stage_title(stage), share_text, verdict->slow_name, other_text,
               verdict->fast_name, tsim_stall_words[stall]);
}

static void explain_lds(Verdict *verdict)
{
    const TsimResult *slow = verdict->slow, *fast = verdict->fast;
    const uint64_t held = slow->lds_byte_cycles[TSIM_LDS_OWNER_TESS];
    const uint64_t other = fast->lds_byte_cycles[TSIM_LDS_OWNER_TESS];

    if (held <= other) {
        return;
    }
    const double gap = tsim_result_lds_share(slow, held) - tsim_result_lds_share(fast, other);
    if (gap < SHARE_GAP) {
        return;
    }
    g_autofree char *held_text = tsim_text_percent(tsim_result_lds_share(slow, held));
    g_autofree char *other_text = tsim_text_percent(tsim_result_lds_share(fast, other));
    add_reason(verdict, gap,
               "%s frees LDS sooner: threadgroups hold %s of it on average, %s in "
               "%s.",
               verdict->fast_name, other_text, held_text, verdict->slow_name);
}

/* Stores of the HS are on the way of every off-chip group. */
static void explain_offchip_latency(Verdict *verdict)
{
    const uint64_t written = verdict->slow->totals.offchip_bytes_written;

    if (verdict->reasons->len > 0 || written <= verdict->fast->totals.offchip_bytes_written) {
        return;
    }
    g_autofree char *text = tsim_text_bytes((double)written);
    add_reason(verdict, 0.0,
               "In %s every threadgroup waits until its hull shader's stores (%s in "
               "all) are acknowledged, and its domain shaders load them back; "
               "nothing else keeps it busy meanwhile.",
               verdict->slow_name, text);
}

static void explain_by_bottleneck(Verdict *verdict)
{
    if (verdict->reasons->len > 0) {
        return;
    }
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(verdict->slow);
    add_reason(verdict, 0.0, "No single wait or resource differs much; what holds %s back is: %s",
               verdict->slow_name, bottleneck.text);
}

static void explain(Verdict *verdict)
{
    explain_home_cu(verdict);
    explain_dram(verdict);
    explain_lds(verdict);
    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        explain_work(verdict, (TsimResource)i);
    }
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        for (int stall = 0; stall < TSIM_STALLS_COUNT; stall++) {
            explain_stall(verdict, stage, (TsimStall)stall);
        }
    }
    explain_offchip_latency(verdict);
    explain_by_bottleneck(verdict);
}

/* ---- Equal runs ---- */

static gboolean wanted_offchip_in_vain(const TsimResult *result)
{
    for (uint32_t i = 0; i < result->draws_n; i++) {
        if (tsim_draw_result_is_offchip(&result->draws[i])) {
            return result->totals.threadgroups > 0 && result->totals.threadgroups_offchip == 0;
        }
    }
    return FALSE;
}

static void explain_chance(TsimComparison *comparison)
{
    const TsimInterval *ratio = &comparison->paired.ratio;

    g_ptr_array_add(comparison->reasons,
                    g_strdup_printf("Over %u seeds B takes %.3f to %.3f times as long as A (95%%): "
                                    "what lies between them may be chance.",
                                    comparison->seeds, ratio->low, ratio->high));
}

static void explain_equality(TsimComparison *comparison)
{
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(comparison->sides[0]);

    for (int side = 0; side < TSIM_COMPARE_SIDES; side++) {
        if (wanted_offchip_in_vain(comparison->sides[side])) {
            g_ptr_array_add(comparison->reasons,
                            g_strdup_printf("In %s no threadgroup goes off-chip: none has an "
                                            "average factor that reaches TfThreshold.",
                                            tsim_side_names[side]));
        }
    }
    g_ptr_array_add(comparison->reasons,
                    g_strdup_printf("Both are held back by the same thing. %s", bottleneck.text));
}

/* ---- The comparison ---- */

static void explain_difference(TsimComparison *comparison)
{
    const int fast = comparison->winner;
    const int slow = 1 - fast;
    g_autoptr(GArray) reasons = g_array_new(FALSE, FALSE, sizeof(Reason));
    Verdict verdict = {comparison->sides[slow], comparison->sides[fast], tsim_side_names[slow],
                       tsim_side_names[fast], reasons};

    explain(&verdict);
    g_array_sort(reasons, compare_reasons);
    for (guint i = 0; i < reasons->len; i++) {
        char *text = g_array_index(reasons, Reason, i).text;
        if (i < REASONS_MAX) {
            g_ptr_array_add(comparison->reasons, text);
        } else {
            g_free(text);
        }
    }
}

static TsimPairedIntervals intervals_of(const TsimPairs *pairs)
{
    const double *a = pairs->cycles[0], *b = pairs->cycles[1];

    return (TsimPairedIntervals){.means = {tsim_interval(a, pairs->n), tsim_interval(b, pairs->n)},
                                 .difference = tsim_interval_difference(a, b, pairs->n),
                                 .ratio = tsim_interval_ratio(a, b, pairs->n)};
}

static TsimComparison new_comparison(const TsimResult *a, const TsimResult *b, const char *label_a,
                                     const char *label_b)
{
    const uint64_t faster = MIN(a->elapsed_cycles, b->elapsed_cycles);
    const uint64_t slower = MAX(a->elapsed_cycles, b->elapsed_cycles);

    return (TsimComparison){
        .sides = {a, b},
        .labels = {label_a, label_b},
        .winner = -1,
        .speedup = faster > 0 ? (double)slower / (double)faster : 1.0,
        .seeds = 1,
        .reasons = g_ptr_array_new_with_free_func(g_free),
    };
}

static void decide(TsimComparison *comparison, int faster)
{
    if (comparison->speedup < EQUAL_RATIO) {
        explain_equality(comparison);
    } else {
        comparison->winner = faster;
        comparison->pasted = faster;
        explain_difference(comparison);
    }
}

TsimComparison tsim_compare(const TsimResult *a, const TsimResult *b, const char *label_a,
                            const char *label_b)
{
    TsimComparison comparison = new_comparison(a, b, label_a, label_b);

    decide(&comparison, a->elapsed_cycles < b->elapsed_cycles ? 0 : 1);
    return comparison;
}

TsimComparison tsim_compare_seeds(const TsimResult *a, const TsimResult *b, const char *label_a,
                                  const char *label_b, const TsimPairs *pairs)
{
    TsimComparison comparison = new_comparison(a, b, label_a, label_b);

    comparison.seeds = pairs->n;
    comparison.paired = intervals_of(pairs);
    const TsimInterval *ratio = &comparison.paired.ratio;
    comparison.speedup = MAX(ratio->mean, 1.0 / ratio->mean);
    comparison.may_be_chance = !tsim_interval_excludes(ratio, 1.0) && ratio->low < ratio->high;
    if (comparison.may_be_chance) {
        explain_chance(&comparison);
    } else {
        decide(&comparison, ratio->mean > 1.0 ? 0 : 1);
    }
    return comparison;
}

void tsim_comparison_clear(TsimComparison *comparison)
{
    g_ptr_array_unref(comparison->reasons);
    *comparison = (TsimComparison){0};
}
