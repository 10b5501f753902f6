/* A heuristic: threads that hold locks come first, and of these the one that is about to take
 * another.  Deadlocks and long critical sections are reached early.
 *
 *   cc -shared -fPIC -o lock_holders.so lock_holders.c
 *   heddle check --strategy ./lock_holders.so program.c
 *
 * It only orders: the search is complete, and the verdict can be `verified`. */
#include <heddle/strategy.h>
#include <string.h>

static double score(void *self, const struct heddle_view *view, uint32_t alternative)
{
    struct heddle_action action;
    uint32_t thread = view->alternatives[alternative].thread;
    double held = view->held(view, thread);
    (void)self;
    if (view->next(view, thread, &action) && strcmp(action.operation, "lock") == 0)
        held += 0.5;
    return held;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_ORDERS,
                                                     .score = score };
    (void)start;
    return &strategy;
}
