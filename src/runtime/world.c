/* The world that the explorer sees, and how it goes back (docs/design/001-spine.md).
 *
 * A rewind undoes steps in reverse order of time: first the step's logged words, then the slice
 * of the thread that made it, unless that of an earlier step will replace it.  (The order
 * matters: a word on another thread's stack is meaningful only with the frames of its time.)
 *
 * Steps that called opaque code cannot be undone alone.  Going back to before one goes to the
 * root, where the data of every library, and the program's when the code may have reached it,
 * is copied back. */
#include "runtime/attempt.h"
#include "runtime/cancel.h"
#include "runtime/cancel_wake.h"
#include "runtime/files.h"
#include "runtime/futex.h"
#include "runtime/heap.h"
#include "runtime/invariant.h"
#include "runtime/private.h"
#include "runtime/reuse.h"
#include "runtime/signal.h"
#include "runtime/state.h"
#include "runtime/undo.h"
#include "runtime/view.h"

#include "core/enabled.h"
#include "core/site.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline struct hd_undo *undo_log(struct hd_undo *top, const struct hd_undo *end)
{
    while (top > end) {
        top--;
        __asm__("" : "+r"(top)); /* one pointer, not two */
        *top->at = top->old;
    }
    return top;
}

static inline void resume_thread(const struct hd_mark *m, uint32_t thread)
{
    struct hd_fiber *f = &rt->fibers[thread];
    uint64_t sp = m->sp;
    f->sp = sp;
    rt->next[thread] = m->next;
    *f->error_number = m->error_number;
    hd_copy_slice((void *)sp, m->slice, f->top - sp);
}

/* Of several steps of a thread, only the slice of the first one remains in the end; it
 * overwrites what the log has restored on the stack before.  `ranges`: the log has entries for
 * more than a word. */
static inline __attribute__((always_inline)) void undo_marks(uint32_t depth, bool ranges)
{
    struct hd_mark *marks = rt->marks;
    struct hd_undo *top = rt->log_top;
    uint64_t *heartbeat = &rt->shared->ctl.heartbeat;
    uint32_t newest = rt->newest_mark;
    while (newest > depth) {
        struct hd_mark *m = &marks[newest - 1];
        uint32_t thread = m->thread, before = m->before;
        top = ranges && hd_undo_has_range(m->log) ? hd_undo_ranges(top, m->log)
                                                  : undo_log(top, m->log);
        m->kept = 0;
        newest = m->previous;
        rt->marked[thread] = before;
        if (before <= depth)
            resume_thread(m, thread);
        ++*heartbeat; /* a long rewind is no lack of progress */
    }
    rt->newest_mark = newest;
    rt->log_top = top;
}

static __attribute__((noinline)) void undo_with_ranges(uint32_t depth)
{
    undo_marks(depth, true);
}

static inline void undo_steps(uint32_t depth)
{
    if (HD_UNLIKELY(hd_undo_has_range(rt->marks[depth].log)))
        undo_with_ranges(depth);
    else
        undo_marks(depth, false);
}

static void forget_threads(void)
{
    hd_tset_clear(&rt->config.live);
    hd_tset_clear(&rt->config.enabled);
}

static inline void resume_config(const struct hd_mark *m)
{
    if (HD_LIKELY(rt->config.n_threads <= 64)) { /* the number of threads only decreases */
        rt->config.live.w[0] = m->live.w[0];
        rt->config.enabled.w[0] = m->enabled.w[0];
    } else {
        forget_threads();
        hd_copy_threads(&rt->config.live, &m->live, m->n_threads);
        hd_copy_threads(&rt->config.enabled, &m->enabled, m->n_threads);
    }
    rt->config.last = m->last;
    rt->config.n_threads = m->n_threads;
    rt->slice_top = m->slice;
    if (HD_LIKELY((rt->usual | rt->usual_apart) && !model->n_registered &&
                  !rt->config.invariants && !hd_thread_now()->atomic_depth))
        rt->solo_fast = hd_is_alone() ? HD_FAST_SOLO : 0;
    else
        hd_update_solo();
}

static bool opaque_between(uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (rt->marks[i].opaque)
            return true;
    return false;
}

static __attribute__((noinline)) void restart(void)
{
    rt->shared->cnt.restarts++;
    rt->shared->ctl.native_site = 0;
    hd_mappings_open(); /* the log may lead into them */
    hd_private_lengthen();
    rt->log_top = hd_undo_ranges(rt->log_top, rt->marks[0].log);
    resume_thread(&rt->marks[0], rt->marks[0].thread);
    for (uint32_t i = 0; i < rt->depth; i++)
        rt->marks[i].kept = rt->marks[i].opaque = 0;
    memset(rt->marked, 0, sizeof rt->marked);
    rt->newest_mark = 0;
    hd_mappings_restore();
    if (rt->opaque_since_root)
        hd_snapshot_restore();
}

uint32_t hd_world_rewind(uint32_t depth)
{
    if (rt->depth == depth)
        return depth;
    while (!rt->marks[depth].kept)
        depth--;
    if (HD_UNLIKELY(!rt->undo || (rt->opaque_since_root && opaque_between(depth, rt->depth)))) {
        depth = 0;
        restart();
    } else {
        undo_steps(depth);
    }
    rt->depth = depth;
    resume_config(&rt->marks[depth]);
    return depth;
}

/* Writable memory of the executable and of every library, without what is read-only after
 * relocation. */
static int add_segments(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    uint64_t relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro_end = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                         info->dlpi_phdr[i].p_memsz + 4095) &
                        ~4095ull;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        uint64_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (relro_end > begin && relro_end <= ((end + 4095) & ~4095ull))
            begin = relro_end;
        if (begin >= end)
            continue;
        if (rt->n_ranges == sizeof rt->ranges / sizeof rt->ranges[0])
            hd_fatal("the program uses more shared libraries than heddle can restore");
        rt->ranges[rt->n_ranges++] = (struct hd_range){ (char *)begin, end - begin, NULL };
    }
    return 0;
}

static void add_range(uint64_t begin, uint64_t bytes)
{
    if (bytes == 0)
        return;
    if (rt->n_ranges == sizeof rt->ranges / sizeof rt->ranges[0])
        hd_fatal(
            "the program has more large blocks of memory before its first thread than heddle "
            "can restore");
    rt->ranges[rt->n_ranges++] = (struct hd_range){ (char *)begin, bytes, NULL };
}

/* What the running thread, the only one so far, has on its heap. */
static void add_heap(void)
{
    for (uint32_t class = 0; class < HD_HEAP_CLASSES; class ++) {
        uint64_t n = model->heaps[rt->cur].n_slots[class], slot = hd_slot_bytes(class);
        uint64_t begin = hd_region(rt->cur, class);
        if (slot <= 65536) {
            add_range(begin, n * slot);
            continue;
        }
        for (uint64_t i = 0; i < n; i++) { /* one by one: most of a slot may be untouched */
            const struct hd_block *b = (const struct hd_block *)(begin + i * slot);
            add_range((uint64_t)(uintptr_t)b, b->at + b->size - (uint64_t)(uintptr_t)b);
        }
    }
}

void hd_world_find_data(void)
{
    rt->n_ranges = 0;
    dl_iterate_phdr(add_segments, NULL);
}

/* `to` is new memory: where there is nothing but zeros, as in most of what the C library has,
 * it need not get pages. */
static void copy_used(char *to, const char *from, uint64_t bytes)
{
    for (uint64_t at = 0, n; at < bytes; at += n) {
        n = 4096 - ((uint64_t)(uintptr_t)(from + at) & 4095);
        n = n < bytes - at ? n : bytes - at;
        if (from[at] != 0 || memcmp(from + at, from + at + 1, n - 1) != 0)
            memcpy(to + at, from + at, n);
    }
}

void hd_snapshot_take(void)
{
    int saved = errno; /* the system calls here are not the program's */
    hd_world_find_data();
    uint64_t fs = rt->fibers[rt->cur].fs_base;
    add_range(fs + (uint64_t)rt->tls_begin, (uint64_t)(rt->tls_end - rt->tls_begin));
    errno = saved;
    add_heap();
    for (uint32_t i = 0; i < rt->n_ranges; i++) {
        struct hd_range *r = &rt->ranges[i];
        r->copy = hd_mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                          0);
        if (r->copy == MAP_FAILED)
            hd_fatal("not enough memory to keep a copy of the program's data");
        copy_used(r->copy, r->begin, r->bytes);
    }
    hd_files_remember();
    errno = saved;
}

void hd_snapshot_restore(void)
{
    for (uint32_t i = 0; i < rt->n_ranges; i++)
        memcpy(rt->ranges[i].begin, rt->ranges[i].copy, rt->ranges[i].bytes);
    int saved = errno;
    hd_files_restore();
    errno = saved;
    rt->opaque_since_root = 0;
}

static void peek(void *self, uint32_t thread, uint64_t addr, uint32_t size, uint64_t out[2])
{
    (void)self;
    hd_view_peek(thread, addr, size, out);
}

static uint64_t sync_state(void *self, uint64_t object)
{
    (void)self;
    const struct hd_sync *s = hd_sync_find(object);
    if (HD_LIKELY(s != NULL))
        return hd_sync_state(s);
    if (object == (uint64_t)(uintptr_t)&model->signals)
        return hd_signal_state();
    return object == HD_ALL_FUTEXES ? hd_futex_sleepers() : hd_reuse_state(object);
}

static bool is_futex(void *self, uint64_t object)
{
    (void)self;
    const struct hd_sync *s = hd_sync_find(object);
    return s && s->kind == HD_SYNC_FUTEX;
}

static enum hd_op outcome(void *self, uint32_t thread)
{
    (void)self;
    const struct hd_action *a = &rt->next[thread];
    const struct hd_thread *t = &model->threads[thread];
    if (a->op == HD_OP_WAIT)
        return !rt->weak && hd_cancel_wanted(t) ? HD_OP_WAIT_CANCELLED : HD_OP_WAIT;
    if (a->op == HD_OP_JOIN_NOW)
        return model->threads[a->object].flags & HD_THREAD_EXITED ? HD_OP_JOIN_NOW
                                                                  : HD_OP_JOIN_NOW_FAIL;
    if (a->op == HD_OP_SIGNAL_POINT)
        return hd_signal_is_open(thread) ? HD_OP_SIGNAL_POINT : HD_OP_SIGNAL_POINT_PASS;
    if (a->op == HD_OP_WAKE)
        return t->woken ? HD_OP_WAKE : HD_OP_TIMEOUT;
    if (a->op == HD_OP_FUTEX_WAIT || a->op == HD_OP_FUTEX_WAKE || a->op == HD_OP_FUTEX_REQUEUE)
        return hd_futex_outcome(thread);
    if (a->op == HD_OP_CAS) {
        uint64_t wanted[2] = { t->expected, a->size > 8 ? t->expected_hi : 0 }, held[2];
        hd_view_peek(thread, a->object, a->size, held);
        return memcmp(held, wanted, sizeof held) == 0 ? HD_OP_CAS : HD_OP_CAS_FAIL;
    }
    if (hd_op_has_outcome((enum hd_op)a->op))
        return hd_op_outcome((enum hd_op)a->op, a->size, sync_state(NULL, a->object));
    return (enum hd_op)a->op;
}

static void expected(void *self, uint32_t thread, uint64_t out[2])
{
    (void)self;
    const struct hd_await *await = &model->threads[thread].await;
    if (rt->next[thread].op == HD_OP_AWAIT) {
        out[0] = await->value[0];
        out[1] = await->value[1];
        return;
    }
    if (rt->next[thread].op == HD_OP_SIGNAL_POINT) {
        out[0] = model->threads[thread].blocked_signals;
        out[1] = 0;
        return;
    }
    if (hd_op_futex((enum hd_op)rt->next[thread].op)) {
        out[0] = model->threads[thread].futex_bits;
        out[1] = hd_futex_moves(thread);
        return;
    }
    out[0] = model->threads[thread].expected;
    out[1] = rt->next[thread].size > 8 ? model->threads[thread].expected_hi : 0;
}

static uint64_t signals_of_process(void *self)
{
    (void)self;
    return hd_signal_of_process();
}

static bool is_signalled(void *self, uint32_t thread)
{
    (void)self;
    return rt->looks && hd_signal_is_open(thread);
}

static uint32_t chosen(void *self, uint32_t thread, uint32_t choice)
{
    (void)self;
    const struct hd_action *a = &rt->next[thread];
    if (a->op == HD_OP_CANCEL)
        return hd_cancel_wakes((uint32_t)a->object);
    if (a->op == HD_OP_FUTEX_WAKE || a->op == HD_OP_FUTEX_REQUEUE ||
        a->op == HD_OP_FUTEX_WAKE_ONE || a->op == HD_OP_FUTEX_MOVE)
        return hd_futex_chosen(thread, choice);
    if (a->op != HD_OP_SIGNAL)
        return ~0u;
    const struct hd_sync *c = hd_sync_find(a->object);
    for (uint32_t i = 0, seen = 0; c && i < rt->config.n_threads; i++)
        if (hd_tset_has(&c->pending, i) && seen++ == choice)
            return i;
    return ~0u;
}

static bool gone(void *self, const struct hd_action *a)
{
    (void)self;
    if (a->object - HD_STACK_BASE >= HD_LAYOUT_END - HD_STACK_BASE)
        return false;
    const struct hd_block *b = hd_block_at(a->object);
    if (b)
        return b->state == HD_BLOCK_FREED;
    uint64_t thread = (a->object - HD_STACK_BASE) / HD_STACK_STRIDE;
    return thread < HD_MAX_THREADS && model->threads[thread].flags & HD_THREAD_EXITED;
}

static bool is_local(void *self, uint32_t thread, uint64_t addr)
{
    (void)self;
    const struct hd_fiber *f = &rt->fibers[thread];
    return addr < f->top && addr >= f->top - f->bytes;
}

static int32_t broken(void *self)
{
    (void)self;
    int32_t which = hd_invariant_broken();
    uint32_t chosen[HD_MAX_PLACES];
    if (which < 0 && rt->shared->route.n_targets && hd_target_reached(chosen))
        which = HD_TARGETS_REACHED;
    return which;
}

static void name(void *self, uint64_t object, struct hd_name *out)
{
    (void)self;
    *out = hd_name_of(object, HD_SPACE_SYNC, HD_OP_LOCK);
}

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));

static bool requeues(void *self)
{
    (void)self;
    return !__start_heddle_info || __start_heddle_info->requeues;
}

static bool looks_at_ends(void *self)
{
    (void)self;
    return !__start_heddle_info || __start_heddle_info->looks_at_ends;
}

static bool uses_threads(void *self)
{
    (void)self;
    return !__start_heddle_info || __start_heddle_info->uses_threads;
}

static bool only_waited_for(void *self, uint64_t object)
{
    (void)self;
    const struct hd_sync *s = hd_sync_find(object);
    return __start_heddle_info && !__start_heddle_info->tries_locks && s &&
           s->type == PTHREAD_MUTEX_NORMAL && !(s->limit & HD_ROBUST);
}

static bool compares(void *self)
{
    (void)self;
    return !__start_heddle_info || __start_heddle_info->compares;
}

bool hd_cancels(void) { return !__start_heddle_info || __start_heddle_info->cancels; }

bool hd_interrupts(void) { return !__start_heddle_info || __start_heddle_info->uses_threads; }

bool hd_asks_mappings(void) { return !__start_heddle_info || __start_heddle_info->asks_mappings; }

uint32_t hd_asks_properties(void)
{
    return __start_heddle_info ? __start_heddle_info->uses_properties
                               : HD_PROPERTIES_ASKED | HD_PROPERTIES_END;
}

/* Waits may end otherwise than by what they wait for: handlers of signals may see to that. */
static bool cancels(void *self)
{
    (void)self;
    return hd_cancels() || hd_interrupts();
}

static bool backs_off(void *self, uint32_t site)
{
    (void)self;
    return hd_site_flag(site) == HD_SITE_BACKS_OFF;
}

const struct hd_world hd_fiber_world = {
    .self = NULL,
    .config = &rt->config,
    .check = hd_rt_check,
    .bug = hd_rt_bug,
    .outcome = outcome,
    .sync_state = sync_state,
    .expected = expected,
    .peek = peek,
    .signals_of_process = signals_of_process,
    .is_signalled = is_signalled,
    .chosen = chosen,
    .local_state = hd_state_local,
    .state_change = hd_state_change,
    .state_bytes = hd_state_bytes,
    .symmetry_class = hd_symmetry_class,
    .symmetry_change = hd_symmetry_change,
    .symmetry_local = hd_symmetry_local,
    .is_joined = hd_symmetry_is_joined,
    .is_published = hd_symmetry_is_published,
    .distinguished_by = hd_symmetry_distinguished_by,
    .gone = gone,
    .is_local = is_local,
    .stack = hd_stack_parked,
    .reached = hd_reach_others,
    .cancels = cancels,
    .looks_at_ends = looks_at_ends,
    .uses_threads = uses_threads,
    .remember_end = hd_end_remember,
    .is_end_known = hd_end_is_known,
    .requeues = requeues,
    .is_futex = is_futex,
    .only_waited_for = only_waited_for,
    .compares = compares,
    .suppressed = hd_suppressed,
    .backs_off = backs_off,
    .wakers = hd_wakers,
    .facts = hd_site_facts,
    .broken = broken,
    .cut = hd_polls_cut,
    .judges = hd_deadlock_judged,
    .allows = hd_deadlock_allowed,
    .name = name,
    .describe = hd_violation_describe,
};
