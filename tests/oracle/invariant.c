#include "invariant.h"

#include "rng.h"

#include <stdlib.h>
#include <string.h>

static uint8_t draw_byte(struct orc_rng *r, const struct orc_program *p,
                         const struct orc_layout *layout)
{
    uint32_t v = orc_rng_below(r, p->n_vars), size = orc_var_size(p->vars[v]);
    uint32_t at = orc_rng_percent(r, 85) ? 0 : orc_rng_below(r, size);
    return (uint8_t)(layout->offset[v] + at);
}

static void draw(struct orc_rng *r, struct orc_program *p, const struct orc_layout *layout)
{
    static const uint8_t kinds[] = { ORC_INV_VALUE,    ORC_INV_NOT_BOTH, ORC_INV_NOT_BOTH,
                                     ORC_INV_NOT_BOTH, ORC_INV_SUM,      ORC_INV_SUM,
                                     ORC_INV_ELEMENT,  ORC_INV_ELEMENT,  ORC_INV_NOTHING };
    p->n_invariants = (uint8_t)(orc_rng_percent(r, 35) ? 2 : 1);
    for (uint32_t i = 0; i < p->n_invariants; i++) {
        struct orc_invariant *inv = &p->invariants[i];
        inv->kind = kinds[orc_rng_below(r, sizeof kinds)];
        inv->a = draw_byte(r, p, layout);
        inv->b = draw_byte(r, p, layout);
        inv->k = (uint8_t)(1 + orc_rng_below(r, 4));
        inv->k2 = (uint8_t)orc_rng_below(r, 4);
        inv->mask = (uint8_t)(orc_rng_percent(r, 40) ? 4 : orc_rng_percent(r, 50) ? 3 : 1);
        if (inv->kind == ORC_INV_ELEMENT && inv->b + inv->mask >= layout->size)
            inv->b = 0;
    }
}

/* Invariants that are broken at once, or that few steps have to do with, tell little: they are
 * mostly drawn again. */
bool orc_invariants_give(struct orc_program *p, const struct orc_lowered *m, uint64_t most,
                         struct orc_result *r, struct orc_broken *broken)
{
    struct orc_rng rng;
    uint64_t traces = r->traces;
    orc_rng_seed(&rng, p->seed ^ 0x6a09e667f3bcc909ull);
    bool breaks = orc_rng_percent(&rng, 40), any = orc_rng_percent(&rng, 15);
    for (uint32_t tries = 0; tries < 60; tries++) {
        draw(&rng, p, &m->layout);
        orc_invariants_judge(m, most, broken);
        memcpy(p->watched, broken->read, sizeof p->watched);
        orc_dag(m, most, r);
        if (broken->overflow || r->overflow)
            return false;
        if (any ||
            ((broken->by[0] || broken->by[1]) == breaks && (r->traces > traces || tries > 40)))
            break;
    }
    return true;
}

static uint32_t look(const uint8_t *memory, uint32_t at, uint8_t *read)
{
    read[at] = 1;
    return memory[at];
}

static bool holds(const struct orc_invariant *inv, const uint8_t *memory, uint8_t *read)
{
    switch (inv->kind) {
    case ORC_INV_VALUE:
        return look(memory, inv->a, read) != inv->k;
    case ORC_INV_NOT_BOTH:
        return look(memory, inv->a, read) != inv->k || look(memory, inv->b, read) != inv->k2;
    case ORC_INV_SUM: {
        uint32_t a = look(memory, inv->a, read);
        return a + look(memory, inv->b, read) < inv->k + 2u;
    }
    case ORC_INV_ELEMENT: {
        uint32_t i = look(memory, inv->a, read) & inv->mask;
        return look(memory, inv->b + i, read) != inv->k;
    }
    default:
        return true; /* reads nothing */
    }
}

int orc_invariants_broken(const struct orc_program *p, const uint8_t *memory,
                          uint8_t read[ORC_MAX_BYTES])
{
    for (int i = 0; i < p->n_invariants; i++)
        if (!holds(&p->invariants[i], memory, read))
            return i;
    return -1;
}

void orc_invariant_text(const struct orc_invariant *inv, uint32_t index, char *text, size_t size)
{
    char a[64], b[64];
    snprintf(a, sizeof a, "((const unsigned char *)&g%u)[%u]", index, inv->a);
    snprintf(b, sizeof b, "((const unsigned char *)&g%u)[%u]", index, inv->b);
    switch (inv->kind) {
    case ORC_INV_VALUE:
        snprintf(text, size, "return %s != %u;", a, inv->k);
        break;
    case ORC_INV_NOT_BOTH:
        snprintf(text, size, "return %s != %u || %s != %u;", a, inv->k, b, inv->k2);
        break;
    case ORC_INV_SUM:
        snprintf(text, size, "return %s + %s < %u;", a, b, inv->k + 2u);
        break;
    case ORC_INV_ELEMENT:
        snprintf(text, size, "return (&%s)[%s & %u] != %u;", b, a, inv->mask, inv->k);
        break;
    default:
        snprintf(text, size, "return 1;");
    }
}

struct search {
    const struct orc_lowered *m;
    struct orc_set seen;
    uint64_t most;
    struct orc_broken *out;
};

static void from(struct search *q, const struct orc_state *s)
{
    bool fresh;
    orc_set_get(&q->seen, orc_key_of(s, sizeof *s), &fresh);
    q->out->overflow |= q->seen.n > q->most;
    if (!fresh || q->out->overflow)
        return;
    int which = orc_invariants_broken(q->m->program, s->memory, q->out->read);
    if (which >= 0) {
        q->out->by[which] = true;
        return;
    }
    for (uint32_t t = 0; t < q->m->program->n_threads; t++)
        for (uint32_t c = 0, n = orc_state_choices(q->m, s, t); c < n; c++) {
            struct orc_state next = *s;
            struct orc_event event;
            uint16_t stmt;
            if (orc_state_step(q->m, &next, t, c, &event, &stmt) == ORC_GOES_ON)
                from(q, &next);
        }
}

void orc_invariants_judge(const struct orc_lowered *m, uint64_t most, struct orc_broken *out)
{
    struct search q = { .m = m, .most = most, .out = out };
    struct orc_state s;
    memset(out, 0, sizeof *out);
    orc_set_init(&q.seen);
    orc_state_init(m, &s);
    from(&q, &s);
    orc_set_release(&q.seen);
}
