/* Stateless hashing for draws that belong to an entity (a patch, a ray): the value depends on
 * (seed, stream, index) alone, never on the order in which entities are visited.
 */
#pragma once

#include <stdint.h>

/* The SplitMix64 finaliser (Steele, Lea, Flood 2014). */
static inline uint64_t tsim_mix64(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t tsim_hash3(uint64_t seed, uint64_t stream, uint64_t index)
{
    return tsim_mix64(tsim_mix64(tsim_mix64(seed) ^ stream) ^ index);
}

/* FNV-1a, 64 bit: for names. */
static inline uint64_t tsim_hash_string(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}
