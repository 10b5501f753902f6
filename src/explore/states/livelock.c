/* Tarjan's algorithm on the states of a depth-first search, while they are visited.
 *
 * Invariants:
 *  C1  nodes[0 .. n_nodes) are the states whose component is not complete, in the order in
 *      which they were met; a node's number is its place there
 *  C2  frames are those of them that are on the path, by depth
 *  C3  edges are those between these nodes that are known to lie inside one component; an edge
 *      to a node that was met by it is noted when that one is left.  All three stacks lose
 *      their newest parts together when a component is complete
 *  C4  states are left when the search backtracks, while the path still holds the steps that
 *      led to them */
#include "explore/states/livelock.h"

#include "core/pack_parts.h"
#include "explore/loop/record.h"
#include "explore/states/fair_cycles.h"

#include <stdio.h>
#include <string.h>

#define NONE (~0u)
#define MOST_STATES (1u << 20)
#define MOST_EDGES (1u << 22)
#define MOST_STEPS (1u << 26)
#define FIRST_BUCKETS 1024u /* as many as there are nodes, later */
#define BUCKETS (1u << 20)

struct node {
    struct hd_fingerprint print;
    uint32_t older; /* in its bucket */
    uint32_t low;
    uint32_t first_edge, first_step;
};

struct frame {
    uint32_t node, depth;
};

struct step {
    uint32_t packed, site;
};

struct hd_livelock {
    struct node *nodes;
    uint64_t *enabled; /* by node: threads that can move, by bit */
    struct frame *frames;
    struct hd_fair_edge *edges;
    struct step *steps; /* of the edges */
    uint32_t *buckets;  /* newest node + 1 */
    uint32_t *schedule; /* of a finding */
    uint32_t n_nodes, n_frames, n_edges, n_steps, n_buckets;
    uint32_t narrow; /* no node before this one is a state in which one thread can move; NONE */
    struct hd_fair fair;
};

struct hd_livelock *hd_livelock_create(struct hd_explorer *ex)
{
    struct hd_arena *a = &ex->arena;
    struct hd_livelock *c = hd_arena_take(a, sizeof *c);
    if (!c)
        return NULL;
    c->nodes = hd_arena_take(a, sizeof *c->nodes * MOST_STATES);
    c->enabled = hd_arena_take(a, sizeof *c->enabled * MOST_STATES);
    c->frames = hd_arena_take(a, sizeof *c->frames * MOST_STATES);
    c->edges = hd_arena_take(a, sizeof *c->edges * MOST_EDGES);
    c->steps = hd_arena_take(a, sizeof *c->steps * (uint64_t)MOST_STEPS);
    c->buckets = hd_arena_take(a, sizeof *c->buckets * BUCKETS);
    c->schedule = hd_arena_take(a, sizeof *c->schedule * (uint64_t)HD_MAX_STEPS);
    c->n_buckets = FIRST_BUCKETS;
    c->narrow = NONE;
    bool room = hd_fair_init(&c->fair, a, MOST_STATES, MOST_EDGES);
    return room && c->nodes && c->enabled && c->frames && c->edges && c->steps && c->buckets &&
                   c->schedule
               ? c
               : NULL;
}

/* A component has more states, or there are more threads, than can be analysed. */
static bool given_up(const struct hd_explorer *ex) { return ex->cnt->cycles_unknown; }

static void give_up(struct hd_livelock *c, struct hd_explorer *ex)
{
    ex->cnt->cycles_unknown = 1;
    c->n_nodes = c->n_frames = c->n_edges = c->n_steps = 0;
    c->narrow = NONE;
    memset(c->buckets, 0, sizeof *c->buckets * BUCKETS);
}

static uint32_t *bucket(struct hd_livelock *c, const struct hd_fingerprint *p)
{
    return &c->buckets[p->lo & (c->n_buckets - 1)];
}

static void fill_buckets(struct hd_livelock *c, uint32_t n)
{
    c->n_buckets = n;
    memset(c->buckets, 0, sizeof *c->buckets * c->n_buckets);
    for (uint32_t i = 0; i < c->n_nodes; i++) {
        uint32_t *newest = bucket(c, &c->nodes[i].print);
        c->nodes[i].older = *newest;
        *newest = i + 1;
    }
}

/* The threads that could move at the node, by bit: all alternatives are listed there, admitted
 * or not. */
static uint64_t enabled_at(const struct hd_path *p, uint32_t depth)
{
    const struct hd_node *node = &p->nodes[depth];
    const uint32_t *alts = hd_path_alts(p, depth);
    uint64_t enabled = node->enabled;
    for (uint32_t i = 0; i < node->n_alts; i++)
        enabled |= 1ull << HD_STEP_THREAD(alts[i]);
    return enabled;
}

static bool backs_off(const struct hd_explorer *ex, const struct hd_action *a)
{
    return (a->op == HD_OP_TRYLOCK_FAIL || a->op == HD_OP_TRYWRLOCK_FAIL) &&
           ex->world.backs_off && ex->world.backs_off(ex->world.self, a->site);
}

/* Add the edge from the frame's state to the one at `depth` after it, by the steps of the
 * path. */
static void add_edge(struct hd_livelock *c, struct hd_explorer *ex, const struct frame *from,
                     uint32_t to, uint32_t depth)
{
    uint32_t n = depth - from->depth;
    if (c->n_edges == MOST_EDGES || n > MOST_STEPS - c->n_steps) {
        give_up(c, ex);
        return;
    }
    struct hd_fair_edge *e = &c->edges[c->n_edges++];
    *e = (struct hd_fair_edge){ .from = from->node, .to = to, .first = c->n_steps, .n = n };
    for (uint32_t d = from->depth; d < depth; d++) {
        const struct hd_action *a = &ex->path.nodes[d].action;
        uint32_t packed = ex->path.steps[d];
        c->steps[c->n_steps++] = (struct step){ packed, a->site };
        e->movers |= 1ull << HD_STEP_THREAD(packed);
        e->enabled |= enabled_at(&ex->path, d);
        e->excused |= backs_off(ex, a) || hd_action_later(a, HD_STEP_CHOICE(packed));
    }
}

/* Report a livelock.  The stem is the path up to `depth` and the first part of the walk. */
static void report(struct hd_livelock *c, struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_fair *f = &c->fair;
    uint32_t n = depth, begin = 0;
    struct step first = { 0, 0 };
    memcpy(c->schedule, ex->path.steps, depth * sizeof *c->schedule);
    for (uint32_t i = 0; i < f->n_walk; i++) {
        const struct hd_fair_edge *e = &c->edges[f->walk[i]];
        if (i == f->n_stem) {
            begin = n;
            first = c->steps[e->first];
        }
        if (n + e->n >= HD_MAX_STEPS) {
            ex->cnt->cycles_unknown = 1;
            return;
        }
        for (uint32_t k = 0; k < e->n; k++)
            c->schedule[n++] = c->steps[e->first + k].packed;
    }
    struct hd_finding finding = { .kind = HD_KIND_LIVELOCK,
                                  .thread = HD_STEP_THREAD(first.packed),
                                  .site = first.site,
                                  .cycle = n - begin };
    hd_finding_say_cycle(&finding);
    if (hd_record_steps(ex, &finding, c->schedule, n) && !ex->opt->keep_going)
        ex->stop_here = true;
}

/* The component whose first state is the frame's is complete. */
static void complete(struct hd_livelock *c, struct hd_explorer *ex, const struct frame *frame)
{
    uint32_t root = frame->node;
    const struct node *r = &c->nodes[root];
    uint32_t first = r->first_edge, n = c->n_nodes - root, m = c->n_edges - first;
    for (uint32_t e = first; e < c->n_edges; e++)
        if (c->edges[e].from < root || c->edges[e].to < root) { /* of a damaged work unit */
            give_up(c, ex);
            return;
        }
    if (m && !ex->opt->no_livelocks) {
        for (uint32_t e = first; e < c->n_edges; e++) {
            c->edges[e].from -= root;
            c->edges[e].to -= root;
        }
        if (hd_fair_find(&c->fair, c->enabled + root, n, c->edges + first, m)) {
            for (uint32_t i = 0; i < c->fair.n_walk; i++)
                c->fair.walk[i] += first;
            report(c, ex, frame->depth);
        }
    }
    c->n_edges = first;
    c->n_steps = r->first_step;
    while (c->n_nodes > root) {
        const struct node *gone = &c->nodes[--c->n_nodes];
        *bucket(c, &gone->print) = gone->older;
    }
    if (c->narrow >= c->n_nodes)
        c->narrow = NONE;
}

void hd_livelock_leave(struct hd_livelock *c, struct hd_explorer *ex, uint32_t depth)
{
    while (c->n_frames && c->frames[c->n_frames - 1].depth >= depth) {
        struct frame left = c->frames[--c->n_frames];
        uint32_t low = c->nodes[left.node].low;
        if (low == left.node) {
            complete(c, ex, &left);
            continue;
        }
        const struct frame *above = &c->frames[c->n_frames - 1];
        if (low < c->nodes[above->node].low)
            c->nodes[above->node].low = low;
        add_edge(c, ex, above, left.node, left.depth);
    }
}

/* Where on the path the component of the node begins, as far as it is known.  Nothing is added
 * to the component after the node that is left next. */
static uint32_t beginning(const struct hd_livelock *c, uint32_t node)
{
    while (c->nodes[node].low < node)
        node = c->nodes[node].low;
    uint32_t f = c->n_frames;
    while (f && c->frames[f - 1].node > node)
        f--;
    return f ? c->frames[f - 1].depth : 0;
}

bool hd_livelock_has_narrow(const struct hd_livelock *c) { return c->narrow != NONE; }

bool hd_livelock_closes(struct hd_livelock *c, struct hd_explorer *ex,
                        struct hd_fingerprint print)
{
    if (ex->world.config->n_threads > 64 && !given_up(ex))
        give_up(c, ex);
    if (given_up(ex) || !c->n_frames)
        return false;
    uint32_t at = *bucket(c, &print);
    while (at && (c->nodes[at - 1].print.lo != print.lo || c->nodes[at - 1].print.hi != print.hi))
        at = c->nodes[at - 1].older;
    if (!at)
        return false;
    const struct frame *from = &c->frames[c->n_frames - 1];
    if (at - 1 < c->nodes[from->node].low)
        c->nodes[from->node].low = at - 1;
    add_edge(c, ex, from, at - 1, ex->path.depth);
    ex->leads_back = given_up(ex) ? 0 : beginning(c, at - 1);
    return true;
}

void hd_livelock_enter(struct hd_livelock *c, struct hd_explorer *ex, struct hd_fingerprint print)
{
    const struct hd_config *config = ex->world.config;
    if (!given_up(ex) && (c->n_nodes == MOST_STATES || config->n_threads > 64))
        give_up(c, ex);
    if (given_up(ex))
        return;
    if (c->n_nodes == c->n_buckets && c->n_buckets < BUCKETS)
        fill_buckets(c, 2 * c->n_buckets);
    uint32_t *newest = bucket(c, &print), me = c->n_nodes++;
    c->nodes[me] = (struct node){ print, *newest, me, c->n_edges, c->n_steps };
    /* A thread that is held by an assumption has a step left, which ends the execution: no
     * cycle without that step is fair. */
    c->enabled[me] = config->enabled.w[0] | hd_config_held(config, 0);
    *newest = me + 1;
    c->frames[c->n_frames++] = (struct frame){ me, ex->path.depth };
    uint64_t enabled = config->enabled.w[0];
    if (c->narrow == NONE && (enabled & (enabled - 1)) == 0)
        c->narrow = me;
}

static void pack_nodes(struct hd_livelock *c, struct hd_explorer *ex, struct hd_pack *p)
{
    for (uint32_t i = 0; i < c->n_nodes && !p->bad; i++) {
        struct node *n = &c->nodes[i];
        hd_pack_bytes(p, &n->print, sizeof n->print);
        hd_pack_u32(p, &n->low, i);
        hd_pack_u32(p, &n->first_edge, c->n_edges);
        hd_pack_u32(p, &n->first_step, c->n_steps);
        hd_pack_u64(p, &c->enabled[i]);
        hd_pack_want(p, i == 0 || (n->first_edge >= n[-1].first_edge &&
                                   n->first_step >= n[-1].first_step));
    }
    for (uint32_t i = 0; i < c->n_frames && !p->bad; i++) {
        struct frame *f = &c->frames[i];
        hd_pack_u32(p, &f->node, c->n_nodes - 1);
        hd_pack_u32(p, &f->depth, ex->path.n_nodes);
        hd_pack_want(p, i == 0 ? f->node == 0 : f->node > f[-1].node && f->depth > f[-1].depth);
    }
    hd_pack_want(p, !c->n_frames == !c->n_nodes);
}

static void pack_edges(struct hd_livelock *c, struct hd_pack *p)
{
    for (uint32_t i = 0; i < c->n_edges && !p->bad; i++) {
        struct hd_fair_edge *e = &c->edges[i];
        hd_pack_u32(p, &e->from, c->n_nodes - 1);
        hd_pack_u32(p, &e->to, c->n_nodes - 1);
        hd_pack_u32(p, &e->first, c->n_steps);
        hd_pack_u32(p, &e->n, p->reading ? c->n_steps - e->first : UINT32_MAX);
        hd_pack_u64(p, &e->movers);
        hd_pack_u64(p, &e->enabled);
        hd_pack_u32(p, &e->excused, 1);
    }
    for (uint32_t i = 0; i < c->n_steps && !p->bad; i++) {
        hd_pack_step(p, &c->steps[i].packed);
        hd_pack_u32(p, &c->steps[i].site, UINT32_MAX);
    }
}

void hd_livelock_pack(struct hd_livelock *c, struct hd_explorer *ex, struct hd_pack *p)
{
    hd_pack_count(p, &c->n_nodes, MOST_STATES);
    hd_pack_count(p, &c->n_frames, c->n_nodes);
    hd_pack_count(p, &c->n_edges, c->n_nodes ? MOST_EDGES : 0);
    hd_pack_count(p, &c->n_steps, MOST_STEPS);
    pack_nodes(c, ex, p);
    pack_edges(c, p);
    uint32_t buckets = FIRST_BUCKETS;
    while (buckets < c->n_nodes && buckets < BUCKETS)
        buckets *= 2;
    if (p->reading && !p->bad)
        fill_buckets(c, buckets);
    if (p->reading && c->n_nodes)
        c->narrow = 0; /* it may be one */
}
