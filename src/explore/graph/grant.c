/* Locks that wait (docs/design/019-graph.md#locks-that-wait).
 *
 * A revisit may let a lock read a state in which another thread holds the mutex.  Only the
 * store that follows this state can let it run.  So that store is given to the lock at once,
 * and is taken away again before the store revisits others: no graph has to be completed in
 * which the lock waits for ever.
 *
 * In what follows, the *base* of the lock is the store that it has waited for. */
#include "explore/graph/search.h"

/* The only operation that waits because it reads the store, and it is a lock; 0: there is
 * none. */
static uint32_t waiter(const struct hd_graph *g, uint32_t store)
{
    uint32_t found = 0;
    for (uint32_t r = hd_event(g, store)->reader; r; r = hd_event(g, r)->reader_next) {
        const struct hd_event *e = hd_event(g, r);
        bool lock = e->action.op == HD_OP_LOCK || e->action.op == HD_OP_RELOCK;
        if (e->blocked && (found || e->breaks || e->base || !lock))
            return 0;
        found = e->blocked ? r : found;
    }
    return found;
}

void hd_grant(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    uint32_t base = hd_event(g, f->part)->mo_prev, lock;
    f->granted = 0;
    if (!hd_event(g, f->event)->grants || s->sample || g->n_events >= g->first_initial ||
        !(lock = waiter(g, base)))
        return;
    struct hd_event *e = hd_event(g, lock);
    f->granted = lock;
    f->grants = true;
    f->was = g->n_events++;
    hd_event_copy(g, f->was, lock);
    hd_graph_unread(g, lock);
    hd_graph_clock_begin(g, lock);
    e->base = base;
    e->open = true;
    e->part = HD_PART_NONE;
    e->blocked = false;
    hd_graph_read(g, lock, f->part);
    e->pos = ++g->pos;
    e->run = ~0u;
    s->missing = true;
}

void hd_grant_undo(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    if (!f->grants)
        return;
    hd_search_touch(s, hd_event(g, f->granted));
    hd_graph_unread(g, f->granted);
    hd_event_copy(g, f->granted, f->was);
    hd_graph_relink(g, f->granted);
    g->n_events = f->was; /* all that came after it has been given back */
    f->grants = false;
}

/* Let the lock wait for its base again.  Copies name what they are copies of. */
static void suspend(struct hd_graph_search *s, uint32_t lock)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, lock);
    uint32_t base = e->base;
    hd_search_touch(s, e);
    hd_graph_unread(g, lock);
    hd_event_copy(g, g->n_events++, lock);
    e->base = 0;
    e->open = false;
    hd_search_turns_out(s, lock, base);
    hd_graph_clock_begin(g, lock);
    hd_graph_read(g, lock, base);
    e->run = ~0u;
}

void hd_grant_suspend(struct hd_graph_search *s, uint32_t store, uint32_t stamp)
{
    struct hd_graph *g = &s->g;
    for (uint32_t r = hd_event(g, store)->reader, next; r; r = next) {
        next = hd_event(g, r)->reader_next;
        if (hd_event(g, r)->base && hd_event(g, r)->stamp < stamp)
            suspend(s, r);
    }
}

void hd_grant_restore(struct hd_graph_search *s, uint32_t from)
{
    struct hd_graph *g = &s->g;
    for (uint32_t i = from; i < g->n_events; i++) {
        const struct hd_event *was = hd_event(g, i);
        uint32_t lock = g->by_thread[was->thread].events[was->index];
        hd_graph_unread(g, lock);
        hd_event_copy(g, lock, i);
        hd_event(g, lock)->run = ~0u;
        hd_graph_relink(g, lock);
    }
}
