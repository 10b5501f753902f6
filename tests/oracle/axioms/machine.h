/* Machines that run a program step by step: a second opinion on the axioms.
 *
 *   ax_machine_sc     threads take turns on one memory
 *   ax_machine_tso    each thread has a buffer of stores before the memory (Owens, Sarkar,
 *                     Sewell: A better x86 memory model: x86-TSO, 2009)
 *   ax_machine_views  memory is all writes in their order; a thread has views that say how new
 *                     the writes are that it must read (Kang, Hur, Lahav, Vafeiadis, Dreyer: A
 *                     promising semantics for relaxed-memory concurrency, 2017, without
 *                     promises).  It is RC11 without seq_cst: a program that has it is not for
 *                     this machine.
 *
 * Each collects the lines of the complete graphs that its runs make, and of its deadlocks.
 * They share with the enumerator what an instruction does (effect.h) and how a graph is written
 * down. */
#ifndef AX_MACHINE_H
#define AX_MACHINE_H

#include "graph.h"
#include "lines.h"

struct ax_runs {
    struct ax_lines graphs, deadlocks;
    uint64_t steps, most; /* most: steps after which it gives up */
};

/* All return false when they gave up. */
bool ax_machine_sc(const struct ax_program *p, struct ax_runs *runs);
bool ax_machine_tso(const struct ax_program *p, struct ax_runs *runs);
bool ax_machine_views(const struct ax_program *p, struct ax_runs *runs);

/* Adds the graph's line: to the complete ones, or to the deadlocks. */
void ax_runs_add(struct ax_runs *runs, const struct ax_graph *g, bool complete);
void ax_runs_release(struct ax_runs *runs);

#endif
