/* A random search guided by coverage: a pair of places is covered when a step of one thread
 * follows one of another thread at the other.  A thread whose next step would cover a new
 * pair comes first, otherwise a random one.  The search ends when 50 executions in a row have
 * covered nothing new, or as many as the argument says.
 *
 *   cc -shared -fPIC -o coverage.so coverage.c
 *   heddle check --strategy ./coverage.so:50 program.c
 *
 * It samples: it finds bugs, and proves nothing. */
#include <heddle/strategy.h>
#include <stdlib.h>

#define PLACES 65536 /* pairs are kept by hash */

static struct coverage {
    uint8_t covered[PLACES];
    uint32_t in_vain, patience;
    bool new_pair;
} coverage;

static uint32_t pair(const struct heddle_action *a, const struct heddle_action *b)
{
    return (a->site * 2654435761u + b->site * 40503u) % PLACES;
}

static void ran(void *self, const struct heddle_view *view, uint32_t number)
{
    struct heddle_action before, action;
    (void)self;
    if (number == 0 || !view->step(view, number - 1, &before) ||
        !view->step(view, number, &action) || before.thread == action.thread)
        return;
    uint8_t *covered = &coverage.covered[pair(&before, &action)];
    coverage.new_pair |= !*covered;
    *covered = 1;
}

static uint32_t choose(void *self, const struct heddle_view *view)
{
    struct heddle_action last, next;
    uint32_t first = (uint32_t)view->random(view, view->n_alternatives);
    (void)self;
    if (view->depth == 0 || !view->step(view, view->depth - 1, &last))
        return first;
    for (uint32_t i = 0; i < view->n_alternatives; i++) {
        uint32_t k = (first + i) % view->n_alternatives;
        if (view->next(view, view->alternatives[k].thread, &next) && next.thread != last.thread &&
            !coverage.covered[pair(&last, &next)])
            return k;
    }
    return first;
}

static void ended(void *self, const struct heddle_view *view, uint32_t how)
{
    (void)self;
    (void)view;
    (void)how;
    coverage.in_vain = coverage.new_pair ? 0 : coverage.in_vain + 1;
    coverage.new_pair = false;
}

static bool stop(void *self, const struct heddle_view *view)
{
    (void)self;
    (void)view;
    return coverage.in_vain >= coverage.patience;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_SAMPLES,
                                                     .choose = choose,
                                                     .ran = ran,
                                                     .ended = ended,
                                                     .stop = stop };
    long patience = strtol(start->argument, NULL, 10);
    coverage.patience = patience > 0 ? (uint32_t)patience : 50;
    return &strategy;
}
