#include "model/ray.h"

#include "base/hash.h"
#include "model/texture-unit.h"
#include "model/trace.h"

#include <math.h>

#define STACK_ENTRY_BYTES 4

/* Set-up, four steps of a round, the last calculations, the store. */
#define STEPS_MAX 7

/* A hit as the shader stores it. */
#define HIT_BYTES 16

/* Brightness of a pixel that looks straight at a surface, or at nothing with an any-hit ray. */
#define FULL_LIGHT 255

/* ---- Before the run ---- */

/* Issue is by the width of the rays' waves, not by that of the other stages. */
static uint32_t valu_cycles(const TsimGpu *gpu, uint32_t wave_lanes, uint32_t instructions)
{
    return instructions * MAX(gpu->valu_issue_clks * wave_lanes / gpu->wave_size, 1);
}

static void append(TsimProgram *program, TsimStep step)
{
    program->steps[program->steps_n++] = step;
}

static void append_valu(TsimProgram *program, const TsimGpu *gpu, uint32_t wave_lanes,
                        uint32_t instructions)
{
    if (instructions > 0) {
        append(program, (TsimStep){.kind = TSIM_STEP_ALU,
                                   .amount = valu_cycles(gpu, wave_lanes, instructions)});
    }
}

static void init_program(TsimMachine *machine, TsimWorkState *state, const TsimRayWork *work,
                         uint32_t *streams)
{
    const TsimGpu *gpu = machine->gpu;
    const TsimRayProgram *shader = &work->program;
    TsimProgram *program = &state->programs[TSIM_STAGE_CS];

    *program = (TsimProgram){
        .steps = TSIM_ARENA_NEW(machine->arena, TsimStep, STEPS_MAX),
        .vgprs = tsim_limits_vgprs_allocated(gpu, tsim_ray_work_vgprs(work), state->wave_lanes),
        .sgprs = gpu->sgprs_per_simd > 0 ? tsim_limits_sgprs_allocated(gpu, shader->sgprs) : 0,
    };
    append_valu(program, gpu, state->wave_lanes, shader->setup_valu);
    const uint32_t round = program->steps_n;
    append(program, (TsimStep){.kind = TSIM_STEP_RAY_NODES});
    append(program, (TsimStep){.kind = TSIM_STEP_RAY_ALU});
    if (shader->stack == TSIM_RAY_STACK_LDS) {
        append(program, (TsimStep){.kind = TSIM_STEP_RAY_STACK});
    }
    append(program, (TsimStep){.kind = TSIM_STEP_RAY_LOOP, .amount = round});
    append_valu(program, gpu, state->wave_lanes, shader->finish_valu);
    append(program, (TsimStep){.kind = TSIM_STEP_MEM,
                               .amount = 1,
                               .store = 1,
                               .bytes_per_lane = HIT_BYTES,
                               .stream = (*streams)++});
}

void tsim_ray_init_work(TsimMachine *machine, uint32_t work_index, uint32_t *streams)
{
    const TsimRayWork *work = &machine->scenario->work[work_index].rays;
    TsimWorkState *state = &machine->work[work_index];
    const TsimRayOperandFormat format = {work->program.pointer64, work->program.a16};

    state->wave_lanes = tsim_ray_work_wave_lanes(work);
    state->group_threads = state->wave_lanes;
    state->group_waves = 1;
    state->lds_granules = tsim_limits_lds_allocated(machine->gpu, tsim_ray_work_lds_bytes(work)) /
                          machine->lds_granule;
    state->ray_operand_clks = tsim_ray_operand_count(format);
    state->ray_stream = (*streams)++;
    if (!work->is_mix) {
        state->ray_scene =
            tsim_traversal_scene(work->bvh, &work->options, tsim_ray_work_any_hit(work));
    }
    init_program(machine, state, work, streams);
}

static void init_images(TsimRayImages *images, const TsimRays *rays)
{
    const size_t pixels = (size_t)rays->width * rays->height;

    images->width = rays->width;
    images->height = rays->height;
    images->nodes = g_new0(uint32_t, pixels);
    images->rays = g_new0(uint32_t, pixels);
    images->light = g_new0(uint64_t, pixels);
}

static void describe_bvh(TsimRayResult *result, const TsimBvh *bvh)
{
    result->bvh_bytes += bvh->descriptor.node_count * TSIM_RAY_UNIT_BYTES;
    if (result->bvh_depth == 0) {
        result->bvh_depth = bvh->measure.depth + bvh->measure.instance_depth;
        result->bvh_sah_cost = bvh->measure.sah_cost;
    }
}

void tsim_ray_init(TsimMachine *machine)
{
    const TsimScenario *scenario = machine->scenario;
    TsimRayState *rays = NULL;

    for (uint32_t i = 0; i < scenario->work_n; i++) {
        const TsimRayWork *work = &scenario->work[i].rays;
        if (scenario->work[i].type != TSIM_WORK_RAYS) {
            continue;
        }
        if (rays == NULL) {
            rays = machine->rays = TSIM_ARENA_NEW(machine->arena, TsimRayState, 1);
            rays->result.traced = TRUE;
        }
        rays->stack_entries = MAX(rays->stack_entries, tsim_ray_work_stack_entries(work));
        if (work->is_mix) {
            continue;
        }
        describe_bvh(&rays->result, work->bvh);
        if (scenario->keeps_ray_images && rays->result.images.width == 0 &&
            work->rays.kind != TSIM_RAYS_LIST) {
            machine->work[i].ray_images = TRUE;
            init_images(&rays->result.images, &work->rays);
        }
    }
    if (rays != NULL) {
        const uint32_t waves = machine->wave_pool.n;
        rays->waves = TSIM_ARENA_NEW(machine->arena, TsimRayWave, waves);
        rays->stacks = TSIM_ARENA_NEW(machine->arena, uint32_t,
                                      (size_t)waves * TSIM_RAYS_MAX_LANES * rays->stack_entries);
    }
}

void tsim_ray_clear(TsimMachine *machine)
{
    if (machine->rays != NULL) {
        tsim_ray_images_clear(&machine->rays->result.images);
    }
}

/* ---- Node lines of an instruction ---- */

static void begin_lines(TsimRayState *rays)
{
    rays->stamp++;
    if (rays->stamp == 0) { /* stamps of 2^32 instructions ago would look like ours */
        memset(rays->line_stamps, 0, sizeof rays->line_stamps);
        rays->stamp = 1;
    }
}

/* FALSE when the instruction has asked for the line before. An instruction has at most two lines a
 * lane, so that the table stays sparse. */
static gboolean is_new_line(TsimRayState *rays, uint64_t line)
{
    uint32_t slot = (uint32_t)(tsim_mix64(line) % TSIM_RAY_LINE_SLOTS);

    while (rays->line_stamps[slot] == rays->stamp) {
        if (rays->line_slots[slot] == line) {
            return FALSE;
        }
        slot = (slot + 1) % TSIM_RAY_LINE_SLOTS;
    }
    rays->line_stamps[slot] = rays->stamp;
    rays->line_slots[slot] = line;
    return TRUE;
}

/* units: of TSIM_RAY_UNIT_BYTES */
static void fetch(TsimMachine *machine, TsimMemoryRequest *request, uint32_t stream,
                  uint64_t unit_index, uint32_t units)
{
    const uint64_t units_a_line = machine->memory.node_line_bytes / TSIM_RAY_UNIT_BYTES;
    const uint64_t last = (unit_index + units - 1) / units_a_line;

    for (uint64_t line = unit_index / units_a_line; line <= last; line++) {
        if (is_new_line(machine->rays, line)) {
            tsim_memory_node_line(&machine->memory, request, stream, line);
        }
    }
}

/* ---- Lanes ---- */

/* How squarely a surface faces its ray, in the space of the mesh. */
static double facing(const TsimTraversalScene *scene, const TsimTraversal *lane)
{
    const uint32_t pointer = lane->hit.pointer;
    const uint8_t *corners = tsim_ray_node_corners[tsim_ray_pointer_type(pointer)];
    const float *along = lane->setup.ray.direction;
    double edges[2][3], normal[3], direction[3];
    double dot = 0.0, squares[2] = {0.0, 0.0};
    TsimRayTriangleNode node;
    TsimBvhInstanceNode instance;
    const gboolean instanced = lane->hit.instance != TSIM_RAY_NO_NODE;

    tsim_ray_node_decode_triangles(tsim_bvh_node(scene->bvh, pointer), &node);
    if (instanced) {
        tsim_bvh_decode_instance(tsim_bvh_node(scene->bvh, lane->hit.instance), &instance);
        along = lane->world.direction;
    }
    for (int axis = 0; axis < 3; axis++) {
        const double first = (double)node.vertex[corners[0]][axis];
        edges[0][axis] = (double)node.vertex[corners[1]][axis] - first;
        edges[1][axis] = (double)node.vertex[corners[2]][axis] - first;
        direction[axis] = (double)along[axis];
        if (instanced) {
            const float *row = instance.world_to_object[axis];
            direction[axis] = (double)row[0] * (double)along[0] +
                              (double)row[1] * (double)along[1] + (double)row[2] * (double)along[2];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        normal[axis] = edges[0][y] * edges[1][z] - edges[0][z] * edges[1][y];
        dot += normal[axis] * direction[axis];
        squares[0] += normal[axis] * normal[axis];
        squares[1] += direction[axis] * direction[axis];
    }
    return fabs(dot) / sqrt(squares[0] * squares[1]);
}

static void draw_pixel(TsimRayImages *images, const TsimTraversalScene *scene,
                       const TsimTraversal *lane, uint32_t pixel, uint32_t nodes)
{
    images->nodes[pixel] += nodes;
    images->rays[pixel]++;
    if (scene->any_hit) {
        images->light[pixel] += lane->hit.found ? 0 : FULL_LIGHT;
    } else if (lane->hit.found) {
        images->light[pixel] += (uint64_t)lround(FULL_LIGHT * facing(scene, lane));
    }
}

static void finish_lane(TsimMachine *machine, const TsimWorkState *state, TsimRayWave *wave,
                        uint32_t number)
{
    const TsimTraversal *lane = &wave->lanes[number];
    const TsimTraversalCounts *counts = &lane->counts;
    TsimRayResult *result = &machine->rays->result;
    const uint32_t nodes = counts->box_nodes + counts->triangles + counts->instances;

    wave->unfinished &= ~(UINT64_C(1) << number);
    result->hits += lane->hit.found ? 1 : 0;
    result->box_nodes += counts->box_nodes;
    result->triangle_tests += counts->triangles;
    result->instance_nodes += counts->instances;
    tsim_ray_histogram_add(&result->nodes_per_ray, nodes);
    tsim_ray_histogram_add(&result->stack_depth, counts->stack_peak);
    if (state->ray_images) {
        draw_pixel(&result->images, &state->ray_scene, lane, wave->pixels[number], nodes);
    }
}

/* A ray that the hardware would not test has finished before the first round. */
static void make_rays(TsimMachine *machine, const TsimWorkState *state, const TsimRays *generator,
                      TsimRayWave *wave)
{
    TsimRaysWave made;

    tsim_rays_wave(generator, &state->ray_scene, wave->number, &made);
    machine->rays->result.rays += (uint64_t)__builtin_popcountll(made.enabled);
    wave->unfinished = made.enabled;
    for (uint64_t left = made.enabled; left != 0; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        TsimTraversal *lane = &wave->lanes[number];
        wave->pixels[number] = (uint32_t)made.pixel[number];
        tsim_traversal_begin(&state->ray_scene, &made.ray[number], lane);
        if (lane->pointer == TSIM_RAY_NO_NODE) {
            finish_lane(machine, state, wave, number);
        }
    }
}

static uint64_t draw_of_mix(const TsimMachine *machine, const TsimRayWave *wave, uint32_t lane,
                            uint32_t round)
{
    return tsim_hash3(machine->scenario->seed, wave->number * TSIM_RAYS_MAX_LANES + lane, round);
}

static void make_mix(TsimMachine *machine, const TsimRayMix *mix, TsimRayWave *wave)
{
    const uint64_t choices = mix->nodes_max - mix->nodes_min + 1;
    TsimRayResult *result = &machine->rays->result;

    for (uint32_t lane = 0; lane < mix->wave_lanes; lane++) {
        if (lane % TSIM_RAY_HALF_LANES < mix->active_lanes) {
            const uint64_t draw = draw_of_mix(machine, wave, lane, 0);
            wave->nodes_left[lane] = mix->nodes_min + (uint32_t)(draw % choices);
            wave->unfinished |= UINT64_C(1) << lane;
            result->rays++;
            tsim_ray_histogram_add(&result->nodes_per_ray, wave->nodes_left[lane]);
        }
    }
}

/* ---- Rounds ---- */

void tsim_ray_name_wave(TsimMachine *machine, uint32_t wave, uint64_t number)
{
    if (machine->scenario->work[machine->waves[wave].work].type == TSIM_WORK_RAYS) {
        TsimRayWave *state = &machine->rays->waves[wave];

        state->number = number;
        state->round = 0;
        state->unfinished = 0;
    }
}

static uint32_t *stack_of(const TsimRayState *rays, uint32_t wave, uint32_t lane)
{
    return rays->stacks + ((size_t)wave * TSIM_RAYS_MAX_LANES + lane) * rays->stack_entries;
}

/* Lanes at an instance node read it with a plain load beside the instruction: TA drops them. */
static uint64_t step_lanes(TsimMachine *machine, uint32_t wave_index, const TsimWorkState *state,
                           TsimMemoryRequest *request)
{
    TsimRayWave *wave = &machine->rays->waves[wave_index];
    uint64_t live = wave->unfinished;

    for (uint64_t left = wave->unfinished; left != 0; left &= left - 1) {
        const uint32_t number = (uint32_t)__builtin_ctzll(left);
        TsimTraversal *lane = &wave->lanes[number];
        const uint32_t pointer = lane->pointer;
        const uint32_t entries = lane->stack_size;
        if (tsim_ray_pointer_type(pointer) == TSIM_RAY_NODE_INSTANCE) {
            live &= ~(UINT64_C(1) << number);
            wave->met_instance = TRUE;
        }
        fetch(machine, request, state->ray_stream, tsim_ray_pointer_index(pointer),
              tsim_ray_pointer_units(pointer));
        tsim_traversal_step(&state->ray_scene, lane, stack_of(machine->rays, wave_index, number),
                            NULL);
        wave->stack_entries += (uint32_t)ABS((int64_t)lane->stack_size - (int64_t)entries);
        if (lane->pointer == TSIM_RAY_NO_NODE) {
            finish_lane(machine, state, wave, number);
        }
    }
    return live;
}

static uint64_t step_mix(TsimMachine *machine, uint32_t wave_index, const TsimWorkState *state,
                         const TsimRayMix *mix, TsimMemoryRequest *request)
{
    const uint64_t units = mix->footprint_bytes / TSIM_RAY_UNIT_BYTES;
    TsimRayWave *wave = &machine->rays->waves[wave_index];
    TsimRayResult *result = &machine->rays->result;
    const uint64_t live = wave->unfinished;

    for (uint64_t left = live; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint64_t draw = draw_of_mix(machine, wave, lane, wave->round + 1);
        const gboolean is_box = (double)(draw >> 40) < mix->box_share * 0x1p24;
        fetch(machine, request, state->ray_stream, tsim_mix64(draw) % units, 1);
        result->box_nodes += is_box ? 1 : 0;
        result->triangle_tests += is_box ? 0 : 1;
        if (--wave->nodes_left[lane] == 0) {
            wave->unfinished &= ~(UINT64_C(1) << lane);
        }
    }
    return live;
}

static uint32_t count_halves(TsimRayResult *result, const TsimWorkState *state, uint64_t live)
{
    uint32_t clks = 0;

    for (uint32_t lane = 0; lane < state->wave_lanes; lane += TSIM_RAY_HALF_LANES) {
        const uint32_t lanes = (uint32_t)__builtin_popcount((uint32_t)live);
        result->live_lanes[lanes]++;
        clks += tsim_texture_unit_clks(state->ray_operand_clks, lanes);
        live >>= TSIM_RAY_HALF_LANES;
    }
    return clks;
}

uint64_t tsim_ray_round(TsimMachine *machine, uint32_t wave_index)
{
    const TsimWave *slot = &machine->waves[wave_index];
    const TsimWorkState *state = &machine->work[slot->work];
    const TsimRayWork *work = &machine->scenario->work[slot->work].rays;
    TsimRayWave *wave = &machine->rays->waves[wave_index];
    TsimRayResult *result = &machine->rays->result;
    TsimMemoryRequest request = tsim_memory_request(slot->cu, FALSE);
    const uint64_t now = tsim_now(machine);

    if (wave->round == 0 && work->is_mix) {
        make_mix(machine, &work->mix, wave);
    } else if (wave->round == 0) {
        make_rays(machine, state, &work->rays, wave);
    }
    begin_lines(machine->rays);
    wave->stack_entries = 0;
    wave->met_instance = FALSE;
    const uint64_t live = work->is_mix ? step_mix(machine, wave_index, state, &work->mix, &request)
                                       : step_lanes(machine, wave_index, state, &request);
    wave->round++;
    const uint64_t fetched_at =
        request.l1_lines > 0 ? tsim_memory_issue(&machine->memory, &request, now) : 0;
    if (live == 0 && wave->met_instance) {
        return fetched_at;
    }
    const TsimTextureInstruction instruction = {
        .class = TSIM_TEXTURE_BVH,
        .clks = count_halves(result, state, live),
        .latency = machine->gpu->ray_latency,
        .fetched_at = fetched_at,
    };
    const uint64_t done = tsim_texture_unit_issue(machine, slot->simd, &instruction);
    result->instructions++;
    tsim_ray_histogram_add(&result->latency, done - now);
    TSIM_TRACE(machine, ray_issued, wave_index);
    return MAX(done, fetched_at);
}

uint32_t tsim_ray_round_valu(const TsimMachine *machine, uint32_t wave_index)
{
    const TsimWave *slot = &machine->waves[wave_index];
    const TsimRayProgram *program = &machine->scenario->work[slot->work].rays.program;
    const uint32_t instructions =
        program->step_valu +
        (machine->rays->waves[wave_index].met_instance ? program->instance_valu : 0);

    return valu_cycles(machine->gpu, machine->work[slot->work].wave_lanes, instructions);
}

uint32_t tsim_ray_round_stack_bytes(const TsimMachine *machine, uint32_t wave_index)
{
    return machine->rays->waves[wave_index].stack_entries * STACK_ENTRY_BYTES;
}

gboolean tsim_ray_has_more(const TsimMachine *machine, uint32_t wave_index)
{
    return machine->rays->waves[wave_index].unfinished != 0;
}

/* ---- After the run ---- */

void tsim_ray_result(TsimMachine *machine, TsimRayResult *result)
{
    const TsimNodeFetches *fetches = &machine->memory.nodes;

    if (machine->rays == NULL) {
        return;
    }
    *result = machine->rays->result;
    machine->rays->result.images = (TsimRayImages){0}; /* the result's from now on */
    result->tds = machine->texture_units_n;
    for (uint32_t i = 0; i < machine->texture_units_n; i++) {
        const TsimTextureUnit *unit = &machine->texture_units[i];
        const TsimTextureUse *use = &unit->uses[TSIM_TEXTURE_BVH];
        result->td_busy_cycles += use->busy_ticks / unit->server.rate.num;
        result->waiting_cycles += use->waited_cycles;
    }
    result->node_lines = fetches->lines;
    result->node_l1_hits = fetches->l1_hits;
    result->node_array_l1_hits = fetches->array_l1_hits;
    result->node_l2_hits = fetches->l2_hits;
}
