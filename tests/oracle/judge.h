/* Does what `heddle check --json` says agree with the interpreter? */
#ifndef ORC_JUDGE_H
#define ORC_JUDGE_H

#include "invariant.h"

/* What a reduction must count as complete executions. */
enum orc_count {
    ORC_COUNT_INTERLEAVINGS,
    ORC_COUNT_TRACES,
    /* Traces; but of those that end in a failed assertion or a misuse some may be left out: how far
     * the other threads had come when it happened is nothing that a race reversal asks for.  Which
     * statements fail is still all found. */
    ORC_COUNT_RACES,
    /* The same, and traces may come again, at most as often as there are interleavings. */
    ORC_COUNT_REPEATS,
    /* At least as many as traces, where no step breaks the program: what main does alone is seen
     * by the interpreter only, and the end sees everything. */
    ORC_COUNT_OBSERVERS,
    /* At least one: traces that meet in a state go on as one. */
    ORC_COUNT_STATES,
    /* As ORC_COUNT_REPEATS, of what there is within a bound on preemptions. */
    ORC_COUNT_WITHIN,
    /* The same, and everything may be explored again with what was learnt. */
    ORC_COUNT_PASSES,
    /* Everything where the bound kept nothing from it; otherwise what it finds must be there. */
    ORC_COUNT_BOUNDED,
    /* It may miss anything, and says so: what it finds must be there. */
    ORC_COUNT_INCOMPLETE,
};

/* Which of the data races a reduction must find; where it may miss some it must not call itself
 * exhaustive. */
enum orc_races_found {
    ORC_RACES_ALL,
    ORC_RACES_UNLESS_BROKEN, /* all, if no step breaks the program */
    ORC_RACES_SOME,
};

struct orc_chain {
    const char *reduce; /* argument of --reduce */
    enum orc_count count;
    bool unblocked; /* no execution may be blocked where none broke the program */
    enum orc_races_found races;
    uint8_t turn;     /* bit s % 8: programs with the seed s */
    const char *jobs; /* argument of -j; NULL: 1.  More give work away as often as they can. */
    bool modest;      /* it never calls itself exhaustive */
    bool unreduced;   /* it takes as long as there are interleavings */
    bool unsound;     /* it is refused without --allow-unsound */
    bool fewer; /* the end of the process cuts threads off between fewer steps: fewer traces */
};

/* A bound on preemptions that goes with ORC_COUNT_WITHIN; the program's number tells which. */
#define ORC_BOUND(seed) ((uint32_t)((seed) / 8 % 4))

/* Writes every disagreement, a line each, to `why`; true when there is none.  `status` is the exit
 * status of heddle; `within` what there is within the bound, for ORC_COUNT_WITHIN. */
bool orc_judge(const struct orc_chain *chain, const struct orc_program *p,
               const struct orc_result *r, const struct orc_result *within, const char *json,
               int status, FILE *why);

/* Of a program with invariants, the batch's `program`th: are exactly those told that are broken? */
bool orc_judge_invariants(const struct orc_chain *chain, uint32_t program,
                          const struct orc_result *r, const struct orc_broken *broken,
                          const char *json, int status, FILE *why);

#endif
