#include "explore/dpor/wakeup.h"

#include "core/dependence.h"
#include "core/enabled.h"
#include "core/pack_parts.h"
#include "core/worker_memory.h"

#include <string.h>

bool hd_wakeup_init(struct hd_wakeup *w, struct hd_arena *arena)
{
    memset(w, 0, sizeof *w);
    w->arena = arena;
    w->n = 1; /* 0 is HD_NO_BRANCH */
    w->trees = hd_arena_take(arena, sizeof *w->trees * (uint64_t)(HD_MAX_STEPS + 2));
    return w->trees && hd_wakeup_reserve(w, 64);
}

bool hd_wakeup_grow(struct hd_wakeup *w, uint32_t n)
{
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
    w->pool[b].loose = false;
    return b;
}

static void give(struct hd_wakeup *w, uint32_t b)
{
    w->pool[b].next = w->free;
    w->free = b;
    w->live--;
}

/* No recursion: a tree may be as deep as an execution is long. */
void hd_wakeup_drop(struct hd_wakeup *w, uint32_t b)
{
    while (b) {
        uint32_t next = w->pool[b].next, below = w->pool[b].below;
        if (below) {
            uint32_t last = below;
            while (w->pool[last].next)
                last = w->pool[last].next;
            w->pool[last].next = next;
            next = below;
        }
        give(w, b);
        b = next;
    }
}

uint32_t hd_wakeup_unlink(struct hd_wakeup *w, uint32_t *link, uint32_t thread, uint32_t chosen)
{
    while (*link && (w->pool[*link].thread != thread || w->pool[*link].chosen != chosen))
        link = &w->pool[*link].next;
    uint32_t b = *link;
    if (!b)
        return HD_NO_BRANCH;
    uint32_t below = w->pool[b].below;
    *link = w->pool[b].next;
    give(w, b);
    return below;
}

void hd_wakeup_descend(struct hd_wakeup *w, uint32_t depth, uint32_t thread, uint32_t chosen)
{
    if (w->trees[depth + 1])
        hd_wakeup_drop(w, w->trees[depth + 1]);
    w->trees[depth + 1] = hd_wakeup_unlink(w, &w->trees[depth], thread, chosen);
}

static uint32_t size(const struct hd_wakeup *w, uint32_t list)
{
    uint32_t n = 0;
    for (uint32_t b = list; b; b = w->pool[b].next)
        n += 1 + size(w, w->pool[b].below);
    return n;
}

static uint32_t copy_list(struct hd_wakeup *to, const struct hd_wakeup *from, uint32_t list)
{
    uint32_t first = HD_NO_BRANCH, *link = &first;
    for (uint32_t b = list; b; b = from->pool[b].next) {
        uint32_t below = copy_list(to, from, from->pool[b].below);
        uint32_t made = hd_wakeup_new(to);
        to->pool[made] = from->pool[b];
        to->pool[made].below = below;
        to->pool[made].next = HD_NO_BRANCH;
        *link = made;
        link = &to->pool[made].next;
    }
    return first;
}

bool hd_wakeup_copy(struct hd_wakeup *to, const struct hd_wakeup *from, uint32_t list,
                    uint32_t *copy)
{
    bool room = hd_wakeup_reserve(to, size(from, list));
    *copy = room ? copy_list(to, from, list) : HD_NO_BRANCH;
    return room;
}

bool hd_wakeup_wakes(const struct hd_wakeup *w, uint32_t list, uint32_t thread,
                     const struct hd_action *action)
{
    while (list && w->pool[list].thread != thread)
        list = w->pool[list].next;
    return list && !hd_op_has_outcome(hd_op_attempt((enum hd_op)w->pool[list].action.op)) &&
           hd_action_dependent(&w->pool[list].action, action);
}

static void pack_branch(struct hd_pack *p, struct hd_branch *b)
{
    uint32_t thread = b->thread;
    hd_pack_thread(p, &thread);
    b->thread = (uint16_t)thread;
    hd_pack_bool(p, &b->loose);
    hd_pack_u32(p, &b->chosen, UINT32_MAX);
    hd_pack_action(p, &b->action);
}

/* Write every branch before the branches below it, each with its level from 1, and a 0 after
 * the last. */
static void write_list(struct hd_wakeup *w, struct hd_pack *p, uint32_t list, uint32_t level)
{
    for (uint32_t b = list; b && !p->bad; b = w->pool[b].next) {
        hd_pack_u32(p, &level, HD_MAX_STEPS);
        pack_branch(p, &w->pool[b]);
        write_list(w, p, w->pool[b].below, level + 1);
    }
}

/* Read what write_list() wrote.  While a list is being read, `next` of its last branch is the
 * branch one level up. */
static uint32_t read_list(struct hd_wakeup *w, struct hd_pack *p)
{
    uint32_t first = HD_NO_BRANCH, newest = HD_NO_BRANCH, at = 0, level = 0;
    for (hd_pack_u32(p, &level, 1); level && !p->bad; hd_pack_u32(p, &level, at + 1)) {
        if (!hd_wakeup_reserve(w, 1)) {
            hd_pack_refuse(p);
            break;
        }
        for (; at > level; at--) {
            uint32_t above = w->pool[newest].next;
            w->pool[newest].next = HD_NO_BRANCH;
            newest = above;
        }
        uint32_t made = hd_wakeup_new(w);
        pack_branch(p, &w->pool[made]);
        if (at == level) {
            w->pool[made].next = w->pool[newest].next;
            w->pool[newest].next = made;
        } else {
            w->pool[made].next = newest;
            if (newest)
                w->pool[newest].below = made;
        }
        first = first ? first : made;
        newest = made;
        at = level;
    }
    for (; at; at--) {
        uint32_t above = w->pool[newest].next;
        w->pool[newest].next = HD_NO_BRANCH;
        newest = above;
    }
    return first;
}

void hd_wakeup_pack_list(struct hd_wakeup *w, struct hd_pack *p, uint32_t *list)
{
    uint32_t end = 0;
    if (p->reading) {
        *list = read_list(w, p);
        return;
    }
    write_list(w, p, *list, 1);
    hd_pack_u32(p, &end, 0);
}

void hd_wakeup_pack(struct hd_wakeup *w, uint32_t n_nodes, struct hd_pack *p)
{
    for (uint32_t d = 0; d < n_nodes && !p->bad; d++) {
        if (p->reading)
            hd_wakeup_drop(w, w->trees[d]);
        hd_wakeup_pack_list(w, p, &w->trees[d]);
    }
}
