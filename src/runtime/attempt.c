/* Two functions of heddle.h about waiting for ever.
 *
 * heddle_blocks() makes a call while its thread is alone.  Such a thread makes no steps, so the
 * first scheduling point at which it cannot go on is where the call would wait for ever.  What
 * the call has changed is in the undo log from there on: it is undone, and the thread goes on
 * behind the call.  A replay keeps an undo log for this purpose only, as for atomic sections.
 *
 * heddle_allow_deadlock() names a function that is asked at a deadlock.  It runs between two
 * steps like an invariant, but the execution is over: what it changes is undone with the rest,
 * so it may do everything that makes no steps. */
#include "runtime/attempt.h"
#include "runtime/undo.h"

#define __HEDDLE__ 1
#include "heddle.h"

struct hd_attempt { /* in the frame of heddle_blocks() */
    void *back[5];
    struct hd_undo *log;
    const struct hd_frame *frame;
    uint64_t begin; /* frames of the call lie below */
    uint32_t thread, depth, n_threads, n_created;
    uint32_t was_opaque; /* the step before the call had unknown effects */
    bool logs;           /* the undo log is kept for this call only */
};

static uint32_t *opaque_now(void) { return rt->depth ? &rt->marks[rt->depth - 1].opaque : NULL; }

static void log_no_more(bool logs, struct hd_undo *log)
{
    if (!logs)
        return;
    rt->rooted = 0;
    rt->log_top = log;
}

static void begin(struct hd_attempt *a)
{
    a->frame = __heddle_frame;
    a->thread = rt->cur;
    a->depth = rt->depth;
    a->n_threads = rt->config.n_threads;
    a->n_created = hd_thread_now()->n_children;
    a->logs = rt->mode == HD_REPLAYING && !rt->rooted;
    rt->rooted |= a->logs;
    a->log = rt->log_top;
    uint32_t *opaque = rt->mode == HD_EXPLORING ? opaque_now() : NULL;
    a->was_opaque = opaque && *opaque;
    if (opaque)
        *opaque = 0;
    HD_SET(model->attempt, (uint64_t)(uintptr_t)a);
    hd_update_solo();
}

static void end(const struct hd_attempt *a)
{
    uint32_t *opaque = rt->mode == HD_EXPLORING ? opaque_now() : NULL;
    if (opaque && a->was_opaque)
        *opaque = 1;
    HD_SET(model->attempt, 0);
    log_no_more(a->logs, a->log);
    hd_update_solo();
}

/* The compiler must not take it apart: control comes back here from hd_attempt_blocked(). */
static __attribute__((noinline)) int returns(struct hd_attempt *a, void (*call)(void *),
                                             void *argument)
{
    if (__builtin_setjmp(a->back))
        return 0;
    call(argument);
    return 1;
}

int heddle_blocks(void (*call)(void *), void *argument)
{
    hd_take_site();
    struct hd_attempt a = { .begin = (uint64_t)(uintptr_t)__builtin_frame_address(0) };
    if (rt->mode == HD_PLAIN || model->unjoined || hd_thread_now()->atomic_depth ||
        model->attempt || rt->in_invariant || rt->judging) {
        call(argument);
        return 0;
    }
    hd_engine_root();
    begin(&a);
    if (!returns(&a, call, argument))
        return 1;
    end(&a);
    return 0;
}

/* Frames of the call, in which this function may be running, are over. */
static bool is_dead(const struct hd_attempt *a, const void *at)
{
    const struct hd_fiber *f = &rt->fibers[a->thread];
    uint64_t addr = (uint64_t)(uintptr_t)at;
    return addr < a->begin && addr >= f->top - f->bytes;
}

static void undo(const struct hd_attempt *a)
{
    for (struct hd_undo *e = rt->log_top; e-- > a->log;) {
        bool range = hd_undo_is_range(e);
        if (!is_dead(a, range ? hd_undo_image(e)->at : e->at)) {
            hd_undo_ranges(e + 1, e);
        } else if (range) {
            rt->image_top = (uint64_t)(uintptr_t)hd_undo_image(e);
            rt->newest_image = hd_undo_image(e)->previous;
        }
    }
    rt->log_top = a->log;
}

void hd_attempt_blocked(void)
{
    struct hd_attempt *a = (struct hd_attempt *)(uintptr_t)model->attempt;
    if (hd_tset_has(&rt->config.enabled, rt->cur) || model->unjoined || a->thread != rt->cur ||
        a->n_threads != rt->config.n_threads || a->n_created != hd_thread_now()->n_children ||
        (rt->mode == HD_EXPLORING && a->depth != rt->depth))
        return;
    uint32_t *opaque = rt->mode == HD_EXPLORING ? opaque_now() : NULL;
    if (opaque && *opaque)
        hd_fatal("a call that waits for ever cannot be taken back: it calls a function whose "
                 "effects are not known before it waits");
    undo(a);
    if (opaque)
        *opaque = a->was_opaque != 0;
    log_no_more(a->logs, a->log);
    HD_SET(model->attempt, 0); /* in a replay nothing may have been logged */
    hd_set_enabled(rt->cur, true);
    __heddle_frame = a->frame;
    __heddle_call_site = 0;
    hd_taken_site = 0;
    hd_update_solo();
    __builtin_longjmp(a->back, 1);
}

/* ---- deadlocks ---- */

void heddle_allow_deadlock(int (*allowed)(void))
{
    hd_take_site();
    HD_SET(model->allowed, allowed);
    if (rt->ex)
        hd_explorer_look_again(rt->ex);
}

bool hd_deadlock_judged(void *self)
{
    (void)self;
    return model->allowed != NULL;
}

bool hd_deadlock_allowed(void *self)
{
    (void)self;
    const struct hd_frame *frame = __heddle_frame;
    if (!model->allowed || rt->judging)
        return false;
    struct hd_action next = rt->next[rt->cur];
    rt->judging = 1;
    hd_update_solo();
    bool ok = model->allowed() != 0;
    rt->judging = 0;
    hd_update_solo();
    rt->next[rt->cur] = next;
    __heddle_frame = frame;
    __heddle_call_site = 0;
    return ok;
}
