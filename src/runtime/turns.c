/* Loops that retry, under a search over execution graphs.
 *
 *   while (!cas(&state, &expected, -1))       A turn is the time between two visits of the head
 *       expected = 0;                         of a loop (instrument/turns.c finds the loops).
 *
 * A thread that comes back to a state that it has been in, with nothing but loads in between,
 * has gone round for nothing: an execution without these turns ends in the same way, and is
 * explored, too.  So the thread stands still (docs/design/019-graph.md).  The state of a thread
 * is what it has on its stack and in its registers, and what it has written elsewhere.
 *
 * The thread remembers its newest visits.  Bytes of its stack are compared by a hash; what lies
 * below the frame of the loop does not count. */
#include "runtime/undo.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_WORDS = 256 };

static bool lies_in(uint64_t at, const void *begin, uint64_t bytes)
{
    return at - (uint64_t)(uintptr_t)begin < bytes;
}

/* Words whose contents are not part of the thread's state, or are compared elsewhere.  How
 * often the thread has polled is none: it only bounds what is explored. */
static bool is_left_out(uint64_t at)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    const struct hd_thread *t = hd_thread_now();
    return lies_in(at, (const void *)(f->top - f->bytes), f->bytes) ||
           lies_in(at, rt->next, sizeof rt->next) ||
           lies_in(at, model->telling, sizeof model->telling) ||
           lies_in(at, &t->await, sizeof t->await) || lies_in(at, &t->visits, sizeof t->visits) ||
           lies_in(at, &t->turns, sizeof t->turns + sizeof t->gave_up) ||
           lies_in(at, &model->polling, sizeof model->polling);
}

/* Words that the thread has written, with what they held before it wrote them first. */
struct written {
    struct hd_undo words[MOST_WORDS];
    uint32_t n;
};

/* False: there are too many. */
static bool add_word(struct written *w, struct hd_undo word)
{
    if (is_left_out((uint64_t)(uintptr_t)word.at))
        return true;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->words[i].at == word.at)
            return true;
    if (w->n == MOST_WORDS)
        return false;
    w->words[w->n++] = word;
    return true;
}

static bool add_entries(struct written *w, const struct hd_undo *from, const struct hd_undo *to)
{
    for (; from < to; from++)
        for (uint64_t i = 0, n = hd_undo_words(from); i < n; i++)
            if (!add_word(w, hd_undo_word(from, i)))
                return false;
    return true;
}

/* Since the visit, has the thread left everything outside of its stack as it was? */
static bool left_alone(const struct hd_visit *v)
{
    struct written w; /* large: only what is used is set */
    w.n = 0;
    const struct hd_undo *from = v->log;
    uint32_t thread = rt->cur;
    for (uint32_t i = v->depth; i <= rt->depth; i++) {
        const struct hd_mark *m = &rt->marks[i];
        if (i < rt->depth && m->opaque)
            return false;
        if (i < rt->depth && !m->kept)
            continue;
        const struct hd_undo *to = i < rt->depth ? m->log : rt->log_top;
        if (thread == rt->cur && !add_entries(&w, from, to))
            return false;
        from = to;
        thread = m->thread;
    }
    for (uint32_t i = 0; i < w.n; i++)
        if (*w.words[i].at != w.words[i].old)
            return false;
    return true;
}

static struct hd_visit visit_now(uint64_t sp)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    XXH128_hash_t h = XXH3_128bits((const void *)sp, f->top - sp);
    return (struct hd_visit){ .print = { h.low64, h.high64 },
                              .log = rt->log_top,
                              .sp = sp,
                              .events = hd_explorer_weak_events(rt->ex, rt->cur),
                              .depth = rt->depth,
                              .error_number = *f->error_number };
}

static bool is_same(const struct hd_visit *a, const struct hd_visit *b)
{
    return a->sp == b->sp && memcmp(a->print, b->print, sizeof a->print) == 0 &&
           a->error_number == b->error_number;
}

/* The visit before the i-th newest one at which the thread was in the same state, as an index;
 * HD_MOST_VISITS: there is none. */
static uint32_t same_before(const struct hd_visits *all, const struct hd_visit *now, uint32_t i)
{
    for (; i < HD_MOST_VISITS && i < all->n; i++) {
        const struct hd_visit *v = &all->items[(all->n - 1 - i) % HD_MOST_VISITS];
        if (is_same(v, now) && left_alone(v))
            return i;
    }
    return HD_MOST_VISITS;
}

static void look_back(const struct hd_visits *all, const struct hd_visit *now)
{
    struct hd_recurrence turn = { .before = ~0u };
    uint32_t i = same_before(all, now, 0);
    if (i == HD_MOST_VISITS)
        return;
    const struct hd_visit *v = &all->items[(all->n - 1 - i) % HD_MOST_VISITS];
    turn.from = v->events;
    turn.depth = v->depth;
    i = same_before(all, now, i + 1);
    if (i < HD_MOST_VISITS)
        turn.before = all->items[(all->n - 1 - i) % HD_MOST_VISITS].events;
    hd_explorer_weak_turned(rt->ex, rt->cur, &turn);
}

uint32_t hd_turns_plain;

void hd_turn(uint64_t sp)
{
    if (!rt->weak || rt->mode != HD_EXPLORING || rt->solo_fast || rt->in_invariant)
        return;
    if (rt->row)
        hd_engine_row_over();
    if (!hd_explorer_weak_turns(rt->ex))
        return;
    struct hd_visits *all = &hd_thread_now()->visits;
    struct hd_visit now = visit_now(sp), *newest = &all->items[(all->n - 1) % HD_MOST_VISITS];
    if (all->n && !hd_explorer_weak_idle(rt->ex, rt->cur, newest->events))
        HD_SET(all->n, 0);
    look_back(all, &now);
    struct hd_visit *v = &all->items[all->n % HD_MOST_VISITS];
    hd_log_range(v, sizeof *v);
    *v = now;
    HD_SET(all->n, all->n + 1);
}
