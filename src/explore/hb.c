#include "explore/hb.h"

#include "base/hash.h"
#include "core/touch.h"

#include <string.h>

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_hb *hb = owner;
    if (to >= hb->objects_cap) {
        uint32_t cap = hb->objects_cap ? 2 * hb->objects_cap : 256;
        struct hd_hb_object *objects = hd_arena_take(hb->arena, cap * sizeof *objects);
        if (!objects) {
            hb->full = true;
            return;
        }
        if (hb->objects)
            memcpy(objects, hb->objects, hb->objects_cap * sizeof *objects);
        hb->objects = objects;
        hb->objects_cap = cap;
    }
    hb->objects[to] = from == to ? (struct hd_hb_object){ HD_NO_EVENT, HD_NO_EVENT }
                                 : hb->objects[from];
}

bool hd_hb_init(struct hd_hb *hb, struct hd_arena *arena)
{
    memset(hb, 0, sizeof *hb);
    hb->arena = arena;
    hb->last_all = HD_NO_EVENT;
    memset(hb->last, 0xff, sizeof hb->last);
    hb->undo_cap = 16ull * HD_MAX_STEPS;
    hb->clocks = hd_arena_take(arena, 4ull * HD_MAX_THREADS * HD_MAX_STEPS);
    hb->events = hd_arena_take(arena, sizeof *hb->events * (uint64_t)HD_MAX_STEPS);
    hb->undo = hd_arena_take(arena, sizeof *hb->undo * hb->undo_cap);
    return hb->clocks && hb->events && hb->undo &&
           hd_cells_init(&hb->cells, arena, hb, cell_added);
}

static void follow(struct hd_hb *hb, uint32_t *clock, uint32_t event)
{
    if (event == HD_NO_EVENT)
        return;
    const uint32_t *other = hd_hb_clock(hb, event);
    for (uint32_t t = 0; t < hb->n_threads; t++)
        if (other[t] > clock[t])
            clock[t] = other[t];
}

/* The read before `event` in the chain of the object at `addr`. */
static uint32_t read_before(const struct hd_hb *hb, uint32_t event, uint64_t addr)
{
    uint64_t end = event + 1 < hb->depth ? hb->events[event + 1].undo : hb->n_undo;
    for (uint64_t i = hb->events[event].undo; i < end; i++)
        if (addr - hb->undo[i].addr < hb->undo[i].len)
            return hb->undo[i].was.read;
    return HD_NO_EVENT;
}

static void touch_cell(struct hd_hb *hb, uint32_t event, uint32_t *clock, uint32_t cell, bool writes)
{
    struct hd_hb_object *o = &hb->objects[cell];
    if (hb->n_undo == hb->undo_cap) {
        hb->full = true;
        return;
    }
    const struct hd_cell *c = &hb->cells.cells[cell];
    hb->undo[hb->n_undo++] = (struct hd_hb_undo){ c->addr, c->len, *o };
    follow(hb, clock, o->write);
    if (!writes) {
        o->read = event;
        return;
    }
    for (uint32_t r = o->read; r != HD_NO_EVENT; r = read_before(hb, r, c->addr))
        if (r != event)
            follow(hb, clock, r);
    o->write = event;
    o->read = HD_NO_EVENT;
}

void hd_hb_ran(struct hd_hb *hb, uint32_t thread, const struct hd_action *action, uint32_t chosen)
{
    uint32_t event = hb->depth++;
    uint32_t *clock = hb->clocks + (uint64_t)event * HD_MAX_THREADS;
    struct hd_hb_event *e = &hb->events[event];
    if (thread >= hb->n_threads)
        hb->n_threads = thread + 1;
    memset(clock, 0, 4ull * HD_MAX_THREADS);
    *e = (struct hd_hb_event){ .thread = thread, .before = hb->last[thread], .all = hb->last_all,
                               .undo = hb->n_undo };
    follow(hb, clock, e->before);
    follow(hb, clock, hb->last_all);
    if (hd_op_table[action->op].access == HD_ACCESS_ALL) {
        for (uint32_t t = 0; t < hb->n_threads; t++)
            follow(hb, clock, hb->last[t]);
        hb->last_all = event;
    }
    struct hd_touch touched[2];
    for (int i = 0, n = hd_touches(action, touched); i < n; i++)
        for (uint64_t at = touched[i].begin; at < touched[i].end && !hb->full;) {
            uint32_t cell = hd_cells_at(&hb->cells, at, touched[i].end);
            if (cell == ~0u) {
                hb->full = true;
                break;
            }
            touch_cell(hb, event, clock, cell, touched[i].writes);
            at += hb->cells.cells[cell].len;
        }
    clock[thread]++;
    hb->last[thread] = event;
    e->hash = hd_hash_step(hd_hash_mix((uint64_t)thread << 32 | action->op), chosen);
    for (uint32_t t = 0; t < hb->n_threads; t++)
        if (clock[t]) /* threads that do not matter must not: their number changes */
            e->hash = hd_hash_step(e->hash, (uint64_t)t << 32 | clock[t]);
}

void hd_hb_back(struct hd_hb *hb, uint32_t depth)
{
    while (hb->depth > depth) {
        const struct hd_hb_event *e = &hb->events[--hb->depth];
        while (hb->n_undo > e->undo) {
            const struct hd_hb_undo *u = &hb->undo[--hb->n_undo];
            for (uint64_t at = u->addr; at < u->addr + u->len;) {
                uint32_t cell = hd_cells_at(&hb->cells, at, u->addr + u->len);
                hb->objects[cell] = u->was;
                at += hb->cells.cells[cell].len;
            }
        }
        hb->last[e->thread] = e->before;
        hb->last_all = e->all;
    }
}

void hd_hb_graph_hash(const struct hd_hb *hb, uint64_t out[2])
{
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < hb->depth; i++) {
        out[0] += hb->events[i].hash;
        out[1] += hd_hash_mix(hb->events[i].hash ^ 0x5bd1e9955bd1e995ull);
    }
}
