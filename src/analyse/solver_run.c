#include "analyse/solver_internal.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_NAMED = 16,     /* members of a set that names escaped objects beside the unknown */
    MOST_FUNCTIONS = 64, /* the same, counting functions */
    WIDEST = 256,        /* bytes of an access that are kept apart by words */
};

struct hd_solver *hd_solver_create(struct hd_objects *objects)
{
    struct hd_solver *s = hd_alloc(sizeof *s);
    s->objects = objects;
    s->n_constraints = 1;
    s->constraint_room = 256;
    s->constraints = hd_alloc(s->constraint_room * sizeof *s->constraints);
    s->budget = UINT64_MAX;
    s->generation = 1;
    hd_u64map_init(&s->edges);
    hd_u64map_init(&s->words);
    hd_u64map_init(&s->list_of);
    hd_solver_node(s); /* HD_NO_NODE */
    hd_solver_node(s); /* HD_ESCAPE */
    return s;
}

static void forget_lists(struct hd_solver *s)
{
    for (uint32_t i = 0; i < s->n_lists; i++)
        free(s->lists[i].items);
    s->n_lists = 0;
    s->generation++;
    hd_u64map_release(&s->list_of);
    hd_u64map_init(&s->list_of);
}

void hd_solver_destroy(struct hd_solver *s)
{
    if (s == NULL)
        return;
    forget_lists(s);
    for (uint32_t i = 0; i < s->n; i++) {
        hd_bits_release(&s->nodes[i].set);
        hd_bits_release(&s->nodes[i].fresh);
        free(s->nodes[i].to);
    }
    free(s->nodes);
    free(s->constraints);
    free(s->moves);
    free(s->order);
    free(s->pending);
    free(s->escaped.words);
    free(s->unnamed.words);
    free(s->lists);
    hd_bits_release(&s->scratch);
    hd_u64map_release(&s->edges);
    hd_u64map_release(&s->words);
    hd_u64map_release(&s->list_of);
    free(s);
}

static void grow_order(struct hd_solver *s)
{
    uint32_t room = s->order_room ? s->order_room * 2 : 1024;
    s->order = hd_realloc(s->order, room * sizeof *s->order);
    s->pending = hd_realloc(s->pending, (room / 64 + 1) * sizeof *s->pending);
    size_t old = s->order_room ? s->order_room / 64 + 1 : 0;
    memset(s->pending + old, 0, (room / 64 + 1 - old) * sizeof *s->pending);
    s->order_room = room;
}

uint32_t hd_solver_node(struct hd_solver *s)
{
    if (s->n == s->room) {
        s->room = s->room ? s->room * 2 : 1024;
        s->nodes = hd_realloc(s->nodes, s->room * sizeof *s->nodes);
    }
    if (s->n_order == s->order_room)
        grow_order(s);
    s->nodes[s->n] = (struct hd_node){ .parent = s->n, .position = s->n_order };
    s->order[s->n_order++] = s->n;
    if (s->coarse)
        s->nodes[s->n].unknown = hd_bits_add(&s->nodes[s->n].set, HD_UNKNOWN_LOCATION);
    return s->n++;
}

void hd_solver_push(struct hd_solver *s, uint32_t node)
{
    uint32_t position = s->nodes[node].position;
    uint64_t bit = 1ull << position % 64;
    s->n_pending += (s->pending[position / 64] & bit) == 0;
    s->pending[position / 64] |= bit;
}

/* ---- sets ---- */

static void note_escaped(struct hd_solver *s, uint32_t location)
{
    uint32_t object = s->objects->locations[location].object;
    if (location == HD_UNKNOWN_LOCATION || !s->objects->items[object].escaped)
        return;
    hd_bits_row_add(&s->escaped, location);
    if (s->objects->items[object].kind != HD_OBJECT_FUNCTION)
        hd_bits_row_add(&s->unnamed, location);
}

/* What the unknown stands for in the set: nothing while the set is small enough to name its
 * members, so that calls and locks have names.  A set that has been large stays so: what was
 * dropped must not come back, or the sets of a cycle would change for ever. */
static const struct hd_bits_row *covered(struct hd_solver *s, struct hd_node *node)
{
    if (node->unknown && node->n >= MOST_NAMED)
        node->large = true;
    if (node->unknown && node->n >= MOST_FUNCTIONS)
        node->very_large = true;
    if (!node->large)
        return NULL;
    for (; s->n_seen < s->objects->n_locations; s->n_seen++)
        note_escaped(s, s->n_seen);
    return node->very_large ? &s->escaped : &s->unnamed;
}

void hd_solver_trim(struct hd_solver *s, uint32_t index)
{
    struct hd_node *node = &s->nodes[index];
    const struct hd_bits_row *without = covered(s, node);
    if (without == NULL || node->n < node->limit)
        return;
    hd_bits_filter(&node->set, without);
    hd_bits_filter(&node->fresh, without);
    node->n = hd_bits_count(&node->set);
    node->limit = node->n * 2;
}

/* What is in `from` goes into the node. */
static void pass(struct hd_solver *s, uint32_t to, const struct hd_bits *from)
{
    struct hd_node *node = &s->nodes[to];
    s->work += from->n + 1;
    hd_bits_minus(from, covered(s, node), &node->set, &s->scratch);
    if (s->scratch.n == 0)
        return;
    hd_bits_or(&node->set, &s->scratch);
    hd_bits_or(&node->fresh, &s->scratch);
    node->n += hd_bits_count(&s->scratch);
    if (!node->unknown && s->scratch.blocks[0].index == 0)
        node->unknown = s->scratch.blocks[0].bits & 1;
    hd_solver_trim(s, to);
    hd_solver_push(s, to);
}

void hd_solver_add(struct hd_solver *s, uint32_t node, uint32_t location)
{
    if (node == HD_NO_NODE || s->coarse)
        return;
    struct hd_bits_block block = { 1ull << location % 64, location / 64 };
    struct hd_bits one = { &block, 1, 1 };
    pass(s, hd_solver_find(s, node), &one);
}

/* ---- edges and constraints ---- */

static void append_edge(struct hd_node *node, uint32_t to)
{
    if (node->n_to == node->to_room) {
        node->to_room = node->to_room ? node->to_room * 2 : 2;
        node->to = hd_realloc(node->to, node->to_room * sizeof *node->to);
    }
    node->to[node->n_to++] = to;
}

/* All of `from` goes along a new edge at once. */
void hd_solver_copy(struct hd_solver *s, uint32_t from, uint32_t to)
{
    bool is_new;
    if (from == HD_NO_NODE || to == HD_NO_NODE || s->coarse)
        return;
    from = hd_solver_find(s, from);
    to = hd_solver_find(s, to);
    if (from == to)
        return;
    hd_u64map_put(&s->edges, (uint64_t)from << 32 | to, &is_new);
    if (!is_new)
        return;
    append_edge(&s->nodes[from], to);
    s->n_edges++;
    pass(s, to, &s->nodes[from].set);
}

static uint32_t sum_of(struct hd_solver *s, uint32_t object)
{
    struct hd_abstract *o = &s->objects->items[object];
    if (o->sum == 0) {
        o->sum = hd_solver_node(s);
        o->any = hd_solver_node(s);
        hd_solver_copy(s, o->any, o->sum);
        if (o->escaped) {
            hd_solver_add(s, o->any, HD_UNKNOWN_LOCATION);
            hd_solver_copy(s, o->sum, HD_ESCAPE);
        }
    }
    return o->sum;
}

static uint32_t word_of(struct hd_solver *s, uint32_t object, uint64_t word)
{
    bool is_new;
    uint32_t sum = sum_of(s, object);
    uint32_t *slot = hd_u64map_put(&s->words, (uint64_t)object << 32 | (uint32_t)word, &is_new);
    if (!is_new)
        return *slot;
    uint32_t node = *slot = hd_solver_node(s);
    hd_solver_copy(s, node, sum);
    return node;
}

static void load_from(struct hd_solver *s, uint32_t location, uint32_t to, uint64_t bytes)
{
    uint64_t begin, end;
    uint32_t object = s->objects->locations[location].object;
    if (location == HD_UNKNOWN_LOCATION) {
        hd_solver_add(s, to, HD_UNKNOWN_LOCATION);
        return;
    }
    if (s->objects->items[object].kind == HD_OBJECT_FUNCTION)
        return;
    uint32_t sum = sum_of(s, object);
    if (!hd_objects_range(s->objects, location, bytes, &begin, &end) || end - begin > WIDEST) {
        hd_solver_copy(s, sum, to);
        return;
    }
    hd_solver_copy(s, s->objects->items[object].any, to);
    for (uint64_t word = begin / 8; word * 8 < end; word++)
        hd_solver_copy(s, word_of(s, object, word), to);
}

static void store_to(struct hd_solver *s, uint32_t location, uint32_t from, uint64_t bytes)
{
    uint64_t begin, end;
    uint32_t object = s->objects->locations[location].object;
    if (location == HD_UNKNOWN_LOCATION) {
        hd_solver_copy(s, from, HD_ESCAPE);
        return;
    }
    if (s->objects->items[object].kind == HD_OBJECT_FUNCTION)
        return;
    sum_of(s, object);
    if (!hd_objects_range(s->objects, location, bytes, &begin, &end) || end - begin > WIDEST) {
        hd_solver_copy(s, from, s->objects->items[object].any);
        return;
    }
    for (uint64_t word = begin / 8; word * 8 < end; word++)
        hd_solver_copy(s, from, word_of(s, object, word));
}

void hd_solver_hold(struct hd_solver *s, uint32_t location, uint64_t bytes, uint32_t from)
{
    if (from != HD_NO_NODE && !s->coarse)
        store_to(s, location, from, bytes);
}

static void apply(struct hd_solver *s, struct hd_constraint c, uint32_t location)
{
    s->work++;
    switch (c.kind) {
    case HD_LOAD:
        load_from(s, location, c.other, c.extra);
        break;
    case HD_STORE:
        store_to(s, location, c.other, c.extra);
        break;
    case HD_MOVE:
        hd_solver_add(s, c.other, hd_objects_move(s->objects, location, &s->moves[c.extra]));
        break;
    case HD_SMEAR:
        hd_solver_add(
            s, c.other,
            hd_objects_location(s->objects, s->objects->locations[location].object, HD_ANYWHERE));
        break;
    case HD_WATCH:
        s->watch(s->context, c.other, location);
        break;
    }
}

static void constrain(struct hd_solver *s, uint32_t node, enum hd_constraint_kind kind,
                      uint32_t other, uint32_t extra)
{
    uint32_t location;
    if (node == HD_NO_NODE || (other == HD_NO_NODE && kind != HD_WATCH))
        return;
    if (s->coarse && kind != HD_WATCH)
        return; /* every set holds the unknown already */
    node = hd_solver_find(s, node);
    if (s->n_constraints == s->constraint_room) {
        s->constraint_room *= 2;
        s->constraints = hd_realloc(s->constraints, s->constraint_room * sizeof *s->constraints);
    }
    struct hd_constraint c = { s->nodes[node].constraints, other, extra, kind };
    s->constraints[s->n_constraints] = c;
    s->nodes[node].constraints = s->n_constraints++;
    struct hd_bits passed = { 0 };
    hd_bits_minus(&s->nodes[node].set, NULL, &s->nodes[node].fresh, &passed);
    for (struct hd_bits_at at = hd_bits_first(&passed); hd_bits_next(&at, &location);)
        apply(s, c, location);
    hd_bits_release(&passed);
}

static uint32_t short_bytes(uint64_t bytes) { return bytes > 4096 ? 0 : (uint32_t)bytes; }

void hd_solver_load(struct hd_solver *s, uint32_t pointer, uint32_t to, uint64_t bytes)
{
    constrain(s, pointer, HD_LOAD, to, short_bytes(bytes));
}

void hd_solver_store(struct hd_solver *s, uint32_t pointer, uint32_t from, uint64_t bytes)
{
    constrain(s, pointer, HD_STORE, from, short_bytes(bytes));
}

void hd_solver_move(struct hd_solver *s, uint32_t from, uint32_t to, const struct hd_offset *by)
{
    if (by->constant == 0 && by->n_strides == 0 && !by->anywhere) {
        hd_solver_copy(s, from, to);
        return;
    }
    if (s->n_moves == s->move_room) {
        s->move_room = s->move_room ? s->move_room * 2 : 256;
        s->moves = hd_realloc(s->moves, s->move_room * sizeof *s->moves);
    }
    s->moves[s->n_moves] = *by;
    constrain(s, from, HD_MOVE, to, s->n_moves++);
}

void hd_solver_smear(struct hd_solver *s, uint32_t from, uint32_t to)
{
    constrain(s, from, HD_SMEAR, to, 0);
}

void hd_solver_watch(struct hd_solver *s, uint32_t node, uint32_t watch)
{
    constrain(s, node, HD_WATCH, watch, 0);
}

/* ---- the loop ---- */

static void escape(struct hd_solver *s, uint32_t location)
{
    uint32_t object = s->objects->locations[location].object;
    struct hd_abstract *o = &s->objects->items[object];
    if (o->escaped)
        return;
    o->escaped = true;
    for (uint32_t at = o->last_place; at; at = s->objects->locations[at].before)
        if (at < s->n_seen)
            note_escaped(s, at);
    if (o->sum == 0)
        return; /* sum_of() does it when there is something to hold */
    hd_solver_add(s, o->any, HD_UNKNOWN_LOCATION);
    hd_solver_copy(s, o->sum, HD_ESCAPE);
}

static void process(struct hd_solver *s, uint32_t node)
{
    struct hd_bits fresh = s->nodes[node].fresh;
    uint32_t location;
    s->nodes[node].fresh = (struct hd_bits){ 0 };
    if (node == hd_solver_find(s, HD_ESCAPE))
        for (struct hd_bits_at at = hd_bits_first(&fresh); hd_bits_next(&at, &location);)
            escape(s, location);
    for (uint32_t c = s->nodes[node].constraints; c; c = s->constraints[c].next)
        for (struct hd_bits_at at = hd_bits_first(&fresh); hd_bits_next(&at, &location);)
            apply(s, s->constraints[c], location);
    for (uint32_t e = 0; e < s->nodes[node].n_to; e++) {
        uint32_t to = hd_solver_find(s, s->nodes[node].to[e]);
        if (to != node)
            pass(s, to, &fresh);
    }
    hd_bits_release(&fresh);
}

/* Handles what is pending in the order of positions; what becomes pending further ahead is
 * handled too. */
static void sweep(struct hd_solver *s)
{
    for (uint32_t w = 0; w * 64 < s->n_order; w++)
        while (s->pending[w] && s->work <= s->budget) {
            uint32_t position = w * 64 + (uint32_t)__builtin_ctzll(s->pending[w]);
            s->pending[w] &= s->pending[w] - 1;
            s->n_pending--;
            process(s, s->order[position]);
        }
}

/* Everything has escaped and every pointer may be the unknown: that solves any constraints. */
static void give_up(struct hd_solver *s)
{
    s->coarse = true;
    for (uint32_t i = 1; i < s->objects->n; i++)
        s->objects->items[i].escaped = true;
    for (s->n_seen = 0; s->n_seen < s->objects->n_locations; s->n_seen++)
        note_escaped(s, s->n_seen);
    uint32_t n = s->n;
    for (uint32_t i = 1; i < n; i++) {
        struct hd_node *node = &s->nodes[i];
        if (node->parent != i)
            continue;
        node->n += hd_bits_add(&node->set, HD_UNKNOWN_LOCATION);
        node->unknown = true;
        node->limit = 0;
        hd_solver_trim(s, i);
        hd_bits_release(&node->fresh);
    }
    memset(s->pending, 0, (s->order_room / 64 + 1) * sizeof *s->pending);
    s->n_pending = 0;
}

/* The watchers of a coarse solution: each sees what is still named in its set, the unknown
 * included, and that of what escapes sees everything whose address is taken. */
static void tell_watchers(struct hd_solver *s)
{
    uint32_t escape_node = hd_solver_find(s, HD_ESCAPE), location;
    for (uint32_t i = 0, n = s->objects->n_locations; i < n; i++)
        hd_bits_add(&s->nodes[escape_node].set, i);
    for (uint32_t i = 1, n = s->n; i < n; i++) {
        struct hd_bits set = { 0 };
        if (s->nodes[i].parent == i && s->nodes[i].constraints)
            hd_bits_or(&set, &s->nodes[i].set);
        for (uint32_t c = s->nodes[i].constraints; c; c = s->constraints[c].next)
            for (struct hd_bits_at at = hd_bits_first(&set);
                 s->constraints[c].kind == HD_WATCH && hd_bits_next(&at, &location);)
                apply(s, s->constraints[c], location);
        hd_bits_release(&set);
    }
}

void hd_solver_run(struct hd_solver *s, hd_solver_watch_fn watch, void *context)
{
    s->watch = watch;
    s->context = context;
    if (s->n_pending == 0)
        return;
    if (s->n_lists)
        forget_lists(s);
    while (s->n_pending && s->work <= s->budget) {
        if (s->n_edges - s->edges_at_search > s->edges_at_search / 8 + 256)
            hd_solver_order(s);
        sweep(s);
    }
    if (s->n_pending) {
        give_up(s);
        tell_watchers(s);
    }
}

void hd_solver_limit(struct hd_solver *s, uint64_t budget) { s->budget = budget; }

bool hd_solver_is_coarse(const struct hd_solver *s) { return s->coarse; }

/* ---- answers ---- */

static uint64_t hash_of(const struct hd_bits *set)
{
    uint64_t hash = set->n;
    for (uint32_t i = 0; i < set->n; i++)
        hash = hd_hash_step(hd_hash_step(hash, set->blocks[i].index), set->blocks[i].bits);
    return hash & INT64_MAX;
}

static uint32_t make_list(struct hd_solver *s, uint32_t node)
{
    struct hd_members list = { .node = node };
    uint32_t location;
    list.items = hd_alloc((s->nodes[node].n + 1) * sizeof *list.items);
    for (struct hd_bits_at at = hd_bits_first(&s->nodes[node].set); hd_bits_next(&at, &location);)
        list.items[list.n++] = location;
    if (s->n_lists == s->list_room) {
        s->list_room = s->list_room ? s->list_room * 2 : 256;
        s->lists = hd_realloc(s->lists, s->list_room * sizeof *s->lists);
    }
    s->lists[s->n_lists] = list;
    return s->n_lists++;
}

const uint32_t *hd_solver_get(struct hd_solver *s, uint32_t index, uint32_t *n)
{
    bool is_new;
    *n = 0;
    uint32_t node = hd_solver_find(s, index);
    if (index == HD_NO_NODE || s->nodes[node].set.n == 0)
        return NULL;
    if (s->nodes[node].list_of != s->generation) {
        uint32_t *known = hd_u64map_put(&s->list_of, hash_of(&s->nodes[node].set), &is_new);
        if (is_new)
            *known = make_list(s, node);
        uint32_t list = *known;
        if (!is_new && !hd_bits_equal(&s->nodes[s->lists[list].node].set, &s->nodes[node].set))
            list = make_list(s, node);
        s->nodes[node].list = list;
        s->nodes[node].list_of = s->generation;
    }
    const struct hd_members *list = &s->lists[s->nodes[node].list];
    *n = list->n;
    return list->items;
}

const uint32_t *hd_solver_held(struct hd_solver *s, uint32_t object, uint32_t *n)
{
    return hd_solver_get(s, s->objects->items[object].sum, n);
}

struct hd_solver_stats hd_solver_stats(const struct hd_solver *s)
{
    struct hd_solver_stats stats = { .nodes = s->n, .merged = s->merged };
    stats.work = s->work;
    stats.coarse = s->coarse;
    for (uint32_t i = 0; i < s->n; i++) {
        stats.elements += s->nodes[i].n;
        stats.edges += s->nodes[i].n_to;
    }
    return stats;
}
