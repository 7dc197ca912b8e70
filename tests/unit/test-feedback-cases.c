/* All 304 golden cases of sampler feedback (S1-S9), and damaged case files. */
#include "base/error.h"
#include "io/feedback-cases.h"

#include <glib/gstdio.h>

/* The numbers of cases are those that the golden data states. */
static void test_golden(void)
{
    static const struct {
        const char *name;
        uint32_t cases;
    } lists[] = {{"feedback/feedback", 82},
                 {"feedback/texture", 108},
                 {"minmip_filter", 60},
                 {"encode", 7},
                 {"decode", 4},
                 {"lod_to_byte", 7},
                 {"region", 16},
                 {"wave", 20}};
    g_autofree char *path =
        g_build_filename(g_getenv("TSIM_GOLDEN_DIR"), "sampler_feedback_cases.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimCaseReport) report = tsim_feedback_cases_run(path, &error);
    g_autoptr(GString) out = g_string_new(NULL);

    g_assert_no_error(error);
    tsim_case_report_format(report, TRUE, out);
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        const TsimCaseList *list = tsim_case_report_list(report, lists[i].name, TRUE);

        if (list->failed > 0) {
            g_test_message("%s", out->str);
        }
        g_assert_cmpuint(list->failed, ==, 0);
        g_assert_cmpuint(list->passed, ==, lists[i].cases);
    }
}

static TsimCaseReport *run_text(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("feedback-cases-XXXXXX.json", &path, NULL);

    g_assert_cmpint(fd, >=, 0);
    g_assert_true(g_close(fd, NULL));
    g_assert_true(g_file_set_contents(path, text, -1, NULL));

    TsimCaseReport *report = tsim_feedback_cases_run(path, error);

    g_unlink(path);
    return report;
}

#define FILE_OF(cases) "{\"format\": \"sampler-feedback-cases/1\", \"cases\": [" cases "]}"

/* A wrong expectation must be seen, and shown with both values. */
static void test_failure_shows_both_values(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimCaseReport) report =
        run_text(FILE_OF("{\"id\": \"x\", \"kind\": \"encode\", \"level\": 5, \"expect\": "
                         "{\"byte\": 41}}"),
                 &error);
    g_autoptr(GString) out = g_string_new(NULL);

    g_assert_no_error(error);
    g_assert_cmpuint(tsim_case_report_strict_failures(report), ==, 1);
    tsim_case_report_format(report, TRUE, out);
    g_assert_nonnull(strstr(out->str, "x: expected 41, found 40"));
}

static void assert_refused(const char *text, const char *words)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimCaseReport) report = run_text(text, &error);

    g_assert_null(report);
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_INPUT);
    g_assert_nonnull(strstr(error->message, words));
}

static void test_damaged_files(void)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(tsim_feedback_cases_run("no-such-file.json", &error));
    g_assert_error(error, TSIM_ERROR, TSIM_ERROR_IO);
    assert_refused("", "not JSON");
    assert_refused("{\"format\": ", "not JSON");
    assert_refused("[]", "must be an object");
    assert_refused("{\"format\": \"other/1\", \"cases\": []}", "must be an object");
    assert_refused(FILE_OF("3"), "key 'id'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"dance\"}"), "key 'kind'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"encode\", \"level\": -1, \"expect\": "
                           "{\"byte\": 0}}"),
                   "key 'level'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"encode\", \"level\": 1}"), "key 'expect'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"feedback\", \"footprint\": 4}"),
                   "key 'footprint'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"minmip_filter\", \"map_width\": 2, "
                           "\"map_height\": 2, \"map_values\": [1, 2, 3]}"),
                   "key 'expect'");
    assert_refused(FILE_OF("{\"id\": \"x\", \"kind\": \"decode\", \"byte\": 256, \"expect\": "
                           "{\"level\": 0}}"),
                   "key 'byte'");
}

/* Lists of the wrong length or with wrong items; a size that no list can match. */
static void test_damaged_lists(void)
{
    static const char *const cases[][2] = {
        {"\"uv\": [0, 0], \"map_height\": 2, \"map_values\": [1, 2, 3]", "map_values"},
        {"\"uv\": [0, 0], \"map_height\": 4000000000, \"map_values\": [1]", "map_values"},
        {"\"uv\": [0, 0], \"map_height\": 1, \"map_values\": [1, 256]", "map_values"},
        {"\"uv\": [0, 0], \"map_height\": 1, \"map_values\": [1, \"2\"]", "map_values"},
        {"\"uv\": [0, 0], \"map_height\": 0, \"map_values\": []", "map_width"},
        {"\"uv\": [0, null], \"map_height\": 1, \"map_values\": [1, 2]", "uv"},
        {"\"uv\": [0, 0, 0, 0], \"map_height\": 1, \"map_values\": [1, 2]", "uv"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            FILE_OF("{\"id\": \"x\", \"kind\": \"minmip_filter\", \"filter\": \"point\", "
                    "\"address_u\": \"clamp\", \"address_v\": \"clamp\", \"map_width\": 2, "
                    "\"expect\": {\"clamp\": 0, \"tolerance\": 0}, %s}"),
            cases[i][0]);
        g_autofree char *key = g_strdup_printf("key '%s'", cases[i][1]);

        assert_refused(text, key);
    }
}

/* A case that asks for what the units refuse fails, with the reason. */
static void test_refused_case(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimCaseReport) report =
        run_text(FILE_OF("{\"id\": \"x\", \"kind\": \"minmip_filter\", \"filter\": \"point\", "
                         "\"address_u\": \"border\", \"address_v\": \"clamp\", \"map_width\": 1, "
                         "\"map_height\": 1, \"map_values\": [1], \"uv\": [2, 0], "
                         "\"expect\": {\"clamp\": 0, \"tolerance\": 0}}"),
                 &error);
    g_autoptr(GString) out = g_string_new(NULL);

    g_assert_no_error(error);
    tsim_case_report_format(report, TRUE, out);
    g_assert_nonnull(strstr(out->str, "found the error: residency filter: address mode border"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/feedback-cases/golden", test_golden);
    g_test_add_func("/feedback-cases/failure-shows-both-values", test_failure_shows_both_values);
    g_test_add_func("/feedback-cases/damaged-files", test_damaged_files);
    g_test_add_func("/feedback-cases/damaged-lists", test_damaged_lists);
    g_test_add_func("/feedback-cases/refused-case", test_refused_case);
    return g_test_run();
}
