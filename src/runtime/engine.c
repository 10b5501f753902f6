/* The scheduling point: ask the explorer, keep what is needed to come back, and go on with the
 * chosen thread.
 *
 * hd_engine_point runs on the stack of the thread that has just made a step, unless states are
 * compared (switch.S).  Going back overwrites stacks, so that runs on a stack of its own
 * (hd_engine_loop). */
#include "runtime/attempt.h"
#include "runtime/invariant.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline uint64_t set_fs(uint64_t base, uint64_t sp)
{
    if (HD_UNLIKELY(!rt->fsgsbase))
        return hd_set_fs_by_call(base, sp);
    __asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
    return sp;
}

void hd_set_fs(uint64_t base) { set_fs(base, 0); }

static _Noreturn __attribute__((noinline)) void too_large(void)
{
    hd_fatal("an execution is too large to be undone (more than 8 GiB written): "
             "bound it with --depth");
}

/* R3: keep what the thread that is about to run will change. */
HD_HOT void mark_step(uint32_t thread, const struct hd_fiber *f, bool usual)
{
    uint32_t depth = rt->depth;
    struct hd_mark *m = &rt->marks[depth];
    m->log = rt->log_top;
    m->config = *(const uint64_t *)&rt->config;
    if (usual || HD_LIKELY(rt->config.n_threads <= 64)) {
        m->live.w[0] = rt->config.live.w[0];
        m->enabled.w[0] = rt->config.enabled.w[0];
    } else {
        m->live = rt->config.live;
        m->enabled = rt->config.enabled;
    }
    m->next = rt->next[thread];
    m->thread = thread;
    m->error_number = *f->error_number;
    m->before = rt->marked[thread];
    m->previous = rt->newest_mark;
    m->kept = 1;
    char *slice = rt->slice_top;
    uint64_t sp = f->sp, bytes = f->top - sp;
    m->slice = slice;
    m->sp = sp;
    if (HD_UNLIKELY(!rt->undo && depth))
        bytes = 0;
    rt->slice_top = slice + bytes;
    rt->depth = rt->marked[thread] = rt->newest_mark = depth + 1;
    if (HD_UNLIKELY(slice + bytes > rt->slice_end || rt->log_top > rt->log_end))
        too_large();
    hd_copy_slice(slice, (const void *)sp, bytes);
}

#define CLEAN_BYTES 1024

/* Bytes below a thread's stack pointer are left from calls that have returned, or from another
 * execution.  A later frame on top of them would make them part of the thread's local state,
 * and equal states would look different. */
typedef long long hd_piece __attribute__((vector_size(16), may_alias));
typedef long long hd_wide_piece __attribute__((vector_size(32), may_alias));

static inline void clean_narrow(uint64_t sp)
{
    hd_piece *to = (hd_piece *)(sp - CLEAN_BYTES);
    for (uint32_t i = 0; i < CLEAN_BYTES; i += 64, to += 4) {
        to[0] = to[1] = to[2] = to[3] = (hd_piece){ 0, 0 };
        __asm__ volatile("" : : : "memory"); /* no call of memset, which costs more */
    }
}

/* The same with stores of 32 bytes, none of which lies in two lines of the cache.  (A stack
 * pointer is a multiple of 16.) */
static __attribute__((noinline, target("avx"))) void clean_wide(uint64_t sp)
{
    uint64_t end = sp & ~31ull;
    hd_wide_piece *to = (hd_wide_piece *)(end - CLEAN_BYTES);
    *(hd_piece *)(sp - CLEAN_BYTES) = *(hd_piece *)(sp - 16) = (hd_piece){ 0, 0 };
    to[1] = to[2] = to[3] = (hd_wide_piece){ 0, 0, 0, 0 };
    if (sp == end)
        to[0] = (hd_wide_piece){ 0, 0, 0, 0 };
    for (uint32_t i = 128; i < CLEAN_BYTES; i += 128) {
        to += 4;
        to[0] = to[1] = to[2] = to[3] = (hd_wide_piece){ 0, 0, 0, 0 };
        __asm__ volatile("" : : : "memory");
    }
}

static inline void clean(uint64_t sp)
{
    if (HD_LIKELY(rt->wide_stores))
        clean_wide(sp);
    else
        clean_narrow(sp);
}

uint64_t hd_apart_top;

/* Start the step; returns the stack to go on with.  `usual`: rt->usual, but for a row, or
 * rt->usual_apart, which `apart` says. */
HD_HOT uint64_t start_step(uint32_t alternative, bool usual, bool apart)
{
    uint32_t thread = HD_STEP_THREAD(alternative);
    const struct hd_fiber *f = &rt->fibers[thread];
    rt->choice = HD_STEP_CHOICE(alternative);
    if (usual || rt->mode == HD_EXPLORING)
        mark_step(thread, f, usual);
    rt->config.last = thread;
    if (apart || (!usual && rt->clean))
        clean(f->sp);
    uint64_t sp = f->sp;
    if (!usual && HD_UNLIKELY(rt->next[thread].op == HD_OP_SIGNAL_HANDLE))
        sp = hd_interrupt_enter(sp);
    if (thread == rt->cur)
        return sp;
    hd_taken_site = 0;
    rt->cur = thread;
    return set_fs(f->fs_base, sp);
}

/* The same where steps have just been undone up to this state.  If it is the thread again
 * that made the first of them, the mark of that step holds all that is to be kept, and the
 * copy of the thread's stack is still there. */
static inline uint64_t start_again(uint32_t alternative)
{
    uint32_t thread = HD_STEP_THREAD(alternative), depth = rt->depth;
    struct hd_mark *m = &rt->marks[depth];
    const struct hd_fiber *f = &rt->fibers[thread];
    if (m->thread != thread)
        return start_step(alternative, true, false);
    rt->choice = HD_STEP_CHOICE(alternative);
    m->kept = 1;
    rt->slice_top += f->top - f->sp;
    rt->depth = rt->marked[thread] = rt->newest_mark = depth + 1;
    rt->config.last = thread;
    if (thread == rt->cur)
        return f->sp;
    hd_taken_site = 0;
    rt->cur = thread;
    return set_fs(f->fs_base, f->sp);
}

static __attribute__((noinline)) uint64_t go(uint32_t alternative)
{
    return start_step(alternative, false, false);
}

static __attribute__((noinline)) uint64_t go_apart(uint32_t alternative)
{
    return start_step(alternative, true, true);
}

static bool others_await(void)
{
    return !hd_tset_empty(&model->awaiting, hd_tset_words(rt->config.n_threads));
}

static __attribute__((noinline)) bool goes_on(void)
{
    if (HD_UNLIKELY(hd_tset_has(&model->polling, rt->cur)))
        hd_polls_note();
    rt->choice = 0;
    if (rt->mode != HD_EXPLORING || !hd_tset_has(&rt->config.enabled, rt->cur) ||
        others_await() || !hd_explorer_fast_path(rt->ex, rt->cur))
        return false;
    rt->depth++;
    return true;
}

bool hd_engine_fast_path_apart(uint64_t sp)
{
    uint32_t thread = rt->cur;
    if (HD_UNLIKELY(!rt->usual_apart || (model->awaiting.w[0] | model->polling.w[0]))) {
        if (!goes_on())
            return false;
    } else {
        struct hd_explorer *ex = rt->ex;
        uint64_t enabled = rt->config.enabled.w[0];
        bool alone = enabled == 1ull << thread && ex->path.depth < ex->marks.fast_until;
        rt->choice = 0;
        if (alone ? !ex->fast->go_on_alone(ex, thread)
                  : !(enabled >> thread & 1) || !hd_explorer_fast_path(ex, thread))
            return false;
        rt->depth++;
    }
    clean(sp);
    return true;
}

static inline void close_row(void)
{
    rt->row = NULL;
    rt->usual = rt->config.n_threads <= 64; /* rows exist only where all else is usual */
}

void hd_engine_row_over(void)
{
    uint32_t joins = rt->shared->depth - rt->ex->path.depth;
    rt->depth += joins;
    if (joins)
        hd_explorer_row_over(rt->ex);
    close_row();
}

static __attribute__((noinline)) bool fast_path_otherwise(void)
{
    if (rt->in_invariant) {
        hd_invariant_step();
        return true;
    }
    if (rt->row) {
        hd_engine_row_over();
        return hd_engine_fast_path();
    }
    if (HD_UNLIKELY(rt->looks) && hd_interrupt_looks())
        return true;
    return hd_apart_top ? hd_fast_path_apart() : goes_on();
}

bool hd_engine_fast_path(void)
{
    uint32_t thread = rt->cur;
    if (HD_UNLIKELY(!rt->usual || (model->awaiting.w[0] | model->polling.w[0]))) {
        if (HD_LIKELY(rt->usual_apart))
            return hd_fast_path_apart();
        return fast_path_otherwise();
    }
    rt->choice = 0;
    if (!(rt->config.enabled.w[0] >> thread & 1) || !hd_explorer_fast_path(rt->ex, thread))
        return false;
    rt->depth++;
    return true;
}

static __attribute__((noinline)) uint64_t point_otherwise(void)
{
    if (HD_LIKELY(rt->usual_apart && !model->awaiting.w[0])) {
        struct hd_decision d = hd_explorer_decide(rt->ex);
        if (HD_LIKELY(d.kind == HD_RUN))
            return go_apart(d.arg);
        hd_enter_engine(d.kind, d.arg, rt->engine_top);
    }
    if (rt->row)
        hd_engine_row_over();
    if (model->attempt)
        hd_attempt_blocked();
    if (others_await() && !hd_thread_now()->atomic_depth)
        hd_await_refresh();
    struct hd_decision d = rt->mode == HD_EXPLORING ? hd_explorer_decide(rt->ex) : rt->decide();
    if (d.kind == HD_RUN)
        return go(d.arg);
    hd_enter_engine(d.kind, d.arg, rt->engine_top);
}

uint64_t hd_engine_point(uint64_t sp)
{
    rt->fibers[rt->cur].sp = sp;
    if (HD_UNLIKELY(!rt->usual || model->awaiting.w[0]))
        return point_otherwise();
    struct hd_decision d = hd_explorer_decide(rt->ex);
    if (HD_LIKELY(d.kind == HD_RUN))
        return start_step(d.arg, true, false);
    hd_enter_engine(d.kind, d.arg, rt->engine_top);
}

uint64_t hd_engine_stand(void (*entry)(void))
{
    hd_fiber_prepare(rt->cur, entry);
    return hd_engine_point(rt->fibers[rt->cur].sp);
}

void hd_engine_loop(uint32_t kind, uint32_t arg)
{
    struct hd_decision d = { kind, arg };
    for (;;) {
        if (d.kind == HD_STOP)
            hd_engine_finish();
        uint32_t from = rt->depth, depth = hd_world_rewind(d.arg);
        bool undone = depth && depth < from; /* at the root it may have been a restart */
        hd_explorer_rewound(rt->ex, depth);
        d = hd_explorer_decide(rt->ex);
        if (d.kind != HD_RUN)
            continue;
        if (HD_UNLIKELY(!rt->usual))
            hd_resume(rt->usual_apart ? go_apart(d.arg) : go(d.arg));
        hd_resume(undone ? start_again(d.arg) : start_step(d.arg, true, false));
    }
}

/* There is nothing for this worker to explore. */
static _Noreturn void has_no_part(void)
{
    if (rt->ex->error[0])
        hd_fatal("%s", rt->ex->error);
    rt->shared->ctl.state = HD_STATE_DONE;
    hd_engine_finish();
}

void hd_engine_ended(const struct hd_finding *finding)
{
    if (rt->mode == HD_REPLAYING)
        hd_replay_over(finding);
    /* Of several workers one executes a program that ends before its root. */
    if (rt->mode == HD_EXPLORING && !rt->rooted && !hd_explorer_rooted(rt->ex))
        has_no_part();
    if (rt->row && hd_explorer_needs_row(rt->ex, finding))
        hd_engine_row_over();
    else if (rt->row)
        close_row();
    struct hd_decision d = hd_explorer_ended(rt->ex, finding);
    hd_enter_engine(d.kind, d.arg, rt->engine_top);
}

void hd_engine_finish(void)
{
    hd_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

void hd_engine_root(void)
{
    if (rt->rooted || rt->mode != HD_EXPLORING)
        return;
    rt->rooted = 1;
    rt->config.last = rt->cur;
    hd_snapshot_take();
    if (!hd_explorer_rooted(rt->ex))
        has_no_part();
}

void hd_fiber_prepare(uint32_t thread, void (*entry)(void))
{
    struct hd_fiber *f = &rt->fibers[thread];
    uint64_t *frame = (uint64_t *)f->top - 12;
    memset(frame, 0, 12 * sizeof *frame);
    frame[0] = 0x1f80ull | 0x037full << 32; /* mxcsr and x87 control word of a new thread */
    frame[7] = (uint64_t)(uintptr_t)entry;  /* rbx: what hd_fiber_start calls */
    frame[9] = (uint64_t)(uintptr_t)hd_fiber_start;
    f->sp = (uint64_t)(uintptr_t)frame;
}

void hd_rt_bug(void *self, const char *what)
{
    (void)self;
    hd_fatal("internal error: %s does not hold at step %u", what, rt->depth);
}

void hd_rt_check(void *self)
{
    (void)self;
    const struct hd_config *c = &rt->config;
    /* R1; after a rewind no thread runs, and `cur` may no longer exist */
    bool sane = c->n_threads <= HD_MAX_THREADS && rt->cur < HD_MAX_THREADS;
    for (uint32_t t = 0; sane && t < c->n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        bool live = hd_tset_has(&c->live, t);
        sane = live || !hd_tset_has(&c->enabled, t); /* R4 */
        if (live)                                    /* R2 */
            sane = sane && f->sp <= f->top && f->sp > f->top - f->bytes && f->sp % 16 == 0;
    }
    for (uint32_t i = 1; sane && rt->mode == HD_EXPLORING && i < rt->depth; i++) /* R3 */
        sane = !rt->marks[i - 1].kept || !rt->marks[i].kept ||
               rt->marks[i - 1].log <= rt->marks[i].log;
    sane = sane && !rt->marks[rt->depth].kept && !rt->marks[rt->depth].opaque;
    if (!sane)
        hd_fatal("internal error: the runtime's state is inconsistent at step %u", rt->depth);
}
