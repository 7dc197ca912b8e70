/* engine/rng.h: the generator is xoshiro256**, the distributions have the moments they promise,
 * and a stream depends on its name alone.
 *
 * Moments are checked with a fixed seed against formulas of the distributions: the mean of N draws
 * must lie within 5 standard errors, so a wrong parameter fails and the right one cannot.
 */
#include "base/hash.h"
#include "engine/rng.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define DRAWS 200000

typedef struct {
    double mean, variance, least, most;
} Moments;

typedef double (*Draw)(TsimRng *rng);

static Moments sample(Draw draw)
{
    TsimRng rng = tsim_rng_at(42, tsim_hash_string("moments"), 0);
    double sum = 0.0;
    double squares = 0.0;
    Moments moments = {.least = G_MAXDOUBLE, .most = -G_MAXDOUBLE};

    for (int i = 0; i < DRAWS; i++) {
        const double x = draw(&rng);

        sum += x;
        squares += x * x;
        moments.least = MIN(moments.least, x);
        moments.most = MAX(moments.most, x);
    }
    moments.mean = sum / DRAWS;
    moments.variance = squares / DRAWS - moments.mean * moments.mean;
    return moments;
}

/* kurtosis: fourth central moment over variance squared; it sets the error of a sample variance. */
static void check(Draw draw, double mean, double variance, double kurtosis)
{
    const Moments got = sample(draw);

    g_assert_cmpfloat_with_epsilon(got.mean, mean, 5.0 * sqrt(variance / DRAWS));
    g_assert_cmpfloat_with_epsilon(got.variance, variance,
                                   5.0 * variance * sqrt((kurtosis - 1.0) / DRAWS));
}

/* Outputs from the state {1, 2, 3, 4} by hand. An output is rotl(s1 * 5, 7) * 9, and
 * 2 * 5 * 128 * 9 = 11520. The next s1 is 2 ^ (3 ^ 1) = 0; s2 is then (3 ^ 1) ^ (2 << 17) = 0x40002
 * and s0 is 1 ^ (4 ^ 2) = 7, so the s1 after it is 0 ^ (0x40002 ^ 7) = 0x40005, that is 262149, and
 * 262149 * 5 * 128 * 9 = 1509978240. */
static void test_generator(void)
{
    TsimRng rng = {{1, 2, 3, 4}};

    g_assert_cmpuint(tsim_rng_bits(&rng), ==, 11520);
    g_assert_cmpuint(tsim_rng_bits(&rng), ==, 0);
    g_assert_cmpuint(tsim_rng_bits(&rng), ==, 1509978240);
}

static void test_names(void)
{
    const TsimRng first = tsim_rng_at(1, 2, 3);
    const TsimRng again = tsim_rng_at(1, 2, 3);
    const TsimRng others[] = {tsim_rng_at(2, 2, 3), tsim_rng_at(1, 3, 3), tsim_rng_at(1, 2, 4)};

    g_assert_true(memcmp(&first, &again, sizeof first) == 0);
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++) {
        for (int word = 0; word < 4; word++) {
            g_assert_cmpuint(first.state[word], !=, others[i].state[word]);
        }
    }
}

/* First draws of neighbouring indices must be as good as successive draws of one stream: their
 * mean, and the correlation of neighbours, are those of independent uniforms (errors 1 / sqrt(12 N)
 * and about 1 / (12 sqrt(N))). */
static void test_entities_are_independent(void)
{
    double sum = 0.0;
    double products = 0.0;
    double previous = 0.5;

    for (uint64_t i = 0; i < DRAWS; i++) {
        TsimRng rng = tsim_rng_at(7, tsim_hash_string("entities"), i);
        const double x = tsim_rng_uniform(&rng);

        sum += x;
        products += (x - 0.5) * (previous - 0.5);
        previous = x;
    }
    g_assert_cmpfloat_with_epsilon(sum / DRAWS, 0.5, 5.0 / sqrt(12.0 * DRAWS));
    g_assert_cmpfloat_with_epsilon(products / DRAWS, 0.0, 5.0 / (12.0 * sqrt(DRAWS)));
}

static void test_below(void)
{
    TsimRng rng = tsim_rng_at(1, 1, 1);
    uint32_t counts[6] = {0};

    for (int i = 0; i < 60000; i++) {
        counts[tsim_rng_below(&rng, 6)]++;
    }
    for (int i = 0; i < 6; i++) { /* deviation of a count: sqrt(60000 * 1/6 * 5/6) = 91.3 */
        g_assert_cmpuint(counts[i], >, 10000 - 457);
        g_assert_cmpuint(counts[i], <, 10000 + 457);
    }
    g_assert_cmpuint(tsim_rng_below(&rng, 1), ==, 0);
}

static double draw_normal(TsimRng *rng)
{
    return tsim_rng_normal(rng, -3.0, 2.0);
}

static double draw_lognormal(TsimRng *rng)
{
    return tsim_rng_lognormal(rng, 8.0, 4.0);
}

static double draw_gamma(TsimRng *rng)
{
    return tsim_rng_gamma(rng, 8.0, 4.0);
}

static double draw_gamma_steep(TsimRng *rng)
{
    return tsim_rng_gamma(rng, 2.0, 4.0);
}

static double draw_exponential(TsimRng *rng)
{
    return tsim_rng_exponential(rng, 5.0);
}

static double draw_beta(TsimRng *rng)
{
    return tsim_rng_beta(rng, 0.25, 0.125);
}

static double draw_poisson(TsimRng *rng)
{
    const uint64_t count = tsim_rng_poisson(rng, 3.5);

    return (double)count;
}

static double draw_poisson_large(TsimRng *rng)
{
    const uint64_t count = tsim_rng_poisson(rng, 1000.0);

    return (double)count;
}

static void test_uniform(void)
{
    const Moments got = sample(tsim_rng_uniform);

    check(tsim_rng_uniform, 0.5, 1.0 / 12.0, 1.8);
    g_assert_cmpfloat(got.least, >=, 0.0);
    g_assert_cmpfloat(got.most, <, 1.0);
}

static void test_normal(void)
{
    check(draw_normal, -3.0, 4.0, 3.0);
}

/* w = exp(sigma^2) = 1 + (4/8)^2 = 1.25; kurtosis = w^4 + 2 w^3 + 3 w^2 - 3 = 8.04. */
static void test_lognormal(void)
{
    check(draw_lognormal, 8.0, 16.0, 8.04);
    g_assert_cmpfloat(sample(draw_lognormal).least, >, 0.0);
}

/* Shape k = (mean / deviation)^2: 4, and 1/4 for the steep one; kurtosis = 3 + 6 / k. */
static void test_gamma(void)
{
    check(draw_gamma, 8.0, 16.0, 4.5);
    check(draw_gamma_steep, 2.0, 16.0, 27.0);
}

static void test_exponential(void)
{
    check(draw_exponential, 5.0, 25.0, 9.0);
}

/* a + b = 0.1875 / 0.015625 - 1 = 11, so a = 2.75, b = 8.25 and the kurtosis is
 * 3 + 6 ((a - b)^2 (a + b + 1) - a b (a + b + 2)) / (a b (a + b + 2) (a + b + 3)) = 3.099. */
static void test_beta(void)
{
    const Moments got = sample(draw_beta);

    check(draw_beta, 0.25, 0.015625, 3.099);
    g_assert_cmpfloat(got.least, >=, 0.0);
    g_assert_cmpfloat(got.most, <=, 1.0);
}

/* Kurtosis 3 + 1 / mean. */
static void test_poisson(void)
{
    check(draw_poisson, 3.5, 3.5, 3.2858);
    check(draw_poisson_large, 1000.0, 1000.0, 3.001);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rng/generator", test_generator);
    g_test_add_func("/rng/names", test_names);
    g_test_add_func("/rng/entities", test_entities_are_independent);
    g_test_add_func("/rng/below", test_below);
    g_test_add_func("/rng/uniform", test_uniform);
    g_test_add_func("/rng/normal", test_normal);
    g_test_add_func("/rng/lognormal", test_lognormal);
    g_test_add_func("/rng/gamma", test_gamma);
    g_test_add_func("/rng/exponential", test_exponential);
    g_test_add_func("/rng/beta", test_beta);
    g_test_add_func("/rng/poisson", test_poisson);
    return g_test_run();
}
