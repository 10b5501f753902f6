/* The operations on relations, against their definitions written out pair by pair. */
#include "../rng.h"
#include "test.h"

static struct ax_rel random_rel(struct orc_rng *rng, uint32_t n, uint32_t percent)
{
    struct ax_rel r;
    ax_empty(&r);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            if (orc_rng_percent(rng, percent))
                ax_add(&r, a, b);
    return r;
}

static bool path(const struct ax_rel *r, uint32_t n, uint32_t a, uint32_t b, ax_set without)
{
    if (ax_has(r, a, b))
        return true;
    for (uint32_t k = 0; k < n; k++)
        if (ax_has(r, a, k) && !ax_in(without, k) && path(r, n, k, b, without | ax_bit(k)))
            return true;
    return false;
}

static bool composed(const struct ax_rel *a, const struct ax_rel *b, uint32_t n, uint32_t x,
                     uint32_t y)
{
    for (uint32_t k = 0; k < n; k++)
        if (ax_has(a, x, k) && ax_has(b, k, y))
            return true;
    return false;
}

/* One round: every pair of every operation. */
static bool agrees(struct orc_rng *rng, uint32_t n)
{
    struct ax_rel a = random_rel(rng, n, 25), b = random_rel(rng, n, 25), all = a, seq, back,
                  plus = a, cut = a, once = a;
    ax_set from = orc_rng_next(rng), into = orc_rng_next(rng);
    bool cyclic = false, good = true;
    ax_union(&all, &b, n);
    ax_compose(&seq, &a, &b, n);
    ax_inverse(&back, &a, n);
    ax_closure(&plus, n);
    ax_restrict(&cut, from, into, n);
    ax_reflexive(&once, n);
    for (uint32_t x = 0; x < n; x++) {
        cyclic = cyclic || path(&a, n, x, x, 0);
        for (uint32_t y = 0; y < n; y++) {
            bool in = ax_has(&a, x, y);
            good = good && ax_has(&all, x, y) == (in || ax_has(&b, x, y)) &&
                   ax_has(&back, y, x) == in && ax_has(&once, x, y) == (in || x == y) &&
                   ax_has(&cut, x, y) == (in && ax_in(from, x) && ax_in(into, y)) &&
                   ax_has(&seq, x, y) == composed(&a, &b, n, x, y) &&
                   ax_has(&plus, x, y) == path(&a, n, x, y, 0);
        }
    }
    return good && ax_acyclic(&a, n) == !cyclic && ax_irreflexive(&plus, n) == !cyclic;
}

void ax_test_relations(void)
{
    struct orc_rng rng;
    uint32_t wrong = 0;
    orc_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 2000; i++)
        wrong += !agrees(&rng, 1 + orc_rng_below(&rng, 7));
    ax_expect(wrong == 0, "relations", "%u of 2000 random relations", wrong);
    struct ax_rel line, ring;
    ax_empty(&line);
    for (uint32_t i = 0; i + 1 < AX_EVENTS; i++)
        ax_add(&line, i, i + 1);
    ring = line;
    ax_add(&ring, AX_EVENTS - 1, 0);
    ax_expect(ax_acyclic(&line, AX_EVENTS) && !ax_acyclic(&ring, AX_EVENTS),
              "relations of 64 events", "a line has a cycle, or a ring has none");
    ax_closure(&line, AX_EVENTS);
    ax_expect(ax_has(&line, 0, AX_EVENTS - 1) && !ax_has(&line, AX_EVENTS - 1, 0),
              "closure of 64 events", "the ends of a line");
}
