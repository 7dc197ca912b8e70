/* The life of one wave: start, steps, end (E1-E3, E8, E16, E17). */
#pragma once

#include "model/machine.h"

/* The wave leaves the launcher now; its slot has been reserved. */
void tsim_wave_launch(TsimMachine *machine, uint32_t wave_index);

/* Event handlers. */
void tsim_wave_start(TsimMachine *machine, uint32_t wave_index);
void tsim_wave_step_done(TsimMachine *machine, uint32_t wave_index);
void tsim_wave_end(TsimMachine *machine, uint32_t wave_index);
void tsim_wave_alu_done(TsimMachine *machine, uint32_t simd_index);
