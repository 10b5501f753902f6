/* The memory that the supervisor (heddle check, replay) and the worker (the tested program with
 * the runtime in it) share: one file descriptor, mapped by the worker at HD_TOOL_BASE.
 *
 * Ownership: `options`, `script`, `route`, `foresight`, `dice` and `invariants` are written by
 * the supervisor before the worker starts and only read afterwards.  Everything else is the
 * worker's; the supervisor copies what it needs and checks every number before it uses it as
 * an index (a tested program may have written anywhere).  The explorer's own structures lie in
 * the arena behind this struct, so that a worker that dies can be replaced by one that goes on
 * with them. */
#ifndef HD_CORE_WORKER_MEMORY_H
#define HD_CORE_WORKER_MEMORY_H

#include "core/dice.h"
#include "core/fault.h"
#include "core/filters.h"
#include "core/finding.h"
#include "core/foresight.h"
#include "core/frame.h"
#include "core/layout.h"
#include "core/notes.h"
#include "core/readset.h"
#include "core/reuse.h"
#include "core/route.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SHARED_MAGIC 0x6465726168536448ull
#define HD_SHARED_VERSION 32

#define HD_ENV_WORKER "HEDDLE_WORKER_FD" /* number of the shared descriptor */

#define HD_MAX_STEPS (1u << 20)
#define HD_MAX_FINDINGS 256
#define HD_MAX_RACES 192            /* of the findings: what is worse always has room */
#define HD_SCHEDULE_POOL (1u << 24) /* steps of all findings together */
#define HD_OUTPUT_BYTES (16u << 20)
#define HD_MAX_INVARIANTS 32
#define HD_MAX_SPURIOUS 100
#define HD_MAX_CHOICES 4096 /* of one step */

#define HD_MAX_ORDERS 3

/* A guided replay does the entries of its script in their order, but leaves out for the time being
 * those whose thread cannot move or is held back by an order.  When none is left it goes on by
 * itself, in one of these ways, until the program ends. */
enum hd_guide {
    HD_GUIDE_NONE,
    HD_GUIDE_STAY,     /* with the same thread as long as it can, then the next one */
    HD_GUIDE_YOUNGEST, /* with the one that was created last */
    HD_GUIDE_ROTATE,   /* with another thread at every step */
    HD_GUIDE_COUNT
};

/* The values that __VERIFIER_nondet_*() can have; at most HD_MAX_CHOICES. */
struct hd_nondet {
    uint32_t given, pad;
    int64_t low, high;
};

enum hd_mode { HD_MODE_EXPLORE = 1, HD_MODE_REPLAY };
enum hd_search {
    HD_SEARCH_DFS,
    /* these sample: every execution begins at the root, and nothing is ever covered for certain */
    HD_SEARCH_RANDOM,
    HD_SEARCH_PCT,
    HD_SEARCH_POS,
    HD_SEARCH_BEST_FIRST, /* from here on: searches that are guided to a place */
    HD_SEARCH_GREEDY,
    HD_N_SEARCHES
};
#define HD_MAX_PCT_DEPTH 64
enum hd_heuristic {
    HD_HEURISTIC_DISTANCE,
    HD_HEURISTIC_INTERLEAVING,
    HD_HEURISTIC_BLOCKED,
    HD_HEURISTIC_RANDOM,
    HD_HEURISTIC_PREFER, /* threads of options.preferred */
    HD_N_HEURISTICS
};
enum hd_state_store {
    HD_STORE_PRINTS, /* 128 bits of each state */
    HD_STORE_EXACT,  /* the states themselves */
    HD_STORE_BITS,   /* some bits of one large table for each */
};
/* Steps that may be taken for independent although they touch the same (--finer). */
enum hd_finer {
    HD_FINER_RMW = 1,       /* read-modify-writes that commute, whose results nobody uses */
    HD_FINER_OBSERVERS = 2, /* stores that nobody sees: `optimal' becomes `observers' */
};
enum hd_race_policy { HD_RACES_OFF, HD_RACES_WARN, HD_RACES_ERROR };

/* What a replayed schedule that does not end the program must lead to. */
enum hd_leads_to {
    HD_LEADS_NOWHERE,
    HD_LEADS_TO_RACE,      /* options.race stand before accesses that race */
    HD_LEADS_TO_PARTIAL,   /* options.race[0] and others wait for each other for ever */
    HD_LEADS_TO_UNORDERED, /* options.race[1] stands before an access that does not happen after
                              entry options.race[0] of the script, counted from 1 */
    HD_LEADS_TO_CYCLE,     /* the last options.race[0] steps lead back to where they began */
};

#define HD_DEFAULT_POLLS 16

struct hd_options {
    uint32_t mode;   /* enum hd_mode */
    uint32_t search; /* enum hd_search */
    uint32_t
        shuffled;     /* dfs: visit successors in a seeded random order instead of by thread id */
    uint32_t filters; /* enum hd_filter_bit (core/filters.h), or'ed */
    uint64_t seed;
    uint32_t pct_depth; /* orderings that the bug needs, D of pct:D; at least 1 */
    uint64_t
        max_executions; /* 0: no bound; complete ones, of searches that sample also bounded ones */
    uint64_t max_work;  /* pause when the worker has done so much (hd_counters_work); 0: never */
    uint32_t depth;     /* steps; always set (HD_MAX_STEPS - 1 at most) */
    uint32_t preemptions;
    uint32_t delays;
    uint32_t iterative;       /* preemption bounds 0, 1, …, preemptions one after the other */
    uint32_t heuristic;       /* guided searches: enum hd_heuristic */
    uint32_t queue;           /* … states that may wait to be gone on from */
    uint64_t preferred;       /* … by bit n: main's nth thread */
    uint32_t random_threads;  /* slice-n-dice: threads are added at random, not by their rank */
    uint32_t keep_going;      /* explore on after a violation */
    int32_t expect_exit;      /* exit status that is no violation */
    uint32_t until;           /* replay: stop after that step; 0: none */
    uint32_t n_script;        /* replay: entries of script[] */
    uint32_t script_has_solo; /* replay: the script holds the solo steps too (a trace file does, a
                                schedule of the exploration does not) */
    uint32_t script_partial; /* replay: stop when the script ends (otherwise: that is an error) */
    uint32_t script_guide; /* replay: enum hd_guide; 0: every entry of the script must be done */
    uint32_t n_orders;     /* guided replay: what is forced */
    struct hd_order {
        uint32_t first_thread,
            first_step; /* this step (from 0, solo ones count) of that thread … */
        uint32_t then_thread, then_step; /* … comes before this one */
    } orders[HD_MAX_ORDERS];
    uint32_t show_output; /* replay: program output goes into shared->output */
    uint32_t n_parked;    /* thread-local blocks to prepare */
    uint32_t paranoid;    /* check every invariant and restore at every step */
    uint32_t no_undo;     /* rewind by restarting from the root only (the cross-check) */
    uint32_t no_timeouts; /* timed waits last until they are granted */
    uint32_t polls;       /* waits in a row that time alone may end; 0: no bound */
    uint32_t spurious;    /* spurious wake-ups that a thread may have; at most HD_MAX_SPURIOUS */
    uint32_t leaks;       /* memory that is lost at the end is a violation */
    struct hd_nondet nondet;
    struct hd_faults faults;   /* calls that may fail */
    struct hd_reuse reuse;     /* addresses of freed blocks that may come back */
    uint32_t finer;            /* enum hd_finer, or'ed */
    uint32_t scale_dependence; /* every access of a sync object is a write of it (SCALE Def. 9) */
    uint32_t state_cache;      /* not-seen, states: most states kept; 0: no bound */
    uint32_t state_store;      /* states: enum hd_state_store */
    uint32_t
        symmetric; /* states: threads that are alike have no names (explore/states/symmetry.h) */
    uint32_t jobs; /* workers at a time; 0 and 1 are one */
    uint32_t digest;       /* compute counters.digest: a hash of every event of every execution */
    uint32_t races;        /* enum hd_race_policy */
    uint32_t no_livelocks; /* cycles of states are not looked at */
    uint32_t leads_to;     /* replay: enum hd_leads_to */
    uint32_t race[2];      /* replay: threads */
    uint32_t n_invariants;
    struct {
        uint64_t address; /* file's own numbering */
        char name[120];
    } invariants[HD_MAX_INVARIANTS];
};

enum hd_state {
    HD_STATE_STARTING,    /* the worker has not reached main */
    HD_STATE_PROGRAM,     /* code of the tested program is running */
    HD_STATE_ENGINE,      /* heddle's own code is running */
    HD_STATE_WAITING,     /* it has no work and waits for other workers */
    HD_STATE_DONE,        /* explored to the end, or to a bound; or replay over */
    HD_STATE_STOPPED,     /* stopped at a violation (keep_going is off) */
    HD_STATE_MORE_PARKED, /* needs a worker with more n_parked; otherwise as it was */
    HD_STATE_GREW,        /* an invariant reads more than was known: begin anew with `readset` */
    HD_STATE_REUSE,    /* the search has to begin anew with the classes in ctl.reuse turned on */
    HD_STATE_ERROR,    /* ctl.error says what */
    HD_STATE_DIVERGED, /* the same, and it is that a step came out differently the next time */
};

enum hd_replay_status {
    HD_REPLAY_RUNNING,
    HD_REPLAY_END,       /* the program ended, or a violation was found, at the script's end */
    HD_REPLAY_UNTIL,     /* stopped at options.until, or at the end of a partial script */
    HD_REPLAY_NO_THREAD, /* the script names a thread that does not exist (yet) */
    HD_REPLAY_DISABLED,  /* … that exists but cannot move */
    HD_REPLAY_OTHER,     /* the thread's next action is another one: see `got` */
    HD_REPLAY_CHOICE,    /* choice out of range */
    HD_REPLAY_EARLY,     /* the program ended before the script did */
    HD_REPLAY_LATE,      /* the script ended before the program did */
    HD_REPLAY_HELD,      /* guided: all that could move is held back by an order */
};

/* How a starting worker finds the shared file. */
enum hd_takeover {
    HD_TAKEOVER_NONE,   /* fresh */
    HD_TAKEOVER_RECORD, /* go on; `died` is the end of the interrupted execution */
    HD_TAKEOVER_AGAIN,  /* go on; run the interrupted execution again */
    HD_TAKEOVER_NEXT,   /* go on with the next execution: the last worker was asked to stop */
};

struct hd_control {
    uint32_t state; /* enum hd_state */
    uint32_t pad;
    uint64_t heartbeat;   /* changes with every visible action */
    uint32_t stop;        /* set by the supervisor: end the exploration at the next execution */
    uint32_t exit_status; /* of the last complete execution */
    uint64_t reuse;       /* classes whose addresses the program can tell apart (core/reuse.h) */
    uint64_t load_base;   /* where the executable lies: address in memory - address in file */
    char error[400];      /* one line; begins with "internal error" when it is heddle's fault */
    uint64_t error_pc;    /* the program's instruction that it is about, or else the call: */
    uint32_t error_site;  /* 0: the text says it all */
    uint32_t pad2;
    /* replay */
    uint32_t replay_status; /* enum hd_replay_status */
    uint32_t replay_step;   /* index into script[] of the step that could not be done */
    struct hd_step got;     /* what the thread would do instead */
    uint32_t n_log;
    uint32_t output_bytes;
};

/* What the program asked for and the model does not do. */
enum hd_left_out {
    HD_LEFT_UNMAPPED = 1,  /* a part of a mapping that is not its end stayed */
    HD_LEFT_PROTECTED = 2, /* memory that may not be read or written can be */
    HD_LEFT_ADVISED = 4,   /* memory that is given up keeps what it holds */
    HD_LEFT_STACK = 8,     /* a thread does not run on the stack that it was given */
    HD_LEFT_FILES = 16,    /* a file that is read holds what executions before have written */
};

/* What was executed that orders less than it may seem to: an interleaving has an order there, and
 * neither C nor POSIX promises it (explore/order/sync_order.h). */
enum hd_orders_less {
    HD_LESS_ATOMIC = 1, /* an atomic access that is not seq_cst */
    HD_LESS_TRY = 2,    /* an attempt to take a lock or semaphore that failed, sem_getvalue */
    HD_LESS_SIGNAL = 4, /* a signal of a condition variable that woke a thread */
    HD_LESS_FUTEX = 8,
};

struct hd_counters {
    uint64_t executions, blocked, pruned, bounded; /* DESIGN 2: counted apart, always */
    uint64_t assumed;      /* executions that ended where an assumption does not hold */
    uint64_t begun;        /* executions begun, also those that iterative bounding does again */
    uint64_t begun_before; /* … of those, in the bounds before the current one */
    double explored;       /* estimated share of the current bound's tree; 0: not known */
    uint64_t events;       /* visible actions performed, replayed prefixes not counted again */
    uint64_t replayed;     /* visible actions performed again to come back to a choice point */
    uint64_t states; /* distinct states stored by a filter that stores them, otherwise nodes */
    uint64_t
        states_dropped; /* guided searches: states that were not gone on from, for want of room */
    uint64_t choices;   /* nodes at which more than one alternative was opened */
    uint64_t choices_before; /* … of them, in the passes before the last */
    uint64_t passes; /* times that everything was explored again with what had been learnt */
    uint64_t max_depth;
    uint64_t restarts; /* rewinds that had to go back to the root */
    uint64_t opaque;   /* calls into code whose effects on its own state are not known */
    uint64_t digest;
    uint64_t traces; /* distinct happens-before graphs of complete executions, when counted */
    uint64_t observations;      /* distinct ones made by heddle_observe */
    uint64_t observations_hash; /* xor over the distinct ones' hashes */
    uint32_t depth_reached;     /* the depth bound cut an execution */
    uint32_t repeated[4]; /* sites that came again and again before the first cut; 0: none */
    uint32_t preemption_reached; /* the preemption bound dropped a successor */
    uint32_t delay_reached;      /* the bound on delays dropped a successor */
    uint32_t faults_reached;     /* a call did not fail because as many as may had */
    uint32_t last_runs_handlers; /* the thread that ended last ran the exit handlers */
    uint32_t faults_skipped;     /* … because it stood inside an atomic section */
    uint32_t polled[4];          /* sites of waits that options.polls made endless; 0: none */
    uint32_t reuse_left_out;     /* --reuse off, and the program can tell */
    uint32_t nondet_cut;         /* values outside options.nondet were left out */
    uint32_t left_out;           /* enum hd_left_out, or'ed */
    uint32_t orders_less;        /* enum hd_orders_less, or'ed */
    uint32_t accesses_ordered;  /* … but all accesses are ordered by explore/order/lock_sets.h; */
    uint32_t accesses_apart[2]; /* sites of two that are not; 0: not known */
    uint32_t bound_now;         /* iterative bounding: current bound */
    uint32_t cycles_unknown;    /* not all cycles of states were looked at */
    uint32_t loops_cut;         /* turns of loops were cut (local-cycle) */
    uint32_t invariants;        /* there were some to be looked at in every state */
    uint32_t invariants_unsure; /* what one reads changed in a step that did not write it */
    uint32_t finished;          /* the search space is exhausted (within its bounds) */
};

/* What an exploration has cost, whatever the machine: steps, and for every way back to the root as
 * many as that takes in time. */
static inline uint64_t hd_counters_work(const struct hd_counters *c)
{
    return c->events + c->replayed + 500 * c->restarts;
}

/* Canonical thread names: thread i is the `nth` (from 1) child of `parent`; thread 0 is main.
 * Ids are given in order of first appearance and kept for the whole exploration; a trace carries
 * the table along.  The supervisor fills the table before it starts a worker (main alone, or the
 * table of the run to be replayed); the worker looks a thread up before it adds a row. */
struct hd_thread_name {
    uint16_t parent, nth;
};

struct hd_worker_memory {
    uint64_t magic;
    uint32_t version;
    uint32_t arena_offset;
    struct hd_options options;
    uint32_t worker;           /* of several: its number, from 0 */
    int32_t tree_memory;       /* of several: the descriptor of what they have in common */
    uint64_t options_checksum; /* hd_shared_checksum(): the worker's copy must not have changed */
    /* from here on the worker writes; what is before is read-only to it */
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
     * fatal signals, otherwise by the supervisor (killed by the watchdog, _exit behind the
     * runtime's back); its schedule is steps[0..depth), its `schedule` and `n_steps` mean
     * nothing. */
    struct hd_finding died;
    uint32_t died_valid; /* cleared by the supervisor before a worker starts, `died` is kept */
    uint32_t takeover;   /* enum hd_takeover: set by the supervisor before it starts a worker */
    uint32_t depth;      /* steps[0..depth) is the schedule of the current execution */
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
    struct hd_readset readset; /* what invariants read: filled in at first, then the worker's */
};

#define HD_STEP_PACK(thread, choice) ((uint32_t)(thread) | (uint32_t)(choice) << 16)
#define HD_STEP_THREAD(packed) ((packed) & 0xffffu)
#define HD_STEP_CHOICE(packed) ((packed) >> 16)

/* "-2..7"; false: it is not of that form, or names more values than can be tried. */
bool hd_nondet_parse(const char *text, struct hd_nondet *nondet);

uint64_t hd_shared_checksum(const struct hd_options *options);

/* The id of thread `parent`'s nth child; a new row when it is not known and `add` is set;
 * HD_MAX_THREADS otherwise, and when there is no room. */
uint32_t hd_shared_name(struct hd_worker_memory *shared, uint32_t parent, uint32_t nth, bool add);

/* Can `finding` be what a worker made?  Returns NULL, or what is wrong with it. */
const char *hd_finding_check(const struct hd_finding *finding, uint32_t n_threads,
                             uint32_t n_sites);

/* Is what the worker left behind possible at all?  Returns NULL, or what is wrong with it. */
const char *hd_shared_check(const struct hd_worker_memory *shared, uint32_t n_sites);

#endif
