/* The scheduling point: ask, remember the way back, go on with the chosen thread.
 *
 * hd_engine_point runs on the stack of the thread that has just made a step, unless states are
 * compared (switch.S).  Going back overwrites stacks, so that runs on a stack of its own
 * (hd_engine_loop). */
#include "runtime/rt.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARCH_SET_FS 0x1002

void hd_set_fs(uint64_t base)
{
    if (HD_LIKELY(rt->fsgsbase))
        __asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
    else
        hd_syscall(SYS_arch_prctl, ARCH_SET_FS, (long)base, 0, 0, 0, 0);
}

/* R3: what the thread that is about to run will change is kept. */
static inline void mark_step(uint32_t thread)
{
    struct hd_mark *m = &rt->marks[rt->depth];
    const struct hd_fiber *f = &rt->fibers[thread];
    m->log = rt->log_top;
    m->slice = rt->slice_top;
    m->sp = f->sp;
    m->next = rt->next[thread];
    hd_copy_threads(&m->live, &rt->config.live, rt->config.n_threads);
    hd_copy_threads(&m->enabled, &rt->config.enabled, rt->config.n_threads);
    m->thread = (uint16_t)thread;
    m->last = (uint16_t)rt->config.last;
    m->n_threads = rt->config.n_threads;
    m->opaque = m->straight = 0;
    m->before = rt->marked[thread];
    m->previous = rt->newest_mark;
    rt->marked[thread] = rt->newest_mark = rt->depth + 1;
    m->error_number = *f->error_number;
    if (rt->undo || rt->depth == 0) {
        uint64_t bytes = f->top - f->sp;
        hd_copy_slice(rt->slice_top, (const void *)f->sp, bytes);
        rt->slice_top += bytes;
    }
    if (HD_UNLIKELY(rt->slice_top > rt->slice_end || rt->log_top > rt->log_end))
        hd_fatal("an execution is too large to be undone (more than 8 GiB written): "
                 "bound it with --depth");
}

#define CLEAN_BYTES 1024

/* What a thread left below its stack pointer, in calls that are over or in another execution, would be
 * part of its local state in a frame that is made over it, and keep equal states apart. */
static inline void clean(uint64_t sp)
{
    typedef long long piece __attribute__((vector_size(16), may_alias));
    piece *to = (piece *)(sp - CLEAN_BYTES);
    for (uint32_t i = 0; i < CLEAN_BYTES; i += 64, to += 4) {
        to[0] = to[1] = to[2] = to[3] = (piece){ 0, 0 };
        __asm__ volatile("" : : : "memory"); /* no call of memset, which costs more */
    }
}

uint64_t hd_apart_top;

/* Start the step; returns the stack to go on with. */
static inline uint64_t go(uint32_t alternative)
{
    uint32_t thread = HD_STEP_THREAD(alternative);
    rt->choice = HD_STEP_CHOICE(alternative);
    if (HD_LIKELY(rt->mode == HD_EXPLORING)) {
        mark_step(thread);
        rt->depth++;
    }
    rt->config.last = thread;
    if (thread != rt->cur) {
        rt->cur = thread;
        hd_set_fs(rt->fibers[thread].fs_base);
    }
    if (HD_UNLIKELY(rt->clean))
        clean(rt->fibers[thread].sp);
    return rt->fibers[thread].sp;
}

static inline bool goes_straight(void)
{
    if (HD_UNLIKELY(hd_tset_has(&model->polling, rt->cur)))
        hd_polls_note();
    if (rt->mode != HD_EXPLORING || !hd_tset_has(&rt->config.enabled, rt->cur) ||
        model->awaiting.w[0] || !hd_explorer_straight(rt->ex, rt->cur))
        return false;
    struct hd_mark *m = &rt->marks[rt->depth++];
    m->opaque = 0;
    m->straight = 1;
    rt->choice = 0;
    return true;
}

bool hd_engine_straight_apart(uint64_t sp)
{
    if (!goes_straight())
        return false;
    clean(sp);
    return true;
}

bool hd_engine_straight(void)
{
    return HD_UNLIKELY(hd_apart_top != 0) ? hd_straight_apart() : goes_straight();
}

static bool others_await(void)
{
    return !hd_tset_empty(&model->awaiting, hd_tset_words(rt->config.n_threads));
}

uint64_t hd_engine_point(uint64_t sp)
{
    rt->fibers[rt->cur].sp = sp;
    if (HD_UNLIKELY(model->awaiting.w[0] || (rt->config.n_threads > 64 && others_await())))
        hd_await_refresh();
    if (HD_UNLIKELY(rt->paranoid))
        hd_rt_check();
    struct hd_decision d = HD_LIKELY(rt->mode == HD_EXPLORING) ? hd_explorer_decide(rt->ex)
                                                               : rt->decide();
    if (HD_LIKELY(d.kind == HD_RUN))
        return go(d.arg);
    hd_enter_engine(d.kind, d.arg, rt->engine_top);
}

void hd_engine_loop(uint32_t kind, uint32_t arg)
{
    struct hd_decision d = { kind, arg };
    for (;;) {
        if (d.kind == HD_STOP)
            hd_engine_finish();
        hd_explorer_rewound(rt->ex, hd_world_rewind(d.arg));
        d = hd_explorer_decide(rt->ex);
        if (d.kind == HD_RUN)
            hd_resume(go(d.arg));
    }
}

void hd_engine_ended(const struct hd_finding *finding)
{
    if (rt->mode == HD_REPLAYING)
        hd_replay_over(finding);
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
    if (!hd_explorer_rooted(rt->ex)) {
        rt->shared->ctl.state = HD_STATE_DONE;
        hd_engine_finish();
    }
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

void hd_rt_check(void)
{
    const struct hd_config *c = &rt->config;
    bool sane = c->n_threads <= HD_MAX_THREADS && rt->cur < c->n_threads; /* R1 */
    for (uint32_t t = 0; sane && t < c->n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        bool live = hd_tset_has(&c->live, t);
        sane = live || !hd_tset_has(&c->enabled, t); /* R4 */
        if (live)                                    /* R2 */
            sane = sane && f->sp <= f->top && f->sp > f->top - f->bytes && f->sp % 16 == 0;
    }
    for (uint32_t i = 1; sane && rt->mode == HD_EXPLORING && i < rt->depth; i++) /* R3 */
        sane = rt->marks[i - 1].straight || rt->marks[i].straight ||
               rt->marks[i - 1].log <= rt->marks[i].log;
    if (!sane)
        hd_fatal("internal error: the runtime's state is inconsistent at step %u", rt->depth);
}
