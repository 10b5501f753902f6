#include "explore/states/futures.h"

#include "core/pack_parts.h"
#include "explore/states/fingerprint_set.h"

#define MOST_LOCALS (1u << 22)
#define MOST_EDGES (1u << 23)
#define POOL (16ull * HD_MAX_STEPS)

bool hd_futures_init(struct hd_futures *f, struct hd_explorer *ex)
{
    struct hd_arena *a = &ex->arena;
    f->ex = ex;
    f->off = !ex->world.local_state;
    f->touch = hd_arena_take(a, sizeof *f->touch * HD_FUTURES_MOST);
    f->conflicts = hd_arena_take(a, sizeof *f->conflicts * HD_FUTURES_MOST);
    f->locals = hd_arena_take(a, sizeof *f->locals * MOST_LOCALS);
    f->edges = hd_arena_take(a, sizeof *f->edges * (uint64_t)MOST_EDGES);
    f->work = hd_arena_take(a, sizeof *f->work * (uint64_t)MOST_LOCALS);
    f->at = hd_arena_take(a, sizeof *f->at * (HD_MAX_STEPS + 1ull));
    f->pool = hd_arena_take(a, sizeof *f->pool * POOL);
    return hd_intern_init(&f->names, a) && hd_intern_init(&f->touches, a) &&
           hd_intern_init(&f->edge_names, a) && f->touch && f->conflicts && f->locals &&
           f->edges && f->work && f->at && f->pool;
}

/* Give up: from now on no future can be relied on, and earlier reliance may have been wrong. */
static void give_up(struct hd_futures *f)
{
    if (f->off)
        return;
    f->off = true;
    f->broken(f->self, HD_FUTURES_LEFT);
}

/* ---- what is touched ---- */

static bool conflict(const struct hd_futures_touch *a, const struct hd_futures_touch *b)
{
    if (a->thread == b->thread || a->locks & b->locks)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (a->ranges[i].begin < b->ranges[k].end && b->ranges[k].begin < a->ranges[i].end &&
                (a->ranges[i].writes || b->ranges[k].writes))
                return true;
    return false;
}

static void set_bit(uint64_t *w, uint64_t i) { w[i / 64] |= 1ull << i % 64; }

/* Conflicts of the touch with those before it. */
static void find_conflicts(struct hd_futures *f, uint64_t number)
{
    for (uint64_t i = 1; i < number; i++)
        if (conflict(&f->touch[number], &f->touch[i])) {
            set_bit(f->conflicts[i], number);
            set_bit(f->conflicts[number], i);
        }
}

/* The number of what the action touches; 0 for nothing, or if there are too many. */
static uint32_t touch_of(struct hd_futures *f, uint32_t thread, const struct hd_action *action,
                         uint64_t locks)
{
    struct hd_touch ranges[2];
    int n = hd_touches(action, ranges);
    if (n == 0)
        return 0;
    uint64_t key[8] = { thread | (uint64_t)n << 32, locks };
    for (int i = 0; i < n; i++) {
        key[2 + 3 * i] = ranges[i].begin;
        key[3 + 3 * i] = ranges[i].end;
        key[4 + 3 * i] = ranges[i].writes;
    }
    bool fresh;
    uint64_t number = hd_intern_add(&f->touches, key, sizeof key, &fresh);
    if (number == 0 || number >= HD_FUTURES_MOST) {
        give_up(f);
        return 0;
    }
    if (fresh) {
        f->touch[number] =
            (struct hd_futures_touch){ { ranges[0], ranges[n - 1] }, locks, thread, (uint32_t)n };
        find_conflicts(f, number);
    }
    return (uint32_t)number;
}

static bool make_room(struct hd_futures *f, struct hd_futures_set *set, uint32_t words)
{
    if (words <= set->words)
        return true;
    uint64_t *bigger = hd_arena_take(&f->ex->arena, 8ull * words);
    if (!bigger) {
        give_up(f);
        return false;
    }
    if (set->words)
        memcpy(bigger, set->w, 8ull * set->words);
    set->w = bigger;
    set->words = words;
    return true;
}

static bool meets(const struct hd_futures *f, const struct hd_futures_set *set, uint32_t touch)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < set->words; i++)
        any |= set->w[i] & f->conflicts[touch][i];
    return any != 0;
}

/* ---- futures that grow ---- */

static bool is_at(const struct hd_futures *f, uint32_t depth, uint32_t local)
{
    const struct hd_futures_node *node = &f->at[depth];
    for (uint32_t t = 0; t < node->n; t++)
        if (hd_tset_has(&node->on, t) && f->pool[node->first + t] == local)
            return true;
    return false;
}

/* The future of the local state has grown by the bits of one word. */
static void grown(struct hd_futures *f, uint32_t local, uint32_t word, uint64_t more)
{
    const struct hd_futures_local *l = &f->locals[local];
    bool left = false;
    for (uint32_t i = 0; i < l->relied.words && !left; i++)
        for (uint64_t bits = l->relied.w[i]; bits && !left; bits &= bits - 1)
            left = f->conflicts[i * 64 + (uint32_t)__builtin_ctzll(bits)][word] & more;
    if (left)
        f->broken(f->self, HD_FUTURES_LEFT);
    for (uint32_t d = 0; l->on_path && d < f->n_nodes; d++)
        if (f->at[d].relies && f->conflicts[f->at[d].relies][word] & more && is_at(f, d, local))
            f->broken(f->self, d);
}

static bool take_over(struct hd_futures *f, uint32_t local, const struct hd_futures_set *from)
{
    struct hd_futures_set *to = &f->locals[local].touches;
    bool changed = false;
    if (!make_room(f, to, from->words))
        return false;
    for (uint32_t i = 0; i < from->words; i++) {
        uint64_t more = from->w[i] & ~to->w[i];
        to->w[i] |= more;
        if (more)
            grown(f, local, i, more);
        changed = changed || more;
    }
    return changed;
}

/* Add the growth to the local states that lead to this one (F2). */
static void spread(struct hd_futures *f, uint32_t local)
{
    uint32_t n = 0;
    f->work[n++] = local;
    while (n && !f->off) {
        const struct hd_futures_local *l = &f->locals[f->work[--n]];
        for (uint32_t e = l->before; e; e = f->edges[e - 1].next) {
            uint32_t from = f->edges[e - 1].from;
            if (take_over(f, from, &l->touches) && n < MOST_LOCALS)
                f->work[n++] = from;
            else if (n == MOST_LOCALS)
                give_up(f);
        }
    }
}

static void add_touch(struct hd_futures *f, uint32_t local, uint32_t touch)
{
    struct hd_futures_set *set = &f->locals[local].touches;
    if (!touch || !make_room(f, set, touch / 64 + 1) || set->w[touch / 64] >> touch % 64 & 1)
        return;
    set_bit(set->w, touch);
    grown(f, local, touch / 64, 1ull << touch % 64);
    spread(f, local);
}

static void add_edge(struct hd_futures *f, uint32_t from, uint32_t to)
{
    uint64_t name = (uint64_t)from << 32 | to;
    bool fresh;
    if (from == to)
        return;
    if (!hd_intern_add(&f->edge_names, &name, sizeof name, &fresh) || f->n_edges == MOST_EDGES) {
        give_up(f);
        return;
    }
    if (!fresh)
        return;
    f->edges[f->n_edges++] = (struct hd_futures_edge){ from, f->locals[to].before };
    f->locals[to].before = f->n_edges;
    if (take_over(f, from, &f->locals[to].touches))
        spread(f, from);
}

/* ---- at a node ---- */

void hd_futures_come_to(struct hd_futures *f)
{
    const struct hd_config *config = f->ex->world.config;
    uint32_t depth = f->ex->path.depth;
    struct hd_futures_node *node = &f->at[depth], *before = depth ? node - 1 : NULL;
    if (f->off)
        return;
    f->n_nodes = depth + 1;
    node->first = before ? before->first + before->n : 0;
    node->n = config->n_threads;
    node->relies = 0;
    if (node->first + node->n > POOL) {
        give_up(f);
        return;
    }
    memset(f->pool + node->first, 0, sizeof *f->pool * node->n);
}

static uint32_t local_of(struct hd_futures *f, uint32_t thread)
{
    uint64_t name[3] = { thread };
    bool fresh;
    f->ex->world.local_state(f->ex->world.self, thread, name + 1);
    uint64_t number = hd_intern_add(&f->names, name, sizeof name, &fresh);
    if (number == 0 || number >= MOST_LOCALS) {
        give_up(f);
        return 0;
    }
    return (uint32_t)number;
}

void hd_futures_stands(struct hd_futures *f, uint32_t thread, const struct hd_action *next,
                       uint64_t locks)
{
    if (f->off)
        return;
    uint32_t depth = f->ex->path.depth, now = local_of(f, thread);
    const struct hd_futures_node *node = &f->at[depth], *before = depth ? node - 1 : NULL;
    f->pool[node->first + thread] = now;
    if (f->off)
        return;
    if (before) {
        bool there = thread < before->n && f->pool[before->first + thread];
        uint32_t whose = there ? thread : f->ex->world.config->last;
        uint32_t from = f->pool[before->first + whose];
        add_edge(f, from, now);
    }
    if (!f->off)
        add_touch(f, now, touch_of(f, thread, next, locks));
}

bool hd_futures_meet(struct hd_futures *f, uint32_t thread, const struct hd_action *action,
                     uint64_t locks, const struct hd_tset *stuck, uint32_t *as)
{
    const struct hd_futures_node *node = &f->at[f->ex->path.depth];
    uint32_t touch = f->off ? 0 : touch_of(f, thread, action, locks);
    if (f->off || !touch)
        return true;
    for (uint32_t t = 0; t < node->n; t++) {
        uint32_t local = f->pool[node->first + t];
        if (!local || t == thread || hd_tset_has(stuck, t))
            continue;
        if (meets(f, &f->locals[local].touches, touch))
            return true;
    }
    *as = touch;
    return false;
}

void hd_futures_rely(struct hd_futures *f, const struct hd_tset *stuck, uint32_t as)
{
    struct hd_futures_node *node = &f->at[f->ex->path.depth];
    node->relies = as;
    node->on = (struct hd_tset){ { 0 } };
    for (uint32_t t = 0; t < node->n; t++) {
        uint32_t local = f->pool[node->first + t];
        if (!local || hd_tset_has(stuck, t))
            continue;
        hd_tset_add(&node->on, t);
        f->locals[local].on_path++;
    }
}

void hd_futures_leave(struct hd_futures *f, uint32_t depth, bool alone)
{
    struct hd_futures_node *node = &f->at[depth];
    if (f->off || !node->relies)
        return;
    for (uint32_t t = 0; t < node->n; t++) {
        if (!hd_tset_has(&node->on, t))
            continue;
        struct hd_futures_local *l = &f->locals[f->pool[node->first + t]];
        l->on_path--;
        if (alone && make_room(f, &l->relied, node->relies / 64 + 1))
            set_bit(l->relied.w, node->relies);
    }
    node->relies = 0;
}

/* ---- invariants ---- */

static bool is_part(const struct hd_futures_set *part, const struct hd_futures_set *of)
{
    for (uint32_t i = 0; i < part->words; i++)
        if (part->w[i] & ~(i < of->words ? of->w[i] : 0))
            return false;
    return true;
}

const char *hd_futures_check(struct hd_futures *f, uint32_t thread, const struct hd_action *next,
                             uint64_t locks)
{
    if (f->off)
        return NULL;
    uint32_t local = f->pool[f->at[f->ex->path.depth].first + thread];
    uint32_t touch = touch_of(f, thread, next, locks);
    const struct hd_futures_local *l = &f->locals[local];
    if (touch && !(touch / 64 < l->touches.words && l->touches.w[touch / 64] >> touch % 64 & 1))
        return "F1 of futures";
    for (uint32_t e = l->before; e; e = f->edges[e - 1].next)
        if (!is_part(&l->touches, &f->locals[f->edges[e - 1].from].touches))
            return "F2 of futures";
    return NULL;
}

const char *hd_futures_check_relied(const struct hd_futures *f, uint32_t depth)
{
    const struct hd_futures_node *node = &f->at[depth];
    if (f->off)
        return NULL;
    for (uint32_t t = 0; t < node->n; t++) {
        const struct hd_futures_local *l = &f->locals[f->pool[node->first + t]];
        if (node->relies && hd_tset_has(&node->on, t) && t != f->touch[node->relies].thread &&
            meets(f, &l->touches, node->relies))
            return "F3 of futures";
        for (uint32_t i = 0; i < 64 * l->relied.words; i++)
            if (l->relied.w[i / 64] >> i % 64 & 1 && t != f->touch[i].thread &&
                meets(f, &l->touches, i))
                return "F3 of futures (a node that has been left)";
    }
    return NULL;
}

void hd_futures_again(struct hd_futures *f)
{
    for (uint64_t i = 1; i <= f->names.n && i < MOST_LOCALS; i++) {
        struct hd_futures_local *l = &f->locals[i];
        l->on_path = 0;
        if (l->relied.words)
            memset(l->relied.w, 0, 8ull * l->relied.words);
    }
    f->n_nodes = 0;
}

/* ---- work units ---- */

#define LONGEST_NAME 64u /* bytes of a string that is interned here */

static void pack_touches(struct hd_futures *f, struct hd_pack *p)
{
    static const struct hd_field fields[] = {
        HD_FIELD(struct hd_futures_touch, ranges[0].begin),
        HD_FIELD(struct hd_futures_touch, ranges[0].end),
        HD_FLAG(struct hd_futures_touch, ranges[0].writes),
        HD_FIELD(struct hd_futures_touch, ranges[1].begin),
        HD_FIELD(struct hd_futures_touch, ranges[1].end),
        HD_FLAG(struct hd_futures_touch, ranges[1].writes),
        HD_FIELD(struct hd_futures_touch, locks),
    };
    hd_intern_pack(&f->touches, p, LONGEST_NAME);
    hd_pack_want(p, f->touches.n < HD_FUTURES_MOST);
    for (uint64_t i = 1; i <= f->touches.n && !p->bad; i++) {
        HD_PACK_FIELDS(p, &f->touch[i], fields);
        hd_pack_thread(p, &f->touch[i].thread);
        hd_pack_u32(p, &f->touch[i].n, 2);
        if (p->reading)
            find_conflicts(f, i);
    }
}

static void pack_set(struct hd_futures *f, struct hd_pack *p, struct hd_futures_set *set)
{
    uint32_t words = set->words;
    hd_pack_u32(p, &words, HD_FUTURES_MOST / 64);
    hd_pack_want(p, make_room(f, set, words));
    for (uint32_t i = 0; i < words && !p->bad; i++)
        hd_pack_u64(p, &set->w[i]);
}

static void pack_locals(struct hd_futures *f, struct hd_pack *p)
{
    hd_intern_pack(&f->names, p, LONGEST_NAME);
    hd_pack_want(p, f->names.n < MOST_LOCALS);
    hd_intern_pack(&f->edge_names, p, LONGEST_NAME);
    hd_pack_count(p, &f->n_edges, MOST_EDGES);
    for (uint32_t i = 0; i < f->n_edges && !p->bad; i++) {
        hd_pack_u32(p, &f->edges[i].from, (uint32_t)f->names.n);
        hd_pack_u32(p, &f->edges[i].next, i); /* an older one, so that no list is circular */
    }
    for (uint64_t i = 1; i <= f->names.n && !p->bad; i++) {
        struct hd_futures_local *l = &f->locals[i];
        pack_set(f, p, &l->touches);
        pack_set(f, p, &l->relied);
        hd_pack_u32(p, &l->before, f->n_edges);
        hd_pack_u32(p, &l->on_path, UINT32_MAX);
    }
}

void hd_futures_pack(struct hd_futures *f, struct hd_pack *p)
{
    bool off = f->off;
    hd_pack_bool(p, &off);
    f->off = f->off || off;
    if (off)
        return;
    pack_touches(f, p);
    pack_locals(f, p);
    hd_pack_count(p, &f->n_nodes, HD_MAX_STEPS);
    uint64_t first = 0;
    for (uint32_t d = 0; d < f->n_nodes && !p->bad; d++) {
        struct hd_futures_node *node = &f->at[d];
        node->first = first;
        hd_pack_u32(p, &node->n, HD_MAX_THREADS);
        hd_pack_u32(p, &node->relies, HD_FUTURES_MOST - 1);
        hd_pack_set(p, &node->on);
        hd_pack_want(p, first + node->n <= POOL);
        for (uint32_t t = 0; t < node->n && !p->bad; t++)
            hd_pack_u32(p, &f->pool[first + t], (uint32_t)f->names.n);
        first += node->n;
    }
}
