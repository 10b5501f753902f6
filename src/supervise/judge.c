/* RC11: coherence and atomicity are compared access by access, seq_cst is a search for a cycle
 * in psc (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017).  The relations are bit matrices.
 *
 * A read-modify-write is one event here.  Its two halves are neighbours in program order, and
 * its store stands directly after what it reads, so a path into one half can leave through the
 * other one. */
#include "supervise/judge.h"

#include "core/enabled.h"
#include "explore/order/sync_order.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARENA_BYTES (4ull << 30) /* of addresses; memory is taken when it is written */
#define MOST_STEPS 50000u
#define MOST_STRONG 512u /* accesses and fences of a graph whose seq_cst is looked at */
#define WORDS (MOST_STRONG / 64)

/* An event of sync_order: a step of the log, or a fence that is put before one. */
struct event {
    uint32_t row, index;
};

struct matrix {
    uint64_t bits[MOST_STRONG][WORDS];
};

/* An access, a fence, or an operation on a thread or a synchronisation object, in the search
 * for cycles. */
struct node {
    uint32_t thread, event;
    const struct hd_graph_access *access; /* NULL: of no place */
    bool strong;
};

struct hd_judge {
    struct hd_run_graph graph;
    const struct hd_run *run;
    struct hd_arena arena;
    struct hd_sync_order *order;
    uint8_t *orders; /* by step */
    bool *fences;    /* by step: there is one before it */
    bool *shared;    /* by step: a plain store into an atomic location */
    struct event *events;
    uint32_t *event_of;  /* by step */
    uint32_t *thread_of; /* by event */
    uint32_t n_events;
    struct node nodes[MOST_STRONG];
    uint32_t n_nodes;
    struct matrix hb, scb, left, right, a, b;
};

static void ignore(void *self, uint32_t early, uint32_t late)
{
    (void)self;
    (void)early;
    (void)late;
}

static bool prepare(struct hd_judge *j)
{
    void *memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    j->arena = (struct hd_arena){ memory, 0, ARENA_BYTES };
    return hd_sync_order_init(j->order, &j->arena, ignore, NULL);
}

struct hd_judge *hd_judge_create(const struct hd_run *run)
{
    uint32_t n = run->n_log + 1;
    if (n > MOST_STEPS)
        return NULL;
    struct hd_judge *j = hd_alloc(sizeof *j);
    j->run = run;
    if (!hd_run_graph_init(&j->graph, run)) {
        free(j);
        return NULL;
    }
    j->order = hd_alloc(sizeof *j->order);
    j->orders = hd_alloc(n);
    j->fences = hd_alloc(n * sizeof *j->fences);
    j->shared = hd_alloc(n * sizeof *j->shared);
    j->events = hd_alloc(2ull * n * sizeof *j->events);
    j->event_of = hd_alloc(n * sizeof *j->event_of);
    j->thread_of = hd_alloc(2ull * n * sizeof *j->thread_of);
    for (uint32_t i = 0; i < j->graph.n_accesses; i++)
        j->shared[j->graph.accesses[i].step] = true;
    if (!prepare(j)) {
        hd_judge_destroy(j);
        return NULL;
    }
    hd_judge_reset(j);
    return j;
}

void hd_judge_destroy(struct hd_judge *j)
{
    if (!j)
        return;
    if (j->arena.base)
        munmap(j->arena.base, ARENA_BYTES);
    hd_run_graph_release(&j->graph);
    free(j->order);
    free(j->orders);
    free(j->fences);
    free(j->shared);
    free(j->events);
    free(j->event_of);
    free(j->thread_of);
    free(j);
}

const struct hd_run_graph *hd_judge_graph(const struct hd_judge *j) { return &j->graph; }

void hd_judge_reset(struct hd_judge *j)
{
    for (uint32_t i = 0; i < j->run->n_log; i++)
        j->orders[i] = j->run->log[i].action.order;
    memset(j->fences, 0, (j->run->n_log + 1) * sizeof *j->fences);
}

void hd_judge_strengthen(struct hd_judge *j, uint32_t step, uint32_t bits)
{
    j->orders[step] |= (uint8_t)bits;
}

void hd_judge_fence(struct hd_judge *j, uint32_t step) { j->fences[step] = true; }

static uint32_t add_event(struct hd_judge *j, uint32_t thread, const struct hd_action *a,
                          uint32_t newer)
{
    hd_sync_order_ran(j->order, thread, a, newer);
    j->events[j->n_events] = (struct event){ .row = j->order->threads[thread].clock,
                                             .index = j->order->threads[thread].count };
    j->thread_of[j->n_events] = thread;
    return j->n_events++;
}

/* What a step does to happens-before.  Plain accesses do nothing, unless they store into an
 * atomic location, which ends release sequences. */
static struct hd_action action_of(const struct hd_judge *j, uint32_t step)
{
    const uint8_t fences = HD_ORDER_FENCES << HD_ORDER_FENCE_SHIFT; /* that follow it */
    struct hd_action a = j->run->log[step].action;
    a.order = j->orders[step];
    if (hd_op_table[a.op].space == HD_SPACE_MEM && !j->shared[step] && a.op != HD_OP_FREE)
        a = (struct hd_action){ .op = HD_OP_NONE, .order = a.order & fences };
    return a;
}

void hd_judge_order(struct hd_judge *j)
{
    static const struct hd_action fence = {
        .op = HD_OP_FENCE, .order = HD_ORDER_ACQUIRE | HD_ORDER_RELEASE | HD_ORDER_SEQ_CST
    };
    static const struct hd_action nothing = { .op = HD_OP_NONE };
    const struct hd_finding *f = &j->run->finding;
    hd_sync_order_back(j->order, 0);
    j->n_events = 0;
    for (uint32_t i = 0; i < j->run->n_log; i++) {
        const struct hd_step *s = &j->run->log[i];
        struct hd_action a = action_of(j, i);
        if (j->fences[i])
            add_event(j, s->thread, &fence, 0);
        j->event_of[i] = add_event(j, s->thread, &a,
                                   hd_step_newer(HD_STEP_PACK(s->thread, s->choice), &a));
    }
    if (j->run->found && f->kind == HD_KIND_DATA_RACE && f->n_standings > 1)
        j->event_of[j->run->n_log] = add_event(j, f->standings[1].thread, &nothing, 0);
}

static bool happens_before(const struct hd_judge *j, uint32_t a, uint32_t b)
{
    uint32_t thread = j->thread_of[a];
    if (thread == j->thread_of[b])
        return a < b;
    const uint32_t *row = j->order->words + j->events[b].row;
    return thread < row[0] && j->events[a].index <= row[1 + thread];
}

bool hd_judge_before(const struct hd_judge *j, uint32_t a, uint32_t b)
{
    return happens_before(j, j->event_of[a], j->event_of[b]);
}

/* Does `a`, which happens before `b`, forbid b's place in the modification order? */
static bool forbids(const struct hd_judge *j, const struct hd_graph_access *a,
                    const struct hd_graph_access *b)
{
    return a->place == b->place && a->step != b->step && hd_run_graph_eco(&j->graph, b, a) &&
           hd_judge_before(j, a->step, b->step);
}

uint32_t hd_judge_forbids(const struct hd_judge *j, uint32_t step)
{
    const struct hd_run_graph *g = &j->graph;
    const struct hd_graph_access *b = hd_run_graph_access(g, step);
    for (uint32_t i = 0; b && i < g->n_accesses && g->accesses[i].step < step; i++)
        if (forbids(j, &g->accesses[i], b))
            return g->accesses[i].step + 1;
    return 0;
}

static bool coherent(const struct hd_judge *j)
{
    const struct hd_run_graph *g = &j->graph;
    for (uint32_t i = 0; i < g->n_accesses; i++) {
        const struct hd_graph_access *b = &g->accesses[i];
        bool both = b->reads != HD_NO_STORE && b->stores != HD_NO_STORE;
        if (both && hd_graph_store_at(g, b) != hd_graph_read_at(g, b) + 1)
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (forbids(j, &g->accesses[k], b))
                return false;
    }
    return true;
}

/* Futexes: an operation that sleeps or wakes. */
static bool is_futex(const struct hd_step *s) { return hd_op_futex((enum hd_op)s->action.op); }

/* Before which step operations on the futex come before the load of the wait: its thread's
 * entry, if it sleeps; otherwise the step after the last operation that happens before the
 * load. */
static uint32_t place_of_wait(const struct hd_judge *j, uint32_t load)
{
    const struct hd_step *log = j->run->log;
    uint32_t next = load + 1, before = 0;
    while (next < j->run->n_log && log[next].thread != log[load].thread)
        next++;
    if (next < j->run->n_log && is_futex(&log[next]) &&
        log[next].action.object == log[load].action.object)
        return next;
    for (uint32_t i = 0; i < load; i++)
        if (is_futex(&log[i]) && log[i].action.object == log[load].action.object &&
            hd_judge_before(j, i, load))
            before = i + 1;
    return before;
}

/* Has the load of a wait read an older store than it may after the operations on the futex that
 * come before it? */
static bool missed(const struct hd_judge *j, const struct hd_graph_access *load)
{
    const struct hd_step *log = j->run->log;
    uint32_t end = place_of_wait(j, load->step);
    for (uint32_t k = 0; k < j->graph.n_accesses; k++) {
        const struct hd_graph_access *a = &j->graph.accesses[k];
        if (a->place != load->place || a == load || !hd_run_graph_eco(&j->graph, load, a))
            continue;
        for (uint32_t i = a->step + 1; i < end; i++)
            if (is_futex(&log[i]) && log[i].action.object == log[load->step].action.object &&
                hd_judge_before(j, a->step, i))
                return true;
    }
    return false;
}

static bool misses_a_wake(const struct hd_judge *j)
{
    for (uint32_t i = 0; i < j->graph.n_accesses; i++)
        if (j->run->log[j->graph.accesses[i].step].action.op == HD_OP_FUTEX_READ &&
            missed(j, &j->graph.accesses[i]))
            return true;
    return false;
}

/* Matrices. */

static bool has(const struct matrix *m, uint32_t a, uint32_t b)
{
    return m->bits[a][b / 64] >> (b % 64) & 1;
}

static void set(struct matrix *m, uint32_t a, uint32_t b)
{
    m->bits[a][b / 64] |= 1ull << b % 64;
}

static void multiply(const struct hd_judge *j, struct matrix *to, const struct matrix *a,
                     const struct matrix *b)
{
    memset(to, 0, sizeof *to);
    for (uint32_t i = 0; i < j->n_nodes; i++)
        for (uint32_t k = 0; k < j->n_nodes; k++)
            for (uint32_t w = 0; w < WORDS && has(a, i, k); w++)
                to->bits[i][w] |= b->bits[k][w];
}

static void add(const struct hd_judge *j, struct matrix *to, const struct matrix *more)
{
    for (uint32_t i = 0; i < j->n_nodes; i++)
        for (uint32_t w = 0; w < WORDS; w++)
            to->bits[i][w] |= more->bits[i][w];
}

static bool has_cycle(const struct hd_judge *j, struct matrix *m)
{
    for (uint32_t k = 0; k < j->n_nodes; k++)
        for (uint32_t i = 0; i < j->n_nodes; i++)
            for (uint32_t w = 0; w < WORDS && has(m, i, k); w++)
                m->bits[i][w] |= m->bits[k][w];
    for (uint32_t i = 0; i < j->n_nodes; i++)
        if (has(m, i, i))
            return true;
    return false;
}

static bool is_strong(const struct hd_judge *j, const struct hd_step *s, uint32_t step)
{
    uint32_t order = j->orders[step];
    return (s->action.op == HD_OP_CAS_FAIL ? hd_order_of_failure(order) : order) &
           HD_ORDER_SEQ_CST;
}

/* Is it a step of happens-before that is no access of memory? */
static bool orders_others(const struct hd_step *s)
{
    uint32_t op = s->action.op;
    return op == HD_OP_FENCE ||
           (hd_op_table[op].space != HD_SPACE_MEM && hd_op_table[op].orders != HD_ORDERS_NOTHING);
}

/* False: there are too many. */
static bool find_nodes(struct hd_judge *j, uint32_t *strong)
{
    j->n_nodes = *strong = 0;
    for (uint32_t i = 0; i < j->run->n_log; i++) {
        const struct hd_step *s = &j->run->log[i];
        const struct hd_graph_access *a = hd_run_graph_access(&j->graph, i);
        if (j->n_nodes + 2 > MOST_STRONG)
            return false;
        if (j->fences[i]) {
            j->nodes[j->n_nodes++] = (struct node){ s->thread, j->event_of[i] - 1, NULL, true };
            ++*strong;
        }
        if (!a && !orders_others(s))
            continue;
        bool is = (a || s->action.op == HD_OP_FENCE) && is_strong(j, s, i);
        j->nodes[j->n_nodes++] = (struct node){ s->thread, j->event_of[i], a, is };
        *strong += is;
    }
    return true;
}

static bool same_place(const struct node *a, const struct node *b)
{
    return a->access && b->access && a->access->place == b->access->place;
}

/* mo or fr: one is a store, and stands after what the other one reads or stores. */
static bool overwritten(const struct hd_judge *j, const struct node *a, const struct node *b)
{
    return same_place(a, b) && a != b && b->access->stores != HD_NO_STORE &&
           hd_run_graph_eco(&j->graph, a->access, b->access);
}

/* hb, scb, and in `left` and `right` the ends of psc_base. */
static void fill(struct hd_judge *j)
{
    struct matrix *other = &j->a; /* po to another location */
    memset(&j->hb, 0, sizeof j->hb);
    memset(&j->scb, 0, sizeof j->scb);
    memset(&j->left, 0, sizeof j->left);
    memset(&j->right, 0, sizeof j->right);
    memset(other, 0, sizeof *other);
    for (uint32_t a = 0; a < j->n_nodes; a++)
        for (uint32_t b = 0; b < j->n_nodes; b++) {
            const struct node *x = &j->nodes[a], *y = &j->nodes[b];
            bool hb = a != b && happens_before(j, x->event, y->event);
            if (hb)
                set(&j->hb, a, b);
            if (hb && x->thread == y->thread && !same_place(x, y))
                set(other, a, b);
            if ((hb && (x->thread == y->thread || same_place(x, y))) || overwritten(j, x, y))
                set(&j->scb, a, b);
            if (x->strong && (a == b || (!x->access && hb)))
                set(&j->left, a, b);
            if (y->strong && (a == b || (!y->access && hb)))
                set(&j->right, a, b);
        }
    multiply(j, &j->b, other, &j->hb);
    struct matrix *around = hd_alloc(sizeof *around);
    multiply(j, around, &j->b, other);
    add(j, &j->scb, around);
    free(around);
}

/* psc_F: between seq_cst fences, hb or hb; eco; hb. */
static void add_fences(struct hd_judge *j, struct matrix *psc)
{
    struct matrix *eco = &j->left, *product = &j->right;
    memset(eco, 0, sizeof *eco);
    for (uint32_t a = 0; a < j->n_nodes; a++)
        for (uint32_t b = 0; b < j->n_nodes; b++)
            if (a != b && same_place(&j->nodes[a], &j->nodes[b]) &&
                hd_run_graph_eco(&j->graph, j->nodes[a].access, j->nodes[b].access))
                set(eco, a, b);
    multiply(j, product, &j->hb, eco);
    multiply(j, eco, product, &j->hb);
    for (uint32_t a = 0; a < j->n_nodes; a++)
        for (uint32_t b = 0; b < j->n_nodes; b++)
            if (j->nodes[a].strong && !j->nodes[a].access && j->nodes[b].strong &&
                !j->nodes[b].access && (has(&j->hb, a, b) || has(eco, a, b)))
                set(psc, a, b);
}

bool hd_judge_consistent(struct hd_judge *j)
{
    uint32_t strong;
    if (!coherent(j) || misses_a_wake(j))
        return false;
    if (!find_nodes(j, &strong) || strong < 2)
        return true;
    fill(j);
    multiply(j, &j->a, &j->left, &j->scb);
    multiply(j, &j->b, &j->a, &j->right);
    add_fences(j, &j->b);
    return !has_cycle(j, &j->b);
}
