/* Work units of one worker of several (unit.h): its place in the tree as bytes, and the units
 * that wait in the tree's memory for a worker that has nothing to do.
 *
 * A part is *loose* when no node above it belongs to all workers: its unit is everything that
 * another worker needs.  Otherwise it is below a node of the tree, which the unit names by its
 * index in tree->stopped_at; the reader of the unit clears that entry. */
#include "core/pack_parts.h"
#include "explore/jobs/split.h"
#include "explore/jobs/unit.h"
#include "explore/loop/search.h"

#include <stdio.h>
#include <string.h>

#define FIRST_SCRATCH (64u << 10)
#define MOST_SCRATCH (1ull << 32)

/* A unit costs the way to it: the path is written, and run again by the worker that takes it.
 * A worker makes WORTH times as many steps before it gives one, so that the ways are a small
 * part of everything, whatever the tree looks like. */
#define WORTH 4

/* ---- the place of a worker ---- */

enum place {
    ALONE, /* there is one worker */
    LOOSE,
    HANGS,
};

/* The search of one worker goes on with several. */
static void come_from_one(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    s->working = ex->settled == HD_SETTLED_NEXT;
    s->tree->loose = s->working;
    ex->marks.base = 0;
    head->n_threads = ex->shared->n_threads;
    memcpy(head->threads, ex->shared->threads, sizeof head->threads);
}

/* Note the node above our part, before the tree is written. */
static void note_place(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    uint32_t at = s->stopped_at ? s->stopped_at - 1 : 0;
    while (!s->stopped_at && s->tree->stopped_at[at])
        at++; /* there are more places than workers and units */
    s->stopped_at = ex->marks.base ? at + 1 : 0;
    s->tree->stopped_at[at] = ex->marks.base ? s->places[ex->marks.base - 1].node : NULL;
}

/* Read the nodes above our part: the lowest one determines them. */
static void read_places(struct hd_explorer *ex, struct hd_pack *p, uint32_t at)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_node *node = s->tree->stopped_at[at];
    hd_pack_want(p, node && ex->marks.base == node->depth + 1);
    for (; node && !p->bad; node = node->parent)
        s->places[node->depth] = (struct hd_split_place){ node, node->serial, 0 };
    s->tree->stopped_at[at] = NULL;
}

static void pack_hanging(struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_split *s = ex->split;
    uint32_t at = s->stopped_at - 1;
    hd_pack_u32(p, &at, HD_MAX_STOPPED - 1);
    hd_pack_u32(p, &ex->marks.base, HD_MAX_STEPS);
    if (p->reading)
        read_places(ex, p, at);
    for (uint32_t d = 0; d < ex->marks.base && !p->bad; d++)
        hd_pack_u32(p, &s->places[d].n_begun, s->places[d].node->n_begun);
}

static void pack_place(struct hd_explorer *ex, struct hd_pack *p, uint32_t place)
{
    struct hd_split *s = ex->split;
    bool waited = s->waited;
    uint64_t taken_at = s->taken_at, gave_at = s->gave_at;
    bool with_tree = s->worker == 0 && !p->part;
    if (!p->reading && !p->part)
        note_place(ex);
    hd_pack_part(p, with_tree ? HD_UNIT_TREE : HD_UNIT_SPLIT);
    if (with_tree)
        hd_shared_tree_pack(s->tree, p);
    hd_pack_bool(p, &s->working);
    hd_pack_bool(p, &s->starting);
    hd_pack_bool(p, &waited);
    hd_pack_u64(p, &taken_at);
    hd_pack_u64(p, &gave_at);
    if (p->reading)
        ex->marks.base = 0;
    if (place == HANGS)
        pack_hanging(ex, p);
    if (!p->reading || p->part)
        return;
    s->waited = waited;
    s->taken_at = taken_at;
    s->gave_at = gave_at;
    s->tree->head.workers[s->worker].begun = taken_at;
}

void hd_split_pack(struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_split *s = ex->split;
    uint32_t place = !s ? ALONE : ex->marks.base ? HANGS : LOOSE;
    hd_pack_part(p, HD_UNIT_SPLIT);
    hd_pack_u32(p, &place, HANGS);
    hd_pack_want(p, s ? place != ALONE || (s->worker == 0 && !p->part) : place == ALONE);
    if (p->bad || !s)
        return;
    if (place == ALONE)
        come_from_one(ex);
    else
        pack_place(ex, p, place);
    if (p->reading && !p->bad && s->worker == 0 && !p->part) {
        s->tree->head.n_parked = ex->opt->n_parked;
        __atomic_store_n(&s->tree->head.begun, 1, __ATOMIC_RELEASE);
        hd_shared_tree_wake_all(s->tree);
    }
}

bool hd_split_fits(const struct hd_explorer *ex)
{
    const struct hd_node *nodes = ex->path.nodes;
    if (ex->marks.base > ex->path.n_nodes ||
        ex->split->working != (ex->settled == HD_SETTLED_NEXT))
        return false;
    for (uint32_t d = 0; d < ex->marks.base; d++) {
        const struct hd_shared_tree_node *node = ex->split->places[d].node;
        if (nodes[d].n_alts != node->n_alts || nodes[d].taken >= node->n_begun ||
            nodes[d].n_open != nodes[d].taken + 1)
            return false;
    }
    return true;
}

/* ---- units that wait ---- */

/* Make room for n bytes of our own. */
static bool reserve_scratch(struct hd_explorer *ex, uint64_t n)
{
    struct hd_split *s = ex->split;
    uint64_t size = s->scratch_bytes ? s->scratch_bytes : FIRST_SCRATCH;
    while (size < n)
        size *= 2;
    if (size == s->scratch_bytes)
        return true;
    void *scratch = hd_arena_take(&ex->arena, size);
    if (!scratch)
        return false;
    if (s->scratch)
        hd_arena_give_back(s->scratch, s->scratch_bytes);
    s->scratch = scratch;
    s->scratch_bytes = size;
    return true;
}

/* With the lock held: a place for a unit of n bytes, if fewer than `most` units wait; NULL when
 * there is none. */
static struct hd_waiting_unit *place_for(struct hd_shared_tree *tree, uint64_t n, uint32_t most)
{
    struct hd_shared_tree_head *head = &tree->head;
    uint32_t i = 0;
    while (i < head->n_slots && head->units[i].bytes)
        i++;
    if (i == HD_MAX_UNITS || head->n_units >= most)
        return NULL;
    struct hd_waiting_unit *unit = &head->units[i];
    if (unit->room < n) {
        uint64_t room = FIRST_SCRATCH;
        while (room < n)
            room *= 2;
        char *memory = hd_arena_take(&tree->arena, room);
        if (!memory)
            return NULL;
        if (unit->room)
            hd_arena_give_back((char *)tree + unit->at, unit->room);
        unit->at = (uint64_t)(memory - (char *)tree);
        unit->room = room;
    }
    if (i == head->n_slots)
        head->n_slots++;
    return unit;
}

/* With the lock held: the unit in our buffer waits from now on. */
static bool lay_down(struct hd_explorer *ex, uint64_t n, uint32_t most)
{
    struct hd_split *s = ex->split;
    struct hd_waiting_unit *unit = n ? place_for(s->tree, n, most) : NULL;
    if (!unit)
        return false;
    memcpy((char *)s->tree + unit->at, s->scratch, n);
    unit->bytes = n;
    s->tree->head.n_units++;
    s->tree->loose++;
    return true;
}

bool hd_split_unit_pays(const struct hd_explorer *ex)
{
    return ex->cnt->events - ex->split->changed_hands >= WORTH * (uint64_t)ex->path.depth;
}

bool hd_split_give_unit(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_split *s = ex->split;
    uint64_t n = 0;
    s->changed_hands = ex->cnt->events;
    for (uint64_t room = FIRST_SCRATCH; !n && room <= MOST_SCRATCH; room *= 2) {
        if (!reserve_scratch(ex, room))
            return false;
        n = hd_unit_write_part(ex, depth, s->scratch, s->scratch_bytes);
    }
    hd_shared_tree_lock(s->tree, s->worker);
    bool given = lay_down(ex, n, HD_MAX_JOBS);
    if (given) {
        if (!ex->search->give)
            ex->path.nodes[depth].n_open = ex->path.nodes[depth].taken + 1;
        __atomic_store_n(&s->tree->head.offered, 1, __ATOMIC_RELAXED);
        hd_shared_tree_wake(s->tree);
    }
    hd_shared_tree_unlock(s->tree);
    return given;
}

/* There are more places than workers and units that were given away. */
bool hd_split_give_rest(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    uint64_t n = 0;
    for (uint64_t room = FIRST_SCRATCH; !n && room <= MOST_SCRATCH; room *= 2) {
        if (!reserve_scratch(ex, room))
            return false;
        n = hd_unit_write_rest(ex, s->scratch, s->scratch_bytes);
    }
    hd_shared_tree_lock(s->tree, s->worker);
    bool given = lay_down(ex, n, HD_MAX_UNITS);
    if (given) {
        s->working = false;
        s->tree->loose--;
    }
    hd_shared_tree_unlock(s->tree);
    return given;
}

uint64_t hd_split_fetch(struct hd_explorer *ex)
{
    struct hd_split *s = ex->split;
    struct hd_shared_tree_head *head = &s->tree->head;
    uint32_t i = 0;
    if (!head->n_units)
        return 0;
    while (i < HD_MAX_UNITS - 1 && !head->units[i].bytes)
        i++;
    struct hd_waiting_unit *unit = &head->units[i];
    if (!unit->bytes || !reserve_scratch(ex, unit->bytes)) {
        snprintf(ex->error, sizeof ex->error, "not enough memory for a work unit");
        return 0;
    }
    uint64_t n = unit->bytes;
    memcpy(s->scratch, (char *)s->tree + unit->at, n);
    unit->bytes = 0;
    head->n_units--;
    return n;
}

bool hd_split_read_unit(struct hd_explorer *ex, uint64_t n)
{
    struct hd_split *s = ex->split;
    const char *wrong = hd_unit_read_part(ex, s->scratch, n);
    if (wrong) {
        snprintf(ex->error, sizeof ex->error, "the exploration cannot go on: %s", wrong);
        return false;
    }
    s->taken_at = ex->executions_begun;
    s->changed_hands = ex->cnt->events;
    hd_split_adopt_bound(ex);
    return s->working;
}
