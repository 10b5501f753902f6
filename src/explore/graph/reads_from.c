/* Witnesses: orders of all events in which each load reads the newest store.
 *
 * The events of each thread are taken in program order.  An event can be taken if all that is
 * before it in po and rf has been taken, and
 *   a load of a variable       if it reads the newest store,
 *   a store                    if no load is left that reads the store which is the newest now,
 *   a read-modify-write        if both hold; its two parts are taken at once,
 *   an operation on an object  if it is the next one in the order of the object.
 *
 * All of them but stores are taken as soon as they can be: nothing that comes later could have
 * come between.  So is a store that nobody reads, or the last one of its variable.  Only where
 * a store is read, and others of its variable are left, are there several ways.
 *
 * What is left to do follows from how far each thread has come: if a store has been taken and
 * loads are left that read it, it must be the newest.  So what has failed is remembered by
 * these counts, and a witness is found or refused in polynomial time for a fixed number of
 * threads (Gibbons, Korach: Testing shared memories, SIAM J. Comput. 26, 1997). */
#include "explore/graph/reads_from.h"

#include <string.h>

#define BUCKETS 4096u
#define FAILED_WORDS (1u << 22)

struct taken {
    uint32_t event;
    uint32_t newest; /* a store: of its variable, before it */
};

struct way {
    uint32_t n_taken; /* before the store */
    uint32_t thread;  /* threads before this one have been tried */
};

struct hd_reads_from {
    hd_count n[HD_MAX_THREADS];  /* events of each thread that are looked at, */
    hd_count at[HD_MAX_THREADS]; /* and that have been taken */
    struct taken *taken;
    uint32_t n_taken;
    struct way *ways;
    uint32_t n_ways;
    uint32_t *readers; /* of a store: loads that are left */
    uint32_t *newest;  /* of a place */
    uint32_t *left;    /* of a place: stores that are left, and are no read-modify-writes */
    hd_count *failed;  /* counts of the threads from which there is no way, one after another */
    uint32_t *next_failed, n_failed;
    uint32_t bucket[BUCKETS]; /* + 1 */
    uint32_t held[HD_READS_FROM_HELD], n_held;
};

struct hd_reads_from *hd_reads_from_create(struct hd_arena *arena)
{
    struct hd_reads_from *w = hd_arena_take(arena, sizeof *w);
    if (!w)
        return NULL;
    w->taken = hd_arena_take(arena, sizeof *w->taken * HD_GRAPH_EVENTS);
    w->ways = hd_arena_take(arena, sizeof *w->ways * HD_GRAPH_EVENTS);
    w->readers = hd_arena_take(arena, sizeof *w->readers * HD_GRAPH_EVENTS);
    w->newest = hd_arena_take(arena, sizeof *w->newest * HD_GRAPH_PLACES);
    w->left = hd_arena_take(arena, sizeof *w->left * HD_GRAPH_PLACES);
    w->failed = hd_arena_take(arena, sizeof *w->failed * FAILED_WORDS);
    w->next_failed = hd_arena_take(arena, sizeof *w->next_failed * FAILED_WORDS);
    return w->taken && w->ways && w->readers && w->newest && w->left && w->failed &&
                   w->next_failed
               ? w
               : NULL;
}

static bool is_looked_at(const struct hd_reads_from *w, const struct hd_event *e)
{
    return e->thread == HD_MAX_THREADS || e->index < w->n[e->thread];
}

static bool is_taken(const struct hd_reads_from *w, const struct hd_event *e)
{
    return e->thread == HD_MAX_THREADS || e->index < w->at[e->thread];
}

static bool is_variable(const struct hd_graph *g, const struct hd_event *e)
{
    return e->kind <= HD_EVENT_STORE && g->places[e->place].space == HD_SPACE_MEM;
}

/* The store part that belongs to the load part; 0: there is none among the events. */
static uint32_t part_of(const struct hd_graph *g, const struct hd_reads_from *w,
                        const struct hd_event *e)
{
    if (e->part != HD_PART_RMW || e->blocked || e->index + 1 >= w->n[e->thread])
        return 0;
    return g->by_thread[e->thread].events[e->index + 1];
}

static void begin(const struct hd_graph *g, struct hd_reads_from *w)
{
    memset(w->at, 0, sizeof *w->at * g->lanes);
    w->n_taken = w->n_ways = 0;
    if (w->n_failed)
        memset(w->bucket, 0, sizeof w->bucket);
    w->n_failed = 0;
    for (uint32_t p = 1; p < g->n_places; p++) {
        w->newest[p] = g->places[p].first;
        w->readers[g->places[p].first] = w->left[p] = 0;
    }
    for (uint32_t t = 0; t < g->used; t++)
        for (uint32_t i = 0; i < w->n[t]; i++) {
            uint32_t id = g->by_thread[t].events[i];
            const struct hd_event *e = hd_event(g, id);
            w->readers[id] = 0;
            if (e->kind == HD_EVENT_STORE && e->part != HD_PART_RMW)
                w->left[e->place]++;
        }
    for (uint32_t t = 0; t < g->used; t++)
        for (uint32_t i = 0; i < w->n[t]; i++) {
            const struct hd_event *e = hd_event(g, g->by_thread[t].events[i]);
            if (e->kind == HD_EVENT_LOAD)
                w->readers[e->rf]++;
        }
    for (uint32_t i = 0; i < w->n_held; i++)
        w->readers[w->held[i]]++;
}

/* Has all been taken that is before the event in po and rf? */
static bool is_next(const struct hd_graph *g, const struct hd_reads_from *w, uint32_t id)
{
    const hd_count *before = hd_clock(g, id, HD_CLOCK_PORF);
    uint32_t own = hd_event(g, id)->thread;
    for (uint32_t t = 0; t < g->used; t++)
        if (t != own && before[t] > w->at[t])
            return false;
    return true;
}

/* A store of an object: has the one before it been taken, with its readers? */
static bool follows(const struct hd_graph *g, const struct hd_reads_from *w, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    uint32_t before = e->mo_prev;
    while (!is_looked_at(w, hd_event(g, before)))
        before = hd_event(g, before)->mo_prev;
    if (!is_taken(w, hd_event(g, before)))
        return false;
    for (uint32_t r = hd_event(g, before)->reader; r; r = hd_event(g, r)->reader_next) {
        const struct hd_event *load = hd_event(g, r);
        if (is_looked_at(w, load) && !is_taken(w, load))
            return false;
    }
    return true;
}

static void take(const struct hd_graph *g, struct hd_reads_from *w, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    w->taken[w->n_taken++] = (struct taken){ id, w->newest[e->place] };
    w->at[e->thread]++;
    if (e->kind == HD_EVENT_LOAD)
        w->readers[e->rf]--;
    if (e->kind != HD_EVENT_STORE)
        return;
    w->newest[e->place] = id;
    w->left[e->place] -= e->part != HD_PART_RMW;
}

static void give_back(const struct hd_graph *g, struct hd_reads_from *w)
{
    const struct taken *last = &w->taken[--w->n_taken];
    const struct hd_event *e = hd_event(g, last->event);
    w->at[e->thread]--;
    if (e->kind == HD_EVENT_LOAD)
        w->readers[e->rf]++;
    if (e->kind != HD_EVENT_STORE)
        return;
    w->newest[e->place] = last->newest;
    w->left[e->place] += e->part != HD_PART_RMW;
}

/* May the store of a variable be taken?  `sure`: nothing is lost by that. */
static bool may_store(const struct hd_graph *g, const struct hd_reads_from *w, uint32_t id,
                      bool *sure)
{
    const struct hd_event *e = hd_event(g, id);
    *sure = !w->readers[id] || w->left[e->place] == 1;
    return !w->readers[w->newest[e->place]];
}

/* Take the thread's next event, if nothing is lost by that. */
static bool take_surely(const struct hd_graph *g, struct hd_reads_from *w, uint32_t thread)
{
    uint32_t id = g->by_thread[thread].events[w->at[thread]], part;
    const struct hd_event *e = hd_event(g, id);
    bool sure = true;
    if (!is_next(g, w, id))
        return false;
    if (!is_variable(g, e)) {
        if (e->kind == HD_EVENT_STORE && !follows(g, w, id))
            return false;
        take(g, w, id);
        return true;
    }
    if (e->kind == HD_EVENT_STORE) {
        if (!may_store(g, w, id, &sure) || !sure)
            return false;
        take(g, w, id);
        return true;
    }
    part = part_of(g, w, e);
    if (w->newest[e->place] != e->rf || (part && w->readers[e->rf] != 1))
        return false;
    take(g, w, id);
    if (part)
        take(g, w, part);
    return true;
}

/* Take what can be taken surely.  Is that all? */
static bool take_all(const struct hd_graph *g, struct hd_reads_from *w)
{
    bool more = true, all = false;
    while (more) {
        more = false;
        all = true;
        for (uint32_t t = 0; t < g->used; t++) {
            while (w->at[t] < w->n[t] && take_surely(g, w, t))
                more = true;
            all = all && w->at[t] == w->n[t];
        }
    }
    return all;
}

/* Have the threads been as far as this before, without a way?  `add`: now they have. */
static bool has_failed(const struct hd_graph *g, struct hd_reads_from *w, bool add)
{
    uint64_t hash = 0, bytes = sizeof *w->at * g->used;
    for (uint32_t t = 0; t < g->used; t++)
        hash = (hash ^ w->at[t]) * 0x9e3779b97f4a7c15ull;
    uint32_t *head = &w->bucket[hash >> 52];
    for (uint32_t i = *head; i; i = w->next_failed[i - 1])
        if (memcmp(w->failed + (uint64_t)(i - 1) * g->used, w->at, bytes) == 0)
            return true;
    if (!add || (w->n_failed + 1ull) * g->used > FAILED_WORDS)
        return false;
    memcpy(w->failed + (uint64_t)w->n_failed * g->used, w->at, bytes);
    w->next_failed[w->n_failed] = *head;
    *head = ++w->n_failed;
    return false;
}

/* Take the next store of the newest way; without one the way has failed.  False: there is no
 * way left. */
static bool turn_back(const struct hd_graph *g, struct hd_reads_from *w)
{
    for (; w->n_ways; w->n_ways--) {
        struct way *way = &w->ways[w->n_ways - 1];
        bool sure;
        while (w->n_taken > way->n_taken)
            give_back(g, w);
        while (way->thread < g->used) {
            uint32_t t = way->thread++;
            if (w->at[t] == w->n[t])
                continue;
            uint32_t id = g->by_thread[t].events[w->at[t]];
            const struct hd_event *e = hd_event(g, id);
            if (e->kind == HD_EVENT_STORE && is_variable(g, e) && is_next(g, w, id) &&
                may_store(g, w, id, &sure)) {
                take(g, w, id);
                return true;
            }
        }
        has_failed(g, w, true);
    }
    return false;
}

/* The first witness of the events that are looked at: `taken`.  False: there is none. */
static bool find_witness(const struct hd_graph *g, struct hd_reads_from *w)
{
    begin(g, w);
    while (!take_all(g, w)) {
        if (!has_failed(g, w, false))
            w->ways[w->n_ways++] = (struct way){ w->n_taken, 0 };
        if (!turn_back(g, w))
            return false;
    }
    return true;
}

/* Of a variable each store is tried; of an object those down to the newest one that is before
 * the event in po and rf. */
uint32_t hd_reads_from_oldest(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    uint32_t before = e->index ? g->by_thread[e->thread].events[e->index - 1] : 0;
    uint32_t w = g->places[e->place].last;
    if (hd_reads_from_free(g, e->place))
        return g->places[e->place].first;
    while (hd_event(g, w)->thread != HD_MAX_THREADS &&
           !(before && hd_clock_has(g, hd_clock(g, before, HD_CLOCK_PORF), w)))
        w = hd_event(g, w)->mo_prev;
    return w;
}

bool hd_reads_from_adopt(struct hd_graph *g)
{
    struct hd_reads_from *w = g->reads_from;
    for (uint32_t t = 0; t < g->used; t++)
        w->n[t] = (hd_count)g->by_thread[t].n;
    if (!find_witness(g, w))
        return false;
    for (uint32_t p = 1; p < g->n_places; p++)
        if (g->places[p].space == HD_SPACE_MEM) {
            g->places[p].last = g->places[p].first;
            hd_event(g, g->places[p].first)->mo_next = 0;
        }
    for (uint32_t i = 0; i < w->n_taken; i++) {
        const struct hd_event *e = hd_event(g, w->taken[i].event);
        if (e->kind == HD_EVENT_STORE && is_variable(g, e))
            hd_graph_link(g, w->taken[i].event, g->places[e->place].last);
    }
    return true;
}

uint32_t hd_reads_from_newest(const struct hd_graph *g, uint32_t load, const hd_count *before)
{
    struct hd_reads_from *w = g->reads_from;
    const struct hd_event *e = hd_event(g, load);
    for (uint32_t t = 0; t < g->used; t++) {
        const uint32_t *events = g->by_thread[t].events;
        uint32_t n = t == e->thread ? e->index : g->by_thread[t].n;
        while (n > before[t] && hd_event(g, events[n - 1])->stamp > e->stamp)
            n--;
        w->n[t] = (hd_count)n;
    }
    for (uint32_t t = 0; t < g->used; t++) { /* a lock that waits again (grant.c) */
        const struct hd_event *last = hd_event(g,
                                               w->n[t] ? g->by_thread[t].events[w->n[t] - 1] : 0);
        if (last->base && !is_looked_at(w, hd_event(g, last->rf)))
            w->n[t]--;
    }
    return find_witness(g, w) ? w->newest[e->place] : 0;
}

/* Does `a` come before `b` in the order in which loads try stores? */
static bool is_tried_before(const struct hd_event *a, const struct hd_event *b)
{
    return a->thread != b->thread ? a->thread < b->thread : a->index < b->index;
}

uint32_t hd_reads_from_next(const struct hd_graph *g, uint32_t place, uint32_t at)
{
    uint32_t first = g->places[place].first, found = first;
    for (uint32_t w = hd_event(g, first)->mo_next; w; w = hd_event(g, w)->mo_next)
        if ((!at || is_tried_before(hd_event(g, at), hd_event(g, w))) &&
            is_tried_before(hd_event(g, w), hd_event(g, found)))
            found = w;
    return found;
}

bool hd_reads_from_hold(struct hd_graph *g, uint32_t store)
{
    struct hd_reads_from *w = g->reads_from;
    if (w->n_held == HD_READS_FROM_HELD) {
        g->full = true;
        return false;
    }
    w->held[w->n_held++] = store;
    return true;
}

void hd_reads_from_let_go(struct hd_graph *g) { g->reads_from->n_held = 0; }

bool hd_reads_from_is_settled(const struct hd_graph *g, uint32_t place)
{
    uint32_t first = g->places[place].first, newest = 0;
    for (uint32_t w = hd_event(g, first)->mo_next; w; w = hd_event(g, w)->mo_next)
        if (!newest || hd_clock_has(g, hd_clock(g, w, HD_CLOCK_PORF), newest))
            newest = w;
    for (uint32_t w = hd_event(g, first)->mo_next; w; w = hd_event(g, w)->mo_next)
        if (!hd_clock_has(g, hd_clock(g, newest, HD_CLOCK_PORF), w))
            return false;
    return true;
}
