/* PCT (Burckhardt, Kothari, Musuvathi & Nagarakatte, ASPLOS 2010) as a strategy: every thread
 * has a random priority, the enabled thread with the highest runs, and at D - 1 random steps
 * the priority of the thread that has just run falls below all others.
 *
 *   cc -shared -fPIC -o pct.so pct.c
 *   heddle check --strategy ./pct.so:3 --executions 1000 program.c
 *
 * It samples: it finds bugs, and proves nothing. */
#include <heddle/strategy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 256
#define MOST_CHANGES 64

static struct pct {
    uint64_t priority[MOST_THREADS]; /* 0: not drawn yet */
    uint32_t changes[MOST_CHANGES];  /* steps at which a priority falls */
    uint32_t n_changes, longest;
    uint64_t lowest, execution;
} pct;

/* A new execution begins: draw everything anew. */
static void begin(const struct heddle_view *view)
{
    memset(pct.priority, 0, sizeof pct.priority);
    pct.execution = view->execution;
    pct.lowest = MOST_CHANGES + 1;
    for (uint32_t i = 0; i < pct.n_changes; i++)
        pct.changes[i] = 1 + (uint32_t)view->random(view, pct.longest);
}

static uint64_t priority(const struct heddle_view *view, uint32_t thread)
{
    uint64_t *mine = &pct.priority[thread % MOST_THREADS];
    if (*mine == 0)
        *mine = MOST_CHANGES + 2 + view->random(view, UINT32_MAX);
    return *mine;
}

/* Steps at which there is nothing to choose are not asked about, but they are told. */
static void ran(void *self, const struct heddle_view *view, uint32_t number)
{
    struct heddle_action action;
    (void)self;
    if (view->execution != pct.execution)
        begin(view);
    for (uint32_t i = 0; i < pct.n_changes; i++)
        if (pct.changes[i] == number + 1 && view->step(view, number, &action))
            pct.priority[action.thread % MOST_THREADS] = --pct.lowest;
}

static uint32_t choose(void *self, const struct heddle_view *view)
{
    uint32_t best = 0;
    (void)self;
    if (view->execution != pct.execution)
        begin(view);
    for (uint32_t i = 1; i < view->n_alternatives; i++)
        if (priority(view, view->alternatives[i].thread) >
            priority(view, view->alternatives[best].thread))
            best = i;
    return best;
}

static void ended(void *self, const struct heddle_view *view, uint32_t how)
{
    (void)self;
    (void)how;
    if (view->depth > pct.longest)
        pct.longest = view->depth;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_SAMPLES,
                                                     .choose = choose,
                                                     .ran = ran,
                                                     .ended = ended };
    long depth = *start->argument ? strtol(start->argument, NULL, 10) : 3;
    if (depth < 1 || depth > MOST_CHANGES) {
        snprintf(start->error, sizeof start->error, "pct.so:D: D is 1 to %d", MOST_CHANGES);
        return NULL;
    }
    pct.n_changes = (uint32_t)depth - 1;
    pct.longest = 100; /* until an execution has shown it */
    return &strategy;
}
