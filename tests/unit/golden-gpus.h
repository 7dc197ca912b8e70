/* GPUs that golden tables name and the tool does not ship: only the fields that occupancy and patch
 * rules read. Source of the numbers: tests/golden and the register budgets of LLVM and Mesa.
 */
#pragma once

#include "hw/gpu.h"

/* "gfx6", "gfx7", "gfx8", "gfx900", "gfx1010", "gfx1030" or "gfx1100"; another name ends the
 * program. Two shader engines; callers change what a case is about. */
TsimGpu *golden_gpu_new(const char *name);
