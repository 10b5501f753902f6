#include "explore/reversal.h"

#include "core/enabled.h"

/* May the operation turn out otherwise in another place? */
static bool turns_out(const struct hd_action *a)
{
    return hd_op_has_outcome((enum hd_op)a->op) || hd_op_is_outcome((enum hd_op)a->op);
}

void hd_reversal_begin(struct hd_reversal *v, uint32_t e, const struct hd_late *late)
{
    v->e = e;
    v->late = late;
    v->late_taken = false;
    v->whole = true;
    v->early = v->dpor.hb.events[e].thread;
    v->nth = hd_hb_clock(&v->dpor.hb, e)[v->early];
    v->none = 0;
    v->ground.newest = late->event;
    v->ground.settled = late->event != HD_NO_EVENT && !turns_out(&late->action) &&
                        late->action.op != HD_OP_END;
    const uint32_t *counts = hd_hb_counts(&v->dpor.hb, e);
#pragma clang loop unroll(disable)
    for (uint32_t i = 0; i < v->dpor.hb.width; i += 4) {
        _mm_store_si128((__m128i *)(void *)(v->cut + i),
                        _mm_load_si128((const __m128i *)(const void *)(counts + i)));
        _mm_store_si128((__m128i *)(void *)(v->beside + i), _mm_setzero_si128());
    }
}

bool hd_reversal_has(const void *self, uint32_t f)
{
    const struct hd_reversal *v = self;
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t t = hb->events[f].thread;
    return f != v->late->event && hd_hb_clock(hb, f)[t] > v->cut[t] && !hd_reversal_after(v, f);
}

/* Does nothing that is left of v happen before event g, or is it g? */
static bool nothing_before(struct hd_reversal *v, uint32_t g)
{
    const struct hd_hb *hb = &v->dpor.hb;
    const uint32_t *clock = hd_hb_clock(hb, g);
    uint64_t none = v->none;
    for (uint32_t i = 0; i < hd_tset_words(hb->n_threads); i++, none = 0)
        for (uint64_t w = hd_hb_beyond(hb, clock, v->cut, i) & ~none; w; w &= w - 1) {
            uint32_t t = 64 * i + (uint32_t)__builtin_ctzll(w);
            if (!hd_reversal_after(v, hb->of[t][v->cut[t]]))
                return false;
            v->none |= hd_reversal_bit(t);
        }
    return true;
}

/* Can the late half begin the whole of v?  Asked of its event, without looking at v: nothing that
 * happens before it, but e, stands behind e. */
static bool late_begins(const struct hd_reversal *v)
{
    const struct hd_hb_event *event = &v->dpor.hb.events[v->late->event];
    return v->late->newest && (event->before == HD_NO_EVENT || event->before < v->e) &&
           (event->wake == HD_NO_EVENT || event->wake < v->e);
}

/* Must nothing that is left of v come before the late half?  (Asked of its action, not of its
 * clock: it may turn out otherwise.) */
__attribute__((noinline)) bool hd_reversal_late_begins(struct hd_reversal *v)
{
    struct hd_hb *hb = &v->dpor.hb;
    const struct hd_late *late = v->late;
    bool pending = late->event == HD_NO_EVENT;
    if (!pending && late->action.op != HD_OP_END && !turns_out(&late->action)) {
        bool begins = late_begins(v);
        if (begins || v->whole)
            return begins;
        /* a lock may come after what the holder before it did, and need not when it comes first */
        if (!hd_op_blocks((enum hd_op)late->action.op))
            return nothing_before(v, late->event);
    }
    uint32_t last = pending ? hb->last[late->thread] : hb->events[late->event].before;
    uint32_t wake = pending ? hb->wake[late->thread] : hb->events[late->event].wake;
    return (last == HD_NO_EVENT || nothing_before(v, last)) &&
           (wake == HD_NO_EVENT || nothing_before(v, wake)) &&
           !hd_hb_depends(hb, &late->action, v->e, hd_reversal_has, v);
}

/* The same of any step; nothing is cut off. */
static inline bool begins(struct hd_reversal *v, uint32_t g)
{
    if (g == HD_LATE)
        return hd_reversal_late_begins(v);
    if (!hd_reversal_cut(v, g))
        return false;
    v->cut[v->dpor.hb.events[g].thread]--;
    return true;
}

/* Is the action, the next of a thread that has no step in what is left of v, independent of
 * it?  If E has it, behind e, what it depends on happens before it there. */
bool hd_reversal_independent(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t thread,
                             const struct hd_action *action)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (!v->late_taken && hd_action_dependent(action, &v->late->action))
        return false;
    uint32_t nth = v->cut[thread] + v->beside[thread];
    uint32_t next = nth < hb->count[thread] ? hb->of[thread][nth] : HD_NO_EVENT;
    bool ends = action->op == HD_OP_FREE ||
                (action->op == HD_OP_EXIT && hb->stack_cells[action->object]);
    if (next != HD_NO_EVENT && !turns_out(action) && !ends &&
        hd_action_same(action, &ex->path.nodes[next].action)) {
        hd_reversal_looked_at(v, next);
        if (nothing_before(v, next))
            return true;
    } else {
        v->ground.settled = false;
    }
    return !hd_hb_depends(&v->dpor.hb, action, v->e, hd_reversal_has, v);
}

/* The action of a thread asleep at the node of e: it has not moved there. */
static struct hd_action sleeping_action(const struct hd_reversal *v, const struct hd_explorer *ex,
                                        uint32_t thread)
{
    uint32_t next = hd_hb_next_of(&v->dpor.hb, thread, v->e);
    struct hd_action action = next == HD_NO_EVENT ? ex->world.config->next[thread]
                                                  : ex->path.nodes[next].action;
    enum hd_op attempt = hd_op_attempt((enum hd_op)action.op);
    bool failed = hd_tset_has(&v->dpor.sleep.failed[v->e], thread);
    action.op = (uint16_t)(failed ? attempt + 1 : attempt);
    return action;
}

/* Is q, asleep at the node of e, one that can begin v? */
static bool begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q)
{
    uint32_t g = hd_reversal_step(v, q);
    if (g == HD_NO_EVENT) {
        struct hd_action action = sleeping_action(v, ex, q);
        return hd_reversal_independent(v, ex, q, &action);
    }
    hd_reversal_looked_at(v, g);
    return begins(v, g);
}

bool hd_reversal_begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q)
{
    struct hd_ground ground = v->ground;
    bool covers = begun_by(v, ex, q);
    if (!covers)
        v->ground = ground; /* only what the answer yes stands on matters */
    return covers;
}

/* The thread of v's first step, in the order of the execution. */
uint32_t hd_reversal_first(const struct hd_reversal *v)
{
    const struct hd_hb *hb = &v->dpor.hb;
    for (uint32_t f = v->e + 1; f < hb->depth; f++)
        if (hd_reversal_has(v, f))
            return hb->events[f].thread;
    return v->late->thread;
}
