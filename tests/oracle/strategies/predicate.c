/* A checker for tests/oracle/checkers.py: CLAIM,PREDICATE,A,B, where CLAIM is `all` or `traces`.
 *
 *   order   B is written after A has been
 *   inside  B is written by another thread while one holds the mutex A
 *   turns   A writes in succession are of alternating threads
 *   last    the last write of A is thread B's
 *   apart   a write of A and a write of B, of different threads, that nothing orders */
#include <heddle/strategy.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

static char claim[16], predicate[16], a[40], b[40];
static bool written;
static int owner, writer, turns;

static bool names(const struct heddle_action *s, const char *variable)
{
    return strcmp(s->variable, variable) == 0;
}

static bool unordered(const struct heddle_view *v, uint32_t m, uint32_t n)
{
    struct heddle_action s, t;
    v->step(v, m, &s);
    v->step(v, n, &t);
    bool both = (names(&s, a) && names(&t, b)) || (names(&s, b) && names(&t, a));
    return both && s.writes && t.writes && s.thread != t.thread && !v->before(v, m, n);
}

static bool is_apart(const struct heddle_view *v, uint32_t n)
{
    for (uint32_t m = 0; m < n; m++)
        if (unordered(v, m, n))
            return true;
    return false;
}

static bool holds(const struct heddle_view *v, uint32_t n, const struct heddle_action *s)
{
    bool writes = s->writes && s->kind == HEDDLE_MEMORY;
    if (strcmp(predicate, "order") == 0) {
        bool is = written && writes && names(s, b);
        written = written || (writes && names(s, a));
        return is;
    }
    if (strcmp(predicate, "inside") == 0) {
        if (names(s, a) && strcmp(s->operation, "lock") == 0)
            owner = (int)s->thread;
        if (names(s, a) && strcmp(s->operation, "unlock") == 0)
            owner = NOBODY;
        return writes && names(s, b) && owner != NOBODY && owner != (int)s->thread;
    }
    if (strcmp(predicate, "turns") == 0) {
        if (writes) {
            turns = writer != NOBODY && writer != (int)s->thread ? turns + 1 : 1;
            writer = (int)s->thread;
        }
        return turns >= atoi(a);
    }
    if (strcmp(predicate, "apart") == 0)
        return is_apart(v, n - 1);
    if (writes && names(s, a))
        writer = (int)s->thread;
    return n == v->depth && writer == atoi(b);
}

static const char *judge(void *self, const struct heddle_view *v, uint32_t n)
{
    struct heddle_action s;
    (void)self;
    if (n == 0) {
        written = false;
        owner = writer = NOBODY;
        turns = 0;
        return NULL;
    }
    return v->step(v, n - 1, &s) && holds(v, n, &s) ? "it holds" : NULL;
}

const struct heddle_strategy *heddle_strategy(struct heddle_start *start)
{
    static struct heddle_strategy strategy = { .version = HEDDLE_STRATEGY_VERSION,
                                               .judge = judge };
    if (sscanf(start->argument, "%15[^,],%15[^,],%39[^,],%39[^,]", claim, predicate, a, b) != 4) {
        snprintf(start->error, sizeof start->error, "not CLAIM,PREDICATE,A,B");
        return NULL;
    }
    strategy.claims = HEDDLE_CHECKS | (strcmp(claim, "traces") == 0 ? HEDDLE_TRACES : 0);
    return &strategy;
}
