/* The judge of heddle/lin_run.h against one that is written from the definition of
 * linearizability (Herlihy and Wing, 1990): a history is linearizable if its calls can be put into
 * an order that keeps what had returned before what was called later, and in which a sequential
 * object gives the same results.  If calls wait for ever, each of them must wait in the state after
 * those that returned.  The objects of the two share no code: the judge runs operations on global
 * variables, the test computes with a structure that it copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

#include <heddle.h>

/* An operation that waits for ever says so, and has changed nothing. */
static int would_wait;

static int waits_natively(void (*call)(void *), void *argument)
{
    would_wait = 0;
    call(argument);
    return would_wait;
}

#undef heddle_blocks
#define heddle_blocks(call, argument) waits_natively(call, argument)

int heddle_lin_main(int argc, char **argv);
#define main heddle_lin_main
#include <heddle/lin.h>
#undef main

/* ---- a queue of two, which may wait, a register and a stack of two, as operations ---- */

static long queue[2], stack[2], cell;
static int n_queue, n_stack;

HEDDLE_LIN_SETUP
{
    n_queue = n_stack = 0;
    cell = 0;
}

HEDDLE_LIN_OP(put, long v, HEDDLE_IN(1, 2))
{
    if (n_queue == 2)
        return 0;
    queue[n_queue++] = v;
    return 1;
}

HEDDLE_LIN_OP0(get)
{
    long v = n_queue ? queue[0] : -1;
    if (n_queue == 2)
        queue[0] = queue[1];
    n_queue -= n_queue > 0;
    return v;
}

HEDDLE_LIN_OP(push, long v, HEDDLE_IN(1, 2))
{
    if (n_stack == 2)
        return 0;
    stack[n_stack++] = v;
    return 1;
}

HEDDLE_LIN_OP0(pop) { return n_stack ? stack[--n_stack] : -1; }

HEDDLE_LIN_OP2(cas, long from, HEDDLE_IN(0, 1), long to, HEDDLE_IN(0, 1))
{
    if (cell != from)
        return 0;
    cell = to;
    return 1;
}

HEDDLE_LIN_OP0(look) { return cell; }

HEDDLE_LIN_OP(send, long v, HEDDLE_IN(1, 2))
{
    would_wait = n_queue == 2;
    return would_wait ? 0 : heddle_lin_do_put(v);
}

HEDDLE_LIN_OP0(receive)
{
    would_wait = n_queue == 0;
    return would_wait ? 0 : heddle_lin_do_get();
}

/* ---- the same objects by definition ---- */

struct object {
    int n;
    long values[2];
};

#define WAITS 99

static long apply(struct object *o, const char *op, const long *a)
{
    if (strcmp(op, "send") == 0)
        return o->n >= 2 ? WAITS : apply(o, "put", a);
    if (strcmp(op, "receive") == 0)
        return o->n == 0 ? WAITS : apply(o, "get", a);
    if (strcmp(op, "put") == 0 || strcmp(op, "push") == 0) {
        if (o->n >= 2)
            return 0;
        o->values[o->n] = a[0];
        o->n = o->n + 1;
        return 1;
    }
    if (strcmp(op, "get") == 0 || strcmp(op, "pop") == 0) {
        if (o->n == 0)
            return -1;
        long v = strcmp(op, "pop") == 0 ? o->values[o->n - 1] : o->values[0];
        if (strcmp(op, "get") == 0)
            o->values[0] = o->values[1];
        o->n = o->n - 1;
        return v;
    }
    if (strcmp(op, "look") == 0)
        return o->values[0];
    if (o->values[0] != a[0])
        return 0;
    o->values[0] = a[1];
    return 1;
}

/* ---- histories ---- */

#define MOST 12

struct event {
    const char *op;
    long arguments[2], result;
    int part;             /* as in a scenario */
    int called, returned; /* moments; NEVER */
};

#define NEVER 10000000

struct history {
    int n, n_threads;
    struct event events[MOST];
};

/* Do all calls that have not returned wait in this state? */
static int all_wait(const struct history *h, const struct object *o)
{
    for (int i = 0; i < h->n; i++) {
        struct object copy = *o;
        const struct event *e = &h->events[i];
        if (e->called != NEVER && e->returned == NEVER &&
            apply(&copy, e->op, e->arguments) != WAITS)
            return 0;
    }
    return 1;
}

/* Can the events that are not in `done` follow in some order? */
static int linearizable(const struct history *h, unsigned done, struct object o)
{
    int all = 1;
    for (int i = 0; i < h->n; i++)
        all = all && (done >> i & 1 || h->events[i].returned == NEVER);
    if (all)
        return all_wait(h, &o);
    for (int i = 0; i < h->n; i++) {
        int first = !(done >> i & 1) && h->events[i].returned != NEVER;
        for (int k = 0; k < h->n; k++)
            if (!(done >> k & 1) && h->events[k].returned < h->events[i].called)
                first = 0;
        struct object next = o;
        if (first &&
            apply(&next, h->events[i].op, h->events[i].arguments) == h->events[i].result &&
            linearizable(h, done | 1u << i, next))
            return 1;
    }
    return 0;
}

static void random_call(struct event *e, struct hd_rng *rng, unsigned family)
{
    static const char *const names[3][2] = { { "put", "get" },
                                             { "push", "pop" },
                                             { "cas", "look" } };
    e->op = names[family][hd_rng_below(rng, 3) == 0];
    for (int i = 0; i < 2; i++)
        e->arguments[i] = (long)hd_rng_below(rng, 2) + (family < 2);
}

static int is_alone(const struct history *h, int part)
{
    return part == 0 || part == h->n_threads + 1;
}

/* Moments: one part before, threads that overlap at random, one part after.  Events stand in the
 * order of their parts. */
static void random_times(struct history *h, struct hd_rng *rng)
{
    int now = 1000, before = 0, after = 1000000;
    int next[HEDDLE_LIN_THREADS + 2] = { 0 }, open[HEDDLE_LIN_THREADS + 2] = { 0 }, left = 0;
    for (int i = h->n; i-- > 0;)
        next[h->events[i].part] = i;
    for (int i = 0; i < h->n; i++) {
        struct event *e = &h->events[i];
        int *clock = e->part == 0 ? &before : &after;
        left += is_alone(h, e->part) ? 0 : 2;
        e->called = (*clock)++;
        e->returned = (*clock)++;
    }
    while (left > 0) {
        int p = 1 + (int)hd_rng_below(rng, (uint32_t)h->n_threads);
        struct event *e = &h->events[next[p]];
        if (next[p] == h->n || e->part != p)
            continue;
        if (open[p]) {
            e->returned = now++;
            next[p]++;
        } else {
            e->called = now++;
        }
        open[p] = !open[p];
        left--;
    }
}

/* Results of some order that keeps the times; then one of them may be changed, so that there are
 * histories of both kinds. */
static void random_results(struct history *h, struct hd_rng *rng)
{
    struct object o = { 0 };
    for (unsigned done = 0; done != (1u << h->n) - 1;) {
        int i = (int)hd_rng_below(rng, (uint32_t)h->n), first = !(done >> i & 1);
        for (int k = 0; k < h->n; k++)
            if (!(done >> k & 1) && h->events[k].returned < h->events[i].called)
                first = 0;
        if (!first)
            continue;
        h->events[i].result = apply(&o, h->events[i].op, h->events[i].arguments);
        done |= 1u << i;
    }
    if (hd_rng_below(rng, 3)) {
        static const long values[] = { -1, 0, 1, 2 };
        h->events[hd_rng_below(rng, (uint32_t)h->n)].result = values[hd_rng_below(rng, 4)];
    }
}

static void random_history(struct history *h, struct hd_rng *rng)
{
    unsigned family = hd_rng_below(rng, 3);
    *h = (struct history){ .n_threads = 2 + (int)hd_rng_below(rng, 2) };
    int most = h->n_threads == 2 ? 3 : 2;
    for (int p = 0; p < h->n_threads + 2; p++) {
        int n = is_alone(h, p) ? (int)hd_rng_below(rng, 3)
                               : 1 + (int)hd_rng_below(rng, (uint32_t)most);
        for (int i = 0; i < n; i++) {
            struct event *e = &h->events[h->n++];
            random_call(e, rng, family);
            e->part = p;
        }
    }
    random_times(h, rng);
    random_results(h, rng);
}

/* ---- random histories with calls that wait ---- */

struct thread {
    int next, open, applied;
};

/* Thread p makes a random step: calls, takes effect if it need not wait, or returns.  False: it
 * has ended or waits. */
static int step(struct history *h, int p, struct thread *t, struct object *o, int *now)
{
    struct event *e = &h->events[t->next];
    if (t->next == h->n || e->part != p)
        return 0;
    if (!t->open) {
        e->called = (*now)++;
        t->open = 1;
    } else if (!t->applied) {
        e->result = apply(o, e->op, e->arguments);
        t->applied = e->result != WAITS;
        return t->applied;
    } else {
        e->returned = (*now)++;
        t->open = t->applied = 0;
        t->next++;
    }
    return 1;
}

/* Parts in turn: the first, the threads, the last.  False: the first part waits. */
static int random_run(struct history *h, struct hd_rng *rng)
{
    struct object o = { 0 };
    struct thread threads[HEDDLE_LIN_THREADS + 2] = { { 0, 0, 0 } };
    int now = 0, stuck = 0;
    for (int i = h->n; i-- > 0;) {
        threads[h->events[i].part].next = i;
        h->events[i].called = h->events[i].returned = NEVER;
    }
    for (int phase = 0; phase < 3 && !stuck; phase++) {
        int from = phase == 0 ? 0 : phase == 1 ? 1 : h->n_threads + 1;
        int n = phase == 1 ? h->n_threads : 1;
        for (int idle = 0; idle < 40;) {
            int p = from + (int)hd_rng_below(rng, (uint32_t)n);
            idle = step(h, p, &threads[p], &o, &now) ? 0 : idle + 1;
        }
        for (int p = from; p < from + n; p++)
            stuck = stuck || threads[p].open;
        if (stuck && phase == 0)
            return 0;
    }
    return 1;
}

/* The last call of a thread that has returned waits, or a result is another one. */
static void damage(struct history *h, struct hd_rng *rng)
{
    int i = (int)hd_rng_below(rng, (uint32_t)h->n);
    struct event *e = &h->events[i];
    if (is_alone(h, e->part) || e->returned == NEVER)
        return;
    if (hd_rng_below(rng, 2)) {
        e->result = 1 + (long)hd_rng_below(rng, 2);
        return;
    }
    int last = i + 1 == h->n || h->events[i + 1].part != e->part;
    if (!last && h->events[i + 1].called != NEVER)
        return;
    e->returned = NEVER;
    for (int k = 0; k < h->n; k++) /* then the last part never begins */
        if (h->events[k].part == h->n_threads + 1)
            h->events[k].called = h->events[k].returned = NEVER;
}

static int random_waiting_history(struct history *h, struct hd_rng *rng)
{
    static const char *const names[] = { "send", "receive" };
    *h = (struct history){ .n_threads = 2 + (int)hd_rng_below(rng, 2) };
    for (int p = 0; p < h->n_threads + 2; p++) {
        int n = is_alone(h, p) ? (int)hd_rng_below(rng, 3) : 1 + (int)hd_rng_below(rng, 2);
        for (int i = 0; i < n; i++) {
            struct event *e = &h->events[h->n++];
            e->op = names[hd_rng_below(rng, 2)];
            e->arguments[0] = 1 + (long)hd_rng_below(rng, 2);
            e->part = p;
        }
    }
    if (!random_run(h, rng))
        return 0;
    for (uint32_t n = hd_rng_below(rng, 5); n; n--)
        damage(h, rng);
    return 1;
}

/* ---- the history as the program records it ---- */

static void write_scenario(const struct history *h, char *text, size_t room)
{
    size_t n = 0;
    for (int p = 0, i = 0; p < h->n_threads + 2; p++) {
        for (const char *comma = ""; i < h->n && h->events[i].part == p; i++, comma = ";") {
            const struct event *e = &h->events[i];
            n += (size_t)snprintf(text + n, room - n, "%s%s", comma, e->op);
            if (strcmp(e->op, "cas") == 0)
                n += (size_t)snprintf(text + n, room - n, "(%ld,%ld)", e->arguments[0],
                                      e->arguments[1]);
            else if (strcmp(e->op, "put") == 0 || strcmp(e->op, "push") == 0 ||
                     strcmp(e->op, "send") == 0)
                n += (size_t)snprintf(text + n, room - n, "(%ld)", e->arguments[0]);
        }
        if (p <= h->n_threads)
            n += (size_t)snprintf(text + n, room - n, "%s",
                                  is_alone(h, p) || p == h->n_threads ? "/" : "|");
    }
}

static void record(const struct history *h)
{
    int index[HEDDLE_LIN_THREADS + 2] = { 0 };
    memset(heddle_lin_records, 0, sizeof heddle_lin_records);
    for (int i = 0; i < h->n; i++) {
        const struct event *e = &h->events[i];
        struct heddle_lin_record *r = &heddle_lin_records[e->part];
        int k = index[e->part]++;
        if (e->called == NEVER)
            continue;
        r->n_begun++;
        r->n += e->returned != NEVER;
        memcpy(r->results.bytes[k], &e->result, sizeof e->result);
        for (int j = 0; j < h->n && !is_alone(h, e->part); j++)
            if (h->events[j].part != e->part && !is_alone(h, h->events[j].part) &&
                h->events[j].returned < e->called)
                r->before[k][h->events[j].part - 1]++;
    }
}

static int judged(const struct history *h)
{
    char text[512];
    struct heddle_lin_row row;
    memset(&row, 0, sizeof row);
    memset(&heddle_lin_scenario, 0, sizeof heddle_lin_scenario);
    write_scenario(h, text, sizeof text);
    heddle_lin_parse(text);
    heddle_lin_n_rows = 0;
    heddle_lin_orders(&row, 0);
    record(h);
    return heddle_lin_explained();
}

static void agrees_with_definition(void **state)
{
    struct hd_rng rng = { 1 };
    int n_yes = 0, n = 100000;
    (void)state;
    for (int i = 0; i < n; i++) {
        struct history h;
        random_history(&h, &rng);
        int expected = linearizable(&h, 0, (struct object){ 0 });
        n_yes += expected;
        if (judged(&h) != expected)
            fail_msg("history %d: the judge says %d", i, !expected);
    }
    assert_in_range(n_yes, n / 4, 3 * n / 4); /* both kinds are there */
    free(heddle_lin_rows);
    heddle_lin_rows = NULL;
    heddle_lin_room = 0;
}

static void agrees_if_calls_wait(void **state)
{
    struct hd_rng rng = { 2 };
    int n_yes = 0, n_waiting = 0, n = 0;
    (void)state;
    while (n < 100000) {
        struct history h;
        if (!random_waiting_history(&h, &rng))
            continue;
        int expected = linearizable(&h, 0, (struct object){ 0 }), waits = 0;
        for (int i = 0; i < h.n; i++)
            waits = waits || (h.events[i].called != NEVER && h.events[i].returned == NEVER);
        n++;
        n_yes += expected;
        n_waiting += waits;
        if (judged(&h) != expected)
            fail_msg("history %d: the judge says %d", n, !expected);
    }
    assert_in_range(n_yes, n / 4, 3 * n / 4);
    assert_in_range(n_waiting, n / 4, 9 * n / 10);
    free(heddle_lin_rows);
    heddle_lin_rows = NULL;
    heddle_lin_room = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(agrees_with_definition),
                                        cmocka_unit_test(agrees_if_calls_wait) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
