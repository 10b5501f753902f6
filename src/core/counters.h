/* The counters of an exploration: what it has done, and what it has left out. */
#ifndef HD_CORE_COUNTERS_H
#define HD_CORE_COUNTERS_H

#include "core/options.h"

#include <stdint.h>

/* What the program asked for and the model does not do. */
enum hd_left_out {
    HD_LEFT_UNMAPPED = 1,  /* a part of a mapping that is not its end stayed */
    HD_LEFT_PROTECTED = 2, /* memory that may not be read or written can be */
    HD_LEFT_ADVISED = 4,   /* memory that is given up keeps its contents */
    HD_LEFT_STACK = 8,     /* a thread does not run on the stack that it was given */
    HD_LEFT_FILES = 16,    /* a file that is read holds what earlier executions wrote */
    HD_LEFT_TWICE = 32,    /* of two mappings of a file one allows what the other does */
};

/* Operations that were executed and order less than they seem to: in an interleaving they have
 * an order that neither C nor POSIX promises (explore/order/sync_order.h). */
enum hd_orders_less {
    HD_LESS_ATOMIC = 1, /* an atomic access that is not seq_cst */
    HD_LESS_TRY = 2,    /* an attempt to take a lock or semaphore that failed, sem_getvalue */
    HD_LESS_SIGNAL = 4, /* a signal of a condition variable that woke a thread */
    HD_LESS_FUTEX = 8,
    HD_LESS_CLOCK = 16, /* a reading of the clock: it shows that a thread has slept */
    HD_LESS_MIXED =
        32, /* a compare-exchange of memory that another thread reads as plain memory */
};

struct hd_counters {
    uint64_t executions, blocked, pruned, bounded; /* counted separately */
    uint64_t assumed;      /* executions that ended where an assumption does not hold */
    uint64_t begun;        /* executions begun, with those that iterative bounding repeats */
    uint64_t begun_before; /* executions begun in the bounds before the current one */
    double explored;       /* estimated share of the current bound's tree; 0: not known */
    uint64_t events;       /* visible actions performed, replayed prefixes not counted again */
    uint64_t replayed;     /* visible actions repeated to return to a choice point */
    uint64_t states; /* distinct states stored by a filter that stores them, otherwise nodes */
    uint64_t states_dropped;   /* guided searches: states that there was no room for */
    uint64_t states_forgotten; /* that were stored and are no more, for want of room */
    uint64_t choices;          /* nodes at which more than one alternative was opened */
    uint64_t choices_before;   /* such nodes in the passes before the last */
    uint64_t passes;           /* how often everything was explored again with new facts */
    uint64_t max_depth;
    uint64_t alike;       /* most threads with one creator, function and argument */
    uint64_t alike_looks; /* nodes at which nothing told interchangeable threads apart */
    uint64_t restarts;    /* rewinds that had to go back to the root */
    uint64_t opaque;      /* calls into code whose effects on its own state are not known */
    uint64_t digest;
    uint64_t traces; /* distinct happens-before graphs of complete executions, when counted */
    uint64_t observations;      /* distinct ones made by heddle_observe */
    uint64_t observations_hash; /* xor over the distinct ones' hashes */
    uint32_t
        dropped[HD_MAX_FILTERS]; /* by enum hd_filter_index: not 0 when the filter has left out
                                         something that it does not claim to find otherwise */
    uint32_t repeated[4];        /* sites of the loop at the first cut; 0: none */
    uint32_t faults_reached;     /* a call did not fail because enough had failed */
    uint32_t last_runs_handlers; /* the thread that ended last ran the exit handlers */
    uint32_t faults_skipped;     /* a call did not fail as it was inside an atomic section */
    uint32_t polled[4];          /* sites of waits that options.polls made endless; 0: none */
    uint32_t reuse_left_out;     /* --reuse off, and the program can tell */
    uint32_t nondet_cut;         /* values outside options.nondet were left out */
    uint32_t left_out;           /* enum hd_left_out, or'ed */
    uint32_t orders_less;        /* enum hd_orders_less, or'ed */
    uint32_t accesses_ordered;   /* all accesses are ordered (explore/order/lock_sets.h) */
    uint32_t accesses_apart[2];  /* sites of two that are not; 0: not known */
    uint32_t bound_now;          /* iterative bounding: current bound */
    uint32_t cycles_unknown;     /* not all cycles of states were looked at */
    uint32_t invariants;         /* there were invariants to be checked in every state */
    uint32_t invariants_unsure;  /* what an invariant reads changed without a write */
    /* By index in options.site_orders: an access or fence of that site was executed. */
    uint64_t site_orders_used[HD_MAX_SITE_ORDERS / 64];
    uint64_t left_out_by_plugin; /* alternatives */
    uint32_t plugin_stopped;     /* a strategy from outside has ended the search */
    uint32_t finished;           /* the search space is exhausted (within its bounds) */
};

/* The cost of an exploration, independent of the machine: steps, and for every return to the
 * root as many steps as that takes in time. */
static inline uint64_t hd_counters_work(const struct hd_counters *c)
{
    return c->events + c->replayed + 500 * c->restarts;
}

#endif
