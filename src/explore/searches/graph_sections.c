/* Atomic sections in the search over graphs (docs/design/019-graph.md).
 *
 * A section is a critical section of one lock.  Sections come one after the other, and happen
 * before each other.  What is left is an access outside of sections: if happens-before orders
 * it with every access of its location in a section, it cannot come in between.  Otherwise it
 * could see a section half done, and the program is refused. */
#include "explore/searches/graph_inner.h"

static bool is_write(const struct hd_action *a)
{
    return hd_op_table[a->op].access == HD_ACCESS_WRITE;
}

/* Is the event of another thread on the other side of a section, and not before the thread's
 * next action? */
static bool meets(const struct hd_graph *g, uint32_t newest, const struct hd_action *a,
                  uint32_t id)
{
    const struct hd_event *e = hd_event(g, id), *now = hd_event(g, newest);
    return e->thread != HD_MAX_THREADS && e->thread != now->thread && e->inside != now->inside &&
           (is_write(a) || is_write(&e->action)) &&
           !hd_clock_has(g, hd_clock(g, newest, HD_CLOCK_HB), id);
}

uint32_t hd_graph_meets_section(const struct hd_explorer *ex, uint32_t thread,
                                const struct hd_action *a)
{
    struct hd_graph *g = &mine(ex)->g;
    g->section = ex->world.config->section;
    uint32_t newest = thread < g->lanes ? hd_graph_newest(g, thread) : 0;
    if (!g->section || !newest || hd_op_table[a->op].space != HD_SPACE_MEM)
        return 0;
    uint32_t place = hd_graph_find(g, a->object, HD_SPACE_MEM);
    for (uint32_t w = place ? g->places[place].first : 0; w; w = hd_event(g, w)->mo_next) {
        if (meets(g, newest, a, w))
            return w;
        for (uint32_t r = hd_event(g, w)->reader; r; r = hd_event(g, r)->reader_next)
            if (meets(g, newest, a, r))
                return r;
    }
    return 0;
}

/* In a section: accesses of memory, fences, choices; everything else may let others go on. */
bool hd_graph_leaves_section(const struct hd_explorer *ex, uint32_t thread,
                             const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t newest = g->section && thread < g->lanes ? hd_graph_newest(g, thread) : 0;
    uint8_t space = hd_op_table[a->op].space;
    return newest && hd_event(g, newest)->inside && space != HD_SPACE_MEM &&
           a->object != g->section && space != HD_SPACE_NONE;
}
