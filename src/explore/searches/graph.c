/* The search over execution graphs, driving the world: which thread runs, which store its load
 * reads, and what is executed again after a revisit (docs/design/019-graph.md).
 *
 * Any order of execution that keeps po and rf gives the same graph, so the threads run in a
 * fixed order: the lowest that can.  Plain accesses are steps of the path, but no events. */
#include "core/enabled.h"
#include "explore/graph/objects.h"
#include "explore/graph/reads_from.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/like_threads.h"
#include "explore/loop/search.h"
#include "explore/searches/graph_inner.h"

#include <string.h>

static void *create(struct hd_explorer *ex)
{
    struct hd_graph_search *s = hd_graph_search_create(&ex->arena,
                                                       (enum hd_memory)ex->opt->memory);
    const struct hd_world *world = &ex->world;
    if (s) {
        s->g.ends = world->looks_at_ends && world->looks_at_ends(world->self);
        s->g.joins = world->uses_threads && world->uses_threads(world->self);
        s->g.requeues = world->requeues && world->requeues(world->self);
        s->facts = world->facts ? world->facts(world->self, &s->n_facts) : NULL;
        s->ends_are_steps = !s->g.ends;
        s->probes = hd_graph_probes_create(ex);
        hd_graph_list_plain_ops(s);
        hd_graph_list_ordered_ops(s);
        if (ex->opt->symmetric && !(s->like = hd_arena_take(&ex->arena, sizeof *s->like)))
            return NULL;
        /* What a thread does that is alone has events, too, if stores have no order. */
        s->joins_wait = !s->g.joins && !s->g.reads_from && !s->like;
        s->usual = !s->g.ends && !s->g.reads_from && !s->like && !ex->opt->paranoid;
    }
    return s;
}

static void *create_sampled(struct hd_explorer *ex)
{
    struct hd_graph_search *s = create(ex);
    if (!s || !hd_graph_sample_create(ex, s))
        return NULL;
    s->joins_wait = s->usual = false;
    return s;
}

/* A step that a work unit leads to has been counted before. */
static void count_step(struct hd_explorer *ex)
{
    *(hd_search_follows_script(mine(ex)) ? &ex->cnt->replayed : &ex->cnt->events) += 1;
}

/* Execute the wanted event with another alternative, from the state in which it was executed
 * last. Its step is the same but for the choice. */
static struct hd_decision execute_again(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    uint32_t id = s->want[s->wanted++], depth = ex->path.depth;
    uint32_t choice = hd_graph_choice(ex, id);
    struct hd_event *e = hd_event(&s->g, id);
    struct hd_node *node = &ex->path.nodes[depth];
    uint32_t packed = HD_STEP_PACK(e->thread, choice);
    s->at_once = 0;
    s->now = id;
    s->run[s->n_run].choice = choice;
    e->run = s->n_run++;
    s->dirty = s->n_run;
    count_step(ex);
    node->action = ex->world.config->next[e->thread];
    ex->path.alts[node->alts] = ex->path.steps[depth] = packed;
    ex->path.n_nodes = ex->path.depth = ex->shared->depth = ex->marks.notified = depth + 1;
    ex->shared->ctl.heartbeat++;
    return (struct hd_decision){ HD_RUN, packed };
}

static struct hd_decision step(struct hd_explorer *ex, uint32_t thread, uint32_t choice)
{
    uint32_t depth = ex->path.depth, packed = HD_STEP_PACK(thread, choice);
    struct hd_action *a = &hd_explorer_append(ex, thread, packed, false)->action;
    if (mine(ex)->plain_op[a->op] || a->object2)
        hd_graph_may_race(ex, thread, a);
    hd_graph_turn_out(ex, mine(ex)->now, a);
    ex->path.depth = ex->shared->depth = ex->marks.notified = depth + 1;
    ex->shared->ctl.heartbeat++;
    return (struct hd_decision){ HD_RUN, packed };
}

/* Is the thread alone, and has everything happened before what it does next?  A thread that
 * lives, and has not begun yet, may read what was stored before that. */
static bool knows_all(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph *g = &mine(ex)->g;
    if (ex->world.config->live.w[0] != 1ull << thread)
        return false;
    uint32_t newest = hd_graph_newest(g, thread);
    const hd_count *hb = newest ? hd_clock(g, newest, HD_CLOCK_HB) : NULL;
    for (uint32_t t = 0; t < g->used; t++)
        if (t != thread && g->by_thread[t].n && (!hb || hb[t] < g->by_thread[t].n))
            return false;
    return true;
}

static struct hd_decision decide(struct hd_explorer *ex);

struct hd_decision hd_graph_execute(struct hd_explorer *ex, uint32_t id, uint32_t choice)
{
    struct hd_graph_search *s = mine(ex);
    struct hd_event *e = hd_event(&s->g, id);
    s->run[s->n_run] = (struct hd_run){ id, ex->path.depth, s->g.era, choice };
    e->run = s->n_run++;
    s->dirty = s->n_run;
    s->now = id;
    if (e->action.op == HD_OP_CREATE)
        s->g.era = e->choice;
    count_step(ex);
    return step(ex, e->thread, choice);
}

/* Is the wanted event an atomic access that its thread is about to make, so that no more is to
 * be looked at? */
static bool follows_at_once(const struct hd_explorer *ex, const struct hd_event *e)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    const struct hd_action *a = &config->next[e->thread];
    return e->thread < 64 && config->enabled.w[0] >> e->thread & 1 && !e->open && !e->blocked &&
           s->dirty >= s->n_run && a->op == e->action.op && a->object == e->action.object &&
           hd_op_atomic((enum hd_op)a->op);
}

/* Execute the next event that is wanted. */
static struct hd_decision follow(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    uint32_t id = s->want[s->wanted];
    struct hd_event *e = hd_event(&s->g, id);
    const struct hd_action *a = &config->next[e->thread];
    uint32_t choice = 0;
    if (follows_at_once(ex, e) && hd_graph_fits(ex, id, choice = hd_graph_choice(ex, id))) {
        s->wanted++;
        return hd_graph_execute(ex, id, choice);
    }
    if (!hd_tset_has(&config->live, e->thread)) {
        s->missing = true;
        return hd_graph_diverged(ex, id);
    }
    uint32_t joined = e->action.op == HD_OP_JOIN ? (uint32_t)e->action.object : e->thread;
    uint32_t first = hd_tset_has(&config->live, joined) ? joined : e->thread;
    if (hd_graph_is_step(ex, first) &&
        !(e->plain && a->object == e->action.object && a->site == e->action.site)) {
        /* on the way to the event */
        count_step(ex);
        return step(ex, first, 0);
    }
    s->wanted++;
    bool was_open = e->open, scripted = was_open && hd_search_follows_script(s);
    if (was_open && !hd_search_resolve(s, id))
        return s->g.full ? hd_graph_too_large(ex, HD_GRAPH_NO_ROOM) : hd_explorer_next(ex);
    /* the store part may revisit others at once, or change the witness */
    if (scripted || (was_open && s->g.reads_from)) {
        uint32_t depth = hd_graph_plan(ex);
        return depth < ex->path.depth ? (struct hd_decision){ HD_REWIND, depth } : decide(ex);
    }
    if (e->blocked)
        return decide(ex);
    if (s->dirty < s->n_run) /* the store part is there in a revisit only */
        return (struct hd_decision){ HD_REWIND, hd_graph_plan(ex) };
    bool can = e->thread < config->n_threads && hd_tset_has(&config->enabled, e->thread) &&
               a->op == e->action.op && a->object == e->action.object;
    choice = can ? hd_graph_choice(ex, id) : 0;
    if (!can || !hd_graph_fits(ex, id, choice)) {
        s->missing = true;
        return hd_graph_diverged(ex, id);
    }
    return hd_graph_execute(ex, id, choice);
}

uint32_t hd_graph_creation_of(const struct hd_graph *g, uint32_t thread)
{
    for (uint32_t i = g->n_order; i-- > 0;) {
        const struct hd_event *e = hd_event(g, g->order[i]);
        if (e->action.op == HD_OP_CREATE && e->action.object == thread)
            return g->order[i];
    }
    return 0;
}

/* A plain store over the object's memory makes a new object of it (an assignment of
 * PTHREAD_MUTEX_INITIALIZER), which shows at its next use: that is a store of its state. */
static bool add_reset(struct hd_explorer *ex, uint32_t thread, uint32_t place)
{
    struct hd_graph *g = &mine(ex)->g;
    const struct hd_place *p = &g->places[place];
    if (p->space == HD_SPACE_THREAD)
        return true;
    uint64_t state = ex->world.sync_state(ex->world.self, p->object);
    if (hd_event(g, p->last)->value[0] == state || !g->by_thread[thread].n)
        return true;
    if (!hd_search_plain(mine(ex), thread, &ex->world.config->next[thread], place, true))
        return false;
    mine(ex)->other_order = true;
    hd_event(g, hd_graph_newest(g, thread))->value[0] = state;
    return true;
}

/* Is the unlock given to a lock that waits for it (graph/grant.c)? */
static bool is_granted(const struct hd_explorer *ex, const struct hd_action *a)
{
    const struct hd_world *world = &ex->world;
    return a->op == HD_OP_UNLOCK && world->only_waited_for &&
           world->only_waited_for(world->self, a->object);
}

static bool add_operation(struct hd_explorer *ex, uint32_t thread, bool stuck)
{
    uint64_t expected[2] = { 0, 0 };
    const struct hd_action *a = &ex->world.config->next[thread];
    if (hd_op_futex((enum hd_op)a->op) || a->op == HD_OP_SIGNAL_POINT)
        ex->world.expected(ex->world.self, thread, expected);
    if (hd_op_second_is_sync((enum hd_op)a->op)) { /* its state before the operation */
        struct hd_action second = hd_object_second(a);
        hd_graph_place_of(ex, &second, thread);
    }
    uint32_t place = hd_graph_place_of(ex, a, thread);
    mine(ex)->grants = is_granted(ex, a);
    return place && add_reset(ex, thread, place) &&
           hd_search_rmw(mine(ex), thread, a, place, 0, expected, stuck);
}

/* Add the next action of the thread to the graph; `place`: its location, if that is known. */
static bool add(struct hd_explorer *ex, uint32_t t, uint32_t place, bool stuck)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_action *a = &ex->world.config->next[t];
    uint64_t expected[2] = { 0, 0 };
    uint32_t creation = a->op == HD_OP_START ? hd_graph_creation_of(&s->g, t) : 0;
    if (s->g.ends && !hd_graph_begin_end(ex, t))
        return false;
    switch (a->op) {
    case HD_OP_READ:
    case HD_OP_ATOMIC_READ:
    case HD_OP_FUTEX_READ:
        return (place || (place = hd_graph_place_of(ex, a, t))) &&
               hd_search_load(s, t, a, place, a->order & 7);
    case HD_OP_WRITE:
    case HD_OP_ATOMIC_WRITE:
        return (place || (place = hd_graph_place_of(ex, a, t))) &&
               hd_search_store(s, t, a, place, a->order & 7);
    case HD_OP_CAS:
        ex->world.expected(ex->world.self, t, expected);
        /* fall through */
    case HD_OP_RMW:
        return (place || (place = hd_graph_place_of(ex, a, t))) &&
               hd_search_rmw(s, t, a, place, a->order & 7, expected, stuck);
    case HD_OP_START:
        if (s->like)
            hd_graph_begin_alike(ex, t, creation);
        return hd_search_once(s, t, a, 0, creation);
    case HD_OP_JOIN:
        if (s->g.joins)
            return add_operation(ex, t, stuck);
        return hd_search_once(s, t, a, 0, hd_graph_newest(&s->g, (uint32_t)a->object));
    case HD_OP_LEAVE:
    case HD_OP_FUTEX_WOKEN:
        return hd_search_once(s, t, a, 0, hd_object_waker(&s->g, t));
    case HD_OP_EXIT:
        if (s->g.ends)
            return add_operation(ex, t, stuck);
        return hd_search_once(s, t, a, 0, 0) && (hd_graph_knows_ends(ex, t), true);
    case HD_OP_JOIN_NOW:
    case HD_OP_THREAD_USE:
        return add_operation(ex, t, stuck);
    case HD_OP_CREATE: /* a thread that was alone has stored into memory itself */
        expected[0] = s->g.era + (knows_all(ex, t) && hd_graph_memory_is_settled(ex));
        if (!hd_search_once(s, t, a, 0, 0))
            return false;
        hd_event(&s->g, hd_graph_newest(&s->g, t))->choice = (uint32_t)expected[0];
        return true;
    default:
        break;
    }
    if (a->choices > 1 && hd_op_table[a->op].space == HD_SPACE_NONE)
        return hd_search_choice(s, t, a);
    if (hd_op_table[a->op].space == HD_SPACE_SYNC && hd_op_table[a->op].access != HD_ACCESS_NONE)
        return add_operation(ex, t, stuck);
    return hd_search_once(s, t, a, a->order & 7, 0);
}

static bool add_plain(struct hd_graph_search *s, const struct hd_action *a, uint32_t thread,
                      uint32_t written)
{
    bool added = true;
    for (uint32_t p = written; p && added; p = hd_access_written(&s->g, a, p + 1))
        added = hd_search_plain(s, thread, a, p, p != written);
    return added;
}

/* An operation that touches a second synchronisation object has run: that object's events.
 * Nothing else has touched it since. */
static bool add_second(struct hd_explorer *ex, uint32_t first_half)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_event *e = hd_event(&s->g, first_half);
    struct hd_action a = hd_object_second(&e->action);
    uint64_t state = ex->world.sync_state(ex->world.self, a.object);
    uint32_t place = hd_graph_find(&s->g, a.object, HD_SPACE_SYNC);
    s->grants = is_granted(ex, &a);
    return place && hd_search_second(s, e->thread, &a, place, state);
}

/* Nobody can move, except for threads that go round in loops. */
static struct hd_decision finish(struct hd_explorer *ex)
{
    struct hd_finding livelock;
    mine(ex)->finished = true;
    if (hd_search_probes(mine(ex)))
        return hd_explorer_next(ex);
    if (hd_graph_is_redundant(ex) || hd_graph_has_broken(ex)) {
        *(mine(ex)->sample ? &ex->cnt->bounded : &ex->cnt->blocked) += 1;
        return hd_explorer_next(ex);
    }
    hd_graph_compare_witness(mine(ex));
    if (mine(ex)->dirty < mine(ex)->n_run) { /* the witness in which nobody moves is another */
        mine(ex)->finished = false;
        return (struct hd_decision){ HD_REWIND, hd_graph_plan(ex) };
    }
    if (ex->world.cut &&
        ex->world.cut(ex->world.self)) { /* a thread has polled too often, and was stopped */
        hd_explorer_bounded(ex);
        return hd_explorer_next(ex);
    }
    if (!hd_graph_turns(ex))
        return hd_explorer_nobody_moves(ex);
    return hd_graph_closes(ex, &livelock) ? hd_explorer_ended(ex, &livelock) : decide(ex);
}

/* Has something been found that ends the search? */
static bool is_wrong(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    uint32_t wrong = s->g.no_witness ? 8 : ex->opt->paranoid ? hd_graph_check(&s->g) : 0;
    if (s->misfit && !ex->error[0])
        hd_graph_give_up_script(ex);
    else if (ex->path.depth >= HD_MAX_STEPS - 1)
        hd_graph_fail(ex, "an execution is too long for the graph search");
    else if (wrong)
        hd_graph_broken(ex, wrong);
    return ex->error[0] != '\0';
}

/* Has the newest frame added one event, and nothing else has changed?  Then that one is to be
 * executed, and nothing has to be planned. */
static bool adds_one(const struct hd_graph_search *s)
{
    const struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
    const struct hd_event *e = hd_event(&s->g, f->event);
    return s->dirty >= s->n_run && !f->revisiting && f->kind != HD_FRAME_PLAIN &&
           f->kind != HD_FRAME_PART && !e->attached && !e->blocked && !f->stuck && !s->missing;
}

/* Execute the event that the newest frame has added. */
static struct hd_decision execute_added(struct hd_explorer *ex)
{
    const struct hd_graph_search *s = mine(ex);
    uint32_t id = s->frames[s->n_frames - 1].event;
    const struct hd_event *e = hd_event(&s->g, id);
    bool newest = e->kind <= HD_EVENT_STORE && s->g.places[e->place].space == HD_SPACE_MEM &&
                  !hd_event(&s->g, e->kind == HD_EVENT_LOAD ? e->rf : id)->mo_next;
    return hd_graph_execute(ex, id, newest ? 0 : hd_graph_choice(ex, id));
}

/* Join without looking further, if that is all that can happen: the others have ended. */
static bool must_join(const struct hd_explorer *ex)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    uint64_t live = config->live.w[0];
    if (live & (live - 1) || live != config->enabled.w[0])
        return false;
    uint32_t thread = (uint32_t)__builtin_ctzll(live);
    if (config->next[thread].op != HD_OP_JOIN || s->odd || s->g.futexes || ex->error[0] ||
        ex->opt->paranoid || !s->n_run || s->run[s->n_run - 1].depth >= ex->path.depth ||
        !hd_graph_joins_alone(ex, thread))
        return false;
    const struct hd_event *e = hd_event(&s->g, hd_graph_newest(&s->g, thread));
    return !e->blocked && !(e->ends | e->returns);
}

static struct hd_decision join_alone(struct hd_explorer *ex, uint32_t thread)
{
    mine(ex)->joining = ex->path.depth + 1;
    count_step(ex);
    return step(ex, thread, 0);
}

/* Execute what is wanted; then add events until one is to be executed. */
static struct hd_decision follow_or_add(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    for (;;) {
        if (s->wanted < s->n_want)
            return follow(ex);
        uint32_t half = s->halves ? hd_search_half_done(&s->g) : 0;
        uint32_t first = half || !s->halves ? 0 : hd_search_first_half(&s->g);
        s->halves = half || first;
        if ((half && !hd_search_part(s, half)) || (first && !add_second(ex, first)))
            return s->g.full ? hd_graph_too_large(ex, HD_GRAPH_NO_ROOM) : hd_explorer_next(ex);
        if (half || first) { /* a work unit may begin with a revisit */
            uint32_t depth = hd_graph_plan(ex);
            if (depth < ex->path.depth)
                return (struct hd_decision){ HD_REWIND, depth };
            continue;
        }
        uint32_t t = hd_graph_choose(ex);
        bool stuck = t == ~0u; /* others may come before what the threads wait for */
        if (stuck)
            t = hd_graph_choose_stuck(ex);
        if (t == ~0u && (t = hd_graph_choose_end(ex)) != ~0u)
            stuck = false;
        if (t == ~0u)
            return finish(ex);
        if (ex->path.depth >= ex->opt->depth)
            return hd_graph_cut(ex);
        if (s->like && hd_graph_tells_apart(ex, t))
            return hd_explorer_gave_up(ex);
        const struct hd_action *a = &ex->world.config->next[t];
        uint32_t place = hd_graph_known_place(ex, a);
        if (!place && hd_graph_joins_alone(ex, t))
            return join_alone(ex, t);
        bool plain = !place && hd_graph_is_step(ex, t);
        uint32_t written = plain ? hd_access_written(&s->g, a, 1) : 0;
        if (plain && s->g.reads_from && hd_graph_refuses_plain(ex, t, a))
            return hd_explorer_gave_up(ex);
        if (plain && !written) {
            count_step(ex);
            return step(ex, t, 0);
        }
        if (!place && !written && hd_graph_refuses(ex, t, a))
            return hd_explorer_gave_up(ex);
        bool added = written ? add_plain(s, a, t, written) : add(ex, t, place, stuck);
        if (s->g.full)
            return hd_graph_too_large(ex, HD_GRAPH_NO_ROOM);
        if (!added)
            return hd_explorer_next(ex);
        hd_graph_compare_witness(s);
        if (adds_one(s))
            return execute_added(ex);
        uint32_t depth = hd_graph_plan(ex);
        if (depth < ex->path.depth)
            return (struct hd_decision){ HD_REWIND, depth };
    }
}

static __attribute__((noinline)) struct hd_decision decide_any(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    s->at_once = s->prepared = 0;
    hd_graph_settle(ex);
    if (s->joining) {
        hd_graph_enter_joins(ex);
        s->now = 0;
    } else if (must_join(ex)) {
        return join_alone(ex, (uint32_t)__builtin_ctzll(ex->world.config->live.w[0]));
    }
    if (s->sample && ex->path.depth >= ex->opt->depth)
        return hd_graph_cut(ex);
    if (hd_search_probes(s) && hd_graph_probe_is_long(ex))
        return hd_explorer_next(ex);
    if (is_wrong(ex))
        return hd_explorer_gave_up(ex);
    if (hd_explorer_waits(ex->world.config))
        hd_checks_waits(ex);
    if (s->n_run && s->run[s->n_run - 1].depth >= ex->path.depth) {
        while (s->dirty && s->run[s->dirty - 1].depth >= ex->path.depth)
            s->dirty--;
        hd_graph_plan(ex);
    }
    return follow_or_add(ex);
}

/* Most decisions are those that are tried first. */
static struct hd_decision decide(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    uint32_t here = ex->path.depth + 1;
    if (s->at_once == here && !ex->opt->paranoid)
        return execute_again(ex);
    if (s->known_from && hd_graph_ends_again(ex))
        return hd_explorer_ended(ex, NULL);
    if (!s->usual)
        return decide_any(ex);
    if (s->prepared == here || hd_graph_adds_usual(ex)) {
        s->at_once = s->prepared = 0;
        if (adds_one(s))
            return execute_added(ex);
        uint32_t depth = hd_graph_plan(ex);
        return depth < ex->path.depth ? (struct hd_decision){ HD_REWIND, depth } : decide_any(ex);
    }
    if (!s->joining && must_join(ex)) {
        hd_graph_settle(ex);
        s->at_once = s->prepared = 0;
        return join_alone(ex, (uint32_t)__builtin_ctzll(ex->world.config->live.w[0]));
    }
    return decide_any(ex);
}

const struct hd_event *hd_graph_next_wanted(const struct hd_graph_search *s, uint32_t thread)
{
    for (uint32_t i = s->wanted; i < s->n_want; i++) {
        const struct hd_event *e = hd_event(&s->g, s->want[i]);
        if (e->thread == thread)
            return e;
    }
    return NULL;
}

/* The thread comes from a step of its own to the first of the joins that end the execution.
 * Nothing is decided there, so no state has to be kept: the one before its step is. */
static bool go_on_to_join(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    if (s->joining || s->sample || ex->path.depth >= ex->opt->depth || !must_join(ex))
        return false;
    hd_graph_settle(ex);
    join_alone(ex, (uint32_t)__builtin_ctzll(ex->world.config->live.w[0]));
    ex->path.nodes[ex->path.depth - 1].went_on = true;
    return true;
}

static __attribute__((noinline)) bool go_on_by_step(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    struct hd_graph_search *s = mine(ex);
    if (s->joining || !hd_graph_is_step(ex, thread) || ex->path.depth >= ex->opt->depth ||
        s->sample || s->like)
        return false;
    /* It is known which plain stores are events before the newest event of the thread. */
    if (s->g.reads_from && hd_access_meets(&s->g, a, 1))
        return false;
    const struct hd_event *e = hd_graph_next_wanted(s, thread);
    if (e ? e->plain : hd_access_written(&s->g, a, 1) != 0)
        return false;
    uint32_t newest = thread < s->g.lanes ? hd_graph_newest(&s->g, thread) : 0;
    if (newest &&
        (hd_event(&s->g, newest)->ends || hd_search_returns(s, hd_event(&s->g, newest))))
        return false;
    hd_graph_settle(ex);
    count_step(ex);
    step(ex, thread, 0);
    ex->path.nodes[ex->path.depth - 1].went_on = true;
    return true;
}

static bool go_on(struct hd_explorer *ex, uint32_t thread)
{
    uint16_t op = ex->world.config->next[thread].op;
    if (op == HD_OP_ATOMIC_READ)
        return hd_graph_reads_on(ex, thread);
    if (op == HD_OP_JOIN)
        return go_on_to_join(ex);
    return !hd_op_atomic((enum hd_op)op) && go_on_by_step(ex, thread);
}

const struct hd_search_ops hd_search_graph = {
    .create = create,
    .resume = hd_graph_resume,
    .back = hd_graph_back,
    .decide = decide,
    .go_on = go_on,
    .exits = hd_graph_exits,
    .row = hd_graph_row,
    .row_over = hd_graph_row_over,
    .ended = hd_graph_ended,
    .ends_quietly = hd_graph_ends_quietly,
    .is_known = hd_graph_is_known,
    .pack_part = hd_graph_pack_part,
    .give = hd_graph_give,
    .gave = hd_graph_gave,
};

const struct hd_search_ops hd_search_graph_sampled = {
    .create = create_sampled,
    .resume = hd_graph_sample_again,
    .decide = decide,
    .go_on = go_on,
    .pack_part = hd_graph_pack_part,
};
