/* All consistent execution graphs of a program, each once, by brute force.
 *
 * First po and rf: as po ∪ rf is acyclic in every model here, every graph can be built event by
 * event, each read choosing among the writes that are there.  Of the orders in which one graph
 * can be built only the lexicographically least (by threads) is taken, so that each comes once.
 * Then all mo.  Then the axioms judge the whole graph.
 *
 * A graph is complete when all threads have ended.  It is a deadlock when each of the others
 * stands before an operation that cannot run in the last state of its object. */
#ifndef AX_ENUMERATE_H
#define AX_ENUMERATE_H

#include "model.h"

enum ax_ending { AX_COMPLETE, AX_DEADLOCK };

struct ax_enumeration {
    const struct ax_program *program;
    enum ax_model model;
    bool naive;    /* cut nothing before the graph is whole; only the axioms judge */
    uint64_t most; /* graphs after which it gives up; 0: no limit */
    uint64_t found;
    bool gave_up;  /* reached the limit */
    bool too_long; /* an execution has more than AX_EVENTS events */
    void (*visit)(void *context, const struct ax_graph *g, const struct ax_orders *o,
                  enum ax_ending ending);
    void *context;
};

void ax_enumerate(struct ax_enumeration *x);

/* Pairs of writes that mo must have in this order, whatever else it is: see enumerate.c.
 * Returns false when there can be none. */
bool ax_forced(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o,
               struct ax_rel *forced);

#endif
