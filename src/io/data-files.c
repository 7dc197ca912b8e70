#include "io/data-files.h"

#include <string.h>

#define SUFFIX ".json"

char **tsim_data_roots(const char *beside, const char *const *extra)
{
    GPtrArray *roots = g_ptr_array_new();

    g_ptr_array_add(roots, g_strdup("."));
    if (beside != NULL) {
        g_autofree char *folder = g_path_get_dirname(beside);
        g_ptr_array_add(roots, g_build_filename(folder, "..", NULL));
    }
    for (; extra != NULL && *extra != NULL; extra++) {
        g_ptr_array_add(roots, g_strdup(*extra));
    }
    g_ptr_array_add(roots, NULL);
    return (char **)g_ptr_array_free(roots, FALSE);
}

char *tsim_data_find(const char *const *roots, const char *folder, const char *name)
{
    g_autofree char *file = g_strconcat(name, SUFFIX, NULL);

    for (; *roots != NULL; roots++) {
        g_autofree char *path = strcmp(*roots, ".") == 0
                                    ? g_build_filename(folder, file, NULL)
                                    : g_build_filename(*roots, folder, file, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&path);
        }
    }
    return NULL;
}

static void add_names(GHashTable *names, const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *file;

    while (folder != NULL && (file = g_dir_read_name(folder)) != NULL) {
        if (g_str_has_suffix(file, SUFFIX)) {
            (void)g_hash_table_add(names, g_strndup(file, strlen(file) - strlen(SUFFIX)));
        }
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **tsim_data_names(const char *const *roots, const char *folder)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    guint n;

    for (; *roots != NULL; roots++) {
        g_autofree char *path = g_build_filename(*roots, folder, NULL);
        add_names(names, path);
    }
    char **list = (char **)g_hash_table_get_keys_as_array(names, &n);
    g_hash_table_steal_all(names);
    qsort(list, n, sizeof *list, compare_names);
    return list;
}
