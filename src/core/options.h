/* How a program is to be explored, or a schedule to be run again. */
#ifndef HD_CORE_OPTIONS_H
#define HD_CORE_OPTIONS_H

#include "core/fault.h"
#include "core/reuse.h"
#include "core/searches.h"
#include "core/stdin.h"
#include "core/suppress.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_MAX_STEPS (1u << 20) /* of an execution */
#define HD_MAX_FILTERS 32       /* more need another layout */
#define HD_MAX_INVARIANTS 32
#define HD_MAX_SPURIOUS 100

#define HD_MAX_ORDERS 3
#define HD_MAX_SITE_ORDERS 1024

/* A guided replay does the entries of its script in their order, but leaves out for the time
 * being those whose thread cannot move or is held back by an order.  When none is left it goes
 * on by itself, in one of these ways, until the program ends. */
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
#define HD_MAX_PCT_DEPTH 64
enum hd_heuristic {
    HD_HEURISTIC_DISTANCE,
    HD_HEURISTIC_INTERLEAVING,
    HD_HEURISTIC_BLOCKED,
    HD_HEURISTIC_RANDOM,
    HD_HEURISTIC_PREFER, /* threads of options.preferred */
    HD_HEURISTIC_DEPTH,  /* few steps from the root: breadth first */
    HD_N_HEURISTICS
};
enum hd_state_store {
    HD_STORE_PRINTS, /* 128 bits of each state */
    HD_STORE_EXACT,  /* the states themselves */
    HD_STORE_BITS,   /* some bits of one large table for each */
};
/* Steps that count as independent although they access the same bytes (--finer). */
/* States up to permutation of interchangeable threads (explore/states/symmetry.h). */
enum hd_symmetric {
    HD_SYMMETRIC_OFF,
    HD_SYMMETRIC_ASKED, /* --symmetric */
    HD_SYMMETRIC_TRIED, /* by a portfolio, which does without where threads are distinguished */
};

enum hd_finer {
    HD_FINER_RMW = 1,       /* read-modify-writes that commute, whose results nobody uses */
    HD_FINER_OBSERVERS = 2, /* stores that nobody sees: `optimal' becomes `observers' */
    HD_FINER_LOCKS = 4,     /* critical sections with nothing in common (core/lock_parts.h) */
};
enum hd_race_policy {
    HD_RACES_OFF,
    HD_RACES_WARN,
    HD_RACES_ERROR,
    HD_RACES_ALLOWED, /* by the memory model */
};

/* What a replayed schedule must lead to if it does not end the program. */
enum hd_leads_to {
    HD_LEADS_NOWHERE,
    HD_LEADS_TO_RACE,      /* options.race stand before accesses that race */
    HD_LEADS_TO_PARTIAL,   /* options.race[0] and others wait for each other for ever */
    HD_LEADS_TO_UNORDERED, /* options.race[1] stands before an access that does not happen after
                              entry options.race[0] of the script, counted from 1 */
    HD_LEADS_TO_CYCLE,     /* the last options.race[0] steps lead back to where they began */
};

/* What atomic accesses weaker than seq_cst mean. */
enum hd_memory {
    HD_MEMORY_SC,   /* as if they were seq_cst */
    HD_MEMORY_RC11, /* C11 as repaired by Lahav et al., PLDI 2017 */
    /* The same for a search that goes on after a data race: plain accesses read and write as
     * relaxed ones do. */
    HD_MEMORY_RC11_PLAIN,
    HD_MEMORY_TSO, /* accesses are those of x86 */
    /* As HD_MEMORY_SC, but explored over graphs: the steps of a run are in an order in which
     * loads may read what is no longer the newest store. */
    HD_MEMORY_SC_GRAPH,
    /* The same, and executions with the same reads-from are one. */
    HD_MEMORY_SC_RF,
};

/* Its name, for --memory and in traces; the model of a search over graphs by its name. */
const char *hd_memory_name(enum hd_memory memory);
bool hd_memory_parse(const char *text, uint32_t *memory);

/* Is it sequential consistency? */
static inline bool hd_memory_is_sc(uint32_t memory)
{
    return memory == HD_MEMORY_SC || memory >= HD_MEMORY_SC_GRAPH;
}

/* Is it C11's memory model? */
static inline bool hd_memory_is_rc11(uint32_t memory)
{
    return memory == HD_MEMORY_RC11 || memory == HD_MEMORY_RC11_PLAIN;
}

/* Plain accesses are events of the graph, too: what they read where they race is explored. */
static inline bool hd_memory_plain_events(uint32_t memory) { return memory > HD_MEMORY_RC11; }

#define HD_DEFAULT_POLLS 16

/* What a strategy from outside declares (heddle/strategy.h); all others are unknown. */
enum hd_plugin_claim {
    HD_PLUGIN_ORDERS = 1,
    HD_PLUGIN_PRUNES = 2,
    HD_PLUGIN_SAMPLES = 4,
    HD_PLUGIN_RANKS = 8,
    HD_PLUGIN_CHECKS = 16,
    HD_PLUGIN_TRACES = 32,
};

/* A strategy from outside (docs/design/024-plugins.md). */
struct hd_plugin {
    uint32_t used;   /* 0: there is none */
    uint32_t claims; /* enum hd_plugin_claim, or'ed */
    char path[400], argument[100];
};

struct hd_options {
    uint32_t mode;     /* enum hd_mode */
    uint32_t search;   /* enum hd_search */
    uint32_t shuffled; /* dfs: visit successors in a seeded random order, not by thread id */
    /* dfs with a reduction that may begin with any thread: the first execution chooses at
     * random, all others by thread id */
    uint32_t first_random;
    uint32_t filters; /* enum hd_filter_bit (core/filters.h), or'ed */
    uint64_t seed;
    uint32_t pct_depth;      /* orderings that the bug needs, D of pct:D; at least 1 */
    uint64_t max_executions; /* 0: no bound; of searches that sample, bounded ones count too */
    uint64_t max_work;       /* pause after so much work (hd_counters_work); 0: never */
    /* The same instead of max_work: near_work where all of it is expected to be near_expected
     * or less, states_work where a search over states is likely to need less (core/work.h); 0:
     * no other. */
    uint64_t near_work, near_expected, states_work;
    uint32_t depth; /* steps; always set (HD_MAX_STEPS - 1 at most) */
    uint32_t preemptions;
    uint32_t delays;
    uint32_t argument[HD_MAX_FILTERS]; /* by filter: the number after its name, of those without
                                          a field of their own (core/filters.def) */
    uint32_t iterative; /* preemption bounds 0, 1, …, preemptions one after the other */
    uint32_t heuristic; /* guided searches: enum hd_heuristic */
    uint32_t queue;     /* guided searches: most states that may wait to be explored */
    uint64_t preferred; /* guided searches: bit n is main's nth thread */
    struct hd_plugin plugin;
    uint32_t swarm;          /* every worker samples in another way (supervise/swarm.h) */
    uint32_t random_threads; /* slice-n-dice: threads are added at random, not by their rank */
    uint32_t keep_going;     /* explore on after a violation */
    int32_t expect_exit;     /* exit status that is no violation */
    uint32_t until;          /* replay: stop after that step; 0: none */
    uint32_t n_script;       /* replay: entries of script[] */
    /* Replay: the script holds the solo steps too; a trace file does, a schedule of the
     * exploration does not. */
    uint32_t script_has_solo;
    uint32_t script_partial; /* replay: stop when the script ends (otherwise an error) */
    uint32_t script_guide;   /* replay: enum hd_guide; 0: every entry of the script is done */
    uint32_t n_orders;       /* guided replay: what is forced */
    struct hd_order {
        uint32_t first_thread, first_step; /* step (from 0, solo ones count) of that thread */
        uint32_t then_thread, then_step;   /* that it must come before */
    } orders[HD_MAX_ORDERS];
    uint32_t show_output; /* replay: program output goes into shared->output */
    uint32_t n_parked;    /* thread-local blocks to prepare */
    uint32_t paranoid;    /* check every invariant and restore at every step */
    uint32_t no_estimate; /* nobody asks how many executions there will be */
    uint32_t no_undo;     /* rewind by restarting from the root only (the cross-check) */
    uint32_t no_timeouts; /* timed waits last until they are granted */
    uint32_t polls;       /* waits in a row that time alone may end; 0: no bound */
    uint32_t spurious;    /* spurious wake-ups a thread may have; at most HD_MAX_SPURIOUS */
    uint32_t threads;     /* most that a thread and its parents make; 0: HD_MAX_THREADS */
    uint32_t files_off;   /* no private view of files: the program writes to the real ones */
    uint32_t leaks;       /* memory that is lost at the end is a violation */
    struct hd_nondet nondet;
    struct hd_stdin input;     /* standard input and arguments that are chosen */
    struct hd_faults faults;   /* calls that may fail */
    struct hd_reuse reuse;     /* addresses of freed blocks that may come back */
    uint32_t finer;            /* enum hd_finer, or'ed */
    uint32_t scale_dependence; /* every access of a sync object is a write (SCALE Def. 9) */
    uint32_t state_cache;      /* not-seen, states: most states kept; 0: no bound */
    uint64_t state_memory; /* states: most bytes of the table of visited states; 0: no bound */
    uint32_t state_store;  /* states: enum hd_state_store */
    uint32_t symmetric;    /* enum hd_symmetric */
    uint32_t lock_sets;    /* states: keep locks held at accesses (explore/order/lock_sets.h) */
    uint32_t jobs;         /* workers at a time; 0 and 1 are one */
    uint32_t digest;       /* compute counters.digest, a hash of all events of all executions */
    uint32_t races;        /* enum hd_race_policy */
    uint32_t volatile_ok;  /* volatile accesses are atomic: acquire, release */
    struct hd_suppressions suppressions;
    uint32_t memory; /* enum hd_memory */
    /* Sites whose memory order is another one than the program's (core/site_orders.h). */
    uint32_t n_site_orders;
    uint32_t site_orders[HD_MAX_SITE_ORDERS];
    uint32_t no_livelocks; /* cycles of states are not looked at */
    uint32_t note_steps;   /* several workers keep the steps between states (state_edges.h) */
    uint32_t leads_to;     /* replay: enum hd_leads_to */
    uint32_t race[2];      /* replay: threads */
    uint32_t n_invariants;
    struct {
        uint64_t address; /* file's own numbering */
        char name[120];
    } invariants[HD_MAX_INVARIANTS];
};

/* Options are large, mostly for lists that are empty: copy what is used.  The rest of `to` must
 * be zeros, or a copy of options with the same lists. */
void hd_options_copy(struct hd_options *to, const struct hd_options *from);

/* "-2..7"; false: it is not of that form, or names more values than can be tried. */
bool hd_nondet_parse(const char *text, struct hd_nondet *nondet);

#endif
