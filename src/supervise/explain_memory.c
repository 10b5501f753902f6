/* Candidates are the places of the source whose atomic accesses and fences the run executed,
 * each with every order that is stronger than its own.  One is tried alone, then two together.
 * If that is not enough, all accesses are made seq_cst and taken back one by one; and a
 * seq_cst fence is put before one or two places.
 *
 * A place is a line and column, and a number where one macro makes several accesses: one place
 * of a template or of inlined code may have several sites. */
#include "supervise/explain_memory.h"

#include "core/enabled.h"
#include "supervise/judge.h"
#include "supervise/judge_machine.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EXPLAINED 32u /* stale steps whose reason is looked for */
#define MOST_CHANGES 256u
#define WORK 20000000u /* comparisons of accesses and events, for one run */

enum { SYNCHRONISES = 1, BOTH_WAYS, SEQUENTIAL, N_COSTS };

struct change {
    uint32_t leader; /* the first step of its place */
    uint32_t bits;
    uint32_t cost;
    uint32_t after; /* a new fence: the step before it, + 1 */
};

struct search {
    struct hd_judge *judge;
    struct hd_run *run;
    uint32_t *leader; /* by step; ~0u: no atomic access or fence */
    struct change *changes;
    uint32_t n_changes;
    uint64_t left; /* of WORK */
    /* what is to become impossible: */
    bool (*impossible)(struct search *s);
    uint32_t step;
};

static bool is_atomic(const struct hd_action *a)
{
    return hd_op_table[a->op].orders == HD_ORDERS_BY_ACTION &&
           (a->op == HD_OP_FENCE || hd_op_atomic((enum hd_op)a->op));
}

static bool same_place(const struct hd_program *program, const struct hd_step *a,
                       const struct hd_step *b)
{
    if (a->site == b->site)
        return a->op == b->op; /* a compare-exchange that fails has an order of its own */
    struct hd_place p = hd_program_site(program, a->site), q = hd_program_site(program, b->site);
    return a->op == b->op && p.line && p.line == q.line && p.column == q.column &&
           p.nth == q.nth && strcmp(p.file, q.file) == 0;
}

/* Of accesses in a library, and in heddle's own headers, the program does not choose the
 * order. */
static bool is_own(const struct hd_program *program, const struct hd_step *step)
{
    uint32_t order;
    enum hd_op op;
    return is_atomic(&step->action) && hd_program_order(program, step->site, &order, &op) &&
           !hd_str_starts(hd_program_site(program, step->site).file, "heddle/");
}

static void find_leaders(struct search *s, const struct hd_program *program)
{
    const struct hd_run *run = s->run;
    s->leader = hd_alloc((run->n_log + 1) * sizeof *s->leader);
    for (uint32_t i = 0; i < run->n_log; i++) {
        s->leader[i] = is_own(program, &run->log[i]) ? i : ~0u;
        for (uint32_t k = 0; k < i && s->leader[i] == i; k++)
            if (s->leader[k] == k && same_place(program, &run->log[k], &run->log[i]))
                s->leader[i] = k;
    }
}

/* Does something pass between two threads at the place: is a store of it read by another
 * thread, or does a load of it read another's? */
static bool passes(const struct search *s, uint32_t leader, bool stores)
{
    const struct hd_run_graph *g = hd_judge_graph(s->judge);
    for (uint32_t i = 0; i < g->n_accesses; i++) {
        const struct hd_graph_access *load = &g->accesses[i];
        uint32_t by = load->reads == HD_NO_STORE ? 0 : g->stores[load->reads].step;
        if (by && s->run->log[by - 1].thread != s->run->log[load->step].thread &&
            s->leader[stores ? by - 1 : load->step] == leader)
            return true;
    }
    return false;
}

static void add_change(struct search *s, uint32_t leader, uint32_t bits, uint32_t cost)
{
    uint32_t has = s->run->log[leader].action.order;
    if ((has & bits) != bits && s->n_changes < MOST_CHANGES)
        s->changes[s->n_changes++] =
            (struct change){ .leader = leader, .bits = bits & ~has, .cost = cost };
}

/* Whatever is stronger than the order of the place. */
static void add_changes(struct search *s, uint32_t leader)
{
    uint16_t op = s->run->log[leader].action.op;
    bool fails = op == HD_OP_CAS_FAIL;
    bool loads = op != HD_OP_ATOMIC_WRITE, stores = op != HD_OP_ATOMIC_READ && !fails;
    uint32_t acquire = fails ? HD_ORDER_FAIL_ACQUIRE : HD_ORDER_ACQUIRE;
    uint32_t both = (loads ? acquire : 0) | (stores ? HD_ORDER_RELEASE : 0u);
    if (loads && (op == HD_OP_FENCE || passes(s, leader, false)))
        add_change(s, leader, acquire, SYNCHRONISES);
    if (stores && (op == HD_OP_FENCE || passes(s, leader, true)))
        add_change(s, leader, HD_ORDER_RELEASE, SYNCHRONISES);
    if (loads && stores)
        add_change(s, leader, both, BOTH_WAYS);
    uint32_t strong = fails ? HD_ORDER_FAIL_SEQ_CST : HD_ORDER_SEQ_CST;
    add_change(s, leader, both | strong, SEQUENTIAL);
}

static void apply(struct search *s, const struct change *c)
{
    for (uint32_t i = c->leader; i < s->run->n_log; i++) {
        if (s->leader[i] != c->leader)
            continue;
        if (c->after)
            hd_judge_fence(s->judge, i);
        else
            hd_judge_strengthen(s->judge, i, c->bits);
    }
}

/* The judge starts anew; false: the work is used up. */
static bool begin(struct search *s)
{
    uint64_t accesses = hd_judge_graph(s->judge)->n_accesses;
    uint64_t work = 4ull * s->run->n_log + accesses * accesses / 2;
    if (s->left < work)
        return false;
    s->left -= work;
    hd_judge_reset(s->judge);
    return true;
}

/* Is it impossible with these changes?  False, too, when the work is used up. */
static bool works(struct search *s, const struct change *const *changes, uint32_t n)
{
    if (!begin(s))
        return false;
    for (uint32_t i = 0; i < n; i++)
        apply(s, changes[i]);
    hd_judge_order(s->judge);
    return s->impossible(s);
}

static bool step_forbidden(struct search *s) { return hd_judge_forbids(s->judge, s->step) != 0; }

static bool run_inconsistent(struct search *s) { return !hd_judge_consistent(s->judge); }

/* A data race whose first access is in the log. */
static bool is_race(const struct hd_run *run)
{
    return run->found && run->finding.kind == HD_KIND_DATA_RACE && run->finding.race_step &&
           run->finding.race_step <= run->n_log && run->finding.n_standings > 1;
}

static bool race_ordered(struct search *s)
{
    return hd_judge_before(s->judge, s->run->finding.race_step - 1, s->run->n_log);
}

static bool run_impossible(struct search *s)
{
    return (is_race(s->run) && race_ordered(s)) ||
           (hd_memory_is_rc11(s->run->memory) && run_inconsistent(s));
}

static struct hd_remedy remedy_of(const struct change *const *changes, uint32_t n)
{
    struct hd_remedy r = { .n = n };
    for (uint32_t i = 0; i < n; i++)
        r.items[i] = (struct hd_stronger){ .step = changes[i]->leader,
                                           .order = changes[i]->bits,
                                           .after = changes[i]->after };
    return r;
}

/* One change alone: those of the lowest cost that work. */
static uint32_t try_one(struct search *s, uint32_t most_cost, struct hd_remedy *out,
                        uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t cost = SYNCHRONISES; cost <= most_cost && n == 0; cost++)
        for (uint32_t i = 0; i < s->n_changes && n < most; i++) {
            const struct change *c = &s->changes[i];
            if (c->cost == cost && works(s, &c, 1))
                out[n++] = remedy_of(&c, 1);
        }
    return n;
}

static uint32_t try_two(struct search *s, uint32_t most_cost, struct hd_remedy *out,
                        uint32_t most)
{
    uint32_t n = 0;
    for (uint32_t cost = 2 * SYNCHRONISES; cost <= 2 * most_cost && n == 0; cost++)
        for (uint32_t i = 0; i < s->n_changes; i++)
            for (uint32_t k = i + 1; k < s->n_changes && n < most; k++) {
                const struct change *pair[] = { &s->changes[i], &s->changes[k] };
                if (pair[0]->leader != pair[1]->leader && pair[0]->cost + pair[1]->cost == cost &&
                    pair[0]->cost <= most_cost && pair[1]->cost <= most_cost && works(s, pair, 2))
                    out[n++] = remedy_of(pair, 2);
            }
    return n;
}

/* All places seq_cst, and then as few of them as will do. */
static uint32_t try_all(struct search *s, struct hd_remedy *out)
{
    const struct change *kept[MOST_CHANGES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_changes; i++)
        if (s->changes[i].cost == SEQUENTIAL)
            kept[n++] = &s->changes[i];
    if (n == 0 || !works(s, kept, n))
        return 0;
    for (uint32_t i = n; i-- > 0;) {
        const struct change *tried = kept[i];
        memmove(kept + i, kept + i + 1, (n - 1 - i) * sizeof *kept);
        if (works(s, kept, n - 1)) {
            n--;
            continue;
        }
        memmove(kept + i + 1, kept + i, (n - 1 - i) * sizeof *kept);
        kept[i] = tried;
    }
    if (n == 0 || n > HD_MOST_STRONGER)
        return 0;
    *out = remedy_of(kept, n);
    return 1;
}

/* A seq_cst fence before a place, if the thread has made another access before. */
static void add_fences(struct search *s)
{
    s->n_changes = 0;
    for (uint32_t i = 0; i < s->run->n_log && s->n_changes < MOST_CHANGES; i++) {
        uint32_t before = i;
        while (before > 0 && (s->run->log[before - 1].thread != s->run->log[i].thread ||
                              s->leader[before - 1] == ~0u))
            before--;
        if (s->leader[i] == i && before > 0)
            s->changes[s->n_changes++] =
                (struct change){ .leader = i, .cost = SYNCHRONISES, .after = before };
    }
}

/* Is it impossible if these steps alone are stronger, and not others of their places? */
static bool steps_work(struct search *s, const struct hd_remedy *r)
{
    if (!begin(s))
        return false;
    for (uint32_t i = 0; i < r->n; i++)
        hd_judge_strengthen(s->judge, r->items[i].step, r->items[i].order);
    hd_judge_order(s->judge);
    return s->impossible(s);
}

/* The reason, of one place or two, has the first step of each place, and another thread may
 * have made that one.  Take steps that are enough, if there are such.  The judge has the orders
 * of the reason afterwards. */
static void single_out(struct search *s, struct hd_remedy *r)
{
    uint32_t places[2] = { r->items[0].step, r->items[r->n - 1].step };
    struct hd_remedy tried = *r;
    for (uint32_t i = places[0]; i < s->run->n_log; i++)
        for (uint32_t k = places[1]; k < s->run->n_log && s->leader[i] == places[0]; k++) {
            if (s->leader[k] != places[1] || (r->n == 1 && k != i))
                continue;
            tried.items[0].step = i;
            tried.items[r->n - 1].step = k;
            if (!steps_work(s, &tried))
                continue;
            *r = tried;
            return;
        }
    struct change changes[2];
    const struct change *all[2] = { &changes[0], &changes[1] };
    for (uint32_t i = 0; i < r->n; i++)
        changes[i] = (struct change){ .leader = places[i], .bits = r->items[i].order };
    works(s, all, r->n);
}

/* For the reason of a single step or race: what synchronises is enough. */
static struct hd_remedy reason(struct search *s, bool (*impossible)(struct search *s))
{
    struct hd_remedy r = { 0 };
    s->impossible = impossible;
    if (!try_one(s, SYNCHRONISES, &r, 1) && !try_two(s, SYNCHRONISES, &r, 1))
        r.n = 0;
    if (r.n)
        single_out(s, &r);
    return r;
}

static void explain_step(struct search *s, struct hd_stale *stale)
{
    const struct hd_run_graph *g = hd_judge_graph(s->judge);
    s->step = stale->step;
    stale->why = reason(s, step_forbidden);
    if (!stale->why.n)
        return;
    /* The judge still has the orders of the reason, which make the newer store visible. */
    uint32_t by = hd_judge_forbids(s->judge, stale->step);
    const struct hd_graph_access *a = by ? hd_run_graph_access(g, by - 1) : NULL;
    if (!a)
        return;
    uint32_t store = a->stores != HD_NO_STORE ? a->stores : a->reads;
    if (g->stores[store].step)
        stale->newer = g->stores[store].step;
}

static void find_stale(struct search *s)
{
    struct hd_run *run = s->run;
    const struct hd_run_graph *g = hd_judge_graph(s->judge);
    for (uint32_t i = 0; i < g->n_accesses; i++) {
        const struct hd_graph_access *a = &g->accesses[i];
        if (!run->log[a->step].choice || run->memory == HD_MEMORY_SC)
            continue;
        bool stores = a->reads == HD_NO_STORE;
        const struct hd_graph_place *p = &g->places[a->place];
        uint32_t at = hd_graph_stands(g, a), newer = 0;
        for (uint32_t k = at + 1; k < p->n_mo && !newer; k++) /* that was there at the time */
            newer = g->stores[p->mo[k]].step - 1 < a->step ? g->stores[p->mo[k]].step : 0;
        struct hd_stale stale = { .step = a->step,
                                  .store = stores,
                                  .source = stores ? 0 : g->stores[a->reads].step,
                                  .newer = newer };
        if (run->n_stale < MOST_EXPLAINED && hd_memory_is_rc11(run->memory))
            explain_step(s, &stale);
        run->stale = hd_realloc(run->stale, (run->n_stale + 1) * sizeof *run->stale);
        run->stale[run->n_stale++] = stale;
    }
}

/* The message of a data race names one or two accesses that do not synchronise. */
static void explain_race(struct search *s)
{
    struct hd_finding *f = &s->run->finding;
    struct hd_remedy r = reason(s, race_ordered);
    if (!r.n)
        return;
    f->n_origins = 0;
    for (uint32_t i = 0; i < r.n && i < HD_MAX_ORIGINS; i++) {
        const struct hd_step *step = &s->run->log[r.items[i].step];
        bool release = r.items[i].order & HD_ORDER_RELEASE;
        f->origins[f->n_origins++] = (struct hd_origin){ release ? HD_ORIGIN_STORE
                                                                 : HD_ORIGIN_LOAD,
                                                         step->thread, step->site, 0 };
    }
}

static void find_remedies(struct search *s)
{
    struct hd_run *run = s->run;
    s->impossible = run_impossible;
    run->n_remedies = try_one(s, SEQUENTIAL, run->remedies, HD_MOST_REMEDIES);
    if (!run->n_remedies)
        run->n_remedies = try_two(s, SEQUENTIAL, run->remedies, HD_MOST_REMEDIES);
    if (run->n_remedies)
        return;
    if (!hd_memory_is_rc11(run->memory))
        return;
    run->n_remedies = try_all(s, run->remedies);
    add_fences(s);
    uint32_t more = try_one(s, SYNCHRONISES, run->remedies + run->n_remedies, 1);
    run->n_remedies += more ? more : try_two(s, SYNCHRONISES, run->remedies + run->n_remedies, 1);
}

void hd_explain_memory(struct hd_run *run, const struct hd_program *program)
{
    struct search s = { .run = run, .left = WORK };
    bool race = is_race(run);
    if ((run->memory == HD_MEMORY_SC && !race) || run->n_stale ||
        !(s.judge = hd_judge_create(run)))
        return;
    hd_judge_order(s.judge);
    if (!hd_memory_is_rc11(run->memory) || hd_judge_consistent(s.judge)) {
        find_leaders(&s, program);
        s.changes = hd_alloc(MOST_CHANGES * sizeof *s.changes);
        for (uint32_t i = 0; i < run->n_log; i++)
            if (s.leader[i] == i)
                add_changes(&s, i);
        find_stale(&s);
        if (race)
            explain_race(&s);
        if (race || (run->found && run->n_stale && hd_memory_is_rc11(run->memory)))
            find_remedies(&s);
        free(s.changes);
        free(s.leader);
    }
    hd_judge_destroy(s.judge);
}

/* The first `n` steps. */
static bool allowed(const struct hd_run *run, uint32_t n)
{
    struct hd_run begin = *run;
    begin.n_log = n;
    begin.found = false;
    struct hd_judge *judge = hd_judge_create(&begin);
    if (!judge)
        return true;
    hd_judge_order(judge);
    bool consistent = hd_memory_is_rc11(run->memory) ? hd_judge_consistent(judge)
                                                     : hd_judge_machine(hd_judge_graph(judge));
    hd_judge_destroy(judge);
    return consistent;
}

/* What is consistent is so at every step on the way. */
uint32_t hd_explain_memory_forbidden(const struct hd_run *run)
{
    uint32_t good = 0, bad = run->n_log;
    if (run->memory == HD_MEMORY_SC || allowed(run, run->n_log))
        return 0;
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        if (allowed(run, middle))
            good = middle;
        else
            bad = middle;
    }
    return bad;
}
