/* The independent interpreter: every interleaving of a program, by brute force.
 *
 * Two runs are one trace when their happens-before graphs are equal: the same steps (thread,
 * index, operation, objects, outcome, the waiter a signal chose), each with the same steps
 * before it in the transitive closure of the dependence of machine.h.  A graph is kept as the
 * 128-bit sum of the hashes of its steps, each hashed with its vector clock. */
#ifndef ORC_INTERP_H
#define ORC_INTERP_H

#include "machine.h"
#include "race.h"
#include "set.h"

#include <stdio.h>

#define ORC_MAX_STEPS 255 /* a thread counts its own in a byte */
#define ORC_MAX_FINALS 4096

struct orc_result {
    bool overflow; /* more interleavings or states than asked for; nothing else is valid then */
    bool large;    /* too many interleavings to try one by one: the numbers are orc_dag's */
    uint64_t interleavings, traces; /* of executions against no assumption */
    uint64_t assumed;               /* traces up to where nobody can move but who gives up */
    uint64_t deadlocks;             /* distinct sets of places where threads stand still */
    bool weak;    /* an atomic access weaker than seq_cst is executed beside another thread */
    bool circles; /* somewhere threads wait for each other and another can move */
    uint64_t n_finals;            /* distinct observations */
    uint64_t finals_hash;         /* xor of their FNV-1a hashes */
    bool asserted[ORC_MAX_STMTS]; /* by statement */
    bool misused[ORC_MAX_STMTS];
    struct orc_races beside; /* two threads stand before these accesses in one state (race.h) */
    /* An execution has both, unordered (happens_before.h), and the later one depends on no race that
     * comes before it. */
    struct orc_races first;
    struct orc_races races;          /* all of these, and those after another race */
    uint64_t ends[ORC_ASSUMED + 1];  /* interleavings (orc_dag: traces) by enum orc_end */
    uint64_t finals[ORC_MAX_FINALS]; /* the observations' hashes, n_finals of them */
};

/* Every interleaving, one after the other; at most `most` of them. */
void orc_brute(const struct orc_lowered *m, uint64_t most, struct orc_result *out);

/* Those with at most `preemptions` of these: a step of another thread than the one that made
 * the step before, and could go on.  A thread that has just yielded, or for which time ran
 * out, may be left freely. */
void orc_brute_within(const struct orc_lowered *m, uint64_t most, uint32_t preemptions,
                      struct orc_result *out);

/* The same by walking the graph of prefix traces: interleavings are its maximal paths, traces its
 * sinks.  Stops with a message when two runs of one trace differ in their state, that is when the
 * dependence relation is wrong.  At most `most` prefix traces; interleavings saturate. */
void orc_dag(const struct orc_lowered *m, uint64_t most, struct orc_result *out);

/* The hash of an observation. */
uint64_t orc_fnv1a(const uint8_t *p, uint32_t n);

bool orc_result_same(const struct orc_result *a, const struct orc_result *b);

/* The number of traces by the definition: classes of runs under swaps of neighbours that do not
 * depend on each other.  For programs of few interleavings; 0 when there are more than `most`. */
uint64_t orc_swap_classes(const struct orc_lowered *m, uint64_t most);

/* All runs as text, for a person; at most `most`. */
void orc_explain(const struct orc_lowered *m, uint64_t most, FILE *out);

#endif
