/* Little-endian numbers in byte arrays, at any alignment. */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

static inline void tsim_bytes_put_u16(uint8_t *bytes, uint16_t value)
{
    const uint16_t little = GUINT16_TO_LE(value);

    memcpy(bytes, &little, sizeof little);
}

static inline void tsim_bytes_put_u32(uint8_t *bytes, uint32_t value)
{
    const uint32_t little = GUINT32_TO_LE(value);

    memcpy(bytes, &little, sizeof little);
}

static inline uint16_t tsim_bytes_get_u16(const uint8_t *bytes)
{
    uint16_t little;

    memcpy(&little, bytes, sizeof little);
    return GUINT16_FROM_LE(little);
}

static inline uint32_t tsim_bytes_get_u32(const uint8_t *bytes)
{
    uint32_t little;

    memcpy(&little, bytes, sizeof little);
    return GUINT32_FROM_LE(little);
}
