#include "io/result-fields.h"

#include "hw/stage.h"
#include "io/bottleneck.h"
#include "io/page.h"
#include "stats/figures.h"
#include "stats/series.h"
#include "workload/survey.h"

#include <string.h>

typedef struct {
    const TsimResultVisitor *visitor;
    void *user;
    const TsimResult *result;
} Walk;

static void open_group(const Walk *walk, TsimResultGroup group, const char *key, const char *blurb)
{
    const TsimResultField field = {key, "", blurb};

    walk->visitor->open(walk->user, group, &field);
}

static void open_object(const Walk *walk, const char *key, const char *blurb)
{
    open_group(walk, TSIM_GROUP_OBJECT, key, blurb);
}

static void close_group(const Walk *walk)
{
    walk->visitor->close(walk->user);
}

static void count(const Walk *walk, const char *key, const char *unit, uint64_t value,
                  const char *blurb)
{
    const TsimResultField field = {key, unit, blurb};

    walk->visitor->count(walk->user, &field, value);
}

static void real(const Walk *walk, const char *key, const char *unit, double value,
                 const char *blurb)
{
    const TsimResultField field = {key, unit, blurb};

    walk->visitor->real(walk->user, &field, value);
}

static void flag(const Walk *walk, const char *key, gboolean value, const char *blurb)
{
    const TsimResultField field = {key, "", blurb};

    walk->visitor->flag(walk->user, &field, value);
}

static void word(const Walk *walk, const char *key, const char *value, const char *blurb)
{
    const TsimResultField field = {key, "", blurb};

    walk->visitor->word(walk->user, &field, value != NULL ? value : "");
}

/* ---- Work ---- */

static void visit_waves(const Walk *walk, const TsimTotals *totals)
{
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        g_autofree char *key = g_strconcat(tsim_stage_names[stage], "_waves", NULL);
        g_autofree char *blurb = g_strconcat(tsim_stage_title(stage), " waves launched", NULL);
        count(walk, key, "waves", totals->waves[stage], blurb);
    }
    count(walk, "ds_waves_onchip", "waves", totals->ds_waves_onchip, "DS waves that read LDS");
    count(walk, "ds_waves_offchip", "waves", totals->ds_waves_offchip,
          "DS waves that read off-chip buffers");
}

static void visit_totals(const Walk *walk, const TsimTotals *totals)
{
    open_object(walk, "totals", "What was done");
    count(walk, "patches", "patches", totals->patches, "Patches drawn");
    count(walk, "culled_patches", "patches", totals->culled_patches,
          "Of those, patches with a factor that culls");
    count(walk, "threadgroups", "threadgroups", totals->threadgroups, "LS-HS threadgroups");
    count(walk, "threadgroups_onchip", "threadgroups", totals->threadgroups_onchip,
          "Of those, decided on-chip");
    count(walk, "threadgroups_offchip", "threadgroups", totals->threadgroups_offchip,
          "Of those, decided off-chip");
    count(walk, "compute_threadgroups", "threadgroups", totals->compute_threadgroups,
          "Threadgroups of dispatches");
    visit_waves(walk, totals);
    count(walk, "domain_points", "points", totals->domain_points,
          "Domain points, each counted once in its patch");
    count(walk, "ds_threads", "threads", totals->ds_threads,
          "Domain shader threads: the points, again where vertex reuse forgot them");
    count(walk, "primitives", "primitives", totals->primitives, "Primitives tessellated");
    count(walk, "offchip_bytes_written", "bytes", totals->offchip_bytes_written,
          "Patch data stored by hull shaders");
    count(walk, "offchip_bytes_read", "bytes", totals->offchip_bytes_read,
          "Patch data loaded by domain shaders");
    count(walk, "tf_ring_bytes", "bytes", totals->tf_ring_bytes, "Written to the tess-factor ring");
    close_group(walk);
}

static void visit_settings(const Walk *walk, const TsimDrawResult *draw)
{
    word(walk, "mode", draw->mode, "What ran: onchip or offchip");
    word(walk, "domain", draw->domain, "Domain of the patches");
    word(walk, "partitioning", draw->partitioning, "Partitioning of the edges");
    real(walk, "mean_tess_factor", "", draw->mean_tess_factor,
         "Mean tess factor, clamped, as threadgroups average it");
    word(walk, "patch_rule", draw->patch_rule, "Rule that chose the threadgroup size");
    word(walk, "patch_limiter", draw->patch_limiter, "What stopped the rule from taking more");
    flag(walk, "patches_per_threadgroup_auto", draw->patches_auto, "The rule chose the number");
    count(walk, "patches_per_threadgroup", "patches", draw->patches_per_threadgroup,
          "Patches of a full threadgroup");
    word(walk, "vertex_reuse", draw->vertex_reuse, "Which domain points are shaded again");
    word(walk, "average_rule", draw->average_rule, "Factors of a patch that the average is over");
    word(walk, "culled_patches", draw->culled_patches, "What culled patches do to the average");
    word(walk, "tf_compare", draw->tf_compare, "How the average is compared with the threshold");
    word(walk, "tf_rule", draw->tf_rule, "Rule for an automatic TfThreshold");
    flag(walk, "tf_threshold_auto", draw->tf_threshold_auto, "The rule chose the threshold");
    real(walk, "tf_threshold", "", draw->tf_threshold,
         "Average factor from which a threadgroup goes off-chip");
    count(walk, "ds_wave_threshold", "waves", draw->ds_wave_threshold,
          "DS waves of an off-chip threadgroup that stay on-chip");
    count(walk, "lds_bytes_per_threadgroup", "bytes", draw->lds_bytes_per_threadgroup,
          "LDS that a full threadgroup asks for");
    count(walk, "lds_allocated_bytes_per_threadgroup", "bytes",
          draw->lds_allocated_bytes_per_threadgroup, "LDS that it gets");
    count(walk, "vs_waves_per_threadgroup", "waves", draw->vs_waves_per_threadgroup,
          "VS waves of a full threadgroup; 0 when merged with the HS");
    count(walk, "hs_waves_per_threadgroup", "waves", draw->hs_waves_per_threadgroup,
          "HS waves of a full threadgroup");
}

/* One member a bin, empty ones too: the keys are the same in every result. */
static void visit_bins(const Walk *walk, const char *key, const uint64_t *values, uint32_t n,
                       const char *zero, const char *unit, const char *blurb)
{
    open_object(walk, key, blurb);
    for (uint32_t bin = 0; bin < n; bin++) {
        uint32_t least, most;
        tsim_survey_bin(bin, &least, &most);
        g_autofree char *name = bin == 0 ? g_strdup(zero) : tsim_text_range(least, most);
        count(walk, name, unit, values[bin], "How many there are");
    }
    close_group(walk);
}

static void visit_spread(const Walk *walk, const TsimSpread *spread)
{
    open_object(walk, "survey", "How the work is spread, counted from the tess factors");
    visit_bins(walk, "patches_by_factor", spread->patches_by_factor, TSIM_RESULT_FACTOR_BINS,
               "culled", "patches", "Patches by mean tess factor, rounded down");
    visit_bins(walk, "threadgroups_by_ds_waves", spread->groups_by_ds_waves, TSIM_RESULT_WAVE_BINS,
               "0", "threadgroups", "Threadgroups by DS waves");
    count(walk, "culled_vs_threads", "threads", spread->culled_vs_threads,
          "Vertex shader threads of culled patches");
    count(walk, "culled_hs_threads", "threads", spread->culled_hs_threads,
          "Hull shader threads of culled patches");
    count(walk, "culled_lds_bytes", "bytes", spread->culled_lds_bytes,
          "LDS that culled patches ask for");
    count(walk, "threadgroups_culled", "threadgroups", spread->culled_threadgroups,
          "Threadgroups without DS work");
    close_group(walk);
}

static void visit_work(const Walk *walk, const TsimDrawResult *draw, const char *words)
{
    open_object(walk, NULL, words);
    word(walk, "name", draw->name, "Name in the scenario");
    visit_totals(walk, &draw->totals);
    if (draw->is_draw) {
        visit_settings(walk, draw);
        visit_spread(walk, &draw->spread);
    }
    count(walk, "begin_cycle", "cycles", draw->begin_cycle, "When its work began");
    count(walk, "end_cycle", "cycles", draw->end_cycle, "When all of it had ended");
    close_group(walk);
}

/* Work of one type. */
static void visit_works(const Walk *walk, const char *key, const char *type, const char *words)
{
    const TsimResult *result = walk->result;

    open_group(walk, TSIM_GROUP_LIST, key, words);
    for (uint32_t i = 0; i < result->draws_n; i++) {
        if (strcmp(result->draws[i].type, type) == 0) {
            visit_work(walk, &result->draws[i], type);
        }
    }
    close_group(walk);
}

static void visit_rates(const Walk *walk)
{
    const TsimResult *result = walk->result;
    const TsimTotals *totals = &result->totals;

    open_object(walk, "rates", "Throughput over the whole run");
    real(walk, "patches_per_us", "1/us", tsim_result_per_us(result, totals->patches), "Patches");
    real(walk, "ds_threads_per_us", "1/us", tsim_result_per_us(result, totals->ds_threads),
         "Domain points shaded");
    real(walk, "primitives_per_us", "1/us", tsim_result_per_us(result, totals->primitives),
         "Primitives");
    close_group(walk);
}

/* ---- The machine ---- */

static void visit_machine(const Walk *walk)
{
    const TsimResult *result = walk->result;

    open_object(walk, "machine", "Shape of the GPU; a WGP that pools its CUs counts as one CU");
    real(walk, "clock_mhz", "MHz", result->clock_mhz, "Core clock");
    count(walk, "shader_engines", "", result->shader_engines, "Shader engines");
    count(walk, "cus", "", result->cus, "CUs");
    count(walk, "simds_per_cu", "", result->simds_per_cu, "SIMDs of a CU");
    count(walk, "waves_per_cu", "waves", result->waves_per_cu, "Wave slots of a CU");
    count(walk, "lds_bytes_per_cu", "bytes", result->lds_bytes_per_cu, "LDS of a CU");
    flag(walk, "has_onchip", result->has_onchip, "Domain shaders can read LDS");
    close_group(walk);
}

static void visit_occupancy(const Walk *walk)
{
    const TsimResult *result = walk->result;

    open_object(walk, "occupancy", "Resident waves, averaged over the run");
    real(walk, "mean_waves_per_cu", "waves",
         tsim_result_waves_per_cu(result, tsim_result_wave_cycles(result)), "Of the average CU");
    real(walk, "busiest_cu_mean_waves", "waves",
         tsim_result_waves_of_cu(result, result->cu_wave_cycles_max), "Of the busiest CU");
    real(walk, "idlest_cu_mean_waves", "waves",
         tsim_result_waves_of_cu(result, result->cu_wave_cycles_min), "Of the idlest CU");
    count(walk, "peak_waves_per_cu", "waves", result->peak_waves_per_cu, "Most at once in a CU");
    count(walk, "peak_threadgroups_per_cu", "threadgroups", result->peak_threadgroups_per_cu,
          "Most LS-HS threadgroups at once in a CU");
    count(walk, "p50_threadgroup_cycles", "cycles", result->p50_threadgroup_cycles,
          "Median life of an LS-HS threadgroup, from its launch to the end of its last DS wave");
    count(walk, "p99_threadgroup_cycles", "cycles", result->p99_threadgroup_cycles,
          "99 of 100 LS-HS threadgroups live no longer");
    open_object(walk, "by_stage", "Of the average CU, by stage");
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        g_autofree char *blurb = g_strconcat(tsim_stage_title(stage), " waves", NULL);
        real(walk, tsim_stage_names[stage], "waves",
             tsim_result_waves_per_cu(result, result->wave_cycles[stage]), blurb);
    }
    close_group(walk);
    close_group(walk);
}

static void visit_lds(const Walk *walk)
{
    static const char *const owner_words[TSIM_LDS_OWNERS] = {
        "LS-HS threadgroups", "On-chip geometry shaders", "Interpolants of pixel shaders",
        "Compute threadgroups"};
    const TsimResult *result = walk->result;

    open_object(walk, "lds", "Allocated LDS");
    real(walk, "mean_fraction", "",
         tsim_result_lds_share(result, tsim_result_lds_byte_cycles(result)),
         "Share of all LDS, averaged over the run");
    count(walk, "peak_bytes_per_cu", "bytes", result->peak_lds_bytes_per_cu, "Most in a CU");
    count(walk, "fragmentation_refusals", "", result->fragmentation_refusals,
          "Requests refused although the bytes were free");
    count(walk, "fragmented_free_bytes", "bytes", result->peak_fragmented_free_bytes,
          "Most free bytes of a CU at such a refusal");
    count(walk, "fragmented_largest_run_bytes", "bytes", result->largest_run_at_refusal_bytes,
          "Largest free piece then");
    open_object(walk, "by_owner", "Share of all LDS, averaged over the run, by owner");
    for (int owner = 0; owner < TSIM_LDS_OWNERS; owner++) {
        real(walk, tsim_lds_owner_names[owner], "",
             tsim_result_lds_share(result, result->lds_byte_cycles[owner]), owner_words[owner]);
    }
    close_group(walk);
    close_group(walk);
}

/* ---- What held it back ---- */

static void visit_stalls(const Walk *walk)
{
    const TsimResult *result = walk->result;

    open_object(walk, "stalls",
                "Cycles that heads of launch queues waited, summed over the shader engines");
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        g_autofree char *blurb = g_strconcat(tsim_stage_title(stage), " waves, by reason", NULL);
        open_object(walk, tsim_stage_names[stage], blurb);
        for (int stall = 0; stall < TSIM_STALLS_COUNT; stall++) {
            count(walk, tsim_stall_names[stall], "cycles", result->stall_cycles[stage][stall],
                  tsim_stall_words[stall]);
        }
        close_group(walk);
    }
    close_group(walk);
    count(walk, "tessellator_blocked_cycles", "cycles", result->tess_blocked_cycles,
          "Tessellators stood still before a full DS queue, summed over the shader engines");
}

static void visit_resources(const Walk *walk)
{
    const TsimResult *result = walk->result;

    open_object(walk, "resources", "Everything that works at a rate");
    for (int i = 0; i < TSIM_RESOURCES_COUNT; i++) {
        const TsimResource resource = (TsimResource)i;
        const TsimResourceUse *use = &result->resources[resource];
        open_object(walk, tsim_resource_names[resource], tsim_resource_words[resource]);
        count(walk, "instances", "", use->instances, "How many there are");
        count(walk, "busy_cycles", "cycles", use->busy_cycles, "Busy, summed over the instances");
        count(walk, "max_busy_cycles", "cycles", use->max_busy_cycles, "Of the busiest instance");
        count(walk, "bound_cycles", "cycles", tsim_result_bound_cycles(result, resource),
              "Least time for its work, spread evenly");
        real(walk, "utilisation", "", tsim_result_utilisation(result, resource),
             "Busy share of the run");
        close_group(walk);
    }
    close_group(walk);
}

static void visit_bottleneck(const Walk *walk)
{
    const TsimResult *result = walk->result;
    const TsimResource bound = tsim_result_bottleneck(result);
    g_auto(TsimBottleneck) bottleneck = tsim_bottleneck_find(result);

    open_object(walk, "bound", "The least time over all resources");
    word(walk, "resource", tsim_resource_names[bound], "The resource that sets it");
    count(walk, "cycles", "cycles", tsim_result_bound_cycles(result, bound), "That time");
    real(walk, "share_of_elapsed", "", tsim_result_bound_share(result),
         "1 is as fast as the machine can be");
    close_group(walk);
    open_object(walk, "bottleneck", "What held the run back");
    word(walk, "resource", bottleneck.resource, "A key of resources or stalls, none or latency");
    real(walk, "utilisation", "", bottleneck.utilisation,
         "Share of the run that it was busy, or waited for");
    word(walk, "text", bottleneck.text, "In one sentence");
    close_group(walk);
}

static void visit_memory(const Walk *walk)
{
    const TsimResult *result = walk->result;

    open_object(walk, "memory", "Caches and DRAM");
    count(walk, "l1_lines", "lines", result->l1_lines, "Lines asked of the L1s");
    count(walk, "l1_hits", "lines", result->l1_hits, "Of those, hits");
    count(walk, "l2_lines", "lines", result->l2_lines, "Lines asked of the L2");
    count(walk, "l2_hits", "lines", result->l2_hits, "Of those, hits");
    count(walk, "dram_bytes_read", "bytes", result->dram_bytes_read, "Read from DRAM");
    count(walk, "dram_bytes_written", "bytes", result->dram_bytes_written, "Written to DRAM");
    count(walk, "offchip_buffers_peak", "", result->offchip_buffers_peak,
          "Most off-chip buffers in use at once");
    close_group(walk);
}

/* ---- Rays ---- */

static void visit_histogram(const Walk *walk, const char *key, const char *unit,
                            const TsimRayHistogram *histogram, const char *blurb)
{
    open_object(walk, key, blurb);
    real(walk, "mean", unit, tsim_ray_histogram_mean(histogram), "Mean");
    count(walk, "max", unit, histogram->max, "Most");
    open_group(walk, TSIM_GROUP_SCALARS, "bins", "Counts of 0, 1, 2 to 3, 4 to 7, 8 to 15, ...");
    for (int bin = 0; bin < TSIM_RAY_BINS; bin++) {
        count(walk, NULL, "", histogram->bins[bin], "Count");
    }
    close_group(walk);
    close_group(walk);
}

static void visit_live_lanes(const Walk *walk)
{
    const TsimRayResult *rays = &walk->result->rays;

    real(walk, "mean_live_lanes", "lanes", tsim_result_ray_live_lanes(walk->result),
         "Lanes that TA lets pass, of 32");
    open_group(walk, TSIM_GROUP_SCALARS, "live_lanes",
               "Instruction halves of 32 lanes, by lanes that TA lets pass: 0 to 32");
    for (int lanes = 0; lanes <= TSIM_RAY_HALF_LANES; lanes++) {
        count(walk, NULL, "", rays->live_lanes[lanes], "Instruction halves");
    }
    close_group(walk);
}

static void visit_node_lines(const Walk *walk)
{
    const TsimRayResult *rays = &walk->result->rays;

    count(walk, "node_lines", "lines", rays->node_lines,
          "Lines of nodes, merged in an instruction");
    count(walk, "node_l1_hits", "lines", rays->node_l1_hits, "Of those, found in the CU's cache");
    count(walk, "node_array_l1_hits", "lines", rays->node_array_l1_hits,
          "Of those, found in the shader array's cache");
    count(walk, "node_l2_hits", "lines", rays->node_l2_hits, "Of those, found in the L2");
}

static void visit_rays(const Walk *walk)
{
    const TsimResult *result = walk->result;
    const TsimRayResult *rays = &result->rays;
    const uint64_t box_tests = rays->box_nodes * TSIM_RAY_BOXES_A_NODE;

    open_object(walk, "rays", "Ray intersection");
    count(walk, "rays", "rays", rays->rays, "Rays traced");
    count(walk, "hits", "rays", rays->hits, "Of those, rays that hit something");
    count(walk, "box_tests", "", box_tests, "Boxes tested, four a node");
    count(walk, "triangle_tests", "", rays->triangle_tests, "Triangles tested");
    count(walk, "instance_nodes", "", rays->instance_nodes, "Instances entered by the shader");
    real(walk, "box_tests_per_second", "1/s", tsim_result_ray_tests_per_second(result, box_tests),
         "Over the time in which the texture units are busy with rays");
    real(walk, "triangle_tests_per_second", "1/s",
         tsim_result_ray_tests_per_second(result, rays->triangle_tests),
         "Over the time in which the texture units are busy with rays");
    real(walk, "rays_per_second", "1/s", 1e6 * tsim_result_per_us(result, rays->rays),
         "Over the whole run");
    real(walk, "td_utilisation", "", tsim_result_td_utilisation(result),
         "Share of all texture-unit clocks of the run in which a node was tested");
    count(walk, "instructions", "", rays->instructions, "Ray-intersection instructions");
    visit_live_lanes(walk);
    visit_histogram(walk, "nodes_per_ray", "nodes", &rays->nodes_per_ray, "Nodes a ray visits");
    visit_histogram(walk, "stack_depth", "entries", &rays->stack_depth,
                    "Most entries on a ray's stack");
    visit_histogram(walk, "latency", "cycles", &rays->latency,
                    "From issue to results of an instruction");
    real(walk, "waves_waiting_per_td", "waves",
         tsim_ratio((double)rays->waiting_cycles, (double)result->elapsed_cycles * rays->tds),
         "Waves that wait for a texture unit's ray results, averaged over the run");
    visit_node_lines(walk);
    count(walk, "bvh_bytes", "bytes", rays->bvh_bytes, "Size of all BVHs");
    count(walk, "bvh_depth", "nodes", rays->bvh_depth, "Box nodes on the longest path");
    real(walk, "bvh_sah_cost", "tests", rays->bvh_sah_cost,
         "Expected tests of a ray that meets the root");
    close_group(walk);
}

/* ---- Sampler feedback ---- */

static void visit_feedback_frame(const Walk *walk, const TsimFeedbackFrame *frame)
{
    open_object(walk, NULL, "A frame of the streaming loop");
    count(walk, "pixels", "pixels", frame->pixels, "Pixels that sampled the texture");
    count(walk, "operations", "", frame->operations, "Feedback operations");
    count(walk, "blurred_pixels", "pixels", frame->blurred_pixels,
          "Pixels that the residency map kept from their LOD");
    real(walk, "mean_missing_lod", "LOD", frame->mean_missing_lod, "By how much, over all pixels");
    count(walk, "leak_pixels", "pixels", frame->leak_pixels,
          "Pixels whose sample touched a tile that was not resident");
    count(walk, "wanted_bytes", "bytes", frame->wanted_bytes,
          "Tiles that the feedback map asked for");
    count(walk, "needed_bytes", "bytes", frame->needed_bytes,
          "Tiles that all pixels would have read, and the coarser ones");
    real(walk, "over_request_ratio", "", frame->over_request_ratio, "Wanted, of needed");
    count(walk, "resident_bytes", "bytes", frame->resident_bytes,
          "Resident tiles at the end of the frame");
    count(walk, "loading_bytes", "bytes", frame->loading_bytes, "Tiles on their way then");
    count(walk, "loads_started", "tiles", frame->loads_started, "Loads started");
    count(walk, "loads_finished", "tiles", frame->loads_finished, "Loads finished");
    count(walk, "evictions", "tiles", frame->evictions, "Tiles given up");
    flag(walk, "sharp", frame->sharp, "No more pixels were blurred than allowed");
    close_group(walk);
}

static void visit_streaming(const Walk *walk)
{
    const TsimFeedbackResult *feedback = &walk->result->feedback;

    flag(walk, "became_sharp", feedback->became_sharp, "A streamed frame was sharp");
    count(walk, "frames_until_sharp", "frames", feedback->frames_until_sharp,
          "Frames before the first sharp one; 0 without one");
    open_group(walk, TSIM_GROUP_LIST, "frames", "Frames of streamed work");
    for (uint32_t i = 0; i < feedback->frames_n; i++) {
        visit_feedback_frame(walk, &feedback->frames[i]);
    }
    close_group(walk);
}

static void visit_feedback(const Walk *walk)
{
    const TsimResult *result = walk->result;
    const TsimFeedbackResult *feedback = &result->feedback;

    open_object(walk, "sample_feedback", "Sampler feedback, and the sampling it comes with");
    count(walk, "operations", "", feedback->operations, "Pixels that wrote feedback");
    count(walk, "texel_writes", "", feedback->texel_writes, "Map texels written by lanes");
    count(walk, "merged_writes", "", feedback->merged_writes, "Byte atomics after merging");
    count(walk, "changed_writes", "", feedback->changed_writes, "Of those, that changed the map");
    count(walk, "atomic_requests", "", feedback->atomic_requests, "64-byte segments sent to L2");
    real(walk, "merge_ratio", "", tsim_result_feedback_merge_ratio(result),
         "Texel writes for one byte atomic");
    count(walk, "atomic_conflicts", "", feedback->conflicts,
          "Requests that found their line in use");
    count(walk, "atomic_conflict_cycles", "cycles", feedback->conflict_cycles,
          "Waited for that, summed");
    real(walk, "atomics_per_second", "1/s", tsim_result_feedback_atomics_per_second(result),
         "Requests, while there was such work");
    real(walk, "l2_share", "", tsim_result_feedback_l2_share(result),
         "Share of the lines asked of the L2 that were atomics");
    count(walk, "read_samples", "", feedback->read_samples, "Bilinear samples of the texture");
    count(walk, "write_samples", "", feedback->write_samples,
          "Bilinear samples addressed for feedback");
    count(walk, "lookups", "", feedback->lookups, "Samples of the residency map");
    real(walk, "samples_per_second", "1/s", tsim_result_feedback_samples_per_second(result),
         "All three, over the time in which the texture units worked");
    real(walk, "achieved_samples_per_second", "1/s",
         tsim_result_feedback_achieved_per_second(result), "All three, while there was such work");
    real(walk, "td_utilisation", "", tsim_result_feedback_td_utilisation(result),
         "Share of that time in which the texture units worked for it");
    count(walk, "plain_cycles", "cycles", feedback->plain_cycles,
          "Length of the run with plain sampling; 0: no feedback was written");
    real(walk, "overhead", "", tsim_result_feedback_overhead(result),
         "How much longer the run takes than with plain sampling");
    visit_streaming(walk);
    close_group(walk);
}

/* ---- Over time ---- */

/* Series widen on their own, those that end early stay finer: one width serves all. */
static uint32_t common_shift(const TsimResult *result)
{
    uint32_t shift = result->lds.bucket_shift;

    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        shift = MAX(shift, result->waves[stage].bucket_shift);
    }
    while (((uint64_t)TSIM_SERIES_BUCKETS << shift) < result->elapsed_cycles) {
        shift++;
    }
    return shift;
}

static void visit_series(const Walk *walk, const char *key, const TsimSeries *series,
                         uint32_t shift, const char *unit, const char *blurb)
{
    const uint64_t end = walk->result->elapsed_cycles;
    const uint64_t width = UINT64_C(1) << shift;

    if (walk->visitor->skips_scalars) {
        return;
    }
    open_group(walk, TSIM_GROUP_SCALARS, key, blurb);
    for (uint64_t from = 0; from < end; from += width) {
        const uint64_t to = MIN(end, from + width);
        real(walk, NULL, unit, tsim_series_mean(series, end, (double)from, (double)to), blurb);
    }
    close_group(walk);
}

static void visit_time(const Walk *walk)
{
    const TsimResult *result = walk->result;
    const uint32_t shift = common_shift(result);

    open_object(walk, "series", "Means over equal spans of time, the last one cut at the end");
    count(walk, "bucket_cycles", "cycles", UINT64_C(1) << shift, "Length of a span");
    for (int stage = 0; stage < TSIM_STAGES; stage++) {
        g_autofree char *key = g_strconcat(tsim_stage_names[stage], "_waves", NULL);
        g_autofree char *blurb =
            g_strconcat("Resident ", tsim_stage_title(stage), " waves of the GPU", NULL);
        visit_series(walk, key, &result->waves[stage], shift, "waves", blurb);
    }
    visit_series(walk, "lds_bytes", &result->lds, shift, "bytes", "Allocated LDS of the GPU");
    close_group(walk);
}

/* ---- Asides ---- */

static void visit_words(const Walk *walk, const char *key, const char *const *words, guint n,
                        const char *blurb)
{
    open_group(walk, TSIM_GROUP_SCALARS, key, blurb);
    for (guint i = 0; i < n; i++) {
        word(walk, NULL, words[i], blurb);
    }
    close_group(walk);
}

static void visit_asides(const Walk *walk)
{
    const TsimResult *result = walk->result;

    visit_words(walk, "estimated_fields", (const char *const *)result->estimated_fields,
                result->estimated_fields_n, "GPU fields whose numbers are estimates");
    visit_words(walk, "warnings", (const char *const *)result->warnings->pdata,
                result->warnings->len, "What the user should know about the input");
}

static void visit_head(const Walk *walk)
{
    const TsimResult *result = walk->result;

    count(walk, "schema_version", "", TSIM_RESULT_SCHEMA_VERSION,
          "Grows when a key changes its meaning");
    word(walk, "tesssim_version", TSIM_VERSION, "Version of the program");
    word(walk, "scenario", result->scenario, "Name of the scenario");
    word(walk, "description", result->description, "Its description");
    word(walk, "gpu", result->gpu, "GPU, as the scenario names it");
    count(walk, "seed", "", result->seed, "Seed of all random streams");
    count(walk, "elapsed_cycles", "cycles", result->elapsed_cycles, "Length of the run");
    real(walk, "elapsed_us", "us", tsim_result_elapsed_us(result), "The same at the core clock");
    count(walk, "events", "", result->events, "State transitions simulated");
}

void tsim_result_visit(const TsimResult *result, const TsimResultVisitor *visitor, void *user)
{
    const Walk walk = {visitor, user, result};

    open_object(&walk, NULL, "Result of a run");
    visit_head(&walk);
    visit_totals(&walk, &result->totals);
    visit_works(&walk, "draws", "draw", "Draws in submission order");
    visit_works(&walk, "dispatches", "dispatch", "Compute dispatches in submission order");
    visit_works(&walk, "samplings", "sample_feedback",
                "Work that samples with feedback, in submission order");
    visit_rates(&walk);
    visit_occupancy(&walk);
    visit_lds(&walk);
    visit_stalls(&walk);
    visit_resources(&walk);
    visit_bottleneck(&walk);
    visit_memory(&walk);
    visit_rays(&walk);
    visit_feedback(&walk);
    visit_machine(&walk);
    visit_time(&walk);
    visit_asides(&walk);
    close_group(&walk);
}

TsimResult *tsim_result_sample(void)
{
    TsimResult *result = tsim_result_new();

    result->elapsed_cycles = 1;
    result->draws_n = 3;
    result->draws = g_new0(TsimDrawResult, 3);
    result->draws[0].is_draw = TRUE;
    result->draws[0].type = "draw";
    result->draws[1].type = "dispatch";
    result->draws[2].type = "sample_feedback";
    result->feedback.frames_n = 1;
    result->feedback.frames = g_new0(TsimFeedbackFrame, 1);
    result->estimated_fields_n = 1;
    result->estimated_fields = g_new0(char *, 2);
    result->estimated_fields[0] = g_strdup("");
    g_ptr_array_add(result->warnings, g_strdup(""));
    return result;
}
