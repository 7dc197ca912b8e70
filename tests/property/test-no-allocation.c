/* No allocation while a run goes on: every shipped scenario, in both modes, with vertex reuse.
 *
 * This program's malloc, calloc and realloc stand in for those of the C library, in GLib and GSL
 * too, and count. Sanitizers bring their own; there is nothing to test then.
 */
#include "io/data-files.h"
#include "io/scenario-json.h"
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#    define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#    define SANITIZED 1
#else
#    define SANITIZED 0
#endif

static gboolean armed;
static guint allocations;

#if !SANITIZED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
    allocations += armed ? 1 : 0;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations += armed ? 1 : 0;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    allocations += armed ? 1 : 0;
    return __libc_realloc(block, size);
}
#endif

static guint counted(void)
{
    armed = FALSE;
    return allocations;
}

static void arm(void)
{
    allocations = 0;
    armed = TRUE;
}

/* Or the other tests would prove nothing. */
static void test_counter(void)
{
    if (SANITIZED) {
        g_test_skip("a sanitizer has its own malloc");
        return;
    }
    arm();
    char *volatile text = g_strdup("one");
    text = g_realloc(text, 1000);
    char *volatile zeros = g_malloc0(8);
    g_assert_cmpuint(counted(), ==, 3);
    g_free(text);
    g_free(zeros);
}

/* mode: a setting of draws, or NULL. */
static void check_run(const char *path, const char *const *roots, const char *set)
{
    const char *const sets[] = {set, NULL};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimScenario) scenario =
        tsim_scenario_json_load(path, sets, NULL, roots, warnings, &error);

    g_assert_no_error(error);
    g_autoptr(TsimMachine) machine = tsim_machine_new(scenario, warnings, &error);
    g_assert_no_error(error);
    arm();
    const gboolean done = tsim_machine_run(machine, &error);
    const guint n = counted();
    g_assert_no_error(error);
    g_assert_true(done);
    g_assert_cmpuint(machine->events, >, 0);
    g_assert_cmpuint(n, ==, 0);
}

static gboolean has_draw(const char *path)
{
    g_autofree char *text = NULL;

    return g_file_get_contents(path, &text, NULL, NULL) &&
           strstr(text, "\"type\": \"draw\"") != NULL;
}

static void test_scenario(gconstpointer name)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_autofree char *path = tsim_data_find(roots, TSIM_DATA_SCENARIOS, name);

    if (SANITIZED) {
        g_test_skip("a sanitizer has its own malloc");
        return;
    }
    if (strcmp(name, "bunny_lod") == 0 &&
        !g_file_test("/usr/share/glmark2/models/bunny.obj", G_FILE_TEST_EXISTS)) {
        g_test_skip("there is no bunny.obj");
        return;
    }
    check_run(path, roots, NULL);
    if (has_draw(path)) {
        check_run(path, roots, "mode=onchip");
        check_run(path, roots, "mode=offchip");
        check_run(path, roots, "vertex_reuse=fifo");
    }
}

int main(int argc, char **argv)
{
    const char *const roots[] = {g_getenv("TSIM_SOURCE_DIR"), NULL};
    g_auto(GStrv) names = tsim_data_names(roots, TSIM_DATA_SCENARIOS);

    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/no-allocation/counter", test_counter);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *path = g_strconcat("/no-allocation/", *name, NULL);
        g_test_add_data_func(path, *name, test_scenario);
    }
    return g_test_run();
}
