/* A strategy from outside that leaves out one alternative in eight, at random. */
#include <heddle/strategy.h>

static bool prune(void *self, const struct heddle_view *view, uint32_t alternative)
{
    (void)self;
    return alternative > 0 && view->random(view, 8) == 0;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_PRUNES,
                                                     .prune = prune };
    (void)start;
    return &strategy;
}
