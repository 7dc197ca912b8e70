/* io/ray-cases.h on golden/ray_cases.json, whose answers come from exact rational arithmetic. */
#include "base/error.h"
#include "io/ray-cases.h"

#include <glib/gstdio.h>
#include <string.h>

static char *golden_path(void)
{
    return g_build_filename(g_getenv("TSIM_GOLDEN_DIR"), "ray_cases.json", NULL);
}

static TsimRayOptions default_options(void)
{
    TsimRayOptions options;

    tsim_fields_init(tsim_ray_option_fields, &options);
    return options;
}

static void check_counts(int edges, const unsigned passed[TSIM_RAY_CASES_LISTS])
{
    g_autofree char *path = golden_path();
    g_autoptr(GError) error = NULL;
    TsimRayOptions options = default_options();

    options.edges = edges;

    g_autoptr(TsimRayCases) cases = tsim_ray_cases_run(path, &options, &error);

    g_assert_no_error(error);
    g_assert_true(tsim_ray_cases_passed(cases));
    for (int list = 0; list < TSIM_RAY_CASES_LISTS; list++) {
        g_assert_cmpuint(cases->counts[list].passed, ==, passed[list]);
        g_assert_cmpuint(cases->counts[list].failed, ==, 0);
    }
}

/* R6-R9: every strict row; every shared edge and closed fan exactly once. The 18 open rows lie
 * exactly on an edge or a corner that belongs to the other triangle. */
static void test_single_hit(void)
{
    static const unsigned passed[] = {200, 182, 40, 40, 40};

    check_counts(TSIM_RAY_EDGE_SINGLE_HIT, passed);
    check_counts(TSIM_RAY_EDGE_SINGLE_HIT_ROUNDED, passed);
}

/* With closed triangles the exact geometry is met on every row. */
static void test_closed(void)
{
    static const unsigned passed[] = {200, 200, 40, 40, 40};

    check_counts(TSIM_RAY_EDGE_CLOSED, passed);
}

static void write_file(char **path, const char *text)
{
    const int file = g_file_open_tmp("ray-cases-XXXXXX.json", path, NULL);

    g_assert_cmpint(file, >=, 0);
    g_close(file, NULL);
    g_assert_true(g_file_set_contents(*path, text, -1, NULL));
}

static TsimRayCases *run_text(const char *text, GError **error)
{
    const TsimRayOptions options = default_options();
    g_autofree char *path = NULL;
    TsimRayCases *cases;

    write_file(&path, text);
    cases = tsim_ray_cases_run(path, &options, error);
    g_unlink(path);
    return cases;
}

#define RAY "\"origin\":[0,0,0],\"dir\":[0,0,1],\"inv_dir\":[\"inf\",\"inf\",1],\"extent\":9,"

/* A wrong answer in the file shows up with both values. */
static void test_reports_both_values(void)
{
    static const char text[] = "{\"format\":\"ray-cases\",\"ray_box\":["
                               "{\"id\":\"a\"," RAY "\"box_min\":[-1,-1,2],\"box_max\":[1,1,3],"
                               "\"expect\":\"miss\",\"strict\":true}]}";
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimRayCases) cases = run_text(text, &error);
    g_autoptr(GString) report = g_string_new(NULL);

    g_assert_no_error(error);
    g_assert_false(tsim_ray_cases_passed(cases));
    g_assert_cmpuint(cases->counts[TSIM_RAY_CASES_BOX].failed, ==, 1);
    tsim_ray_cases_format(cases, TRUE, report);
    g_assert_nonnull(strstr(report->str, "ray_box         0 passed    1 failed\n"));
    g_assert_nonnull(strstr(report->str, "ray_box a: expected miss near 0, found hit near 2 (growth"
                                         " 0); hit near 2 (growth 6); hit near 2 (growth 255)\n"));
}

static void check_bad(const char *text, const char *part)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(run_text(text, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, part));
}

static void test_bad_files(void)
{
    const TsimRayOptions options = default_options();
    g_autoptr(GError) error = NULL;

    check_bad("{", "not JSON");
    check_bad("[]", "/format must be \"ray-cases\"");
    check_bad("{\"format\":\"rays\"}", "/format must be \"ray-cases\"");
    check_bad("{\"format\":\"ray-cases\",\"ray_box\":[{\"id\":\"a\"}]}",
              "/ray_box, case a: \"origin\" must be numbers");
    check_bad("{\"format\":\"ray-cases\",\"ray_box\":[7]}", "\"id\" must be a string");
    check_bad("{\"format\":\"ray-cases\",\"shared_edge\":[{\"id\":\"e\"," RAY
              "\"tie_break_hits\":1,"
              "\"triangles\":[]}]}",
              "/shared_edge, case e: \"triangles\" must be a list of 1 to 16 triangles");
    check_bad("{\"format\":\"ray-cases\",\"box4_sort\":[{\"id\":\"s\"," RAY "\"boxes\":[]}]}",
              "/box4_sort, case s: \"unsorted\" must be four numbers");
    g_assert_null(tsim_ray_cases_run("no-such-file.json", &options, &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ray-cases/single-hit", test_single_hit);
    g_test_add_func("/ray-cases/closed", test_closed);
    g_test_add_func("/ray-cases/reports-both-values", test_reports_both_values);
    g_test_add_func("/ray-cases/bad-files", test_bad_files);
    return g_test_run();
}
