/* Axis-aligned boxes of binary32. An empty one has min = +infinity, max = -infinity. */
#pragma once

#include <glib.h>
#include <math.h>

typedef struct {
    float min[3];
    float max[3];
} TsimBox;

static inline TsimBox tsim_box_empty(void)
{
    return (TsimBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline void tsim_box_add_point(TsimBox *box, const float *point)
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = MIN(box->min[axis], point[axis]);
        box->max[axis] = MAX(box->max[axis], point[axis]);
    }
}

static inline void tsim_box_add(TsimBox *box, const TsimBox *other)
{
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] = MIN(box->min[axis], other->min[axis]);
        box->max[axis] = MAX(box->max[axis], other->max[axis]);
    }
}

static inline double tsim_box_half_area(const TsimBox *box)
{
    double size[3];

    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)box->max[axis] - (double)box->min[axis];
    }
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}
