/* What the search over graphs does not know, with the words and places of the message. */
#include "explore/graph/objects.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

#include <stdio.h>

static const char *model_of(const struct hd_explorer *ex)
{
    switch (mine(ex)->g.model) {
    case HD_MEMORY_SC:
    case HD_MEMORY_SC_GRAPH:
        return "--strategy graph";
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

bool hd_graph_refuses(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    if (refuses_operation(ex, a) || refuses_in_section(ex, thread, a))
        return true;
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
