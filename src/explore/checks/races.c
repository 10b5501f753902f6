/* Data races: accesses of one byte by two threads, one a write, one not atomic, that happens-
 * before as C11 and POSIX define it (sync_order.h) does not order.  They are found in three
 * ways.
 *
 *  - By neighbours.  Two conflicting events of one execution with nothing between them in the
 *    dependence order (the races of hb.h) are adjacent in an equivalent execution: before the
 *    first of them, and after everything that does not depend on it, both threads are about to
 *    make their accesses.  Conversely, two threads that are about to do so in some state make
 *    their accesses one after the other in some execution.  So a search that explores one
 *    execution of every trace sees all of them.
 *  - By states.  Where every state is visited (no reduction, not-seen, sleep sets) it is enough
 *    to look at the next actions there, which needs no clocks.
 *  - By order.  All pairs of an execution are compared with the clocks of sync_order.h.
 *
 * If every dependence in an execution is also a happens-before, the first two ways find every
 * race: let (a, b) be the first pair of an execution that happens-before does not order.  Leave
 * out a and everything that happens after it: every event that is left reads what it read
 * before, since it would happen after the write if that were left out (a release is seen by an
 * acquire), or the two would be an earlier race.  So both threads reach the points before a and
 * b, and a does the same as before unless it is a compare-exchange (mixed.h).  This fails where
 * an event depends on another one and does not happen after it: an atomic access weaker than
 * seq_cst, a failed attempt to lock, a signal.  The world says when such an operation is
 * executed (counters.orders_less), and from then on the third way is used, too.  All executions
 * of a trace have the same reads-from relation and so the same happens-before: one execution of
 * every trace shows every such race.  A search over states ends an execution where memory is as
 * it was before; the clocks may differ there.  Then the verdict says so, unless all accesses
 * are ordered by locks and by creation and joining of threads (lock_sets.h).
 *
 * A reduction over states uses both of the first: it ends an execution at a visited state,
 * before the other half of a race may have come.  But it visits a state in which two threads
 * stand before the conflicting accesses, since neither goes on alone there.
 *
 * A step that breaks the program ends the execution before the other half of its races has
 * happened.  The other order shows them, unless that half breaks the program as well: so the
 * last step of such an execution is compared with what the others were about to do.  A search
 * over graphs goes on without such a step: at the end it is compared with all that has happened
 * in the meantime, as if it came last.
 *
 * Races are looked at when the execution is over: most are of locks or atomic operations.
 * Known pairs of sites are not looked at again.  Beyond HD_MAX_RACES they are counted only. */
#include "explore/checks/races.h"

#include "base/hash.h"
#include "core/dependence.h"
#include "core/enabled.h"
#include "core/pack_parts.h"
#include "explore/loop/record.h"
#include "explore/loop/run_checks.h"

#include <string.h>

#define KNOWN (1u << 16) /* places in the table */

static bool visits_every_state(const struct hd_options *o)
{
    uint32_t does = HD_FILTER_STATES | HD_FILTER_EAGER | HD_FILTER_DEPTH | HD_FILTER_NOT_SEEN |
                    HD_FILTER_SLEEP | HD_FILTER_LOCAL_CYCLE | HD_FILTER_TRACES;
    return (o->search == HD_SEARCH_DFS || o->search == HD_SEARCH_BEST_FIRST) &&
           !(o->filters & ~does);
}

/* Does the search compare all pairs of accesses by order, in every execution?  One that samples
 * may never reach the execution in which the two accesses are adjacent. */
static bool compares_all(uint32_t search)
{
    return search == HD_SEARCH_GRAPH || hd_search_samples(search);
}

/* Can lock sets show that a search over states has missed no race?  Only in a search that
 * explores everything in one piece and distinguishes all threads. */
static bool lock_sets_tell(const struct hd_options *o)
{
    return o->filters & HD_FILTER_STATES && !(o->filters & HD_FILTER_DICE) && !o->symmetric &&
           o->search == HD_SEARCH_DFS;
}

static struct hd_lock_sets *create_lock_sets(struct hd_explorer *ex)
{
    if (!lock_sets_tell(ex->opt) || !ex->opt->lock_sets)
        return NULL;
    struct hd_lock_sets *sets = hd_arena_take(&ex->arena, sizeof *sets);
    return sets && hd_lock_sets_init(sets, &ex->arena) ? sets : NULL;
}

static void unordered(void *self, uint32_t early, uint32_t late);

static void *create(struct hd_explorer *ex)
{
    if (ex->opt->races == HD_RACES_OFF)
        return NULL;
    struct hd_races *r = hd_arena_take(&ex->arena, sizeof *r);
    if (!r)
        return NULL;
    r->known = hd_arena_take(&ex->arena, sizeof *r->known * KNOWN);
    r->by_state = visits_every_state(ex->opt);
    r->compares = !ex->world.compares || ex->world.compares(ex->world.self);
    r->sets = create_lock_sets(ex);
    r->lacks_sets = lock_sets_tell(ex->opt) && !ex->opt->lock_sets;
    r->at_nodes = r->by_state || ex->opt->filters & HD_FILTER_STATES;
    if (ex->opt->search == HD_SEARCH_GRAPH) {
        r->regions = hd_arena_take(&ex->arena, sizeof *r->regions);
        r->by_clocks = hd_clock_races_create(ex, unordered);
    }
    bool by_order = compares_all(ex->opt->search);
    if (!r->by_state && !ex->hb && !by_order) {
        r->own = hd_arena_take(&ex->arena, sizeof *r->own);
        if (r->own && hd_hb_init(r->own, &ex->arena, false))
            ex->hb = r->own;
    }
    if (!r->known || (!r->by_state && !ex->hb && !by_order))
        hd_explorer_give_up(ex, "not enough memory to look for data races: use --races off");
    for (uint32_t space = 0; space < HD_N_SPACES && (r->own || r->sets); space++)
        hd_check_hears(ex, HD_CHECK_RACES, space);
    r->keeps_more = r->compares || r->own || r->sets || by_order;
    r->goes_back = r->own || r->sets;
    return r;
}

/* The place of a pair of sites in the table. */
static uint64_t *place_of(const struct hd_races *r, uint32_t a, uint32_t b, uint64_t *key)
{
    *key = (a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a) + 1;
    uint32_t at = (uint32_t)(*key * 0x9e3779b97f4a7c15ull >> 48);
    while (r->known[at] && r->known[at] != *key)
        at = (at + 1) % KNOWN;
    return &r->known[at];
}

static bool is_known(const struct hd_races *r, uint32_t a, uint32_t b)
{
    uint64_t key;
    return *place_of(r, a, b, &key) != 0;
}

static void learn(struct hd_races *r, uint32_t a, uint32_t b)
{
    uint64_t key, *place = place_of(r, a, b, &key);
    if (r->n_known < KNOWN / 2) {
        r->n_known++;
        *place = key;
    }
}

/* Most races in the dependence order are of locks or of atomic operations. */
HD_HOT bool can_race(const struct hd_action *a, const struct hd_action *b)
{
    return hd_races_of_memory(a) && hd_races_of_memory(b) &&
           !(hd_op_atomic((enum hd_op)a->op) && hd_op_atomic((enum hd_op)b->op));
}

static struct hd_standing standing(uint32_t thread, const struct hd_action *a)
{
    return (struct hd_standing){ .thread = thread,
                                 .op = (uint16_t)hd_op_attempt((enum hd_op)a->op),
                                 .enabled = 1,
                                 .site = a->site,
                                 .owner = ~0u };
}

/* A race: both stand before their accesses after the first `end` steps without e and what
 * depends on it (record.h).  `made` is not 0: the first access is step `made` of these, counted
 * from 1. */
static void found(struct hd_races *r, struct hd_explorer *ex, const struct hd_hb *hb,
                  const struct hd_standing *first, const struct hd_standing *second, uint32_t e,
                  uint32_t end, uint32_t made)
{
    learn(r, first->site, second->site);
    if (r->n_recorded == HD_MAX_RACES) {
        ex->shared->n_lost++;
        return;
    }
    struct hd_finding finding = {
        .kind = HD_KIND_DATA_RACE, .thread = first->thread, .site = first->site, .n_standings = 2
    };
    finding.standings[0] = *first;
    finding.standings[1] = *second;
    finding.race_step = made;
    r->n_recorded += hd_record_schedule(ex, &finding, hb, e, end);
}

/* Does a rule of the suppression file say that the race is not to be reported?  Then it is
 * noted, and costs `verified`. */
static bool suppressed(struct hd_races *r, struct hd_explorer *ex, const struct hd_action *a,
                       const struct hd_action *b)
{
    uint64_t at[2] = { 0, 0 };
    bool of_object = false;
    if (!ex->opt->suppressions.n_races || !ex->world.suppressed)
        return false;
    hd_action_race(a, b, at);
    uint32_t rule = ex->world.suppressed(ex->world.self, a->site, at[0], &of_object);
    if (!rule)
        rule = ex->world.suppressed(ex->world.self, b->site, at[1], &of_object);
    if (!rule)
        return false;
    hd_notes_take(&ex->shared->notes,
                  &(struct hd_note){ .kind = HD_NOTE_SUPPRESSED,
                                     .site = a->site < b->site ? a->site : b->site,
                                     .other = a->site < b->site ? b->site : a->site,
                                     .rule = rule,
                                     .n = 1 });
    if (!of_object) /* then other races of these sites are to be reported */
        learn(r, a->site, b->site);
    return true;
}

static void between(struct hd_races *r, struct hd_explorer *ex, struct hd_hb *hb, uint32_t e,
                    uint32_t other)
{
    const struct hd_action *early = &ex->path.nodes[e].action;
    const struct hd_action *late = &ex->path.nodes[other].action;
    if (!can_race(early, late) || is_known(r, early->site, late->site) ||
        !hd_action_race(early, late, NULL) || suppressed(r, ex, early, late))
        return;
    struct hd_standing first = standing(hb->events[e].thread, early);
    struct hd_standing second = standing(hb->events[other].thread, late);
    found(r, ex, hb, &first, &second, e, other, 0);
}

void hd_races_between(struct hd_explorer *ex, struct hd_hb *hb, uint32_t early, uint32_t late)
{
    if (ex->checks.self[HD_CHECK_RACES])
        between(ex->checks.self[HD_CHECK_RACES], ex, hb, early, late);
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_races *r = self;
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t choice = HD_STEP_CHOICE(ex->path.steps[depth]);
    if (r->sets)
        hd_lock_sets_ran(r->sets, ex, depth);
    if (!r->own)
        return;
    hd_hb_ran(r->own, thread, a, ex->world.chosen(ex->world.self, thread, choice), choice,
              hd_explorer_sync_state(ex, a));
    if (r->own->full)
        hd_explorer_give_up(ex, "an execution is too long to look for data races: bound it "
                                "with --depth, or use --races off");
}

static inline bool both_atomic(const struct hd_node *a, const struct hd_node *b)
{
    return hd_op_atomic((enum hd_op)a->action.op) && hd_op_atomic((enum hd_op)b->action.op);
}

/* An event, or a step that a thread stands before, and another such step: events of
 * happens-before from the end of the path on stand for steps that would break the program. */
static void unordered_broken(struct hd_races *r, struct hd_explorer *ex, uint32_t early,
                             uint32_t late)
{
    uint32_t end = ex->path.depth;
    bool made = early < end;
    const struct hd_broken_step *second = &r->broken[late - end];
    struct hd_broken_step first =
        made ? (struct hd_broken_step){ HD_STEP_THREAD(ex->path.steps[early]), second->until,
                                        ex->path.nodes[early].action }
             : r->broken[early - end];
    uint32_t until = first.until < second->until ? first.until : second->until;
    bool is_there = made ? early < until
                         : until && !hd_path_moves(&ex->path, first.thread, until) &&
                               !hd_path_moves(&ex->path, second->thread, until);
    if (!is_there || hd_races_refuse_call(ex, &first.action, &second->action) ||
        !hd_action_race(&first.action, &second->action, NULL) ||
        is_known(r, first.action.site, second->action.site) ||
        ex->opt->races == HD_RACES_ALLOWED || suppressed(r, ex, &first.action, &second->action))
        return;
    struct hd_standing a = standing(first.thread, &first.action);
    struct hd_standing b = standing(second->thread, &second->action);
    found(r, ex, NULL, &a, &b, until, until, made ? early + 1 : 0);
}

/* Events that happens-before does not order (sync_order.h). */
static void unordered(void *self, uint32_t early, uint32_t late)
{
    struct hd_explorer *ex = self;
    struct hd_races *r = ex->checks.self[HD_CHECK_RACES];
    if (late < r->looked)
        return;
    uint64_t hash = hd_hash_mix((uint64_t)early << 32 | late);
    r->pairs[hash >> 62] |= 1ull << (hash & 63);
    if (r->silent)
        return;
    if (late >= ex->path.depth) {
        unordered_broken(r, ex, early, late);
        return;
    }
    const struct hd_action *a = &ex->path.nodes[early].action, *b = &ex->path.nodes[late].action;
    if (hd_races_refuse_call(ex, a, b) || !hd_action_race(a, b, NULL))
        return;
    if (hd_races_inside(ex, early) != hd_races_inside(ex, late)) {
        hd_races_refuse_section(ex, a, b);
        return;
    }
    ex->first_race = ex->first_race ? ex->first_race : late + 1;
    if (is_known(r, a->site, b->site))
        return;
    if (ex->opt->races == HD_RACES_ALLOWED) {
        if (!hd_explorer_weak_explores(ex, a) || !hd_explorer_weak_explores(ex, b))
            hd_races_refuse_outcomes(ex, a->size > b->size ? a : b, a->size > b->size ? b : a);
        return;
    }
    if (suppressed(r, ex, a, b))
        return;
    struct hd_standing first = standing(HD_STEP_THREAD(ex->path.steps[early]), a);
    struct hd_standing second = standing(HD_STEP_THREAD(ex->path.steps[late]), b);
    found(r, ex, NULL, &first, &second, late, late, early + 1);
}

/* Are all pairs to be compared? */
static bool asks_order(const struct hd_explorer *ex)
{
    return ex->cnt->orders_less || compares_all(ex->opt->search);
}

/* Is an access of a mapped file among the steps from there on? */
static bool maps_files(const struct hd_path *path, uint32_t from)
{
    for (; from < path->depth; from++)
        if (HD_IS_MAPPED(path->nodes[from].action.object) ||
            HD_IS_MAPPED(path->nodes[from].action.object2))
            return true;
    return false;
}

static __attribute__((noinline)) void look_by_order(struct hd_races *r, struct hd_explorer *ex)
{
    if (!r->order) {
        r->order = hd_arena_take(&ex->arena, sizeof *r->order);
        if (r->order && !hd_sync_order_init(r->order, &ex->arena, unordered, ex))
            r->order->full = true;
        if (r->order)
            r->order->unlogged = hd_search_samples(ex->opt->search);
    }
    if (!r->order || r->order->full) {
        hd_explorer_give_up(ex, "not enough memory to look for data races: use --races off");
        return;
    }
    if (!r->order->maps_files && maps_files(&ex->path, r->order->depth)) {
        hd_sync_order_back(r->order, 0);
        r->order->maps_files = true;
    }
    for (uint32_t d = r->order->depth; d < ex->path.depth && !r->order->full; d++)
        hd_sync_order_ran(r->order, HD_STEP_THREAD(ex->path.steps[d]), &ex->path.nodes[d].action,
                          hd_step_newer(ex->path.steps[d], &ex->path.nodes[d].action));
    if (r->order->full)
        hd_explorer_give_up(ex, "an execution is too long to look for data races: bound it "
                                "with --depth, or use --races off");
}

/* The same by the clocks of a graph, where they tell.  With --paranoid both ways are taken, and
 * must find the same. */
static void look_at_pairs(struct hd_races *r, struct hd_explorer *ex)
{
    bool by_clocks = r->by_clocks != NULL;
    r->silent = ex->opt->paranoid;
    uint64_t pairs[4];
    memset(r->pairs, 0, sizeof r->pairs);
    if (by_clocks)
        by_clocks = hd_clock_races_look(r, ex);
    memcpy(pairs, r->pairs, sizeof pairs);
    memset(r->pairs, 0, sizeof r->pairs);
    r->silent = false;
    if (!by_clocks || ex->opt->paranoid)
        look_by_order(r, ex);
    if (by_clocks && ex->opt->paranoid && memcmp(r->pairs, pairs, sizeof pairs) != 0)
        hd_explorer_give_up(ex, "internal error: the clocks of the graph do not order what "
                                "happens-before orders");
    if (r->regions)
        r->looked = ex->path.depth;
}

/* Threads stand before steps that break the program, and the others have gone on without them
 * (--keep-going): races of such a step with what has happened, and with another one. */
static __attribute__((noinline)) void look_at_broken(struct hd_races *r, struct hd_explorer *ex)
{
    uint32_t n = 0, newer;
    for (uint32_t t = 0; t < ex->world.config->n_threads; t++) {
        struct hd_broken_step *step = &r->broken[n];
        if (!hd_explorer_weak_breaks(ex, t, &step->action, &newer, &step->until) ||
            !hd_races_of_memory(&step->action))
            continue;
        if (!n)
            look_by_order(r, ex);
        if (!r->order || r->order->full)
            return;
        step->thread = t;
        n++;
        hd_sync_order_ran(r->order, t, &step->action, newer);
    }
    if (n)
        hd_sync_order_back(r->order, ex->path.depth);
}

static void look_by_neighbours(struct hd_races *r, struct hd_explorer *ex)
{
    struct hd_hb *hb = ex->hb;
    if (r->by_state || !hb || hb->full)
        return;
    const struct hd_node *nodes = ex->path.nodes;
    const struct hd_hb_race *race = &hb->races[r->n_looked], *end = &hb->races[hb->n_races];
    r->n_looked = hb->n_races;
    for (; race < end; race++)
        if (!both_atomic(&nodes[race->early], &nodes[race->late]))
            between(r, ex, hb, race->early, race->late);
}

/* Does the execution compare and exchange memory that another thread reads as plain memory? */
static bool mixes(struct hd_races *r, const struct hd_path *path)
{
    uint32_t from = r->mixed_looked;
    bool news = false;
    for (uint32_t d = from; d < path->depth; d++) {
        const struct hd_action *a = &path->nodes[d].action;
        if (a->op == HD_OP_CAS || a->op == HD_OP_CAS_FAIL)
            news |= hd_mixed_exchanged(&r->mixed, a, HD_STEP_THREAD(path->steps[d]));
    }
    r->mixed_looked = path->depth;
    for (uint32_t d = news ? 0 : from; d < path->depth && r->mixed.n; d++)
        if (hd_mixed_reads(&r->mixed, &path->nodes[d].action, HD_STEP_THREAD(path->steps[d])))
            return true;
    return false;
}

/* What is not needed in most explorations. */
static __attribute__((noinline)) void look_further(struct hd_races *r, struct hd_explorer *ex)
{
    r->goes_back = true;
    if (r->compares && !ex->cnt->orders_less && ex->opt->memory == HD_MEMORY_SC &&
        mixes(r, &ex->path))
        ex->cnt->orders_less |= HD_LESS_MIXED;
    if (asks_order(ex) &&
        (!r->regions || (ex->plain_steps && hd_regions_meet(r->regions, &ex->path))))
        look_at_pairs(r, ex);
    if (ex->opt->search == HD_SEARCH_GRAPH && ex->opt->keep_going && hd_explorer_weak_stands(ex))
        look_at_broken(r, ex);
    if (ex->cnt->orders_less && r->lacks_sets)
        ex->stop_as = HD_STATE_WEAK;
}

/* Is there nothing to look at, because the search is one over graphs, and no step has been half
 * of a data race so far? */
static inline bool may_rest(const struct hd_races *r, const struct hd_explorer *ex)
{
    return r->regions && !ex->plain_steps && !(r->compares && ex->opt->memory == HD_MEMORY_SC) &&
           !(ex->opt->keep_going && hd_explorer_weak_stands(ex));
}

static void look(void *self, struct hd_explorer *ex)
{
    struct hd_races *r = self;
    if (may_rest(r, ex))
        return;
    look_by_neighbours(r, ex);
    if (r->keeps_more || ex->cnt->orders_less)
        look_further(r, ex);
}

/* Can the pending access have changed since the thread came to it?  Other threads decide how
 * a compare-exchange turns out, and when a join may write its result. */
static bool may_have_changed(const struct hd_action *a)
{
    if (hd_op_table[a->op].space == HD_SPACE_MEM)
        return hd_op_has_outcome((enum hd_op)a->op);
    return a->object2 != 0;
}

static void compare(struct hd_races *r, struct hd_explorer *ex, uint32_t mine)
{
    const struct hd_config *config = ex->world.config;
    const struct hd_action *a = &config->next[mine];
    for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++)
        for (uint64_t w = config->enabled.w[i]; w; w &= w - 1) {
            uint32_t t = i * 64 + (uint32_t)__builtin_ctzll(w);
            const struct hd_action *b = &config->next[t];
            if (t == mine || !can_race(a, b) || !hd_action_race(a, b, NULL) ||
                is_known(r, a->site, b->site))
                continue;
            struct hd_action now = hd_explorer_outcome(ex, mine);
            struct hd_action theirs = hd_explorer_outcome(ex, t);
            struct hd_standing first = standing(t, b), second = standing(mine, a);
            if (hd_action_race(&now, &theirs, NULL) && !suppressed(r, ex, &now, &theirs))
                found(r, ex, ex->hb, &first, &second, ex->path.depth, ex->path.depth, 0);
        }
}

static bool skips_nodes(const void *self) { return !((const struct hd_races *)self)->at_nodes; }

static void at_node(void *self, struct hd_explorer *ex)
{
    struct hd_races *r = self;
    const struct hd_config *config = ex->world.config;
    for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++)
        for (uint64_t w = config->enabled.w[i]; w; w &= w - 1) {
            uint32_t t = i * 64 + (uint32_t)__builtin_ctzll(w);
            const struct hd_action *a = &config->next[t];
            if (hd_races_of_memory(a) && (t == config->last || may_have_changed(a)))
                compare(r, ex, t);
        }
}

/* The last step of the path has broken the program. */
static __attribute__((noinline)) void look_at_last(struct hd_races *r, struct hd_explorer *ex)
{
    uint32_t last = ex->path.depth - 1, thread = HD_STEP_THREAD(ex->path.steps[last]);
    const struct hd_action *a = &ex->path.nodes[last].action;
    hd_path_all(&ex->path, last);
    const uint32_t *alts = hd_path_alts(&ex->path, last);
    for (uint32_t i = 0; i < ex->path.nodes[last].n_alts; i++) {
        uint32_t t = HD_STEP_THREAD(alts[i]);
        const struct hd_action *b = &ex->world.config->next[t];
        if (t == thread || !can_race(a, b) || is_known(r, a->site, b->site))
            continue;
        struct hd_action theirs = hd_explorer_outcome(ex, t);
        struct hd_standing first = standing(thread, a), second = standing(t, b);
        if (hd_action_race(a, &theirs, NULL) && !suppressed(r, ex, a, &theirs))
            found(r, ex, ex->hb, &first, &second, last, last, 0);
    }
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_races *r = self;
    if (finding && finding->kind != HD_KIND_DEADLOCK && !r->by_state && ex->path.depth &&
        ex->opt->memory == HD_MEMORY_SC)
        look_at_last(r, ex);
}

static void over(void *self, struct hd_explorer *ex)
{
    struct hd_races *r = self;
    if (r->sets && ex->cnt->orders_less)
        ex->cnt->accesses_ordered = hd_lock_sets_order_all(r->sets, ex->shared,
                                                           ex->cnt->accesses_apart);
}

static __attribute__((noinline)) void back_further(struct hd_races *r, struct hd_explorer *ex,
                                                   uint32_t depth)
{
    ex->first_race = ex->first_race <= depth ? ex->first_race : 0;
    if (r->own)
        hd_hb_back(r->own, depth);
    r->mixed_looked = r->mixed_looked < depth ? r->mixed_looked : depth;
    if (r->regions && r->regions->seen > depth)
        r->regions->seen = depth;
    if (r->order)
        hd_sync_order_back(r->order, depth);
    if (r->by_clocks)
        hd_access_order_back(r->by_clocks, depth);
    r->looked = r->looked < depth ? r->looked : depth;
    if (r->sets)
        hd_lock_sets_back(r->sets, depth);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_races *r = self;
    if (r->goes_back)
        back_further(r, ex, depth);
    if (ex->hb && r->n_looked > ex->hb->n_races)
        r->n_looked = ex->hb->n_races;
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_races *r = self;
    uint32_t n = r->n_known, at = 0;
    hd_pack_count(p, &n, KNOWN / 2);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        uint64_t pair = 0;
        while (!p->reading && !(pair = r->known[at++]))
            ;
        hd_pack_u64(p, &pair);
        hd_pack_want(p, pair != 0);
        if (p->reading)
            learn(r, (uint32_t)((pair - 1) >> 32), (uint32_t)(pair - 1));
    }
    hd_pack_u32(p, &r->n_recorded, HD_MAX_RACES);
    ex->raced = ex->raced || n;
    if (r->sets && !p->bad)
        hd_lock_sets_pack(r->sets, p);
}

const struct hd_check hd_check_races = {
    .create = create,
    .ran = ran,
    .at_node = at_node,
    .skips_nodes = skips_nodes,
    .look = look,
    .ended = ended,
    .back = back,
    .over = over,
    .pack = pack,
};
