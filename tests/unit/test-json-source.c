/* io/json-text.h, io/json-source.h, io/suggest.h: damaged JSON is reported with file, line, column
 * and pointer (interface.md, "Bad input"); sound JSON keeps its places. */
#include "io/json-source.h"
#include "io/json-text.h"
#include "io/suggest.h"

#include <string.h>

/* All complaints about a text, NULL when there are none. */
static char *complaints(const char *text, size_t length)
{
    g_autoptr(GError) error = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("a.json", text, length, &problems);
    tsim_json_source_free(source);
    if (tsim_problems_finish(&problems, &error)) {
        g_assert_nonnull(source);
        return NULL;
    }
    return g_strdup(error->message);
}

static void assert_complaints(const char *text, const char *expected)
{
    g_autofree char *got = complaints(text, strlen(text));

    g_assert_cmpstr(got, ==, expected);
}

static void test_sound(void)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        " null ",
        "\"a\\u00e9\\ud83d\\ude00\\n\"",
        "[1, -0, 0.5, 1e3, 1.5E-3, 18446744073709551615, -9223372036854775808]",
        "// one\n{\"a\": /* two * / */ [true, false, null], \"//\": \"/* no comment */\"} // three",
        "\xef\xbb\xbf{}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    };

    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_complaints(texts[i], NULL);
    }
}

static void test_not_json(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "a.json:1:1: /: got the end of the text, expected a value"},
        {"  // nothing\n", "a.json:2:1: /: got the end of the text, expected a value"},
        {"hello", "a.json:1:1: /: got hello, expected a JSON value: a number, a string in double "
                  "quotes, true, false, null, an object or an array"},
        {"{} {}", "a.json:1:4: /: got '{', expected the end of the text"},
        /* Truncated in various places. */
        {"{", "a.json:1:2: /: got the end of the text, expected a key in double quotes"},
        {"{\"work\": [1, 2", "a.json:1:15: /work/1: got the end of the text, expected ',' or ']'"},
        {"{\"a\":\n{\"b\"", "a.json:2:5: /a/b: got the end of the text, expected ':'"},
        {"{\"a\": ", "a.json:1:7: /a: got the end of the text, expected a value"},
        {"{\"a\": \"xy",
         "a.json:1:10: /a: got the end of the text, expected '\"' at the end of the string"},
        {"{\"a\": /* 1}", "a.json:1:7: /: got a comment without end, expected \"*/\" to close it"},
        /* Punctuation. */
        {"{\"a\" 1}", "a.json:1:6: /a: got 1, expected ':'"},
        {"{\"a\": 1 \"b\": 2}", "a.json:1:9: /a: got '\"', expected ',' or '}'"},
        {"[1, 2,]", "a.json:1:7: /2: got ']', expected a value"},
        {"{\"a\": 1,}", "a.json:1:9: /: got '}', expected a key in double quotes"},
        {"{a: 1}", "a.json:1:2: /: got a, expected a key in double quotes"},
        /* Strings. */
        {"{\"a\": \"x\ny\"}", "a.json:1:9: /a: got a line break inside a string, expected '\"'"},
        {"[\"\\x41\"]", "a.json:1:3: /0: got \"\\x\", expected one of the escapes of JSON for a "
                        "character other than NUL"},
        {"[\"\\ud800!\"]", "a.json:1:3: /0: got \"\\ud800\", expected one of the escapes of JSON "
                           "for a character other than NUL"},
        {"[\"\\u0000\"]", "a.json:1:3: /0: got \"\\u0000\", expected one of the escapes of JSON "
                          "for a character other than NUL"},
        /* A complaint is one line, and does nothing to a terminal. */
        {"{\"a\\n\\u001b\": x}",
         "a.json:1:15: /a??: got x, expected a JSON value: a number, a string in double quotes, "
         "true, false, null, an object or an array"},
        /* Columns are characters. */
        {"[\"\xc3\xa9\xe2\x82\xac\", x]",
         "a.json:1:8: /1: got x, expected a JSON value: a number, a string in double quotes, true, "
         "false, null, an object or an array"},
        {"/* \xc3\xa9 */ [x]",
         "a.json:1:10: /0: got x, expected a JSON value: a number, a string in double quotes, "
         "true, false, null, an object or an array"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_complaints(cases[i].text, cases[i].expected);
    }
}

/* json-c lets all of these pass; the text goes on after them, so all are reported. */
static void test_almost_json(void)
{
#define NO_VALUE                                                                                   \
    ", expected a JSON value: a number, a string in double quotes, true, false, null, an object "  \
    "or an array"

    assert_complaints("{\"a\": NaN,\n \"b\": [-Infinity, 007],\n \"c\": 'x', \"d\": True}",
                      "a.json:1:7: /a: got NaN" NO_VALUE "\n"
                      "a.json:2:8: /b/0: got -Infinity" NO_VALUE "\n"
                      "a.json:2:19: /b/1: got 007" NO_VALUE "\n"
                      "a.json:3:7: /c: got single quotes, expected a string in double quotes\n"
                      "a.json:3:17: /d: got True" NO_VALUE);
    assert_complaints("[+1, .5, 1., 0x10, 1e]", "a.json:1:2: /0: got +1" NO_VALUE "\n"
                                                "a.json:1:6: /1: got .5" NO_VALUE "\n"
                                                "a.json:1:10: /2: got 1." NO_VALUE "\n"
                                                "a.json:1:14: /3: got 0x10" NO_VALUE "\n"
                                                "a.json:1:20: /4: got 1e" NO_VALUE);
#undef NO_VALUE
}

static void test_out_of_range(void)
{
    assert_complaints(
        "[99999999999999999999, -9223372036854775809, 1e999, -1e999, 1e-999]",
        "a.json:1:2: /0: got 99999999999999999999, expected a number that fits 64 bits\n"
        "a.json:1:24: /1: got -9223372036854775809, expected a number that fits 64 bits\n"
        "a.json:1:46: /2: got 1e999, expected a number that fits a double\n"
        "a.json:1:53: /3: got -1e999, expected a number that fits a double\n"
        "a.json:1:61: /4: got 1e-999, expected a number that fits a double");
}

static void test_duplicate_keys(void)
{
    assert_complaints("{\"a\": {\"b\": 1,\n  \"b\": 2, \"c~/\": 3, \"c~/\": 4},\n \"\\u0061\": 0}",
                      "a.json:2:3: /a/b: got the key \"b\" again, expected every key once\n"
                      "a.json:2:21: /a/c~0~1: got the key \"c~/\" again, expected every key once\n"
                      "a.json:3:2: /a: got the key \"a\" again, expected every key once");
}

static void test_encoding(void)
{
    static const char with_nul[] = "{\"a\":\n \0 1}";
    g_autofree char *nul = complaints(with_nul, sizeof with_nul - 1);

    g_assert_cmpstr(nul, ==, "a.json:2:2: /: got byte 0x00, expected text in UTF-8");
    assert_complaints("{\"a\": \"\xff\"}", "a.json:1:8: /: got byte 0xff, expected text in UTF-8");
    assert_complaints("\xff\xfe{\0}\0", "a.json:1:1: /: got byte 0xff, expected text in UTF-8");
    /* A byte-order mark takes no column. */
    assert_complaints("\xef\xbb\xbf{]", "a.json:1:2: /: got ']', expected a key in double quotes");
}

static void test_depth(void)
{
    g_autofree char *deep = g_strnfill(100000, '[');
    g_autofree char *got = complaints(deep, strlen(deep));

    g_assert_true(g_str_has_prefix(got, "a.json:1:33: /0/0/0/"));
    g_assert_true(
        g_str_has_suffix(got, "got a value that is nested deeper, expected at most 32 levels"));
}

/* No more than TSIM_PROBLEMS_MAX lines, and the number of the rest. */
static void test_many(void)
{
    g_autoptr(GString) text = g_string_new("[");

    for (int i = 0; i < 60; i++) {
        g_string_append(text, "nan, ");
    }
    g_string_append(text, "0]");
    g_autofree char *got = complaints(text->str, text->len);
    g_auto(GStrv) lines = g_strsplit(got, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 51);
    g_assert_cmpstr(lines[50], ==, "and 10 more errors");
}

static void assert_place(const char *text, const char *pointer, gboolean for_key, const char *rest)
{
    TsimJsonMemo memo = {0};
    const size_t offset = tsim_json_text_find(text, pointer, for_key, &memo);

    g_assert_true(g_str_has_prefix(text + offset, rest));
}

static void test_find(void)
{
    static const char text[] =
        " {\"a\": [10, {\"b\": \"x,]}\", \"c~/d\": {}}, -3.5], \"\\u0065\": 7, "
        "\"\": 8}";

    assert_place(text, "", FALSE, "{\"a\"");
    assert_place(text, "/a", FALSE, "[10");
    assert_place(text, "/a", TRUE, "\"a\"");
    assert_place(text, "/a/0", FALSE, "10");
    assert_place(text, "/a/1/b", FALSE, "\"x,]}\"");
    assert_place(text, "/a/1/c~0~1d", FALSE, "{}");
    assert_place(text, "/a/1/c~0~1d", TRUE, "\"c~/d\"");
    assert_place(text, "/a/2", FALSE, "-3.5");
    assert_place(text, "/e", FALSE, "7");
    /* What is not there is looked for as far as the text goes. */
    assert_place(text, "/f/g", FALSE, "{\"a\"");
    assert_place(text, "/a/7", FALSE, "[10");
    assert_place(text, "/a/1/z", FALSE, "{\"b\"");
    assert_place(text, "/e/z", FALSE, "7");
}

/* Searches that go on where the last one was find what those from the start find. */
static void test_memo(void)
{
    g_autoptr(GString) text = g_string_new("[[");
    TsimJsonMemo memo = {0};

    for (int i = 0; i < 100; i++) {
        g_string_append_printf(text, "%d,\n", 1000 + i);
    }
    g_string_append(text, "0], [");
    for (int i = 0; i < 100; i++) {
        g_string_append_printf(text, "%d, ", 2000 + i);
    }
    g_string_append(text, "0]]");
    for (int i = 0; i < 200; i++) {
        const int list = g_test_rand_int_range(0, 2);
        const int item = g_test_rand_int_range(0, 100);
        g_autofree char *pointer = g_strdup_printf("/%d/%d", list, item);
        g_autofree char *number = g_strdup_printf("%d", 1000 * (list + 1) + item);
        const size_t offset = tsim_json_text_find(text->str, pointer, FALSE, &memo);
        const TsimJsonPosition position = tsim_json_text_position(text->str, offset, &memo);
        g_assert_true(g_str_has_prefix(text->str + offset, number));
        g_assert_cmpuint(position.line, ==, list == 0 ? (size_t)item + 1 : 101);
        g_assert_cmpuint(position.column, ==,
                         list == 1   ? 6 + 6 * (size_t)item
                         : item == 0 ? 3U
                                     : 1U);
    }
}

static void test_position(void)
{
    TsimJsonMemo memo = {0};
    const TsimJsonPosition last = tsim_json_text_position("a\n\xc3\xa9z", 4, &memo);
    const TsimJsonPosition first = tsim_json_text_position("a\n\xc3\xa9z", 0, &memo);

    g_assert_cmpuint(first.line, ==, 1);
    g_assert_cmpuint(first.column, ==, 1);
    g_assert_cmpuint(last.line, ==, 2);
    g_assert_cmpuint(last.column, ==, 2);
}

static void test_files(void)
{
    static const struct {
        const char *path, *expected;
    } cases[] = {
        {"no/such.json", "no/such.json: cannot be read: No such file or directory"},
        {"/", "/: cannot be read: Is a directory"},
        /* Without end, so that it is also too large. */
        {"/dev/zero", "/dev/zero: got more than 16 MiB, expected a smaller file (long lists of "
                      "factors can stand in a CSV file)"},
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        TsimProblems problems;
        tsim_problems_init(&problems, NULL);
        g_assert_null(tsim_json_source_read(cases[i].path, &problems));
        g_assert_false(tsim_problems_finish(&problems, &error));
        g_assert_cmpstr(error->message, ==, cases[i].expected);
    }
}

static void test_suggest(void)
{
    static const char *const keys[] = {"patches", "patch_rule", "clock_mhz",
                                       "domain",  "seed",       NULL};

    g_assert_cmpstr(tsim_suggest("ptaches", keys), ==, "patches");
    g_assert_cmpstr(tsim_suggest("patchs", keys), ==, "patches");
    g_assert_cmpstr(tsim_suggest("Domain", keys), ==, "domain");
    g_assert_cmpstr(tsim_suggest("clock", keys), ==, "clock_mhz");
    g_assert_cmpstr(tsim_suggest("patch_ruels", keys), ==, "patch_rule");
    g_assert_null(tsim_suggest("x", (const char *const[]){NULL}));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/json/sound", test_sound);
    g_test_add_func("/json/not-json", test_not_json);
    g_test_add_func("/json/almost-json", test_almost_json);
    g_test_add_func("/json/out-of-range", test_out_of_range);
    g_test_add_func("/json/duplicate-keys", test_duplicate_keys);
    g_test_add_func("/json/encoding", test_encoding);
    g_test_add_func("/json/depth", test_depth);
    g_test_add_func("/json/many", test_many);
    g_test_add_func("/json/find", test_find);
    g_test_add_func("/json/memo", test_memo);
    g_test_add_func("/json/position", test_position);
    g_test_add_func("/json/files", test_files);
    g_test_add_func("/suggest", test_suggest);
    return g_test_run();
}
