/* oracle-selftest: the interpreter against sums done by hand, and against the definition of a trace
 * (swaps of independent neighbours) on generated programs. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

/* Hand-made programs: main and one or two children, each a list of statements. */
static struct orc_stmt *put(struct orc_program *p, uint32_t thread, enum orc_stmt_kind kind)
{
    uint16_t i = (uint16_t)p->n_stmts++;
    struct orc_stmt *s = &p->stmts[i];
    s->kind = (uint8_t)kind;
    s->body = s->other = s->next = ORC_NONE;
    uint16_t *at = &p->body[thread];
    while (*at != ORC_NONE)
        at = &p->stmts[*at].next;
    *at = i;
    return s;
}

static struct orc_stmt *put_object(struct orc_program *p, uint32_t thread,
                                   enum orc_stmt_kind kind, uint8_t object)
{
    struct orc_stmt *s = put(p, thread, kind);
    s->object = object;
    return s;
}

static void put_write(struct orc_program *p, uint32_t thread, struct orc_ref ref, uint32_t k)
{
    struct orc_stmt *s = put(p, thread, ORC_WRITE);
    s->ref = ref;
    s->expr = (struct orc_expr){ .kind = ORC_CONST, .k = k };
}

static void begin(struct orc_program *p, uint32_t n_threads)
{
    memset(p, 0, sizeof *p);
    memset(p->body, 0xff, sizeof p->body);
    p->n_threads = n_threads;
    p->n_vars = 2;
    p->vars[0] = ORC_MIX;
    p->vars[1] = ORC_ATOMIC_INT;
    p->n_mutexes = 2;
    p->n_conds = 1;
    p->joins_all = true;
    for (uint8_t t = 1; t < n_threads; t++)
        put_object(p, 0, ORC_CREATE, t);
}

static void join_all(struct orc_program *p)
{
    for (uint8_t t = 1; t < p->n_threads; t++)
        put_object(p, 0, ORC_JOIN, t);
}

struct sums {
    uint64_t interleavings, traces, finals, deadlocks;
};

static int failures;

static void expect(const char *name, const struct orc_program *p, struct sums e)
{
    static struct orc_lowered m;
    static struct orc_result r;
    orc_lower(p, &m);
    orc_brute(&m, 100000, &r);
    bool ok = r.interleavings == e.interleavings && r.traces == e.traces &&
              r.n_finals == e.finals && r.deadlocks == e.deadlocks;
    printf("%s %s", ok ? "ok" : "not ok", name);
    if (!ok)
        printf(": %llu interleavings, %llu traces, %llu final states, %llu deadlocks",
               (unsigned long long)r.interleavings, (unsigned long long)r.traces,
               (unsigned long long)r.n_finals, (unsigned long long)r.deadlocks);
    putchar('\n');
    failures += !ok;
}

/* main: yield, yield, read-tid; child: start, yield, exit: 6! / (3! 3!) = 20 */
static void test_yields(struct orc_program *p)
{
    begin(p, 2);
    put(p, 0, ORC_YIELD);
    put(p, 0, ORC_YIELD);
    put(p, 1, ORC_YIELD);
    join_all(p);
    expect("yields", p, (struct sums){ 20, 1, 1, 0 });
}

/* main: write, read-tid; child: start, write, exit: 5! / (2! 3!) = 10 */
static void test_overlap(struct orc_program *p)
{
    static const struct orc_ref mid = { 0, 3, 2 }, byte = { 0, 3, 1 }, half = { 0, 4, 2 },
                                word = { 0, 0, 4 }, after = { 0, 5, 1 };
    const struct {
        const char *name;
        struct orc_ref a, b;
        uint64_t traces, finals;
    } cases[] = {
        { "one byte inside two", mid, byte, 2, 2 },
        { "half over half", mid, half, 2, 2 },
        { "word over its neighbour's edge", word, mid, 2, 2 },
        { "byte behind", mid, after, 1, 1 },
        { "word beside word", word, half, 1, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(p, 2);
        put_write(p, 0, cases[i].a, 0x01020304);
        put_write(p, 1, cases[i].b, 0x05060708);
        join_all(p);
        expect(cases[i].name, p, (struct sums){ 10, cases[i].traces, cases[i].finals, 0 });
    }
}

/* Two failed compare-exchanges commute, a failed and a successful one do not. */
static void test_cas(struct orc_program *p)
{
    for (int succeeds = 0; succeeds < 2; succeeds++) {
        begin(p, 2);
        for (uint32_t t = 0; t < 2; t++) {
            struct orc_stmt *s = put(p, t, ORC_ATOMIC_CAS);
            s->ref = (struct orc_ref){ 1, 0, 4 };
            s->expr = (struct orc_expr){ .kind = ORC_CONST, .k = t == 1 && succeeds ? 0 : 7 };
            s->k = 7;
        }
        join_all(p);
        /* main sees whether its own succeeded: when the child's came first */
        expect(succeeds ? "cas that succeeds" : "cas that fails", p,
               (struct sums){ 10, succeeds ? 2 : 1, succeeds ? 2 : 1, 0 });
    }
}

/* Two mutexes in opposite order: whoever is first on both, or each holds one: 3 traces. */
static void test_abba(struct orc_program *p)
{
    static struct orc_lowered m;
    static struct orc_result r;
    begin(p, 2);
    for (uint8_t t = 0; t < 2; t++) {
        put_object(p, t, ORC_LOCK, t);
        put_object(p, t, ORC_LOCK, 1 - t);
        put_object(p, t, ORC_UNLOCK, 1 - t);
        put_object(p, t, ORC_UNLOCK, t);
    }
    join_all(p);
    orc_lower(p, &m);
    orc_brute(&m, 100000, &r);
    bool ok = r.traces == 3 && r.deadlocks == 1 && r.n_finals == 1;
    printf("%s abba\n", ok ? "ok" : "not ok");
    failures += !ok;
}

/* Nobody is joined.  main: create, observe-write, end; child: start, exit.  The end cuts the child
 * off: it has done 0, 1 or 2 steps, and its last one came before the write or after it:
 * 1 + 2 + 3 interleavings, 3 traces. */
static void test_cut(struct orc_program *p)
{
    begin(p, 2);
    p->joins_all = false;
    expect("cut off by the end", p, (struct sums){ 6, 3, 1, 0 });
}

/* A child waits; main signals without the lock.  Child: start, lock, wait, relock, unlock, exit;
 * main: signal, read-tid, join.  The signal comes before the wait (then the child is stuck) or
 * after it. */
static void test_signal(struct orc_program *p)
{
    begin(p, 2);
    put_object(p, 0, ORC_SIGNAL, 0);
    put_object(p, 1, ORC_LOCK, 0);
    put_object(p, 1, ORC_WAIT, 0);
    put_object(p, 1, ORC_UNLOCK, 0);
    join_all(p);
    /* lost: signal among start, lock, wait but before wait: 3 places; read-tid after the signal
     * anywhere up to the end: signal first: 4, second: 3, third: 2 = 9.
     * heard: start lock wait signal, then read-tid among relock, unlock, exit: 4. */
    expect("signal", p, (struct sums){ 13, 2, 1, 1 });
}

/* Two waiters, both queued before a signal: it chooses.  Only that both are found is asked. */
static void test_choice(struct orc_program *p)
{
    static struct orc_lowered m;
    static struct orc_state s;
    begin(p, 3);
    put_object(p, 0, ORC_SIGNAL, 0);
    for (uint32_t t = 1; t < 3; t++) {
        put_object(p, t, ORC_LOCK, 0);
        put_object(p, t, ORC_WAIT, 0);
    }
    orc_lower(p, &m);
    orc_state_init(&m, &s);
    static const uint8_t order[] = { 0, 0, 0, 1, 2, 1, 1, 2, 2 };
    struct orc_event e;
    uint16_t stmt;
    bool ok = true;
    for (size_t i = 0; i < sizeof order; i++)
        ok = ok && orc_state_choices(&m, &s, order[i]) == 1 &&
             orc_state_step(&m, &s, order[i], 0, &e, &stmt) == ORC_GOES_ON;
    ok = ok && orc_state_choices(&m, &s, 0) == 2 && orc_state_choices(&m, &s, 1) == 0;
    for (uint32_t choice = 0; choice < 2; choice++) {
        struct orc_state next = s;
        orc_state_step(&m, &next, 0, choice, &e, &stmt);
        ok = ok && e.waker == choice + 1 && orc_state_choices(&m, &next, choice + 1) == 1 &&
             orc_state_choices(&m, &next, 2 - choice) == 0;
    }
    printf("%s choice of a waiter\n", ok ? "ok" : "not ok");
    failures += !ok;
}

static void test_swaps(struct orc_program *p, uint64_t n)
{
    static struct orc_lowered m;
    static struct orc_result r;
    struct orc_limits limits = { .most = 2000 };
    uint64_t tested = 0, wrong = 0;
    for (uint64_t seed = 0; seed < n; seed++) {
        orc_generate(seed, &limits, p, &m, &r);
        if (r.interleavings > 2000)
            continue;
        uint64_t classes = orc_swap_classes(&m, 2000);
        tested++;
        if (classes == r.traces)
            continue;
        wrong++;
        printf("# seed %llu: %llu traces, %llu classes\n", (unsigned long long)seed,
               (unsigned long long)r.traces, (unsigned long long)classes);
    }
    printf("%s traces are classes of swaps (%llu programs)\n", wrong || !tested ? "not ok" : "ok",
           (unsigned long long)tested);
    failures += wrong || !tested;
}

int main(int argc, char **argv)
{
    struct orc_program *p = calloc(1, sizeof *p);
    if (!p)
        return 2;
    test_yields(p);
    test_overlap(p);
    test_cas(p);
    test_abba(p);
    test_cut(p);
    test_signal(p);
    test_choice(p);
    test_swaps(p, argc > 1 ? strtoull(argv[1], NULL, 10) : 300);
    free(p);
    return failures > 0;
}
