/* A checker: no thread may have a lock at the end.  How many locks a thread holds follows from
 * its own steps, so the order of independent steps does not matter: HEDDLE_TRACES. */
#include <heddle/strategy.h>
#include <stdio.h>

static const char *judge(void *self, const struct heddle_view *view, uint32_t n)
{
    static char text[80];
    (void)self;
    if (n < view->depth)
        return NULL;
    for (uint32_t t = 0; t < view->n_threads; t++)
        if (view->held(view, t)) {
            snprintf(text, sizeof text, "thread %u holds a lock at the end", t);
            return text;
        }
    return NULL;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_CHECKS | HEDDLE_TRACES,
                                                     .judge = judge };
    (void)start;
    return &strategy;
}
