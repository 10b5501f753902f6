/* How far a reversal is in a wakeup tree already (optimal.h): branches that begin v are
 * followed, and their steps removed from v. */
#include "explore/dpor/optimal.h"

/* Clocks: follow first branches as long as they are the next steps of v in the order of the
 * execution, where nothing comes before them.  *f is the event to go on from.  Returns the link
 * of the first other branch, NULL if there is none. */
static uint32_t *follow(struct hd_reversal *v, struct hd_branch *pool, uint32_t *link,
                        uint32_t *f)
{
    const struct hd_hb *hb = &v->dpor.hb;
    const uint32_t *clock = hd_hb_row(hb, *f);
    uint32_t g = *f, newest = 0;
    for (; g < hb->depth; g++, clock += hb->stride) {
        if (clock[v->early] >= v->nth) /* as most do */
            continue;
        struct hd_branch *b = &pool[*link];
        uint32_t thread = hb->events[g].thread;
        if (clock[thread] <= v->cut[thread] || g == v->late->event)
            continue;
        if (b->thread != thread || b->chosen != hb->events[g].choice)
            break;
        v->cut[thread]++;
        newest = g;
        link = &b->below;
        if (!*link) {
            link = b->loose ? link : NULL;
            break;
        }
    }
    *f = g;
    if (newest) {
        hd_reversal_looked_at(v, newest);
        v->whole = false;
    }
    return link;
}

/* Does branch b belong to a prefix of v?  Then its step is removed from v. */
static __attribute__((noinline)) bool matches(struct hd_reversal *v, struct hd_explorer *ex,
                                              const struct hd_branch *b)
{
    uint32_t g = hd_reversal_step(v, b->thread);
    if (__builtin_expect(g < HD_LATE, 1)) {
        if (v->dpor.hb.events[g].choice != b->chosen || !hd_reversal_can_begin(v, g))
            return false;
        hd_reversal_cut(v, g);
        hd_reversal_looked_at(v, g);
        return true;
    }
    struct hd_ground ground = v->ground;
    if (g == HD_LATE ? !hd_reversal_late_begins(v)
                     : !hd_reversal_independent(v, ex, b->thread, &b->action)) {
        v->ground = ground;
        return false;
    }
    if (g == HD_LATE) {
        v->whole = false;
        v->late_taken = true;
    }
    hd_reversal_beside(v, b->thread);
    return true;
}

/* hd_wakeup_prefix() of any execution. */
static __attribute__((noinline)) uint32_t *go_down(struct hd_reversal *v, struct hd_explorer *ex,
                                                   struct hd_branch *pool, uint32_t *link,
                                                   uint32_t *f)
{
    while (*link) {
        if (!v->dpor.hb.sets) {
            uint32_t *from = link;
            link = follow(v, pool, link, f);
            if (!link)
                return NULL;
            v->at_top = v->at_top && link == from;
            if (!*link)
                break;
        }
        struct hd_branch *b = &pool[*link];
        if (!matches(v, ex, b)) {
            link = &b->next;
            continue;
        }
        if (!b->below && !b->loose)
            return NULL;
        link = &b->below;
        v->at_top = false;
    }
    return link;
}

/* Of a branch whose thread has no event in what is left of v: is it soon seen that it does not
 * belong to a prefix of v? */
HD_HOT bool soon_fails(const struct hd_reversal *v, const struct hd_branch *b, uint64_t left)
{
    if (v->late_taken)
        return false;
    if (b->thread != v->late->thread)
        return hd_action_dependent(&b->action, &v->late->action);
    return v->late_plain && hd_hb_word(&v->dpor.hb, v->late->event) & left;
}

/* Otherwise: does it belong to one?  Of an action that occurs in the execution and has one
 * outcome, its event tells. */
static __attribute__((noinline)) bool
matches_no_event(struct hd_reversal *v, struct hd_explorer *ex, const struct hd_branch *b)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint64_t behind = hb->mine[b->thread].w[0] & ~v->gone.w[0];
    uint32_t op = b->action.op, next = (uint32_t)__builtin_ctzll(behind | 1ull << 63);
    if (!behind || (!v->late_taken && b->thread == v->late->thread) || op == HD_OP_FREE ||
        (op == HD_OP_EXIT && hb->stack_cells[b->action.object]) ||
        hd_reversal_turns_out(&b->action) ||
        !hd_action_same(&b->action, &ex->path.nodes[next].action) ||
        hd_hb_word(hb, next) & v->left.w[0])
        return matches(v, ex, b);
    hd_reversal_looked_at(v, next);
    v->gone.w[0] |= behind & -behind;
    return true;
}

/* The same in an execution whose events have their bits in one word. */
static __attribute__((noinline)) uint32_t *go_down_one_word(struct hd_reversal *v,
                                                            struct hd_explorer *ex,
                                                            struct hd_branch *pool,
                                                            uint32_t *link)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint64_t left = v->left.w[0];
    while (*link) {
        struct hd_branch *b = &pool[*link];
        uint64_t mine = hb->mine[b->thread].w[0] & left;
        if (mine) {
            uint32_t g = (uint32_t)__builtin_ctzll(mine);
            uint64_t known = hd_hb_word(hb, g) & left; /* g is one of them */
            if (known & (known - 1) || hb->events[g].choice != b->chosen) {
                link = &b->next;
                continue;
            }
            hd_reversal_looked_at(v, g);
            v->whole = false;
            v->gone.w[0] |= known;
            v->left.w[0] = left &= ~known;
        } else if (soon_fails(v, b, left) || !matches_no_event(v, ex, b)) {
            link = &b->next;
            continue;
        }
        v->at_top = false;
        link = &b->below;
        if (!*link)
            return b->loose ? link : NULL;
    }
    return link;
}

uint32_t *hd_wakeup_prefix(struct hd_reversal *v, struct hd_explorer *ex, struct hd_branch *pool,
                           uint32_t *link, uint32_t *f)
{
    v->at_top = true;
    if (__builtin_expect(v->dpor.hb.sets && v->dpor.hb.depth <= 64, 1))
        return go_down_one_word(v, ex, pool, link);
    return go_down(v, ex, pool, link, f);
}
