/* How many points and primitives a patch becomes: the Direct3D 11 fixed-function tessellator as
 * closed formulas (T5). No memory is touched beyond the arguments and nothing can fail; every call
 * costs a few tens of instructions, so the simulator asks once a patch.
 *
 * Factors are 32-bit floats, any bit pattern. A factor's place in TsimTessFactors:
 *
 *              edge[0]   edge[1]   edge[2]  edge[3]  inside[0]  inside[1]
 *   isoline    density   detail
 *   tri        U=0       V=0       W=0               inside
 *   quad       U=0       V=0       U=1      V=1      U          V
 *
 * Places that a domain does not have are ignored on the way in and zero on the way out.
 *
 * Source: Direct3D 11.3 functional specification, section on the tessellator; tests/golden.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

/* The order of these three is that of the hardware's register VGT_TF_PARAM. */
typedef enum {
    TSIM_DOMAIN_ISOLINE,
    TSIM_DOMAIN_TRI,
    TSIM_DOMAIN_QUAD,
} TsimDomain;

typedef enum {
    TSIM_PARTITIONING_INTEGER,
    TSIM_PARTITIONING_POW2, /* the fixed function treats it as integer */
    TSIM_PARTITIONING_FRACTIONAL_ODD,
    TSIM_PARTITIONING_FRACTIONAL_EVEN,
} TsimPartitioning;

typedef enum {
    TSIM_TOPOLOGY_POINT,
    TSIM_TOPOLOGY_LINE,
    TSIM_TOPOLOGY_TRIANGLE_CW, /* the triangles are for tri and quad only */
    TSIM_TOPOLOGY_TRIANGLE_CCW,
} TsimTopology;

/* Which uniform level "about 256 DS threads a threadgroup" means (T10). */
typedef enum {
    TSIM_THRESHOLD_NEAREST_256,  /* ties go to the higher level */
    TSIM_THRESHOLD_AT_LEAST_256, /* the lowest level that reaches it */
} TsimThresholdRule;

/* Which factors of a patch the average of a threadgroup is over (T8). */
typedef enum {
    TSIM_AVERAGE_ALL_FACTORS, /* edges and insides */
    TSIM_AVERAGE_EDGES_ONLY,
    TSIM_AVERAGE_MAX_FACTOR, /* the highest of all, once a patch */
} TsimAverageRule;

/* What a patch that is culled does to the average. */
typedef enum {
    TSIM_CULLED_COUNT_ZERO, /* all its factors count as 0 */
    TSIM_CULLED_IGNORED,
} TsimCulledRule;

/* When an average goes off-chip. */
typedef enum {
    TSIM_TF_AT_LEAST, /* TfThreshold */
    TSIM_TF_ABOVE,    /* it */
} TsimTfCompare;

/* Words in index order, NULL-terminated. */
extern const char *const tsim_average_rule_names[];
extern const char *const tsim_culled_rule_names[];
extern const char *const tsim_tf_compare_names[];
extern const char *const tsim_domain_names[];
extern const char *const tsim_partitioning_names[];
extern const char *const tsim_topology_names[];
extern const char *const tsim_threshold_rule_names[];

#define TSIM_TESS_LEVEL_MAX              64
#define TSIM_PATCHES_PER_THREADGROUP_MAX 255 /* an 8-bit register field */

typedef struct {
    float edge[4];
    float inside[2];
} TsimTessFactors;

typedef struct {
    uint32_t points; /* distinct domain points */
    uint32_t primitives;
    uint32_t indices;
    gboolean culled; /* everything else is then 0 */
    uint16_t edge_segments[4];
    uint16_t inside_segments[2];
} TsimTessCounts;

TsimTessCounts tsim_tessellation_count(TsimDomain domain, TsimPartitioning partitioning,
                                       TsimTopology topology, const TsimTessFactors *factors);

/* Factors of a patch; isoline has no inside. */
uint32_t tsim_tessellation_edge_factors(TsimDomain domain);
uint32_t tsim_tessellation_inside_factors(TsimDomain domain);

/* What a patch takes of the tess-factor ring (E14). */
uint32_t tsim_tessellation_ring_bytes(TsimDomain domain);

/* The hull shader's declared maximum, which comes before all other rules. NaN stays NaN, so a patch
 * that is culled stays culled.
 */
TsimTessFactors tsim_tessellation_limit(const TsimTessFactors *factors, float max_tess_factor);

/* What a hull shader compiled for pow2 does to its factors: up to the next of 1, 2, 4 ... 64. Edges
 * that cull are kept, and so is the density of isolines.
 */
TsimTessFactors tsim_tessellation_pre_round(TsimDomain domain, const TsimTessFactors *factors);

/* A factor clamped to the range of its partitioning, in 16.16 fixed point, rounded to nearest, ties
 * to even. NaN gives the bottom of the range.
 */
uint32_t tsim_tessellation_clamp_fx16(TsimPartitioning partitioning, float factor);

/* An average in the making: what the hardware factors of any number of patches add up to (E9). */
typedef struct {
    uint64_t sum_fx16; /* 16.16 fixed point */
    uint64_t factors;  /* how many the sum is over */
} TsimFactorMean;

/* Of one patch: the factors that the rules want, each limited to max_tess_factor, clamped to the
 * range of its partitioning and rounded to nearest, ties to even.
 */
TsimFactorMean tsim_tessellation_factor_mean(TsimDomain domain, TsimPartitioning partitioning,
                                             float max_tess_factor, TsimAverageRule average,
                                             TsimCulledRule culled, const TsimTessFactors *factors);

/* Adds the factors of `patches` patches that are all like this one. */
void tsim_factor_mean_add(TsimFactorMean *mean, const TsimFactorMean *patch, uint64_t patches);

/* Whether the average goes off-chip: exact, without a division. No factors average 0. */
gboolean tsim_factor_mean_reaches(const TsimFactorMean *mean, TsimTfCompare compare,
                                  int64_t threshold_fx16);

/* The TfThreshold of a threadgroup of 1..255 patches (T10): a whole factor at which a uniform patch
 * has exactly that many segments (isoline: that many lines). pre_round: the hull shader rounds its
 * factors as tsim_tessellation_pre_round does.
 */
uint32_t tsim_tessellation_auto_threshold(TsimDomain domain, TsimPartitioning partitioning,
                                          gboolean pre_round, uint32_t patches_per_threadgroup,
                                          TsimThresholdRule rule);
