/* What a sweep is made of: axes, designs, lines. */
#include "base/error.h"
#include "io/axis.h"
#include "io/flat-line.h"
#include "search/design.h"

#include <string.h>

/* ---- Axes ---- */

static void assert_values(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    TsimAxis axis;

    g_assert_true(tsim_axis_parse(&axis, text, &error));
    g_assert_no_error(error);
    g_autofree char *got = g_strjoinv(" ", axis.values[0]);
    g_assert_cmpstr(got, ==, expected);
    tsim_axis_clear(&axis);
}

static void test_axis_values(void)
{
    assert_values("k=3:6", "3 4 5 6");
    assert_values("k=0:1:0.1", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    assert_values("k=-100:-99.6:0.1", "-100 -99.9 -99.8 -99.7 -99.6");
    assert_values("k=-0.3:0.2:0.1", "-0.3 -0.2 -0.1 0 0.1 0.2");
    assert_values("seed=1000000000001:1000000000003", "1000000000001 1000000000002 1000000000003");
    assert_values("seed=999999999999998:999999999999999", "999999999999998 999999999999999");
    assert_values("k=1:64:x2", "1 2 4 8 16 32 64");
    assert_values("k=1:60:x2", "1 2 4 8 16 32");
    assert_values("k=1:4,8,16:17", "1 2 3 4 8 16 17");
    assert_values("gpu=xbox_one,bonaire", "xbox_one bonaire");
    assert_values("f={\"a\":[1,2]},\"x,y\"", "{\"a\":[1,2]} \"x,y\"");
}

static void test_axis_together(void)
{
    g_autoptr(GError) error = NULL;
    TsimAxis axis;

    g_assert_true(tsim_axis_parse(&axis, "a=1,2;b=x,y", &error));
    g_autofree char *label = tsim_axis_label(&axis, 1);
    g_assert_cmpstr(label, ==, "a=2 b=y");
    tsim_axis_clear(&axis);
    g_assert_false(tsim_axis_parse(&axis, "a=1,2;b=x", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_USAGE);
}

static void test_axis_refused(void)
{
    static const char *const wrong[] = {"k",
                                        "=1",
                                        "k=",
                                        "k=1,,2",
                                        "k=4:1",
                                        "k=1:4:0",
                                        "k=1:4:-1",
                                        "k=0:4:x2",
                                        "k=1:4:x1",
                                        "k=1:1000000000000000",
                                        "k=-1000000000000000:1"};

    for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        TsimAxis axis;
        g_assert_false(tsim_axis_parse(&axis, wrong[i], &error));
        g_assert_error(error, TSIM_ERROR, TSIM_ERROR_USAGE);
        g_assert_nonnull(strstr(error->message, wrong[i]));
    }
}

/* ---- Designs ---- */

static TsimSweepPlan *new_plan(TsimSampling sampling, uint64_t points, const char *const *vary)
{
    TsimSweepPlan *plan = tsim_sweep_plan_new();
    g_autoptr(GError) error = NULL;

    g_strfreev(plan->vary);
    plan->vary = g_new0(char *, 3);
    for (int i = 0; i < 2; i++) {
        plan->vary[i] = g_strdup(vary[i]);
    }
    plan->sampling = (int)sampling;
    plan->points = points;
    g_assert_true(tsim_sweep_plan_finish(plan, &error));
    return plan;
}

static const char *const vary_64[] = {"a=1:64", "b=1:64", NULL};

/* The last axis changes fastest, and every pair comes once. */
static void test_design_grid(void)
{
    static const char *const vary[] = {"a=1:3", "b=1:2", NULL};
    g_autoptr(TsimSweepPlan) plan = new_plan(TSIM_SAMPLING_GRID, 0, vary);
    g_autoptr(TsimDesign) design = tsim_design_new(plan, NULL);

    g_assert_cmpuint(plan->points, ==, 6);
    for (uint64_t point = 0; point < 6; point++) {
        g_assert_cmpuint(tsim_design_level(design, point, 0), ==, point / 2);
        g_assert_cmpuint(tsim_design_level(design, point, 1), ==, point % 2);
    }
}

/* 64 points over 64 levels: a Latin design uses each level of each axis exactly once. */
static void test_design_latin(void)
{
    g_autoptr(TsimSweepPlan) plan = new_plan(TSIM_SAMPLING_LATIN, 64, vary_64);
    g_autoptr(TsimDesign) design = tsim_design_new(plan, NULL);

    for (guint axis = 0; axis < 2; axis++) {
        uint64_t seen = 0;
        for (uint64_t point = 0; point < 64; point++) {
            seen |= UINT64_C(1) << tsim_design_level(design, point, axis);
        }
        g_assert_cmpuint(seen, ==, UINT64_MAX);
    }
}

/* The cells of an 8 x 8 board that 256 points leave empty: independent points miss some, the first
 * 256 of a Sobol sequence (a net in two dimensions), shifted or not, none. */
static void test_design_sobol(void)
{
    g_autoptr(TsimSweepPlan) plan = new_plan(TSIM_SAMPLING_SOBOL, 256, vary_64);
    g_autoptr(TsimDesign) design = tsim_design_new(plan, NULL);
    uint64_t cells = 0;

    for (uint64_t point = 0; point < 256; point++) {
        cells |= UINT64_C(1) << (tsim_design_level(design, point, 0) / 8 * 8 +
                                 tsim_design_level(design, point, 1) / 8);
    }
    g_assert_cmpuint(cells, ==, UINT64_MAX);
}

/* A design is a function of its plan, and another seed gives another one. */
static void test_design_seeds(void)
{
    static const TsimSampling samplings[] = {TSIM_SAMPLING_RANDOM, TSIM_SAMPLING_SOBOL,
                                             TSIM_SAMPLING_LATIN};

    for (gsize i = 0; i < G_N_ELEMENTS(samplings); i++) {
        g_autoptr(TsimSweepPlan) plan = new_plan(samplings[i], 50, vary_64);
        g_autoptr(TsimDesign) a = tsim_design_new(plan, NULL);
        g_autoptr(TsimDesign) b = tsim_design_new(plan, NULL);
        plan->seed++;
        g_autoptr(TsimDesign) c = tsim_design_new(plan, NULL);
        guint different = 0;
        for (uint64_t point = 0; point < 50; point++) {
            g_assert_cmpuint(tsim_design_level(a, point, 0), ==, tsim_design_level(b, point, 0));
            different += tsim_design_level(a, point, 0) != tsim_design_level(c, point, 0) ? 1 : 0;
        }
        g_assert_cmpuint(different, >, 25);
    }
}

/* ---- Lines ---- */

static gboolean is_whole(const char *line)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;

    while (tsim_flat_line_next(&cursor, &member)) {
    }
    return cursor.at != NULL;
}

static const char awkward[] = "a \"quoted\" \\ back\nslash, {braces}: \x01 and \xc3\xa9";

static char *make_line(void)
{
    GString *line = g_string_new("{");

    tsim_flat_line_count(line, "point", 12);
    tsim_flat_line_text(line, "name", awkward);
    tsim_flat_line_value(line, "a", "-1.5e-7");
    tsim_flat_line_value(line, "b", "007");
    tsim_flat_line_value(line, "c", "true");
    g_string_append(line, "}\n");
    return g_string_free(line, FALSE);
}

static void test_line_round_trip(void)
{
    static const char *const texts[] = {"12", awkward, "-1.5e-7", "007", "true"};
    static const gboolean are_text[] = {FALSE, TRUE, FALSE, TRUE, FALSE};
    g_autofree char *line = make_line();
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_true(tsim_flat_line_next(&cursor, &member));
        g_autofree char *text = tsim_flat_member_text(&member);
        g_assert_cmpstr(text, ==, texts[i]);
        g_assert_cmpint(member.is_text, ==, are_text[i]);
    }
    g_assert_false(tsim_flat_line_next(&cursor, &member));
    g_assert_nonnull(cursor.at);
}

/* A line that was cut anywhere is not taken for a whole one. */
static void test_line_torn(void)
{
    g_autofree char *line = make_line();
    const gsize length = strlen(line) - 1;

    g_assert_true(is_whole(line));
    for (gsize cut = 0; cut < length; cut++) {
        g_autofree char *torn = g_strndup(line, cut);
        g_assert_false(is_whole(torn));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sweep/axis/values", test_axis_values);
    g_test_add_func("/sweep/axis/together", test_axis_together);
    g_test_add_func("/sweep/axis/refused", test_axis_refused);
    g_test_add_func("/sweep/design/grid", test_design_grid);
    g_test_add_func("/sweep/design/latin", test_design_latin);
    g_test_add_func("/sweep/design/sobol", test_design_sobol);
    g_test_add_func("/sweep/design/seeds", test_design_seeds);
    g_test_add_func("/sweep/line/round-trip", test_line_round_trip);
    g_test_add_func("/sweep/line/torn", test_line_torn);
    return g_test_run();
}
