#include "explore/wakeup.h"

#include <string.h>

bool hd_wakeup_init(struct hd_wakeup *w, struct hd_arena *arena)
{
    memset(w, 0, sizeof *w);
    w->arena = arena;
    w->n = 1; /* 0 is HD_NO_BRANCH */
    w->trees = hd_arena_take(arena, sizeof *w->trees * (uint64_t)(HD_MAX_STEPS + 2));
    return w->trees && hd_wakeup_reserve(w, 64);
}

bool hd_wakeup_reserve(struct hd_wakeup *w, uint32_t n)
{
    if (w->cap && w->n + n <= w->cap)
        return true;
    uint32_t cap = w->cap ? 2 * w->cap : 1024;
    while (cap < w->n + n)
        cap *= 2;
    struct hd_branch *pool = hd_arena_take(w->arena, (uint64_t)cap * sizeof *pool);
    if (!pool)
        return false;
    if (w->pool) {
        memcpy(pool, w->pool, w->n * sizeof *pool);
        hd_arena_give_back(w->pool, (uint64_t)w->cap * sizeof *pool);
    }
    w->pool = pool;
    w->cap = cap;
    return true;
}

uint32_t hd_wakeup_new(struct hd_wakeup *w)
{
    uint32_t b = w->free;
    if (b)
        w->free = w->pool[b].next;
    else
        b = w->n++;
    if (++w->live > w->most)
        w->most = w->live;
    w->pool[b].below = w->pool[b].next = HD_NO_BRANCH;
    return b;
}

static void give(struct hd_wakeup *w, uint32_t b)
{
    w->pool[b].next = w->free;
    w->free = b;
    w->live--;
}

void hd_wakeup_drop(struct hd_wakeup *w, uint32_t b)
{
    while (b) {
        uint32_t next = w->pool[b].next;
        hd_wakeup_drop(w, w->pool[b].below);
        give(w, b);
        b = next;
    }
}

void hd_wakeup_descend(struct hd_wakeup *w, uint32_t depth, uint32_t thread, uint32_t chosen)
{
    uint32_t *link = &w->trees[depth];
    hd_wakeup_drop(w, w->trees[depth + 1]);
    w->trees[depth + 1] = HD_NO_BRANCH;
    while (*link && (w->pool[*link].thread != thread || w->pool[*link].chosen != chosen))
        link = &w->pool[*link].next;
    if (!*link)
        return;
    uint32_t b = *link;
    *link = w->pool[b].next;
    w->trees[depth + 1] = w->pool[b].below;
    give(w, b);
}
