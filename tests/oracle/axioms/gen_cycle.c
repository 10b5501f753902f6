/* Random programs around a cycle.  Random accesses seldom meet the conditions of the seq_cst
 * axiom; a cycle of program order and of rf, fr and mo between threads does (Alglave, Maranget,
 * Sarkar, Sewell: Fences in weak memory models, 2010, and their generator diy).
 *
 * Thread i enters by an access of the place of the link before it and leaves by one of the
 * place of its own link.  A link is rf (a write, then a read), fr (a read, then a write) or mo
 * (two writes). */
#include "gen.h"

#include "../rng.h"

#include <stdbool.h>

#define MOST_LINKS 8

struct cycle {
    struct orc_rng rng;
    FILE *out;
    uint32_t features, n, reg;
    uint32_t sc_access, sc_fence,
        fences;                 /* in percent: seq_cst of accesses, of fences; a fence */
    uint32_t place[MOST_LINKS]; /* of the link behind thread i */
    char leaves[MOST_LINKS], enters[MOST_LINKS]; /* R or W: the end of link i, its other end */
    bool one[MOST_LINKS]; /* the thread enters and leaves by the same access */
    uint32_t places;
};

static bool percent(struct cycle *c, uint32_t p) { return orc_rng_percent(&c->rng, p); }

static const char *order(struct cycle *c, char kind)
{
    if (percent(c, c->sc_access))
        return "seq_cst";
    return percent(c, 40) ? "relaxed" : kind == 'R' ? "acquire" : "release";
}

static void access(struct cycle *c, uint32_t thread, uint32_t place, char kind)
{
    static const char *const orders[] = { "relaxed", "acquire", "release", "acq_rel" };
    if (kind == 'R') {
        fprintf(c->out, "    r%u = load x%u %s\n", c->reg++, place, order(c, kind));
    } else if ((c->features & AX_HAS_RMW) && percent(c, 20)) {
        bool sc = percent(c, c->sc_access);
        fprintf(c->out, "    r%u = %s x%u %u %s\n", c->reg++, percent(c, 50) ? "xchg" : "add",
                place, thread + 1, sc ? "seq_cst" : orders[orc_rng_below(&c->rng, 4)]);
    } else {
        fprintf(c->out, "    store x%u %u %s\n", place, thread + 1, order(c, kind));
    }
}

static void fence(struct cycle *c)
{
    static const char *const orders[] = { "acquire", "release", "acq_rel" };
    bool sc = percent(c, c->sc_fence);
    if (percent(c, c->fences))
        fprintf(c->out, "    fence %s\n", sc ? "seq_cst" : orders[orc_rng_below(&c->rng, 3)]);
}

/* The kinds of the links first; then the places: the same where a thread has one access, mostly
 * a new one otherwise. */
static void plan(struct cycle *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t kind = orc_rng_below(&c->rng, 5); /* 0, 1: rf; 2, 3: fr; 4: mo */
        c->leaves[i] = kind / 2 == 1 ? 'R' : 'W';
        c->enters[i] = kind / 2 == 0 ? 'R' : 'W';
    }
    c->places = 1;
    for (uint32_t i = 1; i < c->n; i++) {
        c->one[i] = c->enters[i - 1] == c->leaves[i] && percent(c, 50);
        c->place[i] = c->one[i]        ? c->place[i - 1]
                      : percent(c, 10) ? orc_rng_below(&c->rng, c->places)
                                       : c->places++;
    }
}

/* A style: all about seq_cst accesses, all about seq_cst fences, or a mixture. */
static void style(struct cycle *c)
{
    static const uint32_t styles[][3] = { { 90, 50, 10 }, { 10, 90, 85 }, { 50, 60, 45 } };
    const uint32_t *s = styles[orc_rng_below(&c->rng, 3)];
    bool sc = c->features & AX_HAS_SEQ_CST;
    c->sc_access = sc ? s[0] : 0;
    c->sc_fence = sc ? s[1] : 0;
    c->fences = c->features & AX_HAS_FENCE ? s[2] : 0;
}

void ax_generate_cycle(const struct ax_gen *how, FILE *out)
{
    struct cycle c = { .out = out, .features = how->features };
    orc_rng_seed(&c.rng, how->seed ^ 0x5eed);
    uint32_t most = how->threads + 1 < MOST_LINKS ? how->threads + 1 : MOST_LINKS;
    c.n = 2 + orc_rng_below(&c.rng, most - 1);
    style(&c);
    plan(&c);
    fprintf(out, "# seed %llu, a cycle\nloc", (unsigned long long)how->seed);
    for (uint32_t i = 0; i < c.places; i++)
        fprintf(out, " x%u", i);
    fprintf(out, "\n");
    for (uint32_t i = 0; i < c.n; i++) {
        uint32_t before = i ? i - 1 : c.n - 1;
        c.reg = 0;
        fprintf(out, "thread\n");
        access(&c, i, c.place[before], c.enters[before]);
        if (c.one[i])
            continue;
        fence(&c);
        if (percent(&c, 15)) {
            access(&c, i, orc_rng_below(&c.rng, c.places), percent(&c, 50) ? 'R' : 'W');
            fence(&c);
        }
        access(&c, i, c.place[i], c.leaves[i]);
    }
}
