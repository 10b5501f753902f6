/* Functions that the files of the runtime share; the state is in runtime_state.h. */
#ifndef HD_RUNTIME_RT_H
#define HD_RUNTIME_RT_H

#include "runtime/runtime_state.h"

#define HD_LIKELY(x) __builtin_expect(!!(x), 1)
#define HD_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Remember the aligned word at `at` before it changes. */
static inline void hd_log_word(void *at)
{
    if (HD_UNLIKELY(!rt->rooted))
        return;
    uint64_t *word = (uint64_t *)((uintptr_t)at & ~7ull);
    struct hd_undo *e = rt->log_top++;
    e->at = word;
    e->old = *word;
}
/* Log a range of the program's memory, or of the model: a violation unless it can be
 * written. */
void hd_log_range(const void *at, uint64_t bytes);
/* Log a range that is known to exist. */
void hd_log_known(const void *at, uint64_t bytes);

/* Copy a set of threads; only its first word while there are few. */
static inline void hd_copy_threads(struct hd_tset *to, const struct hd_tset *from,
                                   uint32_t n_threads)
{
    if (HD_LIKELY(n_threads <= 64))
        to->w[0] = from->w[0];
    else
        *to = *from;
}

/* Change model memory. */
#define HD_SET(lvalue, value) (hd_log_word(&(lvalue)), (void)((lvalue) = (value)))

/* Copy a slice of a few hundred bytes, in pieces of 64: there is room after both ends (the tops
 * of the stacks lie 64 bytes or more below their ends). */
static inline void hd_copy_slice(void *to, const void *from, uint64_t bytes)
{
    typedef long long piece __attribute__((vector_size(16), may_alias));
    piece *d = to;
    const piece *s = from;
#pragma clang loop unroll(disable)
    for (uint64_t i = 0; i < bytes; i += 64, d += 4, s += 4) {
        piece a = s[0], b = s[1], c = s[2], e = s[3];
        d[0] = a;
        d[1] = b;
        d[2] = c;
        d[3] = e;
    }
}

static inline struct hd_thread *hd_thread_now(void) { return &model->threads[rt->cur]; }
static inline struct hd_action *hd_next_now(void) { return &rt->next[rt->cur]; }

/* The running thread's buffer between the program's memory and channels: of its own in a
 * handler that has interrupted a call. */
static inline char *hd_bounce(void)
{
    return model->fds.bounce[hd_thread_now()->n_interrupted][rt->cur];
}

/* interrupt.c: handlers that signals of other threads run. */
struct hd_queued;
/* The signal is on its way to the thread, or to one that does not block it (target 0). */
void hd_interrupt_send(const struct hd_queued *q, uint32_t site);
/* The stack to go on with for a thread whose next operation is SIGNAL_HANDLE. */
uint64_t hd_interrupt_enter(uint64_t sp);
void hd_interrupt_at_start(void); /* the running thread has HD_THREAD_SIGNALLED */
/* Under a weak memory model: the running thread has posted an action, and looks for signals
 * before that.  True: a handler has run, and the wait that was posted is over. */
bool hd_interrupt_looks(void);
/* The action with which the thread waits for the object: its next one, or one that a handler
 * has interrupted. */
struct hd_action *hd_interrupt_waits(uint32_t thread, uint64_t object);
static inline struct hd_action *hd_waits_at(uint32_t thread, uint64_t object)
{
    return HD_LIKELY(!model->threads[thread].n_interrupted) ? &rt->next[thread]
                                                            : hd_interrupt_waits(thread, object);
}
/* Has a handler ended the call whose step is just over?  Then it fails with EINTR. */
bool hd_interrupt_ends(void);
static inline bool hd_interrupted(void)
{
    return HD_UNLIKELY(hd_thread_now()->eintr) && hd_interrupt_ends();
}

/* switch.S */
/* The scheduling point of a thread that goes on at `sp`, where it stood before. */
_Noreturn void hd_back(uint64_t sp);
void hd_point(void); /* a scheduling point of the running thread; returns when it may go on */
/* The scheduling point of a thread that has ended: nothing of it is kept. */
_Noreturn void hd_depart(void);
/* The scheduling point of a thread that goes on with `entry` and needs nothing of its stack. */
_Noreturn void hd_stand(void (*entry)(void));
_Noreturn void hd_resume(uint64_t sp);
uint64_t hd_call_routine(uint64_t (*routine)(void *), void *arg);
_Noreturn void hd_enter_engine(uint32_t kind, uint32_t arg, uint64_t top);
void hd_fiber_start(void);
void __heddle_turn(void); /* calls hd_turn */
void __heddle_turn_plain(void);
/* Loads that are not atomic may be events, plain or volatile ones: __heddle_turn_plain does the
 * same as __heddle_turn. */
extern uint32_t hd_turns_plain;
void hd_turn(uint64_t sp);     /* turns.c: the thread is at the head of a loop */
bool hd_fast_path_apart(void); /* hd_engine_fast_path_apart(), on the engine's stack */
extern uint64_t hd_apart_top;  /* of that, while states are compared; otherwise 0 */

/* engine.c */
uint64_t hd_engine_point(uint64_t sp);
uint64_t hd_engine_stand(void (*entry)(void));
/* The row of joins is over (hd_explorer_row). */
void hd_engine_row_over(void);
/* The fast path: may the running thread do its next action at once? */
bool hd_engine_fast_path(void);
/* The same where states are compared; `sp` is the thread's stack pointer. */
bool hd_engine_fast_path_apart(uint64_t sp);
_Noreturn void hd_engine_loop(uint32_t kind, uint32_t arg);
_Noreturn void hd_engine_ended(const struct hd_finding *finding);
_Noreturn void hd_engine_finish(void);
void hd_engine_root(void);
void hd_fiber_prepare(uint32_t thread, void (*entry)(void));
void hd_set_fs(uint64_t base);

/* Log the next action of a thread that does not run, before it changes: undoing the step that
 * changes it restores it. */
static inline void hd_log_next(uint32_t thread)
{
    for (uint32_t i = 0; i < sizeof rt->next[thread] / 8; i++)
        hd_log_word((uint64_t *)&rt->next[thread] + i);
}

/* An action has that many choices. */
static inline void hd_note_choices(uint32_t choices)
{
    if (choices > 1)
        rt->config.one_way = 0;
}

/* A pending action has another number of choices. */
static inline void hd_recount(struct hd_action *a, uint16_t choices)
{
    hd_note_choices(choices);
    if (a->choices != choices)
        HD_SET(a->choices, choices);
}

/* lock_parts.c: the running thread posts an operation other than a plain access, and may hold a
 * part of a mutex. */
void hd_part_posts(enum hd_op op, uint64_t object);

/* Post the running thread's next action, and return it. */
static inline struct hd_action *hd_post(enum hd_op op, const void *object, const void *object2,
                                        uint32_t size, uint32_t site, uint32_t choices)
{
    struct hd_action *a = hd_next_now();
    a->object = (uint64_t)(uintptr_t)object;
    a->object2 = (uint64_t)(uintptr_t)object2;
    a->size = size;
    a->site = site;
    a->op = (uint8_t)op;
    a->order = 0;
    a->choices = (uint16_t)choices;
    hd_note_choices(choices);
    if (op > HD_OP_WRITE && HD_UNLIKELY(rt->parts != NULL))
        hd_part_posts(op, a->object);
    return a;
}

/* Post the running thread's next action and return when it may be done.  Inline: a frame of its
 * own would be part of every saved slice. */
static inline void hd_act_full(enum hd_op op, const void *object, const void *object2,
                               uint32_t size, uint32_t site, uint32_t choices)
{
    hd_post(op, object, object2, size, site, choices);
    if (!hd_engine_fast_path())
        hd_point();
}

/* check.c: a violation if a synchronisation object is in memory that has ended. */
void hd_check_object_of_program(const void *object, uint32_t site);
static inline void hd_check_object(const void *object, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)object;
    if (HD_UNLIKELY(at - HD_STACK_BASE < HD_LAYOUT_END - HD_STACK_BASE))
        hd_check_object_of_program(object, site);
}
/* A violation if the object is at NULL or near it: then a replay fails where the run did. */
_Noreturn void hd_touched_null(const void *object, uint32_t site);
static inline void hd_touch_object(const void *object, uint32_t site)
{
    if (HD_UNLIKELY((uintptr_t)object < 4096))
        hd_touched_null(object, site);
}
/* sync.c: a violation if the object of the running thread's next action has been destroyed
 * since that action was posted. */
void hd_sync_not_stale(uint32_t site);
/* The running thread takes an action up again: it is such a one if the object was destroyed
 * meanwhile. */
void hd_sync_stale_now(const struct hd_action *a);

/* As hd_act_full(), for an operation that may occur inside an atomic section, where nothing is
 * a scheduling point; the object is checked afterwards. */
static inline void hd_act(enum hd_op op, const void *object, const void *object2, uint32_t size,
                          uint32_t site)
{
    if (HD_LIKELY(!(rt->solo_fast & HD_FAST_ATOMIC)))
        hd_act_full(op, object, object2, size, site, 1);
    hd_check_object(object, site);
    if (HD_UNLIKELY(model->n_stale))
        hd_sync_not_stale(site);
}

/* As hd_act(), for the step with which a thread leaves an object that it waited for.  Once
 * nobody waits any more, the object may be destroyed and its memory freed (POSIX's example in
 * pthread_cond_destroy).  An object that was not destroyed must still be there. */
static inline void hd_act_leaving(enum hd_op op, const struct hd_sync *s, const void *object2,
                                  uint32_t site)
{
    const void *object = (const void *)(uintptr_t)s->addr;
    hd_act_full(op, object, object2, 0, site, 1);
    if (!s->destroyed)
        hd_check_object(object, site);
    if (HD_UNLIKELY(model->n_stale))
        hd_sync_not_stale(site);
}

/* The order of two accesses may depend on an operation that does not order anything according
 * to C and POSIX: from now on data races are also looked for by happens-before
 * (explore/order/sync_order.h). */
static inline void hd_orders_less(enum hd_orders_less what)
{
    if (rt->shared && !rt->solo_fast)
        rt->shared->cnt.orders_less |= what;
}

/* A fence in all threads, under a weak memory model: membarrier(2). */
void hd_fence_everywhere(uint32_t site);

/* weak.c: atomic accesses under a weak memory model, while exploring and in a replay.
 * hd_weak_store returns whether memory is to hold the value. hd_weak_step: the action is the
 * next step of a replay. */
void hd_weak_load(const void *at, void *into, uint64_t bytes);
bool hd_weak_store(const void *at, const void *from, uint64_t bytes);
/* The same for at most 16 bytes, without pointers: the callers keep values in registers. */
unsigned __int128 hd_weak_load_value(const void *at, uint64_t bytes);
bool hd_weak_store_value(const void *at, unsigned __int128 value, uint64_t bytes);
/* The same for plain accesses that may be events; otherwise memory is read and written. */
void hd_weak_plain_load(const void *at, void *into, uint64_t bytes);
bool hd_weak_plain_store(const void *at, const void *from, uint64_t bytes);
void hd_weak_step(const struct hd_action *action);
/* In a replay: what the atomic access would read. */
void hd_weak_peek(const struct hd_action *action, uint32_t choice, uint64_t out[2]);
enum hd_op hd_replay_outcome(uint32_t thread, uint32_t choice); /* replay.c */

/* user.c: the thread is stopped for ever: no execution counts in which it goes on.  `undone`:
 * an atomic section has been undone. */
_Noreturn void hd_stand_still(bool undone, uint32_t site);

/* site_orders.c: the orders that the options give instead of the program's own. */
void hd_site_orders_prepare(const struct hd_options *options);
uint32_t hd_site_order_replaced(uint32_t site, uint32_t order);

static inline uint32_t hd_site_order(uint32_t site, uint32_t order)
{
    return HD_UNLIKELY(rt->site_orders) ? hd_site_order_replaced(site, order) : order;
}

/* suppress.c: the rule for a race at that site on that byte (explore/loop/world.h), and for a
 * volatile access; + 1, 0: there is none. */
uint32_t hd_suppressed(void *self, uint32_t site, uint64_t addr, bool *of_object);
uint32_t hd_volatile_rule(const void *at, uint32_t site);

/* Does the attempt of the running step fail because it reads an old state of its object?  (What
 * is no step has no choice.) */
static inline bool hd_weak_fails(void)
{
    return HD_UNLIKELY(rt->weak) && rt->choice && !rt->solo_fast;
}

/* stack.c: the sites of the calls that a thread at a scheduling point stands in, innermost
 * first; how many there are. */
extern const struct hd_frame *__heddle_frame; /* of the running thread */
uint32_t hd_stack_parked(void *self, uint32_t thread, uint32_t sites[HD_MAX_FRAMES]);
/* That stack as one number, for the log of a replay (core/frame.h); 0: none, or no replay. */
uint32_t hd_stack_keep(uint32_t thread);
uint32_t hd_stack_keep_running(uint32_t site); /* of the running thread, at `site` */
/* The site that reports name for a block that is allocated at `site`; 0: no replay. */
uint32_t hd_stack_maker(uint32_t site);

/* target.c: do threads stand at all the targets?  Then `chosen` says who. */
bool hd_target_reached(uint32_t chosen[HD_MAX_PLACES]);

/* start.c */
extern int hd_ready; /* tool and model memory are there */
void hd_rt_prepare(void);
void hd_fiber_map(uint32_t thread, uint64_t bytes);
void hd_rt_become_worker(int memory, int tree);
_Noreturn void hd_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void hd_say(const char *fmt, ...)
    __attribute__((format(printf, 1, 2))); /* to the user, at once */
void hd_rt_check(void *self);
_Noreturn void hd_rt_bug(void *self, const char *what);
extern uint32_t __heddle_call_site;
extern uint32_t hd_taken_site; /* the last that was taken */
/* Of the call that instrumented code is making; 0: not known. */
static inline uint32_t hd_take_site(void)
{
    uint32_t site = __heddle_call_site;
    __heddle_call_site = 0;
    hd_taken_site = site;
    return site;
}
/* The site to report when a function that instrumented code calls goes wrong. */
static inline uint32_t hd_site_now(void)
{
    return __heddle_call_site ? __heddle_call_site : hd_taken_site;
}
/* world.c: may threads be cancelled?  May they be sent signals? */
bool hd_cancels(void);
bool hd_interrupts(void);
uint32_t hd_asks_properties(void);   /* about names, scheduling, attributes: HD_PROPERTIES_* */
bool hd_asks_mappings(void);         /* whether memory is mapped */
bool hd_in_libc(const void *caller); /* code of the C library or the dynamic linker */
void hd_site_text(uint32_t site, char *text, size_t size); /* "file:line" */
const char *hd_site_variable(uint32_t site); /* what the source calls it, "": nothing */
uint32_t hd_site_flag(uint32_t site);        /* of a call: HD_SITE_…, or 0 */

/* violation.c */
_Noreturn void hd_violation(enum hd_kind kind, uint32_t site, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* An assertion fails, as the call at that site says. */
_Noreturn void hd_violation_at(uint32_t call, const char *file, uint32_t line,
                               const char *function, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* The message for a loop that does nothing and never ends. */
#define HD_SPINS "endless loop: nothing in it, and no other thread, can end it"
/* Ends the execution with a finding that is complete but for the thread. */
_Noreturn void hd_violation_raise(struct hd_finding *finding);
struct hd_block;
/* A memory error: the finding also says where the block was allocated and freed. */
_Noreturn void hd_violation_block(const struct hd_block *block, uint32_t site, const char *fmt,
                                  ...) __attribute__((format(printf, 3, 4)));
void hd_violation_describe(void *self, struct hd_finding *finding);
/* Are the two threads about to make accesses that race?  Then *finding describes the race. */
bool hd_violation_race(uint32_t first, uint32_t second, struct hd_finding *finding);
/* Add where the thread stands, and what it waits for. */
void hd_violation_standing(struct hd_finding *f, uint32_t thread);
/* mapping.c: the system's own, for the runtime: mmap() and mprotect() are the program's. */
void *hd_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int hd_mprotect(void *at, size_t bytes, int protection);
/* wakers.c: hd_world.wakers */
bool hd_wakers(void *self, uint32_t thread, struct hd_tset *out);
struct hd_site_wakers;
const struct hd_site_wakers *hd_site_facts(void *self, uint32_t *n);
/* Does the thread wait in a cycle of threads?  Then *finding describes the deadlock. */
bool hd_violation_partial(uint32_t thread, struct hd_finding *finding);
void hd_violation_install_handlers(void);
struct hd_name hd_name_of(uint64_t addr, enum hd_space space, enum hd_op op);

/* attr.c: was it given a stack? */
bool hd_attr_has_stack(const union pthread_attr_t *attr);

/* thread.c */
/* A detached thread of the runtime's own. */
void hd_thread_spawn(uint64_t (*routine)(void *), void *arg, uint32_t site);
void hd_update_solo(void);
/* Is there no other thread that has not been joined, so that accesses are no steps? */
static inline bool hd_is_alone(void)
{
    return model->unjoined == 0 && (!(rt->reads_from | rt->looks) || rt->config.n_threads <= 1);
}
bool hd_solo_step(enum hd_op op);
/* Wait for the thread's end; its result goes into `bytes` at `result` (NULL: nowhere). */
int hd_thread_join(uint64_t id, void *result, uint32_t bytes, uint32_t site);
_Noreturn void hd_thread_main(void);
/* The thread with that pthread_t, or a misuse: "`call` of something that is not a thread". */
struct hd_thread *hd_thread_of(uint64_t id, const char *call, uint32_t site);
/* A violation if the lifetime of the thread's id is over: it has been joined, or has been
 * detached and has ended.  To be asked in a step that depends on these. */
void hd_thread_not_gone(uint32_t thread, const char *call, uint32_t site);
/* The running thread ends: cleanup handlers first (cancel.c), then what is left of it. */
_Noreturn void hd_thread_exit(uint64_t result);
_Noreturn void hd_thread_finish(void);

/* world.c */
extern const struct hd_world hd_fiber_world;
void hd_world_find_data(void); /* finds the data of the program and its libraries */
void hd_snapshot_take(void);
void hd_snapshot_restore(void);
uint32_t hd_world_rewind(uint32_t depth);

/* tls.c */
void hd_tls_measure(void);
void hd_tls_park(uint32_t n);
void hd_tls_assign(uint32_t thread);

/* replay.c */
struct hd_decision hd_replay_decide(void);
struct hd_decision hd_guide_decide(void); /* guide.c */
struct hd_decision hd_replay_step(uint32_t thread, uint32_t choice, uint32_t flags);
_Noreturn void hd_replay_stop(uint32_t status);
void hd_replay_values(uint64_t read, uint64_t written, uint32_t flags);
/* The step gives that name to a thread. */
void hd_replay_name(uint32_t thread, const char name[16]);
void hd_replay_fence(uint32_t order);
_Noreturn void hd_replay_over(const struct hd_finding *finding);

/* cycle.c: a replayed livelock */
void hd_cycle_begin(void);
void hd_cycle_step(uint32_t thread);
/* Is the state the same as at the beginning of the cycle of so many steps, and has every thread
 * moved that could?  Then *finding describes the livelock. */
bool hd_cycle_closed(uint32_t steps, struct hd_finding *finding);

/* unordered.c: a replayed data race whose first access has been made. */
void hd_unordered_first(void);                            /* the next step is that access */
void hd_unordered_step(uint32_t thread, uint32_t choice); /* the thread makes its next step */
void hd_unordered_fence(const struct hd_action *fence);   /* the running thread executes it */
/* Is the thread's next action an access that races with it?  If so, *finding describes the
 * race. */
bool hd_unordered_found(uint32_t thread, struct hd_finding *finding);

/* plain.c */
struct hd_decision hd_plain_decide(void);

/* sync.c */
struct hd_sync *hd_sync_find(uint64_t addr); /* or NULL */
struct hd_sync *hd_sync_make(uint64_t addr, enum hd_sync_kind kind);
/* The object at that address, of that kind and in use, or a misuse: "use of a destroyed
 * `what`".  `fresh`: its bytes are those of a static initialiser, so this may be its first
 * use. */
struct hd_sync *hd_sync_use(const void *at, enum hd_sync_kind kind, const char *what, bool fresh,
                            uint32_t site);
/* The step of an initialisation; a misuse if threads wait for the object. */
struct hd_sync *hd_sync_init(void *at, enum hd_sync_kind kind, const char *what, uint32_t site);
/* The step of a destruction; a misuse if it is held or waited for. */
void hd_sync_destroy(struct hd_sync *s, const char *what, uint32_t site);
/* The effect of a destruction: a thread whose pending action is on the object now uses a
 * destroyed object. */
void hd_sync_destroyed(struct hd_sync *s, uint32_t site);
/* A misuse: the object, a `what`, is used. */
_Noreturn void hd_sync_is_destroyed(const struct hd_sync *s, const char *what, uint32_t site);
uint64_t hd_sync_state(const struct hd_sync *s); /* core/enabled.h */
/* Can the thread do the action, with which it waits for the object? */
bool hd_sync_can_go(const struct hd_sync *s, uint32_t thread, const struct hd_action *a);
/* Wait at `op` until the state of the object lets the running thread do it. */
void hd_sync_wait(struct hd_sync *s, enum hd_op op, uint32_t site);
/* Wait until that attempt could succeed. */
void hd_sync_await(struct hd_sync *s, enum hd_op attempt, uint32_t site);
/* An attempt: the step, and whether it succeeds. */
bool hd_sync_try(struct hd_sync *s, enum hd_op op, uint32_t site);
/* The state has changed: update which of the waiting threads are enabled. */
void hd_sync_changed(const struct hd_sync *s);
/* The running thread is about to wait for others. */
void hd_no_atomic(uint32_t site);
/* The running thread sleeps until another one wakes it with hd_sync_wake(). */
void hd_sync_sleep(struct hd_sync *s, uint32_t site);
void hd_sync_wake(struct hd_sync *s, uint32_t thread, enum hd_op op);
void hd_sync_disable(const struct hd_tset *set, uint32_t but);
void hd_sync_enable(const struct hd_tset *set);
static inline void hd_set_enabled(uint32_t thread, bool enabled)
{
    if (enabled)
        hd_tset_add(&rt->config.enabled, thread);
    else
        hd_tset_del(&rt->config.enabled, thread);
}

/* section.c: inside an atomic section of the running thread.
 * Make a choice of n; no other thread can move meanwhile.  The result is in rt->choice. */
void hd_section_choose(uint32_t n, uint32_t site);
/* Undo everything that the section did, except in the thread's own frames, in which it cannot
 * go on.  False if that is impossible. */
bool hd_section_take_back(void);
static inline bool hd_section_inside(void) { return rt->solo_fast & HD_FAST_ATOMIC; }

/* barrier.c: the choices of pending arrivals. */
void hd_barrier_recount(uint64_t barrier);

/* await.c: update which threads at AWAIT are enabled, by the contents of memory. */
void hd_await_refresh(void);
/* The turn of the loop that the thread is in is repeated at once, if it does not leave it. */
void hd_await_goes_on(void);

/* polls.c: loops that wait for time to pass.  The running thread lets time pass, in a sleep or
 * a wait with a time limit that may run out.  True if it has done so too often without
 * progress; then it must wait as if time stood still. */
bool hd_polls_too_long(uint32_t site);
void hd_polls_waited(void);        /* the wait that hd_polls_too_long() asked for is over */
void hd_polls_got_on(void);        /* the running thread has made progress */
void hd_polls_note(void);          /* the running thread, which polls, has posted an action */
void hd_polls_stop(uint32_t site); /* the running thread must not go on at all */
bool hd_polls_cut(void *self);     /* hd_world.cut */

/* keys.c */
void hd_keys_begin(uint32_t thread);
void hd_keys_end(void); /* destructors of the running thread */

/* thread_atexit.c */
void hd_thread_destructors(void); /* of thread_local objects of the running thread */

/* clock.c */
struct timespec;
/* A deadline in virtual time; 0 if it is before time 0.  False if it is invalid. */
bool hd_deadline(int clock, const struct timespec *at, uint64_t *ns);
/* Does a wait with that deadline last until it is granted (--no-timeouts)? */
bool hd_deadline_never(uint64_t ns);
void hd_clock_reach(uint64_t ns, uint32_t site); /* the deadline has passed */
uint64_t hd_clock_now(uint32_t site);

/* exit.c */
_Noreturn void hd_exit(int status);
_Noreturn void hd_exit_last(void); /* called when all other threads have ended */
bool hd_exit_has_handlers(void);
bool hd_exit_may_have_more(void); /* another thread may add one */
/* known_end.c: the thread has joined the threads of that set, and ended the execution, since it
 * came to the first of these joins.  Remember what else that follows from; false: that is not
 * known.  The thread stands at that join, others have run again and ended: is all of it as it
 * was? */
bool hd_end_remember(void *self, uint32_t thread, uint64_t row);
bool hd_end_is_known(void *self, uint32_t thread);

/* heap.c */
bool hd_heap_name(uint64_t addr, struct hd_name *name);

/* syscall.c: the kernel's own; syscall() is the program's */
extern const char hd_syscall_after[];
long hd_syscall(long number, long a, long b, long c, long d, long e, long f);
uint64_t hd_set_fs_by_call(uint64_t base,
                           uint64_t sp); /* returns `sp`, so that it can come last */

/* the C library's functions, of the names that the runtime interposes */
void *hd_real(const char *name);

#endif
