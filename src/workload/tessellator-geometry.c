#include "workload/tessellator-geometry.h"

#define ONE_FX16        0x10000U
#define HALF_FX16       0x8000U
#define TWO_THIRDS_FX16 0xaaaaU

/* ---- Shape: a patch is nested rings of points -------------------------------------------------
 *
 * Ring 0 is the edges, ring r > 0 lies r segments inside. Each is walked side after side, down
 * along U = 0 from V = 1, then V = 0, and so on around. The innermost may have closed to a line or
 * point.
 */
typedef struct {
    uint32_t sides;
    uint32_t innermost; /* number of the last ring */
    uint32_t edge[4];   /* segments of the edges */
    uint32_t inside[4]; /* inside segments that run along each side */
} Shape;

/* The inside axis that a side runs along: of a quad, the edges U = 0 and U = 1 run along V. */
static uint32_t inside_axis(TsimDomain domain, uint32_t side)
{
    return domain == TSIM_DOMAIN_QUAD && side % 2 == 0 ? 1 : 0;
}

static Shape shape_of(TsimDomain domain, const TsimTessCounts *counts)
{
    Shape shape = {.sides = tsim_tessellation_edge_factors(domain), .innermost = G_MAXUINT32};

    for (uint32_t side = 0; side < shape.sides; side++) {
        shape.edge[side] = counts->edge_segments[side];
        shape.inside[side] = counts->inside_segments[inside_axis(domain, side)];
        shape.innermost = MIN(shape.innermost, shape.inside[side] / 2);
    }
    return shape;
}

static uint32_t side_segments(const Shape *shape, uint32_t ring, uint32_t side)
{
    return ring == 0 ? shape->edge[side] : shape->inside[side] - 2 * ring;
}

/* ---- Points ------------------------------------------------------------------------------------
 *
 * An axis of s segments places s + 1 points in [0, 1], mirrored about the middle. A fractional
 * factor lies between two levels, two segments apart: one new segment in each half grows from
 * nothing to full size while the others shrink, every point sliding from its place at the lower
 * level to that at the upper.
 */
typedef struct {
    uint32_t segments;    /* of the upper level */
    uint32_t growth_fx16; /* how far from the lower level to the upper; 0 when there is only one */
    uint32_t new_segment; /* the one of the near half that grows */
    uint32_t lower_step_fx16, upper_step_fx16;
} Axis;

static uint32_t reciprocal_fx16(uint32_t segments)
{
    return (ONE_FX16 + segments / 2) / segments;
}

/* Where the segment opens that makes `half` segments into half + 1. The new ones split the old from
 * the corner to the middle, and start over when all are split.
 */
static uint32_t place_of_new_segment(uint32_t half)
{
    return half == 0 ? 0 : 2 * (half - (1U << (g_bit_storage(half) - 1))) + 1;
}

static uint32_t growth_fx16(TsimPartitioning partitioning, float factor, uint32_t segments)
{
    const uint32_t clamped_fx16 = tsim_tessellation_clamp_fx16(partitioning, factor);
    const gboolean odd = segments % 2 != 0;

    if (partitioning == TSIM_PARTITIONING_INTEGER || partitioning == TSIM_PARTITIONING_POW2) {
        return 0;
    }
    /* An inside that has to open although its factor is 1 does so by the least there is. */
    if (segments == 3 && clamped_fx16 == ONE_FX16) {
        return 1;
    }
    return ((clamped_fx16 + 1) / 2 + (odd ? HALF_FX16 : 0)) % ONE_FX16;
}

static Axis axis_of(TsimPartitioning partitioning, float factor, uint32_t segments)
{
    Axis axis = {
        .segments = segments,
        .growth_fx16 = growth_fx16(partitioning, factor, segments),
        .new_segment = segments,
        .lower_step_fx16 = reciprocal_fx16(segments),
        .upper_step_fx16 = reciprocal_fx16(segments),
    };

    if (axis.growth_fx16 != 0) {
        axis.new_segment = place_of_new_segment((segments - 2) / 2);
        axis.lower_step_fx16 = reciprocal_fx16(segments - 2);
    }
    return axis;
}

static uint32_t axis_point_fx16(const Axis *axis, uint32_t index)
{
    const uint32_t upper = MIN(index, axis->segments - index); /* counted from the nearer end */
    const uint32_t lower = upper > axis->new_segment ? upper - 1 : upper;

    if (2 * upper == axis->segments) {
        return HALF_FX16;
    }

    const uint64_t lower_fx16 = (uint64_t)lower * axis->lower_step_fx16;
    const uint64_t upper_fx16 = (uint64_t)upper * axis->upper_step_fx16;
    const uint64_t place_fx32 =
        lower_fx16 * (ONE_FX16 - axis->growth_fx16) + upper_fx16 * axis->growth_fx16;
    const uint32_t place_fx16 = (uint32_t)((place_fx32 + HALF_FX16) >> 16);

    return upper == index ? place_fx16 : ONE_FX16 - place_fx16;
}

typedef struct {
    TsimDomain domain;
    Axis edge[4];
    Axis inside[4]; /* along each side, as in Shape */
} Frame;

static Frame frame_of(TsimDomain domain, TsimPartitioning partitioning,
                      const TsimTessFactors *factors, const Shape *shape)
{
    Frame frame = {.domain = domain};

    for (uint32_t side = 0; side < shape->sides; side++) {
        const float inside = factors->inside[inside_axis(domain, side)];

        frame.edge[side] = axis_of(partitioning, factors->edge[side], shape->edge[side]);
        frame.inside[side] = axis_of(partitioning, inside, shape->inside[side]);
    }
    return frame;
}

/* A ring's side is straight: its points share one barycentric coordinate, the inset. Along it, the
 * points keep their places on the axis, less the half inset by which the corner moved.
 */
static TsimDomainPoint tri_point(const Frame *frame, uint32_t ring, uint32_t side,
                                 uint32_t along_fx16)
{
    const uint32_t depth_fx16 = axis_point_fx16(&frame->inside[side], ring);
    const uint32_t inset_fx16 =
        (uint32_t)(((uint64_t)depth_fx16 * TWO_THIRDS_FX16 + HALF_FX16) >> 16);
    const uint32_t shifted_fx16 = along_fx16 - (inset_fx16 + 1) / 2;

    switch (side) {
    case 0:
        return (TsimDomainPoint){inset_fx16, shifted_fx16};
    case 1:
        return (TsimDomainPoint){shifted_fx16, inset_fx16};
    default:
        return (TsimDomainPoint){shifted_fx16, ONE_FX16 - shifted_fx16 - inset_fx16};
    }
}

static TsimDomainPoint quad_point(const Frame *frame, uint32_t ring, uint32_t side,
                                  uint32_t along_fx16)
{
    const Axis *across = &frame->inside[side ^ 1];
    const uint32_t across_fx16 = axis_point_fx16(across, side < 2 ? ring : across->segments - ring);

    return side % 2 == 0 ? (TsimDomainPoint){across_fx16, along_fx16}
                         : (TsimDomainPoint){along_fx16, across_fx16};
}

static TsimDomainPoint ring_side_point(const Frame *frame, uint32_t ring, uint32_t side,
                                       uint32_t step)
{
    const gboolean is_quad = frame->domain == TSIM_DOMAIN_QUAD;
    const gboolean ascends = side == 1 || (is_quad && side == 2);
    const Axis *along = ring == 0 ? &frame->edge[side] : &frame->inside[side];
    const uint32_t along_fx16 =
        axis_point_fx16(along, ascends ? ring + step : along->segments - ring - step);

    return is_quad ? quad_point(frame, ring, side, along_fx16)
                   : tri_point(frame, ring, side, along_fx16);
}

static TsimDomainPoint *place_side(const Frame *frame, uint32_t ring, uint32_t side, uint32_t count,
                                   TsimDomainPoint *next)
{
    for (uint32_t step = 0; step < count; step++) {
        *next++ = ring_side_point(frame, ring, side, step);
    }
    return next;
}

static TsimDomainPoint *place_ring(const Frame *frame, const Shape *shape, uint32_t ring,
                                   TsimDomainPoint *next)
{
    const uint32_t first = side_segments(shape, ring, 0);
    const uint32_t second = side_segments(shape, ring, 1);

    if (first == 0 || second == 0) { /* closed to a line: its two ends and all between */
        return first >= second ? place_side(frame, ring, 0, first + 1, next)
                               : place_side(frame, ring, 1, second + 1, next);
    }
    for (uint32_t side = 0; side < shape->sides; side++) {
        next = place_side(frame, ring, side, side_segments(shape, ring, side), next);
    }
    return next;
}

static uint32_t place_minimum_quad(TsimDomainPoint *points)
{
    points[0] = (TsimDomainPoint){0, 0};
    points[1] = (TsimDomainPoint){ONE_FX16, 0};
    points[2] = (TsimDomainPoint){ONE_FX16, ONE_FX16};
    points[3] = (TsimDomainPoint){0, ONE_FX16};
    return 4;
}

static uint32_t place_isolines(TsimPartitioning partitioning, const TsimTessFactors *factors,
                               const TsimTessCounts *counts, TsimDomainPoint *points)
{
    const Axis density =
        axis_of(TSIM_PARTITIONING_INTEGER, factors->edge[0], counts->edge_segments[0]);
    const Axis detail = axis_of(partitioning, factors->edge[1], counts->edge_segments[1]);
    TsimDomainPoint *next = points;

    for (uint32_t line = 0; line < density.segments; line++) {
        for (uint32_t step = 0; step <= detail.segments; step++) {
            *next++ =
                (TsimDomainPoint){axis_point_fx16(&detail, step), axis_point_fx16(&density, line)};
        }
    }
    return (uint32_t)(next - points);
}

static gboolean is_minimum_patch(const TsimTessCounts *counts)
{
    return counts->inside_segments[0] == 1;
}

uint32_t tsim_tessellator_geometry_points(TsimDomain domain, TsimPartitioning partitioning,
                                          const TsimTessFactors *factors, TsimDomainPoint *points)
{
    const TsimTessCounts counts =
        tsim_tessellation_count(domain, partitioning, TSIM_TOPOLOGY_POINT, factors);

    if (counts.culled) {
        return 0;
    }
    if (domain == TSIM_DOMAIN_ISOLINE) {
        return place_isolines(partitioning, factors, &counts, points);
    }
    if (domain == TSIM_DOMAIN_QUAD && is_minimum_patch(&counts)) {
        return place_minimum_quad(points);
    }

    const Shape shape = shape_of(domain, &counts);
    const Frame frame = frame_of(domain, partitioning, factors, &shape);
    TsimDomainPoint *next = points;

    for (uint32_t ring = 0; ring <= shape.innermost; ring++) {
        next = place_ring(&frame, &shape, ring, next);
    }
    return (uint32_t)(next - points);
}

/* ---- Indices -----------------------------------------------------------------------------------
 *
 * Strips of triangles between neighbouring rings, from the edges inwards, then what is left inside
 * the innermost.
 */
typedef struct {
    uint16_t *next;
    gboolean counter_clockwise;
} Writer;

static void write_triangle(Writer *writer, uint32_t a, uint32_t b, uint32_t c)
{
    writer->next[0] = (uint16_t)a;
    writer->next[1] = (uint16_t)(writer->counter_clockwise ? c : b);
    writer->next[2] = (uint16_t)(writer->counter_clockwise ? b : c);
    writer->next += 3;
}

/* Positions count steps along the ring. A ring that closed to a line is walked there and back. */
typedef struct {
    uint32_t first; /* index of the point at position 0 */
    uint32_t perimeter;
    gboolean is_line;
} Ring;

static Ring ring_of(const Shape *shape, uint32_t number, uint32_t first)
{
    Ring ring = {.first = first};

    for (uint32_t side = 0; side < shape->sides; side++) {
        ring.perimeter += side_segments(shape, number, side);
    }
    ring.is_line = side_segments(shape, number, 0) == 0 || side_segments(shape, number, 1) == 0;
    return ring;
}

static uint32_t ring_index(const Ring *ring, uint32_t position)
{
    if (ring->is_line) {
        return ring->first + MIN(position, ring->perimeter - position);
    }
    return ring->first + (position == ring->perimeter ? 0 : position);
}

/* The triangles between two rows of points: each step along either row makes one. Which of its
 * corners is named first is part of the reference order.
 */
typedef struct {
    Writer *writer;
    Ring outer, inner;
    uint32_t outer_position, inner_position;
} Strip;

typedef enum {
    FROM_OUTER,
    FROM_INNER,
} FirstCorner;

static void step_outer(Strip *strip, FirstCorner first)
{
    const uint32_t here = ring_index(&strip->outer, strip->outer_position);
    const uint32_t there = ring_index(&strip->outer, ++strip->outer_position);
    const uint32_t inner = ring_index(&strip->inner, strip->inner_position);

    if (first == FROM_OUTER) {
        write_triangle(strip->writer, here, there, inner);
    } else {
        write_triangle(strip->writer, inner, here, there);
    }
}

static void step_inner(Strip *strip, FirstCorner first)
{
    const uint32_t here = ring_index(&strip->inner, strip->inner_position);
    const uint32_t there = ring_index(&strip->inner, ++strip->inner_position);
    const uint32_t outer = ring_index(&strip->outer, strip->outer_position);

    if (first == FROM_OUTER) {
        write_triangle(strip->writer, outer, there, here);
    } else {
        write_triangle(strip->writer, here, outer, there);
    }
}

/* Node of a full binary tree of places - 1 nodes, numbered level by level from 1, that is place-th
 * from the left.
 */
static uint32_t segment_birth(uint32_t place, uint32_t places)
{
    return (place | places) >> (__builtin_ctz(place) + 1);
}

/* Between an edge and ring 1, whose segments need not match. Each half of either row has some of
 * the 32 segments that a half can have, and the walk goes through all of them by place. Segment k,
 * in order of birth, is there in every half of more than k; births by place are 0 and then a tree
 * filled level by level, read from left to right. Ring 1 starts one segment in, so it lacks the
 * first. What an odd number leaves over is the middle segment.
 */
static void stitch_transition(Strip *strip, uint32_t edge, uint32_t inside)
{
    const uint32_t edge_half = edge / 2;
    const uint32_t inside_half = inside / 2;
    const uint32_t places = 1U << g_bit_storage(MAX(edge_half, inside_half) - 1);

    if (edge_half > 0) {
        step_outer(strip, FROM_OUTER);
    }
    for (uint32_t place = 1; place < places; place++) {
        const uint32_t birth = segment_birth(place, places);

        if (birth < inside_half) {
            step_inner(strip, FROM_INNER);
        }
        if (birth < edge_half) {
            step_outer(strip, FROM_OUTER);
        }
    }
    if (inside % 2 != 0) {
        step_inner(strip, FROM_INNER);
    }
    if (edge % 2 != 0) {
        step_outer(strip, FROM_INNER);
    }
    for (uint32_t place = places - 1; place > 0; place--) {
        const uint32_t birth = segment_birth(place, places);

        if (birth < edge_half) {
            step_outer(strip, FROM_OUTER);
        }
        if (birth < inside_half) {
            step_inner(strip, FROM_INNER);
        }
    }
    if (edge_half > 0) {
        step_outer(strip, FROM_OUTER);
    }
}

/* Between two rings of the inside: a triangle at each corner, and quads whose diagonals are
 * mirrored about the middle.
 */
static void stitch_regular(Strip *strip, uint32_t inner_segments)
{
    step_outer(strip, FROM_OUTER);
    for (uint32_t i = 0; i < inner_segments; i++) {
        if (i < (inner_segments + 1) / 2) {
            step_inner(strip, FROM_OUTER);
            step_outer(strip, FROM_OUTER);
        } else {
            step_outer(strip, FROM_INNER);
            step_inner(strip, FROM_INNER);
        }
    }
    step_outer(strip, FROM_OUTER);
}

/* The innermost ring of a quad, one segment wide: a row of quads a b c d between its long sides. An
 * upright row with a quad in its middle turns the diagonal of that one.
 */
static void fill_quad_core(Writer *writer, const Ring *ring, uint32_t width, uint32_t height)
{
    const uint32_t length = MAX(width, height);
    const uint32_t start = height >= width ? 0 : 1;
    const gboolean has_middle = height >= width && length % 2 != 0;

    for (uint32_t i = 0; i < length; i++) {
        const uint32_t a = ring_index(ring, start + i);
        const uint32_t b = ring_index(ring, start + i + 1);
        const uint32_t c = ring_index(ring, ring->perimeter + start - i - 2);
        const uint32_t d = ring_index(ring, ring->perimeter + start - i - 1);

        if (!has_middle) {
            write_triangle(writer, d, a, b);
            write_triangle(writer, d, b, c);
        } else if (i == length / 2) {
            write_triangle(writer, a, c, d);
            write_triangle(writer, a, b, c);
        } else {
            write_triangle(writer, a, b, d);
            write_triangle(writer, d, b, c);
        }
    }
}

static void fill_core(Writer *writer, const Shape *shape, const Ring *ring)
{
    if (ring->is_line) {
        return; /* no area left */
    }
    if (shape->sides == 3) {
        write_triangle(writer, ring->first, ring->first + 1, ring->first + 2);
        return;
    }
    fill_quad_core(writer, ring, side_segments(shape, shape->innermost, 1),
                   side_segments(shape, shape->innermost, 0));
}

static void write_rings(Writer *writer, const Shape *shape)
{
    Ring outer = ring_of(shape, 0, 0);

    for (uint32_t number = 1; number <= shape->innermost; number++) {
        const Ring inner = ring_of(shape, number, outer.first + outer.perimeter);
        Strip strip = {.writer = writer, .outer = outer, .inner = inner};

        for (uint32_t side = 0; side < shape->sides; side++) {
            if (number == 1) {
                stitch_transition(&strip, shape->edge[side], shape->inside[side]);
            } else {
                stitch_regular(&strip, side_segments(shape, number, side));
            }
        }
        outer = inner;
    }
    fill_core(writer, shape, &outer);
}

static void write_triangles(TsimDomain domain, const TsimTessCounts *counts, Writer *writer)
{
    if (domain == TSIM_DOMAIN_QUAD && is_minimum_patch(counts)) {
        write_triangle(writer, 0, 1, 3);
        write_triangle(writer, 1, 2, 3);
        return;
    }

    const Shape shape = shape_of(domain, counts);

    write_rings(writer, &shape);
}

static void write_points(uint32_t points, Writer *writer)
{
    for (uint32_t i = 0; i < points; i++) {
        *writer->next++ = (uint16_t)i;
    }
}

/* Strips of line_points points each, one after the other. */
static void write_lines(uint32_t points, uint32_t line_points, Writer *writer)
{
    for (uint32_t i = 1; i < points; i++) {
        if (i % line_points != 0) {
            *writer->next++ = (uint16_t)(i - 1);
            *writer->next++ = (uint16_t)i;
        }
    }
}

uint32_t tsim_tessellator_geometry_indices(TsimDomain domain, TsimTopology topology,
                                           const TsimTessCounts *counts, uint16_t *indices)
{
    Writer writer = {indices, topology == TSIM_TOPOLOGY_TRIANGLE_CCW};

    if (counts->culled) {
        return 0;
    }
    if (topology == TSIM_TOPOLOGY_POINT) {
        write_points(counts->points, &writer);
    } else if (domain == TSIM_DOMAIN_ISOLINE) {
        write_lines(counts->points, counts->edge_segments[1] + 1U, &writer);
    } else if (topology == TSIM_TOPOLOGY_LINE) {
        write_lines(counts->points, counts->points, &writer);
    } else {
        write_triangles(domain, counts, &writer);
    }
    return (uint32_t)(writer.next - indices);
}
