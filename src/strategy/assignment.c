/* The search for orders that are as weak as possible, and for the smallest repair.
 *
 * Relaxing: a group of variables is made as weak as can be at once; if that is broken, each
 * half of the group by itself; a single one climbs from its weakest order up to the first
 * that is verified.  One pass suffices: an order that was needed while the others were
 * stronger is needed when they are weaker.
 *
 * Repairing: a set of variables is made seq_cst, the others keep their orders.  An execution
 * that fails nevertheless says that one of its other variables has to be in the set.  A
 * smallest set that has one of each such clause is tried next (an implicit hitting set;
 * Moreno-Centeno, Karp, Oper. Res. 2013).  So no smaller set than the first that is verified
 * suffices.  Its members are then made as weak as they may be. */
#include "strategy/assignment.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void hd_assignment_init(struct hd_assignment *a, const struct hd_variable *variables, uint32_t n,
                        hd_assignment_ask *ask, void *context)
{
    *a = (struct hd_assignment){ .n = n, .variables = variables, .ask = ask, .context = context };
    a->found = hd_alloc(n + 1);
    a->undecided = hd_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++)
        a->found[i] = variables[i].own;
}

void hd_assignment_release(struct hd_assignment *a)
{
    for (size_t i = 0; i < a->n_known; i++) {
        free(a->known[i].orders);
        free(a->known[i].occurs);
    }
    free(a->known);
    free(a->found);
    free(a->undecided);
}

bool hd_ordered_has(enum hd_ordered kind, uint32_t order)
{
    bool acquires = kind != HD_ORDERED_STORE;
    bool releases = kind != HD_ORDERED_LOAD && kind != HD_ORDERED_FAILURE;
    switch (order) {
    case HD_ORDER_RELAXED:
    case HD_ORDER_TOP:
        return true;
    case HD_ORDER_ACQUIRE:
        return acquires;
    case HD_ORDER_RELEASE:
        return releases;
    default:
        return order == HD_ORDER_ACQ_REL && acquires && releases;
    }
}

static bool not_above(uint32_t a, uint32_t b) { return (a & ~b) == 0; }

void hd_assignment_learn(struct hd_assignment *a, const uint8_t *orders, const bool *occurs)
{
    if (a->n_known == a->room) {
        a->room = a->room ? 2 * a->room : 16;
        a->known = hd_realloc(a->known, a->room * sizeof *a->known);
    }
    struct hd_known *k = &a->known[a->n_known++];
    *k = (struct hd_known){ .verified = !occurs, .orders = hd_alloc(a->n + 1) };
    memcpy(k->orders, orders, a->n);
    if (occurs) {
        k->occurs = hd_alloc(a->n + 1);
        memcpy(k->occurs, occurs, a->n * sizeof *occurs);
    }
}

/* Does the known answer decide these orders, too? */
static bool decides(const struct hd_assignment *a, const struct hd_known *k,
                    const uint8_t *orders)
{
    for (uint32_t i = 0; i < a->n; i++) {
        if (k->verified ? !not_above(k->orders[i], orders[i])
                        : k->occurs[i] && !not_above(orders[i], k->orders[i]))
            return false;
    }
    return true;
}

/* An exploration. */
static enum hd_answered explore(struct hd_assignment *a, const uint8_t *orders)
{
    if (a->stopped)
        return HD_ANSWER_OPEN;
    bool *occurs = hd_alloc(a->n + 1);
    a->n_asked++;
    enum hd_answered answer = a->ask(a->context, orders, occurs);
    if (answer == HD_ANSWER_VERIFIED || answer == HD_ANSWER_BROKEN)
        hd_assignment_learn(a, orders, answer == HD_ANSWER_BROKEN ? occurs : NULL);
    if (answer == HD_ANSWER_STOP) {
        a->stopped = true;
        answer = HD_ANSWER_OPEN;
    }
    free(occurs);
    return answer;
}

static enum hd_answered ask(struct hd_assignment *a, const uint8_t *orders)
{
    for (size_t i = a->n_known; i-- > 0;)
        if (decides(a, &a->known[i], orders)) {
            a->n_answered++;
            return a->known[i].verified ? HD_ANSWER_VERIFIED : HD_ANSWER_BROKEN;
        }
    return explore(a, orders);
}

/* The success of a compare-exchange becomes as strong as its failure, unless the program does
 * not care either. */
static void make_legal(const struct hd_assignment *a, uint8_t *orders)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const struct hd_variable *v = &a->variables[i];
        if (v->kind == HD_ORDERED_FAILURE && not_above(v->own, a->variables[v->success].own))
            orders[v->success] |= orders[i];
    }
}

static uint8_t *copy(const struct hd_assignment *a, const uint8_t *orders)
{
    uint8_t *made = hd_alloc(a->n + 1);
    memcpy(made, orders, a->n);
    return made;
}

/* Takes the orders, if they are verified. */
static enum hd_answered try_orders(struct hd_assignment *a, uint8_t *orders)
{
    make_legal(a, orders);
    enum hd_answered answer = HD_ANSWER_VERIFIED;
    if (memcmp(orders, a->found, a->n) != 0)
        answer = ask(a, orders);
    if (answer == HD_ANSWER_VERIFIED)
        memcpy(a->found, orders, a->n);
    return answer;
}

/* ---- relaxing ---- */

/* The weakest order of the variable above `least` with which the others as they are suffice.
 * */
static void climb(struct hd_assignment *a, uint32_t i, uint32_t least)
{
    static const uint8_t upwards[] = { HD_ORDER_RELAXED, HD_ORDER_ACQUIRE, HD_ORDER_RELEASE,
                                       HD_ORDER_ACQ_REL };
    uint8_t had = a->found[i];
    for (size_t k = 0; k < sizeof upwards; k++) {
        uint8_t order = upwards[k];
        if (!hd_ordered_has(a->variables[i].kind, order) || !not_above(least, order) ||
            !not_above(order, had) || order == had)
            continue;
        uint8_t *orders = copy(a, a->found);
        orders[i] = order;
        enum hd_answered answer = try_orders(a, orders);
        free(orders);
        a->undecided[i] |= answer == HD_ANSWER_OPEN;
        if (answer == HD_ANSWER_VERIFIED)
            return;
    }
}

static void relax(struct hd_assignment *a, uint32_t from, uint32_t to)
{
    if (to - from == 1) {
        if (!a->variables[from].fixed)
            climb(a, from, HD_ORDER_RELAXED);
        return;
    }
    uint8_t *orders = copy(a, a->found);
    for (uint32_t i = from; i < to; i++)
        if (!a->variables[i].fixed)
            orders[i] = HD_ORDER_RELAXED;
    enum hd_answered answer = try_orders(a, orders);
    free(orders);
    if (answer == HD_ANSWER_VERIFIED)
        return;
    uint32_t middle = from + (to - from) / 2;
    relax(a, from, middle);
    relax(a, middle, to);
}

/* ---- showing that nothing can be weaker ---- */

static bool was_broken(const struct hd_assignment *a, const uint8_t *orders)
{
    for (size_t i = 0; i < a->n_known; i++)
        if (!a->known[i].verified && memcmp(a->known[i].orders, orders, a->n) == 0)
            return true;
    return false;
}

/* Is there an order between the two? */
static bool something_between(enum hd_ordered kind, uint32_t low, uint32_t high)
{
    for (uint32_t order = low + 1; order < high; order++)
        if (hd_ordered_has(kind, order) && not_above(low, order) && not_above(order, high))
            return true;
    return false;
}

/* Every order that is directly below that of the variable has a failing run of its own, not
 * only one of another assignment.  False: one was verified, and is taken. */
static bool shown_needed(struct hd_assignment *a, uint32_t i, uint32_t least)
{
    enum hd_ordered kind = a->variables[i].kind;
    for (uint32_t order = HD_ORDER_RELAXED; order < a->found[i]; order++) {
        if (!hd_ordered_has(kind, order) || !not_above(least, order) ||
            !not_above(order, a->found[i]) || something_between(kind, order, a->found[i]))
            continue;
        uint8_t *orders = copy(a, a->found);
        orders[i] = (uint8_t)order;
        make_legal(a, orders);
        enum hd_answered answer = HD_ANSWER_BROKEN;
        if (memcmp(orders, a->found, a->n) != 0 && !was_broken(a, orders))
            answer = explore(a, orders);
        if (answer == HD_ANSWER_VERIFIED)
            memcpy(a->found, orders, a->n);
        free(orders);
        a->undecided[i] |= answer == HD_ANSWER_OPEN;
        if (answer == HD_ANSWER_VERIFIED)
            return false;
    }
    return true;
}

/* Of all variables, or of a repair those that it has made stronger. */
static void show_needed(struct hd_assignment *a, bool repaired)
{
    for (uint32_t i = 0; i < a->n;) {
        const struct hd_variable *v = &a->variables[i];
        bool skipped = v->fixed || (repaired && a->found[i] == v->own);
        bool shown = skipped || shown_needed(a, i, repaired ? v->own : HD_ORDER_RELAXED);
        i = shown ? i + 1 : 0;
    }
}

/* ---- repairing ---- */

static bool can_rise(const struct hd_assignment *a, uint32_t i)
{
    return !a->variables[i].fixed && a->variables[i].own != HD_ORDER_TOP;
}

/* Does making the variable seq_cst exclude the failing execution, as far as one can tell? */
static bool in_clause(const struct hd_assignment *a, const struct hd_known *k, uint32_t i)
{
    return k->occurs[i] && can_rise(a, i) && k->orders[i] != HD_ORDER_TOP;
}

/* A failing execution that occurs with the own orders and those of the set raised; NULL:
 * none. */
static const struct hd_known *unhit(const struct hd_assignment *a, const uint8_t *orders)
{
    for (size_t i = 0; i < a->n_known; i++)
        if (!a->known[i].verified && decides(a, &a->known[i], orders))
            return &a->known[i];
    return NULL;
}

/* Raises at most `most` more variables so that no known failing execution is left. */
static bool hit(const struct hd_assignment *a, uint8_t *orders, uint32_t most)
{
    const struct hd_known *k = unhit(a, orders);
    if (!k)
        return true;
    for (uint32_t i = 0; i < a->n && most; i++) {
        if (!in_clause(a, k, i) || orders[i] == HD_ORDER_TOP)
            continue;
        uint8_t had = orders[i];
        orders[i] = HD_ORDER_TOP;
        if (hit(a, orders, most - 1))
            return true;
        orders[i] = had;
    }
    return false;
}

static void own_orders(const struct hd_assignment *a, uint8_t *orders)
{
    for (uint32_t i = 0; i < a->n; i++)
        orders[i] = a->variables[i].own;
}

/* seq_cst wherever it may be. */
static enum hd_answered try_strongest(struct hd_assignment *a)
{
    uint8_t *orders = copy(a, a->found);
    for (uint32_t i = 0; i < a->n; i++)
        if (!a->variables[i].fixed)
            orders[i] = HD_ORDER_TOP;
    enum hd_answered answer = ask(a, orders);
    if (answer == HD_ANSWER_VERIFIED)
        memcpy(a->found, orders, a->n);
    free(orders);
    return answer;
}

/* The smallest set, each of it seq_cst; `found` already is an assignment that is verified. */
static enum hd_answered try_sets(struct hd_assignment *a)
{
    uint8_t *orders = hd_alloc(a->n + 1);
    uint32_t size = 0;
    enum hd_answered answer = HD_ANSWER_BROKEN;
    while (size <= a->n && answer == HD_ANSWER_BROKEN) {
        own_orders(a, orders);
        if (hit(a, orders, size))
            answer = try_orders(a, orders);
        else
            size++;
    }
    free(orders);
    return answer;
}

static bool any_undecided(const struct hd_assignment *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->undecided[i])
            return true;
    return false;
}

static bool any_can_rise(const struct hd_assignment *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (can_rise(a, i))
            return true;
    return false;
}

static enum hd_assigned repair(struct hd_assignment *a)
{
    enum hd_answered answer = any_can_rise(a) ? try_strongest(a) : HD_ANSWER_BROKEN;
    if (answer != HD_ANSWER_VERIFIED)
        return answer == HD_ANSWER_BROKEN ? HD_ASSIGNED_NEVER : HD_ASSIGNED_OPEN;
    bool smallest = try_sets(a) == HD_ANSWER_VERIFIED;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->found[i] != a->variables[i].own)
            climb(a, i, a->variables[i].own);
    show_needed(a, true);
    a->complete = smallest && !any_undecided(a);
    return HD_ASSIGNED_REPAIRED;
}

enum hd_assigned hd_assignment_find(struct hd_assignment *a)
{
    a->complete = false;
    own_orders(a, a->found);
    enum hd_answered answer = ask(a, a->found);
    a->n_answered = 0; /* that one is no question of the search */
    switch (answer) {
    case HD_ANSWER_VERIFIED:
        if (a->n)
            relax(a, 0, a->n);
        show_needed(a, false);
        a->complete = !any_undecided(a);
        return HD_ASSIGNED_RELAXED;
    case HD_ANSWER_BROKEN:
        return repair(a);
    default:
        return HD_ASSIGNED_OPEN;
    }
}
