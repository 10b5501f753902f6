/* The runtime's own state, at a fixed address outside the world.
 *
 * Three kinds of memory, and every structure says in which it lives:
 *   tool memory   never rolled back: struct hd_rt, the undo log, the slices, the explorer
 *   model memory  part of the world, owned by the runtime: struct hd_model.  Every change to it
 *                 goes through hd_log_word(), like the program's own stores
 *   world memory  the program's: globals, heap, stacks, thread-local blocks
 *
 * Invariants (hd_rt_check):
 *  R1  at most one thread runs; `cur` is it, and its thread-local block is the CPU's
 *  R2  for every live thread but `cur`: thread.sp is a frame made by hd_point (switch.S)
 *  R3  marks[i] for i < depth holds what is needed to come back to the state before step i:
 *      the slice and the registers of the thread that made the step, the length of the undo log;
 *      or step i is not kept: its thread made step i - 1, and there is a way back to before that
 *  R4  config.enabled is exact whenever the explorer is asked */
#ifndef HD_RUNTIME_RT_H
#define HD_RUNTIME_RT_H

#include "core/frame.h"
#include "core/shared.h"
#include "core/tset.h"
#include "explore/explorer.h"
#include "explore/world.h"
#include "runtime/fd.h"
#include "runtime/signal.h"

#include <stddef.h>
#include <stdint.h>

#define HD_NOBODY 0xffffu
#define HD_MAX_SYNC (1u << 16)
#define HD_MAX_DESCRIPTORS 1024

struct hd_reach;

enum hd_run_mode { HD_PLAIN, HD_EXPLORING, HD_REPLAYING };

/* One word of the undo log: all logged writes are cut into aligned words. */
struct hd_undo {
    uint64_t *at;
    uint64_t old;
};

/* The way back to the state before a step; only of steps that are kept, but for `opaque`.  Of steps
 * that have not been made, `kept` and `opaque` are 0. */
struct hd_mark {
    struct hd_undo *log;
    char *slice; /* copy of [sp, top) of `thread` */
    uint64_t sp;
    union {
        struct {
            uint32_t n_threads, last; /* of the config, as the next two */
        };
        uint64_t config; /* … both */
    };
    struct hd_tset live, enabled;
    struct hd_action next; /* of `thread` */
    uint32_t thread;
    int32_t error_number; /* errno of `thread` */
    uint32_t before; /* depth behind the thread's newest mark before this one, 0: there is none */
    uint32_t previous; /* … of any thread's */
    uint32_t kept;
    uint32_t opaque; /* the step called code whose effects are not in the log */
};

#define HD_MOST_AWAITED 2

/* What one turn of a loop that only reads has seen (await.c). */
struct hd_await {
    uint64_t addr[HD_MOST_AWAITED], value[HD_MOST_AWAITED];
    uint32_t size[HD_MOST_AWAITED]; /* at most 8 */
    uint32_t n;
    uint32_t useless; /* more than can be waited for, or something has changed: go round again */
    uint32_t again;   /* the next turn is not the first */
    uint32_t whole;   /* nor is this one */
    uint32_t attempt; /* enum hd_op: it tried in vain to have */
    uint64_t object;  /* … this */
};

struct hd_thread { /* model memory */
    uint64_t (*routine)(void *);
    void *arg;
    uint64_t result;
    uint32_t n_children;
    uint32_t flags;      /* HD_THREAD_* */
    uint32_t joiner;     /* thread waiting in join; HD_NOBODY */
    uint32_t published;  /* others than its creator may see its id */
    uint64_t wait_mutex; /* while BLOCKED in a condition wait: the mutex to take again */
    uint64_t expected;   /* of a pending CAS: decides its outcome */
    uint64_t expected_hi;
    uint64_t atomic_depth;    /* inside heddle_atomic_begin */
    uint32_t woken;           /* from a timed wait, by a signal */
    uint32_t serial;          /* what the barrier tells it */
    uint32_t spurious;        /* wake-ups so far */
    uint32_t cancel;          /* HD_CANCEL_* */
    void *cleanup;            /* newest cleanup handler */
    void *once;               /* innermost pthread_once that it is in */
    uint64_t blocked_signals; /* by bit, as the next two */
    uint64_t awaited_signals; /* in sigwait: for which */
    uint64_t suspended;       /* in sigsuspend, until a handler has run */
    uint64_t polls;           /* in poll or the like */
    uint32_t futex_bits;      /* of a futex call: whom it wakes or is woken by, */
    uint32_t futex_count;     /* … how many it wakes, */
    uint32_t futex_compares;  /* … whether it compares the word */
    uint32_t futex_value;     /* … and with what, */
    uint64_t futex_limited;   /* … whether it wakes only those of the next */
    struct hd_tset futex_among;
    struct hd_await await;
    uint32_t turns;         /* waits in a row that time alone ended (polls.c) */
    uint32_t gave_up;       /* it waits as if there were no time, because these were too many */
    uint64_t n_destructors; /* of thread_local objects, to be run */
    uint64_t file;          /* that its call holds, + 1 */
};

enum { /* hd_thread.cancel */
       HD_CANCEL_ASKED = 1,
       HD_CANCEL_DISABLED = 2,
       HD_CANCEL_ASYNCHRONOUS = 4,
       HD_CANCEL_WOKEN = 8, /* from a wait */
};

struct hd_properties { /* model memory: of a thread */
    char name[16];
    int32_t policy, priority;
    uint64_t cpus[16]; /* all 0: not set */
};

struct hd_arena_heap { /* model memory: a thread's heap */
    uint64_t n_blocks;
    uint64_t n_slots[HD_HEAP_CLASSES];                         /* handed out at least once */
    uint64_t oldest[HD_HEAP_CLASSES], newest[HD_HEAP_CLASSES]; /* freed by the thread; 0: none */
};

enum {
    HD_THREAD_EXITED = 1,
    HD_THREAD_DETACHED = 4,
    HD_THREAD_STALE = 8, /* it is about to use an object that has been destroyed since */
};

enum hd_sync_kind {
    HD_SYNC_FREE,
    HD_SYNC_MUTEX,
    HD_SYNC_COND,
    HD_SYNC_RWLOCK,
    HD_SYNC_SPIN,
    HD_SYNC_SEM,
    HD_SYNC_BARRIER,
    HD_SYNC_ONCE,
    HD_SYNC_FUTEX,
    HD_SYNC_CHANNEL, /* fd.h */
    HD_SYNC_BELL,
};

enum { /* hd_sync.limit of a mutex */
       HD_ROBUST = 1,
       HD_ROBUST_DEAD = 2, /* its owner ended; whoever has it now must make it consistent */
       HD_ROBUST_LOST = 4, /* it was not made consistent: nobody can have it any more */
};

struct hd_sync { /* model memory; found by address */
    uint64_t addr;
    uint16_t kind;  /* enum hd_sync_kind */
    uint16_t type;  /* mutex: PTHREAD_MUTEX_*; rwlock: PTHREAD_RWLOCK_*; cond: its clock */
    uint16_t owner; /* who holds a mutex, a spinlock, a rwlock for writing, runs a once */
    uint16_t destroyed;
    uint32_t count;   /* mutex: depth of recursive ownership; rwlock: readers; semaphore: value;
                       barrier: arrivals */
    uint32_t site;    /* where the owner took it */
    uint32_t limit;   /* barrier: arrivals that it waits for; mutex: HD_ROBUST_* */
    uint32_t waiting; /* rwlock that prefers writers: those that have announced themselves; mutex:
                         its priority ceiling + 1, 0: it has none */
    struct hd_tset pending; /* threads that wait for it: at an operation that may block, in a
                               condition variable or a barrier */
};

#define HD_MAX_KEYS 1024
#define HD_MAX_DESTRUCTORS 1024u
#define HD_MAX_NAMED 256
#define HD_MAX_ROBUST 1024
#define HD_MAX_STREAMS 256

struct hd_key {
    void (*destructor)(void *);
    uint64_t used;
};

struct hd_destructor { /* of a thread_local object */
    void (*fn)(void *);
    void *object;
};

struct hd_named_semaphore {
    char name[256];
    uint64_t open;         /* sem_open without sem_close */
    uint64_t unlinked;     /* cannot be opened any more */
    uint64_t semaphore[4]; /* its address is the sem_t * of the program */
};

struct hd_stream { /* with a lock */
    uint64_t addr;
    uint64_t lock[5]; /* pthread_mutex_t */
};

struct hd_exit_handler {
    void (*fn)(void *);
    void *arg;
    uint64_t with_status; /* on_exit: called with the status first */
};

struct hd_model {      /* at HD_MODEL_BASE */
    uint64_t unjoined; /* threads created and not joined; 0: solo */
    struct hd_tset joined;
    uint64_t clock_ns;
    uint64_t random;
    uint64_t outside; /* stands for the state of libraries; only its address matters */
    uint64_t n_exit_handlers;
    uint64_t n_quick_handlers;
    uint64_t exiting;      /* thread in exit() + 1 */
    uint64_t n_registered; /* invariants by heddle_invariant() */
    uint64_t output_bytes;
    uint64_t n_faults; /* calls that failed (fault.c) */
    int (*registered[HD_MAX_INVARIANTS])(void);
    struct hd_exit_handler exit_handlers[4096];
    void (*quick_handlers[256])(void);
    struct hd_signals signals;
    struct hd_thread threads[HD_MAX_THREADS];
    struct hd_arena_heap heaps[HD_MAX_THREADS];
    struct hd_sync sync[HD_MAX_SYNC];
    uint8_t reads[HD_MAX_SYNC]
                 [HD_MAX_THREADS]; /* how often a thread holds a rwlock for reading */
    uint64_t n_keys;               /* no key from here on has ever been used */
    struct hd_key keys[HD_MAX_KEYS];
    void *values[HD_MAX_THREADS][HD_MAX_KEYS];
    struct hd_destructor destructors[HD_MAX_THREADS][HD_MAX_DESTRUCTORS];
    struct hd_named_semaphore named[HD_MAX_NAMED];
    struct hd_properties properties[HD_MAX_THREADS];
    uint64_t concurrency;
    struct hd_stream streams[HD_MAX_STREAMS];
    uint64_t n_robust; /* robust mutexes that were initialised */
    uint64_t robust[HD_MAX_ROBUST];
    struct hd_fds fds;
    struct hd_tset awaiting; /* threads at AWAIT */
    struct hd_tset polling;  /* threads with turns */
    uint64_t n_stale;        /* threads with HD_THREAD_STALE */
};

/* Of a thread, but not of its history: same in every execution. */
struct hd_fiber { /* tool memory */
    uint64_t sp;
    uint64_t top;     /* stacks grow down from here */
    uint64_t bytes;   /* of the stack; 0: it has none */
    uint64_t fs_base; /* its thread-local block; 0: not prepared */
    int *error_number;
};

struct hd_range {
    char *begin;
    uint64_t bytes;
    char *copy; /* as it was at the root */
};

struct hd_rt { /* at HD_LOG_BASE */
    struct hd_undo *log_top;
    char *slice_top;
    struct hd_mark *marks;
    uint32_t depth;
    uint32_t cur;
    uint32_t choice;    /* of the step that is running */
    uint32_t solo_fast; /* HD_FAST_*: perform accesses without asking */
    uint32_t mode;      /* enum hd_run_mode */
    uint32_t rooted;    /* exploring, and the root has been passed: writes are logged */
    uint32_t undo;      /* marks carry slices */
    uint32_t
        usual; /* exploring, few threads, states are not compared, nothing checks itself, and no
                  row is open */
    uint32_t opaque_since_root;
    uint32_t paranoid;
    uint32_t fsgsbase;
    uint32_t clean;        /* what lies below a thread's stack pointer is zeros when it goes on */
    uint32_t in_invariant; /* accesses are no actions while an invariant is evaluated */
    struct hd_node *row;   /* where the running thread notes its next join (thread.c), or NULL */
    struct hd_decision (*decide)(void);
    struct hd_explorer *ex;
    struct hd_shared *shared;
    uint64_t load_base;
    uint64_t engine_top; /* stack of the engine */
    struct hd_config config;
    struct hd_action next[HD_MAX_THREADS];
    struct hd_fiber fibers[HD_MAX_THREADS];
    uint32_t n_ranges;
    uint32_t n_parked;
    _Atomic uint32_t n_arrived; /* of them those that do nothing by now (tls.c) */
    struct hd_range ranges[4096];
    uint64_t tls_pristine;           /* copy of a fresh thread-local block */
    int64_t tls_begin, tls_end;      /* relative to the thread pointer */
    uint32_t marked[HD_MAX_THREADS]; /* depth behind a thread's newest mark, 0: it has none */
    struct hd_sync *sync_found;      /* the last of model->sync[] that was found */
    uint32_t newest_mark;            /* … behind the newest of all */
    struct hd_reach *reach;          /* reach.c */
    const char *told_apart; /* what somebody asked for that tells threads apart, or NULL */
    uint32_t n_log;
    uint32_t n_consumed;
    uint32_t n_done[HD_MAX_THREADS]; /* guided replay: logged steps by thread */
    uint32_t stayed;                 /* … of the same thread in a row */
    uint32_t plain_turn;
    uint64_t descriptors[HD_MAX_DESCRIPTORS / 64]; /* open at the root */
    int64_t offsets[HD_MAX_DESCRIPTORS];           /* there, in those that are files; < 0: none */
    void *real_vsnprintf;                          /* the library's, once it has been looked up */
    uint8_t arena_mapped[HD_MAX_THREADS];
    struct hd_undo *log_end;
    char *slice_end;
    struct {
        uint64_t begin, end;
    } libc[2]; /* code of the C library and of the dynamic linker */
};

enum { /* why accesses are no actions at the moment */
       HD_FAST_SOLO = 1u,
       HD_FAST_ATOMIC = 2u,
       HD_FAST_INVARIANT = 4u,
};

#define rt ((struct hd_rt *)HD_LOG_BASE)
#define model ((struct hd_model *)HD_MODEL_BASE)

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
void hd_log_range(const void *at, uint64_t bytes);

/* A set of threads, of which only the first word is looked at while there are few. */
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

/* Copy a slice of a few hundred bytes, in pieces of 64: there is room behind both ends (the tops of
 * the stacks lie 64 bytes or more below their ends). */
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

/* switch.S */
void hd_point(void); /* a scheduling point of the running thread; returns when it may go on */
_Noreturn void hd_depart(void); /* … of one that has ended: nothing of it need be kept */
/* … of one that goes on with `entry`, and needs nothing of its stack. */
_Noreturn void hd_stand(void (*entry)(void));
_Noreturn void hd_resume(uint64_t sp);
_Noreturn void hd_enter_engine(uint32_t kind, uint32_t arg, uint64_t top);
void hd_fiber_start(void);
bool hd_straight_apart(void); /* hd_engine_straight_apart(), on the engine's stack */
extern uint64_t hd_apart_top; /* of that, while states are compared; otherwise 0 */

/* engine.c */
uint64_t hd_engine_point(uint64_t sp);
uint64_t hd_engine_stand(void (*entry)(void));
/* The row of joins is over (hd_explorer_row). */
void hd_engine_row_over(void);
bool hd_engine_straight(void); /* the running thread may do its next action at once */
bool hd_engine_straight_apart(uint64_t sp); /* … its stack pointer is that */
_Noreturn void hd_engine_loop(uint32_t kind, uint32_t arg);
_Noreturn void hd_engine_ended(const struct hd_finding *finding);
_Noreturn void hd_engine_finish(void);
void hd_engine_root(void);
void hd_fiber_prepare(uint32_t thread, void (*entry)(void));
void hd_set_fs(uint64_t base);

/* Post the running thread's next action. */
static inline void hd_post(enum hd_op op, const void *object, const void *object2, uint32_t size,
                           uint32_t site, uint32_t choices)
{
    struct hd_action *a = hd_next_now();
    a->object = (uint64_t)(uintptr_t)object;
    a->object2 = (uint64_t)(uintptr_t)object2;
    a->size = size;
    a->site = site;
    a->op = (uint16_t)op;
    a->choices = (uint16_t)choices;
}

/* … and come back when it may be done.  Inline: the frame would be part of every saved slice. */
static inline void hd_act_full(enum hd_op op, const void *object, const void *object2,
                               uint32_t size, uint32_t site, uint32_t choices)
{
    hd_post(op, object, object2, size, site, choices);
    if (!hd_engine_straight())
        hd_point();
}

/* check.c: a violation if a synchronisation object lies in memory that is no more. */
void hd_check_object_of_program(const void *object, uint32_t site);
static inline void hd_check_object(const void *object, uint32_t site)
{
    uint64_t at = (uint64_t)(uintptr_t)object;
    if (HD_UNLIKELY(at - HD_STACK_BASE < HD_LAYOUT_END - HD_STACK_BASE))
        hd_check_object_of_program(object, site);
}
/* … or is none, at NULL or near it: in a replay it breaks where it did in the run. */
_Noreturn void hd_touched_null(const void *object, uint32_t site);
static inline void hd_touch_object(const void *object, uint32_t site)
{
    if (HD_UNLIKELY((uintptr_t)object < 4096))
        hd_touched_null(object, site);
}
/* sync.c: … if it has been destroyed since the thread came to the operation. */
void hd_sync_not_stale(uint32_t site);

/* … of an operation that may stand inside an atomic section, where nothing is a scheduling point.
 */
static inline void hd_act(enum hd_op op, const void *object, const void *object2, uint32_t size,
                          uint32_t site)
{
    if (HD_LIKELY(!(rt->solo_fast & HD_FAST_ATOMIC)))
        hd_act_full(op, object, object2, size, site, 1);
    hd_check_object(object, site);
    if (HD_UNLIKELY(model->n_stale))
        hd_sync_not_stale(site);
}

/* stack.c: the sites of the calls that a thread at a scheduling point stands in, innermost
 * first; how many there are. */
extern const struct hd_frame *__heddle_frame; /* of the running thread */
uint32_t hd_stack_parked(void *self, uint32_t thread, uint32_t sites[HD_MAX_FRAMES]);
/* … as one number, for the log of a replay (core/frame.h); 0: none, or this is no replay. */
uint32_t hd_stack_keep(uint32_t thread);
uint32_t hd_stack_keep_running(uint32_t site); /* of the running thread, which stands at `site` */

/* target.c: do threads stand at all the targets?  Then `chosen` says who. */
bool hd_target_reached(uint32_t chosen[HD_MAX_PLACES]);

/* rt.c */
extern int hd_ready; /* tool and model memory are there */
void hd_rt_prepare(void);
void hd_fiber_map(uint32_t thread, uint64_t bytes);
void hd_rt_become_worker(int fd);
_Noreturn void hd_fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void hd_say(const char *fmt, ...)
    __attribute__((format(printf, 1, 2))); /* to the user, at once */
void hd_rt_check(void);
extern uint32_t __heddle_call_site;
/* Of the call that instrumented code is making; 0: not known. */
static inline uint32_t hd_take_site(void)
{
    uint32_t site = __heddle_call_site;
    __heddle_call_site = 0;
    return site;
}
bool hd_in_libc(const void *caller); /* code of the C library or the dynamic linker */
void hd_site_text(uint32_t site, char *text, size_t size); /* "file:line" */
uint32_t hd_site_flag(uint32_t site);                      /* of a call: HD_SITE_…, or 0 */

/* violation.c */
_Noreturn void hd_violation(enum hd_kind kind, uint32_t site, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void hd_violation_at(enum hd_kind kind, const char *file, uint32_t line,
                               const char *function, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* … of a finding that is complete but for the thread. */
_Noreturn void hd_violation_raise(struct hd_finding *finding);
struct hd_block;
/* … a memory error: where the block was made and freed is told too. */
_Noreturn void hd_violation_block(const struct hd_block *block, uint32_t site, const char *fmt,
                                  ...) __attribute__((format(printf, 3, 4)));
void hd_violation_describe(void *self, struct hd_finding *finding);
/* Do the two threads stand before accesses that race?  Then the finding says so. */
bool hd_violation_race(uint32_t first, uint32_t second, struct hd_finding *finding);
/* Does the thread wait in a circle of threads?  Then *finding says so. */
/* Where the thread stands, and for what it waits. */
void hd_violation_standing(struct hd_finding *f, uint32_t thread);
/* mapping.c: the system's own, for the runtime: mmap() and mprotect() are the program's. */
void *hd_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);
int hd_mprotect(void *at, size_t bytes, int protection);
/* wakers.c: hd_world.wakers */
bool hd_wakers(void *self, uint32_t thread, struct hd_tset *out);
bool hd_violation_partial(uint32_t thread, struct hd_finding *finding);
void hd_violation_install_handlers(void);
struct hd_name hd_name_of(uint64_t addr, enum hd_space space, enum hd_op op);

/* attr.c: was it given a stack? */
bool hd_attr_has_stack(const union pthread_attr_t *attr);

/* thread.c */
void hd_update_solo(void);
bool hd_solo_step(enum hd_op op);
/* Wait for the thread's end; its result goes into `bytes` at `result` (NULL: nowhere). */
int hd_thread_join(uint64_t id, void *result, uint32_t bytes, uint32_t site);
_Noreturn void hd_thread_main(void);
/* The thread with that pthread_t, or a misuse: "`call` of something that is not a thread". */
struct hd_thread *hd_thread_of(uint64_t id, const char *call, uint32_t site);
/* The running thread ends: cleanup handlers first (cancel.c), then what is left of it. */
_Noreturn void hd_thread_exit(uint64_t result);
_Noreturn void hd_thread_finish(void);

/* world.c */
extern const struct hd_world hd_fiber_world;
void hd_world_find_data(void); /* of the program and its libraries: what may be looked at */
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
_Noreturn void hd_replay_over(const struct hd_finding *finding);

/* cycle.c: a replayed livelock */
void hd_cycle_begin(void);
void hd_cycle_step(uint32_t thread);
/* Is the state the one in which the cycle of so many steps began, and has everybody moved who
 * could? Then *finding says so. */
bool hd_cycle_closed(uint32_t steps, struct hd_finding *finding);

/* plain.c */
struct hd_decision hd_plain_decide(void);

/* sync.c */
struct hd_sync *hd_sync_find(uint64_t addr); /* or NULL */
struct hd_sync *hd_sync_make(uint64_t addr, enum hd_sync_kind kind);
/* … of that kind and in use, or a misuse: "use of a destroyed `what`".  `fresh`: its bytes are
 * those of a static initialiser, so it may be met here for the first time. */
struct hd_sync *hd_sync_use(const void *at, enum hd_sync_kind kind, const char *what, bool fresh,
                            uint32_t site);
/* The step of an initialisation; a misuse if threads wait for the object. */
struct hd_sync *hd_sync_init(void *at, enum hd_sync_kind kind, const char *what, uint32_t site);
/* The step of a destruction; a misuse if it is held or waited for. */
void hd_sync_destroy(struct hd_sync *s, const char *what, uint32_t site);
/* … its effect: who has come to an operation on it, and does it later, uses a destroyed object. */
void hd_sync_destroyed(struct hd_sync *s);
uint64_t hd_sync_state(const struct hd_sync *s); /* core/enabled.h */
/* Wait at `op` until the state of the object lets the running thread do it. */
void hd_sync_wait(struct hd_sync *s, enum hd_op op, uint32_t site);
/* … until that attempt could succeed. */
void hd_sync_await(struct hd_sync *s, enum hd_op attempt, uint32_t site);
/* An attempt: the step, and whether it succeeds. */
bool hd_sync_try(struct hd_sync *s, enum hd_op op, uint32_t site);
/* The state has changed: who of those that wait can go on now? */
void hd_sync_changed(const struct hd_sync *s);
/* The running thread is about to wait for others. */
void hd_no_atomic(uint32_t site);
/* The running thread stands still until another makes it go on with hd_sync_wake(). */
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

/* await.c: threads at AWAIT are enabled or not, by what memory holds now. */
void hd_await_refresh(void);

/* polls.c: loops that wait for time to pass.
 * The running thread lets time pass, in a sleep or a wait with a time limit that may run out. True: it
 * has done so too often without getting on; it must wait as if time stood still. */
bool hd_polls_too_long(uint32_t site);
void hd_polls_waited(void); /* that wait is over, */
void hd_polls_got_on(void); /* … and it got what it waited for */
void hd_polls_note(void);   /* the running thread, one of model->polling, has posted its action */
void hd_polls_stop(uint32_t site); /* … must not go on at all */
bool hd_polls_cut(void *self);     /* hd_world.cut */

/* keys.c */
void hd_keys_begin(uint32_t thread);
void hd_keys_end(void); /* destructors of the running thread */

/* thread_atexit.c */
void hd_thread_destructors(void); /* of thread_local objects of the running thread */

/* clock.c */
struct timespec;
/* A deadline in virtual time; 0 when it lies before all time.  False: it is no time at all. */
bool hd_deadline(int clock, const struct timespec *at, uint64_t *ns);
/* Does a wait with that deadline last until it is granted (--no-timeouts)? */
bool hd_deadline_never(uint64_t ns);
void hd_clock_reach(uint64_t ns, uint32_t site); /* the deadline has passed */

/* exit.c */
_Noreturn void hd_exit(int status);
_Noreturn void hd_exit_last(void); /* all other threads have ended */
bool hd_exit_has_handlers(void);

/* heap.c */
bool hd_heap_name(uint64_t addr, struct hd_name *name);

/* syscall.c: the kernel's own; syscall() is the program's */
long hd_syscall(long number, long a, long b, long c, long d, long e, long f);
uint64_t hd_set_fs_by_call(uint64_t base,
                           uint64_t sp); /* returns `sp`, so that it can come last */

/* real functions behind the interposed ones */
void *hd_real(const char *name);

#endif
