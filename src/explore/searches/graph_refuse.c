/* What the search over graphs does not know, with the words and places of the message. */
#include "explore/graph/objects.h"
#include "explore/graph/reads_from.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

#include <stdio.h>

static const char *model_of(const struct hd_explorer *ex)
{
    switch (mine(ex)->g.model) {
    case HD_MEMORY_SC:
    case HD_MEMORY_SC_GRAPH:
        return "--strategy graph";
    case HD_MEMORY_SC_RF:
        return "--strategy rf";
    case HD_MEMORY_TSO:
        return "--memory tso";
    default:
        return "--memory rc11";
    }
}

static const char *remedy_for(const struct hd_explorer *ex)
{
    return hd_memory_is_sc(mine(ex)->g.model) ? "--strategy optimal" : "--memory sc";
}

/* What the program has called, where the name of the operation does not say it. */
static const char *words_for(enum hd_op op)
{
    switch (op) {
    case HD_OP_ATOMIC:
    case HD_OP_CHOOSE_INSIDE:
        return "atomic sections (heddle_atomic_begin, __VERIFIER_atomic_begin)";
    case HD_OP_OUTSIDE_MAPPED:
        return "calls while a file is mapped that the program writes, at an address that it has "
               "chosen or with mremap, or with --races off";
    case HD_OP_INPUT:
        return "chosen input (--input)";
    default:
        return NULL;
    }
}

static void say(struct hd_explorer *ex, const struct hd_action *a, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, "the graph search (%s) does not know %s: use %s", model_of(ex),
             what, remedy_for(ex));
    ex->shared->ctl.error_site = a->site;
    hd_explorer_give_up(ex, text);
}

static bool refuses_operation(struct hd_explorer *ex, const struct hd_action *a)
{
    const char *what = hd_object_refusal(a), *words = words_for((enum hd_op)a->op);
    char operation[100];
    if (!what)
        return false;
    snprintf(operation, sizeof operation, "the operation %s yet", what);
    say(ex, a, words ? words : a->op == HD_OP_CREATE ? what : operation);
    return true;
}

static bool refuses_in_section(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t other = hd_graph_meets_section(ex, thread, a);
    char operation[100];
    if (other) {
        ex->shared->ctl.error_other = hd_event(g, other)->action.site;
        say(ex, a, "an access that may come in the middle of an atomic section with the other");
        return true;
    }
    if (!hd_graph_leaves_section(ex, thread, a))
        return false;
    snprintf(operation, sizeof operation, "the operation %s in an atomic section",
             hd_op_table[a->op].text);
    say(ex, a, operation);
    return true;
}

bool hd_graph_memory_is_settled(const struct hd_explorer *ex)
{
    const struct hd_graph *g = &mine(ex)->g;
    for (uint32_t p = 1; g->reads_from && p < g->n_places; p++)
        if (hd_reads_from_free(g, p) && g->places[p].era == g->era &&
            !hd_reads_from_is_settled(g, p))
            return false;
    return true;
}

bool hd_explorer_weak_knows_last(const struct hd_explorer *ex, uint64_t at, uint64_t bytes)
{
    const struct hd_graph *g = &mine(ex)->g;
    struct hd_action a = { .op = HD_OP_READ, .object = at, .size = (uint32_t)bytes };
    for (uint32_t p = hd_access_meets(g, &a, 1); p; p = hd_access_meets(g, &a, p + 1))
        if (!hd_reads_from_is_settled(g, p))
            return false;
    return true;
}

/* Is a store of the place not before the next event of the thread?  Then they race. */
static bool races(const struct hd_graph *g, uint32_t thread, uint32_t place)
{
    uint32_t newest = hd_graph_newest(g, thread);
    uint32_t w = hd_event(g, g->places[place].first)->mo_next;
    for (; w; w = hd_event(g, w)->mo_next)
        if (!newest || !hd_clock_has(g, hd_clock(g, newest, HD_CLOCK_PORF), w))
            return true;
    return false;
}

bool hd_graph_refuses_plain(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    for (uint32_t p = hd_access_meets(g, a, 1); p; p = hd_access_meets(g, a, p + 1)) {
        bool found = ex->opt->races == HD_RACES_ERROR && races(g, thread, p);
        if (found || hd_reads_from_is_settled(g, p))
            continue;
        ex->shared->ctl.error_other = g->places[p].site;
        say(ex, a,
            "an access of many bytes, or of other bytes than another access, of what was "
            "stored in no order");
        return true;
    }
    return false;
}

/* An operation on a thread or an object may store into memory, such as the result of a join.
 * Where plain accesses are no events, neither is that.  Does it store into an atomic
 * variable? */
static bool refuses_result(struct hd_explorer *ex, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    struct hd_action result = { .op = HD_OP_WRITE, .object = a->object2, .size = a->size };
    if (g->plain_events || !a->object2 || hd_op_table[a->op].space == HD_SPACE_MEM ||
        hd_op_second_is_sync((enum hd_op)a->op) || a->op == HD_OP_OUTSIDE)
        return false;
    uint32_t other = hd_access_meets(g, &result, 1);
    if (!other)
        return false;
    ex->shared->ctl.error_other = g->places[other].site;
    say(ex, a, "a call that stores its result into an atomic variable");
    return true;
}

/* The search gives values to the accesses of an atomic variable.  It does not know what the
 * call makes of one that lies in a mapped file. */
static bool refuses_call(struct hd_explorer *ex, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    struct hd_action files = { .op = HD_OP_WRITE,
                               .object = HD_MAPPED_BASE,
                               .size = (uint32_t)HD_MAPPED_BYTES };
    uint32_t other = hd_action_touches_files(a) ? hd_access_meets(g, &files, 1) : 0;
    if (!other)
        return false;
    ex->shared->ctl.error_other = g->places[other].site;
    say(ex, a, "a call that may touch a mapped file with an atomic variable in it");
    return true;
}

bool hd_graph_refuses(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    if (refuses_operation(ex, a) || refuses_in_section(ex, thread, a) || refuses_result(ex, a) ||
        refuses_call(ex, a))
        return true;
    if (g->reads_from && (hd_op_futex((enum hd_op)a->op) || a->op == HD_OP_FUTEX_READ)) {
        say(ex, a, "futexes");
        return true;
    }
    if (a->op == HD_OP_JOIN_NOW && !g->ends) {
        say(ex, a, "joins that do not wait, called by code that is not seen");
        return true;
    }
    if (a->op == HD_OP_FUTEX_MOVE && !g->requeues) {
        say(ex, a, "futex requeues, called by code that is not seen");
        return true;
    }
    if (!hd_op_atomic((enum hd_op)a->op) || !hd_access_is_mixed(g, a))
        return false;
    uint32_t other = hd_access_overlaps(g, a);
    ex->shared->ctl.error_other = other ? g->places[other].site : 0;
    say(ex, a,
        other ? "atomic accesses of different sizes, or different bytes, that overlap"
              : "atomic accesses of more than 16 bytes");
    return true;
}
