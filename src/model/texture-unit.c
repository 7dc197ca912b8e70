#include "model/texture-unit.h"

void tsim_texture_unit_init(TsimMachine *machine)
{
    const uint32_t simds = machine->cus_n * machine->simds_per_cu;
    /* A clock is sample_lanes_per_clk ticks, so that both kinds of work are whole numbers. */
    const TsimRate rate = {machine->gpu->sample_lanes_per_clk, 1};

    machine->texture_units_n = simds / machine->gpu->simds_per_cu;
    machine->texture_units =
        TSIM_ARENA_NEW(machine->arena, TsimTextureUnit, machine->texture_units_n);
    for (uint32_t i = 0; i < machine->texture_units_n; i++) {
        tsim_server_init(&machine->texture_units[i].server, rate);
    }
}

uint64_t tsim_texture_unit_issue(TsimMachine *machine, uint32_t simd,
                                 const TsimTextureInstruction *instruction)
{
    TsimTextureUnit *unit = tsim_texture_unit_of(machine, simd);
    TsimTextureUse *use = &unit->uses[instruction->class];
    const uint64_t now = tsim_now(machine);
    const uint64_t ticks =
        instruction->samples + (uint64_t)instruction->clks * unit->server.rate.num;
    const uint64_t served = tsim_server_book(&unit->server, now, ticks);
    uint64_t done = MAX(served, instruction->fetched_at);

    if (instruction->class != TSIM_TEXTURE_SAMPLE) {
        const uint64_t begin = MAX(instruction->fetched_at, use->results_at);
        done = MAX(served, begin + instruction->clks);
        use->results_at = done;
    }
    done += instruction->latency;
    use->instructions++;
    use->busy_ticks += ticks;
    use->waited_cycles += done - now;
    return done;
}
