#include "supervise/pool.h"

#include "base/err.h"

#include <stdbool.h>
#include <stdlib.h>

#define MOST_SECONDS 60.0
#define FIRST_UNITS 64

void hd_pool_release(struct hd_pool *pool)
{
    for (uint32_t i = 0; i < HD_POOL_CLASSES; i++)
        free(pool->classes[i].units);
}

void hd_pool_add(struct hd_pool *pool, void *unit, uint64_t bytes)
{
    uint64_t i = bytes / HD_POOL_STEP;
    struct hd_pool_class *c = &pool->classes[i < HD_POOL_CLASSES ? i : HD_POOL_CLASSES - 1];
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 8;
        c->units = hd_realloc(c->units, c->room * sizeof *c->units);
    }
    c->units[c->n++] = unit;
    pool->n++;
}

static void *take(struct hd_pool *pool, bool far)
{
    for (uint32_t i = 0; pool->n && i < HD_POOL_CLASSES; i++) {
        struct hd_pool_class *c = &pool->classes[far ? HD_POOL_CLASSES - 1 - i : i];
        if (!c->n)
            continue;
        pool->n--;
        return c->units[--c->n];
    }
    return NULL;
}

void *hd_pool_take(struct hd_pool *pool, uint32_t ranks)
{
    return take(pool, pool->n > (uint64_t)HD_POOL_MANY * ranks);
}

void *hd_pool_nearest(struct hd_pool *pool) { return take(pool, false); }

double hd_pool_seconds(const struct hd_pool *pool, uint32_t ranks)
{
    double seconds = (double)pool->n / ranks;
    return seconds < HD_POOL_LEAST_SECONDS ? HD_POOL_LEAST_SECONDS
           : seconds > MOST_SECONDS        ? MOST_SECONDS
                                           : seconds;
}

uint32_t hd_pool_first_units(uint32_t ranks)
{
    return ranks < FIRST_UNITS / 4 ? 4 * ranks : FIRST_UNITS;
}
