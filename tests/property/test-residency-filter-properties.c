/* The six invariants of the residency filter (reference facts, section 3), each on a million random
 * points of random maps. Ramps are those of the hardware that fit, unless said otherwise. */
#include "hw/residency-filter.h"

#include <math.h>

#define POINTS   1000000
#define SIDE     8
#define TINY     1e-9
#define MAX_BYTE 120

typedef struct {
    uint32_t width, height;
    uint8_t bytes[SIDE * SIDE];
    TsimResidencyFilter filter;
    double uv[3];
} Sample;

static double unit(void)
{
    return g_test_rand_double();
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)g_test_rand_int_range(0, (gint32)n);
}

static TsimResidencyRamp random_ramp(void)
{
    TsimResidencyRamp ramp;

    do {
        ramp = (TsimResidencyRamp){tsim_residency_slopes[below(TSIM_RESIDENCY_SLOPES)],
                                   tsim_residency_offsets[below(TSIM_RESIDENCY_OFFSETS)]};
    } while (!tsim_residency_ramp_fits(ramp));
    return ramp;
}

/* A new map every 64 points, a new filter and place every point. */
static void next(Sample *sample, uint32_t index)
{
    static const TsimAddressMode modes[] = {TSIM_ADDRESS_WRAP, TSIM_ADDRESS_MIRROR,
                                            TSIM_ADDRESS_CLAMP};

    if (index % 64 == 0) {
        sample->width = 1 + below(SIDE);
        sample->height = 1 + below(SIDE);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            sample->bytes[i] = (uint8_t)below(MAX_BYTE);
        }
    }
    sample->filter = (TsimResidencyFilter){
        .order = below(2),
        .u = random_ramp(),
        .v = random_ramp(),
        .address = {modes[below(3)], modes[below(3)], TSIM_ADDRESS_CLAMP},
    };
    sample->uv[0] = unit();
    sample->uv[1] = unit();
}

static double look_up(const Sample *sample, TsimResidencyFilter filter, double u, double v)
{
    const TsimResidencyMap map = {2, {sample->width, sample->height, 1}, sample->bytes};
    const double uv[3] = {u, v, 0.0};

    return tsim_residency_lookup(&filter, &map, uv);
}

static double look_up_as(const Sample *sample, TsimResidencyLookup lookup, double u, double v)
{
    TsimResidencyFilter filter = sample->filter;

    filter.lookup = lookup;
    return look_up(sample, filter, u, v);
}

/* 1: between the texel's own value and the MAX reduction. */
static void test_safe(void)
{
    Sample sample;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        const double clamp = look_up(&sample, sample.filter, sample.uv[0], sample.uv[1]);

        g_assert_cmpfloat(clamp, >=,
                          look_up_as(&sample, TSIM_RESIDENCY_POINT, sample.uv[0], sample.uv[1]) -
                              TINY);
        g_assert_cmpfloat(
            clamp, <=, look_up_as(&sample, TSIM_RESIDENCY_MAX, sample.uv[0], sample.uv[1]) + TINY);
    }
}

/* 2: no point of the kernel meets a coarser region than the clamp allows. */
static void test_kernel(void)
{
    Sample sample;
    uint32_t broken_without_offset = 0;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        const double du = (unit() * 2.0 - 1.0) * sample.filter.u.offset / sample.width;
        const double dv = (unit() * 2.0 - 1.0) * sample.filter.v.offset / sample.height;
        const double needed =
            look_up_as(&sample, TSIM_RESIDENCY_POINT, sample.uv[0] + du, sample.uv[1] + dv);
        TsimResidencyFilter no_offset = sample.filter;

        g_assert_cmpfloat(look_up(&sample, sample.filter, sample.uv[0], sample.uv[1]), >=,
                          needed - TINY);
        no_offset.u.offset = 0.0;
        no_offset.v.offset = 0.0;
        broken_without_offset +=
            look_up(&sample, no_offset, sample.uv[0], sample.uv[1]) < needed - TINY;
    }
    g_assert_cmpuint(broken_without_offset, >, 0);
}

/* 3: own value at centres, MAX at boundaries and corners. */
static void test_fixed_points(void)
{
    Sample sample;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        const double x = below(sample.width);
        const double y = below(sample.height);
        const double centre_u = (x + 0.5) / sample.width;
        const double centre_v = (y + 0.5) / sample.height;
        const double corner_u = x / sample.width;
        const double corner_v = y / sample.height;

        g_assert_cmpfloat_with_epsilon(
            look_up(&sample, sample.filter, centre_u, centre_v),
            look_up_as(&sample, TSIM_RESIDENCY_POINT, centre_u, centre_v), TINY);
        g_assert_cmpfloat_with_epsilon(look_up(&sample, sample.filter, corner_u, corner_v),
                                       look_up_as(&sample, TSIM_RESIDENCY_MAX, corner_u, corner_v),
                                       TINY);
        g_assert_cmpfloat_with_epsilon(look_up(&sample, sample.filter, corner_u, centre_v),
                                       look_up_as(&sample, TSIM_RESIDENCY_MAX, corner_u, centre_v),
                                       TINY);
    }
}

/* 4: Lipschitz with slope * range a map texel; monotone in every map value. */
static void test_continuous(void)
{
    const double range = MAX_BYTE / 8.0;
    Sample sample;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        const double du = (unit() - 0.5) * exp2(-10.0 * unit()) / sample.width;
        const double dv = (unit() - 0.5) * exp2(-10.0 * unit()) / sample.height;
        const double bound = range * (sample.filter.u.slope * fabs(du) * sample.width +
                                      sample.filter.v.slope * fabs(dv) * sample.height);
        const double here = look_up(&sample, sample.filter, sample.uv[0], sample.uv[1]);
        const double there = look_up(&sample, sample.filter, sample.uv[0] + du, sample.uv[1] + dv);
        uint8_t *byte = &sample.bytes[below(sample.width * sample.height)];
        const uint8_t kept = *byte;

        /* A step over the edge of the map under wrap or mirror goes on inside the map: still one
         * continuous function. */
        g_assert_cmpfloat(fabs(there - here), <=, bound + TINY);
        *byte = (uint8_t)(kept + below(256u - kept));
        g_assert_cmpfloat(look_up(&sample, sample.filter, sample.uv[0], sample.uv[1]), >=,
                          here - TINY);
        *byte = kept;
    }
}

/* 4, last part: monotone from one centre to the next. */
static void test_monotone_between_centres(void)
{
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint8_t bytes[2] = {(uint8_t)below(MAX_BYTE), (uint8_t)below(MAX_BYTE)};
        const TsimResidencyMap map = {1, {2, 1, 1}, bytes};
        const TsimResidencyFilter filter = {.u = random_ramp()};
        const double t = unit();
        const double near[3] = {0.25 + 0.5 * t * unit(), 0, 0};
        const double far[3] = {0.25 + 0.5 * t, 0, 0};
        const double rise = (tsim_residency_lookup(&filter, &map, far) -
                             tsim_residency_lookup(&filter, &map, near)) *
                            (bytes[1] - bytes[0]);

        g_assert_cmpfloat(rise, >=, -TINY);
    }
}

/* 5: the limits are point sampling and MAX reduction; never below the own value at a boundary. */
static void test_limits(void)
{
    Sample sample;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        TsimResidencyFilter steep = sample.filter;
        TsimResidencyFilter wide = sample.filter;
        /* A hair off boundaries and centres, where the limits jump. */
        const double u =
            (below(sample.width) + 0.5 * below(2) + 0.01 + 0.48 * unit()) / sample.width;
        const double v =
            (below(sample.height) + 0.5 * below(2) + 0.01 + 0.48 * unit()) / sample.height;

        steep.u = (TsimResidencyRamp){1e6, 0.0};
        steep.v = steep.u;
        wide.u = (TsimResidencyRamp){1e6, 0.5 - 1e-3};
        wide.v = wide.u;
        g_assert_cmpfloat_with_epsilon(look_up(&sample, steep, u, v),
                                       look_up_as(&sample, TSIM_RESIDENCY_POINT, u, v), TINY);
        g_assert_cmpfloat_with_epsilon(look_up(&sample, wide, u, v),
                                       look_up_as(&sample, TSIM_RESIDENCY_MAX, u, v), TINY);
    }
}

static Sample mirrored(const Sample *sample)
{
    Sample image = *sample;

    for (uint32_t y = 0; y < sample->height; y++) {
        for (uint32_t x = 0; x < sample->width; x++) {
            image.bytes[y * sample->width + x] =
                sample->bytes[y * sample->width + sample->width - 1 - x];
        }
    }
    return image;
}

/* 6: the mirror image of map and coordinate gives the same. */
static void test_mirror_image(void)
{
    Sample sample;

    for (uint32_t i = 0; i < POINTS; i++) {
        next(&sample, i);

        const Sample image = mirrored(&sample);

        g_assert_cmpfloat_with_epsilon(
            look_up(&image, sample.filter, 1.0 - sample.uv[0], sample.uv[1]),
            look_up(&sample, sample.filter, sample.uv[0], sample.uv[1]), 1e-6);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/residency-filter/1-safe", test_safe);
    g_test_add_func("/residency-filter/2-kernel", test_kernel);
    g_test_add_func("/residency-filter/3-fixed-points", test_fixed_points);
    g_test_add_func("/residency-filter/4-continuous", test_continuous);
    g_test_add_func("/residency-filter/4-monotone-between-centres", test_monotone_between_centres);
    g_test_add_func("/residency-filter/5-limits", test_limits);
    g_test_add_func("/residency-filter/6-mirror-image", test_mirror_image);
    return g_test_run();
}
