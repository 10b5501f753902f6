/* A step has broken the program, and the search goes on (--keep-going).
 *
 * The execution is over, but the search must not be: stores of other threads that were still to
 * come may revisit loads, also the one that led to the violation.  So the thread stands still
 * before the step that breaks the program, and the others go on.  A load part stays in the
 * graph, because what it reads decides that the step breaks the program; it has no store part.
 * A store has no effect: no other thread can read it before the program is broken.  So no
 * execution that is explored from here has a violation before its last step. */
#include "explore/graph/search.h"

static bool is_newest_frame_of(const struct hd_graph_search *s, uint32_t event)
{
    return s->n_frames && s->frames[s->n_frames - 1].event == event;
}

/* Plain stores that belong to the step of the event. */
static void drop_attached(struct hd_graph_search *s, uint32_t id)
{
    while (s->n_frames) {
        struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
        if (f->kind != HD_FRAME_PLAIN || f->event == id || !hd_event(&s->g, f->event)->attached)
            return;
        hd_search_unwind(s, f);
        s->g.n_events = f->pool;
        s->n_frames--;
    }
}

void hd_search_drop_part(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    hd_revisit_undo(s, f, f->part);
    if (!f->forward)
        return;
    hd_grant_undo(s, f);
    hd_graph_pop(&s->g, f->part);
    hd_graph_unlink(&s->g, f->part);
    f->forward = false;
}

/* The operation has no store part. */
static bool drop_part(struct hd_graph_search *s, uint32_t id)
{
    struct hd_graph *g = &s->g;
    const struct hd_event *e = hd_event(g, id);
    if (e->part != HD_PART_RMW || e->index + 1 == g->by_thread[e->thread].n)
        return true;
    if (!is_newest_frame_of(s, id))
        return false;
    hd_search_drop_part(s, &s->frames[s->n_frames - 1]);
    return true;
}

/* The store has no effect, wherever it stands, and revisits nothing. */
static bool drop_store(struct hd_graph_search *s, uint32_t id)
{
    if (!is_newest_frame_of(s, id))
        return false;
    struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
    hd_search_unwind(s, f);
    hd_event(&s->g, id)->kind = HD_EVENT_LOCAL;
    hd_graph_push(&s->g, id);
    *f = (struct hd_graph_frame){ .kind = HD_FRAME_ONCE,
                                  .event = id,
                                  .pool = f->pool,
                                  .stamp = f->stamp,
                                  .pos = f->pos,
                                  .entered = true,
                                  .choices = 1,
                                  .now = f->now,
                                  .closed = f->closed };
    return true;
}

bool hd_search_broke(struct hd_graph_search *s, uint32_t thread, uint32_t steps)
{
    uint32_t id = s->now, newest = hd_graph_newest(&s->g, thread);
    struct hd_event *e = hd_event(&s->g, id);
    s->has_broken = true;
    if (!id && newest) {
        hd_event(&s->g, newest)->ends = steps + 1;
        hd_event(&s->g, newest)->broken_at = s->n_frames;
    }
    if (!id)
        return true;
    drop_attached(s, id);
    bool can = e->kind == HD_EVENT_STORE ? drop_store(s, id) : drop_part(s, id);
    if (!can)
        return false;
    hd_search_touch(s, e);
    e->breaks = e->blocked = true;
    e->broken_at = s->n_frames;
    if (is_newest_frame_of(s, id))
        s->frames[s->n_frames - 1].broke = true;
    return true;
}

/* Has the thread broken the program since the newest frame has its alternative?  Its newest
 * event, or 0. */
static uint32_t broken_now(const struct hd_graph_search *s, uint32_t thread)
{
    uint32_t id = hd_graph_newest(&s->g, thread);
    const struct hd_event *e = hd_event(&s->g, id);
    return id && hd_event_is_broken(e) && e->broken_at >= s->n_frames ? id : 0;
}

/* With the next alternative that is another execution, which is to be found by whoever explores
 * the alternative.  Only the frame's own event keeps the mark, because the next alternative
 * depends on it. */
void hd_search_forget_breaks(struct hd_graph_search *s)
{
    for (uint32_t t = 0; t < s->g.used; t++) {
        uint32_t id = broken_now(s, t);
        struct hd_event *e = hd_event(&s->g, id);
        if (!id || (e->breaks && is_newest_frame_of(s, id)))
            continue;
        if (e->breaks) {
            e->run = ~0u;
            s->missing = true;
        }
        hd_search_mend(e);
    }
}

uint32_t hd_search_count_breaks(const struct hd_graph_search *s)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->g.used; t++)
        n += broken_now(s, t) != 0;
    return n;
}
