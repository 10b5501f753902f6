/* states: do not go on from a state that has been visited, where a state is what the program
 * really has in memory: variables, heap, stacks, synchronisation objects, what every thread
 * does next.  Different traces that meet in one state are explored on from there once.
 *
 * A state is known by 128 bits.  Two that differ have one print with probability n²/2¹²⁹ for n
 * states; the verdict carries that.  There are other ways to know it (visited.h).
 *
 * The print of a state is the xor of
 *   - the world's hash of memory, kept by depth and changed by each step's share;
 *   - a hash of the local state of every live thread, hashed again when it has moved or somebody
 *     has written on its stack;
 *   - a hash of every live thread's next action.
 *
 * Not every state is stored:
 *   - not one in which a thread is about to begin or end (`eager` does that at once and alone);
 *   - where only one alternative is left there is nothing to remember: going on from there costs no
 *     more than finding it.  A loop of such states would never end, so every 64th is stored.
 *
 * Cycles are kept account of: a fair one is a livelock (cycles.h).  With --symmetric states are
 * visited up to the names of threads that are alike (alike.h); cycles are those of states with names.
 *
 * Behind a step whose effects are not known (the world says so) nothing is stored or looked up. */
#include "explore/filter.h"

#include "base/hash.h"
#include "explore/alike.h"
#include "explore/cycles.h"
#include "explore/scale.h"
#include "explore/visited.h"

#define ALONE_AT_MOST 64u
#define ALONE_UNSEEN 8u /* … of which so many are not even looked up */

struct print_at { /* by depth */
    struct hd_print memory;
    uint64_t locals; /* where the local states of the threads begin, in the pool */
    uint32_t n;      /* threads */
    uint32_t alone;  /* states with one alternative before this one that were not stored */
    bool unknown;
};

struct states {
    struct hd_visited *visited;
    struct hd_cycles *cycles;
    struct hd_alike *alike; /* NULL: threads have names */
    struct print_at *at;
    struct hd_print *pool; /* local states by thread, of every node of the path */
    uint64_t pool_size;
};

static void *create(struct hd_explorer *ex)
{
    struct states *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->at = hd_arena_take(&ex->arena, sizeof *s->at * (uint64_t)(HD_MAX_STEPS + 1));
    s->pool_size = 64ull * HD_MAX_STEPS;
    s->pool = hd_arena_take(&ex->arena, sizeof *s->pool * s->pool_size);
    s->visited = hd_visited_create(ex);
    s->cycles = hd_cycles_create(ex);
    if (ex->opt->symmetric && !(s->alike = hd_alike_create(ex)))
        return NULL;
    return s->at && s->pool && s->visited && s->cycles ? s : NULL;
}

static struct hd_print local_print(const struct hd_explorer *ex, uint32_t thread)
{
    uint64_t h[2];
    ex->world.local_state(ex->world.self, thread, h);
    return (struct hd_print){ hd_hash_step(h[0], thread), hd_hash_step(h[1], thread) };
}

/* The local states at this node: those of the node before, but for the threads that have changed.
 */
static bool take_locals(struct states *s, const struct hd_explorer *ex, struct print_at *at,
                        const struct hd_tset *changed)
{
    const struct hd_config *config = ex->world.config;
    const struct print_at *before = ex->path.depth ? at - 1 : NULL;
    at->locals = before ? before->locals + before->n : 0;
    at->n = config->n_threads;
    if (at->locals + at->n > s->pool_size)
        return false;
    struct hd_print *now = s->pool + at->locals;
    for (uint32_t t = 0; t < at->n; t++) {
        bool kept = before && t < before->n && !hd_tset_has(changed, t);
        if (!hd_tset_has(&config->live, t))
            now[t] = (struct hd_print){ 0, 0 };
        else if (kept)
            now[t] = s->pool[before->locals + t];
        else
            now[t] = local_print(ex, t);
    }
    return true;
}

/* False: this state cannot be told from others. */
static bool look(struct states *s, const struct hd_explorer *ex, struct print_at *at)
{
    struct hd_tset changed = { { 0 } };
    uint64_t change[2] = { 0, 0 };
    at->memory = (struct hd_print){ 0, 0 };
    at->alone = 0;
    at->unknown = false;
    if (ex->path.depth) {
        at->memory = at[-1].memory;
        at->alone = at[-1].alone;
        at->unknown = at[-1].unknown || !ex->world.state_change(ex->world.self, change, &changed);
        at->memory.lo ^= change[0];
        at->memory.hi ^= change[1];
        hd_tset_add(&changed, ex->world.config->last);
    }
    return take_locals(s, ex, at, &changed) && !at->unknown;
}

static struct hd_print print_of(const struct states *s, const struct hd_explorer *ex,
                                const struct print_at *at)
{
    const struct hd_config *config = ex->world.config;
    struct hd_print p = at->memory;
    for (uint32_t t = 0; t < at->n; t++) {
        if (!hd_tset_has(&config->live, t))
            continue;
        const struct hd_action *a = &config->next[t];
        uint64_t h = hd_hash_step(t, a->object);
        h = hd_hash_step(h, a->object2);
        h = hd_hash_step(h, (uint64_t)a->size << 32 | a->site);
        h = hd_hash_step(h, (uint64_t)a->op << 32 | a->choices);
        p.lo ^= s->pool[at->locals + t].lo ^ h;
        p.hi ^= s->pool[at->locals + t].hi ^ hd_hash_mix(h + 0x9e3779b97f4a7c15ull);
    }
    return p;
}

/* What was visited in another pass does not count. */
static struct hd_print salted(const struct hd_explorer *ex, struct hd_print print)
{
    if (ex->cnt->passes)
        print.lo ^= hd_hash_mix(ex->cnt->passes);
    return print;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct states *s = self;
    struct print_at *at = &s->at[ex->path.depth];
    bool known = look(s, ex, at);
    if (s->alike && !hd_alike_at_node(s->alike, ex))
        known = false;
    hd_cycles_at_node(s->cycles, ex);
    if (ex->partial || !known ||
        hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[0])]))
        return n;
    bool sums = ex->opt->filters & HD_FILTER_DPOR_STATES; /* belong to every state */
    if (n == 1 && at->alone < ALONE_AT_MOST && !sums) {
        bool round = at->alone++ > ALONE_UNSEEN && ex->opt->state_store != HD_STORE_EXACT;
        return round && hd_cycles_closes(s->cycles, ex, salted(ex, print_of(s, ex, at))) ? 0 : n;
    }
    at->alone = 0;
    struct hd_print print = print_of(s, ex, at);
    ex->state_known = true;
    ex->state[0] = print.lo;
    ex->state[1] = print.hi;
    print = hd_visited_name(s->visited, ex, salted(ex, print));
    ex->state_met = hd_cycles_closes(s->cycles, ex, print);
    if (!ex->state_met)
        ex->state_met = !hd_visited_add(s->visited,
                                        s->alike ? hd_alike_print(s->alike, ex) : print);
    if (ex->state_met)
        return 0;
    hd_cycles_enter(s->cycles, ex, print);
    ex->cnt->states++;
    return n;
}

static void over(void *self, struct hd_explorer *ex)
{
    struct states *s = self;
    hd_cycles_over(s->cycles, ex);
    if (s->alike)
        hd_alike_over(ex);
}

const struct hd_filter hd_filter_states = {
    .index = HD_FILTER_INDEX_STATES,
    .create = create,
    .admit = admit,
    .over = over,
};
