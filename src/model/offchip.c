#include "model/offchip.h"

#include "model/launcher.h"

#define SLOT_BYTES  16
#define BITMAP_BITS 64

void tsim_offchip_init(TsimMachine *machine)
{
    const uint32_t buffers = machine->gpu->offchip_buffers;
    const uint32_t words = (buffers + BITMAP_BITS - 1) / BITMAP_BITS;

    machine->ring_free_bytes = TSIM_ARENA_NEW(machine->arena, uint64_t, machine->ses);
    for (uint32_t se = 0; se < machine->ses; se++) {
        machine->ring_free_bytes[se] = machine->gpu->tf_ring_bytes_per_se;
    }
    machine->offchip_free = TSIM_ARENA_NEW(machine->arena, uint64_t, words);
    for (uint32_t i = 0; i < buffers; i++) {
        machine->offchip_free[i / BITMAP_BITS] |= UINT64_C(1) << (i % BITMAP_BITS);
    }
}

static const TsimDrawPlan *plan_of(const TsimMachine *machine, const TsimGroup *group)
{
    return &machine->work[group->work].plan;
}

static gboolean needs_buffer(const TsimMachine *machine, const TsimGroup *group)
{
    return plan_of(machine, group)->mode == TSIM_MODE_OFFCHIP;
}

int tsim_offchip_check(const TsimMachine *machine, const TsimGroup *group)
{
    if (machine->ring_free_bytes[group->se] < group->ring_bytes) {
        return TSIM_STALL_RING;
    }
    if (needs_buffer(machine, group) && machine->offchip_in_use == machine->gpu->offchip_buffers) {
        return TSIM_STALL_OFFCHIP_BUFFER;
    }
    return -1;
}

void tsim_offchip_take(TsimMachine *machine, TsimGroup *group)
{
    machine->ring_free_bytes[group->se] -= group->ring_bytes;
    if (!needs_buffer(machine, group)) {
        return;
    }
    uint32_t word = 0;
    while (machine->offchip_free[word] == 0) {
        word++;
    }
    const uint32_t bit = (uint32_t)__builtin_ctzll(machine->offchip_free[word]);
    machine->offchip_free[word] &= ~(UINT64_C(1) << bit);
    group->offchip_buffer = word * BITMAP_BITS + bit;
    machine->offchip_in_use++;
    machine->offchip_peak = MAX(machine->offchip_peak, machine->offchip_in_use);
}

void tsim_offchip_release_ring(TsimMachine *machine, TsimGroup *group)
{
    machine->ring_free_bytes[group->se] += group->ring_bytes;
    tsim_launcher_wake_for(machine, group->se, TSIM_STALL_RING);
}

void tsim_offchip_release_buffer(TsimMachine *machine, TsimGroup *group)
{
    if (group->offchip_buffer == TSIM_NONE) {
        return;
    }
    machine->offchip_free[group->offchip_buffer / BITMAP_BITS] |=
        UINT64_C(1) << (group->offchip_buffer % BITMAP_BITS);
    group->offchip_buffer = TSIM_NONE;
    machine->offchip_in_use--;
    for (uint32_t se = 0; se < machine->ses; se++) {
        tsim_launcher_wake_for(machine, se, TSIM_STALL_OFFCHIP_BUFFER);
    }
}

/* ---- Traffic ---- */

typedef struct {
    uint64_t base;         /* byte address of the group's buffer */
    uint32_t points;       /* output control points of a patch */
    uint32_t patches;      /* stride of the arrays: patches of a full group */
    uint32_t vertex_slots; /* arrays of points * patches slots, then arrays of patches slots */
} Layout;

static Layout layout_of(const TsimMachine *machine, const TsimGroup *group)
{
    const TsimDraw *draw = tsim_draw(machine, group->work);

    return (Layout){
        .base = (uint64_t)group->offchip_buffer * machine->gpu->offchip_buffer_bytes,
        .points = draw->output_control_points,
        .patches = plan_of(machine, group)->patches_per_group,
        .vertex_slots = draw->hs_output_vec4,
    };
}

/* Byte address of a slot of control point `point` (vertex slots) of a patch. */
static uint64_t vertex_slot(const Layout *layout, uint32_t slot, uint32_t patch, uint32_t point)
{
    const uint64_t array = (uint64_t)slot * layout->points * layout->patches;

    return layout->base + SLOT_BYTES * (array + (uint64_t)patch * layout->points + point);
}

/* Byte address of a patch-constant slot of a patch. */
static uint64_t constant_slot(const Layout *layout, uint32_t slot, uint32_t patch)
{
    const uint64_t arrays = (uint64_t)layout->vertex_slots * layout->points + slot;

    return layout->base + SLOT_BYTES * (arrays * layout->patches + patch);
}

/* The lines from one byte to another, each once. */
static void add_range(TsimMachine *machine, TsimMemoryRequest *request, uint64_t first_byte,
                      uint64_t last_byte)
{
    for (uint64_t line = first_byte / TSIM_LINE_BYTES; line <= last_byte / TSIM_LINE_BYTES;
         line++) {
        tsim_memory_line(&machine->memory, request, line);
    }
}

/* One load instruction of a DS wave: the same slot and control point of every patch that the wave
 * covers. */
static void add_load(TsimMachine *machine, TsimMemoryRequest *request, const Layout *layout,
                     uint32_t instruction, const TsimDsRecord *record)
{
    const uint32_t vertex_loads = layout->vertex_slots * layout->points;
    uint64_t last_line = UINT64_MAX;

    for (uint32_t patch = record->first_patch; patch <= record->last_patch; patch++) {
        const uint64_t byte = instruction < vertex_loads
                                  ? vertex_slot(layout, instruction / layout->points, patch,
                                                instruction % layout->points)
                                  : constant_slot(layout, instruction - vertex_loads, patch);
        const uint64_t line = byte / TSIM_LINE_BYTES;
        if (line != last_line) {
            tsim_memory_line(&machine->memory, request, line);
        }
        last_line = line;
    }
}

uint64_t tsim_offchip_read(TsimMachine *machine, const TsimWave *wave, uint32_t instructions)
{
    const TsimDsRecord *record = &machine->ds_records[wave->owner];
    const TsimGroup *group = &machine->groups[record->group];
    const TsimDrawPlan *plan = plan_of(machine, group);
    const Layout layout = layout_of(machine, group);
    const uint32_t slots =
        MAX(plan->offchip_bytes_per_patch / SLOT_BYTES, 1); /* a program may read them again */
    TsimMemoryRequest request = tsim_memory_request(wave->cu, FALSE);

    for (uint32_t i = 0; i < instructions; i++) {
        add_load(machine, &request, &layout, i % slots, record);
    }
    machine->work[wave->work].totals.offchip_bytes_read +=
        (uint64_t)request.l1_lines * TSIM_LINE_BYTES;
    return tsim_memory_issue(&machine->memory, &request, tsim_now(machine));
}

/* One store instruction of an HS wave: a vertex slot of each of its threads, which lie side by
 * side, or a patch-constant slot by the first thread of each patch. Returns the bytes stored. */
static uint64_t add_store(TsimMachine *machine, TsimMemoryRequest *request, const Layout *layout,
                          uint32_t instruction, uint32_t first_thread, uint32_t threads)
{
    if (instruction < layout->vertex_slots) {
        const uint64_t first =
            vertex_slot(layout, instruction, 0, 0) + (uint64_t)SLOT_BYTES * first_thread;
        add_range(machine, request, first, first + (uint64_t)SLOT_BYTES * threads - 1);
        return (uint64_t)SLOT_BYTES * threads;
    }
    const uint32_t first_patch = (uint32_t)tsim_ceil_div(first_thread, layout->points);
    const uint32_t end_patch = (uint32_t)tsim_ceil_div(first_thread + threads, layout->points);
    if (first_patch == end_patch) {
        return 0;
    }
    const uint32_t slot = instruction - layout->vertex_slots;
    add_range(machine, request, constant_slot(layout, slot, first_patch),
              constant_slot(layout, slot, end_patch - 1) + SLOT_BYTES - 1);
    return (uint64_t)SLOT_BYTES * (end_patch - first_patch);
}

uint64_t tsim_offchip_write(TsimMachine *machine, const TsimWave *wave, uint32_t instructions)
{
    const TsimGroup *group = &machine->groups[wave->owner];
    const TsimDraw *draw = tsim_draw(machine, group->work);
    const Layout layout = layout_of(machine, group);
    const uint32_t slots = MAX(plan_of(machine, group)->patch_write_instructions, 1);
    TsimMemoryRequest request = tsim_memory_request(wave->cu, TRUE);
    uint64_t bytes = 0;

    /* Merged waves have a thread for each input or output control point; only the latter store. */
    const uint32_t all = group->patches * draw->output_control_points;
    const uint32_t threads =
        wave->first_thread < all ? MIN(wave->threads, all - wave->first_thread) : 0;
    for (uint32_t i = 0; i < instructions && threads > 0; i++) {
        bytes += add_store(machine, &request, &layout, i % slots, wave->first_thread, threads);
    }
    machine->work[wave->work].totals.offchip_bytes_written += bytes;
    return tsim_memory_issue(&machine->memory, &request, tsim_now(machine));
}
