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
 *      the slice and the registers of the thread that made the step, the length of the undo
 *      log; or step i is not kept: its thread made step i - 1, and there is a way back to
 *      before that
 *  R4  config.enabled is exact whenever the explorer is asked */
#ifndef HD_RUNTIME_RUNTIME_STATE_H
#define HD_RUNTIME_RUNTIME_STATE_H

#include "core/frame.h"
#include "core/reuse.h"
#include "core/tset.h"
#include "core/worker_memory.h"
#include "explore/loop/explorer.h"
#include "explore/loop/world.h"
#include "runtime/fd_state.h"
#include "runtime/fork_state.h"
#include "runtime/private_state.h"
#include "runtime/signal_state.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define HD_NOBODY 0xffffu
#define HD_MAX_SYNC (1u << 16)
#define HD_MAX_DESCRIPTORS 1024
#define HD_MAX_MAPPINGS 256
#define HD_MAX_TOUCHED_FILES 256

struct hd_reach;
struct hd_image;

enum hd_run_mode { HD_PLAIN, HD_EXPLORING, HD_REPLAYING };

/* One entry of the undo log: an aligned word, or a range (undo.h). */
struct hd_undo {
    uint64_t *at;
    uint64_t old;
};

/* What is needed to restore the state before a step.  Valid for steps that are kept, except
 * `opaque`.  For steps that have not been made, `kept` and `opaque` are 0. */
struct hd_mark {
    struct hd_undo *log;
    char *slice; /* copy of [sp, top) of `thread` */
    uint64_t sp;
    union {
        struct {
            uint32_t n_threads, last; /* of the config, as the next two */
        };
        uint64_t config; /* both as one word */
    };
    struct hd_tset live, enabled;
    struct hd_action next; /* of `thread` */
    uint32_t thread;
    int32_t error_number; /* errno of `thread` */
    uint32_t before;      /* index of the thread's newest mark before this one, + 1; 0: none */
    uint32_t previous;    /* index of the newest mark of any thread before this one, + 1 */
    uint32_t kept;
    uint32_t opaque; /* the step called code whose effects are not in the log */
};

#define HD_MOST_AWAITED 2

/* What one turn of a loop that only reads has read (await.c). */
struct hd_await {
    uint64_t addr[HD_MOST_AWAITED], value[HD_MOST_AWAITED];
    uint32_t size[HD_MOST_AWAITED]; /* at most 8 */
    uint32_t n;
    uint32_t useless; /* too many places, or something changed: repeat the turn */
    uint32_t again;   /* the next turn is not the first */
    uint32_t whole;   /* nor is this one */
    uint32_t events;  /* weak memory: of the thread, before the turn */
    uint32_t attempt; /* enum hd_op: the attempt that failed, */
    uint64_t object;  /* and its object; 0: none */
};

/* Handlers that interrupt a thread and, in turn, each other (interrupt.c). */
#define HD_MOST_INTERRUPTS 3

#define HD_MOST_VISITS 8 /* a power of two */

/* A visit of the head of a loop (turns.c). */
struct hd_visit {
    uint64_t print[2]; /* of the stack and the registers */
    struct hd_undo *log;
    uint64_t sp;
    uint32_t events; /* of the thread, as the search counts them */
    uint32_t depth;
    int32_t error_number;
    uint32_t pad;
};

/* The newest ones since the thread's newest effect; `n` counts all of these. */
struct hd_visits {
    uint64_t n;
    struct hd_visit items[HD_MOST_VISITS];
};

/* The atomic section that a thread is in: as it was when it began (section.c). */
struct hd_section {
    struct hd_undo *log; /* what the section has written is from here on; NULL: there is none */
    uint32_t depth;      /* steps */
    uint32_t n_threads;
    uint32_t n_created; /* by the thread */
    uint32_t logs;      /* a replay logs because of it */
    struct hd_tset enabled;
};

struct hd_thread { /* model memory */
    uint64_t (*routine)(void *);
    void *arg;
    uint64_t result;
    uint32_t n_children;
    uint32_t flags;     /* HD_THREAD_* */
    uint32_t joiner;    /* thread waiting in join; HD_NOBODY */
    uint32_t published; /* others than its creator may see its id */
    uint32_t ordinal;   /* threads that it and its parents had made when it was, with it */
    uint32_t pad;
    uint64_t wait_mutex; /* while BLOCKED in a condition wait: the mutex to take again */
    uint64_t expected;   /* of a pending CAS: decides its outcome */
    uint64_t expected_hi;
    uint64_t atomic_depth;    /* inside heddle_atomic_begin */
    uint64_t locked_sections; /* the same under a weak memory model */
    struct hd_section section;
    uint32_t woken;           /* from a timed wait, by a signal */
    uint32_t serial;          /* the barrier makes it the serial thread */
    uint32_t spurious;        /* wake-ups so far */
    uint32_t cancel;          /* HD_CANCEL_* */
    void *cleanup;            /* newest cleanup handler */
    void *once;               /* innermost pthread_once that it is in */
    uint64_t blocked_signals; /* by bit, as the next two */
    uint64_t awaited_signals; /* in sigwait: for which */
    uint64_t watched_signals; /* whoever sends one of these rings (signalfd) */
    uint64_t signal_site;     /* where the last signal that interrupted it was sent */
    uint64_t suspended;       /* in sigsuspend, until a handler has run */
    uint64_t polls;           /* in poll or the like */
    uint32_t futex_bits;      /* of a futex call: mask of threads it wakes or is woken by */
    uint32_t futex_count;     /* of a futex call: how many it wakes */
    uint32_t futex_compares;  /* of a futex call: whether it compares the word */
    uint32_t futex_value;     /* of a futex call: with what it compares */
    uint64_t futex_limited;   /* it wakes only threads of futex_among */
    struct hd_tset futex_among;
    struct hd_await await;
    struct hd_visits visits;
    uint32_t turns;         /* waits in a row that time alone ended (polls.c) */
    uint32_t gave_up;       /* these were too many: it waits as if time stood still */
    uint64_t n_destructors; /* of thread_local objects, to be run */
    uint64_t file;          /* that its call holds, + 1 */
    uint64_t alloc_size;    /* of a pending ALLOC: bytes for the program */
    uint64_t alloc_front;   /* of a pending ALLOC: bytes before them (reuse.c) */
    uint32_t n_interrupted; /* handlers that interrupt it and have not returned (interrupt.c) */
    uint32_t eintr;         /* HD_EINTR_* */
    struct hd_action interrupted[HD_MOST_INTERRUPTS]; /* what it was about to do */
    uint64_t objects_begin, objects_end; /* synchronisation objects on its stack lie between */
    uint64_t n_locks;                    /* of mutexes, that it has taken (lock_parts.c) */
    uint64_t part; /* the object of the part of a mutex that it holds; 0: none */
};

enum { /* hd_thread.cancel */
       HD_CANCEL_ASKED = 1,
       HD_CANCEL_DISABLED = 2,
       HD_CANCEL_ASYNCHRONOUS = 4,
       HD_CANCEL_WOKEN = 8, /* from a wait */
};

enum {                     /* hd_thread.eintr */
       HD_EINTR_RAN = 1,   /* a handler has run during the call, */
       HD_EINTR_STOPS = 2, /* one without SA_RESTART */
       HD_EINTR_NOW = 4,   /* the call fails */
};

struct hd_properties { /* model memory: of a thread */
    char name[16];
    int32_t policy, priority;
    uint64_t cpus[16]; /* all 0: not set */
};

struct hd_arena_heap { /* model memory: a thread's heap */
    uint64_t n_blocks;
    uint64_t n_slots[HD_HEAP_CLASSES];                         /* handed out at least once */
    uint64_t oldest[HD_HEAP_CLASSES], newest[HD_HEAP_CLASSES]; /* freed by it; 0: none */
};

struct hd_freed { /* model memory: blocks whose addresses may come back (reuse.h) */
    uint64_t blocks[HD_REUSE_CLASSES];                 /* how many there are */
    uint64_t newest[HD_MAX_THREADS][HD_REUSE_CLASSES]; /* by who freed it; 0: none */
};

#define HD_UNMAPPED 64u

enum {
    HD_THREAD_EXITED = 1,
    HD_THREAD_DETACHED = 4,
    HD_THREAD_STALE = 8,      /* it is about to use an object that has been destroyed since */
    HD_THREAD_SIGNALLED = 16, /* a signal that it does not block came before it started */
    HD_THREAD_LEFT = 32,      /* its stack is over, though it has not ended */
    HD_THREAD_OVER = 64,      /* the same of its properties, */
    HD_THREAD_TELLS = 128,    /* whose end is a step: others may ask for them then */
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
    HD_SYNC_CHANNEL, /* fd_state.h */
    HD_SYNC_BELL,
    HD_SYNC_CANCEL, /* the mark of a thread (cancel.c) */
};

enum { /* hd_sync.limit of a mutex */
       HD_ROBUST = 1,
       HD_ROBUST_DEAD = 2, /* its owner ended; its next owner must make it consistent */
       HD_ROBUST_LOST = 4, /* it was not made consistent: it can never be locked again */
};

struct hd_sync { /* model memory; found by address */
    uint64_t addr;
    uint16_t kind;  /* enum hd_sync_kind */
    uint16_t type;  /* mutex: PTHREAD_MUTEX_*; rwlock: PTHREAD_RWLOCK_*; cond: its clock */
    uint16_t owner; /* thread that holds the lock (rwlock: for writing), or runs the once */
    uint16_t destroyed;
    uint32_t count;   /* mutex: depth of recursive ownership; rwlock: readers; semaphore: value;
                       barrier: arrivals */
    uint32_t site;    /* where the owner took it */
    uint32_t limit;   /* barrier: arrivals that it waits for; mutex: HD_ROBUST_* */
    uint32_t waiting; /* rwlock that prefers writers: those that have announced themselves;
                         mutex: its priority ceiling + 1, 0: it has none */
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

#define HD_MOST_GONE 8

struct hd_gone { /* a local whose scope is over, one of the last of its thread */
    uint64_t at, bytes, site;
};

/* Data of a thread for messages, and how far its stack has to be cleaned.  Nothing else depends
 * on it, so it is no part of the state (state.c). */
struct hd_telling {
    uint64_t undefined_at;   /* the last address it read that had no value, 0: none, */
    uint64_t undefined_site; /* and the site of that read */
    uint64_t
        no_room; /* site of its last allocation that heddle's heap had no room for; 0: none */
    uint64_t n_gone;
    struct hd_gone gone[HD_MOST_GONE];
    uint64_t
        deepest; /* bytes below the top of its stack that zones.c or undefined.c has marked */
};

struct hd_model {      /* at HD_MODEL_BASE */
    uint64_t unjoined; /* threads created and not joined; 0: solo */
    struct hd_tset joined;
    uint64_t clock_ns;
    uint64_t random;              /* the object of all generators, and the state of our own */
    struct random_data generator; /* of random(); not in use before its state is set */
    char generator_state[128];
    struct drand48_data family48;
    uint64_t outside; /* stands for the state of libraries; only its address matters */
    uint64_t n_exit_handlers;
    uint64_t n_quick_handlers;
    uint64_t exiting;      /* thread in exit() + 1 */
    uint64_t n_registered; /* invariants by heddle_invariant() */
    uint64_t output_bytes;
    uint64_t n_faults; /* calls that failed (fault.c) */
    uint64_t n_caught; /* faults that handlers of the program took (violation.c) */
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
    uint64_t unmapped[HD_UNMAPPED]; /* objects of the steps in which mappings end; by block */
    struct hd_stream streams[HD_MAX_STREAMS];
    uint64_t closed[3]; /* the site of fclose() of a standard stream, + 1; 0: it is open */
    uint64_t n_robust;  /* robust mutexes that were initialised */
    uint64_t robust[HD_MAX_ROBUST];
    struct hd_forks forks;
    struct hd_fds fds;
    struct hd_freed reuse;
    struct hd_tset awaiting; /* threads at AWAIT */
    struct hd_tset polling;  /* threads with turns */
    struct hd_tset parted;   /* threads that hold a part of a mutex */
    uint64_t n_stale;        /* threads with HD_THREAD_STALE */
    struct hd_telling telling[HD_MAX_THREADS];
    uint64_t attempt;     /* of heddle_blocks(): a struct hd_attempt; 0: none (attempt.c) */
    int (*allowed)(void); /* asked at a deadlock; NULL: none is allowed */
    uint64_t bits_off;    /* unknown code may have written anywhere: undefined.c is off */
};

/* The part of a thread that is the same in every execution. */
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

/* Saved copies of what the evaluation of an invariant changes (invariant.c). */
struct hd_invariant {
    struct hd_action next; /* of the running thread: hooks note what they ask for there */
    uint64_t stack;        /* the invariant's own frames lie below */
    uint32_t solo_fast, usual, usual_apart;
    int32_t error_number; /* main's */
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
    uint32_t usual_apart;  /* the same where states are compared: there are no rows */
    uint32_t has_detached; /* a thread has been detached, in any execution */
    struct hd_known_end {  /* known_end.c */
        uint64_t joined;
        uint32_t n_threads;
    } known_end;
    uint32_t row_ids;      /* in a row of joins: ids of threads, 0 if there are more than 64 */
    uint32_t plain_events; /* the search gives values to plain accesses, too */
    /* It does so after all threads have been joined: which store was the last is not known. */
    uint32_t reads_from;
    uint32_t values; /* of plain accesses are recorded in a replay, or given by the search */
    uint32_t weak;   /* atomic loads read what the search says (explore/graph) */
    uint32_t looks;  /* threads look for signals before each operation (interrupt.c) */
    const uint16_t *site_orders; /* NULL: every access has its own order (site_orders.c) */
    uint16_t *volatile_sites;    /* suppress.c: what is known of each site; NULL: nothing yet */
    uint32_t opaque_since_root;
    uint32_t fsgsbase;
    uint32_t wide_stores;        /* the processor has stores of 32 bytes */
    uint32_t has_aes;            /* it has AVX and an instruction for AES (state_aes.c) */
    uint32_t aes_alone;          /* which states are hashed by, and not without it to compare */
    uint32_t clean;              /* memory below a thread's stack pointer is cleared */
    uint32_t judging;            /* model->allowed runs: nothing is a step (attempt.c) */
    struct hd_lock_parts *parts; /* shared->parts_found, if mutexes are split (lock_parts.c) */
    uint32_t in_invariant;       /* one is evaluated: accesses are no actions (invariant.c) */
    struct hd_node *row;         /* where the running thread notes its next join, or NULL */
    struct hd_decision (*decide)(void);
    struct hd_explorer *ex;
    struct hd_worker_memory *shared;
    struct hd_shown shown[HD_MAX_SHOWN]; /* of the assertion that is about to fail */
    uint32_t n_shown;
    struct hd_reuse reuse; /* options.reuse; of a plain run 0 */
    uint64_t load_base;
    uint64_t engine_top; /* stack of the engine */
    struct hd_config config;
    struct hd_invariant invariant;
    struct hd_action next[HD_MAX_THREADS];
    struct hd_fiber fibers[HD_MAX_THREADS];
    /* In any execution so far, of standard output and standard error: threads that have written
     * there, and that had not been joined when another one moved it (io.c). */
    struct hd_tset printed[2], exposed[2];
    uint32_t told; /* groups of stacks of whose bytes it can be told what they are (start.c) */
    uint32_t n_ranges;
    uint32_t n_parked;
    uint8_t serves; /* the process is copied: its threads end when their storage is there */
    _Atomic uint32_t n_arrived; /* those that have arrived at their wait (tls.c) */
    struct hd_range ranges[4096];
    uint64_t tls_pristine;           /* copy of a fresh thread-local block */
    int64_t tls_begin, tls_end;      /* relative to the thread pointer */
    uint32_t marked[HD_MAX_THREADS]; /* index of a thread's newest mark, + 1; 0: none */
    struct hd_sync *sync_found;      /* the last of model->sync[] that was found */
    uint32_t newest_mark;            /* index of the newest mark of all, + 1 */
    struct hd_reach *reach;          /* reach.c */
    uint32_t opaque_site;            /* of the last call into code that is not known */
    const char *distinguished_by;    /* what tells threads apart, or NULL */
    uint32_t n_log;
    uint32_t n_consumed;
    uint32_t n_done[HD_MAX_THREADS];   /* guided replay: logged steps by thread */
    uint32_t stayed;                   /* guided replay: steps of the same thread in a row */
    uint32_t entry_of[HD_MAX_THREADS]; /* guided replay: where its first entry left may be */
    uint32_t plain_turn;
    uint64_t descriptors[HD_MAX_DESCRIPTORS / 64]; /* open at the root */
    int64_t offsets[HD_MAX_DESCRIPTORS];           /* there, in files; < 0: none */
    uint16_t spares[HD_MAX_DESCRIPTORS]; /* a second descriptor of each of those, 0: none */
    uint32_t n_touched;                  /* files that executions have opened (files.c) */
    struct hd_touched_file {
        uint64_t device, inode;
        uint32_t read, written;
    } touched[HD_MAX_TOUCHED_FILES];
    uint32_t n_mappings; /* of files, made by the program (mapping.c) */
    struct hd_mapping {
        uint64_t begin, bytes;
        int32_t protection, root_protection;
        uint32_t at_root;           /* it existed at the root: going back restores it */
        uint32_t changed;           /* since the root */
        uint32_t written;           /* the program may change the file by other ways, too */
        uint32_t gone;              /* unmapped since the root */
        uint32_t part_gone;         /* the same of a part that is not noted */
        uint32_t shared;            /* MAP_SHARED */
        uint32_t users, root_users; /* mappings that are this one */
        uint64_t offset;
        uint64_t device, inode;
    } mappings[HD_MAX_MAPPINGS];
    uint32_t n_written_mappings;
    uint32_t n_ordered_mappings; /* of these: such as lie at HD_MAPPED_BASE */
    struct hd_private_files private_files;
    void *real_vsnprintf; /* the library's, once it has been looked up */
    uint8_t arena_mapped[HD_MAX_THREADS];
    uint8_t *zones; /* of the program's variables (zones.h), which lie here: */
    uint64_t zones_begin, zones_bytes;
    struct hd_undo *log_end;
    char *slice_end;
    struct hd_image *newest_image; /* of the undo log; NULL: it has none */
    uint64_t image_top, image_end;
    struct {
        uint64_t begin, end;
    } libc[2]; /* code of the C library and of the dynamic linker */
};

enum { /* why accesses are no actions at the moment */
       HD_FAST_SOLO = 1u,
       HD_FAST_ATOMIC = 2u,
};

#define rt ((struct hd_rt *)HD_LOG_BASE)
#define model ((struct hd_model *)HD_MODEL_BASE)

#endif
