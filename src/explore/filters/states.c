/* states: do not go on from a state that has been visited, where a state is what the program
 * really has in memory: variables, heap, stacks, synchronisation objects, what every thread
 * does next.  Where different traces reach the same state, exploration goes on from it once.
 *
 * A state is identified by a fingerprint of 128 bits (path_prints.h).  The probability that two
 * of n states have the same fingerprint is at most n²/2¹²⁹; the verdict states it.
 * visited.h has other ways to store states.  Several workers keep 112 bits.
 *
 * Not every state is stored:
 *   - not one in which a thread is about to begin or end (`eager` does that at once and alone);
 *   - with a single alternative there is nothing to gain: going on costs no more than a lookup.
 *     A loop of such states would never end, so every 64th is stored.
 * States that are not stored are not looked up either, and the thread goes on at once, on the
 * fast path (fast_path.h).  An exception are those in which one thread alone can move while the
 * path has a stored one of them: from the ninth in a row on they may close a cycle.
 *
 * Most states with a choice have been visited, on another way.  If no other filter has a say,
 * they are looked up as soon as it is clear that there is a choice, on the fast path, and the
 * execution ends there before anything of the node is listed (looked_up).
 *
 * Cycles of states are tracked: a fair one is a livelock (livelock.h).  With --symmetric,
 * states are compared up to permutation of interchangeable threads (symmetry.h), and a cycle
 * ends the exploration.
 *
 * Several workers (-j) have one set of states, in which a state belongs to the worker that
 * added it (jobs/state_table.h).  One worker looks for livelocks.  Several make sure that
 * states form no cycle (jobs/state_edges.h), and otherwise the exploration begins again with
 * one (docs/design/026-shared-states.md).
 *
 * With a bound on preemptions, how many are left, and which thread would be preempted, belong
 * to the state: what was explored with fewer left is explored again with more.  (The cache of
 * ICB, PLDI 2007, relies on the order of its queue instead.)
 *
 * After a step whose effects are not known (the world says so) nothing is stored or looked
 * up. */
#include "explore/loop/filter.h"

#include "base/hash.h"
#include "core/pack_parts.h"
#include "explore/jobs/split.h"
#include "explore/loop/fast_path_for.h"
#include "explore/loop/like_threads.h"
#include "explore/states/livelock.h"
#include "explore/states/path_prints.h"
#include "explore/states/scale.h"
#include "explore/states/symmetry.h"
#include "explore/states/visited.h"

#include <string.h>

#define ALONE_AT_MOST 64u /* steps of one thread in a row without a stored state */
#define ALONE_UNSEEN 8u   /* so many of them are not looked up where they may close a cycle */
#define LARGE (4u << 20)  /* bytes of a table that is in no cache of its own */

struct claimed {
    struct hd_state_tag tag;
    uint64_t key[2];
};

struct states {
    struct hd_visited *visited;
    struct hd_livelock *cycles;
    struct hd_symmetry *symmetry; /* NULL: threads have names */
    struct hd_path_prints prints;
    uint8_t *alone; /* by depth: states with one alternative up to there that were not stored */
    uint8_t unseen; /* so many of them are not looked up */
    uint8_t plain_unseen; /* the same where nothing else than the only thread that can move
                             matters; 0 where it may */
    bool like_scale;
    uint8_t hidden; /* of CREATE, START, EXIT and JOIN, by bit: those that may be (scale.h) */
    bool at_once;   /* no other filter comes before this one: states are looked up at once */
    uint64_t fresh; /* steps, and one, when the state of a new node was found to be new */
    struct claimed *claimed; /* of several workers: the states of the path */
    uint32_t n_claimed;
};

static void *create(struct hd_explorer *ex)
{
    struct states *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    bool room = hd_path_prints_init(&s->prints, &ex->arena);
    s->alone = hd_arena_take(&ex->arena, HD_MAX_STEPS + 1ull);
    s->claimed = hd_arena_take(&ex->arena, sizeof *s->claimed * (HD_MAX_STEPS + 1ull));
    s->unseen = ALONE_UNSEEN;
    uint32_t plain = HD_FILTER_DEPTH | HD_FILTER_EAGER | HD_FILTER_STATES;
    s->at_once = !(ex->opt->filters & ~plain);
    s->like_scale = ex->opt->filters & HD_FILTER_LIKE_SCALE;
    for (uint32_t op = HD_OP_CREATE; op <= HD_OP_JOIN; op++) {
        bool may_be = hd_scale_is_hidden(ex, &(struct hd_action){ .op = (uint8_t)op });
        s->hidden |= (uint8_t)(may_be << (op - HD_OP_CREATE));
    }
    s->visited = hd_visited_create(ex);
    s->cycles = hd_livelock_create(ex);
    if (ex->opt->symmetric && !(s->symmetry = hd_symmetry_create(ex)))
        return NULL;
    return room && s->alone && s->claimed && s->visited && s->cycles ? s : NULL;
}

static __attribute__((noinline, preserve_most)) bool
hidden_like_scale(const struct hd_explorer *ex, const struct hd_action *a)
{
    return hd_scale_is_hidden(ex, a);
}

/* hd_scale_hidden of an operation whose number from CREATE on is `op`, at most that of JOIN. */
static inline bool is_hidden_life(const struct states *s, const struct hd_action *a, uint32_t op)
{
    bool start_or_end = op == HD_OP_START - HD_OP_CREATE || op == HD_OP_EXIT - HD_OP_CREATE;
    return s->hidden >> op & 1 && a->size2 < HD_WATCHED_WRITE && (start_or_end || !a->object2);
}

/* hd_scale_hidden, without a call as a rule. */
static inline bool is_hidden(const struct states *s, const struct hd_explorer *ex,
                             const struct hd_action *a)
{
    uint32_t op = (uint32_t)a->op - HD_OP_CREATE;
    if (__builtin_expect(s->like_scale, 0))
        return hidden_like_scale(ex, a);
    return op <= HD_OP_JOIN - HD_OP_CREATE && is_hidden_life(s, a, op);
}

/* The first enabled thread whose next action is hidden; HD_NO_SINGLE: there is none. */
static inline uint32_t first_hidden(const struct states *s, const struct hd_explorer *ex,
                                    uint64_t enabled)
{
    const struct hd_action *next = ex->world.config->next;
    bool any = s->like_scale;
    for (uint64_t w = enabled; w; w &= w - 1) {
        const struct hd_action *a = &next[__builtin_ctzll(w)];
        uint32_t op = (uint32_t)a->op - HD_OP_CREATE;
        if (__builtin_expect(any || op <= HD_OP_JOIN - HD_OP_CREATE, 0) && is_hidden(s, ex, a))
            return (uint32_t)__builtin_ctzll(w);
    }
    return HD_NO_SINGLE;
}

/* States to which the path may lead back have come or gone.  Where one thread alone can move,
 * the state can only be one of those in which one thread alone can move: without these there is
 * nothing to look up.  (With --paranoid it is looked up all the same, see closes_alone.) */
static inline void look_at_cycles(struct states *s, const struct hd_explorer *ex)
{
    bool looks = hd_livelock_has_narrow(s->cycles) || ex->opt->paranoid;
    s->unseen = looks ? ALONE_UNSEEN : ALONE_AT_MOST;
    s->plain_unseen = s->like_scale ? 0 : s->unseen;
}

/* Nodes from `target` on are no longer on the path.  `world_depth` does not matter: a world
 * that went back to its root comes to the same nodes again. */
static void back(void *self, struct hd_explorer *ex, uint32_t world_depth)
{
    (void)world_depth;
    struct states *s = self;
    uint32_t depth = ex->marks.target;
    if (s->symmetry) {
        hd_symmetry_leave(s->symmetry, depth);
        hd_like_threads_over(ex);
        return;
    }
    hd_livelock_leave(s->cycles, ex, depth);
    look_at_cycles(s, ex);
    while (s->n_claimed && s->claimed[s->n_claimed - 1].tag.rank > depth)
        s->n_claimed--;
    hd_path_prints_leave(&s->prints, depth);
}

/* With a bound on preemptions: which thread can be preempted here, and how many preemptions
 * are left.  What can follow within the bound depends on the state and on these. */
static uint64_t allowance(const struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth, last = ex->world.config->last;
    bool running = hd_tset_has(&ex->world.config->enabled, last) &&
                   !hd_path_left_freely(&ex->path, depth);
    uint64_t left = ex->bound - hd_path_preemptions(&ex->path, depth);
    return hd_hash_mix(1 + left * (HD_MAX_THREADS + 1ull) + (running ? last : HD_MAX_THREADS));
}

/* States visited in another pass, or with another part of the bound left, do not count. */
static inline struct hd_fingerprint salted(const struct hd_explorer *ex,
                                           struct hd_fingerprint print)
{
    if (ex->cnt->passes)
        print.lo ^= hd_hash_mix(ex->cnt->passes);
    if (ex->opt->filters & HD_FILTER_PREEMPTIONS)
        print.lo ^= allowance(ex);
    return print;
}

/* The same for states without names of threads: those with one alternative are not looked at
 * in between, and a state that is met again on the path ends the exploration (symmetry.h). */
static uint32_t admit_nameless(struct states *s, struct hd_explorer *ex, uint32_t *alts,
                               uint32_t n)
{
    uint32_t depth = ex->path.depth;
    uint8_t so_far = depth ? s->alone[depth - 1] : 0;
    bool known = hd_symmetry_at_node(s->symmetry, ex);
    s->alone[depth] = so_far;
    ex->leads_back = HD_LEADS_ON;
    if (ex->partial || !known ||
        hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])]))
        return n;
    if (n == 1 && so_far < ALONE_AT_MOST) {
        s->alone[depth]++;
        return n;
    }
    s->alone[depth] = 0;
    struct hd_fingerprint print = salted(ex, hd_symmetry_print(s->symmetry, ex));
    ex->state_met = !hd_visited_add(s->visited, print);
    if (ex->state_met) {
        hd_symmetry_met(s->symmetry, ex, print);
        return 0;
    }
    hd_symmetry_enter(s->symmetry, ex, print);
    ex->cnt->states++;
    return hd_symmetry_admit(s->symmetry, ex, alts, n);
}

/* States form a cycle, and it is not known which of them: one worker can tell. */
static void end_alone(struct hd_explorer *ex)
{
    static const char why[] = "states form a cycle, and only one worker can look for livelocks "
                              "(--livelocks off does not)";
    memcpy(ex->shared->ctl.error, why, sizeof why);
    ex->stop_as = HD_STATE_ALONE;
}

/* Is it a state of our path?  Ranks grow along it.  (Of a state of rank HD_STATE_DEEP or more
 * the answer may be no.) */
static bool is_on_path(const struct states *s, const uint64_t key[2],
                       const struct hd_state_tag *tag)
{
    uint32_t low = 0, high = s->n_claimed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->claimed[middle].tag.rank < tag->rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_claimed && s->claimed[low].tag.rank == tag->rank &&
           hd_state_table_same(s->claimed[low].key, key);
}

static void end_if_cyclic(struct hd_explorer *ex)
{
    if (hd_split_is_cyclic(ex))
        end_alone(ex);
    else if (hd_split_lacks_steps(ex))
        ex->stop_as = HD_STATE_STEPS;
}

/* One of several workers: is the state of the new node one that nobody has visited? */
static bool claims(struct states *s, struct hd_explorer *ex, struct hd_fingerprint print)
{
    uint64_t key[2] = { print.lo, print.hi };
    struct hd_state_tag tag;
    enum hd_claim claim = hd_split_claim(ex, key, &tag);
    if (claim != HD_CLAIM_FULL && s->n_claimed && !ex->opt->no_livelocks)
        hd_split_note_edge(ex, &s->claimed[s->n_claimed - 1].tag, &tag);
    if (claim == HD_CLAIM_OURS) {
        s->claimed[s->n_claimed++] = (struct claimed){ tag, { key[0], key[1] } };
        return true;
    }
    if (claim == HD_CLAIM_KNOWN && !ex->opt->no_livelocks && is_on_path(s, key, &tag))
        hd_split_cyclic(ex);
    end_if_cyclic(ex);
    return false;
}

/* Is the state of the new node, with that identity, a new one? */
static bool is_new(struct states *s, struct hd_explorer *ex, struct hd_fingerprint print)
{
    if (ex->split)
        return claims(s, ex, print);
    if (hd_livelock_closes(s->cycles, ex, print) || !hd_visited_add(s->visited, print))
        return false;
    hd_livelock_enter(s->cycles, ex, print);
    look_at_cycles(s, ex);
    return true;
}

/* There is a choice at the new node, and its state is known: is it a new one?  If it is, the
 * filter has taken note of it. */
static bool visit(struct states *s, struct hd_explorer *ex, struct hd_fingerprint print)
{
    s->alone[ex->path.depth] = 0;
    ex->state_known = true;
    ex->state[0] = print.lo;
    ex->state[1] = print.hi;
    ex->leads_back = HD_LEADS_ON;
    print = hd_visited_name(s->visited, ex, salted(ex, print));
    ex->state_met = !is_new(s, ex, print);
    if (ex->state_met && ex->cnt->cycles_unknown)
        ex->leads_back = 0;
    if (!ex->state_met)
        ex->cnt->states++;
    return !ex->state_met;
}

static inline bool is_large(const struct states *s, const struct hd_explorer *ex)
{
    return (ex->split ? hd_split_states_bytes(ex) : hd_visited_bytes(s->visited)) >= LARGE;
}

/* There is a choice, so the state will be looked up.  Where the table does not fit into a cache
 * that is slow, and other things are done before: let it begin. */
static void prepare(struct states *s, const struct hd_explorer *ex)
{
    struct hd_fingerprint print;
    if (!is_large(s, ex) || ex->partial || !hd_path_prints_look(&s->prints, ex, &print))
        return;
    print = salted(ex, print);
    if (ex->split)
        hd_split_prefetch(ex, (const uint64_t[2]){ print.lo, print.hi });
    else
        hd_visited_prefetch(s->visited, print);
}

/* Between two new nodes there is a step, so the number of steps so far tells them apart. */
static inline uint64_t stamp(const struct hd_explorer *ex)
{
    return ex->cnt->events + ex->cnt->replayed + 1;
}

/* The new node has a choice, and no thread is about to begin or end.  Most such states have
 * been visited: then nothing of the node is needed. */
static inline uint32_t looked_up(struct states *s, struct hd_explorer *ex)
{
    struct hd_fingerprint print;
    if (!s->at_once || is_large(s, ex) || !hd_path_prints_look(&s->prints, ex, &print)) {
        prepare(s, ex);
        return HD_NO_SINGLE;
    }
    if (!visit(s, ex, print))
        return HD_STATE_MET;
    s->fresh = stamp(ex);
    return HD_NO_SINGLE;
}

/* The thread that goes on at a node without a choice, or HD_NO_SINGLE.  `fast`: as an answer on
 * the fast path. */
static inline uint32_t alone_or_met(struct states *s, struct hd_explorer *ex, bool fast)
{
    const struct hd_config *config = ex->world.config;
    uint32_t depth = ex->path.depth;
    uint8_t so_far = depth ? s->alone[depth - 1] : 0;
    uint64_t enabled = config->enabled.w[0], others = enabled & (enabled - 1);
    if (s->symmetry || !enabled)
        return HD_NO_SINGLE;
    __asm__("" : "+r"(others)); /* no counting of bits, which takes longer */
    uint32_t thread = first_hidden(s, ex, enabled);
    if (thread == HD_NO_SINGLE && !others && so_far < s->unseen) {
        thread = (uint32_t)__builtin_ctzll(enabled);
        so_far++;
    }
    if (thread == HD_NO_SINGLE) {
        hd_scale_none_hidden(ex);
        if (others && fast)
            return looked_up(s, ex);
        if (others)
            prepare(s, ex);
        return thread;
    }
    if (others)
        hd_checks_at_node(ex);
    s->alone[depth] = so_far;
    return thread;
}

static uint32_t alone(void *self, struct hd_explorer *ex)
{
    return alone_or_met(self, ex, false);
}

static uint32_t alone_fast(void *self, struct hd_explorer *ex)
{
    return alone_or_met(self, ex, true);
}

/* The thread of the last step, enabled, goes on if no other thread can, or if its next
 * action is independent of the others. */
static bool goes_on(void *self, struct hd_explorer *ex, uint32_t thread)
{
    struct states *s = self;
    uint32_t depth = ex->path.depth;
    uint8_t so_far = s->alone[depth - 1];
    if (s->symmetry)
        return false;
    if (!is_hidden(s, ex, &ex->world.config->next[thread])) {
        if (ex->world.config->enabled.w[0] != 1ull << thread || so_far >= s->unseen)
            return false;
        so_far++;
    }
    s->alone[depth] = so_far;
    return true;
}

/* The same at an access to memory while no other thread can move. */
static bool goes_on_alone(void *self, const struct hd_explorer *ex, uint32_t depth)
{
    (void)ex;
    struct states *s = self;
    uint8_t so_far = s->alone[depth - 1];
    if (so_far >= s->plain_unseen)
        return false;
    s->alone[depth] = so_far + 1;
    return true;
}

/* Does the new node, with one alternative, lead back to a state whose component is not
 * complete? */
static bool closes_alone(struct states *s, struct hd_explorer *ex)
{
    uint64_t enabled = ex->world.config->enabled.w[0];
    bool narrow = hd_livelock_has_narrow(s->cycles);
    struct hd_fingerprint print;
    if (!hd_path_prints_look(&s->prints, ex, &print) ||
        !hd_livelock_closes(s->cycles, ex, salted(ex, print)))
        return false;
    if (ex->opt->paranoid && !narrow && (enabled & (enabled - 1)) == 0 &&
        ex->world.config->n_threads <= 64)
        hd_explorer_bug(ex, "that a state with one way on is like none with several");
    return true;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct states *s = self;
    uint32_t depth = ex->path.depth;
    uint8_t so_far = depth ? s->alone[depth - 1] : 0;
    struct hd_fingerprint print;
    if (s->symmetry)
        return admit_nameless(s, ex, alts, n);
    if (s->fresh == stamp(ex))
        return n; /* its state has been looked up (looked_up) */
    s->alone[depth] = so_far;
    ex->leads_back = HD_LEADS_ON;
    if (ex->partial || hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])]))
        return n;
    bool sums = ex->opt->filters & HD_FILTER_DPOR_STATES; /* belong to every state */
    if (n == 1 && so_far < ALONE_AT_MOST && !sums) {
        bool round = s->alone[depth]++ > ALONE_UNSEEN && ex->opt->state_store != HD_STORE_EXACT &&
                     !ex->split;
        return round && closes_alone(s, ex) ? 0 : n;
    }
    return !hd_path_prints_look(&s->prints, ex, &print) || visit(s, ex, print) ? n : 0;
}

static void over(void *self, struct hd_explorer *ex)
{
    struct states *s = self;
    if (ex->split) {
        hd_split_find_cycle(ex);
        end_if_cyclic(ex);
        return;
    }
    hd_livelock_leave(s->cycles, ex, 0);
    if (s->symmetry)
        hd_like_threads_over(ex);
}

/* Of one of several workers: the states of its path.  All other states are packed with what
 * the workers have in common.  The next fingerprint is computed from the root on. */
static void pack_shared(struct states *s, struct hd_explorer *ex, struct hd_pack *p)
{
    uint32_t n = s->n_claimed;
    while (!p->reading && n && s->claimed[n - 1].tag.rank > ex->path.n_nodes)
        n--;
    hd_pack_count(p, &n, ex->path.n_nodes);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        struct claimed *c = &s->claimed[i];
        hd_pack_bytes(p, c->key, sizeof c->key);
        hd_pack_u32(p, &c->tag.rank, ex->path.n_nodes);
        hd_pack_u32(p, &c->tag.number, UINT32_MAX);
        hd_pack_want(p, c->tag.rank > (i ? c[-1].tag.rank : 0));
    }
    if (!p->reading)
        return;
    s->n_claimed = n;
    hd_path_prints_clear(&s->prints);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct states *s = self;
    hd_pack_bytes(p, s->alone, ex->path.n_nodes);
    if (ex->split) {
        pack_shared(s, ex, p);
        return;
    }
    hd_path_prints_pack(&s->prints, ex, p);
    hd_visited_pack(s->visited, p);
    hd_livelock_pack(s->cycles, ex, p);
    look_at_cycles(s, ex);
    if (s->symmetry)
        hd_symmetry_pack(s->symmetry, ex, p);
}

/* The filter keeps nothing of single steps. */
static bool can_wait(const void *self, const struct hd_explorer *ex, const struct hd_action *a)
{
    (void)self;
    uint32_t op = (uint32_t)a->op - HD_OP_CREATE;
    return a->op <= HD_OP_RMW ||
           (op <= HD_OP_JOIN - HD_OP_CREATE && !ex->checks.ran[HD_SPACE_THREAD]);
}

static const struct hd_fast_filter answers = {
    .goes_on = goes_on,
    .single = alone_fast,
    .can_wait = can_wait,
    .goes_on_alone = goes_on_alone,
};
HD_FAST_PATHS_OF_FEW(hd_states_fast_paths, answers)

const struct hd_filter hd_filter_states = {
    .index = HD_FILTER_INDEX_STATES,
    .create = create,
    .admit = admit,
    .goes_on = goes_on,
    .single = alone,
    .back = back,
    .over = over,
    .fast = &hd_states_fast_paths,
    .pack = pack,
};
