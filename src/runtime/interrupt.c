/* Handlers that signals of other threads run.
 *
 * A signal that another thread sends is pending at once, and delivered at some later time.
 * A thread of the runtime's own stands for it on its way; when that thread moves is the
 * scheduler's choice, as always.
 *
 *   sender    send: the signal is pending ── creates ──┐
 *   the way                                            └▶ SIGNAL_ARRIVE
 *   target    about to do A ─────────────────────────────▶ SIGNAL_HANDLE ─▶ handler ─▶ A
 *
 * SIGNAL_ARRIVE conflicts with every action.  It sets aside what the target was about to do,
 * whether that could be done or not, and puts SIGNAL_HANDLE in its place.  The handler's frame
 * lies on the target's stack, below the frames of its scheduling point; when the handler has
 * returned, the target stands there again.  Until then it still waits for what it waited for: a
 * signal of a condition variable may wake it meanwhile (hd_waits_at).
 *
 * Whether a call that waits fails with EINTR is a choice: the signal may have come before the
 * call.  SA_RESTART decides for those calls that Linux starts again (signal(7)).
 *
 * Under a weak memory model nothing is on its way.  A thread looks for signals before each of
 * its operations, in a step of its own, and runs the handlers on its own stack
 * (hd_interrupt_looks).  The search decides whether the look finds the signals that are there
 * (docs/design/019-graph.md). */
#include "core/enabled.h"
#include "core/notes.h"
#include "runtime/cancel_wake.h"
#include "runtime/cond.h"
#include "runtime/fault.h"
#include "runtime/futex.h"
#include "runtime/reuse.h"
#include "runtime/signal.h"
#include "runtime/stdin.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define signals (&model->signals)

/* The state of a thread that belongs to the operation it is about to do. */
struct kept {
    uint64_t expected[2], alloc[2], awaited, watched, suspended, polls;
    uint64_t futex[3];
    struct hd_tset among;
    struct hd_await await;
};

static void keep(struct kept *k, const struct hd_thread *t)
{
    memcpy(k->expected, &t->expected, sizeof k->expected);
    memcpy(k->alloc, &t->alloc_size, sizeof k->alloc);
    memcpy(k->futex, &t->futex_bits, sizeof k->futex);
    k->among = t->futex_among;
    k->await = t->await;
    k->awaited = t->awaited_signals;
    k->watched = t->watched_signals;
    k->suspended = t->suspended;
    k->polls = t->polls;
}

static void give_back(const struct kept *k, struct hd_thread *t)
{
    hd_log_known(t, sizeof *t);
    memcpy(&t->expected, k->expected, sizeof k->expected);
    memcpy(&t->alloc_size, k->alloc, sizeof k->alloc);
    memcpy(&t->futex_bits, k->futex, sizeof k->futex);
    t->futex_among = k->among;
    t->await = k->await;
    t->awaited_signals = k->awaited;
    t->watched_signals = k->watched;
    t->suspended = k->suspended;
    t->polls = k->polls;
    t->visits.n = 0; /* a handler is an effect */
}

/* Is the thread about to do something with the object other than to wait for it? */
static bool uses(uint32_t op)
{
    return op == HD_OP_SIGNAL_HANDLE || (op >= HD_OP_FUTEX_WAIT && op <= HD_OP_FUTEX_MOVE);
}

struct hd_action *hd_interrupt_waits(uint32_t thread, uint64_t object)
{
    struct hd_thread *t = &model->threads[thread];
    if (rt->next[thread].object == object && !uses(rt->next[thread].op))
        return &rt->next[thread];
    for (uint32_t i = t->n_interrupted; i > 0; i--) /* or it asks whether it is cancelled */
        if (t->interrupted[i - 1].object == object ||
            t->interrupted[i - 1].op == HD_OP_CANCEL_POINT)
            return &t->interrupted[i - 1];
    return &rt->next[thread];
}

bool hd_interrupt_ends(void)
{
    struct hd_thread *t = hd_thread_now();
    bool ends = t->eintr & HD_EINTR_NOW;
    HD_SET(t->eintr, t->eintr & ~(uint32_t)HD_EINTR_NOW);
    return ends;
}

/* Does it wait in a call that a handler may end? */
static bool may_end(const struct hd_thread *t, const struct hd_action *a)
{
    bool ran = t->eintr & HD_EINTR_RAN, stops = t->eintr & HD_EINTR_STOPS;
    const struct hd_sync *s = a->object ? hd_sync_find(a->object) : NULL;
    switch (a->op) {
    case HD_OP_SEM_WAIT:
    case HD_OP_SEM_TIMEDWAIT:
    case HD_OP_IO_READ:
    case HD_OP_IO_WRITE:
        return stops;
    case HD_OP_BLOCKED:
    case HD_OP_WAKE:
        return stops && s && s->kind == HD_SYNC_FUTEX;
    case HD_OP_IO_AWAIT:
    case HD_OP_IO_TIMEDAWAIT:
        return ran && (t->polls || t->awaited_signals);
    case HD_OP_SLEEP:
        return ran && a->size; /* not the clock of a deadline */
    default:
        return false;
    }
}

/* The choices of an operation depend on who waits now. */
static void recount(struct hd_action *a)
{
    switch (a->op) {
    case HD_OP_SIGNAL:
        hd_cond_recount(a->object);
        break;
    case HD_OP_FUTEX_WAKE:
    case HD_OP_FUTEX_REQUEUE:
        hd_futex_recount(a->object);
        break;
    case HD_OP_ARRIVE:
        hd_barrier_recount(a->object);
        break;
    case HD_OP_ALLOC:
        hd_reuse_recount();
        break;
    case HD_OP_INPUT:
        hd_stdin_recount();
        break;
    default:
        if (hd_op_has((enum hd_op)a->op, HD_OPTRAIT_FAULT) && hd_fault_used_up())
            a->choices = 1;
    }
}

/* The running thread is about to do again what a handler has interrupted: can it? */
static bool can_go(const struct hd_action *a)
{
    struct hd_sync *s;
    if (a->op == HD_OP_BLOCKED || a->op == HD_OP_SPIN || a->op == HD_OP_ASSUME)
        return false;
    if (a->op == HD_OP_JOIN)
        return model->threads[a->object].flags & HD_THREAD_EXITED;
    if (a->op == HD_OP_AWAIT) {
        hd_log_word(&model->awaiting.w[rt->cur >> 6]);
        hd_tset_add(&model->awaiting, rt->cur);
        return true; /* hd_await_refresh() decides */
    }
    if (!hd_op_blocks((enum hd_op)a->op) || !(s = hd_sync_find(a->object)))
        return true;
    hd_log_word(&s->pending.w[rt->cur >> 6]); /* the handler may have waited for it, too */
    hd_tset_add(&s->pending, rt->cur);
    return hd_sync_can_go(s, rt->cur, a);
}

/* The futex at which the handler has interrupted a wait, also one that was woken since. */
static const struct hd_sync *futex_of(const struct hd_action *a)
{
    const struct hd_sync *s = a->object ? hd_sync_find(a->object) : NULL;
    bool waits = a->op == HD_OP_BLOCKED || a->op == HD_OP_WAKE || a->op == HD_OP_FUTEX_WOKEN;
    return s && s->kind == HD_SYNC_FUTEX && waits ? s : NULL;
}

/* Does the call fail that the handler has interrupted?  At a futex that is a step of its own: a
 * wake that comes before it wakes the thread, and one that comes after it finds nobody. */
static bool fails_now(struct hd_thread *t, const struct hd_action *a)
{
    const struct hd_sync *futex = futex_of(a);
    if (futex && t->eintr & HD_EINTR_STOPS) {
        hd_act_full(HD_OP_FUTEX_INTERRUPT, (void *)(uintptr_t)a->object, NULL, 0, a->site,
                    hd_tset_has(&futex->pending, rt->cur) ? 2 : 1);
        if (rt->choice)
            hd_futex_leave(a->object);
        return rt->choice;
    }
    if (!may_end(t, a))
        return false;
    hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, a->site, 2);
    return rt->choice;
}

/* The thread stands where it stood before. */
static _Noreturn void resume(uint64_t sp)
{
    struct hd_thread *t = hd_thread_now();
    struct hd_action *a = &t->interrupted[t->n_interrupted - 1];
    bool ends = fails_now(t, a);
    HD_SET(t->eintr, ends ? HD_EINTR_NOW : 0);
    HD_SET(t->n_interrupted, t->n_interrupted - 1);
    struct hd_action *next = hd_next_now();
    *next = *a;
    if (ends)
        *next = (struct hd_action){
            .object = a->object, .site = a->site, .op = HD_OP_INTERRUPTED, .choices = 1
        };
    recount(next);
    hd_set_enabled(rt->cur, can_go(next));
    hd_cancel_wake(rt->cur);
    hd_back(sp);
}

/* Run the handlers that are due.  `sent`: where the signal comes from. */
static void handle(struct hd_thread *t, uint32_t sent)
{
    struct kept kept;
    keep(&kept, t);
    HD_SET(t->eintr, 0);
    int before = errno;
    hd_signal_due_now(t->interrupted[t->n_interrupted - 1].site);
    if (errno != before && rt->shared) /* the thread may look at it without a step */
        hd_notes_add(&rt->shared->notes, HD_NOTE_ERRNO, sent, 1);
    give_back(&kept, t);
}

/* The step SIGNAL_HANDLE, on a frame of its own. */
static void interrupted(void)
{
    struct hd_thread *t = hd_thread_now();
    if (HD_UNLIKELY(t->part))
        hd_part_posts(HD_OP_SIGNAL_HANDLE, 0);
    uint64_t sp = rt->fibers[rt->cur].sp;
    handle(t, (uint32_t)t->signal_site);
    resume(sp);
}

static _Noreturn void too_deep(uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: signal handlers that interrupt each other more than %d deep are not modelled by "
        "this version of heddle",
        place, HD_MOST_INTERRUPTS);
}

/* ---- under a weak memory model ---- */

/* Would the thread take the signal? */
static bool is_open(const struct hd_thread *t, uint32_t thread, const struct hd_queued *q)
{
    return (q->target == 0 || q->target == thread + 1) &&
           !(t->blocked_signals & hd_signal_bit((int)q->number));
}

bool hd_signal_is_open(uint32_t thread)
{
    const struct hd_thread *t = &model->threads[thread];
    for (uint64_t i = 0; i < signals->n_queued && !t->suspended; i++)
        if (is_open(t, thread, &signals->queue[i]))
            return true;
    return false;
}

uint64_t hd_signal_state(void)
{
    uint64_t state = 0;
    for (uint64_t i = 0; i < signals->n_queued; i++) {
        const struct hd_queued *q = &signals->queue[i];
        uint32_t thread = q->target - 1;
        if (q->target && q->target <= 64 && !model->threads[thread].suspended &&
            !(model->threads[thread].blocked_signals & hd_signal_bit((int)q->number)))
            state |= 1ull << thread;
    }
    return state;
}

uint64_t hd_signal_of_process(void)
{
    uint64_t set = 0;
    for (uint64_t i = 0; i < signals->n_queued; i++)
        if (signals->queue[i].target == 0)
            set |= hd_signal_bit((int)signals->queue[i].number);
    return set;
}

/* To the kernel the two steps with which a thread begins to wait at a futex are one.  A thread
 * in sigsuspend() takes signals otherwise (sigwait.c). */
static bool looks_before(const struct hd_thread *t, const struct hd_action *a)
{
    uint64_t never = hd_signal_bit(SIGKILL) | hd_signal_bit(SIGSTOP);
    bool enters = a->op == HD_OP_FUTEX_SLEEP || a->op == HD_OP_FUTEX_TIMEDSLEEP ||
                  (a->op == HD_OP_FUTEX_MOVE && t->futex_compares);
    return !enters && a->op != HD_OP_ASSUME && rt->config.n_threads > 1 && !t->suspended &&
           !(t->atomic_depth | t->locked_sections) && ~(t->blocked_signals | never);
}

static void set_aside(struct hd_thread *t)
{
    struct hd_action *kept = &t->interrupted[t->n_interrupted];
    if (t->n_interrupted == HD_MOST_INTERRUPTS)
        too_deep(hd_next_now()->site);
    hd_log_known(kept, sizeof *kept);
    *kept = *hd_next_now();
    HD_SET(t->n_interrupted, t->n_interrupted + 1);
    if (hd_tset_has(&model->awaiting, rt->cur)) {
        hd_log_word(&model->awaiting.w[rt->cur >> 6]);
        hd_tset_del(&model->awaiting, rt->cur);
    }
}

/* The thread is about to do again what it has set aside.  `ends`: the call fails instead. */
static void take_up(struct hd_thread *t, bool ends)
{
    struct hd_action *a = &t->interrupted[t->n_interrupted - 1], *next = hd_next_now();
    *next = *a;
    if (ends)
        *next = (struct hd_action){
            .object = a->object, .site = a->site, .op = HD_OP_INTERRUPTED, .choices = 1
        };
    hd_log_known(a, sizeof *a);
    memset(a, 0, sizeof *a);
    HD_SET(t->n_interrupted, t->n_interrupted - 1);
    recount(next);
    hd_set_enabled(rt->cur, can_go(next));
    hd_sync_stale_now(next);
}

/* The step of a look: are there signals, and does the thread take them? */
static bool finds_signals(uint32_t site)
{
    *hd_next_now() = (struct hd_action){ .object = (uint64_t)(uintptr_t)signals,
                                         .size = rt->cur,
                                         .site = site,
                                         .op = HD_OP_SIGNAL_POINT,
                                         .choices = 1 };
    hd_set_enabled(rt->cur, true);
    hd_point();
    return hd_signal_is_open(rt->cur) && !hd_weak_fails();
}

static _Noreturn void refuse(const char *what, uint32_t site)
{
    rt->shared->ctl.error_site = site;
    hd_fatal("%s is not modelled under a weak memory model: use --memory sc", what);
}

/* A wait has asked whether the thread is cancelled, and would have to ask again.  The place is
 * the handler's: the thread may be about to end, which has none. */
static _Noreturn void refuse_cancelled(uint32_t site)
{
    for (uint64_t i = 0; i < signals->n_queued; i++) {
        const struct hd_queued *q = &signals->queue[i];
        uint64_t handler = (uint64_t)(uintptr_t)signals->dispositions[q->number].handler;
        if (is_open(hd_thread_now(), rt->cur, q))
            rt->shared->ctl.error_pc = handler - rt->load_base;
    }
    refuse("a signal handler in a program that may cancel threads", site);
}

/* Handlers have run: does the call fail that the thread was about to make? */
static bool call_ends(struct hd_thread *t)
{
    struct hd_action *a = &t->interrupted[t->n_interrupted - 1];
    bool ends = may_end(t, a);
    /* A wake that comes after the signal may have been made already. */
    if (t->eintr & HD_EINTR_STOPS && futex_of(a))
        refuse("a signal handler that ends a wait at a futex", a->site);
    if (ends) {
        hd_post(HD_OP_CHOOSE, NULL, NULL, 0, a->site, 2);
        hd_set_enabled(rt->cur, true);
        hd_point();
        ends = rt->choice && may_end(t, a);
    }
    HD_SET(t->eintr, ends ? HD_EINTR_NOW : 0);
    return ends;
}

/* Who wakes a thread is found by the newest wait that it has begun (graph/objects.c). */
static void no_wait_in_handler(const struct hd_thread *t, const struct hd_action *a)
{
    enum hd_op op = (enum hd_op)a->op;
    if (t->n_interrupted &&
        (hd_op_sleeps(op) || hd_op_futex(op) || op == HD_OP_TIMEDWAIT || op == HD_OP_FUTEX_READ))
        refuse("a signal handler that waits at a condition variable or a barrier, or uses a "
               "futex,",
               a->site);
}

bool hd_interrupt_looks(void)
{
    struct hd_thread *t = hd_thread_now();
    bool ran = false, ends = false;
    no_wait_in_handler(t, hd_next_now());
    if (!looks_before(t, hd_next_now()))
        return false;
    set_aside(t);
    uint32_t site = hd_next_now()->site;
    while (!ends && finds_signals(site)) {
        if (hd_cancels())
            refuse_cancelled(site);
        handle(t, site);
        ran = true;
        ends = call_ends(t);
    }
    take_up(t, ends);
    if (!ran || (hd_next_now()->op != HD_OP_AWAIT && hd_next_now()->op != HD_OP_AWAIT_SYNC))
        return false;
    rt->choice = 0;
    hd_set_enabled(rt->cur, true);
    return true;
}

uint64_t hd_interrupt_enter(uint64_t sp)
{
    uint64_t *frame = (uint64_t *)sp - 12;
    memset(frame, 0, 12 * sizeof *frame);
    frame[0] = 0x1f80ull | 0x037full << 32;
    frame[2] = ((const uint64_t *)sp)[2]; /* the calls that are interrupted */
    frame[7] = (uint64_t)(uintptr_t)interrupted;
    frame[9] = (uint64_t)(uintptr_t)hd_fiber_start;
    return (uint64_t)(uintptr_t)frame;
}

void hd_interrupt_at_start(void)
{
    struct hd_thread *t = hd_thread_now();
    HD_SET(t->flags, t->flags & ~(uint32_t)HD_THREAD_SIGNALLED);
    hd_signal_act(HD_OP_SIGNAL_TAKE, 0);
    hd_signal_due_now(0);
}

/* The thread gets the signals that are pending for it and that it does not block. */
static void interrupt(uint32_t thread, uint32_t site)
{
    struct hd_thread *t = &model->threads[thread];
    struct hd_action *a = &rt->next[thread];
    if (!hd_tset_has(&rt->config.live, thread) || a->op == HD_OP_SIGNAL_HANDLE ||
        !hd_signal_due(thread))
        return;
    if (a->op == HD_OP_START) {
        HD_SET(t->flags, t->flags | HD_THREAD_SIGNALLED);
        return;
    }
    if (t->n_interrupted == HD_MOST_INTERRUPTS)
        too_deep(a->site);
    HD_SET(t->signal_site, site);
    struct hd_action *kept = &t->interrupted[t->n_interrupted];
    hd_log_known(kept, sizeof *kept);
    *kept = *a;
    HD_SET(t->n_interrupted, t->n_interrupted + 1);
    hd_log_next(thread);
    *a = (struct hd_action){ .object = (uint64_t)(uintptr_t)signals,
                             .site = kept->site,
                             .op = HD_OP_SIGNAL_HANDLE,
                             .choices = 1 };
    if (hd_tset_has(&model->awaiting, thread)) {
        hd_log_word(&model->awaiting.w[thread >> 6]);
        hd_tset_del(&model->awaiting, thread);
    }
    hd_set_enabled(thread, true);
}

/* Threads that do not block a signal of the process; any of them may handle it. */
static uint32_t open_for(int sig, struct hd_tset *open)
{
    uint32_t n = 0;
    hd_tset_clear(open);
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&rt->config.live, i) &&
            !(model->threads[i].blocked_signals & hd_signal_bit(sig))) {
            hd_tset_add(open, i);
            n++;
        }
    return n;
}

/* The signal of the process becomes that of one of these threads. */
static uint32_t choose(int sig, uint32_t which)
{
    struct hd_tset open;
    uint32_t n = open_for(sig, &open), thread = ~0u;
    if (n == 0)
        return ~0u;
    which %= n;
    for (uint32_t i = 0; i < rt->config.n_threads && thread == ~0u; i++)
        if (hd_tset_has(&open, i) && which-- == 0)
            thread = i;
    for (uint64_t i = 0; i < signals->n_queued; i++)
        if ((int)signals->queue[i].number == sig && signals->queue[i].target == 0) {
            HD_SET(signals->queue[i].target, thread + 1);
            return thread;
        }
    return ~0u;
}

/* The thread that stands for a signal on its way. */
static uint64_t way(void *arg)
{
    uint64_t what = (uint64_t)(uintptr_t)arg;
    uint32_t site = (uint32_t)(what >> 32), target = (uint32_t)what >> 8;
    int sig = (int)(what & 255);
    struct hd_tset open;
    hd_act(HD_OP_SIGNAL_ARRIVE, signals, NULL, 0, site);
    uint32_t n = target ? 1 : open_for(sig, &open);
    rt->choice = 0;
    if (n > 1)
        hd_act_full(HD_OP_SIGNAL_ARRIVE, signals, NULL, 0, site, n);
    uint32_t thread = target ? target - 1 : choose(sig, rt->choice);
    if (thread != ~0u)
        interrupt(thread, site);
    return 0;
}

void hd_interrupt_send(const struct hd_queued *q, uint32_t site)
{
    uint64_t what = (uint64_t)site << 32 | q->target << 8 | q->number;
    hd_thread_spawn(way, (void *)(uintptr_t)what, site);
}
