/* The entry that libFuzzer calls; 0 always. A violated expectation aborts. */
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
