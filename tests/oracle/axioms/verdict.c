#include "verdict.h"

#include <stdlib.h>

/* Adds what put writes of the graph; returns whether it is new. */
static bool add(struct ax_lines *to, const struct ax_graph *g,
                void (*put)(const struct ax_graph *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) {
        fprintf(stderr, "axioms: out of memory\n");
        exit(2);
    }
    put(g, f);
    fclose(f);
    bool fresh = ax_lines_add(to, text);
    free(text);
    return fresh;
}

static uint64_t hash_of_final(const struct ax_graph *g)
{
    uint64_t h = 0xcbf29ce484222325u;
    int32_t value;
    for (uint32_t k = 0; ax_final_value(g, k, &value); k++)
        for (uint32_t byte = 0; byte < 4; byte++)
            h = (h ^ ((uint32_t)value >> 8 * byte & 0xff)) * 0x100000001b3u;
    return h;
}

static void statements(char *to, size_t size, const struct ax_event *a, const struct ax_event *b)
{
    if (a->thread > b->thread) {
        const struct ax_event *swap = a;
        a = b;
        b = swap;
    }
    snprintf(to, size, "%u:%u %u:%u", a->thread + 1u, a->statement, b->thread + 1u, b->statement);
}

/* A race comes first when no other race lies among the events before it in po ∪ rf and its own:
 * what comes behind a race has no meaning in C. */
static void races(struct ax_verdict *v, const struct ax_graph *g, const struct ax_orders *o)
{
    struct ax_rel past = o->po, with = { 0 };
    ax_union(&past, &o->rf, g->n);
    ax_closure(&past, g->n);
    ax_reflexive(&past, g->n);
    ax_inverse(&past, &past, g->n);
    for (uint32_t a = g->p->n_places; a < g->n; a++)
        for (uint32_t b = g->p->n_places; b < g->n; b++)
            if (ax_races(g, o, a, b))
                ax_add(&with, a, b);
    for (uint32_t a = g->p->n_places; a < g->n; a++)
        for (ax_set s = with.row[a]; s; s &= s - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(s);
            ax_set inside = past.row[a] | past.row[b];
            uint32_t others = 0;
            for (ax_set i = inside; i; i &= i - 1)
                others += (uint32_t)__builtin_popcountll(with.row[__builtin_ctzll(i)] & inside);
            char pair[48];
            statements(pair, sizeof pair, &g->e[a], &g->e[b]);
            ax_lines_add(&v->races, pair);
            if (others == 2) /* this race, seen from both sides */
                ax_lines_add(&v->first, pair);
        }
}

static void misuse(struct ax_verdict *v, const struct ax_graph *g)
{
    for (uint32_t t = 0; t < g->p->n_threads; t++) {
        const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
        char where[24];
        if (!in || in->op != AX_UNLOCK)
            continue;
        snprintf(where, sizeof where, "%u:%u", t + 1, in->statement);
        ax_lines_add(&v->misuse, where);
    }
}

static void visit(void *context, const struct ax_graph *g, const struct ax_orders *o,
                  enum ax_ending ending)
{
    struct ax_verdict *v = context;
    races(v, g, o);
    if (ending == AX_COMPLETE) {
        v->graphs++;
        v->exists = v->exists || ax_final_exists(g);
        if (add(&v->finals, g, ax_final_line))
            v->finals_hash ^= hash_of_final(g);
    } else {
        v->deadlocks++;
        misuse(v, g);
    }
    if (v->wants_lines)
        add(ending == AX_COMPLETE ? &v->lines : &v->blocked, g, ax_graph_line);
}

void ax_judge(const struct ax_program *p, enum ax_model model, struct ax_verdict *v)
{
    struct ax_enumeration x = { .program = p,
                                .model = model,
                                .naive = v->naive,
                                .most = v->most,
                                .visit = visit,
                                .context = v };
    ax_enumerate(&x);
    v->gave_up = x.gave_up;
    v->too_long = x.too_long;
}

void ax_verdict_release(struct ax_verdict *v)
{
    ax_lines_release(&v->finals);
    ax_lines_release(&v->races);
    ax_lines_release(&v->first);
    ax_lines_release(&v->lines);
    ax_lines_release(&v->blocked);
    ax_lines_release(&v->misuse);
}
