#include "explore/guided/frontier.h"

#include "base/hash.h"
#include "core/pack_parts.h"

#include <string.h>

#define MOST_KEPT (1u << 22)
#define PLACES (1u << 23) /* of the table of numbers */

bool hd_frontier_init(struct hd_frontier *f, struct hd_explorer *ex)
{
    f->room = MOST_KEPT;
    f->alt_room = 8ull * MOST_KEPT;
    f->open = HD_NO_STATE;
    f->kept = hd_arena_take(&ex->arena, f->room * sizeof *f->kept);
    f->alts = hd_arena_take(&ex->arena, f->alt_room * sizeof *f->alts);
    f->at = hd_arena_take(&ex->arena, sizeof *f->at * (uint64_t)(HD_MAX_STEPS + 1));
    f->numbers = hd_arena_take(&ex->arena, PLACES * sizeof *f->numbers);
    return f->kept && f->alts && f->at && f->numbers &&
           hd_fingerprint_set_init(&f->seen, &ex->arena, 0);
}

/* The fingerprint of the state: memory, the local state of every live thread and its next
 * action. */
static struct hd_fingerprint print_of(const struct hd_explorer *ex, struct hd_fingerprint p)
{
    const struct hd_config *config = ex->world.config;
    for (uint32_t t = 0; t < config->n_threads; t++) {
        if (!hd_tset_has(&config->live, t))
            continue;
        const struct hd_action *a = &config->next[t];
        uint64_t local[2], h = hd_hash_step(t, a->object);
        ex->world.local_state(ex->world.self, t, local);
        h = hd_hash_step(h, a->object2);
        h = hd_hash_step(h, (uint64_t)a->size << 32 | a->site);
        h = hd_hash_step(h, (uint64_t)a->op << 32 | a->choices);
        p.lo ^= hd_hash_step(local[0], t) ^ h;
        p.hi ^= hd_hash_step(local[1], t) ^ hd_hash_mix(h + 0x9e3779b97f4a7c15ull);
    }
    return p;
}

/* A new entry for the state, from the step that led to it. */
static struct hd_kept arrived(const struct hd_frontier *f, const struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    struct hd_kept k = { .parent = HD_NO_STATE, .depth = depth, .last = ex->world.config->last };
    uint64_t change[2] = { 0, 0 };
    struct hd_tset threads = { { 0 } };
    if (depth == 0)
        return k;
    const struct hd_node *node = &ex->path.nodes[depth - 1];
    const struct hd_kept *before = &f->kept[f->open];
    k.parent = f->open;
    k.action = node->action;
    k.taken = node->taken;
    k.unknown = before->unknown ||
                !ex->world.state_change(ex->world.self, depth - 1, change, &threads);
    k.memory = before->memory;
    k.memory.lo ^= change[0];
    k.memory.hi ^= change[1];
    k.stays = before->stays + (before->last == k.last);
    return k;
}

static struct hd_numbered *number_of(const struct hd_frontier *f, struct hd_fingerprint print)
{
    uint64_t at = hd_hash_mix(print.lo ^ print.hi) % PLACES;
    while (f->numbers[at].used &&
           (f->numbers[at].print.lo != print.lo || f->numbers[at].print.hi != print.hi))
        at = (at + 1) % PLACES;
    return &f->numbers[at];
}

/* A step has led from `open` to the state. */
static void note_edge(struct hd_frontier *f, struct hd_explorer *ex, uint32_t state)
{
    if (f->open == HD_NO_STATE)
        return;
    if (!hd_state_edges_have_room(&f->edges, 0))
        hd_state_edges_make_room(&f->edges, 0, &ex->arena);
    hd_state_edges_add(&f->edges, 0, f->open, state);
}

bool hd_frontier_may_cycle(const struct hd_frontier *f, struct hd_explorer *ex)
{
    return f->edges.lost || hd_state_edges_cyclic(&f->edges, f->n, &ex->arena) != HD_CYCLIC_NOT;
}

uint32_t hd_frontier_meet(struct hd_frontier *f, struct hd_explorer *ex, const uint32_t *alts,
                          uint32_t n)
{
    struct hd_kept k = arrived(f, ex);
    struct hd_fingerprint print = print_of(ex, k.memory);
    if (!k.unknown && !hd_fingerprint_set_add(&f->seen, print)) {
        const struct hd_numbered *known = number_of(f, print);
        if (known->used)
            note_edge(f, ex, known->state);
        else
            f->edges.lost = true;
        ex->cnt->pruned++;
        return HD_NO_STATE;
    }
    ex->cnt->states++;
    if (f->n == f->room || f->n_alts + n > f->alt_room) {
        ex->cnt->states_dropped++;
        ex->cnt->bounded++;
        return HD_NO_STATE;
    }
    k.alts = f->n_alts;
    k.n_alts = n;
    memcpy(f->alts + k.alts, alts, n * sizeof *alts);
    f->n_alts += n;
    f->kept[f->n] = k;
    note_edge(f, ex, f->n);
    if (!k.unknown)
        *number_of(f, print) = (struct hd_numbered){ print, f->n, true };
    return f->n++;
}

int64_t hd_frontier_next(struct hd_frontier *f, struct hd_explorer *ex)
{
    if (f->open == HD_NO_STATE)
        return -1;
    uint32_t depth = f->kept[f->open].depth;
    struct hd_node *node = &ex->path.nodes[depth];
    if (node->taken + 1 >= node->n_open)
        return -1;
    node->taken++;
    ex->path.n_nodes = ex->marks.target = depth + 1;
    return depth;
}

/* Make node d of the path that of the state, with its first alternative taken. */
static void put_node(struct hd_frontier *f, struct hd_explorer *ex, uint32_t d, uint32_t state)
{
    const struct hd_kept *k = &f->kept[state];
    struct hd_node *node = &ex->path.nodes[d];
    node->alts = d ? node[-1].alts + node[-1].n_alts : 0;
    node->n_alts = node->n_open = node->n_allowed = k->n_alts;
    node->taken = 0;
    node->last = k->last;
    node->enabled = 0;
    node->unsure = node->many = false;
    memcpy(hd_path_alts(&ex->path, d), f->alts + k->alts, k->n_alts * sizeof *f->alts);
    hd_path_opened(&ex->path, d);
    f->at[d] = state;
}

int64_t hd_frontier_open(struct hd_frontier *f, struct hd_explorer *ex, uint32_t state)
{
    uint32_t depth = f->kept[state].depth, common = depth, s = state;
    bool any = f->open != HD_NO_STATE;
    uint32_t known = any ? f->kept[f->open].depth : 0;
    while (!(any && common <= known && f->at[common] == s)) {
        f->at[common] = s;
        if (common == 0)
            break;
        s = f->kept[s].parent;
        common--;
    }
    for (uint32_t i = common; i <= depth; i++)
        put_node(f, ex, i, f->at[i]);
    for (uint32_t i = common; i < depth; i++) {
        ex->path.nodes[i].taken = f->kept[f->at[i + 1]].taken;
        ex->path.nodes[i].action = f->kept[f->at[i + 1]].action;
    }
    f->open = state;
    ex->path.n_nodes = ex->marks.target = depth + 1;
    return common;
}

static bool has_parent(const struct hd_frontier *f, uint32_t state)
{
    const struct hd_kept *k = &f->kept[state];
    if (state == 0)
        return k->parent == HD_NO_STATE && k->depth == 0;
    return k->parent < state && k->depth == f->kept[k->parent].depth + 1 &&
           k->taken < f->kept[k->parent].n_alts;
}

static bool is_node(const struct hd_frontier *f, const struct hd_explorer *ex, uint32_t state)
{
    const struct hd_kept *k = &f->kept[state];
    const struct hd_node *node = &ex->path.nodes[k->depth];
    return f->at[k->depth] == state && node->n_alts == k->n_alts &&
           memcmp(hd_path_alts(&ex->path, k->depth), f->alts + k->alts,
                  k->n_alts * sizeof *f->alts) == 0;
}

const char *hd_frontier_check(const struct hd_frontier *f, const struct hd_explorer *ex)
{
    if (f->n && !has_parent(f, f->n - 1))
        return "F1 of the frontier (the newest state)";
    if (f->open == HD_NO_STATE)
        return NULL;
    for (uint32_t s = f->open;; s = f->kept[s].parent) {
        if (!has_parent(f, s))
            return "F1 of the frontier";
        if (!is_node(f, ex, s))
            return "F2 of the frontier";
        if (s == 0)
            return NULL;
        const struct hd_kept *k = &f->kept[s];
        if (ex->path.nodes[k->depth - 1].taken != k->taken)
            return "F2 of the frontier (the way to a state)";
    }
}

static bool before(const struct hd_entry_of_queue *a, const struct hd_entry_of_queue *b)
{
    return a->h != b->h ? a->h < b->h : a->tie < b->tie;
}

bool hd_queue_init(struct hd_queue *q, struct hd_explorer *ex, uint32_t room)
{
    *q = (struct hd_queue){ .room = room };
    q->items = hd_arena_take(&ex->arena, room * sizeof *q->items);
    return q->items != NULL;
}

static void rise(struct hd_queue *q, uint32_t i)
{
    for (; i > 0 && before(&q->items[i], &q->items[(i - 1) / 2]); i = (i - 1) / 2) {
        struct hd_entry_of_queue moved = q->items[i];
        q->items[i] = q->items[(i - 1) / 2];
        q->items[(i - 1) / 2] = moved;
    }
}

/* The worst item; it is a leaf of the heap. */
static uint32_t worst(const struct hd_queue *q)
{
    uint32_t at = q->n / 2;
    for (uint32_t i = at + 1; i < q->n; i++)
        if (before(&q->items[at], &q->items[i]))
            at = i;
    return at;
}

void hd_queue_add(struct hd_queue *q, struct hd_explorer *ex, uint32_t h, uint32_t state)
{
    struct hd_entry_of_queue e = { h, (uint32_t)hd_rng_next(&ex->rng), state };
    uint32_t i = q->n;
    if (q->n == q->room) {
        ex->cnt->states_dropped++;
        i = worst(q);
        if (!before(&e, &q->items[i]))
            return;
    } else {
        q->n++;
    }
    q->items[i] = e;
    rise(q, i);
}

uint32_t hd_queue_take(struct hd_queue *q)
{
    uint32_t state = q->items[0].state, i = 0;
    q->items[0] = q->items[--q->n];
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= q->n)
            return state;
        if (child + 1 < q->n && before(&q->items[child + 1], &q->items[child]))
            child++;
        if (!before(&q->items[child], &q->items[i]))
            return state;
        struct hd_entry_of_queue moved = q->items[i];
        q->items[i] = q->items[child];
        q->items[child] = moved;
        i = child;
    }
}

static void pack_kept(struct hd_frontier *f, struct hd_pack *p, uint32_t state)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_kept, memory.lo), HD_FIELD(struct hd_kept, memory.hi),
        HD_FIELD(struct hd_kept, h),         HD_FIELD(struct hd_kept, stays),
        HD_FLAG(struct hd_kept, unknown),
    };
    struct hd_kept *k = &f->kept[state];
    uint32_t parent = k->parent + 1; /* HD_NO_STATE is 0 */
    hd_pack_u32(p, &parent, state);
    k->parent = parent - 1;
    HD_PACK_FIELDS(p, k, fields);
    hd_pack_action(p, &k->action);
    hd_pack_thread(p, &k->last);
    hd_pack_u32(p, &k->level, HD_MAX_PLACES);
    hd_pack_u32(p, &k->taken, parent ? UINT32_MAX : 0);
    hd_pack_want(p, state == 0 ? !parent : parent && k->taken < f->kept[k->parent].n_alts);
    k->depth = parent && !p->bad ? f->kept[k->parent].depth + 1 : 0;
    hd_pack_want(p, k->depth < HD_MAX_STEPS);
    if (p->reading)
        k->alts = f->n_alts;
    hd_pack_count(p, &k->n_alts, f->alt_room - k->alts);
    hd_pack_want(p, k->n_alts);
    for (uint32_t i = 0; i < k->n_alts; i++)
        hd_pack_step(p, &f->alts[k->alts + i]);
    if (p->reading)
        f->n_alts += k->n_alts;
}

void hd_frontier_pack(struct hd_frontier *f, const struct hd_explorer *ex, struct hd_pack *p)
{
    uint32_t open = f->open + 1, n = f->n;
    hd_fingerprint_set_pack(&f->seen, p);
    hd_pack_count(p, &n, f->room);
    for (uint32_t i = 0; i < n && !p->bad; i++)
        pack_kept(f, p, i);
    f->n = p->bad ? f->n : n;
    hd_pack_u32(p, &open, f->n);
    f->open = open - 1;
    if (!open || p->bad)
        return;
    hd_pack_want(p, f->kept[f->open].depth < ex->path.n_nodes || ex->settled == HD_SETTLED_OVER);
    for (uint32_t d = f->kept[f->open].depth + 1, s = f->open; d-- > 0 && !p->bad;
         s = f->kept[s].parent)
        f->at[d] = s;
}

void hd_queue_pack(struct hd_queue *q, const struct hd_frontier *f, struct hd_pack *p)
{
    hd_pack_count(p, &q->n, q->room);
    for (uint32_t i = 0; i < q->n && !p->bad; i++) {
        hd_pack_u32(p, &q->items[i].h, UINT32_MAX);
        hd_pack_u32(p, &q->items[i].tie, UINT32_MAX);
        hd_pack_u32(p, &q->items[i].state, f->n - 1);
        hd_pack_want(p, f->n != 0);
    }
}
