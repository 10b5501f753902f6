/* The memory that the supervisor (heddle check, replay) and the worker (the tested program with
 * the runtime in it) share: one file descriptor, mapped by the worker at HD_TOOL_BASE.
 *
 * Ownership: `options`, `script`, `route`, `foresight`, `dice`, `invariants` and `parts` are
 * written by the supervisor before the worker starts and only read afterwards.  Everything
 * else is the worker's; the supervisor copies what it needs and checks every number before it
 * uses it as an index (a tested program may have written anywhere).  The explorer's own
 * structures lie in the arena after this struct, so that a worker that dies can be replaced by
 * one that goes on with them. */
#ifndef HD_CORE_WORKER_MEMORY_H
#define HD_CORE_WORKER_MEMORY_H

#include "core/counters.h"
#include "core/dice.h"
#include "core/filters.h"
#include "core/finding.h"
#include "core/foresight.h"
#include "core/frame.h"
#include "core/layout.h"
#include "core/lock_parts.h"
#include "core/mailbox.h"
#include "core/notes.h"
#include "core/options.h"
#include "core/readset.h"
#include "core/route.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SHARED_MAGIC 0x6465726168536448ull
#define HD_SHARED_VERSION 107

#define HD_ENV_WORKER "HEDDLE_WORKER_FD" /* number of the shared descriptor */
/* or: of the socket over which such descriptors come (runtime/fork_server.h) */
#define HD_ENV_SERVER "HEDDLE_SERVER_FD"

#define HD_MAX_FINDINGS 256
#define HD_MAX_RACES 192            /* of the findings: what is worse always has room */
#define HD_SCHEDULE_POOL (1u << 24) /* steps of all findings together */
#define HD_OUTPUT_BYTES (16u << 20)

enum hd_state {
    HD_STATE_STARTING,    /* the worker has not reached main */
    HD_STATE_PROGRAM,     /* code of the tested program is running */
    HD_STATE_ENGINE,      /* heddle's own code is running */
    HD_STATE_WAITING,     /* it has no work and waits for other workers */
    HD_STATE_DONE,        /* explored to the end, or to a bound; or replay over */
    HD_STATE_STOPPED,     /* stopped at a violation (keep_going is off) */
    HD_STATE_MORE_PARKED, /* needs a worker with more n_parked; otherwise as it was */
    /* An invariant reads more than was known, or sections of a mutex must be in one part:
     * begin again */
    HD_STATE_GREW,
    HD_STATE_REUSE,    /* the search begins again with the classes in ctl.reuse on */
    HD_STATE_WEAK,     /* begin again with options.lock_sets: something weak was executed */
    HD_STATE_ERROR,    /* ctl.error says what */
    HD_STATE_DIVERGED, /* the same: a step came out differently the next time */
    HD_STATE_ALONE,    /* begin again with one worker: ctl.error says why */
    HD_STATE_STEPS,    /* begin again with options.note_steps: states may form a cycle */
};

enum hd_replay_status {
    HD_REPLAY_RUNNING,
    HD_REPLAY_END,       /* the program ended, or a violation was found, at the script's end */
    HD_REPLAY_UNTIL,     /* stopped at options.until, or at the end of a partial script */
    HD_REPLAY_NO_THREAD, /* the script names a thread that does not exist (yet) */
    HD_REPLAY_DISABLED,  /* the script names a thread that cannot move */
    HD_REPLAY_OTHER,     /* the thread's next action is another one: see `got` */
    HD_REPLAY_CHOICE,    /* choice out of range */
    HD_REPLAY_EARLY,     /* the program ended before the script did */
    HD_REPLAY_LATE,      /* the script ended before the program did */
    HD_REPLAY_HELD,      /* guided: all that could move is held back by an order */
};

/* The state of the shared file when a worker starts. */
enum hd_takeover {
    HD_TAKEOVER_NONE,    /* fresh */
    HD_TAKEOVER_RECORD,  /* go on; `died` is the end of the interrupted execution */
    HD_TAKEOVER_AGAIN,   /* go on; run the interrupted execution again */
    HD_TAKEOVER_NEXT,    /* go on with the next execution: the last worker was asked to stop */
    HD_TAKEOVER_PACK,    /* that worker's search is to be written as a work unit, and no more */
    HD_TAKEOVER_UNIT,    /* fresh; go on with a work unit */
    HD_TAKEOVER_SCATTER, /* its search is to be cut into parts, which wait in the tree */
};

struct hd_control {
    uint32_t state;       /* enum hd_state */
    uint32_t native_site; /* of the note of the call of unknown code that runs; 0: none does */
    uint64_t heartbeat;   /* changes with every visible action */
    uint64_t deaths;      /* of workers before this one that were recorded */
    uint32_t stop;        /* set by the supervisor: end the exploration at the next execution */
    uint32_t exit_status; /* of the last complete execution */
    uint64_t reuse;       /* classes of which the program compares addresses (core/reuse.h) */
    uint64_t load_base;   /* where the executable lies: address in memory - address in file */
    char error[400];      /* one line; begins with "internal error" when it is heddle's fault */
    uint64_t error_pc;    /* the program's instruction that it is about, or else the call: */
    uint32_t error_site;  /* 0: the text says it all */
    uint32_t error_other; /* of the other access that the error is about; 0: none */
    /* replay */
    uint32_t replay_status; /* enum hd_replay_status */
    uint32_t replay_step;   /* index into script[] of the step that could not be done */
    struct hd_step got;     /* what the thread would do instead */
    uint32_t n_log;
    uint32_t output_bytes;
};

/* Canonical thread names: thread i is the `nth` (from 1) child of `parent`; thread 0 is main.
 * Ids are given in order of first appearance and kept for the whole exploration; a trace
 * carries the table along.  The supervisor fills the table before it starts a worker (main
 * alone, or the table of the run to be replayed); the worker looks a thread up before it adds a
 * row. */
struct hd_thread_name {
    uint16_t parent, nth;
};

struct hd_worker_memory {
    uint64_t magic;
    uint32_t version;
    uint32_t arena_offset;
    struct hd_options options;
    uint32_t worker;           /* of several: its number, from 0 */
    int32_t tree_memory;       /* of several: the descriptor of what they share; or -1 */
    uint64_t options_checksum; /* hd_shared_checksum(): the worker's copy must not change */
    /* from here on the worker writes; everything before is read-only to it */
    _Alignas(4096) struct hd_control ctl;
    struct hd_counters cnt;
    struct hd_notes notes;
    uint32_t n_threads;
    struct hd_thread_name threads[HD_MAX_THREADS];
    uint32_t n_findings; /* of findings[]; more distinct ones than fit are counted in n_lost */
    uint32_t n_lost;
    struct hd_finding findings[HD_MAX_FINDINGS];
    uint32_t n_inversions;
    struct hd_inversion inversions[HD_MAX_INVERSIONS];
    /* How an execution ended that killed its worker.  Filled by the worker's own handler of
     * fatal signals, otherwise by the supervisor (killed by the watchdog, _exit without
     * the runtime's knowledge); its schedule is steps[0..depth), its `schedule` and `n_steps`
     * mean nothing. */
    struct hd_finding died;
    uint32_t died_valid; /* cleared by the supervisor before a worker starts, `died` is kept */
    uint32_t takeover;   /* enum hd_takeover: set by the supervisor before it starts a worker */
    uint64_t unit_at,
        unit_bytes; /* a work unit (explore/jobs/unit.h), from the begin of the file */
    uint32_t depth; /* steps[0..depth) is the schedule of the current execution */
    uint32_t steps[HD_MAX_STEPS]; /* thread | choice << 16 */
    uint64_t n_schedule;
    uint32_t schedule[HD_SCHEDULE_POOL]; /* schedules of the findings */
    struct hd_step script[HD_MAX_STEPS]; /* replay: what to do */
    struct hd_step log[HD_MAX_STEPS];    /* replay: what was done */
    struct hd_stacks stacks;             /* replay: hd_step.stack and others count in it */
    char output[HD_OUTPUT_BYTES];        /* replay: what the program printed */
    struct hd_route route; /* where to go; written by the supervisor before the worker starts */
    struct hd_dice dice;   /* a round of slice-n-dice: likewise, but for what is reached */
    struct hd_foresight foresight; /* what may follow; likewise */
    /* What invariants read: filled in at first, then the worker's. */
    struct hd_readset readset;
    struct hd_lock_parts parts;       /* --finer locks: what this exploration uses, */
    struct hd_lock_parts parts_found; /* and the next, if it has found out more */
    struct hd_mailbox mailbox;        /* for a strategy from outside */
};

#define HD_STEP_PACK(thread, choice) ((uint32_t)(thread) | (uint32_t)(choice) << 16)
#define HD_STEP_THREAD(packed) ((packed) & 0xffffu)
#define HD_STEP_CHOICE(packed) ((packed) >> 16)

/* Of an atomic access: the stores that are newer in the order of modification than the one that
 * it reads or makes. */
static inline uint32_t hd_step_newer(uint32_t packed, const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_MEM ? HD_STEP_CHOICE(packed) : 0;
}

uint64_t hd_shared_checksum(const struct hd_options *options);

/* The id of thread `parent`'s nth child; a new row when it is not known and `add` is set;
 * HD_MAX_THREADS otherwise, and when there is no room. */
uint32_t hd_shared_name(struct hd_worker_memory *shared, uint32_t parent, uint32_t nth, bool add);

/* Can `finding` be what a worker made?  Returns NULL, or what is wrong with it. */
const char *hd_finding_check(const struct hd_finding *finding, uint32_t n_threads,
                             uint32_t n_sites);

/* Can a worker have left the memory in this state?  Returns NULL, or what is wrong with it. */
const char *hd_shared_check(const struct hd_worker_memory *shared, uint32_t n_sites);

#endif
