/* The scheduling point: ask, remember the way back, go on with the chosen thread.
 *
 * hd_engine_point runs on the stack of the thread that has just made a step.  Going back overwrites
 * stacks, so that runs on a stack of its own (hd_engine_loop). */
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
        syscall(SYS_arch_prctl, ARCH_SET_FS, base);
}

/* Both ends are 16-byte aligned; a slice is a few hundred bytes. */
static inline void copy_slice(void *to, const void *from, uint64_t bytes)
{
    typedef long long chunk __attribute__((vector_size(16), may_alias));
    chunk *d = to;
    const chunk *s = from;
    for (uint64_t i = 0; i < bytes / 16; i++)
        d[i] = s[i];
}

/* R3: what the thread that is about to run will change is kept. */
static inline void mark_step(uint32_t thread)
{
    struct hd_mark *m = &rt->marks[rt->depth];
    const struct hd_fiber *f = &rt->fibers[thread];
    uint32_t words = hd_tset_words(rt->config.n_threads);
    m->log = rt->log_top;
    m->slice = rt->slice_top;
    m->sp = f->sp;
    m->next = rt->next[thread];
    for (uint32_t i = 0; i < words; i++) {
        m->live.w[i] = rt->config.live.w[i];
        m->enabled.w[i] = rt->config.enabled.w[i];
    }
    m->thread = (uint16_t)thread;
    m->last = (uint16_t)rt->config.last;
    m->n_threads = rt->config.n_threads;
    m->opaque = 0;
    m->error_number = *f->error_number;
    if (rt->undo || rt->depth == 0) {
        uint64_t bytes = f->top - f->sp;
        copy_slice(rt->slice_top, (const void *)f->sp, bytes);
        rt->slice_top += bytes;
    }
    if (HD_UNLIKELY(rt->slice_top > rt->slice_end || rt->log_top > rt->log_end))
        hd_fatal("an execution is too large to be undone (more than 8 GiB written): "
                 "bound it with --depth");
}

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
    return rt->fibers[thread].sp;
}

uint64_t hd_engine_point(uint64_t sp)
{
    rt->fibers[rt->cur].sp = sp;
    struct hd_decision d =
        HD_LIKELY(rt->mode == HD_EXPLORING) ? hd_explorer_decide(rt->ex) : rt->decide();
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
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

void hd_engine_root(void)
{
    if (rt->rooted || rt->mode != HD_EXPLORING)
        return;
    rt->rooted = 1;
    rt->config.last = rt->cur;
    hd_snapshot_take();
}

void hd_fiber_prepare(uint32_t thread, void (*entry)(void))
{
    struct hd_fiber *f = &rt->fibers[thread];
    uint64_t *frame = (uint64_t *)f->top - 10;
    memset(frame, 0, 10 * sizeof *frame);
    frame[0] = 0x1f80ull | 0x037full << 32; /* mxcsr and x87 control word of a new thread */
    frame[5] = (uint64_t)(uintptr_t)entry;  /* rbx: what hd_fiber_start calls */
    frame[7] = (uint64_t)(uintptr_t)hd_fiber_start;
    f->sp = (uint64_t)(uintptr_t)frame;
}

void hd_act(enum hd_op op, const void *object, const void *object2, uint32_t size, uint32_t site)
{
    if (HD_UNLIKELY(rt->solo_fast & HD_FAST_ATOMIC))
        return;
    struct hd_action *a = hd_next_now();
    a->object = (uint64_t)(uintptr_t)object;
    a->object2 = (uint64_t)(uintptr_t)object2;
    a->size = size;
    a->site = site;
    a->op = (uint16_t)op;
    a->choices = 1;
    hd_point();
}

void hd_act_choices(enum hd_op op, const void *object, uint32_t choices, uint32_t site)
{
    struct hd_action *a = hd_next_now();
    *a = (struct hd_action){ .object = (uint64_t)(uintptr_t)object,
                             .site = site,
                             .op = (uint16_t)op,
                             .choices = (uint16_t)choices };
    hd_point();
}
