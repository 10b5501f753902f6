#include "analyse/locks.h"

#include <stdlib.h>
#include <string.h>

typedef struct hd_lock_effect effect;

/* ---- effects ---- */

static effect nothing(void) { return (effect){ .known = true }; }

static void then(effect *first, const effect *second)
{
    if (!second->known) {
        first->known = false;
        return;
    }
    for (unsigned i = 0; i < HD_LOCK_WORDS; i++) {
        uint64_t set = second->set.words[i], clear = second->clear.words[i];
        first->set.words[i] = (first->set.words[i] & ~clear) | set;
        first->clear.words[i] = (first->clear.words[i] & ~set) | clear;
    }
}

/* Whether `into` changed. */
static bool meet(effect *into, const effect *other, bool must)
{
    if (!other->known)
        return false;
    effect old = *into;
    if (!into->known) {
        *into = *other;
        return true;
    }
    for (unsigned i = 0; i < HD_LOCK_WORDS; i++) {
        uint64_t *set = &into->set.words[i], *clear = &into->clear.words[i];
        *set = must ? *set & other->set.words[i] : *set | other->set.words[i];
        *clear = must ? *clear | other->clear.words[i] : *clear & other->clear.words[i];
    }
    return memcmp(&old, into, sizeof old) != 0;
}

static struct hd_lockset apply(const effect *e, const struct hd_lockset *to)
{
    struct hd_lockset result;
    for (unsigned i = 0; i < HD_LOCK_WORDS; i++)
        result.words[i] = (to->words[i] & ~e->clear.words[i]) | e->set.words[i];
    return result;
}

static void add_bits(struct hd_lockset *set, uint32_t lock, uint64_t bits)
{
    set->words[lock / 32] |= bits << lock % 32 * 2;
}

bool hd_lockset_protects(const struct hd_lockset *a, const struct hd_lockset *b)
{
    const uint64_t held = 0x5555555555555555ull;
    for (unsigned i = 0; i < HD_LOCK_WORDS; i++) {
        uint64_t x = a->words[i], y = b->words[i];
        if (x & y & held & (x >> 1 | y >> 1))
            return true;
    }
    return false;
}

/* ---- one point ---- */

static uint32_t lock_of(const struct hd_locks *l, uint32_t location)
{
    const uint32_t *lock = hd_u64map_get(&l->by_location, location);
    return lock ? *lock : HD_NO_POINT;
}

/* What is given back through the unknown may be any lock that has escaped. */
static void clear_escaped(const struct hd_locks *l, effect *e)
{
    const struct hd_objects *objects = &l->p->objects;
    for (uint32_t i = 0; i < l->n; i++)
        if (objects->items[objects->locations[l->locations[i]].object].escaped)
            add_bits(&e->clear, i, 3);
}

static void lock_effect(const struct hd_locks *l, uint32_t point, bool must, effect *e)
{
    uint32_t n;
    enum hd_sync_kind kind = l->accesses->sync[point];
    const uint32_t *set = hd_accesses_objects(l->p, point, false, &n);
    bool tries = kind == HD_SYNC_TRY || kind == HD_SYNC_TRY_SHARED;
    bool takes = tries || kind == HD_SYNC_LOCK || kind == HD_SYNC_LOCK_SHARED;
    bool alone = kind == HD_SYNC_LOCK || kind == HD_SYNC_TRY;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lock = lock_of(l, set[i]);
        if (set[i] == HD_UNKNOWN_LOCATION && kind == HD_SYNC_UNLOCK && must)
            clear_escaped(l, e);
        if (lock == HD_NO_POINT)
            continue;
        /* An uncertain operation changes only the side on which that is safe. */
        if (takes && (!must || (n == 1 && !tries)))
            add_bits(&e->set, lock, alone ? 3 : 1);
        else if (kind == HD_SYNC_UNLOCK && (must || n == 1))
            add_bits(&e->clear, lock, 3);
    }
}

static bool is_lock_kind(enum hd_sync_kind kind)
{
    return kind >= HD_SYNC_LOCK && kind <= HD_SYNC_UNLOCK;
}

/* Kept while the answers are: what calls do to locks. */
struct hd_lock_finder {
    struct hd_locks *l;
    effect *must_exit, *may_exit; /* by function */
    bool *touches;                /* by function: it or what it calls works on locks */
};

static effect point_effect(const struct hd_lock_finder *f, uint32_t point, bool must)
{
    const struct hd_locks *l = f->l;
    effect result = { 0 };
    if (is_lock_kind(l->accesses->sync[point])) {
        result = nothing();
        lock_effect(l, point, must, &result);
        return result;
    }
    uint32_t n, calls = 0;
    const struct hd_edge *edges = hd_points_to_edges(l->p, point, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t function = edges[i].function;
        if (edges[i].kind != HD_EDGE_CALL || !hd_code_is_defined(l->p->code, function))
            continue;
        effect same = nothing();
        const effect *exit = must ? &f->must_exit[function] : &f->may_exit[function];
        meet(&result, f->touches[function] ? exit : &same, must);
        calls++;
    }
    return calls == 0 || l->p->calls_unknown[point] ? nothing() : result;
}

/* ---- functions ---- */

static bool any_effect(const struct hd_lock_finder *f, uint32_t point)
{
    const struct hd_locks *l = f->l;
    uint32_t n;
    if (is_lock_kind(l->accesses->sync[point]))
        return true;
    if (!hd_code_is_call(l->p->code->insts[point]))
        return false;
    const struct hd_edge *edges = hd_points_to_edges(l->p, point, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind == HD_EDGE_CALL && f->touches[edges[i].function])
            return true;
    return false;
}

static void find_touching(struct hd_lock_finder *f)
{
    const struct hd_code *code = f->l->p->code;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < code->n_functions; i++)
            for (uint32_t k = code->functions[i].first;
                 !f->touches[i] && k < code->functions[i].end; k++)
                if (any_effect(f, k))
                    f->touches[i] = changed = true;
    }
}

static effect block_effect(const struct hd_lock_finder *f, uint32_t block, bool must)
{
    const struct hd_code_block *b = &f->l->p->code->blocks[block];
    effect e = must ? f->l->must_in[block] : f->l->may_in[block];
    for (uint32_t i = b->first; i < b->end && e.known; i++)
        if (any_effect(f, i)) {
            effect one = point_effect(f, i, must);
            then(&e, &one);
        }
    return e;
}

/* Whether the function's summary changed. */
static bool summarise(struct hd_lock_finder *f, uint32_t function, bool must)
{
    const struct hd_code_function *fn = &f->l->p->code->functions[function];
    const struct hd_cfg *cfg = f->l->cfg;
    effect *in = must ? f->l->must_in : f->l->may_in;
    effect *exit = must ? &f->must_exit[function] : &f->may_exit[function];
    bool summary = false;
    in[fn->first_block] = nothing();
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = fn->first_block; b < fn->end_block; b++) {
            effect out = block_effect(f, b, must);
            for (uint32_t e = cfg->succ_first[b]; e < cfg->succ_first[b + 1]; e++)
                changed |= meet(&in[cfg->succ[e]], &out, must);
            if (cfg->succ_first[b] == cfg->succ_first[b + 1] && cfg->cut[b] == HD_NO_POINT)
                summary |= meet(exit, &out, must);
        }
    }
    return summary;
}

static void summarise_all(struct hd_lock_finder *f, bool must)
{
    const struct hd_code *code = f->l->p->code;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = code->n_functions; i-- > 0;)
            if (hd_code_is_defined(code, i) && f->touches[i])
                changed |= summarise(f, i, must);
    }
}

/* ---- who is called with what held ---- */

static struct hd_lockset at_point(const struct hd_locks *l, const struct hd_lock_finder *f,
                                  uint32_t point, bool must)
{
    const struct hd_code *code = l->p->code;
    uint32_t block = code->block_of[point], function = code->blocks[block].function;
    const struct hd_lockset *entry = must ? &l->must_entry[function] : &l->may_entry[function];
    effect e = must ? l->must_in[block] : l->may_in[block];
    if (!e.known)
        return *entry;
    for (uint32_t i = code->blocks[block].first; i < point; i++)
        if (any_effect(f, i)) {
            effect one = point_effect(f, i, must);
            then(&e, &one);
        }
    return apply(&e, entry);
}

static void find_entries(struct hd_lock_finder *f, const struct hd_entries *threads, bool must)
{
    struct hd_locks *l = f->l;
    const struct hd_code *code = l->p->code;
    struct hd_lockset *entry = must ? l->must_entry : l->may_entry;
    bool *known = hd_alloc(code->n_functions + 1);
    for (uint32_t e = 0; e < threads->n; e++)
        if (threads->entries[e].function != HD_NO_POINT)
            known[threads->entries[e].function] = true;
    for (uint32_t i = 0; i < code->n_functions; i++)
        known[i] |= l->p->called_from_outside[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < l->p->n_edges; i++) {
            const struct hd_edge *edge = &l->p->edges[i];
            uint32_t to = edge->function;
            if (edge->kind == HD_EDGE_SPAWN || !hd_code_is_defined(code, to) ||
                !known[hd_code_function_of(code, edge->point)])
                continue;
            struct hd_lockset held = { { 0 } };
            if (edge->kind != HD_EDGE_LATER)
                held = at_point(l, f, edge->point, must);
            struct hd_lockset old = entry[to];
            for (unsigned w = 0; w < HD_LOCK_WORDS; w++)
                entry[to].words[w] = !known[to] ? held.words[w]
                                     : must     ? old.words[w] & held.words[w]
                                                : old.words[w] | held.words[w];
            changed |= !known[to] || memcmp(&old, &entry[to], sizeof old) != 0;
            known[to] = true;
        }
    }
    free(known);
}

/* ---- the order of taking ---- */

static void note_order(struct hd_locks *l, uint32_t held, uint32_t taken, uint32_t point)
{
    if (l->n_order == l->order_room) {
        l->order_room = l->order_room ? l->order_room * 2 : 64;
        l->order = hd_realloc(l->order, l->order_room * sizeof *l->order);
    }
    l->order[l->n_order++] = (struct hd_lock_order){ held, taken, point };
}

static void find_order(struct hd_locks *l, struct hd_lock_finder *f)
{
    for (uint32_t i = 0; i < l->p->code->n_insts; i++) {
        enum hd_sync_kind kind = l->accesses->sync[i];
        uint32_t n;
        if (kind != HD_SYNC_LOCK && kind != HD_SYNC_LOCK_SHARED)
            continue;
        struct hd_lockset held = at_point(l, f, i, false);
        const uint32_t *set = hd_accesses_objects(l->p, i, false, &n);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t taken = lock_of(l, set[k]);
            for (uint32_t h = 0; taken != HD_NO_POINT && h < l->n; h++)
                if (hd_lockset_holds(&held, h))
                    note_order(l, h, taken, i);
        }
    }
}

static void find_locks(struct hd_locks *l)
{
    uint32_t room = 0;
    for (uint32_t i = 0; i < l->p->code->n_insts; i++) {
        uint32_t n;
        bool is_new;
        if (!is_lock_kind(l->accesses->sync[i]))
            continue;
        const uint32_t *set = hd_accesses_objects(l->p, i, false, &n);
        for (uint32_t k = 0; k < n; k++) {
            if (set[k] == HD_UNKNOWN_LOCATION || hd_u64map_get(&l->by_location, set[k]))
                continue;
            if (l->n == HD_MOST_LOCKS) {
                l->too_many = true;
                continue;
            }
            if (l->n == room) {
                room = room ? room * 2 : 16;
                l->locations = hd_realloc(l->locations, room * sizeof *l->locations);
            }
            *hd_u64map_put(&l->by_location, set[k], &is_new) = l->n;
            l->locations[l->n++] = set[k];
        }
    }
}

bool hd_locks_is_single(const struct hd_locks *l, uint32_t lock)
{
    struct hd_location at = l->p->objects.locations[l->locations[lock]];
    const struct hd_abstract *object = &l->p->objects.items[at.object];
    /* An array of smaller things is how some declare a lock. */
    return object->kind == HD_OBJECT_GLOBAL && at.offset != HD_ANYWHERE &&
           hd_objects_element(&l->p->objects, l->locations[lock]) < 4;
}

void hd_locks_init(struct hd_locks *l, struct hd_points_to *p, const struct hd_cfg *cfg,
                   const struct hd_entries *threads, const struct hd_accesses *accesses)
{
    const struct hd_code *code = p->code;
    *l = (struct hd_locks){ .p = p, .accesses = accesses, .cfg = cfg };
    hd_u64map_init(&l->by_location);
    find_locks(l);
    if (l->n == 0)
        return;
    l->must_in = hd_alloc((code->n_blocks + 1) * sizeof *l->must_in);
    l->may_in = hd_alloc((code->n_blocks + 1) * sizeof *l->may_in);
    l->must_entry = hd_alloc((code->n_functions + 1) * sizeof *l->must_entry);
    l->may_entry = hd_alloc((code->n_functions + 1) * sizeof *l->may_entry);
    struct hd_lock_finder *f = l->finder = hd_alloc(sizeof *f);
    f->l = l;
    f->must_exit = hd_alloc((code->n_functions + 1) * sizeof *f->must_exit);
    f->may_exit = hd_alloc((code->n_functions + 1) * sizeof *f->may_exit);
    f->touches = hd_alloc(code->n_functions + 1);
    find_touching(f);
    for (int must = 0; must < 2; must++) {
        summarise_all(f, must != 0);
        find_entries(f, threads, must != 0);
    }
    find_order(l, f);
}

void hd_locks_release(struct hd_locks *l)
{
    if (l->finder) {
        free(l->finder->must_exit);
        free(l->finder->may_exit);
        free(l->finder->touches);
        free(l->finder);
    }
    hd_u64map_release(&l->by_location);
    free(l->locations);
    free(l->must_in);
    free(l->may_in);
    free(l->must_entry);
    free(l->may_entry);
    free(l->order);
}

struct hd_lockset hd_locks_must(const struct hd_locks *l, uint32_t point)
{
    return l->n ? at_point(l, l->finder, point, true) : (struct hd_lockset){ { 0 } };
}

struct hd_lockset hd_locks_may(const struct hd_locks *l, uint32_t point)
{
    return l->n ? at_point(l, l->finder, point, false) : (struct hd_lockset){ { 0 } };
}
