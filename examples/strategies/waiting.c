/* Best first: of all states that were met, the search goes on from the one in which most
 * threads wait (Groce and Visser, Model checking Java programs using structural heuristics,
 * ISSTA 2002: "most blocked").  Of equals, from the one that is nearest to the root, so that
 * the run which is found is short.
 *
 *   cc -shared -fPIC -o waiting.so waiting.c
 *   heddle check --strategy ./waiting.so program.c
 *
 * It ranks: deadlocks are found early, and nothing is proved. */
#include <heddle/strategy.h>

static double rank(void *self, const struct heddle_view *view)
{
    struct heddle_action action;
    double waiting = 0;
    (void)self;
    for (uint32_t thread = 0; thread < view->n_threads; thread++)
        waiting += view->next(view, thread, &action) && !action.enabled;
    return waiting - view->depth / 1000.0;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_RANKS,
                                                     .rank = rank };
    (void)start;
    return &strategy;
}
