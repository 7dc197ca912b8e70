/* One input of the fuzzer: the text of a scenario, and after a NUL one KEY=VALUE to set. Whatever
 * it is, it gives either a scenario or complaints that each begin with a place.
 *
 * Built as a libFuzzer target with clang (`ninja tests/fuzz/fuzz-scenario`), and into the replay
 * test with every compiler.
 */
#include "fuzz-scenario.h"

#include "base/error.h"
#include "io/overrides.h"
#include "io/scenario-json.h"

#include <string.h>

static void check_complaints(const GError *error)
{
    g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);

    TSIM_ASSERT(lines[0] != NULL);
    for (char **line = lines; *line != NULL; line++) {
        TSIM_ASSERT(strstr(*line, ": ") != NULL || g_str_has_prefix(*line, "and "));
        TSIM_ASSERT(g_utf8_validate(*line, -1, NULL));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const no_roots[] = {NULL};
    g_autofree char *input = g_strndup((const char *)data, size);
    const size_t length = strlen(input);
    const char *set = length < size ? (const char *)data + length + 1 : NULL;
    g_autofree char *assignment = set != NULL ? g_strndup(set, size - length - 1) : NULL;
    g_autoptr(GError) error = NULL;
    TsimScenario *scenario = NULL;
    TsimProblems problems;

    tsim_problems_init(&problems, NULL);
    TsimJsonSource *source = tsim_json_source_parse("a.json", input, length, &problems);
    if (source != NULL) {
        if (assignment != NULL) {
            tsim_override_apply(source, "--set", assignment);
        }
        scenario = tsim_scenario_json_decode(source, no_roots, NULL);
    }
    tsim_json_source_free(source);
    if (!tsim_problems_finish(&problems, &error)) {
        check_complaints(error);
    } else {
        TSIM_ASSERT(scenario != NULL);
    }
    tsim_scenario_free(scenario);
    return 0;
}
