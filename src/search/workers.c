#include "search/workers.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    atomic_uint_fast64_t next;
    uint64_t n;
    TsimWorkFunction work;
    void *user;
    gint *stop;
} Workers;

static void *work_on(void *user)
{
    Workers *workers = user;

    while (workers->stop == NULL || g_atomic_int_get(workers->stop) == 0) {
        const uint64_t index = atomic_fetch_add(&workers->next, 1);
        if (index >= workers->n) {
            break;
        }
        workers->work(workers->user, index);
    }
    return NULL;
}

/* The caller's thread works too, so that a machine which gives us no other still gets on. */
void tsim_workers_run(guint threads, uint64_t n, TsimWorkFunction work, void *user, gint *stop)
{
    Workers workers = {.n = n, .work = work, .user = user};
    const guint wanted = threads > 0 ? threads : g_get_num_processors();
    const guint others = (guint)MIN((uint64_t)wanted, MAX(n, 1)) - 1;
    g_autofree pthread_t *handles = g_new(pthread_t, others);
    guint started = 0;

    workers.stop = stop;
    atomic_init(&workers.next, 0);
    while (started < others && pthread_create(&handles[started], NULL, work_on, &workers) == 0) {
        started++;
    }
    (void)work_on(&workers);
    for (guint i = 0; i < started; i++) {
        (void)pthread_join(handles[i], NULL);
    }
}
