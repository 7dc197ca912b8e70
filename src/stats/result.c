#include "stats/result.h"

#include "base/rate.h"

#define NAME(symbol, key, words)  key,
#define WORDS(symbol, key, words) words,

const char *const tsim_stall_names[] = {TSIM_STALLS(NAME) NULL};
const char *const tsim_stall_words[] = {TSIM_STALLS(WORDS) NULL};
const char *const tsim_resource_names[] = {TSIM_RESOURCES(NAME) NULL};
const char *const tsim_resource_words[] = {TSIM_RESOURCES(WORDS) NULL};
const char *const tsim_lds_owner_names[] = {"tess", "gs", "ps", "cs", NULL};

TsimResult *tsim_result_new(void)
{
    TsimResult *result = g_new0(TsimResult, 1);

    result->warnings = g_ptr_array_new_with_free_func(g_free);
    return result;
}

void tsim_ray_images_clear(TsimRayImages *images)
{
    g_free(images->nodes);
    g_free(images->rays);
    g_free(images->light);
    *images = (TsimRayImages){0};
}

void tsim_result_free(TsimResult *result)
{
    if (result == NULL) {
        return;
    }
    for (uint32_t i = 0; i < result->draws_n; i++) {
        g_free(result->draws[i].name);
    }
    g_free(result->draws);
    g_free(result->cu_wave_cycles);
    g_free(result->engine_first_cu);
    g_free(result->feedback.frames);
    g_free(result->scenario);
    g_free(result->description);
    g_free(result->gpu);
    g_free(result->gpu_description);
    g_strfreev(result->estimated_fields);
    g_ptr_array_unref(result->warnings);
    tsim_ray_images_clear(&result->rays.images);
    g_free(result);
}

uint64_t tsim_result_bound_cycles(const TsimResult *result, TsimResource resource)
{
    const TsimResourceUse *use = &result->resources[resource];

    return use->instances > 0 ? tsim_ceil_div(use->busy_cycles, use->instances) : 0;
}

TsimResource tsim_result_bottleneck(const TsimResult *result)
{
    TsimResource highest = (TsimResource)0;

    for (int i = 1; i < TSIM_RESOURCES_COUNT; i++) {
        if (tsim_result_bound_cycles(result, (TsimResource)i) >
            tsim_result_bound_cycles(result, highest)) {
            highest = (TsimResource)i;
        }
    }
    return highest;
}
