/* Which events of the execution an action depends on. */
#include "explore/order/hb_inner.h"

bool hd_hb_any_cell(struct hd_hb *hb, const struct hd_touch *range,
                    bool (*look)(void *self, uint32_t cell), void *self)
{
    struct hd_cells *cells = &hb->cells;
    uint64_t bytes = range->end - range->begin;
    uint64_t thread = (range->begin - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (thread < HD_MAX_THREADS && hb->stack_cells[thread] == 0)
        return false;
    hd_cells_cut(cells, range->begin);
    hd_cells_cut(cells, range->end);
    if (bytes < cells->n) {
        for (uint64_t at = range->begin; at < range->end; at++) {
            uint32_t cell = hd_cells_find(cells, at);
            if (cell != ~0u && look(self, cell))
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < cells->n; i++)
        if (cells->cells[i].addr - range->begin < bytes && look(self, i))
            return true;
    return false;
}

/* Does the action depend on an access of the object, from the newest one back to `event`?
 * `commutes`: not those that the action commutes with. */
static bool object_depends(const struct hd_hb *hb, struct hd_hb_object o, uint64_t addr,
                           bool writes, uint64_t commutes, uint32_t event,
                           bool (*among)(const void *self, uint32_t event), const void *self)
{
    for (;;) {
        for (uint32_t r = o.read; writes && r != HD_NO_EVENT && r > event;
             r = hd_hb_object_before(hb, r, addr).read)
            if (among(self, r))
                return true;
        if (o.write == HD_NO_EVENT || o.write <= event)
            return false;
        if ((!commutes || hb->events[o.write].commutes != commutes) && among(self, o.write))
            return true;
        o = hd_hb_object_before(hb, o.write, addr);
    }
}

struct asked { /* by hd_hb_depends */
    const struct hd_hb *hb;
    uint32_t event;
    bool (*among)(const void *self, uint32_t event);
    const void *self;
};

static bool cell_depends(void *self, uint32_t cell)
{
    const struct asked *a = self;
    return object_depends(a->hb, a->hb->objects[cell], a->hb->cells.cells[cell].addr, true, 0,
                          a->event, a->among, a->self);
}

static bool ended_behind(const struct asked *a, const struct hd_touch *range)
{
    for (uint64_t i = a->hb->n_ends; i > 0 && a->hb->ends[i - 1].event > a->event; i--) {
        const struct hd_hb_end *e = &a->hb->ends[i - 1];
        if (range->begin < e->end && e->begin < range->end && a->among(a->self, e->event))
            return true;
    }
    return false;
}

/* Does the action touch a stack or the heap, which may end? */
static bool may_end(const struct hd_action *a)
{
    return hd_op_table[a->op].space != HD_SPACE_THREAD && a->object + a->size > HD_STACK_BASE &&
           a->object < HD_LAYOUT_END;
}

bool hd_hb_depends(struct hd_hb *hb, const struct hd_action *action, uint32_t event,
                   bool (*among)(const void *self, uint32_t event), const void *self)
{
    if (hd_op_table[action->op].access == HD_ACCESS_ALL) {
        for (uint32_t f = event + 1; f < hb->depth; f++)
            if (among(self, f))
                return true;
        return false;
    }
    for (uint32_t f = hb->last_all; f != HD_NO_EVENT && f > event; f = hb->events[f].all)
        if (among(self, f))
            return true;
    struct hd_touch touched[HD_MAX_TOUCHES];
    uint64_t commutes = hd_action_commuting(action);
    if (hd_action_touches_one(action) && !may_end(action)) {
        struct hd_touch one = hd_touch_one(action);
        uint32_t cell = hd_cells_exact(&hb->cells, one.begin, (uint32_t)(one.end - one.begin));
        if (cell != ~0u)
            return object_depends(hb, hb->objects[cell], one.begin, one.writes, commutes, event,
                                  among, self);
    }
    struct asked asked = { hb, event, among, self };
    for (int i = 0, n = hd_touches_all(action, touched); i < n; i++) {
        if (ended_behind(&asked, &touched[i]))
            return true;
        if (hd_touch_ends(action, &touched[i])) {
            if (hd_hb_any_cell(hb, &touched[i], cell_depends, &asked))
                return true;
            continue;
        }
        for (uint64_t at = touched[i].begin; at < touched[i].end;) {
            uint32_t cell = hd_cells_at(&hb->cells, at, touched[i].end);
            if (cell == ~0u || hb->full) {
                hb->full = true;
                return false;
            }
            if (object_depends(hb, hb->objects[cell], at, touched[i].writes, commutes, event,
                               among, self))
                return true;
            at += hb->cells.cells[cell].len;
        }
    }
    return false;
}
