/* Cycles of copy edges, by Tarjan's search without recursion.  Components are found in reverse
 * topological order, which is the order in which nodes are then handled (Pereira and Berlin,
 * "Wave propagation and deep propagation for pointer analysis", CGO 2009). */
#include "analyse/solver_internal.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    uint32_t node, edge;
};

struct search {
    struct hd_solver *s;
    uint32_t *marks, *lows; /* by node; mark 0: not seen, FINISHED: of a finished component */
    uint32_t *stack, n_stack;
    struct frame *frames;
    uint32_t n_frames, frame_room;
    uint32_t *found, n_found; /* representatives, in reverse topological order */
    uint32_t mark;
};

enum { FINISHED = UINT32_MAX };

/* What either node had passed on, the other's edges and constraints have not seen. */
static void merge_sets(struct hd_solver *s, struct hd_node *a, struct hd_node *b)
{
    struct hd_bits old_a = { 0 }, old_b = { 0 };
    hd_bits_minus(&a->set, NULL, &a->fresh, &old_a);
    hd_bits_minus(&b->set, NULL, &b->fresh, &old_b);
    hd_bits_and(&old_a, &old_b, &s->scratch);
    hd_bits_or(&a->set, &b->set);
    struct hd_bits fresh = { 0 };
    hd_bits_minus(&a->set, NULL, &s->scratch, &fresh);
    hd_bits_release(&a->fresh);
    a->fresh = fresh;
    a->n = hd_bits_count(&a->set);
    a->unknown |= b->unknown;
    a->large |= b->large;
    a->very_large |= b->very_large;
    hd_bits_release(&old_a);
    hd_bits_release(&old_b);
}

static void merge(struct hd_solver *s, uint32_t into, uint32_t node)
{
    struct hd_node *a = &s->nodes[into], *b = &s->nodes[node];
    s->merged++;
    merge_sets(s, a, b);
    if (a->n_to + b->n_to > a->to_room) {
        a->to_room = (a->n_to + b->n_to) * 2;
        a->to = hd_realloc(a->to, a->to_room * sizeof *a->to);
    }
    if (b->n_to)
        memcpy(a->to + a->n_to, b->to, b->n_to * sizeof *b->to);
    a->n_to += b->n_to;
    if (b->constraints) {
        uint32_t last = b->constraints;
        while (s->constraints[last].next)
            last = s->constraints[last].next;
        s->constraints[last].next = a->constraints;
        a->constraints = b->constraints;
    }
    hd_bits_release(&b->set);
    hd_bits_release(&b->fresh);
    free(b->to);
    *b = (struct hd_node){ .parent = into };
    hd_solver_trim(s, into);
}

static void visit(struct search *x, uint32_t node)
{
    x->marks[node] = x->lows[node] = ++x->mark;
    x->stack[x->n_stack++] = node;
    if (x->n_frames == x->frame_room) {
        x->frame_room = x->frame_room ? x->frame_room * 2 : 256;
        x->frames = hd_realloc(x->frames, x->frame_room * sizeof *x->frames);
    }
    x->frames[x->n_frames++] = (struct frame){ node, 0 };
}

static void finish(struct search *x, uint32_t node)
{
    uint32_t top;
    do {
        top = x->stack[--x->n_stack];
        x->marks[top] = FINISHED;
        if (top != node)
            merge(x->s, node, top);
    } while (top != node);
    x->found[x->n_found++] = node;
}

static void search_from(struct search *x, uint32_t start)
{
    struct hd_solver *s = x->s;
    visit(x, start);
    while (x->n_frames) {
        struct frame *f = &x->frames[x->n_frames - 1];
        uint32_t node = f->node;
        if (f->edge < s->nodes[node].n_to) {
            uint32_t to = hd_solver_find(s, s->nodes[node].to[f->edge++]);
            if (x->marks[to] == 0)
                visit(x, to);
            else if (x->marks[to] != FINISHED && x->marks[to] < x->lows[node])
                x->lows[node] = x->marks[to];
            continue;
        }
        x->n_frames--;
        if (x->n_frames) {
            uint32_t before = x->frames[x->n_frames - 1].node;
            if (x->lows[node] < x->lows[before])
                x->lows[before] = x->lows[node];
        }
        if (x->lows[node] == x->marks[node])
            finish(x, node);
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Merging leaves edges to oneself and edges that are there twice. */
static uint32_t tidy_edges(struct hd_solver *s, uint32_t node)
{
    struct hd_node *a = &s->nodes[node];
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_to; i++)
        a->to[i] = hd_solver_find(s, a->to[i]);
    if (a->n_to > 1)
        qsort(a->to, a->n_to, sizeof *a->to, by_number);
    for (uint32_t i = 0; i < a->n_to; i++)
        if (a->to[i] != node && (n == 0 || a->to[n - 1] != a->to[i]))
            a->to[n++] = a->to[i];
    a->n_to = n;
    return n;
}

static void put_in_order(struct search *x)
{
    struct hd_solver *s = x->s;
    s->n_order = x->n_found;
    s->n_edges = 0;
    s->n_pending = 0;
    memset(s->pending, 0, (s->order_room / 64 + 1) * sizeof *s->pending);
    for (uint32_t i = 0; i < x->n_found; i++) {
        uint32_t node = x->found[x->n_found - 1 - i];
        s->order[i] = node;
        s->nodes[node].position = i;
        s->n_edges += tidy_edges(s, node);
        if (s->nodes[node].fresh.n)
            hd_solver_push(s, node);
    }
    s->edges_at_search = s->n_edges;
}

void hd_solver_order(struct hd_solver *s)
{
    struct search x = { .s = s };
    x.marks = hd_alloc((s->n + 1) * sizeof *x.marks);
    x.lows = hd_alloc((s->n + 1) * sizeof *x.lows);
    x.stack = hd_alloc((s->n + 1) * sizeof *x.stack);
    x.found = hd_alloc((s->n + 1) * sizeof *x.found);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->nodes[i].parent == i && x.marks[i] == 0)
            search_from(&x, i);
    put_in_order(&x);
    free(x.marks);
    free(x.lows);
    free(x.stack);
    free(x.found);
    free(x.frames);
}
