/* Errors and asserts.
 *
 * User errors are GErrors of the domain TSIM_ERROR; their message is complete (file, line:column,
 * JSON pointer, what was found, what is allowed). Programmer errors are asserts: TSIM_ASSERT stays
 * in release builds and must be cheap, TSIM_ASSERT_HOT goes away with NDEBUG.
 */
#pragma once

#include <assert.h>
#include <glib.h>

#define TSIM_ERROR (tsim_error_quark())

GQuark tsim_error_quark(void);

typedef enum {
    TSIM_ERROR_IO,     /* a file cannot be read */
    TSIM_ERROR_OUTPUT, /* a file cannot be written */
    TSIM_ERROR_INPUT,  /* a file or a value in it is wrong */
    TSIM_ERROR_LIMIT,  /* valid input that can never fit the GPU */
    TSIM_ERROR_STUCK,  /* the run cannot make progress */
    TSIM_ERROR_USAGE,  /* a command line is wrong */
} TsimErrorCode;

#define TSIM_ASSERT(condition) ((condition) ? (void)0 : tsim_assert_fail(#condition, G_STRLOC))

#define TSIM_ASSERT_HOT(condition) assert(condition)

G_NORETURN void tsim_assert_fail(const char *condition, const char *where);
