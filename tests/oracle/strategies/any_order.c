/* A strategy from outside that orders at random; the argument is its seed. */
#include <heddle/strategy.h>

static uint32_t choose(void *self, const struct heddle_view *view)
{
    (void)self;
    return (uint32_t)view->random(view, view->n_alternatives);
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_ORDERS,
                                                     .choose = choose };
    (void)start;
    return &strategy;
}
