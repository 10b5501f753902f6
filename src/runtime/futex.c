/* Futexes, as the system call has them.
 *
 *              wait                       wake (chosen), wake-all        woken
 *   running ──────────▶ BLOCKED ─────────────────────────────▶ WOKEN ──────────▶ running
 *              │        never enabled                           always enabled
 *              └──────▶ running with EAGAIN: the word holds another value
 *
 *              timedwait       its own step at any time
 *   running ──────────▶ WAKE ──────────────────────────▶ running
 *                       woken if a wake has chosen it before, timed out if not
 *
 * The look at the word and the queueing are one step.  A wake of no fewer threads than wait is
 * one step; one of some of them, or with a mask, a step for every thread that it wakes, which
 * it takes from those that wait at its beginning.  A requeue touches two queues and the word,
 * so it conflicts with everything.
 *
 * Under a weak memory model the look at the word is a step of its own, because it is a load
 * whose store the search chooses.  The search does not let the thread queue after a wake that
 * the load should have known of (explore/graph/futexes.c).  Wakes of one
 * thread, of all and of a number, with a mask or without, have their own operations, one step
 * each.  A requeue that compares is two steps, as a wait is. */
#include "runtime/futex.h"

#include "core/enabled.h"
#include "core/subset.h"
#include "runtime/memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <time.h>

#define NS 1000000000ull

static struct hd_sync *futex_at(const void *word, uint32_t site)
{
    if ((uintptr_t)word & 3)
        return NULL;
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)word);
    bool other = s && s->kind != HD_SYNC_FUTEX && !s->destroyed;
    if (other)
        hd_violation(HD_KIND_MISUSE, site, "a futex call on the memory of another lock");
    return s && s->kind == HD_SYNC_FUTEX ? s
                                         : hd_sync_make((uint64_t)(uintptr_t)word, HD_SYNC_FUTEX);
}

static bool matches(const struct hd_sync *s, uint32_t waiter, uint32_t waker)
{
    const struct hd_thread *t = &model->threads[waker];
    return hd_tset_has(&s->pending, waiter) &&
           (model->threads[waiter].futex_bits & t->futex_bits) &&
           (!t->futex_limited || hd_tset_has(&t->futex_among, waiter));
}

/* The threads that the wake or requeue of `waker` may wake. */
static uint32_t waiters(const struct hd_sync *s, uint32_t waker)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        n += matches(s, i, waker);
    return n;
}

static bool wakes_all(const struct hd_sync *s, uint32_t waker)
{
    const struct hd_thread *t = &model->threads[waker];
    return t->futex_bits == FUTEX_BITSET_MATCH_ANY && !t->futex_limited &&
           t->futex_count >= waiters(s, waker);
}

static bool moves(uint32_t op) { return op == HD_OP_FUTEX_REQUEUE || op == HD_OP_FUTEX_MOVE; }

static uint16_t choices(const struct hd_sync *s, uint32_t waker, enum hd_op op)
{
    uint32_t n = op == HD_OP_FUTEX_WAKE_EVERY ? 1 : waiters(s, waker);
    bool one = moves(op) ? model->threads[waker].futex_count : !wakes_all(s, waker);
    return (uint16_t)(one && n > 1 ? n : 1);
}

/* Pending wakes have as many choices as there are waiters now. */
static void recount(const struct hd_sync *s)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        bool wakes = a->op == HD_OP_FUTEX_WAKE || a->op == HD_OP_FUTEX_WAKE_ONE || moves(a->op);
        if (wakes && a->object == s->addr)
            hd_recount(a, choices(s, i, (enum hd_op)a->op));
    }
}

void hd_futex_recount(uint64_t word)
{
    const struct hd_sync *s = hd_sync_find(word);
    if (s)
        recount(s);
}

enum hd_op hd_futex_outcome(uint32_t thread)
{
    const struct hd_action *a = &rt->next[thread];
    const struct hd_sync *s = hd_sync_find(a->object);
    const struct hd_thread *t = &model->threads[thread];
    uint64_t held[2];
    if (a->op == HD_OP_FUTEX_WAKE)
        return !s || wakes_all(s, thread) ? HD_OP_FUTEX_WAKE_ALL : HD_OP_FUTEX_WAKE;
    if (a->op == HD_OP_FUTEX_REQUEUE && !t->futex_compares)
        return HD_OP_FUTEX_REQUEUE;
    hd_view_peek(thread, a->object, 4, held);
    if ((uint32_t)held[0] == t->futex_value)
        return (enum hd_op)a->op;
    return a->op == HD_OP_FUTEX_WAIT ? HD_OP_FUTEX_AGAIN : HD_OP_FUTEX_UNEQUAL;
}

static uint32_t choice_of(const struct hd_sync *s, uint32_t waker, uint32_t choice)
{
    for (uint32_t i = 0; s && i < rt->config.n_threads; i++)
        if (matches(s, i, waker) && choice-- == 0)
            return i;
    return ~0u;
}

uint32_t hd_futex_chosen(uint32_t thread, uint32_t choice)
{
    const struct hd_action *a = &rt->next[thread];
    enum hd_op op = hd_op_futex((enum hd_op)a->op) ? (enum hd_op)a->op : hd_futex_outcome(thread);
    bool one = op == HD_OP_FUTEX_WAKE || op == HD_OP_FUTEX_WAKE_ONE ||
               (moves(op) && model->threads[thread].futex_count);
    return one ? choice_of(hd_sync_find(a->object), thread, choice) : ~0u;
}

uint64_t hd_futex_sleepers(void)
{
    uint64_t sleep = 0;
    for (uint32_t i = 0; i < rt->config.n_threads && i < 64; i++) {
        const struct hd_action *a = &rt->next[i];
        bool waits = a->op == HD_OP_BLOCKED || a->op == HD_OP_WAKE;
        const struct hd_sync *s = waits ? hd_sync_find(a->object) : NULL;
        if (s && s->kind == HD_SYNC_FUTEX && hd_tset_has(&s->pending, i))
            sleep |= 1ull << i;
    }
    return sleep;
}

uint64_t hd_futex_moves(uint32_t thread)
{
    const struct hd_thread *t = &model->threads[thread];
    if (rt->next[thread].op != HD_OP_FUTEX_MOVE)
        return 0;
    return (t->futex_count ? HD_MOVE_WAKES : 0) | (t->futex_compares ? HD_MOVE_COMPARES : 0);
}

static void wake(struct hd_sync *s, uint32_t thread)
{
    if (rt->next[thread].op == HD_OP_FUTEX_INTERRUPT)
        HD_SET(rt->next[thread].choices, 1); /* the call returns 0 */
    if (hd_waits_at(thread, s->addr)->op != HD_OP_WAKE) {
        hd_sync_wake(s, thread, HD_OP_FUTEX_WOKEN);
        return;
    }
    hd_log_word(&s->pending.w[thread >> 6]);
    hd_tset_del(&s->pending, thread);
    HD_SET(model->threads[thread].woken, 1);
}

static void ask(uint32_t count, uint32_t bits, bool compares, uint32_t value)
{
    struct hd_thread *t = hd_thread_now();
    hd_log_range(&t->futex_bits, 16);
    HD_SET(t->futex_limited, 0);
    t->futex_bits = bits;
    t->futex_count = count;
    t->futex_compares = compares;
    t->futex_value = value;
}

static bool holds(const uint32_t *word, uint32_t value)
{
    uint32_t now;
    hd_view_atomic_load(rt->cur, word, &now, sizeof now, HD_ORDER_RELAXED);
    if (HD_UNLIKELY(rt->weak) && rt->mode == HD_REPLAYING)
        hd_replay_values(now, 0, HD_STEP_HAS_READ);
    return now == value;
}

/* The step, or the two steps, of a wait.  True: the word holds the value. */
static bool may_sleep(uint32_t *word, uint32_t value, bool timed, uint32_t site)
{
    enum hd_op op = timed ? HD_OP_FUTEX_TIMEDWAIT : HD_OP_FUTEX_WAIT;
    bool apart = rt->weak && !rt->solo_fast;
    hd_orders_less(HD_LESS_FUTEX);
    if (HD_LIKELY(!apart)) {
        if (!rt->solo_fast)
            hd_act(op, word, word, 4, site);
        return holds(word, value);
    }
    hd_before_access(HD_OP_FUTEX_READ, word, 4, site);
    if (!holds(word, value))
        return false;
    hd_act(timed ? HD_OP_FUTEX_TIMEDSLEEP : HD_OP_FUTEX_SLEEP, word, NULL, 0, site);
    return true;
}

static long again(void)
{
    errno = EAGAIN;
    return -1;
}

static void leave_set(struct hd_sync *s)
{
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_del(&s->pending, rt->cur);
    recount(s);
}

void hd_futex_leave(uint64_t word)
{
    struct hd_sync *s = hd_sync_find(word);
    if (s)
        leave_set(s);
}

static long leave(struct hd_sync *s, int error)
{
    leave_set(s);
    errno = error;
    return -1;
}

static long sleep_untimed(struct hd_sync *s, uint32_t *word, uint32_t value, uint32_t site)
{
    if (!may_sleep(word, value, false, site))
        return again();
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    recount(s);
    hd_set_enabled(rt->cur, false);
    hd_act(HD_OP_BLOCKED, word, NULL, 0, site);
    return hd_interrupted() ? leave(s, EINTR) : 0;
}

static long sleep_timed(struct hd_sync *s, uint32_t *word, uint32_t value, uint64_t deadline,
                        uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    if (!may_sleep(word, value, true, site))
        return again();
    HD_SET(t->woken, 0);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    recount(s);
    if (!rt->solo_fast)
        hd_act(HD_OP_WAKE, word, NULL, 0, site);
    bool ends = hd_interrupted();
    if (t->woken) {
        hd_polls_got_on();
        return 0;
    }
    leave(s, EINTR);
    if (ends)
        return -1;
    hd_clock_reach(deadline, site);
    errno = ETIMEDOUT;
    return -1;
}

static long futex_wait(const struct hd_futex_call *c, uint32_t bits, bool relative)
{
    struct hd_sync *s = futex_at(c->word, c->site);
    struct timespec at;
    uint64_t deadline = 0;
    if (bits == 0 || !s) {
        errno = EINVAL;
        return -1;
    }
    hd_no_atomic(c->site);
    ask(0, bits, true, c->value);
    if (!c->timeout)
        return sleep_untimed(s, c->word, c->value, c->site);
    __heddle_load_n(c->timeout, &at, sizeof at, c->site);
    int clock = c->op & FUTEX_CLOCK_REALTIME && !relative ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    if (!hd_deadline(clock, &at, &deadline)) {
        errno = EINVAL;
        return -1;
    }
    if (relative)
        deadline = hd_clock_now(c->site) + (uint64_t)at.tv_sec * NS + (uint64_t)at.tv_nsec;
    if (hd_deadline_never(deadline) || hd_polls_too_long(c->site)) {
        long status = sleep_untimed(s, c->word, c->value, c->site);
        hd_polls_waited();
        return status;
    }
    return sleep_timed(s, c->word, c->value, deadline, c->site);
}

static _Noreturn void not_modelled(const struct hd_futex_call *c, const char *what)
{
    char place[300];
    hd_site_text(c->site, place, sizeof place);
    hd_fatal("%s: %s is not modelled by this version of heddle", place, what);
}

/* Inside an atomic section only the choice of the waiter to wake is a step. */
static void act(enum hd_op op, void *word, void *word2, struct hd_sync *s, uint32_t site)
{
    uint32_t n = choices(s, rt->cur, op);
    if (hd_section_inside())
        hd_section_choose(n, site);
    else if (!rt->solo_fast)
        hd_act_full(op, word, word2, 0, site, n);
}

/* Wakes threads that were waiting when the wake began and have not been woken since. */
static long wake_some(struct hd_sync *s, uint32_t count, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    uint32_t woken = 0;
    hd_log_range(&t->futex_limited, sizeof t->futex_limited + sizeof t->futex_among);
    t->futex_limited = 1;
    t->futex_among = s->pending;
    while (woken < count) {
        act(HD_OP_FUTEX_WAKE, (void *)(uintptr_t)s->addr, NULL, s, site);
        uint32_t thread = choice_of(s, rt->cur, rt->choice);
        if (thread == ~0u)
            break;
        wake(s, thread);
        recount(s);
        woken++;
    }
    return woken;
}

static enum hd_op wake_op(uint32_t count)
{
    if (HD_LIKELY(!rt->weak))
        return HD_OP_FUTEX_WAKE;
    if (count == 1)
        return HD_OP_FUTEX_WAKE_ONE;
    return count >= HD_MAX_THREADS ? HD_OP_FUTEX_WAKE_EVERY : HD_OP_FUTEX_WAKE_SOME;
}

/* A wake of `count` threads in one step. */
static long wake_subset(struct hd_sync *s, uint32_t count, const struct hd_futex_call *c)
{
    hd_act(HD_OP_FUTEX_WAKE_SOME, c->word, NULL, count, c->site);
    uint32_t n = waiters(s, rt->cur), left = rt->choice;
    long woken = 0;
    if (hd_subsets(n, count) > HD_MOST_SUBSETS)
        not_modelled(c, "a futex wake with more than 65535 choices of whom it wakes");
    for (uint32_t i = 0; i < rt->config.n_threads && count; i++) {
        if (!matches(s, i, rt->cur))
            continue;
        uint32_t with = hd_subsets(--n, count - 1); /* the sets that have this thread */
        if (left >= with) {
            left -= with;
            continue;
        }
        wake(s, i);
        woken++;
        count--;
    }
    recount(s);
    return woken;
}

static long futex_wake(const struct hd_futex_call *c, uint32_t bits)
{
    struct hd_sync *s = futex_at(c->word, c->site);
    uint32_t count = c->value > INT_MAX ? 0 : c->value, woken = 0;
    if (bits == 0 || !s) {
        errno = EINVAL;
        return -1;
    }
    if (count == 0)
        return 0;
    ask(count, bits, false, 0);
    enum hd_op op = wake_op(count);
    if (op == HD_OP_FUTEX_WAKE_SOME && !rt->solo_fast)
        return wake_subset(s, count, c);
    act(op, c->word, NULL, s, c->site);
    if (op != HD_OP_FUTEX_WAKE_EVERY && !wakes_all(s, rt->cur)) {
        uint32_t first = choice_of(s, rt->cur, rt->choice);
        if (first == ~0u)
            return 0;
        wake(s, first);
        recount(s);
        return 1 + (count > 1 ? wake_some(s, count - 1, c->site) : 0);
    }
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (matches(s, i, rt->cur)) {
            wake(s, i);
            woken++;
        }
    recount(s);
    return woken;
}

/* The step, or the two steps, of a requeue.  True: the word holds the value, if that is
 * asked. */
static bool may_move(const struct hd_futex_call *c, struct hd_sync *from, bool compares)
{
    bool apart = rt->weak && !rt->solo_fast;
    if (HD_LIKELY(!apart)) {
        act(HD_OP_FUTEX_REQUEUE, c->word, c->word2, from, c->site);
        return !compares || holds(c->word, c->value3);
    }
    if (compares) {
        hd_before_access(HD_OP_FUTEX_READ, c->word, 4, c->site);
        if (!holds(c->word, c->value3))
            return false;
    }
    act(HD_OP_FUTEX_MOVE, c->word, c->word2, from, c->site);
    return true;
}

static long futex_requeue(const struct hd_futex_call *c, bool compares)
{
    struct hd_sync *from = futex_at(c->word, c->site), *to = futex_at(c->word2, c->site);
    if (!from || !to) {
        errno = EINVAL;
        return -1;
    }
    if (c->value > 1)
        not_modelled(c, "a futex requeue that wakes more than one thread");
    ask(c->value, FUTEX_BITSET_MATCH_ANY, compares, c->value3);
    if (!may_move(c, from, compares))
        return again();
    uint32_t n = waiters(from, rt->cur), moved = 0;
    uint32_t first = c->value ? choice_of(from, rt->cur, rt->choice) : ~0u;
    bool woken = first != ~0u;
    if (woken)
        wake(from, first);
    if (n - woken > c->limit)
        not_modelled(c, "a futex requeue that leaves threads where they are");
    for (uint32_t i = 0; i < rt->config.n_threads && from != to; i++) {
        if (!hd_tset_has(&from->pending, i))
            continue;
        if (rt->next[i].op != HD_OP_BLOCKED)
            not_modelled(c, "a futex requeue of a thread whose wait has a timeout");
        hd_log_word(&from->pending.w[i >> 6]);
        hd_tset_del(&from->pending, i);
        hd_log_word(&to->pending.w[i >> 6]);
        hd_tset_add(&to->pending, i);
        HD_SET(rt->next[i].object, to->addr);
        moved++;
    }
    recount(from);
    recount(to);
    return (long)moved + woken;
}

long hd_futex(const struct hd_futex_call *c)
{
    switch (c->op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(c, FUTEX_BITSET_MATCH_ANY, true);
    case FUTEX_WAIT_BITSET:
        return futex_wait(c, c->value3, false);
    case FUTEX_WAKE:
        return futex_wake(c, FUTEX_BITSET_MATCH_ANY);
    case FUTEX_WAKE_BITSET:
        return futex_wake(c, c->value3);
    case FUTEX_REQUEUE:
        return futex_requeue(c, false);
    case FUTEX_CMP_REQUEUE:
        return futex_requeue(c, true);
    default:
        not_modelled(c, "a futex operation other than wait, wake and requeue");
    }
}
