/* A first-in first-out server with a rate: LDS pipe, texture unit, export path, set-up, caches,
 * DRAM.
 *
 * Booking is exact: the server remembers when it is free in ticks of 1/rate.num cycles, so that no
 * time is lost or won by rounding between requests.
 */
#pragma once

#include "base/rate.h"

typedef struct {
    TsimRate rate;       /* units of work a cycle */
    uint64_t free_ticks; /* free from then on */
    uint64_t busy_ticks; /* work done so far */
} TsimServer;

static inline void tsim_server_init(TsimServer *server, TsimRate rate)
{
    *server = (TsimServer){.rate = rate};
}

/* Books `work` units from cycle now on; returns the cycle at which they are done (rounded up). */
static inline uint64_t tsim_server_book(TsimServer *server, uint64_t now, uint64_t work)
{
    const uint64_t now_ticks = now * server->rate.num;
    const uint64_t ticks = work * server->rate.den;

    server->free_ticks = MAX(server->free_ticks, now_ticks) + ticks;
    server->busy_ticks += ticks;
    return tsim_ceil_div(server->free_ticks, server->rate.num);
}

static inline uint64_t tsim_server_busy_cycles(const TsimServer *server)
{
    return tsim_ceil_div(server->busy_ticks, server->rate.num);
}
