#include "search/replicate.h"

#include "base/error.h"
#include "search/trial.h"
#include "search/workers.h"

#include <pthread.h>

typedef struct {
    const TsimScenarioText *text;
    const TsimReplicate *options;
    uint64_t seed;
    double *cycles;
    pthread_mutex_t lock;
    uint64_t done;
    GError *error; /* the first */
} Replicating;

static void run_one(void *user, uint64_t replication)
{
    Replicating *all = user;
    g_autofree char *set =
        g_strdup_printf("seed=%" G_GUINT64_FORMAT, tsim_trial_seed(all->seed, replication));
    const char *const sets[] = {set, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(TsimResult) result = tsim_trial_run_text(all->text, sets, 0, &error);

    (void)pthread_mutex_lock(&all->lock);
    if (result != NULL) {
        all->cycles[replication] = (double)result->elapsed_cycles;
    } else if (all->error == NULL) {
        all->error = g_steal_pointer(&error);
    }
    all->done++;
    if (all->options->progress != NULL) {
        all->options->progress(all->options->user, all->done, all->options->n);
    }
    (void)pthread_mutex_unlock(&all->lock);
}

double *tsim_replicate(const TsimScenarioText *text, const TsimReplicate *options, GError **error)
{
    g_autoptr(TsimScenario) scenario = tsim_scenario_text_load(text, NULL, NULL, error);
    g_autofree double *cycles = g_new0(double, options->n);
    Replicating all = {.text = text, .options = options, .cycles = cycles};

    if (scenario == NULL) {
        return NULL;
    }
    all.seed = scenario->seed;
    (void)pthread_mutex_init(&all.lock, NULL);
    tsim_workers_run(options->threads, options->n, run_one, &all, options->stop);
    (void)pthread_mutex_destroy(&all.lock);
    if (all.error == NULL && all.done < options->n) {
        g_set_error_literal(&all.error, TSIM_ERROR, TSIM_ERROR_STUCK, "the runs were stopped");
    }
    if (all.error != NULL) {
        g_propagate_error(error, all.error);
        return NULL;
    }
    return g_steal_pointer(&cycles);
}
