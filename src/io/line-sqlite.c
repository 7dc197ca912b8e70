/* The table of a sweep as an SQLite database, where the library is there. */
#include "base/error.h"
#include "io/line-table.h"

#ifndef HAVE_SQLITE

gboolean tsim_line_table_sqlite(const TsimLineTable *table, const char *path, GError **error)
{
    (void)table;
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_USAGE,
                "%s: this tesssim was built without SQLite; CSV has the same table", path);
    return FALSE;
}

#else

#    include "base/file-sink.h"

#    include <errno.h>
#    include <glib/gstdio.h>
#    include <sqlite3.h>
#    include <string.h>

/* With its final zero. */
#    define DATABASE_MAGIC "SQLite format 3"

typedef sqlite3 Database;
typedef sqlite3_stmt Statement;

static void close_database(Database *database)
{
    (void)sqlite3_close(database);
}

static void finish_statement(Statement *statement)
{
    (void)sqlite3_finalize(statement);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Database, close_database)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Statement, finish_statement)

static gboolean fail(const char *path, Database *database, GError **error)
{
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: %s", path, sqlite3_errmsg(database));
    return FALSE;
}

static gboolean execute(const char *path, Database *database, const char *sql, GError **error)
{
    return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(path, database, error);
}

/* "create table" with quoted names, and "insert" with one parameter a column. No types: a value
 * keeps its own. */
static void make_sql(const TsimLineTable *table, GString *create, GString *insert)
{
    g_string_assign(create, "create table runs (");
    g_string_assign(insert, "insert into runs values (");
    for (guint i = 0; i < table->columns->len; i++) {
        char *name =
            sqlite3_mprintf("%s\"%w\"", i > 0 ? ", " : "", (const char *)table->columns->pdata[i]);
        g_string_append(create, name);
        g_string_append(insert, i > 0 ? ", ?" : "?");
        sqlite3_free(name);
    }
    g_string_append_c(create, ')');
    g_string_append_c(insert, ')');
}

static int bind_number(Statement *statement, int column, const TsimFlatMember *member)
{
    const gboolean is_real = memchr(member->value, '.', member->value_length) != NULL ||
                             memchr(member->value, 'e', member->value_length) != NULL;
    const char first = *member->value;

    if (first == 't' || first == 'f') {
        return sqlite3_bind_int(statement, column, first == 't');
    }
    if (first == 'n') {
        return sqlite3_bind_null(statement, column);
    }
    return is_real
               ? sqlite3_bind_double(statement, column, g_ascii_strtod(member->value, NULL))
               : sqlite3_bind_int64(statement, column, g_ascii_strtoll(member->value, NULL, 10));
}

static int bind_member(Statement *statement, int column, const TsimFlatMember *member)
{
    if (!member->is_text) {
        return bind_number(statement, column, member);
    }
    if (memchr(member->value, '\\', member->value_length) == NULL) {
        return sqlite3_bind_text(statement, column, member->value, (int)member->value_length,
                                 SQLITE_STATIC);
    }
    return sqlite3_bind_text(statement, column, tsim_flat_member_text(member), -1, g_free);
}

static gboolean insert_line(const TsimLineTable *table, Statement *statement, const char *line)
{
    TsimFlatCursor cursor = tsim_flat_line_of(line);
    TsimFlatMember member;
    gboolean ok = sqlite3_clear_bindings(statement) == SQLITE_OK;

    for (guint at = 0; ok && tsim_flat_line_next(&cursor, &member); at++) {
        at = tsim_line_table_column(table, &member, at);
        ok = bind_member(statement, (int)at + 1, &member) == SQLITE_OK;
    }
    return ok && sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
}

static gboolean insert_lines(const TsimLineTable *table, const char *path, Database *database,
                             const char *sql, GError **error)
{
    g_autoptr(Statement) statement = NULL;

    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) {
        return fail(path, database, error);
    }
    for (uint64_t i = 0; i < table->lines_n; i++) {
        if (table->lines[i] != NULL && !insert_line(table, statement, table->lines[i])) {
            return fail(path, database, error);
        }
    }
    return TRUE;
}

/* The file is new and gets its name when it is whole: no journal is needed. */
static gboolean fill(const TsimLineTable *table, const char *path, GError **error)
{
    g_autoptr(GString) create = g_string_new(NULL);
    g_autoptr(GString) insert = g_string_new(NULL);
    g_autoptr(Database) database = NULL;

    make_sql(table, create, insert);
    if (sqlite3_open(path, &database) != SQLITE_OK) {
        return fail(path, database, error);
    }
    return execute(path, database, "pragma journal_mode = off; pragma synchronous = full; begin",
                   error) &&
           execute(path, database, create->str, error) &&
           insert_lines(table, path, database, insert->str, error) &&
           execute(path, database, "commit", error);
}

/* A database may be replaced, another file is not ours to lose. */
static gboolean may_replace(const char *path, GError **error)
{
    char begin[sizeof DATABASE_MAGIC] = {0};
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        return TRUE;
    }
    const size_t got = fread(begin, 1, sizeof begin, file);
    (void)fclose(file);
    if (got == 0 || memcmp(begin, DATABASE_MAGIC, sizeof begin) == 0) {
        return TRUE;
    }
    g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT,
                "%s: is no SQLite database, and is not replaced by one", path);
    return FALSE;
}

gboolean tsim_line_table_sqlite(const TsimLineTable *table, const char *path, GError **error)
{
    g_autofree char *beside = g_strdup_printf("%s.%08x", path, g_random_int());
    gboolean ok =
        tsim_file_sink_check(path, error) && may_replace(path, error) && fill(table, beside, error);

    if (ok && g_rename(beside, path) != 0) {
        g_set_error(error, TSIM_ERROR, TSIM_ERROR_OUTPUT, "%s: cannot be written: %s", path,
                    g_strerror(errno));
        ok = FALSE;
    }
    if (!ok) {
        (void)g_remove(beside);
    }
    return ok;
}

#endif
