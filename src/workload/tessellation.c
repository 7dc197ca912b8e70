#include "workload/tessellation.h"

#include "base/error.h"

#include <stdlib.h>

const char *const tsim_average_rule_names[] = {"all_factors", "edges_only", "max_factor", NULL};
const char *const tsim_culled_rule_names[] = {"count_zero", "ignored", NULL};
const char *const tsim_tf_compare_names[] = {"at_least", "above", NULL};
const char *const tsim_domain_names[] = {"isoline", "tri", "quad", NULL};
const char *const tsim_partitioning_names[] = {"integer", "pow2", "fractional_odd",
                                               "fractional_even", NULL};
const char *const tsim_topology_names[] = {"point", "line", "triangle_cw", "triangle_ccw", NULL};
const char *const tsim_threshold_rule_names[] = {"nearest_256", "at_least_256", NULL};

enum {
    DENSITY,
    DETAIL,
};

#define THRESHOLD_THREADS 256

typedef struct {
    float bottom, top;
} Range;

static inline Range factor_range(TsimPartitioning partitioning)
{
    return (Range){
        .bottom = partitioning == TSIM_PARTITIONING_FRACTIONAL_EVEN ? 2.0F : 1.0F,
        .top = partitioning == TSIM_PARTITIONING_FRACTIONAL_ODD ? 63.0F : 64.0F,
    };
}

/* Every float in [1, 64] is a multiple of 2^-23: 9.23 fixed point holds it exactly, and all that
 * follows is integer arithmetic that no rounding mode can change. NaN becomes the bottom.
 */
static inline uint32_t clamp_to_fx23(TsimPartitioning partitioning, float factor)
{
    const Range range = factor_range(partitioning);
    const float clamped = factor > range.bottom ? MIN(factor, range.top) : range.bottom;

    return (uint32_t)(clamped * 0x1p23F);
}

static inline uint32_t clamp_to_fx16(TsimPartitioning partitioning, float factor)
{
    const uint32_t fx23 = clamp_to_fx23(partitioning, factor);

    /* To nearest: just under half of the lowest kept bit, and a hair more if that bit is odd. */
    return (fx23 + 0x3f + ((fx23 >> 7) & 1)) >> 7;
}

static inline uint32_t segments(TsimPartitioning partitioning, float factor)
{
    switch (partitioning) {
    case TSIM_PARTITIONING_FRACTIONAL_ODD:
        return ((clamp_to_fx16(partitioning, factor) + 0xffff) >> 17) * 2 + 1;
    case TSIM_PARTITIONING_FRACTIONAL_EVEN:
        return ((clamp_to_fx16(partitioning, factor) + 0x1ffff) >> 17) * 2;
    case TSIM_PARTITIONING_INTEGER:
    case TSIM_PARTITIONING_POW2:
    default:
        return (clamp_to_fx23(partitioning, factor) + 0x7fffff) >> 23;
    }
}

uint32_t tsim_tessellation_clamp_fx16(TsimPartitioning partitioning, float factor)
{
    return clamp_to_fx16(partitioning, factor);
}

uint32_t tsim_tessellation_edge_factors(TsimDomain domain)
{
    static const uint8_t edges[] = {2, 3, 4};

    return edges[domain];
}

uint32_t tsim_tessellation_inside_factors(TsimDomain domain)
{
    static const uint8_t insides[] = {0, 1, 2};

    return insides[domain];
}

uint32_t tsim_tessellation_ring_bytes(TsimDomain domain)
{
    return (uint32_t)sizeof(float) *
           (tsim_tessellation_edge_factors(domain) + tsim_tessellation_inside_factors(domain));
}

/* The negation makes NaN cull as well. */
static inline gboolean is_culled(uint32_t edges, const TsimTessFactors *factors)
{
    for (uint32_t i = 0; i < edges; i++) {
        if (!(factors->edge[i] > 0.0F)) {
            return TRUE;
        }
    }
    return FALSE;
}

/* Where an inside count may not be as low as its factor asks: once there is an inside, it needs a
 * ring of its own. Even levels have one anyway.
 */
static inline uint32_t inside_minimum(TsimPartitioning partitioning)
{
    return partitioning == TSIM_PARTITIONING_FRACTIONAL_ODD ? 3 : 2;
}

/* The two domains with an inside. Returns the sum of the edge segments. */
static inline uint32_t count_segments(TsimPartitioning partitioning, uint32_t edges,
                                      uint32_t insides, const TsimTessFactors *factors,
                                      TsimTessCounts *counts)
{
    const uint32_t minimum = inside_minimum(partitioning);
    uint32_t perimeter = 0;
    uint32_t total = 0;

    for (uint32_t i = 0; i < edges; i++) {
        counts->edge_segments[i] = (uint16_t)segments(partitioning, factors->edge[i]);
        perimeter += counts->edge_segments[i];
    }
    for (uint32_t i = 0; i < insides; i++) {
        counts->inside_segments[i] = (uint16_t)segments(partitioning, factors->inside[i]);
        total += counts->inside_segments[i];
    }
    if (perimeter + total == edges + insides) {
        return perimeter; /* all ones: the minimum patch has no inside */
    }
    for (uint32_t i = 0; i < insides; i++) {
        counts->inside_segments[i] = (uint16_t)MAX(counts->inside_segments[i], minimum);
    }
    return perimeter;
}

static inline uint32_t count_triangle_patch(TsimDomain domain, TsimPartitioning partitioning,
                                            const TsimTessFactors *factors, TsimTessCounts *counts)
{
    if (domain == TSIM_DOMAIN_TRI) {
        const uint32_t perimeter = count_segments(partitioning, 3, 1, factors, counts);
        const uint32_t rings = counts->inside_segments[0] - 1U;

        counts->points = perimeter + (3 * rings * rings + 3) / 4;
        return perimeter;
    }
    const uint32_t perimeter = count_segments(partitioning, 4, 2, factors, counts);

    counts->points =
        perimeter + (counts->inside_segments[0] - 1U) * (counts->inside_segments[1] - 1U);
    return perimeter;
}

static inline void assemble_triangles(TsimTopology topology, uint32_t perimeter,
                                      TsimTessCounts *counts)
{
    switch (topology) {
    case TSIM_TOPOLOGY_POINT:
        counts->primitives = counts->points;
        counts->indices = counts->points;
        break;
    case TSIM_TOPOLOGY_LINE: /* one line strip through all points */
        counts->primitives = counts->points - 1;
        counts->indices = 2 * counts->primitives;
        break;
    case TSIM_TOPOLOGY_TRIANGLE_CW:
    case TSIM_TOPOLOGY_TRIANGLE_CCW:
    default: /* Euler's formula for a disc with `perimeter` points on its rim */
        counts->primitives = 2 * counts->points - 2 - perimeter;
        counts->indices = 3 * counts->primitives;
        break;
    }
}

static inline void count_isolines(TsimPartitioning partitioning, TsimTopology topology,
                                  const TsimTessFactors *factors, TsimTessCounts *counts)
{
    /* The number of lines is whole whatever the partitioning says. */
    const uint32_t lines = segments(TSIM_PARTITIONING_INTEGER, factors->edge[DENSITY]);
    const uint32_t detail = segments(partitioning, factors->edge[DETAIL]);

    counts->edge_segments[DENSITY] = (uint16_t)lines;
    counts->edge_segments[DETAIL] = (uint16_t)detail;
    counts->points = lines * (detail + 1);
    if (topology == TSIM_TOPOLOGY_POINT) {
        counts->primitives = counts->points;
        counts->indices = counts->points;
    } else {
        counts->primitives = lines * detail;
        counts->indices = 2 * counts->primitives;
    }
}

TsimTessCounts tsim_tessellation_count(TsimDomain domain, TsimPartitioning partitioning,
                                       TsimTopology topology, const TsimTessFactors *factors)
{
    TsimTessCounts counts = {0};

    TSIM_ASSERT_HOT(domain != TSIM_DOMAIN_ISOLINE || topology <= TSIM_TOPOLOGY_LINE);
    if (is_culled(tsim_tessellation_edge_factors(domain), factors)) {
        counts.culled = TRUE;
    } else if (domain == TSIM_DOMAIN_ISOLINE) {
        count_isolines(partitioning, topology, factors, &counts);
    } else {
        assemble_triangles(topology, count_triangle_patch(domain, partitioning, factors, &counts),
                           &counts);
    }
    return counts;
}

static float limit_factor(float factor, float max_tess_factor)
{
    return factor > max_tess_factor ? max_tess_factor : factor;
}

TsimTessFactors tsim_tessellation_limit(const TsimTessFactors *factors, float max_tess_factor)
{
    TsimTessFactors limited;

    for (size_t i = 0; i < G_N_ELEMENTS(limited.edge); i++) {
        limited.edge[i] = limit_factor(factors->edge[i], max_tess_factor);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(limited.inside); i++) {
        limited.inside[i] = limit_factor(factors->inside[i], max_tess_factor);
    }
    return limited;
}

static float next_power_of_two(float factor)
{
    float power = 1.0F;

    while (power < factor && power < (float)TSIM_TESS_LEVEL_MAX) {
        power *= 2.0F;
    }
    return power;
}

TsimTessFactors tsim_tessellation_pre_round(TsimDomain domain, const TsimTessFactors *factors)
{
    const uint32_t first = domain == TSIM_DOMAIN_ISOLINE ? DETAIL : 0;
    TsimTessFactors rounded = *factors;

    for (uint32_t i = first; i < G_N_ELEMENTS(rounded.edge); i++) {
        if (rounded.edge[i] > 0.0F) {
            rounded.edge[i] = next_power_of_two(rounded.edge[i]);
        }
    }
    for (uint32_t i = 0; i < G_N_ELEMENTS(rounded.inside); i++) {
        rounded.inside[i] = next_power_of_two(rounded.inside[i]);
    }
    return rounded;
}

/* Factors of a patch that an average is over, edges first. */
static uint32_t averaged_factors(TsimDomain domain, TsimAverageRule average)
{
    const uint32_t edges = tsim_tessellation_edge_factors(domain);

    switch (average) {
    case TSIM_AVERAGE_EDGES_ONLY:
        return edges;
    case TSIM_AVERAGE_MAX_FACTOR:
        return 1;
    case TSIM_AVERAGE_ALL_FACTORS:
    default:
        return edges + tsim_tessellation_inside_factors(domain);
    }
}

TsimFactorMean tsim_tessellation_factor_mean(TsimDomain domain, TsimPartitioning partitioning,
                                             float max_tess_factor, TsimAverageRule average,
                                             TsimCulledRule culled, const TsimTessFactors *factors)
{
    const uint32_t edges = tsim_tessellation_edge_factors(domain);
    const uint32_t insides =
        average == TSIM_AVERAGE_EDGES_ONLY ? 0 : tsim_tessellation_inside_factors(domain);
    uint32_t sum = 0, highest = 0;

    if (is_culled(edges, factors)) {
        return (TsimFactorMean){
            .factors = culled == TSIM_CULLED_IGNORED ? 0 : averaged_factors(domain, average)};
    }
    for (uint32_t i = 0; i < edges + insides; i++) {
        const gboolean is_density = domain == TSIM_DOMAIN_ISOLINE && i == DENSITY;
        const float factor = i < edges ? factors->edge[i] : factors->inside[i - edges];
        const uint32_t clamped =
            clamp_to_fx16(is_density ? TSIM_PARTITIONING_INTEGER : partitioning,
                          limit_factor(factor, max_tess_factor));

        sum += clamped;
        highest = MAX(highest, clamped);
    }
    return (TsimFactorMean){.sum_fx16 = average == TSIM_AVERAGE_MAX_FACTOR ? highest : sum,
                            .factors = averaged_factors(domain, average)};
}

void tsim_factor_mean_add(TsimFactorMean *mean, const TsimFactorMean *patch, uint64_t patches)
{
    mean->sum_fx16 += patch->sum_fx16 * patches;
    mean->factors += patch->factors * patches;
}

gboolean tsim_factor_mean_reaches(const TsimFactorMean *mean, TsimTfCompare compare,
                                  int64_t threshold_fx16)
{
    const int64_t sum = (int64_t)mean->sum_fx16;
    const int64_t needed = threshold_fx16 * (int64_t)MAX(mean->factors, 1);

    return compare == TSIM_TF_ABOVE ? sum > needed : sum >= needed;
}

static TsimTessCounts count_uniform(TsimDomain domain, TsimPartitioning partitioning,
                                    gboolean pre_round, float factor)
{
    const TsimTessFactors uniform = {{factor, factor, factor, factor}, {factor, factor}};
    const TsimTessFactors rounded = tsim_tessellation_pre_round(domain, &uniform);

    return tsim_tessellation_count(domain, partitioning, TSIM_TOPOLOGY_POINT,
                                   pre_round ? &rounded : &uniform);
}

static gboolean is_better(TsimThresholdRule rule, uint32_t threads, uint32_t best_threads)
{
    switch (rule) {
    case TSIM_THRESHOLD_AT_LEAST_256:
        return best_threads < THRESHOLD_THREADS;
    case TSIM_THRESHOLD_NEAREST_256:
    default:
        return abs((int)threads - THRESHOLD_THREADS) <= abs((int)best_threads - THRESHOLD_THREADS);
    }
}

uint32_t tsim_tessellation_auto_threshold(TsimDomain domain, TsimPartitioning partitioning,
                                          gboolean pre_round, uint32_t patches_per_threadgroup,
                                          TsimThresholdRule rule)
{
    uint32_t best = 0;
    uint32_t best_threads = 0;

    TSIM_ASSERT(patches_per_threadgroup >= 1 &&
                patches_per_threadgroup <= TSIM_PATCHES_PER_THREADGROUP_MAX);
    for (uint32_t level = 1; level <= TSIM_TESS_LEVEL_MAX; level++) {
        const TsimTessCounts counts = count_uniform(domain, partitioning, pre_round, (float)level);
        const uint32_t threads = counts.points * patches_per_threadgroup;
        const gboolean exists = counts.edge_segments[0] == level;

        if (exists && (best == 0 || is_better(rule, threads, best_threads))) {
            best = level;
            best_threads = threads;
        }
    }
    return best;
}
