/* dpor-stateful: dynamic partial order reduction with visited states, after Yang, Chen,
 * Gopalakrishnan and Kirby (Efficient Stateful Dynamic Partial Order Reduction, SPIN 2008), in
 * the way that the hybrid reduction was compared with (Parízek 2016, sections IV and V):
 * choices are made only afterwards, at steps that turn out to conflict with something another
 * thread did later, and then all enabled threads are tried.
 *
 * What may happen after a state is stored with it, as its sum: all next actions of threads that
 * were seen there or further on.  Where a visited state is met again, its sum stands for what
 * would have been explored.  A node is examined when everything after it has been explored: if
 * its step conflicts with an action of its sum that may come first, the node becomes a choice.
 *
 * Invariants:
 *  1  sums[d] holds the next actions at node d and the sums of what has been explored after it
 *  2 a state that is met while it is still on the path closes a cycle: its node becomes a
 *  choice,
 *     so that no cycle leaves a thread out; its sum is the one of the last pass, and when it
 *     has grown in the end everything is explored again
 *  3 sums only grow, over all passes, so the passes end
 *
 * Deviations: happens-before belongs to one path to a state and not to others.  Instead, locks
 * decide what cannot come first: two actions under one lock, and actions of threads that wait
 * for a lock of the current thread or for its end.  There are at most MOST_ACTIONS different
 * actions. */
#include "base/hash.h"
#include "core/dependence.h"
#include "core/pack_parts.h"
#include "explore/states/persistent_set.h"
#include "explore/states/scale.h"

#include <string.h>

#define WORDS 64u
#define MOST_ACTIONS (64ull * WORDS)
#define BUCKETS (4 * MOST_ACTIONS)

struct known { /* an action that was met */
    struct hd_action action;
    struct hd_tset live; /* END: the threads that it ends */
    uint64_t held;
    uint32_t thread;
};

struct state {
    uint64_t key[2];
    struct state *older;
    uint64_t *sum;
    uint32_t words;
    uint32_t depth; /* of its node on the path, + 1; 0: not on the path */
    uint32_t used;  /* in this pass its sum was used before it was complete */
};

struct place { /* by depth */
    struct hd_tset live, stuck;
    struct state *state; /* NULL: not stored */
    bool fresh;
};

struct stateful {
    struct hd_persistent_set base;
    struct known *known;
    uint32_t *by_hash; /* index + 1 */
    uint32_t n_known;
    uint64_t (*sums)[WORDS]; /* by depth */
    struct place *places;
    struct state **states; /* by hash */
    uint64_t n_states, n_buckets;
    uint32_t leaf; /* the node that was looked at last has no step yet: its depth + 1 */
};

#define STATE_BUCKETS (1ull << 22)

static void *create(struct hd_explorer *ex)
{
    struct stateful *s = (struct stateful *)hd_persistent_set_create(ex, sizeof *s);
    if (!s)
        return NULL;
    struct hd_arena *a = &ex->arena;
    s->known = hd_arena_take(a, sizeof *s->known * MOST_ACTIONS);
    s->by_hash = hd_arena_take(a, sizeof *s->by_hash * BUCKETS);
    s->sums = hd_arena_take(a, sizeof *s->sums * (uint64_t)(HD_MAX_STEPS + 1));
    s->places = hd_arena_take(a, sizeof *s->places * (uint64_t)(HD_MAX_STEPS + 1));
    s->states = hd_arena_take(a, sizeof *s->states * STATE_BUCKETS);
    return s->known && s->by_hash && s->sums && s->places && s->states ? s : NULL;
}

static bool same_known(const struct known *a, const struct known *b)
{
    return hd_action_same(&a->action, &b->action) && a->thread == b->thread &&
           a->held == b->held && memcmp(&a->live, &b->live, sizeof a->live) == 0;
}

static uint32_t number_of(struct stateful *s, const struct known *k)
{
    uint64_t h = hd_hash_step(hd_hash_step(k->thread, k->action.object), k->action.object2);
    h = hd_hash_step(h, (uint64_t)k->action.site << 16 | k->action.op);
    h = hd_hash_step(h, k->held);
    uint32_t i = (uint32_t)(h % BUCKETS);
    while (s->by_hash[i] && !same_known(&s->known[s->by_hash[i] - 1], k))
        i = (uint32_t)((i + 1) % BUCKETS);
    if (s->by_hash[i])
        return s->by_hash[i] - 1;
    if (s->n_known == MOST_ACTIONS) {
        hd_explorer_give_up(s->base.ex, "dpor-stateful: too many different actions to remember "
                                        "what may follow a state: use --strategy hybrid");
        return 0;
    }
    s->known[s->n_known] = *k;
    s->by_hash[i] = s->n_known + 1;
    return s->n_known++;
}

/* Add the next actions of all threads to the node's sum. */
static void note_all(struct stateful *s, struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_config *config = ex->world.config;
    uint64_t *sum = s->sums[depth];
    memset(sum, 0, sizeof s->sums[depth]);
    for (uint32_t t = 0; t < config->n_threads; t++) {
        const struct hd_action *a = &config->next[t];
        if (!hd_tset_has(&config->live, t) || hd_scale_hidden(ex, a) ||
            hd_op_table[a->op].access == HD_ACCESS_NONE)
            continue;
        struct known k = { .action = *a,
                           .thread = t,
                           .held = hd_persistent_set_needs(&s->base, t) };
        if (a->op == HD_OP_END)
            k.live = config->live;
        uint32_t i = number_of(s, &k);
        sum[i / 64] |= 1ull << i % 64;
    }
}

/* The thread that existed there and is `thread`, or created it or an ancestor of it;
 * HD_MAX_THREADS if there is none. */
static uint32_t creator(const struct stateful *s, const struct place *place, uint32_t thread)
{
    while (!hd_tset_has(&place->live, thread)) {
        if (thread == 0)
            return HD_MAX_THREADS;
        thread = s->base.ex->shared->threads[thread].parent;
    }
    return thread;
}

/* Is there an action in the sum that conflicts with this one and may come before it? */
static bool conflicts(const struct stateful *s, uint32_t depth, uint32_t thread,
                      const struct hd_action *action, uint64_t held)
{
    const struct place *place = &s->places[depth];
    for (uint32_t w = 0; w * 64 < s->n_known; w++)
        for (uint64_t bits = s->sums[depth][w]; bits; bits &= bits - 1) {
            const struct known *k = &s->known[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (k->thread == thread || k->held & held)
                continue;
            bool meet = k->action.op == HD_OP_END ? hd_tset_has(&k->live, thread)
                                                  : hd_action_dependent(&k->action, action);
            uint32_t who = meet ? creator(s, place, k->thread) : HD_MAX_THREADS;
            if (who != HD_MAX_THREADS && !hd_tset_has(&place->stuck, who))
                return true;
        }
    return false;
}

/* Is the thread alone a persistent set in the current state? */
static bool is_persistent(struct stateful *s, struct hd_explorer *ex, uint32_t thread)
{
    struct hd_action a = hd_explorer_outcome(ex, thread);
    struct place *place = &s->places[ex->path.depth];
    if (hd_op_table[a.op].access == HD_ACCESS_ALL)
        return false;
    place->stuck = hd_lookahead_stuck(ex, thread);
    return !conflicts(s, ex->path.depth, thread, &a, hd_persistent_set_held(&s->base, thread));
}

static uint32_t singleton(struct stateful *s, struct hd_explorer *ex, const uint32_t *alts,
                          uint32_t n)
{
    const struct hd_config *config = ex->world.config;
    uint32_t last = config->last;
    if (hd_tset_has(&config->enabled, last) && is_persistent(s, ex, last))
        return last;
    for (uint32_t i = 0; i < n; i++)
        if (HD_STEP_THREAD(alts[i]) != last && is_persistent(s, ex, HD_STEP_THREAD(alts[i])))
            return HD_STEP_THREAD(alts[i]);
    return HD_NO_SINGLE;
}

static void come_to(struct stateful *s, struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    if (depth)
        hd_persistent_set_take_locks(&s->base, depth - 1);
    note_all(s, ex, depth);
    s->places[depth] = (struct place){ .live = ex->world.config->live, .fresh = true };
    s->base.at[depth].alone = false;
    s->leaf = depth + 1;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct stateful *s = self;
    come_to(s, ex);
    ex->state_known = ex->state_met = false;
    if (hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])]) ||
        HD_STEP_THREAD(alts[0]) == HD_STEP_THREAD(alts[n - 1]) || ex->world.config->invariants)
        return n;
    uint32_t thread = singleton(s, ex, alts, n);
    if (thread == HD_NO_SINGLE)
        return n;
    s->base.at[ex->path.depth].alone = true;
    return hd_path_of_thread(alts, n, thread);
}

/* ---- states and their sums ---- */

static struct state *state_of(struct stateful *s, struct hd_explorer *ex)
{
    struct state **newest = &s->states[ex->state[0] % STATE_BUCKETS];
    for (struct state *at = *newest; at; at = at->older)
        if (at->key[0] == ex->state[0] && at->key[1] == ex->state[1])
            return at;
    struct state *made = hd_arena_take(&ex->arena, sizeof *made);
    if (!made) {
        hd_explorer_give_up(ex, "what may follow the states does not fit into memory: use "
                                "--strategy hybrid");
        return NULL;
    }
    *made = (struct state){ { ex->state[0], ex->state[1] }, *newest, NULL, 0, 0, 0 };
    return *newest = made;
}

/* Add `sum` to the state's sum.  Returns whether that has grown. */
static bool grow(struct hd_explorer *ex, struct state *state, const uint64_t *sum, uint32_t words)
{
    bool grown = false;
    if (words > state->words) {
        uint64_t *bigger = hd_arena_take(&ex->arena, 8ull * words);
        if (!bigger) {
            hd_explorer_give_up(ex, "what may follow the states does not fit into memory");
            return false;
        }
        if (state->words)
            memcpy(bigger, state->sum, 8ull * state->words);
        state->sum = bigger;
        state->words = words;
    }
    for (uint32_t i = 0; i < words; i++) {
        grown = grown || (sum[i] & ~state->sum[i]);
        state->sum[i] |= sum[i];
    }
    return grown;
}

static void merge(uint64_t *into, const uint64_t *from, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        into[i] |= from[i];
}

static uint32_t words_of(const uint64_t *sum)
{
    uint32_t n = WORDS;
    while (n && !sum[n - 1])
        n--;
    return n;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct stateful *s = self;
    struct place *place = &s->places[depth];
    hd_persistent_set_ran(&s->base, ex, depth);
    if (!place->fresh)
        return;
    place->fresh = false;
    s->leaf = 0;
    place->state = ex->state_known ? state_of(s, ex) : NULL;
    if (place->state) {
        place->state->depth = depth + 1;
        place->state->used = 0;
    }
}

/* The search leaves a node that has no successors. */
static void leave_leaf(struct stateful *s, struct hd_explorer *ex, uint32_t depth)
{
    struct state *met = ex->state_met ? state_of(s, ex) : NULL;
    if (met) {
        merge(s->sums[depth], met->sum, met->words);
        if (met->depth) {
            met->used = 1;
            if (s->base.at[met->depth - 1].alone)
                hd_persistent_set_open(&s->base, met->depth - 1);
        }
    }
    if (depth)
        merge(s->sums[depth - 1], s->sums[depth], words_of(s->sums[depth]));
    s->leaf = 0;
}

static void leave(struct stateful *s, struct hd_explorer *ex, uint32_t depth)
{
    struct state *state = s->places[depth].state;
    const uint64_t *sum = s->sums[depth];
    uint32_t words = words_of(sum);
    if (state) {
        bool grown = grow(ex, state, sum, words);
        s->base.again = s->base.again || (grown && state->used);
        state->depth = 0;
        s->places[depth].state = NULL;
    }
    if (depth)
        merge(s->sums[depth - 1], sum, words);
}

/* An execution is over: leave the nodes whose successors have all been explored, the last one
 * first. */
static void turn(void *self, struct hd_explorer *ex)
{
    struct stateful *s = self;
    if (s->leaf && s->leaf == ex->path.depth + 1)
        leave_leaf(s, ex, ex->path.depth);
    for (uint32_t d = ex->path.n_nodes; d-- > 0;) {
        const struct hd_node *node = &ex->path.nodes[d];
        const struct hd_persistent_set_step *step = &s->base.at[d];
        if (node->taken + 1 < node->n_open)
            return;
        uint64_t held = step->before ? s->base.at[step->before - 1].held : 0;
        if (step->alone && conflicts(s, d, step->thread, &node->action, held)) {
            hd_persistent_set_open(&s->base, d);
            if (node->taken + 1 < node->n_open)
                return;
        }
        leave(s, ex, d);
    }
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct stateful *s = self;
    ex->state_met = false;
    if (finding && finding->kind == HD_KIND_DEADLOCK)
        come_to(s, ex);
    else if (finding && ex->path.depth && s->base.at[ex->path.depth - 1].alone)
        hd_persistent_set_open(&s->base, ex->path.depth - 1);
}

static bool again(void *self, struct hd_explorer *ex)
{
    struct stateful *s = self;
    (void)ex;
    bool wanted = s->base.again;
    s->base.again = false;
    s->leaf = 0;
    return wanted;
}

/* ---- work units ---- */

static void pack_known(struct stateful *s, struct hd_pack *p)
{
    uint32_t n = s->n_known;
    hd_pack_count(p, &n, MOST_ACTIONS);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        struct known k = { 0 };
        if (!p->reading)
            k = s->known[i];
        hd_pack_action(p, &k.action);
        hd_pack_set(p, &k.live);
        hd_pack_u64(p, &k.held);
        hd_pack_thread(p, &k.thread);
        if (p->reading && !p->bad)
            hd_pack_want(p, number_of(s, &k) == i);
    }
}

static void pack_sum(struct hd_pack *p, uint64_t *sum, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        hd_pack_u64(p, &sum[i]);
}

static void pack_state(struct hd_explorer *ex, struct hd_pack *p, struct state *state)
{
    uint64_t sum[WORDS] = { 0 };
    uint32_t words = state->words;
    hd_pack_u32(p, &words, WORDS);
    pack_sum(p, p->reading ? sum : state->sum, words);
    hd_pack_u32(p, &state->depth, ex->path.n_nodes);
    hd_pack_u32(p, &state->used, 1);
    if (p->reading)
        grow(ex, state, sum, words);
}

static void pack_states(struct stateful *s, struct hd_explorer *ex, struct hd_pack *p)
{
    uint64_t n = 0, kept[2] = { ex->state[0], ex->state[1] };
    for (uint64_t b = 0; b < STATE_BUCKETS && !p->reading; b++)
        for (struct state *at = s->states[b]; at; at = at->older)
            n++;
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t b = 0; b < STATE_BUCKETS && !p->reading; b++)
        for (struct state *at = s->states[b]; at; at = at->older) {
            hd_pack_words(p, at->key, 2);
            pack_state(ex, p, at);
        }
    for (uint64_t i = 0; i < n && p->reading && !p->bad; i++) {
        hd_pack_words(p, ex->state, 2);
        struct state *state = state_of(s, ex);
        hd_pack_want(p, state != NULL);
        if (!p->bad)
            pack_state(ex, p, state);
    }
    memcpy(ex->state, kept, sizeof kept);
}

static void pack_place(struct stateful *s, struct hd_explorer *ex, struct hd_pack *p,
                       uint32_t depth)
{
    struct place *place = &s->places[depth];
    uint32_t words = p->reading ? 0 : words_of(s->sums[depth]);
    bool there = place->state;
    hd_pack_set(p, &place->live);
    hd_pack_set(p, &place->stuck);
    hd_pack_bool(p, &place->fresh);
    hd_pack_u32(p, &words, WORDS);
    pack_sum(p, s->sums[depth], words);
    hd_pack_bool(p, &there);
    if (!there)
        return;
    uint64_t kept[2] = { ex->state[0], ex->state[1] };
    if (!p->reading)
        memcpy(ex->state, place->state->key, sizeof kept);
    hd_pack_words(p, ex->state, 2);
    if (!p->bad)
        place->state = state_of(s, ex);
    memcpy(ex->state, kept, sizeof kept);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct stateful *s = self;
    hd_persistent_set_pack(&s->base, ex, p);
    pack_known(s, p);
    if (!p->bad)
        pack_states(s, ex, p);
    for (uint32_t d = 0; d < ex->path.n_nodes && !p->bad; d++)
        pack_place(s, ex, p, d);
    hd_pack_u32(p, &s->leaf, HD_MAX_STEPS);
}

const struct hd_filter hd_filter_dpor_states = {
    .index = HD_FILTER_INDEX_DPOR_STATES,
    .create = create,
    .admit = admit,
    .ran = ran,
    .back = hd_persistent_set_back,
    .ended = ended,
    .turn = turn,
    .again = again,
    .pack = pack,
};
