/* Threads: create, start, exit, join, detach, self, equal.
 *
 *   created ──start──▶ running ──exit──▶ exited ──join──▶ joined
 *
 * A pthread_t is the thread's id + 1. */
#include "runtime/cancel.h"
#include "runtime/fault.h"
#include "runtime/mutex.h"
#include "runtime/notes.h"
#include "runtime/state.h"

#include "core/site.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ID(thread) ((pthread_t)(thread) + 1)

/* rt->usual and rt->usual_apart, but for the number of threads and whether states are
 * compared. */
static bool all_else_is_usual(void)
{
    return rt->mode == HD_EXPLORING && !model->attempt && !hd_interrupts();
}

void hd_update_solo(void)
{
    if (rt->row)
        hd_engine_row_over();
    bool invariants = model->n_registered != 0 ||
                      (rt->shared && rt->shared->options.n_invariants != 0);
    bool targets = rt->shared && rt->shared->route.n_targets != 0;
    rt->config.invariants = (invariants ? HD_WATCHES_INVARIANTS : 0) |
                            (targets ? HD_WATCHES_TARGETS : 0);
    bool solo = rt->judging ||
                (hd_is_alone() && !rt->config.invariants && rt->mode != HD_REPLAYING);
    if (rt->mode == HD_EXPLORING && rt->shared->readset.n)
        rt->config.invariants |= HD_WATCHES_WRITES;
    rt->solo_fast = (solo ? HD_FAST_SOLO : 0) |
                    (hd_thread_now()->atomic_depth ? HD_FAST_ATOMIC : 0);
    /* What follows are no steps, so nothing else takes the last choice back: an attempt would
     * take it for its own (hd_weak_fails), a barrier for who is the serial thread. */
    if (rt->solo_fast)
        rt->choice = 0;
    bool usual = rt->config.n_threads <= 64 && all_else_is_usual();
    rt->usual = usual && !hd_apart_top;
    rt->usual_apart = usual && hd_apart_top && !rt->looks;
}

/* Is it a step that an exploration does not count?  There is no other thread, it creates none,
 * and there is no choice. */
bool hd_solo_step(enum hd_op op)
{
    return hd_is_alone() && !(rt->config.invariants & ~(uint32_t)HD_WATCHES_WRITES) &&
           op != HD_OP_CREATE && op != HD_OP_CHOOSE && op != HD_OP_CHOOSE_INSIDE &&
           op != HD_OP_EXIT && !hd_op_is_fault(op) &&
           !((op == HD_OP_ALLOC || op == HD_OP_INPUT) && hd_next_now()->choices > 1);
}

/* The canonical id of the running thread's next child: the same in every execution. */
static uint32_t name_child(uint32_t nth)
{
    struct hd_worker_memory *shared = rt->shared;
    if (!shared) { /* plain run: any id that is free */
        for (uint32_t i = 1; i < rt->config.n_threads; i++)
            if ((model->threads[i].flags & HD_THREAD_EXITED) &&
                (model->threads[i].flags & HD_THREAD_DETACHED || hd_tset_has(&model->joined, i)))
                return i;
        if (rt->config.n_threads == HD_MAX_THREADS)
            hd_fatal(
                "the program has more than %u threads at a time, the most that heddle can run: test it with fewer",
                HD_MAX_THREADS);
        return rt->config.n_threads;
    }
    uint32_t id = rt->ex ? hd_explorer_name(rt->ex, rt->cur, nth)
                         : hd_shared_name(shared, rt->cur, nth, true);
    if (id == HD_MAX_THREADS)
        hd_fatal(
            "the program makes more than %u threads in its executions, the most that heddle can run: test it with fewer",
            HD_MAX_THREADS);
    return id;
}

struct hd_thread *hd_thread_of(uint64_t id, const char *call, uint32_t site)
{
    if (id == 0 || id > HD_MAX_THREADS || id > rt->config.n_threads ||
        (!hd_tset_has(&rt->config.live, (uint32_t)id - 1) &&
         !(model->threads[id - 1].flags & HD_THREAD_EXITED)))
        hd_violation(HD_KIND_MISUSE, site, "%s of something that is not a thread", call);
    return &model->threads[id - 1];
}

void hd_thread_not_gone(uint32_t thread, const char *call, uint32_t site)
{
    const struct hd_thread *t = &model->threads[thread];
    if (hd_tset_has(&model->joined, thread))
        hd_violation(HD_KIND_MISUSE, site, "%s of a thread that has been joined", call);
    if (t->flags & HD_THREAD_DETACHED && t->flags & (HD_THREAD_EXITED | HD_THREAD_OVER))
        hd_violation(HD_KIND_MISUSE, site, "%s of a detached thread that has ended", call);
}

/* The threads that it and its parents had made when it was made, with it. */
static uint32_t ordinal(uint32_t thread)
{
    uint32_t n = 0;
    for (; thread; thread = rt->shared->threads[thread].parent)
        n += rt->shared->threads[thread].nth;
    return n;
}

/* A thread that makes others without end stands still at the bound (--threads).  What decides
 * is its own history and that of its parents, so that creations still commute: main is the
 * first, the nth child of a thread is n later than that thread. */
static void stop_at_bound(const struct hd_thread *me, uint32_t site)
{
    uint32_t most = rt->shared ? rt->shared->options.threads : 0;
    most = most ? most : HD_MAX_THREADS;
    if (!rt->shared || me->atomic_depth || rt->in_invariant ||
        ordinal(rt->cur) + me->n_children + 1 < most)
        return;
    __heddle_reached(HD_NOTE_THREADS, site);
    hd_stand_still(false, site);
}

static void begin(uint32_t thread, void *(*routine)(void *), void *arg, bool detached,
                  bool published, size_t stack_bytes)
{
    struct hd_thread *t = &model->threads[thread];
    hd_log_range(t, sizeof *t);
    *t = (struct hd_thread){ .arg = arg, .joiner = HD_NOBODY, .published = published };
    t->routine = (uint64_t (*)(void *))(uintptr_t)routine;
    t->flags = detached ? HD_THREAD_DETACHED : 0;
    rt->has_detached |= detached;
    if (hd_asks_properties() & (detached ? HD_PROPERTIES_ASKED : HD_PROPERTIES_END))
        t->flags |= HD_THREAD_TELLS;
    t->blocked_signals = hd_thread_now()->blocked_signals;
    if (hd_tset_has(&model->joined, thread)) { /* an earlier thread had its id */
        hd_log_word(&model->joined.w[thread >> 6]);
        hd_tset_del(&model->joined, thread);
    }
    HD_SET(model->unjoined, model->unjoined + 1);
    hd_keys_begin(thread);
    hd_fiber_map(thread, stack_bytes);
    hd_tls_assign(thread);
    hd_fiber_prepare(thread, hd_thread_main);
    if (rt->config.n_threads <= thread)
        rt->config.n_threads = thread + 1;
    if (rt->config.n_threads > 64 && rt->ex)
        hd_explorer_look_again(rt->ex);
    hd_tset_add(&rt->config.live, thread);
    hd_tset_add(&rt->config.enabled, thread);
    rt->next[thread] = (struct hd_action){ .object = thread, .op = HD_OP_START, .choices = 1 };
    hd_update_solo();
}

/* How many threads the running one has made like that (counters.alike). */
static void count_alike(void *(*routine)(void *), const void *arg)
{
    uint32_t n = 1;
    if (!rt->shared || rt->shared->cnt.executions)
        return;
    for (uint32_t t = 1; t < rt->config.n_threads; t++)
        n += rt->shared->threads[t].parent == rt->cur && model->threads[t].arg == arg &&
             (uintptr_t)model->threads[t].routine == (uintptr_t)routine;
    if (n > rt->shared->cnt.alike)
        rt->shared->cnt.alike = n;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*routine)(void *), void *arg)
{
    uint32_t site = hd_take_site();
    int state = PTHREAD_CREATE_JOINABLE;
    size_t stack_bytes = 0;
    if (attr) {
        pthread_attr_getdetachstate(attr, &state);
        pthread_attr_getstacksize(attr, &stack_bytes);
        if (rt->shared && hd_attr_has_stack(attr))
            rt->shared->cnt.left_out |= HD_LEFT_STACK;
    }
    sigset_t mask;
    bool masked = attr && pthread_attr_getsigmask_np(attr, &mask) == 0;
    if (!rt->engine_top)
        hd_fatal("a thread is created by the constructor of a library that is not built by "
                 "heddle cc, before the program begins");
    if (hd_fault(HD_FAULT_CREATE, site))
        return EAGAIN;
    hd_engine_root();
    struct hd_thread *me = hd_thread_now();
    stop_at_bound(me, site);
    uint32_t child = name_child(me->n_children + 1);
    pthread_t made = ID(child);
    bool own = hd_site_flag(site) == HD_SITE_OWN_RESULT;
    bool first = !own && rt->plain_events && !rt->solo_fast; /* as glibc: the thread sees it */
    if (first)
        hd_store_result(id, &made, sizeof made, site);
    rt->solo_fast &= ~(uint32_t)HD_FAST_SOLO;
    if (rt->weak && hd_thread_now()->locked_sections) {
        rt->shared->ctl.error_site = site;
        hd_fatal("the graph search does not know pthread_create in an atomic section: use "
                 "--memory sc");
    }
    hd_act(HD_OP_CREATE, (void *)(uintptr_t)child, own ? NULL : id, sizeof *id, site);
    if (HD_UNLIKELY(rt->mode == HD_REPLAYING))
        hd_replay_values(0, (uint64_t)(uintptr_t)routine, HD_STEP_NAMES);
    HD_SET(me->n_children, me->n_children + 1);
    count_alike(routine, arg);
    begin(child, routine, arg, state == PTHREAD_CREATE_DETACHED, !own, stack_bytes);
    if (masked)
        memcpy(&model->threads[child].blocked_signals, &mask, sizeof(uint64_t));
    if (!first)
        hd_view_store_result(rt->cur, id, &made, sizeof made);
    return 0;
}

void hd_thread_spawn(uint64_t (*routine)(void *), void *arg, uint32_t site)
{
    struct hd_thread *me = hd_thread_now();
    stop_at_bound(me, site);
    uint32_t child = name_child(me->n_children + 1);
    hd_act(HD_OP_CREATE, (void *)(uintptr_t)child, NULL, 0, site);
    HD_SET(me->n_children, me->n_children + 1);
    begin(child, (void *(*)(void *))(uintptr_t)routine, arg, true, false, 0);
    model->threads[child].blocked_signals = ~0ull;
}

/* The thread is no longer live.  The last thread ends the process. */
static inline void leave_config(uint32_t me)
{
    struct hd_config *config = &rt->config;
    if (HD_LIKELY(config->n_threads <= 64)) {
        uint64_t others = ~(1ull << me);
        if (HD_UNLIKELY(!(config->live.w[0] & others)))
            hd_exit_last();
        config->live.w[0] &= others;
        config->enabled.w[0] &= others;
        return;
    }
    if (hd_tset_count(&config->live, hd_tset_words(config->n_threads)) == 1)
        hd_exit_last();
    hd_tset_del(&config->live, me);
    hd_tset_del(&config->enabled, me);
}

/* The step of its end has begun: its result may be read. */
static inline __attribute__((always_inline)) _Noreturn void over(uint32_t me, struct hd_thread *t)
{
    leave_config(me);
    HD_SET(t->flags, t->flags | HD_THREAD_EXITED);
    if (t->joiner != HD_NOBODY && rt->next[t->joiner].op == HD_OP_JOIN) /* not in a handler */
        hd_set_enabled(t->joiner, true);
    hd_depart();
}

/* Synchronisation objects on the thread's stack end in a step of their own: EXIT conflicts with
 * accesses of memory there, but not with operations on these. */
static void end_objects(struct hd_thread *t)
{
    if (t->objects_end && !rt->solo_fast)
        hd_act_full(HD_OP_FREE, (void *)(uintptr_t)t->objects_begin, NULL,
                    (uint32_t)(t->objects_end - t->objects_begin), 0, 1);
    if (t->objects_end)
        HD_SET(t->flags, t->flags | HD_THREAD_LEFT);
}

/* Others may ask for the thread's properties, which it has no more: a step of its own, because
 * EXIT commutes with those on properties. */
static void end_properties(struct hd_thread *t)
{
    if (!(t->flags & HD_THREAD_TELLS))
        return;
    if (!rt->solo_fast)
        hd_act(HD_OP_THREAD_STATE, &model->properties[rt->cur], NULL, 0, 0);
    HD_SET(t->flags, t->flags | HD_THREAD_OVER);
}

void hd_thread_finish(void)
{
    struct hd_thread *t = hd_thread_now();
    if (t->atomic_depth)
        hd_violation(HD_KIND_MISUSE, 0, "a thread ends inside an atomic section");
    if (t->n_destructors)
        hd_thread_destructors();
    if (model->n_keys)
        hd_keys_end();
    if (model->n_robust)
        hd_mutex_owner_dies();
    end_objects(t);
    end_properties(t);
    rt->solo_fast &= ~(uint32_t)HD_FAST_SOLO;
    hd_act_full(HD_OP_EXIT, (void *)(uintptr_t)rt->cur, NULL, 0, 0, 1);
    over(rt->cur, t);
}

/* The end of a thread whose EXIT had to wait for its turn (hd_stand). */
static _Noreturn void over_at_last(void) { over(rt->cur, hd_thread_now()); }

static _Noreturn __attribute__((noinline)) void returned(uint64_t result)
{
    struct hd_thread *t = hd_thread_now();
    if (HD_UNLIKELY(t->cleanup || t->n_destructors | t->atomic_depth | t->part | model->n_keys |
                                      model->n_robust | t->objects_end |
                                      (t->flags & HD_THREAD_TELLS)))
        hd_thread_exit(result);
    if (result)
        HD_SET(t->result, result);
    uint32_t me = rt->cur;
    rt->solo_fast &= ~(uint32_t)HD_FAST_SOLO;
    if (HD_LIKELY(rt->usual && !(model->awaiting.w[0] | model->polling.w[0]) &&
                  hd_explorer_exits(rt->ex, me))) {
        rt->depth++;
        over(me, t);
    }
    hd_post(HD_OP_EXIT, (void *)(uintptr_t)me, NULL, 0, 0, 1);
    if (!hd_engine_fast_path())
        hd_stand(over_at_last);
    over(me, t);
}

/* Its frame is part of every slice, so it is small. */
void hd_thread_main(void)
{
    const struct hd_thread *t = hd_thread_now();
    if (HD_UNLIKELY(t->flags & HD_THREAD_SIGNALLED))
        hd_interrupt_at_start();
    returned(hd_call_routine(t->routine, t->arg));
}

/* The thread has been joined, or is being detached.  That is a step of its own, because the one
 * before it commutes with all that is asked about the thread.  Under a weak memory model the
 * other calls with its id have a step on the thread itself. */
static void changes_state(uint32_t thread, bool detached, uint32_t site)
{
    if (!rt->solo_fast && detached && rt->weak && hd_interrupts())
        hd_act(HD_OP_THREAD_USE, (void *)(uintptr_t)thread, NULL, 0, site);
    if (!rt->solo_fast && hd_asks_properties())
        hd_act(HD_OP_THREAD_STATE, &model->properties[thread], NULL, 0, site);
}

static void joined(uint32_t thread, void *result, uint32_t bytes, uint32_t site)
{
    hd_log_word(&model->joined.w[thread >> 6]);
    hd_tset_add(&model->joined, thread);
    HD_SET(model->unjoined, model->unjoined - 1);
    if (model->unjoined == 0)
        hd_update_solo();
    if (result)
        hd_store_result(result, &model->threads[thread].result, bytes, site);
    changes_state(thread, false, site);
}

/* Checked before the step, and again in it: other threads may have run in between. */
static void check_joinable(uint32_t thread, uint32_t site)
{
    if (model->threads[thread].flags & HD_THREAD_DETACHED)
        hd_violation(HD_KIND_MISUSE, site, "pthread_join of a detached thread");
    if (hd_tset_has(&model->joined, thread))
        hd_violation(HD_KIND_MISUSE, site, "pthread_join of a thread that has been joined");
}

static __attribute__((noinline)) struct hd_thread *any_joinable(uint64_t id, uint32_t site)
{
    struct hd_thread *t = hd_thread_of(id, "pthread_join", site);
    check_joinable((uint32_t)id - 1, site);
    if (id - 1 == rt->cur)
        hd_violation(HD_KIND_MISUSE, site, "a thread joins itself");
    if (t->joiner != HD_NOBODY)
        hd_violation(HD_KIND_MISUSE, site, "two threads join the same thread");
    return t;
}

/* Has the existing thread ended without being joined? */
static inline bool may_be_joined(uint32_t thread)
{
    const struct hd_thread *t = &model->threads[thread];
    const uint32_t flags = HD_THREAD_EXITED | HD_THREAD_DETACHED;
    return (t->flags & flags) == HD_THREAD_EXITED && t->joiner == HD_NOBODY &&
           !hd_tset_has(&model->joined, thread);
}

static inline struct hd_thread *joinable(uint64_t id, uint32_t site)
{
    if (HD_LIKELY(id - 1 < rt->config.n_threads && may_be_joined((uint32_t)id - 1)))
        return &model->threads[id - 1]; /* (a thread that has ended does not run) */
    return any_joinable(id, site);
}

/* The thread has ended and the join takes the fast path: it need not be entered as a joiner. */
static inline bool join_at_once(const struct hd_thread *t, uint32_t thread, void *result,
                                uint32_t bytes, uint32_t site)
{
    if (!(t->flags & HD_THREAD_EXITED) || rt->solo_fast & HD_FAST_ATOMIC || rt->looks)
        return false;
    hd_post(HD_OP_JOIN, (void *)(uintptr_t)thread, result, bytes, site, 1);
    return hd_engine_fast_path();
}

static bool some_wait_in_loops(void)
{
    uint32_t words = hd_tset_words(rt->config.n_threads);
    return !hd_tset_empty(&model->awaiting, words) || !hd_tset_empty(&model->polling, words);
}

/* The running thread has joined one: its next joins may be those of a row (explorer.h), as long
 * as they are nothing but joins. */
static inline void open_row(const void *result)
{
    bool many = rt->config.n_threads > 64;
    if (result || rt->solo_fast || model->awaiting.w[0] | model->polling.w[0] ||
        hd_cancel_wanted(hd_thread_now()))
        return;
    if (many ? hd_apart_top || !all_else_is_usual() || some_wait_in_loops() : !rt->usual)
        return;
    rt->row = hd_explorer_row(rt->ex, rt->cur);
    rt->row_ids = many ? 0 : rt->config.n_threads;
    rt->usual = !rt->row && !many;
}

int hd_thread_join(uint64_t id, void *result, uint32_t bytes, uint32_t site)
{
    hd_cancel_point_waits(site);
    struct hd_thread *t = joinable(id, site);
    uint32_t thread = (uint32_t)id - 1;
    if (HD_UNLIKELY(result != NULL))
        hd_symmetry_tell(thread, "the result of one of them is taken");
    if (!join_at_once(t, thread, result, result ? bytes : 0, site)) {
        HD_SET(t->joiner, rt->cur);
        hd_set_enabled(rt->cur, t->flags & HD_THREAD_EXITED);
        hd_act(HD_OP_JOIN, (void *)(uintptr_t)thread, result, result ? bytes : 0, site);
        HD_SET(t->joiner, HD_NOBODY);
        if (hd_cancel_woke())
            hd_cancel_act();
        check_joinable(thread, site);
    }
    joined(thread, result, bytes, site);
    open_row(result);
    return 0;
}

/* One join of a row (explorer.h), where there are more than 64 threads. */
static HD_RARE bool join_in_long_row(struct hd_node *node, uint64_t id, uint32_t site)
{
    uint32_t thread = (uint32_t)id - 1;
    if (id - 1 >= rt->config.n_threads || !may_be_joined(thread))
        return false;
    struct hd_worker_memory *shared = rt->shared;
    node->action.object = thread;
    node->action.site = hd_next_now()->site = site;
    rt->row = node + 1;
    shared->steps[shared->depth++] = rt->cur;
    shared->cnt.events++;
    hd_log_word(&model->joined.w[thread >> 6]);
    hd_tset_add(&model->joined, thread);
    if (--model->unjoined == 0)
        rt->solo_fast = HD_FAST_SOLO;
    return true;
}

/* The same where there are fewer.  The set of joined threads has been in the undo log since the
 * first join. */
static inline bool join_in_row(struct hd_node *node, uint64_t id, uint32_t site)
{
    if (HD_UNLIKELY(id - 1 >= rt->row_ids))
        return !rt->row_ids && join_in_long_row(node, id, site);
    const struct hd_thread *t = &model->threads[id - 1];
    const uint32_t flags = HD_THREAD_EXITED | HD_THREAD_DETACHED;
    uint64_t bit = 1ull << (id - 1);
    if (HD_UNLIKELY((t->flags & flags) != HD_THREAD_EXITED || t->joiner != HD_NOBODY ||
                    model->joined.w[0] & bit))
        return false;
    struct hd_worker_memory *shared = rt->shared;
    node->action.object = id - 1;
    node->action.site = hd_next_now()->site = site; /* a violation after it names this site */
    rt->row = node + 1;
    shared->steps[shared->depth++] = rt->cur;
    shared->cnt.events++;
    model->joined.w[0] |= bit;
    if (--model->unjoined == 0)
        rt->solo_fast = HD_FAST_SOLO; /* as hd_update_solo(): the row goes on */
    return true;
}

int pthread_join(pthread_t id, void **result)
{
    uint32_t site = hd_take_site();
    struct hd_node *node = rt->row;
    if (HD_LIKELY(node && !result && join_in_row(node, id, site)))
        return 0;
    return hd_thread_join(id, result, sizeof *result, site);
}

/* Join with a limit: `late` is the result when the thread has not ended.  Under a weak memory
 * model a call that fails does not touch the result, and may have missed the end. */
static int try_join(pthread_t id, void **result, int late, uint32_t site)
{
    struct hd_thread *t = joinable(id, site);
    void *thread = (void *)((uintptr_t)id - 1);
    hd_symmetry_tell((uint32_t)id - 1, "it is asked whether one of them has ended");
    bool asks = rt->weak && !rt->solo_fast;
    if (asks)
        hd_act(HD_OP_JOIN_NOW, thread, NULL, 0, site);
    else if (!rt->solo_fast)
        hd_act(HD_OP_TRYJOIN, thread, result, result ? sizeof *result : 0, site);
    bool missed = asks && hd_weak_fails();
    if (late == ETIMEDOUT && hd_cancel_came()) /* tryjoin is no cancellation point */
        hd_cancel_act();
    check_joinable((uint32_t)id - 1, site);
    if (!(t->flags & HD_THREAD_EXITED) || missed)
        return late;
    if (rt->weak && !rt->plain_events && result)
        __heddle_will_write(result, sizeof *result, site);
    joined((uint32_t)id - 1, result, sizeof *result, site);
    return 0;
}

int pthread_tryjoin_np(pthread_t id, void **result)
{
    return try_join(id, result, EBUSY, hd_take_site());
}

int pthread_clockjoin_np(pthread_t id, void **result, clockid_t clock, const struct timespec *at)
{
    uint32_t site = hd_take_site();
    uint64_t deadline = 0;
    if (at && !hd_deadline(clock, at, &deadline))
        return EINVAL;
    if (!at || hd_deadline_never(deadline)) /* no time means no limit */
        return hd_thread_join(id, result, sizeof *result, site);
    hd_cancel_point(site);
    if (hd_polls_too_long(site))
        hd_polls_stop(site);
    int status = try_join(id, result, ETIMEDOUT, site);
    if (status == ETIMEDOUT)
        hd_clock_reach(deadline, site);
    return status;
}

int pthread_timedjoin_np(pthread_t id, void **result, const struct timespec *at)
{
    return pthread_clockjoin_np(id, result, CLOCK_REALTIME, at);
}

int pthread_detach(pthread_t id)
{
    uint32_t site = hd_take_site();
    struct hd_thread *t = hd_thread_of(id, "pthread_detach", site);
    hd_symmetry_tell((uint32_t)id - 1, "one of them is detached");
    if (!rt->solo_fast)
        hd_act(HD_OP_DETACH, (void *)((uintptr_t)id - 1), NULL, 0, site);
    changes_state((uint32_t)id - 1, true, site);
    if (hd_tset_has(&model->joined, (uint32_t)id - 1))
        hd_violation(HD_KIND_MISUSE, site, "pthread_detach of a thread that has been joined");
    if (t->flags & HD_THREAD_DETACHED)
        hd_violation(HD_KIND_MISUSE, site, "pthread_detach of a detached thread");
    rt->has_detached = 1;
    HD_SET(t->flags, t->flags | HD_THREAD_DETACHED |
                         (hd_asks_properties() ? (uint32_t)HD_THREAD_TELLS : 0));
    return 0;
}

pthread_t pthread_self(void)
{
    if (hd_ready && rt->cur)
        rt->distinguished_by = "one of them asks for its own id";
    return ID(hd_ready ? rt->cur : 0);
}

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
