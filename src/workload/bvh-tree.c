#include "workload/bvh-tree.h"

#include "base/error.h"

#include <math.h>

/* Beyond this depth cuts are even: 2^32 boxes are then at most 16 four-way levels further down. */
#define BINNED_DEPTH 40
#define MAX_BINS     64

typedef struct {
    TsimBox bounds;
    uint32_t count;
} Bin;

typedef struct {
    unsigned axis;
    unsigned first_right_bin;
    double cost;
} Cut;

TsimBvhTreeRange tsim_bvh_tree_range(TsimBvhTreeBox *boxes, uint32_t count)
{
    TsimBvhTreeRange range = {boxes, count, tsim_box_empty()};

    for (uint32_t i = 0; i < count; i++) {
        tsim_box_add(&range.bounds, &boxes[i].bounds);
    }
    return range;
}

/* Twice the middle, which saves a multiplication and orders the same. */
static double middle(const TsimBvhTreeBox *box, unsigned axis)
{
    return (double)box->bounds.min[axis] + (double)box->bounds.max[axis];
}

/* Where the middles of a range lie on one axis, cut into bins. */
typedef struct {
    double low;
    double bins_per_length;
    unsigned bins;
} Scale;

static Scale make_scale(const TsimBvhTreeRange *range, unsigned axis, unsigned bins)
{
    double low = middle(&range->boxes[0], axis);
    double high = low;

    for (uint32_t i = 1; i < range->count; i++) {
        const double at = middle(&range->boxes[i], axis);

        low = MIN(low, at);
        high = MAX(high, at);
    }
    return (Scale){low, high > low ? bins / (high - low) : 0.0, bins};
}

static unsigned find_bin(Scale scale, const TsimBvhTreeBox *box, unsigned axis)
{
    const double bin = (middle(box, axis) - scale.low) * scale.bins_per_length;

    return MIN((unsigned)bin, scale.bins - 1);
}

static double side_cost(const Bin *side)
{
    return side->count > 0 ? side->count * tsim_box_half_area(&side->bounds) : 0.0;
}

static void add_bin(Bin *side, const Bin *bin)
{
    tsim_box_add(&side->bounds, &bin->bounds);
    side->count += bin->count;
}

/* Costs from the right are kept while the left side grows. */
static void try_axis(const TsimBvhTreeRange *range, unsigned axis, unsigned bins, Cut *best)
{
    const Scale scale = make_scale(range, axis, bins);
    Bin bin[MAX_BINS];
    double right_cost[MAX_BINS];
    const Bin empty = {tsim_box_empty(), 0};
    Bin side;

    if (!(scale.bins_per_length > 0.0)) {
        return;
    }
    TSIM_ASSERT(bins > 0 && bins <= MAX_BINS);
    for (unsigned i = 0; i < bins; i++) {
        bin[i] = empty;
    }
    for (uint32_t i = 0; i < range->count; i++) {
        Bin *target = &bin[find_bin(scale, &range->boxes[i], axis)];

        tsim_box_add(&target->bounds, &range->boxes[i].bounds);
        target->count++;
    }
    side = empty;
    for (unsigned i = bins - 1; i > 0; i--) {
        add_bin(&side, &bin[i]);
        right_cost[i] = side_cost(&side);
    }
    side = empty;
    for (unsigned i = 1; i < bins; i++) {
        add_bin(&side, &bin[i - 1]);

        const double cost = side_cost(&side) + right_cost[i];

        if (side.count > 0 && side.count < range->count && cost < best->cost) {
            *best = (Cut){axis, i, cost};
        }
    }
}

static uint32_t partition(const TsimBvhTreeRange *range, unsigned bins, Cut cut)
{
    const Scale scale = make_scale(range, cut.axis, bins);
    uint32_t left = 0;

    for (uint32_t i = 0; i < range->count; i++) {
        if (find_bin(scale, &range->boxes[i], cut.axis) < cut.first_right_bin) {
            const TsimBvhTreeBox held = range->boxes[i];

            range->boxes[i] = range->boxes[left];
            range->boxes[left++] = held;
        }
    }
    return left;
}

/* Boxes with one common middle cannot be told apart by bins: they are cut in half as they stand. */
static uint32_t cut_in_two(const TsimBvhTreeRange *range, unsigned bins, unsigned depth)
{
    Cut best = {.cost = (double)INFINITY};

    for (unsigned axis = 0; axis < 3 && depth < BINNED_DEPTH; axis++) {
        try_axis(range, axis, bins, &best);
    }
    return isinf(best.cost) ? range->count / 2 : partition(range, bins, best);
}

/* The range with the largest surface that can still be cut; NULL when none can. While cuts are even
 * it is the longest one, so that all four come out even. */
static TsimBvhTreeRange *choose_range(TsimBvhTreeRange *ranges, unsigned count, unsigned depth)
{
    TsimBvhTreeRange *chosen = NULL;
    double best = -1.0;

    for (unsigned i = 0; i < count; i++) {
        const double size =
            depth < BINNED_DEPTH ? tsim_box_half_area(&ranges[i].bounds) : (double)ranges[i].count;

        if (ranges[i].count > 1 && size > best) {
            chosen = &ranges[i];
            best = size;
        }
    }
    return chosen;
}

unsigned tsim_bvh_tree_split(TsimBvhTreeRange range, unsigned bins, unsigned depth,
                             TsimBvhTreeRange children[4])
{
    unsigned count = 1;

    children[0] = range;
    while (count < 4) {
        TsimBvhTreeRange *chosen = choose_range(children, count, depth);

        if (chosen == NULL) {
            break;
        }
        const uint32_t left = cut_in_two(chosen, bins, depth);

        children[count++] = tsim_bvh_tree_range(chosen->boxes + left, chosen->count - left);
        *chosen = tsim_bvh_tree_range(chosen->boxes, left);
    }
    return count;
}
