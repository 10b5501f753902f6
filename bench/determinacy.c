/* How many places access memory through something determinate (Parízek, FMCAD 2016, section I):
 * a strategy for `heddle check --strategy ./determinacy.so:FILE`, which orders nothing and notes,
 * for every place in the source and every thread that comes there, whether the address is always
 * the same.  FILE gets one line: the pairs of a place and a thread, and those of them that are
 * determinate. */
#include <heddle/strategy.h>

#include <stdio.h>

#define MOST 65536u

struct pair {
    uint32_t site, thread;
    uint64_t object;
    bool used, several;
};

static struct pair pairs[MOST];
static uint32_t n_pairs, n_determinate;
static bool changed;
static char path[4096];

static void ran(void *self, const struct heddle_view *view, uint32_t number)
{
    struct heddle_action a;
    (void)self;
    if (!view->step(view, number, &a) || a.kind != HEDDLE_MEMORY)
        return;
    uint32_t i = (a.site * 31 + a.thread) % MOST;
    while (pairs[i].used && (pairs[i].site != a.site || pairs[i].thread != a.thread))
        i = (i + 1) % MOST;
    if (!pairs[i].used) {
        if (n_pairs == MOST / 2) {
            view->fail(view, "too many places");
            return;
        }
        pairs[i] = (struct pair){ a.site, a.thread, a.object, true, false };
        n_pairs++;
        n_determinate++;
        changed = true;
    } else if (!pairs[i].several && pairs[i].object != a.object) {
        pairs[i].several = true;
        n_determinate--;
        changed = true;
    }
}

static void ended(void *self, const struct heddle_view *view, uint32_t how)
{
    (void)self, (void)how;
    if (!changed)
        return;
    FILE *f = fopen(path, "w");
    if (!f || fprintf(f, "%u %u\n", n_pairs, n_determinate) < 0 || fclose(f) != 0)
        view->fail(view, "the file of determinacy cannot be written");
    changed = false;
}

static uint32_t choose(void *self, const struct heddle_view *view)
{
    (void)self, (void)view;
    return 0;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static const struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                                     .claims = HEDDLE_ORDERS,
                                                     .choose = choose,
                                                     .ran = ran,
                                                     .ended = ended };
    if (snprintf(path, sizeof path, "%s", start->argument) >= (int)sizeof path || !path[0]) {
        snprintf(start->error, sizeof start->error,
                 "determinacy needs a file: determinacy.so:FILE");
        return NULL;
    }
    return &strategy;
}
