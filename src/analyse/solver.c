#include "analyse/solver.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum kind { LOAD, STORE, MOVE, SMEAR, WATCH };

struct constraint {
    uint32_t next; /* of the same node; 0: none */
    uint32_t other;
    uint32_t extra; /* LOAD, STORE: bytes; MOVE: index of the move */
    enum kind kind;
};

/* Members in the order of their arrival, so that `done` splits old from new. */
struct node {
    uint32_t *set, *table; /* table: of positions + 1, once the set is large */
    uint32_t n, room, table_room;
    uint32_t done;
    uint32_t *to; /* copy edges */
    uint32_t n_to, to_room;
    uint32_t parent; /* itself, or the node it was merged into */
    uint32_t constraints;
    bool queued;
};

struct hd_solver {
    struct hd_objects *objects;
    struct node *nodes;
    uint32_t n, room;
    struct constraint *constraints;
    uint32_t n_constraints, constraint_room;
    struct hd_offset *moves;
    uint32_t n_moves, move_room;
    struct hd_u64map edges, checked, words;
    uint32_t *queue;
    uint32_t head, tail, queue_room; /* a ring; queue_room is a power of two */
    uint32_t *marks, *lows, *stack;  /* of the search for cycles */
    uint32_t mark_room, mark, stack_n;
    uint32_t merged;
    hd_solver_watch_fn watch;
    void *context;
};

enum { SMALL = 12 };

struct hd_solver *hd_solver_create(struct hd_objects *objects)
{
    struct hd_solver *s = hd_alloc(sizeof *s);
    s->objects = objects;
    s->n_constraints = 1;
    s->constraint_room = 256;
    s->constraints = hd_alloc(s->constraint_room * sizeof *s->constraints);
    hd_u64map_init(&s->edges);
    hd_u64map_init(&s->checked);
    hd_u64map_init(&s->words);
    hd_solver_node(s); /* HD_NO_NODE */
    hd_solver_node(s); /* HD_ESCAPE */
    return s;
}

void hd_solver_destroy(struct hd_solver *s)
{
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < s->n; i++) {
        free(s->nodes[i].set);
        free(s->nodes[i].table);
        free(s->nodes[i].to);
    }
    free(s->nodes);
    free(s->constraints);
    free(s->moves);
    free(s->queue);
    free(s->marks);
    free(s->lows);
    free(s->stack);
    hd_u64map_release(&s->edges);
    hd_u64map_release(&s->checked);
    hd_u64map_release(&s->words);
    free(s);
}

uint32_t hd_solver_node(struct hd_solver *s)
{
    if (s->n == s->room) {
        s->room = s->room ? s->room * 2 : 1024;
        s->nodes = hd_realloc(s->nodes, s->room * sizeof *s->nodes);
    }
    s->nodes[s->n] = (struct node){ .parent = s->n };
    return s->n++;
}

static uint32_t find(struct hd_solver *s, uint32_t node)
{
    while (s->nodes[node].parent != node) {
        s->nodes[node].parent = s->nodes[s->nodes[node].parent].parent;
        node = s->nodes[node].parent;
    }
    return node;
}

static uint32_t find_const(const struct hd_solver *s, uint32_t node)
{
    while (s->nodes[node].parent != node)
        node = s->nodes[node].parent;
    return node;
}

static void push(struct hd_solver *s, uint32_t node)
{
    if (s->nodes[node].queued)
        return;
    s->nodes[node].queued = true;
    if (s->tail - s->head == s->queue_room) {
        uint32_t room = s->queue_room ? s->queue_room * 2 : 1024;
        uint32_t *bigger = hd_alloc(room * sizeof *bigger);
        for (uint32_t i = s->head; i != s->tail; i++)
            bigger[i - s->head] = s->queue[i & (s->queue_room - 1)];
        free(s->queue);
        s->queue = bigger;
        s->tail -= s->head;
        s->head = 0;
        s->queue_room = room;
    }
    s->queue[s->tail++ & (s->queue_room - 1)] = node;
}

/* ---- sets ---- */

static void table_add(struct node *node, uint32_t position)
{
    uint32_t i = (uint32_t)hd_hash_mix(node->set[position]) & (node->table_room - 1);
    while (node->table[i])
        i = (i + 1) & (node->table_room - 1);
    node->table[i] = position + 1;
}

static void table_grow(struct node *node)
{
    free(node->table);
    node->table_room = node->table_room ? node->table_room * 2 : 64;
    node->table = hd_alloc(node->table_room * sizeof *node->table);
    for (uint32_t i = 0; i < node->n; i++)
        table_add(node, i);
}

static bool holds(const struct node *node, uint32_t location)
{
    if (node->table == NULL) {
        for (uint32_t i = 0; i < node->n; i++)
            if (node->set[i] == location)
                return true;
        return false;
    }
    uint32_t i = (uint32_t)hd_hash_mix(location) & (node->table_room - 1);
    for (; node->table[i]; i = (i + 1) & (node->table_room - 1))
        if (node->set[node->table[i] - 1] == location)
            return true;
    return false;
}

static bool insert(struct node *node, uint32_t location)
{
    if (holds(node, location))
        return false;
    if (node->n == node->room) {
        node->room = node->room ? node->room * 2 : 4;
        node->set = hd_realloc(node->set, node->room * sizeof *node->set);
    }
    node->set[node->n++] = location;
    if (node->table ? node->n * 2 > node->table_room : node->n > SMALL)
        table_grow(node);
    else if (node->table)
        table_add(node, node->n - 1);
    return true;
}

void hd_solver_add(struct hd_solver *s, uint32_t node, uint32_t location)
{
    if (node == HD_NO_NODE)
        return;
    node = find(s, node);
    if (insert(&s->nodes[node], location))
        push(s, node);
}

/* ---- edges and constraints ---- */

static void append_edge(struct node *node, uint32_t to)
{
    if (node->n_to == node->to_room) {
        node->to_room = node->to_room ? node->to_room * 2 : 4;
        node->to = hd_realloc(node->to, node->to_room * sizeof *node->to);
    }
    node->to[node->n_to++] = to;
}

/* All that `from` has already passed on goes along a new edge at once; the rest follows. */
void hd_solver_copy(struct hd_solver *s, uint32_t from, uint32_t to)
{
    bool is_new;
    if (from == HD_NO_NODE || to == HD_NO_NODE)
        return;
    from = find(s, from);
    to = find(s, to);
    if (from == to)
        return;
    hd_u64map_put(&s->edges, (uint64_t)from << 32 | to, &is_new);
    if (!is_new)
        return;
    append_edge(&s->nodes[from], to);
    bool grown = false;
    for (uint32_t i = 0; i < s->nodes[from].done; i++)
        grown |= insert(&s->nodes[to], s->nodes[from].set[i]);
    if (grown)
        push(s, to);
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
    if (!hd_objects_range(s->objects, location, bytes, &begin, &end) || end - begin > 256) {
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
    if (!hd_objects_range(s->objects, location, bytes, &begin, &end) || end - begin > 256) {
        hd_solver_copy(s, from, s->objects->items[object].any);
        return;
    }
    for (uint64_t word = begin / 8; word * 8 < end; word++)
        hd_solver_copy(s, from, word_of(s, object, word));
}

void hd_solver_hold(struct hd_solver *s, uint32_t location, uint64_t bytes, uint32_t from)
{
    if (from != HD_NO_NODE)
        store_to(s, location, from, bytes);
}

static void apply(struct hd_solver *s, struct constraint c, uint32_t location)
{
    switch (c.kind) {
    case LOAD:
        load_from(s, location, c.other, c.extra);
        break;
    case STORE:
        store_to(s, location, c.other, c.extra);
        break;
    case MOVE:
        hd_solver_add(s, c.other, hd_objects_move(s->objects, location, &s->moves[c.extra]));
        break;
    case SMEAR:
        hd_solver_add(
            s, c.other,
            hd_objects_location(s->objects, s->objects->locations[location].object, HD_ANYWHERE));
        break;
    case WATCH:
        s->watch(s->context, c.other, location);
        break;
    }
}

static void constrain(struct hd_solver *s, uint32_t node, enum kind kind, uint32_t other,
                      uint32_t extra)
{
    if (node == HD_NO_NODE || (other == HD_NO_NODE && kind != WATCH))
        return;
    node = find(s, node);
    if (s->n_constraints == s->constraint_room) {
        s->constraint_room *= 2;
        s->constraints = hd_realloc(s->constraints, s->constraint_room * sizeof *s->constraints);
    }
    struct constraint c = { s->nodes[node].constraints, other, extra, kind };
    s->constraints[s->n_constraints] = c;
    s->nodes[node].constraints = s->n_constraints++;
    for (uint32_t i = 0; i < s->nodes[node].done; i++)
        apply(s, c, s->nodes[node].set[i]);
}

static uint32_t short_bytes(uint64_t bytes) { return bytes > 4096 ? 0 : (uint32_t)bytes; }

void hd_solver_load(struct hd_solver *s, uint32_t pointer, uint32_t to, uint64_t bytes)
{
    constrain(s, pointer, LOAD, to, short_bytes(bytes));
}

void hd_solver_store(struct hd_solver *s, uint32_t pointer, uint32_t from, uint64_t bytes)
{
    constrain(s, pointer, STORE, from, short_bytes(bytes));
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
    constrain(s, from, MOVE, to, s->n_moves++);
}

void hd_solver_smear(struct hd_solver *s, uint32_t from, uint32_t to)
{
    constrain(s, from, SMEAR, to, 0);
}

void hd_solver_watch(struct hd_solver *s, uint32_t node, uint32_t watch)
{
    constrain(s, node, WATCH, watch, 0);
}

/* ---- cycles ---- */

static void merge(struct hd_solver *s, uint32_t into, uint32_t node)
{
    struct node *a = &s->nodes[into], *b = &s->nodes[node];
    b->parent = into;
    s->merged++;
    for (uint32_t i = 0; i < b->n; i++)
        insert(a, b->set[i]);
    for (uint32_t i = 0; i < b->n_to; i++)
        append_edge(a, b->to[i]);
    if (b->constraints) {
        uint32_t last = b->constraints;
        while (s->constraints[last].next)
            last = s->constraints[last].next;
        s->constraints[last].next = a->constraints;
        a->constraints = b->constraints;
    }
    a->done = 0; /* what either had passed on, the other's edges have not seen */
    free(b->set);
    free(b->table);
    free(b->to);
    *b = (struct node){ .parent = into };
    push(s, into);
}

struct frame {
    uint32_t node, edge;
};

/* Tarjan's search from `start`, without recursion; every component of more than one node is
 * merged. */
static void collapse(struct hd_solver *s, uint32_t start)
{
    uint32_t room = 64, n = 0;
    struct frame *frames = hd_alloc(room * sizeof *frames);
    frames[n++] = (struct frame){ start, 0 };
    s->marks[start] = s->lows[start] = ++s->mark;
    s->stack[s->stack_n++] = start;
    while (n) {
        struct frame *f = &frames[n - 1];
        if (f->edge < s->nodes[f->node].n_to) {
            uint32_t to = find(s, s->nodes[f->node].to[f->edge++]);
            if (s->marks[to] == 0) {
                s->marks[to] = s->lows[to] = ++s->mark;
                s->stack[s->stack_n++] = to;
                if (n == room) {
                    room *= 2;
                    frames = hd_realloc(frames, room * sizeof *frames);
                }
                frames[n++] = (struct frame){ to, 0 };
            } else if (s->marks[to] != UINT32_MAX && s->marks[to] < s->lows[f->node]) {
                s->lows[f->node] = s->marks[to];
            }
            continue;
        }
        uint32_t node = f->node;
        n--;
        if (n && s->lows[node] < s->lows[frames[n - 1].node])
            s->lows[frames[n - 1].node] = s->lows[node];
        if (s->lows[node] != s->marks[node])
            continue;
        uint32_t top;
        do {
            top = s->stack[--s->stack_n];
            s->marks[top] = UINT32_MAX; /* belongs to a finished component */
            if (top != node)
                merge(s, node, top);
        } while (top != node);
    }
    free(frames);
}

static void find_cycles(struct hd_solver *s, const uint32_t *starts, uint32_t n)
{
    if (s->mark_room < s->n) {
        s->mark_room = s->n;
        s->marks = hd_realloc(s->marks, s->n * sizeof *s->marks);
        s->lows = hd_realloc(s->lows, s->n * sizeof *s->lows);
        s->stack = hd_realloc(s->stack, s->n * sizeof *s->stack);
    }
    memset(s->marks, 0, s->mark_room * sizeof *s->marks);
    s->mark = s->stack_n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t start = find(s, starts[i]);
        if (s->marks[start] == 0)
            collapse(s, start);
    }
}

/* ---- the loop ---- */

static void escape(struct hd_solver *s, uint32_t location)
{
    uint32_t object = s->objects->locations[location].object;
    struct hd_abstract *o = &s->objects->items[object];
    if (o->escaped)
        return;
    o->escaped = true;
    if (o->sum == 0)
        return; /* sum_of() does it when there is something to hold */
    hd_solver_add(s, o->any, HD_UNKNOWN_LOCATION);
    hd_solver_copy(s, o->sum, HD_ESCAPE);
}

static void process(struct hd_solver *s, uint32_t node, uint32_t *suspects, uint32_t *n_suspects,
                    uint32_t most)
{
    uint32_t from = s->nodes[node].done, end = s->nodes[node].n;
    s->nodes[node].done = end;
    for (uint32_t i = from; i < end && node == find(s, HD_ESCAPE); i++)
        escape(s, s->nodes[node].set[i]);
    for (uint32_t c = s->nodes[node].constraints; c; c = s->constraints[c].next)
        for (uint32_t i = from; i < end; i++)
            apply(s, s->constraints[c], s->nodes[node].set[i]);
    for (uint32_t e = 0; e < s->nodes[node].n_to; e++) {
        uint32_t to = find(s, s->nodes[node].to[e]);
        if (to == node)
            continue;
        bool grown = false, is_new;
        for (uint32_t i = from; i < end; i++)
            grown |= insert(&s->nodes[to], s->nodes[node].set[i]);
        if (grown) {
            push(s, to);
        } else if (s->nodes[to].n == s->nodes[node].n && *n_suspects < most) {
            hd_u64map_put(&s->checked, (uint64_t)node << 32 | to, &is_new);
            if (is_new)
                suspects[(*n_suspects)++] = node;
        }
    }
}

void hd_solver_run(struct hd_solver *s, hd_solver_watch_fn watch, void *context)
{
    enum { MOST = 1024 };
    uint32_t suspects[MOST], n_suspects = 0, steps = 0;
    s->watch = watch;
    s->context = context;
    while (s->head != s->tail) {
        uint32_t node = s->queue[s->head++ & (s->queue_room - 1)];
        s->nodes[node].queued = false;
        if (s->nodes[node].parent != node)
            continue;
        process(s, node, suspects, &n_suspects, MOST);
        if (n_suspects == MOST || (n_suspects && ++steps > s->n / 8)) {
            find_cycles(s, suspects, n_suspects);
            n_suspects = steps = 0;
        }
    }
}

const uint32_t *hd_solver_get(const struct hd_solver *s, uint32_t node, uint32_t *n)
{
    const struct node *found = &s->nodes[find_const(s, node)];
    *n = node == HD_NO_NODE ? 0 : found->n;
    return found->set;
}

const uint32_t *hd_solver_held(const struct hd_solver *s, uint32_t object, uint32_t *n)
{
    return hd_solver_get(s, s->objects->items[object].sum, n);
}

struct hd_solver_stats hd_solver_stats(const struct hd_solver *s)
{
    struct hd_solver_stats stats = { .nodes = s->n, .merged = s->merged };
    for (uint32_t i = 0; i < s->n; i++) {
        stats.elements += s->nodes[i].n;
        stats.edges += s->nodes[i].n_to;
    }
    return stats;
}
