/* Strategies for `heddle check --strategy ./mine.so`: a search order, a filter or a
 * checker in a shared object.  docs/plugins.md shows how one is written.
 *
 *   cc -shared -fPIC -o mine.so mine.c
 *
 * The object exports one function, heddle_strategy().  All functions of a strategy are called
 * in one process, one after the other; it is not the process of the tested program, so the
 * strategy may use the C library as it likes, and what it remembers is never taken back.
 *
 * A *step* is a visible operation that a thread has done; steps of the current execution have
 * numbers from 0.  What comes before the second thread exists is no step.  An *alternative* is
 * a thread that can move, and a number if its operation can turn out in several ways.  Pointers
 * that are handed out are valid until the function returns. */
#ifndef HEDDLE_STRATEGY_H
#define HEDDLE_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_STRATEGY_VERSION 3

/* What a strategy does, or'ed.  One that does anything else than HEDDLE_ORDERS, HEDDLE_RANKS
 * and HEDDLE_CHECKS is never `verified`, nor is one that says nothing. */
enum {
    HEDDLE_ORDERS = 1,  /* it says which alternative comes first */
    HEDDLE_PRUNES = 2,  /* it leaves out alternatives */
    HEDDLE_SAMPLES = 4, /* every execution begins at the root; it says what is taken */
    HEDDLE_RANKS = 8,   /* it says from which of all states that were met the search goes on */
    HEDDLE_CHECKS = 16, /* it objects to executions */
    /* With HEDDLE_CHECKS: whether it objects to an execution depends on the order of dependent
     * steps of different threads alone.  Then one execution is judged for all that differ in
     * the order of independent steps; otherwise all of them are explored. */
    HEDDLE_TRACES = 32,
};

enum { HEDDLE_NOTHING, HEDDLE_MEMORY, HEDDLE_SYNC, HEDDLE_THREAD };

/* What a thread is about to do, or has done.  Texts are "" and numbers 0 where they are not
 * known. */
struct heddle_action {
    uint32_t thread;
    uint32_t choice;       /* of a step: how it turned out */
    const char *operation; /* "read", "write", "lock", … as traces have it */
    uint32_t kind;         /* of its object: HEDDLE_MEMORY and the like */
    bool writes;           /* it changes the object */
    bool enabled;          /* it can be done now; of a step: true */
    uint64_t object;       /* an address, or the number of a thread */
    uint64_t object2;      /* the mutex of a wait, the source of a copy; 0: none */
    uint32_t size;         /* bytes of memory */
    uint32_t site;         /* a number for its place in the source */
    const char *file, *function, *variable;
    uint32_t line, column;
    /* Of memory: may code that other live threads can still run access it, by the analysis?
     * True where nothing is known. */
    bool shared;
};

struct heddle_alternative {
    uint32_t thread, choice;
};

/* The state of the exploration. */
struct heddle_view {
    uint64_t execution;      /* the number of the current one, from 1 */
    uint32_t depth;          /* its steps so far */
    uint32_t n_threads;      /* they have the numbers 0 … n_threads - 1; 0 is main */
    uint32_t last;           /* the thread of the last step */
    uint32_t n_alternatives; /* 0 where nothing is to be chosen */
    const struct heddle_alternative *alternatives;

    /* The next action of a thread.  False: the thread has not begun, or has ended. */
    bool (*next)(const struct heddle_view *view, uint32_t thread, struct heddle_action *action);
    /* A step of the current execution.  False: there is no such step. */
    bool (*step)(const struct heddle_view *view, uint32_t number, struct heddle_action *action);
    /* Does one step happen before another: are they steps of one thread, or do they touch one
     * object and one of them changes it, or is there a chain of such steps? */
    bool (*before)(const struct heddle_view *view, uint32_t first, uint32_t second);
    /* May the order of two actions of different threads matter? */
    bool (*dependent)(const struct heddle_view *view, const struct heddle_action *a,
                      const struct heddle_action *b);
    /* How many locks a thread has taken in the current execution and not given back. */
    uint32_t (*held)(const struct heddle_view *view, uint32_t thread);
    /* A random number below n; the same ones in every run.  0 if n is 0. */
    uint64_t (*random)(const struct heddle_view *view, uint64_t n);
    /* In `ended`: explore the thread's alternatives before that step of the execution, too,
     * which `prune` had left out.  False: there is nothing to open. */
    bool (*open)(const struct heddle_view *view, uint32_t number, uint32_t thread);
    /* The strategy cannot go on: heddle ends with this line and exit status 2. */
    void (*fail)(const struct heddle_view *view, const char *why);
};

enum {
    HEDDLE_ENDED,     /* the program came to its end */
    HEDDLE_VIOLATION, /* a violation ended it */
    HEDDLE_CUT,       /* it was pruned, or a bound cut it */
};

/* All functions but one of choose, score, rank and judge may be NULL.  They are called in this
 * order: `ran` for every new step; `prune` for every alternative; `choose`, or `score` for
 * every alternative that is left. */
struct heddle_strategy {
    uint32_t version; /* HEDDLE_STRATEGY_VERSION */
    uint32_t claims;  /* HEDDLE_ORDERS and the like */
    void *self;       /* what the functions get */
    /* The alternative that comes first, by its number: one that `prune` has kept.  The others
     * keep their order. */
    uint32_t (*choose)(void *self, const struct heddle_view *view);
    /* The same by numbers: the highest comes first. */
    double (*score)(void *self, const struct heddle_view *view, uint32_t alternative);
    /* HEDDLE_PRUNES: is the alternative left out?  If all are, the execution ends there. */
    bool (*prune)(void *self, const struct heddle_view *view, uint32_t alternative);
    /* The step has been done.  (view->depth may be larger: steps are told in groups.) */
    void (*ran)(void *self, const struct heddle_view *view, uint32_t number);
    /* Steps from that number on are no longer part of the execution. */
    void (*back)(void *self, const struct heddle_view *view, uint32_t number);
    /* An execution is over.  Not told of the violation that ends the search: HEDDLE_VIOLATION
     * comes with --keep-going alone. */
    void (*ended)(void *self, const struct heddle_view *view, uint32_t how);
    /* After `ended`: is the search to end? */
    bool (*stop)(void *self, const struct heddle_view *view);
    /* HEDDLE_RANKS alone, and then the only function: how promising is the state that the
     * execution has come to?  Every state is met once; the search goes on from the one with the
     * highest number (best first; ties are broken by the seed). */
    double (*rank)(void *self, const struct heddle_view *view);
    /* HEDDLE_CHECKS: an execution is complete.  Is it wrong after its first n steps?  Called
     * for n = 0, 1, …, view->depth, until it objects: a text that is not NULL is a
     * violation, and its place is the last of the n steps.  A violation of the program
     * itself is not judged. The same steps must always get the same answer: an objection is
     * confirmed in a process that knows no other execution.  view->next says nothing here. */
    const char *(*judge)(void *self, const struct heddle_view *view, uint32_t n);
};

struct heddle_start {
    uint32_t version;     /* of the heddle that asks */
    const char *path;     /* as the user gave it */
    const char *argument; /* what stands behind the colon in --strategy mine.so:ARGUMENT; "" */
    char error[256];      /* why there is no strategy, in a line */
};

/* Returns the strategy, or NULL with start->error. */
const struct heddle_strategy *heddle_strategy(struct heddle_start *start);

#ifdef __cplusplus
}
#endif

#endif
