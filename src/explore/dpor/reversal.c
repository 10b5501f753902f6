#include "explore/dpor/reversal.h"

#include "core/enabled.h"

#include <string.h>

static void begin_clocks(struct hd_reversal *v)
{
    const struct hd_hb *hb = &v->dpor.hb;
    v->early = hb->events[v->e].thread;
    v->nth = hd_hb_row(hb, v->e)[v->early];
    v->none = 0;
    memcpy(v->cut, hd_hb_counts(hb, v->e), 4ull * hb->width);
    memset(v->beside, 0, 4ull * hb->width);
}

/* Of events [from, end), which have their bits in one word: those that happen after e, by bit.
 * Four rows are handled at a time: the bit of e is shifted to the top of a word. */
HD_HOT uint64_t after(const struct hd_hb *hb, uint32_t e, uint32_t from, uint32_t end)
{
    const uint32_t *row = hb->rows + 4ull * from + (e >> 5);
    const __m128i shift = _mm_cvtsi32_si128((int)(31 - (e & 31)));
    uint64_t bits = 0;
    uint32_t n = end - from, i = 0;
#pragma clang loop unroll(disable)
    for (; i < n; i += 4, row += 16) { /* there are rows after the last one */
        __m128i four = _mm_set_epi32((int)row[12], (int)row[8], (int)row[4], (int)row[0]);
        __m128 tops = _mm_castsi128_ps(_mm_sll_epi32(four, shift));
        bits |= (uint64_t)(uint32_t)_mm_movemask_ps(tops) << i;
    }
    return n ? (bits & ~0ull >> (64 - n)) << (from & 63) : 0;
}

void hd_reversals_begin(struct hd_reversal *v)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (!hb->sets)
        return;
    /* events from `lowest` on are new ones */
    uint32_t kept = hb->lowest < hb->depth ? hb->lowest : hb->depth;
    __m128i most = _mm_set1_epi8((char)kept);
    for (uint32_t e = 0; e < kept; e += 16) {
        __m128i *until = (__m128i *)(void *)(v->until + e);
        _mm_store_si128(until, _mm_min_epu8(_mm_load_si128(until), most));
    }
    memset(v->until + kept, 0, hb->depth - kept);
}

/* e, and the events that happen after e. */
static struct hd_set events_after(struct hd_reversal *v)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t e = v->e, depth = hb->depth, from = v->until[e];
    struct hd_set *known = &v->after[e];
    if (from <= e) {
        *known = (struct hd_set){ { 0, 0 } };
        from = e;
    } else {
        *known = hd_set_and(*known, hd_set_below(from));
    }
    if (from < 64)
        known->w[0] |= after(hb, e, from, depth < 64 ? depth : 64);
    if (depth > 64)
        known->w[1] |= after(hb, e, from < 64 ? 64 : from, depth);
    v->until[e] = (uint8_t)depth;
    return *known;
}

/* Sets: v is the events after e, in the execution, that do not happen after e, but for the
 * event of the late half. */
static __attribute__((noinline)) void begin_sets(struct hd_reversal *v)
{
    v->gone = hd_set_below(v->e);
    v->left = hd_set_but(hd_set_but(hd_set_below(v->dpor.hb.depth), v->gone), events_after(v));
    if (v->late->event != HD_NO_EVENT)
        hd_set_del(&v->left, v->late->event);
}

/* The same in an execution whose events have their bits in one word.  Second words are empty,
 * and that of `after` is not read. */
HD_HOT void begin_one_word(struct hd_reversal *v)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t e = v->e, depth = hb->depth, from = v->until[e], late = v->late->event;
    uint64_t known = 0;
    if (from > e)
        known = from < 64 ? v->after[e].w[0] & ~(~0ull << from) : v->after[e].w[0];
    else
        from = e;
    if (from < depth)
        known |= after(hb, e, from, depth);
    v->after[e].w[0] = known;
    v->until[e] = (uint8_t)depth;
    uint64_t gone = ~(~0ull << e), left = ~0ull >> (64 - depth) & ~(gone | known);
    v->gone = (struct hd_set){ { gone, 0 } };
    v->left = (struct hd_set){ { late != HD_NO_EVENT ? left & ~(1ull << late) : left, 0 } };
}

void hd_reversal_begin(struct hd_reversal *v, uint32_t e, const struct hd_late *late)
{
    v->e = e;
    v->late = late;
    v->late_taken = false;
    v->whole = true;
    v->ground.newest = late->event;
    v->ground.settled = late->event != HD_NO_EVENT && !hd_reversal_turns_out(&late->action) &&
                        late->action.op != HD_OP_END;
    v->late_plain = v->dpor.hb.sets && v->ground.settled &&
                    !hd_op_blocks((enum hd_op)late->action.op);
    if (__builtin_expect(!v->dpor.hb.sets, 0)) {
        begin_clocks(v);
        return;
    }
    if (__builtin_expect(v->dpor.hb.depth <= 64, 1))
        begin_one_word(v);
    else
        begin_sets(v);
}

bool hd_reversal_has(const void *self, uint32_t f)
{
    const struct hd_reversal *v = self;
    if (v->dpor.hb.sets)
        return hd_set_has(&v->left, f);
    uint32_t thread = v->dpor.hb.events[f].thread;
    return f != v->late->event && hd_hb_row(&v->dpor.hb, f)[thread] > v->cut[thread] &&
           !hd_reversal_after(v, f);
}

uint32_t hd_reversal_next(const struct hd_reversal *v, uint32_t f)
{
    if (v->dpor.hb.sets)
        return f < HD_HB_SET_EVENTS ? hd_set_first(hd_set_but(v->left, hd_set_below(f)))
                                    : HD_NO_EVENT;
    uint32_t depth = v->dpor.hb.depth;
    while (f < depth && !hd_reversal_has(v, f))
        f++;
    return f < depth ? f : HD_NO_EVENT;
}

static bool nothing_before_clocks(struct hd_reversal *v, uint32_t g)
{
    const struct hd_hb *hb = &v->dpor.hb;
    const uint32_t *clock = hd_hb_row(hb, g);
    uint64_t none = v->none;
    for (uint32_t i = 0; i < hd_tset_words(hb->n_threads); i++, none = 0)
        for (uint64_t w = hd_hb_beyond(hb, clock, v->cut, i) & ~none; w; w &= w - 1) {
            uint32_t t = 64 * i + (uint32_t)__builtin_ctzll(w);
            if (!hd_reversal_after(v, hb->of[t][v->cut[t]]))
                return false;
            v->none |= t < 64 ? 1ull << t : 0;
        }
    return true;
}

/* Is g the only event left in v that happens before g or is g? */
HD_HOT bool nothing_before(struct hd_reversal *v, uint32_t g)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (__builtin_expect(!hb->sets, 0))
        return nothing_before_clocks(v, g);
    struct hd_set known = hd_set_and(hd_hb_set(hb, g), v->left);
    return !(known.w[0] | known.w[1]);
}

/* Can the late half begin the whole of v?  Its event alone tells: nothing but e that happens
 * before it comes after e. */
static bool late_begins(const struct hd_reversal *v)
{
    const struct hd_hb_event *event = &v->dpor.hb.events[v->late->event];
    return v->late->newest && hd_reversal_comes_freely(event, v->e);
}

/* Can the late half begin what is left of v?  Its action tells, not its clock: its outcome may
 * change. */
__attribute__((noinline)) bool hd_reversal_any_late_begins(struct hd_reversal *v)
{
    struct hd_hb *hb = &v->dpor.hb;
    const struct hd_late *late = v->late;
    bool pending = late->event == HD_NO_EVENT;
    if (!pending && late->action.op != HD_OP_END && !hd_reversal_turns_out(&late->action)) {
        bool begins = late_begins(v);
        if (begins || v->whole)
            return begins;
        /* a lock that came after its previous holder need not do so when it comes first */
        if (!hd_op_blocks((enum hd_op)late->action.op))
            return nothing_before(v, late->event);
    }
    uint32_t last = pending ? hb->last[late->thread] : hb->events[late->event].before;
    uint32_t wake = pending ? hb->wake[late->thread] : hb->events[late->event].wake;
    return (last == HD_NO_EVENT || nothing_before(v, last)) &&
           (wake == HD_NO_EVENT || nothing_before(v, wake)) &&
           !hd_hb_depends(hb, &late->action, v->e, hd_reversal_has, v);
}

/* The same for any step; nothing is removed from v. */
static inline bool begins(struct hd_reversal *v, uint32_t g)
{
    return g == HD_LATE ? hd_reversal_late_begins(v) : hd_reversal_can_begin(v, g);
}

/* Is the action, the next of a thread that has no step in what is left of v, independent of it?
 * If it occurs in E after e, what it depends on happens before it there. */
bool hd_reversal_independent_of_events(struct hd_reversal *v, const struct hd_explorer *ex,
                                       uint32_t thread, const struct hd_action *action)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t next = hd_reversal_behind(v, thread);
    bool ends = action->op == HD_OP_FREE ||
                (action->op == HD_OP_EXIT && hb->stack_cells[action->object]);
    if (next != HD_NO_EVENT && !hd_reversal_turns_out(action) && !ends &&
        hd_action_same(action, &ex->path.nodes[next].action)) {
        hd_reversal_looked_at(v, next);
        if (nothing_before(v, next))
            return true;
    } else {
        v->ground.settled = false;
    }
    return !hd_hb_depends(&v->dpor.hb, action, v->e, hd_reversal_has, v);
}

/* The action of a thread asleep at the node of e: the thread has not moved since.  Its outcome
 * is known; `turned` is room for the action. */
static const struct hd_action *sleeping_action(const struct hd_reversal *v,
                                               const struct hd_explorer *ex, uint32_t thread,
                                               struct hd_action *turned)
{
    uint32_t next = hd_hb_next_of(&v->dpor.hb, thread, v->e);
    const struct hd_action *action = next == HD_NO_EVENT ? &ex->world.config->next[thread]
                                                         : &ex->path.nodes[next].action;
    if (__builtin_expect(!hd_reversal_turns_out(action), 1))
        return action;
    enum hd_op attempt = hd_op_attempt((enum hd_op)action->op);
    bool failed = hd_tset_has(&v->dpor.sleep.failed[v->e], thread);
    *turned = *action;
    turned->op = (uint8_t)(failed ? attempt + 1 : attempt);
    return turned;
}

/* Is q, asleep at the node of e, one that can begin v? */
static bool begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q)
{
    uint32_t g = hd_reversal_step(v, q);
    if (g != HD_NO_EVENT) {
        hd_reversal_looked_at(v, g);
        return begins(v, g);
    }
    struct hd_action turned;
    return hd_reversal_independent(v, ex, q, sleeping_action(v, ex, q, &turned));
}

/* The events that were looked at matter only if the answer is yes. */
bool hd_reversal_begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q)
{
    struct hd_ground ground = v->ground;
    bool covers = begun_by(v, ex, q);
    if (!covers)
        v->ground = ground;
    return covers;
}

/* The thread of v's first step, in the order of the execution. */
uint32_t hd_reversal_first(const struct hd_reversal *v)
{
    uint32_t f = hd_reversal_next(v, v->e + 1);
    return f == HD_NO_EVENT ? v->late->thread : v->dpor.hb.events[f].thread;
}
