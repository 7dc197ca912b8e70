#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

G_DEFINE_QUARK(tsim_error_quark, tsim_error)

void tsim_assert_fail(const char *condition, const char *where)
{
    /* The one place where the library speaks and stops: the program is wrong, not its input. */
    fprintf(stderr, "tesssim: internal error: %s does not hold at %s\n", condition, where);
    abort();
}
