/* hw/half.h on all 65,536 binary16 values: widening is exact, narrowing nearest and conservative.
 */
#include "hw/half.h"

#include <glib.h>
#include <math.h>

/* The value by its definition, in binary64. */
static double half_value(unsigned half)
{
    const int exponent = (int)(half >> 10 & 31);
    const int fraction = (int)(half & 1023);
    const double sign = half & 0x8000 ? -1.0 : 1.0;

    if (exponent == 31) {
        return fraction == 0 ? sign * (double)INFINITY : (double)NAN;
    }
    return exponent == 0 ? sign * ldexp(fraction, -24)
                         : sign * ldexp(1024 + fraction, exponent - 25);
}

static void test_widening(void)
{
    for (unsigned half = 0; half < 0x10000; half++) {
        const float widened = tsim_half_to_float((uint16_t)half);
        const double expected = half_value(half);

        if (isnan(expected)) {
            g_assert_true(isnan(widened));
            g_assert_cmphex(tsim_float_to_bits(widened), ==,
                            (half & 0x8000) << 16 | 0x7f800000 | (half & 0x3ff) << 13);
            continue;
        }
        g_assert_true((double)widened == expected);
        g_assert_true(!signbit(widened) == !signbit(expected));
    }
}

static void test_round_trip(void)
{
    for (unsigned half = 0; half < 0x10000; half++) {
        const float widened = tsim_half_to_float((uint16_t)half);
        const unsigned expected = isnan(widened) ? half | 0x200 : half;

        for (int rounding = TSIM_HALF_NEAREST; rounding <= TSIM_HALF_UP; rounding++) {
            g_assert_cmphex(tsim_half_from_float(widened, (TsimHalfRounding)rounding), ==,
                            expected);
        }
    }
}

static void check(float value, unsigned nearest, unsigned down, unsigned up)
{
    g_assert_cmphex(tsim_half_from_float(value, TSIM_HALF_NEAREST), ==, nearest);
    g_assert_cmphex(tsim_half_from_float(value, TSIM_HALF_DOWN), ==, down);
    g_assert_cmphex(tsim_half_from_float(value, TSIM_HALF_UP), ==, up);
}

/* Between each value and the next: just above it, the middle, just below the next. */
static void test_between_neighbours(void)
{
    for (unsigned half = 0; half < 0x7bff; half++) {
        const float low = tsim_half_to_float((uint16_t)half);
        const float high = tsim_half_to_float((uint16_t)(half + 1));
        const float middle = low + (high - low) / 2.0f;
        const unsigned even = half + (half & 1);

        check(nextafterf(low, high), half, half, half + 1);
        check(middle, even, half, half + 1);
        check(nextafterf(middle, low), half, half, half + 1);
        check(nextafterf(middle, high), half + 1, half, half + 1);
        check(nextafterf(high, low), half + 1, half, half + 1);
        check(-middle, 0x8000 | even, 0x8000 | (half + 1), 0x8000 | half);
    }
}

static void test_range_ends(void)
{
    check(65519.0f, 0x7bff, 0x7bff, 0x7c00);
    check(65520.0f, 0x7c00, 0x7bff, 0x7c00);
    check(-65536.0f, 0xfc00, 0xfc00, 0xfbff);
    check(3e38f, 0x7c00, 0x7bff, 0x7c00);
    check(INFINITY, 0x7c00, 0x7c00, 0x7c00);
    check(-INFINITY, 0xfc00, 0xfc00, 0xfc00);
    check(0x1p-149f, 0x0000, 0x0000, 0x0001);
    check(-0x1p-149f, 0x8000, 0x8001, 0x8000);
    check(0x1p-25f, 0x0000, 0x0000, 0x0001);
    check(0x1.8p-25f, 0x0001, 0x0000, 0x0001);
    check(-0.0f, 0x8000, 0x8000, 0x8000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/half/widening", test_widening);
    g_test_add_func("/half/round-trip", test_round_trip);
    g_test_add_func("/half/between-neighbours", test_between_neighbours);
    g_test_add_func("/half/range-ends", test_range_ends);
    return g_test_run();
}
