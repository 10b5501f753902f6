/* A checker: --strategy ./in_order.so:A,B objects when variable B is written before variable A.
 * These steps may be independent, so all of their orders have to be seen: no HEDDLE_TRACES. */
#include <heddle/strategy.h>
#include <stdio.h>
#include <string.h>

static char first[100], second[100];
static bool written; /* the first variable is, in the execution that is judged */

static const char *judge(void *self, const struct heddle_view *view, uint32_t n)
{
    static char text[250];
    struct heddle_action action;
    (void)self;
    if (n == 0) /* another execution */
        written = false;
    if (n == 0 || !view->step(view, n - 1, &action) || !action.writes)
        return NULL;
    if (strcmp(action.variable, first) == 0)
        written = true;
    if (written || strcmp(action.variable, second) != 0)
        return NULL;
    snprintf(text, sizeof text, "%s is written before %s", second, first);
    return text;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_CHECKS,
                                                     .judge = judge };
    if (sscanf(start->argument, "%99[^,],%99s", first, second) == 2)
        return &strategy;
    snprintf(start->error, sizeof start->error,
             "in_order.so needs two variables: --strategy ./in_order.so:A,B");
    return NULL;
}
