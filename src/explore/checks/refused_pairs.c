/* Pairs of accesses that are not ordered, and of which a search over graphs does not explore
 * what comes of them: the program is refused, with both lines. */
#include "explore/checks/races.h"

#include <stdio.h>

static bool ends_memory(const struct hd_action *a)
{
    return hd_op_has((enum hd_op)a->op, HD_OPTRAIT_ENDS);
}

/* Under tso a race is no violation, but then its outcomes must be explored. */
void hd_races_refuse_outcomes(struct hd_explorer *ex, const struct hd_action *a,
                              const struct hd_action *b)
{
    if (ends_memory(a) || ends_memory(b)) {
        ex->shared->ctl.error_site = (ends_memory(a) ? b : a)->site;
        ex->shared->ctl.error_other = (ends_memory(a) ? a : b)->site;
        hd_explorer_give_up(
            ex,
            "memory is used, and may have been freed or its scope have ended, because nothing "
            "orders the two, which --memory tso does not explore: use --memory rc11");
        return;
    }
    ex->shared->ctl.error_site = a->site;
    ex->shared->ctl.error_other = b->site;
    hd_explorer_give_up(
        ex, "accesses of different sizes race, or one of a library function, of a "
            "mapped file or of more than 16 bytes: --memory tso does not know what it reads");
}

/* Was the step made in an atomic section of a graph? */
bool hd_races_inside(const struct hd_explorer *ex, uint32_t step)
{
    uint64_t section = ex->world.config->section;
    for (uint32_t d = section ? step : 0; d-- > 0;)
        if (HD_STEP_THREAD(ex->path.steps[d]) == HD_STEP_THREAD(ex->path.steps[step]) &&
            ex->path.nodes[d].action.object == section)
            return ex->path.nodes[d].action.op == HD_OP_LOCK;
    return false;
}

/* A section stands for code that the program protects in a way that heddle is not shown. */
void hd_races_refuse_section(struct hd_explorer *ex, const struct hd_action *a,
                             const struct hd_action *b)
{
    ex->shared->ctl.error_site = a->site;
    ex->shared->ctl.error_other = b->site;
    hd_explorer_give_up(ex,
                        "the graph search does not know an access that may come in the middle "
                        "of an atomic section with the other: use --memory sc");
}

/* Is it a call of which it is not known whether it touches the bytes at all?  Then this is no
 * race, but what the one sees of the other is not explored. */
bool hd_races_refuse_call(struct hd_explorer *ex, const struct hd_action *a,
                          const struct hd_action *b)
{
    const struct hd_action *call = a->op == HD_OP_OUTSIDE ? a : b;
    if (call->op != HD_OP_OUTSIDE)
        return false;
    char text[200];
    snprintf(text, sizeof text,
             "the graph search does not know a call that may touch a mapped file, or change the "
             "mapping, and is not ordered with the other access: use %s",
             hd_memory_is_sc(ex->opt->memory) ? "--strategy optimal" : "--memory sc");
    ex->shared->ctl.error_site = call->site;
    ex->shared->ctl.error_other = (call == a ? b : a)->site;
    hd_explorer_give_up(ex, text);
    return true;
}
