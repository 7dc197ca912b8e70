/* The arithmetic of the ray-intersection unit: one ray against one node (R5-R9).
 *
 * All arithmetic is binary32, rounded to nearest even, one rounding an operation. t is in lengths
 * of the direction as given. What no public source settles is an option with a name; the defaults
 * are listed with their reasons in tests/DEVIATIONS.md.
 *
 * Box test. (bound - origin) * inverse direction an axis; the sign of the inverse direction says
 * which bound is near; a NaN (0 * infinity: the ray lies in a face plane) does not take part, and
 * three of them on one side are a miss. With near >= 0 and far <= extent, hit if near <= far grown.
 * A face, an edge, a corner that is only touched counts; an inverted box is missed.
 *
 * Triangle test. Watertight after Woop, Benthin and Wald (JCGT 2(1), 2013): the ray becomes the z
 * axis, three edge functions tell the side. Rounding to nearest is symmetric in sign, so that the
 * two triangles of an edge see exactly opposite values; see TsimRayEdgeRule for zero. t_denom is
 * positive when the corners turn clockwise as seen from the origin. A miss is t_num = +infinity,
 * t_denom = 1, I = J = 0.
 *
 * Pure functions; nothing is allocated. Source: ray-intersection facts, section 4.
 */
#pragma once

#include "base/field.h"
#include "hw/ray-descriptor.h"
#include "hw/ray-node.h"
#include "hw/ray-operands.h"

/* What the growth of n ULP does to the far distance. */
typedef enum {
    TSIM_RAY_GROWTH_HALF_EPSILON, /* times 1 + n * 2^-24, the factor itself rounded */
    TSIM_RAY_GROWTH_ULPS,         /* n representable numbers up */
} TsimRayGrowth;

/* The order of sorted boxes that begin at the same distance. */
typedef enum {
    TSIM_RAY_TIES_NETWORK, /* what the five-step exchange network leaves */
    TSIM_RAY_TIES_CHILD,   /* child order */
} TsimRayTies;

/* What an edge function of zero means. SINGLE_HIT: the ray is moved by an infinitely small step
 * towards +x and then by an infinitely smaller one towards +y of the sheared frame, which puts it
 * on one side of every edge; any closed fan around the ray is then hit exactly once. */
typedef enum {
    TSIM_RAY_EDGE_SINGLE_HIT,         /* only true zeros: rounding to zero keeps the exact sign */
    TSIM_RAY_EDGE_SINGLE_HIT_ROUNDED, /* every zero, rounded or true */
    TSIM_RAY_EDGE_CLOSED,             /* zero is inside for both triangles */
} TsimRayEdgeRule;

/* What a lane that is switched on, but whose ray or pointer is bad, gets back. */
typedef enum {
    TSIM_RAY_DEAD_LANE_MISS, /* the miss of its node type */
    TSIM_RAY_DEAD_LANE_ONES, /* all bits set */
} TsimRayDeadLane;

typedef struct {
    int growth;    /* TsimRayGrowth */
    int ties;      /* TsimRayTies */
    int edges;     /* TsimRayEdgeRule */
    int dead_lane; /* TsimRayDeadLane */
    gboolean triangle_at_extent_hits;
} TsimRayOptions;

extern const TsimField tsim_ray_option_fields[];

/* A descriptor and options, made ready for testing. */
typedef struct {
    TsimRayOptions options;
    uint64_t node_count;
    float growth_factor;
    uint8_t growth_ulps;
    uint8_t triangle_return_mode;
    gboolean box_sort;
} TsimRayUnit;

TsimRayUnit tsim_ray_unit_new(const TsimRayDescriptor *descriptor, const TsimRayOptions *options);

/* A ray and what both tests derive from it. The extent may be changed in place. */
typedef struct {
    TsimRay ray;
    float shear[3]; /* x and y per z, and 1 / direction z, in the frame of axis[] */
    uint8_t axis[3];
    uint8_t near_is_max[3];
} TsimRaySetup;

TsimRaySetup tsim_ray_setup_new(const TsimRay *ray);

typedef struct {
    float near[4]; /* clamped at 0: the sort key */
    float far[4];  /* clamped at the extent, not grown; NaN for a box of NaNs */
    unsigned hit_mask;
} TsimRayBoxResult;

TsimRayBoxResult tsim_ray_test_boxes(const TsimRayUnit *unit, const TsimRaySetup *setup,
                                     const TsimRayBoxNode *node);

typedef struct {
    gboolean hit;
    float t_num;
    float t_denom;
    float weight_num[3]; /* of the corners; their sum is t_denom */
} TsimRayTriangleResult;

TsimRayTriangleResult tsim_ray_test_triangle(const TsimRayUnit *unit, const TsimRaySetup *setup,
                                             const float a[3], const float b[3], const float c[3]);

/* The four result registers for the node that pointer names; `bytes` is that node. The type must
 * not be a reserved one. */
void tsim_ray_test_node(const TsimRayUnit *unit, const TsimRaySetup *setup, uint64_t pointer,
                        const uint8_t *bytes, uint32_t results[TSIM_RAY_RESULTS]);

/* What becomes of a lane before memory is asked (R9). Only ACTIVE lanes fetch and cost a clock. */
typedef enum {
    TSIM_RAY_LANE_ACTIVE,
    TSIM_RAY_LANE_MASKED,        /* switched off: its registers stay as they are */
    TSIM_RAY_LANE_BAD_RAY,       /* a NaN anywhere, or an infinite origin */
    TSIM_RAY_LANE_RESERVED_TYPE, /* results are all ones */
    TSIM_RAY_LANE_OUT_OF_BOUNDS, /* some of the node lies behind the descriptor's size */
} TsimRayLane;

TsimRayLane tsim_ray_lane_classify(const TsimRayUnit *unit, gboolean enabled, uint64_t pointer,
                                   const TsimRay *ray);

/* One lane of the instruction, start to end. nodes holds node_count * 64 bytes. */
TsimRayLane tsim_ray_lane_test(const TsimRayUnit *unit, const uint8_t *nodes, gboolean enabled,
                               uint64_t pointer, const TsimRay *ray,
                               uint32_t results[TSIM_RAY_RESULTS]);
