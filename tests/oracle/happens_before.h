/* Happens-before by its definition, over the events of one execution: the transitive closure of
 * the order of a thread's own events and of synchronises-with.
 *
 *   synchronises with          what
 *   creation of a thread    →  its start
 *   end of a thread         →  the join of it
 *   unlock, condition wait  →  every later lock of that mutex, also after a condition wait
 *   unlock by a writer      →  every later lock of that read-write lock
 *   unlock by a reader      →  every later lock of it by a writer
 *   post                    →  every later wait that got that semaphore
 *   arrival at a barrier    →  the departures of that round; the last arrival is one
 *   everything              →  an atomic section, which stands for code that the program protects
 *                              in a way that is not shown; and that with all that is after it
 *   release A of M          →  an acquire B of M that reads from a store in the release sequence
 *                              of A: A itself, and read-modify-writes each of which reads from the
 *                              one before (C++20)
 *   release fence           →  as a release would: the atomic stores of its thread after it
 *   acquire fence           →  as an acquire would: the atomic loads of its thread before it
 *
 * An execution is an interleaving: a load reads from the last store before it, and "later" is later
 * in the interleaving.  A failed attempt, a signal and the passing of time synchronise with nothing.
 *
 * A data race is a pair of accesses of one byte by two threads, of which one writes, one is not
 * atomic, and neither happens before the other.
 *
 * The relation is kept as it is defined, a set of earlier events for every event: nothing is shared
 * with how heddle decides the same question. */
#ifndef ORC_HAPPENS_BEFORE_H
#define ORC_HAPPENS_BEFORE_H

#include "machine.h"
#include "race.h"

#define ORC_HB_EVENTS 1024 /* steps and fences of one execution */

struct orc_hb_event {
    bool all;           /* an atomic section, or part of one */
    uint8_t thread, op; /* op: ORC_L_FENCE, or the operation of a step */
    uint8_t order; /* enum orc_order, of a fence or of what an atomic access turned out to be */
    bool atomic, takes;         /* takes: the attempt succeeded */
    uint8_t object, mutex;      /* mutex: what it locks or unlocks; ORC_NOBODY: none */
    uint8_t n_accesses;         /* of memory */
    struct orc_touch access[2]; /* bytes */
    bool last;                  /* of an arrival: it ends the round */
    uint16_t stmt;
    uint32_t from; /* the event whose store it reads; ORC_HB_EVENTS: none */
    uint64_t before[ORC_HB_EVENTS / 64];
};

struct orc_hb {
    uint32_t n;
    struct orc_hb_event events[ORC_HB_EVENTS];
};

/* The thread's step, which has just been made, from the instruction c.  The fences after it are
 * events of their own.  Races of the step with earlier ones are added to *races; returns whether
 * there are any. */
bool orc_hb_step(struct orc_hb *hb, const struct orc_code *c, const struct orc_event *e,
                 struct orc_races *races);

/* Only the first n events are left. */
static inline void orc_hb_cut(struct orc_hb *hb, uint32_t n) { hb->n = n; }

#endif
