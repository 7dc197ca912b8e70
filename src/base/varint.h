/* Numbers of variable length, seven bits a byte, the lowest first: those of Protocol Buffers, and
 * of the pages of reports. */
#pragma once

#include <glib.h>
#include <stdint.h>

static inline void tsim_varint_append(GByteArray *bytes, uint64_t value)
{
    guint8 digits[10];
    guint n = 0;

    for (; value >= 0x80; value >>= 7) {
        digits[n++] = (guint8)(value | 0x80);
    }
    digits[n++] = (guint8)value;
    g_byte_array_append(bytes, digits, n);
}
