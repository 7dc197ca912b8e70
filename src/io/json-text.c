#include "io/json-text.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* Characters of a damaged text that a message shows. */
#define EXCERPT_MAX 32

static void blank(char *from, const char *to)
{
    for (; from < to; from++) {
        if (*from != '\n') {
            *from = ' ';
        }
    }
}

/* The end of the string whose opening quote is at text: past its closing quote, or the end of the
 * text. */
static const char *string_end(const char *text)
{
    text++;
    while (*text != '\0' && *text != '"') {
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return *text == '"' ? text + 1 : text;
}

gboolean tsim_json_text_blank_comments(char *text, size_t *ret_offset)
{
    char *at = text;

    while ((at = strpbrk(at, "\"/")) != NULL) {
        const char *end = at + 1;

        if (at[0] == '"') {
            end = string_end(at);
        } else if (at[1] == '/') {
            end = at + strcspn(at, "\n");
            blank(at, end);
        } else if (at[1] == '*') {
            const char *close = strstr(at + 2, "*/");
            if (close == NULL) {
                *ret_offset = (size_t)(at - text);
                return FALSE;
            }
            end = close + 2;
            blank(at, end);
        }
        at += end - at;
    }
    return TRUE;
}

void tsim_json_pointer_append(GString *pointer, const char *key)
{
    g_string_append_c(pointer, '/');
    for (; *key != '\0'; key++) {
        if (*key == '~') {
            g_string_append(pointer, "~0");
        } else if (*key == '/') {
            g_string_append(pointer, "~1");
        } else {
            g_string_append_c(pointer, *key);
        }
    }
}

/* ---- Checking ---- */

/* Index of a step that has not reached a member yet. */
#define NOWHERE SIZE_MAX

/* A step from a value into one of its members; key is NULL in arrays. */
typedef struct {
    const char *key;
    size_t index;
} Step;

typedef struct {
    const char *text;
    const char *at;
    Step path[TSIM_JSON_DEPTH_MAX];
    guint depth;
    GString *string; /* the string read last, decoded */
    gboolean is_json;
    TsimJsonComplain complain;
    void *user;
} Scanner;

G_GNUC_PRINTF(3, 4)
static void complain_at(const Scanner *scanner, const char *at, const char *format, ...)
{
    g_autoptr(GString) pointer = g_string_new(NULL);
    va_list arguments;

    for (guint i = 0; i < scanner->depth; i++) {
        const Step *step = &scanner->path[i];
        if (step->key != NULL) {
            tsim_json_pointer_append(pointer, step->key);
        } else if (step->index != NOWHERE) {
            g_string_append_printf(pointer, "/%zu", step->index);
        }
    }
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    scanner->complain(scanner->user, (size_t)(at - scanner->text), pointer->str, text);
}

static gboolean is_word_character(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '+' || c == '-' || c == '.';
}

static size_t word_length(const char *at)
{
    size_t length = 0;

    while (is_word_character(at[length])) {
        length++;
    }
    return length;
}

/* Words for what stands at a place: a word, a character, or the end. */
static char *describe(const char *at)
{
    const size_t length = word_length(at);

    if (*at == '\0') {
        return g_strdup("the end of the text");
    }
    if (length > EXCERPT_MAX) {
        return g_strdup_printf("%.*s...", EXCERPT_MAX, at);
    }
    if (length > 0) {
        return g_strndup(at, length);
    }
    if ((guchar)*at < ' ') {
        return g_strdup_printf("control character 0x%02x", (guint)*at);
    }
    return g_strdup_printf("'%.*s'", (int)g_utf8_skip[(guchar)*at], at);
}

/* Something after which the rest makes no sense. */
static gboolean stop(Scanner *scanner, const char *expected)
{
    g_autofree char *got = describe(scanner->at);

    complain_at(scanner, scanner->at, "got %s, expected %s", got, expected);
    scanner->is_json = FALSE;
    return FALSE;
}

static void skip_space(Scanner *scanner)
{
    scanner->at += strspn(scanner->at, " \t\r\n");
}

static gboolean accept(Scanner *scanner, char c)
{
    skip_space(scanner);
    if (*scanner->at != c) {
        return FALSE;
    }
    scanner->at++;
    return TRUE;
}

/* The four digits of \uXXXX; FALSE when they are not. */
static gboolean read_hex4(const char *at, gunichar *ret_unit)
{
    *ret_unit = 0;
    for (int i = 0; i < 4; i++) {
        if (!g_ascii_isxdigit(at[i])) {
            return FALSE;
        }
        *ret_unit = *ret_unit * 16 + (gunichar)g_ascii_xdigit_value(at[i]);
    }
    return TRUE;
}

/* Decodes the \u escape, or the surrogate pair of two, at `at`. Returns its end, NULL when wrong:
 * a lone surrogate is no character and NUL would end our strings early. */
static const char *read_unicode_escape(const char *at, GString *string)
{
    gunichar unit, low;

    if (!read_hex4(at + 2, &unit) || unit == 0 || (unit >= 0xdc00 && unit < 0xe000)) {
        return NULL;
    }
    at += 6;
    if (unit >= 0xd800 && unit < 0xdc00) {
        if (at[0] != '\\' || at[1] != 'u' || !read_hex4(at + 2, &low) || low < 0xdc00 ||
            low >= 0xe000) {
            return NULL;
        }
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
    }
    g_string_append_unichar(string, unit);
    return at;
}

static const char *read_escape(const char *at, GString *string)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";

    if (at[1] == 'u') {
        return read_unicode_escape(at, string);
    }
    const char *letter = at[1] != '\0' ? strchr(letters, at[1]) : NULL;
    if (letter == NULL) {
        return NULL;
    }
    g_string_append_c(string, meanings[letter - letters]);
    return at + 2;
}

/* Decodes the string at `at` into string. Returns its end; on failure NULL, and ret_bad. */
static const char *read_string(const char *at, GString *string, const char **ret_bad)
{
    g_string_truncate(string, 0);
    at++;
    while (*at != '"') {
        const char *next = at + 1;

        if ((guchar)*at < ' ') {
            next = NULL;
        } else if (*at == '\\') {
            next = read_escape(at, string);
        } else {
            g_string_append_c(string, *at);
        }
        if (next == NULL) {
            *ret_bad = at;
            return NULL;
        }
        at = next;
    }
    return at + 1;
}

/* What a message shows of a wrong escape. */
static size_t escape_length(const char *at)
{
    size_t length = at[1] == '\0' ? 1 : 1 + (size_t)g_utf8_skip[(guchar)at[1]];

    while (at[1] == 'u' && length < 6 && g_ascii_isxdigit(at[length])) {
        length++;
    }
    return length;
}

static gboolean scan_string(Scanner *scanner)
{
    const char *bad = NULL;
    const char *end = read_string(scanner->at, scanner->string, &bad);

    if (end != NULL) {
        scanner->at = end;
        return TRUE;
    }
    scanner->at = bad;
    switch (*bad) {
    case '\n':
    case '\r':
        complain_at(scanner, bad, "got a line break inside a string, expected '\"'");
        break;
    case '\\':
        complain_at(scanner, bad,
                    "got \"%.*s\", expected one of the escapes of JSON for a character other than "
                    "NUL",
                    (int)escape_length(bad), bad);
        break;
    default:
        return stop(scanner, "'\"' at the end of the string");
    }
    scanner->is_json = FALSE;
    return FALSE;
}

/* A string in single quotes is wrong, but what follows it makes sense. */
static gboolean scan_single_quoted(Scanner *scanner)
{
    const size_t length = strcspn(scanner->at + 1, "'\n");

    if (scanner->at[1 + length] != '\'') {
        return stop(scanner, "a value");
    }
    complain_at(scanner, scanner->at, "got single quotes, expected a string in double quotes");
    scanner->is_json = FALSE;
    scanner->at += length + 2;
    return TRUE;
}

static size_t digits_length(const char *at)
{
    return strspn(at, "0123456789");
}

/* Length of the JSON number at `at`, 0 when there is none. */
static size_t number_length(const char *at, gboolean *ret_whole)
{
    const char *start = at;

    *ret_whole = TRUE;
    at += *at == '-';
    if (digits_length(at) == 0 || (*at == '0' && digits_length(at) > 1)) {
        return 0;
    }
    at += digits_length(at);
    if (*at == '.') {
        *ret_whole = FALSE;
        at++;
        if (digits_length(at) == 0) {
            return 0;
        }
        at += digits_length(at);
    }
    if (*at == 'e' || *at == 'E') {
        *ret_whole = FALSE;
        at++;
        at += *at == '+' || *at == '-';
        if (digits_length(at) == 0) {
            return 0;
        }
        at += digits_length(at);
    }
    return (size_t)(at - start);
}

/* Whether the C types can hold the number: json-c would clamp it without a word. */
static gboolean number_fits(const char *at, gboolean whole)
{
    errno = 0;
    if (!whole) {
        (void)g_ascii_strtod(at, NULL);
    } else if (*at == '-') {
        (void)g_ascii_strtoll(at, NULL, 10);
    } else {
        (void)g_ascii_strtoull(at, NULL, 10);
    }
    return errno == 0;
}

static gboolean word_is(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* Numbers, true, false, null; and words that look like them to people, after which the rest still
 * makes sense: NaN, 007, True. */
static gboolean scan_word(Scanner *scanner)
{
    const char *at = scanner->at;
    const size_t length = word_length(at);
    gboolean whole;

    if (length == 0) {
        return stop(scanner, "a value");
    }
    scanner->at += length;
    if (number_length(at, &whole) == length) {
        if (!number_fits(at, whole)) {
            g_autofree char *got = describe(at);
            complain_at(scanner, at, "got %s, expected a number that fits %s", got,
                        whole ? "64 bits" : "a double");
        }
        return TRUE;
    }
    if (!word_is(at, length, "true") && !word_is(at, length, "false") &&
        !word_is(at, length, "null")) {
        g_autofree char *got = describe(at);
        complain_at(scanner, at,
                    "got %s, expected a JSON value: a number, a string in double quotes, true, "
                    "false, null, an object or an array",
                    got);
        scanner->is_json = FALSE;
    }
    return TRUE;
}

static gboolean scan_value(Scanner *scanner);

static gboolean scan_array(Scanner *scanner, Step *step)
{
    if (accept(scanner, ']')) {
        return TRUE;
    }
    for (step->index = 0;; step->index++) {
        if (!scan_value(scanner)) {
            return FALSE;
        }
        if (accept(scanner, ']')) {
            return TRUE;
        }
        if (!accept(scanner, ',')) {
            return stop(scanner, "',' or ']'");
        }
    }
}

/* The key and the colon; the key goes into keys, which owns it, and into step. */
static gboolean scan_key(Scanner *scanner, Step *step, GHashTable *keys)
{
    skip_space(scanner);
    const char *at = scanner->at;
    if (*at != '"') {
        return stop(scanner, "a key in double quotes");
    }
    if (!scan_string(scanner)) {
        return FALSE;
    }
    char *key = g_strdup(scanner->string->str);
    step->key = key;
    if (!g_hash_table_add(keys, key)) {
        complain_at(scanner, at, "got the key \"%s\" again, expected every key once", key);
    }
    return accept(scanner, ':') || stop(scanner, "':'");
}

static gboolean scan_object(Scanner *scanner, Step *step)
{
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    if (accept(scanner, '}')) {
        return TRUE;
    }
    for (;;) {
        *step = (Step){NULL, NOWHERE};
        if (!scan_key(scanner, step, keys) || !scan_value(scanner)) {
            return FALSE;
        }
        if (accept(scanner, '}')) {
            return TRUE;
        }
        if (!accept(scanner, ',')) {
            return stop(scanner, "',' or '}'");
        }
    }
}

static gboolean scan_nested(Scanner *scanner)
{
    if (scanner->depth == TSIM_JSON_DEPTH_MAX) {
        complain_at(scanner, scanner->at,
                    "got a value that is nested deeper, expected at most %d "
                    "levels",
                    TSIM_JSON_DEPTH_MAX);
        scanner->is_json = FALSE;
        return FALSE;
    }
    Step *step = &scanner->path[scanner->depth++];
    *step = (Step){NULL, NOWHERE};
    const gboolean is_object = *scanner->at == '{';
    scanner->at++;
    const gboolean ok = is_object ? scan_object(scanner, step) : scan_array(scanner, step);
    scanner->depth--;
    return ok;
}

static gboolean scan_value(Scanner *scanner)
{
    skip_space(scanner);
    switch (*scanner->at) {
    case '{':
    case '[':
        return scan_nested(scanner);
    case '"':
        return scan_string(scanner);
    case '\'':
        return scan_single_quoted(scanner);
    default:
        return scan_word(scanner);
    }
}

gboolean tsim_json_text_check(const char *text, TsimJsonComplain complain, void *user)
{
    g_autoptr(GString) string = g_string_new(NULL);
    Scanner scanner = {
        .text = text,
        .at = text,
        .string = string,
        .is_json = TRUE,
        .complain = complain,
        .user = user,
    };

    if (scan_value(&scanner)) {
        skip_space(&scanner);
        if (*scanner.at != '\0') {
            return stop(&scanner, "the end of the text");
        }
    }
    return scanner.is_json;
}

/* ---- Finding ---- */

static const char *after_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The end of the value at `at`; brackets match, as the text has been checked. */
static const char *value_end(const char *at)
{
    guint depth = 0;

    for (;;) {
        switch (*at) {
        case '"':
            at = string_end(at);
            break;
        case '{':
        case '[':
            depth++;
            at++;
            break;
        case '}':
        case ']':
            if (depth == 0) {
                return at;
            }
            depth--;
            at++;
            break;
        case ',':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            if (depth == 0) {
                return at;
            }
            at++;
            break;
        case '\0':
            return at;
        default:
            at++;
            break;
        }
    }
}

/* The member of the object at `at`, NULL when there is none; ret_key is where its key stands. */
static const char *find_member(const char *at, const char *key, GString *scratch,
                               const char **ret_key)
{
    const char *bad;

    at = after_space(at + 1);
    while (*at == '"') {
        *ret_key = at;
        at = after_space(read_string(at, scratch, &bad));
        at = after_space(at + 1);
        if (strcmp(scratch->str, key) == 0) {
            return at;
        }
        at = after_space(value_end(at));
        at = *at == ',' ? after_space(at + 1) : at;
    }
    return NULL;
}

/* Walks to an item and no further; lists longer than this are worth a memo. */
#define LONG_LIST 32

static const char *find_item(const char *text, const char *array, guint64 index, TsimJsonMemo *memo)
{
    const size_t offset = (size_t)(array - text);
    const gboolean known = memo->index > 0 && memo->array == offset && memo->index <= index;
    const char *at = known ? text + memo->item : after_space(array + 1);

    for (guint64 i = known ? memo->index : 0; *at != ']'; i++) {
        if (i == index) {
            if (index > LONG_LIST) {
                memo->array = offset;
                memo->item = (size_t)(at - text);
                memo->index = index;
            }
            return at;
        }
        at = after_space(value_end(at));
        at = *at == ',' ? after_space(at + 1) : at;
    }
    return NULL;
}

/* Undoes the escapes of one step of a pointer. */
static char *unescape_step(const char *step)
{
    GString *key = g_string_new(NULL);

    for (; *step != '\0'; step++) {
        if (*step == '~' && step[1] != '\0') {
            step++;
            g_string_append_c(key, *step == '1' ? '/' : '~');
        } else {
            g_string_append_c(key, *step);
        }
    }
    return g_string_free(key, FALSE);
}

size_t tsim_json_text_find(const char *text, const char *pointer, gboolean for_key,
                           TsimJsonMemo *memo)
{
    g_auto(GStrv) steps = g_strsplit(*pointer == '/' ? pointer + 1 : pointer, "/", -1);
    g_autoptr(GString) scratch = g_string_new(NULL);
    const char *at = after_space(text);
    const char *key_at = at;

    for (char **step = steps; *step != NULL; step++) {
        const char *found = NULL;
        const char *found_key = NULL;

        if (*at == '{') {
            g_autofree char *key = unescape_step(*step);
            found = find_member(at, key, scratch, &found_key);
        } else if (*at == '[') {
            found = find_item(text, at, g_ascii_strtoull(*step, NULL, 10), memo);
            found_key = found;
        }
        if (found == NULL) {
            return (size_t)(at - text);
        }
        at = found;
        key_at = found_key;
    }
    return (size_t)((for_key ? key_at : at) - text);
}

TsimJsonPosition tsim_json_text_position(const char *text, size_t offset, TsimJsonMemo *memo)
{
    const gboolean known = memo->position.line > 0 && memo->offset <= offset;
    TsimJsonPosition position = known ? memo->position : (TsimJsonPosition){1, 1};

    for (size_t i = known ? memo->offset : 0; i < offset; i++) {
        if (text[i] == '\n') {
            position.line++;
            position.column = 1;
        } else if (((guchar)text[i] & 0xc0) != 0x80) {
            position.column++;
        }
    }
    memo->offset = offset;
    memo->position = position;
    return position;
}
