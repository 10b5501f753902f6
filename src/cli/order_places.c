#include "cli/order_places.h"

#include "core/site_orders.h"

#include <stdlib.h>
#include <string.h>

struct found {
    struct hd_place at;
    const char *real;
    enum hd_op op;
    uint32_t order, site;
};

static int by_place(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    int files = strcmp(x->real, y->real);
    if (files)
        return files;
    if (x->at.line != y->at.line)
        return x->at.line < y->at.line ? -1 : 1;
    if (x->at.column != y->at.column)
        return x->at.column < y->at.column ? -1 : 1;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->at.nth != y->at.nth)
        return x->at.nth < y->at.nth ? -1 : 1;
    return x->site < y->site ? -1 : 1;
}

static bool same_place(const struct found *x, const struct found *y)
{
    return strcmp(x->real, y->real) == 0 && x->at.line == y->at.line &&
           x->at.column == y->at.column && x->op == y->op && x->at.nth == y->at.nth;
}

/* One header can have several names: sub/a.h, ./sub/a.h. */
static const char *real_file(struct hd_order_places *p, const char *file)
{
    uint64_t *known = hd_strmap_put(&p->files, file);
    if (*known == 0) {
        char *real = realpath(file, NULL);
        *known = (uint64_t)(uintptr_t)(real ? real : hd_strdup(file));
    }
    return (const char *)(uintptr_t)*known;
}

static struct found *list(struct hd_order_places *p, const struct hd_program *program,
                          uint32_t *n)
{
    uint32_t n_sites = hd_program_info(program)->n_sites;
    struct found *found = hd_alloc((n_sites + 1) * sizeof *found);
    *n = 0;
    for (uint32_t site = 1; site < n_sites; site++) {
        struct found *f = &found[*n];
        if (!hd_program_order(program, site, &f->order, &f->op))
            continue;
        f->at = hd_program_site(program, site);
        f->at.file += hd_str_starts(f->at.file, "./") ? 2 : 0;
        f->real = real_file(p, f->at.file);
        f->site = site;
        ++*n;
    }
    qsort(found, *n, sizeof *found, by_place);
    return found;
}

static enum hd_ordered kind_of(enum hd_op op)
{
    switch ((int)op) {
    case HD_OP_FENCE:
        return HD_ORDERED_FENCE;
    case HD_OP_ATOMIC_READ:
        return HD_ORDERED_LOAD;
    case HD_OP_ATOMIC_WRITE:
        return HD_ORDERED_STORE;
    default:
        return HD_ORDERED_RMW;
    }
}

static uint32_t success_order(uint32_t order)
{
    return order & HD_ORDER_SEQ_CST ? HD_ORDER_TOP : order & HD_ORDER_ACQ_REL;
}

static uint32_t failure_order(uint32_t order)
{
    return success_order(hd_order_of_failure(order));
}

/* The kinds one after the other, as hd_assignment_init() wants them. */
static void add_variables(struct hd_order_places *p)
{
    p->variables = hd_alloc((2 * p->n + 1) * sizeof *p->variables);
    p->variable_place = hd_alloc((2 * p->n + 1) * sizeof *p->variable_place);
    for (uint32_t kind = HD_ORDERED_FENCE; kind <= HD_ORDERED_LOAD; kind++)
        for (uint32_t i = 0; i < p->n; i++) {
            struct hd_order_place *place = &p->items[i];
            bool failure = kind == HD_ORDERED_FAILURE && place->op == HD_OP_CAS;
            if (!failure && kind_of(place->op) != (enum hd_ordered)kind)
                continue;
            uint32_t own = failure ? failure_order(place->order) : success_order(place->order);
            struct hd_variable v = { .kind = (enum hd_ordered)kind, .own = (uint8_t)own };
            v.fixed = place->varies || place->at.line == 0;
            *(failure ? &place->failure : &place->variable) = p->n_variables;
            p->variable_place[p->n_variables] = i;
            p->variables[p->n_variables++] = v;
        }
    for (uint32_t i = 0; i < p->n; i++)
        if (p->items[i].failure != HD_NO_VARIABLE)
            p->variables[p->items[i].failure].success = p->items[i].variable;
}

int hd_order_places_init(struct hd_order_places *p, const struct hd_program *program,
                         struct hd_err *err)
{
    uint32_t n;
    *p = (struct hd_order_places){ .n_program_sites = hd_program_info(program)->n_sites };
    hd_strmap_init(&p->files);
    struct found *found = list(p, program, &n);
    if (n > HD_MAX_SITE_ORDERS || p->n_program_sites >> 24) {
        free(found);
        hd_order_places_release(p);
        return hd_err_set(err,
                          "the program has %u atomic accesses and fences, more than the %u that "
                          "heddle orders can vary: give a program with a part of them",
                          n, HD_MAX_SITE_ORDERS);
    }
    p->items = hd_alloc((n + 1) * sizeof *p->items);
    p->sites = hd_alloc((n + 1) * sizeof *p->sites);
    p->place_of = hd_alloc((p->n_program_sites + 1) * sizeof *p->place_of);
    for (uint32_t i = 0; i < n; i++) {
        const struct found *f = &found[i];
        struct hd_order_place *last = i ? &p->items[p->n - 1] : NULL;
        if (last && f->at.line && same_place(f, &found[i - 1])) {
            last->varies |= last->order != f->order;
            last->order |= f->order;
        } else {
            p->items[p->n++] = (struct hd_order_place){ .at = f->at,
                                                        .real = f->real,
                                                        .op = f->op,
                                                        .order = f->order,
                                                        .failure = HD_NO_VARIABLE };
        }
        p->sites[p->n_sites++] = f->site;
        p->place_of[f->site] = p->n;
    }
    free(found);
    add_variables(p);
    return 0;
}

static void release_files(struct hd_order_places *p)
{
    for (size_t i = 0; i < p->files.room; i++)
        if (p->files.slots[i].key)
            free((char *)(uintptr_t)p->files.slots[i].value);
    hd_strmap_release(&p->files);
}

void hd_order_places_release(struct hd_order_places *p)
{
    free(p->items);
    free(p->sites);
    free(p->place_of);
    free(p->variables);
    free(p->variable_place);
    release_files(p);
}

/* Of one place, as an action carries it. */
static uint32_t packed(const struct hd_order_place *place, const uint8_t *orders)
{
    uint32_t order = orders[place->variable];
    uint32_t failing = place->failure == HD_NO_VARIABLE ? order : orders[place->failure];
    if (place->op == HD_OP_FENCE)
        return order;
    if (failing & HD_ORDER_ACQUIRE)
        order |= HD_ORDER_FAIL_ACQUIRE;
    if (failing & HD_ORDER_SEQ_CST)
        order |= HD_ORDER_FAIL_SEQ_CST;
    return order;
}

void hd_order_places_set(const struct hd_order_places *p, const uint8_t *orders,
                         struct hd_options *options)
{
    options->n_site_orders = p->n_sites;
    for (uint32_t i = 0; i < p->n_sites; i++) {
        const struct hd_order_place *place = &p->items[p->place_of[p->sites[i]] - 1];
        options->site_orders[i] = hd_site_order_pack(p->sites[i], packed(place, orders));
    }
}

void hd_order_places_executed(struct hd_order_places *p, const struct hd_counters *counters)
{
    for (uint32_t i = 0; i < p->n_sites; i++)
        if (counters->site_orders_used[i / 64] >> i % 64 & 1)
            p->items[p->place_of[p->sites[i]] - 1].executed = true;
    for (uint32_t i = 0; i < p->n; i++)
        if (!p->items[i].executed) {
            p->variables[p->items[i].variable].fixed = true;
            if (p->items[i].failure != HD_NO_VARIABLE)
                p->variables[p->items[i].failure].fixed = true;
        }
}

static void occurs_at(const struct hd_order_places *p, uint32_t site, bool *occurs)
{
    if (site >= p->n_program_sites || !p->place_of[site])
        return;
    const struct hd_order_place *place = &p->items[p->place_of[site] - 1];
    occurs[place->variable] = true;
    if (place->failure != HD_NO_VARIABLE)
        occurs[place->failure] = true;
}

void hd_order_places_occur(const struct hd_order_places *p, const uint8_t *orders,
                           const struct hd_run *run, bool *occurs)
{
    for (uint32_t i = 0; i < p->n_variables; i++)
        occurs[i] = run->scheduled_only || /* its steps are not known: any may */
                    (p->variables[i].kind == HD_ORDERED_FENCE && orders[i] == HD_ORDER_RELAXED);
    for (uint32_t i = 0; i < run->n_log; i++)
        occurs_at(p, run->log[i].site, occurs);
    occurs_at(p, run->finding.site, occurs);
    for (uint32_t i = 0; i < run->finding.n_standings; i++)
        occurs_at(p, run->finding.standings[i].site, occurs);
}

const char *hd_order_name(enum hd_ordered kind, uint32_t order)
{
    switch (order) {
    case HD_ORDER_RELAXED:
        return kind == HD_ORDERED_FENCE ? "none" : "relaxed";
    case HD_ORDER_ACQUIRE:
        return "acquire";
    case HD_ORDER_RELEASE:
        return "release";
    case HD_ORDER_ACQ_REL:
        return "acq_rel";
    default:
        return "seq_cst";
    }
}

void hd_order_operation(struct hd_str *out, const struct hd_order_place *place, bool failure)
{
    static const char *const words[] = { [HD_ORDERED_FENCE] = "fence",
                                         [HD_ORDERED_STORE] = "store",
                                         [HD_ORDERED_RMW] = "read-modify-write",
                                         [HD_ORDERED_LOAD] = "load" };
    hd_str_append(out, place->op == HD_OP_CAS ? "compare-exchange" : words[kind_of(place->op)]);
    if (*place->at.variable)
        hd_str_appendf(out, " %s", place->at.variable);
    if (failure)
        hd_str_append(out, ", failure");
}
