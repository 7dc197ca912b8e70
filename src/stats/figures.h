/* Ratios of a result: every report works them out here, so that no two disagree.
 *
 * Shares are 0..1 of the run unless the comment says otherwise. A run of no cycles has zeros.
 */
#pragma once

#include "stats/result.h"

double tsim_ratio(double part, double whole); /* 0 when whole is 0 */

double tsim_result_elapsed_us(const TsimResult *result);
double tsim_result_per_us(const TsimResult *result, uint64_t count);

uint64_t tsim_result_wave_cycles(const TsimResult *result);     /* all stages */
uint64_t tsim_result_lds_byte_cycles(const TsimResult *result); /* all owners */

/* Mean waves of a CU, from an integral over the whole GPU, and over one CU. */
double tsim_result_waves_per_cu(const TsimResult *result, uint64_t wave_cycles);
double tsim_result_waves_of_cu(const TsimResult *result, uint64_t wave_cycles);

/* Share of all LDS, from an integral over the whole GPU. */
double tsim_result_lds_share(const TsimResult *result, uint64_t byte_cycles);

/* Share of the time, from cycles summed over the shader engines. */
double tsim_result_wait_share(const TsimResult *result, uint64_t cycles);
double tsim_result_stall_share(const TsimResult *result, int stage, TsimStall stall);

/* Busy share of a resource: of all its instances, and of the busiest. */
double tsim_result_utilisation(const TsimResult *result, TsimResource resource);
double tsim_result_busiest(const TsimResult *result, TsimResource resource);

/* The bound over all resources as a share of the run: 1 is as fast as the machine can be. */
double tsim_result_bound_share(const TsimResult *result);

/* Sampler feedback. Samples a second are counted over the time in which the texture units worked
 * for it, the achieved ones and the atomics from its begin to its end. */
double tsim_result_feedback_samples_per_second(const TsimResult *result);
double tsim_result_feedback_achieved_per_second(const TsimResult *result);
double tsim_result_feedback_atomics_per_second(const TsimResult *result);
double tsim_result_feedback_merge_ratio(const TsimResult *result); /* texel writes a merged write */
double tsim_result_feedback_td_utilisation(const TsimResult *result);
double tsim_result_feedback_l2_share(const TsimResult *result); /* atomics, of lines asked of L2 */
double tsim_result_feedback_overhead(
    const TsimResult *result); /* longer than plain sampling; 0.1: by 10 % */

/* Work that is a draw with tessellation; whether it goes off-chip. */
gboolean tsim_result_has_draws(const TsimResult *result);
gboolean tsim_draw_result_is_offchip(const TsimDrawResult *draw);

uint64_t tsim_result_dram_bytes(const TsimResult *result);

/* Tests a second over the time in which the texture units work on rays, whatever they wait for in
 * between: the full GPU's rate at which its peaks are told (R1). */
double tsim_result_ray_tests_per_second(const TsimResult *result, uint64_t tests);

/* Share of all texture-unit clocks of the run in which a node was tested. */
double tsim_result_td_utilisation(const TsimResult *result);

/* Lanes that pass TA, of an average instruction half. */
double tsim_result_ray_live_lanes(const TsimResult *result);

/* Mean of what a histogram has counted. */
double tsim_ray_histogram_mean(const TsimRayHistogram *histogram);
