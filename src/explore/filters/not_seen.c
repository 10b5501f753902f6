/* not-seen: do not go to a state that has been visited (SCALE Algorithm 3, NotSeenBefore).
 *
 * States are happens-before graphs (hb_graph.h): exact by default; `not-seen:hash` keeps 64-bit
 * hashes only, which may take two states for one, so it can't claim all schedules.
 *
 * Under a preemption bound a state visited with much of the bound used up must not stand for
 * one reached with more left: then the preemptions so far and the last thread belong to the
 * key.
 *
 * A cache of options.state_cache states forgets some (state_set.h), and when memory is used up
 * no more are stored: more work, never a wrong answer. */
#include "explore/loop/filter.h"

#include "base/hash.h"
#include "explore/order/hb_graph.h"
#include "explore/states/scale.h"
#include "explore/states/state_set.h"

struct not_seen {
    struct hd_hb_graph history;
    struct hd_state_set visited;
    bool exact, bounded;
    uint32_t *preemptions; /* by depth, when bounded */
    uint32_t key_words;
    uint32_t key[HD_MAX_THREADS + 3];
};

static void *create_kind(struct hd_explorer *ex, bool exact)
{
    struct not_seen *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->exact = exact;
    s->bounded = (ex->opt->filters & HD_FILTER_PREEMPTIONS) != 0;
    s->preemptions = hd_arena_take(&ex->arena, 4ull * (HD_MAX_STEPS + 1));
    bool room = hd_hb_graph_init(&s->history, &ex->arena, exact) && s->preemptions;
    room = hd_state_set_init(&s->visited, &ex->arena, exact, ex->opt->state_cache) && room;
    s->history.full = !room;
    return s;
}

static void *create_exact(struct hd_explorer *ex) { return create_kind(ex, true); }
static void *create_hash(struct hd_explorer *ex) { return create_kind(ex, false); }

/* The key of a state: the current one with `thread`'s sequence replaced. */
static uint64_t make_key(struct not_seen *s, uint32_t thread, uint32_t id, uint32_t preemptions)
{
    const struct hd_hb_graph *h = &s->history;
    uint32_t n = h->n_threads > thread ? h->n_threads : thread + 1;
    for (uint32_t t = 0; t < n; t++)
        s->key[t] = t == thread ? id : h->now[t];
    while (n && !s->key[n - 1])
        n--;
    if (s->bounded) {
        s->key[n++] = 0;
        s->key[n++] = preemptions;
        s->key[n++] = thread;
    }
    s->key_words = n;
    return hd_hash_bytes(n, s->key, 4ull * n);
}

/* The hash-only key: the xor over the actions, and the bound's part. */
static uint64_t bare_key(const struct not_seen *s, uint64_t xor_hash, uint32_t thread,
                         uint32_t preemptions)
{
    if (s->bounded)
        xor_hash = hd_hash_step(hd_hash_step(xor_hash, preemptions), thread);
    return xor_hash ? xor_hash : 1;
}

/* What distinguishes steps with the same action: the choice, and whether the memory that it
 * touches has ended.  (The graph has no edges from the end of memory to a later access of it,
 * which breaks the program.) */
static uint32_t variant(const struct hd_explorer *ex, const struct hd_action *action,
                        uint32_t alternative)
{
    uint32_t choice = HD_STEP_CHOICE(alternative);
    uint32_t chosen = ex->world.chosen(ex->world.self, HD_STEP_THREAD(alternative), choice);
    bool late = ex->world.gone && ex->world.gone(ex->world.self, action);
    return (chosen == ~0u ? choice : chosen) | (late ? 1u << 31 : 0);
}

static bool seen(struct hd_explorer *ex, struct not_seen *s, uint32_t alternative)
{
    uint32_t thread = HD_STEP_THREAD(alternative), depth = ex->path.depth;
    struct hd_action action = hd_explorer_outcome(ex, thread);
    if (hd_scale_hidden(ex, &action))
        return false;
    uint32_t chosen = variant(ex, &action, alternative);
    uint32_t preemptions =
        s->bounded ? s->preemptions[depth] + hd_path_preempts(&ex->path, depth, alternative) : 0;
    uint64_t hash;
    uint32_t id = hd_hb_graph_extend(&s->history, thread, &action, chosen, false, &hash);
    if (s->history.full)
        return false;
    if (!s->exact)
        hash = bare_key(s, s->history.xor_hash ^ hash, thread, preemptions);
    else if (id == 0)
        return false;
    else
        hash = make_key(s, thread, id, preemptions);
    return hd_state_set_has(&s->visited, s->key, s->key_words, hash);
}

/* Mark the current state as visited: at a node, and where an execution ends. */
static void visit(struct not_seen *s, struct hd_explorer *ex)
{
    uint32_t last = ex->world.config->last;
    uint32_t preemptions = s->bounded ? s->preemptions[ex->path.depth] : 0;
    if (s->history.full)
        return;
    uint64_t hash = s->exact ? make_key(s, last, s->history.now[last], preemptions)
                             : bare_key(s, s->history.xor_hash, last, preemptions);
    if (hd_state_set_add(&s->visited, s->key, s->key_words, hash))
        ex->cnt->states++;
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    (void)finding;
    visit(self, ex);
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct not_seen *s = self;
    uint32_t kept = 0;
    if (!ex->partial)
        visit(s, ex);
    for (uint32_t i = 0; i < n; i++) {
        if (seen(ex, s, alts[i]))
            continue;
        uint32_t moved = alts[kept];
        alts[kept++] = alts[i];
        alts[i] = moved;
    }
    return kept;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct not_seen *s = self;
    uint32_t step = ex->path.steps[depth];
    const struct hd_action *action = &ex->path.nodes[depth].action;
    if (hd_scale_hidden(ex, action))
        hd_hb_graph_pass(&s->history);
    else
        hd_hb_graph_ran(&s->history, HD_STEP_THREAD(step), action, variant(ex, action, step));
    if (s->bounded)
        s->preemptions[depth + 1] = s->preemptions[depth] +
                                    hd_path_preempts(&ex->path, depth, ex->path.steps[depth]);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct not_seen *s = self;
    while (s->history.depth > depth) {
        uint32_t at = s->history.depth - 1;
        if (hd_scale_hidden(ex, &ex->path.nodes[at].action))
            hd_hb_graph_unpass(&s->history);
        else
            hd_hb_graph_back(&s->history, HD_STEP_THREAD(ex->path.steps[at]),
                             &ex->path.nodes[at].action);
    }
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct not_seen *s = self;
    (void)ex;
    hd_hb_graph_pack(&s->history, p);
    hd_state_set_pack(&s->visited, p);
}

const struct hd_filter hd_filter_not_seen = {
    .index = HD_FILTER_INDEX_NOT_SEEN,
    .create = create_exact,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
    .pack = pack,
};

const struct hd_filter hd_filter_not_seen_hash = {
    .index = HD_FILTER_INDEX_NOT_SEEN_HASH,
    .create = create_hash,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
    .pack = pack,
};
