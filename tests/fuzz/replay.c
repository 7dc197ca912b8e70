/* Runs the fuzz target without a fuzzer: each file of the folders given, every beginning of it, and
 * a fixed number of damaged copies. The same on every run. */
#include "fuzz-scenario.h"

#include <glib.h>
#include <string.h>

#define COPIES      300
#define PREFIX_STEP 7

static void run(const char *data, size_t size)
{
    (void)LLVMFuzzerTestOneInput((const uint8_t *)data, size);
}

/* Overwrites, removes or doubles a few bytes. */
static void damage(GString *text, GRand *rng)
{
    static const char likely[] = "{}[]:,\"'/*\\0-1e.\x80\xff\n";
    const int edits = g_rand_int_range(rng, 1, 4);

    for (int i = 0; i < edits && text->len > 1; i++) {
        const gint32 at = g_rand_int_range(rng, 0, (gint32)text->len);
        const gint32 length = g_rand_int_range(rng, 1, (gint32)MIN(text->len - (gsize)at, 40) + 1);
        g_autofree char *piece = g_strndup(text->str + at, (gsize)length);
        switch (g_rand_int_range(rng, 0, 3)) {
        case 0:
            text->str[at] = likely[g_rand_int_range(rng, 0, (gint32)sizeof likely - 1)];
            break;
        case 1:
            g_string_erase(text, at, length);
            break;
        default:
            g_string_insert(text, at, piece);
            break;
        }
    }
}

static void replay_file(const char *path)
{
    g_autoptr(GRand) rng = g_rand_new_with_seed(1);
    g_autofree char *data = NULL;
    gsize size;

    g_assert_true(g_file_get_contents(path, &data, &size, NULL));
    run(data, size);
    for (gsize length = 0; length < size; length += PREFIX_STEP) {
        run(data, length);
    }
    for (int i = 0; i < COPIES; i++) {
        g_autoptr(GString) text = g_string_new_len(data, (gssize)size);
        damage(text, rng);
        run(text->str, text->len);
    }
}

static void replay_folder(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;

    g_assert_nonnull(folder);
    while ((name = g_dir_read_name(folder)) != NULL) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        replay_file(file);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        replay_folder(argv[i]);
    }
    return 0;
}
