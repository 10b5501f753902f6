/* fr, eco, sw, hb and races of graphs that are written down by hand. */
#include "test.h"

#include <string.h>

/* Looks at the one complete graph of RC11 that ends as the program asks. */
struct look {
    uint32_t seen;
    struct ax_graph g;
    struct ax_orders o;
};

static void keep(void *context, const struct ax_graph *g, const struct ax_orders *o,
                 enum ax_ending ending)
{
    struct look *look = context;
    if (ending != AX_COMPLETE || !ax_final_exists(g))
        return;
    look->seen++;
    look->g = *g;
    look->o = *o;
}

static void find(struct look *look, const char *name, const char *text)
{
    static struct ax_program p;
    ax_must_parse(&p, name, text);
    struct ax_enumeration x = { .program = &p, .model = AX_RC11, .visit = keep, .context = look };
    memset(look, 0, sizeof *look);
    ax_enumerate(&x);
    ax_expect(look->seen == 1, name, "%u graphs end so, instead of one", look->seen);
}

/* The event of that thread and index, both as in a graph's line. */
static uint32_t at(const struct look *look, uint32_t thread, uint32_t index)
{
    for (uint32_t i = 0; i < look->g.n; i++)
        if (look->g.e[i].thread == thread - 1 && look->g.e[i].index == index)
            return i;
    return AX_EVENTS - 1;
}

static void orders_of_coherence(void)
{
    struct look l;
    find(&l, "a graph with two writes",
         "loc x\nthread\nstore x 1 relaxed\nthread\nstore x 2 relaxed\nr0 = load x relaxed\n"
         "thread\nr0 = load x relaxed\nexists 2:r0=2 3:r0=0 x=1\n");
    uint32_t w1 = at(&l, 1, 0), w2 = at(&l, 2, 0), r2 = at(&l, 2, 1), r3 = at(&l, 3, 0);
    ax_expect(ax_has(&l.o.mo, 0, w2) && ax_has(&l.o.mo, w2, w1) && !ax_has(&l.o.mo, w1, w2), "mo",
              "not initial, 2, 1");
    ax_expect(ax_has(&l.o.fr, r2, w1) && !ax_has(&l.o.fr, r2, w2) && ax_has(&l.o.fr, r3, w2) &&
                  ax_has(&l.o.fr, r3, w1),
              "fr", "a read is before all writes behind the one it reads, and no other");
    ax_expect(ax_has(&l.o.eco, r3, r2) && !ax_has(&l.o.eco, r2, r3), "eco", "r3 fr 2 rf r2");
    ax_expect(ax_has(&l.o.hb, w2, r2) && !ax_has(&l.o.hb, w1, r2) && !ax_has(&l.o.hb, w2, r3) &&
                  ax_has(&l.o.hb, 0, r3),
              "hb without synchronisation", "more or less than po");
}

static void orders_of_sequences(void)
{
    struct look l;
    find(&l, "a graph with a release sequence",
         "loc x f\nthread\nstore x 1 plain\nfence release\nstore f 1 relaxed\n"
         "thread\nr0 = add f 1 relaxed\n"
         "thread\nr0 = load f relaxed\nfence acquire\nr1 = load x plain\n"
         "exists 2:r0=1 3:r0=2 3:r1=1\n");
    uint32_t w = at(&l, 1, 0), rel = at(&l, 1, 1), f = at(&l, 1, 2), add = at(&l, 2, 0);
    uint32_t load = at(&l, 3, 0), acq = at(&l, 3, 1), r = at(&l, 3, 2);
    ax_expect(ax_has(&l.o.sw, rel, acq) && !ax_has(&l.o.sw, f, load) &&
                  !ax_has(&l.o.sw, f, acq) && !ax_has(&l.o.sw, rel, add),
              "sw of fences", "from the release fence to the acquire fence, and nothing else");
    ax_expect(ax_has(&l.o.hb, w, r) && !ax_has(&l.o.hb, w, load) && !ax_has(&l.o.hb, w, add),
              "hb of fences", "only what stands outside both");
    ax_expect(!ax_races(&l.g, &l.o, w, r) && !ax_races(&l.g, &l.o, f, add), "no race",
              "of ordered accesses, or of atomic ones");
    find(&l, "a graph without a release",
         "loc x f\nthread\nstore x 1 plain\nstore f 1 relaxed\n"
         "thread\nr0 = load f acquire\nr1 = load x plain\nexists 2:r0=1 2:r1=0\n");
    w = at(&l, 1, 0), r = at(&l, 2, 1);
    ax_expect(ax_races(&l.g, &l.o, w, r) && ax_races(&l.g, &l.o, r, w), "a race",
              "of a plain store and a plain load without order");
}

/* The line of a graph, and of what it ends with. */
static void lines(void)
{
    static struct ax_program p;
    struct ax_verdict v = { .wants_lines = true };
    ax_must_parse(&p, "lines",
                  "loc x y=4\nmutex m\nthread\nlock m\nr1 = add x 2 relaxed\nunlock m\n"
                  "fence acquire\nr0 = cas y 1 2 relaxed relaxed\n");
    ax_judge(&p, AX_RC11, &v);
    ax_expect(ax_lines_has(&v.lines,
                           "1: U(m)=1<init U(x)=2<init U(m)=0<1.0 F(acquire) R(y)<init; "
                           "mo(x) 1.1; mo(m) 1.0 1.2"),
              "the line of a graph", "differs");
    ax_expect(ax_lines_has(&v.finals, "1:r0=4 1:r1=0 x=2 y=4"), "the line of an end", "differs");
    ax_verdict_release(&v);
}

void ax_test_graphs(void)
{
    orders_of_coherence();
    orders_of_sequences();
    lines();
}
