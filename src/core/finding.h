/* A finding: a violation and what is needed to show it. */
#ifndef HD_CORE_FINDING_H
#define HD_CORE_FINDING_H

#include "core/action.h"

#include <stdint.h>

/* The kinds and their JSON words. */
#define HD_KINDS(X)                                                                              \
    X(ASSERTION, "assertion")                                                                    \
    X(DEADLOCK, "deadlock")                                                                      \
    X(DATA_RACE, "data-race")                                                                    \
    X(CRASH, "crash")                                                                            \
    X(INVARIANT, "invariant")                                                                    \
    X(LIVELOCK, "livelock")                                                                      \
    X(MEMORY, "memory")                                                                          \
    X(MISUSE, "misuse")                                                                          \
    X(TARGET, "target")                                                                          \
    X(ABORT, "abort")                                                                            \
    X(NO_PROGRESS, "no-progress")                                                                \
    X(OBJECTION, "objection")

enum hd_kind {
    HD_KIND_NONE,
#define X(name, text) HD_KIND_##name,
    HD_KINDS(X)
#undef X
        HD_KIND_COUNT
};

const char *hd_kind_text(enum hd_kind kind);    /* "none" for HD_KIND_NONE */
enum hd_kind hd_kind_by_text(const char *text); /* HD_KIND_NONE when there is none */

/* A name for a byte that does not depend on where things were loaded. */
enum hd_where {
    HD_WHERE_NONE,
    HD_WHERE_GLOBAL, /* offset: address in the file's own numbering */
    HD_WHERE_HEAP,   /* thread: that allocated; index: among its blocks; offset: in the block */
    HD_WHERE_STACK,  /* thread: whose stack; offset: distance from its top */
    HD_WHERE_TLS,    /* thread: whose; offset: distance from the thread pointer */
    HD_WHERE_THREAD, /* thread */
    HD_WHERE_CLOCK,
    HD_WHERE_RANDOM,
    HD_WHERE_OUTSIDE, /* the state of libraries that heddle does not see */
    HD_WHERE_STDIN,   /* standard input that is chosen, or its stream */
    HD_WHERE_OTHER,   /* offset: the address */
};

struct hd_name {
    uint32_t where; /* enum hd_where */
    uint32_t thread;
    uint64_t index;
    uint64_t offset;
    /* For people; not part of what the name stands for, and 0 where it is not known. */
    uint32_t made;   /* HEAP: the site that allocated it.  STACK: the local that it is in, a
                        place in the table of strings: its name, behind it its type (site.h) */
    uint32_t extent; /* HEAP: bytes of the block.  STACK: the offset in the local */
};

enum {                          /* hd_step.flags */
       HD_STEP_HAS_READ = 1,    /* value_read is meaningful */
       HD_STEP_HAS_WRITTEN = 2, /* value_written is meaningful */
       HD_STEP_PREEMPTION = 4,  /* the previous thread could have gone on */
       HD_STEP_SOLO = 8,        /* no other thread existed: not counted as a scheduling step */
       HD_STEP_CHECK_OP = 16,   /* in a script: op must be as given */
       HD_STEP_CHECK_SITE = 32, /* in a script: site must be as given */
       HD_STEP_UNHEARD = 128,   /* a signal or broadcast that found no waiter */
       HD_STEP_CHECK_NAME = 64, /* in a script: object (and object2) must be as given */
       HD_STEP_DONE = 128,      /* in the script of a guided replay: it has been done */
       /* It says what a thread is for.  The creation of one: value_written is the address of
        * its function.  Otherwise, of thread `woken` - 1: the two values are its new name. */
       HD_STEP_NAMES = 256,
       /* In a script of interleavings that is replayed under a weak memory model, where fences
        * are steps: those of the thread before this step are made first. */
       HD_STEP_UNFENCED = 512,
};

/* One step of a run: as a script entry what must happen, as a log entry what happened. */
struct hd_step {
    uint32_t thread;
    uint16_t op;
    uint16_t choice;
    uint32_t site;
    uint32_t size;
    uint32_t flags;
    uint32_t output_end; /* bytes of program output when the step had ended */
    struct hd_name object, object2;
    /* The first 8 bytes; of a long double, the nearest double.  Of a broadcast in a log, the
     * second is the set of the threads below 64 that it wakes. */
    uint64_t value_read, value_written;
    uint32_t stack;          /* in a log: the calls that the thread stood in (core/frame.h) */
    uint32_t woken;          /* in a log, of a signal: the thread that it wakes, + 1 */
    struct hd_action action; /* in a log: as the runtime knows it, with its memory order */
};

/* Where a thread stood when the execution ended. */
struct hd_standing {
    uint32_t thread;
    uint16_t op; /* its next action; HD_OP_NONE: it had exited */
    uint16_t enabled;
    uint32_t site;
    uint32_t owner; /* who holds the object (lock, relock) or is waited for (join); ~0u: none */
    uint32_t owner_site; /* where the owner took it */
    uint32_t stack;      /* replay: the calls that it stood in (core/frame.h) */
    struct hd_name object;
};

/* Memory errors: what happened before to the block. */
#define HD_MAX_ORIGINS 8
enum hd_origin_kind {
    HD_ORIGIN_MADE = 1,
    HD_ORIGIN_FREED,
    /* data races: an operation between the two accesses that does not order them */
    HD_ORIGIN_STORE,  /* it does not release */
    HD_ORIGIN_LOAD,   /* it does not acquire */
    HD_ORIGIN_TRY,    /* it failed */
    HD_ORIGIN_SIGNAL, /* of a condition variable */
    HD_ORIGIN_KINDS
};

struct hd_origin {
    uint32_t what; /* enum hd_origin_kind */
    uint32_t thread, site;
    uint32_t pad;
};

/* A lock order inversion: each thread takes a lock that the next one holds, the last one that
 * of the first.  A warning, with no execution of its own. */
#define HD_MAX_INVERSION 5 /* threads in one */
#define HD_MAX_INVERSIONS 32

struct hd_inverted {
    uint32_t thread;
    uint32_t site;      /* where it takes the lock that the next one holds */
    uint32_t held_site; /* where it has taken the one that it holds */
    uint32_t pad;
    struct hd_name held;
};

struct hd_inversion {
    uint32_t n;
    uint32_t pad;
    uint64_t sites, locks; /* hashes: equal for equal ones */
    struct hd_inverted order[HD_MAX_INVERSION];
};

/* A variable that the condition of a failed assertion names. */
#define HD_MAX_SHOWN 6
struct hd_shown {
    uint32_t site; /* which has its name and type */
    uint32_t size;
    uint64_t value;
};

struct hd_finding {
    uint32_t kind; /* enum hd_kind */
    uint32_t thread;
    uint32_t site;      /* 0: see pc */
    uint32_t line;      /* from the program itself (assert), 0 when not given */
    uint64_t pc;        /* file's own numbering; of a crash, a call of unknown site; 0: none */
    uint64_t execution; /* number of the execution (from 1) in which it was found */
    uint64_t schedule;  /* index of its first step in the schedule pool */
    uint32_t n_steps;
    uint32_t preemptions;
    uint64_t fingerprint; /* kind and place: findings with equal ones are one finding */
    char message[400];    /* plain words, one line */
    char file[200];       /* from the program itself (assert), "" when not given */
    char function[100];
    uint32_t n_standings; /* deadlock: where every live thread stood; a partial one: those that
                             wait for each other, from the lowest id on */
    uint32_t n_origins;
    uint32_t partial; /* deadlock: the schedule ends where other threads can still move */
    uint32_t stack;   /* replay: the calls that the thread stood in (core/frame.h) */
    uint32_t cycle;   /* livelock: the last so many steps lead back to where they began */
    /* Data race: the step, from 1, that is the first access; 0: both threads stand before
     * theirs.  In a replay steps of the log are counted, otherwise those of the schedule. */
    uint32_t race_step;
    /* The execution has a data race before it, or nobody looked for one.  Then C gives it no
     * meaning, and its replay may differ from it. */
    uint32_t racy;
    uint32_t judged; /* objection of a checker from outside: after so many scheduled steps */
    uint32_t call;   /* assertion: the site of the call that says that it fails; 0: not known */
    uint32_t n_shown;
    struct hd_shown shown[HD_MAX_SHOWN];
    struct hd_standing standings[64];
    struct hd_origin origins[HD_MAX_ORIGINS];
};

/* The message of a livelock, by its `cycle`. */
void hd_finding_say_cycle(struct hd_finding *finding);

#endif
