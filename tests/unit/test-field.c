/* base/field.h and base/rate.h: defaults come from the table, rates are exact. */
#include "base/field.h"
#include "base/rate.h"

typedef struct {
    gboolean flag;
    uint32_t count;
    uint64_t bytes;
    double share;
    TsimRate rate;
    int word;
    char *name;
    double place[3];
} Sample;

static const char *const words[] = {"first", "second", NULL};

static const TsimField fields[] = {
    {"flag", TSIM_FIELD_BOOL, offsetof(Sample, flag), "", 0, 1, 1, NULL, FALSE, "a flag"},
    {"count", TSIM_FIELD_U32, offsetof(Sample, count), "", 0, 9, 7, NULL, FALSE, "a count"},
    {"bytes", TSIM_FIELD_U64, offsetof(Sample, bytes), "bytes", 0, 9, 8, NULL, FALSE, "bytes"},
    {"share", TSIM_FIELD_REAL, offsetof(Sample, share), "", 0, 1, 0.25, NULL, FALSE, "a share"},
    {"rate", TSIM_FIELD_RATE, offsetof(Sample, rate), "1/clk", 0.01, 9, 0.33, NULL, FALSE,
     "a rate"},
    {"word", TSIM_FIELD_ENUM, offsetof(Sample, word), "", 0, 0, 1, words, FALSE, "a word"},
    {"name", TSIM_FIELD_STRING, offsetof(Sample, name), "", 0, 0, 0, NULL, FALSE, "a name"},
    {"place", TSIM_FIELD_VEC3, offsetof(Sample, place), "", -9, 9, 1.5, NULL, FALSE, "a place"},
    {NULL, TSIM_FIELD_BOOL, 0, NULL, 0, 0, 0, NULL, FALSE, NULL},
};

static void test_defaults(void)
{
    Sample sample;

    tsim_fields_init(fields, &sample);
    g_assert_true(sample.flag);
    g_assert_cmpuint(sample.count, ==, 7);
    g_assert_cmpuint(sample.bytes, ==, 8);
    g_assert_cmpfloat(sample.share, ==, 0.25);
    g_assert_cmpuint(sample.rate.num, ==, 33);
    g_assert_cmpuint(sample.rate.den, ==, 100);
    g_assert_cmpint(sample.word, ==, 1);
    g_assert_null(sample.name);
    for (int axis = 0; axis < 3; axis++) {
        g_assert_cmpfloat(sample.place[axis], ==, 1.5);
    }
}

static void test_find(void)
{
    g_assert_true(tsim_field_find(fields, "share") == &fields[3]);
    g_assert_null(tsim_field_find(fields, "sha"));
    g_assert_cmpint(tsim_word_index(words, "second"), ==, 1);
    g_assert_cmpint(tsim_word_index(words, "third"), ==, -1);
}

static void test_rate(void)
{
    g_assert_cmpuint(tsim_rate_from_double(2.0).num, ==, 2);
    g_assert_cmpuint(tsim_rate_from_double(2.0).den, ==, 1);
    g_assert_cmpuint(tsim_rate_from_double(1e-9).num, ==, 1);
    g_assert_cmpuint(tsim_round_up(9000, 512), ==, 9216);
    g_assert_cmpuint(tsim_ceil_div(64, 64), ==, 1);
    g_assert_cmpuint(tsim_ceil_div(65, 64), ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/field/defaults", test_defaults);
    g_test_add_func("/field/find", test_find);
    g_test_add_func("/rate/exact", test_rate);
    return g_test_run();
}
