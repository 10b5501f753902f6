#include "explore/graph/search.h"
#include "explore/graph/objects.h"
#include "explore/graph/reads_from.h"

#include "core/enabled.h"

struct hd_graph_search *hd_graph_search_create(struct hd_arena *arena, enum hd_memory model)
{
    struct hd_graph_search *s = hd_arena_take(arena, sizeof *s);
    if (!s || !hd_graph_init(&s->g, arena, model))
        return NULL;
    s->frames = hd_arena_take(arena, sizeof *s->frames * HD_GRAPH_FRAMES);
    s->saved = hd_arena_take(arena, sizeof *s->saved * HD_GRAPH_SAVED);
    s->run = hd_arena_take(arena, sizeof *s->run * HD_GRAPH_EVENTS);
    s->want = hd_arena_take(arena, sizeof *s->want * HD_GRAPH_EVENTS);
    s->script = hd_arena_take(arena, sizeof *s->script * HD_GRAPH_FRAMES);
    return s->frames && s->saved && s->run && s->want && s->script ? s : NULL;
}

static struct hd_graph_frame *push_frame(struct hd_graph_search *s, enum hd_frame_kind kind)
{
    if (s->n_frames == HD_GRAPH_FRAMES) {
        s->g.full = true;
        return NULL;
    }
    struct hd_graph_frame *f = &s->frames[s->n_frames++];
    *f = (struct hd_graph_frame){
        .kind = kind, .pool = s->g.n_events, .stamp = s->g.stamp, .pos = s->g.pos
    };
    return f;
}

static void pop_frame(struct hd_graph_search *s)
{
    s->g.n_events = s->frames[--s->n_frames].pool;
}

void hd_search_turns_out(struct hd_graph_search *s, uint32_t load, uint32_t store)
{
    struct hd_event *e = hd_event(&s->g, load);
    const struct hd_event *w = hd_event(&s->g, store);
    hd_search_mend(e);
    e->blocked = false;
    switch (e->action.op) {
    case HD_OP_READ:
    case HD_OP_ATOMIC_READ:
    case HD_OP_FUTEX_READ:
        e->part = HD_PART_NONE;
        return;
    case HD_OP_RMW:
        e->part = HD_PART_RMW;
        return;
    case HD_OP_CAS:
        e->part = w->value[0] == e->expected[0] && w->value[1] == e->expected[1] ? HD_PART_RMW
                                                                                 : HD_PART_FAILED;
        e->order = e->part == HD_PART_RMW ? e->action.order & 7
                                          : (uint8_t)hd_order_of_failure(e->action.order);
        return;
    case HD_OP_SIGNAL_POINT:
        hd_object_turns_out(e, hd_look_finds(e, w));
        return;
    default:
        hd_object_turns_out(e, w->value[0]);
    }
}

/* The store part of the load part, which is in the graph. */
static uint32_t make_part(struct hd_graph_search *s, uint32_t load)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, load);
    uint32_t id = hd_graph_make(g, e->thread, HD_EVENT_STORE, &e->action, e->order);
    if (!id)
        return 0;
    struct hd_event *w = hd_event(g, id);
    w->part = HD_PART_RMW;
    w->place = e->place;
    w->value[0] = e->value[0];
    w->value[1] = e->value[1];
    w->attached = true; /* it is executed with its load part */
    w->run = 0;
    w->alike = 0;
    s->halves |= hd_op_second_is_sync((enum hd_op)e->action.op);
    return id;
}

/* The store part is what its load part has turned out to be; its clocks. */
static void begin_part(struct hd_graph *g, uint32_t part, uint32_t load)
{
    struct hd_event *w = hd_event(g, part);
    const struct hd_event *e = hd_event(g, load);
    w->order = e->order;
    w->outcome = e->outcome;
    w->gathers = e->gathers;
    w->choice = e->choice;
    hd_graph_clock_begin(g, part);
    hd_graph_release(g, part, load);
}

static bool add_part(struct hd_graph_search *s, uint32_t part, uint32_t load)
{
    struct hd_graph *g = &s->g;
    struct hd_event *w = hd_event(g, part);
    begin_part(g, part, load);
    w->reader = 0;
    hd_search_mend(w);
    w->stamp = ++g->stamp;
    hd_graph_link(g, part, hd_event(g, load)->rf);
    hd_graph_push(g, part);
    if (hd_graph_consistent(g, part))
        return true;
    hd_graph_pop(g, part);
    hd_graph_unlink(g, part);
    return false;
}

/* The store part has been tried where it stands; now what it revisits. */
static bool part_revisits(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    if (f->forward) {
        hd_grant_undo(s, f);
        hd_graph_pop(g, f->part);
        hd_graph_unlink(g, f->part);
        hd_search_touch(s, hd_event(g, f->event));
        f->forward = false;
    } else if (!f->revisits) {
        begin_part(g, f->part, f->event);
    }
    if (!f->revisits)
        hd_revisit_begin(s, f, f->part);
    return hd_revisit_next(s, f, f->part);
}

/* The store part directly after what its load part reads, if that is possible. */
static bool part_forward(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    uint32_t read = hd_event(&s->g, f->event)->rf;
    if (f->stuck || hd_graph_taken(&s->g, read, f->event) || !add_part(s, f->part, f->event))
        return false;
    hd_grant(s, f);
    return f->forward = true;
}

/* The next choice of the operation that has a graph.  False: there is none. */
static bool next_way(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_event *e = hd_event(&s->g, f->event);
    hd_search_mend(e);
    while (!s->g.full && e->choice + 1 < f->choices) {
        hd_search_touch(s, e);
        e->choice++;
        f->now = (struct hd_alternative){ f->now.source, e->choice, 1 };
        f->revisits = false;
        if (part_forward(s, f) || part_revisits(s, f))
            return true;
    }
    e->choice = 0;
    return false;
}

/* How many choices an operation on an object has that reads that store. */
static uint32_t choices_of(const struct hd_graph *g, uint32_t load, uint32_t store)
{
    const struct hd_event *e = hd_event(g, load);
    return g->places[e->place].space == HD_SPACE_MEM ? 1 : hd_object_choices(g, load, store);
}

/* The next store that the operation reads; its load part is not in the graph.  False: none. */
static bool enter_read(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    bool sync = g->places[e->place].space != HD_SPACE_MEM;
    if (e->action.op == HD_OP_SIGNAL_POINT)
        return hd_look_enter(s, f);
    while (f->at != f->oldest) {
        f->at = hd_search_next_source(s, f);
        bool last = f->at == g->places[e->place].last;
        hd_search_turns_out(s, f->event, f->at);
        if (sync && e->blocked && !(last && f->stuck))
            continue;
        if (!last && e->part == HD_PART_RMW && !e->blocked &&
            hd_revisit_is_hopeless(s, f->event, f->at))
            continue;
        hd_graph_clock_begin(g, f->event);
        hd_graph_read(g, f->event, f->at);
        hd_graph_push(g, f->event);
        e->run = ~0u;
        if (hd_graph_consistent(g, f->event)) {
            f->choices = choices_of(g, f->event, f->at);
            return f->entered = true;
        }
        hd_graph_pop(g, f->event);
        hd_graph_unread(g, f->event);
    }
    return false;
}

static bool next_rmw(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    for (;;) {
        bool stores = f->entered && e->part == HD_PART_RMW && !e->blocked;
        if ((stores && part_revisits(s, f)) || ((stores || e->breaks) && next_way(s, f)))
            return true;
        if (g->full)
            return false;
        if (f->entered) {
            hd_search_touch(s, e);
            hd_graph_pop(g, f->event);
            hd_graph_unread(g, f->event);
            f->entered = f->revisits = false;
        }
        if (!enter_read(s, f))
            return false;
        f->now = (struct hd_alternative){ f->now.source + 1, 0, 1 };
        if (e->part != HD_PART_RMW || e->blocked)
            return true;
        if (part_forward(s, f))
            return true;
    }
}

static bool next_part(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    if (hd_event(&s->g, f->event)->breaks)
        return next_way(s, f);
    if (!f->entered) {
        f->entered = true;
        if (part_forward(s, f))
            return true;
    }
    return part_revisits(s, f) || next_way(s, f);
}

static bool next_choice(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_event *e = hd_event(&s->g, f->event);
    if (f->entered) {
        hd_search_touch(s, e);
        hd_graph_pop(&s->g, f->event);
        if (++e->choice >= f->choices)
            return false;
    }
    f->entered = true;
    e->run = ~0u;
    hd_search_mend(e);
    hd_graph_push(&s->g, f->event);
    return !s->g.reads_from || hd_reads_from_adopt(&s->g);
}

static bool next_plain(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    if (f->forward) {
        hd_search_touch(s, e);
        hd_graph_pop(g, f->event);
        hd_graph_unlink(g, f->event);
        return false;
    }
    e->run = e->attached ? 0 : ~0u;
    hd_graph_link(g, f->event, g->places[e->place].last);
    hd_graph_push(g, f->event);
    f->forward = true;
    return !g->reads_from || hd_reads_from_adopt(g);
}

static bool next_alternative(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    s->g.stamp = f->stamp + 2; /* those of the frame and before are not used again */
    s->g.pos = f->pos + 2;
    switch (f->kind) {
    case HD_FRAME_LOAD:
        return hd_search_next_load(s, f);
    case HD_FRAME_STORE:
        return hd_search_next_store(s, f);
    case HD_FRAME_PLAIN:
        return next_plain(s, f);
    case HD_FRAME_RMW:
        return next_rmw(s, f);
    case HD_FRAME_PART:
        return next_part(s, f);
    default:
        return next_choice(s, f);
    }
}

uint32_t hd_search_half_done(const struct hd_graph *g)
{
    for (uint32_t t = 0; t < g->used; t++) {
        uint32_t id = hd_graph_newest(g, t);
        const struct hd_event *e = hd_event(g, id);
        if (id && e->kind == HD_EVENT_LOAD && e->part == HD_PART_RMW && !e->blocked)
            return id;
    }
    return 0;
}

uint32_t hd_search_first_half(const struct hd_graph *g)
{
    for (uint32_t t = 0; t < g->used; t++) {
        uint32_t id = hd_object_first_half(g, t);
        if (id)
            return id;
    }
    return 0;
}

bool hd_search_part(struct hd_graph_search *s, uint32_t load)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_PART);
    if (!f)
        return false;
    f->event = load;
    f->part = make_part(s, load);
    f->choices = choices_of(&s->g, load, hd_event(&s->g, load)->rf);
    if (f->part && hd_search_advance(s, f) && hd_search_by_script(s, f))
        return true;
    pop_frame(s);
    return false;
}

bool hd_search_resolve(struct hd_graph_search *s, uint32_t load)
{
    struct hd_event *e = hd_event(&s->g, load);
    uint32_t store = e->rf;
    e->open = false;
    hd_graph_unread(&s->g, load);
    hd_search_turns_out(s, load, store);
    hd_graph_clock_begin(&s->g, load);
    hd_graph_read(&s->g, load, store);
    return hd_graph_consistent(&s->g, load) && !hd_event_is_pass(e) &&
           (e->part != HD_PART_RMW || e->blocked || hd_search_part(s, load));
}

bool hd_search_advance(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    if (f->closed) {
        hd_search_unwind(s, f);
        return false;
    }
    f->now.tried++;
    f->broke = false;
    return next_alternative(s, f);
}

/* Has the frame no alternatives left? */
static inline bool is_used_up(const struct hd_graph_frame *f)
{
    return f->kind == HD_FRAME_ONCE || (f->kind == HD_FRAME_LOAD && f->at == f->oldest);
}

/* Then the event leaves the graph with its frame. */
static inline void pop_event(struct hd_graph_search *s, const struct hd_graph_frame *f)
{
    hd_search_touch(s, hd_event(&s->g, f->event));
    hd_graph_pop(&s->g, f->event);
    if (f->kind == HD_FRAME_LOAD)
        hd_graph_unread(&s->g, f->event);
}

bool hd_search_next(struct hd_graph_search *s)
{
    s->halves = s->has_rmw;
    while (s->n_frames && !s->g.full) {
        struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
        if (__builtin_expect(s->has_broken, 0))
            hd_search_forget_breaks(s);
        if (is_used_up(f))
            pop_event(s, f);
        else if (hd_search_advance(s, f))
            return true;
        pop_frame(s);
    }
    return false;
}

static bool apply(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    if (f->event && hd_search_advance(s, f) && hd_search_by_script(s, f))
        return true;
    pop_frame(s);
    return false;
}

bool hd_search_load(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                    uint32_t place, uint32_t order)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_LOAD);
    if (!f)
        return false;
    if ((f->event = hd_graph_make(&s->g, thread, HD_EVENT_LOAD, a, order))) {
        hd_event(&s->g, f->event)->place = place;
        s->g.futexes |= a->op == HD_OP_FUTEX_READ;
        f->oldest = s->sample ? hd_futex_oldest_now(&s->g, f->event)
                              : hd_graph_oldest(&s->g, f->event);
    }
    return apply(s, f);
}

bool hd_search_store(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                     uint32_t place, uint32_t order)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_STORE);
    if (!f)
        return false;
    if ((f->event = hd_graph_make(&s->g, thread, HD_EVENT_STORE, a, order))) {
        hd_event(&s->g, f->event)->place = place;
        f->oldest = hd_graph_oldest(&s->g, f->event);
        hd_graph_clock_begin(&s->g, f->event);
        hd_graph_release(&s->g, f->event, 0);
    }
    return apply(s, f);
}

bool hd_search_plain(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                     uint32_t place, bool attached)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_PLAIN);
    if (!f)
        return false;
    if ((f->event = hd_graph_make(&s->g, thread, HD_EVENT_STORE, a, 0))) {
        struct hd_event *e = hd_event(&s->g, f->event);
        e->place = place;
        e->plain = s->g.parts = true;
        e->attached = attached;
        hd_graph_clock_begin(&s->g, f->event);
    }
    return apply(s, f);
}

/* A frame whose load part and store part are made, and not in the graph. */
static struct hd_graph_frame *begin_rmw(struct hd_graph_search *s, uint32_t thread,
                                        const struct hd_action *a, uint32_t place, uint32_t order)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_RMW);
    if (!f)
        return NULL;
    struct hd_graph *g = &s->g;
    s->has_rmw = true;
    s->usual = false;
    f->event = hd_graph_make(g, thread, HD_EVENT_LOAD, a, order);
    if (f->event) {
        hd_event(g, f->event)->place = place;
        hd_event(g, f->event)->grants = a->op == HD_OP_UNLOCK && s->grants;
        if (hd_op_woken((enum hd_op)a->op))
            hd_event(g, f->event)->after = hd_object_waker(g, thread);
        if (a->op == HD_OP_SIGNAL_POINT) /* what it may read if it takes signals */
            hd_event(g, f->event)->part = HD_PART_RMW;
        f->oldest = hd_graph_oldest(g, f->event);
        f->part = make_part(s, f->event);
        if (!f->part)
            f->event = 0;
        else
            hd_event(g, f->part)->index++;
    }
    return f;
}

bool hd_search_rmw(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                   uint32_t place, uint32_t order, const uint64_t expected[2], bool stuck)
{
    struct hd_graph_frame *f = begin_rmw(s, thread, a, place, order);
    if (!f)
        return false;
    struct hd_event *e = hd_event(&s->g, f->event);
    f->stuck = stuck;
    if (f->event) {
        e->expected[0] = expected[0];
        e->expected[1] = expected[1];
    }
    return apply(s, f);
}

bool hd_search_second(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                      uint32_t place, uint64_t state)
{
    struct hd_graph_frame *f = begin_rmw(s, thread, a, place, 0);
    if (!f)
        return false;
    if (f->event) {
        hd_event(&s->g, f->event)->attached = true;
        hd_event(&s->g, f->event)->value[0] = hd_event(&s->g, f->part)->value[0] = state;
    }
    return apply(s, f);
}

bool hd_search_once(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                    uint32_t order, uint32_t after)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_ONCE);
    if (!f)
        return false;
    struct hd_graph *g = &s->g;
    bool fence = a->op == HD_OP_FENCE;
    uint32_t id = hd_graph_make(g, thread, fence ? HD_EVENT_FENCE : HD_EVENT_LOCAL, a, order);
    if (!id) {
        pop_frame(s);
        return false;
    }
    hd_graph_clock_begin(g, id);
    if (fence)
        hd_graph_fence(g, id);
    if (after) {
        bool ordered = hd_op_table[a->op].orders != HD_ORDERS_NOTHING;
        hd_event(g, id)->rf = after;
        for (uint32_t i = HD_CLOCK_PORF; i <= (ordered ? HD_CLOCK_HB : HD_CLOCK_PORF); i++)
            hd_clock_join(g, hd_clock(g, id, (enum hd_clock)i),
                          hd_clock(g, after, (enum hd_clock)i));
        if (a->op == HD_OP_JOIN) /* what the thread did after its last event, too */
            hd_clock(g, id, HD_CLOCK_HB)[a->object]++;
    }
    f->event = id;
    f->choices = f->now.tried = 1;
    f->entered = true;
    hd_graph_push(g, id);
    if (hd_search_by_script(s, f))
        return true;
    pop_frame(s);
    return false;
}

bool hd_search_choice(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a)
{
    struct hd_graph_frame *f = push_frame(s, HD_FRAME_CHOICE);
    if (!f)
        return false;
    f->event = hd_graph_make(&s->g, thread, HD_EVENT_CHOICE, a, 0);
    f->choices = hd_graph_alike_choices(&s->g, f->event, a->choices);
    if (f->event)
        hd_graph_clock_begin(&s->g, f->event);
    return apply(s, f);
}
