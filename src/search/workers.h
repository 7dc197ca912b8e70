/* Work over numbers 0 .. n - 1 on several threads, in no particular order.
 *
 * POSIX threads and C11 atomics only, which thread sanitizers can see through.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

typedef void (*TsimWorkFunction)(void *user, uint64_t index);

/* Calls work for every number, each once, from `threads` threads (0: one a processor); returns when
 * all are done. stop (may be NULL): once it is not 0, nothing new is begun. */
void tsim_workers_run(guint threads, uint64_t n, TsimWorkFunction work, void *user, gint *stop);
