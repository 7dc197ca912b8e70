#include "stats/figures.h"

#include <string.h>

double tsim_ratio(double part, double whole)
{
    return whole > 0.0 ? part / whole : 0.0;
}

double tsim_result_elapsed_us(const TsimResult *result)
{
    return tsim_ratio((double)result->elapsed_cycles, result->clock_mhz);
}

double tsim_result_per_us(const TsimResult *result, uint64_t count)
{
    return tsim_ratio((double)count, tsim_result_elapsed_us(result));
}

uint64_t tsim_result_wave_cycles(const TsimResult *result)
{
    uint64_t sum = 0;

    for (int stage = 0; stage < TSIM_RESULT_STAGES; stage++) {
        sum += result->wave_cycles[stage];
    }
    return sum;
}

uint64_t tsim_result_lds_byte_cycles(const TsimResult *result)
{
    uint64_t sum = 0;

    for (int owner = 0; owner < TSIM_LDS_OWNERS; owner++) {
        sum += result->lds_byte_cycles[owner];
    }
    return sum;
}

double tsim_result_waves_of_cu(const TsimResult *result, uint64_t wave_cycles)
{
    return tsim_ratio((double)wave_cycles, (double)result->elapsed_cycles);
}

double tsim_result_waves_per_cu(const TsimResult *result, uint64_t wave_cycles)
{
    return tsim_ratio(tsim_result_waves_of_cu(result, wave_cycles), result->cus);
}

double tsim_result_lds_share(const TsimResult *result, uint64_t byte_cycles)
{
    const double lds_bytes = (double)result->cus * result->lds_bytes_per_cu;

    return tsim_ratio((double)byte_cycles, lds_bytes * (double)result->elapsed_cycles);
}

double tsim_result_wait_share(const TsimResult *result, uint64_t cycles)
{
    return tsim_ratio((double)cycles, (double)result->elapsed_cycles * result->shader_engines);
}

double tsim_result_stall_share(const TsimResult *result, int stage, TsimStall stall)
{
    return tsim_result_wait_share(result, result->stall_cycles[stage][stall]);
}

double tsim_result_utilisation(const TsimResult *result, TsimResource resource)
{
    const TsimResourceUse *use = &result->resources[resource];

    return tsim_ratio((double)use->busy_cycles, (double)result->elapsed_cycles * use->instances);
}

double tsim_result_busiest(const TsimResult *result, TsimResource resource)
{
    return tsim_ratio((double)result->resources[resource].max_busy_cycles,
                      (double)result->elapsed_cycles);
}

double tsim_result_bound_share(const TsimResult *result)
{
    const uint64_t bound = tsim_result_bound_cycles(result, tsim_result_bottleneck(result));

    return tsim_ratio((double)bound, (double)result->elapsed_cycles);
}

gboolean tsim_result_has_draws(const TsimResult *result)
{
    for (uint32_t i = 0; i < result->draws_n; i++) {
        if (result->draws[i].is_draw) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean tsim_draw_result_is_offchip(const TsimDrawResult *draw)
{
    return draw->is_draw && strcmp(draw->mode, "offchip") == 0;
}

uint64_t tsim_result_dram_bytes(const TsimResult *result)
{
    return result->dram_bytes_read + result->dram_bytes_written;
}

/* ---- Rays ---- */

double tsim_result_ray_tests_per_second(const TsimResult *result, uint64_t tests)
{
    const double busy_cycles = tsim_ratio((double)result->rays.td_busy_cycles, result->rays.tds);

    return tsim_ratio((double)tests * result->clock_mhz * 1e6, busy_cycles);
}

static double ray_nodes_tested(const TsimRayResult *rays)
{
    return (double)(rays->box_nodes + rays->triangle_tests);
}

double tsim_result_td_utilisation(const TsimResult *result)
{
    return tsim_ratio(ray_nodes_tested(&result->rays),
                      (double)result->elapsed_cycles * result->rays.tds);
}

double tsim_result_ray_live_lanes(const TsimResult *result)
{
    uint64_t halves = 0;

    for (int lanes = 0; lanes <= TSIM_RAY_HALF_LANES; lanes++) {
        halves += result->rays.live_lanes[lanes];
    }
    return tsim_ratio(ray_nodes_tested(&result->rays), (double)halves);
}

double tsim_ray_histogram_mean(const TsimRayHistogram *histogram)
{
    return tsim_ratio((double)histogram->sum, (double)histogram->n);
}

/* ---- Sampler feedback ---- */

static uint64_t feedback_samples(const TsimFeedbackResult *feedback)
{
    return feedback->read_samples + feedback->write_samples + feedback->lookups;
}

static double per_second(const TsimResult *result, uint64_t count, double cycles)
{
    return tsim_ratio((double)count, cycles) * result->clock_mhz * 1e6;
}

double tsim_result_feedback_samples_per_second(const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;

    return per_second(result, feedback_samples(feedback),
                      tsim_ratio((double)feedback->td_busy_cycles, feedback->tds));
}

double tsim_result_feedback_achieved_per_second(const TsimResult *result)
{
    return per_second(result, feedback_samples(&result->feedback),
                      (double)result->feedback.active_cycles);
}

double tsim_result_feedback_atomics_per_second(const TsimResult *result)
{
    return per_second(result, result->feedback.atomic_requests,
                      (double)result->feedback.active_cycles);
}

double tsim_result_feedback_merge_ratio(const TsimResult *result)
{
    return tsim_ratio((double)result->feedback.texel_writes,
                      (double)result->feedback.merged_writes);
}

double tsim_result_feedback_td_utilisation(const TsimResult *result)
{
    const TsimFeedbackResult *feedback = &result->feedback;

    return tsim_ratio((double)feedback->td_busy_cycles,
                      (double)feedback->active_cycles * feedback->tds);
}

double tsim_result_feedback_l2_share(const TsimResult *result)
{
    return tsim_ratio((double)result->feedback.atomic_requests, (double)result->l2_lines);
}

double tsim_result_feedback_overhead(const TsimResult *result)
{
    const double plain = (double)result->feedback.plain_cycles;

    return plain > 0.0 ? (double)result->elapsed_cycles / plain - 1.0 : 0.0;
}
